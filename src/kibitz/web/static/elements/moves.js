// Checkers that move: boards, steps, plays and how they are written. No rules of the game beyond that.

import { BAR, OFF } from "./layout.js";

/**
 * Two rows of 25 counts, each from its owner's side: points 1 to 24 at 0 to 23, the bar at 24.
 * @typedef {{mine: number[], theirs: number[]}} Board
 * @typedef {[number, number]} Move from and to, as the player on roll counts; 25 is the bar, 0 is off
 */

/** @param {Board} board @returns {Board} */
export function copyOf({ mine, theirs }) {
  return { mine: [...mine], theirs: [...theirs] };
}

/** How many of the player's and the opponent's checkers stand on a point of the player. @param {Board} board @param {number} point */
export function standing(board, point) {
  if (point === OFF) return { mine: 0, theirs: 0 };
  if (point === BAR) return { mine: board.mine[24], theirs: 0 };
  return { mine: board.mine[point - 1], theirs: board.theirs[24 - point] };
}

/**
 * The board after one checker has moved; a lone opposing checker is hit.
 * @param {Board} board
 * @param {Move} move
 * @returns {{board: Board, hit: boolean}}
 */
export function moved(board, [from, to]) {
  const after = copyOf(board);
  after.mine[from - 1] -= 1;
  if (to === OFF) return { board: after, hit: false };
  after.mine[to - 1] += 1;
  const hit = after.theirs[24 - to] === 1;
  if (hit) {
    after.theirs[24 - to] = 0;
    after.theirs[24] += 1;
  }
  return { board: after, hit };
}

/** @param {Board} board @param {Move[]} moves @returns {Board} */
export function after(board, moves) {
  return moves.reduce((now, move) => moved(now, move).board, board);
}

/** Equal for equal boards. @param {Board} board */
export function keyOf(board) {
  return board.mine.join() + "/" + board.theirs.join();
}

/**
 * The way of one checker, and how many go it.
 * @typedef {object} Way
 * @property {number[]} points from where it starts to where it ends
 * @property {number} count
 * @property {number[]} hits points on the way where a checker is hit
 */

/**
 * Moves joined to the ways of checkers, equal ways counted. Checkers that go on after a hit keep the stop, so that it shows.
 * @param {Board} board
 * @param {Move[]} moves
 * @returns {Way[]}
 */
export function ways(board, moves) {
  /** @type {{points: number[], hits: number[]}[]} */
  const found = [];
  let now = board;
  for (const move of [...moves].sort((one, other) => other[0] - one[0])) {
    const next = moved(now, move);
    now = next.board;
    const before = found.find((one) => one.points[one.points.length - 1] === move[0]);
    const way = before ?? { points: [move[0]], hits: [] };
    if (!before) found.push(way);
    way.points.push(move[1]);
    if (next.hit) way.hits.push(move[1]);
  }
  /** @type {Map<string, Way>} */
  const counted = new Map();
  for (const way of found) {
    const end = way.points[way.points.length - 1];
    const key = [way.points[0], end, ...way.hits.filter((point) => point !== end)].join();
    const same = counted.get(key);
    if (!same) counted.set(key, { ...way, count: 1 });
    else {
      same.count += 1;
      same.hits = [...new Set([...same.hits, ...way.hits])];
    }
  }
  return [...counted.values()];
}

/** A point in notation. @param {number} point */
export function pointName(point) {
  return point === BAR ? "bar" : point === OFF ? "off" : String(point);
}

/** Moves in the usual notation: 24/18*(2) 13/11. @param {Board} board @param {Move[]} moves */
export function playText(board, moves) {
  return ways(board, moves)
    .map(({ points, count, hits }) => {
      const kept = points.filter((point, index) => index === 0 || index === points.length - 1 || hits.includes(point));
      const words = kept.map((point, index) => pointName(point) + (index && hits.includes(point) ? "*" : ""));
      return words.join("/") + (count > 1 ? `(${count})` : "");
    })
    .join(" ");
}

/**
 * What a text names: moves from and to points, without a look at the rules. Null if it is no play.
 * @param {string} text
 * @returns {Move[]|null}
 */
export function readMoves(text) {
  const words = text.trim().toLowerCase().replace(/\s*\/\s*/g, "/").split(/[\s,;]+/).filter(Boolean);
  /** @type {Move[]} */
  const moves = [];
  for (const word of words) {
    const found = /^((?:bar|b|off|o|\d{1,2})\*?(?:\/(?:bar|b|off|o|\d{1,2})\*?)+)(?:\((\d)\))?$/.exec(word);
    if (!found) return null;
    const points = found[1].split("/").map((name) => {
      const plain = name.replace("*", "");
      return plain.startsWith("b") ? BAR : plain.startsWith("o") ? OFF : Number(plain);
    });
    if (points.some((point, index) => point > BAR || (index && point >= points[index - 1]))) return null;
    for (let time = 0; time < Number(found[2] ?? 1); time++) {
      for (let index = 1; index < points.length; index++) moves.push([points[index - 1], points[index]]);
    }
  }
  return moves;
}

/** Pips of a row. @param {number[]} row */
export function pips(row) {
  return row.reduce((sum, count, index) => sum + count * (index + 1), 0);
}

/** Checkers of a row that are off the board. @param {number[]} row @param {string} [variant] */
export function off(row, variant = "backgammon") {
  const all = variant.startsWith("hypergammon") ? Number(variant.slice(-1)) : 15;
  return Math.max(0, all - row.reduce((sum, count) => sum + count, 0));
}
