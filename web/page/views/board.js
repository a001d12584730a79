// What the drawn boards share: places to click and to walk over with the keyboard, and the marks that
// the page asks for on them (last move, hint, moves to come, values).

import { make, svg } from "../dom.js";
import { stepsOf } from "./steps.js";

/** The marks of a place from bottom to top. */
const PARTS = ["hint", "ghost", "value"];

/** Sets an attribute if it has another value; `null` removes it. */
export function put(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

/** A frame that is seen on light and dark ground: a line with an edge of another colour. */
export function edged(name, shape) {
  return svg("g", { class: name }, svg("rect", { class: "edge", ...shape }), svg("rect", shape));
}

/** A label in a rounded field around (0, y), as wide as its text needs. */
function pill({ label, best }, y) {
  const width = Math.max(1.5, 0.62 * label.length + 0.75);
  const field = { x: `${-width / 2}em`, y: "-0.7em", width: `${width}em`, height: "1.4em", rx: "0.5em" };
  return svg(
    "g",
    { class: best ? "value best" : "value", transform: `translate(0 ${y})` },
    svg("rect", field),
    svg("text", { dy: "0.35em" }, label),
  );
}

/**
 * A place: `node` is what is clicked and focused, with its origin in the middle; `over` holds the marks,
 * with the same origin and never turned.
 * @typedef {{move: string, node: SVGElement, over: SVGElement, parts: object, keys: object}} Place
 */

/**
 * The base of the drawn boards. A game's view has
 * - `arrangement(match)`: a text that changes when the board needs other places;
 * - `build(match)`: the `root` element and the `places` in reading order (see `place()`);
 * - `draw(state, moved)`: draws the position; `moved` is the move to animate, if any;
 * - `describe(place, state, legal)`: what a screen reader says about a place;
 * - `lower`: how far below the middle a value stands where a move to come is marked too;
 * - `neighbour(place, key)`: where an arrow key, Home or End leads;
 * - `ring(place)`, `ghost(place, step, lifted)`: a hint's mark, and the mark of a move to come, which
 *   leaves room for a value if it is lifted.
 */
export class BoardView {
  #actions;
  #listening = new AbortController();
  #match = null;
  #moves = [];
  #arrangement = null;
  #legal = new Set();
  #stop = null;
  #ghosts = { key: "", steps: [] };

  /**
   * @param {HTMLElement} host
   * @param {import("../views.js").Actions} actions
   * @param {string} game the class of the board
   */
  constructor(host, actions, game) {
    this.#actions = actions;
    this.frame = make("div", { className: `play-board ${game}` });
    host.append(this.frame);
    /** @type {Map<string, Place>} */
    this.places = new Map();
    this.lastMark = svg("path", { class: "last-mark", d: "M0-13 13 0 0 13-13 0Z" });
    const { signal } = this.#listening;
    this.frame.addEventListener("click", (event) => this.#click(event), { signal });
    this.frame.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.frame.addEventListener("focusin", (event) => this.#stopAt(this.#placeOf(event)), { signal });
  }

  /** Draws, and animates the move by which the match went on since the last time. */
  show(state) {
    const { match, last, still } = state;
    const { moves } = match;
    const known = match === this.#match && this.#moves.every((move, ply) => move === moves[ply]);
    const news = known ? moves.length - this.#moves.length : NaN;
    this.#match = match;
    this.#moves = moves;
    this.#rebuild(match);
    this.frame.classList.toggle("still", still);
    put(this.frame, "data-turn", match.turn);
    if (news !== 0) this.draw(state, news === 1 && !still && moves.at(-1) !== "pass" ? last : null);
    this.#mark(state);
  }

  destroy() {
    this.#listening.abort();
    this.frame.remove();
  }

  /** A place of a board; `node` and `over` are told apart only where marks need a layer of their own. */
  place(move, node, over = node.appendChild(svg("g", { class: "over" }))) {
    put(node, "data-move", move);
    put(node, "tabindex", -1);
    return { move, node, over, parts: {}, keys: {} };
  }

  #rebuild(match) {
    const arrangement = this.arrangement(match);
    if (arrangement === this.#arrangement) return;
    this.#arrangement = arrangement;
    const { root, places } = this.build(match);
    this.places = new Map(places.map((place) => [place.move, place]));
    this.#stop = null;
    this.#stopAt(places[0]);
    this.frame.replaceChildren(root);
  }

  #placeOf({ target }) {
    return this.places.get(target.closest("[data-move]")?.dataset.move);
  }

  #click(event) {
    const place = this.#placeOf(event);
    if (place) this.#choose(place);
  }

  #choose({ move }) {
    if (this.#legal.has(move)) {
      this.#actions.play(move);
      return;
    }
    const refusal = this.#actions.refusal(move);
    if (refusal) this.#actions.say(refusal);
  }

  #key(event) {
    const place = this.#placeOf(event);
    if (!place || event.altKey || event.metaKey) return;
    const all = [...this.places.values()];
    let next;
    if (event.ctrlKey) {
      if (event.key === "Home") next = all[0];
      else if (event.key === "End") next = all.at(-1);
      else return;
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (!event.repeat) this.#choose(place);
      return;
    } else if (/^(Arrow\w+|Home|End)$/.test(event.key)) {
      next = this.neighbour(place, event.key) ?? place;
    }
    if (!next) return;
    event.preventDefault();
    next.node.focus();
  }

  /** The board is one tab stop: the place that had the focus last. */
  #stopAt(place) {
    if (!place || place === this.#stop) return;
    if (this.#stop) put(this.#stop.node, "tabindex", -1);
    put(place.node, "tabindex", 0);
    this.#stop = place;
  }

  #mark(state) {
    const { hint, last } = state;
    this.#legal = new Set(state.legal);
    const steps = new Map(this.#steps(state).map((step) => [step.move, step]));
    const values = new Map(state.values.map((value) => [value.move, value]));
    for (const place of this.places.values()) {
      const { move, node } = place;
      const [step, value] = [steps.get(move), values.get(move)];
      const legal = this.#legal.has(move);
      node.classList.toggle("legal", legal);
      node.classList.toggle("last", last?.move === move);
      node.classList.toggle("plain", legal && !step && !value);
      const lifted = Boolean(step && value);
      const y = lifted ? this.lower : 0;
      this.#part(place, "hint", hint === move, () => this.ring(place));
      this.#part(place, "ghost", step && { ...step, lifted }, () => this.ghost(place, step, lifted));
      this.#part(place, "value", value && { ...value, lifted }, () => pill(value, y));
      const words = [this.describe(place, state, legal)];
      if (last?.move === move) words.push("last move");
      if (hint === move) words.push("hint");
      if (step) words.push(`move ${step.number} to come, ${state.colors[step.mover]}`);
      if (value) words.push(value.best ? `best, worth ${value.label}` : `worth ${value.label}`);
      put(node, "aria-label", words.join(", "));
    }
    const lastNode = last && this.places.get(last.move)?.node;
    if (!lastNode) this.lastMark.remove();
    else if (this.lastMark.parentNode !== lastNode) lastNode.append(this.lastMark);
  }

  #part(place, name, wanted, draw) {
    const key = wanted ? JSON.stringify(wanted) : "";
    if ((place.keys[name] ?? "") === key) return;
    place.keys[name] = key;
    place.parts[name]?.remove();
    place.parts[name] = key ? draw() : null;
    if (!key) return;
    const above = PARTS.slice(PARTS.indexOf(name) + 1).map((part) => place.parts[part]).find(Boolean);
    place.over.insertBefore(place.parts[name], above ?? null);
  }

  #steps({ match, line }) {
    const key = line.length ? `${this.#moves.join(" ")}; ${line.join(" ")}` : "";
    if (this.#ghosts.key !== key) {
      this.#ghosts = { key, steps: stepsOf(match, line) };
    }
    return this.#ghosts.steps;
  }
}
