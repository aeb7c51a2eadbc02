// <kb-review>: a reviewed match to walk through: list, board, curve and panel around one cursor. The face's match screen and
// the offline page are both made of it.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { icon } from "../icons.js";
import { LightElement } from "../screen.js";
import { settings } from "../settings.js";
import { toast } from "../toasts.js";
import { equity, plural } from "../words.js";
import "./kb-board.js";
import "./kb-curve.js";
import { copyId } from "./kb-decision.js";
import "./kb-movelist.js";
import { readMoves } from "./moves.js";
import { EVERYTHING, isError, optionsOf, passes } from "./review.js";
import { textOf } from "./review-text.js";

/**
 * @typedef {import("./review.js").Item} Item
 * @typedef {import("./review.js").Filter} Filter
 */

const SIZES = /** @type {[Filter["size"], string][]} */ ([
  ["all", "all moves"],
  ["lost", "anything lost"],
  ["error", "errors (over 0.02)"],
  ["mark", "?! and worse"],
  ["blunder", "blunders (over 0.08)"],
]);
const TABS = /** @type {const} */ ([
  ["moves", "Moves"],
  ["worst", "Worst"],
  ["statistics", "Statistics"],
  ["text", "Text"],
]);

export class ReviewElement extends LightElement {
  static properties = {
    review: { attribute: false },
    at: { attribute: false },
    me: { attribute: false },
    waiting: { type: Boolean },
    href: { attribute: false },
    analyse: { attribute: false },
    below: { attribute: false },
    filter: { state: true },
    picked: { state: true },
    hovered: { state: true },
    flipped: { state: true },
    whole: { state: true },
    tab: { state: true },
  };

  constructor() {
    super();
    /** @type {import("./review.js").Review|null} */
    this.review = null;
    /** @type {Item|undefined} */
    this.at = undefined;
    /** @type {0|1|null} the user's own seat */
    this.me = null;
    this.waiting = false;
    /** @type {(item: Item) => string} */
    this.href = (item) => `#${item.key}`;
    /** @type {((item: Item) => string)|null} */
    this.analyse = null;
    /** @type {(item: Item) => unknown} what a screen adds below the decision */
    this.below = () => nothing;
    /** @type {Filter} */
    this.filter = { ...EVERYTHING };
    this.picked = -1;
    this.hovered = -1;
    this.flipped = false;
    this.whole = false;
    /** @type {(typeof TABS)[number][0]} */
    this.tab = "moves";
  }

  // --- going about ---------------------------------------------------------------------------------------------------

  /** @param {Item|undefined} item */
  go(item) {
    if (!item || item.key === this.at?.key) return;
    this.dispatchEvent(new CustomEvent("kb-at", { detail: { key: item.key }, bubbles: true }));
  }

  /** @param {1|-1} way */
  step(way) {
    this.go(this.review?.step(this.at, way, (item) => passes(item, this.filter)));
  }

  /** To the first move that passes the filter, or to the last one. @param {1|-1} way */
  goEnd(way) {
    this.go(this.review?.step(undefined, way, (item) => passes(item, this.filter)));
  }

  /** @param {1|-1} way */
  stepError(way) {
    const found = this.review?.step(this.at, way, (item) => isError(item, this.filter));
    if (found) this.go(found);
    else toast(way > 0 ? "No further error" : "No earlier error", { seconds: 1.5 });
  }

  /** Between the cube decision and the play of the same roll. */
  stepKind() {
    const here = this.review?.items.filter((item) => item.game === this.at?.game && item.index === this.at?.index) ?? [];
    this.go(here[(here.findIndex((item) => item.key === this.at?.key) + 1) % here.length]);
  }

  /** @param {1|-1} way */
  stepOption(way) {
    const count = this.at?.decision?.decision.plays?.length ?? 0;
    if (count) this.picked = Math.min(Math.max(this.picked + way, -1), count - 1);
  }

