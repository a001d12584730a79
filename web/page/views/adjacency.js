// The Adjacency board: tiles with crosses and noughts.

import { svg } from "./board.js";
import { GridView } from "./grid.js";

const MARKS = ["M-21-21 21 21M21-21-21 21", "M0-24A24 24 0 1 1 0 24 24 24 0 1 1 0-24Z"];

const TILE = { x: -46, y: -46, width: 92, height: 92, rx: 14 };

const mark = (owner) => svg("path", { class: "mark", d: MARKS[owner] });

export class AdjacencyView extends GridView {
  title = "Adjacency board";

  /**
   * @param {HTMLElement} host
   * @param {import("../views.js").Actions} actions
   */
  constructor(host, actions) {
    super(host, actions, "adjacency");
  }

  ground() {
    const all = [...Array(64).keys()].map((index) => [94 + 100 * (index % 8), 94 + 100 * (index >> 3)]);
    return all.map(([x, y]) => svg("rect", { class: "hollow", ...TILE, transform: `translate(${x} ${y})` }));
  }

  piece(owner) {
    return svg("g", { class: `tile p${owner}` }, svg("rect", TILE), mark(owner));
  }

  shadow(owner) {
    return svg("g", { class: `p${owner}` }, mark(owner));
  }

  ghostPiece(mover) {
    const corner = svg("g", { transform: "translate(26 -26) scale(0.34)" }, mark(mover));
    return svg("g", {}, svg("rect", { ...TILE, "stroke-dasharray": "12 9" }), corner);
  }
}
