// The RP2040's second processor, which rp2040js leaves out: its start by the boot ROM, the FIFOs and events
// between both processors, and its turns on the clock.
//
// Both use the same memory and devices. Devices ask `mcu.core` who executes an instruction, so that this is
// changed for each one of the second processor's. Interrupts go to the first one.

const [FIRST, SECOND] = [0, 1];

// Registers that both processors share.
const NUMBER = 0x00;
const FIFO_STATUS = 0x50;
const FIFO_WRITE = 0x54;
const FIFO_READ = 0x58;
const DIVIDER = [0x60, 0x78];
const FIFO_DEPTH = 8;
const VALID = 1;
const READY = 1 << 1;
const OVERFLOWED = 1 << 2;
const UNDERFLOWED = 1 << 3;

const POWER_STATES = 0x40010; // as rp2040js counts places: address / 4096
const FORCE_OFF = 0x04;
const OFF_SIO = 1 << 14;
const OFF_SECOND = 1 << 16;

const RAM = 0x2000_0000;
const RAM_END = 0x2004_2000;

// What the boot ROM waits for before the addresses of the vectors, of the stack and of the program.
const OPENING = [0, 0, 1];
const WORDS = OPENING.length + 3;

export class Second {
  /** With `isMute` it never starts. */
  constructor(mcu, isMute) {
    this.mcu = mcu;
    this.first = mcu.core;
    this.isMute = isMute;
    /** The processor; null while it is in its reset or in the boot ROM. */
    this.core = null;
    /** Whether it executes instructions, how far it has come, and for how long it has been at work. */
    this.isAwake = false;
    this.nanos = 0;
    this.worked = 0;
    /** The lowest address of its stack so far. */
    this.lowest = 0xffff_ffff;
    /** The words that the boot ROM has heard; null while it does not listen. */
    this.heard = null;
    this.resetFifos();
    this.attachSio();
    this.attachPowerStates();
    mcu.setInterrupt = (number, value) => this.first.setInterrupt(number, value);
    // All that rp2040js does about this instruction.
    const log = mcu.logger.info.bind(mcu.logger);
    mcu.logger.info = (name, text) => (text === 'SEV' ? this.event() : log(name, text));
    this.reset(false);
  }

  resetFifos() {
    this.words = [[], []];
    this.errors = [0, 0];
  }

  push(to, word) {
    if (this.words[to].length < FIFO_DEPTH) this.words[to].push(word);
    else this.errors[1 - to] |= OVERFLOWED;
  }

  get number() {
    return this.mcu.core === this.first ? FIRST : SECOND;
  }

  attachSio() {
    const { sio } = this.mcu;
    const [read, write] = [sio.readUint32.bind(sio), sio.writeUint32.bind(sio)];
    sio.readUint32 = (offset) => {
      const { number } = this;
      if (offset >= DIVIDER[0] && offset <= DIVIDER[1]) throw new Error('the divider is shared here');
      switch (offset) {
        case NUMBER:
          return number;
        case FIFO_STATUS:
          return (
            (this.words[number].length > 0 ? VALID : 0) |
            (this.words[1 - number].length < FIFO_DEPTH ? READY : 0) |
            this.errors[number]
          );
        case FIFO_READ:
          if (this.words[number].length === 0) this.errors[number] |= UNDERFLOWED;
          return this.words[number].shift() ?? 0;
        default:
          return read(offset);
      }
    };
    sio.writeUint32 = (offset, value) => {
      const { number } = this;
      if (offset === FIFO_STATUS) this.errors[number] &= ~value;
      else if (offset === FIFO_WRITE) this.push(1 - number, value >>> 0);
      else write(offset, value);
    };
  }

  attachPowerStates() {
    const states = this.mcu.peripherals[POWER_STATES];
    const write = states.writeUint32.bind(states);
    states.writeUint32 = (offset, value) => {
      write(offset, value);
      if (offset !== FORCE_OFF) return;
      if (value & OFF_SIO) {
        this.resetFifos();
        this.mcu.sio.spinLock = 0;
      }
      this.reset((value & OFF_SECOND) !== 0);
    };
  }

  /** Resets it, or lets it out of its reset: the boot ROM says when it is ready. */
  reset(isHeld) {
    this.core = this.heard = null;
    this.isAwake = false;
    if (isHeld || this.isMute) return;
    this.heard = [];
    this.words[SECOND] = [];
    this.push(FIRST, 0);
  }

  /** A processor has sent an event to both. */
  event() {
    for (const core of [this.first, this.core]) {
      if (core?.waiting) core.waiting = false;
      else if (core) core.eventRegistered = true;
    }
    if (this.core && !this.isAwake && !this.core.waiting) this.wake();
    if (this.heard) this.listen();
  }

  wake() {
    this.isAwake = true;
    this.nanos = this.mcu.clock.nanos;
  }

  /** The boot ROM repeats the words that have come until they say where to start. */
  listen() {
    for (const word of this.words[SECOND].splice(0)) {
      const due = OPENING[this.heard.length];
      if (due === undefined || due === word) this.heard.push(word);
      else this.heard = [];
      this.push(FIRST, word);
    }
    if (this.heard.length < WORDS) return;
    const [vectors, stack, first] = this.heard.slice(OPENING.length);
    this.heard = null;
    // rp2040js exports no such class.
    this.core = new this.first.constructor(this.mcu);
    this.core.VTOR = vectors;
    this.core.SP = stack;
    this.core.PC = first & ~1;
    this.wake();
  }

  /**
   * Executes an instruction; `nanosOf` gives the time that so many clocks take, with what the processor
   * has waited for.
   */
  step(nanosOf) {
    const { core, mcu } = this;
    mcu.core = core;
    try {
      const nanos = nanosOf(core.executeInstruction());
      this.nanos += nanos;
      this.worked += nanos;
    } finally {
      mcu.core = this.first;
    }
    if (core.SP < this.lowest) this.lowest = core.SP;
    if (core.waiting) this.isAwake = false;
  }

  /** Makes it go on elsewhere, with other contents of some registers, by number. */
  divert(address, registers) {
    if (!this.core) throw new Error('the second processor runs nothing');
    this.core.waiting = false;
    for (const [number, value] of registers) this.core.registers[number] = value;
    this.core.PC = address;
    if (!this.isAwake) this.wake();
  }

  /** While the flash changes, nobody can read it: it has to be in RAM, and stay there. */
  checkFlashIsFree() {
    const { core } = this;
    if (!core || (!this.isAwake && core.PC >= RAM && core.PC < RAM_END)) return;
    throw new Error(`the flash changes while the second processor is at 0x${core.PC.toString(16)}`);
  }
}
