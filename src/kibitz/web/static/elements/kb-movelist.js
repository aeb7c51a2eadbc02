// <kb-movelist>: the match in two columns, each decision with its mark. Links, so that every one has an address.

import { html, nothing, repeat } from "../vendor/lit-3.3.3.js";
import { LightElement } from "../screen.js";
import { EVERYTHING, isNarrow, luckOf, markOfDecision, passes, rowsOf } from "./review.js";

/** @typedef {import("./review.js").Item} Item */

export class MoveList extends LightElement {
  static properties = {
    review: { attribute: false },
    at: { attribute: false },
    filter: { attribute: false },
    href: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import("./review.js").Review|null} */
    this.review = null;
    /** @type {Item|undefined} */
    this.at = undefined;
    /** @type {import("./review.js").Filter} */
    this.filter = EVERYTHING;
    /** @type {(item: Item) => string} */
    this.href = (item) => `#${item.key}`;
  }

  render() {
    const { review } = this;
    if (!review) return nothing;
    const games = review.games.filter((game) => !this.filter.game || game.number === this.filter.game);
    const shown = review.items.filter((item) => passes(item, this.filter)).length;
    return html`<div class="moves" tabindex="-1" @click=${this.clicked}>
      ${shown ? repeat(games, (game) => game.number, (game) => this.game(game)) : html`<p class="empty small">No decision passes the filter.</p>`}
    </div>`;
  }

  /** @param {import("./review.js").Game} game */
  game(game) {
    const { review } = this;
    if (!review) return nothing;
    const rows = rowsOf(game.items.filter((item) => passes(item, this.filter) || (item.key === this.at?.key && item.quiet)));
    if (!rows.length && isNarrow(this.filter)) return nothing;
    const crawford = game.crawford ? ", Crawford" : "";
    return html`<table class="moves-game">
      <caption>
        <b>Game ${game.number}</b> <span>${game.score[0]}–${game.score[1]}${crawford}</span> <span class="muted">${review.resultWords(game)}</span>
      </caption>
      <thead class="moves-head">
        <tr><th scope="col"><span class="visually-hidden">Turn</span></th>${review.players.map((name) => html`<th scope="col">${name}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr>
            <th scope="row" class="moves-number">${isNarrow(this.filter) ? nothing : row.number}</th>
            ${row.cells.map((cell) => html`<td>${cell.map((item) => this.item(item))}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  /** @param {Item} item */
  item(item) {
    const { decision } = item;
    const mark = markOfDecision(decision);
    const luck = luckOf(item.roll);
    const current = item.key === this.at?.key;
    return html`<a
      class=${`move ${current ? "is-at" : ""} ${mark.name ? `has-${mark.name}` : ""} ${this.review?.review && !decision && item.action === "roll" ? "is-open" : ""}`}
      href=${this.href(item)}
      data-key=${item.key}
      aria-current=${current ? "true" : nothing}
    >
      ${item.dice ? html`<span class="move-dice">${item.dice}</span>` : nothing}<span class="move-words">${item.words}</span>
      ${luck.glyph ? html`<span class="move-luck" title=${`${luck.words} roll`}><span aria-hidden="true">${luck.glyph}</span><span class="visually-hidden">${luck.words}</span></span>` : nothing}
      ${mark.name
        ? html`<span class=${`move-mark mark-${mark.name}`}><span class="visually-hidden">${mark.words}, loses </span><b aria-hidden="true">${mark.glyph}</b> ${decision.lost.toFixed(3)}</span>`
        : decision && decision.lost > 0.0005
          ? html`<span class="move-mark muted"><span class="visually-hidden">loses </span>${decision.lost.toFixed(3)}</span>`
          : nothing}
    </a>`;
  }

  /** @param {Map<string, any>} changed */
  updated(changed) {
    if (!changed.has("at") || !this.at) return;
    const box = this.querySelector(".moves");
    const here = box?.querySelector(".is-at");
    if (!box || !here || box.scrollHeight <= box.clientHeight) return;
    const [outer, inner] = [box.getBoundingClientRect(), here.getBoundingClientRect()];
    const head = 64;
    if (inner.top < outer.top + head) box.scrollTop += inner.top - outer.top - head;
    else if (inner.bottom > outer.bottom - 24) box.scrollTop += inner.bottom - outer.bottom + 48;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target instanceof Element ? event.target.closest("a[data-key]") : null;
    if (!link) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("kb-at", { detail: { key: link.getAttribute("data-key") }, bubbles: true }));
  }
}

customElements.define("kb-movelist", MoveList);
