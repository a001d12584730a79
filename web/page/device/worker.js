// The simulated device in its worker: messages in, messages out. See device.js for the other side.
import init, * as corvid from "../corvid.js";
import { canSuspend } from "../suspend.js";

/** The least time that the worker sleeps when the device has caught up with real time, in ms. */
const NAP = 8;

/** How long the display must stay the same before its text is told, in ms. */
const SETTLED = 400;

let started = false;
let settling;

const tell = {
  frame(pixels, brightness) {
    self.postMessage({ frame: pixels, brightness });
    clearTimeout(settling);
    settling = setTimeout(() => self.postMessage({ text: corvid.deviceText() }), SETTLED);
  },
  serial: (bytes) => self.postMessage({ serial: bytes }),
  tones: (tones) => self.postMessage({ tones }),
  flash: (flash) => self.postMessage({ flash }),
};

async function start({ module, board, flash, seed }) {
  const wasm = await init({ module_or_path: module });
  const run = canSuspend ? WebAssembly.promising(wasm.device_run) : wasm.device_run;
  corvid.deviceStart(board, flash, seed, (what, value, more) => tell[what](value, more));
  started = true;
  self.postMessage({ on: true });
  for (;;) {
    const ahead = await run();
    if (ahead < 0) break;
    await new Promise((resolve) => setTimeout(resolve, ahead > 0 ? Math.max(ahead, NAP) : 0));
  }
  started = false;
  clearTimeout(settling);
  self.postMessage({ off: true });
}

self.addEventListener("message", ({ data }) => {
  if (data.start) {
    start(data.start).catch((error) => self.postMessage({ error: String(error.message ?? error) }));
  } else if (started) {
    const { key, hold, serial, cut, off } = data;
    if (key) corvid.deviceKey(key.index, key.down);
    if (hold !== undefined) corvid.deviceHold(hold);
    if (serial) corvid.deviceSend(serial);
    if (off) corvid.deviceOff();
    if (cut) {
      corvid.deviceCut();
      self.postMessage({ cut: true });
    }
  }
});
