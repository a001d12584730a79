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
