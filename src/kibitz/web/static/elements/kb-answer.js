// <kb-answer>: what the engine answers, as ranked plays, a cube decision or a resignation.

import { html, nothing, repeat, svg } from "../vendor/lit-3.3.3.js";
import { LightElement } from "../screen.js";
import { equity, levelWords, markOf, percent } from "../words.js";

export class AnswerElement extends LightElement {
  static properties = {
    decision: { attribute: false },
    selected: { attribute: false },
    marked: { attribute: false },
    shown: { attribute: false },
  };

  constructor() {
    super();
    /** @type {any} a decision as the service tells it */
    this.decision = null;
    /** The play that is looked at, by its text. */
    this.selected = "";
    /** @type {Record<string, string>} words beside plays, such as {"13/7 8/7": "played"} */
    this.marked = {};
    /** How many plays are shown; those that are marked or selected are always there. */
    this.shown = 8;
  }

  render() {
    const { decision } = this;
    if (!decision) return nothing;
    if (decision.question === "play") return decision.plays.length ? this.plays() : html`<p class="empty">No legal play.</p>`;
    return "accepted" in decision ? this.resignation() : this.cube();
  }

  /** @param {string} name @param {any} play */
  tell(name, play) {
    this.dispatchEvent(new CustomEvent(name, { detail: { play }, bubbles: true }));
  }

  // --- plays ---------------------------------------------------------------------------------------------------------

  plays() {
    /** @type {any[]} */
    const all = this.decision.plays;
    const rows = all.filter((one, index) => index < this.shown || one.play in this.marked || one.play === this.selected);
    const inMatch = all.some((one) => one.mwc !== null);
    return html`<table class="table pick plays" @mouseleave=${() => this.tell("kb-hover", null)}>
        <thead>
          <tr>
            <th scope="col">Play</th>
            <th scope="col" class="num" title="Cubeful equity, in points of the present cube">Equity</th>
            <th scope="col" class="num" title="Against the best">Loss</th>
            ${inMatch ? html`<th scope="col" class="num" title="Match winning chance">MWC</th>` : nothing}
            <th scope="col" class="num">Wins</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            rows,
            (one) => one.play,
            (one) => this.row(one, inMatch),
          )}
        </tbody>
      </table>
      ${rows.length < all.length
        ? html`<div class="panel-foot"><button class="btn btn-small btn-quiet" @click=${() => (this.shown = all.length)}>All ${all.length} plays</button></div>`
        : nothing}`;
  }

  /** @param {any} one @param {boolean} inMatch */
  row(one, inMatch) {
    const loss = -one.difference;
    const mark = markOf(loss);
    const selected = one.play === this.selected;
    const words = this.marked[one.play];
    const best = one.rank === 1;
    return html`<tr class=${[best ? "is-best" : "", selected ? "is-selected" : ""].join(" ").trim()}
      @mouseenter=${() => this.tell("kb-hover", one)} @click=${() => this.tell("kb-select", one)}>
      <td>
        <button class="play-name" aria-current=${selected ? "true" : nothing} @focus=${() => this.tell("kb-hover", one)} @blur=${() => this.tell("kb-hover", null)}>${one.play}</button>
        ${words ? html`<span class="chip chip-accent">${words}</span>` : nothing}
        <span class="depth" title=${levelWords(one.level)}>${one.level?.trials ? "R" : one.plies}</span>
      </td>
      <td class="num">${equity(one.equity)}${one.standard_error ? html`<span class="muted small"> ±${(1.96 * one.standard_error).toFixed(3)}</span>` : nothing}</td>
      <td class="num">${best ? html`<span class="muted">best</span>` : html`<span class=${mark.name ? `mark-${mark.name}` : ""} title=${mark.words}>${loss.toFixed(3)}${mark.glyph ? ` ${mark.glyph}` : ""}</span>`}</td>
      ${inMatch ? html`<td class="num">${percent(one.mwc)}</td>` : nothing}
      <td class="num">${percent(one.evaluation?.win)}</td>
    </tr>`;
  }

