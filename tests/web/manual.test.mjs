// The manual: found from the page, whole, readable on a phone, and there without a network.

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { open, personsTurn, serve, setUp } from "./browser.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FOLDER = new URL("../../target/page/", import.meta.url);
const HTML = await readFile(new URL("manual.html", FOLDER), "utf8");
const STOPPED = "-stopped";

const { server, browser } = await setUp();

test("every address on it is a file of the page or a place in the manual", () => {
  const places = HTML.match(/(?<= id=")[^"]*/g);
  assert.equal(new Set(places).size, places.length, "no name is there twice");
  const addresses = HTML.match(/(?<= (?:href|src)=")[^"]*/g);
  assert.ok(addresses.length > 80);
  for (const address of addresses) {
    const [file, place] = address.split("#");
    assert.ok(existsSync(new URL(file === "./" ? "index.html" : file, FOLDER)), address);
    if (file === "" && place !== undefined) assert.ok(places.includes(place), address);
  }
});

test("it opens from the page, its links lead to their places, and back", async () => {
  const { page, close } = await open(browser, server.origin);
  await page.click("text=Manual");
  await page.waitForURL("**/manual.html");
  assert.equal(await page.textContent("h1"), "Manual");
  await page.click("text=Blokus Classic >> nth=0");
  assert.equal(await page.evaluate(() => document.querySelector(":target").textContent), "Blokus Classic");
  await page.goto(`${server.origin}manual.html#${STOPPED}`);
  assert.equal(await page.evaluate(() => document.querySelector(":target").textContent), "? stopped");
  const pictures = await page.$$eval("img", (all) => all.map(({ naturalWidth, alt, src }) => ({ naturalWidth, alt, src })));
  for (const { naturalWidth, alt, src } of pictures) {
    assert.ok(naturalWidth > 0, src);
    assert.ok(alt || src.endsWith("icon.svg"), src);
  }
  await page.click("text=Back to the games");
  await personsTurn(page);
  await close();
});

test("it is read without JavaScript, and fits a phone", async () => {
  const options = { javaScriptEnabled: false, viewport: { width: 360, height: 740 } };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${server.origin}manual.html`);
  assert.equal(await page.textContent("h1"), "Manual");
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width} px`);
  }
  await context.close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`a screen reader finds its way, and the contrast suffices, ${colorScheme}`, async () => {
    // The other theme than the system's, as it was chosen on the page.
    const options = { colorScheme: colorScheme === "dark" ? "light" : "dark", viewport: { width: 360, height: 740 } };
    const { page, close } = await open(browser, server.origin, { options });
    await page.evaluate((theme) => localStorage.setItem("corvid.theme", theme), colorScheme);
    await page.click("text=Manual");
    await page.waitForURL("**/manual.html");
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), colorScheme);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => window.axe.run(document));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
    await close();
  });
}

test("it is not loaded with the page; without a network it says so, and is there after one visit", async () => {
  const own = await serve();
  const { page, context, close } = await open(browser, own.origin);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const kept = () => page.evaluate(async () => {
    const [name] = await caches.keys();
    const requests = await (await caches.open(name)).keys();
    return requests.filter(({ url }) => url.includes("manual")).length;
  });
  assert.equal(await kept(), 0);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await context.setOffline(true);
  await page.goto(`${own.origin}manual.html`);
  assert.equal(await page.textContent("h1"), "The manual is not here yet");
  await context.setOffline(false);
  await page.reload();
  assert.equal(await page.textContent("h1"), "Manual");
  assert.ok((await kept()) > 10);
  await own.stop();
  await page.goto(`${own.origin}manual.html#${STOPPED}`);
  await page.reload();
  const widths = await page.$$eval("img", (all) => all.map(({ naturalWidth }) => naturalWidth));
  assert.ok(widths.every((width) => width > 0));
  await page.click("text=Back to the games");
  await personsTurn(page);
  await close();
});

/** As xtask/src/web.rs computes it. */
const checksum = (text) => Buffer.from(text)
  .reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), 0x811c9dc5 | 0) >>> 0;

/** Loads the page and the manual from a sub-folder, and then the page of a new release, changed further. */
async function renewed(change) {
  const types = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml" };
  const newer = new Map();
  const host = createServer(async ({ url }, answer) => {
    const file = new URL(url, "http://host").pathname.replace("/some/folder/", "") || "index.html";
    const body = newer.get(file) ?? (await readFile(new URL(file, FOLDER)).catch(() => null));
    const type = types[file.split(".").at(-1)] ?? "application/octet-stream";
    answer.writeHead(body ? 200 : 404, { "Content-Type": type }).end(body);
  });
  host.listen(0, "127.0.0.1");
  await once(host, "listening");
  const origin = `http://127.0.0.1:${host.address().port}/some/folder/`;
  const { page, close } = await open(browser, origin);
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.click("text=Manual");
  await page.waitForURL("**/manual.html");
  newer.set("manual.html", HTML.replace(">Manual</a></h1>", ">New manual</a></h1>"));
  const worker = await readFile(new URL("sw.js", FOLDER), "utf8");
  const renamed = worker.replace(/(?<=RELEASE = ")[^"]*/, "newer");
  newer.set("sw.js", change(renamed.replace(/(?<="manual.html":)\d+/, checksum(newer.get("manual.html")))));
  await page.goto(origin);
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    while (!registration.waiting) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  await page.reload();
  await personsTurn(page);
  // It has taken over, and removes what the old release has kept: before that it answers nobody.
  await page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.ready;
    return !registration.waiting && registration.active.state === "activated";
  });
  host.closeAllConnections();
  host.close();
  await page.goto(`${origin}manual.html`);
  return { title: await page.textContent("h1"), close };
}

test("a new release brings its manual along for those who have read it, from a sub-folder too", async () => {
  const { title, close } = await renewed((worker) => worker);
  assert.equal(title, "New manual");
  await close();
});

test("a new release that is slow to take over does so during the same reload", async () => {
  const skip = "self.skipWaiting()";
  const { title, close } = await renewed((worker) => {
    assert.ok(worker.includes(skip));
    return worker.replace(skip, `new Promise((resolve) => setTimeout(resolve, 500)).then(() => ${skip})`);
  });
  assert.equal(title, "New manual");
  await close();
});
