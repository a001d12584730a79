// The table of the page: it owns the match, the seats and the engine. Views and panels are lent the
// match and ask for changes; they draw again on every `change`.

import { boardNames, GameFacts, gameNames, PageMatch } from "./corvid.js";
import { Engine } from "./engine.js";
import { seatText, sideName, usualSeats } from "./seats.js";

/**
 * What the engine has: a board's memory and time, or this computer's.
 * @typedef {{board: string} | {computer: true}} Brain
 */

/** Time for a move of a level that is limited by time alone, in milliseconds. */
const MOVE_MILLIS = 1000;

/** Memory of an engine that has this computer's, in KB. */
const COMPUTER_MEMORY = 16 * 1024;

/** How long a move is shown before a computer's next one, in milliseconds. */
const PACE = 350;

/** Who is asked for a hint: the strongest. */
const BEST = "level 9";

/**
 * Events: `change` when what is shown has changed, `progress` while the engine thinks (its `detail` is
 * the report), `say` with a sentence for the person and its tone.
 */
export class Table extends EventTarget {
  /** @param {WebAssembly.Module} module */
  constructor(module) {
    super();
    this.module = module;
    /** The connected board, which moves for its seats; see hardware/. */
    this.board = null;
    this.pace = PACE;
    /** What the engine said last about each position, by the number of moves before it. */
    this.reports = [];
    const [first] = gameNames();
    this.start(first, usualSeats(first), { board: boardNames()[0] });
  }

  /**
   * Begins another match.
   * @param {string} setup
   * @param {import("./seats.js").Seat[]} seats one for each person at the board
   * @param {Brain} brain
   * @param {number} [seed] for the same play again
   * @param {string[]} [moves] moves that were made already
   */
  start(setup, seats, brain, seed, moves = []) {
    const match = new PageMatch(setup);
    moves.forEach((move) => move === "pass" ? match.mustPass && match.play(move) : match.play(move));
    this.match?.free();
    this.match = match;
    this.facts = new GameFacts(match.name);
    this.colors = this.facts.colors;
    this.seats = seats.slice(0, match.people);
    this.brain = brain;
    this.seed = seed;
    /** Whether computers move; not after an undo between computers, or a stop. */
    this.running = true;
    this.reports = [];
    this.#restartEngine();
    this.#changed();
  }

