// A reviewed match as things to look at, one after the other: what list, curve, board and keys share. No drawing here.

/**
 * Something to look at: an action of the match, or one decision about it.
 * @typedef {object} Item
 * @property {string} key such as "1.4.checker": game, place of the action, and the kind of the decision
 * @property {number} order its place in the match, from 0
 * @property {number} game from 1
 * @property {number} index of the action, from 0
 * @property {0|1} player who decides
 * @property {string} action roll, double, take, drop, beaver, raccoon, resign, setup
 * @property {string} dice such as "31"; empty where there are none
 * @property {string} words what was done
 * @property {any} state what was decided about
 * @property {any} moment the action, as the service tells it
 * @property {any} decision what the review says; null where it says nothing, or not yet
 * @property {any} roll the luck of the roll, where this is the play of it
 * @property {any[]} opinions what the file itself says of it
 * @property {boolean} quiet a cube rightly left alone: there to be looked at, but nobody is led to it
 *
 * @typedef {object} Game
 * @property {number} number
 * @property {[number, number]} score
 * @property {boolean} crawford
 * @property {{winner: 0|1, points: number, ending: string}|null} result
 * @property {Item[]} items
 *
 * @typedef {object} Filter
 * @property {""|0|1} player
 * @property {"all"|"lost"|"error"|"mark"|"blunder"} size
 * @property {""|"checker"|"cube"} kind
 * @property {number} game 0 for all
 *
 * @typedef {{name: ""|"doubtful"|"error"|"blunder", glyph: string, words: string}} Mark
 * @typedef {{title: string, rows: {label: string, cells: [string, string]}[]}} Section
 */

/** @type {Filter} */
export const EVERYTHING = Object.freeze({ player: "", size: "all", kind: "", game: 0 });
const CHECKER = "checker play";

/** @type {Record<string, Mark>} */
const MARKS = {
  doubtful: { name: "doubtful", glyph: "?!", words: "doubtful" },
  bad: { name: "error", glyph: "?", words: "bad" },
  "very bad": { name: "blunder", glyph: "??", words: "very bad" },
};
/** @type {Mark} */
const UNMARKED = { name: "", glyph: "", words: "" };
/** @type {Record<string, {glyph: string, words: string}>} */
const LUCK = {
  "very lucky": { glyph: "++", words: "very lucky" },
  lucky: { glyph: "+", words: "lucky" },
  unlucky: { glyph: "−", words: "unlucky" },
  "very unlucky": { glyph: "−−", words: "very unlucky" },
};
/** @type {Record<string, string>} */
const KINDS = { [CHECKER]: "checker", double: "cube", answer: "answer", counter: "counter", resignation: "resignation", acceptance: "acceptance" };

/** The mark that a review gives a decision. @param {any} decision @returns {Mark} */
export function markOfDecision(decision) {
  return MARKS[decision?.mark] ?? UNMARKED;
}

/** @param {any} roll */
export function luckOf(roll) {
  return LUCK[roll?.mark] ?? { glyph: "", words: "" };
}

/** Whether a decision stands in the list: cubes that nobody thought of turning do not. @param {any} decision @param {string} action */
export function isShown(decision, action) {
  return decision.kind !== "double" || action === "double" || decision.counts || decision.counts_pr || decision.error;
}

/** A reviewed match. */
export class Review {
  /**
   * @param {{match: any, games: any[], moments: any[]}} told what happened
   * @param {any} [review] what is said of it so far
   * @param {any[]} [opinions] what the file itself says
   * @param {Section[][]} [sections] the statistics as text: of the match, then of each game
   */
  constructor(told, review = null, opinions = [], sections = []) {
    this.sections = sections;
    this.match = told.match;
    /** @type {[string, string]} */
    this.players = told.match.players;
    this.length = told.match.length;
    this.told = told;
    this.review = review;
    /** @type {Item[]} */
    this.items = itemsOf(told.moments, review, opinions);
    /** @type {Map<string, Item>} */
    this.byKey = new Map(this.items.map((item) => [item.key, item]));
    /** @type {Game[]} */
    this.games = told.games.map((game, place) => ({
      number: place + 1,
      score: game.score,
      crawford: game.crawford,
      result: game.result,
      items: this.items.filter((item) => item.game === place + 1),
    }));
  }

  /** The unit of what adds up over games. */
  get unit() {
    return this.length ? "MWC" : "points";
  }

