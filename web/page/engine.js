// The page's side of the engine: one worker, one question at a time.

import { canSuspend } from "./suspend.js";

/** How long a worker may take to obey `stop` before it is ended, in milliseconds. */
const PATIENCE = 60;

/**
 * What the search says while it thinks.
 * @typedef {{depth: number, score: number, exact: boolean, nodes: number, percent: number,
 *   line: string}} Progress
 */

export class Engine {
  /** Whether the worker has failed: the next question goes to another one. */
  #broken = false;

  /**
   * @param {WebAssembly.Module} module
   * @param {{board?: string, memory?: number, seed?: number}} options a board's name, or KB of memory
   */
  constructor(module, { board, memory = 0, seed }) {
    this.options = { module, board, memory, seed };
    this.asked = 0;
    this.pending = null;
    this.#begin();
  }

  #begin() {
    this.worker?.terminate();
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker = worker;
    this.#broken = false;
    worker.postMessage(this.options);
    worker.addEventListener("message", ({ data }) => this.#hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (this.worker !== worker) return;
      // Nobody may have asked yet.
      this.#broken = true;
      this.#hear({ id: this.pending?.id, error: "the engine failed to load" });
    });
  }

  #hear({ id, progress, move, values, error }) {
    const task = this.pending;
    if (!task || task.id !== id) return;
    if (progress) {
      task.best = progress.line.split(" ")[0] || task.best;
      task.progress(progress);
      return;
    }
    this.pending = null;
    clearTimeout(task.timer);
    // A search that fails leaves its memory as it was in the middle.
    if (error) this.#broken = true;
    if (error) task.reject(new Error(error));
    else task.resolve(values ?? move);
  }

  /**
   * Which move would `who` play after these moves? One question at a time.
   * @param {{setup: string, moves: string, who: string, millis: number}} question
   * @param {(progress: Progress) => void} progress
   * @returns {Promise<string | undefined>} nothing if it was stopped before it found a move
   */
  ask(question, progress = () => {}) {
    return this.#send(question, progress);
  }

  /**
   * What is each move worth after these moves, by looking at so many positions?
   * @param {{setup: string, moves: string, nodes: number}} question
   * @returns {Promise<[move: string, lead: number, exact: boolean][] | undefined>} the best move first,
   *   with the final lead of the player to move in hundredths of a point; what was found so far, or
   *   nothing, if it was stopped
   */
  askValues({ setup, moves, nodes }) {
    return this.#send({ setup, moves, values: nodes }, () => {});
  }

  #send(question, progress) {
    const id = ++this.asked;
    if (this.#broken) this.#begin();
    return new Promise((resolve, reject) => {
      this.pending = { id, progress, resolve, reject, best: undefined, timer: undefined };
      this.worker.postMessage({ ask: { id, ...question } });
    });
  }

  /** Ends the thinking: the answer is the best move so far. */
  stop() {
    const task = this.pending;
    if (!task || task.timer) return;
    const end = () => {
      if (this.pending !== task) return;
      this.#begin();
      this.#hear({ id: task.id, move: task.best });
    };
    // A worker that can't suspend the search never hears anything.
    if (!canSuspend) {
      end();
      return;
    }
    this.worker.postMessage({ stop: true });
    task.timer = setTimeout(end, PATIENCE);
  }

  /** Ends the worker; a question that waits has no answer. */
  close() {
    this.worker.terminate();
    const task = this.pending;
    this.pending = null;
    clearTimeout(task?.timer);
    task?.resolve(undefined);
  }
}
