// The device on the page: a drawn board with its display, buttons, switch and serial console, and behind
// it the firmware in a worker.
import { BoardFacts, GameFacts, gameNames } from "../corvid.js";
import { make } from "../dom.js";
import { Buzzer } from "./buzzer.js";
import { SerialConsole } from "./console.js";
import { LOOKS, drawBoard, placeOn } from "./drawing.js";
import { pack, unpack } from "./saves.js";
import { Screen } from "./screen.js";

/** The keys in the worker's order. */
const KEYS = ["up", "down", "left", "right", "select"];
const SELECT = KEYS.indexOf("select");

/** The keyboard's keys, and those that hold select down. */
const KEYBOARD = {
  ArrowUp: 0, ArrowDown: 1, ArrowLeft: 2, ArrowRight: 3, Enter: SELECT, " ": SELECT,
};
const HELD = new Set(["m", "M", "Escape", "Backspace"]);

/** How long select is drawn as held for one of those, in ms; the worker times the press itself. */
const HOLD = 800;

/** How long a worker that thinks and can't be suspended has to answer, in ms. */
const PATIENCE = 250;

/** Keys of the storage. */
const BOARD_KEY = "device-board";
const flashKey = (board) => `device-flash-${board}`;

const MARKUP = `
  <section class="device-body">
    <div class="device-stage">
      <div class="device-board" role="application" tabindex="0">
        <div class="device-glass"></div>
      </div>
    </div>
    <p class="device-keys" id="device-keys">
      <span class="device-typed"><kbd>&larr;</kbd><kbd>&uarr;</kbd><kbd>&darr;</kbd><kbd>&rarr;</kbd>
        move</span>
      <span class="device-typed"><kbd>Enter</kbd> select</span>
      <span><span class="device-typed"><kbd>m</kbd> or </span>hold select: menu</span>
    </p>
    <p class="device-about">The device's own firmware runs here, with this board's memory and speed.</p>
    <p class="device-text" role="status"></p>
  </section>
  <section class="device-side">
    <div class="device-panel">
      <label class="device-choice">Board <select></select></label>
      <dl class="device-facts"></dl>
      <div class="device-controls">
        <button type="button" data-do="power">Switch off</button>
        <button type="button" data-do="cut"
          title="Pulls the plug at this instant and plugs it in again">Power cut</button>
        <button type="button" data-do="sound" aria-pressed="false">Sound</button>
        <button type="button" data-do="forget">Forget saved games&hellip;</button>
      </div>
      <div class="device-question" role="alertdialog" aria-label="Forget saved games" hidden>
        <p>Forget the games, settings and results that this device has saved? The game on it ends.</p>
        <button type="button" data-do="forget-yes">Forget them</button>
        <button type="button" data-do="forget-no">Keep them</button>
      </div>
      <p class="device-notice" role="status"></p>
    </div>
    <div class="device-console"></div>
  </section>`;

export class DevicePanel {
  #host;
  #module;
  #store;
  #say;
  #board;
  #facts;
  #screen;
  #console;
  #keys = [];
  #worker = null;
  #on = false;
  /** Ends the worker if it does not answer. */
  #patience;
  #buzzer = null;
  /** What the device has saved; the storage has the same unless it refuses. */
  #flash;
  #holding;

  /**
   * @param {HTMLElement} host
   * @param {object} options
   * @param {WebAssembly.Module} options.module the page's own, which must have been initialised
   * @param {string} [options.board] a board's name; without one the board that was chosen last
   * @param {{get(key: string): string | null, set(key: string, value: string): void}} options.store
   * @param {(text: string) => void} options.say tells the person a sentence
   */
  constructor(host, { module, board, store, say }) {
    this.#host = host;
    this.#module = module;
    this.#store = store;
    this.#say = say;
    host.classList.add("device");
    host.innerHTML = MARKUP;
    this.#console = new SerialConsole(this.#find(".device-console"), (bytes) => this.#sendSerial(bytes));
    this.#listen();
    const names = BoardFacts.names();
    const picker = this.#find("select");
    for (const name of names) picker.append(new Option(facts(name).title, name));
    const wanted = [board, store.get(BOARD_KEY)].find((name) => names.includes(name));
    this.#take(wanted ?? names[0]);
  }

  /** Ends the device; what it has saved is kept. */
  destroy() {
    this.#end();
    this.#buzzer?.close();
    this.#screen.destroy();
    this.#host.classList.remove("device");
    this.#host.replaceChildren();
  }

