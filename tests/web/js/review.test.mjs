// A reviewed match as things to look at: order, columns, filters, and what an answer costs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { costOf, retryable } from "../../../src/kibitz/web/static/elements/retry.js";
import { EVERYTHING, Review, isError, optionsOf, passes, rowsOf, verdictWords } from "../../../src/kibitz/web/static/elements/review.js";

const STATE = { dice: null, match: { cube: { value: 2 } } };

/** @param {number} index @param {0|1} player @param {string} action */
function moment(index, player, action) {
  const roll = action === "roll";
  return { game: 1, index, move: 1, player, action, words: action, state: { ...STATE, dice: roll ? [3, 1] : null }, play: roll ? { play: "8/5 6/5" } : null };
}

/** @param {number} index @param {0|1} player @param {string} kind @param {number} lost @param {any} [more] */
function decision(index, player, kind, lost, more = {}) {
  const mark = lost > 0.08 ? "very bad" : lost > 0.04 ? "bad" : lost > 0.02 ? "doubtful" : "none";
  return {
    game: 1, index, player, kind, lost, lost_mwc: lost / 10, mark, chosen: "8/5 6/5", best: "24/20", verdict: "Double, take", flaw: "",
    error: lost > 0.02, blunder: lost > 0.08, counts: false, counts_pr: false, forced: false, legal: true,
    decision: { state: STATE, no_double: 0.5, double_take: 0.7, double_pass: 1, equity: 0.7, take: true, mwc: null }, ...more,
  };
}

const MOMENTS = [moment(0, 0, "roll"), moment(1, 1, "roll"), moment(2, 0, "double"), moment(3, 1, "take"), moment(4, 0, "roll"), moment(5, 1, "roll")];
const TOLD = { match: { players: ["Ada", "Ben"], length: 5 }, games: [{ score: [0, 0], crawford: false, result: null }], moments: MOMENTS };
const DECISIONS = [
  decision(0, 0, "checker play", 0.05), decision(1, 1, "double", 0.0, { counts: true }), decision(1, 1, "checker play", 0.0),
  decision(2, 0, "double", 0.0), decision(3, 1, "answer", 0.1), decision(4, 0, "double", 0, {}), decision(4, 0, "checker play", 0.001),
];
const CURVE = [{ game: 1, index: -1, equity: 0, mwc: 0.5 }, { game: 1, index: 1, equity: 0.1, mwc: 0.52 }];

test("every action is there once, cubes that nobody thought of are not, and close ones are quiet", () => {
  const bare = new Review(TOLD);
  assert.deepEqual(bare.items.map((item) => item.key), ["1.0.checker", "1.1.checker", "1.2.double", "1.3.take", "1.4.checker", "1.5.checker"]);
  const found = new Review(TOLD, { decisions: DECISIONS, rolls: [], curve: CURVE });
  assert.deepEqual(found.items.map((item) => item.key), ["1.0.checker", "1.1.cube", "1.1.checker", "1.2.cube", "1.3.answer", "1.4.checker", "1.5.checker"]);
  assert.deepEqual(found.items.filter((item) => item.quiet).map((item) => item.key), ["1.1.cube"]);
  assert.equal(found.find("1.1")?.key, "1.1.checker");
  assert.equal(found.find("1.2.double")?.key, "1.2.cube", "an address from before the review still leads somewhere");
  assert.deepEqual(found.course(0).map((one) => one.value), [0.5, 0.52]);
});

test("two columns are read from left to right and down", () => {
  const rows = rowsOf(new Review(TOLD).items);
  assert.deepEqual(rows.map((row) => row.cells.map((cell) => cell.map((item) => item.index))), [[[0], [1]], [[2], [3]], [[4], [5]]]);
  assert.deepEqual(rowsOf([]), []);
});

test("filters and the way to the next error", () => {
  const found = new Review(TOLD, { decisions: DECISIONS, rolls: [], curve: [] });
  const keys = (/** @type {any} */ filter) => found.items.filter((item) => passes(item, { ...EVERYTHING, ...filter })).map((item) => item.key);
  assert.deepEqual(keys({ size: "mark" }), ["1.0.checker", "1.3.answer"]);
  assert.deepEqual(keys({ size: "blunder", player: 1 }), ["1.3.answer"]);
  assert.deepEqual(keys({ kind: "cube" }), ["1.1.cube", "1.2.cube", "1.3.answer"]);
  assert.equal(keys({}).includes("1.1.cube"), false);
  const error = found.step(found.items[0], 1, (item) => isError(item, EVERYTHING));
  assert.equal(error?.key, "1.3.answer");
  assert.equal(found.step(error, 1, (item) => isError(item, EVERYTHING)), undefined);
});

test("what an answer costs", () => {
  const take = decision(3, 1, "answer", 0.1);
  assert.equal(costOf(take, "take"), 0);
  assert.ok(Math.abs((costOf(take, "pass") ?? 0) - 0.3) < 1e-12);
  const double = decision(2, 0, "double", 0);
  assert.equal(costOf(double, "double"), 0);
  assert.ok(Math.abs((costOf(double, "no double") ?? 0) - 0.2) < 1e-12);
  const play = decision(0, 0, "checker play", 0.05, { decision: { plays: [{ play: "24/20", result: "a", equity: 0.2 }, { play: "8/5 6/5", result: "b", equity: 0.15 }] } });
  assert.ok(Math.abs((costOf(play, "6/5 8/5", { result: "b" }) ?? 0) - 0.05) < 1e-12);
  assert.equal(costOf(play, "13/9", { result: "c" }), null, "the engine has to be asked");
  assert.equal(optionsOf(play)[1].chosen, true);
  assert.ok(!retryable(/** @type {any} */ ({ decision: decision(0, 0, "resignation", 1) })));
});

test("verdicts are sentences", () => {
  assert.equal(verdictWords(decision(0, 0, "checker play", 0.05), "MWC"), "24/20 was right. 8/5 6/5 loses 0.050, 0.50% match winning chance.");
  assert.equal(verdictWords(decision(0, 0, "checker play", 0.05), "points"), "24/20 was right. 8/5 6/5 loses 0.050, 0.100 points.");
  assert.equal(verdictWords(decision(0, 0, "checker play", 0), "MWC"), "8/5 6/5 is right.");
  assert.equal(verdictWords(decision(0, 0, "checker play", 0, { forced: true }), "MWC"), "Forced: there was nothing to decide.");
});
