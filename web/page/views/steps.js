// Moves to come as steps: who makes each of them.

/**
 * The moves of a line that are no passes, with their movers, numbered from 1. A line may leave out
 * the passes. One that was found for an earlier position ends at the move that no longer fits.
 * @param {import("../corvid.js").PageMatch} match the position that the line begins at
 * @param {string[]} line
 * @returns {{move: string, mover: number, number: number}[]}
 */
export function stepsOf(match, line) {
  if (!line.length) return [];
  const trial = match.at(match.plies);
  const steps = [];
  try {
    for (const move of line) {
      if (trial.mustPass && move !== "pass") trial.play("pass");
      const mover = trial.turn;
      trial.play(move);
      if (move !== "pass") steps.push({ move, mover, number: steps.length + 1 });
    }
  } catch {
    // The rest of the line is left out.
  } finally {
    trial.free();
  }
  return steps;
}
