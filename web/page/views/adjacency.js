// The Adjacency board: tiles with crosses and noughts.

import { svg } from "../dom.js";
import { GridView } from "./grid.js";

const MARKS = ["M-21-21 21 21M21-21-21 21", "M0-24A24 24 0 1 1 0 24 24 24 0 1 1 0-24Z"];

const TILE = { x: -46, y: -46, width: 92, height: 92, rx: 14 };

/** A tile to come is smaller, so that a hint's ring is seen around it. */
const GHOST = { x: -40, y: -40, width: 80, height: 80, rx: 12, "stroke-dasharray": "12 9" };

const mark = (owner) => svg("path", { class: "mark", d: MARKS[owner] });

export class AdjacencyView extends GridView {
  /** A player's tile, for lists. */
  static swatch(player) {
    const tile = svg("g", { class: `tile p${player}` }, svg("rect", TILE), mark(player));
    return svg("svg", { class: "swatch adjacency", viewBox: "-50 -50 100 100" }, tile);
  }

  /** What the board does not show: the end of its text. */
  static note(match) {
    return match.drawing().match(/rounds left: \d+/)?.[0];
  }

  static advice = "Choose any empty square.";

  title = "Adjacency board";

  /**
   * @param {HTMLElement} host
   * @param {import("../views.js").Actions} actions
   */
  constructor(host, actions) {
    super(host, actions, "adjacency");
  }

  ground() {
    const middles = [...Array(8).keys()].map((index) => 94 + 100 * index);
    const places = middles.flatMap((y) => middles.map((x) => `translate(${x} ${y})`));
    return places.map((transform) => svg("rect", { class: "hollow", ...TILE, transform }));
  }

  piece(owner) {
    return svg("g", { class: `tile p${owner}` }, svg("rect", TILE), mark(owner));
  }

  shadow(owner) {
    return svg("g", { class: `p${owner}` }, mark(owner));
  }

  ghostPiece(mover) {
    const corner = svg("g", { transform: "translate(23 -23) scale(0.32)" }, mark(mover));
    return svg("g", {}, svg("rect", GHOST), corner);
  }
}
