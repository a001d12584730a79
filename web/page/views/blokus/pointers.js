// Mouse, pen and touch: pieces are dragged from the tray, or picked by a click and placed by another.
// A finger places a piece only by a second tap.

import { parseMove, turnLeft, turnRight } from "./pieces.js";

/** How far a pointer moves before it drags, in CSS pixels. */
const DRAG = 7;
/** How far above a finger a dragged piece is, so that it can be seen, in CSS pixels. */
const LIFT = 44;
/** Squares smaller than this are hard to hit with a finger, in CSS pixels. */
const FINGER = 24;
/** The least time between turns by the wheel, in milliseconds. */
const WHEEL_PACE = 130;
/** A click so soon after a drag belongs to it, in milliseconds. */
const SAME_GESTURE = 100;

export class Pointers {
  #view;
  /** The pointer that is down on a piece of the tray or on the board. */
  #press = null;
  #type = "mouse";
  #dropped = -Infinity;
  #wheeled = -Infinity;

  /**
   * @param {import("../blokus.js").BlokusView} view
   * @param {AbortSignal} signal ends the listening
   */
  constructor(view, signal) {
    this.#view = view;
    const { list } = view.tray;
    const { grid } = view.board;
    const on = (target, type, handle, options) =>
      target.addEventListener(type, handle.bind(this), { signal, ...options });
    on(list, "pointerdown", this.#trayDown);
    on(list, "click", this.#trayClick);
    on(grid, "pointerdown", this.#boardDown);
    on(grid, "click", this.#boardClick);
    on(grid, "wheel", this.#wheel, { passive: false });
    on(document, "pointermove", this.#move);
    on(document, "pointerup", this.#up);
    on(document, "pointercancel", this.#cancel);
    on(document, "contextmenu", this.#menu);
  }

  /** Where a piece is that is being dragged off the board; null if none is. */
  get floating() {
    const { held } = this.#view;
    return held && !held.at && this.#press?.active ? this.#press.point ?? null : null;
  }

  /** Whether a pointer is down. */
  get pressing() {
    return this.#press !== null;
  }

  /** Forgets a drag: its piece is no longer in hand. */
  drop() {
    this.#press = null;
  }

  #begin(event, kind, more) {
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.#type = event.pointerType;
    if (event.button === 0 && !this.#press) this.#press = { kind, id, x, y, active: false, ...more };
  }

  #trayDown(event) {
    const choice = this.#view.tray.choiceOf(event);
    if (choice && !this.#view.idle) this.#begin(event, "tray", { index: Number(choice.dataset.piece) });
  }

  #trayClick(event) {
    const view = this.#view;
    const choice = view.tray.choiceOf(event);
    if (!choice || performance.now() - this.#dropped < SAME_GESTURE) return;
    const index = Number(choice.dataset.piece);
    view.tray.reach(index);
    if (view.idle) view.sayState();
    else if (view.held?.index === index) view.putBack();
    else if (event.detail === 0) view.pickByKeys(index);
    else view.pick(index);
  }

  #boardDown(event) {
    const { board, held } = this.#view;
    if (!held) return;
    const { cell } = board.cellAt(event.clientX, event.clientY);
    const beside = ([x, y]) => Math.abs(x - cell[0]) <= 1 && Math.abs(y - cell[1]) <= 1;
    this.#begin(event, "board", { cell, from: held.cells?.some(beside) ? held.at : null });
  }

  #move(event) {
    const press = this.#press;
    const { board, held } = this.#view;
    const { clientX: x, clientY: y } = event;
    if (press?.id === event.pointerId) {
      if (!press.active && Math.hypot(x - press.x, y - press.y) < DRAG) return;
      const taken = press.active || press.kind !== "tray" || held?.index === press.index;
      if (!taken) this.#view.pick(press.index);
      press.active = true;
      this.#drag(press, event);
    } else if (!press && held && event.pointerType === "mouse" && board.grid.contains(event.target)) {
      const { cell, inside } = board.cellAt(x, y);
      if (inside) this.#view.moveTo(cell);
    }
  }

  #drag(press, { clientX: x, clientY: y, pointerType }) {
    const view = this.#view;
    if (!view.held) return;
    const mouse = pointerType === "mouse";
    if (press.kind === "board") {
      const { cell } = view.board.cellAt(x, y);
      // A finger that touched the piece or its side pushes it along; elsewhere the piece comes to it.
      const shift = press.from ? [0, 1].map((axis) => press.from[axis] - press.cell[axis]) : [0, 0];
      view.moveTo(mouse ? cell : [cell[0] + shift[0], cell[1] + shift[1]]);
      return;
    }
    press.point = [x, mouse ? y : y - LIFT];
    const { cell } = view.board.cellAt(...press.point);
    const near = cell.every((place) => place >= -1 && place <= view.board.side);
    view.moveTo(near ? cell : null);
  }

  #up(event) {
    const view = this.#view;
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    this.#press = null;
    if (press.active) this.#dropped = performance.now();
    if (!view.held) return;
    const mouse = event.pointerType === "mouse";
    if (press.kind === "tray") {
      if (!press.active) return;
      if (!view.held.at) view.putBack();
      else if (mouse) view.place();
      else this.#touched();
    } else if (mouse) {
      const { cell, inside } = view.board.cellAt(event.clientX, event.clientY);
      if (!inside) return;
      view.moveTo(cell);
      view.place();
    } else if (press.active) {
      this.#touched();
    } else {
      this.#tap(press.cell);
    }
  }

  /** A finger has put the piece there: another tap plays it. */
  #touched() {
    if (this.#view.held.legal) this.#view.say("tap the piece again to place it");
    else this.#view.explain();
  }

  #tap(cell) {
    const { held, board } = this.#view;
    if (held.cells?.some(([x, y]) => x === cell[0] && y === cell[1])) {
      this.#view.place();
      return;
    }
    this.#view.moveTo(cell);
    if (!held.legal && board.pitch < FINGER) this.#snap(cell);
    this.#touched();
  }

  /** Moves the piece in hand to a place beside this one where it fits, if there is one. */
  #snap([x, y]) {
    const away = ([ax, ay]) => Math.hypot(ax - x, ay - y);
    const nearby = this.#view.held.anchors().filter((at) => away(at) < 1.5);
    if (nearby.length) this.#view.moveTo(nearby.reduce((best, at) => away(at) < away(best) ? at : best));
  }

  /** A screen reader activates a square without pointer events. */
  #boardClick(event) {
    if (event.detail !== 0 || !this.#view.held) return;
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    if (name) this.#tap(parseMove(name, this.#view.board.side)[0]);
  }

  #cancel(event) {
    if (this.#press?.id !== event.pointerId) return;
    const { kind, active } = this.#press;
    this.#press = null;
    if (kind === "tray" && active) this.#view.putBack();
  }

  #wheel(event) {
    if (!this.#view.held || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    if (event.timeStamp - this.#wheeled < WHEEL_PACE) return;
    this.#wheeled = event.timeStamp;
    this.#view.turn(event.deltaY > 0 ? turnRight : turnLeft);
  }

  #menu(event) {
    const view = this.#view;
    if (!view.held || !(view.root.contains(event.target) || this.#press?.active)) return;
    event.preventDefault();
    // A long touch asks for the menu as well.
    if ((event.pointerType || this.#type) === "mouse") view.turn(turnRight);
  }
}
