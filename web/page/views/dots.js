// The Dots and Boxes board. Its lines are in rows as on paper: a row of horizontal ones, then a row of
// vertical ones, and so on.

import { svg } from "../dom.js";
import { BoardView, edged, put } from "./board.js";

/** The distance between two dots. */
const STEP = 100;
/** From the edge to the first dots, at the sides with numbers and at the others. */
const NEAR = 66;
const FAR = 42;
/** A board with fewer boxes a side than this is drawn smaller rather than with larger boxes. */
const FEW = 3.5;
/** How far beside a line a click counts for it; at half a step the areas of two lines would meet. */
const REACH = 44;
const NOBODY = 255;

/** Where a click counts for a line from (-50, 0) to (50, 0): narrower towards the dots. */
const HIT = [
  [-50, 0],
  [REACH - 50, -REACH],
  [50 - REACH, -REACH],
  [50, 0],
  [50 - REACH, REACH],
  [REACH - 50, REACH],
];

const at = (index) => NEAR + index * STEP;

/** Lines by rows, each as the dot that it begins at, upper or left one first. */
function rowsOfLines(rows, columns) {
  const lines = (row, length, stands) =>
    Array.from({ length }, (_, column) => ({ row, column, stands }));
  const all = [];
  for (let row = 0; row <= rows; row++) {
    all.push(lines(row, columns, false));
    if (row < rows) all.push(lines(row, columns + 1, true));
  }
  return all;
}

/** The owner's mark is in the middle of the box in the match's drawing. */
const boxOwner = (match, { row, column }) => match.ownerAt(5 + 4 * column, 2 + 2 * row);

function grow(stroke) {
  const width = (part) => ({ transform: `scaleX(${part})` });
  stroke.animate([width(0), width(1)], { duration: 180, easing: "ease-out" });
}

/** The line that closes the box is drawn first. */
function fillIn(field) {
  const scale = (size, opacity) => ({ transform: `scale(${size})`, opacity });
  field.animate([scale(0.2, 0), { ...scale(1.06, 1), offset: 0.7 }, scale(1, 1)], {
    duration: 240,
    delay: 120,
    fill: "backwards",
    easing: "ease-out",
  });
}

export class DotsView extends BoardView {
  /** Until the result is proven, an estimate of it is no better than a coin toss. */
  static score = { provenOnly: true, fromHere: true };

  static advice = "Choose a line between two dots.";

  /** A player's mark, for lists. */
  static swatch(player) {
    const field = svg("rect", { x: 1.5, y: 1.5, width: 17, height: 17, rx: 3.5 });
    const box = svg("g", { class: `box p${player}` }, field, svg("circle", { cx: 10, cy: 10, r: 3.4 }));
    return svg("svg", { class: "swatch dots", viewBox: "0 0 20 20" }, box);
  }

  lower = 20;
  #lines = [];
  #boxes = [];
  /** The column that arrow keys up and down keep to, in half steps, and where they led last. */
  #course = { column: 0, place: null };

  /**
   * @param {HTMLElement} host
   * @param {import("../views.js").Actions} actions
   */
  constructor(host, actions) {
    super(host, actions, "dots");
  }

  arrangement({ places }) {
    return places.join(" ");
  }

  build({ places }) {
    const [columns, rows] = [...places].map((dots) => dots - 1);
    const [width, height] = [columns, rows].map((boxes) => NEAR + boxes * STEP + FAR);
    const across = [...Array(columns + 1).keys()];
    const down = [...Array(rows + 1).keys()];
    const over = svg("g", { class: "overs", "aria-hidden": "true" });
    this.#boxes = down.slice(0, -1).flatMap((y) => across.slice(0, -1).map((x) => this.#box(y, x)));
    this.#lines = rowsOfLines(rows, columns).map((row, y) =>
      row.map((line) => this.#line(line, y, over)),
    );
    const all = this.#lines.flat();
    const root = svg(
      "svg",
      {
        viewBox: `0 0 ${width} ${height}`,
        role: "group",
        "aria-label": `Dots and Boxes board, ${rows} by ${columns} boxes`,
      },
      svg("rect", { class: "rim", width, height, rx: 28 }),
      svg("g", { class: "boxes" }, ...this.#boxes.map(({ node }) => node)),
      svg("g", {}, ...all.map(({ node }) => node)),
      svg(
        "g",
        { class: "dots", "aria-hidden": "true" },
        ...down.flatMap((y) => across.map((x) => svg("circle", { cx: at(x), cy: at(y), r: 10 }))),
      ),
      svg(
        "g",
        { class: "coordinates", "aria-hidden": "true" },
        ...across.map((x) => svg("text", { x: at(x), y: 26, dy: "0.35em" }, x)),
        ...down.map((y) => svg("text", { x: 26, y: at(y), dy: "0.35em" }, y)),
      ),
      over,
    );
    const full = Math.max(width, height, NEAR + FEW * STEP + FAR);
    root.style.width = `${(100 * width) / full}%`;
    // Text and marks are about as large on every board.
    const text = Math.min(34, Math.max(20, full * 0.034));
    root.style.setProperty("--base", `${text}px`);
    root.style.setProperty("--scale", text / 20);
    return { root, places: all };
  }

  #box(row, column) {
    const node = svg("g", { transform: `translate(${at(column) + STEP / 2} ${at(row) + STEP / 2})` });
    return { row, column, node, owner: NOBODY };
  }

