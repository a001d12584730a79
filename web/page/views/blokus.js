// Blokus Duo and Classic: a board, the pieces in hand, and ways to place them by mouse, touch and keys.

import { pieceDrawing } from "./blokus/art.js";
import { Board } from "./blokus/board.js";
import { Held, Spots } from "./blokus/held.js";
import { flip, moveText, nameOf, parseMove, turnLeft, turnRight } from "./blokus/pieces.js";
import { Others, Tray } from "./blokus/tray.js";
import { Tools } from "./blokus/tools.js";

/** How far a pointer moves before it drags, in CSS pixels. */
const DRAG = 7;
/** How far above a finger a dragged piece is, so that it can be seen, in CSS pixels. */
const LIFT = 44;
/** Squares smaller than this are hard to hit with a finger, in CSS pixels. */
const FINGER = 24;
/** The least time between turns by the wheel, in milliseconds. */
const WHEEL_PACE = 130;
/** Others' pieces are folded away on a page narrower than this, in CSS pixels. */
const WIDE = 720;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TURNS = { left: turnLeft, right: turnRight, flip };

export class BlokusView {
  #host;
  #actions;
  #listeners = new AbortController();
  #tray = new Tray();
  #others = new Others();
  #tools;
  #board = null;
  #root = document.createElement("div");
  #floater = document.createElement("div");
  /** What was shown last, as text that changes with it. */
  #keys = {};
  #state = null;
  #spots = null;
  #held = null;
  #unfit = new Set();
  /** Whose pieces are in the tray. */
  #player = 0;
  /** The pointer that is down. */
  #press = null;
  #pointerType = "mouse";
  #dropped = -Infinity;
  #wheeled = -Infinity;

  /**
   * @param {HTMLElement} host
   * @param {import("../views.js").Actions} actions
   */
  constructor(host, actions) {
    this.#host = host;
    this.#actions = actions;
    this.#tools = new Tools((name, byKeys) => this.#use(name, byKeys));
    this.#root.className = "blokus";
    this.#floater.className = "blokus-floater";
    this.#others.open = host.clientWidth >= WIDE;
  }

