// How squares and pieces are drawn, in SVG units of a tenth of a square.

import { svg } from "../../dom.js";
import { boxOf } from "./pieces.js";

/** A square's side in SVG units. */
export const UNIT = 10;

/** The sides of a square clockwise: where one begins, its direction, and where the neighbour is. */
const SIDES = [[0, 0, 1, 0, 0, -1], [1, 0, 0, 1, 1, 0], [1, 1, -1, 0, 0, 1], [0, 1, 0, -1, -1, 0]];

/** The corners around the squares clockwise, each as [column, row, direction in, direction out]. */
function cornersOf(cells) {
  const has = new Set(cells.map(([x, y]) => `${x},${y}`));
  const edges = new Map();
  for (const [x, y] of cells) {
    for (const [right, down, dx, dy, outX, outY] of SIDES) {
      const [left, top] = [x + right, y + down];
      if (!has.has(`${x + outX},${y + outY}`)) edges.set(`${left},${top}`, [left, top, dx, dy]);
    }
  }
  const corners = [];
  let edge = edges.values().next().value;
  for (let count = edges.size; count > 0; count--) {
    const [x, y, dx, dy] = edge;
    edge = edges.get(`${x + dx},${y + dy}`);
    if (edge[2] !== dx) corners.push([edge[0], edge[1], [dx, dy], [edge[2], edge[3]]]);
  }
  return corners;
}

/** A path around the squares of a piece, so far inside their edge, with rounded corners. */
export function outline(cells, inset = 0.4, radius = 1.8) {
  const steps = cornersOf(cells).map(([x, y, before, after], index) => {
    const px = x * UNIT - inset * (before[1] + after[1]);
    const py = y * UNIT + inset * (before[0] + after[0]);
    const from = `${px - radius * before[0]} ${py - radius * before[1]}`;
    return `${index ? "L" : "M"}${from}Q${px} ${py} ${px + radius * after[0]} ${py + radius * after[1]}`;
  });
  return `${steps.join("")}Z`;
}

/** The mark on a square of each colour, from its upper left: colour is never the only cue. */
const MARKS = {
  blue: "M3.4 5a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0-3.2 0Z",
  yellow: "M2.7 5a2.3 2.3 0 1 0 4.6 0a2.3 2.3 0 1 0-4.6 0Z",
  red: "M3.2 3.2l3.6 3.6m0-3.6l-3.6 3.6",
  green: "M2.9 5.3l2.4-2.4m-.6 4.2l2.4-2.4",
};

/** The marks of a colour on these squares, as one path. */
const marksPath = (cells, color) =>
  cells.map(([x, y]) => MARKS[color].replace("M", `M${x * UNIT} ${y * UNIT}m`)).join("");

/** The mark of a colour alone, for a start square. */
export const markOn = (cells, color) =>
  svg("path", { class: `blokus-mark blokus-mark-${color}`, d: marksPath(cells, color) });

/** A piece of a colour: one body, a bevel and a mark on each square. */
export function pieceArt(cells, color, extra = "") {
  const light = cells.map(([x, y]) => `M${x * UNIT + 1.5} ${y * UNIT + 8.2}v-6.7h6.7`).join("");
  const shade = cells.map(([x, y]) => `M${x * UNIT + 8.5} ${y * UNIT + 1.8}v6.7h-6.7`).join("");
  return svg("g", { class: `blokus-piece blokus-${color} ${extra}` },
    svg("path", { class: "blokus-body", d: outline(cells) }),
    svg("path", { class: "blokus-light", d: light }),
    svg("path", { class: "blokus-shade", d: shade }),
    markOn(cells, color));
}

/** A drawing of a piece alone; CSS gives its size from `--w` and `--h`, in squares. */
export function pieceDrawing(cells, color) {
  const { left, top, width, height } = boxOf(cells);
  const box = `${left * UNIT} ${top * UNIT} ${width * UNIT} ${height * UNIT}`;
  const drawing = svg("svg", { class: "blokus-drawing", viewBox: box, "aria-hidden": "true" },
    pieceArt(cells, color));
  drawing.style.setProperty("--w", width);
  drawing.style.setProperty("--h", height);
  return drawing;
}