  /** The item of a key, or of the action that it names. @param {string} key @returns {Item|undefined} */
  find(key) {
    const exact = this.byKey.get(key);
    if (exact) return exact;
    const [game, index] = key.split(".").map(Number);
    const here = this.items.filter((item) => item.game === game && item.index === index);
    return here[here.length - 1];
  }

  /**
   * The nearest item after another one, or before it, that passes a test.
   * @param {Item|undefined} from
   * @param {1|-1} way
   * @param {(item: Item) => boolean} [test]
   */
  step(from, way, test = () => true) {
    const start = from ? from.order + way : way > 0 ? 0 : this.items.length - 1;
    for (let at = start; at >= 0 && at < this.items.length; at += way) if (test(this.items[at])) return this.items[at];
    return undefined;
  }

  /** The first item of a game that is so many further on. @param {Item|undefined} from @param {number} way */
  stepGame(from, way) {
    const number = Math.min(Math.max((from?.game ?? 1) + way, 1), this.games.length);
    return this.games[number - 1]?.items[0];
  }

  /** The course of a game or of all: points with the item that each belongs to. @param {number} game 0 for all */
  course(game) {
    /** @type {{item: Item|undefined, value: number, point: any}[]} */
    const found = [];
    for (const point of this.review?.curve ?? []) {
      if (game && point.game !== game) continue;
      const items = this.games[point.game - 1]?.items ?? [];
      const item = items.findLast((one) => one.index <= Math.max(point.index, 0)) ?? items[0];
      found.push({ item, value: this.length ? point.mwc : point.equity, point });
    }
    return found;
  }

  /** Who won a game and how. @param {Game} game */
  resultWords(game) {
    if (!game.result) return "unfinished";
    const how = { dropped: " by a pass", resigned: " by resignation" }[game.result.ending] ?? "";
    return `${this.players[game.result.winner]} wins ${game.result.points} point${game.result.points === 1 ? "" : "s"}${how}`;
  }
}

/**
 * @param {any[]} moments
 * @param {any} review
 * @param {any[]} opinions
 * @returns {Item[]}
 */
function itemsOf(moments, review, opinions) {
  const decisions = byPlace(review?.decisions ?? []);
  const rolls = byPlace(review?.rolls ?? []);
  const said = byPlace(opinions);
  /** @type {Item[]} */
  const items = [];
  for (const moment of moments) {
    const place = placeOf(moment);
    const own = (decisions.get(place) ?? []).filter((one) => isShown(one, moment.action));
    const about = [...own];
    if (moment.action === "roll" && !own.some((one) => one.kind === CHECKER)) about.push(null);
    if (!about.length) about.push(null);
    for (const decision of about) {
      const kind = decision ? KINDS[decision.kind] : moment.action === "roll" ? "checker" : moment.action;
      items.push({
        key: `${place}.${kind}`,
        order: items.length,
        game: moment.game,
        index: moment.index,
        player: decision ? decision.player : moment.player,
        action: moment.action,
        dice: kind === "checker" && moment.state.dice ? moment.state.dice.join("") : "",
        words: wordsOf(moment, decision),
        state: decision?.decision.state ?? moment.state,
        moment,
        decision,
        roll: kind === "checker" ? (rolls.get(place)?.[0] ?? null) : null,
        opinions: (said.get(place) ?? []).filter((one) => KINDS[one.kind] === kind),
        quiet: kind === "cube" && moment.action !== "double" && decision.lost < 0.0005,
      });
    }
  }
  return items;
}

/** @param {any} one */
function placeOf(one) {
  return `${one.game}.${one.index}`;
}

/** @param {any[]} things @returns {Map<string, any[]>} */
function byPlace(things) {
  const found = new Map();
  for (const one of things) {
    const place = placeOf(one);
    const there = found.get(place);
    if (there) there.push(one);
    else found.set(place, [one]);
  }
  return found;
}

/** @param {any} moment @param {any} decision */
function wordsOf(moment, decision) {
  if (decision?.kind === "double" && moment.action !== "double") return "No double";
  if (decision?.kind === "acceptance") return "Accepts";
  if (moment.action !== "roll") return moment.words;
  return moment.play?.play ?? "not played";
}

/**
 * Items in two columns, read from left to right and down.
 * @param {Item[]} items
 * @returns {{number: number, cells: [Item[], Item[]]}[]}
 */
export function rowsOf(items) {
  /** @type {{number: number, cells: [Item[], Item[]]}[]} */
  const rows = [];
  let column = 2;
  for (const item of items) {
    const cell = rows[rows.length - 1]?.cells[item.player];
    if (item.player < column || cell?.some((one) => one.action === "roll" && one.index !== item.index)) {
      rows.push({ number: rows.length + 1, cells: [[], []] });
    }
    rows[rows.length - 1].cells[item.player].push(item);
    column = item.player;
  }
  return rows;
}

