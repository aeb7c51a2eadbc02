// The table: a match in progress, one decision after the other. What the opponent did is shown step by step.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import "../elements/kb-board.js";
import { playsTable } from "../elements/plays-table.js";
import { Problem, get, post, wasAborted } from "../api.js";
import { icon } from "../icons.js";
import { LightElement, go } from "../screen.js";
import { settings } from "../settings.js";
import { toast } from "../toasts.js";
import { equity, gameWords } from "../words.js";
import { asked, clockText, happening, opponentName, warned } from "./play-words.js";

/** Actions as buttons: name, words, key. @type {[string, string, string][]} */
const ACTIONS = [
  ["roll", "Roll", "r"],
  ["double", "Double", "d"],
  ["take", "Take", "t"],
  ["pass", "Pass", "p"],
  ["beaver", "Beaver", "b"],
  ["raccoon", "Raccoon", "b"],
  ["accept", "Accept", "a"],
  ["refuse", "Refuse", "n"],
  ["next", "Next game", "n"],
];
const JUDGED = new Set(["roll", "double", "take", "pass", "beaver", "raccoon", "play"]);

export class PlayTable extends LightElement {
  static properties = {
    number: { attribute: false },
    game: { state: true },
    trouble: { state: true },
    busy: { state: true },
    shown: { state: true },
    warning: { state: true },
    hint: { state: true },
    drawn: { state: true },
    log: { state: true },
    resigning: { state: true },
    now: { state: true },
  };

  constructor() {
    super();
    this.number = 0;
    /** @type {any} the match as it stands */
    this.game = null;
    this.trouble = "";
    this.busy = false;
    /** @type {{state: any, arrows: any[], words: string}|null} a moment that is shown instead */
    this.shown = null;
    /** @type {{warning: any, action: string, play: any}|null} */
    this.warning = null;
    /** @type {any} the engine's opinion */
    this.hint = null;
    /** @type {any[]} arrows of a hint */
    this.drawn = [];
    /** @type {import("./play-words.js").Happening[]} */
    this.log = [];
    this.resigning = false;
    this.now = Date.now();
    this.since = Date.now();
    this.work = new AbortController();
    this.ticking = 0;
    this.shownGame = 0;
    /** @type {(() => void)|null} */
    this.skip = null;
  }

