// Entering plays: every rule of a click target, with the list of legal plays that the engine gives.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Entry } from "../../../src/kibitz/web/static/elements/entry.js";
import { after, keyOf } from "../../../src/kibitz/web/static/elements/moves.js";

/**
 * Positions with their legal plays, written by `python -m tests.web.test_entry`.
 * @type {{name: string, dice: [number, number], mine: number[], theirs: number[], plays: any[]}[]}
 */
const CASES = JSON.parse(readFileSync(new URL("positions.json", import.meta.url), "utf8"));

/** @param {string} name */
function entryOf(name) {
  const found = CASES.find((one) => one.name === name);
  assert.ok(found, name);
  return new Entry(found, found.dice, found.plays);
}

test("a click plays the left die, the other button the right one", () => {
  const entry = entryOf("opening 31");
  assert.ok(entry.clickPoint(8));
  assert.equal(entry.text, "8/5");
  assert.ok(entry.clickPoint(6));
  assert.equal(entry.text, "8/5 6/5");
  assert.ok(entry.isComplete);
  assert.equal(entry.play?.play, "8/5 6/5");
  entry.undoAll();
  assert.ok(entry.clickPoint(8, true));
  assert.equal(entry.text, "8/7");
});

test("swapped dice change what a click plays, and nothing else", () => {
  const entry = entryOf("opening 31");
  assert.ok(entry.swap());
  assert.ok(entry.clickPoint(8));
  assert.equal(entry.text, "8/7");
  assert.deepEqual(entry.used, [true, false]);
  assert.ok(entry.swap());
  assert.deepEqual(entry.used, [false, true]);
});

test("an empty point is made where there is one way", () => {
  const entry = entryOf("opening 31");
  assert.ok(entry.clickPoint(5));
  assert.equal(entry.text, "8/5 6/5");
  assert.ok(entry.isComplete);
});

test("a point that cannot be made gets one checker, if there is one shortest way", () => {
  const entry = entryOf("opening 31");
  assert.ok(entry.clickPoint(10));
  assert.equal(entry.text, "13/10");
  entry.undoAll();
  assert.ok(!entry.clickPoint(19)); // two of the opponent's stand there
  assert.ok(entry.clickPoint(9)); // 13/9 with both dice is the only way
  assert.equal(entry.text, "13/9");
});

test("two equally short ways do nothing", () => {
  const entry = entryOf("ambiguous");
  assert.ok(!entry.clickPoint(4));
  assert.equal(entry.steps.length, 0);
});

test("with a checker on the bar only the bar moves, but a point may be named", () => {
  const entry = entryOf("bar 21");
  assert.ok(!entry.clickPoint(6));
  assert.ok(!entry.clickPoint(8));
  assert.ok(entry.clickBar());
  assert.equal(entry.text, "bar/23");
  entry.undoAll();
  assert.ok(entry.clickBar(true));
  assert.equal(entry.text, "bar/24");
  entry.undoAll();
  assert.ok(entry.clickPoint(4)); // enters with the two and hits with the one
  assert.equal(entry.text, "bar/23 5/4*");
});

test("the tray bears off as many as the roll allows", () => {
  const entry = entryOf("bear-off 66");
  assert.ok(entry.clickTray());
  assert.equal(entry.steps.length, 4);
  assert.ok(entry.isComplete);
  const two = entryOf("bear-off 21");
  assert.ok(two.clickTray());
  assert.equal(two.text, "2/off 1/off");
  const none = entryOf("opening 31");
  assert.ok(!none.clickTray());
});

test("doubles go on until all four are played", () => {
  const entry = entryOf("opening 66");
  for (const point of [24, 24, 13]) assert.ok(entry.clickPoint(point));
  assert.ok(!entry.isComplete);
  assert.ok(entry.clickPoint(13));
  assert.equal(entry.text, "24/18(2) 13/7(2)");
  assert.ok(entry.isComplete);
});

test("a click that leads to no legal play does nothing, or plays the other die", () => {
  const both = entryOf("must use both");
  assert.ok(both.clickPoint(10)); // 10/4 would leave the one unplayed
  assert.equal(both.text, "10/9");
  const larger = entryOf("only the larger");
  assert.ok(larger.clickPoint(10, true));
  assert.equal(larger.text, "10/4");
  assert.ok(larger.isComplete);
  assert.ok(!larger.clickPoint(24));
});

test("a checker that was moved is taken back by a second tap", () => {
  const entry = entryOf("opening 31");
  entry.clickPoint(5);
  assert.ok(entry.clickPoint(5));
  assert.equal(entry.steps.length, 1);
  assert.ok(entry.undo());
  assert.ok(!entry.undo());
});

test("no legal play is complete at once, a forced one is not played for you", () => {
  const none = entryOf("no play");
  assert.ok(none.isComplete);
  assert.equal(none.play, null);
  const forced = entryOf("forced");
  assert.equal(forced.plays.length, 1);
  assert.ok(!forced.isComplete);
});

test("drags go as far as one checker can", () => {
  const entry = entryOf("opening 31");
  assert.deepEqual([...entry.targets(24)].sort(), [20, 21, 23]);
  assert.ok(!entry.drag(24, 18));
  assert.ok(entry.drag(24, 20));
  assert.equal(entry.text, "24/20");
  assert.ok(entry.isComplete);
});

test("typed plays in any order, whole or in part", () => {
  const entry = entryOf("opening 31");
  assert.equal(entry.type("6/5 8/5"), "");
  assert.equal(entry.text, "8/5 6/5");
  assert.ok(entry.isComplete);
  assert.equal(entry.type("13/10"), "");
  assert.ok(!entry.isComplete);
  assert.match(entry.type("13/8"), /no legal play/);
  assert.match(entry.type("hello"), /expected such as/);
  assert.equal(entry.text, "13/10");
  const bar = entryOf("bar 21");
  assert.equal(bar.type("bar/23 5/4*"), "");
  assert.ok(bar.isComplete);
});

test("every legal play can be clicked together, and nothing else can be completed", () => {
  for (const one of CASES) {
    const entry = new Entry(one, one.dice, one.plays);
    const nodes = entry.levels().flat();
    const ends = new Set(nodes.filter((node) => !entry.nextSteps(node).length).map((node) => keyOf(node.board)));
    const wanted = new Set(one.plays.map((play) => keyOf(after(one, play.moves))));
    assert.deepEqual([...wanted].filter((key) => !nodes.some((node) => keyOf(node.board) === key)), [], one.name);
    assert.deepEqual([...ends].filter((key) => !wanted.has(key)), [], one.name);
    for (const play of one.plays) {
      assert.equal(entry.type(play.play), "", `${one.name}: ${play.play}`);
      assert.equal(keyOf(entry.board), keyOf(after(one, play.moves)), `${one.name}: ${play.play}`);
    }
  }
});
