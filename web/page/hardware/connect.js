// The panel that connects a board over Web Serial and begins matches with it.

import { GameFacts } from "../corvid.js";
import { button, make } from "../dom.js";
import { LEVELS, USUAL_LEVEL } from "../seats.js";
import { capitalized, plural } from "../words.js";
import { ConnectedBoard } from "./board.js";
import { Line, Stranger } from "./line.js";

/** The UART's speed; USB ignores it. */
const BAUD_RATE = 115_200;

/**
 * What the chooser shows: the Pico's own USB id, and the vendors of the adapters that are on the other
 * boards (FTDI, STMicroelectronics, SEGGER).
 */
const FILTERS = [
  { usbVendorId: 0x1209, usbProductId: 0x0001 },
  { usbVendorId: 0x0403 },
  { usbVendorId: 0x0483 },
  { usbVendorId: 0x1366 },
];

/** A port that was just plugged in may belong to others for a moment, in milliseconds. */
const OPEN_PAUSE = 300;
const OPEN_TRIES = 5;

const MISSING = "This browser has no Web Serial: Chrome and Edge have it.";
const INSECURE = "Serial ports need a page from https or from this computer.";

function levelPicker(label, value, onchange) {
  const options = LEVELS.map((level) => new Option(`level ${level}`, level, false, level === value));
  const select = make("select", {}, ...options);
  select.onchange = () => onchange(Number(select.value));
  return make("label", { className: "hardware-level" }, label, select);
}

/** Why a port can't be used, in a sentence. */
function whyNot(error) {
  if (error instanceof Stranger) return sentence(error.message);
  switch (error.name) {
    case "NotFoundError":
      return "No port was chosen.";
    case "SecurityError":
    case "NotAllowedError":
      return "This page may not use serial ports: the permission was refused.";
    case "NetworkError":
    case "InvalidStateError":
      return "The port can't be opened: another program or tab has it.";
    default:
      return sentence(`the board can't be reached: ${error.message}`);
  }
}

function sentence(text) {
  const end = /[.?!]$/.test(text) ? "" : ".";
  return capitalized(text) + end;
}

