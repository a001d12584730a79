// What the boards look like.

import { svg } from "../dom.js";

/**
 * How a board looks.
 * @typedef {object} Look
 * @property {{x: number, y: number, width: number}} glass of the display, twice as wide as high
 * @property {{x: number, y: number}[]} keys the middles of up, down, left, right and select
 * @property {{lit: string, dark: string}} colors the display's
 * @property {{x: number, y: number}} led
 * @property {() => string} draw the picture without what moves or shines
 */

/** Holes, pads and the like: the same shape at many places. */
function repeat(count, shape) {
  return Array.from({ length: count }, (_, index) => shape(index)).join("");
}

function points(pairs) {
  return pairs.map(([x, y]) => ({ x, y }));
}

function label(x, y, text, size = 11, anchor = "middle", fill = "#e9eef5") {
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}"
    fill="${fill}">${text}</text>`;
}

/** A mounting hole with its ring. */
function hole(x, y) {
  return `<circle cx="${x}" cy="${y}" r="10" fill="none" stroke="#d8b45a" stroke-width="5"/>
    <circle cx="${x}" cy="${y}" r="7.5" class="device-through"/>`;
}

function rivet(x, y) {
  return `<circle cx="${x}" cy="${y}" r="3" fill="#4a4f56"/>`;
}

/** The body of a push button, and a mark for what it does. */
function tact({ x, y }, mark) {
  const leg = (dx, dy) => `<rect x="${x + dx - 4}" y="${y + dy - 3}" width="8" height="6" rx="1.5"
    fill="#cfd4da"/>`;
  return `${leg(-32, -17)}${leg(32, -17)}${leg(-32, 17)}${leg(32, 17)}
    <rect x="${x - 30}" y="${y - 30}" width="60" height="60" rx="5" fill="url(#device-metal)"
      stroke="#6e747c"/>
    ${repeat(4, (n) => rivet(x + (n % 2 ? 23 : -23), y + (n > 1 ? 23 : -23)))}
    ${mark}`;
}

/** A triangle that points away from the middle of a key. */
function arrow({ x, y }, dx, dy, away = 44) {
  const [px, py] = [x + dx * away, y + dy * away];
  const point = (along, across) => `${px + dx * along + dy * across},${py + dy * along + dx * across}`;
  return `<polygon points="${point(7, 0)} ${point(-4, 7)} ${point(-4, -7)}" fill="#e9eef5"/>`;
}

function cross(keys, away) {
  const [up, down, left, right] = keys;
  return tact(up, arrow(up, 0, -1, away)) + tact(down, arrow(down, 0, 1, away))
    + tact(left, arrow(left, -1, 0, away)) + tact(right, arrow(right, 1, 0, away));
}

/** Shared gradients. */
const DEFS = `<defs>
  <linearGradient id="device-metal" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#eceff2"/><stop offset=".5" stop-color="#b9bfc6"/>
    <stop offset="1" stop-color="#8d949c"/></linearGradient>
  <linearGradient id="device-glass" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#1b2027"/><stop offset=".45" stop-color="#06080b"/>
    <stop offset="1" stop-color="#0d1116"/></linearGradient>
  <linearGradient id="device-chip" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#3a3e44"/><stop offset="1" stop-color="#1c1f23"/></linearGradient>
  <linearGradient id="device-cable" x1="0" y1="0" x2="0" y2="1">
    <stop offset="0" stop-color="#50555c"/><stop offset=".35" stop-color="#2c3036"/>
    <stop offset="1" stop-color="#16181c"/></linearGradient>
  <linearGradient id="device-far">
    <stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#fff"/></linearGradient>
  <mask id="device-fade" maskContentUnits="objectBoundingBox">
    <rect width="1" height="1" fill="url(#device-far)"/></mask>
  <pattern id="device-holes" width="15" height="15" patternUnits="userSpaceOnUse">
    <circle cx="7.5" cy="7.5" r="3.6" fill="#a98a3f" opacity=".5"/>
    <circle cx="7.5" cy="7.5" r="2" fill="#0b1220" opacity=".85"/></pattern>
