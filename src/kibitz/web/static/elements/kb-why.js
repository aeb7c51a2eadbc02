// <kb-why>: the reasons of a decision in words, each with its figure, and the rolls that the difference comes from.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Problem, post, wasAborted } from "../api.js";
import { LightElement, vars } from "../screen.js";
import { equity } from "../words.js";

export class WhyElement extends LightElement {
  static properties = { state: { attribute: false }, options: { attribute: false }, plies: { attribute: false }, found: { state: true }, trouble: { state: true }, busy: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    /** @type {string[]} plays to compare: none, one against the best, or two */
    this.options = [];
    this.plies = 1;
    /** @type {any} */
    this.found = null;
    this.trouble = "";
    this.busy = false;
    this.asked = "";
    this.work = new AbortController();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort();
    this.asked = "";
  }

  /** @param {Map<string, unknown>} _changed */
  updated(_changed) {
    const question = JSON.stringify([this.state?.xgid, this.options, this.plies]);
    if (this.state && question !== this.asked) {
      this.asked = question;
      void this.ask();
    }
  }

  async ask() {
    this.work.abort();
    this.work = new AbortController();
    const { signal } = this.work;
    this.busy = true;
    this.trouble = "";
    try {
      this.found = await post("/v1/explain", { position: this.state, options: this.options, plies: this.plies }, { signal });
      this.busy = false;
    } catch (error) {
      if (wasAborted(error)) return;
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
      this.found = null;
      this.busy = false;
    }
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
