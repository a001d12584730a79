// The 8x8 boards: squares a1 to h8 with pieces that are placed, and turned over by later moves.

import { svg } from "../dom.js";
import { BoardView, edged, put } from "./board.js";

const SIDE = 8;
/** The side of a square; everything in it is drawn around its middle. */
const SQUARE = 100;
/** The rim with the coordinates. */
const RIM = 44;
const NOBODY = 255;

/** Milliseconds for a disc to turn over, and how much later each ring of discs begins. */
const TURN = 200;
const STAGGER = 30;

const SQUARES = Array.from({ length: SIDE * SIDE }, (_, index) => ({
  x: index % SIDE,
  y: Math.floor(index / SIDE),
}));

const nameOf = ({ x, y }) => `${"abcdefgh"[x]}${y + 1}`;

/** Where the middle of a column or row is. */
const middle = (index) => RIM + (index + 0.5) * SQUARE;

function coordinates() {
  const indices = [...Array(SIDE).keys()];
  return svg(
    "g",
    { class: "coordinates", "aria-hidden": "true" },
    ...indices.map((x) => svg("text", { x: middle(x), y: RIM / 2, dy: "0.35em" }, "abcdefgh"[x])),
    ...indices.map((y) => svg("text", { x: RIM / 2, y: middle(y), dy: "0.35em" }, y + 1)),
  );
}

/**
 * The base of the 8x8 games. A game's view has
 * - `title`: what the board is called;
 * - `ground()`: what lies under the squares, on a field from `RIM` to `RIM + 800`;
 * - `piece(owner)`: a piece, and `shadow(owner)`: the same as a preview; both around the origin;
 * - `ghostPiece(mover)`: a piece to come, with room for a number in the middle.
 */
export class GridView extends BoardView {
  lower = 29;
  #squares = [];

  arrangement() {
    return "8x8";
  }

  build() {
    const size = SIDE * SQUARE + 2 * RIM;
    this.#squares = SQUARES.map((at) => this.#square(at));
    const rows = [...Array(SIDE).keys()].map((y) => {
      const row = this.#squares.slice(y * SIDE, (y + 1) * SIDE);
      return svg("g", { role: "row", "aria-label": `row ${y + 1}` }, ...row.map(({ node }) => node));
    });
    const root = svg(
      "svg",
      { viewBox: `0 0 ${size} ${size}`, role: "grid", "aria-label": this.title },
      svg("rect", { class: "rim", width: size, height: size, rx: 28 }),
      ...this.ground(),
      coordinates(),
      ...rows,
    );
    return { root, places: this.#squares };
  }

  #square({ x, y }) {
    const half = SQUARE / 2;
    const pieces = svg("g", { class: "pieces" });
    const spot = svg("g", { class: "spot" });
    const node = svg(
      "g",
      { class: "place", role: "gridcell", transform: `translate(${middle(x)} ${middle(y)})` },
      svg("rect", { class: "square", x: -half, y: -half, width: SQUARE, height: SQUARE }),
      pieces,
      spot,
      edged("focus", { x: 5 - half, y: 5 - half, width: 90, height: 90, rx: 14 }),
    );
    return { ...this.place(nameOf({ x, y }), node), x, y, pieces, spot, owner: NOBODY, preview: NOBODY };
  }

  draw({ match }, moved) {
    const owners = match.owners();
    const { turn } = match;
    this.#squares.forEach((square, index) => {
      this.#preview(square, turn);
      if (square.owner !== owners[index]) this.#change(square, owners[index], moved);
    });
  }

  #preview(square, turn) {
    if (square.preview === turn) return;
    square.preview = turn;
    square.spot.replaceChildren(this.shadow(turn));
  }

  #change(square, owner, moved) {
    const before = square.owner;
    square.owner = owner;
    put(square.node, "data-owner", owner === NOBODY ? null : owner);
    if (owner === NOBODY) {
      square.pieces.replaceChildren();
      return;
    }
    const piece = this.piece(owner);
    square.pieces.replaceChildren(piece);
    if (!moved) return;
    if (before === NOBODY) popIn(piece);
    else this.#turnOver(square, piece, this.piece(before), this.places.get(moved.move));
  }

  /** Turns a piece over, away from the one that was placed. */
  #turnOver({ x, y, pieces }, piece, old, origin) {
    const [dx, dy] = [x - origin.x, y - origin.y];
    const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
    const seen = (width) => ({ transform: `rotate(${angle}deg) scaleX(${width}) rotate(${-angle}deg)` });
    const delay = STAGGER * (Math.max(Math.abs(dx), Math.abs(dy)) - 1);
    const timing = { duration: TURN, delay, fill: "both" };
    const fall = { ...seen(1), easing: "ease-in" };
    pieces.append(old);
    old.animate([fall, { ...seen(0), offset: 0.5 }, seen(0)], timing).onfinish = () => old.remove();
    const rise = { ...seen(0), offset: 0.5, easing: "ease-out" };
    piece.animate([seen(0), rise, seen(1)], { ...timing, fill: "backwards" });
  }

  describe({ move, owner }, { colors }, legal) {
    return `${move}, ${owner === NOBODY ? (legal ? "legal" : "empty") : colors[owner]}`;
  }

  neighbour({ x, y }, key) {
    const at = {
      ArrowLeft: { x: x - 1, y },
      ArrowRight: { x: x + 1, y },
      ArrowUp: { x, y: y - 1 },
      ArrowDown: { x, y: y + 1 },
      Home: { x: 0, y },
      End: { x: SIDE - 1, y },
    }[key];
    return this.places.get(nameOf(at));
  }

  ring() {
    return edged("hint", { x: -43, y: -43, width: 86, height: 86, rx: 24 });
  }

  ghost(_, { number, mover }, lifted) {
    return svg(
      "g",
      { class: `ghost p${mover}`, transform: lifted ? "translate(0 -16) scale(0.68)" : "scale(0.92)" },
      this.ghostPiece(mover),
      svg("text", { dy: "0.35em" }, number),
    );
  }
}

function popIn(piece) {
  const scale = (size) => ({ transform: `scale(${size})` });
  piece.animate([{ ...scale(0.4), opacity: 0 }, { ...scale(1.08), opacity: 1, offset: 0.6 }, scale(1)], {
    duration: 180,
    easing: "ease-out",
  });
}
