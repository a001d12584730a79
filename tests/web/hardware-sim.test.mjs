// Whole games between the page's table and the simulated device, through the page's own protocol code.
// Needs `cargo build --release -p corvid` and `cargo xtask web`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { SimulatedBoard } from "./simulated-board.mjs";

const WEB = new URL("../../target/page/", import.meta.url);
const HASTE = 40;

let Table, ConnectedBoard, Line, module;

before(async () => {
  // People and the board have the seats here: the page's engine is never asked.
  globalThis.Worker = class extends EventTarget {
    postMessage() {}
    terminate() {}
  };
  // An open channel would keep Node running at the end.
  globalThis.MessageChannel = class {
    port1 = {};
    port2 = { postMessage() {} };
  };
  const corvid = await import(new URL("corvid.js", WEB));
  module = await WebAssembly.compile(await readFile(new URL("corvid_bg.wasm", WEB)));
  await corvid.default({ module_or_path: module });
  ({ Table } = await import(new URL("table.js", WEB)));
  ({ ConnectedBoard } = await import(new URL("hardware/board.js", WEB)));
  ({ Line } = await import(new URL("hardware/line.js", WEB)));
});

let device;
after(() => device?.off());

async function until(what) {
  for (let tries = 0; tries < 3000; tries++) {
    if (await what()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail(`never: ${what}`);
}

/** A table with a person and a simulated board at it. */
async function sitDown(setup) {
  device ??= await SimulatedBoard.on({ speed: HASTE });
  const table = new Table(module);
  table.pace = 0;
  table.start(setup, [{ kind: "person" }, { kind: "board" }], { board: "pico" });
  const said = [];
  table.addEventListener("say", ({ detail }) => said.push(detail.text));
  const board = new ConnectedBoard(table);
  board.level = 1;
  table.board = board;
  const plug = async () => {
    const line = new Line(device.plug());
    const facts = await line.wake();
    assert.equal(facts.board, "pico");
    await board.attach(line);
    return line;
  };
  const line = await plug();
  if (board.held) board.decide();
  return { table, board, said, line, plug };
}

/** Plays the person's moves, every so often another one than the first, until `end`. */
async function play(table, end = () => table.match.over) {
  while (!end()) {
    await until(() => table.personsTurn || table.match.over);
    if (end()) return;
    const legal = table.match.legal();
    assert.ok(table.play(legal[(table.match.plies * 7) % legal.length]));
  }
}

/** Both have the same moves and the same result. */
async function compare(table, line) {
  await until(async () => (await line.ask("moves")) === table.match.moves.join(" "));
  const [black, white] = table.match.scores;
  const score = black === white ? "0" : black > white ? `B+${black - white}` : `W+${white - black}`;
  assert.equal(await line.ask("final_score"), score);
}

test("a game of Othello, with undo, buttons and an unplugged cable", async () => {
  const { table, board, said, line, plug } = await sitDown("othello");
  // The first keys leave the title and resume the game, whose cursor is on a legal square.
  await line.ask("new othello");
  for (let tries = 0; tries < 5 && table.match.plies === 0; tries++) {
    await line.ask("key select");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await until(() => table.match.plies >= 2);
  await play(table, () => table.match.plies >= 12 && table.personsTurn);
  await compare(table, line);

  const before = table.match.plies;
  table.undo();
  table.undo();
  assert.ok(table.match.plies <= before - 4);
  await compare(table, line);
  table.redo();
  await compare(table, line);

  await play(table, () => table.match.plies >= 20 && table.personsTurn);
  device.port.unplug();
  await until(() => !board.connected);
  assert.deepEqual(said.splice(0), [
    "The board was unplugged. The game is kept: plug it in and connect again.",
  ]);
  table.play(table.match.legal()[0]);
  const again = await plug();
  await play(table);
  await compare(table, again);
  assert.deepEqual(said.filter((text) => !text.endsWith("passes")), []);
  await again.close();
});

test("a game of Blokus Duo", async () => {
  const { table, line } = await sitDown("blokus-duo");
  await play(table);
  await compare(table, line);
  assert.ok(table.match.plies > 20);
  await line.close();
});

test("four colours, two of them the board's", async () => {
  const { table, board, line } = await sitDown("blokus-classic");
  table.start("blokus-classic", [0, 1, 2, 3].map((seat) => ({ kind: seat % 2 ? "board" : "person" })), {
    board: "pico",
  });
  await play(table, () => table.match.plies >= 12 && table.personsTurn);
  await until(async () => (await line.ask("moves")) === table.match.moves.join(" "));
  assert.ok(board.connected);
  await line.close();
});

test("the strongest level is told to move now, and stopped", async () => {
  const { table, board, line } = await sitDown("blokus-duo");
  // As slow as a person's board: it thinks for a second of its own time.
  await line.ask("time_settings 0 600 1");
  board.level = 9;
  const reports = [];
  table.addEventListener("progress", ({ detail }) => reports.push(detail.progress));
  table.play(table.match.legal()[0]);
  await until(() => reports.length);
  const begun = performance.now();
  table.moveNow();
  await until(() => table.match.plies === 2);
  assert.ok(performance.now() - begun < 1000, `${performance.now() - begun} ms`);
  await compare(table, line);

  table.play(table.match.legal()[0]);
  await until(() => reports.length > 1);
  table.stop();
  const moves = table.match.moves.join(" ");
  await until(async () => (await line.ask("moves")) === moves);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(table.match.moves.join(" "), moves, "no move is made after a stop");
  table.resume();
  await until(() => table.thinking?.progress);
  table.moveNow();
  await until(() => table.match.plies === 4);
  await line.ask("time_settings 0 1 1");
  await line.close();
});
