// Moves, plays and how they are written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { after, off, pips, playText, readMoves, ways } from "../../../src/kibitz/web/static/elements/moves.js";

const row = (/** @type {Record<number, number>} */ counts) => Array.from({ length: 25 }, (_, index) => counts[index + 1] ?? 0);
const START = { mine: row({ 6: 5, 8: 3, 13: 5, 24: 2 }), theirs: row({ 6: 5, 8: 3, 13: 5, 24: 2 }) };

test("a checker moves and leaves its point", () => {
  const board = after(START, [[8, 5], [6, 5]]);
  assert.equal(board.mine[4], 2);
  assert.equal(board.mine[7], 2);
  assert.equal(pips(board.mine), 163);
  assert.equal(pips(START.mine), 167);
});

test("a blot is hit and stands on its own bar", () => {
  const board = { mine: row({ 13: 1 }), theirs: row({ 18: 1, 6: 2 }) };
  const then = after(board, [[13, 7]]);
  assert.equal(then.theirs[24], 1);
  assert.equal(then.theirs[17], 0);
});

test("one way a checker, equal ones counted, hits kept", () => {
  assert.deepEqual(ways(START, [[24, 23], [23, 20]]), [{ points: [24, 23, 20], count: 1, hits: [] }]);
  assert.deepEqual(ways(START, [[13, 11], [13, 11], [6, 4], [6, 4]]).map((one) => one.count), [2, 2]);
  const board = { mine: row({ 13: 3 }), theirs: row({ 18: 1 }) };
  assert.equal(playText(board, [[13, 7], [13, 7]]), "13/7*(2)");
  assert.equal(playText(board, [[13, 7], [7, 3]]), "13/7*/3");
  assert.equal(playText(START, [[24, 23], [23, 20]]), "24/20");
});

test("texts are read as moves, and nonsense is not", () => {
  assert.deepEqual(readMoves("24/18, 13/11"), [[24, 18], [13, 11]]);
  assert.deepEqual(readMoves("bar/20*(2) 6/off"), [[25, 20], [25, 20], [6, 0]]);
  assert.deepEqual(readMoves("24/18*/14"), [[24, 18], [18, 14]]);
  assert.deepEqual(readMoves(""), []);
  for (const wrong of ["24-18", "18/24", "26/20", "hello", "24/", "x/3"]) assert.equal(readMoves(wrong), null);
});

test("what is not on the board is off", () => {
  assert.equal(off(row({ 1: 3 })), 12);
  assert.equal(off(row({ 1: 1 }), "hypergammon-3"), 2);
});
