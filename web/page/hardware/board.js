// A connected board: it has the page's match on its display, and moves for the seats that are its own.

import { LONG, Lost, Refused } from "./line.js";

/**
 * A game as both sides know it. `colors` is what the moves' players are called on the line.
 * @typedef {{setup: string, moves: string[], colors?: string[], turn?: string}} Game
 */

/**
 * What the board belongs to: `adopt(plies, moves, anyone)` takes moves back until so many are left and
 * plays others, those of the page's computers only for `anyone`; false if it did not play all.
 * @typedef {{match: object, adopt: (plies: number, moves: string[], anyone: boolean) => boolean,
 *   say: (text: string) => void}} Owner
 */

/** What is said when a board is lost. */
const UNPLUGGED = "The board was unplugged. The game is kept: plug it in and connect again.";
const SILENT = "The board does not answer. The game is kept: plug it in again, and connect.";

/** A level that moves at once. */
const QUICK_LEVEL = 1;

/** How much the board's uptime may be behind the page's clock before it was restarted, in seconds. */
const CLOCK_SLACK = 3;

const PROGRESS =
  /^depth (\d+) score (-?\d+) (points|hundredths) nodes (\d+) used (\d+)% line ?(.*)$/;

/** What a player is called on the line. */
function colorWord(player, count) {
  return count > 2 ? String(player + 1) : "bw"[player];
}

/** The page's match as it is now: a match may change, or be gone, while the board is busy. */
function gameOf(match) {
  const count = match.scores.length;
  return {
    setup: match.setup,
    moves: [...match.moves],
    colors: Array.from(match.movers, (player) => colorWord(player, count)),
    turn: colorWord(match.turn, count),
  };
}

/** How many moves two games have in common. */
function shared(a, b) {
  const differs = a.moves.findIndex((move, ply) => move !== b.moves[ply]);
  return a.setup !== b.setup ? 0 : differs < 0 ? a.moves.length : differs;
}

function isSame(a, b) {
  return a?.setup === b?.setup && a.moves.length === b.moves.length && shared(a, b) === a.moves.length;
}

/**
 * Events: `lost` when the board is unplugged or silent, with the sentence that was said; `differ` when
 * it has another game than the page, which it keeps until `decide`; `agree` when both have the same.
 */
export class ConnectedBoard extends EventTarget {
  /** How strong it plays, 1 to 9. */
  level = 3;
  #owner;
  #line = null;
  /** Ends when everything asked of the board so far is done. */
  #queue = Promise.resolve();
  /** The game on the board; null if that has to be asked. */
  #there = null;
  /** The last game that both had. */
  #agreed = null;
  /** What the board's game is to become. */
  #target = null;
  /** Whether the board keeps another game until somebody decides. */
  #held = false;
  /** The move that the board is asked for. */
  #errand = null;
  /** When the board was started, in seconds of the page's clock, and whether it was again since then. */
  #begun = NaN;
  #restarted = false;
  /** Those who wait for the board to be there. */
  #waiting = [];
  #gone = false;

  /** @param {Owner} owner */
  constructor(owner) {
    super();
    this.#owner = owner;
  }

  /** Whether it is plugged in. */
  get connected() {
    return this.#line !== null;
  }

  /** Whether it has another game than the page, and waits for a decision. */
  get held() {
    return this.#held;
  }

