// What an answer to an old question costs. No drawing here.

/** @typedef {import("./review.js").Item} Item */

/** Whether a decision can be asked again: plays, doubles and takes. @param {Item} item */
export function retryable(item) {
  return ["checker play", "double", "answer"].includes(item.decision?.kind) && item.decision.legal;
}

/**
 * The equity that an answer gives away, as the review knows it; null for a play that the review did not look at.
 * @param {any} decision
 * @param {string} name a play, or "double", "no double", "take", "pass"
 * @param {any} [play] the play with the Position ID of its result
 * @returns {number|null}
 */
export function costOf(decision, name, play) {
  const answer = decision.decision;
  if (answer.plays) {
    const found = answer.plays.find((/** @type {any} */ one) => (play ? one.result === play.result : one.play === name));
    return found ? answer.plays[0].equity - found.equity : null;
  }
  const doubled = Math.min(answer.double_take, answer.double_pass);
  if (decision.kind === "double") {
    const best = Math.max(answer.no_double, doubled);
    return best - (name === "double" ? doubled : answer.no_double);
  }
  return (name === "take" ? answer.double_take : answer.double_pass) - doubled;
}
