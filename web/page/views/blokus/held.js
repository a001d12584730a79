// The piece in hand: its turn, where it lies over the board, and whether it may be placed there.

import {
  aboutMiddle, boxOf, nameOf, parseMove, placeKey, shapeKey, shifted, turnsOf,
} from "./pieces.js";

/** The legal moves by piece and place. */
export class Spots {
  /**
   * @param {string[]} legal
   * @param {number} side the board's
   */
  constructor(legal, side) {
    this.side = side;
    /** The squares of the moves of each piece, by its name. */
    this.byName = new Map();
    this.places = new Set();
    for (const move of legal) {
      const cells = parseMove(move, side);
      if (!cells.length) continue;
      const name = nameOf(cells);
      if (!this.byName.has(name)) this.byName.set(name, []);
      this.byName.get(name).push(cells);
      this.places.add(placeKey(cells));
    }
  }

  /** Whether a piece fits anywhere. */
  fits(name) {
    return this.byName.has(name);
  }
}

/** A piece in hand. */
export class Held {
  /** Its middle square on the board; null until it was moved there. */
  at = null;

  /**
   * @param {number} index its place in the hand
   * @param {[number, number][]} cells
   * @param {Spots} spots
   */
  constructor(index, cells, spots) {
    this.index = index;
    this.name = nameOf(cells);
    this.spots = spots;
    this.shape = aboutMiddle(cells);
    this.turns = [...turnsOf(this.shape)];
  }

  /** The squares that it would cover. */
  get cells() {
    return this.at && shifted(this.shape, this.at);
  }

  get legal() {
    return this.at !== null && this.spots.places.has(placeKey(this.cells));
  }

  /** Moves it there, or as near as the board allows. */
  moveTo([x, y]) {
    const { left, top, width, height } = boxOf(this.shape);
    const within = (value, first, length) =>
      Math.min(Math.max(value, -first), this.spots.side - first - length);
    this.at = [within(x, left, width), within(y, top, height)];
  }

  /** Turns or flips it about its middle square. */
  turn(step) {
    this.shape = this.shape.map(step);
    if (this.at) this.moveTo(this.at);
  }

  /** The middle squares where it may lie, as it is turned now or like another of its turns. */
  anchors(shape = this.shape) {
    const key = shapeKey(shape);
    const { left, top } = boxOf(shape);
    const all = this.spots.byName.get(this.name) ?? [];
    return all.filter((cells) => shapeKey(cells) === key).map((cells) => {
      const box = boxOf(cells);
      return [box.left - left, box.top - top];
    });
  }

  /**
   * Goes to the next or the previous place where it fits, row by row in this turn and then in the
   * others; false if there is none.
   */
  jump(step) {
    const byRow = ([ax, ay], [bx, by]) => ay - by || ax - bx;
    const all = this.turns.flatMap((shape) => this.anchors(shape).sort(byRow).map((at) => [shape, at]));
    if (!all.length) return false;
    const place = this.at && placeKey(this.cells);
    const here = all.findIndex(([shape, at]) => placeKey(shifted(shape, at)) === place);
    const turn = shapeKey(this.shape);
    const inTurn = all.filter(([shape]) => shapeKey(shape) === turn);
    const first = Math.max(all.indexOf(inTurn[0]), 0);
    const passed = this.at ? inTurn.filter(([, at]) => byRow(at, this.at) < 0).length : 0;
    // From a place where it doesn't fit it goes to the nearest before or after.
    const beside = first + passed - (step < 0 ? 1 : 0);
    const next = here >= 0 ? here + step : beside;
    [this.shape, this.at] = all.at(next % all.length);
    return true;
  }
}