  #find(selector) {
    return this.#host.querySelector(selector);
  }

  #listen() {
    const board = this.#find(".device-board");
    board.addEventListener("keydown", (event) => this.#keyDown(event));
    board.addEventListener("keyup", (event) => {
      if (event.key in KEYBOARD) this.#press(KEYBOARD[event.key], false);
    });
    board.addEventListener("blur", () => KEYS.forEach((_, index) => this.#press(index, false)), true);
    this.#find("select").addEventListener("change", ({ target }) => this.#take(target.value));
    const actions = {
      power: () => {
        this.#notice("");
        if (this.#worker) this.#switchOff();
        else this.#switchOn();
      },
      cut: () => this.#cut(),
      sound: () => this.#toggleSound(),
      forget: () => this.#ask(true),
      "forget-yes": () => this.#forget(),
      "forget-no": () => this.#ask(false),
    };
    for (const [name, act] of Object.entries(actions)) {
      this.#find(`[data-do="${name}"]`).addEventListener("click", act);
    }
    this.#find(".device-question").addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#ask(false);
    });
  }

  /** Changes to a board and switches it on. */
  #take(name) {
    this.#end();
    this.#board = name;
    this.#facts = facts(name);
    this.#find("select").value = name;
    this.#notice("");
    this.#store.set(BOARD_KEY, name);
    const { flash, damage } = this.#load();
    this.#flash = flash;
    this.#draw();
    this.#tellFacts();
    this.#switchOn();
    if (damage) this.#notice(damage);
  }

  #draw() {
    const look = LOOKS[this.#board];
    const board = this.#find(".device-board");
    const glass = this.#find(".device-glass");
    this.#screen?.destroy();
    board.querySelectorAll(".device-picture, .device-key").forEach((old) => old.remove());
    board.prepend(drawBoard(look));
    board.dataset.board = this.#board;
    board.setAttribute("aria-label", `${this.#facts.title}: display and five buttons`);
    board.setAttribute("aria-describedby", "device-keys");
    placeOn(glass, look.glass);
    this.#screen = new Screen(glass, look.colors);
    this.#keys = look.keys.map((at, index) => this.#addKey(board, at, index));
  }

  #addKey(board, at, index) {
    const name = KEYS[index];
    const properties = { type: "button", className: "device-key", tabIndex: -1 };
    const key = make("button", { ...properties, dataset: { key: name }, aria: { label: name } });
    placeOn(key, at);
    key.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      key.setPointerCapture(event.pointerId);
      board.focus({ preventScroll: true });
      this.#press(index, true);
    });
    key.addEventListener("lostpointercapture", () => this.#press(index, false));
    key.addEventListener("contextmenu", (event) => event.preventDefault());
    // A screen reader clicks without a pointer.
    key.addEventListener("click", (event) => {
      if (event.detail !== 0 || event.pointerType) return;
      this.#press(index, true);
      this.#press(index, false);
    });
    board.append(key);
    return key;
  }

  #tellFacts() {
    const { clockMhz, memoryKb, game, speed, saves, sounds } = this.#facts;
    const rows = [
      ["Processor", `${clockMhz} MHz`],
      ["Search memory", `${memoryKb} KB`],
      [`Speed in ${game}`, `${Math.round(speed / 1000)},000 positions/s`],
      ["Saved games", saves ? "in this browser" : "not on this board"],
    ];
    this.#find(".device-facts").replaceChildren(
      ...rows.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
    );
    this.#find("[data-do=sound]").hidden = !sounds;
    this.#find("[data-do=forget]").hidden = !saves;
    this.#ask(false);
  }

  /* ---- power ---- */

  #switchOn() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => this.#worker === worker && this.#hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#fail("The device did not load: reload the page to try again.");
    });
    const seed = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
    const start = { module: this.#module, board: this.#board, flash: this.#flash, seed };
    worker.postMessage({ start });
    this.#showPower();
  }

  #switchOff() {
    this.#worker.postMessage({ off: true });
    this.#waitFor(() => this.#hear({ off: true }));
  }

  #cut() {
    if (!this.#worker) return;
    this.#console.note("power cut");
    this.#worker.postMessage({ cut: true });
    this.#waitFor(() => {
      this.#end();
      this.#switchOn();
    });
  }

  /** A browser that can't suspend a search hears nothing while the device thinks. */
  #waitFor(otherwise) {
    clearTimeout(this.#patience);
    this.#patience = setTimeout(otherwise, PATIENCE);
  }

  #end() {
    clearTimeout(this.#patience);
    clearTimeout(this.#holding);
    this.#worker?.terminate();
    this.#worker = null;
    this.#on = false;
    this.#keys.forEach((key) => delete key.dataset.down);
    this.#screen?.darken();
  }

  #fail(sentence) {
    this.#end();
    this.#showPower();
    this.#notice(sentence);
    this.#say(sentence);
  }

  #showPower() {
    const running = this.#worker !== null;
    this.#find(".device-board").classList.toggle("device-on", this.#on);
    this.#find("[data-do=power]").textContent = running ? "Switch off" : "Switch on";
    this.#find("[data-do=cut]").disabled = !running;
    if (!running) this.#find(".device-text").textContent = "The device is off.";
  }

  #hear(data) {
    if (data.frame) this.#screen.show(data.frame, data.brightness);
    if (data.serial) this.#console.receive(data.serial);
    if (data.tones) this.#buzzer?.play(data.tones);
    if (data.flash) this.#save(data.flash);
    if (data.text !== undefined) this.#find(".device-text").textContent = data.text;
    if (data.cut) clearTimeout(this.#patience);
    if (data.error) this.#fail(`The device has stopped by an error of its program: ${data.error}.`);
    if (data.on) {
      this.#on = true;
      this.#showPower();
    }
    if (data.off) {
      this.#end();
      this.#console.note("switched off");
      this.#showPower();
    }
  }

  /* ---- keys ---- */

  #keyDown(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (HELD.has(event.key)) {
      event.preventDefault();
      if (!event.repeat) this.#hold();
    } else if (event.key in KEYBOARD) {
      event.preventDefault();
      if (!event.repeat) this.#press(KEYBOARD[event.key], true);
    }
  }

  #press(index, down) {
    const key = this.#keys[index];
    if (down === "down" in key.dataset) return;
    if (down) key.dataset.down = "";
    else delete key.dataset.down;
    this.#worker?.postMessage({ key: { index, down } });
  }

  #hold() {
    const key = this.#keys[SELECT];
    if ("down" in key.dataset || !this.#worker) return;
    this.#worker.postMessage({ hold: SELECT });
    key.dataset.held = "";
    clearTimeout(this.#holding);
    this.#holding = setTimeout(() => delete key.dataset.held, HOLD);
  }

  /* ---- serial port ---- */

  #sendSerial(bytes) {
    if (this.#worker) this.#worker.postMessage({ serial: bytes });
    else this.#console.note("the device is off");
  }

  /* ---- sound ---- */

  #toggleSound() {
    const button = this.#find("[data-do=sound]");
    if (this.#buzzer) {
      this.#buzzer.close();
      this.#buzzer = null;
    } else {
      this.#buzzer = new Buzzer();
      this.#notice("Sound has to be on in the device's settings too: menu, Settings, Sound.");
    }
    button.setAttribute("aria-pressed", String(this.#buzzer !== null));
  }

  /* ---- saved games ---- */

  #load() {
    const text = this.#facts.saves ? this.#store.get(flashKey(this.#board)) : null;
    if (!text) return {};
    try {
      return { flash: unpack(text) };
    } catch {
      return { damage: "The device's saved games are damaged; it starts as a new one." };
    }
  }

  #save(flash) {
    this.#flash = flash;
    this.#store.set(flashKey(this.#board), pack(flash));
  }

  #ask(open) {
    const question = this.#find(".device-question");
    const forget = this.#find("[data-do=forget]");
    if (question.hidden === !open) return;
    question.hidden = !open;
    if (open) this.#find("[data-do=forget-no]").focus();
    else if (!forget.hidden) forget.focus();
  }

  #forget() {
    this.#ask(false);
    this.#end();
    this.#flash = undefined;
    this.#store.set(flashKey(this.#board), "");
    this.#console.note("a new device");
    this.#switchOn();
    this.#notice("Forgotten: this is a new device.");
  }

  #notice(text) {
    this.#find(".device-notice").textContent = text;
  }
}

/** What is told about a board; its speed is that of the first game. */
function facts(name) {
  const board = new BoardFacts(name);
  const { title, clockMhz, memoryKb, saves, sounds } = board;
  const [first] = gameNames();
  const game = new GameFacts(first);
  const facts = {
    title, clockMhz, memoryKb, saves, sounds, game: game.title, speed: board.speed(first),
  };
  game.free();
  board.free();
  return facts;
}
