// The analyst: finds out what the moves of a match were worth. It has an engine of its own, so that
// the one that plays has the same memory and random numbers whether or not anybody watches.

import { Engine } from "./engine.js";
import { VIEWS } from "./views.js";

/** Positions that are looked at for the values of a position's moves: a fraction of a second. */
const USUAL_NODES = 150_000;

/** Memory of the engine, in KB. */
const MEMORY = 4096;

/** A position is identified by what leads to it. */
function keyOf(setup, moves) {
  return `${setup}: ${moves.join(" ")}`;
}

/**
 * A move and the lead that its player will have at the end, in points.
 * @typedef {{move: string, lead: number, exact: boolean}} Value
 */

/** Event: `change` when more is known. */
export class Analyst extends EventTarget {
  #table;
  #engine = null;
  #known = new Map();
  #setup = "";
  #task = null;
  #failed = false;

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    super();
    this.#table = table;
    /** Whether all positions of the match are looked at, and whether the present one is. */
    this.everything = true;
    this.present = false;
    table.addEventListener("change", () => this.update());
    this.update();
  }

  /** Whether it is looking at something. */
  get busy() {
    return this.#task !== null;
  }

  /**
   * What is known about the moves of a position, the best one first.
   * @param {string[]} moves what leads there
   * @returns {Value[] | undefined}
   */
  values(moves) {
    return this.#known.get(keyOf(this.#setup, moves));
  }

  /** Starts, continues or stops, depending on the table and on what is wanted. */
  update() {
    const { match, thinking } = this.#table;
    if (this.#setup !== match.setup) {
      this.#setup = match.setup;
      this.#known.clear();
    }
    const wanted = thinking ? null : this.#wanted();
    if (this.#task) {
      const stale = !wanted || this.#task.setup !== this.#setup;
      const urgent = wanted?.present && wanted.key !== this.#task.key;
      if (stale || urgent) {
        this.#task.stopped = true;
        this.#engine.stop();
      }
    } else if (wanted && !this.#failed) {
      this.#look(wanted);
    }
  }

  /** The position to look at next: the present one, else the latest of the match that is not known. */
  #wanted() {
    const { match } = this.#table;
    const now = match.moves;
    if ((this.present || this.everything) && !match.over && !match.mustPass) {
      const key = keyOf(this.#setup, now);
      if (!this.#known.has(key)) return { key, moves: now, present: true };
    }
    if (!this.everything) return null;
    const whole = match.whole();
    const all = whole.moves;
    // Nothing is to be known where the game is over, nor where the player could only pass.
    const last = whole.over ? all.length - 1 : all.length;
    whole.free();
    for (let plies = last; plies >= 0; plies--) {
      if (all[plies] === "pass") continue;
      const moves = all.slice(0, plies);
      const key = keyOf(this.#setup, moves);
      if (!this.#known.has(key)) return { key, moves, present: false };
    }
    return null;
  }

  async #look({ key, moves }) {
    const setup = this.#setup;
    const task = { key, setup, stopped: false };
    this.#task = task;
    this.#engine ??= new Engine(this.#table.module, { memory: MEMORY, seed: 0 });
    const nodes = VIEWS[setup.split(" ")[0]].score?.nodes ?? USUAL_NODES;
    try {
      const rows = await this.#engine.askValues({ setup, moves: moves.join(" "), nodes });
      if (rows && !task.stopped) {
        this.#known.set(key, rows.map(([move, lead, exact]) => ({ move, lead: lead / 100, exact })));
      }
    } catch {
      // The match goes on without an analysis.
      this.#failed = true;
    }
    this.#task = null;
    this.dispatchEvent(new Event("change"));
    this.update();
  }
}