  /** @param {import("../views.js").State} state */
  show(state) {
    this.#state = state;
    const { match, colors, legal, still } = state;
    if (!this.#board) this.#build(match, colors);
    this.#root.classList.toggle("blokus-still", still);
    const { moves, movers } = match;
    if (this.#isNew("position", `${moves.join(" ")} ${legal.length > 0} ${match.over}`)) {
      this.#held = null;
      this.#press = this.#press?.kind === "tray" ? null : this.#press;
      this.#showPosition(moves, movers);
    }
    if (this.#isNew("last", state.last?.move)) this.#board.setLast(state.last);
    if (this.#isNew("hint", state.hint)) this.#board.setHint(state.hint);
    if (this.#isNew("line", `${moves.length} ${state.line.join(" ")}`)) {
      this.#board.setLine(this.#moversOf(state.line));
    }
    if (this.#isNew("values", JSON.stringify(state.values))) this.#board.setValues(state.values);
    this.#showHeld();
  }

  destroy() {
    this.#listeners.abort();
    this.#floater.remove();
  }

  #isNew(name, key) {
    const changed = this.#keys[name] !== key;
    this.#keys[name] = key;
    return changed;
  }

  #build(match, colors) {
    const anyStart = match.setup.split(" ").includes("any");
    this.#board = new Board(match.places[0], colors, !anyStart);
    const side = document.createElement("div");
    side.className = "blokus-side";
    side.append(this.#tools.root, this.#tray.root, this.#others.root);
    const layout = document.createElement("div");
    layout.className = "blokus-layout";
    layout.append(this.#board.root, side);
    this.#root.append(layout);
    this.#host.append(this.#root);
    document.body.append(this.#floater);
    this.#listen();
  }

  #showPosition(moves, movers) {
    const { match, colors, legal, still } = this.#state;
    const placed = moves.map((move, ply) => ({ move, mover: movers[ply] }));
    const first = this.#spots === null;
    this.#board.setPieces(placed.filter(({ move }) => move !== "pass"), !still && !first);
    this.#spots = new Spots(legal, this.#board.side);
    // While computers move, the person's own pieces stay.
    if (legal.length) this.#player = match.turn;
    const hand = match.hand(this.#player);
    this.#tray.setHand(colors[this.#player], hand);
    if (legal.length) {
      const names = this.#tray.pieces.map(({ name }) => name);
      this.#unfit = new Set(names.filter((name) => !this.#spots.fits(name)));
    }
    const others = colors.map((_, step) => (this.#player + step) % colors.length).slice(1);
    this.#others.setHands(others.map((player) => ({ color: colors[player], hand: match.hand(player) })));
  }

  /** Who makes each of the moves to come, with its number; passes are left out. */
  #moversOf(line) {
    if (!line.length) return [];
    const trial = this.#state.match.at(this.#state.match.plies);
    const shown = [];
    try {
      for (const [index, move] of line.entries()) {
        if (move !== "pass" && trial.mustPass) trial.play("pass");
        if (move !== "pass") shown.push({ move, mover: trial.turn, number: index + 1 });
        trial.play(move);
      }
    } catch {
      // A line of an older position: what was playable is shown.
      shown.pop();
    } finally {
      trial.free();
    }
    return shown;
  }

  get #color() {
    return this.#state.colors[this.#player];
  }

  get #idle() {
    return this.#state.legal.length === 0;
  }

  #showHeld() {
    const held = this.#held;
    const cells = this.#state.hint ? parseMove(this.#state.hint, this.#board.side) : [];
    const marks = {
      held: held?.index ?? null,
      unfit: this.#unfit,
      hint: cells.length ? nameOf(cells) : null,
      idle: this.#idle,
    };
    this.#board.setHeld(held, this.#color);
    this.#tray.mark(marks);
    this.#tools.show(this.#info(), held !== null, held?.legal ?? false);
    this.#root.classList.toggle("blokus-holding", held !== null);
    if (!this.#press?.active || this.#press.kind !== "tray") this.#float(null);
  }

  #info() {
    const { match, colors } = this.#state;
    if (match.over) return "The game is over.";
    if (this.#idle) return `${colors[match.turn]} is to move`;
    const held = this.#held;
    if (!held) return "Drag a piece to the board, or choose one";
    const all = this.#spots.byName.get(held.name)?.length ?? 0;
    if (!all) return `${held.name} fits nowhere now`;
    const here = held.anchors().length;
    return here ? `${held.name} fits in ${here} of ${all} places this way` : `${held.name} fits only turned`;
  }

  /** Draws the dragged piece at the pointer while it is off the board. */
  #float(at) {
    const floater = this.#floater;
    floater.hidden = at === null;
    if (at === null) return;
    const { shape } = this.#held;
    const key = `${this.#color} ${shape.join(" ")}`;
    if (floater.dataset.key !== key) {
      floater.dataset.key = key;
      floater.replaceChildren(pieceDrawing(shape, this.#color));
    }
    const { pitch } = this.#board;
    const left = Math.min(...shape.map(([x]) => x)) - 0.5;
    const top = Math.min(...shape.map(([, y]) => y)) - 0.5;
    floater.style.setProperty("--square", `${pitch}px`);
    floater.style.transform = `translate(${at[0] + left * pitch}px, ${at[1] + top * pitch}px)`;
  }

  // What is done with pieces.

  #pick(index) {
    this.#held = new Held(index, this.#tray.pieces[index].cells, this.#spots);
    this.#tray.reach(index);
    this.#showHeld();
  }

  #pickByKeys(index) {
    this.#pick(index);
    const held = this.#held;
    const places = this.#spots.byName.get(held.name)?.length ?? 0;
    if (!held.jump(1)) held.moveTo(this.#board.focused);
    this.#actions.say(places ? `${held.name} in hand, ${places} places: ${this.#whereHeld()}`
      : `${held.name} in hand, fits nowhere now`);
    this.#showHeld();
    this.#board.setFocus(held.at);
  }

  #putBack(focus = false) {
    this.#held = null;
    this.#showHeld();
    if (focus) this.#tray.focus();
  }

  #moveTo(cell) {
    const { at } = this.#held;
    this.#held.moveTo(cell);
    const { at: now } = this.#held;
    if (at?.[0] !== now[0] || at?.[1] !== now[1]) this.#showHeld();
  }

  #turn(step) {
    if (!this.#held) return;
    this.#held.turn(step);
    this.#showHeld();
    if (this.#press?.active && this.#press.kind === "tray" && !this.#held.at) this.#float(this.#press.point);
  }

  #whereHeld() {
    const { cells, legal } = this.#held;
    return `${this.#board.spoken(cells)}, ${legal ? "legal" : "illegal"}`;
  }

  /** Says why the piece in hand may not lie where it is. */
  #explain() {
    const why = this.#actions.refusal(moveText(this.#held.cells, this.#board.side));
    if (why) this.#actions.say(why);
    if (!this.#state.still) this.#board.shake();
  }

  /** Places the piece in hand where it lies, or says why it can't be. */
  #place(focus = false) {
    const held = this.#held;
    if (!held?.at) return;
    if (!held.legal) {
      this.#explain();
      return;
    }
    this.#actions.play(moveText(held.cells, this.#board.side));
    if (focus) this.#tray.focus();
  }

