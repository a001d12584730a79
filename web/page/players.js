// Who plays: a row a seat with its colours, who sits there, and the points.

import { capitalized, make, numberText } from "./dom.js";
import { titleOf } from "./table.js";
import { VIEWS } from "./views.js";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const RANKS = ["1st", "2nd", "3rd", "4th"];

/** A seat as the value of an option, and back. */
export function seatText(seat) {
  switch (seat.kind) {
    case "level":
      return `level ${seat.level}`;
    case "bot":
      return `bot ${seat.name}`;
    case "nodes":
      return `nodes ${seat.nodes}`;
    default:
      return seat.kind;
  }
}

/** @returns {import("./table.js").Seat} */
export function parseSeat(text) {
  const [kind, ...rest] = text.split(" ");
  const value = rest.join(" ");
  switch (kind) {
    case "level":
      return { kind, level: Number(value) };
    case "bot":
      return { kind, name: value };
    case "nodes":
      return { kind, nodes: Number(value) };
    case "board":
      return { kind };
    default:
      return { kind: "person" };
  }
}

/** The choice of who sits in a seat. */
export function seatSelect(facts, seat, label, withBoard) {
  const select = make("select", { aria: { label } });
  select.append(new Option("Person", "person"));
  const levels = make("optgroup", { label: "Corvid" });
  const strength = { 1: " (beginner)", 9: " (strongest)" };
  for (const level of LEVELS) levels.append(new Option(`Level ${level}${strength[level] ?? ""}`, `level ${level}`));
  const bots = make("optgroup", { label: "Bots" });
  const { bots: names, botDescriptions } = facts;
  names.forEach((name, place) => {
    bots.append(make("option", { value: `bot ${name}`, title: botDescriptions[place] }, name));
  });
  select.append(levels, bots);
  if (withBoard || seat.kind === "board") select.append(new Option("Connected board", "board"));
  if (seat.kind === "nodes") levels.append(new Option(titleOf(seat), seatText(seat)));
  select.value = seatText(seat);
  return select;
}

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
      const name = own.map((player) => colors[player]).join(" and ");
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
    const seated = new Set(seats.flatMap(({ kind, name }) => (kind === "bot" ? [bots.indexOf(name)] : [])));
    const lines = Array.from(seated, (place) => make("span", {}, `${bots[place]}: ${botDescriptions[place]}.`));
    this.about.replaceChildren(...lines);
    this.about.hidden = lines.length === 0;
  }
}
