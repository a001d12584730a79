// The engine in its worker: messages in, messages out. See engine.js for the other side.
import init, * as corvid from "./corvid.js";
import { canSuspend } from "./suspend.js";

const ready = new Promise((resolve) => {
  self.addEventListener("message", ({ data }) => data.module && resolve(start(data)), { once: true });
});
// Whoever asks is told.
ready.catch(() => {});
let think;

async function start({ module, board, memory, seed }) {
  const wasm = await init({ module_or_path: module });
  think = canSuspend ? WebAssembly.promising(wasm.engine_think) : wasm.engine_think;
  corvid.engineStart(board, memory, seed);
}

/** Why there is no answer. */
function whyNot(error) {
  if (error instanceof WebAssembly.RuntimeError) return "the engine has failed: it may lack memory";
  return String(error.message ?? error);
}

self.addEventListener("message", async ({ data }) => {
  if (data.stop) {
    ready.then(corvid.engineStop, () => {});
  } else if (data.ask) {
    const { id, setup, moves, who, millis, values } = data.ask;
    const report = ([depth, score, exact, nodes, percent, line]) =>
      self.postMessage({ id, progress: { depth, score, exact, nodes, percent, line } });
    try {
      await ready;
      if (values) corvid.engineAskValues(setup, moves, values);
      else corvid.engineAsk(setup, moves, who, millis, report);
      await think();
      const found = values ? { values: corvid.engineValues() } : { move: corvid.engineAnswer() };
      self.postMessage({ id, ...found });
    } catch (error) {
      self.postMessage({ id, error: whyNot(error) });
    }
  }
});
