// Setting up a position: how many checkers stand where. Points are those of the player on roll.

import { BAR, OFF } from "./layout.js";
import { copyOf, standing } from "./moves.js";

/** @typedef {import("./moves.js").Board} Board */

/** Checkers of a side that may still be put on the board. @param {Board} board @param {boolean} mine @param {number} most */
export function inHand(board, mine, most = 15) {
  return most - (mine ? board.mine : board.theirs).reduce((sum, count) => sum + count, 0);
}

/**
 * So many checkers of one side on a point or its bar, as far as there are any; the other side leaves the point.
 * @param {Board} board
 * @param {number} point
 * @param {boolean} mine
 * @param {number} count
 * @param {number} [most] checkers of a side
 * @returns {Board}
 */
export function withCount(board, point, mine, count, most = 15) {
  const next = copyOf(board);
  const [row, other] = mine ? [next.mine, next.theirs] : [next.theirs, next.mine];
  const index = point === BAR ? 24 : mine ? point - 1 : 24 - point;
  row[index] = 0;
  row[index] = Math.max(0, Math.min(count, inHand(next, mine, most)));
  if (point !== BAR && row[index]) other[23 - index] = 0;
  return next;
}

/**
 * One checker moved from a place to another, its tray among them; null where that cannot be.
 * @param {Board} board
 * @param {{point: number, mine: boolean}} from
 * @param {number} to
 * @returns {Board|null}
 */
export function shifted(board, { point, mine }, to) {
  const here = countOf(board, point, mine);
  if (point === OFF ? inHand(board, mine) < 1 : here < 1) return null;
  if (to !== OFF && to !== BAR && standing(board, to)[mine ? "theirs" : "mine"]) return null;
  let next = point === OFF ? board : withCount(board, point, mine, here - 1);
  if (to !== OFF) next = withCount(next, to, mine, countOf(next, to, mine) + 1);
  return next;
}

/** @param {Board} board @param {number} point @param {boolean} mine */
export function countOf(board, point, mine) {
  if (point === OFF) return 0;
  return mine ? board.mine[point - 1] : point === BAR ? board.theirs[24] : board.theirs[24 - point];
}

/** @returns {Board} */
export function emptyBoard() {
  return { mine: Array(25).fill(0), theirs: Array(25).fill(0) };
}

/** The position that a game begins with. @param {string} [variant] @returns {Board} */
export function openingBoard(variant = "backgammon") {
  /** @type {Record<string, [number, number][]>} */
  const openings = {
    backgammon: [[24, 2], [13, 5], [8, 3], [6, 5]],
    nackgammon: [[24, 2], [23, 2], [13, 4], [8, 3], [6, 4]],
    "hypergammon-1": [[24, 1]],
    "hypergammon-2": [[24, 1], [23, 1]],
    "hypergammon-3": [[24, 1], [23, 1], [22, 1]],
  };
  const row = Array(25).fill(0);
  for (const [point, count] of openings[variant] ?? openings.backgammon) row[point - 1] = count;
  return { mine: [...row], theirs: [...row] };
}

/** The same state with the other player on roll: nothing rolled, nothing offered. @param {any} state */
export function swapped(state) {
  const { match, position } = state;
  const owner = { centred: "centred", mine: "theirs", theirs: "mine" }[/** @type {"centred"|"mine"|"theirs"} */ (match.cube.owner)];
  return {
    ...state,
    position: { mine: position.theirs, theirs: position.mine },
    match: { ...match, my_score: match.their_score, their_score: match.my_score, cube: { ...match.cube, owner } },
    dice: null,
    offer: "none",
    turn: state.turn ? 0 : 1,
    names: state.names ? [state.names[1], state.names[0]] : null,
  };
}
