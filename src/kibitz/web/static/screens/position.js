// A position: the board, what the engine says while it looks deeper and deeper, and why.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Problem, post, stream, wasAborted } from "../api.js";
import { icon } from "../icons.js";
import { addressOf, remember, visited, visits } from "../recent.js";
import { Screen, setAddress } from "../screen.js";
import { settings } from "../settings.js";
import { toast } from "../toasts.js";
import { copy, equity, gameWords, levelWords, percent, playerName } from "../words.js";
import { swapped } from "../elements/editing.js";
import { after } from "../elements/moves.js";
import { openFiles, openText } from "./opening.js";
import "../elements/kb-board.js";
import "../elements/kb-chances.js";
import "../elements/kb-answer.js";
import "../elements/kb-rollout.js";
import "../elements/kb-rolls.js";
import "../elements/kb-setup.js";
import "../elements/kb-whatif.js";
import "../elements/kb-why.js";

const START = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
const PLIES = [0, 1, 2, 3, 4];
const TABS = /** @type {const} */ ([
  ["why", "Why"],
  ["whatif", "What if"],
  ["rolls", "Rolls"],
  ["rollout", "Rollout"],
  ["ids", "IDs"],
  ["history", "History"],
]);
/** Milliseconds after the last edit before the engine is asked. */
const WAIT = 120;

/** Where the browser is. */
const here = () => location.pathname + location.search;

class PositionScreen extends Screen {
  static properties = {
    state: { state: true },
    plays: { state: true },
    decision: { state: true },
    trouble: { state: true },
    busy: { state: true },
    selected: { state: true },
    hovered: { state: true },
    named: { state: true },
    editing: { state: true },
    editPlayer: { state: true },
    flipped: { state: true },
    tab: { state: true },
    plies: { state: true },
  };

  constructor() {
    super();
    /** @type {any} what is shown; an edited one has no IDs until the engine has answered */
    this.state = null;
    /** @type {any[]|null} */
    this.plays = null;
    /** @type {any} */
    this.decision = null;
    this.trouble = "";
    this.busy = false;
    this.selected = "";
    /** @type {any} */
    this.hovered = null;
    /** @type {string[]} plays that a person has named */
    this.named = [];
    this.editing = false;
    /** @type {0|1} */
    this.editPlayer = 1;
    this.flipped = false;
    /** @type {typeof TABS[number][0]} */
    this.tab = "why";
    this.plies = settings.get("plies");
    /** @type {[number, number]|null} a roll that was put aside for the cube */
    this.aside = null;
    this.work = new AbortController();
    this.timer = 0;
    this.shown = "";
    /** the address that is this screen's; where the browser is at another one, somebody is leaving */
    this.address = "";
  }

