// The score over the game as a chart that is also a slider: choosing a point goes to that move.

import { make, svg } from "./dom.js";
import { numberText } from "./words.js";

const HEIGHT = 148;
/** Room for the numbers of the scale, the names of lines, and the numbers of moves. */
const LEFT = 30;
const RIGHT = 12;
const NAMES = 52;
const TOP = 8;
const BOTTOM = 18;

/** The chart spans at least so many moves, and so many points to either side. */
const FEWEST_MOVES = 10;
const LEAST_POINTS = 4;

/** Moves that Page Up and Page Down skip. */
const PAGE = 10;

/** The smallest of 1, 2 and 5 times a power of ten that divides a span into no more steps than these. */
function stepOf(span, steps = 6) {
  const power = 10 ** Math.floor(Math.log10(span / steps));
  return power * ([1, 2, 5].find((factor) => factor * power * steps >= span) ?? 10);
}

/** A piece of a line, for the legend. */
function key(name) {
  const line = svg("path", { class: name, d: "M1 5H21" });
  return svg("svg", { width: 22, height: 10, viewBox: "0 0 22 10" }, line);
}

function path(points) {
  return points.map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/**
 * What is shown.
 * @typedef {object} Shown
 * @property {number} plies moves made
 * @property {number} last moves of the whole match, those that were taken back included
 * @property {({lead: number, exact: boolean} | null)[] | null} estimates who is thought to win by how
 *   much, for the first of two sides, after each number of moves; of more than two sides nothing
 * @property {number[][]} lines the lead on the board of the first of two sides, or the points of each
 * @property {string[]} names of the sides
 * @property {string} meaning what an estimate is, in a word or two
 * @property {string} summary the chart in words
 */

export class ScoreGraph {
  #actions;
  #slider;
  #svg;
  #readout;
  #summary;
  #legend;
  #meaning;
  #shown = null;
  #width = 0;
  #pointed = null;

  /**
   * @param {HTMLElement} host
   * @param {{goTo: (ply: number) => void, describe: (ply: number) => string}} actions
   */
  constructor(host, actions) {
    this.#actions = actions;
    this.#svg = svg("svg", { "aria-hidden": "true", height: HEIGHT });
    const slider = { className: "insight-slider", role: "slider", tabIndex: 0 };
    const aria = { label: "Score over the game: go to a move" };
    this.#slider = make("div", { ...slider, aria }, this.#svg);
    // The slider says it already.
    this.#readout = make("p", { className: "insight-readout", aria: { hidden: true } });
    this.#summary = make("p", { className: "insight-hidden" });
    this.#meaning = make("span");
    const estimate = make("span", {}, key("is-estimate"), this.#meaning);
    const lead = make("span", {}, key("is-lead"), "lead on the board");
    this.#legend = make("p", { className: "insight-legend", aria: { hidden: true } }, estimate, lead);
    host.replaceChildren(this.#slider, this.#legend, this.#readout, this.#summary);
    this.#listen();
  }

  #listen() {
    const slider = this.#slider;
    slider.addEventListener("pointermove", (event) => this.#point(this.#plyAt(event)));
    slider.addEventListener("pointerleave", () => this.#point(null));
    slider.addEventListener("click", (event) => this.#actions.goTo(this.#plyAt(event)));
    slider.addEventListener("keydown", (event) => this.#press(event));
    new ResizeObserver(([{ contentRect }]) => {
      this.#width = Math.floor(contentRect.width);
      this.#draw();
    }).observe(slider);
  }

  #press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !this.#shown) return;
    const { plies, last } = this.#shown;
    const target = {
      ArrowLeft: plies - 1, ArrowDown: plies - 1, ArrowRight: plies + 1, ArrowUp: plies + 1,
      PageDown: plies - PAGE, PageUp: plies + PAGE, Home: 0, End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#actions.goTo(Math.min(last, Math.max(0, target)));
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    const { plies, last, summary } = shown;
    const slider = this.#slider;
    slider.setAttribute("aria-valuemin", "0");
    slider.setAttribute("aria-valuemax", String(last));
    slider.setAttribute("aria-valuenow", String(plies));
    slider.setAttribute("aria-valuetext", this.#actions.describe(plies));
    this.#summary.textContent = summary;
    this.#legend.hidden = !shown.estimates;
    this.#meaning.textContent = shown.meaning;
    if (this.#pointed > last) this.#pointed = null;
    this.#draw();
  }

  #point(ply) {
    if (ply === this.#pointed) return;
    this.#pointed = ply;
    this.#draw();
  }

  get #right() {
    return this.#width - (this.#shown.estimates ? RIGHT : NAMES);
  }

  get #span() {
    return Math.max(this.#shown.last, FEWEST_MOVES);
  }

  #x(ply) {
    return LEFT + (this.#right - LEFT) * ply / this.#span;
  }

  #plyAt(event) {
    const x = event.clientX - this.#svg.getBoundingClientRect().left;
    const ply = Math.round((x - LEFT) / (this.#right - LEFT) * this.#span);
    return Math.min(this.#shown.last, Math.max(0, ply));
  }

  /** The lowest and highest number of the scale, and the step between its lines. */
  #scale() {
    const { estimates, lines } = this.#shown;
    const values = [...lines.flat(), ...(estimates ?? []).flatMap((one) => one ? [one.lead] : [])];
    if (!estimates) {
      const low = Math.min(...values);
      const high = Math.max(low + LEAST_POINTS, ...values);
      const step = stepOf(high - low);
      return [Math.floor(low / step) * step, Math.ceil((high + 0.01) / step) * step, step];
    }
    const most = Math.max(LEAST_POINTS, ...values.map(Math.abs)) * 1.05;
    return [-most, most, stepOf(2 * most)];
  }

  #draw() {
    if (!this.#shown || this.#width < 2 * LEFT) return;
    const { plies, last, estimates } = this.#shown;
    const [low, high, step] = this.#scale();
    const floor = HEIGHT - BOTTOM;
    const y = (value) => TOP + (floor - TOP) * (high - value) / (high - low);
    const chart = this.#svg;
    chart.setAttribute("viewBox", `0 0 ${this.#width} ${HEIGHT}`);
    chart.setAttribute("width", this.#width);
    chart.replaceChildren(...this.#grid(low, high, step, y));
    // What was taken back stays, faintly.
    const curves = estimates ? this.#estimateChart(y) : this.#pointsChart(y);
    const now = this.#x(plies);
    chart.append(
      svg("clipPath", { id: "insight-past" }, svg("rect", { x: 0, y: 0, width: now, height: HEIGHT })),
      svg("clipPath", { id: "insight-later" },
        svg("rect", { x: now, y: 0, width: this.#width, height: HEIGHT })),
      svg("g", { "clip-path": "url(#insight-past)" }, ...curves),
    );
    if (last > plies) {
      const later = curves.map((part) => part.cloneNode(true));
      chart.append(svg("g", { class: "is-later", "clip-path": "url(#insight-later)" }, ...later));
    }
    chart.append(...this.#names(y));
    chart.append(...this.#marker(plies, "is-now", y));
    if (this.#pointed !== null && this.#pointed !== plies) {
      chart.append(...this.#marker(this.#pointed, "is-pointed", y));
    }
    this.#readout.textContent = this.#actions.describe(this.#pointed ?? plies);
  }

  #grid(low, high, step, y) {
    const parts = [];
    const signs = this.#shown.estimates !== null;
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
      const at = y(value);
      const isZero = Math.abs(value) < step / 2;
      const name = isZero ? "is-zero" : "is-grid";
      parts.push(svg("line", { class: name, x1: LEFT, x2: this.#right, y1: at, y2: at }));
      // Both sides count what they are ahead by.
      const text = signs ? Math.abs(value) : value;
      parts.push(svg("text", { class: "is-number", x: LEFT - 5, y: at + 3.5, "text-anchor": "end" },
        numberText(isZero ? 0 : text)));
    }
    const pace = Math.max(1, stepOf(this.#span));
    for (let ply = 0; ply <= this.#span; ply += pace) {
      const place = { x: this.#x(ply), y: HEIGHT - 4, "text-anchor": "middle" };
      parts.push(svg("text", { class: "is-number", ...place }, String(ply)));
    }
    return parts;
  }

  /** The expected result as a line with its area, and the lead on the board as a thin one. */
  #estimateChart(y) {
    const { estimates, lines } = this.#shown;
    const known = estimates.flatMap((one, ply) => one ? [[this.#x(ply), y(one.lead)]] : []);
    const lead = lines[0].map((value, ply) => [this.#x(ply), y(value)]);
    const parts = [svg("path", { class: "is-lead", d: path(lead) })];
    if (known.length) {
      const [first, end] = [known[0][0], known.at(-1)[0]];
      const area = `${path(known)}L${end} ${y(0)}L${first} ${y(0)}Z`;
      parts.unshift(svg("path", { class: "is-area", d: area }));
      parts.push(svg("path", { class: "is-estimate", d: path(known) }));
    }
    return parts;
  }

  #pointsChart(y) {
    return this.#shown.lines.map((line, player) => svg("path", {
      class: `is-player is-player-${player}`,
      d: path(line.map((value, ply) => [this.#x(ply), y(value)])),
    }));
  }

  /** Who is ahead above and below the middle; or whose line it is, where it ends. */
  #names(y) {
    const { estimates, names, lines, last } = this.#shown;
    if (estimates) {
      return [
        svg("text", { class: "is-name", x: LEFT + 4, y: TOP + 9 }, `${names[0]} ahead`),
        svg("text", { class: "is-name", x: LEFT + 4, y: HEIGHT - BOTTOM - 4 }, `${names[1]} ahead`),
      ];
    }
    // Names that would overlap move down.
    const order = names.map((name, player) => ({ name, player, at: y(lines[player][last]) + 4 }));
    order.sort((one, other) => one.at - other.at || one.player - other.player);
    const gap = 12;
    order.forEach((one, at) => at && (one.at = Math.max(one.at, order[at - 1].at + gap)));
    const over = Math.max(0, order.at(-1).at - (HEIGHT - BOTTOM));
    order.forEach((one) => (one.at -= over));
    return order.map(({ name, player, at }) =>
      svg("text", { class: `is-name is-player-${player}`, x: this.#right + 6, y: at }, name));
  }

  #marker(ply, name, y) {
    const { estimates, lines } = this.#shown;
    const x = this.#x(ply);
    const parts = [svg("line", { class: name, x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM })];
    if (estimates?.[ply]) {
      parts.push(svg("circle", { class: name, cx: x, cy: y(estimates[ply].lead), r: 4 }));
    } else if (!estimates) {
      lines.forEach((line, player) => parts.push(
        svg("circle", { class: `${name} is-player-${player}`, cx: x, cy: y(line[ply]), r: 3 }),
      ));
    }
    return parts;
  }
}
