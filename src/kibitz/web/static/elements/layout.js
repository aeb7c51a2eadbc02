// Where things are on a drawn board. The measures are those of the Python drawing; see geometry.js.

import { GEOMETRY as G } from "./geometry.js";

export const BAR = 25;
export const OFF = 0;
export const BOARD = (G.pointsARow + 1) * G.point;
export const WIDTH = 2 * G.side + BOARD + 2 * G.frame;
export const TOP = G.header + G.numbers + 2;
export const MIDDLE = TOP + G.half;
export const BOTTOM = TOP + 2 * G.half;
export const HEIGHT = BOTTOM + G.numbers + G.header + 2;
export const CUT_TOP = TOP - G.numbers - G.margin;
export const CUT_HEIGHT = HEIGHT - 2 * (G.header - G.margin);

/** @typedef {[number, number]} Place x and y */

/**
 * The points of the upper and the lower row from left to right, numbered by the player on roll, who sits at the bottom,
 * at the top if `flip`. Both bear off to the right, to the left if `left`.
 * @param {boolean} flip
 * @param {boolean} left
 * @returns {{upper: number[], lower: number[]}}
 */
export function pointRows(flip, left) {
  const outerFirst = Array.from({ length: 12 }, (_, index) => 13 + index);
  const homeLast = Array.from({ length: 12 }, (_, index) => 12 - index);
  const [upper, lower] = flip ? [homeLast, outerFirst] : [outerFirst, homeLast];
  return left ? { upper: upper.reverse(), lower: lower.reverse() } : { upper, lower };
}

/** Places as the player on roll counts points. */
export class Layout {
  /** @param {boolean} flip @param {boolean} left */
  constructor(flip, left) {
    this.flip = flip;
    this.left = left;
    Object.assign(this, pointRows(flip, left));
    const rows = pointRows(flip, left);
    this.upper = rows.upper;
    this.lower = rows.lower;
    this.tray = left ? G.frame + G.side / 2 : WIDTH - G.frame - G.side / 2;
    this.cubeSide = left ? WIDTH - G.frame - G.side / 2 : G.frame + G.side / 2;
    this.bar = G.frame + G.side + BOARD / 2;
  }

  /** The middle of the index-th point of a row. @param {number} index */
  column(index) {
    return G.frame + G.side + G.point * (index + 0.5) + (index >= G.pointsARow / 2 ? G.point : 0);
  }

  /** @param {number} point */
  isUpper(point) {
    return this.upper.includes(point);
  }

  /** @param {number} point @returns {number} the middle of a point */
  x(point) {
    return this.column((this.isUpper(point) ? this.upper : this.lower).indexOf(point));
  }

  /**
   * The middle of the level-th checker on a point, on the bar or off the board.
   * @param {number} point
   * @param {number} level
   * @param {boolean} [mine] whose bar or tray
   * @returns {Place}
   */
  place(point, level, mine = true) {
    const upper = mine === this.flip;
    if (point === BAR) return [this.bar, MIDDLE + (upper ? -1 : 1) * (G.radius + G.firstOnBar + level * G.step)];
    if (point === OFF) return [this.tray, upper ? TOP + G.trayArrow : BOTTOM - G.trayArrow];
    const y = G.radius + G.firstChecker + level * G.step;
    return [this.x(point), this.isUpper(point) ? TOP + y : BOTTOM - y];
  }

  /**
   * Where the cube lies.
   * @param {"centred"|"mine"|"theirs"} owner
   * @param {boolean} offered
   * @returns {Place}
   */
  cube(owner, offered) {
    if (offered) return [this.column(G.offeredColumn), MIDDLE];
    if (owner === "centred") return [this.cubeSide, MIDDLE];
    const upper = (owner === "mine") === this.flip;
    return [this.cubeSide, upper ? TOP + G.cubeGap : BOTTOM - G.cubeGap];
  }

  /** The middles of the two dice. @returns {[Place, Place]} */
  dice() {
    const [first, second] = G.dieColumns;
    return [
      [this.column(first) - G.dieGap, MIDDLE],
      [this.column(second) + G.dieGap, MIDDLE],
    ];
  }
}

/**
 * A bent line that bends towards the middle of the board, so that arrows of one row stay apart.
 * @param {Place} start
 * @param {Place} end
 * @param {number} [more] bends more by so many units, for arrows that would cover each other
 */
export function arc([x1, y1], [x2, y2], more = 0) {
  const bend = G.bend * (Math.abs(x2 - x1) + Math.abs(y2 - y1)) + more;
  const towards = (y1 + y2) / 2 > MIDDLE ? -1 : 1;
  /** @type {Place} */
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2 + towards * (Math.abs(y2 - y1) < G.half ? bend : more)];
  return { path: `M${short(x1)} ${short(y1)}Q${short(middle[0])} ${short(middle[1])} ${short(x2)} ${short(y2)}`, middle };
}

/** @param {number} value */
export function short(value) {
  return String(Math.round(100 * value) / 100);
}

/** The spots of a die: columns and rows from its middle. @type {Record<number, [number, number][]>} */
export const SPOTS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
