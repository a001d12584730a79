// The dialog with the game's record: to copy, to download, and to load another one.

import { GameFacts, readRecord, recordFormats, writeRecord } from "./corvid.js";
import { button, make } from "./dom.js";
import { titleOf } from "./seats.js";
import { plural } from "./words.js";

/** What the formats are called, and the end of a file's name. */
const FORMATS = {
  text: { title: "Corvid text", extension: "txt" },
  squares: { title: "Squares, f5d6c3…", extension: "txt" },
  blksgf: { title: "SGF, as Pentobi writes it", extension: "blksgf" },
};

const HOW_TO_LOAD = "Load a game: paste its record, or drop a file here";

/** A larger file is no record, in bytes. */
const LARGEST = 1 << 20;

let opened = 0;

/** The day as `2026-01-31`, by this computer's clock. */
function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

class RecordDialog {
  #table;
  #say;
  #dialog;
  #format;
  #record;
  #pasted;
  #message;

  constructor(table, say) {
    this.#table = table;
    this.#say = say;
    this.#build();
    this.#write();
    document.body.append(this.#dialog);
    this.#dialog.showModal();
  }

  #build() {
    const id = (name) => `records-${name}-${opened}`;
    opened += 1;
    const title = make("h2", { id: id("title") }, "Game record");
    const closing = { className: "records-close", aria: { label: "Close" } };
    const close = button("×", () => this.#dialog.close(), closing);

    const formats = recordFormats(this.#table.match.setup);
    this.#format = make("select", { id: id("format") },
      ...formats.map((name) => new Option(FORMATS[name]?.title ?? name, name)));
    this.#format.onchange = () => this.#write();
    const aria = { label: "Record of this game" };
    this.#record = make("textarea", { readOnly: true, rows: 9, spellcheck: false, aria });
    const copy = button("Copy", () => this.#copy());
    const download = button("Download", () => this.#download());

    this.#pasted = make("textarea", { id: id("pasted"), rows: 4, spellcheck: false });
    this.#pasted.autocomplete = "off";
    this.#pasted.placeholder = "a record in any of these formats";
    this.#pasted.oninput = () => this.#tell("");
    const main = { className: "records-main" };
    const load = button("Load this game", () => this.#load(this.#pasted.value), main);
    const file = make("input", { type: "file", accept: ".txt,.blksgf,.sgf,text/plain", hidden: true });
    file.onchange = () => this.#open(file.files[0]).finally(() => (file.value = ""));
    const open = button("Open a file…", () => file.click());

    // A live region is heard only if it was there before its text.
    this.#message = make("p", { className: "records-message", role: "status" });

    this.#dialog = make("dialog", { className: "records" },
      make("header", {}, title, close),
      make("section", {},
        make("div", { className: "records-row" },
          make("label", { htmlFor: id("format") }, "Format"), this.#format),
        this.#record,
        make("div", { className: "records-row" }, copy, download)),
      make("section", {},
        make("label", { htmlFor: id("pasted") }, HOW_TO_LOAD),
        this.#pasted,
        make("div", { className: "records-row" }, load, open, file)),
      this.#message);
    this.#dialog.setAttribute("aria-labelledby", title.id);
    this.#dialog.onclose = () => this.#dialog.remove();
    this.#dialog.ondragover = (event) => event.preventDefault();
    this.#dialog.ondrop = (event) => this.#drop(event);
    // A click beside the dialog closes it; one that began inside does not.
    this.#dialog.onpointerdown = ({ target }) => target === this.#dialog && this.#dialog.close();
  }

  #tell(text, isError = false) {
    this.#message.classList.toggle("records-error", isError);
    this.#message.textContent = text;
  }

  #write() {
    const { match, seats } = this.#table;
    const names = seats.map(titleOf);
    try {
      this.#record.value = writeRecord(match.setup, match.moves, this.#format.value, names, today());
    } catch (error) {
      this.#tell(error.message, true);
    }
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#record.value);
    } catch {
      // No clipboard without a secure origin or the person's leave: the old way needs neither.
      this.#record.select();
      if (!document.execCommand("copy")) {
        this.#tell("This browser doesn't let the page copy: press Ctrl+C.", true);
        return;
      }
    }
    this.#tell("Copied.");
  }

  #download() {
    const extension = FORMATS[this.#format.value]?.extension ?? "txt";
    const href = URL.createObjectURL(new Blob([this.#record.value], { type: "text/plain" }));
    const download = `${this.#table.match.name}-${today()}.${extension}`;
    make("a", { href, download }).click();
    // The browser reads it after the click.
    setTimeout(() => URL.revokeObjectURL(href), 10_000);
    this.#tell(`Downloaded ${download}.`);
  }

  #drop(event) {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) this.#open(file);
    else this.#show(event.dataTransfer.getData("text/plain"));
  }

  async #open(file) {
    if (!file) return;
    if (file.size > LARGEST) {
      this.#tell(`${file.name} is too large for a game record.`, true);
      return;
    }
    try {
      this.#show(await file.text());
    } catch {
      this.#tell(`${file.name} can't be read.`, true);
    }
  }

  /** Loads a text; it stays to be corrected if it is refused. */
  #show(text) {
    if (!text) return;
    this.#pasted.value = text;
    this.#load(text);
  }

  #load(text) {
    const table = this.#table;
    if (!text.trim()) {
      this.#tell("Paste a record first, or open a file.", true);
      this.#pasted.focus();
      return;
    }
    let record;
    try {
      record = readRecord(text, table.match.setup);
      const { setup, moves } = record;
      table.start(setup, this.#seatsFor(setup), table.brain, table.seed, moves);
    } catch (error) {
      this.#tell(`This record can't be loaded: ${error.message}.`, true);
      return;
    }
    // Computers wait until the person goes on.
    table.stop();
    const names = record.names.filter(Boolean).join(" – ");
    const loaded = `Loaded ${plural(record.moves.length, "move")}${names ? `, ${names}` : ""}.`;
    const { note } = record;
    record.free();
    this.#dialog.close();
    this.#say(note ? `${loaded} ${note}` : loaded);
  }

  /** Who sits there already if it is the same game, else people. */
  #seatsFor(setup) {
    const { match, seats } = this.#table;
    const [name] = setup.split(" ");
    const people = GameFacts.people(setup);
    if (name === match.name && people === seats.length) return seats;
    return Array.from({ length: people }, () => ({ kind: "person" }));
  }
}

/**
 * Opens the dialog with the record of the game on the table.
 * @param {import("./table.js").Table} table
 * @param {(sentence: string) => void} say
 */
export function openRecords(table, say) {
  new RecordDialog(table, say);
}