  // --- what is shown -------------------------------------------------------------------------------------------------

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("route")) return;
    this.address = here();
    const { query } = this.route;
    const text = query.has("xgid") ? `XGID=${query.get("xgid")}` : (query.get("id") ?? `XGID=${START}`);
    if (text !== this.shown) void this.open(text);
  }

  leave() {
    this.work.abort();
    clearTimeout(this.timer);
  }

  /** Show a position that is written in any notation. @param {string} text */
  async open(text) {
    this.leave();
    this.shown = text;
    try {
      const state = await post("/v1/parse", { text });
      if (this.shown === text) this.show(state);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
    }
  }

  /** @param {any} state @param {{named?: string[], wait?: number}} [options] */
  show(state, { named = [], wait = 0 } = {}) {
    this.leave();
    this.state = state;
    this.named = named;
    this.plays = null;
    this.decision = null;
    this.selected = "";
    this.hovered = null;
    this.trouble = "";
    this.work = new AbortController();
    if (wait) this.timer = window.setTimeout(() => void this.analyse(), wait);
    else void this.analyse();
  }

  /** Ask for the legal plays and for ever deeper answers; all of it stops when another position is shown. */
  async analyse() {
    this.work.abort();
    this.work = new AbortController();
    const { signal } = this.work;
    this.busy = true;
    try {
      if (this.state.dice && !this.plays) {
        void post("/v1/plays", { position: this.state }, { signal }).then(
          (found) => (this.plays = found.plays),
          () => (this.plays = null),
        );
      }
      const body = { position: this.state, plies: this.plies, ...(this.state.dice ? { play: this.named, top: 40, listed: 5 } : {}) };
      for await (const { data } of stream("/v1/hint", body, { signal })) {
        if (signal.aborted) return;
        this.answered(data);
      }
      this.busy = false;
    } catch (error) {
      if (wasAborted(error)) return;
      if (!(error instanceof Problem)) throw error;
      this.busy = false;
      this.decision = null;
      this.trouble = error.message;
    }
  }

  /** @param {any} decision */
  answered(decision) {
    if (here() !== this.address) return;
    this.decision = decision;
    this.trouble = "";
    // The engine tells the IDs of an edited state.
    if (!this.state.xgid) this.state = { ...decision.state, names: this.state.names };
    const address = addressOf(decision.state);
    this.shown = decision.state.xgid;
    setAddress(address);
    this.address = here();
    const words = `${playerName(decision.state, decision.state.turn, settings.get("light"))} ${decision.state.dice ? `plays ${decision.state.dice.join("")}` : "on roll"}`;
    const item = { href: address, title: `${words}: ${decision.best}`, more: gameWords(decision.state.match) };
    remember(item);
    visited(item);
  }

  /** @param {any} play */
  select(play) {
    this.selected = play.play;
  }

  /** The play that is looked at: the one that was chosen, or the best. */
  get current() {
    const all = this.decision?.plays ?? [];
    return all.find((/** @type {any} */ one) => one.play === this.selected) ?? all[0] ?? null;
  }

  /** @returns {import("../elements/drawing.js").Arrows[]} */
  get arrows() {
    const best = this.decision?.plays?.[0];
    if (!best || this.editing) return [];
    if (this.hovered && this.hovered.play !== best.play) return [{ moves: this.hovered.moves, kind: "hover" }];
    if (this.hovered) return [{ moves: best.moves, kind: "best" }];
    const { current } = this;
    return current === best
      ? [{ moves: best.moves, kind: "best" }]
      : [
          { moves: best.moves, kind: "best" },
          { moves: current.moves, kind: "chosen" },
        ];
  }

  // --- what a person does --------------------------------------------------------------------------------------------

  keys() {
    return [
      { key: "ArrowDown j", help: "next candidate", run: () => this.step(1) },
      { key: "ArrowUp k", help: "previous candidate", run: () => this.step(-1) },
      { key: "Space", help: "play the chosen candidate", run: () => this.playOn() },
      { key: "e", help: "edit", run: () => this.toggleEdit() },
      { key: "f", help: "flip the board", run: () => (this.flipped = !this.flipped) },
      { key: "d", help: "checker play or cube", run: () => this.toggleDice() },
      { key: "r", help: "roll the dice", run: () => this.roll() },
      { key: "a", help: "arrows", run: () => settings.set({ arrows: !settings.get("arrows") }) },
      { key: "p", help: "pip counts", run: () => settings.set({ pips: !settings.get("pips") }) },
      { key: "x", help: "copy the XGID", run: () => void this.copied(this.state?.xgid ?? "", "XGID") },
      { key: "0 1 2 3 4", help: "look so many plies deep", run: (/** @type {KeyboardEvent} */ event) => this.deepen(Number(event.key)) },
    ];
  }

  /** @param {number} by */
  step(by) {
    const all = this.decision?.plays ?? [];
    if (!all.length) return;
    const index = all.indexOf(this.current);
    this.selected = all[Math.min(all.length - 1, Math.max(0, index + by))].play;
    this.hovered = null;
  }

  /** @param {number} plies */
  deepen(plies) {
    this.plies = plies;
    settings.set({ plies });
    if (this.state) void this.analyse();
  }

  toggleEdit() {
    this.editing = !this.editing;
  }

  /** @param {CustomEvent} event */
  edited(event) {
    const { position_id: _id, match_id: _match, xgid: _xgid, ...state } = event.detail.state;
    this.show(state, { wait: WAIT });
  }

  /** @param {any} changes */
  change(changes) {
    const { position_id: _id, match_id: _match, xgid: _xgid, ...state } = this.state;
    this.show({ ...state, ...changes });
  }

  toggleDice() {
    if (!this.state || this.state.offer !== "none") return;
    const { dice } = this.state;
    if (dice) this.aside = dice;
    this.change({ dice: dice ? null : (this.aside ?? [3, 1]) });
  }

  roll() {
    if (!this.state) return;
    const dice = [0, 0].map(() => 1 + Math.floor(6 * Math.random())).sort((one, other) => other - one);
    this.change({ dice, offer: "none" });
  }

  /** The position after a play, with the opponent on roll. @param {any} play */
  afterwards(play) {
    const { position_id: _id, match_id: _match, xgid: _xgid, ...state } = this.state;
    const board = after({ mine: state.position.mine, theirs: state.position.theirs }, play?.moves ?? []);
    return swapped({ ...state, position: board });
  }

  /** Make the chosen play and look at what follows. */
  playOn() {
    if (this.decision?.plays && this.state.dice) this.follow(this.afterwards(this.current));
  }

  /** A position as a new step of the history. @param {any} state */
  follow(state) {
    history.pushState(null, "", location.pathname + location.search);
    this.show(state);
  }

  /** A play was entered: it is analysed too. @param {CustomEvent} event */
  confirmed(event) {
    const name = event.detail.play?.play;
    if (!name) return this.follow(this.afterwards(null));
    this.named = [...new Set([...this.named, name])];
    this.selected = name;
    /** @type {import("../elements/kb-board.js").BoardElement|null} */ (this.querySelector("kb-board"))?.undoAll(); // its arrows show it now
    const known = this.decision?.plays?.find((/** @type {any} */ one) => one.play === name);
    if (!known || known.plies < this.plies) void this.analyse();
  }

  /** @param {string} text @param {string} what */
  async copied(text, what) {
    if (text) toast((await copy(text)) ? `${what} copied` : `${what} could not be copied`);
  }

  /** @param {ClipboardEvent|DragEvent} event */
  taken(event) {
    const data = event instanceof ClipboardEvent ? event.clipboardData : event.dataTransfer;
    const target = /** @type {Element} */ (event.target);
    if (event instanceof ClipboardEvent && target.closest?.("input, textarea")) return;
    event.preventDefault();
    const files = [...(data?.files ?? [])];
    const text = data?.getData("text/plain") ?? "";
    const work = files.length ? openFiles(files) : text.trim() ? openText(text) : Promise.resolve();
    work.catch((/** @type {unknown} */ error) => {
      if (!(error instanceof Problem)) throw error;
      toast(error.message, { problem: true });
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.take = (/** @type {any} */ event) => this.taken(event);
    document.addEventListener("paste", this.take);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    if (this.take) document.removeEventListener("paste", this.take);
  }

  // --- what is seen --------------------------------------------------------------------------------------------------

  render() {
    if (!this.state) return this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing;
    const mode = this.editing ? "edit" : this.state.dice && this.plays ? "play" : "pick";
    return html`<h1 class="visually-hidden">Position</h1>
      <div class="with-board position" @drop=${this.taken} @dragover=${(/** @type {DragEvent} */ event) => event.preventDefault()}>
        <div class="board-side">
          <kb-board mode=${mode} .state=${this.state} .plays=${this.plays} .arrows=${this.arrows} .flipped=${this.flipped} .editPlayer=${this.editPlayer}
            .confirmLabel=${"Analyse"} @kb-confirm=${this.confirmed} @kb-edit=${this.edited}></kb-board>
          ${this.tools()}
          ${this.editing
            ? html`<section class="panel panel-body" aria-label="Set up"><kb-setup .state=${this.state} .player=${this.editPlayer} @kb-edit=${this.edited}
                @kb-edit-player=${(/** @type {CustomEvent} */ event) => (this.editPlayer = event.detail.player)}></kb-setup></section>`
            : nothing}
        </div>
        <div class="verdict-side">${this.verdict()}</div>
        <section class="panel more-side" aria-label="More">${this.tabs()}</section>
      </div>`;
  }

  tools() {
    const playing = Boolean(this.state.dice);
    return html`<div class="board-tools no-print">
      <button class="btn btn-small" aria-pressed=${this.editing} title="Edit (e)" @click=${this.toggleEdit}>${icon("edit")} Edit</button>
      <button class="btn btn-small" title="Roll (r)" @click=${this.roll}>${icon("dice")} Roll</button>
      <button class="btn btn-small" title="Play or cube (d)" ?disabled=${this.state.offer !== "none"} @click=${this.toggleDice}>${playing ? "Cube decision" : "Checker play"}</button>
      <button class="btn btn-small btn-icon" title="Flip (f)" aria-label="Flip the board" @click=${() => (this.flipped = !this.flipped)}>${icon("flip")}</button>
      <span class="grow"></span>
      <button class="btn btn-small" title="Copy the XGID (x)" @click=${() => this.copied(this.state.xgid ?? "", "XGID")}>${icon("copy")} XGID</button>
    </div>`;
  }

  get names() {
    const light = settings.get("light");
    return [playerName(this.state, this.state.turn, light), playerName(this.state, this.state.turn ? 0 : 1, light)];
  }

  verdict() {
    const { decision } = this;
    const evaluation = decision?.plays ? this.current?.evaluation : decision?.evaluation;
    const sure = decision?.confidence;
    const marked = Object.fromEntries(this.named.map((name) => [name, "yours"]));
    const level = decision?.plays ? decision.plays[0]?.level : decision?.level;
    return html`<section class="panel" aria-label="Analysis">
      <div class="panel-head">
        <div class="verdict" role="status">
          <h2>${decision ? verdictWords(decision) : this.trouble ? "No analysis" : "Looking …"}</h2>
          <p class="small muted">
            ${decision ? html`${valueWords(decision)} · ${levelWords(level)}` : nothing}
            ${sure === null || sure === undefined ? nothing : html`<span class="chip chip-accent" title="The chance that this is right">${percent(sure, 0)} sure</span>`}
            ${this.busy ? html`<span class="busy" title="Looking deeper"><span class="visually-hidden">looking deeper</span></span>` : nothing}
          </p>
        </div>
        <div class="group" role="group" aria-label="Plies to look ahead">
          ${PLIES.map((plies) => html`<button class="btn btn-small" aria-pressed=${this.plies === plies} title=${`${plies}-ply (${plies})`} @click=${() => this.deepen(plies)}>${plies}</button>`)}
        </div>
      </div>
      ${this.trouble ? html`<p class="panel-body"><span class="problem" role="alert">${this.trouble}</span></p>` : nothing}
      <kb-answer .decision=${decision} .selected=${this.current?.play ?? ""} .marked=${marked}
        @kb-select=${(/** @type {CustomEvent} */ event) => this.select(event.detail.play)}
        @kb-hover=${(/** @type {CustomEvent} */ event) => (this.hovered = event.detail.play)}></kb-answer>
      ${evaluation
        ? html`<div class="panel-body chance-body">
            ${decision.plays ? html`<p class="small muted">After <strong>${this.current.play}</strong></p>` : nothing}
            <kb-chances .evaluation=${evaluation} .who=${this.names}></kb-chances>
          </div>`
        : nothing}
      ${decision?.plays?.length ? html`<div class="panel-foot spread"><span>${gameWords(this.state.match)}</span><button class="btn btn-small" title="Play it (Space)" @click=${this.playOn}>Play ${this.current.play} ${icon("next")}</button></div>` : nothing}
    </section>`;
  }

  tabs() {
    return html`<div class="tabs" role="tablist" aria-label="More about this position" @keydown=${this.movedTab}>
        ${TABS.map(
          ([name, words]) => html`<button class="tab" role="tab" id=${`tab-${name}`} aria-controls="tab-panel" aria-selected=${this.tab === name ? "true" : "false"}
            tabindex=${this.tab === name ? 0 : -1} @click=${() => (this.tab = name)}>${words}</button>`,
        )}
      </div>
      <div class="panel-body" role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${this.tab}`}>${this.tabBody()}</div>`;
  }

  /** @param {KeyboardEvent} event */
  movedTab(event) {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    const names = TABS.map(([name]) => name);
    this.tab = names[(names.indexOf(this.tab) + by + names.length) % names.length];
    void this.updateComplete.then(() => /** @type {HTMLElement|null} */ (this.querySelector(`#tab-${this.tab}`))?.focus());
  }

  tabBody() {
    const { decision } = this;
    if (this.tab === "history") return this.history();
    if (!decision || !this.state.xgid) return html`<p class="muted">${this.trouble ? "Nothing to say about this position." : "Looking …"}</p>`;
    const plies = Math.min(this.plies, 1);
    if (this.tab === "ids") return this.ids();
    if (this.tab === "whatif") {
      return html`<kb-whatif .state=${this.state} .best=${decision.best} .plies=${plies} @kb-match-changed=${(/** @type {CustomEvent} */ event) => this.change({ match: event.detail.match })}></kb-whatif>`;
    }
    if (this.tab === "rollout") return html`<kb-rollout .state=${this.state} .plays=${this.named}></kb-rollout>`;
    if (decision.plays && !decision.plays.length) return html`<p class="muted">There is no legal play.</p>`;
    if (this.tab === "rolls") {
      return decision.plays
        ? html`<kb-rolls .state=${this.afterwards(this.current)} .sign=${-1} .who=${this.names[0]} title=${`${this.names[1]}'s rolls after ${this.current.play}.`}></kb-rolls>`
        : html`<kb-rolls .state=${this.state} .sign=${1} .who=${this.names[0]} title=${`${this.names[0]}'s rolls.`}></kb-rolls>`;
    }
    if (decision.plays) {
      if (decision.plays.length < 2) return html`<p class="muted">The play is forced.</p>`;
      const best = this.current === decision.plays[0];
      return html`<kb-why .state=${this.state} .options=${best ? [] : [this.current.play]} .plies=${plies}></kb-why>`;
    }
    if ("accepted" in decision) return html`<p class="muted">There is nothing more to say about a resignation.</p>`;
    return html`<kb-why .state=${this.state} .options=${[]} .plies=${plies}></kb-why>`;
  }

  ids() {
    const { state } = this;
    const rows = [
      ["XGID", state.xgid],
      ["Position ID", state.position_id],
      ["Match ID", state.match_id],
      ["Address", location.origin + addressOf(state)],
    ];
    return html`<dl class="ids">
      ${rows.map(
        ([name, value]) => html`<div>
          <dt>${name}</dt>
          <dd><code class="breakable">${value}</code><button class="btn btn-small btn-icon" aria-label=${`Copy the ${name}`} @click=${() => this.copied(value, name)}>${icon("copy")}</button></dd>
        </div>`,
      )}
    </dl>`;
  }

  history() {
    const items = visits();
    return items.length
      ? html`<ol class="recent">${items.map((item) => html`<li><a href=${item.href}>${item.title}</a><span class="muted small">${item.more}</span></li>`)}</ol>`
      : html`<p class="muted">Nothing yet.</p>`;
  }
}

/** What is right, as a headline. @param {any} decision */
function verdictWords(decision) {
  if (decision.plays) return decision.plays.length ? decision.best : "No legal play";
  const words = decision.question === "take" || "accepted" in decision ? decision.best : decision.action;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {any} decision */
function valueWords(decision) {
  if (decision.plays) return decision.plays.length ? equity(decision.plays[0].equity) : "";
  return "accepted" in decision ? "" : equity(decision.question === "take" ? (decision.take ? decision.double_take : decision.double_pass) : decision.equity);
}

customElements.define("kb-position", PositionScreen);
