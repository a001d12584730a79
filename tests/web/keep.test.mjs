// What must not be lost: games over a reload, over a visit without a network, and over bad input.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import {
  begin, legal, level, moves, open, PERSON, personsTurn, plies, serve, setUp,
} from "./browser.mjs";

const { server, browser } = await setUp();

async function playSome(page, count) {
  for (let made = 0; made < count; made++) {
    const before = await plies(page);
    const [move] = await legal(page);
    await page.click(`[data-move="${move}"]`);
    await personsTurn(page, before + 2);
  }
}

test("a reload in the middle of a game keeps it", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [PERSON, level(1)]);
  await playSome(page, 4);
  await page.click("text=Undo");
  const before = await moves(page);
  await page.reload();
  await personsTurn(page, before.length);
  assert.deepEqual(await moves(page), before);
  await page.click("text=Redo");
  assert.equal(await plies(page), before.length + 2, "what was taken back is kept too");
  await close();
});

test("another game waits while one is played", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [PERSON, level(1)]);
  await playSome(page, 2);
  const before = await moves(page);
  await page.click('[data-game="dots"]');
  await page.waitForFunction(() => window.corvidTable.match.plies === 0);
  await playSome(page, 1);
  await page.click('[data-game="othello"]');
  await personsTurn(page, before.length);
  assert.deepEqual(await moves(page), before);
  await close();
});

test("the page plays without a network after the first visit", async () => {
  const own = await serve();
  const { page, close } = await open(browser, own.origin);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await own.stop();
  await page.reload();
  await personsTurn(page);
  await begin(page, "adjacency 8 x", [PERSON, level(2)]);
  await playSome(page, 2);
  await close();
});

test("the page works from a sub-folder of any host, with or without a network", async () => {
  const types = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml" };
  const host = createServer(async ({ url }, answer) => {
    const path = new URL(url, "http://host").pathname;
    const file = path.replace(/^\/some\/folder\//, "") || "index.html";
    try {
      assert.notEqual(path, file, "only the folder is served");
      const body = await readFile(new URL(`../../target/page/${file}`, import.meta.url));
      answer.writeHead(200, { "Content-Type": types[file.split(".").at(-1)] ?? "application/octet-stream" }).end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  host.listen(0, "127.0.0.1");
  await once(host, "listening");
  const { page, close } = await open(browser, `http://127.0.0.1:${host.address().port}/some/folder/`);
  await begin(page, "othello", [PERSON, level(1)]);
  await playSome(page, 1);
  await page.evaluate(() => navigator.serviceWorker.ready);
  host.closeAllConnections();
  host.close();
  await page.reload();
  await personsTurn(page, 2);
  await playSome(page, 1);
  await close();
});

test("a browser that refuses storage plays, and says so", async () => {
  const { page, context, close } = await open(browser, server.origin);
  await context.addInitScript(() => {
    const refuse = () => {
      throw new DOMException("refused", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get: refuse });
  });
  await page.reload();
  await personsTurn(page);
  assert.match(await page.textContent("#message"), /refuses storage/);
  await begin(page, "othello", [PERSON, level(1)]);
  await playSome(page, 2);
  await close();
});

test("storage that is full is told once, and the game goes on", async () => {
  const { page, close } = await open(browser, server.origin);
  await page.evaluate(() => {
    let text = "x".repeat(1 << 22);
    for (let part = 0; text; part++) {
      try {
        localStorage.setItem(`filler ${part}`, text);
      } catch {
        text = text.slice(0, text.length >> 1);
      }
    }
  });
  await begin(page, "othello", [PERSON, level(1)]);
  assert.match(await page.textContent("#message"), /storage is full/);
  await playSome(page, 2);
  await close();
});

test("a damaged saved game is passed over with a sentence", async () => {
  const { page, close } = await open(browser, server.origin);
  await page.evaluate(() => {
    // The page keeps its game when it is left; this is what comes after that.
    const text = '{"setup":"othello","moves":["a1"],"made":1}';
    for (const area of [localStorage, sessionStorage]) area.setItem("corvid.table", text);
  });
  await page.reload();
  await personsTurn(page);
  assert.match(await page.textContent("#message"), /can't be read/);
  await close();
});

test("a damaged record is refused with its place, and the game stays", async () => {
  const { page, close } = await open(browser, server.origin);
  await begin(page, "othello", [PERSON, level(1)]);
  await playSome(page, 2);
  const before = await moves(page);
  await page.click("text=Record");
  const load = async (text) => {
    await page.fill("dialog[open] textarea:not([readonly])", text);
    await page.click("text=Load this game");
  };
  await load("corvid othello\n1. d3 c3\n2. a1");
  const dialog = page.locator("dialog[open]");
  assert.match(await dialog.textContent(), /move 3.*line 3|line 3.*move 3/i);
  assert.deepEqual(await moves(page), before);
  await load("corvid othello\n1. d3 c3\n2. c4");
  await page.waitForFunction(() => window.corvidTable.match.plies === 3);
  assert.deepEqual(await moves(page), ["d3", "c3", "c4"]);
  await close();
});
