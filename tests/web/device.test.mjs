// The device view: a whole game with its buttons, keys while it thinks, power cuts, its console.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open, setUp } from "./browser.mjs";

const { server, browser } = await setUp();

/** The device's page, with its keys and the text on its display. */
class Device {
  static async open(options = {}) {
    const opened = await open(browser, server.origin, { path: "#device", options });
    const device = Object.assign(new Device(), opened);
    await device.shows("five games");
    return device;
  }

  text() {
    return this.page.textContent(".device-text");
  }

  /** Waits until the display shows a text that a pattern fits. */
  async shows(pattern, timeout = 10_000) {
    const fits = (source) => new RegExp(source).test(document.querySelector(".device-text")?.textContent);
    try {
      await this.page.waitForFunction(fits, pattern, { timeout });
    } catch {
      assert.fail(`the display never shows '${pattern}', but '${await this.text()}'`);
    }
  }

  async click(key, times = 1) {
    for (let time = 0; time < times; time++) await this.page.click(`[data-key="${key}"]`);
  }

  /** Presses a key of the computer's keyboard. */
  async type(key, times = 1) {
    for (let time = 0; time < times; time++) await this.page.keyboard.press(key);
  }

  focus() {
    return this.page.locator(".device-board").focus();
  }

  /** Starts Dots and Boxes on 2x2 against level 1, with moves at once. */
  async startDots() {
    await this.click("select");
    await this.shows("New game");
    await this.click("up", 2);
    await this.click("select");
    await this.shows("Pace");
    await this.click("down", 2);
    await this.click("right");
    await this.shows("at once");
    await this.focus();
    await this.type("m");
    await this.shows("Watch");
    await this.type("ArrowDown", 2);
    await this.type("Enter");
    await this.shows("Othello");
    await this.type("ArrowRight", 2);
    await this.shows("Dots and Boxes");
    await this.type("ArrowDown", 2);
    await this.type("ArrowLeft", 2);
    await this.shows("level 1");
    await this.type("ArrowDown");
    await this.type("ArrowLeft", 3);
    await this.type("ArrowDown");
    await this.type("ArrowLeft", 3);
    await this.shows("> Columns  < 2 >");
    await this.type("ArrowDown", 2);
    await this.shows("> Start");
    await this.type("Enter");
    await this.shows("black begins|you");
  }

  /** Goes on with the saved game after a start. */
  async resume() {
    await this.shows("press a key");
    await this.focus();
    await this.type("Enter");
    await this.shows("> Resume");
    await this.type("Enter");
    await this.shows("you");
  }

  /** Asks for a hint and plays it. */
  async playHint() {
    await this.focus();
    await this.type("m");
    await this.shows("> Continue|game over");
    if (/game over/.test(await this.text())) return;
    await this.type("ArrowDown");
    await this.type("Enter");
    await this.shows("hint|game over");
    await this.type("Enter");
    await this.shows("^(?![^]*hint)");
  }
}

test("a game of Dots and Boxes on the device, with a power cut and a reload", async () => {
  const device = await Device.open();
  await device.startDots();
  for (let made = 0; !/game over/.test(await device.text()); made++) {
    assert.ok(made < 12, "the game never ends");
    await device.playHint();
    if (made === 1) {
      await device.page.click("[data-do=cut]");
      await device.resume();
    }
    if (made === 2) {
      await device.page.reload();
      await device.resume();
    }
  }
  await device.close();
});

/** Sends a line to the console. */
async function send(page, line) {
  await page.fill("#device form input", line);
  await page.keyboard.press("Enter");
}

const heard = (page, pattern) =>
  page.waitForFunction((source) => new RegExp(source).test(document.querySelector("[role=log]").textContent), pattern);

test("keys are answered while the device thinks, and Ctrl-C stops it", async () => {
  const device = await Device.open();
  const { page } = device;
  await send(page, "name");
  await heard(page, "= Corvid");
  await send(page, "time_settings 0 60 1");
  await send(page, "level 9");
  await send(page, "genmove b");
  await page.waitForTimeout(500);
  const answers = await page.evaluate(async () => {
    const canvas = document.querySelector("canvas");
    const board = document.querySelector(".device-board");
    board.focus();
    const times = [];
    for (const key of ["Enter", "ArrowDown", "ArrowDown", "ArrowUp"]) {
      const before = canvas.toDataURL();
      const begun = performance.now();
      for (const type of ["keydown", "keyup"]) board.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }));
      while (canvas.toDataURL() === before && performance.now() - begun < 2000) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      times.push(performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return times;
  });
  assert.ok(answers.every((millis) => millis < 100), `keys took ${answers.map(Math.round)} ms`);
  await page.click("[data-do=stop]");
  await heard(page, "stopped");
  await device.close();
});

test("the device is switched off and on, and another board is chosen", async () => {
  const device = await Device.open();
  const { page } = device;
  await page.click("[data-do=power]");
  await page.waitForFunction(() => !document.querySelector(".device-on"));
  await page.click("[data-do=power]");
  await device.shows("five games");
  await page.selectOption(".device-view select", { label: "TI LM3S6965EVB" });
  await device.shows("five games");
  await send(page, "capabilities");
  await heard(page, "lm3s6965evb");
  await device.close();
});
