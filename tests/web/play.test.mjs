// Whole games on the page, by mouse, keyboard and touch.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, legal, level, moves, open, PERSON, personsTurn, plies, setUp } from "./browser.mjs";

const { server, browser } = await setUp();

/** Plays to the end, a person's moves with `make`; the match must be over and both must have moved. */
async function playOut(page, make) {
  for (let made = 0; (await personsTurn(page)) !== "over"; made++) {
    assert.ok(made < 250, "the game never ends");
    const before = await plies(page);
    await make(await legal(page), made);
    await personsTurn(page, before + 1);
  }
  const { turn } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  assert.equal(turn, "over");
  assert.match(await page.textContent("#turn"), /You (win|lose|are)|draw|wins/);
  return moves(page);
}

/**
 * How a move of Blokus is made: the piece's place in the tray, the tools that turn it, and the square
 * that the pointer goes to. Made with the page's own geometry; the match checks what comes of it.
 */
function plan(page, move) {
  return page.evaluate(async (move) => {
    const pieces = await import("./views/blokus/pieces.js");
    const { Held, Spots } = await import("./views/blokus/held.js");
    const { match } = window.corvidTable;
    const side = match.places[0];
    const cells = pieces.parseMove(move, side);
    const hand = match.hand(match.turn).map(pieces.parsePiece);
    const piece = hand.findIndex((other) => pieces.nameOf(other) === pieces.nameOf(cells));
    const held = new Held(piece, hand[piece], new Spots(match.legal(), side));
    const tools = [];
    const fits = () => pieces.shapeKey(held.shape) === pieces.shapeKey(cells);
    for (let turns = 0; turns < 8 && !fits(); turns++) {
      const flips = turns === 4;
      held.turn(flips ? pieces.flip : pieces.turnRight);
      tools.push(flips ? "flip" : "right");
    }
    const [from, to] = [pieces.boxOf(held.shape), pieces.boxOf(cells)];
    return { piece, tools, cell: pieces.cellName([to.left - from.left, to.top - from.top], side) };
  }, move);
}

/** One of the moves with most squares: games end sooner, and all pieces are used. */
function chooseLarge(list, made) {
  const squares = (move) => move.split(",").length;
  const most = Math.max(...list.map(squares));
  return choose(list.filter((move) => squares(move) === most), made);
}

/** A move that is not always the first, and the same in every run. */
const choose = (list, made) => list[(made * 7) % list.length];

for (const [setup, least] of [["othello", 50], ["adjacency 8 x", 16], ["dots 3x3", 24]]) {
  test(`a game of ${setup} by clicks against level 1`, async () => {
    const { page, close } = await open(browser, server.origin);
    await begin(page, setup, [PERSON, level(1)]);
    const played = await playOut(page, async (list, made) => {
      await page.click(`[data-move="${choose(list, made)}"]`);
    });
    assert.ok(played.length >= least, played.join(" "));
    await close();
  });
}

for (const [setup, seats] of [
  ["blokus-duo", [PERSON, level(1)]],
  ["blokus-classic", [PERSON, level(1), level(1), level(1)]],
]) {
  test(`a game of ${setup} by clicks against level 1`, async () => {
    const { page, close } = await open(browser, server.origin);
    await begin(page, setup, seats);
    const played = await playOut(page, async (list, made) => {
      const { piece, tools, cell } = await plan(page, chooseLarge(list, made));
      await page.click(`[data-piece="${piece}"]`);
      for (const tool of tools) await page.click(`[data-tool="${tool}"]`);
      await page.click(`[data-cell="${cell}"]`);
    });
    assert.ok(played.length >= 20, played.join(" "));
    await close();
  });
}

test("a game of Blokus Duo on a touch screen of 360x740", async () => {
  const options = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const { page, close } = await open(browser, server.origin, { options });
  await begin(page, "blokus-duo", [PERSON, level(1)]);
  const tap = async (selector) => {
    await page.locator(selector).scrollIntoViewIfNeeded();
    await page.tap(selector);
  };
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  const played = await playOut(page, async (list, made) => {
    const { piece, tools, cell } = await plan(page, chooseLarge(list, made));
    await tap(`[data-piece="${piece}"]`);
    for (const tool of tools) await tap(`[data-tool="${tool}"]`);
    const before = await plies(page);
    await tap(`[data-cell="${cell}"]`);
    assert.equal(await plies(page), before, "one tap alone must not place a piece");
    await tap('[data-tool="place"]');
    assert.ok((await wide()) <= 360, "the page is wider than the screen");
  });
  assert.ok(played.length >= 20, played.join(" "));
  await close();
});

