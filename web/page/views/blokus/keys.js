// The keyboard: arrows choose a piece of the tray and move it over the board, letters turn it and jump
// from one place where it fits to the next.

import { flip, turnLeft, turnRight } from "./pieces.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Keys {
  #view;

  /**
   * @param {import("../blokus.js").BlokusView} view
   * @param {AbortSignal} signal ends the listening
   */
  constructor(view, signal) {
    this.#view = view;
    // Before shortcuts of the page: while a piece is in hand its keys come first.
    document.addEventListener("keydown", (event) => this.#down(event), { signal, capture: true });
  }

  #down(event) {
    const { tray, board, root } = this.#view;
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (target !== document.body && !root.contains(target)) return;
    const used = tray.list.contains(target) && tray.go(key)
      || board.grid.contains(target) && this.#onBoard(key)
      || this.#withPiece(key, event.shiftKey);
    if (used) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Arrows and Enter on the board. */
  #onBoard(key) {
    const view = this.#view;
    const { board, held } = view;
    const step = ARROWS[key];
    if (step) {
      const to = (held?.at ?? board.focused).map((place, axis) => place + step[axis]);
      if (held) view.change(() => held.moveTo(to));
      else board.setFocus(to.map((place) => Math.min(Math.max(place, 0), board.side - 1)));
      return true;
    }
    if (key !== "Enter" && key !== " ") return false;
    if (held?.at) {
      view.place(true);
    } else if (view.idle) {
      view.sayState();
    } else {
      view.say("choose a piece first");
      view.tray.focus();
    }
    return true;
  }

  /** Turns, jumps and putting back, wherever the focus is. */
  #withPiece(key, shift) {
    const view = this.#view;
    const { held } = view;
    if (!held) return false;
    switch (key.toLowerCase()) {
      case "r":
        view.change(() => held.turn(shift ? turnLeft : turnRight));
        return true;
      case "f":
        view.change(() => held.turn(flip));
        return true;
      case "n":
      case "]":
        view.change(() => held.jump(1));
        return true;
      case "p":
      case "[":
        view.change(() => held.jump(-1));
        return true;
      case "escape":
        view.putBack(true);
        return true;
      default:
        return false;
    }
  }
}
