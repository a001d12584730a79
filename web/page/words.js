// Words and numbers as the page writes them.

/** A text with a capital letter at its start. */
export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A number of things: `1 move`, `2 moves`. */
export const plural = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** A number with a minus sign where it needs one, not a hyphen. */
export const numeral = (number) => String(number).replace("-", "−");
