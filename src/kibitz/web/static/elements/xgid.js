// What an XGID says, as far as a picture needs it. Whatever is to be answered is read by the service.

const OWNERS = /** @type {const} */ ({ "1": "mine", "0": "centred", "-1": "theirs" });

/**
 * A state to draw, or null for what is no XGID.
 * @param {string} text with or without "XGID=" before it
 */
export function readXgid(text) {
  const [points, log = "", owner = "", turn = "", roll = "", lower = "", upper = "", rule = "", length = ""] = text.replace(/^XGID=/, "").split(":");
  if (!/^[-a-oA-O]{26}$/.test(points) || !/^\d+$/.test(log) || !(owner in OWNERS) || !["1", "-1"].includes(turn)) return null;
  /** Rows by player: 1 has the capitals and counts upwards, 0 the small letters and counts downwards. */
  const rows = [Array(25).fill(0), Array(25).fill(0)];
  [...points].forEach((letter, index) => {
    const count = letter === "-" ? 0 : letter.toLowerCase().charCodeAt(0) - 96;
    if (count) rows[letter < "a" ? 1 : 0][(letter < "a" ? index : 25 - index) - 1] = count;
  });
  const mover = turn === "1" ? 1 : 0;
  const scores = [Number(upper) || 0, Number(lower) || 0];
  const sign = mover ? 1 : -1;
  const dice = /^[1-6][1-6]$/.test(roll) ? [Math.max(+roll[0], +roll[1]), Math.min(+roll[0], +roll[1])] : null;
  const match = Number(length) || 0;
  return {
    position: { mine: rows[mover], theirs: rows[1 - mover] },
    match: {
      length: match,
      my_score: scores[mover],
      their_score: scores[1 - mover],
      crawford: match > 0 && rule === "1",
      jacoby: !match && (Number(rule) & 1) === 1,
      beavers: !match && (Number(rule) & 2) === 2,
      cube: { value: 2 ** Math.min(Number(log), 30), owner: OWNERS[/** @type {keyof typeof OWNERS} */ (String(sign * Number(owner) || 0))] },
      variant: "backgammon",
    },
    dice,
    offer: roll === "D" ? "double" : "none",
    turn: /** @type {0|1} */ (mover),
    names: null,
  };
}
