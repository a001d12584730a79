// What the WebAssembly calls to let its worker hear messages: see web/src/pause.rs.

import { canSuspend } from "./suspend.js";

// A message to oneself comes back after those that wait already, and sooner than a timer.
const channel = new MessageChannel();
let wake = () => {};
channel.port1.onmessage = () => wake();

function wait(millis) {
  return new Promise((resolve) => {
    if (millis > 0) {
      setTimeout(resolve, millis);
    } else {
      wake = resolve;
      channel.port2.postMessage(null);
    }
  });
}

export const pause = canSuspend ? new WebAssembly.Suspending(wait) : () => {};
