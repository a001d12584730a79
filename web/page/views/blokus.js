/** A stand-in that lists the legal moves as buttons. */
export class BlokusView {
  constructor(host, actions) {
    this.host = host;
    this.actions = actions;
  }

  /** A player's colour, for lists. */
  static swatch(player) {
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.textContent = "●○◆◇"[player];
    return swatch;
  }

  show({ match, legal }) {
    const drawing = document.createElement("pre");
    drawing.textContent = match.drawing();
    const buttons = legal.slice(0, 80).map((move) => {
      const button = document.createElement("button");
      button.textContent = move;
      button.dataset.move = move;
      button.onclick = () => this.actions.play(move);
      return button;
    });
    this.host.replaceChildren(drawing, ...buttons);
  }

  destroy() {}
}
