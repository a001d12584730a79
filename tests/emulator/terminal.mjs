// The Pico for people: its display drawn in the terminal, its buttons on the keyboard, and its USB
// serial port on standard input and output.
import { HEIGHT, WIDTH } from './ssd1306.mjs';

const SLICE_MS = 10; // board time between two looks at the clock
const FRAME_MS = 50; // between two drawings of the display
const QUIET_MS = 300; // without a terminal: a board that is silent and asleep for so long is done

// Presses as the simulator makes them: a terminal reports no releases.
const SHORT_MS = 35; // how long a button is down, and up before the next press
const LONG_MS = 800; // how long it is held
const WAITING = 4; // presses in the queue; a key that repeats leaves no longer tail

// The simulator's key map (docs/simulator.md).
const UP = ['\x1b[A', '\x1bOA'];
const DOWN = ['\x1b[B', '\x1bOB'];
const RIGHT = ['\x1b[C', '\x1bOC'];
const LEFT = ['\x1b[D', '\x1bOD'];
const ENTER = ['\r', '\n'];
const BACKSPACE = ['\x7f', '\b'];
const PRESSES = [
  [UP, 'up', SHORT_MS],
  [DOWN, 'down', SHORT_MS],
  [LEFT, 'left', SHORT_MS],
  [RIGHT, 'right', SHORT_MS],
  [[...ENTER, ' '], 'select', SHORT_MS],
  [['m', 'M', '\x1b', ...BACKSPACE], 'select', LONG_MS],
];
const KEY_MAP = 'arrows keys  Enter select  m hold it  Tab serial  q quit';
const TYPING_MAP = 'Enter send  Up earlier line  Tab back to the keys  Ctrl-C quit';
// A control sequence, a key with Alt, which is none of ours, or a character.
const KEYS = /\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[A-Za-z]|\x1b[!-~]|[^]/gu;

const SERIAL_ROWS = 3; // at least, below the display and the line of help
const CLEAR = '\x1b[r\x1b[2J';
const RESTORE = '\x1b[r\x1b[?25h';

/** Runs the board until the user ends it. */
export function interactive(pico) {
  if (process.stdin.isTTY && process.stdout.isTTY) inTerminal(pico);
  else inPipe(pico);
}

function inTerminal(pico) {
  const { stdin, stdout } = process;
  const finger = new Finger(pico);
  const line = new Line((text) => stdout.write(text));
  let draw = null; // how the display is drawn; null where it does not fit
  let drawn = '';
  let typing = false;

  let left = false;
  const leave = () => {
    // Resetting the margins moves the cursor: back to the end after it.
    if (!left) stdout.write(`${RESTORE}\x1b[${stdout.rows};1H\n`);
    left = true;
  };
  const end = (message = '') => {
    leave();
    stdout.write(message);
    process.exit(message ? 1 : 0);
  };
  process.on('exit', leave);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => end());

  const showHelp = () => {
    if (!draw) return;
    const map = typing ? TYPING_MAP : KEY_MAP;
    const cursor = typing ? '\x1b[?25h' : '\x1b[?25l';
    stdout.write(`\x1b7\x1b[${draw.rows + 1};1H\x1b[2K ${map}\x1b8${cursor}`);
  };
  const arrange = () => {
    const fits = (form) => stdout.columns >= form.columns && stdout.rows > form.rows + SERIAL_ROWS;
    draw = FORMS.find(fits) ?? null;
    drawn = '';
    if (draw) {
      // The serial port scrolls below the display and the help.
      const top = draw.rows + 2;
      stdout.write(`${CLEAR}\x1b[${top};${stdout.rows}r\x1b[${top};1H${line.typed}`);
      showHelp();
    } else {
      const { columns, rows } = FORMS.at(-1);
      stdout.write(`${CLEAR}\x1b[1;1HPlease make the terminal larger: ${columns} x ${rows + 1 + SERIAL_ROWS}`);
    }
  };
  stdin.setRawMode(true).setEncoding('utf8');
  stdout.on('resize', arrange);
  arrange();

  stdin.on('data', (keys) => {
    for (const key of keys.match(KEYS) ?? []) {
      if (key === '\x03' || key === '\x04') end();
      else if (key === '\t' || (typing && key === '\x1b')) {
        typing = !typing;
        showHelp();
      } else if (typing) {
        const sent = line.key(key);
        if (sent !== undefined) pico.host.send(Buffer.from(`${sent}\n`));
      } else if (key === 'q' || key === 'Q') end();
      else {
        const [, button, milliseconds] = PRESSES.find(([names]) => names.includes(key)) ?? [];
        if (button) finger.press(button, milliseconds);
      }
    }
  });

  realTime(pico, end, () => finger.act(), () => {
    const picture = draw ? draw.lines(pico.oled).join('\r\n') : '';
    if (picture !== drawn) stdout.write(`\x1b7\x1b[1;1H${(drawn = picture)}\x1b8`);
    const output = pico.takeSerial().toString();
    if (output && draw) stdout.write(output.replaceAll('\n', '\r\n'));
  });
}

/** The finger on the buttons: one press after the other, in the board's time. */
class Finger {
  waiting = [];
  down = null; // the button that is down
  until = 0; // until when it is down, or up before the next

