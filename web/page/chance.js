// The chance to win that goes with a lead.

// Fitted by maximum likelihood to games between equal levels, 5 to 8 together, in which every third or
// fourth position was analysed as analyst.js does: 260 games of Othello, 295 of Adjacency and 1214 of
// Blokus Duo. Each number of moves stands for the ten (in Blokus Duo, six) around it, and the lead
// beside it is the one that wins e games for every one that it loses.
//
// They are rough: positions of a game are not independent, and levels differ. In Blokus Duo the lead
// for level 8 alone is about half as large, for level 5 up to twice; in Adjacency the last number is
// that of levels 5 and 6. Before move `from` there is no chance to tell: in Othello and Adjacency leads
// of moves 20 to 30 still meant little or nothing between players of level 8. Nor is there one for
// unproven leads in Dots and Boxes (496 games), which told next to nothing before move 30, and after it
// there were too few.
const OTHELLO = { from: 30, plies: [35, 45], leads: [15, 10] };
const ADJACENCY = { from: 30, plies: [35, 45], leads: [3.9, 3.5] };
const DUO = { from: 0, plies: [3, 9, 15, 21, 27], leads: [3.3, 3.7, 2.4, 1.5, 1] };

/** By setup; those that were not measured have no entry. */
const MEASURED = {
  othello: OTHELLO,
  "adjacency 28 x": ADJACENCY,
  "adjacency 28 o": ADJACENCY,
  "blokus-duo own": DUO,
};

/**
 * The chance of a player who is expected to win by `lead` points after so many moves; `null` where it
 * was not measured.
 * @param {string} setup
 * @param {number} ply
 * @param {number} lead
 * @returns {number | null}
 */
export function chanceOf(setup, ply, lead) {
  const measured = MEASURED[setup];
  if (!measured || ply < measured.from) return null;
  const { plies, leads } = measured;
  const after = plies.findIndex((at) => at > ply);
  const to = after < 0 ? plies.length - 1 : Math.max(1, after);
  const share = Math.min(1, Math.max(0, (ply - plies[to - 1]) / (plies[to] - plies[to - 1])));
  const scale = leads[to - 1] + (leads[to] - leads[to - 1]) * share;
  return 1 / (1 + Math.exp(-lead / scale));
}
