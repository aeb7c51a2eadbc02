// The match as tables of words: for screen readers, for print, and for those who like to read.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { equity } from "../words.js";
import { luckOf, markOfDecision, passes } from "./review.js";

const HEADS = [["Player", ""], ["Dice", ""], ["Done", ""], ["Right", ""], ["Mark", ""], ["Lost", "num"], ["Luck", "num"], ["Position", ""]];

/**
 * Every action and decision that passes a filter, one table a game.
 * @param {import("./review.js").Review} review
 * @param {import("./review.js").Filter} filter
 * @param {(item: import("./review.js").Item) => string} href
 */
export function textOf(review, filter, href) {
  return html`<div class="scroll review-text">
    ${review.games.map((game) => {
      const items = game.items.filter((item) => passes(item, filter));
      if (!items.length) return nothing;
      return html`<table class="table">
        <caption>Game ${game.number} at ${game.score[0]}–${game.score[1]}${game.crawford ? ", Crawford game" : ""}: ${review.resultWords(game)}</caption>
        <thead>
          <tr>${HEADS.map(([name, css]) => html`<th scope="col" class=${css}>${name}</th>`)}</tr>
        </thead>
        <tbody>
          ${items.map((item) => {
            const { decision } = item;
            const luck = luckOf(item.roll).words;
            return html`<tr>
              <th scope="row">${review.players[item.player]}</th>
              <td>${item.dice}</td>
              <td><a href=${href(item)} data-key=${item.key}>${item.words}</a></td>
              <td>${decision && decision.lost > 0.0000005 ? decision.best : ""}</td>
              <td>${markOfDecision(decision).words}</td>
              <td class="num">${decision && decision.lost > 0.0000005 ? decision.lost.toFixed(3) : ""}</td>
              <td class="num">${item.roll ? html`${equity(item.roll.luck)}${luck ? ` ${luck}` : ""}` : ""}</td>
              <td><code class="small nowrap">${item.state.xgid ?? item.state.position_id}</code></td>
            </tr>`;
          })}
        </tbody>
      </table>`;
    })}
  </div>`;
}