  #use(name, byKeys) {
    if (name === "place") this.#place(byKeys);
    else if (name === "back") this.#putBack(byKeys);
    else {
      this.#turn(TURNS[name]);
      if (byKeys && this.#held?.at) this.#actions.say(`${this.#held.name} at ${this.#whereHeld()}`);
    }
  }

  // Pointers.

  #listen() {
    const { signal } = this.#listeners;
    const { list } = this.#tray;
    const { grid } = this.#board;
    const on = (target, type, handle, options) =>
      target.addEventListener(type, handle.bind(this), { signal, ...options });
    on(list, "pointerdown", this.#trayDown);
    on(list, "click", this.#trayClick);
    on(grid, "pointerdown", this.#boardDown);
    on(grid, "click", this.#boardClick);
    on(grid, "wheel", this.#wheel, { passive: false });
    on(document, "pointermove", this.#pointerMove);
    on(document, "pointerup", this.#pointerUp);
    on(document, "pointercancel", this.#pointerCancel);
    on(document, "contextmenu", this.#menu);
    // Before shortcuts of the page: while a piece is in hand its keys come first.
    on(document, "keydown", this.#keyDown, { capture: true });
  }

  #begin(event, kind, more) {
    const { pointerId: id, clientX: x, clientY: y } = event;
    this.#pointerType = event.pointerType;
    if (event.button === 0 && !this.#press) this.#press = { kind, id, x, y, active: false, ...more };
  }

  #trayDown(event) {
    const choice = this.#tray.choiceOf(event);
    if (choice && !this.#idle) this.#begin(event, "tray", { index: Number(choice.dataset.piece) });
  }

  #trayClick(event) {
    const choice = this.#tray.choiceOf(event);
    if (!choice || performance.now() - this.#dropped < 100) return;
    const index = Number(choice.dataset.piece);
    this.#tray.reach(index);
    if (this.#idle) this.#actions.say(this.#info());
    else if (this.#held?.index === index) this.#putBack();
    else if (event.detail === 0) this.#pickByKeys(index);
    else this.#pick(index);
  }

  #boardDown(event) {
    if (!this.#held) return;
    const { cell } = this.#board.cellAt(event.clientX, event.clientY);
    const { at } = this.#held;
    const nearby = at && this.#held.cells.some(([x, y]) => Math.abs(x - cell[0]) <= 1 && Math.abs(y - cell[1]) <= 1);
    this.#begin(event, "board", { cell, from: nearby ? at : null });
  }

  #pointerMove(event) {
    const press = this.#press;
    const { clientX: x, clientY: y } = event;
    if (press?.id === event.pointerId) {
      if (!press.active && Math.hypot(x - press.x, y - press.y) < DRAG) return;
      if (press.kind === "tray" && !press.active && this.#held?.index !== press.index) this.#pick(press.index);
      press.active = true;
      this.#drag(press, event);
    } else if (!press && this.#held && event.pointerType === "mouse") {
      const { cell, inside } = this.#board.cellAt(x, y);
      if (inside && this.#board.grid.contains(event.target)) this.#moveTo(cell);
    }
  }

  #drag(press, { clientX: x, clientY: y, pointerType }) {
    if (!this.#held) return;
    const mouse = pointerType === "mouse";
    if (press.kind === "board") {
      const { cell } = this.#board.cellAt(x, y);
      const from = press.from ?? press.cell;
      this.#moveTo(mouse ? cell : [0, 1].map((axis) => from[axis] + cell[axis] - press.cell[axis]));
      return;
    }
    press.point = [x, mouse ? y : y - LIFT];
    const { cell } = this.#board.cellAt(...press.point);
    const near = cell.every((place) => place >= -1 && place <= this.#board.side);
    if (near) {
      this.#moveTo(cell);
    } else {
      this.#held.at = null;
      this.#showHeld();
    }
    this.#float(near ? null : press.point);
  }

  #pointerUp(event) {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    this.#press = null;
    this.#float(null);
    const mouse = event.pointerType === "mouse";
    if (press.active) this.#dropped = performance.now();
    if (!this.#held) return;
    if (press.kind === "tray") {
      if (!press.active) return;
      if (!this.#held.at) this.#putBack();
      else if (mouse) this.#place();
      else this.#touched();
    } else if (mouse) {
      const { cell, inside } = this.#board.cellAt(event.clientX, event.clientY);
      if (!inside) return;
      this.#moveTo(cell);
      this.#place();
    } else if (press.active) {
      this.#touched();
    } else {
      this.#tap(press.cell);
    }
  }

  /** A finger has put the piece there: it is played by another tap. */
  #touched() {
    if (this.#held.legal) this.#actions.say("tap the piece again to place it");
    else this.#explain();
  }

  #tap(cell) {
    const covers = this.#held.cells?.some(([x, y]) => x === cell[0] && y === cell[1]);
    if (covers) {
      this.#place();
      return;
    }
    this.#moveTo(cell);
    if (!this.#held.legal && this.#board.pitch < FINGER) this.#snap(cell);
    this.#touched();
  }

  /** Moves the piece in hand to a place beside this one where it fits, if there is one. */
  #snap([x, y]) {
    const away = ([ax, ay]) => Math.hypot(ax - x, ay - y);
    const nearby = this.#held.anchors().filter((at) => away(at) < 1.5);
    if (nearby.length) this.#moveTo(nearby.reduce((best, at) => away(at) < away(best) ? at : best));
  }

  /** A square was activated by a screen reader, which sends no pointer events. */
  #boardClick(event) {
    if (event.detail !== 0) {
      if (!this.#held && !this.#idle && performance.now() - this.#dropped > 100 && !event.defaultPrevented) {
        this.#board.setFocus(this.#board.cellAt(event.clientX, event.clientY).cell, false);
      }
      return;
    }
    const name = event.target instanceof Element && event.target.closest("[data-cell]")?.dataset.cell;
    if (name && this.#held) this.#tap(parseMove(name, this.#board.side)[0]);
  }

  #pointerCancel(event) {
    if (this.#press?.id !== event.pointerId) return;
    const { kind, active } = this.#press;
    this.#press = null;
    this.#float(null);
    if (kind === "tray" && active) this.#putBack();
  }

  #wheel(event) {
    if (!this.#held || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    if (event.timeStamp - this.#wheeled < WHEEL_PACE) return;
    this.#wheeled = event.timeStamp;
    this.#turn(event.deltaY > 0 ? turnRight : turnLeft);
  }

  #menu(event) {
    if (!this.#held) return;
    const over = this.#root.contains(event.target) || this.#press?.active;
    if (!over) return;
    event.preventDefault();
    // A long touch asks for the menu as well.
    if (this.#pointerType === "mouse" || event.pointerType === "mouse") this.#turn(turnRight);
  }

  // Keys.

  #keyDown(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#state) return;
    if (target !== document.body && !this.#root.contains(target)) return;
    const used = this.#tray.list.contains(target) && this.#tray.go(key)
      || this.#board.grid.contains(target) && this.#boardKey(key)
      || this.#held !== null && this.#heldKey(key, event.shiftKey);
    if (used) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /** Arrows and Enter on the board. */
  #boardKey(key) {
    const step = ARROWS[key];
    if (step) {
      const from = this.#held ? this.#held.at ?? this.#board.focused : this.#board.focused;
      const to = from.map((place, axis) => place + step[axis]);
      if (this.#held) this.#show(() => this.#held.moveTo(to));
      else this.#board.setFocus(to.map((place) => Math.min(Math.max(place, 0), this.#board.side - 1)));
      return true;
    }
    if (key !== "Enter" && key !== " ") return false;
    if (this.#held?.at) this.#place(true);
    else if (!this.#idle) {
      this.#actions.say("choose a piece first");
      this.#tray.focus();
    }
    return true;
  }

  /** Turns, jumps and putting back, wherever the focus is. */
  #heldKey(key, shift) {
    const held = this.#held;
    const does = {
      r: () => this.#show(() => held.turn(shift ? turnLeft : turnRight)),
      f: () => this.#show(() => held.turn(flip)),
      n: () => this.#show(() => held.jump(1)),
      "]": () => this.#show(() => held.jump(1)),
      p: () => this.#show(() => held.jump(-1)),
      "[": () => this.#show(() => held.jump(-1)),
      escape: () => this.#putBack(true),
    };
    const name = key.toLowerCase();
    if (!Object.hasOwn(does, name)) return false;
    does[name]();
    return true;
  }

  /** Changes the piece in hand by keyboard: the focus follows it, and its place is said. */
  #show(change) {
    change();
    this.#showHeld();
    const held = this.#held;
    const press = this.#press;
    if (press?.active && press.kind === "tray" && !held.at) this.#float(press.point);
    if (!held.at) return;
    if (!press) this.#actions.say(`${held.name} at ${this.#whereHeld()}`);
    if (this.#root.contains(document.activeElement)) this.#board.setFocus(held.at);
  }
}
