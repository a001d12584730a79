// Runs Corvid's Raspberry Pi Pico image.
//
//   node pico.mjs ELF                 for programs: a command a line on standard input
//   node pico.mjs --interactive ELF   for people: the display in the terminal, keys as buttons
//   node pico.mjs --cached ELF        as the first, with the cache of the flash, which takes time
//
// Each command is answered by one line, `ok`, with data where there is some, or `error TEXT`:
//   run MS            lets MS milliseconds of board time pass     ok SERIAL-OUTPUT-IN-HEX
//   press BUTTON      up, down, left, right or select             ok
//   release BUTTON                                                ok
//   send HEX          bytes for the board's USB serial port       ok
//   screen            the 128 x 64 display, rows of 16 bytes      ok HEX
//   open / close      a program opens or closes the port (DTR)    ok
//   listen / ignore   the host takes the board's output or not    ok
//   plug [ADDRESS]    the display, at this I2C address            ok
//   unplug            the display                                 ok
//   wear              the flash takes nothing any more, until a   ok
//                     reset
//   jam / unjam       the bus of the display                      ok
//   cut MS SEED       the power goes MS milliseconds from now     ok
//   cut MS SEED N     or earlier, in the flash's Nth operation    ok
//   power             01 with power; without, what the cut tore:  ok 01, 0000, 0001 or 0002
//                     nothing, an erase or a program
//   divert PC LR R2   the program goes on elsewhere               ok
//   divert-second PC LR R2 [SP]  the second processor does        ok
//   helped            the second processor's work so far, in      ok HEX
//                     nanoseconds, eight bytes
//   second-stack      the lowest address of its stack so far      ok HEX
//   alone             the second processor never starts again     ok
//   reactions         what the first picture after each push or  ok HEX
//                     release of a button so far took on the display's
//                     bus, in microseconds, two bytes each
//   cache             reads that the flash's cache answered so   ok HEX
//                     far, and those that it did not, eight bytes each
//   peek ADDRESS      the word there                              ok HEX
//   poke ADDRESS WORD changes it                                  ok
//   hang              the processor stops                         ok
//   weak              it does so at a high clock from now on      ok
//   on                switches it on again after a cut            ok
import { createInterface } from 'node:readline';
import { Pico } from './machine.mjs';
import { interactive } from './terminal.mjs';

function answer(pico, line) {
  const [command, argument = '', second = '', third = 'Infinity', fourth = ''] = line.trim().split(/\s+/);
  switch (command) {
    case 'run': {
      const milliseconds = Number(argument);
      if (!(milliseconds > 0)) throw new Error(`not a time: ${argument}`);
      pico.run(milliseconds);
      return pico.takeSerial().toString('hex');
    }
    case 'press':
    case 'release':
      return pico.setButton(argument, command === 'press');
    case 'send':
      return pico.host.send(Buffer.from(argument, 'hex'));
    case 'screen':
      return Buffer.from(pico.oled.picture()).toString('hex');
    case 'open':
    case 'close':
      return pico.host.setOpen(command === 'open');
    case 'listen':
    case 'ignore':
      return pico.host.setReading(command === 'listen');
    case 'plug':
    case 'unplug':
      return pico.setDisplay(command === 'plug', argument ? Number(argument) : undefined);
    case 'wear':
      pico.flash.worn = true;
      return undefined;
    case 'jam':
    case 'unjam':
      return pico.setJammed(command === 'jam');
    case 'cut':
      return pico.cutAfter(Number(argument), Number(second), Number(third));
    case 'power':
      return pico.off ? `000${pico.flash.torn}` : '01';
    case 'divert':
      return pico.divert(Number(argument), [[14, Number(second)], [2, Number(third)]]);
    case 'divert-second': {
      const registers = [[14, Number(second)], [2, Number(third)]];
      if (fourth) registers.push([13, Number(fourth)]);
      return pico.divertSecond(Number(argument), registers);
    }
    case 'helped':
      return Math.round(pico.second.worked).toString(16).padStart(16, '0');
    case 'second-stack':
      return pico.second.lowest.toString(16).padStart(8, '0');
    case 'alone':
      return pico.breakSecond();
    case 'reactions':
      return Buffer.concat(pico.reactions.map((nanos) => word(nanos / 1e3))).toString('hex');
    case 'cache':
      return [pico.cache.hits, pico.cache.misses].map((reads) => reads.toString(16).padStart(16, '0')).join('');
    case 'peek':
      return pico.mcu.readUint32(Number(argument)).toString(16).padStart(8, '0');
    case 'poke':
      return pico.mcu.writeUint32(Number(argument), Number(second));
    case 'weak':
      pico.weak = true;
      return undefined;
    case 'hang':
      return pico.hang();
    case 'on':
      return pico.powerOn();
    default:
      throw new Error(`unknown command: ${command}`);
  }
}

/** Two bytes, the higher one first. */
function word(number) {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(Math.round(number));
  return bytes;
}

function serve(pico) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    let text;
    try {
      text = `ok ${answer(pico, line) ?? ''}`.trimEnd();
    } catch (error) {
      text = `error ${error.message.replaceAll('\n', ' ')}`;
    }
    process.stdout.write(`${text}\n`);
  });
}

const options = process.argv.slice(2);
const elf = options.find((option) => !option.startsWith('--'));
if (!elf) {
  console.error('usage: node pico.mjs [--interactive] ELF');
  process.exit(2);
}
try {
  const pico = new Pico(elf, options.includes('--cached'));
  if (options.includes('--interactive')) interactive(pico);
  else serve(pico);
} catch (error) {
  console.error(`pico: ${error.message}`);
  process.exit(1);
}