  // --- cube and resignation ------------------------------------------------------------------------------------------

  cube() {
    const { decision } = this;
    if (!decision.available && decision.question !== "take") {
      return html`<p class="panel-body muted">The cube cannot be turned here. Cubeful equity ${equity(decision.no_double)}.</p>`;
    }
    const taking = decision.question === "take";
    /** @type {[string, number|null, number|null|undefined, number|null|undefined][]} name, equity, what it costs, MWC */
    const rows = taking
      ? [
          ["Take", decision.double_take, decision.errors.take, decision.mwc?.double_take],
          ["Pass", decision.double_pass, decision.errors.pass, decision.mwc?.double_pass],
        ]
      : [
          ["No double", decision.no_double, decision.errors.no_double, decision.mwc?.no_double],
          ["Double, take", decision.double_take, decision.take ? decision.errors.double : decision.errors.take, decision.mwc?.double_take],
          ["Double, pass", decision.double_pass, decision.take ? decision.errors.pass : decision.errors.double, decision.mwc?.double_pass],
        ];
    const right = taking ? (decision.take ? 0 : 1) : decision.double ? (decision.take ? 1 : 2) : 0;
    return html`<table class="table cube-table">
        <thead>
          <tr>
            <th scope="col">Action</th>
            <th scope="col" class="num" title="Of the doubler">Equity</th>
            <th scope="col" class="num">Loss</th>
            ${decision.mwc ? html`<th scope="col" class="num">MWC</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${rows.map(([name, value, error, mwc], index) => {
            const loss = Math.abs(error ?? 0);
            const mark = markOf(loss);
            return html`<tr class=${index === right ? "is-best" : ""}>
              <td>${name}</td>
              <td class="num">${equity(value)}</td>
              <td class="num">${index === right || loss < 0.0005 ? html`<span class="muted">${index === right ? "right" : "0.000"}</span>` : html`<span class=${mark.name ? `mark-${mark.name}` : ""} title=${mark.words}>${loss.toFixed(3)}${mark.glyph ? ` ${mark.glyph}` : ""}</span>`}</td>
              ${decision.mwc ? html`<td class="num">${percent(mwc)}</td>` : nothing}
            </tr>`;
          })}
        </tbody>
      </table>
      ${this.window()}`;
  }

  /** The doubling window: where one doubles, cashes and is too good, and where this position is. */
  window() {
    const { points, evaluation } = this.decision;
    if (!points || points.take_point === null || points.double_point === null) return nothing;
    const from = points.double_point;
    const to = points.cash_point ?? 1;
    const good = points.too_good_point;
    const win = evaluation.win;
    const words = `Double from ${percent(from)}, cash from ${percent(to)}${good === null ? "" : `, too good from ${percent(good)}`}; here ${percent(win)}.`;
    return html`<figure class="window">
      <svg viewBox="0 0 1000 34" role="img" aria-label=${words} preserveAspectRatio="none">
        <rect class="window-all" y="10" width="1000" height="14" rx="7" />
        <rect class="window-double" x=${1000 * from} y="10" width=${1000 * Math.max(0, to - from)} height="14" />
        <rect class="window-cash" x=${1000 * to} y="10" width=${1000 * Math.max(0, (good ?? 1) - to)} height="14" />
        ${svg`<path class="window-here" d=${`M${1000 * win} 2V32`} vector-effect="non-scaling-stroke" />`}
      </svg>
      <figcaption class="muted small">${words}</figcaption>
    </figure>`;
  }

  resignation() {
    const { decision } = this;
    return html`<table class="table">
      <thead><tr><th scope="col">Answer</th><th scope="col" class="num">Equity</th></tr></thead>
      <tbody>
        <tr class=${decision.accept ? "is-best" : ""}><td>Accept</td><td class="num">${equity(decision.accepted)}</td></tr>
        <tr class=${decision.accept ? "" : "is-best"}><td>Play on</td><td class="num">${equity(decision.played_on)}</td></tr>
      </tbody>
    </table>`;
  }
}

customElements.define("kb-answer", AnswerElement);
