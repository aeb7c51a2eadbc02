// <kb-decision>: what was decided, what would have been right and why, and all that could be done with what it is worth.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { icon } from "../icons.js";
import { LightElement } from "../screen.js";
import { toast } from "../toasts.js";
import { copy, equity, percent } from "../words.js";
import { luckOf, markOfDecision, optionsOf, sentence, verdictWords } from "./review.js";

/** @typedef {import("./review.js").Item} Item */

export class DecisionPanel extends LightElement {
  static properties = {
    item: { attribute: false },
    unit: {},
    picked: { attribute: false },
    waiting: { type: Boolean },
    analyse: { attribute: false },
  };

  constructor() {
    super();
    /** @type {Item|undefined} */
    this.item = undefined;
    this.unit = "MWC";
    /** which option is drawn; -1 for none */
    this.picked = -1;
    /** whether a review is on its way */
    this.waiting = false;
    /** @type {((item: Item) => string)|null} where the position can be looked at further */
    this.analyse = null;
  }

  render() {
    const { item } = this;
    if (!item) return nothing;
    const { decision } = item;
    const mark = markOfDecision(decision);
    return html`<section class=${`panel decision ${mark.name ? `is-${mark.name}` : ""}`} aria-label="Decision">
      <div class="panel-head">
        <h2 class="panel-title">${this.heading(item)}</h2>
        ${mark.name
          ? html`<span class=${`decision-mark mark-${mark.name}`}><b>${mark.glyph}</b> −${decision.lost.toFixed(3)}${decision.blunder ? " blunder" : ""}</span>`
          : decision && decision.lost <= 0.0000005 && !decision.forced && decision.legal
            ? html`<span class="decision-mark mark-good">${icon("check")} right</span>`
            : nothing}
      </div>
      ${decision ? this.judged(item) : this.unjudged(item)}
      <div class="panel-foot spread">
        <code class="decision-id" title="XGID">${item.state.xgid ?? item.state.position_id}</code>
        <span class="row">
          <button class="btn btn-small" @click=${() => copyId(item)}>${icon("copy")} Copy</button>
          ${this.analyse ? html`<a class="btn btn-small" href=${this.analyse(item)}>${icon("search")} Analyse</a>` : nothing}
        </span>
      </div>
    </section>`;
  }

  /** @param {Item} item */
  heading(item) {
    const who = html`<span class="decision-who">${nameOf(item)}</span>`;
    if (item.action === "setup") return "The board is set";
    return html`${who}: ${item.dice ? html`<span class="move-dice">${item.dice}</span>` : nothing} ${item.words}`;
  }

  /** @param {Item} item */
  unjudged(item) {
    const words = this.waiting ? "Not judged yet: the review is on its way." : item.action === "setup" ? "" : "The review says nothing of this.";
    return words ? html`<div class="panel-body"><p class=${this.waiting ? "muted busy" : "muted"}>${words}</p></div>` : nothing;
  }

  /** @param {Item} item */
  judged(item) {
    const { decision } = item;
    return html`<div class="panel-body stack-s">
        <p class="decision-verdict">${verdictWords(decision, this.unit)}</p>
        ${decision.reason ? html`<p class="decision-reason">${decision.reason}</p>` : nothing}
        ${decision.kind !== "checker play" && decision.verdict && !markOfDecision(decision).name ? html`<p>Proper action: <b>${sentence(decision.verdict)}</b></p>` : nothing}
      </div>
      ${this.options(item)} ${this.chances(item)}
      <div class="panel-body stack-s decision-more">${this.luck(item)} ${this.opinions(item)}</div>`;
  }

  /** @param {Item} item */
  options(item) {
    const { decision } = item;
    const options = optionsOf(decision);
    if (!options.length || decision.forced) return nothing;
    const plays = Boolean(options[0].play);
    const chances = this.unit === "MWC";
    const levels = new Set(options.map((option) => levelOf(option.play ?? {})));
    const same = levels.size === 1 ? [...levels][0] : "";
    return html`<table class="table options" @pointerleave=${() => this.tell("kb-option", { index: -1, hover: true })}>
      <caption class="visually-hidden">${plays ? "Plays, the best first" : "What the cube is worth, seen by who doubles"}</caption>
      <thead>
        <tr>
          <th scope="col">${plays ? "Play" : "Cube"}${same ? html` <span class="muted">at ${same}</span>` : nothing}</th>
          <th scope="col" class="num">Equity</th>
          <th scope="col" class="num">Behind</th>
          ${chances && !plays ? html`<th scope="col" class="num">MWC</th>` : nothing}
        </tr>
      </thead>
      ${options.map((option, index) => this.option(option, index, plays, chances, same))}
    </table>`;
  }

