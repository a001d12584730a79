// The form for a new game: options of the game, who plays, what the engine has.

import { boardNames, boardTitles } from "./corvid.js";
import { button, make } from "./dom.js";
import { seatSelect } from "./players.js";
import { parseSeat, seatText, sideName, USUAL_LEVEL, usualSeats } from "./seats.js";
import { capitalized } from "./words.js";

const COMPUTER = "computer";

/**
 * Opens the form for the game that is on the table.
 * @param {import("./table.js").Table} table
 */
export function openNewGame(table) {
  const dialog = document.querySelector("#new-game");
  const { facts, match } = table;
  const labels = facts.optionLabels;
  const help = facts.optionHelp;
  const values = labels.map((_, option) => facts.optionValues(option));
  const form = make("form", { method: "dialog" });
  const fields = make("div", { className: "fields" });
  form.append(make("h2", { id: "new-game-title" }, `New game of ${facts.title}`), fields);

  const field = (text, control, note) => {
    const id = `field-${fields.childElementCount}`;
    control.id = id;
    fields.append(make("label", { htmlFor: id }, text), control);
    if (note) fields.append(make("p", { className: "help" }, note));
    return control;
  };

  const chosen = table.optionPlaces?.[match.name] ?? values.map((_, option) => facts.usualValue(option));
  const options = labels.map((label, option) => {
    const select = make("select");
    values[option].forEach((value, place) => select.append(new Option(value, place)));
    select.value = chosen[option] ?? facts.usualValue(option);
    return field(capitalized(label), select, help[option] && `${capitalized(help[option])}.`);
  });

  const seats = make("div", { className: "fields" });
  let choices = [];
  const places = () => options.map((select) => Number(select.value));
  const setup = () => facts.setup(Uint8Array.from(places())) ?? match.setup;
  const showSeats = () => {
    const old = choices.map((select) => parseSeat(select.value));
    const usual = usualSeats(setup());
    seats.replaceChildren();
    choices = usual.map((other, seat) => {
      const name = sideName(table.colors, seat, usual.length);
      const before = old[seat] ?? table.seats[seat] ?? other;
      const select = seatSelect(facts, before, `who plays ${name}`, table.board !== null);
      select.id = `seat-${seat}`;
      seats.append(make("label", { htmlFor: select.id }, capitalized(name)), select);
      return select;
    });
  };
  options.forEach((select) => (select.onchange = showSeats));
  showSeats();
  const fill = (isPerson) => {
    const computers = choices.map((select) => select.value).filter((value) => value !== "person");
    const computer = computers[0] ?? seatText({ kind: "level", level: USUAL_LEVEL });
    choices.forEach((select, seat) => (select.value = isPerson(seat) ? "person" : computer));
  };
  const quick = make(
    "div",
    { className: "quick", role: "group", aria: { label: "who plays" } },
    button("You begin", () => fill((seat) => seat === 0)),
    button("Corvid begins", () => fill((seat) => seat === choices.length - 1)),
    button("Only people", () => fill(() => true)),
    button("Watch", () => fill(() => false)),
  );
  form.append(seats, quick);

  const more = make("div", { className: "fields" });
  const brain = make("select", { id: "brain" });
  const titles = boardTitles();
  boardNames().forEach((name, place) => brain.append(new Option(`as the ${titles[place]} would`, name)));
  brain.append(new Option("1 s of this computer a move", COMPUTER));
  brain.value = table.brain.board ?? COMPUTER;
  const seed = make("input", {
    id: "seed",
    inputMode: "numeric",
    pattern: "[0-9]{1,15}",
    placeholder: "none",
    value: table.seed ?? "",
  });
  more.append(
    make("label", { htmlFor: "brain" }, "Engine thinks"),
    brain,
    make("label", { htmlFor: "seed" }, "Seed"),
    seed,
    make("p", { className: "help" }, "With the same seed a board plays the same moves as this page."),
  );
  const folded = make("details", {}, make("summary", {}, "Engine"), more);
  // A browser says what is wrong with it only where it can be seen.
  seed.oninvalid = () => (folded.open = true);
  form.append(folded);

  form.append(
    make(
      "div",
      { className: "buttons" },
      button("Cancel", () => dialog.close()),
      make("button", { type: "submit", className: "primary", id: "start" }, "Start"),
    ),
  );
  form.onsubmit = () => {
    const engine = brain.value === COMPUTER ? { computer: true } : { board: brain.value };
    const number = seed.value.trim();
    const seated = choices.map((select) => parseSeat(select.value));
    table.optionPlaces = { [match.name]: places() };
    table.start(setup(), seated, engine, number ? Number(number) : undefined);
  };
  dialog.replaceChildren(form);
  dialog.showModal();
}
