// The board: squares that a screen reader can name, above a drawing in layers.

import { make, svg } from "../../dom.js";
import { UNIT, markOn, outline, pieceArt } from "./art.js";
import { boxOf, cellName, parseMove, shifted, startsOf } from "./pieces.js";

/** Room for coordinates on each side, in SVG units. */
const MARGIN = 7;

/** How many moves with values are marked, and how many of them are outlined. */
const LABELS = 5;
const OUTLINED = 2;

/** The layers, the lowest first. */
const LAYERS = ["starts", "spots", "pieces", "last", "line", "hint", "values", "ghost"];

/** A definition of a socket of the board, and of the hatching of an illegal piece. */
function definitions() {
  const size = { width: UNIT, height: UNIT, patternUnits: "userSpaceOnUse" };
  return svg("defs", {},
    svg("pattern", { id: "blokus-socket", ...size },
      svg("rect", { class: "blokus-rim", width: UNIT, height: UNIT }),
      svg("rect", { class: "blokus-socket", x: 0.4, y: 0.4, width: 9.2, height: 9.2, rx: 1.5 }),
      svg("path", { class: "blokus-socket-shade", d: "M1 8.6V2.4Q1 1 2.4 1H8.6" }),
      svg("path", { class: "blokus-socket-light", d: "M1.6 9.2H7.8Q9.2 9.2 9.2 7.8V1.6" })),
    svg("pattern", { id: "blokus-hatch", width: 3, height: 3, patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)" }, svg("rect", { class: "blokus-hatch", width: 1.3, height: 3 })));
}

/** The board of a match of Blokus. */
export class BlokusBoard {
  #cells;
  #layers = {};
  #drawn = [];
  #owners;
  #focus = [0, 0];

  /**
   * @param {number} side
   * @param {string[]} colors
   * @param {boolean} owned whether each player has a start square of their own
   */
  constructor(side, colors, owned) {
    this.side = side;
    this.colors = colors;
    this.starts = startsOf(side, colors.length);
    this.root = make("div", { className: "blokus-board", dataset: { held: "none", legal: "none" } });
    this.#draw(owned);
    this.#layCells();
  }

  #draw(owned) {
    const { side } = this;
    const size = side * UNIT;
    const all = size + 2 * MARGIN;
    const drawing = svg("svg", { viewBox: `${-MARGIN} ${-MARGIN} ${all} ${all}`, "aria-hidden": "true" },
      definitions(),
      svg("rect", { class: "blokus-frame", x: -MARGIN, y: -MARGIN, width: all, height: all, rx: 5 }),
      svg("rect", { width: size, height: size, fill: "url(#blokus-socket)" }));
    for (let index = 0; index < side; index++) {
      const [middle, far] = [(index + 0.5) * UNIT, size + MARGIN / 2];
      const step = index % 2 ? "blokus-coordinate blokus-odd" : "blokus-coordinate";
      const label = (x, y, text) => drawing.append(svg("text", { class: step, x, y }, text));
      const column = String.fromCharCode(97 + index);
      label(middle, far, column);
      label(middle, -MARGIN / 2, column);
      // Odd ones are counted from the bottom, like the rows themselves.
      label(-MARGIN / 2, size - middle, index + 1);
      label(far, size - middle, index + 1);
    }
    for (const name of LAYERS) {
      this.#layers[name] = svg("g", { class: `blokus-layer-${name}` });
      drawing.append(this.#layers[name]);
    }
    this.starts.forEach(([x, y], player) => {
      const color = owned ? `blokus-${this.colors[player]}` : "blokus-anyone";
      const group = svg("g", { class: `blokus-start ${color}` },
        svg("rect", { x: x * UNIT + 1.1, y: y * UNIT + 1.1, width: 7.8, height: 7.8, rx: 1.4 }));
      if (owned) group.append(markOn([[x, y]], this.colors[player]));
      this.#layers.starts.append(group);
    });
    this.root.append(drawing);
  }

  #layCells() {
    const { side } = this;
    const label = `board, ${side} by ${side}`;
    this.grid = make("div", { className: "blokus-cells", role: "grid", aria: { label } });
    this.grid.style.inset = `${(100 * MARGIN) / (side * UNIT + 2 * MARGIN)}%`;
    this.grid.style.setProperty("--side", side);
    this.#cells = Array.from({ length: side * side }, (_, index) => {
      const cell = cellName([index % side, Math.floor(index / side)], side);
      return make("div", { role: "gridcell", tabIndex: -1, dataset: { cell } });
    });
    this.#owners = new Array(this.#cells.length);
    for (let row = 0; row < side; row++) {
      const cells = this.#cells.slice(row * side, (row + 1) * side);
      this.grid.append(make("div", { role: "row" }, ...cells));
    }
    this.root.append(this.grid);
    this.setFocus([...this.starts[0]], false);
    this.#name(new Array(this.#cells.length).fill(null));
  }

  /** Names the squares whose owner has changed. */
  #name(owners) {
    owners.forEach((owner, index) => {
      if (this.#owners[index] === owner) return;
      this.#owners[index] = owner;
      const [x, y] = [index % this.side, Math.floor(index / this.side)];
      const start = this.starts.some(([sx, sy]) => sx === x && sy === y) ? ", start square" : "";
      const what = owner === null ? `empty${start}` : this.colors[owner];
      this.#cells[index].setAttribute("aria-label", `${cellName([x, y], this.side)}, ${what}`);
    });
  }

  /** The square that has the focus or would get it. */
  get focused() {
    return this.#focus;
  }

  /** Which square is reached by the Tab key, and whether it gets the focus now. */
  setFocus([x, y], now = true) {
    const at = ([column, row]) => this.#cells[row * this.side + column];
    at(this.#focus).tabIndex = -1;
    this.#focus = [x, y];
    at(this.#focus).tabIndex = 0;
    if (now) at(this.#focus).focus({ preventScroll: true });
  }

  /** A square's width, in CSS pixels. */
  get pitch() {
    return this.grid.getBoundingClientRect().width / this.side;
  }

  /** The square there, and whether that is on the board. */
  cellAt(clientX, clientY) {
    const { left, top, width } = this.grid.getBoundingClientRect();
    const pitch = width / this.side || 1;
    const cell = [Math.floor((clientX - left) / pitch), Math.floor((clientY - top) / pitch)];
    return { cell, inside: cell.every((place) => place >= 0 && place < this.side) };
  }

  /**
   * Shows the pieces that were placed.
   * @param {{move: string, mover: number}[]} placed
   * @param {boolean} animate whether new ones drop in
   */
  setPieces(placed, animate) {
    const drawn = this.#drawn;
    let same = 0;
    const equal = (a, b) => a && b && a.move === b.move && a.mover === b.mover;
    while (equal(drawn[same], placed[same])) same++;
    // What was taken back, or another line of play, is not animated.
    const drops = animate && same === drawn.length;
    drawn.splice(same).forEach(({ art }) => art.remove());
    for (const { move, mover } of placed.slice(same)) {
      const cells = parseMove(move, this.side);
      const art = pieceArt(cells, this.colors[mover], drops ? "blokus-drop" : "");
      // Else it would drop again whenever the board is hidden and shown.
      art.addEventListener("animationend", () => art.classList.remove("blokus-drop"), { once: true });
      this.#layers.pieces.append(art);
      drawn.push({ move, mover, cells, art });
    }
    const owners = new Array(this.#cells.length).fill(null);
    for (const { cells, mover } of drawn) {
      for (const [x, y] of cells) owners[y * this.side + x] = mover;
    }
    this.#name(owners);
  }

  /** Outlines the last move. */
  setLast(last) {
    const outlines = last ? this.#outlined(last.move, "blokus-last") : [];
    this.#layers.last.replaceChildren(...outlines);
  }

  /** An outline of a move, readable on any colour; none of a pass. */
  #outlined(move, kind, inset = 0.9) {
    const cells = parseMove(move, this.side);
    if (!cells.length) return [];
    const d = outline(cells, inset, 1.4);
    return [svg("path", { class: `${kind}-halo`, d }), svg("path", { class: kind, d })];
  }

  /** Points a move out. */
  setHint(move) {
    this.#layers.hint.replaceChildren(...(move ? this.#outlined(move, "blokus-hint") : []));
  }

  /** Shows moves to come with their numbers. */
  setLine(line) {
    this.#layers.line.replaceChildren(...line.flatMap(({ move, mover, number }) => {
      const cells = parseMove(move, this.side);
      const art = pieceArt(cells, this.colors[mover], "blokus-to-come");
      return [art, this.#tag(cells, number, "blokus-number")];
    }));
  }

  /** Shows what moves are worth: the best outlined, a few labelled. */
  setValues(values) {
    const ranked = [...values].sort((a, b) => Number(b.best) - Number(a.best)).slice(0, LABELS);
    const outlines = [];
    const tags = [];
    const taken = [];
    const outlined = new Set();
    // A label is up to two squares wide: it goes where it is clear of the others.
    const room = ([x, y]) => Math.min(...taken.map(([tx, ty]) => Math.hypot((x - tx) / 2, y - ty)));
    ranked.forEach(({ move, label, best }, rank) => {
      const cells = parseMove(move, this.side).filter((cell) => !outlined.has(cell.join()));
      if (!cells.length) return;
      if (best || rank < OUTLINED) {
        // The best is drawn above the next.
        outlines.unshift(...this.#outlined(move, best ? "blokus-best" : "blokus-good"));
        for (const cell of cells) outlined.add(cell.join());
      }
      const free = cells.reduce((widest, cell) => room(cell) > room(widest) ? cell : widest);
      if (room(free) < 1) return;
      taken.push(free);
      tags.push(this.#tag([free], label, best ? "blokus-value blokus-value-best" : "blokus-value"));
    });
    this.#layers.values.replaceChildren(...outlines, ...tags);
  }

  /** A short text on the first of some squares. */
  #tag([[x, y]], text, kind) {
    const width = Math.max(7.6, 3.1 * String(text).length + 2.6);
    const [cx, cy] = [(x + 0.5) * UNIT, (y + 0.5) * UNIT];
    const left = Math.min(Math.max(cx - width / 2, 0), this.side * UNIT - width);
    return svg("g", { class: kind },
      svg("rect", { x: left, y: cy - 3.8, width, height: 7.6, rx: 2.2 }),
      svg("text", { x: left + width / 2, y: cy }, text));
  }

  /**
   * Shows the piece in hand over the board, and where it would fit.
   * @param {import("./held.js").Held | null} held
   * @param {string} color
   */
  setHeld(held, color) {
    const { ghost, spots } = this.#layers;
    const { dataset } = this.root;
    dataset.held = held ? held.index : "none";
    dataset.legal = held?.at ? held.legal : "none";
    ghost.replaceChildren();
    spots.replaceChildren();
    if (!held) return;
    spots.append(...this.#spots(held, color));
    if (!held.at) return;
    const { cells, legal } = held;
    const d = outline(cells, 0.4, 1.8);
    ghost.append(pieceArt(cells, color, legal ? "blokus-fits" : "blokus-misfit"));
    if (!legal) ghost.append(svg("path", { class: "blokus-hatched", d }));
    ghost.append(svg("path", { class: "blokus-edge-halo", d }));
    ghost.append(svg("path", { class: legal ? "blokus-edge" : "blokus-edge blokus-edge-misfit", d }));
  }

  /** The squares that the piece could cover as it is turned, and a dot where its middle would be. */
  #spots(held, color) {
    const anchors = held.anchors();
    const covered = anchors.flatMap((anchor) => shifted(held.shape, anchor));
    const squareAt = ([x, y]) => `M${x * UNIT + 0.4} ${y * UNIT + 0.4}h9.2v9.2h-9.2Z`;
    const squares = new Set(covered.map(squareAt));
    const dot = "a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0-2.6 0Z";
    const dots = anchors.map(([x, y]) => `M${x * UNIT + 3.7} ${y * UNIT + 5}${dot}`);
    return [
      svg("path", { class: `blokus-cover blokus-${color}`, d: [...squares].join("") }),
      svg("path", { class: `blokus-dots blokus-${color}`, d: dots.join("") }),
    ];
  }

  /** Shakes the piece in hand: it may not be placed there. */
  shake() {
    const { ghost } = this.#layers;
    ghost.classList.remove("blokus-shake");
    void ghost.getBoundingClientRect();
    ghost.classList.add("blokus-shake");
    ghost.addEventListener("animationend", () => ghost.classList.remove("blokus-shake"), { once: true });
  }

  /** Where some squares lie, in words: `e8 to f10`. */
  spoken(cells) {
    const { left, top, width, height } = boxOf(cells);
    const from = cellName([left, top + height - 1], this.side);
    const to = cellName([left + width - 1, top], this.side);
    return from === to ? from : `${from} to ${to}`;
  }
}
