// Use without a network: registers the service worker, and tells when a new release is ready.

/** The release of this page's files; `cargo xtask web` fills it in. */
const RELEASE = "__RELEASE__";

/** How often a page that stays open looks for a new release, in milliseconds. */
const INTERVAL = 60 * 60 * 1000;

/** How long leaving the page may take, in milliseconds. */
const LEAVING = 5000;

const READY = "A new version is ready: reload the page.";
const WAITING = "A new version is ready: close the other tabs with Corvid, then reload the page.";

/**
 * Keeps the page for use without a network. A page goes on with the release it was loaded with until
 * it is reloaded. A browser without service workers, or that refuses one, just needs its network.
 * @param {(sentence: string) => void} say
 */
export async function registerWorker(say) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  let registration;
  try {
    // A relative address: the worker serves the folder that it is in, wherever that is.
    registration = await serviceWorker.register(new URL("./sw.js", import.meta.url), {
      updateViaCache: "none",
    });
  } catch {
    return;
  }
  // Blocked by the browser, without an error.
  if (!registration) return;
  answerWhetherLeaving(serviceWorker);
  // A reload changes to the new release, unless another tab still needs the old one.
  if (registration.waiting && serviceWorker.controller) say(WAITING);
  const follow = (worker) => worker?.addEventListener("statechange", () => {
    if (worker.state === "installed" && serviceWorker.controller) say(READY);
    if (worker.state === "activated") join(worker);
  });
  follow(registration.installing);
  registration.addEventListener("updatefound", () => follow(registration.installing));
  if (registration.active) join(registration.active);
  lookNowAndThen(registration);
}

/** Has the worker serve this page from now on if both are of the same release. */
function join(worker) {
  if (!navigator.serviceWorker.controller) worker.postMessage({ join: RELEASE });
}

/** A new release takes over during a reload, if no other page still needs the old one. */
function answerWhetherLeaving(serviceWorker) {
  let leaving = false;
  addEventListener("beforeunload", () => {
    leaving = true;
    // The person may stay after all.
    setTimeout(() => (leaving = false), LEAVING);
  });
  serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (data?.isLeaving) ports[0]?.postMessage(leaving);
  });
  serviceWorker.startMessages();
}

function lookNowAndThen(registration) {
  let looked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - looked < INTERVAL) return;
    looked = Date.now();
    // Without a network there is nothing new.
    registration.update().catch(() => {});
  });
}
