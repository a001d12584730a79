// What can be done with the piece in hand, as buttons.

import { make, svg } from "../../dom.js";

/** Names, labels and drawings of the buttons. */
const TOOLS = [
  ["left", "Turn left", "M7 4 3.5 7.5 7 11M4 7.5h8a4.5 4.5 0 0 1 0 9H8"],
  ["right", "Turn right", "m13 4 3.5 3.5L13 11m3-3.5H8a4.5 4.5 0 0 0 0 9h4"],
  ["flip", "Flip", "M10 3v14M7.5 6 3 14h4.5zM12.5 6 17 14h-4.5z"],
  ["back", "Put back", "m5.5 5.5 9 9m0-9-9 9"],
  ["place", "Place", "m4 10.5 4 4 8-9"],
];

/** A line of text and a button for each thing to do. */
export class Tools {
  #buttons = new Map();

  /** @param {(name: string, byKeys: boolean) => void} use is told which button was used */
  constructor(use) {
    this.info = make("p", { className: "blokus-info" });
    const aria = { label: "piece in hand" };
    const bar = make("div", { className: "blokus-bar", role: "group", aria });
    this.root = make("div", { className: "blokus-tools" }, this.info, bar);
    for (const [name, label, d] of TOOLS) {
      const className = `blokus-tool blokus-tool-${name}`;
      const icon = svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d }));
      const properties = { type: "button", className, dataset: { tool: name } };
      const button = make("button", properties, icon, make("span", {}, label));
      button.addEventListener("click", ({ detail }) => {
        if (button.getAttribute("aria-disabled") !== "true") use(name, detail === 0);
      });
      this.#buttons.set(name, button);
      bar.append(button);
    }
  }

  /**
   * @param {string} info
   * @param {boolean} holding whether there is a piece to turn
   * @param {boolean} placeable whether it may be placed where it lies
   */
  show(info, holding, placeable) {
    if (this.info.textContent !== info) this.info.textContent = info;
    for (const [name, button] of this.#buttons) {
      // Not `disabled`: a button that is used by keyboard keeps the focus.
      button.setAttribute("aria-disabled", name === "place" ? !placeable : !holding);
    }
  }
}
