// The Raspberry Pi Pico with its OLED, five buttons and a USB host, on the emulator's clock: a run
// depends on nothing but the image and the inputs, so it is the same every time.
import { readFileSync } from 'node:fs';
import { ConsoleLogger, I2CMode, LogLevel, RP2040 } from 'rp2040js';
import { FlashChip } from './flash.mjs';
import { Second } from './second.mjs';
import { Ssd1306 } from './ssd1306.mjs';
import { UsbHost } from './usb-host.mjs';
import { MISS_CYCLES, attachCache } from './xip.mjs';

// The wiring of firmware/src/bin/pico.rs.
export const BUTTONS = { up: 10, down: 11, left: 12, right: 13, select: 14 };
const OLED_ADDRESS = 0x3c; // of nearly every module
const OLED_BUS = 0;

const FLASH = 0x1000_0000;
const FLASH_SIZE = 2 * 1024 * 1024;
const VECTORS = 0x1000_0100; // behind the second-stage boot loader, which is not run
const VTOR = 0xe000_ed08;
const AIRCR = 0xd0c; // in the processor's own registers
const SYSRESETREQ = 1 << 2;
const HARD_FAULT = 3;
const SURE_HZ = 133e6; // every chip runs at this clock
const IC_INTR_MASK = 0x30;
const IC_ENABLE = 0x6c;
const RESETS = 0x4000c;
const RESET_I2C0 = 1 << 3;
const I2C_BYTE_NANOS = 22_500; // nine clocks at 400 kHz
const I2C_ENDS_NANOS = 5_000; // start and stop of a transfer: a clock each
const FRAME_GAP_NANOS = 2e5; // less passes between two transfers of a picture, more while one is drawn

const SCRATCH_AND_REASON = ['scratchData', 'reason'];
const WATCHDOG = 0x40058;

export class Pico {
  /** With a `cached` flash what is not in its cache takes time, and the emulator takes three times as long. */
  constructor(elfPath, cached = false) {
    this.cached = cached;
    /** Whether the chip stops at a high clock. */
    this.weak = false;
    /** Whether its second processor is broken: it never starts. */
    this.alone = false;
    this.serial = [];
    /** How much of the board's time its first processor slept, in nanoseconds. */
    this.slept = 0;
    /** Time on the display's bus of the first picture after each push or release of a button. */
    this.reactions = [];
    this.random = randomNumbers(1);
    /** When the power goes, in board time. */
    this.cutAt = this.operationsLeft = Infinity;
    this.setDisplay(true);
    this.start(readFileSync(elfPath));
  }

  /**
   * Starts the board: with an ELF file, as it comes from the programmer; with the machine it was
   * before and no file, after a reset, which keeps the RAM; else after a power cut.
   */
  start(elf, before = null) {
    const old = this.mcu;
    this.past = this.nanos ?? 0;
    this.mcu = new RP2040();
    const { core } = this.mcu;
    this.mcu.logger = new ConsoleLogger(LogLevel.Error, false);
    this.fault = null;
    this.off = false;
    this.resets = false;
    this.hung = false;
    /** Time that the flash takes for what the processor waits for. */
    this.busy = 0;
    if (elf) loadElf(this.mcu, elf);
    else this.mcu.flash.set(old.flash.subarray(0, FLASH_SIZE));
    const watchdog = this.mcu.peripherals[WATCHDOG];
    if (before) {
      this.mcu.sram.set(before.sram);
      for (const field of SCRATCH_AND_REASON) watchdog[field] = before.peripherals[WATCHDOG][field];
    } else {
      // Memory that has just got its power holds anything.
      for (let i = 0; i < this.mcu.sram.length; i += 4) this.mcu.sramView.setUint32(i, this.random(), true);
    }
    watchdog.onWatchdogTrigger = () => {
      this.resets = true;
      watchdog.alarm.enable = false; // it would come again at once, for ever
    };
    // rp2040js leaves out that a program resets the processor.
    const { ppb } = this.mcu;
    const writeOwn = ppb.writeUint32.bind(ppb);
    ppb.writeUint32 = (offset, value) => {
      writeOwn(offset, value);
      this.resets ||= offset === AIRCR && (value & SYSRESETREQ) !== 0;
    };
    const { worked, lowest } = this.second ?? {};
    this.second = new Second(this.mcu, this.alone);
    // What is measured goes on after a reset.
    if (before) Object.assign(this.second, { worked, lowest });
    const cut = (nanos) => (this.off ||= this.operationsLeft-- === 0 || this.nanos + nanos > this.cutAt);
    this.flash = new FlashChip(this.mcu, cut, this.random, () => this.second.checkFlashIsFree());
    this.mcu.onBreak = (number) => {
      const { core } = this.mcu;
      const nanos = this.flash.call(number);
      this.off ||= this.flash.left;
      if (nanos !== null) this.busy += nanos;
      // Without a debugger both a breakpoint and an undefined instruction are faults, which
      // rp2040js leaves out; a fault in the handler of one locks the processor up.
      else if (core.IPSR === HARD_FAULT) this.fault = `the processor locked up at 0x${core.PC.toString(16)}`;
      else {
        core.PC -= core.breakRewind;
        core.exceptionEntry(HARD_FAULT);
      }
    };
    attachOled(this);
    const setClock = (hz) => {
      this.cycleNanos = 1e9 / hz;
      this.hung ||= this.weak && hz > SURE_HZ;
    };
    setClock(this.mcu.clkSys);
    this.mcu.addClockListener(setClock);
    if (this.cached) this.cache = attachCache(this.mcu, () => (this.busy += MISS_CYCLES * this.cycleNanos));
    this.host = new UsbHost(this.mcu, (bytes) => this.serial.push(...bytes));
    for (const name of Object.keys(BUTTONS)) this.setButton(name, false);
    this.reacts = false;
    this.mcu.writeUint32(VTOR, VECTORS);
    core.SP = this.mcu.readUint32(VECTORS);
    core.PC = this.mcu.readUint32(VECTORS + 4) & ~1;
  }

