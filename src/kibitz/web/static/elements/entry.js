// Entering a play, click by click. What is legal is the list that the service gave: a click that leads to no play of it
// does nothing. The steps on the way are found here, so that no click waits for the server.

import { BAR, OFF } from "./layout.js";
import { after, keyOf, moved, playText, readMoves, standing, ways } from "./moves.js";

/**
 * @typedef {import("./moves.js").Board} Board
 * @typedef {import("./moves.js").Move} Move
 * @typedef {{play: string, moves: Move[], hits?: number, result?: string}} Play as `POST /v1/plays` tells it
 * @typedef {{move: Move, die: number}} Step
 * @typedef {{board: Board, steps: Step[], dice: number[]}} Node where some steps lead to, and the dice that are left
 */

export class Entry {
  /**
   * @param {Board} board
   * @param {[number, number]} dice
   * @param {Play[]} plays
   */
  constructor(board, dice, plays) {
    this.start = { mine: [...board.mine], theirs: [...board.theirs] };
    /** @type {[number, number]} the dice from left to right */
    this.shown = [Math.max(...dice), Math.min(...dice)];
    this.plays = plays;
    /** @type {Map<string, Play>} */
    this.results = new Map(plays.map((play) => [keyOf(after(board, play.moves)), play]));
    /** @type {Step[]} */
    this.steps = [];
    /** @type {Map<string, boolean>} */
    this.known = new Map();
  }

  // --- where we are --------------------------------------------------------------------------------------------------

  get isDouble() {
    return this.shown[0] === this.shown[1];
  }

  /** @returns {Move[]} */
  get moves() {
    return this.steps.map((step) => step.move);
  }

  get board() {
    return after(this.start, this.moves);
  }

  /** The dice that are left, from left to right. */
  get dice() {
    const left = this.isDouble ? [...this.shown, ...this.shown] : [...this.shown];
    for (const { die } of this.steps) left.splice(left.indexOf(die), 1);
    return left;
  }

  /** @returns {Node} */
  get node() {
    return { board: this.board, steps: this.steps, dice: this.dice };
  }

  /** Whether nothing is left to play. */
  get isComplete() {
    return !this.plays.length || (this.results.has(keyOf(this.board)) && !this.nextSteps(this.node).length);
  }

  /** The play that was entered, once it is complete. @returns {Play|null} */
  get play() {
    return this.isComplete ? (this.results.get(keyOf(this.board)) ?? null) : null;
  }

  get text() {
    return playText(this.start, this.moves);
  }

  // --- steps ---------------------------------------------------------------------------------------------------------

  /** Whether some play of the list can still be reached. @param {Board} board @param {number[]} dice @returns {boolean} */
  canFinish(board, dice) {
    const key = `${keyOf(board)}|${[...dice].sort().join("")}`;
    let found = this.known.get(key);
    if (found === undefined) {
      found =
        this.results.has(keyOf(board)) ||
        [...new Set(dice)].some((die) =>
          movesBy(board, die).some((move) => this.canFinish(moved(board, move).board, without(dice, die))),
        );
      this.known.set(key, found);
    }
    return found;
  }

  /** Single steps that keep a legal play within reach, the left die first. @param {Node} node @returns {Node[]} */
  nextSteps({ board, steps, dice }) {
    const found = [];
    for (const die of new Set(dice)) {
      for (const move of movesBy(board, die)) {
        const next = moved(board, move).board;
        const left = without(dice, die);
        if (this.canFinish(next, left)) found.push({ board: next, steps: [...steps, { move, die }], dice: left });
      }
    }
    return found;
  }

  /** All that can be reached, in groups by the number of steps; the left die first. @returns {Node[][]} */
  levels() {
    const found = [[this.node]];
    for (;;) {
      /** @type {Map<string, Node>} */
      const next = new Map();
      for (const node of found[found.length - 1].flatMap((one) => this.nextSteps(one))) {
        const key = `${keyOf(node.board)}|${node.dice}`;
        if (!next.has(key)) next.set(key, node);
      }
      if (!next.size) return found.slice(1);
      found.push([...next.values()]);
    }
  }

