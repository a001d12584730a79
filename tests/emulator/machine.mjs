// The Raspberry Pi Pico with its OLED, five buttons and a USB host, on the emulator's clock: a run
// depends on nothing but the image and the inputs, so it is the same every time.
import { readFileSync } from 'node:fs';
import { ConsoleLogger, I2CMode, LogLevel, RP2040 } from 'rp2040js';
import { Ssd1306 } from './ssd1306.mjs';
import { UsbHost } from './usb-host.mjs';

// The wiring of firmware/src/bin/pico.rs.
export const BUTTONS = { up: 10, down: 11, left: 12, right: 13, select: 14 };
const OLED_ADDRESS = 0x3c;
const OLED_BUS = 0;

const FLASH = 0x1000_0000;
const VECTORS = 0x1000_0100; // behind the second-stage boot loader, which is not run
const VTOR = 0xe000_ed08;
const CYCLE_NANOS = 8; // 125 MHz
const IC_INTR_MASK = 0x30;
const I2C_BYTE_NANOS = 22_500; // nine clocks at 400 kHz

export class Pico {
  constructor(elfPath) {
    this.mcu = new RP2040();
    this.mcu.logger = new ConsoleLogger(LogLevel.Error, false);
    this.serial = [];
    /** How much of the board's time its processor slept, in nanoseconds. */
    this.slept = 0;
    this.fault = null;
    loadElf(this.mcu, readFileSync(elfPath));
    this.mcu.onBreak = () => {
      this.fault = `the firmware stopped (panic or fault) at 0x${this.mcu.core.PC.toString(16)}`;
    };
    this.setDisplay(true);
    attachOled(this);
    this.host = new UsbHost(this.mcu, (bytes) => this.serial.push(...bytes));
    for (const name of Object.keys(BUTTONS)) this.setButton(name, false);
    const { core } = this.mcu;
    this.mcu.writeUint32(VTOR, VECTORS);
    core.SP = this.mcu.readUint32(VECTORS);
    core.PC = this.mcu.readUint32(VECTORS + 4) & ~1;
  }

  /** Board time since the start, in nanoseconds. */
  get nanos() {
    return this.mcu.clock.nanos;
  }

  /** Buttons connect their pin to ground. */
  setButton(name, pressed) {
    if (!(name in BUTTONS)) throw new Error(`no such button: ${name}`);
    this.mcu.gpio[BUTTONS[name]].setInputValue(!pressed);
  }

  /** Unplugs the display, or plugs it in: it starts from nothing then. */
  setDisplay(present) {
    this.oled = new Ssd1306();
    this.oledPresent = present;
  }

  /** Presses a button and lets it go after some board time. */
  tap(name, milliseconds) {
    this.setButton(name, true);
    this.mcu.clock.createAlarm(() => this.setButton(name, false)).schedule(milliseconds * 1e6);
  }

  /** Lets the board run. */
  run(milliseconds) {
    const { core, clock } = this.mcu;
    const end = clock.nanos + milliseconds * 1e6;
    while (clock.nanos < end) {
      if (core.waiting) {
        const next = clock.nextAlarm ? Math.min(end, clock.nextAlarm.nanos) : end;
        this.slept += next - clock.nanos;
        clock.tick(next - clock.nanos);
      } else {
        clock.tick(core.executeInstruction() * CYCLE_NANOS);
        if (this.fault) throw new Error(this.fault);
      }
    }
  }

  /** Takes what the board has sent so far. */
  takeSerial() {
    return Buffer.from(this.serial.splice(0));
  }
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
    if (address < FLASH || address - FLASH + size > mcu.flash.length) {
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
    alarm.schedule(I2C_BYTE_NANOS);
  };
  bus.onStart = () => bus.completeStart();
  bus.onConnect = (address, mode) => {
    const ack = pico.oledPresent && address === OLED_ADDRESS && mode === I2CMode.Write;
    if (ack) pico.oled.start();
    later(() => bus.completeConnect(ack));
  };
  bus.onWriteByte = (byte) => {
    const ack = pico.oledPresent;
    if (ack) pico.oled.write(byte);
    later(() => bus.completeWrite(ack));
  };
  bus.onStop = () => bus.completeStop();
  // rp2040js does not store the interrupt mask, which an interrupt-driven driver needs.
  const write = bus.writeUint32.bind(bus);
  bus.writeUint32 = (offset, value) => {
    if (offset !== IC_INTR_MASK) return write(offset, value);
    bus.intEnable = value;
    bus.checkInterrupts();
  };
}
