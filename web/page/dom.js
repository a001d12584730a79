// Small things for building elements.

/**
 * An element with properties, data attributes, ARIA attributes and children.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties] `dataset` and `aria` take objects
 * @param {...(Node | string)} children
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const { dataset = {}, aria = {}, ...rest } = properties;
  Object.assign(element.dataset, dataset);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, String(value));
  Object.assign(element, rest);
  element.append(...children);
  return element;
}

/** A button that does something. */
export function button(text, onclick, properties = {}) {
  return make("button", { type: "button", onclick, ...properties }, text);
}

/** A number as people write it: with a minus sign, not a hyphen. */
export const numberText = (number) => String(number).replace("-", "−");

/** Whether the person asked the system for less motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A sentence or a word with a capital letter; the name of a square stays as it is. */
export const capitalized = (text) =>
  /^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
