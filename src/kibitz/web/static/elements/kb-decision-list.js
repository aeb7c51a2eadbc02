// <kb-decision-list>: the decisions that a query finds, page by page, with the board of the one that is looked at.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { get, post, wasAborted } from "../api.js";
import { icon } from "../icons.js";
import { LightElement, go } from "../screen.js";
import { toast } from "../toasts.js";
import { equity, markOf, plural } from "../words.js";
import "./kb-board.js";
import { playsTable } from "./plays-table.js";

/** @typedef {{id: number, match_id: number, game: number, ply: number, move: number, kind: string, player: string, opponent: string, state: any, chosen: string, best: string|null, lost: number|null, [name: string]: any}} Decision */

const KINDS = { "checker play": "play", double: "double?", answer: "take?", counter: "beaver?", resignation: "resign?", acceptance: "accept?" };
/** How the match screen calls a decision of some kind, where that is not its own name. */
const PLACES = { "checker play": "checker", double: "cube" };

export class DecisionList extends LightElement {
  static properties = {
    query: { attribute: false },
    likes: { attribute: false },
    found: { state: true },
    count: { state: true },
    next: { state: true },
    at: { state: true },
    detail: { state: true },
    trouble: { state: true },
    asking: { state: true },
  };

  constructor() {
    super();
    /** @type {string|null} the query of /v1/decisions, with its order; null for none */
    this.query = null;
    /** @type {string|null} the query of /v1/like instead */
    this.likes = null;
    /** @type {Decision[]|null} */
    this.found = null;
    this.count = 0;
    /** @type {number|null} */
    this.next = null;
    this.at = 0;
    /** @type {any} what was said of the one that is looked at */
    this.detail = null;
    this.trouble = "";
    /** @type {"deck"|"search"|"collection"|null} what a name is asked for */
    this.asking = null;
    this.work = new AbortController();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if ((changed.has("query") || changed.has("likes")) && (this.query !== null || this.likes !== null)) void this.read();
  }

  async read(after = /** @type {number|null} */ (null)) {
    if (!after) {
      this.work.abort();
      this.work = new AbortController();
      this.at = 0;
    }
    const { signal } = this.work;
    try {
      if (this.likes !== null) {
        const { likes } = await get(`/v1/like?${this.likes}`, { signal });
        this.found = likes.map((/** @type {any} */ one) => ({ ...one.decision, distance: one.distance }));
        this.count = likes.length;
        this.next = null;
      } else {
        const page = await get(`/v1/decisions?${this.query}${after ? `&after=${after}` : ""}`, { signal });
        this.found = after ? [...(this.found ?? []), ...page.decisions] : page.decisions;
        this.count = page.count;
        this.next = page.next;
      }
      this.trouble = "";
      if (!after) await this.look(0);
    } catch (error) {
      if (wasAborted(error)) return;
      this.trouble = /** @type {Error} */ (error).message;
      this.found = [];
      this.count = 0;
    }
  }

  /** Look at one of them. @param {number} index */
  async look(index) {
    if (!this.found?.[index]) {
      this.detail = null;
      return;
    }
    this.at = index;
    const { id } = this.found[index];
    try {
      const detail = await get(`/v1/decisions/${id}`, { signal: this.work.signal });
      if (this.found?.[this.at]?.id === id) this.detail = detail;
    } catch (error) {
      if (!wasAborted(error)) this.trouble = /** @type {Error} */ (error).message;
    }
  }

