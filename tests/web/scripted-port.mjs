// A port whose other end is a script, and a small board to put there.

/** A port as an open SerialPort is one: two streams of bytes. */
export class ScriptedPort {
  /** Everything that was sent to it. */
  sent = "";
  #rest = "";
  #controller;

  /** @param {(line: string, port: ScriptedPort) => void} hear is given every line, without its end */
  constructor(hear = () => {}) {
    this.hear = hear;
    /** Is given every Ctrl-C. */
    this.interrupted = () => {};
    this.readable = new ReadableStream({ start: (controller) => (this.#controller = controller) });
    const write = (bytes) => this.#take(new TextDecoder().decode(bytes));
    this.writable = new WritableStream({ write });
  }

  #take(text) {
    if (this.dead) throw new Error("the device has been lost");
    this.sent += text;
    for (const letter of text) {
      if (letter === "\x03") {
        this.#rest = "";
        this.interrupted();
      } else if (letter === "\n") {
        const line = this.#rest;
        this.#rest = "";
        this.hear(line, this);
      } else {
        this.#rest += letter;
      }
    }
  }

  /** Sends text, in pieces of so many bytes. */
  say(text, size = Infinity) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += size) this.#controller.enqueue(bytes.slice(at, at + size));
  }

  /** The cable is pulled: both streams fail, as those of a SerialPort do. */
  unplug() {
    if (this.dead) return;
    this.dead = true;
    this.#controller.error(new DOMException("The device has been lost.", "NetworkError"));
    this.readable = null;
  }

  /** The stream ends with an error, and another one takes its place, as after noise on a UART. */
  disturb() {
    this.#controller.error(new DOMException("framing error", "FramingError"));
    this.readable = new ReadableStream({ start: (controller) => (this.#controller = controller) });
  }
}

/**
 * A board that plays a game without rules: players alternate, every move but `bad` is legal, and its own
 * moves are m1, m2, ... by the number of moves. It speaks the device's protocol.
 */
export class ScriptedBoard {
  setup = "othello";
  moves = [];
  level = 9;
  /** Commands, without numbers. */
  asked = [];
  /** Whether it thinks until it is stopped. */
  slow = false;
  name = "Corvid";
  /** In seconds. */
  uptime = 100;

  /** Another port to it, as after the cable was plugged in again. */
  plug() {
    const port = new ScriptedPort((line) => this.#line(line));
    port.interrupted = () => this.#stop("stopped");
    this.port = port;
    return port;
  }

  /** Somebody at the buttons makes a move. */
  press(move) {
    const color = ["black", "white"][this.moves.length % 2];
    this.moves.push(move);
    this.port.say(`# play ${color} ${move}\n`);
    this.#stop("stopped");
  }

  /** Somebody at the buttons changes the game. */
  change(setup, moves) {
    [this.setup, this.moves] = [setup, [...moves]];
    this.port.say(`# game ${setup}, ${moves.length} moves\n`);
    this.#stop("stopped");
  }

  /** Somebody presses reset; this board saves nothing. */
  reset() {
    [this.setup, this.moves, this.uptime, this.level] = ["othello", [], 0, 9];
    this.pending = null;
  }

  #stop(why) {
    const pending = this.pending;
    this.pending = null;
    if (pending) this.port.say(`?${pending} ${why}\n\n`);
  }

  #line(line) {
    const [, id, command] = /^(\d*) ?(.*)$/.exec(line);
    if (!command) return;
    this.asked.push(command);
    const [name, ...words] = command.split(" ");
    const port = this.port;
    const good = (text = "") => port.say(`=${id} ${text}\n\n`);
    const bad = (text) => port.say(`?${id} ${text}\n\n`);
    const turn = "bw"[this.moves.length % 2];
    switch (name) {
      case "echo":
      case "progress":
        return good();
      case "name":
        return good(this.name);
      case "version":
        return good("0.1.0");
      case "capabilities":
        return good("board test\ngames othello dots\nscreen 128x64\n".trimEnd());
      case "stats":
        return good(`game ${this.setup}\nplies ${this.moves.length}\nuptime ${this.uptime} s`);
      case "moves":
        return good(this.moves.join(" "));
      case "new":
        [this.setup, this.moves] = [words.join(" "), []];
        return good();
      case "level":
        this.level = Number(words[0]);
        return good();
      case "undo":
        return this.moves.pop() ? good() : bad("cannot undo: no move was made");
      case "play":
        if (words[0] !== turn) return bad("illegal move: it is the other's turn");
        if (words[1] === "bad") return bad("illegal move: it is bad");
        this.moves.push(words[1]);
        return good();
      case "genmove":
        if (words[0] !== turn) return bad("it is the other's turn");
        if (this.slow && this.level > 1) {
          this.pending = id;
          const found = `# depth 3 score -12 hundredths nodes 99 used 4% line ${this.best} x y\n`;
          if (this.best) port.say(found);
          return undefined;
        }
        this.moves.push(`m${this.moves.length + 1}`);
        return good(this.moves.at(-1));
      default:
        return bad("unknown command");
    }
  }
}
