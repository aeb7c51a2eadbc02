// <kb-chances>: win, gammon and backgammon chances of both sides as one bar and in figures.

import { html, nothing, svg } from "../vendor/lit-3.3.3.js";
import { LightElement } from "../screen.js";
import { percent } from "../words.js";

export class ChancesElement extends LightElement {
  static properties = { evaluation: { attribute: false }, errors: { attribute: false }, who: { attribute: false }, small: { type: Boolean } };

  constructor() {
    super();
    /** @type {any} */
    this.evaluation = null;
    /** @type {any} standard errors, where a rollout has them */
    this.errors = null;
    /** @type {[string, string]} */
    this.who = ["Player", "Opponent"];
    this.small = false;
  }

  render() {
    const found = this.evaluation;
    if (!found) return nothing;
    const lose = 1 - found.win;
    const parts = [
      ["win-bg", found.win_backgammon],
      ["win-g", found.win_gammon - found.win_backgammon],
      ["win", found.win - found.win_gammon],
      ["lose", lose - found.lose_gammon],
      ["lose-g", found.lose_gammon - found.lose_backgammon],
      ["lose-bg", found.lose_backgammon],
    ];
    let at = 0;
    const bar = html`<svg class="chance-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      ${parts.map(([name, share]) => {
        const x = at;
        at += 100 * Math.max(0, share);
        return svg`<rect class=${`part-${name}`} x=${x} width=${Math.max(0, 100 * share)} height="10" />`;
      })}
      <path class="chance-middle" d="M50 0V10" vector-effect="non-scaling-stroke" />
    </svg>`;
    if (this.small) return bar;
    /** @param {string} name */
    const error = (name) => (this.errors ? html`<span class="muted small"> ±${percent(1.96 * this.errors[name])}</span>` : nothing);
    return html`${bar}
      <table class="chance-table">
        <thead>
          <tr><td></td><th scope="col" class="num">Wins</th><th scope="col" class="num">Gammons</th><th scope="col" class="num">Backgammons</th></tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">${this.who[0]}</th>
            <td class="num strong">${percent(found.win)}${error("win")}</td>
            <td class="num">${percent(found.win_gammon)}${error("win_gammon")}</td>
            <td class="num">${percent(found.win_backgammon)}</td>
          </tr>
          <tr>
            <th scope="row">${this.who[1]}</th>
            <td class="num strong">${percent(lose)}</td>
            <td class="num">${percent(found.lose_gammon)}${error("lose_gammon")}</td>
            <td class="num">${percent(found.lose_backgammon)}</td>
          </tr>
        </tbody>
      </table>`;
  }
}

customElements.define("kb-chances", ChancesElement);
