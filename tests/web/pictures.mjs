// Takes the pictures of docs/web.md: every game in both themes and two sizes, and the device. The games are
// the same every time.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch, level, open, PERSON, serve } from "./browser.mjs";

const FOLDER = fileURLToPath(new URL("../../docs/web/", import.meta.url));

/** The game, who plays it before the picture, how many moves, and what is shown. */
const GAMES = [
  { name: "othello", setup: "othello", strength: 5, plies: 24, values: true },
  { name: "adjacency", setup: "adjacency 28 x", strength: 4, plies: 26 },
  { name: "dots", setup: "dots 5x5", strength: 4, plies: 34 },
  { name: "blokus-duo", setup: "blokus-duo own", strength: 5, plies: 16, piece: 5 },
  { name: "blokus-classic", setup: "blokus-classic 4", strength: 3, plies: 36, piece: 4 },
];

const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 360, height: 740 } };

const server = await serve();
const browser = await launch();
await mkdir(FOLDER, { recursive: true });

async function takeGame({ name, setup, strength, plies, values, piece }, size, colorScheme) {
  const options = { viewport: SIZES[size], colorScheme, reducedMotion: "reduce" };
  const { page, close } = await open(browser, server.origin, { options });
  await page.evaluate(
    ([setup, computer]) => {
      window.corvidTable.pace = 0;
      window.corvidTable.start(setup, Array(4).fill(computer), { board: "pico" }, 1);
    },
    [setup, level(strength)],
  );
  await page.waitForFunction((plies) => window.corvidTable.match.plies >= plies, plies, { timeout: 120_000 });
  await page.evaluate(
    ([plies, person]) => {
      const table = window.corvidTable;
      table.stop();
      table.goTo(plies);
      table.setSeat(table.match.seatOf(table.match.turn), person);
    },
    [plies, PERSON],
  );
  if (values) await page.click("text=Show values of moves");
  if (piece !== undefined) await page.click(`[data-piece="${piece}"]`);
  await settle(page);
  await page.screenshot({ path: `${FOLDER}${name}-${size}-${colorScheme}.png` });
  await close();
}

/** The device in the middle of a game, with something said on its console. */
async function takeDevice(size, colorScheme) {
  const options = { viewport: SIZES[size], colorScheme };
  const { page, close } = await open(browser, server.origin, { path: "#device", options });
  const send = async (line) => {
    await page.fill("#device form input", line);
    await page.keyboard.press("Enter");
    await page.waitForTimeout(400);
  };
  await page.waitForSelector(".device-on");
  await page.waitForTimeout(1500);
  await page.locator(".device-board").focus();
  // New game, as the form proposes it: Start is above the first row.
  for (const key of ["Enter", "Enter", "ArrowUp", "Enter"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(700);
  }
  for (const line of ["play b d3", "stats", "showboard"]) await send(line);
  await settle(page);
  await page.screenshot({ path: `${FOLDER}device-${size}-${colorScheme}.png` });
  await close();
}

/** Waits until nothing is being thought about. */
async function settle(page) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(4000);
}

for (const game of GAMES) {
  for (const size of Object.keys(SIZES)) {
    for (const colorScheme of ["light", "dark"]) await takeGame(game, size, colorScheme);
  }
  console.log(game.name);
}
for (const size of Object.keys(SIZES)) {
  for (const colorScheme of ["light", "dark"]) await takeDevice(size, colorScheme);
}
console.log("device");
await browser.close();
await server.stop();