  /**
   * Cuts the power after some board time, in the middle of whatever happens then; with `operation`,
   * in the middle of that erase or program from now on, the first being 0, if it comes before.
   */
  cutAfter(milliseconds, seed, operation = Infinity) {
    this.random = this.flash.random = randomNumbers(seed);
    this.cutAt = this.nanos + milliseconds * 1e6;
    this.operationsLeft = operation;
  }

  /** Makes the program go on elsewhere, with other contents of some registers, by number. */
  divert(address, registers) {
    const { core } = this.mcu;
    // In thread mode, below all interrupts.
    while (core.IPSR !== 0) this.run(0.001);
    core.waiting = false;
    for (const [number, value] of registers) core.registers[number] = value;
    core.PC = address;
  }

  /** Makes the second processor go on elsewhere. */
  divertSecond(address, registers) {
    this.second.divert(address, registers);
  }

  /** Breaks the second processor: it never starts again. */
  breakSecond() {
    this.alone = this.second.isMute = true;
    this.second.reset(true);
  }

  /** Stops the processors: they do not even take interrupts. */
  hang() {
    this.hung = true;
  }

  /** Switches the board on again. What was on its way to the host is lost. */
  powerOn() {
    this.cutAt = this.operationsLeft = Infinity;
    this.serial = [];
    this.setDisplay(this.oledPresent);
    this.start(null);
  }

  /** Board time since the start, in nanoseconds. */
  get nanos() {
    return this.mcu && this.past + this.mcu.clock.nanos;
  }

  /** Buttons connect their pin to ground. */
  setButton(name, pressed) {
    if (!(name in BUTTONS)) throw new Error(`no such button: ${name}`);
    this.mcu.gpio[BUTTONS[name]].setInputValue(!pressed);
    this.reacts = true;
  }

  /** Unplugs the display, or plugs one in: it starts from nothing then. */
  setDisplay(present, address = OLED_ADDRESS) {
    this.oled = new Ssd1306();
    this.oledPresent = present;
    this.oledAddress = address;
  }

  /** Holds the clock line of the display's bus low, or lets it go. */
  setJammed(jammed) {
    this.jammed = jammed;
    if (!jammed) this.released?.();
    this.released = null;
  }

  /** Lets the board run. Without power, time stands still. */
  run(milliseconds) {
    const end = Math.min(this.nanos + milliseconds * 1e6, this.cutAt);
    while (!this.off && this.nanos < end) {
      this.runUntilReset(end - this.past);
      if (this.resets) this.start(null, this.mcu);
    }
    this.off ||= end === this.cutAt;
  }

  /** Runs to a time of the machine's clock, or until it resets itself or the power goes. */
  runUntilReset(end) {
    const { second } = this;
    const { core, clock } = this.mcu;
    const nanosOf = (cycles) => {
      const nanos = cycles * this.cycleNanos + this.busy;
      this.busy = 0;
      return nanos;
    };
    while (clock.nanos < end && !this.resets && !this.off) {
      if (second.isAwake && !this.hung && second.nanos < clock.nanos) second.step(nanosOf);
      else if (core.waiting || this.hung) {
        let next = clock.nextAlarm ? Math.min(end, clock.nextAlarm.nanos) : end;
        // It may send an event with its next instruction.
        if (second.isAwake && !this.hung) next = Math.min(next, second.nanos + this.cycleNanos);
        this.slept += next - clock.nanos;
        clock.tick(next - clock.nanos);
      } else clock.tick(nanosOf(core.executeInstruction()));
      if (this.fault) throw new Error(this.fault);
    }
  }

