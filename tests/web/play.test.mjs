// Whole games on the page, by mouse, keyboard and touch.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, launch, legal, level, moves, open, PERSON, personsTurn, plies, serve } from "./browser.mjs";

let server, browser;
before(async () => {
  server = await serve();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

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
  assert.match(await page.textContent("#turn"), /You (win|lose)|draw|wins/);
  return moves(page);
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

test("move now and stop work within 100 ms", async () => {
  const { page, close } = await open(browser, server.origin);
  for (const [name, done] of [["Move now", "plies > 0"], ["Stop", "paused"]]) {
    await begin(page, "blokus-duo", [level(9), PERSON], { computer: true });
    // It has a second for the move: it thinks for certain.
    await page.waitForFunction(() => window.corvidTable.thinking?.progress?.nodes > 0);
    const millis = await page.evaluate(
      ([name, done]) =>
        new Promise((resolve) => {
          const table = window.corvidTable;
          const begun = performance.now();
          const look = () => {
            const ready = done === "paused" ? !table.running && !table.busy : table.match.plies > 0;
            if (ready) resolve(performance.now() - begun);
            else setTimeout(look, 1);
          };
          [...document.querySelectorAll("#controls button")].find((b) => b.textContent === name).click();
          look();
        }),
      [name, done],
    );
    assert.ok(millis < 100, `${name} took ${millis} ms`);
    assert.equal(await plies(page), name === "Stop" ? 0 : 1);
  }
  await close();
});

test("a playable board is there within a second of a cold start", async () => {
  const { page, close } = await open(browser, server.origin);
  const millis = await page.evaluate(() => performance.getEntriesByName("playable")[0].startTime);
  assert.ok(millis < 1000, `${millis} ms`);
  await close();
});

test("an engine that does not load is told in a sentence", async () => {
  const { page, context } = await open(browser, server.origin, { path: "#rules" });
  await context.route("**/*.wasm", (route) => route.abort());
  await page.reload();
  await page.waitForFunction(() => document.querySelector("#message").textContent.includes("did not load"));
  await context.close();
});
