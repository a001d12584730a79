// Prints the moves of a game that the page plays against itself: `node same.mjs SETUP SEAT BOARD SEED`.
// A seat is `level 3` or `nodes 500`.

import { begin, launch, moves, open, serve } from "./browser.mjs";

const [setup, who, board, seed] = process.argv.slice(2);
const [kind, value] = who.split(" ");
const seat = kind === "level" ? { kind, level: Number(value) } : { kind, nodes: Number(value) };

const server = await serve();
const browser = await launch();
const { page, close } = await open(browser, server.origin);
await begin(page, setup, [seat, seat, seat, seat].slice(0, setup.startsWith("blokus-classic") ? 4 : 2), { board }, Number(seed));
await page.waitForFunction(() => document.documentElement.dataset.turn === "over", null, { timeout: 300_000 });
console.log((await moves(page)).join(" "));
await close();
await browser.close();
await server.stop();
