// The serial console: what the device says, and a line to send.

/** Lines that are kept, of the log and of what was sent. */
const KEPT_LINES = 1000;
const KEPT_SENT = 100;

/** The longest line that the device accepts, without its end. */
const LINE_LENGTH = 2047;

/** What stops a search. */
const INTERRUPT = "\x03";

const MARKUP = `
  <header class="console-head">
    <h2>Serial console</h2>
    <button type="button" data-do="stop" title="Sends Ctrl-C: ends what the device is thinking about">
      Stop <kbd>Ctrl-C</kbd></button>
    <button type="button" data-do="clear">Clear</button>
  </header>
  <div class="console-log" role="log" aria-label="what the device says" tabindex="0"></div>
  <form class="console-line">
    <label><span aria-hidden="true">&gt;</span>
      <input aria-label="line to send" maxlength="${LINE_LENGTH}" autocomplete="off" autocapitalize="off"
        autocorrect="off" spellcheck="false" enterkeyhint="send" placeholder="help"></label>
    <button>Send</button>
  </form>`;

export class SerialConsole {
  #log;
  #input;
  #send;
  /** The incomplete last line, as the device has sent it. */
  #last = "";
  #lastRow = null;
  /** Whether an empty line waits for what follows it: every answer ends with one. */
  #gap = false;
  #inEscape = false;
  #decoder = new TextDecoder();
  #sent = [];
  #back = 0;

  /**
   * @param {HTMLElement} host
   * @param {(bytes: Uint8Array) => void} send
   */
  constructor(host, send) {
    host.classList.add("console");
    host.innerHTML = MARKUP;
    this.#log = host.querySelector(".console-log");
    this.#input = host.querySelector("input");
    const encoder = new TextEncoder();
    this.#send = (text) => send(encoder.encode(text));
    host.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#enter();
    });
    host.querySelector("[data-do=stop]").addEventListener("click", () => this.#stop());
    host.querySelector("[data-do=clear]").addEventListener("click", () => this.#clear());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Takes what the device has sent. @param {Uint8Array} bytes */
  receive(bytes) {
    this.#keepAtEnd(() => {
      for (const letter of this.#decoder.decode(bytes, { stream: true })) this.#take(letter);
      this.#showLast();
    });
  }

  /** Writes a line of the page's own. @param {string} text */
  note(text) {
    this.#keepAtEnd(() => {
      if (this.#last) this.#endLine();
      this.#row(text, "note");
    });
  }

  /** As a terminal: control sequences change colours and the cursor, which are not shown. */
  #take(letter) {
    if (this.#inEscape) {
      this.#inEscape = !/[@-Z\\-~]/.test(letter);
    } else if (letter === "\x1b") {
      this.#inEscape = true;
    } else if (letter === "\n") {
      this.#endLine();
    } else if (letter === "\b") {
      this.#last = this.#last.slice(0, -1);
    } else if (letter >= " ") {
      this.#last += letter;
    }
  }

  #endLine() {
    this.#gap ||= this.#last === "";
    this.#showLast();
    this.#last = "";
    this.#lastRow = null;
  }

  #showLast() {
    if (this.#last === "" && !this.#lastRow) return;
    this.#lastRow ??= this.#row("", this.#last.startsWith("?") ? "refusal" : "");
    this.#lastRow.textContent = this.#last;
  }

  #row(text, kind) {
    if (this.#gap && this.#log.lastElementChild) this.#log.append(document.createElement("div"));
    this.#gap = false;
    const row = document.createElement("div");
    row.textContent = text;
    if (kind) row.className = `console-${kind}`;
    this.#log.append(row);
    while (this.#log.childElementCount > KEPT_LINES) this.#log.firstElementChild.remove();
    return row;
  }

  /** Follows what is written, unless the person has scrolled back. */
  #keepAtEnd(write) {
    const { scrollHeight, scrollTop, clientHeight } = this.#log;
    const atEnd = scrollHeight - scrollTop - clientHeight < 24;
    write();
    if (atEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #echo(text) {
    if (this.#last) this.#endLine();
    this.#row(text, "sent");
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #enter() {
    const line = this.#input.value;
    this.#input.value = "";
    this.#back = 0;
    this.#echo(`> ${line}`);
    this.#send(`${line}\n`);
    if (line !== "" && this.#sent.at(-1) !== line) this.#sent.push(line);
    if (this.#sent.length > KEPT_SENT) this.#sent.shift();
  }

  #stop() {
    this.#echo("^C");
    this.#send(INTERRUPT);
  }

  #clear() {
    this.#log.replaceChildren();
    this.#gap = false;
    this.#last = "";
    this.#lastRow = null;
    this.#input.focus();
  }

  #key(event) {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      const back = this.#back + (event.key === "ArrowUp" ? 1 : -1);
      this.#back = Math.min(Math.max(back, 0), this.#sent.length);
      this.#input.value = this.#sent.at(-this.#back || this.#sent.length) ?? "";
    } else if (event.ctrlKey && event.key.toLowerCase() === "c") {
      // Copying what is marked is what the person means then.
      if (this.#input.selectionStart !== this.#input.selectionEnd) return;
      event.preventDefault();
      this.#stop();
    }
  }
}
