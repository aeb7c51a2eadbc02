// What needs no browser of play, library and study: words, patterns, axes.

import assert from "node:assert/strict";
import test from "node:test";
import { asked, clockText, happening, warned } from "../../../src/kibitz/web/static/screens/play-words.js";
import { patternOf, readPattern } from "../../../src/kibitz/web/static/screens/library-pattern.js";

const STATE = { match: { cube: { value: 2 } }, dice: [6, 1], offer: "none" };

/** @param {Record<string, any>} more @returns {any} */
const one = (more) => ({ player: 1, choice: "roll", state: STATE, dice: null, play: null, points: null, size: null, ...more });

test("what happens is told with the right verb", () => {
  assert.equal(happening(one({ dice: [6, 1] }), 1, "Expert"), "You roll 61");
  assert.equal(happening(one({ dice: [6, 1] }), 0, "Expert"), "Expert rolls 61");
  assert.equal(happening(one({ choice: "play", dice: [6, 1], play: { play: "13/7 8/7" } }), 0, "Expert"), "Expert plays 61: 13/7 8/7");
  assert.equal(happening(one({ choice: "play", dice: [6, 6] }), 0, "Expert"), "Expert cannot move 66");
  assert.equal(happening(one({ choice: "pass" }), 0, "Expert"), "Expert passes");
  assert.equal(happening(one({ choice: "double" }), 1, "Expert"), "You double to 4");
  assert.equal(happening(one({ choice: "resign", size: 2 }), 1, "Expert"), "You offer to lose a gammon");
  assert.equal(happening(one({ choice: "refuse" }), 0, "Expert"), "Expert does not accept that");
});

test("what is asked follows from the choices", () => {
  const game = { choices: ["roll", "double", "resign"], state: STATE, result: null, over: false, seat: 1, players: ["A", "B"], score: [0, 1], plays: [] };
  assert.equal(asked(game), "Roll or double?");
  assert.equal(asked({ ...game, choices: ["play"], plays: [{}] }), "Your play of 61");
  assert.equal(asked({ ...game, choices: ["play"] }), "61: no legal play");
  assert.equal(asked({ ...game, choices: ["take", "pass"], state: { ...STATE, offer: "double" } }), "You are doubled to 4");
  assert.equal(asked({ ...game, result: { winner: 0, points: 2 } }), "A wins 2 points");
  assert.equal(asked({ ...game, over: true }), "You win the match, 1–0");
});

test("a warning tells the price, a clock the time", () => {
  assert.equal(warned({ lost: 0.1234, blunder: true }), "That loses 0.123, a blunder.");
  assert.equal(clockText(125), "2:05");
  assert.equal(clockText(-3), "0:00");
});

test("a board is a pattern and comes back", () => {
  const none = Array(25).fill(0);
  const board = { mine: none.with(5, 2).with(24, 1), theirs: none.with(19, 3) };
  for (const relation of [">=", "=", "<="]) {
    const text = patternOf(board, relation);
    assert.equal(text, `6${relation}2 bar${relation}1 o20${relation}3`);
    assert.deepEqual(readPattern(text), { position: board, relation });
  }
  assert.equal(patternOf({ mine: none, theirs: none }, ">="), "");
  assert.deepEqual(readPattern("nonsense 99>=1").position, { mine: none, theirs: none });
});
