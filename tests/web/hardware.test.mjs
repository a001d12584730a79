// The line to a board, and the board at the page's table, on scripted ports.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectedBoard } from "../../web/page/hardware/board.js";
import { Line, Lost, Refused, Stranger } from "../../web/page/hardware/line.js";
import { ScriptedBoard, ScriptedPort } from "./scripted-port.mjs";

/** Waits until something is so. */
async function until(what, hint = String(what)) {
  for (let tries = 0; tries < 400; tries++) {
    if (what()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail(`never: ${hint}`);
}

/** A line whose other end answers every command with this text, `$` being its number. */
function lineThat(answer, { size, ...heard } = {}) {
  const port = new ScriptedPort((line) => port.say(answer.replaceAll("$", line.split(" ")[0]), size));
  return { port, line: new Line(port, heard) };
}

test("answers are put together from pieces of any size", async () => {
  const text = "# play black d3\r\n=$ board pico\r\nmemory é 192\n# is part of it\n\n";
  for (let size = 1; size < 12; size++) {
    const notices = [];
    const { line, port } = lineThat(text, { size, notice: (notice) => notices.push(notice) });
    assert.equal(await line.ask("capabilities"), "board pico\nmemory é 192\n# is part of it");
    assert.deepEqual(notices, ["play black d3"]);
    assert.equal(port.sent, "1 capabilities\n");
  }
});

test("commands wait for each other, and answers find theirs", async () => {
  const { line, port } = lineThat("garbage\x1b[K\n=77 late\n\n?99\n\n = 3\n=$ to $\n\n");
  const answers = await Promise.all(["one", "two", "three"].map((command) => line.ask(command)));
  assert.deepEqual(answers, ["to 1", "to 2", "to 3"]);
  assert.equal(port.sent, "1 one\n2 two\n3 three\n");
});

test("a refusal has the board's words, and the line goes on", async () => {
  const answers = { "1 play b a1": "?1 illegal move: why\n\n", "2 name": "=2\n\n" };
  const port = new ScriptedPort((line) => port.say(answers[line]));
  const line = new Line(port);
  await assert.rejects(line.ask("play b a1"), (error) => {
    return error instanceof Refused && error.message === "illegal move: why";
  });
  assert.equal(await line.ask("name"), "");
});

test("a silent board is lost, once and for good", async () => {
  const told = [];
  const port = new ScriptedPort();
  const impatient = new Line(port, { lost: (why) => told.push(why) });
  await assert.rejects(impatient.ask("name", 20), (error) => error instanceof Lost && error.silent);
  await assert.rejects(impatient.ask("name", 20), Lost);
  assert.equal(told.length, 1);
  assert.equal(port.sent, "1 name\n", "nothing is sent on a dead line");
});

test("a line that is closed ends what waits, and is not lost", async () => {
  const told = [];
  const line = new Line(new ScriptedPort(), { lost: (why) => told.push(why) });
  const answers = [line.ask("genmove b", 60_000), line.ask("moves")];
  setTimeout(() => line.close(), 5);
  for (const answer of answers) await assert.rejects(answer, Lost);
  assert.deepEqual(told, []);
});

test("an unplugged cable ends the command under way and those behind it", async () => {
  const told = [];
  const port = new ScriptedPort();
  const line = new Line(port, { lost: (why) => told.push(why) });
  const answers = [line.ask("genmove b", 60_000), line.ask("moves")];
  setTimeout(() => port.unplug(), 5);
  for (const answer of answers) {
    await assert.rejects(answer, (error) => error instanceof Lost && !error.silent);
  }
  assert.equal(told.length, 1);
  line.interrupt();
  await line.close();
});

test("noise ends a stream but not the line", async () => {
  const port = new ScriptedPort((line) => line && port.say("=1 yes\n\n"));
  const line = new Line(port);
  port.say("=1 half of an ans");
  await new Promise((resolve) => setTimeout(resolve, 5));
  port.disturb();
  assert.equal(await line.ask("name"), "yes");
});

test("a line without end is noise", async () => {
  const { line, port } = lineThat("\n=$ yes\n\n");
  for (let count = 0; count < 40; count++) port.say("x".repeat(1000));
  assert.equal(await line.ask("name"), "yes");
});

test("Ctrl-C goes ahead of what waits", async () => {
  const port = new ScriptedPort();
  port.interrupted = () => port.say("?1 stopped\n\n");
  port.hear = (line) => line.startsWith("2") && port.say("=2 m\n\n");
  const line = new Line(port);
  const [first, second] = [line.ask("genmove b", 60_000), line.ask("moves")];
  setTimeout(() => line.interrupt(), 5);
  await assert.rejects(first, { message: "stopped" });
  assert.equal(await second, "m");
  assert.equal(port.sent, "1 genmove b\n\x032 moves\n");
});

test("waking swallows the banner and what was half typed", async () => {
  const board = new ScriptedBoard();
  const port = board.plug();
  port.say("g4\r\n\r\x1b[K# Corvid 0.1.0 on pico; help lists the commands\r\nsta");
  const facts = await new Line(port).wake();
  assert.deepEqual([facts.version, facts.board, facts.games], ["0.1.0", "test", ["othello", "dots"]]);
  assert.deepEqual(facts.capabilities.get("screen"), ["128x64"]);
  assert.ok(port.sent.startsWith("\x03\x03~\n1 echo off\n"), JSON.stringify(port.sent));
});

test("a board that misses the first bytes is woken again", async () => {
  const board = new ScriptedBoard();
  const port = board.plug();
  const hear = port.hear;
  port.hear = (line) => line.startsWith("1 ") || hear(line, port);
  assert.equal((await new Line(port).wake()).board, "test");
});

test("something else is not taken for a board", async () => {
  const other = new ScriptedBoard();
  other.name = "GNU Go";
  await assert.rejects(new Line(other.plug()).wake(), (error) => {
    return error instanceof Stranger && error.message.includes("'GNU Go'");
  });
  const { line } = lineThat("?$ what\n\n");
  await assert.rejects(line.wake(), /refuses 'name'/);
  const silent = new Line(new ScriptedPort());
  await assert.rejects(silent.wake(), /nothing answers/);
});

/** A match without rules, as ScriptedBoard has it, and the part of the table that a board needs. */
class FakeTable {
  said = [];
  adopted = [];
  persons = [true, true];

  constructor(setup = "othello", moves = []) {
    this.match = {
      setup,
      moves,
      scores: [0, 0],
      get movers() {
        return this.moves.map((_, ply) => ply % 2);
      },
      get turn() {
        return this.moves.length % 2;
      },
      refusal: (move) => (move === "bad" ? "it is bad" : undefined),
    };
  }

  say(text) {
    this.said.push(text);
  }

  play(...moves) {
    this.match.moves.push(...moves);
    this.board?.follow(this.match);
  }

  adopt(plies, moves, anyone) {
    this.adopted.push({ plies, moves, anyone });
    this.match.moves.length = plies;
    const left = moves.findIndex((move) => {
      if (!anyone && !this.persons[this.match.turn]) return true;
      this.match.moves.push(move);
      return false;
    });
    this.board.follow(this.match);
    return left < 0;
  }
}

/** A table and a board that is connected to it. */
async function connected({ moves = [], there = [] } = {}) {
  const table = new FakeTable("othello", moves);
  const device = new ScriptedBoard();
  device.moves = [...there];
  const board = new ConnectedBoard(table);
  table.board = board;
  const events = [];
  for (const name of ["lost", "differ"]) board.addEventListener(name, () => events.push(name));
  const plug = async () => {
    const line = new Line(device.plug());
    await line.wake();
    device.asked.length = 0;
    await board.attach(line);
  };
  await plug();
  return { table, device, board, events, plug };
}

/** What the board was asked to do, without questions. */
function orders(device) {
  const quiet = /^(echo|progress|stats|moves|level)/;
  return device.asked.splice(0).filter((command) => !quiet.test(command));
}

test("the board gets the page's game and follows it", async () => {
  const { table, device } = await connected({ moves: ["a", "b", "c"] });
  assert.deepEqual(orders(device), ["play b a", "play w b", "play b c"]);
  table.play("d");
  await until(() => device.moves.length === 4);
  table.match.moves.length = 2;
  table.play("e");
  await until(() => device.moves.join() === "a,b,e");
  assert.deepEqual(orders(device), ["play w d", "undo", "undo", "play b e"]);
  table.match.moves.length = 0;
  table.match.setup = "dots 3x4";
  table.play("z");
  await until(() => device.setup === "dots 3x4" && device.moves.join() === "z");
  assert.deepEqual(orders(device), ["new dots 3x4", "play b z"]);
});

test("the board makes its moves at its level", async () => {
  const { table, device, board } = await connected({ moves: ["a"] });
  board.level = 6;
  assert.equal(await board.move(table.match), "m2");
  assert.equal(device.level, 6);
  table.play("m2");
  table.play("c");
  assert.equal(await board.move(table.match), "m4");
  assert.deepEqual(orders(device), ["play b a", "genmove w", "play b c", "genmove w"]);
});

test("move now takes the best move so far", async () => {
  const { table, device, board } = await connected();
  Object.assign(device, { slow: true, best: "e6" });
  const reports = [];
  const move = board.move(table.match, (progress) => reports.push(progress));
  await until(() => reports.length);
  board.moveNow();
  assert.equal(await move, "e6");
  const line = "e6 x y";
  assert.deepEqual(reports, [{ depth: 3, score: -12, exact: false, nodes: 99, percent: 4, line }]);
  assert.deepEqual(device.moves, ["e6"]);
});

test("move now before there is a best move takes a quick one", async () => {
  const { table, device, board } = await connected();
  device.slow = true;
  const move = board.move(table.match);
  await until(() => device.pending);
  board.moveNow();
  assert.equal(await move, "m1");
  assert.deepEqual(orders(device), ["genmove b", "genmove b"]);
});

test("a change of the match stops the board, and what it found is dropped", async () => {
  const { table, device, board } = await connected({ moves: ["a", "b"] });
  device.slow = true;
  const move = board.move(table.match);
  await until(() => device.pending);
  table.match.moves.pop();
  table.play();
  assert.equal(await move, undefined);
  await until(() => device.moves.join() === "a");

  // The answer is on its way when the match changes.
  device.slow = false;
  const late = board.move(table.match);
  table.match.moves.length = 0;
  table.play("q");
  assert.equal(await late, undefined);
  await until(() => device.moves.join() === "q");
});

test("an illegal move of the board is told, not played", async () => {
  const { table, device, board } = await connected();
  Object.assign(device, { slow: true, best: undefined });
  const move = board.move(table.match);
  await until(() => device.pending);
  device.port.say(`=${device.pending} bad\n\n`);
  await assert.rejects(move, /the board plays bad, which is illegal: it is bad/);
});

test("moves at the buttons are played on the page", async () => {
  const { table, device } = await connected({ moves: ["a"] });
  device.press("b");
  await until(() => table.match.moves.join() === "a,b");
  device.change("othello", ["a"]);
  await until(() => table.match.moves.join() === "a");
  device.change("othello", ["x", "y", "z"]);
  await until(() => table.match.moves.join() === "x,y,z");
  assert.deepEqual(table.adopted.map(({ plies }) => plies), [1, 1, 0]);
});

test("a move at the buttons for a computer of the page is taken back", async () => {
  const { table, device } = await connected({ moves: ["a"] });
  table.persons[1] = false;
  device.press("b");
  await until(() => table.said.length && device.moves.join() === "a");
  assert.match(table.said[0], /taken back/);
  assert.deepEqual(table.match.moves, ["a"]);
});

test("a move at the buttons ends the board's thinking about it", async () => {
  const { table, device, board } = await connected();
  device.slow = true;
  const move = board.move(table.match);
  await until(() => device.pending);
  device.press("b");
  assert.equal(await move, undefined);
  await until(() => table.match.moves.join() === "b");
});

test("when both sides move at once the page's move stays", async () => {
  const { table, device } = await connected({ moves: ["a"] });
  device.moves.push("theirs");
  table.match.moves.push("ours");
  device.port.say("# play white theirs\n");
  await until(() => device.moves.join() === "a,ours");
  assert.deepEqual(table.match.moves, ["a", "ours"]);
});

test("another game at the buttons waits for a decision", async () => {
  const { table, device, board, events } = await connected({ moves: ["a"] });
  device.slow = true;
  const move = board.move(table.match);
  await until(() => device.pending);
  device.change("dots 5x5", ["l"]);
  await until(() => board.held);
  assert.deepEqual([events, device.moves], [["differ"], ["l"]]);
  device.slow = false;
  board.decide();
  assert.deepEqual([board.held, device.moves], [false, ["l"]]);
  assert.equal(await move, "m2", "the seat has waited");
  assert.deepEqual([device.setup, device.moves], ["othello", ["a", "m2"]]);
});

test("a game of the board that the page does not know is kept at first", async () => {
  const { device, board, events } = await connected({ there: ["x", "y"] });
  assert.deepEqual([events, board.held, orders(device)], [["differ"], true, []]);
  board.decide();
  await until(() => device.moves.length === 0);
});

test("a cable that is unplugged while the board thinks", async () => {
  const { table, device, board, events, plug } = await connected({ moves: ["a"] });
  device.slow = true;
  const move = board.move(table.match);
  await until(() => device.pending);
  device.port.unplug();
  await until(() => events.length);
  const sentence = "The board was unplugged. The game is kept: plug it in and connect again.";
  assert.deepEqual(table.said, [sentence]);
  assert.deepEqual([events, board.connected, table.match.moves], [["lost"], false, ["a"]]);
  Object.assign(device, { slow: false, pending: null });
  await plug();
  assert.equal(await move, "m2", "the seat has waited");
  assert.equal(table.said.length, 1);
});

test("after a reconnect the longer game goes on", async () => {
  const { table, device, plug } = await connected({ moves: ["a", "b"] });
  device.port.unplug();
  await until(() => table.said.length);
  table.play("c");
  await plug();
  await until(() => device.moves.join() === "a,b,c");
  device.port.unplug();
  await until(() => table.said.length === 2);
  device.moves.push("d");
  await plug();
  assert.deepEqual(table.match.moves, ["a", "b", "c", "d"]);
});

test("after a reconnect a board that was switched off gets the game again", async () => {
  const { table, device, plug } = await connected({ moves: ["a", "b"] });
  for (const there of [[], ["q", "r", "s"]]) {
    device.port.unplug();
    await until(() => device.port.dead && table.said.length);
    table.said.length = 0;
    [device.setup, device.moves] = ["othello", there];
    await plug();
    await until(() => device.moves.join() === "a,b");
  }
  assert.deepEqual(table.match.moves, ["a", "b"]);
});

test("a board that is given up tells the seat that waits", async () => {
  const { table, device, board } = await connected();
  device.slow = true;
  device.port.unplug();
  await until(() => !board.connected);
  const move = board.move(table.match);
  board.detach();
  await assert.rejects(move, /no board is connected/);
});

test("a board that is given up while it thinks is stopped", async () => {
  const { table, device, board } = await connected();
  device.slow = true;
  const move = board.move(table.match);
  await until(() => device.pending);
  board.detach();
  await assert.rejects(move, /no board is connected/);
  await until(() => !device.pending);
});

test("a move at the buttons that ends the thinking without a notice is played", async () => {
  const { table, device, board } = await connected({ moves: ["a"] });
  device.slow = true;
  const move = board.move(table.match);
  await until(() => device.pending);
  device.moves.push("b");
  device.port.interrupted();
  assert.equal(await move, undefined);
  assert.deepEqual(table.match.moves, ["a", "b"]);
});

test("a board that was reset gets the game again", async () => {
  const { table, device, board } = await connected({ moves: ["a", "b"] });
  device.reset();
  assert.equal(await board.move(table.match), "m3");
  assert.deepEqual([device.moves, table.match.moves], [["a", "b", "m3"], ["a", "b"]]);
  table.play("m3");
  device.reset();
  table.play("d");
  await until(() => device.moves.join() === "a,b,m3,d");
  assert.deepEqual([table.adopted, table.said], [[], []]);
});

test("what happens at the buttons after a reset does not undo the page's game", async () => {
  const { table, device } = await connected({ moves: ["a", "b"] });
  device.reset();
  device.change("dots 5x5", []);
  await until(() => device.setup === "othello" && device.moves.join() === "a,b");
  assert.deepEqual(table.match.moves, ["a", "b"]);
});

test("a refused game is told in a sentence", async () => {
  const { table } = await connected();
  table.play("bad");
  await until(() => table.said.length);
  assert.deepEqual(table.said, ["The board refuses: illegal move: it is bad."]);
});
