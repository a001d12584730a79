// The form for a new game: options of the game, who plays, what the engine has.

import { boardNames, boardTitles, GameFacts } from "./corvid.js";
import { button, capitalized, make } from "./dom.js";
import { parseSeat, seatSelect } from "./players.js";

const COMPUTER = "computer";

/** Opens the form for the game that is on the table. */
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

  const chosen = table.optionPlaces ?? values.map((_, option) => facts.usualValue(option));
  const options = labels.map((label, option) => {
    const select = make("select");
    values[option].forEach((value, place) => select.append(new Option(value, place)));
    select.value = chosen[option] ?? facts.usualValue(option);
    return field(capitalized(label), select, help[option] && `${capitalized(help[option])}.`);
  });

  const seats = make("div", { className: "fields" });
  let choices = [];
  const setup = () => facts.setup(Uint8Array.from(options, (select) => Number(select.value))) ?? match.setup;
  const showSeats = () => {
    const people = GameFacts.people(setup());
    const old = choices.map((select) => parseSeat(select.value));
    const first = { kind: "person" };
    choices = Array.from({ length: people }, (_, seat) => {
      const before = old[seat] ?? table.seats[seat] ?? (seat ? { kind: "level", level: 3 } : first);
      const own = table.colors.filter((_, player) => player % people === seat).join(" and ");
      return seatSelect(facts, before, `who plays ${own}`, table.board !== null);
    });
    seats.replaceChildren();
    choices.forEach((select, seat) => {
      const own = table.colors.filter((_, player) => player % people === seat).join(" and ");
      select.id = `seat-${seat}`;
      seats.append(make("label", { htmlFor: select.id }, capitalized(own)), select);
    });
  };
  options.forEach((select) => (select.onchange = showSeats));
  showSeats();
  const fill = (person, other) => () => choices.forEach((select, seat) => (select.value = person(seat) ? "person" : other));
  const level = () => choices.map((select) => select.value).find((value) => value !== "person") ?? "level 3";
  const quick = make(
    "div",
    { className: "quick", role: "group", aria: { label: "who plays" } },
    button("You begin", () => fill((seat) => seat === 0, level())()),
    button("Corvid begins", () => fill((seat) => seat === choices.length - 1, level())()),
    button("Only people", fill(() => true, "person")),
    button("Watch", () => fill(() => false, level())()),
  );
  form.append(seats, quick);

  const more = make("div", { className: "fields" });
  const brain = make("select", { id: "brain" });
  boardNames().forEach((name, place) => brain.append(new Option(`as the ${boardTitles()[place]} would`, name)));
  brain.append(new Option("1 s of this computer a move", COMPUTER));
  brain.value = table.brain.board ?? COMPUTER;
  const seed = make("input", { id: "seed", inputMode: "numeric", pattern: "[0-9]{1,15}", placeholder: "none" });
  seed.value = table.seed ?? "";
  more.append(
    make("label", { htmlFor: "brain" }, "Engine thinks"),
    brain,
    make("label", { htmlFor: "seed" }, "Seed"),
    seed,
    make("p", { className: "help" }, "With the same seed a board plays the same moves as this page."),
  );
  form.append(make("details", {}, make("summary", {}, "Engine"), more));

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
    table.optionPlaces = options.map((select) => Number(select.value));
    table.start(setup(), choices.map((select) => parseSeat(select.value)), engine, number ? Number(number) : undefined);
  };
  dialog.replaceChildren(form);
  dialog.showModal();
}
