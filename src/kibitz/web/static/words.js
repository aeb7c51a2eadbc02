// Numbers and states in words: one way to write each of them, for all screens.

/** An equity with its sign: +0.123. @param {number|null|undefined} value */
export function equity(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  return (value < 0 && Number(text) !== 0 ? "\u2212" : "+") + text;
}

/** A probability in percent. @param {number|null|undefined} value */
export function percent(value, digits = 1) {
  return value === null || value === undefined || Number.isNaN(value) ? "–" : (100 * value).toFixed(digits) + "%";
}

/** A duration in seconds for people. @param {number} seconds */
export function duration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/**
 * How bad a loss of equity is, with the marks and limits of the review. `name` is that of the class `mark-…`.
 * @param {number} loss not negative
 * @returns {{name: ""|"doubtful"|"error"|"blunder", glyph: string, words: string}}
 */
export function markOf(loss) {
  if (loss > 0.08) return { name: "blunder", glyph: "??", words: "very bad" };
  if (loss > 0.04) return { name: "error", glyph: "?", words: "bad" };
  if (loss > 0.02) return { name: "doubtful", glyph: "?!", words: "doubtful" };
  return { name: "", glyph: "", words: "" };
}

/** By whom and how deep. @param {any} level */
export function levelWords(level) {
  if (!level) return "";
  return level.trials ? `${level.name} (${level.trials} games)` : level.name;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function plural(count, one, many = one + "s") {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * Who a player of a state is: the name that the source gives, or the colour of the checkers.
 * @param {any} state
 * @param {0|1} player
 * @param {0|1} [light] who has the light checkers
 */
export function playerName(state, player, light = 1) {
  const name = state?.names?.[player === state.turn ? 0 : 1];
  return name || (player === light ? "White" : "Black");
}

/** What is being played. @param {any} match */
export function gameWords(match) {
  if (!match.length) {
    const rules = [match.jacoby && "Jacoby", match.beavers && "beavers"].filter(Boolean);
    return "Money game" + (rules.length ? ` (${rules.join(", ")})` : "");
  }
  const words = `${match.length}-point match`;
  if (match.crawford) return `${words}, Crawford game`;
  const least = Math.min(match.length - match.my_score, match.length - match.their_score);
  return match.length > 1 && least === 1 && match.my_score !== match.their_score ? `${words}, after Crawford` : words;
}

/** What is to be decided. @param {any} state */
export function taskWords(state) {
  if (state.offer === "double") return `doubles to ${2 * state.match.cube.value}`;
  if (state.offer !== "none") return state.offer.replace("-", " ");
  if ([state.position.mine, state.position.theirs].some((row) => row.every((/** @type {number} */ count) => !count))) return ""; // somebody has won
  return state.dice ? `to play ${state.dice[0]}${state.dice[1]}` : "on roll";
}

/**
 * Put a text on the clipboard; whether that was possible.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    return done;
  }
}
