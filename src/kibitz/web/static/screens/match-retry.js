// <kb-retry>: one's own errors once more. One plays on the board or answers at the cube, is told what it costs, and sees why.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Problem, post, wasAborted } from "../api.js";
import "../elements/kb-board.js";
import "../elements/kb-decision.js";
import { costOf, retryable } from "../elements/retry.js";
import { EVERYTHING, isError, markOfDecision } from "../elements/review.js";
import { icon } from "../icons.js";
import { LightElement } from "../screen.js";
import { plural } from "../words.js";

/** @typedef {import("../elements/review.js").Item} Item */

const CHOICES = /** @type {Record<string, [string, string, string][]>} */ ({
  double: [["no double", "No double", "n"], ["double", "Double", "d"]],
  answer: [["take", "Take", "t"], ["pass", "Pass", "p"]],
});

class Retry extends LightElement {
  static properties = {
    review: { attribute: false },
    me: { attribute: false },
    player: { state: true },
    place: { state: true },
    plays: { state: true },
    told: { state: true },
    trouble: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    /** @type {import("../elements/review.js").Review|null} */
    this.review = null;
    /** @type {0|1|null} */
    this.me = null;
    /** @type {0|1} whose errors */
    this.player = 0;
    /** @type {Item[]} */
    this.queue = [];
    this.place = 0;
    /** @type {any[]|null} the legal plays of the roll that is asked for */
    this.plays = null;
    /** @type {{name: string, lost: number, moves: any[]}|null} what was answered and what it costs */
    this.told = null;
    /** @type {{item: Item, lost: number}[]} */
    this.answers = [];
    this.trouble = "";
    this.busy = false;
    this.work = new AbortController();
  }

  connectedCallback() {
    super.connectedCallback();
    this.player = this.me ?? 0;
    this.start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort();
  }

  get item() {
    return this.queue[this.place];
  }

  /** All errors of the player, or only these. @param {Item[]} [items] */
  start(items) {
    const wanted = { ...EVERYTHING, player: this.player };
    this.queue = items ?? (this.review?.items ?? []).filter((item) => isError(item, wanted) && retryable(item));
    this.answers = [];
    this.ask(0);
  }

  /** @param {number} place */
  ask(place) {
    this.place = place;
    this.told = this.plays = null;
    this.trouble = "";
    if (this.item?.key.endsWith(".checker")) void this.readPlays();
  }

