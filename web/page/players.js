// Who plays: a row a seat with its colours, who sits there, and the points.

import { make } from "./dom.js";
import { LEVELS, parseSeat, seatText, titleOf } from "./seats.js";
import { VIEWS } from "./views.js";
import { capitalized, numberText, RANKS } from "./words.js";

/**
 * The choice of who sits in a seat.
 * @param {import("./corvid.js").GameFacts} facts
 * @param {import("./seats.js").Seat} seat who sits there now
 * @param {string} label
 * @param {boolean} withBoard whether a board is connected
 */
export function seatSelect(facts, seat, label, withBoard) {
  const select = make("select", { aria: { label } });
  select.append(new Option("Person", "person"));
  const levels = make("optgroup", { label: "Corvid" });
  const strength = { 1: " (beginner)", 9: " (strongest)" };
  for (const level of LEVELS) {
    const value = seatText({ kind: "level", level });
    levels.append(new Option(`Level ${level}${strength[level] ?? ""}`, value));
  }
  const bots = make("optgroup", { label: "Bots" });
  const published = make("optgroup", { label: "Bots as published, faults included" });
  const { bots: names, botDescriptions } = facts;
  names.forEach((name, place) => {
    const value = seatText({ kind: "bot", name });
    const group = name.endsWith(":seed") ? published : bots;
    group.append(make("option", { value, title: botDescriptions[place] }, name));
  });
  select.append(levels, bots);
  if (published.childElementCount > 0) select.append(published);
  if (withBoard || seat.kind === "board") select.append(new Option("Connected board", "board"));
  if (seat.kind === "nodes") levels.append(new Option(titleOf(seat), seatText(seat)));
  select.value = seatText(seat);
  return select;
}

/** The panel with the players. */
export class Players {
  #table;
  #host = document.querySelector("#players");
  #shown = null;
  #rows = [];

  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.#table = table;
    table.addEventListener("change", () => this.show());
  }

  #build() {
    const { match, facts, colors, seats, board } = this.#table;
    const list = make("ul", { className: "players" });
    this.#rows = seats.map((seat, index) => {
      const own = [...colors.keys()].filter((player) => match.seatOf(player) === index);
      const name = this.#table.sideOf(index);
      const select = seatSelect(facts, seat, `who plays ${name}`, board !== null);
      select.onchange = () => this.#table.setSeat(index, parseSeat(select.value));
      const points = make("span", { className: "points" });
      const swatches = make("span", { className: "swatches", aria: { hidden: true } });
      swatches.append(...own.map((player) => VIEWS[match.name].swatch(player, colors[player])));
      const rank = make("span", { className: "rank" });
      const names = own.map((player) => make("span", {}, capitalized(colors[player])));
      const row = make("li", {}, swatches, make("div", { className: "name" }, ...names, rank), select, points);
      list.append(row);
      return { row, points, rank, own };
    });
    this.note = make("p", { className: "under" });
    this.about = make("p", { className: "under" });
    this.#host.replaceChildren(list, this.note, this.about);
  }

  show() {
    const { match, seats, board, facts } = this.#table;
    const shown = JSON.stringify([match.setup, seats, board !== null]);
    if (shown !== this.#shown) {
      // A choice that has the focus keeps it.
      const focused = [...this.#host.querySelectorAll("select")].indexOf(document.activeElement);
      this.#build();
      this.#shown = shown;
      this.#host.querySelectorAll("select")[focused]?.focus();
    }
    const { seatScores, seatPlaces, over, turn } = match;
    this.#rows.forEach(({ row, points, rank, own }, seat) => {
      row.toggleAttribute("data-turn", !over && own.includes(turn));
      points.textContent = numberText(seatScores[seat]);
      rank.textContent = over && seatScores.length > 2 ? RANKS[seatPlaces[seat] - 1] : "";
    });
    const note = VIEWS[match.name].note?.(match);
    this.note.textContent = capitalized(note ?? "");
    this.note.hidden = !note;
    const { bots, botDescriptions } = facts;
    const seated = new Set(seats.filter(({ kind }) => kind === "bot").map(({ name }) => name));
    const lines = Array.from(seated, (name) => `${name}: ${botDescriptions[bots.indexOf(name)]}.`);
    this.about.replaceChildren(...lines.map((line) => make("span", {}, line)));
    this.about.hidden = lines.length === 0;
  }
}
