// The Pico for people: its display drawn in the terminal, its buttons on the keyboard, and its USB
// serial port on standard input and output.
import { HEIGHT, WIDTH } from './ssd1306.mjs';

const SLICE_MS = 10; // board time between two looks at the clock
const FRAME_MS = 50; // between two drawings of the display
const HELD_MS = 60; // how long a key press holds its button down
const QUIET_MS = 300; // without a terminal: a board that is silent and asleep for so long is done

const BUTTON_KEYS = { '\x1b[A': 'up', '\x1b[B': 'down', '\x1b[D': 'left', '\x1b[C': 'right', '\t': 'select' };
const HELP = 'arrows and Tab: buttons   text: USB serial   Ctrl-C: end';

/** Runs the board until the user ends it. */
export function interactive(pico) {
  if (process.stdin.isTTY && process.stdout.isTTY) inTerminal(pico);
  else inPipe(pico);
}

function inTerminal(pico) {
  const { stdin, stdout } = process;
  // Half blocks where there is room for them, dots of Braille, half as large, where there is not.
  const draw = stdout.columns >= WIDTH + 2 && stdout.rows >= HEIGHT / 2 + 10 ? halfBlocks : braille;
  const top = draw(pico.oled).length + 2;
  let drawn = '';
  let typed = '';

  const end = (message = '') => {
    stdout.write(`\x1b[r\x1b[?25h\x1b[${stdout.rows};1H\n${message}`);
    process.exit(message ? 1 : 0);
  };
  stdin.setRawMode(true).setEncoding('utf8');
  // The serial port scrolls below the display.
  stdout.write(`\x1b[2J\x1b[${top};${stdout.rows}r\x1b[${top - 1};1H\x1b[2m${HELP}\x1b[0m\x1b[${top};1H`);

  stdin.on('data', (keys) => {
    for (const key of keys.match(/\x1b\[[A-D]|[^]/g) ?? []) {
      if (key === '\x03' || key === '\x04') end();
      else if (key in BUTTON_KEYS) pico.tap(BUTTON_KEYS[key], HELD_MS);
      else if (key === '\r' || key === '\n') {
        stdout.write('\r\n');
        pico.host.send(Buffer.from(`${typed}\n`));
        typed = '';
      } else if (key === '\x7f' || key === '\b') {
        if (typed) stdout.write('\b \b');
        typed = typed.slice(0, -1);
      } else if (key >= ' ') {
        stdout.write(key);
        typed += key;
      }
    }
  });

  realTime(pico, end, () => {
    const picture = draw(pico.oled).join('\r\n');
    if (picture !== drawn) stdout.write(`\x1b7\x1b[1;1H${(drawn = picture)}\x1b8`);
    const output = pico.takeSerial().toString();
    if (output) stdout.write(output.replaceAll('\n', '\r\n'));
  });
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
function realTime(pico, end, frame) {
  const began = process.hrtime.bigint();
  const elapsed = () => Number(process.hrtime.bigint() - began);
  let behind = 0; // time this machine could not keep up with
  let lastFrame = 0;
  const step = () => {
    try {
      const stop = elapsed() + FRAME_MS * 1e6;
      while (pico.nanos < elapsed() - behind && elapsed() < stop) pico.run(SLICE_MS);
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
