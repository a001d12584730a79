// Pieces as squares: names, turns, and where they lie. A square is [column, row from the top].

/** Each piece by its usual letter and size. */
const DRAWINGS = {
  I1: "#", I2: "##", I3: "###", V3: "#. ##",
  I4: "####", L4: "###. #...", O4: "## ##", S4: "##. .##", T4: "### .#.",
  F5: ".## ##. .#.", I5: "#####", L5: "#### #...", N5: "##.. .###", P5: "## ## #.", T5: "### .#. .#.",
  U5: "#.# ###", V5: "#.. #.. ###", W5: "#.. ##. .##", X5: ".#. ### .#.", Y5: "#### .#..",
  Z5: "##. .#. .##",
};

/** A quarter turn to the right about [0, 0]. */
export const turnRight = ([x, y]) => [-y, x];
/** A quarter turn to the left about [0, 0]. */
export const turnLeft = ([x, y]) => [y, -x];
/** Over the vertical axis. */
export const flip = ([x, y]) => [-x, y];

/** The least column and row. */
const cornerOf = (cells) => [Math.min(...cells.map(([x]) => x)), Math.min(...cells.map(([, y]) => y))];

/** The same text for the same squares wherever they lie: one for each orientation of a piece. */
export function shapeKey(cells) {
  const [left, top] = cornerOf(cells);
  return cells.map(([x, y]) => (y - top) * 5 + x - left).sort((a, b) => a - b).join();
}

/** The same text for the same squares of the board, in any order. */
export const placeKey = (cells) => cells.map(([x, y]) => y * 32 + x).sort((a, b) => a - b).join();

/** All turns of a piece about its first square, by quarter turns to the right and then flipped. */
export function* turnsOf(cells) {
  const seen = new Set();
  for (const start of [cells, cells.map(flip)]) {
    for (let turned = start, quarter = 0; quarter < 4; quarter++, turned = turned.map(turnRight)) {
      const key = shapeKey(turned);
      if (!seen.has(key)) yield turned;
      seen.add(key);
    }
  }
}

const NAMES = new Map();
for (const [name, drawing] of Object.entries(DRAWINGS)) {
  const rows = drawing.split(" ").map((row) => [...row]);
  const cells = rows.flatMap((row, y) => row.flatMap((mark, x) => mark === "#" ? [[x, y]] : []));
  for (const turned of turnsOf(cells)) NAMES.set(shapeKey(turned), name);
}

/** A piece's letter and size: `F5`. */
export const nameOf = (cells) => NAMES.get(shapeKey(cells)) ?? `piece of ${cells.length}`;

/** Reads a piece of `PageMatch.hand()`. */
export const parsePiece = (text) => text.split(" ").map((square) => square.split(",").map(Number));

/** The square's name; rows are counted from the bottom. */
export const cellName = ([x, y], side) => `${String.fromCharCode(97 + x)}${side - y}`;

/** The move that covers these squares. */
export const moveText = (cells, side) => cells.map((cell) => cellName(cell, side)).join();

/** The squares of a move; none if it is a pass. */
export function parseMove(text, side) {
  const cells = [...text.matchAll(/([a-z])(\d+)/g)];
  return cells.map(([, column, row]) => [column.charCodeAt(0) - 97, side - row]);
}

/** The squares with their middle one first, as [0, 0]: the one that is under the pointer. */
export function aboutMiddle(cells) {
  const mean = [0, 1].map((axis) => cells.reduce((sum, cell) => sum + cell[axis], 0) / cells.length);
  const away = ([x, y]) => Math.hypot(x - mean[0], y - mean[1]);
  const middle = cells.reduce((best, cell) => away(cell) < away(best) - 1e-9 ? cell : best);
  const others = cells.filter((cell) => cell !== middle);
  return [middle, ...others].map(([x, y]) => [x - middle[0], y - middle[1]]);
}

/** Moves squares by columns and rows. */
export const shifted = (cells, [dx, dy]) => cells.map(([x, y]) => [x + dx, y + dy]);

/** The upper left and the size of the box around the squares. */
export function boxOf(cells) {
  const [left, top] = cornerOf(cells);
  const width = Math.max(...cells.map(([x]) => x)) - left + 1;
  const height = Math.max(...cells.map(([, y]) => y)) - top + 1;
  return { left, top, width, height };
}

/** Where each player starts. */
export function startsOf(side, players) {
  const last = side - 1;
  return players === 2 ? [[4, 4], [9, 9]] : [[0, 0], [last, 0], [last, last], [0, last]];
}