  connectedCallback() {
    super.connectedCallback();
    this.work = new AbortController();
    this.ticking = window.setInterval(() => {
      if (this.game?.clock && !this.game.over) this.now = Date.now();
    }, 500);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort();
    clearInterval(this.ticking);
    this.skip?.();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("number") && this.number) void this.read();
  }

  // --- asking the service --------------------------------------------------------------------------------------------

  read() {
    return this.ask(() => get(`/v1/play/${this.number}`, { signal: this.work.signal }), true);
  }

  /** Do something, and show what comes of it; `whole` where the answer tells the game so far. @param {() => Promise<any>} work */
  async ask(work, whole = false) {
    if (this.busy) return;
    this.busy = true;
    this.trouble = "";
    this.warning = this.hint = null;
    this.drawn = [];
    this.resigning = false;
    try {
      const game = await work();
      if (whole) this.log = game.happened;
      await this.show(whole ? { ...game, happened: [] } : game);
    } catch (error) {
      if (wasAborted(error)) return;
      this.trouble = /** @type {Error} */ (error).message;
      if (error instanceof Problem && error.type === "conflict") {
        this.game = await get(`/v1/play/${this.number}`);
      }
    } finally {
      this.busy = false;
    }
    await this.goOn();
  }

  /** The opponent's actions one by one, then what is asked now. @param {any} game */
  async show(game) {
    for (const one of game.happened) {
      this.log = [...this.log, one];
      if (one.player === game.seat || !settings.get("speed") || one.choice !== "play" || !one.play) continue;
      this.shown = { state: one.state, arrows: [{ moves: one.play.moves, kind: "chosen" }], words: this.tell(one) };
      await this.pause(7 * settings.get("speed"));
    }
    this.shown = null;
    this.game = game;
    this.since = this.now = Date.now();
  }

  /** Wait, unless somebody is in a hurry. @param {number} milliseconds */
  pause(milliseconds) {
    return new Promise((done) => {
      const timer = setTimeout(() => this.skip?.(), matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : milliseconds);
      this.skip = () => {
        clearTimeout(timer);
        this.skip = null;
        done(undefined);
      };
    });
  }

  /** What needs no decision is done at once, where that was chosen; then the focus goes to what is to be done. */
  async goOn() {
    const { game } = this;
    if (!game || this.trouble || !this.isConnected) return;
    if (this.shownGame && game.game !== this.shownGame) this.log = game.happened;
    this.shownGame = game.game;
    if (settings.get("autoroll") && String(game.choices) === "roll,resign") return this.act("roll");
    if (settings.get("autoplay") && game.choices.includes("play") && game.plays.length < 2) return this.act("play", game.plays[0]);
    await this.updateComplete;
    this.focusNext();
  }

  focusNext() {
    if (this.contains(document.activeElement) || document.activeElement === document.body || document.activeElement?.id === "main") {
      const board = /** @type {any} */ (this.querySelector("kb-board"));
      const playing = this.game.choices.includes("play") && this.game.plays.length;
      if (playing) void board?.updateComplete.then(() => board.querySelector('[tabindex="0"][data-place]')?.focus());
      else /** @type {HTMLElement|null} */ (this.querySelector("[data-first], .entry-bar .btn-primary:enabled"))?.focus();
    }
  }

  /** @param {string} action @param {any} [play] @param {{size?: number, sure?: boolean}} [options] */
  async act(action, play, { size = 1, sure = false } = {}) {
    if (settings.get("tutor") && !sure && JUDGED.has(action) && (await this.isWarned(action, play))) return;
    const seconds = (Date.now() - this.since) / 1000;
    const body = { action, size, seconds, version: this.game.version, ...(play ? { play: play.play } : {}) };
    await this.ask(() => post(`/v1/play/${this.number}/actions`, body, { signal: this.work.signal }));
  }

  /** Whether the tutor objects. @param {string} action @param {any} play */
  async isWarned(action, play) {
    if (this.busy) return true;
    const nothingToJudge = (action === "roll" && !this.game.choices.includes("double")) || (action === "play" && this.game.plays.length < 2);
    if (nothingToJudge) return false;
    this.busy = true;
    try {
      const body = { action, threshold: settings.get("tutorLimit"), ...(play ? { play: play.play } : {}) };
      const { warning } = await post(`/v1/play/${this.number}/tutor`, body, { signal: this.work.signal });
      this.warning = warning ? { warning, action, play } : null;
      if (warning) {
        await this.updateComplete;
        /** @type {HTMLElement|null} */ (this.querySelector(".tutor .btn"))?.focus();
      }
      return Boolean(warning);
    } catch (error) {
      if (!wasAborted(error)) this.trouble = /** @type {Error} */ (error).message;
      return true;
    } finally {
      this.busy = false;
    }
  }

  /** What a click on the board means while nothing is to be played: the cube doubles or takes, the rest rolls. @param {string} place */
  onBoard(place) {
    if (this.shown || !this.game || this.game.choices.includes("play")) return undefined;
    const wanted = place === "cube" ? ["double", "take", "roll"] : ["roll"];
    return wanted.find((action) => this.game.choices.includes(action));
  }

  /** @param {CustomEvent} event */
  picked(event) {
    const action = this.onBoard(event.detail.place);
    if (action && !this.busy && !this.warning) void this.act(action);
  }

  async undo() {
    if (!this.game?.undo) return;
    await this.ask(() => post(`/v1/play/${this.number}/undo`, {}, { signal: this.work.signal }), true);
    toast("Taken back.");
  }

  async showHint() {
    if (this.busy || !this.game?.choices.length || this.game.choices.includes("next")) return;
    this.busy = true;
    try {
      this.hint = await get(`/v1/play/${this.number}/hint`, { signal: this.work.signal });
      if (this.hint.question === "play") this.drawn = [{ moves: this.hint.plays[0]?.moves ?? [], kind: "best" }];
    } catch (error) {
      if (!wasAborted(error)) this.trouble = /** @type {Error} */ (error).message;
    }
    this.busy = false;
  }

  review() {
    go(`/match/${this.game.match}?review=${settings.get("reviewLevel")}`);
  }

  /** Think again: the board is as before the play. */
  thinkAgain() {
    this.warning = null;
    /** @type {any} */ (this.querySelector("kb-board"))?.undoAll();
    void this.updateComplete.then(() => this.focusNext());
  }

  // --- keys ----------------------------------------------------------------------------------------------------------

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    const { game } = this;
    if (!game) return [];
    if (this.skip) return [{ key: "Enter Space", help: "go on", run: () => this.skip?.() }];
    /** @type {import("../keys.js").Key[]} */
    const found = ACTIONS.filter(([action]) => game.choices.includes(action)).map(([action, words, key]) => ({
      key,
      help: words.toLowerCase(),
      run: () => void this.act(action),
    }));
    const board = /** @type {any} */ (this.querySelector("kb-board"));
    if (game.choices.includes("play")) {
      found.push({ key: "c", help: "confirm the play", run: () => board?.confirm() });
      found.push({ key: "m", help: "type the play", run: () => this.querySelector("input")?.focus() });
      found.push({ key: "Backspace", help: "undo the last step", run: () => board?.undo() });
    }
    if (game.choices.includes("resign")) found.push({ key: "Shift+r", help: "resign", run: () => (this.resigning = !this.resigning) });
    found.push({ key: "h", help: "hint", run: () => void this.showHint() });
    found.push({ key: "u", help: "take back", run: () => void this.undo() });
    if (game.over) found.push({ key: "v", help: "review the match", run: () => this.review() });
    return found;
  }

  // --- the view ------------------------------------------------------------------------------------------------------

  /** @param {import("./play-words.js").Happening} one */
  tell(one) {
    return happening(one, this.game?.seat ?? one.player, opponentName(this.game?.opponent ?? ""));
  }

  render() {
    const { game } = this;
    if (!game) {
      return html`<h1 class="visually-hidden">Play</h1>
        ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p><p><a href="/play">To all matches</a></p>` : html`<p class="busy muted">One moment</p>`}`;
    }
    const state = this.shown?.state ?? game.state;
    const playing = !this.shown && game.choices.includes("play");
    return html`<div class="with-board table-screen" aria-busy=${this.busy} data-version=${game.version}>
      <div class="board-side stack-s">
        <kb-board .state=${state} .bottom=${game.seat} mode=${playing ? "play" : this.onBoard("cube") ? "pick" : "still"} .plays=${playing ? game.plays : null}
          .arrows=${this.shown?.arrows ?? this.drawn} confirmLabel="Confirm"
          @kb-confirm=${(/** @type {CustomEvent} */ event) => this.act("play", event.detail.play)}
          @kb-entry=${this.entered} @kb-pick=${this.picked}></kb-board>
      </div>
      <div class="stack">
        <section class="panel">
          <div class="panel-head">
            <h1 class="panel-title">${opponentName(game.opponent)} <span class="muted">· ${gameWords(state.match)}</span></h1>
            <span class="score" aria-label=${`Score: you ${game.score[game.seat]}, opponent ${game.score[1 - game.seat]}`}>${game.score[game.seat]}–${game.score[1 - game.seat]}</span>
          </div>
          <div class="panel-body stack">
            <p class="asked" role="status">${this.shown ? this.shown.words : asked(game)}${this.busy && !this.shown ? html` <span class="busy" aria-hidden="true"></span>` : nothing}</p>
            ${this.clock(game)} ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
            ${this.warning ? this.tutor() : this.buttons(game)}
          </div>
          <div class="panel-foot row">${this.tools(game)}</div>
        </section>
        ${this.hint ? this.opinion() : nothing} ${this.history(game)}
      </div>
    </div>`;
  }

  /** A whole play waits for its confirmation: Enter gives it. @param {CustomEvent} event */
  entered(event) {
    if (!event.detail.complete || document.activeElement instanceof HTMLInputElement) return;
    void this.updateComplete.then(() => requestAnimationFrame(() => /** @type {HTMLElement|null} */ (this.querySelector(".entry-bar .btn-primary:enabled"))?.focus()));
  }

  /** @param {any} game */
  clock(game) {
    if (!game.clock) return nothing;
    const spent = game.over || game.result ? 0 : Math.max(0, (this.now - this.since) / 1000 - game.clock.delay);
    const left = Math.max(0, game.clock.left - spent);
    return html`<p class="clock ${left < 60 ? "is-short" : ""}" role="timer" aria-label="Your time">${clockText(left)}${left ? "" : html` <span class="small">time is over</span>`}</p>`;
  }

  /** @param {any} game */
  buttons(game) {
    if (this.shown) return html`<button class="btn" @click=${() => this.skip?.()}>Go on</button>`;
    if (game.over) {
      return html`<div class="row">
        <button class="btn btn-primary btn-large" data-first @click=${this.review}>${icon("search")} Review the match</button>
        <a class="btn btn-large" href="/play">Play another</a>
      </div>`;
    }
    const possible = ACTIONS.filter(([action]) => game.choices.includes(action));
    return html`<div class="row actions">
      ${possible.map(
        ([action, words, key], place) => html`<button class="btn btn-large ${place ? "" : "btn-primary"}" ?data-first=${!place} ?disabled=${this.busy}
          title=${`${words} (${key})`} @click=${() => this.act(action)}>${words}</button>`,
      )}
      ${game.choices.includes("double") ? html`<p class="hint">A click on the board rolls, one on the cube doubles.</p>` : nothing}
      ${game.choices.includes("play") ? html`<p class="hint">${game.plays.length ? "Click or drag checkers, use the arrow keys and Enter, or type the play." : "Confirm to go on."}</p>` : nothing}
    </div>
    ${this.resigning ? this.resignation() : nothing}`;
  }

  resignation() {
    return html`<div class="note stack-s" role="group" aria-label="Resign">
      <p>Offer to lose:</p>
      <div class="row">${["A single game", "A gammon", "A backgammon"].map(
        (words, index) => html`<button class="btn btn-small" ?disabled=${this.busy} @click=${() => this.act("resign", undefined, { size: index + 1 })}>${words}</button>`,
      )}<button class="btn btn-small btn-quiet" @click=${() => (this.resigning = false)}>No</button></div>
    </div>`;
  }

  tutor() {
    const { warning, action, play } = /** @type {{warning: any, action: string, play: any}} */ (this.warning);
    const shows = this.drawn.length || this.hint;
    return html`<div class="tutor stack-s" role="alertdialog" aria-label="Tutor">
      <p><span class=${warning.blunder ? "mark-blunder" : "mark-error"}>${warning.blunder ? "??" : "?"}</span> ${warned(warning)} ${shows ? html`Better: <b>${warning.best}</b>.` : "Sure?"}</p>
      <div class="row">
        <button class="btn btn-primary" @click=${this.thinkAgain}>Think again</button>
        <button class="btn" ?disabled=${Boolean(shows)} @click=${this.showHint}>Show me</button>
        <button class="btn" @click=${() => this.act(action, play, { sure: true })}>${action === "play" ? "Play it" : "Do it"} anyway</button>
      </div>
    </div>`;
  }

  /** @param {any} game */
  tools(game) {
    return html`<button class="btn btn-small" ?disabled=${this.busy || !game.undo} title="Take back (u)" @click=${this.undo}>${icon("undo")} Take back</button>
      <button class="btn btn-small" ?disabled=${this.busy || !game.choices.length || game.choices.includes("next")} title="Hint (h)" @click=${this.showHint}>${icon("star")} Hint</button>
      ${game.choices.includes("resign") ? html`<button class="btn btn-small" title="Resign (Shift+R)" @click=${() => (this.resigning = !this.resigning)}>Resign</button>` : nothing}
      <label class="check small"><input type="checkbox" .checked=${settings.get("tutor")} @change=${(/** @type {any} */ event) => settings.set({ tutor: event.target.checked })} /> Tutor</label>`;
  }

  opinion() {
    const { hint } = this;
    return html`<section class="panel"><div class="panel-head"><h2 class="panel-title">Hint</h2>
        <button class="btn btn-quiet btn-icon btn-small" aria-label="Close the hint" @click=${() => ((this.hint = null), (this.drawn = []))}>${icon("close")}</button></div>
      ${hint.question === "play"
        ? html`<div class="panel-body flush scroll">${playsTable(hint.plays, { look: (play) => (this.drawn = [{ moves: play.moves, kind: play.rank === 1 ? "best" : "hover" }]) })}</div>`
        : html`<div class="panel-body stack-s"><p class="large strong">${sentence(hint.best)}</p>
            ${hint.question === "resignation"
              ? nothing
              : html`<p class="small muted">No double ${equity(hint.no_double)}, double and take ${equity(hint.double_take)}, double and pass ${equity(hint.double_pass)}</p>`}</div>`}
    </section>`;
  }

  /** @param {any} game */
  history(game) {
    if (!this.log.length) return nothing;
    const recent = this.log.filter((one) => one.choice !== "roll").slice(-60).reverse();
    return html`<section class="panel"><div class="panel-head"><h2 class="panel-title">This game</h2><span class="chip">game ${game.game}</span></div>
      <ol class="moves-log" tabindex="0" aria-label="What happened, the latest first">${recent.map((one) => html`<li class=${one.player === game.seat ? "mine" : ""}>${this.tell(one)}</li>`)}</ol></section>`;
  }
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

customElements.define("kb-play-table", PlayTable);
