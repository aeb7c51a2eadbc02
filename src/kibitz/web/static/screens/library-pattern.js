// A board as a pattern and back: `6>=2 o20>=2 bar=1`, as the library reads it.

/** @typedef {{mine: number[], theirs: number[]}} Board */

const BAR = 25;

/**
 * What has to stand where, for every point that is drawn.
 * @param {Board} board
 * @param {string} relation >=, = or <=
 */
export function patternOf(board, relation) {
  /** @param {number[]} row @param {string} who */
  const of = (row, who) => row.map((count, slot) => (count ? `${who}${slot + 1 === BAR ? "bar" : slot + 1}${relation}${count}` : "")).filter(Boolean);
  return [...of(board.mine, ""), ...of(board.theirs, "o")].join(" ");
}

/**
 * The board of a pattern, as far as a board can show it.
 * @param {string} text
 * @returns {{position: Board, relation: ">="|"="|"<="}}
 */
export function readPattern(text) {
  const position = { mine: Array(BAR).fill(0), theirs: Array(BAR).fill(0) };
  /** @type {">="|"="|"<="} */
  let relation = ">=";
  for (const [, who, place, sign, count] of text.matchAll(/(?:^|\s)(o?)(bar|\d{1,2})(>=|<=|=)(\d{1,2})/g)) {
    const slot = place === "bar" ? BAR - 1 : Number(place) - 1;
    if (slot < 0 || slot >= BAR) continue;
    (who ? position.theirs : position.mine)[slot] = Number(count);
    relation = /** @type {">="|"="|"<="} */ (sign);
  }
  return { position, relation };
}
