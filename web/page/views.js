// The views of the games: a line each. A view draws the board and turns clicks, keys and touches into
// moves; everything else on the page is the same for all games.

import { AdjacencyView } from "./views/adjacency.js";
import { BlokusView } from "./views/blokus.js";
import { DotsView } from "./views/dots.js";
import { OthelloView } from "./views/othello.js";

/**
 * What a view is given to show.
 * @typedef {object} State
 * @property {import("./corvid.js").PageMatch} match the match; a view reads it and never changes it
 * @property {string[]} colors the players' names in turn order
 * @property {string[]} legal the legal moves if a person may move now, else none
 * @property {{move: string, mover: number} | null} last the last move that was no pass
 * @property {string | null} hint a move to point out
 * @property {string[]} line moves to preview on the board, the first by the player to move
 * @property {{move: string, label: string, best: boolean}[]} values moves with what they are worth
 * @property {boolean} still whether to leave out animation
 */

/**
 * What a view can ask of the page.
 * @typedef {object} Actions
 * @property {(move: string) => void} play plays a move for the person to move
 * @property {(move: string) => string | undefined} refusal why a move is illegal, in the engine's words
 * @property {(text: string) => void} say shows a sentence, and has a screen reader say it
 */

/**
 * What the search's score means in a game: `name` is the word for it in the graph; with `provenOnly` a
 * guess says nothing about the result; with `fromHere` it counts what is still to be won; `nodes` is
 * the budget for comparing the moves of a position.
 * @typedef {{name?: string, provenOnly?: boolean, fromHere?: boolean, nodes?: number}} Score
 */

/**
 * A view: `constructor(host, actions)` fills an empty element; `show(state)` draws, and animates what
 * changed since the last state of the same match; `destroy()` removes its listeners. A view's
 * class has `swatch(player, color)`, a small picture of a player for lists, and may have `note(match)`,
 * a sentence about what the board does not show, `advice`, a sentence on how to make the first move,
 * and `score`.
 */
export const VIEWS = {
  othello: OthelloView,
  adjacency: AdjacencyView,
  dots: DotsView,
  "blokus-duo": BlokusView,
  "blokus-classic": BlokusView,
};
