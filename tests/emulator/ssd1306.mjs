// The SSD1306 OLED controller behind an I2C address: commands and display memory, as far as a
// 128 x 64 module's data sheet goes without scrolling and zoom.

export const WIDTH = 128;
export const HEIGHT = 64;
const PAGES = HEIGHT / 8;

// Commands that are followed by argument bytes; every other command stands alone.
const ARGUMENTS = {
  0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8d: 1, 0xa8: 1, 0xd3: 1, 0xd5: 1, 0xd9: 1, 0xda: 1, 0xdb: 1,
};
const HORIZONTAL = 0;
const PAGE_MODE = 2;

export class Ssd1306 {
  constructor() {
    // A page is eight rows; a byte is one column of it, its lowest bit on top. What the memory
    // holds at power-on is not defined: a pattern shows when nobody has cleared it.
    this.memory = new Uint8Array(WIDTH * PAGES).fill(0x5a);
    this.on = false;
    this.chargePump = false;
    this.inverse = false;
    this.allOn = false;
    this.startLine = 0;
    this.offset = 0;
    this.mirrorColumns = false;
    this.mirrorRows = false;
    this.mode = PAGE_MODE;
    this.columns = [0, WIDTH - 1];
    this.pages = [0, PAGES - 1];
    this.column = 0;
    this.page = 0;
    this.pending = [];
    this.control = null;
  }

  /** A new write transfer to the controller's address begins. */
  start() {
    this.control = null;
    this.pending = [];
  }

  /** One byte of the transfer. */
  write(byte) {
    if (this.control === null) {
      if (byte & 0x3f) throw new Error(`SSD1306: control byte 0x${byte.toString(16)}`);
      this.control = byte;
    } else {
      if (this.control & 0x40) this.data(byte);
      else this.command(byte);
      // With the continuation bit, each byte has a control byte of its own.
      if (this.control & 0x80) this.control = null;
    }
  }

  /** What it answers when it is read: whether it is off, and what 128 x 64 modules have been seen with. */
  status() {
    return (this.on ? 0 : 0x40) | 0x06;
  }

  command(byte) {
    this.pending.push(byte);
    const [command, a, b] = this.pending;
    if (this.pending.length <= (ARGUMENTS[command] ?? 0)) return;
    this.pending = [];
    if (command <= 0x0f) this.column = (this.column & 0x70) | command;
    else if (command <= 0x17) this.column = (this.column & 0x0f) | ((command & 0x07) << 4);
    else if (command === 0x20) this.mode = a & 3;
    else if (command === 0x21) [this.columns, this.column] = [[a & 0x7f, b & 0x7f], a & 0x7f];
    else if (command === 0x22) [this.pages, this.page] = [[a & 7, b & 7], a & 7];
    else if (command >= 0x40 && command <= 0x7f) this.startLine = command & 0x3f;
    else if (command === 0x8d) this.chargePump = !!(a & 4);
    else if (command === 0xa0 || command === 0xa1) this.mirrorColumns = !!(command & 1);
    else if (command === 0xa4 || command === 0xa5) this.allOn = !!(command & 1);
    else if (command === 0xa6 || command === 0xa7) this.inverse = !!(command & 1);
    else if (command === 0xa8) this.expect(a === HEIGHT - 1, 'multiplex ratio is not 64');
    else if (command === 0xae || command === 0xaf) this.on = !!(command & 1);
    else if (command >= 0xb0 && command <= 0xb7) this.page = command & 7;
    else if (command === 0xc0 || command === 0xc8) this.mirrorRows = !!(command & 8);
    else if (command === 0xd3) this.offset = a & 0x3f;
    else if (command === 0xda) this.expect(a === 0x12, 'COM pins are not those of a 64-row module');
    else {
      // Contrast, clock, pre-charge, V-COMH, "no operation" and "scroll off" don't change the dots.
      const harmless = [0x2e, 0x81, 0xd5, 0xd9, 0xdb, 0xe3];
      this.expect(harmless.includes(command), `unknown command 0x${command.toString(16)}`);
    }
  }

  expect(condition, message) {
    if (!condition) throw new Error(`SSD1306: ${message}`);
  }

  data(byte) {
    this.memory[this.page * WIDTH + this.column] = byte;
    if (this.mode === PAGE_MODE) {
      this.column = (this.column + 1) % WIDTH;
      return;
    }
    const step = (value, [first, last]) => (value === last ? first : value + 1);
    const inner = this.mode === HORIZONTAL ? 'column' : 'page';
    const outer = this.mode === HORIZONTAL ? 'page' : 'column';
    const wrapped = this[inner] === this[`${inner}s`][1];
    this[inner] = step(this[inner], this[`${inner}s`]);
    if (wrapped) this[outer] = step(this[outer], this[`${outer}s`]);
  }

  /** Is the dot lit, as a person sees it on a module mounted with its pins on top? */
  pixel(x, y) {
    if (!this.on || !this.chargePump) return false;
    if (this.allOn) return true;
    // Modules are wired so that both mirror bits set give the upright picture.
    const column = this.mirrorColumns ? x : WIDTH - 1 - x;
    const com = this.mirrorRows ? y : HEIGHT - 1 - y;
    const row = (com + this.startLine + this.offset) % HEIGHT;
    const lit = !!(this.memory[(row >> 3) * WIDTH + column] & (1 << (row & 7)));
    return lit !== this.inverse;
  }

  /** The picture, row by row from the top, eight dots a byte, the leftmost in the highest bit. */
  picture() {
    const rows = new Uint8Array((WIDTH / 8) * HEIGHT);
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < WIDTH; x++) {
        if (this.pixel(x, y)) rows[(y * WIDTH + x) >> 3] |= 0x80 >> (x & 7);
      }
    }
    return rows;
  }
}
