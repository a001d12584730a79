// Builds elements.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with properties, data attributes, ARIA attributes and children.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties] `dataset` and `aria` take objects
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const { dataset = {}, aria = {}, role, ...rest } = properties;
  if (role) element.setAttribute("role", role);
  Object.assign(element.dataset, dataset);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, String(value));
  Object.assign(element, rest);
  element.append(...children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A button that does something. */
export function button(text, onclick, properties = {}) {
  return make("button", { type: "button", onclick, ...properties }, text);
}

/** Whether the person asked the system for less motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
