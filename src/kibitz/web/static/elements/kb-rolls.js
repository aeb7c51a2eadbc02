// <kb-rolls>: the 21 rolls of the next turn as a map, from the best to the worst for the player whose decision it is.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Problem, post, wasAborted } from "../api.js";
import { equity, percent } from "../words.js";
import { AskingElement } from "./asking.js";

export class RollsElement extends AskingElement {
  static properties = { sign: { attribute: false }, who: { attribute: false }, title: {}, rolls: { state: true }, roll: { state: true }, reply: { state: true } };

  constructor() {
    super();
    /** 1 if the player on roll is the one whose decision it is, else -1. */
    this.sign = 1;
    this.who = "";
    this.title = "";
    /** @type {any[]} */
    this.rolls = [];
    /** @type {any} */
    this.roll = null;
    this.reply = "";
  }

  question() {
    return [this.state?.position, this.state?.match, this.sign];
  }

  /** @param {AbortSignal} signal */
  async answer(signal) {
    this.roll = null;
    for (const plies of [0, 1]) this.rolls = (await post("/v1/rolls", { position: this.state, plies }, { signal })).rolls;
  }

  forget() {
    this.rolls = [];
  }

  /** @param {any} roll */
  async look(roll) {
    this.roll = roll;
    this.reply = "";
    try {
      const found = await post("/v1/hint", { position: this.state, dice: roll.dice, plies: 1, top: 1 }, { signal: this.work.signal });
      if (this.roll === roll) this.reply = found.plays.length ? found.best : "no legal play";
    } catch (error) {
      if (!wasAborted(error) && !(error instanceof Problem)) throw error;
    }
  }

  /** What a roll is worth: an equity for money, the chance to win the match else. @param {number} value @param {number} [digits] */
  worth(value, digits = 3) {
    return this.state.match.length ? percent((1 + this.sign * value) / 2, digits - 2) : equity(this.sign * value, digits);
  }

  render() {
    if (this.trouble) return html`<p class="problem" role="alert">${this.trouble}</p>`;
    if (!this.rolls.length) return html`<p class="muted busy" role="status">Rolling</p>`;
    const mean = this.rolls.reduce((sum, one) => sum + one.weight * one.value, 0) / 36;
    const spread = Math.max(...this.rolls.map((one) => Math.abs(one.value - mean)), 0.05);
    /** @type {Map<string, any>} */
    const found = new Map(this.rolls.map((one) => [`${Math.max(...one.dice)}${Math.min(...one.dice)}`, one]));
    const sides = [1, 2, 3, 4, 5, 6];
    const digits = this.state.match.length ? 3 : 2; // of a chance one after the point
    return html`<div class="stack-s">
      <p class="small muted">${this.title} Mean ${this.worth(mean)}${this.state.match.length ? " MWC" : ""} for ${this.who}.</p>
      <div class="scroll">
        <table class="rolls">
          <caption class="visually-hidden">Equities of the 21 rolls for ${this.who}</caption>
          <thead><tr><td></td>${sides.map((side) => html`<th scope="col">${side}</th>`)}</tr></thead>
          <tbody>
            ${sides.map(
              (row) => html`<tr>
                <th scope="row">${row}</th>
                ${sides.map((column) => {
                  if (column > row) return html`<td></td>`;
                  const roll = found.get(`${row}${column}`);
                  const lean = (this.sign * (roll.value - mean)) / spread;
                  const heat = Math.max(-4, Math.min(4, Math.round(4 * lean)));
                  return html`<td><button class=${`cell heat-${heat < 0 ? `m${-heat}` : heat}`} aria-pressed=${roll === this.roll} aria-label=${`${row}${column}: ${this.worth(roll.value, digits)}`}
                    @click=${() => this.look(roll)}>${this.worth(roll.value, digits)}</button></td>`;
                })}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="small" role="status">${
        this.roll
          ? html`${this.roll.dice.join("")}: ${this.worth(this.roll.value)}${this.reply ? html`, best ${this.reply}` : nothing}`
          : html`<span class="muted">Choose a roll for its best play.</span>`
      }</p>
    </div>`;
  }
}

customElements.define("kb-rolls", RollsElement);
