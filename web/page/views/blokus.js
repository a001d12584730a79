// Blokus Duo and Classic: the board, the pieces in hand, and what is done with them. Pointers and keys
// are heard in files of their own.

import { make, svg } from "../dom.js";
import { plural } from "../words.js";
import { pieceArt, pieceDrawing, UNIT } from "./blokus/art.js";
import { BlokusBoard } from "./blokus/board.js";
import { Held, Spots } from "./blokus/held.js";
import { Keys } from "./blokus/keys.js";
import { boxOf, flip, moveText, nameOf, parseMove, turnLeft, turnRight } from "./blokus/pieces.js";
import { Pointers } from "./blokus/pointers.js";
import { Tools } from "./blokus/tools.js";
import { Others, Tray } from "./blokus/tray.js";
import { stepsOf } from "./steps.js";

/** Others' pieces are folded away on a page narrower than this, in CSS pixels, or of many players. */
const WIDE = 720;

const TURNS = { left: turnLeft, right: turnRight, flip };

const division = (className, ...children) => make("div", { className }, ...children);

export class BlokusView {
  static advice = "Choose a piece, then a marked square.";
  /** The search estimates the chance to win, and tells the lead that is worth as much. */
  static score = { name: "chance to win, as a lead", nodes: 2000 };

  /** A square of a colour, for lists. */
  static swatch(_, color) {
    const square = pieceArt([[0, 0]], color);
    return svg("svg", { class: "swatch blokus-colors", viewBox: `0 0 ${UNIT} ${UNIT}` }, square);
  }

  #actions;
  #state = null;
  /** What was shown last, as texts that change with it. */
  #keys = {};
  #listeners = new AbortController();
  #pointers;
  #tools;
  #others;
  #floater = division("blokus-colors blokus-floater");
  #spots;
  /** The names of pieces that fit nowhere. */
  #unfit;
  /** Whose pieces are in the tray. */
  #player;

