// What a program can check of accessibility: names, roles, contrast (WCAG 2.1 AA), in every game and theme,
// and that nothing is wider than a narrow screen.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { begin, level, open, PERSON, setUp } from "./browser.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
const GAMES = ["othello", "adjacency", "dots", "blokus-duo", "blokus-classic"];

const { server, browser } = await setUp();

async function faultsOf(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((rules) => window.axe.run(document, { runOnly: rules }), RULES);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0].html} ${nodes[0].failureSummary}`);
}

/** A game in its middle, with a person to move and everything unfolded. */
async function middle(page, setup) {
  await begin(page, setup, Array(4).fill(level(2)));
  await page.waitForFunction(() => window.corvidTable.match.plies >= 12);
  await page.evaluate((person) => {
    const table = window.corvidTable;
    table.stop();
    table.goTo(12);
    table.setSeat(table.match.seatOf(table.match.turn), person);
    for (const folded of document.querySelectorAll("details")) folded.open = true;
  }, PERSON);
}

for (const colorScheme of ["light", "dark"]) {
  for (const setup of GAMES) {
    test(`${setup}, ${colorScheme}`, async () => {
      const options = { colorScheme, reducedMotion: "reduce" };
      const { page, close } = await open(browser, server.origin, { options });
      await middle(page, setup);
      await page.click("text=Show values of moves");
      await page.waitForTimeout(1000);
      assert.deepEqual(await faultsOf(page), []);
      await close();
    });
  }
}

for (const colorScheme of ["light", "dark"]) {
  test(`the device, ${colorScheme}`, async () => {
    const { page, close } = await open(browser, server.origin, { path: "#device", options: { colorScheme } });
    await page.waitForSelector(".device-on");
    assert.deepEqual(await faultsOf(page), []);
    await close();
  });
}

test("every game fits a screen of 320 px", async () => {
  const options = { viewport: { width: 320, height: 640 }, reducedMotion: "reduce" };
  const { page, close } = await open(browser, server.origin, { options });
  for (const setup of GAMES) {
    await middle(page, setup);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, setup);
  }
  await page.evaluate(() => (location.hash = "#device"));
  await page.waitForSelector(".device-on");
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320, "the device");
  await close();
});

test("a screen reader hears squares, owners and what is legal", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [PERSON, level(1)]);
  const label = (move) => page.getAttribute(`[data-move="${move}"]`, "aria-label");
  assert.equal(await label("d3"), "d3, legal");
  assert.equal(await label("d4"), "d4, white");
  assert.equal(await label("a1"), "a1, empty");
  await close();
});
