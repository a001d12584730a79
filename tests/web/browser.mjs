// The page in Chromium, for tests and pictures. Anything that goes wrong on the page fails the test.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { chromium } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Chromium's flags: no sandbox in a container, and no request of its own. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Serves the page that `cargo xtask web` has built. */
export async function serve() {
  const child = spawn("cargo", ["xtask", "web", "--serve-built"], {
    cwd: new URL("../..", import.meta.url),
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith("http://")) {
      return {
        origin: line,
        async stop() {
          // The group: cargo and the server that it started.
          process.kill(-child.pid);
          await once(child, "exit");
        },
      };
    }
  }
  throw new Error("`cargo xtask web --serve-built` printed no address");
}

/** Starts Chromium. */
export async function launch() {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((path) => existsSync(path));
  if (!executablePath) throw new Error("Chromium is missing: install it, or name it in CHROMIUM");
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Serves the page and starts Chromium for the tests of a file; both end after them. */
export async function setUp() {
  const server = await serve();
  after(() => server.stop());
  const browser = await launch();
  after(() => browser.close());
  return { server, browser };
}

/**
 * Opens the page. `close()` fails if there was an error on the page or a request to another origin.
 * @param {import("playwright-core").Browser} browser
 */
export async function open(browser, origin, { path = "", options = {}, serviceWorker = true } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  // Playwright's option `serviceWorkers` writes a warning to the console of the page.
  if (!serviceWorker) {
    await context.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined });
    });
  }
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error on the page: ${error.stack}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("blob:") && !url.startsWith("data:")) {
      faults.push(`a request to ${url}`);
    }
  });
  await page.goto(origin + path);
  await page.waitForFunction(() => document.documentElement.dataset.turn);
  const close = async () => {
    await context.close();
    if (faults.length > 0) throw new Error(faults.join("\n"));
  };
  return { page, context, faults, close };
}

/** Waits until a person is to move or the game is over, at this number of plies or later. */
export async function personsTurn(page, plies = 0) {
  await page.waitForFunction((least) => {
    const { turn, plies } = document.documentElement.dataset;
    return (turn === "over" || turn === "person") && Number(plies) >= least;
  }, plies);
  return page.evaluate(() => document.documentElement.dataset.turn);
}

/** Begins a match, without the pause between moves that people want. */
export async function begin(page, setup, seats, brain = { board: "lm3s6965evb" }, seed = 1) {
  await page.evaluate(
    ([setup, seats, brain, seed]) => {
      window.corvidTable.pace = 0;
      window.corvidTable.start(setup, seats, brain, seed);
    },
    [setup, seats, brain, seed],
  );
}

export const PERSON = { kind: "person" };
export const level = (level) => ({ kind: "level", level });

/** The legal moves, and the moves so far. */
export const legal = (page) => page.evaluate(() => window.corvidTable.match.legal());
export const moves = (page) => page.evaluate(() => window.corvidTable.match.moves);
export const plies = (page) => page.evaluate(() => window.corvidTable.match.plies);
