// The contents of the device's flash as a short text, for the browser's storage.

/** Bytes of the flash, and of a page of it. */
const SIZE = 65536;
const PAGE = 4096;

/** What an erased byte holds. */
const ERASED = 0xff;

function toBase64(bytes) {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/**
 * The pages that hold something, each without its erased end: `0:Q1JWRA== 3:...`.
 * @param {Uint8Array} flash
 * @returns {string}
 */
export function pack(flash) {
  const pages = [];
  for (let at = 0; at < flash.length; at += PAGE) {
    const page = flash.subarray(at, at + PAGE);
    const used = page.findLastIndex((byte) => byte !== ERASED) + 1;
    if (used > 0) pages.push(`${at / PAGE}:${toBase64(page.subarray(0, used))}`);
  }
  return pages.join(" ");
}

/**
 * The flash that was packed.
 * @param {string} text
 * @returns {Uint8Array}
 * @throws {Error} if the text is damaged
 */
export function unpack(text) {
  const flash = new Uint8Array(SIZE).fill(ERASED);
  for (const part of text.split(" ").filter(Boolean)) {
    const [page, bytes] = part.split(":");
    if (!/^\d+$/.test(page) || bytes === undefined) throw new Error("no page");
    const at = Number(page) * PAGE;
    const held = fromBase64(bytes);
    if (held.length > PAGE || at + held.length > SIZE) throw new Error("too long");
    flash.set(held, at);
  }
  return flash;
}