  /** @param {""|0|1} player */
  only(player) {
    this.filter = { ...this.filter, player };
    toast(player === "" ? "Both players" : this.review?.players[player] ?? "", { seconds: 1.5 });
  }

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    return [
      { key: "ArrowRight j", help: "next move", run: () => this.step(1) },
      { key: "ArrowLeft k", help: "previous move", run: () => this.step(-1) },
      { key: "Shift+ArrowRight Shift+j n", help: "next error", run: () => this.stepError(1) },
      { key: "Shift+ArrowLeft Shift+k b", help: "previous error", run: () => this.stepError(-1) },
      { key: "0", help: "errors of both players", run: () => this.only("") },
      { key: "1", help: `only ${this.review?.players[0] ?? "the first player"}`, run: () => this.only(0) },
      { key: "2", help: `only ${this.review?.players[1] ?? "the second player"}`, run: () => this.only(1) },
      { key: "ArrowDown", help: "draw the next candidate", run: () => this.stepOption(1) },
      { key: "ArrowUp", help: "draw the candidate before", run: () => this.stepOption(-1) },
      { key: "Home", help: "first move", run: () => this.goEnd(1) },
      { key: "End", help: "last move", run: () => this.goEnd(-1) },
      { key: "PageDown", help: "next game", run: () => this.go(this.review?.stepGame(this.at, 1)) },
      { key: "PageUp", help: "previous game", run: () => this.go(this.review?.stepGame(this.at, -1)) },
      { key: "d", help: "checker play or cube of this roll", run: () => this.stepKind() },
      { key: "f", help: "flip the board", run: () => (this.flipped = !this.flipped) },
      { key: "a", help: "arrows on or off", run: () => settings.set({ arrows: !settings.get("arrows") }) },
      { key: "x", help: "copy the XGID", run: () => void copyId(this.at) },
      { key: "v", help: "the match as text", run: () => (this.tab = this.tab === "text" ? "moves" : "text") },
    ];
  }

  /** @param {Map<string, any>} changed */
  willUpdate(changed) {
    if (changed.has("at")) this.picked = this.hovered = -1;
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  /** The right play solid and the one that was made dashed; a candidate that is looked at in the place of both. */
  get arrows() {
    const { at } = this;
    if (!at) return [];
    const plays = at.decision ? optionsOf(at.decision).filter((option) => option.play) : [];
    const looked = plays[this.hovered >= 0 ? this.hovered : this.picked];
    const of = (/** @type {any} */ play) => play.moves ?? readMoves(play.play) ?? [];
    /** @type {import("./drawing.js").Arrows[]} */
    const found = [];
    if (looked) return [...found, { kind: looked === plays[0] ? "best" : "hover", moves: of(looked.play) }];
    const made = at.key.endsWith(".checker") ? at.moment.play : null;
    if (plays.length && !at.decision.forced) found.push({ kind: "best", moves: of(plays[0].play) });
    if (made && made.play !== plays[0]?.name) found.push({ kind: "chosen", moves: of(made) });
    else if (made && at.decision?.forced) found.push({ kind: "chosen", moves: of(made) });
    return found;
  }

  render() {
    const { review } = this;
    if (!review) return nothing;
    return html`<div
      class=${`review ${this.tab === "text" ? "is-text" : ""}`}
      @kb-option=${(/** @type {CustomEvent} */ event) => this.option(event.detail)}
    >
      <div class="review-top">${this.card(0)} ${this.curve()} ${this.card(1)}</div>
      <div class="review-grid">
        <div class="review-list panel">${this.tabs()} ${this.body()}</div>
        ${this.tab === "text" ? nothing : this.middle()} ${this.tab === "text" ? nothing : this.side()}
      </div>
    </div>`;
  }

  /** @param {{index: number, hover: boolean}} detail */
  option({ index, hover }) {
    if (hover) this.hovered = index;
    else this.picked = this.picked === index ? -1 : index;
  }

  middle() {
    const { at, review } = this;
    if (!at || !review) return nothing;
    return html`<div class="review-board">
      <kb-board .state=${at.state} .arrows=${this.arrows} .flipped=${this.flipped} .bottom=${this.me ?? 1}></kb-board>
      <div class="review-controls" role="group" aria-label="Go through the match">
        ${[
          ["first", "First move (Home)", () => this.goEnd(1)],
          ["previous", "Previous move (←)", () => this.step(-1)],
        ].map(this.control)}
        <button class="btn" title="Previous error (Shift ←)" @click=${() => this.stepError(-1)}>${icon("previous")}<span>Error</span></button>
        <button class="btn" title="Next error (Shift →)" @click=${() => this.stepError(1)}><span>Error</span>${icon("next")}</button>
        ${[
          ["next", "Next move (→)", () => this.step(1)],
          ["last", "Last move (End)", () => this.goEnd(-1)],
          ["flip", "Flip the board (f)", () => (this.flipped = !this.flipped)],
        ].map(this.control)}
      </div>
      <p class="arrows-legend small muted">
        <span class="key-best"></span>right <span class="key-chosen"></span>played <span class="key-hover"></span>looked at
      </p>
    </div>`;
  }

  /** @param {any} parts */
  control = ([name, label, run]) => html`<button class="btn btn-icon" title=${label} aria-label=${label} @click=${run}>${icon(name)}</button>`;

  curve() {
    const { review, at } = this;
    if (!review || !at) return nothing;
    return html`<div class="review-curve panel">
      <div class="group curve-choice" role="group" aria-label="What the curve shows">
        <button class="btn btn-small" aria-pressed=${this.whole ? "false" : "true"} @click=${() => (this.whole = false)}>Game ${at.game}</button>
        <button class="btn btn-small" aria-pressed=${this.whole ? "true" : "false"} @click=${() => (this.whole = true)}>Match</button>
      </div>
      <kb-curve .review=${review} .at=${at} .game=${this.whole ? 0 : at.game} .href=${this.href}></kb-curve>
    </div>`;
  }

  side() {
    const { at, review } = this;
    if (!at || !review) return nothing;
    return html`<div class="review-side stack">
      <kb-decision aria-live="polite" .item=${at} .unit=${review.unit} .picked=${this.hovered >= 0 ? this.hovered : this.picked} .waiting=${this.waiting} .analyse=${this.analyse}></kb-decision>
      ${this.below(at)}
    </div>`;
  }

  // --- the list and what can stand in its place ------------------------------------------------------------------------

  tabs() {
    return html`<div class="tabs" role="tablist" aria-label="Views of the match" @keydown=${this.tabKeys}>
      ${TABS.map(
        ([name, label]) => html`<button
          class="tab" role="tab" id=${`tab-${name}`} aria-controls="review-panel" aria-selected=${this.tab === name ? "true" : "false"}
          tabindex=${this.tab === name ? 0 : -1} @click=${() => (this.tab = name)}>${label}</button>`,
      )}
    </div>`;
  }

  /** @param {KeyboardEvent} event */
  tabKeys(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const place = TABS.findIndex(([name]) => name === this.tab);
    this.tab = TABS[(place + way + TABS.length) % TABS.length][0];
    void this.updateComplete.then(() => /** @type {HTMLElement|null} */ (this.querySelector(`#tab-${this.tab}`))?.focus());
  }

  body() {
    const { review } = this;
    if (!review) return nothing;
    const inside = {
      moves: () => html`${this.filters()}<kb-movelist .review=${review} .at=${this.at} .filter=${this.filter} .href=${this.href}></kb-movelist>`,
      worst: () => html`${this.filters()}${this.worst()}`,
      statistics: () => this.statistics(),
      text: () => html`${this.filters()}${textOf(review, this.filter, this.href)}`,
    }[this.tab];
    return html`<div class="review-panel" id="review-panel" role="tabpanel" aria-labelledby=${`tab-${this.tab}`}>${inside()}</div>`;
  }

  filters() {
    const { review } = this;
    if (!review) return nothing;
    const count = review.items.filter((item) => item.decision && passes(item, this.filter)).length;
    const [one, other] = this.me === null ? review.players : this.me === 0 ? ["Mine", "Theirs"] : ["Theirs", "Mine"];
    return html`<form class="review-filters" aria-label="Filter" @change=${this.filtered} @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
      ${choice("player", "Player", [["", "both"], ["0", one], ["1", other]], String(this.filter.player))}
      ${choice("size", "Size", SIZES, this.filter.size)}
      ${choice("kind", "Kind", [["", "all"], ["checker", "checker play"], ["cube", "cube"]], this.filter.kind)}
      ${choice("game", "Game", [["0", "all"], ...review.games.map((game) => /** @type {[string, string]} */ ([String(game.number), String(game.number)]))], String(this.filter.game))}
      <output class="review-count small muted">${plural(count, "decision")}</output>
    </form>`;
  }

  /** @param {Event} event */
  filtered(event) {
    const form = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const player = String(form.get("player"));
    this.filter = {
      player: player === "" ? "" : player === "0" ? 0 : 1,
      size: /** @type {Filter["size"]} */ (form.get("size")),
      kind: /** @type {Filter["kind"]} */ (form.get("kind")),
      game: Number(form.get("game")),
    };
  }

  /** The errors by size. */
  worst() {
    const { review } = this;
    if (!review) return nothing;
    const errors = review.items.filter((item) => isError(item, this.filter)).sort((one, other) => other.decision.lost - one.decision.lost);
    if (!errors.length) return html`<p class="empty small">${this.waiting ? "No error so far." : "No error passes the filter."}</p>`;
    return html`<ol class="worst" @click=${this.followed}>
      ${errors.map(
        (item) => html`<li>
          <a class=${`move has-${markName(item)} ${item.key === this.at?.key ? "is-at" : ""}`} href=${this.href(item)} data-key=${item.key} aria-current=${item.key === this.at?.key ? "true" : nothing}>
            <span class=${`move-mark mark-${markName(item)}`}><b>${glyph(item)}</b> ${item.decision.lost.toFixed(3)}</span>
            <span class="move-words">${item.dice ? html`<span class="move-dice">${item.dice}</span>` : nothing}${item.words}</span>
            <span class="small muted">${review.players[item.player]}, game ${item.game}; right: ${item.decision.best}</span>
          </a>
        </li>`,
      )}
    </ol>`;
  }

  /** @param {MouseEvent} event */
  followed(event) {
    const link = event.target instanceof Element ? event.target.closest("a[data-key]") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(this.review?.find(link.getAttribute("data-key") ?? ""));
  }

  statistics() {
    const { review } = this;
    if (!review?.sections.length) return html`<p class="empty small">Statistics come with the review.</p>`;
    const game = this.filter.game;
    return html`<form class="review-filters" aria-label="Statistics of" @change=${this.statisticsOf}>
        ${choice("game", "Of", [["0", "the match"], ...review.games.map((one) => /** @type {[string, string]} */ ([String(one.number), `game ${one.number}`]))], String(game))}
      </form>
      <div class="statistics" tabindex="0" role="region" aria-label="Statistics">
        <table class="table">
          <thead><tr><th scope="col"><span class="visually-hidden">What</span></th>${review.players.map((name) => html`<th scope="col" class="num">${name}</th>`)}</tr></thead>
          ${(review.sections[game] ?? []).map(
            (section) => html`<tbody>
              <tr><th scope="rowgroup" colspan="3" class="statistics-head">${section.title}</th></tr>
              ${section.rows.map((row) => html`<tr><th scope="row">${row.label}</th>${row.cells.map((cell) => html`<td class="num">${cell}</td>`)}</tr>`)}
            </tbody>`,
          )}
        </table>
      </div>`;
  }

  /** @param {Event} event */
  statisticsOf(event) {
    this.filter = { ...this.filter, game: Number(/** @type {HTMLSelectElement} */ (event.target).value) };
  }

  /** A player in short: rating, marks, what was lost, luck. @param {0|1} player */
  card(player) {
    const { review } = this;
    if (!review) return nothing;
    const one = review.review?.statistics?.[player];
    const stake = (/** @type {number|null} */ value) => (value === null ? "–" : review.unit === "MWC" ? `${equity(100 * value, 1)}%` : equity(value));
    const marks = /** @type {const} */ ([["doubtful", "?!", "doubtful"], ["bad", "?", "error"], ["very bad", "??", "blunder"]]);
    return html`<article class=${`card card-${player}`} aria-label=${review.players[player]}>
      <div class="card-who">
        <span class=${`token ${player === settings.get("light") ? "light" : "dark"}`}></span>
        <h2 title=${review.players[player]}>${review.players[player]}</h2>
        ${this.me === player ? html`<span class="chip chip-accent">you</span>` : nothing}
      </div>
      ${one
        ? html`<p class="card-pr"><b>${one.pr === null ? "–" : one.pr.toFixed(1)}</b> <abbr title="eXtreme Gammon's performance rating: lower is better">PR</abbr> <span class="muted small">${one.pr_rating ?? ""}</span></p>
            <p class="card-marks">
              ${marks.map(([name, glyphs, css]) => html`<span class=${`mark-${css}`}><b>${glyphs}</b> ${(one.marked[name] ?? 0) + (one.cube_marked[name] ?? 0)}</span>`)}
            </p>
            <dl class="card-facts">
              <div><dt>Lost</dt><dd>${stake(one.overall.stake ? -one.overall.stake : 0)}</dd></div>
              <div><dt>Luck</dt><dd>${stake(one.luck.stake)}</dd></div>
            </dl>`
        : html`<p class="muted small">${this.waiting ? html`<span class="busy">The review is on its way</span>` : "not reviewed yet"}</p>`}
    </article>`;
  }
}

/** @param {Item} item */
function markName(item) {
  return { doubtful: "doubtful", bad: "error", "very bad": "blunder" }[/** @type {string} */ (item.decision.mark)] ?? "none";
}

/** @param {Item} item */
function glyph(item) {
  return { doubtful: "?!", bad: "?", "very bad": "??" }[/** @type {string} */ (item.decision.mark)] ?? "";
}

/**
 * @param {string} name
 * @param {string} label
 * @param {readonly (readonly [string, string])[]} options
 * @param {string} value
 */
function choice(name, label, options, value) {
  return html`<label class="review-filter"><span>${label}</span>
    <select class="select" name=${name}>
      ${options.map(([key, words]) => html`<option value=${key} ?selected=${key === value}>${words}</option>`)}
    </select></label>`;
}

customElements.define("kb-review", ReviewElement);