test("an illegal drop is explained in the engine's words and keeps the piece", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "blokus-duo", [PERSON, level(1)]);
  await page.click('[data-piece="0"]');
  await page.click('[data-cell="h2"]');
  const said = await page.textContent("#message");
  assert.match(said, /first piece|start|e10/i);
  assert.equal(await plies(page), 0);
  assert.equal(await page.getAttribute("[data-held]", "data-held"), "0");
  await close();
});

test("a game of Othello by keyboard alone", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [PERSON, level(1)]);
  const focused = () => page.evaluate(() => document.activeElement?.dataset.move);
  for (let tabs = 0; !(await focused()); tabs++) {
    assert.ok(tabs < 40, "the board can't be reached with Tab");
    await page.keyboard.press("Tab");
  }
  const played = await playOut(page, async (list, made) => {
    const [from, to] = [await focused(), choose(list, made)];
    assert.ok(from, "the board has lost the focus");
    const step = async (difference, forth, back) => {
      for (let times = 0; times < Math.abs(difference); times++) {
        await page.keyboard.press(difference > 0 ? forth : back);
      }
    };
    await step(to.charCodeAt(0) - from.charCodeAt(0), "ArrowRight", "ArrowLeft");
    await step(to.charCodeAt(1) - from.charCodeAt(1), "ArrowDown", "ArrowUp");
    const label = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.match(label, new RegExp(`^${to}, legal`));
    await page.keyboard.press("Enter");
  });
  assert.ok(played.length >= 50, played.join(" "));
  await close();
});

/** Presses a button while the engine thinks, and tells how long it takes until it is obeyed. */
async function obeyed(page, name) {
  await begin(page, "blokus-duo", [level(9), PERSON], { computer: true });
  // It has a second for the move: it thinks for certain.
  await page.waitForFunction(() => window.corvidTable.thinking?.progress?.nodes > 0);
  const millis = await page.evaluate((name) => {
    const table = window.corvidTable;
    const isDone = () => (name === "Stop" ? !table.running && !table.busy : table.match.plies > 0);
    const begun = performance.now();
    [...document.querySelectorAll("#controls button")].find((other) => other.textContent === name).click();
    return new Promise((resolve) => {
      const look = () => (isDone() ? resolve(performance.now() - begun) : setTimeout(look, 1));
      look();
    });
  }, name);
  assert.equal(await plies(page), name === "Stop" ? 0 : 1);
  return millis;
}

for (const suspends of [true, false]) {
  const where = suspends ? "" : " where WebAssembly can't be suspended";
  test(`move now and stop work within 100 ms${where}`, async () => {
    const { page, context, close } = await open(browser, server.origin, { serviceWorker: false });
    if (!suspends) {
      const body = "export const canSuspend = false;";
      await context.route("**/suspend.js", (route) => route.fulfill({ body, contentType: "text/javascript" }));
      await page.reload();
      await personsTurn(page);
    }
    for (const name of ["Move now", "Stop"]) {
      const millis = await obeyed(page, name);
      assert.ok(millis < 100, `${name} took ${millis} ms`);
    }
    // The engine goes on.
    await begin(page, "othello", [level(2), PERSON]);
    await personsTurn(page, 1);
    await close();
  });
}

test("a playable board is there within a second of a cold start", async () => {
  const { page, close } = await open(browser, server.origin);
  const millis = await page.evaluate(() => performance.getEntriesByName("playable")[0].startTime);
  assert.ok(millis < 1000, `${millis} ms`);
  await close();
});

test("an engine that does not load is told in a sentence", async () => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  await context.route("**/*.wasm", (route) => route.abort());
  const page = await context.newPage();
  await page.goto(server.origin);
  await page.waitForFunction(() => document.querySelector("#message").textContent.includes("did not load"));
  await context.close();
});
