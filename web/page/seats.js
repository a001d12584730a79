// Seats: who plays, one for each person at the board.

import { GameFacts } from "./corvid.js";

/**
 * Who sits in a seat: a person, a level, a bot by name, a search of exactly so many nodes, or a
 * connected board.
 * @typedef {{kind: "person"} | {kind: "level", level: number} | {kind: "bot", name: string}
 *   | {kind: "nodes", nodes: number} | {kind: "board"}} Seat
 */

/** The levels, the weakest first. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** A level that beginners can beat. */
export const USUAL_LEVEL = 3;

/** A person, and computers that beginners can beat. */
export function usualSeats(setup) {
  const person = { kind: "person" };
  const level = { kind: "level", level: USUAL_LEVEL };
  return Array.from({ length: GameFacts.people(setup) }, (_, seat) => (seat === 0 ? person : level));
}

/** The colours of a seat in words: `black`, or `blue and red`. */
export function sideName(colors, seat, people) {
  return colors.filter((_, player) => player % people === seat).join(" and ");
}

/** A seat in words. */
export function titleOf(seat) {
  switch (seat.kind) {
    case "person":
      return "person";
    case "level":
      return `level ${seat.level}`;
    case "bot":
      return seat.name;
    case "nodes":
      return `${seat.nodes} nodes`;
    default:
      return "connected board";
  }
}

/** A seat as the engine and the value of an option have it: `level 3`. */
export function seatText(seat) {
  switch (seat.kind) {
    case "level":
      return `level ${seat.level}`;
    case "bot":
      return `bot ${seat.name}`;
    case "nodes":
      return `nodes ${seat.nodes}`;
    default:
      return seat.kind;
  }
}

/**
 * Reads the text of a seat.
 * @returns {Seat}
 */
export function parseSeat(text) {
  const [kind, ...rest] = text.split(" ");
  const value = rest.join(" ");
  switch (kind) {
    case "level":
      return { kind, level: Number(value) };
    case "bot":
      return { kind, name: value };
    case "nodes":
      return { kind, nodes: Number(value) };
    case "board":
      return { kind };
    default:
      return { kind: "person" };
  }
}

/** Whether something that was stored is a seat at a game with these facts. */
export function isSeat(seat, facts) {
  switch (seat?.kind) {
    case "person":
    case "board":
      return true;
    case "level":
      return LEVELS.includes(seat.level);
    case "bot":
      return facts.bots.includes(seat.name);
    case "nodes":
      return Number.isSafeInteger(seat.nodes) && seat.nodes > 0;
    default:
      return false;
  }
}
