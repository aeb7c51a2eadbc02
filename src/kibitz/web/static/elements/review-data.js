// The data of the offline page: what the service tells of a match and its review, written short, and read back into it.

import { readMoves } from "./moves.js";
import { Review } from "./review.js";

const OWNERS = /** @type {const} */ (["theirs", "centred", "mine"]);
const OFFERS = /** @type {Record<string, string>} */ ({ D: "double", B: "beaver", R: "raccoon" });
const KINDS = ["checker play", "double", "answer", "counter", "resignation", "acceptance"];
const MARKS = ["none", "doubtful", "bad", "very bad"];
const LUCK = ["very unlucky", "unlucky", "none", "lucky", "very lucky"];
const [COUNTS, COUNTS_PR, FORCED, ILLEGAL, ERROR, BLUNDER] = [1, 2, 4, 8, 16, 32];

/**
 * The state of an XGID, as the service tells states. The page's own XGIDs are right, so nothing is checked.
 * @param {string} xgid
 * @param {[string, string]} players
 */
export function stateOf(xgid, players) {
  const [places, cube, owner, turn, dice, bottom, top, rules, length, most] = xgid.replace("XGID=", "").split(":");
  const rows = [Array(25).fill(0), Array(25).fill(0)]; // the bottom player's, the top player's
  [...places].forEach((letter, place) => {
    if (letter >= "A" && letter <= "P") rows[0][place - 1] = letter.charCodeAt(0) - 64;
    else if (letter >= "a" && letter <= "p") rows[1][24 - place] = letter.charCodeAt(0) - 96;
  });
  const on = Number(turn) > 0 ? 1 : 0;
  const scores = [Number(bottom), Number(top)];
  if (!on) {
    rows.reverse();
    scores.reverse();
  }
  return {
    position: { mine: rows[0], theirs: rows[1] },
    match: {
      length: Number(length),
      my_score: scores[0],
      their_score: scores[1],
      crawford: Number(length) > 0 && rules === "1",
      jacoby: Number(length) === 0 && (Number(rules) & 1) > 0,
      beavers: Number(length) === 0 && (Number(rules) & 2) > 0,
      cube: { value: 2 ** Number(cube), owner: OWNERS[Number(owner) * Number(turn) + 1] },
      max_cube: 2 ** Number(most),
      variant: "backgammon",
    },
    dice: /^[1-6]{2}$/.test(dice) ? [Number(dice[0]), Number(dice[1])] : null,
    offer: OFFERS[dice] ?? "none",
    turn: on,
    names: on ? [players[1], players[0]] : players,
    xgid,
    position_id: "",
  };
}

/** The same state before the roll. @param {any} state */
function beforeRoll(state) {
  return { ...state, dice: null, xgid: state.xgid?.replace(/^((?:[^:]*:){4})\d\d/, "$100") ?? null };
}

/** A match of the page. @param {any} data @returns {Review} */
export function unpack(data) {
  const states = new Map();
  const moments = data.moments.map((/** @type {any[]} */ row) => {
    const [game, index, player, action, words, given, play] = row;
    const state = typeof given === "string" ? stateOf(given, data.match.players) : given;
    state.match.variant = data.match.variant;
    states.set(`${game}.${index}`, state);
    const made = play === null ? null : { play, moves: readMoves(play) ?? [] };
    return { game, index, player, action, words, state, play: made, legal: true };
  });
  const decisions = data.decisions.map((/** @type {any[]} */ row) => decisionOf(row, data, states));
  const rolls = data.rolls.map((/** @type {any[]} */ [game, index, luck, luck_mwc, mark]) => ({ game, index, luck, luck_mwc, mark: LUCK[mark] }));
  const curve = data.curve.map((/** @type {any[]} */ [game, index, equity, mwc]) => ({ game, index, equity, mwc }));
  const review = { engine: data.engine, statistics: data.statistics, decisions, rolls, curve };
  const opinions = decisions
    .filter((/** @type {any} */ one) => one.opinion)
    .map((/** @type {any} */ one) => ({ game: one.game, index: one.index, kind: one.kind, analyst: one.opinion[0], level: "", best: one.opinion[1], lost: one.opinion[2], decision: null }));
  return new Review({ match: data.match, games: data.games, moments }, review, opinions, sectionsOf(data.sections));
}

/** @param {any[]} row @param {any} data @param {Map<string, any>} states */
function decisionOf(row, data, states) {
  const [game, index, player, kind, chosen, best, verdict, lost, lost_mwc, mark, flags, flaw, answer, more] = row;
  const state = states.get(`${game}.${index}`);
  return {
    game,
    index,
    player,
    kind: KINDS[kind],
    name: data.match.players[player],
    chosen,
    best,
    verdict,
    lost,
    lost_mwc,
    mark: MARKS[mark],
    counts: Boolean(flags & COUNTS),
    counts_pr: Boolean(flags & COUNTS_PR),
    forced: Boolean(flags & FORCED),
    legal: !(flags & ILLEGAL),
    error: Boolean(flags & ERROR),
    blunder: Boolean(flags & BLUNDER),
    flaw,
    opinion: more?.opinion ?? null,
    comment: more?.comment ?? "",
    reason: more?.reason ?? "",
    decision: answerOf(answer, KINDS[kind], state, data.levels),
  };
}

/** @param {any} answer @param {string} kind @param {any} state @param {string[]} levels */
function answerOf(answer, kind, state, levels) {
  if (kind === "checker play") {
    const plays = answer.map((/** @type {any[]} */ [play, equity, mwc, five, level, error]) => ({
      play,
      moves: readMoves(play) ?? [],
      equity,
      mwc,
      evaluation: chancesOf(five),
      level: { name: levels[level] },
      standard_error: error ?? null,
    }));
    return { question: "play", state, plays };
  }
  const at = kind === "double" && state.dice ? beforeRoll(state) : state;
  if (kind === "resignation" || kind === "acceptance") return { question: "resignation", size: 1, state: at };
  const [no_double, double_take, double_pass, equity, take, mwc, five, level] = answer;
  return {
    question: "double",
    state: at,
    no_double,
    double_take,
    double_pass,
    equity,
    take: Boolean(take),
    mwc: mwc ? { no_double: mwc[0], double_take: mwc[1], double_pass: mwc[2] } : null,
    evaluation: chancesOf(five),
    level: { name: levels[level] },
  };
}

/** Chances in tens of thousandths. @param {number[]} five */
function chancesOf(five) {
  const [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = five.map((value) => value / 10000);
  return { win, win_gammon, win_backgammon, lose_gammon, lose_backgammon };
}

/** Labels once, cells of the match and of each game. @param {{titles: [string, string[]][], cells: [string, string][][]}} packed */
function sectionsOf({ titles, cells }) {
  return cells.map((rows) => {
    let place = 0;
    return titles.map(([title, labels]) => ({ title, rows: labels.map((label) => ({ label, cells: rows[place++] })) }));
  });
}
