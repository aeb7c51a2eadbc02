// The offline page of one review or several: the parts of the face, with the data in the page and no server behind them.

import { html, nothing, render } from "./vendor/lit-3.3.3.js";
import "./elements/kb-review.js";
import { unpack } from "./elements/review-data.js";
import { icon } from "./icons.js";
import { find, isTyping, shown } from "./keys.js";
import { LightElement } from "./screen.js";
import { settings } from "./settings.js";

/** @typedef {import("./elements/review.js").Item} Item */

class Report extends LightElement {
  static properties = { number: { state: true }, at: { state: true } };

  constructor() {
    super();
    /** @type {Map<number, import("./elements/review.js").Review>} */
    this.known = new Map();
    this.count = document.querySelectorAll("script[data-match]").length;
    /** the match that is shown; 0 for the index */
    this.number = this.count === 1 ? 1 : 0;
    /** @type {Item|undefined} */
    this.at = undefined;
    /** @param {KeyboardEvent} event */
    this.pressed = (event) => this.press(event);
    this.arrived = () => this.arrive();
    this.redraw = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("keydown", this.pressed);
    addEventListener("hashchange", this.arrived);
    settings.addEventListener("change", this.redraw);
    document.documentElement.dataset.theme = settings.theme;
    this.arrive();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("keydown", this.pressed);
    removeEventListener("hashchange", this.arrived);
    settings.removeEventListener("change", this.redraw);
  }

  /** The match of a number, read when it is first looked at. @param {number} number */
  review(number) {
    let found = this.known.get(number);
    if (!found) {
      const text = document.querySelector(`script[data-match="${number}"]`)?.textContent ?? "{}";
      found = unpack(JSON.parse(text));
      this.known.set(number, found);
    }
    return found;
  }

  /** Go where the address says: #m2 is a match, #m2.1.4.checker a decision of it. */
  arrive() {
    const asked = /^#m(\d+)(?:\.(.+))?$/.exec(location.hash);
    if (asked && Number(asked[1]) >= 1 && Number(asked[1]) <= this.count) this.number = Number(asked[1]);
    else if (this.count > 1) this.number = 0;
    if (!this.number) return;
    const review = this.review(this.number);
    const worst = review.items.reduce((most, item) => ((item.decision?.lost ?? 0) > (most?.decision?.lost ?? 0) ? item : most), review.items[0]);
    this.at = (asked?.[2] ? review.find(asked[2]) : undefined) ?? worst;
  }

  /** @param {Item} item */
  address = (item) => `#m${this.number}.${item.key}`;

  /** @param {CustomEvent} event */
  moved(event) {
    const item = this.review(this.number).find(event.detail.key);
    if (!item) return;
    this.at = item;
    history.replaceState(null, "", this.address(item));
  }

  /** @returns {import("./keys.js").Key[]} */
  keys() {
    const walk = /** @type {import("./elements/kb-review.js").ReviewElement|null} */ (this.querySelector("kb-review"));
    const more = this.count > 1 && this.number ? [{ key: "i", help: "index of matches", run: () => (location.hash = "index") }] : [];
    return [...(walk?.keys() ?? []), ...more, { key: "?", help: "this help", run: () => this.querySelector("dialog")?.showModal() }];
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.defaultPrevented || isTyping(event) || document.querySelector("dialog[open]")) return;
    const found = find(this.keys(), event);
    if (!found) return;
    event.preventDefault();
    found.run(event);
  }

  render() {
    // What stands in the page as text is for those without scripts; its index and totals serve here as well.
    for (const part of document.querySelectorAll(".page-text")) /** @type {HTMLElement} */ (part).hidden = true;
    const index = /** @type {HTMLElement|null} */ (document.querySelector(".page-index"));
    if (index) index.hidden = this.number !== 0;
    if (!this.number) return nothing;
    const review = this.review(this.number);
    const { match } = review;
    return html`<div class="match-screen stack">
        <header class="match-head">
          <div>
            <h1>${match.players[0]} <span class="match-score">${match.score[0]}–${match.score[1]}</span> ${match.players[1]}</h1>
            <p class="muted small">${[...match.facts, review.review.engine].join(" · ")}</p>
          </div>
          <div class="row no-print">
            ${this.count > 1 ? html`<a class="btn" href="#index">${icon("library")} All matches</a>` : nothing}
            <button class="btn btn-icon" title="Theme" aria-label="Next theme" @click=${this.nextTheme}>${icon("theme")}</button>
            <button class="btn btn-icon" title="Keys (?)" aria-label="Keyboard help" @click=${() => this.querySelector("dialog")?.showModal()}>${icon("help")}</button>
          </div>
        </header>
        ${match.comments.map((/** @type {string} */ words) => html`<p class="page-comment muted">${words}</p>`)}
        <kb-review .review=${review} .at=${this.at} .href=${this.address} .below=${comment} @kb-at=${this.moved}></kb-review>
      </div>
      ${this.help()}`;
  }

  nextTheme() {
    const themes = /** @type {const} */ (["light", "dark", "contrast"]);
    settings.set({ theme: themes[(themes.indexOf(settings.theme) + 1) % themes.length] });
  }

  help() {
    return html`<dialog class="dialog" aria-labelledby="keys-title">
      <div class="panel-head">
        <h2 class="panel-title" id="keys-title">Keys</h2>
        <button class="btn btn-quiet btn-icon" aria-label="Close" @click=${() => this.querySelector("dialog")?.close()}>${icon("close")}</button>
      </div>
      <div class="panel-body">
        <dl class="keys">
          ${this.keys().map((one) => html`<dt>${shown(one.key).map((key) => html`<kbd class="kbd">${key}</kbd> `)}</dt><dd>${one.help}</dd>`)}
        </dl>
      </div>
    </dialog>`;
  }
}

/** What the file or the user noted. @param {Item} item */
function comment(item) {
  return item.decision?.comment ? html`<section class="panel panel-body page-comment">${item.decision.comment}</section>` : nothing;
}

customElements.define("kb-report", Report);
render(html`<kb-report></kb-report>`, /** @type {HTMLElement} */ (document.querySelector("#app")));
