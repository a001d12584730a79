// The simulated device behind a pseudo-terminal, as a port with two streams.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, write } from "node:fs";
import { createInterface } from "node:readline";
import { ReadStream } from "node:tty";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../target/debug/corvid", import.meta.url));

/** A simulated Pico that runs until `off`. */
export class SimulatedBoard {
  /**
   * @param {{speed?: number, seed?: number, program?: string}} [options] how often as fast as a Pico
   * @returns {Promise<SimulatedBoard>}
   */
  static async on({ speed = 1, seed = 1, program = process.env.CORVID ?? PROGRAM } = {}) {
    const options = ["sim", "--headless", "--pty", "--no-save", `--seed=${seed}`, `--speed=${speed}`];
    const child = spawn(program, options, { stdio: ["ignore", "pipe", "inherit"] });
    const board = new SimulatedBoard();
    board.child = child;
    const lines = createInterface({ input: child.stdout });
    board.path = await new Promise((resolve, reject) => {
      lines.once("line", resolve);
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`the simulator ended with ${code}`)));
    });
    return board;
  }

  /** Opens its port, in raw mode. */
  plug() {
    this.port = new TerminalPort(this.path);
    return this.port;
  }

  /** Ends it. */
  async off() {
    this.port?.unplug();
    if (this.child.exitCode !== null) return;
    this.child.kill();
    await once(this.child, "exit");
  }
}

/** A terminal as a port. */
class TerminalPort {
  #input;
  #output;
  #controller;

  constructor(path) {
    const flags = constants.O_RDWR | constants.O_NOCTTY;
    this.#input = new ReadStream(openSync(path, flags));
    this.#input.setRawMode(true);
    this.#output = openSync(path, flags);
    this.readable = new ReadableStream({
      start: (controller) => (this.#controller = controller),
      cancel: () => this.unplug(),
    });
    this.#input.on("data", (bytes) => this.#controller?.enqueue(new Uint8Array(bytes)));
    this.#input.on("error", () => this.unplug());
    this.#input.on("end", () => this.unplug());
    this.writable = new WritableStream({ write: (bytes) => this.write(bytes) });
  }

  /** Sends bytes. */
  write(bytes) {
    if (this.dead) return Promise.reject(new Error("the device has been lost"));
    return new Promise((resolve, reject) => {
      write(this.#output, bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** The cable is pulled; the device runs on. */
  unplug() {
    if (this.dead) return;
    this.dead = true;
    this.readable = null;
    this.#input.destroy();
    closeSync(this.#output);
    try {
      this.#controller.error(new DOMException("The device has been lost.", "NetworkError"));
    } catch {
      // Nobody reads it any more.
    }
  }
}
