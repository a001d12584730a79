// What the browser keeps between two visits, and the game on the table among it.

import { GameFacts, PageMatch, boardNames } from "./corvid.js";
import { isSeat, usualSeats } from "./seats.js";

/** All keys begin with it: other pages of the same host share the storage. */
const PREFIX = "corvid.";

const REFUSED = "This browser refuses storage: the game is lost when you close the page.";
const FULL = "This browser's storage is full: the game is lost when you close the page.";

/**
 * Strings by name in the browser's storage. Where storage is refused or full the page goes on: values
 * are then remembered until it closes, and one sentence is said, once.
 */
export class Store {
  #say;
  #area;
  #remembered = new Map();
  #told = false;

  /**
   * @param {(sentence: string) => void} say
   * @param {() => Storage} open which storage; a blocked one throws as soon as it is named
   */
  constructor(say, open = () => localStorage) {
    this.#say = say;
    try {
      this.#area = open();
      this.#area.getItem(PREFIX);
    } catch {
      this.#area = null;
    }
  }

  /** The name in the browser's storage, as in its `storage` events. */
  nameOf(key) {
    return PREFIX + key;
  }

  /** @returns {string | null} */
  get(key) {
    const remembered = this.#remembered.get(key);
    if (remembered !== undefined) return remembered;
    try {
      return this.#area?.getItem(this.nameOf(key)) ?? null;
    } catch {
      return null;
    }
  }

  /** @returns {boolean} whether it outlives the page */
  set(key, text) {
    try {
      if (!this.#area) throw new Error(REFUSED);
      this.#area.setItem(this.nameOf(key), text);
      this.#remembered.delete(key);
      return true;
    } catch (error) {
      this.#remembered.set(key, text);
      this.#tell(isFull(error) ? FULL : REFUSED);
      return false;
    }
  }

  remove(key) {
    this.#remembered.delete(key);
    try {
      this.#area?.removeItem(this.nameOf(key));
    } catch {
      // What can't be written can't have been kept.
    }
  }

  /** A value that was kept as JSON; `undefined` if there is none or it is damaged. */
  getJson(key) {
    try {
      return JSON.parse(this.get(key) ?? "") ?? undefined;
    } catch {
      return undefined;
    }
  }

  setJson(key, value) {
    return this.set(key, JSON.stringify(value));
  }

  #tell(sentence) {
    if (this.#told) return;
    this.#told = true;
    this.#say(sentence);
  }
}

function isFull(error) {
  return error?.name === "QuotaExceededError" || error?.name === "NS_ERROR_DOM_QUOTA_REACHED";
}

// Where the game on the table is kept: twice. The tab's own storage outlives a reload and belongs to
// one tab, so that two tabs that play at once never overwrite each other's game. The browser's storage
// has the game of the tab that moved last, for the next visit; a tab that sees another one write there
// says so.
const KEY = "table";

const TWO_TABS = "Another tab plays too. Each keeps its own game while it is open; "
  + "the next visit begins with the one that moved last.";

const DAMAGED = "The saved game can't be read: a new one begins.";

/** The tab's own storage. What it can't keep is in the browser's all the same, so it says nothing. */
const tabStore = () => new Store(() => {}, () => sessionStorage);

/**
 * Keeps the match, the seats and the engine's choice from now on.
 * @param {import("./table.js").Table} table
 * @param {Store} store
 */
export function keepTable(table, store) {
  const tab = tabStore();
  let kept = null;
  const keep = () => {
    const text = JSON.stringify(toSave(table));
    if (text === kept) return;
    kept = text;
    tab.set(KEY, text);
    store.set(KEY, text);
  };
  table.addEventListener("change", keep);
  const hear = ({ key, newValue }) => {
    if (key !== store.nameOf(KEY) || newValue === null) return;
    removeEventListener("storage", hear);
    table.say(TWO_TABS);
  };
  addEventListener("storage", hear);
  keep();
}

/**
 * Puts the game of the last visit on the table. One that is damaged is passed over, with a sentence.
 * @param {import("./table.js").Table} table
 * @param {Store} store
 * @returns {boolean} whether there was one
 */
export function restoreTable(table, store) {
  let damaged = false;
  for (const place of [tabStore(), store]) {
    const text = place.get(KEY);
    if (text === null) continue;
    try {
      putOn(table, JSON.parse(text));
      return true;
    } catch {
      damaged = true;
    }
  }
  if (damaged) table.say(DAMAGED);
  return false;
}

const SHELF = "shelf";

/** The games that wait while another one is on the table: one of each kind. */
export class Shelf {
  #store;

  /** @param {Store} store */
  constructor(store) {
    this.#store = store;
  }

  /** Puts the game on the table aside, and the one of this name on it; a new one if none waits. */
  change(table, name) {
    // A copy is an object, whatever was kept.
    const waiting = { ...this.#store.getJson(SHELF) };
    waiting[table.match.name] = toSave(table);
    this.#store.setJson(SHELF, waiting);
    try {
      putOn(table, waiting[name]);
    } catch {
      table.start(name, usualSeats(name), table.brain);
    }
  }
}

function toSave({ match, seats, brain, seed, running }) {
  const whole = match.whole();
  const { moves } = whole;
  whole.free();
  return { setup: match.setup, moves, made: match.plies, seats, brain, seed, running };
}

function putOn(table, { setup, moves, made, seats, brain, seed, running }) {
  const match = new PageMatch(setup);
  const { name, people } = match;
  match.free();
  const facts = new GameFacts(name);
  check(Array.isArray(moves) && moves.every((move) => typeof move === "string"));
  check(Number.isInteger(made) && made >= 0 && made <= moves.length);
  check(Array.isArray(seats) && seats.length === people && seats.every((seat) => isSeat(seat, facts)));
  check(brain?.computer === true || boardNames().includes(brain?.board));
  check(seed === undefined || Number.isSafeInteger(seed) && seed >= 0);
  facts.free();
  table.start(setup, seats, brain, seed, moves);
  table.goTo(made);
  if (running === false) table.stop();
  else if (!table.running) table.resume();
}

function check(holds) {
  if (!holds) throw new Error("damaged");
}