</defs>`;

/** A cable that comes in from the left, out of sight, and its plug. */
function cable(y, end) {
  return `<rect x="${end - 130}" y="${y - 8}" width="70" height="16" fill="url(#device-cable)"
    mask="url(#device-fade)"/>
    <rect x="${end - 64}" y="${y - 11}" width="18" height="22" rx="4" fill="url(#device-cable)"/>
    <rect x="${end - 50}" y="${y - 21}" width="50" height="42" rx="7" fill="url(#device-cable)"/>
    <path d="M${end - 33} ${y}h16m-5 -4l5 4l-5 4" fill="none" stroke="#7d848d" stroke-width="2"/>`;
}

/* ---- Raspberry Pi Pico with an OLED module, on a hobbyist's board ---- */

const PICO_KEYS = points([[455, 370], [455, 530], [375, 450], [535, 450], [455, 450]]);

function oledModule() {
  const pins = ["GND", "VCC", "SCL", "SDA"];
  return `<rect x="64" y="22" width="500" height="296" rx="10" fill="#10214a"
    stroke="#2c437c" stroke-width="1.5"/>
    ${[[84, 44], [544, 44]].map(([x, y]) => hole(x, y)).join("")}
    ${repeat(4, (n) => `<rect x="${270 + n * 25}" y="29" width="14" height="14" rx="2" fill="#15171b"/>
      <circle cx="${277 + n * 25}" cy="36" r="4"
        fill="#e2c16b"/>${label(277 + n * 25, 57, pins[n], 9)}`)}
    <rect x="78" y="66" width="472" height="238" rx="5" fill="url(#device-glass)"
      stroke="#000" stroke-width="1.5"/>
    <path d="M250 304h128l-12 14h-104z" fill="#b5763a" opacity=".8"/>
    <path d="M84 70h210l-150 230h-60z" fill="#fff" opacity=".035"/>`;
}

function picoBoard() {
  const pad = (x, y) => `<rect x="${x - 4}" y="${y - 5}" width="8" height="10" rx="3" fill="#e2c16b"/>
    <circle cx="${x}" cy="${y}" r="2" fill="#123c25"/>`;
  return `<g transform="translate(-30)">
    <rect x="66" y="356" width="246" height="104" rx="6" fill="#188a4b" stroke="#0d5e31"
      stroke-width="1.5"/>
    ${repeat(20, (n) => pad(76 + n * 11.9, 363) + pad(76 + n * 11.9, 453))}
    <rect x="54" y="388" width="36" height="40" rx="3" fill="url(#device-metal)" stroke="#7c838b"/>
    <rect x="106" y="378" width="24" height="20" rx="3" fill="url(#device-metal)" stroke="#7c838b"/>
    <circle cx="118" cy="388" r="6.5" fill="#f4f5f6" stroke="#b9bfc6"/>
    ${label(118, 409, "BOOTSEL", 7)}
    <rect x="196" y="385" width="46" height="46" rx="3" fill="url(#device-chip)"/>
    <circle cx="203" cy="392" r="2.2" fill="#6b7178"/>
    ${label(219, 411, "RP2040", 9, "middle", "#c3c9d1")}
    <rect x="146" y="404" width="28" height="18" rx="2" fill="url(#device-chip)"/>
    <rect x="262" y="392" width="14" height="10" rx="1" fill="#c8b48a"/>
    <rect x="262" y="412" width="14" height="10" rx="1" fill="#3b3f45"/>
    <text x="296" y="408" font-size="10" text-anchor="middle" fill="#e9f5ee"
      transform="rotate(90 296 408)">Pico</text></g>`;
}

function piezo() {
  return `<circle cx="92" cy="527" r="40" fill="#0e1013" stroke="#30353c" stroke-width="2"/>
    <circle cx="92" cy="527" r="31" fill="none" stroke="#23272d" stroke-width="3"/>
    <circle cx="92" cy="527" r="5" fill="#3a4048"/>${label(122, 497, "+", 14)}`;
}

/** The crow of the start screen, as the board's maker would print it. */
const CROW = `<g transform="translate(162 492) scale(1.05)" fill="none" stroke="#e9eef5"
  stroke-width="2.2"
  stroke-linecap="round" stroke-linejoin="round">
  <path d="M4 60c8-6 14-14 18-24c4-12 10-22 22-24c6-1 10 1 12 5l14 6l-14 3c2 16-6 30-26 32l-12 2z"/>
  <path d="M26 38c8-4 16-2 20 4c-6 6-14 9-24 9"/><path d="M36 58v10m8-12v12"/></g>
  <circle cx="214" cy="512" r="2.4" fill="#e9eef5"/>`;

/** @type {Look} */
const PICO = {
  glass: { x: 80, y: 67, width: 468 },
  keys: PICO_KEYS,
  colors: { lit: "#dff4ff", dark: "#04070b" },
  led: { x: 110, y: 382 },
  draw: () => `${DEFS}
    <rect x="30" y="4" width="566" height="592" rx="22" fill="#1c2c50" stroke="#42588c"
      stroke-width="2"/>
    <rect x="45" y="330" width="540" height="255" fill="url(#device-holes)"/>
    ${[[48, 20], [580, 20], [48, 578], [580, 578]].map(([x, y]) => hole(x, y)).join("")}
    ${oledModule()}${cable(408, 30)}${picoBoard()}${piezo()}
    <rect x="150" y="484" width="150" height="90" rx="8" fill="#1c2c50"/>
    ${CROW}${label(262, 540, "CORVID", 13)}
    ${cross(PICO_KEYS, 42)}${tact(PICO_KEYS[4], "")}`,
};

/* ---- TI LM3S6965 evaluation board ---- */

const EVB_KEYS = points([[400, 374], [400, 524], [325, 449], [475, 449], [548, 536]]);

function quadFlatPack(x, y, size) {
  const legs = repeat(17, (n) => {
    const at = 8 + n * ((size - 16) / 16) - 1.2;
    return `<rect x="${x + at}" y="${y - 7}" width="2.4" height="${size + 14}"/>
      <rect x="${x - 7}" y="${y + at}" width="${size + 14}" height="2.4"/>`;
  });
  return `<g fill="#cfd4da">${legs}</g>
    <rect x="${x}" y="${y}" width="${size}" height="${size}" rx="3" fill="url(#device-chip)"/>
    <circle cx="${x + 9}" cy="${y + 9}" r="3" fill="#5d636b"/>
    ${label(x + size / 2, y + size / 2 - 2, "LM3S6965", 11, "middle", "#c3c9d1")}
    ${label(x + size / 2, y + size / 2 + 12, "Cortex-M3", 9, "middle", "#9aa1aa")}`;
}

/** @type {Look} */
const EVB = {
  glass: { x: 80, y: 55, width: 468 },
  keys: EVB_KEYS,
  colors: { lit: "#ffe58a", dark: "#080704" },
  led: { x: 270, y: 352 },
  draw: () => `${DEFS}
    <rect x="30" y="4" width="566" height="592" rx="12" fill="#8c1c24" stroke="#c14f52"
      stroke-width="2"/>
    ${[[50, 22], [578, 22], [50, 578], [578, 330]].map(([x, y]) => hole(x, y)).join("")}
    <rect x="72" y="36" width="484" height="278" rx="6" fill="#d7dade" stroke="#8d949c"
      stroke-width="1.5"/>
    <rect x="78" y="46" width="472" height="252" rx="3" fill="url(#device-glass)"
      stroke="#000" stroke-width="1.5"/>
    <path d="M84 50h210l-160 244h-50z" fill="#fff" opacity=".035"/>
    <path d="M230 298h168v26h-168z" fill="#b5763a"/>
    ${repeat(20, (n) => `<path d="M${238 + n * 8} 300v24" stroke="#8a5424" stroke-width="2"/>`)}
    ${cable(376, 28)}
    <rect x="26" y="352" width="52" height="48" rx="3" fill="url(#device-metal)" stroke="#7c838b"/>
    ${label(76, 417, "USB, UART0", 9)}
    <rect x="22" y="440" width="112" height="100" rx="3" fill="url(#device-metal)" stroke="#7c838b"/>
    <rect x="22" y="462" width="38" height="56" fill="#15171b"/>
    <rect x="120" y="450" width="9" height="12" fill="#6fce7d"/>
    <rect x="120" y="518" width="9" height="12" fill="#e0b34a"/>
    ${label(78, 556, "Ethernet", 10)}
    ${quadFlatPack(156, 386, 92)}
    <rect x="100" y="352" width="40" height="30" rx="2" fill="url(#device-chip)"/>
    <rect x="176" y="512" width="46" height="16" rx="8" fill="url(#device-metal)" stroke="#7c838b"/>
    ${label(199, 543, "8.000 MHz", 9)}${label(282, 368, "power", 9)}
    ${label(400, 452, "navigate", 11)}
    ${label(180, 574, "LM3S6965 EVALUATION BOARD", 11)}
    ${cross(EVB_KEYS, 42)}${tact(EVB_KEYS[4], label(548, 498, "select", 11))}`,
};

/** The looks by the boards' names. */
export const LOOKS = { pico: PICO, lm3s6965evb: EVB };

/** The part of a drawing that is seen: its left edge, its width and height. */
const LEFT = 13;
const EXTENT = 600;

/**
 * Draws a board.
 * @param {Look} look
 * @returns {SVGSVGElement}
 */
export function drawBoard(look) {
  const viewBox = `${LEFT} 0 ${EXTENT} ${EXTENT}`;
  const picture = svg("svg", { class: "device-picture", viewBox, "aria-hidden": "true" });
  picture.innerHTML = `${look.draw()}
    <circle class="device-led" cx="${look.led.x}" cy="${look.led.y}" r="4.5"/>`;
  return picture;
}

/**
 * Puts an element where something is in the drawing.
 * @param {HTMLElement} element
 * @param {{x: number, y: number, width?: number}} at
 */
export function placeOn({ style }, { x, y, width }) {
  const percent = (units) => `${(units / EXTENT) * 100}%`;
  style.left = percent(x - LEFT);
  style.top = percent(y);
  if (width) style.width = percent(width);
}