  /** Go there; whether there is a place to go to. @param {Node|undefined} node */
  take(node) {
    if (!node) return false;
    this.steps = node.steps;
    return true;
  }

  /** Go there, if all lead to the same board. @param {Node[]} nodes */
  takeOnly(nodes) {
    return new Set(nodes.map((node) => keyOf(node.board))).size === 1 && this.take(nodes[0]);
  }

  // --- clicks --------------------------------------------------------------------------------------------------------

  /**
   * A click on a point; `other` for the right die first.
   * @param {number} point
   * @param {boolean} [other]
   */
  clickPoint(point, other = false) {
    const { mine, theirs } = standing(this.board, point);
    if (mine) return this.clickFrom(point, other) || this.takeBack(point);
    return theirs < 2 && this.bringTo(point);
  }

  /** A click on the bar. @param {boolean} [other] */
  clickBar(other = false) {
    return this.clickFrom(BAR, other);
  }

  /** @param {number} point @param {boolean} other */
  clickFrom(point, other) {
    const found = this.nextSteps(this.node).filter((node) => last(node).move[0] === point);
    const wanted = other ? this.shown[1] : this.shown[0];
    return this.take(found.find((node) => last(node).die === wanted) ?? found[0]);
  }

  /** Make a point in the fewest steps, or bring one checker there, where there is one way to do it. @param {number} point */
  bringTo(point) {
    const levels = this.levels();
    for (const count of [2, 1]) {
      const found = levels.map((nodes) => nodes.filter((node) => node.board.mine[point - 1] >= count)).find((nodes) => nodes.length);
      if (found) return this.takeOnly(found);
    }
    return false;
  }

  /** A click on the tray: bear off as many as the roll allows, where there is one way to do it. */
  clickTray() {
    const here = sum(this.board.mine);
    const all = this.levels().flat();
    const fewest = Math.min(here, ...all.map((node) => sum(node.board.mine)));
    if (fewest === here) return false;
    const most = all.filter((node) => sum(node.board.mine) === fewest);
    const short = most.filter((node) => node.steps.length === most[0].steps.length);
    return this.takeOnly(short);
  }

  /** Swap the dice; false for doubles and where none or all are played. */
  swap() {
    if (this.isDouble || this.isComplete) return false;
    this.shown = [this.shown[1], this.shown[0]];
    return true;
  }

  /** Which dice are played, from left to right. @returns {[boolean, boolean]} */
  get used() {
    if (this.isDouble) return [this.steps.length >= 2, this.steps.length >= 4];
    const left = this.dice;
    return [!left.includes(this.shown[0]), !left.includes(this.shown[1])];
  }

  // --- drags ---------------------------------------------------------------------------------------------------------

  /** The ways of one checker from a point, shortest first. @param {number} from @returns {Node[]} */
  runs(from) {
    const found = [];
    let ends = [{ node: this.node, at: from }];
    while (ends.length) {
      const next = [];
      for (const { node, at } of ends) {
        for (const one of this.nextSteps(node)) {
          if (last(one).move[0] !== at) continue;
          found.push(one);
          if (last(one).move[1] !== OFF) next.push({ node: one, at: last(one).move[1] });
        }
      }
      ends = next;
    }
    return found;
  }

  /** Where a checker of a point can go. @param {number} from @returns {Set<number>} */
  targets(from) {
    return new Set(this.runs(from).map((node) => last(node).move[1]));
  }

  /** A checker was dragged. @param {number} from @param {number} to */
  drag(from, to) {
    return this.take(this.runs(from).find((node) => last(node).move[1] === to));
  }

  /** Points and the bar from which a checker can move now. @returns {Set<number>} */
  sources() {
    return new Set(this.nextSteps(this.node).map((node) => last(node).move[0]));
  }

  // --- second thoughts -----------------------------------------------------------------------------------------------

