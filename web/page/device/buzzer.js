// The device's piezo on the computer's loudspeaker.

/** How loud it is, 0 to 1: about as a piezo in the room. */
const VOLUME = 0.06;

/** How far tones lag behind the device, in seconds, so that none is due before it is known. */
const DELAY = 0.04;

/** A difference of the clocks, in seconds, at which they are aligned again. */
const DRIFT = 0.3;

export class Buzzer {
  #context;
  #tone;
  #volume;
  /** The context's time when the device's clock was 0. */
  #began = null;

  /** Call it in the handler of a click: browsers refuse sound before one. */
  constructor() {
    this.#context = new AudioContext();
    this.#tone = new OscillatorNode(this.#context, { type: "square" });
    this.#volume = new GainNode(this.#context, { gain: 0 });
    this.#tone.connect(this.#volume).connect(this.#context.destination);
    this.#tone.start();
  }

  /** @param {Float64Array} tones of each its time in seconds and its frequency, 0 for silence */
  play(tones) {
    const now = this.#context.currentTime;
    for (let at = 0; at < tones.length; at += 2) {
      const [time, hz] = [tones[at], tones[at + 1]];
      const due = this.#began === null ? NaN : this.#began + time;
      if (!(due >= now && due < now + DRIFT)) this.#began = now + DELAY - time;
      const start = this.#began + time;
      if (hz > 0) this.#tone.frequency.setValueAtTime(hz, start);
      this.#volume.gain.setValueAtTime(hz > 0 ? VOLUME : 0, start);
    }
  }

  /** Ends all sound. */
  close() {
    this.#context.close();
  }
}
