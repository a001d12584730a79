// The page: loads the WebAssembly and puts the table, the board and the panels together.

import init, { GameFacts, gameNames } from "./corvid.js";
import { DevicePanel } from "./device/device.js";
import { make } from "./dom.js";
import { HardwarePanel } from "./hardware/connect.js";
import { InsightPanel } from "./insight.js";
import { openNewGame } from "./newgame.js";
import { registerWorker } from "./offline.js";
import { Players } from "./players.js";
import { openRecords } from "./records.js";
import { History, Stage } from "./stage.js";
import { keepTable, restoreTable, Shelf, Store } from "./store.js";
import { Table } from "./table.js";

const $ = (selector) => document.querySelector(selector);

/** Says what went wrong where the board would be. */
function fail(error) {
  const why = "WebAssembly" in window
    ? `the engine did not load (${error.message}).`
    : "this browser has no WebAssembly.";
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

/** @param {WebAssembly.Module} module */
function start(module) {
  const table = new Table(module);
  // The view that is not shown says nothing.
  const say = (text) => {
    table.say(text);
    const notice = $("#device .device-notice");
    if (notice) notice.textContent = text;
  };
  const store = new Store(say);
  const stage = new Stage(table, {
    newGame: () => openNewGame(table),
    record: () => openRecords(table, say),
  });
  // Before the stage hears of a change: what it shows of the last position is gone by then.
  new InsightPanel($("#insight"), table, {
    preview: (line) => stage.preview(line),
    showValues: (values) => stage.showValues(values),
  });
  stage.listen();
  const panels = [stage, new Players(table), new History(table)];
  new HardwarePanel($("#hardware-panel"), table);
  restoreTable(table, store);
  keepTable(table, store);
  keepTheme(store);
  showGames(table);
  showRules(table);
  route(table, store, module, say);
  panels.forEach((panel) => panel.show());
  // For tests and the curious.
  window.corvidTable = table;
  registerWorker(say);
}

/** Shows what the address names: a game, or the device. */
function route(table, store, module, say) {
  const shelf = new Shelf(store);
  let device = null;
  const go = () => {
    const place = location.hash.slice(1);
    if (gameNames().includes(place) && table.match.name !== place) shelf.change(table, place);
    const isDevice = place === "device";
    $("#play").hidden = isDevice;
    $("#device").hidden = !isDevice;
    for (const [id, current] of [["#tab-play", !isDevice], ["#tab-device", isDevice]]) {
      if (current) $(id).setAttribute("aria-current", "page");
      else $(id).removeAttribute("aria-current");
    }
    if (isDevice && !device) {
      device = new DevicePanel($("#device"), { module, store, say });
    }
    show();
  };
  // The address names what is shown, so that going back and reloading lead there again.
  const show = () => {
    const { name } = table.match;
    const isDevice = !$("#device").hidden;
    $("#tab-play").href = `#${name}`;
    document.title = `${isDevice ? "Device" : table.facts.title} – Corvid`;
    if (!isDevice && location.hash !== `#${name}`) history.replaceState(null, "", `#${name}`);
  };
  addEventListener("hashchange", go);
  go();
  table.addEventListener("change", show);
}

function showGames(table) {
  const links = gameNames().map((name) => {
    const { title, shortTitle } = new GameFacts(name);
    // The name that fits is shown; a screen reader says the full one.
    const full = make("span", { className: "full" }, title);
    const short = make("span", { className: "short" }, shortTitle);
    return make("a", { href: `#${name}`, aria: { label: title }, dataset: { game: name } }, full, short);
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

function showRules(table) {
  let shown = null;
  const show = () => {
    const { facts, match } = table;
    if (shown === match.name) return;
    shown = match.name;
    $("#rules summary").textContent = `Rules of ${facts.title}`;
    const rules = facts.rules.split("\n").map((text) => make("p", {}, text));
    $("#rules-text").replaceChildren(...rules, make("p", { className: "about" }, facts.about));
  };
  table.addEventListener("change", show);
  show();
}

const THEMES = { auto: ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };

function keepTheme(store) {
  const names = Object.keys(THEMES);
  const button = $("#theme");
  const show = (theme) => {
    const { dataset } = document.documentElement;
    if (theme === "auto") delete dataset.theme;
    else dataset.theme = theme;
    const [sign, words] = THEMES[theme];
    button.textContent = sign;
    button.title = `Theme: ${words}`;
    button.setAttribute("aria-label", `theme: ${words}`);
  };
  const kept = store.get("theme");
  let theme = names.includes(kept) ? kept : "auto";
  show(theme);
  button.onclick = () => {
    theme = names[(names.indexOf(theme) + 1) % names.length];
    store.set("theme", theme);
    show(theme);
  };
}

try {
  start(await load());
  performance.mark("playable");
} catch (error) {
  fail(error);
}
