// <kb-whatif>: the same checkers with the cube elsewhere and at other scores, and the decision at all scores.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { post } from "../api.js";
import { equity, percent } from "../words.js";
import { AskingElement } from "./asking.js";

/** @typedef {{name: string, more: string, match: any}} Case */

const MATCH = { crawford: false, jacoby: false, beavers: false, cube: { value: 1, owner: "centred" } };

/** The cases that are compared with a match. @param {any} match @returns {Case[]} */
export function casesOf(match) {
  const { max_cube, variant } = match;
  const same = { max_cube, variant };
  const value = Math.max(match.cube.value, 2);
  return [
    { name: "Cube in the middle", more: "", match: { ...match, crawford: false, cube: { value: 1, owner: "centred" } } },
    { name: "Own cube", more: "", match: { ...match, crawford: false, cube: { value, owner: "mine" } } },
    { name: "Opponent's cube", more: "", match: { ...match, crawford: false, cube: { value, owner: "theirs" } } },
    { name: "Money", more: "Jacoby", match: { ...MATCH, ...same, length: 0, my_score: 0, their_score: 0, jacoby: true } },
    { name: "DMP", more: "both need a point", match: { ...MATCH, ...same, length: 1, my_score: 0, their_score: 0 } },
    { name: "Gammon-go", more: "2-away, Crawford", match: { ...MATCH, ...same, length: 2, my_score: 0, their_score: 1, crawford: true } },
    { name: "Gammon-save", more: "Crawford, 2-away", match: { ...MATCH, ...same, length: 2, my_score: 1, their_score: 0, crawford: true } },
  ];
}

export class WhatIfElement extends AskingElement {
  static properties = { best: { attribute: false }, plies: { attribute: false }, answers: { state: true }, cells: { state: true }, away: { state: true }, cell: { state: true } };

  constructor() {
    super();
    /** What is best here, to see where it differs. */
    this.best = "";
    this.plies = 1;
    /** @type {any[]} */
    this.answers = [];
    /** @type {any[]} */
    this.cells = [];
    this.away = 5;
    /** @type {any} */
    this.cell = null;
  }

  question() {
    return [this.state?.xgid, this.plies, this.away];
  }

  /** @param {AbortSignal} signal */
  async answer(signal) {
    this.cell = null;
    const offered = this.state.offer === "double";
    this.answers = await Promise.all(
      casesOf(this.state.match).map(async ({ match }) => {
        // A double can only be answered where one may double.
        const offer = offered && !(match.crawford || match.length === 1 || match.cube.owner === "theirs") ? "double" : "none";
        const body = { position: { ...this.state, match, offer }, plies: this.plies };
        return post("/v1/hint", this.state.dice ? { ...body, top: 2 } : body, { signal });
      }),
    );
    const found = await post("/v1/matrix", { position: this.state, away: this.away, plies: Math.min(this.plies, 1) }, { signal });
    this.cells = found.cells;
  }

  render() {
    if (this.trouble) return html`<p class="problem" role="alert">${this.trouble}</p>`;
    if (!this.answers.length) return html`<p class="muted busy" role="status">Looking at other scores</p>`;
    return html`<div class="columns">
      <table class="table what-if">
        <thead><tr><th scope="col">If</th><th scope="col">Best</th><th scope="col" class="num">Equity</th></tr></thead>
        <tbody>${casesOf(this.state.match).map((one, index) => this.row(one, this.answers[index]))}</tbody>
      </table>
      ${this.cells.length ? this.matrix() : nothing}
    </div>`;
  }

  /** @param {Case} one @param {any} answer */
  row(one, answer) {
    if (!answer) return nothing;
    const value = answer.plays ? answer.plays[0]?.equity : answer.equity;
    const differs = answer.best !== this.best;
    return html`<tr>
      <td><button class="play-name" title="Look at this position" @click=${() => this.choose(one.match)}>${one.name}</button>${one.more ? html` <span class="muted small">${one.more}</span>` : nothing}</td>
      <td>${differs ? html`<strong>${answer.best}</strong>` : html`<span class="muted">${answer.best}</span>`}</td>
      <td class="num">${equity(value)}</td>
    </tr>`;
  }

