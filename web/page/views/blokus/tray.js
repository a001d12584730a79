// The pieces in hand: those of the player to move, to choose from, and the others' in small.

import { make } from "../../dom.js";
import { plural } from "../../words.js";
import { pieceDrawing } from "./art.js";
import { nameOf, parsePiece } from "./pieces.js";

/** A square of a colour with its mark. */
function swatch(color) {
  const drawing = pieceDrawing([[0, 0]], color);
  drawing.classList.add("blokus-swatch");
  return drawing;
}

/** The pieces of a hand with their places in it. */
function readHand(hand) {
  return hand.map((text, index) => {
    const cells = parsePiece(text);
    return { index, cells, name: nameOf(cells) };
  });
}

/** How much is left, in words. */
function leftOf(pieces) {
  const squares = pieces.reduce((sum, { cells }) => sum + cells.length, 0);
  return `${plural(pieces.length, "piece")}, ${plural(squares, "square")}`;
}

/** The pieces of the player to move. */
export class Tray {
  #shown = "";
  #buttons = [];
  #current = 0;

  constructor() {
    this.title = make("h2", { className: "blokus-tray-title" });
    this.list = make("div", { className: "blokus-tray-list", role: "toolbar" });
    this.note = make("p", { className: "blokus-note" }, "Faint pieces fit nowhere now.");
    this.root = make("section", { className: "blokus-tray" }, this.title, this.list, this.note);
    this.pieces = [];
  }

  /**
   * Shows a hand, the largest pieces first.
   * @param {string} color
   * @param {string[]} hand
   */
  setHand(color, hand) {
    const key = `${color} ${hand.join(";")}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const hadFocus = this.list.contains(document.activeElement);
    this.pieces = readHand(hand);
    const left = make("span", { className: "blokus-count" }, leftOf(this.pieces));
    this.title.replaceChildren(swatch(color), make("span", {}, `${color} `), left);
    this.list.setAttribute("aria-label", `pieces of ${color}`);
    this.#buttons = this.pieces.toReversed().map(({ index, cells }) => {
      const properties = { type: "button", className: "blokus-choice", tabIndex: -1 };
      return make("button", { ...properties, dataset: { piece: index } }, pieceDrawing(cells, color));
    });
    this.list.replaceChildren(...this.#buttons);
    this.#reach(Math.min(this.#current, this.#buttons.length - 1));
    if (hadFocus) this.focus();
  }

  /**
   * Marks pieces.
   * @param {{held: number | null, unfit: Set<string>, hint: string | null, idle: boolean}} marks
   *   the one in hand, names of those that fit nowhere, the one to point out; and whether the player
   *   has to wait
   */
  mark({ held, unfit, hint, idle }) {
    this.root.classList.toggle("blokus-idle", idle);
    this.note.hidden = unfit.size === 0;
    for (const button of this.#buttons) {
      const { name, cells } = this.pieces[button.dataset.piece];
      const isHeld = held === Number(button.dataset.piece);
      const words = [name, plural(cells.length, "square")];
      if (unfit.has(name)) words.push("fits nowhere now");
      if (hint === name) words.push("hint");
      const label = words.join(", ");
      if (button.getAttribute("aria-label") !== label) {
        button.setAttribute("aria-label", label);
        button.title = label;
      }
      button.setAttribute("aria-pressed", isHeld);
      button.setAttribute("aria-disabled", idle);
      button.classList.toggle("blokus-unfit", unfit.has(name));
      button.classList.toggle("blokus-hinted", hint === name);
    }
  }

  /** The button that an event came from. */
  choiceOf(event) {
    return event.target.closest(".blokus-choice");
  }

  #reach(place) {
    for (const button of this.#buttons) button.tabIndex = -1;
    this.#current = Math.max(place, 0);
    if (this.#buttons[this.#current]) this.#buttons[this.#current].tabIndex = 0;
  }

  /** Makes a piece the one that the Tab key reaches. */
  reach(index) {
    this.#reach(this.#buttons.findIndex((button) => Number(button.dataset.piece) === index));
  }

  focus() {
    this.#buttons[this.#current]?.focus();
  }

  /** Goes to another piece by an arrow key, Home or End; false for other keys. */
  go(key) {
    const last = this.#buttons.length - 1;
    const places = {
      ArrowLeft: () => Math.max(this.#current - 1, 0),
      ArrowRight: () => Math.min(this.#current + 1, last),
      ArrowUp: () => this.#beyond(-1),
      ArrowDown: () => this.#beyond(1),
      Home: () => 0,
      End: () => last,
    };
    if (!Object.hasOwn(places, key)) return false;
    this.#reach(places[key]());
    this.focus();
    return true;
  }

  /** The piece that is nearest in the row above or below. */
  #beyond(direction) {
    const middle = (button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    };
    const [x, y] = middle(this.#buttons[this.#current]);
    let best = this.#current;
    let least = Infinity;
    this.#buttons.forEach((button, place) => {
      const [otherX, otherY] = middle(button);
      const down = (otherY - y) * direction;
      const distance = Math.abs(otherX - x) + 2 * down;
      if (down > 12 && distance < least) [best, least] = [place, distance];
    });
    return best;
  }
}

/** The other players' pieces, each player's folded away or small. */
export class Others {
  #shown = new Map();

  /** @param {boolean} open whether the pieces are unfolded at first */
  constructor(open) {
    this.root = make("div", { className: "blokus-others" });
    this.open = open;
  }

  /** @param {{color: string, hand: string[]}[]} hands */
  setHands(hands) {
    const colors = hands.map(({ color }) => color);
    for (const [color, { details }] of this.#shown) {
      if (!colors.includes(color)) {
        details.remove();
        this.#shown.delete(color);
      }
    }
    hands.forEach(({ color, hand }, place) => {
      const entry = this.#entry(color);
      if (this.root.children[place] !== entry.details) {
        this.root.insertBefore(entry.details, this.root.children[place] ?? null);
      }
      const key = hand.join(";");
      if (entry.key === key) return;
      entry.key = key;
      const pieces = readHand(hand).toReversed();
      entry.left.textContent = leftOf(pieces);
      entry.list.setAttribute("aria-label", pieces.map(({ name }) => name).join(" ") || "none");
      entry.list.replaceChildren(...pieces.map(({ cells }) => pieceDrawing(cells, color)));
    });
  }

  #entry(color) {
    if (!this.#shown.has(color)) {
      const left = make("span", { className: "blokus-count" });
      const summary = make("summary", {}, swatch(color), make("span", {}, `${color} `), left);
      const list = make("div", { className: "blokus-other-list", role: "img" });
      const details = make("details", { className: "blokus-other", open: this.open }, summary, list);
      this.#shown.set(color, { details, left, list, key: null });
    }
    return this.#shown.get(color);
  }
}
