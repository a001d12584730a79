// The page with a connected board, in Chromium. The port is simulated behind the interface of Web
// Serial; the board at its other end is `corvid sim`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { legal, setUp } from "./browser.mjs";
import { SimulatedBoard } from "./simulated-board.mjs";
import { giveSerial } from "./simulated-serial.mjs";

const { server, browser } = await setUp();

const UNPLUGGED = "The board was unplugged. The game is kept: plug it in and connect again.";

/** Opens the page with a board beside it, and closes both in the end. */
async function withBoard({ speed = 20, ...look }, act) {
  const board = await SimulatedBoard.on({ speed });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  try {
    const serial = await giveSerial(page, board);
    await page.goto(server.origin);
    await showPanel(page);
    await act({ page, board, serial });
    assert.deepEqual(errors, [], "no errors on the page");
  } finally {
    await context.close();
    await board.off();
  }
}

/** Waits for the panel, and unfolds it. */
async function showPanel(page) {
  await page.waitForFunction(() => document.documentElement.dataset.plies !== undefined);
  await page.waitForSelector("[data-hardware]", { state: "attached" });
  await page.evaluate(() => {
    for (let at = document.querySelector("[data-hardware]"); at; at = at.parentElement) {
      if (at instanceof HTMLDetailsElement) at.open = true;
    }
  });
}

function press(page, name) {
  return page.locator("[data-hardware]").getByRole("button", { name, exact: true }).click();
}

/** Waits until the panel says something. */
function says(page, text) {
  const wanted = (part) => document.querySelector(".hardware-status").textContent.includes(part);
  return page.waitForFunction(wanted, text, { timeout: 15_000 });
}

/** Waits until a person may move after at least so many moves, or the game is over. */
function waitForPerson(page, plies) {
  const ready = (least) => {
    const { turn, plies: now } = document.documentElement.dataset;
    return turn === "over" || (turn === "person" && Number(now) >= least);
  };
  return page.waitForFunction(ready, plies, { timeout: 20_000 });
}

/** Waits until so many moves are made. */
function waitForPlies(page, plies) {
  const made = (least) => Number(document.documentElement.dataset.plies) >= least;
  return page.waitForFunction(made, plies, { timeout: 30_000 });
}

async function pliesOf(page) {
  return Number(await page.evaluate(() => document.documentElement.dataset.plies));
}

/** Clicks a legal move, and waits for the answer. */
async function clickFirst(page) {
  const [move] = await legal(page);
  await page.click(`[data-move="${move}"]`);
}

async function clickMove(page) {
  const plies = await pliesOf(page);
  await clickFirst(page);
  await waitForPlies(page, plies + 1);
  await waitForPerson(page, plies + 1);
}

/** Whether the board has so many moves, asked past the page. */
async function boardHas(page, serial, plies) {
  await page.evaluate(() => {
    if (window.heardBytes) return;
    const { hear } = window.simulatedSerial;
    window.heardBytes = "";
    window.simulatedSerial.hear = (bytes) => {
      window.heardBytes += String.fromCharCode(...bytes);
      return hear(bytes);
    };
  });
  for (let tries = 0; tries < 50; tries++) {
    await serial.line("stats");
    await page.waitForTimeout(50);
    const text = await page.evaluate(() => window.heardBytes);
    const [, count] = [...text.matchAll(/^plies (\d+)$/gm)].at(-1) ?? [];
    if (Number(count) === plies) return;
  }
  assert.fail(`the board never has ${plies} moves`);
}

test("connects, plays by clicks, loses the cable while the board thinks, and goes on", async () => {
  await withBoard({ speed: 1 }, async ({ page, serial }) => {
    await press(page, "Connect a board");
    await says(page, "Connected: pico");
    assert.equal(await serial.get("baudRate"), 115_200);
    assert.deepEqual((await serial.get("filters"))[0], { usbVendorId: 0x1209, usbProductId: 1 });
    await page.getByLabel("The board plays").selectOption("1");
    await press(page, "Play against the board");
    for (let count = 0; count < 4; count++) await clickMove(page);
    await boardHas(page, serial, await pliesOf(page));

    // Answers without a number are nobody's.
    await serial.line("time_settings 0 600 1");
    await page.getByLabel("The board plays").selectOption("9");
    const plies = await pliesOf(page);
    await clickFirst(page);
    await page.waitForTimeout(700);
    assert.equal(await pliesOf(page), plies + 1, "the board thinks");
    await serial.unplug();
    await says(page, UNPLUGGED);
    assert.equal(await pliesOf(page), plies + 1, "the game is kept");
    await page.waitForTimeout(300);

    await page.getByLabel("The board plays").selectOption("1", { force: true });
    await serial.plug();
    await says(page, "Connected: pico");
    await waitForPerson(page, plies + 2);
    for (let count = 0; count < 2; count++) await clickMove(page);
    await boardHas(page, serial, await pliesOf(page));

    await press(page, "Disconnect");
    await page.getByRole("button", { name: "Connect a board" }).waitFor();
    await page.waitForFunction(() => window.simulatedSerial.port.readable === null);
  });
});

test("the board and the page's own engine play each other", async () => {
  await withBoard({}, async ({ page, serial }) => {
    await press(page, "Connect a board");
    await says(page, "Connected: pico");
    await page.getByLabel("The board plays").selectOption("2");
    await page.getByLabel("This computer plays").selectOption("1");
    await press(page, "Board against this computer");
    await waitForPlies(page, 10);
    assert.ok(await page.evaluate(() => document.documentElement.dataset.turn !== "person"));
    await serial.unplug();
    await says(page, UNPLUGGED);
    await serial.plug();
    await says(page, "Connected: pico");
    await waitForPlies(page, (await pliesOf(page)) + 6);
  });
});

test("a game that was begun on the board is kept, and can go on on the page", async () => {
  await withBoard({}, async ({ page, serial }) => {
    for (const line of ["new dots 3x3", "play b 0,0-0,1", "play w 1,0-1,1"]) await serial.line(line);
    await press(page, "Connect a board");
    await says(page, "The board has another game: dots 3x3, 2 moves. Which one is to go on?");
    await press(page, "Continue the board's game");
    await waitForPlies(page, 2);
    await says(page, "Connected: pico");
    await waitForPerson(page, 2);
    await clickMove(page);
    await boardHas(page, serial, await pliesOf(page));
  });
});

test("every way not to get a board is told in a sentence, and the page still plays", async () => {
  await withBoard({}, async ({ page, serial }) => {
    const meet = async (values, text) => {
      await serial.set({ busy: false, refuses: null, ...values });
      await press(page, "Connect a board");
      await says(page, text);
    };
    await meet({ refuses: "NotFoundError" }, "No port was chosen.");
    await meet({ refuses: "SecurityError" }, "the permission was refused.");
    await meet({ busy: true }, "The port can't be opened: another program or tab has it.");
    await clickMove(page);
    await serial.set({ busy: false, refuses: null });
    await press(page, "Another port");
    await says(page, "Connected: pico");
    assert.equal(await serial.get("filters"), undefined, "all ports");
  });

  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => Object.defineProperty(navigator, "serial", { value: undefined }));
  await page.goto(server.origin);
  await showPanel(page);
  await says(page, "This browser has no Web Serial: Chrome and Edge have it.");
  assert.equal(await page.getByRole("button", { name: "Connect a board" }).count(), 0);
  await context.close();
});