  /** Takes what the board has sent so far. */
  takeSerial() {
    return Buffer.from(this.serial.splice(0));
  }
}

/** A small seeded generator of 32-bit numbers (xorshift). */
function randomNumbers(seed) {
  let state = (seed * 2654435769 + 1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

/** Copies the loadable segments of a 32-bit little-endian ELF file into the flash. */
function loadElf(mcu, elf) {
  if (elf.length < 52 || elf.readUInt32BE(0) !== 0x7f454c46) throw new Error('the image is not an ELF file');
  const table = elf.readUInt32LE(28);
  const entrySize = elf.readUInt16LE(42);
  for (let i = 0; i < elf.readUInt16LE(44); i++) {
    const header = table + i * entrySize;
    const [type, offset, , address, size] = [0, 4, 8, 12, 16].map((field) => elf.readUInt32LE(header + field));
    if (type !== 1 || size === 0) continue;
    if (address < FLASH || address - FLASH + size > FLASH_SIZE) {
      throw new Error(`segment at 0x${address.toString(16)} is not in flash`);
    }
    mcu.flash.set(elf.subarray(offset, offset + size), address - FLASH);
  }
}

/** Puts the display on its I2C bus, each byte taking the time it takes at 400 kHz. */
function attachOled(pico) {
  const { clock, i2c } = pico.mcu;
  const bus = i2c[OLED_BUS];
  let finish = () => {};
  const alarm = clock.createAlarm(() => finish());
  const later = (action) => {
    finish = action;
    // Somebody who holds the clock line low makes everybody wait.
    if (pico.jammed) pico.released = () => alarm.schedule(I2C_BYTE_NANOS);
    else alarm.schedule(I2C_BYTE_NANOS);
  };
  // Adds up what a picture takes; the first one after a button is its reaction.
  let last = -Infinity;
  let reaction = false;
  const count = (nanos) => {
    if (clock.nanos - last > FRAME_GAP_NANOS) {
      reaction = pico.reacts;
      pico.reacts = false;
      if (reaction) pico.reactions.push(0);
    }
    if (reaction) pico.reactions[pico.reactions.length - 1] += nanos;
    last = clock.nanos;
  };
  bus.onStart = () => bus.completeStart();
  bus.onConnect = (address, mode) => {
    count(I2C_BYTE_NANOS + I2C_ENDS_NANOS);
    const ack = pico.oledPresent && address === pico.oledAddress;
    if (ack && mode === I2CMode.Write) pico.oled.start();
    later(() => bus.completeConnect(ack));
  };
  bus.onWriteByte = (byte) => {
    count(I2C_BYTE_NANOS);
    const ack = pico.oledPresent;
    if (ack) pico.oled.write(byte);
    later(() => bus.completeWrite(ack));
  };
  bus.onReadByte = () => {
    count(I2C_BYTE_NANOS);
    // Nobody pulls the line low where there is no display.
    later(() => bus.completeRead(pico.oledPresent ? pico.oled.status() : 0xff));
  };
  bus.onStop = () => bus.completeStop();
  // rp2040js does not reset peripherals.
  const resets = pico.mcu.peripherals[RESETS];
  const writeReset = resets.writeUint32.bind(resets);
  resets.writeUint32 = (offset, value) => {
    writeReset(offset, value);
    if (offset !== 0 || !(value & RESET_I2C0)) return;
    alarm.cancel();
    pico.released = null;
    bus.state = bus.intRaw = bus.enable = 0;
    bus.busy = bus.stop = bus.pendingRestart = false;
    bus.txFIFO.reset();
    bus.rxFIFO.reset();
    bus.checkInterrupts();
  };
  // rp2040js does not store the interrupt mask, which an interrupt-driven driver needs.
  const write = bus.writeUint32.bind(bus);
  bus.writeUint32 = (offset, value) => {
    // The chip ends a transfer after the byte that is on its way when it is switched off.
    if (offset === IC_ENABLE && !(value & 1) && bus.busy) bus.stop = true;
    if (offset !== IC_INTR_MASK) return write(offset, value);
    bus.intEnable = value;
    bus.checkInterrupts();
  };
}