  #restartEngine() {
    this.engine?.close();
    const { board } = this.brain;
    this.engine = new Engine(this.module, { board, memory: COMPUTER_MEMORY, seed: this.seed });
    this.thinking = this.busy = null;
  }

  /** The seat of a colour. */
  seatOf(player) {
    return this.seats[this.match.seatOf(player)];
  }

  /** The colours of a seat in words: `black`, or `blue and red`. */
  sideOf(seat) {
    return sideName(this.colors, seat, this.match.people);
  }

  /** Whether a person may move now. */
  get personsTurn() {
    const { match } = this;
    return !match.over && !match.mustPass && this.seatOf(match.turn).kind === "person";
  }

  /** Plays a move for the person to move; says why not if it is refused. */
  play(move) {
    if (!this.personsTurn) return false;
    const refusal = this.match.refusal(move);
    if (refusal) {
      this.say(refusal, "refusal");
      return false;
    }
    this.#play(move);
    return true;
  }

  #play(move) {
    this.match.play(move);
    this.reports.length = this.match.plies;
    this.running = true;
    this.#changed();
  }

  /** Takes moves back until a person is to move; between computers one, and they stop. */
  undo() {
    this.#step(() => this.match.undo());
  }

  /** Plays moves again that were taken back, until a person is to move. */
  redo() {
    this.#step(() => this.match.redo());
  }

  #step(step) {
    const people = this.seats.some((seat) => seat.kind === "person");
    let moved = false;
    while (step()) {
      moved = true;
      if (this.personsTurn || !people) break;
    }
    if (moved) {
      this.running = people;
      this.#changed();
    }
  }

  /**
   * Follows the connected board: takes moves back until so many are left, and plays what was played
   * there. Moves of the page's computers are not the board's to make, unless `anyone` may have.
   * @returns {boolean} whether all was played
   */
  adopt(plies, moves, anyone) {
    const { match } = this;
    while (match.plies > plies && match.undo());
    const left = moves.findIndex((move) => {
      const others = !["person", "board"].includes(this.seatOf(match.turn).kind) && !match.mustPass;
      if (match.over || (others && !anyone) || match.refusal(move)) return true;
      match.play(move);
      return false;
    });
    this.reports.length = Math.min(this.reports.length, match.plies);
    this.running = moves.length > 0;
    this.#changed();
    return left < 0;
  }

  /** Goes to the position after so many moves; computers wait there. */
  goTo(plies) {
    let moved = false;
    while (this.match.plies > plies && this.match.undo()) moved = true;
    while (this.match.plies < plies && this.match.redo()) moved = true;
    if (moved) {
      this.running = false;
      this.#changed();
    }
  }

  /** Seats somebody else. */
  setSeat(index, seat) {
    this.seats = this.seats.with(index, seat);
    this.#changed();
  }

  /** Lets computers move again. */
  resume() {
    this.running = true;
    this.#changed();
  }

  /** The computer that thinks plays the best move that it has found. */
  moveNow() {
    if (this.thinking?.ready) this.thinking.ready();
    else if (this.thinking) this.engine.stop();
  }

  /** Computers stop where they are; the move that is being thought about is not made. */
  stop() {
    this.running = false;
    this.#changed();
  }

  /** Asks the strongest level what to play; the answer is in `hint`. */
  async askHint() {
    if (!this.personsTurn || this.thinking) return;
    const { revision } = this;
    try {
      const move = await this.#think(BEST, "hint");
      if (!move) return;
      this.hint = move;
      const squares = move.split(",");
      // A piece of several squares is found by its mark sooner than by their names.
      const isPiece = squares.length > 1 && !move.includes("-");
      this.say(isPiece ? `try the marked piece on ${squares.join(" ")}` : `try ${move}`);
      this.#show();
    } catch (error) {
      if (this.revision === revision) this.say(error.message, "refusal");
    }
  }

  /** Shows a sentence; its tone is `refusal` for what can't be done. */
  say(text, tone = "") {
    this.dispatchEvent(new CustomEvent("say", { detail: { text, tone } }));
  }

  #show() {
    this.dispatchEvent(new Event("change"));
  }

  /** The match, the seats or who may move has changed: what was being thought about is void. */
  #changed() {
    this.hint = null;
    this.revision = (this.revision ?? 0) + 1;
    if (this.thinking) {
      this.thinking.void = true;
      this.thinking = null;
      this.engine.stop();
    }
    this.board?.follow(this.match);
    this.#show();
    this.#next();
  }

  /** Makes the next move if it is not a person's. */
  async #next() {
    const { match } = this;
    if (match.over || !this.running) return;
    const { revision } = this;
    const seat = this.seatOf(match.turn);
    if (match.mustPass) {
      const color = this.colors[match.turn];
      await this.#pause(this.pace);
      if (this.revision !== revision) return;
      this.#play("pass");
      this.say(`${color} has no move and passes`);
      return;
    }
    if (seat.kind === "person") return;
    const begun = performance.now();
    let move;
    try {
      move = seat.kind === "board" ? await this.#askBoard() : await this.#askEngine(seatText(seat));
    } catch (error) {
      if (this.revision !== revision) return;
      this.running = false;
      this.say(error.message, "refusal");
      this.#show();
      return;
    }
    if (this.revision !== revision || !move) return;
    await this.#pause(this.pace - (performance.now() - begun));
    if (this.revision === revision) this.#play(move);
  }

  /** The engine's move. One that has to move before it has found any begins again. */
  async #askEngine(who) {
    const { revision } = this;
    let move;
    while (!move && this.revision === revision) move = await this.#think(who, "move");
    return move;
  }

  async #askBoard() {
    if (!this.board) throw new Error("no board is connected: connect one, or change the seat");
    const { board, match } = this;
    const ready = () => board.moveNow();
    const task = { purpose: "move", who: "board", ply: match.plies, begun: performance.now(), ready };
    this.thinking = task;
    this.#show();
    try {
      return await board.move(match, (progress) => this.#report(task, progress));
    } finally {
      if (this.thinking === task) this.thinking = null;
    }
  }

  #report(task, progress) {
    if (task.void) return;
    task.progress = progress;
    this.reports[task.ply] = { ...progress, turn: this.match.turn };
    this.dispatchEvent(new CustomEvent("progress", { detail: task }));
  }

  /** Waits, unless the computer is told to move now. */
  #pause(millis) {
    if (millis <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const task = { ready: null };
      const done = () => {
        clearTimeout(timer);
        if (this.thinking === task) this.thinking = null;
        resolve();
      };
      const timer = setTimeout(done, millis);
      task.ready = done;
      this.thinking = task;
    });
  }

  /** Has the engine think about the match as it stands; the answer is void if it has changed. */
  async #think(who, purpose) {
    const { match, revision } = this;
    // One question at a time: the last one, which is void, ends first.
    while (this.busy) await this.busy;
    if (this.revision !== revision) return undefined;
    const ply = match.plies;
    const task = { purpose, who, ply, begun: performance.now(), progress: null, void: false };
    this.thinking = task;
    this.#show();
    const question = {
      setup: match.setup,
      moves: match.moves.join(" "),
      who,
      millis: MOVE_MILLIS,
    };
    const answer = this.engine.ask(question, (progress) => this.#report(task, progress));
    const busy = answer.catch(() => {}).finally(() => {
      if (this.busy === busy) this.busy = null;
    });
    this.busy = busy;
    try {
      const move = await answer;
      return this.revision === revision ? move : undefined;
    } finally {
      if (this.thinking === task) {
        this.thinking = null;
        if (this.revision === revision && purpose === "hint") this.#show();
      }
    }
  }
}
