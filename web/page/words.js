// Words and numbers as the page writes them.

/** A sentence or a word with a capital letter; the name of a square stays as it is. */
export const capitalized = (text) =>
  /^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** A number of things: `1 move`, `2 moves`. */
export const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** A number as people write it: with a minus sign, not a hyphen. */
export const numberText = (number) => String(number).replace("-", "−");

/** Places at the end of a game, the winner's first. */
export const RANKS = ["1st", "2nd", "3rd", "4th"];