  #line({ row, column, stands }, y, layer) {
    const move = `${row},${column}-${stands ? row + 1 : row},${stands ? column : column + 1}`;
    const middle = [at(column) + (stands ? 0 : STEP / 2), at(row) + (stands ? STEP / 2 : 0)];
    const transform = `translate(${middle.join(" ")})`;
    const stroke = svg("rect", { class: "stroke", x: -50, y: -6.5, width: 100, height: 13, rx: 6.5 });
    const node = svg(
      "g",
      { class: "place", role: "button", transform: stands ? `${transform} rotate(90)` : transform },
      svg("polygon", { class: "hit", points: HIT.join(" ") }),
      svg("rect", { class: "guide", x: -36, y: -2.5, width: 72, height: 5, rx: 2.5 }),
      stroke,
      edged("focus", { x: -47, y: -19, width: 94, height: 38, rx: 19 }),
    );
    const over = layer.appendChild(svg("g", { transform }));
    // Where it is in half steps.
    const x = 2 * column + (stands ? 0 : 1);
    return { ...this.place(move, node, over), x, y, stands, stroke, owner: NOBODY };
  }

  draw({ match, colors }, moved) {
    const drawn = new Map(match.moves.map((move, ply) => [move, ply]));
    const { movers } = match;
    for (const line of this.#lines.flat()) {
      const owner = movers[drawn.get(line.move)] ?? NOBODY;
      if (owner === line.owner) continue;
      line.owner = owner;
      put(line.node, "data-owner", owner === NOBODY ? null : owner);
      if (moved?.move === line.move) grow(line.stroke);
    }
    this.#boxes.forEach((box) => this.#fill(box, boxOwner(match, box), colors, moved));
  }

  #fill(box, owner, colors, moved) {
    if (box.owner === owner) return;
    box.owner = owner;
    const { node, row, column } = box;
    node.replaceChildren();
    put(node, "role", owner === NOBODY ? null : "img");
    put(node, "aria-label", owner === NOBODY ? null : `box ${row},${column}, ${colors[owner]}`);
    if (owner === NOBODY) return;
    const field = svg(
      "g",
      { class: `box p${owner}` },
      svg("rect", { x: -38, y: -38, width: 76, height: 76, rx: 14 }),
      svg("circle", { r: 15 }),
    );
    node.append(field);
    if (moved) fillIn(field);
  }

  describe({ move, owner }, { colors }, legal) {
    const [from, to] = move.split("-");
    const state = owner === NOBODY ? (legal ? "legal" : "not drawn") : `drawn by ${colors[owner]}`;
    return `line ${from} to ${to}, ${state}`;
  }

  neighbour(place, key) {
    const row = this.#lines[place.y];
    const index = row.indexOf(place);
    switch (key) {
      case "ArrowLeft":
        return row[index - 1];
      case "ArrowRight":
        return row[index + 1];
      case "Home":
        return row[0];
      case "End":
        return row.at(-1);
      default:
        return this.#beyond(place, key === "ArrowUp" ? -1 : 1);
    }
  }

  /** The line above or below, in the column where going up or down began. */
  #beyond(place, by) {
    const column = this.#course.place === place ? this.#course.column : place.x;
    const row = this.#lines[place.y + by];
    if (!row) return undefined;
    const distance = ({ x }) => Math.abs(x - column);
    const next = row.reduce((best, line) => (distance(line) < distance(best) ? line : best));
    this.#course = { column, place: next };
    return next;
  }

  ring({ stands }) {
    const transform = stands ? "rotate(90)" : "";
    return edged("hint", { x: -56, y: -21, width: 112, height: 42, rx: 21, transform });
  }

  ghost({ stands }, { number, mover }, lifted) {
    const line = { class: "way", x: -44, y: -5, width: 88, height: 10, rx: 5 };
    return svg(
      "g",
      { class: `ghost p${mover}` },
      svg("rect", { ...line, transform: stands ? "rotate(90)" : "" }),
      svg(
        "g",
        { transform: `translate(0 ${lifted ? -this.lower : 0})` },
        svg("circle", { r: "0.78em" }),
        svg("text", { dy: "0.35em" }, number),
      ),
    );
  }
}
