// The cache through which the RP2040 reads its flash, for measurements: rp2040js answers at once. What the
// model knows and doesn't is in docs/device.md.
//
// Its data sheet gives the size, the two ways and the lines. It doesn't say which of two lines makes
// room for a third: here it is the one that was not used for longer.
const LINE_BITS = 3; // 8 bytes
const SETS = 16_384 / 2 / 8;
const EMPTY = -1;

// What a line that is not there costs, in clocks of the flash: the boot loader sets it up so that a
// read is an address with mode bits (32 bits), a pause, and the data, four bits in each clock.
const FLASH_CLOCKS = 8 + 4 + 16;
/** The same in clocks of the processor, which the boot loader divides by two for the flash. */
export const MISS_CYCLES = 2 * FLASH_CLOCKS;

export class XipCache {
  constructor() {
    this.hits = this.misses = 0;
    this.flush();
  }

  flush() {
    this.lines = new Int32Array(2 * SETS).fill(EMPTY);
  }

  /** Reads from a place in the flash: says whether it was not in the cache, where it is from now on. */
  missesAt(offset) {
    const line = offset >>> LINE_BITS;
    const newer = 2 * (line % SETS);
    const older = newer + 1;
    const { lines } = this;
    if (lines[newer] === line) {
      this.hits++;
      return false;
    }
    const isMiss = lines[older] !== line;
    lines[older] = lines[newer];
    lines[newer] = line;
    if (isMiss) this.misses++;
    else this.hits++;
    return isMiss;
  }
}

/**
 * Puts a cache between a processor and its flash; `wait` is called for each line that has to be fetched.
 * The processor fetches a word with two instructions at a time.
 */
export function attachCache(mcu, wait) {
  const cache = new XipCache();
  let fetched = -1;
  const read = (address) => {
    if (address >>> 24 === 0x10 && cache.missesAt(address & 0xff_ffff)) wait();
  };
  for (const name of ['readUint8', 'readUint32']) {
    const plain = mcu[name].bind(mcu);
    mcu[name] = (address) => {
      read(address);
      return plain(address);
    };
  }
  const plain = mcu.readUint16.bind(mcu);
  mcu.readUint16 = (address) => {
    const { PC } = mcu.core;
    const isInstruction = address - PC === 0 || address - PC === 2;
    const word = address & ~3;
    if (!isInstruction) read(address);
    else if (word !== fetched) {
      fetched = word;
      read(address);
    }
    return plain(address);
  };
  return cache;
}