  /**
   * Takes a line that is awake. The game of both goes on: the longer one if they agree; else the page's,
   * but a game that the page has never seen is kept until somebody decides.
   * @param {import("./line.js").Line} line
   */
  attach(line) {
    this.#line = line;
    this.#there = null;
    line.onNotice = (text) => this.#notice(text);
    line.onLost = (why) => this.#lose(why);
    return this.#inTurn(async () => {
      await this.#prepare();
      this.#there = await this.#read();
      await this.#meet();
      this.#wakeUp();
    });
  }

  /** Gives the board up. Seats that wait for it are told. */
  detach() {
    this.#gone = true;
    if (this.#errand?.asked) this.#line?.interrupt();
    this.#line = null;
    this.#wakeUp();
  }

  /** The page's game is the one to go on with, wherever it came from. */
  decide() {
    this.#held = false;
    this.#target = gameOf(this.#owner.match);
    this.#inTurn(() => this.#catchUp());
    this.#wakeUp();
  }

  /**
   * To be called when the page's match has changed: the board's display follows. A move that the board
   * thinks about is void.
   * @param {object} match
   */
  follow(match) {
    this.#void();
    this.#target = gameOf(match);
    this.#inTurn(() => this.#catchUp());
  }

  /**
   * Which move does the board make? It is made there already when the answer comes. Waits while the
   * board is unplugged.
   * @param {object} match
   * @param {(progress: import("../engine.js").Progress) => void} [progress]
   * @returns {Promise<string | undefined>} nothing if the match has changed meanwhile
   */
  async move(match, progress = () => {}) {
    this.#void();
    const target = gameOf(match);
    const errand = { void: false, asked: false, best: undefined, progress };
    this.#errand = errand;
    try {
      for (;;) {
        while (!errand.void && (!this.#line || this.#held)) {
          if (this.#gone) throw new Error("no board is connected: connect one, or change the seat");
          await new Promise((resolve) => this.#waiting.push(resolve));
        }
        if (errand.void) return undefined;
        const answer = await this.#inTurn(() => this.#generate(target, errand), true);
        if (!answer.lost && !answer.again) return answer.move;
      }
    } finally {
      if (this.#errand === errand) this.#errand = null;
    }
  }

  /** The board plays the best move that it has found. */
  moveNow() {
    if (this.#errand?.asked) this.#line?.interrupt();
  }

  #void() {
    const errand = this.#errand;
    if (!errand) return;
    errand.void = true;
    if (errand.asked) this.#line?.interrupt();
    this.#wakeUp();
  }

  #wakeUp() {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #lose(why) {
    if (!this.#line) return;
    this.#line = null;
    this.#there = null;
    const text = why.silent ? SILENT : UNPLUGGED;
    this.#owner.say(text);
    this.dispatchEvent(new CustomEvent("lost", { detail: text }));
  }

  /**
   * Does one thing after the other. A lost board ends it with `lost`; what else goes wrong is said, or
   * thrown to whoever `cares`.
   */
  #inTurn(work, cares = false) {
    const done = this.#queue.then(async () => {
      try {
        return this.#line ? ((await work()) ?? {}) : { lost: true };
      } catch (error) {
        if (error instanceof Lost) {
          this.#lose(error);
          return { lost: true };
        }
        if (cares) throw error;
        this.#owner.say(`The board refuses: ${error.message}.`);
        return {};
      }
    });
    this.#queue = done.catch(() => {});
    return done;
  }

  async #ask(command, patience) {
    if (!this.#line) throw new Lost("no board is connected");
    return this.#line.ask(command, patience);
  }

  /** Has the board tell its best move so far, for whoever can't wait. */
  async #prepare() {
    await this.#ask("echo off").catch(unlessRefused);
    await this.#ask("progress on").catch(unlessRefused);
  }

  /** The game on the board. */
  async #read() {
    const stats = await this.#ask("stats");
    const setup = /^game (.*)$/m.exec(stats)?.[1].trim() ?? "";
    const moves = (await this.#ask("moves")).split(/\s+/).filter(Boolean);
    this.#watchUptime(Number(/^uptime (\d+)/m.exec(stats)?.[1] ?? NaN));
    return { setup, moves };
  }

  /** A board on a UART can be reset without a trace on the line: its game may be gone then. */
  #watchUptime(seconds) {
    const now = performance.now() / 1000;
    const begun = now - seconds;
    this.#restarted = begun - this.#begun > CLOCK_SLACK;
    this.#begun = begun;
  }

  /** Both have a game, and the page does not know what happened on the board. */
  async #meet() {
    const here = gameOf(this.#owner.match);
    const there = this.#there;
    const common = shared(here, there);
    if (isSame(here, there)) {
      this.#settle(here);
    } else if (!there.moves.length || (here.setup === there.setup && common === there.moves.length)) {
      await this.#bring(here);
    } else if (here.setup === there.setup && common === here.moves.length && (common || this.#agreed)) {
      this.#adopt(common, there.moves.slice(common), true);
    } else if (this.#agreed) {
      await this.#bring(here);
    } else {
      this.#hold(there);
    }
  }

  #hold(there) {
    this.#held = true;
    this.dispatchEvent(new CustomEvent("differ", { detail: there }));
  }

  #settle(game) {
    this.#agreed = game;
    this.dispatchEvent(new Event("agree"));
  }

  /** Has the page follow the board. */
  #adopt(plies, moves, anyone) {
    const taken = this.#owner.adopt(plies, moves, anyone);
    this.#agreed = gameOf(this.#owner.match);
    if (!taken) this.#owner.say("The move at the board is not a person's to make: it is taken back.");
  }

  /** Goes where the page is by now, which may be further than it was when this was asked for. */
  async #catchUp() {
    if (!this.#held) await this.#bring(this.#target);
  }

  /** Makes the board's game the page's. */
  async #bring(target) {
    try {
      await this.#change(target);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Somebody else has changed it, or the board was restarted.
      this.#there = null;
      await this.#prepare();
      await this.#begin(target.setup);
      await this.#change(target);
    }
    if (isSame(this.#there, target)) this.#settle(target);
  }

  async #begin(setup) {
    await this.#ask(`new ${setup}`);
    this.#there = { setup, moves: [] };
  }

  async #change(target) {
    this.#there ??= await this.#read();
    let common = shared(this.#there, target);
    if (this.#there.setup === target.setup && common) {
      await this.#undo(common);
      common = shared(this.#there, target);
    }
    if (this.#there.setup !== target.setup || this.#there.moves.length > common) {
      await this.#begin(target.setup);
      common = 0;
    }
    for (let ply = common; ply < target.moves.length; ply++) {
      await this.#play(target.colors[ply], target.moves[ply]);
    }
  }

  /** Takes moves back until so many are left, or fewer. */
  async #undo(plies) {
    const count = this.#there.moves.length - plies;
    if (count <= 0) return;
    for (let done = 0; done < count; done++) await this.#ask("undo");
    // A pass that the board has skipped goes with the move after it.
    this.#there = await this.#read();
  }

  async #play(color, move) {
    await this.#ask(`play ${color} ${move}`);
    this.#there.moves.push(move);
  }

  /** Has the board make a move in the target's position. */
  async #generate(target, errand) {
    if (errand.void) return {};
    await this.#bring(target);
    // After a reset it would move in another position.
    if (!(await this.#isAt(target))) return { again: true };
    if (errand.void) return {};
    await this.#ask(`level ${this.level}`);
    let move;
    try {
      errand.asked = true;
      errand.best = undefined;
      if (!errand.void) move = await this.#genmove(target.turn);
    } finally {
      errand.asked = false;
    }
    if (errand.void) return {};
    if (!move) {
      // Stopped, by the page, by the select key, or because somebody has changed the game: the board
      // sends no notice of a change that ended a command.
      if (!(await this.#isAt(target))) return { again: true };
      move = await this.#atOnce(target.turn, errand.best);
    }
    const refusal = errand.void ? undefined : this.#owner.match.refusal(move);
    if (refusal) throw new Error(`the board plays ${move}, which is illegal: ${refusal}`);
    return { move };
  }

  /** Whether the board has this game; does what is to be done if not. */
  async #isAt(target) {
    this.#there = await this.#read();
    if (isSame(this.#there, target)) return true;
    await this.#compare();
    return false;
  }

  /** The board's own move; nothing if it was stopped. */
  async #genmove(color) {
    try {
      const move = await this.#ask(`genmove ${color}`, LONG);
      this.#there.moves.push(move);
      return move;
    } catch (error) {
      unlessRefused(error);
      return undefined;
    }
  }

  /** The best move so far, or any. */
  async #atOnce(color, best) {
    if (best) {
      await this.#play(color, best);
      return best;
    }
    await this.#ask(`level ${QUICK_LEVEL}`);
    const move = await this.#genmove(color);
    if (!move) throw new Error("the board was stopped: resume when it is to go on");
    return move;
  }

  #notice(text) {
    const [, depth, score, unit, nodes, percent, line] = PROGRESS.exec(text) ?? [];
    if (depth) {
      const errand = this.#errand;
      if (!errand?.asked || errand.void) return;
      errand.best = line.split(" ")[0] || errand.best;
      const exact = unit === "points";
      const [deep, value, visited, used] = [depth, score, nodes, percent].map(Number);
      errand.progress({ depth: deep, score: value, exact, nodes: visited, percent: used, line });
    } else if (/^(play|game) /.test(text)) {
      this.#inTurn(async () => {
        this.#there = await this.#read();
        await this.#compare();
      });
    }
  }

  /** Something was done at the board's buttons, or it was restarted. */
  async #compare() {
    const here = gameOf(this.#owner.match);
    const there = this.#there;
    if (this.#held || isSame(here, there)) return;
    if (this.#restarted) {
      await this.#prepare();
      await this.#bring(here);
    } else if (here.setup !== there.setup) {
      this.#hold(there);
    } else if (this.#agreed && !isSame(here, this.#agreed)) {
      // Both were changed: the page's game is the one that counts.
      await this.#bring(here);
    } else {
      const common = shared(here, there);
      this.#adopt(common, there.moves.slice(common), false);
    }
  }
}

function unlessRefused(error) {
  if (!(error instanceof Refused)) throw error;
}
