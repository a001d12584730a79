// The page: loads the WebAssembly and puts table, board and panels together.
import init, { GameFacts, gameNames } from "./corvid.js";
import { InsightPanel } from "./insight.js";
import { Table } from "./table.js";
import { VIEWS } from "./views.js";

const module = await WebAssembly.compileStreaming(fetch(new URL("./corvid_bg.wasm", import.meta.url)));
await init({ module_or_path: module });
const table = new Table(module);
const status = document.querySelector("#status");
const picker = document.querySelector("#game");
for (const name of gameNames()) picker.append(new Option(new GameFacts(name).title, name));
picker.onchange = () => {
  const people = GameFacts.people(picker.value);
  const seats = Array.from({ length: people }, (_, seat) => seat ? { kind: "level", level: 3 } : { kind: "person" });
  table.start(picker.value, seats, { board: "pico" });
};
let view, shown;
let [line, values] = [[], []];
function show() {
  const { match } = table;
  const host = document.querySelector("#board");
  if (shown !== match) {
    view?.destroy();
    host.replaceChildren();
    view = new VIEWS[match.name](host, { play: (m) => table.play(m), refusal: (m) => match.refusal(m), say: (t) => table.say(t) });
    shown = match;
  }
  const plies = match.moves.map((move, ply) => ({ move, mover: match.movers[ply] }));
  view.show({ match, colors: table.colors, legal: table.personsTurn ? match.legal() : [],
    last: plies.findLast(({ move }) => move !== "pass") ?? null, hint: table.hint, line, values, still: false });
  const root = document.documentElement.dataset;
  root.plies = match.plies;
  root.turn = match.over ? "over" : table.personsTurn ? "person" : "computer";
}
// First, so that what it shows of the last position is gone before the board is drawn.
new InsightPanel(document.querySelector("#insight"), table, {
  preview: (moves) => { line = moves; show(); },
  showValues: (labels) => { values = labels; show(); },
});
table.addEventListener("change", show);
table.addEventListener("say", ({ detail }) => (status.textContent = detail));
show();
window.corvidTable = table;