  /** @param {number} by */
  step(by) {
    const index = Math.min(Math.max(this.at + by, 0), (this.found?.length ?? 1) - 1);
    void this.look(index);
    void this.updateComplete.then(() => this.querySelector("tr.is-selected")?.scrollIntoView({ block: "nearest" }));
  }

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    return [
      { key: "ArrowDown j", help: "next decision", run: () => this.step(1) },
      { key: "ArrowUp k", help: "previous decision", run: () => this.step(-1) },
    ];
  }

  /** Arrows of the best answer and of the one that was chosen. */
  get arrows() {
    const plays = this.detail?.analyses.find((/** @type {any} */ one) => one.decision?.question === "play")?.decision.plays ?? [];
    const chosen = plays.find((/** @type {any} */ one) => one.play === this.found?.[this.at]?.chosen);
    const found = chosen && chosen !== plays[0] ? [{ moves: chosen.moves, kind: "chosen" }] : [];
    return plays[0] ? [...found, { moves: plays[0].moves, kind: "best" }] : found;
  }

  render() {
    if (this.trouble) return html`<p class="problem" role="alert">${this.trouble}</p>`;
    if (this.found === null) return html`<p class="busy muted">One moment</p>`;
    if (!this.found.length) return html`<div class="panel empty" role="status">No decisions like that.</div>`;
    const one = this.found[this.at];
    return html`<div class="with-board">
      <div class="board-side stack-s">${one ? this.board(one) : nothing}</div>
      <div class="stack">
        <div class="spread"><p class="strong" role="status">${plural(this.count, "decision")}</p>
          <div class="row">
            <button class="btn btn-small" @click=${() => (this.asking = "deck")}>${icon("study")} Study these</button>
            <button class="btn btn-small" @click=${() => (this.asking = "search")}>Save search</button>
          </div></div>
        ${this.asking ? this.naming() : nothing}
        <section class="panel scroll decisions" tabindex="0" aria-label="Decisions"><table class="table pick">
          <thead><tr><th>Decision</th><th>Chosen</th><th>Best</th><th class="num">${this.likes === null ? "Loss" : "Distance"}</th></tr></thead>
          <tbody>${this.found.map((decision, index) => this.row(decision, index))}</tbody></table>
          ${this.next ? html`<div class="panel-foot"><button class="btn" @click=${() => this.read(this.next)}>More</button></div>` : nothing}</section>
      </div>
    </div>`;
  }

  /** @param {Decision} one @param {number} index */
  row(one, index) {
    const mark = markOf(one.lost ?? 0);
    const roll = one.state.dice ? `${one.state.dice[0]}${one.state.dice[1]}` : "";
    const kind = KINDS[/** @type {keyof typeof KINDS} */ (one.kind)] ?? one.kind;
    return html`<tr class=${index === this.at ? "is-selected" : ""} @click=${() => this.look(index)}>
      <td><button class="link" aria-current=${index === this.at ? "true" : nothing} @click=${(/** @type {Event} */ event) => (event.stopPropagation(), void this.look(index))}>${roll || kind}</button>
        <span class="small muted breakable block">${one.player}${one.date ? html`<span class="wide">, <span class="nowrap">${one.date}</span></span>` : nothing}</span></td>
      <td class="breakable">${one.chosen || "–"}</td><td class="breakable">${one.best ?? "–"}</td>
      <td class="num">${one.distance !== undefined ? Math.round(one.distance) : one.lost === null ? "–" : one.lost ? html`<span class=${mark.name ? `mark-${mark.name}` : ""}>${mark.glyph} ${one.lost.toFixed(3)}</span>` : "0"}</td></tr>`;
  }

  /** @param {Decision} one */
  board(one) {
    return html`<kb-board .state=${named(one)} .arrows=${this.arrows} .bottom=${"mover"}></kb-board>
      <div class="spread"><p class="small muted breakable">${one.player} against ${one.opponent}${one.event ? `, ${one.event}` : ""}, game ${one.game}, move ${one.move} · ${one.phase}, ${one.plan}</p>
        <div class="row">
          <a class="btn btn-small" href=${`/match/${one.match_id}?at=${one.game}.${one.ply}.${PLACES[/** @type {keyof typeof PLACES} */ (one.kind)] ?? one.kind}`}>In the match</a>
          <a class="btn btn-small" href=${`/position?xgid=${encodeURIComponent((one.state.xgid ?? "").replace(/^XGID=/, ""))}`}>Analyse</a>
          <a class="btn btn-small" href=${`/library/search?like=${encodeURIComponent(one.position_id)}`}>More like this</a>
          <button class="btn btn-small" @click=${() => (this.asking = "collection")}>Collect</button>
        </div></div>
      ${this.opinions()}`;
  }

  opinions() {
    const { detail } = this;
    const first = detail?.analyses.find((/** @type {any} */ one) => one.decision);
    if (!first) return nothing;
    return html`<section class="panel"><div class="panel-head"><h2 class="panel-title">${first.analyst} ${first.level}</h2>
        ${detail.tags.map((/** @type {string} */ tag) => html`<span class="chip breakable">${tag}</span>`)}</div>
      ${first.decision.question === "play"
        ? playsTable(first.decision.plays, { most: 4, chosen: this.found?.[this.at]?.chosen })
        : html`<p class="panel-body"><b>${first.best}</b>: no double ${equity(first.decision.no_double)}, take ${equity(first.decision.double_take)}, pass ${equity(first.decision.double_pass)}</p>`}
      ${first.reason ? html`<p class="panel-foot breakable">${first.reason}</p>` : nothing}
      ${detail.notes.length ? html`<div class="panel-foot">${detail.notes.map((/** @type {any} */ note) => html`<p class="breakable">${note.text}</p>`)}</div>` : nothing}
    </section>`;
  }

  naming() {
    const words = { deck: "Name of the deck", search: "Name of the search", collection: "Name of the collection" };
    return html`<form class="note row" @submit=${this.named}>
      <input class="input grow" name="name" required maxlength="100" autocomplete="off" aria-label=${words[/** @type {"deck"} */ (this.asking)]} placeholder=${words[/** @type {"deck"} */ (this.asking)]} />
      <button class="btn btn-primary">Save</button><button type="button" class="btn btn-quiet" @click=${() => (this.asking = null)}>Cancel</button></form>`;
  }

  /** @param {SubmitEvent} event */
  async named(event) {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name") ?? "").trim();
    const query = new URLSearchParams(this.query ?? "");
    for (const own of ["order", "limit", "after"]) query.delete(own);
    try {
      if (this.asking === "deck") {
        await post("/v1/decks", { name, query: String(query) });
        go("/study");
      } else if (this.asking === "search") {
        await post("/v1/searches", { name, query: String(query) });
        toast(`Saved as ${name}.`);
        this.dispatchEvent(new CustomEvent("kb-saved", { bubbles: true }));
      } else {
        await post("/v1/collections", { name, decisions: [this.found?.[this.at].id] });
        toast(`Kept in ${name}.`);
      }
      this.asking = null;
    } catch (error) {
      toast(/** @type {Error} */ (error).message, { problem: true });
    }
  }
}

/** The state with the names of both, the one whose state it is first: a double is answered in the doubler's. @param {Decision} one */
function named(one) {
  const names = [one.player, one.opponent];
  return { ...one.state, names: one.state.offer === "none" ? names : names.reverse() };
}

customElements.define("kb-decision-list", DecisionList);