  undo() {
    if (!this.steps.length) return false;
    this.steps = this.steps.slice(0, -1);
    return true;
  }

  undoAll() {
    if (!this.steps.length) return false;
    this.steps = [];
    return true;
  }

  /** Undo the step that brought a checker to a point, with those that stand on it. @param {number} point */
  takeBack(point) {
    const index = this.steps.findLastIndex((step) => step.move[1] === point);
    if (index < 0) return false;
    const others = this.steps.filter((_, at) => at !== index);
    this.steps = this.replayed(others) ?? this.steps.slice(0, index);
    return true;
  }

  /** Steps played again from the start, if they can be. @param {Step[]} steps @returns {Step[]|null} */
  replayed(steps) {
    /** @type {Node} */
    let node = { board: this.start, steps: [], dice: this.isDouble ? [...this.shown, ...this.shown] : [...this.shown] };
    for (const { move, die } of steps) {
      const next = this.nextSteps(node).find((one) => last(one).die === die && last(one).move.join() === move.join());
      if (!next) return null;
      node = next;
    }
    return node.steps;
  }

  // --- typing --------------------------------------------------------------------------------------------------------

  /** Enter what was typed, in place of what was entered before; what is wrong with it, or "". @param {string} text */
  type(text) {
    const moves = readMoves(text);
    if (!moves) return `“${text.trim()}” is no play; expected such as 24/18 13/11, bar/20 or 6/off`;
    const whole = this.named(moves);
    if (whole) {
      this.steps = this.spelled(whole);
      return "";
    }
    const before = this.steps;
    this.steps = [];
    for (const [from, to] of moves) {
      if (!this.drag(from, to)) {
        this.steps = before;
        return `${text.trim()} is no legal play of ${this.shown.join("")}`;
      }
    }
    return "";
  }

  /** The play of the list that moves name. @param {Move[]} moves @returns {Play|undefined} */
  named(moves) {
    const exact = this.results.get(keyOf(after(this.start, moves)));
    if (exact) return exact;
    const ends = endsOf(this.start, moves);
    const found = this.plays.filter((play) => endsOf(this.start, play.moves) === ends);
    return found.length === 1 ? found[0] : undefined;
  }

  /** A play of the list as steps. @param {Play} play @returns {Step[]} */
  spelled(play) {
    const goal = keyOf(after(this.start, play.moves));
    this.steps = [];
    const found = this.levels().flat().find((node) => keyOf(node.board) === goal && !this.nextSteps(node).length);
    return found?.steps ?? [];
  }
}

/** Moves by one die that no checker blocks. @param {Board} board @param {number} die @returns {Move[]} */
function movesBy(board, die) {
  if (board.mine[24]) return board.theirs[die - 1] < 2 ? [[BAR, BAR - die]] : [];
  const highest = board.mine.findLastIndex((count) => count > 0) + 1;
  /** @type {Move[]} */
  const found = [];
  for (let point = highest; point > 0; point--) {
    if (!board.mine[point - 1]) continue;
    const to = point - die;
    if (to > 0) {
      if (board.theirs[24 - to] < 2) found.push([point, to]);
    } else if (highest <= 6 && (to === 0 || point === highest)) found.push([point, OFF]);
  }
  return found;
}

/** @param {number[]} dice @param {number} die */
function without(dice, die) {
  const left = [...dice];
  left.splice(left.indexOf(die), 1);
  return left;
}

/** @param {Node} node @returns {Step} */
function last(node) {
  return node.steps[node.steps.length - 1];
}

/** @param {number[]} row */
function sum(row) {
  return row.reduce((one, other) => one + other, 0);
}

/** From where to where checkers go, however they get there. @param {Board} board @param {Move[]} moves */
function endsOf(board, moves) {
  return ways(board, moves)
    .flatMap(({ points, count }) => Array(count).fill(`${points[0]}/${points[points.length - 1]}`))
    .sort()
    .join(" ");
}
