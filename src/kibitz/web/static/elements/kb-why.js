// <kb-why>: the reasons of a decision in words, each with its figure, and the rolls that the difference comes from.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { post } from "../api.js";
import { vars } from "../screen.js";
import { equity } from "../words.js";
import { AskingElement } from "./asking.js";

export class WhyElement extends AskingElement {
  static properties = { options: { attribute: false }, plies: { attribute: false }, found: { state: true }, busy: { state: true } };

  constructor() {
    super();
    /** @type {string[]} plays to compare: none, one against the best, or two */
    this.options = [];
    this.plies = 1;
    /** @type {any} */
    this.found = null;
    this.busy = false;
  }

  question() {
    return [this.state?.xgid, this.options, this.plies];
  }

  /** @param {AbortSignal} signal */
  async answer(signal) {
    this.busy = true;
    this.found = await post("/v1/explain", { position: this.state, options: this.options, plies: this.plies }, { signal });
    this.busy = false;
  }

  forget() {
    this.found = null;
    this.busy = false;
  }

  render() {
    if (this.trouble) return html`<p class="problem" role="alert">${this.trouble}</p>`;
    if (!this.found) return html`<p class="muted busy" role="status">Looking for reasons</p>`;
    const { words, reasons, ledger } = this.found;
    return html`<div class="stack ${this.busy ? "is-stale" : ""}">
      <p class="why-words" role="status">${words}</p>
      ${reasons?.named?.length || reasons?.counter?.length ? this.reasons(reasons) : nothing} ${ledger?.classes?.length ? this.ledger(ledger) : nothing}
    </div>`;
  }

  /** @param {any} reasons */
  reasons(reasons) {
    const all = [...reasons.named, ...reasons.counter];
    const largest = Math.max(...all.map((one) => Math.abs(one.contribution)));
    return html`<table class="table reasons">
      <thead><tr><th scope="col">Reason</th><th scope="col">For</th><th scope="col" class="num">Worth</th></tr></thead>
      <tbody>
        ${all.map(
          (one) => html`<tr>
            <td>${one.theme}<span class="share ${one.favours === "first" ? "" : "share-against"}" ${vars({ "--share": Math.abs(one.contribution) / largest })}></span></td>
            <td class="nowrap">${one.favours === "first" ? this.found.first.play : this.found.second.play}</td>
            <td class="num">${equity(one.contribution)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** What kinds of replies the difference comes from. @param {any} ledger */
  ledger(ledger) {
    return html`<table class="table">
      <thead><tr><th scope="col">After the opponent's roll</th><th scope="col" class="num">Rolls</th><th scope="col" class="num">Share</th></tr></thead>
      <tbody>
        ${ledger.classes.map(
          (/** @type {any} */ one) => html`<tr><td>${one.class}</td><td class="num" title=${one.rolls.join(", ")}>${one.count} of 36</td><td class="num">${equity(one.contribution)}</td></tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define("kb-why", WhyElement);