  /**
   * @param {any} option
   * @param {number} index
   * @param {boolean} plays
   * @param {boolean} chances
   * @param {string} same the level of all options, where they have one
   */
  option(option, index, plays, chances, same) {
    const picked = index === this.picked;
    const name = html`<span class="option-name">${option.name}</span>${option.chosen ? html` <span class="chip">played</span>` : nothing}`;
    return html`<tbody
      class=${`option ${picked ? "is-selected" : ""} ${option.chosen ? "is-chosen" : ""} ${option.behind === 0 ? "is-best" : ""}`}
      @pointerenter=${() => plays && this.tell("kb-option", { index, hover: true })}
      @click=${() => plays && this.tell("kb-option", { index, hover: false })}
    >
      <tr>
        <td>${plays ? html`<button class="option-button" aria-pressed=${picked ? "true" : "false"} title="Draw this play">${name}</button>` : name}</td>
        <td class="num">${equity(option.equity)}</td>
        <td class="num">${option.behind < -0.0000005 ? equity(option.behind) : ""}</td>
        ${chances && !plays ? html`<td class="num">${percent(option.mwc, 2)}</td>` : nothing}
      </tr>
      ${option.play?.evaluation
        ? html`<tr class="option-more">
            <td colspan="3">${chancesOf(option.play.evaluation, [chances ? `${percent(option.mwc, 2)} MWC` : "", same ? "" : levelOf(option.play)].filter(Boolean).join(", "))}</td>
          </tr>`
        : nothing}
    </tbody>`;
  }

  /** Of a cube decision the chances of the one who doubles. @param {Item} item */
  chances(item) {
    const answer = item.decision.decision;
    if (answer.plays || !answer.evaluation || !("no_double" in answer)) return nothing;
    return html`<p class="option-more cube-chances">${chancesOf(answer.evaluation, answer.level?.name ?? "")}</p>`;
  }

  /** @param {Item} item */
  luck(item) {
    if (!item.roll) return nothing;
    const { words } = luckOf(item.roll);
    const chance = item.roll.luck_mwc === null ? "" : `, ${equity(100 * item.roll.luck_mwc, 2)}% MWC`;
    return html`<p class="small muted">Luck of ${item.dice}: <b>${equity(item.roll.luck)}</b>${chance}${words ? html` <span class="chip">${words}</span>` : nothing}</p>`;
  }

  /** What the file itself says. @param {Item} item */
  opinions(item) {
    return item.opinions.map((one) => {
      const agrees = one.best === item.decision.best;
      const rows = (one.decision?.plays ?? []).slice(0, 5);
      const lost = one.lost === null || one.lost === undefined ? "" : one.lost > 0.0005 ? `, ${one.lost.toFixed(3)} lost` : ", nothing lost";
      const words = html`<b>${analystOf(one)}</b> in the file: ${one.best}${lost}
        <span class=${agrees ? "chip" : "chip chip-accent"}>${agrees ? "agrees" : "differs"}</span>`;
      if (!rows.length) return html`<p class="small opinion">${words}</p>`;
      return html`<details class="small opinion">
        <summary>${words}</summary>
        <table class="table">
          <tbody>
            ${rows.map((/** @type {any} */ row) => html`<tr><td>${row.play}</td><td class="num">${equity(row.equity)}</td><td class="num">${row.difference < 0 ? equity(row.difference) : ""}</td></tr>`)}
          </tbody>
        </table>
      </details>`;
    });
  }

  /** @param {string} name @param {any} detail */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

/** Put the XGID of a decision on the clipboard, and say so. @param {Item|undefined} item */
export async function copyId(item) {
  const id = item?.state.xgid ?? item?.state.position_id;
  if (id) toast((await copy(id)) ? "XGID copied" : "The browser does not let anything be copied");
}

/** Who decides. @param {Item} item */
export function nameOf(item) {
  const names = item.state.names ?? ["", ""];
  return item.decision?.name ?? names[item.player === item.state.turn ? 0 : 1] ?? "";
}

/** Which program thought so and how deep; the levels of some begin with their name. @param {{analyst: string, level: string}} opinion */
export function analystOf({ analyst, level }) {
  return level?.startsWith(`${analyst} `) ? level : [analyst, level].filter(Boolean).join(" ");
}

/** Who looked and how deep; of a rollout its error. @param {any} play */
function levelOf(play) {
  return play.standard_error ? `±${play.standard_error.toFixed(3)}` : (play.level?.name ?? "");
}

/** Chances to win and to lose, gammons and backgammons in them. @param {any} five @param {string} level */
function chancesOf(five, level) {
  const p = (/** @type {number} */ value) => (100 * value).toFixed(1);
  return html`<span class="outcomes"
    ><span title="wins">${p(five.win)}</span> <small title="gammons and backgammons won">${p(five.win_gammon)} ${p(five.win_backgammon)}</small> –
    <span title="losses">${p(1 - five.win)}</span> <small title="gammons and backgammons lost">${p(five.lose_gammon)} ${p(five.lose_backgammon)}</small>
    <i>${level}</i></span>`;
}

customElements.define("kb-decision", DecisionPanel);