  /** @param {any} match */
  choose(match) {
    this.dispatchEvent(new CustomEvent("kb-match-changed", { detail: { match }, bubbles: true }));
  }

  // --- all scores ----------------------------------------------------------------------------------------------------

  matrix() {
    const labels = ["C", "PC", ...Array.from({ length: this.away - 1 }, (_, index) => String(index + 2))];
    /** @type {Map<string, any>} */
    const found = new Map(this.cells.map((cell) => [`${labelOf(cell.my_away, cell)}/${labelOf(cell.their_away, cell)}`, cell]));
    const kinds = [...new Set(this.cells.map((cell) => cell.code))];
    const playing = Boolean(this.state.dice);
    const rows = labels.filter((row) => labels.some((column) => found.has(`${row}/${column}`)));
    return html`<div class="stack-s">
      <div class="spread">
        <h3>At every score</h3>
        <label class="check small nowrap">up to <select class="select" aria-label="Largest score" @change=${this.resized}>
          ${[3, 5, 7, 9].map((size) => html`<option value=${size} ?selected=${size === this.away}>${size}-away</option>`)}
        </select></label>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label="Scores">
        <table class="matrix">
          <caption class="visually-hidden">Rows: points that the player on roll needs. Columns: points that the opponent needs.</caption>
          <thead><tr><td></td>${rows.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
          <tbody>
            ${rows.map(
              (row) => html`<tr>
                <th scope="row">${row}</th>
                ${rows.map((column) => {
                  const cell = found.get(`${row}/${column}`);
                  if (!cell) return html`<td></td>`;
                  const kind = kinds.indexOf(cell.code);
                  const code = playing ? String.fromCharCode(65 + (kind % 26)) : cell.code;
                  return html`<td><button class=${`cell kind-${playing ? Math.min(kind, 5) : cell.code.toLowerCase().replace("--", "none")}`}
                    aria-label=${`${row} to ${column}: ${cell.code}`} aria-pressed=${cell === this.cell} @click=${() => (this.cell = cell)}
                    @mouseenter=${() => (this.cell = cell)} @focus=${() => (this.cell = cell)}>${code}</button></td>`;
                })}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="small" role="status">${this.cell ? cellWords(this.cell) : html`<span class="muted">C is the Crawford game, PC the games after it. Choose a score for its equities.</span>`}</p>
      ${playing ? html`<ul class="matrix-legend">${kinds.map((code, index) => html`<li><span class=${`cell kind-${Math.min(index, 5)}`}>${String.fromCharCode(65 + (index % 26))}</span> ${code}</li>`)}</ul>` : nothing}
    </div>`;
  }

  /** @param {Event} event */
  resized(event) {
    this.away = Number(/** @type {HTMLSelectElement} */ (event.target).value);
  }
}

/** @param {number} away @param {any} cell */
function labelOf(away, cell) {
  return away > 1 ? String(away) : cell.crawford ? "C" : "PC";
}

/** @param {any} cell */
function cellWords(cell) {
  const { decision } = cell;
  const where = `${labelOf(cell.my_away, cell)} to ${labelOf(cell.their_away, cell)}: `;
  if (decision.plays) {
    const [first, second] = decision.plays;
    if (!first) return `${where}no legal play`;
    return where + `${first.play} ${equity(first.equity)}` + (second ? `, then ${second.play} ${equity(second.equity)}` : "") + ` (MWC ${percent(first.mwc)})`;
  }
  if (!decision.available) return `${where}no cube, equity ${equity(decision.no_double)}`;
  return where + `no double ${equity(decision.no_double)}, double/take ${equity(decision.double_take)}, double/pass ${equity(decision.double_pass)}`;
}

customElements.define("kb-whatif", WhatIfElement);
