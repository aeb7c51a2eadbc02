// XGIDs as pictures need them, held against what the Python reader says of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readXgid } from "../../../src/kibitz/web/static/elements/xgid.js";

/** @type {any[]} states as the service tells them, written by `python -m tests.web.test_entry` */
const STATES = JSON.parse(readFileSync(new URL("states.json", import.meta.url), "utf8"));

test("every XGID gives the state of the Python reader", () => {
  assert.ok(STATES.length > 30);
  for (const { xgid, position, match, dice, offer, turn } of STATES) {
    const found = readXgid(xgid);
    const { max_cube: _most, ...wanted } = match;
    assert.deepEqual(found, { position: { mine: position.mine, theirs: position.theirs }, match: wanted, dice, offer, turn, names: null }, xgid);
  }
});

test("what is no XGID is none", () => {
  for (const wrong of ["", "hello", "XGID=", "XGID=abc:0:0:1:31:0:0:1:0:10", "<script>", "-b----E-C---eE---c-e----Bz:0:0:1:31:0:0:1:0:10"]) assert.equal(readXgid(wrong), null);
});
