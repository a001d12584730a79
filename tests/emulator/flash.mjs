// The Pico's flash chip behind the boot ROM's functions, and what a power cut does to it.
//
// rp2040js has no boot ROM. This is a small one: each function is a breakpoint and a return, and the
// work is done here. A function takes the time that the chip takes; when the power goes in the
// meantime, the bytes are left as a cut leaves them.

// The chip's data sheet, W25Q16JV, typical times.
const ERASE_NANOS = 45e6; // 4 KB
const PROGRAM_NANOS = 0.4e6; // 256 bytes
const SECTOR = 4096;
const PROGRAM_PAGE = 256;

// Places in the ROM. Those of the pointers are the chip's; the others are free.
const TABLE_POINTER = 0x14;
const LOOKUP_POINTER = 0x18;
const LOOKUP = 0x40;
const TABLE = 0x80;
const FUNCTIONS = 0x100;
const ROM_END = 0x4000;
const THUMB = 1;
const BX_LR = 0x4770;
const BKPT = 0xbe00;

// The cache's registers: no reading in the background is under way.
const CACHE = 0x14000; // as rp2040js counts places: address / 4096
const IDLE_CACHE = { readUint32: () => 0, writeUint32Atomic: () => {} };

const TORN_ERASE = 1;
const TORN_PROGRAM = 2;

const nothing = () => 0;

export class FlashChip {
  /** `cut(nanos)` says whether the power goes within that time, `random()` gives 32 bits, and
      `checkFree()` throws if somebody reads the flash. */
  constructor(mcu, cut, random, checkFree) {
    this.mcu = mcu;
    this.checkFree = checkFree;
    this.cut = cut;
    this.random = random;
    /** What a cut tore: nothing, an erase or a program. */
    this.torn = 0;
    /** Whether the boot ROM has taken over for good: the program has ended. */
    this.left = false;
    /** Whether its cells take nothing any more. */
    this.worn = false;
    const functions = {
      IF: nothing, // connect the chip
      EX: nothing, // leave execution in place
      RE: (offset, count) => this.erase(offset, count),
      RP: (offset, data, count) => this.program(offset, data, count),
      FC: nothing, // flush the cache
      CX: nothing, // execute in place again
      C4: (to, from, count) => this.copy(to, from, count),
      UB: () => this.leave(), // become a drive on USB
    };
    this.calls = Object.values(functions);
    mcu.peripherals[CACHE] = IDLE_CACHE;
    const rom = new DataView(mcu.bootrom.buffer);
    const code = (name) => name.charCodeAt(0) | (name.charCodeAt(1) << 8);
    const put = (address, ...halfwords) => halfwords.forEach((value, i) => rom.setUint16(address + 2 * i, value, true));
    put(TABLE_POINTER, TABLE);
    put(LOOKUP_POINTER, LOOKUP | THUMB);
    put(LOOKUP, BKPT | this.calls.length, BX_LR);
    Object.keys(functions).forEach((name, i) => {
      put(TABLE + 4 * i, code(name), (FUNCTIONS + 4 * i) | THUMB);
      put(FUNCTIONS + 4 * i, BKPT | i, BX_LR);
    });
  }

  /** Does what a breakpoint in the ROM stands for and gives the nanoseconds it takes; null for one
      that is not in the ROM. */
  call(number) {
    const { core } = this.mcu;
    if (core.PC >= ROM_END) return null;
    const [r0, r1, r2] = core.registers;
    if (number === this.calls.length) {
      core.registers[0] = this.lookUp(r0, r1);
      return 0;
    }
    return this.calls[number](r0, r1, r2);
  }

  /** The entry of a table with this code; 0 if it has none. */
  lookUp(table, wanted) {
    for (let at = table; ; at += 4) {
      const code = this.mcu.readUint16(at);
      if (code === wanted) return this.mcu.readUint16(at + 2);
      if (code === 0) return 0;
    }
  }

  leave() {
    this.left = true;
    return 0;
  }

  copy(to, from, count) {
    for (let i = 0; i < count; i += 4) this.mcu.writeUint32(to + i, this.mcu.readUint32(from + i));
    return 0;
  }

  erase(offset, count) {
    if (offset % SECTOR || count % SECTOR) throw new Error(`flash: erase of ${count} bytes at 0x${offset.toString(16)}`);
    for (let at = offset; at < offset + count; at += SECTOR) {
      if (this.change(at, new Uint8Array(SECTOR).fill(0xff), ERASE_NANOS)) this.torn = TORN_ERASE;
    }
    return ERASE_NANOS * (count / SECTOR);
  }

  program(offset, data, count) {
    if (offset % PROGRAM_PAGE || count % PROGRAM_PAGE) throw new Error(`flash: program of ${count} bytes at 0x${offset.toString(16)}`);
    const nanos = PROGRAM_NANOS * (count / PROGRAM_PAGE);
    // Programming can only clear bits.
    const target = Uint8Array.from({ length: count }, (_, i) => this.mcu.readUint8(data + i) & this.mcu.flash[offset + i]);
    if (this.change(offset, target, nanos)) this.torn = TORN_PROGRAM;
    return nanos;
  }

  /** Changes bytes to `target`, or gives true: a cut leaves each byte as it was, done, or with some
      of its bits changed. */
  change(offset, target, nanos) {
    const { flash } = this.mcu;
    this.checkFree();
    if (this.torn) return false; // the power is gone already
    if (this.worn) return false;
    const torn = this.cut(nanos);
    target.forEach((byte, i) => {
      const done = torn ? [0, 0xff, this.random() & 0xff][this.random() % 3] : 0xff;
      flash[offset + i] = (flash[offset + i] & ~done) | (byte & done);
    });
    return torn;
  }
}
