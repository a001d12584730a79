// The line to a board: GTP commands out, answers and notices in. See docs/serial.md.

/** The board refuses a command; the message is its own words. */
export class Refused extends Error {}

/** The board is unplugged or silent. */
export class Lost extends Error {
  /** @param {string} message @param {boolean} [silent] plugged in, but without an answer */
  constructor(message, silent = false) {
    super(message);
    this.silent = silent;
  }
}

/** Something answers that is no Corvid. */
export class Stranger extends Error {}

/** How long an answer takes that needs no search, in milliseconds. */
export const SOON = 5_000;

/** The most that a board thinks about a move, and some seconds for the line, in milliseconds. */
export const LONG = 610_000;

/** How long the first answer may take, and how often it is asked for. */
const WAKE_MILLIS = 1_500;
const WAKE_TRIES = 3;

/** No board sends a longer line, in characters: it is noise. */
const LONGEST_LINE = 16_384;

const INTERRUPT = 3;

/**
 * Ends the contest's protocol (two Ctrl-C) and discards a line that somebody has half typed. With echo
 * off, Ctrl-C does not discard it: the `~` makes sure that it is refused instead of obeyed.
 */
const WAKE = "\x03\x03~\n";

/** What a terminal would take for colours and editing. */
const ESCAPES = /\x1b(?:\[[0-9;]*[@-~]?|O?.?)/g;

/**
 * What a port gives once it is open: a `SerialPort`, or anything else with two streams of bytes.
 * @typedef {object} Port
 * @property {ReadableStream<Uint8Array> | null} readable
 * @property {WritableStream<Uint8Array> | null} writable
 */

/**
 * What a board says about itself.
 * @typedef {object} Facts
 * @property {string} version
 * @property {string} board its name, such as `pico`
 * @property {string[]} games
 * @property {Map<string, string[]>} capabilities everything it has told
 */

/** A line to a board: one command at a time, whoever asks. */
export class Line {
  #port;
  #reader;
  #writer;
  #encoder = new TextEncoder();
  #decoder = new TextDecoder();
  #text = "";
  #id = 0;
  /** The command under way: its id, what it has been answered so far, and whom to tell. */
  #asked = null;
  /** Ends when the commands given so far have ended. */
  #queue = Promise.resolve();
  #lost = null;
  #closed = false;

  /**
   * @param {Port} port
   * @param {object} [heard]
   * @param {(text: string) => void} [heard.notice] a notice, without its `# `
   * @param {(why: Lost) => void} [heard.lost] the line is dead; at most once, and not after `close`
   */
  constructor(port, { notice = () => {}, lost = () => {} } = {}) {
    this.#port = port;
    this.onNotice = notice;
    this.onLost = lost;
    this.#writer = port.writable.getWriter();
    // Failures are seen where something is written.
    this.#writer.closed.catch(() => {});
    this.#listen();
  }

  /**
   * Wakes the board and makes sure that it is one.
   * @returns {Promise<Facts>}
   */
  async wake() {
    for (let tries = 1; ; tries++) {
      await this.#send(WAKE);
      try {
        await this.#exchange("echo off", WAKE_MILLIS);
        break;
      } catch (error) {
        if (error instanceof Refused) break;
        if (this.#lost) throw this.#lost;
        if (tries === WAKE_TRIES) throw new Stranger("nothing answers on this port: is it a Corvid?");
      }
    }
    const ask = async (command) => {
      try {
        return await this.ask(command, SOON);
      } catch (error) {
        if (error instanceof Refused) throw new Stranger(`this is no Corvid: it refuses '${command}'`);
        throw error;
      }
    };
    const name = await ask("name");
    if (name !== "Corvid") {
      throw new Stranger(`this is no Corvid: it calls itself '${name.slice(0, 40)}'`);
    }
    const version = await ask("version");
    const words = (await ask("capabilities")).split("\n").map((line) => line.trim().split(/\s+/));
    const capabilities = new Map(words.map(([word, ...values]) => [word, values]));
    const [board = "unknown"] = capabilities.get("board") ?? [];
    return { version, board, games: capabilities.get("games") ?? [], capabilities };
  }

  /**
   * Gives a command and waits for its answer. A board that does not answer in time is lost.
   * @param {string} command
   * @param {number} [patience] in milliseconds
   * @returns {Promise<string>}
   * @throws {Refused | Lost}
   */
  ask(command, patience = SOON) {
    const answer = this.#queue.then(async () => {
      if (this.#lost) throw this.#lost;
      try {
        return await this.#exchange(command, patience);
      } catch (error) {
        if (error instanceof Lost) this.#lose(error);
        throw error;
      }
    });
    this.#queue = answer.catch(() => {});
    return answer;
  }

  /** Ends what the board thinks about: the command is answered soon. */
  interrupt() {
    this.#send(String.fromCharCode(INTERRUPT)).catch(() => {});
  }

  /** The port was unplugged, whether or not its streams tell. */
  drop() {
    this.#lose(new Lost("the line is dead"));
  }

  /** Lets go of the port's streams, so that the port can be closed. */
  async close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#lose(new Lost("the line is closed"));
    await this.#reader?.cancel().catch(() => {});
    await this.#listening;
    // What the port has not taken by now is of no use to anybody.
    await this.#writer.abort().catch(() => {});
    this.#writer.releaseLock();
  }

  #listening;

  #listen() {
    this.#listening = this.#read().finally(() => this.#lose(new Lost("the line is dead")));
  }

  async #read() {
    let stream;
    // Noise on the line ends the stream of a SerialPort, which then has another one.
    while (!this.#closed && this.#port.readable && this.#port.readable !== stream) {
      stream = this.#port.readable;
      this.#reader = stream.getReader();
      try {
        for (;;) {
          const { value, done } = await this.#reader.read();
          if (done) return;
          this.#hear(this.#decoder.decode(value, { stream: true }));
        }
      } catch {
        this.#text = "";
      } finally {
        this.#reader.releaseLock();
      }
    }
  }

  #hear(text) {
    const lines = (this.#text + text).split("\n");
    this.#text = lines.pop();
    if (this.#text.length > LONGEST_LINE) this.#text = "";
    for (const line of lines) this.#take(line.replace(ESCAPES, "").replaceAll("\r", ""));
  }

  #take(line) {
    const asked = this.#asked;
    if (asked?.lines) {
      if (line) {
        asked.lines.push(line);
        return;
      }
      const text = asked.lines.join("\n").trim();
      asked.end(asked.good ? { text } : { error: new Refused(text) });
      return;
    }
    if (line.startsWith("# ")) {
      this.onNotice(line.slice(2));
      return;
    }
    // Echoes, and late answers to others, are not for anybody here.
    const [, mark, id, rest] = /^([=?])(\d+)(?: (.*))?$/.exec(line) ?? [];
    if (asked && Number(id) === asked.id) {
      asked.good = mark === "=";
      asked.lines = [rest ?? ""];
    }
  }

  /** Gives a command; too little patience is an error but does not end the line. */
  #exchange(command, patience) {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      const end = ({ text, error }) => {
        clearTimeout(timer);
        this.#asked = null;
        if (error) reject(error);
        else resolve(text);
      };
      const timer = setTimeout(() => {
        end({ error: new Lost(`no answer to '${command}'`, true) });
      }, patience);
      this.#asked = { id, good: false, lines: null, end };
      this.#send(`${id} ${command}\n`).catch((error) => this.#asked?.id === id && end({ error }));
    });
  }

  async #send(text) {
    if (this.#lost) throw this.#lost;
    try {
      await this.#writer.write(this.#encoder.encode(text));
    } catch {
      throw this.#lose(new Lost("the line is dead"));
    }
  }

  #lose(why) {
    if (this.#lost) return this.#lost;
    this.#lost = why;
    this.#asked?.end({ error: why });
    if (!this.#closed) this.onLost(why);
    return why;
  }
}
