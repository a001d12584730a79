// navigator.serial as the page sees it, with a simulated board at the other end. It does what Chromium's
// does where a page can tell: locked streams can't be closed, an unplugged port's streams fail.

/** Runs in the page before its own scripts. */
function replaceSerial() {
  const lost = () => new DOMException("The device has been lost.", "NetworkError");
  class Port {
    readable = null;
    writable = null;
    connected = true;
    getInfo() {
      return { usbVendorId: 0x1209, usbProductId: 1 };
    }
    async open({ baudRate }) {
      if (this.readable) throw new DOMException("The port is already open.", "InvalidStateError");
      if (state.busy || !this.connected) throw new DOMException("Failed to open.", "NetworkError");
      state.baudRate = baudRate;
      this.readable = new ReadableStream({ start: (controller) => (this.controller = controller) });
      this.writable = new WritableStream({
        write: (bytes) => (this.connected ? window.boardHears([...bytes]) : Promise.reject(lost())),
      });
    }
    async close() {
      if (this.readable?.locked || this.writable?.locked) throw new TypeError("the streams are locked");
      this.readable = this.writable = null;
    }
  }
  const serial = new EventTarget();
  const state = { port: new Port(), busy: false, refuses: null, filters: null, baudRate: 0 };
  serial.requestPort = async (options) => {
    state.filters = options.filters;
    if (state.refuses) throw new DOMException("refused", state.refuses);
    return state.port;
  };
  serial.getPorts = async () => (state.port.connected ? [state.port] : []);
  // Events of a port reach the serial object with the port as their target.
  const tell = (name) => {
    const event = new Event(name);
    Object.defineProperty(event, "target", { value: state.port });
    serial.dispatchEvent(event);
  };
  state.hear = (bytes) => state.port.readable && state.port.controller.enqueue(new Uint8Array(bytes));
  state.unplug = () => {
    state.port.connected = false;
    state.port.controller.error(lost());
    state.port.readable = null;
    tell("disconnect");
  };
  state.plug = () => {
    state.port = new Port();
    tell("connect");
  };
  window.simulatedSerial = state;
  Object.defineProperty(navigator, "serial", { value: serial, configurable: true });
}

/**
 * Gives a page a serial port with a simulated board on it. Call it before the page is loaded.
 * @param {import("playwright-core").Page} page
 * @param {import("./simulated-board.mjs").SimulatedBoard} board
 */
export async function giveSerial(page, board) {
  const port = board.plug();
  await page.exposeFunction("boardHears", (bytes) => port.write(Uint8Array.from(bytes)));
  await page.addInitScript(replaceSerial);
  const reader = port.readable.getReader();
  const pump = async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      await page.evaluate((bytes) => window.simulatedSerial?.hear(bytes), [...value]);
    }
  };
  // It ends with the page or the board.
  pump().catch(() => {});
  return {
    port,
    unplug: () => page.evaluate(() => window.simulatedSerial.unplug()),
    plug: () => page.evaluate(() => window.simulatedSerial.plug()),
    /** Sets what the next attempts meet: `busy`, or the name of an error that the chooser ends with. */
    set: (values) => page.evaluate((all) => Object.assign(window.simulatedSerial, all), values),
    get: (name) => page.evaluate((key) => window.simulatedSerial[key], name),
    /** Sends a line to the board past the page. */
    line: (text) => port.write(new TextEncoder().encode(`${text}\n`)),
  };
}
