/** Whether this browser can suspend WebAssembly (JavaScript Promise Integration), see pause.js. */
export const canSuspend = "Suspending" in WebAssembly;
