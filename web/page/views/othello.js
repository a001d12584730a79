// The Othello board: discs on green felt.

import { svg } from "../dom.js";
import { GridView } from "./grid.js";

/** Where the four guide dots of an Othello board are. */
const POINTS = [244, 644];

const gradient = (id, ...stops) =>
  svg(
    "radialGradient",
    { id, cx: "0.36", cy: "0.3", r: "0.8" },
    ...stops.map(([offset, name]) => svg("stop", { offset, class: name })),
  );

export class OthelloView extends GridView {
  /** A player's disc, for lists. */
  static swatch(player) {
    const disc = svg("circle", { class: `disc p${player}`, cx: 10, cy: 10, r: 8.5 });
    return svg("svg", { class: "swatch othello-swatch", viewBox: "0 0 20 20" }, disc);
  }

  static advice = "Choose a marked square.";

  title = "Othello board";

  /**
   * @param {HTMLElement} host
   * @param {import("../views.js").Actions} actions
   */
  constructor(host, actions) {
    super(host, actions, "othello");
  }

  ground() {
    const lines = [1, 2, 3, 4, 5, 6, 7].map((index) => 44 + 100 * index);
    return [
      svg(
        "defs",
        {},
        gradient("othello-black", [0, "black-light"], [0.55, "black-body"], [1, "black-edge"]),
        gradient("othello-white", [0, "white-light"], [0.6, "white-body"], [1, "white-edge"]),
        gradient("othello-felt", [0, "felt-light"], [1, "felt-edge"]),
      ),
      svg("rect", { x: 44, y: 44, width: 800, height: 800, rx: 8, fill: "url(#othello-felt)" }),
      svg("path", { class: "grid", d: lines.map((at) => `M44 ${at}H844M${at} 44V844`).join("") }),
      ...POINTS.flatMap((x) => POINTS.map((y) => svg("circle", { class: "point", cx: x, cy: y, r: 7 }))),
    ];
  }

  piece(owner) {
    const fill = `url(#othello-${owner ? "white" : "black"})`;
    return svg(
      "g",
      { class: `disc p${owner}` },
      svg("circle", { class: "drop", cy: 5, r: 40 }),
      svg("circle", { class: "body", r: 40, fill }),
      svg("circle", { class: "bevel", r: 30 }),
    );
  }

  shadow(owner) {
    return svg("circle", { class: `p${owner}`, r: 40 });
  }

  ghostPiece() {
    return svg("circle", { r: 38 });
  }
}
