// The board with what is said about it: whose turn it is, messages, and the buttons below.

import { button, isStill, make } from "./dom.js";
import { titleOf } from "./seats.js";
import { VIEWS } from "./views.js";
import { capitalized, numberText, RANKS } from "./words.js";

/** The board, the lines above it and the buttons below it. */
export class Stage {
  #table;
  #view = null;
  #match = null;
  #plies = 0;
  #buttons;
  /** Moves to preview, and moves with their values: see `State` in views.js. */
  #line = [];
  #values = [];

  /**
   * @param {import("./table.js").Table} table
   * @param {{newGame: () => void, record: () => void}} actions
   */
  constructor(table, { newGame, record }) {
    this.#table = table;
    this.turn = document.querySelector("#turn");
    this.message = document.querySelector("#message");
    this.host = document.querySelector("#board");
    this.#buttons = {
      newGame: button("New game", newGame, { className: "primary" }),
      undo: button("Undo", () => table.undo(), { title: "Ctrl+Z" }),
      redo: button("Redo", () => table.redo(), { title: "Ctrl+Y", className: "idle" }),
      hint: button("Hint", () => table.askHint(), { className: "idle" }),
      now: button("Move now", () => table.moveNow()),
      stop: button("Stop", () => table.stop()),
      resume: button("Continue", () => table.resume()),
      record: button("Record", record, { className: "idle" }),
    };
    document.querySelector("#controls").append(...Object.values(this.#buttons));
    document.addEventListener("keydown", (event) => this.#shortcut(event));
  }

  /** Draws on every change from now on. */
  listen() {
    this.#table.addEventListener("change", () => this.show());
    this.#table.addEventListener("say", ({ detail }) => this.say(detail.text, detail.tone));
  }

  /** Shows moves to come on the board. */
  preview(line) {
    this.#line = line;
    this.show();
  }

  /** Shows what moves are worth on the board. */
  showValues(values) {
    this.#values = values;
    this.show();
  }

  #shortcut(event) {
    const typing = event.target.closest?.("input, textarea, select, dialog, .device-view");
    const unseen = this.host.closest("[hidden]");
    if (typing || unseen || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const undo = key === "z" && !event.shiftKey;
    if (!undo && key !== "z" && key !== "y") return;
    event.preventDefault();
    if (undo) this.#table.undo();
    else this.#table.redo();
  }

  /** Shows a sentence below the turn until the next move. */
  say(text, tone = "") {
    this.message.textContent = text ? capitalized(text) : this.#advice();
    this.message.className = `message ${tone}`;
  }

  /** How to begin, for somebody who sees the game for the first time. */
  #advice() {
    const { match, personsTurn } = this.#table;
    return (match.plies === 0 && personsTurn && VIEWS[match.name].advice) || "";
  }

  /** Draws everything as it is now. */
  show() {
    const table = this.#table;
    const { match, colors } = table;
    if (this.#match !== match) {
      this.#view?.destroy();
      this.host.replaceChildren();
      this.#view = new VIEWS[match.name](this.host, {
        play: (move) => table.play(move),
        refusal: (move) => table.match.refusal(move),
        say: (text) => this.say(text),
      });
      this.#match = match;
      this.#plies = match.plies;
      this.say("");
    }
    const { moves, movers } = match;
    const last = moves.findLastIndex((move) => move !== "pass");
    if (match.plies !== this.#plies) {
      this.#plies = match.plies;
      // A pass is told until the next move.
      if (moves.at(-1) !== "pass") this.say("");
    }
    this.#view.show({
      match,
      colors,
      legal: table.personsTurn ? match.legal() : [],
      last: last < 0 ? null : { move: moves[last], mover: movers[last] },
      hint: table.hint,
      line: this.#line,
      values: this.#values,
      still: isStill(),
    });
    this.turn.textContent = this.#turnText();
    this.#showButtons();
    const root = document.documentElement.dataset;
    root.plies = match.plies;
    root.turn = match.over ? "over" : table.personsTurn ? "person" : "computer";
  }

  #showButtons() {
    const { match, thinking, running, personsTurn, seats } = this.#table;
    const { newGame, undo, redo, hint, now, stop, resume } = this.#buttons;
    const computers = !match.over && !personsTurn;
    const focused = Object.values(this.#buttons).find((each) => each === document.activeElement);
    undo.disabled = match.plies === 0;
    redo.disabled = !match.canRedo;
    hint.disabled = !personsTurn || thinking !== null;
    hint.hidden = seats.every((seat) => seat.kind !== "person");
    now.hidden = stop.hidden = !((computers && running) || thinking);
    resume.hidden = !computers || running;
    document.querySelector("#controls").classList.toggle("busy", !now.hidden || !resume.hidden);
    // A button that goes away hands the focus on: from stop to continue, and back.
    if (focused?.hidden) [resume, stop, hint, newGame].find((each) => !each.hidden && !each.disabled).focus();
  }

  #turnText() {
    const { match, colors, seats, running } = this.#table;
    if (match.over) return this.#resultText();
    const color = colors[match.turn];
    const seat = this.#table.seatOf(match.turn);
    if (seat.kind === "person") {
      const alone = seats.filter((other) => other.kind === "person").length === 1;
      return alone ? `Your turn: ${color}` : `${capitalized(color)} to move`;
    }
    const who = `${capitalized(color)} (${titleOf(seat)})`;
    return running ? `${who} thinks …` : `Paused. ${who} is to move`;
  }

  #resultText() {
    const { match, seats } = this.#table;
    const { seatPlaces: places, seatScores: scores } = match;
    const winners = [...places.keys()].filter((seat) => places[seat] === 1);
    const names = winners.map((seat) => this.#table.sideOf(seat));
    const two = scores.length === 2;
    const [most, least] = [Math.max(...scores), Math.min(...scores)].map(numberText);
    if (winners.length > 1) {
      if (two) return `A draw, ${most} to ${least}`;
      return `${capitalized(names.join(" and "))} win with ${most}`;
    }
    const wins = names[0].includes(" and ") ? "win" : "wins";
    const people = seats.filter((seat) => seat.kind === "person").length;
    const how = two ? `${most} to ${least}` : `with ${most} points`;
    if (people === 1) {
      const own = seats.findIndex((seat) => seat.kind === "person");
      if (own === winners[0]) return `You win ${how}!`;
      if (two) return `You lose ${least} to ${most}`;
      return `You are ${RANKS[places[own] - 1]}: ${names[0]} ${wins} ${how}`;
    }
    return `${capitalized(names[0])} ${wins} ${how}`;
  }
}

/** The moves as a list, to go to any of them; those that were taken back stay in it. */
export class History {
  #table;
  #list = document.querySelector("#moves");
  #folded = document.querySelector("#history");

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.#table = table;
    table.addEventListener("change", () => this.show());
    this.#folded.addEventListener("toggle", () => this.show());
  }

  show() {
    if (!this.#folded.open) return;
    const { match, colors } = this.#table;
    const now = match.plies;
    const whole = match.whole();
    const { moves, movers } = whole;
    whole.free();
    const rows = moves.map((move, ply) => {
      const text = `${colors[movers[ply]]} ${move}`;
      const properties = ply + 1 === now ? { aria: { current: "step" } } : {};
      const row = make("li", {}, button(text, () => this.#table.goTo(ply + 1), properties));
      row.classList.toggle("undone", ply >= now);
      return row;
    });
    this.#list.replaceChildren(...rows);
    rows[now - 1]?.scrollIntoView({ block: "nearest" });
  }
}
