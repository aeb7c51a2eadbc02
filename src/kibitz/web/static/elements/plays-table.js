// The best plays of a decision as a table: what each is worth, and what it loses.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { equity } from "../words.js";

/**
 * @param {any[]} plays as a decision ranks them
 * @param {{most?: number, chosen?: string, look?: (play: any) => void}} [options] `look` is told of the row that is looked at
 */
export function playsTable(plays, { most = 5, chosen = "", look } = {}) {
  return html`<table class="table"><thead><tr><th>Play</th><th class="num">Equity</th><th class="num">Loss</th></tr></thead>
    <tbody>${plays.slice(0, most).map(
      (play) => html`<tr class="${play.rank === 1 ? "is-best" : ""} ${play.play === chosen ? "is-selected" : ""}" tabindex=${look ? 0 : nothing}
          @mouseenter=${() => look?.(play)} @focus=${() => look?.(play)}>
        <td>${play.play}</td><td class="num">${equity(play.equity)}</td><td class="num">${play.difference ? (-play.difference).toFixed(3) : ""}</td></tr>`,
    )}</tbody></table>`;
}