// --- filters -----------------------------------------------------------------------------------------------------------

/** Whether a decision is as large as asked. @param {any} decision @param {Filter["size"]} size */
export function isAsLarge(decision, size) {
  if (size === "all") return true;
  if (!decision) return false;
  if (size === "lost") return decision.lost > 0.0000005;
  if (size === "error") return decision.error;
  return size === "mark" ? markOfDecision(decision).name !== "" : decision.blunder;
}

/** Whether an item passes a filter. @param {Item} item @param {Filter} filter */
export function passes(item, filter) {
  if (filter.player !== "" && item.player !== filter.player) return false;
  if (filter.game && item.game !== filter.game) return false;
  if (filter.kind && (item.key.endsWith(".checker") ? "checker" : "cube") !== filter.kind) return false;
  if (item.quiet && filter.kind !== "cube") return false;
  return isAsLarge(item.decision, filter.size);
}

/** Whether keys stop at an item on the way to the next error. @param {Item} item @param {Filter} filter */
export function isError(item, filter) {
  const size = filter.size === "all" || filter.size === "lost" ? "mark" : filter.size;
  return passes(item, { ...filter, size });
}

/** Whether a filter leaves anything out. @param {Filter} filter */
export function isNarrow(filter) {
  return filter.player !== "" || filter.size !== "all" || filter.kind !== "" || filter.game !== 0;
}

// --- words -------------------------------------------------------------------------------------------------------------

/** Whether an option is the one that was chosen. @param {any} decision @param {any} play */
export function isChosen(decision, play) {
  return play.play === decision.chosen;
}

/** What a loss was in winning chance, or in points at the cube as it stood. @param {any} decision @param {string} unit */
export function stakeWords(decision, unit) {
  if (unit === "MWC") return `${(100 * (decision.lost_mwc ?? 0)).toFixed(2)}% match winning chance`;
  return `${(decision.lost * decision.decision.state.match.cube.value).toFixed(3)} points`;
}

/** One sentence about a decision. @param {any} decision @param {string} unit */
export function verdictWords(decision, unit) {
  if (!decision.legal) return "This play is not legal; it was not analysed.";
  if (decision.forced) return "Forced: there was nothing to decide.";
  const { chosen, lost } = decision;
  const best = decision.kind === CHECKER ? decision.best : decision.verdict;
  if (lost <= 0.0000005) return `${sentence(chosen)} is right.`;
  if (!markOfDecision(decision).name) return `${sentence(best)} is a little better: ${lost.toFixed(3)} lost.`;
  const flaw = decision.flaw ? ` (${decision.flaw})` : "";
  return `${sentence(best)} was right. ${sentence(chosen)} loses ${lost.toFixed(3)}${flaw}, ${stakeWords(decision, unit)}.`;
}

/** Words that begin a sentence; a play keeps its notation. @param {string} words */
export function sentence(words) {
  if (words.startsWith("bar/")) return words;
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/**
 * What could be done, the best first, with what it is worth to the one who decides.
 * @param {any} decision
 * @returns {{name: string, equity: number, behind: number, mwc: number|null, chosen: boolean, play: any}[]}
 */
export function optionsOf(decision) {
  const answer = decision.decision;
  if (answer.plays) {
    return answer.plays.map((/** @type {any} */ play) => ({
      name: play.play,
      equity: play.equity,
      behind: play.equity - answer.plays[0].equity,
      mwc: play.mwc,
      chosen: isChosen(decision, play),
      play,
    }));
  }
  if (answer.question === "resignation" || answer.size) return [];
  const mwc = answer.mwc;
  const doubled = decision.chosen === "double";
  const taken = decision.chosen === "take" || decision.chosen === "beaver" || (doubled && answer.take);
  return [
    { name: "No double", equity: answer.no_double, mwc: mwc?.no_double ?? null, chosen: decision.chosen === "no double" },
    { name: "Double, take", equity: answer.double_take, mwc: mwc?.double_take ?? null, chosen: taken },
    { name: "Double, pass", equity: answer.double_pass, mwc: mwc?.double_pass ?? null, chosen: decision.chosen === "pass" || (doubled && !answer.take) },
  ]
    .filter((row) => row.equity !== null)
    .map((row) => ({ ...row, behind: row.equity - answer.equity, play: null }));
}
