// What goes wrong around a game: an engine that fails, damaged storage, careless input.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, level, moves, open, PERSON, personsTurn, plies, setUp } from "./browser.mjs";

const { server, browser } = await setUp();

const message = (page) => page.textContent("#message");

/** Has engines start with more memory than there is, or no longer. */
const starve = (page, hungry) => page.evaluate((hungry) => {
  const { prototype } = Worker;
  window.postAsBefore ??= prototype.postMessage;
  const post = window.postAsBefore;
  prototype.postMessage = function (data, ...more) {
    const starved = hungry && data.module ? { ...data, board: undefined, memory: 4_000_000 } : data;
    return post.call(this, starved, ...more);
  };
}, hungry);

test("an engine that failed before it was asked is started again", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [PERSON, level(1)]);
  await page.evaluate(() => {
    const { engine } = window.corvidTable;
    engine.worker.terminate();
    engine.worker.dispatchEvent(new ErrorEvent("error", { cancelable: true }));
    window.corvidTable.play("d3");
  });
  await personsTurn(page, 2);
  await close();
});

test("an engine without memory is told, and the game goes on when there is some", async () => {
  const { page, close } = await open(browser, server.origin);
  await starve(page, true);
  await begin(page, "othello", [level(1), PERSON]);
  await page.waitForFunction(() => !window.corvidTable.running);
  assert.match(await message(page), /^The engine has failed/);
  await starve(page, false);
  await page.click("text=Continue");
  await personsTurn(page, 1);
  await close();
});

test("a hint that fails is told", async () => {
  const { page, close } = await open(browser, server.origin);
  await starve(page, true);
  await begin(page, "othello", [PERSON, PERSON]);
  await page.click("text=Hint");
  // Until then it advises.
  await page.waitForFunction(() => {
    return document.querySelector("#message").textContent.startsWith("The engine has failed");
  });
  assert.equal(await page.isEnabled("text=Hint"), true);
  await close();
});

test("a computer that has to move before it has found a move does so nevertheless", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [level(1), PERSON]);
  await personsTurn(page, 1);
  await page.evaluate(() => {
    const table = window.corvidTable;
    table.start("othello", table.seats, table.brain, 1);
    // As one that is still being loaded.
    table.engine.worker.terminate();
    table.moveNow();
  });
  await personsTurn(page, 1);
  await close();
});

test("a damaged shelf neither keeps a person from another game nor loses this one", async () => {
  const { page, close } = await open(browser, server.origin, { path: "#othello" });
  for (const damaged of ['"abc"', "1", "[]", "null", "{"]) {
    await begin(page, "othello", [PERSON, PERSON]);
    await page.evaluate((text) => {
      localStorage.setItem("corvid.shelf", text);
      window.corvidTable.play("d3");
    }, damaged);
    await page.click('[data-game="dots"]');
    await page.waitForFunction(() => window.corvidTable.match.name === "dots");
    await page.click('[data-game="othello"]');
    await page.waitForFunction(() => window.corvidTable.match.name === "othello");
    assert.deepEqual(await moves(page), ["d3"], damaged);
  }
  await close();
});

test("a record of another game is kept over a reload, and the old game is a click away", async () => {
  const { page, close } = await open(browser, server.origin, { path: "#othello" });
  await page.click("text=Record");
  await page.fill("dialog.records textarea:not([readonly])", "corvid dots 5x5\n1. 0,0-0,1\n");
  await page.click("text=Load this game");
  await page.reload();
  await page.waitForFunction(() => window.corvidTable);
  assert.equal(await page.evaluate(() => window.corvidTable.match.name), "dots");
  assert.equal(await plies(page), 1);
  await page.click('[data-game="othello"]');
  await page.waitForFunction(() => window.corvidTable.match.name === "othello");
  await close();
});

test("a bad seed is shown where it stands", async () => {
  const { page, close } = await open(browser, server.origin);
  await page.click("text=New game");
  await page.click("#new-game summary");
  await page.fill("#seed", "abc");
  await page.click("#new-game summary");
  await page.click("#start");
  assert.equal(await page.isVisible("#seed"), true);
  await page.fill("#seed", "12");
  await page.click("#start");
  assert.equal(await page.evaluate(() => window.corvidTable.seed), 12);
  await close();
});

test("the options of one game are not those of another", async () => {
  const { page, close } = await open(browser, server.origin, { path: "#dots" });
  const usual = await chosen(page, "blokus-classic");
  await page.click('[data-game="dots"]');
  await page.click("text=New game");
  await page.selectOption("#field-0", { index: 1 });
  await page.click("#start");
  assert.deepEqual(await chosen(page, "blokus-classic"), usual);
  await close();
});

test("the device's view tells what is wrong, and keys there leave the game alone", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [PERSON, PERSON]);
  await page.evaluate(() => {
    window.corvidTable.play("d3");
    localStorage.setItem("corvid.device-flash-pico", "0:???");
    location.hash = "#device";
  });
  await page.waitForSelector(".device-on");
  assert.match(await page.textContent(".device-notice"), /damaged/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Control+z");
  assert.equal(await plies(page), 1);
  await close();
});

/** What the form for a new game offers. */
async function chosen(page, game) {
  await page.click(`[data-game="${game}"]`);
  await page.waitForFunction((name) => window.corvidTable.match.name === name, game);
  await page.click("text=New game");
  const selects = "#new-game .fields:first-of-type select";
  const values = await page.$$eval(selects, (all) => all.map((each) => each.value));
  await page.click("text=Cancel");
  return values;
}
