// Keeps the page for use without a network. `cargo xtask web` fills in the release, and the files with
// their checksums.
//
// A cache has the files of one release, verified by their checksums, so that a page never gets files
// of two releases, not even from a server that is being updated. A new release waits until no page
// needs the old one: until the last one is closed or reloaded.
const RELEASE = "__RELEASE__";
const FILES = __FILES__;

/** The folder that is served. Other pages of the same host have caches too. */
const SCOPE = self.registration.scope;
const PREFIX = `corvid ${SCOPE} `;
const CACHE = PREFIX + RELEASE;

/** How long a page may take to say whether it is leaving, in milliseconds. */
const PATIENCE = 1000;

/** What is seen, if at all, until the browser asks again. */
const INTERLUDE = "<!doctype html><title>Corvid</title><link rel=icon href=icon.svg>"
  + "<a href=./>Corvid has a new version</a>";

/** The pages that see it, by their names as clients: they need no release, and can't say that they leave. */
const interludes = new Set();

/** How often it is shown at most: a new release that takes long to take over waits after all. */
const INTERLUDES = 50;

/** What is seen without a network by somebody who has never opened the manual. */
const NO_MANUAL = "<!doctype html><html lang=en><meta charset=utf-8><title>Manual – Corvid</title>"
  + "<meta name=viewport content='width=device-width'><link rel=icon href=icon.svg>"
  + "<link rel=stylesheet href=style.css><main class=device-view>"
  + "<h1>The manual is not here yet</h1><p>It comes from the network when you open it for the first time, "
  + "and is kept from then on. Connect to the network and reload.<p><a href=./>Back to the games</a></main>";

/** The page itself is known by its folder: some servers redirect from its name. */
const PAGE = "index.html";
const addressOf = (file) => new URL(file === PAGE ? "./" : file, SCOPE).href;
const fileAt = (url) => new URL(url).pathname.slice(new URL(SCOPE).pathname.length) || PAGE;

/** The manual and what only it uses are kept when they are opened, as xtask/src/web/manual.rs counts. */
const MANUAL = "manual.html";
const isOfManual = (file) => file.startsWith("manual");

/** The checksum of a file as xtask/src/web.rs computes it: FNV-1a, 32 bits. */
function checksum(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}

/** Fetches a file of this release and puts it in the cache. */
async function take(file) {
  const address = addressOf(file);
  const response = await fetch(address, { cache: "no-cache", credentials: "same-origin" });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const bytes = await response.arrayBuffer();
  if (checksum(new Uint8Array(bytes)) !== FILES[file]) throw new Error(`${file} is of another release`);
  // A new response, since a browser takes none that was redirected for a page.
  const type = response.headers.get("Content-Type");
  const kept = new Response(bytes, { headers: type ? { "Content-Type": type } : {} });
  const cache = await caches.open(CACHE);
  await cache.put(address, kept.clone());
  return kept;
}

/** A file of this release; from the server if the browser has cleared the cache. */
async function answer(file) {
  const cache = await caches.open(CACHE);
  return (await cache.match(addressOf(file))) ?? take(file);
}

/** A file of the manual. While a server is updated, it is read as it is there and not kept. */
async function answerManual(file, request) {
  try {
    return await answer(file).catch(() => fetch(request));
  } catch (error) {
    if (request.mode !== "navigate") throw error;
    return new Response(NO_MANUAL, { headers: { "Content-Type": "text/html" } });
  }
}

/** Whether a page is being closed or reloaded; one that doesn't answer stays. */
function isLeaving(client) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data === true);
    setTimeout(() => resolve(false), PATIENCE);
    client.postMessage({ isLeaving: true }, [port2]);
  });
}

/**
 * The page. If a new release waits and no page that stays needs the old one, it takes over first, and
 * the browser asks again. Left alone it would wait until all pages are closed: while a page is
 * reloaded, the old one is still there.
 */
async function answerPage(client) {
  const { waiting } = self.registration;
  if (waiting && interludes.size < INTERLUDES) {
    const pages = await self.clients.matchAll({ type: "window" });
    // The manual has all that it needs.
    const playing = pages.filter(({ id, url }) => !interludes.has(id) && !isOfManual(fileAt(url)));
    const leaving = await Promise.all(playing.map(isLeaving));
    if (leaving.every(Boolean)) {
      waiting.postMessage({ takeOver: true });
      interludes.add(client);
      // To the folder: with a fragment, as in #othello, the browser would scroll instead of asking.
      // After a second: a request that comes while the workers change places may get no answer.
      const headers = { "Content-Type": "text/html", Refresh: "1; url=./" };
      return new Response(INTERLUDE, { headers });
    }
  }
  return answer(PAGE);
}

/** All files or none; those of the manual only if an earlier release has kept it. */
async function takeAll() {
  const isKept = await caches.match(addressOf(MANUAL));
  const files = Object.keys(FILES).filter((file) => isKept || !isOfManual(file));
  const taken = await Promise.allSettled(files.map(take));
  const failed = taken.find(({ status }) => status === "rejected");
  if (!failed) return;
  await caches.delete(CACHE);
  throw failed.reason;
}

async function removeOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

self.addEventListener("install", (event) => {
  event.waitUntil(takeAll());
});

self.addEventListener("activate", (event) => event.waitUntil(removeOthers()));

self.addEventListener("message", (event) => {
  if (event.data?.takeOver) event.waitUntil(self.skipWaiting());
  // A page of the first visit, or after a forced reload, came from the server.
  if (event.data?.join === RELEASE) event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(SCOPE)) return;
  const file = fileAt(request.url);
  if (!Object.hasOwn(FILES, file)) return;
  if (isOfManual(file)) event.respondWith(answerManual(file, request));
  else event.respondWith(file === PAGE && request.mode === "navigate" ? answerPage(event.resultingClientId) : answer(file));
});