function pause(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

/** Whether two ports are the same board, which may be another object after it was plugged in again. */
function isAlike(a, b) {
  const [one, other] = [a, b].map((port) => port.getInfo());
  return one.usbVendorId === other.usbVendorId && one.usbProductId === other.usbProductId;
}

/** A panel: connect, level, quick starts. It gives the table its board. */
export class HardwarePanel {
  #table;
  #serial;
  #say;
  #port = null;
  /** The port of the board that was lost. */
  #last = null;
  #line = null;
  #board = null;
  #facts = null;
  /** "none", "busy", "connected", "lost" */
  #state = "none";
  /** The board's game, if it is another one than the page's and somebody has to decide. */
  #other = null;
  /** What was said when the board was lost. */
  #why = "";
  #level = USUAL_LEVEL;
  #hereLevel = USUAL_LEVEL;
  #events = new AbortController();
  #parts;

  /**
   * @param {HTMLElement} host an empty element
   * @param {import("../table.js").Table} table
   * @param {{serial?: Serial, say?: (text: string) => void}} [options] `say` shows a sentence
   */
  constructor(host, table, { serial = navigator.serial, say } = {}) {
    this.#table = table;
    this.#serial = serial;
    this.#say = say ?? ((text) => table.say(text));
    this.#parts = this.#build();
    host.classList.add("hardware");
    host.append(...Object.values(this.#parts));
    const { signal } = this.#events;
    serial?.addEventListener("connect", () => this.#reconnect(), { signal });
    serial?.addEventListener("disconnect", ({ target }) => this.#unplugged(target), { signal });
    this.#show();
  }

  /** Gives the port back, and removes the listeners. */
  async destroy() {
    this.#events.abort();
    await this.disconnect();
  }

  #build() {
    const status = make("p", { className: "hardware-status" });
    const connect = make(
      "div",
      { className: "hardware-row" },
      button("Connect a board", () => this.connect(), { className: "hardware-main" }),
      button("Another port", () => this.connect([]), {
        className: "hardware-quiet",
        title: "Lists all ports, for a board on a serial adapter",
      }),
    );
    const differ = make(
      "div",
      { className: "hardware-row" },
      button("Continue the board's game", () => this.#takeOver()),
      button("Put this page's game on it", () => this.#decide()),
    );
    const setLevel = (level) => {
      this.#level = level;
      if (this.#board) this.#board.level = level;
    };
    const play = make(
      "div",
      { className: "hardware-play" },
      levelPicker("The board plays", this.#level, setLevel),
      button("Play against the board", () => this.#playBoard()),
      levelPicker("This computer plays", this.#hereLevel, (level) => (this.#hereLevel = level)),
      button("Board against this computer", () => this.#watch()),
    );
    const leave = make(
      "div",
      { className: "hardware-row" },
      button("Disconnect", () => this.disconnect(), { className: "hardware-quiet" }),
    );
    return { status, connect, differ, play, leave };
  }

  #show(problem = "") {
    const { status, connect, differ, play, leave } = this.#parts;
    const connected = this.#state === "connected";
    status.textContent = problem || this.#stateText();
    status.classList.toggle("hardware-problem", Boolean(problem) || this.#state === "lost");
    connect.hidden = !this.#serial || connected;
    for (const each of connect.children) each.disabled = this.#state === "busy";
    differ.hidden = !connected || !this.#other;
    play.hidden = !connected;
    leave.hidden = !connected && this.#state !== "lost";
    this.#parts.status.parentElement?.setAttribute("data-hardware", this.#state);
  }

  #stateText() {
    if (!this.#serial) return globalThis.isSecureContext === false ? INSECURE : MISSING;
    switch (this.#state) {
      case "busy":
        return "Connecting …";
      case "lost":
        return this.#why;
      case "connected":
        return this.#other ? this.#otherText() : this.#connectedText();
      default:
        return "Plug in a board with Corvid on it, and connect: its display follows this game.";
    }
  }

  #connectedText() {
    const { board, version } = this.#facts;
    const follows = "Its display follows this game: if it shows its title, press select there.";
    return `Connected: ${board}, version ${version}. ${follows}`;
  }

  #otherText() {
    const { setup, moves } = this.#other;
    const made = plural(moves.length, "move");
    return `The board has another game: ${setup}, ${made}. Which one is to go on?`;
  }

  /**
   * Asks for a port and connects the board on it.
   * @param {SerialPortFilter[]} [filters] none for all ports
   */
  async connect(filters = FILTERS) {
    if (!this.#serial || this.#state === "busy" || this.#state === "connected") return;
    const before = this.#state;
    this.#state = "busy";
    this.#show();
    try {
      const port = await this.#serial.requestPort(filters.length ? { filters } : {});
      await this.#open(port, 1);
    } catch (error) {
      // What was lost is still waited for.
      this.#fail(before, error);
    }
  }

  #fail(state, error) {
    this.#state = state;
    this.#show(whyNot(error));
    this.#say(whyNot(error));
  }

  /** Opens a port, and goes on with the game. */
  async #open(port, tries) {
    for (let rest = tries - 1; ; rest--) {
      try {
        await port.open({ baudRate: BAUD_RATE });
        break;
      } catch (error) {
        if (!rest) throw error;
        await pause(OPEN_PAUSE);
      }
    }
    const line = new Line(port);
    try {
      this.#facts = await line.wake();
    } catch (error) {
      await line.close();
      await port.close().catch(() => {});
      throw error;
    }
    [this.#port, this.#line] = [port, line];
    const board = this.#board ?? this.#newBoard();
    this.#state = "connected";
    this.#table.board = board;
    await board.attach(line);
    if (!board.connected) return;
    this.#show();
    if (!this.#other) this.#say(this.#connectedText());
    this.#goOn();
  }

  #newBoard() {
    const table = this.#table;
    const board = new ConnectedBoard({
      get match() {
        return table.match;
      },
      adopt: (plies, moves, anyone) => table.adopt(plies, moves, anyone),
      say: (text) => this.#say(text),
    });
    board.level = this.#level;
    board.addEventListener("lost", ({ detail }) => this.#lost(detail));
    board.addEventListener("differ", ({ detail }) => this.#differ(detail));
    board.addEventListener("agree", () => this.#differ(null));
    this.#board = board;
    return board;
  }

  /** A seat that had no board stopped the table. */
  #goOn() {
    const { match, running } = this.#table;
    if (running || match.over || this.#board.held) return;
    if (this.#table.seatOf(match.turn).kind === "board") this.#table.resume();
  }

  #differ(other) {
    if (this.#other === other) return;
    this.#other = other;
    this.#show();
    if (other) this.#say(this.#otherText());
  }

  async #lost(why) {
    this.#state = "lost";
    this.#why = why;
    this.#show();
    await this.#release();
    // It may be back already.
    await this.#reconnect();
  }

  #unplugged(port) {
    // The stream usually ends first; where it does not, this ends it.
    if (port === this.#port && this.#state === "connected") this.#line?.drop();
  }

  async #release() {
    const [port, line] = [this.#port, this.#line];
    [this.#port, this.#line] = [null, null];
    this.#last = port ?? this.#last;
    await line?.close();
    // An unplugged port is closed already.
    await port?.close().catch(() => {});
  }

  /** Connects again the board that was lost, if it is plugged in. */
  async #reconnect() {
    if (this.#state !== "lost") return;
    const ports = await this.#serial.getPorts();
    const last = this.#last;
    const port = ports.find((each) => last && isAlike(each, last) && each.connected !== false);
    if (!port || this.#state !== "lost") return;
    this.#state = "busy";
    this.#show();
    try {
      await this.#open(port, OPEN_TRIES);
    } catch {
      // Whoever presses the button is told why.
      this.#state = "lost";
      this.#show();
    }
  }

  /** Gives the board up; the game stays on the page, and on the board. */
  async disconnect() {
    this.#board?.detach();
    if (this.#table.board === this.#board) this.#table.board = null;
    [this.#board, this.#other, this.#state] = [null, null, "none"];
    await this.#release();
    this.#show();
  }

  /** The board's game on the page. */
  #takeOver() {
    const { setup, moves } = this.#other;
    const people = GameFacts.people(setup);
    const table = this.#table;
    const seats = table.seats.length === people ? table.seats : this.#against(people);
    try {
      table.start(setup, seats, table.brain, table.seed, moves);
    } catch (error) {
      this.#say(sentence(`the board's game can't go on here: ${error.message}`));
      return;
    }
    this.#decide();
  }

  #decide() {
    this.#differ(null);
    this.#board.decide();
    this.#goOn();
  }

  #against(people) {
    return Array.from({ length: people }, (_, seat) => ({ kind: seat ? "board" : "person" }));
  }

  #playBoard() {
    this.#begin(this.#against(this.#table.match.people));
  }

  #watch() {
    const here = { kind: "level", level: this.#hereLevel };
    const { people } = this.#table.match;
    this.#begin(Array.from({ length: people }, (_, seat) => (seat % 2 ? here : { kind: "board" })));
  }

  /** Another match of the same game. */
  #begin(seats) {
    const table = this.#table;
    table.start(table.match.setup, seats, table.brain);
    this.#decide();
  }
}