  async readPlays() {
    const { state } = this.item;
    try {
      const { plays } = await post("/v1/plays", { position: state }, { signal: this.work.signal });
      if (this.item?.state === state) this.plays = plays;
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {unknown} error */
  fail(error) {
    if (wasAborted(error)) return;
    if (!(error instanceof Problem)) throw error;
    this.trouble = error.message;
  }

  /** What an answer costs: as the review says, or as the engine says now where the review did not look. @param {string} name @param {any} [play] */
  async answer(name, play) {
    if (this.told || this.busy) return;
    const { item } = this;
    let lost = costOf(item.decision, name, play);
    if (lost === null) {
      this.busy = true;
      try {
        const plies = item.decision.plies ?? 2;
        const hint = await post("/v1/hint", { position: item.state, play: [name], plies }, { signal: this.work.signal });
        const found = hint.plays.find((/** @type {any} */ one) => one.result === play.result);
        lost = found ? hint.plays[0].equity - found.equity : 0;
      } catch (error) {
        this.fail(error);
        return;
      } finally {
        this.busy = false;
      }
    }
    this.told = { name, lost: lost ?? 0, moves: play?.moves ?? [] };
    this.answers = [...this.answers, { item, lost: this.told.lost }];
    await this.updateComplete;
    /** @type {HTMLElement|null} */ (this.querySelector(".retry-next"))?.focus();
  }

  giveUp() {
    if (this.told) return;
    this.told = { name: "", lost: this.item.decision.lost, moves: [] };
    this.answers = [...this.answers, { item: this.item, lost: this.item.decision.lost }];
  }

  /** @returns {any} */
  get board() {
    return this.querySelector("kb-board");
  }

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    const { item } = this;
    const close = { key: "Escape", help: "back to the match", run: () => this.done() };
    if (!item) return [close];
    if (this.told) return [{ key: "ArrowRight Space", help: "next position", run: () => this.ask(this.place + 1) }, close];
    const choices = (CHOICES[item.decision.kind] ?? []).map(([name, words, key]) => ({ key, help: words, run: () => void this.answer(name) }));
    const entry = this.plays
      ? [
          { key: "u Backspace", help: "undo a step", run: () => this.board?.undo() },
          { key: "c", help: "confirm the play", run: () => this.board?.confirm() },
        ]
      : [];
    return [...choices, ...entry, { key: "s", help: "show the answer", run: () => this.giveUp() }, close];
  }

  done() {
    this.dispatchEvent(new CustomEvent("kb-done", { bubbles: true }));
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  render() {
    const { review } = this;
    if (!review) return nothing;
    return html`<section class="retry stack" aria-labelledby="retry-title">
      <div class="spread">
        <h2 id="retry-title">Retry errors ${this.item ? html`<span class="muted">${this.place + 1} of ${this.queue.length}</span>` : nothing}</h2>
        <div class="row">
          <div class="group" role="group" aria-label="Whose errors">
            ${[0, 1].map(
              (player) => html`<button class="btn btn-small" aria-pressed=${this.player === player ? "true" : "false"} @click=${() => this.choose(player)}>${review.players[player]}</button>`,
            )}
          </div>
          <button class="btn btn-small" @click=${this.done}>${icon("close")} Back to the match</button>
        </div>
      </div>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing} ${this.item ? this.question() : this.summary()}
    </section>`;
  }

  /** @param {number} player */
  choose(player) {
    this.player = player ? 1 : 0;
    this.start();
  }

  question() {
    const { item, told } = this;
    const plays = item.key.endsWith(".checker");
    return html`<div class="with-board">
      <div class="board-side">
        <kb-board
          .state=${item.state} .bottom=${this.player} mode=${plays && this.plays && !told ? "play" : "still"} .plays=${this.plays ?? []} .arrows=${this.arrows}
          @kb-confirm=${(/** @type {CustomEvent} */ event) => this.answer(event.detail.play.play, event.detail.play)}
        ></kb-board>
      </div>
      <div class="stack">${told ? this.verdict() : this.asking(plays)}</div>
    </div>`;
  }

  get arrows() {
    const { item, told } = this;
    if (!told || !item.key.endsWith(".checker")) return [];
    const best = item.decision.decision.plays[0];
    /** @type {import("../elements/drawing.js").Arrows[]} */
    const found = [{ kind: "best", moves: best.moves }];
    if (told.lost > 0 && told.moves.length) found.push({ kind: "chosen", moves: told.moves });
    return found;
  }

  /** @param {boolean} plays */
  asking(plays) {
    const { item } = this;
    const words = plays ? `How do you play ${item.dice}?` : item.decision.kind === "double" ? "Do you double?" : "Do you take?";
    return html`<div class="panel panel-body stack">
      <p class="large strong">${words}</p>
      ${plays
        ? html`<p class="hint">Click or drag the checkers, or type the play below the board, and confirm it.</p>`
        : html`<div class="row">
            ${(CHOICES[item.decision.kind] ?? []).map(([name, label]) => html`<button class="btn btn-primary" @click=${() => this.answer(name)}>${label}</button>`)}
          </div>`}
      <button class="btn btn-quiet btn-small" @click=${this.giveUp}>Show the answer</button>
    </div>`;
  }

  verdict() {
    const { item, told } = this;
    if (!told) return nothing;
    const before = item.decision.lost;
    const right = told.name && told.lost < 0.0005;
    const better = told.lost < before - 0.0005;
    const words = !told.name
      ? "Here is the answer."
      : right
        ? `${told.name} is right.`
        : `${told.name} costs ${told.lost.toFixed(3)}${better ? `, less than the ${before.toFixed(3)} of the match` : `; in the match it was ${before.toFixed(3)}`}.`;
    return html`<div class=${`panel panel-body stack-s retry-told ${right ? "is-right" : ""}`} role="status">
        <p class="large strong">${right ? icon("check") : nothing} ${words}</p>
        <div class="row">
          <button class="btn btn-primary retry-next" @click=${() => this.ask(this.place + 1)}>${this.place + 1 < this.queue.length ? "Next" : "Finish"} ${icon("next")}</button>
          <button class="btn" @click=${() => this.dispatchEvent(new CustomEvent("kb-show", { detail: { key: item.key }, bubbles: true }))}>Show in the match</button>
        </div>
      </div>
      <kb-decision .item=${item} .unit=${this.review?.unit ?? ""}></kb-decision>`;
  }

  summary() {
    if (!this.answers.length) {
      return html`<div class="empty stack"><p>No marked errors of ${this.review?.players[this.player]} here: nothing to retry.</p></div>`;
    }
    const missed = this.answers.filter((one) => one.lost >= 0.0005);
    const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0).toFixed(3);
    return html`<div class="panel panel-body stack" role="status">
      <p class="large strong">${this.answers.length - missed.length} of ${this.answers.length} right.</p>
      <p>Lost now: <b>${sum(this.answers.map((one) => one.lost))}</b>. In the match: ${sum(this.answers.map((one) => one.item.decision.lost))}.</p>
      <div class="row">
        ${missed.length ? html`<button class="btn btn-primary" @click=${() => this.start(missed.map((one) => one.item))}>Again: ${plural(missed.length, "position")}</button>` : nothing}
        <button class="btn" @click=${() => this.start()}>All once more</button>
        <button class="btn" @click=${this.done}>Back to the match</button>
      </div>
      ${missed.length
        ? html`<ul>${missed.map(({ item, lost }) => html`<li><span class=${`mark-${markOfDecision(item.decision).name}`}>${lost.toFixed(3)}</span> game ${item.game}: ${item.dice} ${item.decision.best}</li>`)}</ul>`
        : nothing}
    </div>`;
  }
}

customElements.define("kb-retry", Retry);