  /**
   * @param {HTMLElement} host
   * @param {import("../views.js").Actions} actions
   */
  constructor(host, actions) {
    this.#actions = actions;
    this.root = division("blokus blokus-colors wide");
    /** The piece in hand. @type {Held | null} */
    this.held = null;
    host.append(this.root);
    document.body.append(this.#floater);
  }

  /** @param {import("../views.js").State} state */
  show(state) {
    const { match, legal, still, hint, last, line, values } = state;
    const other = this.#state?.match !== match;
    this.#state = state;
    if (other) this.#build();
    this.root.classList.toggle("blokus-still", still);
    const { moves, movers } = match;
    const position = [...moves, legal.length > 0, match.turn, match.over].join(" ");
    const moved = this.#isNew("position", position);
    if (moved) {
      this.held = null;
      this.#pointers.drop();
      this.#showPosition(moves, movers, !still && !other);
    }
    const hinted = this.#isNew("hint", hint);
    if (hinted) this.board.setHint(hint);
    if (this.#isNew("last", last?.move)) this.board.setLast(last);
    if (this.#isNew("line", [moves.length, ...line].join(" "))) this.board.setLine(stepsOf(match, line));
    if (this.#isNew("values", JSON.stringify(values))) this.board.setValues(values);
    if (moved || hinted) this.#showHeld();
  }

  destroy() {
    this.#listeners.abort();
    this.#floater.remove();
    this.root.remove();
  }

  #isNew(name, key) {
    const changed = this.#keys[name] !== key;
    this.#keys[name] = key;
    return changed;
  }

  /** Lays out the board and trays of a match. */
  #build() {
    const { match, colors } = this.#state;
    this.#listeners.abort();
    this.#listeners = new AbortController();
    this.#keys = {};
    this.#unfit = new Set();
    this.#player = 0;
    const anyStart = match.setup.split(" ").includes("any");
    this.board = new BlokusBoard(match.places[0], colors, !anyStart);
    this.tray = new Tray();
    this.#tools = new Tools((name, byKeys) => this.#use(name, byKeys));
    this.#others = new Others(this.root.clientWidth >= WIDE && colors.length === 2);
    const side = division("blokus-side", this.#tools.root, this.tray.root, this.#others.root);
    this.root.replaceChildren(division("blokus-layout", this.board.root, side));
    this.#pointers = new Pointers(this, this.#listeners.signal);
    new Keys(this, this.#listeners.signal);
  }

  #showPosition(moves, movers, animate) {
    const { match, colors, legal } = this.#state;
    const placed = moves.map((move, ply) => ({ move, mover: movers[ply] }));
    this.board.setPieces(placed.filter(({ move }) => move !== "pass"), animate);
    this.#spots = new Spots(legal, this.board.side);
    // While computers move, the person's own pieces stay.
    if (legal.length) this.#player = match.turn;
    this.tray.setHand(this.#color, match.hand(this.#player));
    if (legal.length || match.over) {
      const names = match.over ? [] : this.tray.pieces.map(({ name }) => name);
      this.#unfit = new Set(names.filter((name) => !this.#spots.fits(name)));
    }
    const others = colors.map((_, step) => (this.#player + step) % colors.length).slice(1);
    this.#others.setHands(others.map((player) => ({ color: colors[player], hand: match.hand(player) })));
  }

  get #color() {
    return this.#state.colors[this.#player];
  }

  /** Whether no person may move now. */
  get idle() {
    return this.#state.legal.length === 0;
  }

  #showHeld() {
    const { held } = this;
    const hint = this.#state.hint ? parseMove(this.#state.hint, this.board.side) : [];
    this.board.setHeld(held, this.#color);
    this.tray.mark({
      held: held?.index ?? null,
      unfit: this.#unfit,
      hint: hint.length ? nameOf(hint) : null,
      idle: this.idle,
    });
    this.#tools.show(this.#info(), held !== null, held?.legal ?? false);
    this.root.classList.toggle("blokus-holding", held !== null);
    this.#float();
  }

  #info() {
    const { match, colors } = this.#state;
    const { held } = this;
    if (match.over) return "the game is over";
    if (this.idle) return `${colors[match.turn]} is to move`;
    if (!held) return "drag a piece, or choose one";
    const all = this.#spots.byName.get(held.name)?.length ?? 0;
    if (!all) return `${held.name} fits nowhere now`;
    const here = held.anchors().length;
    if (!here) return `${held.name} fits only turned`;
    const others = here === all ? "" : ` this way, ${all} in all`;
    return `${held.name}: ${plural(here, "place")}${others}`;
  }

  /** Draws the dragged piece at the pointer while it is off the board. */
  #float() {
    const floater = this.#floater;
    const point = this.#pointers.floating;
    floater.hidden = point === null;
    if (!point) return;
    const { shape } = this.held;
    const key = `${this.#color} ${shape.join(" ")}`;
    if (floater.dataset.key !== key) {
      floater.dataset.key = key;
      floater.replaceChildren(pieceDrawing(shape, this.#color));
    }
    const { pitch } = this.board;
    const { left, top } = boxOf(shape);
    floater.style.setProperty("--square", `${pitch}px`);
    const [x, y] = [point[0] + (left - 0.5) * pitch, point[1] + (top - 0.5) * pitch];
    floater.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Shows a sentence. */
  say(text) {
    this.#actions.say(text);
  }

  /** Says whose turn it is, or that the game is over. */
  sayState() {
    this.say(this.#info());
  }

  /** Takes a piece of the tray in hand. */
  pick(index) {
    this.held = new Held(index, this.tray.pieces[index].cells, this.#spots);
    this.tray.reach(index);
    this.#showHeld();
  }

  /** Takes a piece in hand and moves it to the first place where it fits; the focus follows. */
  pickByKeys(index) {
    this.pick(index);
    const { held, board } = this;
    const places = this.#spots.byName.get(held.name)?.length ?? 0;
    if (!held.jump(1)) held.moveTo(board.focused);
    this.#showHeld();
    board.setFocus(held.at);
    const where = places ? `${plural(places, "place")}, ${this.#where()}` : "fits nowhere now";
    this.say(`${held.name} in hand, ${where}`);
  }

  /** Puts the piece in hand back to the tray. */
  putBack(focus = false) {
    if (this.held) this.say(`${this.held.name} put back`);
    this.held = null;
    this.#showHeld();
    if (focus) this.tray.focus();
  }

  /** Moves the piece in hand over the board; off it for null. */
  moveTo(cell) {
    const { held } = this;
    const before = String(held.at);
    if (cell) held.moveTo(cell);
    else held.at = null;
    if (String(held.at) !== before) this.#showHeld();
    else this.#float();
  }

  /** Turns or flips the piece in hand. */
  turn(step) {
    this.held.turn(step);
    this.#showHeld();
  }

  /** Changes the piece in hand by keyboard: the focus follows it, and its place is said. */
  change(how) {
    how();
    this.#showHeld();
    const { held, board } = this;
    if (!held.at || this.#pointers.pressing) return;
    this.say(`${held.name} at ${this.#where()}`);
    if (this.root.contains(document.activeElement)) board.setFocus(held.at);
  }

  #where() {
    const { cells, legal } = this.held;
    return `${this.board.spoken(cells)}, ${legal ? "legal" : "illegal"}`;
  }

  /** Says why the piece in hand can't be placed where it lies. */
  explain() {
    const why = this.#actions.refusal(moveText(this.held.cells, this.board.side));
    if (why) this.say(why);
    if (!this.#state.still) this.board.shake();
  }

  /** Places the piece in hand where it lies, or says why it can't be. */
  place(focus = false) {
    const { held } = this;
    if (!held?.at) return;
    if (!held.legal) {
      this.explain();
      return;
    }
    this.#actions.play(moveText(held.cells, this.board.side));
    if (focus) this.tray.focus();
  }

  #use(tool, byKeys) {
    if (tool === "place") {
      this.place(byKeys);
    } else if (tool === "back") {
      this.putBack(byKeys);
    } else {
      this.turn(TURNS[tool]);
      if (byKeys && this.held.at) this.say(`${this.held.name} at ${this.#where()}`);
    }
  }
}
