// Prints the moves of games that the page plays against itself, a line each:
// `node same.mjs BOARD SEED (SETUP NODES)...`.

import { begin, launch, moves, open, serve } from "./browser.mjs";

const [board, seed, ...games] = process.argv.slice(2);
const server = await serve();
const browser = await launch();
try {
  const { page, close } = await open(browser, server.origin);
  for (let place = 0; place < games.length; place += 2) {
    const seat = { kind: "nodes", nodes: Number(games[place + 1]) };
    await begin(page, games[place], [seat, seat, seat, seat], { board }, Number(seed));
    await page.waitForFunction(() => document.documentElement.dataset.turn === "over", null, { timeout: 120_000 });
    console.log((await moves(page)).join(" "));
  }
  await close();
} finally {
  await browser.close();
  await server.stop();
}
