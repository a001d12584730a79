// The display on a canvas: every pixel of it a whole number of the screen's.

const WIDTH = 128;
const HEIGHT = 64;

/** Rows that share a byte. */
const PAGE_ROWS = 8;

/** How strongly a lit pixel shines, for each brightness. */
const LIGHT = [0.4, 0.6, 0.8, 1];

/** From this size on, a gap is seen between two pixels. */
const GAP_FROM = 6;

export class Screen {
  #canvas;
  #colors;
  #pixels = new Uint8Array((WIDTH * HEIGHT) / PAGE_ROWS);
  #brightness = LIGHT.length - 1;
  #observer;
  #pending = 0;

  /**
   * @param {HTMLElement} glass what the display may fill
   * @param {{lit: string, dark: string}} colors
   */
  constructor(glass, colors) {
    this.#colors = colors;
    this.#canvas = document.createElement("canvas");
    this.#canvas.className = "device-canvas";
    this.#canvas.setAttribute("aria-hidden", "true");
    glass.append(this.#canvas);
    this.#observer = new ResizeObserver(([{ contentRect }]) => this.#resize(contentRect.width));
    this.#observer.observe(glass);
  }

  #resize(width) {
    const ratio = window.devicePixelRatio || 1;
    const scale = Math.max(1, Math.floor((width * ratio) / WIDTH));
    this.#canvas.width = WIDTH * scale;
    this.#canvas.height = HEIGHT * scale;
    this.#canvas.style.width = `${(WIDTH * scale) / ratio}px`;
    this.#draw();
  }

  /**
   * @param {Uint8Array} pixels eight rows per page, a byte for each column, its lowest bit on top
   * @param {number} brightness 0 to 3
   */
  show(pixels, brightness) {
    this.#pixels = pixels;
    this.#brightness = brightness;
    this.#pending ||= requestAnimationFrame(() => this.#draw());
  }

  /** Without power. */
  darken() {
    this.show(new Uint8Array(this.#pixels.length), LIGHT.length - 1);
  }

  #draw() {
    cancelAnimationFrame(this.#pending);
    this.#pending = 0;
    const context = this.#canvas.getContext("2d", { alpha: false });
    const scale = this.#canvas.width / WIDTH;
    const dot = scale >= GAP_FROM ? scale - Math.max(1, Math.round(scale / 8)) : scale;
    context.fillStyle = this.#colors.dark;
    context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.fillStyle = this.#colors.lit;
    context.globalAlpha = LIGHT[this.#brightness] ?? 1;
    this.#pixels.forEach((byte, at) => {
      const top = Math.floor(at / WIDTH) * PAGE_ROWS;
      for (let bit = 0; byte >> bit; bit++) {
        if ((byte >> bit) & 1) context.fillRect((at % WIDTH) * scale, (top + bit) * scale, dot, dot);
      }
    });
    context.globalAlpha = 1;
  }

  destroy() {
    cancelAnimationFrame(this.#pending);
    this.#observer.disconnect();
    this.#canvas.remove();
  }
}
