// The page: loads the WebAssembly and puts the table, the board and the panels together.

import init, { GameFacts, gameNames } from "./corvid.js";
import { make } from "./dom.js";
import { HardwarePanel } from "./hardware/connect.js";
import { openNewGame } from "./newgame.js";
import { Players } from "./players.js";
import { History, Stage } from "./stage.js";
import { Table, usualSeats } from "./table.js";

const $ = (selector) => document.querySelector(selector);

/** Says what went wrong where the board would be. */
function fail(error) {
  const why = WebAssembly ? `the engine did not load (${error.message}).` : "this browser has no WebAssembly.";
  $("#turn").textContent = "Corvid can't play here";
  $("#message").textContent = `Sorry, ${why} Check the connection and reload the page.`;
  $("#message").className = "message refusal";
}

async function load() {
  const source = fetch(new URL("./corvid_bg.wasm", import.meta.url));
  const module = await WebAssembly.compileStreaming(source);
  await init({ module_or_path: module });
  return module;
}

function start(module) {
  const table = new Table(module);
  const stage = new Stage(table, { newGame: () => openNewGame(table), record: () => {} });
  const panels = [new Players(table), new History(table)];
  new HardwarePanel($("#hardware-panel"), table);
  showGames(table);
  showRules(table);
  table.addEventListener("change", () => showRules(table));
  const route = () => {
    const place = location.hash.slice(1);
    if (gameNames().includes(place) && table.match.name !== place) {
      table.start(place, usualSeats(place), table.brain);
    }
    const device = place === "device";
    $("#play").hidden = device;
    $("#device").hidden = !device;
    for (const [id, current] of [["#tab-play", !device], ["#tab-device", device]]) {
      if (current) $(id).setAttribute("aria-current", "page");
      else $(id).removeAttribute("aria-current");
    }
  };
  addEventListener("hashchange", route);
  route();
  stage.show();
  panels.forEach((panel) => panel.show());
  window.corvidTable = table;
}

function showGames(table) {
  const links = gameNames().map((name) => {
    const facts = new GameFacts(name);
    const { title, shortTitle } = facts;
    // The name that fits is shown; a screen reader says the full one.
    const words = [make("span", { className: "full" }, title), make("span", { className: "short" }, shortTitle)];
    return make("a", { href: `#${name}`, aria: { label: title }, dataset: { game: name } }, ...words);
  });
  $("#games").append(...links);
  const mark = () => {
    for (const link of links) {
      if (link.dataset.game === table.match.name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };
  table.addEventListener("change", mark);
  mark();
}

let ruled = null;
function showRules({ facts }) {
  if (ruled === facts.title) return;
  ruled = facts.title;
  $("#rules summary").textContent = `Rules of ${facts.title}`;
  const rules = facts.rules.split("\n").map((text) => make("p", {}, text));
  $("#rules-text").replaceChildren(...rules, make("p", { className: "about" }, facts.about));
}

const THEMES = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };

function showTheme(theme) {
  const { dataset } = document.documentElement;
  if (theme === "auto") delete dataset.theme;
  else dataset.theme = theme;
  const [sign, words] = THEMES[theme];
  $("#theme").textContent = sign;
  $("#theme").title = `Theme: ${words}`;
  $("#theme").setAttribute("aria-label", `theme: ${words}`);
}

let theme = "auto";
showTheme(theme);
$("#theme").onclick = () => {
  const names = Object.keys(THEMES);
  theme = names[(names.indexOf(theme) + 1) % names.length];
  showTheme(theme);
};

try {
  start(await load());
  performance.mark("playable");
} catch (error) {
  fail(error);
}