  constructor(pico) {
    this.pico = pico;
  }

  press(button, milliseconds) {
    if (this.waiting.length < WAITING) this.waiting.push([button, milliseconds]);
  }

  /** Does what is due. */
  act() {
    const now = this.pico.nanos;
    if (now < this.until) return;
    if (this.down) {
      this.pico.setButton(this.down, false);
      this.down = null;
      this.until = now + SHORT_MS * 1e6;
    } else if (this.waiting.length) {
      const [button, milliseconds] = this.waiting.shift();
      this.pico.setButton((this.down = button), true);
      this.until = now + milliseconds * 1e6;
    }
  }
}

/** The line that is typed for the serial port, and the earlier ones. */
class Line {
  typed = '';
  sent = [];
  back = 0; // how many lines back the recalled one is

  constructor(write) {
    this.write = write;
  }

  /** Handles a key; returns the line when it ends. */
  key(key) {
    if (ENTER.includes(key)) {
      const line = this.typed;
      if (line && line !== this.sent.at(-1)) this.sent.push(line);
      this.write('\r\n');
      [this.typed, this.back] = ['', 0];
      return line;
    }
    if (BACKSPACE.includes(key)) this.replace(this.typed.slice(0, -1));
    else if (UP.includes(key)) this.recall(Math.min(this.back + 1, this.sent.length));
    else if (DOWN.includes(key)) this.recall(Math.max(this.back - 1, 0));
    else if (/^[ -~]$/.test(key)) this.replace(this.typed + key);
    return undefined;
  }

  recall(back) {
    this.back = back;
    this.replace(this.sent.at(-back) && back ? this.sent.at(-back) : '');
  }

  /** Shows another text in place of what is typed. */
  replace(text) {
    let same = 0;
    while (same < text.length && text[same] === this.typed[same]) same += 1;
    this.write('\b \b'.repeat(this.typed.length - same) + text.slice(same));
    this.typed = text;
  }
}

/** Lines from a pipe or a file: the answers go out, and the last picture to standard error. */
function inPipe(pico) {
  let input = Buffer.alloc(0);
  process.stdin.on('data', (chunk) => (input = Buffer.concat([input, chunk])));
  process.stdin.on('end', () => {
    try {
      pico.host.send(input);
      for (let quiet = 0; quiet < QUIET_MS; quiet += SLICE_MS) {
        const before = pico.slept;
        pico.run(SLICE_MS);
        const thinks = pico.slept - before < (SLICE_MS * 1e6) / 2;
        const output = pico.takeSerial();
        if (thinks || output.length) quiet = 0;
        process.stdout.write(output);
      }
      console.error(halfBlocks(pico.oled).join('\n'));
    } catch (error) {
      console.error(`pico: ${error.message}`);
      process.exitCode = 1;
    }
  });
}

/** Runs the board as fast as the real one, or as fast as this machine can. */
function realTime(pico, end, act, frame) {
  const began = process.hrtime.bigint();
  const elapsed = () => Number(process.hrtime.bigint() - began);
  let behind = 0; // time this machine could not keep up with
  let lastFrame = 0;
  const step = () => {
    try {
      const stop = elapsed() + FRAME_MS * 1e6;
      while (pico.nanos < elapsed() - behind && elapsed() < stop) {
        act();
        pico.run(SLICE_MS);
      }
      behind = Math.max(behind, elapsed() - FRAME_MS * 1e6 - pico.nanos);
      if (elapsed() - lastFrame >= FRAME_MS * 1e6) {
        lastFrame = elapsed();
        frame();
      }
    } catch (error) {
      frame();
      end(`pico: ${error.message}\n`);
    }
    setTimeout(step, SLICE_MS / 2);
  };
  step();
}

// Half blocks where there is room for them, dots of Braille, half as large, where there is not.
const FORMS = [
  { lines: halfBlocks, columns: WIDTH + 2, rows: HEIGHT / 2 + 2 },
  { lines: braille, columns: WIDTH / 2 + 2, rows: HEIGHT / 4 + 2 },
];

/** The display as lines of text in a frame, two dots above each other in a character. */
function halfBlocks(oled) {
  const dots = (x, y) => ' ▀▄█'[oled.pixel(x, y) + 2 * oled.pixel(x, y + 1)];
  return framed(WIDTH, HEIGHT / 2, (column, row) => dots(column, row * 2));
}

/** The same with two by four dots in a character. */
function braille(oled) {
  // The bits of Unicode's Braille patterns, row by row.
  const bits = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];
  const cell = (x, y) => bits.reduce((sum, bit, i) => sum + bit * oled.pixel(x + (i & 1), y + (i >> 1)), 0x2800);
  return framed(WIDTH / 2, HEIGHT / 4, (column, row) => String.fromCharCode(cell(column * 2, row * 4)));
}

function framed(width, height, character) {
  const line = (_, row) => `│${Array.from({ length: width }, (_, column) => character(column, row)).join('')}│`;
  const edge = '─'.repeat(width);
  return [`╭${edge}╮`, ...Array.from({ length: height }, line), `╰${edge}╯`];
}
