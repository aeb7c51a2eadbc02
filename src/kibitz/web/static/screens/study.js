// Study: decks with what is due, new ones from one's errors, searches or collections; and the cards, answered on the board.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import "../elements/kb-board.js";
import { playsTable } from "../elements/plays-table.js";
import { get, post, remove, wasAborted } from "../api.js";
import { icon } from "../icons.js";
import { addressOf } from "../recent.js";
import { LightElement, Screen } from "../screen.js";
import { toast } from "../toasts.js";
import { equity, markOf, plural } from "../words.js";

const KINDS = { all: "Everything", checker: "Checker plays", double: "Doubles", take: "Takes" };
const SIZES = { 0.02: "all errors (0.02)", 0.04: "0.04 and more", 0.08: "blunders (0.08)", 0.16: "0.16 and more" };

class StudyDecks extends LightElement {
  static properties = { decks: { state: true }, sources: { state: true }, nobody: { state: true }, trouble: { state: true }, confirming: { state: true }, busy: { state: true } };

  constructor() {
    super();
    /** @type {any[]|null} */
    this.decks = null;
    /** @type {{name: string, query: string}[]} saved searches and collections */
    this.sources = [];
    /** whether nobody has said yet who "me" is */
    this.nobody = false;
    this.trouble = "";
    this.confirming = 0;
    this.busy = false;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.read();
  }

  async read() {
    try {
      const [{ decks }, { searches }, { collections }, { players }] = await Promise.all(["decks", "searches", "collections", "players"].map((name) => get(`/v1/${name}`)));
      this.nobody = !players.some((/** @type {any} */ one) => one.is_me);
      this.decks = decks;
      this.sources = [
        ...searches.map((/** @type {any} */ one) => ({ name: `Search: ${one.name}`, query: one.query })),
        ...collections.map((/** @type {any} */ one) => ({ name: `Collection: ${one.name}`, query: one.query })),
      ];
      this.trouble = "";
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
  }

  /** A name that no deck has yet. @param {string} name */
  unused(name) {
    const taken = new Set(this.decks?.map((deck) => deck.name));
    let number = 1;
    while (taken.has(number > 1 ? `${name} ${number}` : name)) number += 1;
    return number > 1 ? `${name} ${number}` : name;
  }

  /** @param {SubmitEvent} event */
  async create(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const given = new FormData(form);
    const source = String(given.get("source"));
    if (source === "errors" && this.nobody) {
      this.trouble = "Say first who you are: these cards are made of your own errors.";
      return;
    }
    const query = new URLSearchParams(source === "errors" ? { player: "me" } : source);
    if (!query.has("at_least")) query.set("at_least", String(given.get("size")));
    if (given.get("kind") !== "all") query.set("kind", String(given.get("kind")));
    this.busy = true;
    try {
      const deck = await post("/v1/decks", { name: String(given.get("name")).trim() || this.unused("My errors"), query: String(query) });
      toast(`${plural(deck.cards, "card")} in ${deck.name}.`);
      form.reset();
      await this.read();
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
    this.busy = false;
  }

  /** @param {any} deck */
  async addNew(deck) {
    const { added } = await post(`/v1/decks/${deck.id}/update`, {});
    toast(added ? `${plural(added, "card")} added.` : "Nothing new.");
    await this.read();
  }

  /** @param {any} deck */
  async forget(deck) {
    if (this.confirming !== deck.id) {
      this.confirming = deck.id;
      return;
    }
    await remove(`/v1/decks/${deck.id}`);
    this.confirming = 0;
    toast("The deck is deleted.");
    await this.read();
  }

  render() {
    const sum = (/** @type {"due"|"new"} */ name) => this.decks?.reduce((all, deck) => all + deck[name], 0) ?? 0;
    const [due, fresh] = [sum("due"), sum("new")];
    const words = due ? `${plural(due, "card")} due` : fresh ? `${plural(fresh, "new card")}` : "Nothing is due";
    return html`<div class="stack narrow">
      <div class="spread"><h1>Study</h1><p class="muted" role="status">${this.decks?.length ? words : nothing}</p></div>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      ${this.decks === null ? html`<p class="busy muted">One moment</p>` : this.decks.map((deck) => this.deck(deck))}
      ${this.form()}
    </div>`;
  }

  /** @param {any} deck */
  deck(deck) {
    return html`<section class="panel deck"><div class="panel-body spread">
      <div class="grow"><h2 class="breakable">${deck.name}</h2>
        <p class="muted small">${plural(deck.cards, "card")} · <b class=${deck.due ? "mark-error" : ""}>${deck.due} due</b> · ${deck.new} new</p></div>
      <div class="row">
        <a class="btn btn-primary" href=${`/study/${deck.id}`}>Study</a>
        <a class="btn" href=${`/study/${deck.id}?practice`}>Practise</a>
        <details class="menu"><summary class="btn btn-quiet btn-icon" aria-label=${`More about ${deck.name}`}>${icon("settings")}</summary>
          <div class="menu-body">
            <a href=${`/library/decisions?${deck.query}`}>Show the decisions</a>
            <button class="btn btn-quiet" @click=${() => this.addNew(deck)}>Add what is new</button>
            <a download href=${`/v1/decks/${deck.id}/file?format=apkg`}>Anki deck</a>
            <a download href=${`/v1/decks/${deck.id}/file?format=csv`}>Table (.csv)</a>
            <button class="btn btn-quiet ${this.confirming === deck.id ? "btn-danger" : ""}" @click=${() => this.forget(deck)}>${this.confirming === deck.id ? "Really delete?" : "Delete"}</button>
          </div></details>
      </div></div></section>`;
  }

  form() {
    return html`<form class="panel" @submit=${this.create}>
      <div class="panel-head"><h2 class="panel-title">A new deck</h2></div>
      <div class="panel-body stack">
        <div class="filters">
          <label class="field">Name <input class="input" name="name" maxlength="100" autocomplete="off" placeholder="My errors" /></label>
          <label class="field">From <select class="select" name="source"><option value="errors">my errors</option>${this.sources.map((one) => html`<option value=${one.query}>${one.name}</option>`)}</select></label>
          <label class="field">Size <select class="select" name="size">${Object.entries(SIZES).map(([value, words]) => html`<option value=${value} ?selected=${value === "0.08"}>${words}</option>`)}</select></label>
          <label class="field">Kind <select class="select" name="kind">${Object.entries(KINDS).map(([value, words]) => html`<option value=${value}>${words}</option>`)}</select></label>
        </div>
        ${this.nobody ? html`<p class="note">Cards are made of the errors in your own matches. <a href="/library">Import some</a>, and <a href="/library/players">say who you are</a>.</p>` : nothing}
        <p class="hint">Cards come again when it is time: soon after an error, later and later while you know them.</p>
        <div class="row"><button class="btn ${this.decks?.length ? "" : "btn-primary"}" ?disabled=${this.busy}>Make the deck</button></div>
      </div></form>`;
  }
}

customElements.define("kb-study-decks", StudyDecks);

// --- a card: the question, the answer by playing it or by a cube button, what it lost and when it comes again -----------

/** Cube actions that a card asks for. @type {Record<string, [string, string, string][]>} */
const ANSWERS = {
  double: [["double", "Double", "d"], ["no double", "No double", "n"]],
  answer: [["take", "Take", "t"], ["pass", "Pass", "p"]],
};
/** @type {[string, string][]} */
const GRADES = [["again", "Again"], ["hard", "Hard"], ["good", "Good"], ["easy", "Easy"]];

/** How long until a moment. @param {string} moment */
export function until(moment) {
  const minutes = Math.max(0, (new Date(moment).getTime() - Date.now()) / 60000);
  if (minutes < 90) return `${Math.max(1, Math.round(minutes))} min`;
  if (minutes < 36 * 60) return `${Math.round(minutes / 60)} h`;
  const days = minutes / 1440;
  return days < 60 ? `${Math.round(days)} days` : days < 730 ? `${Math.round(days / 30.4)} months` : `${Math.round(days / 365)} years`;
}

export class StudyCard extends LightElement {
  static properties = {
    deck: { attribute: false },
    practice: { attribute: false },
    name: { state: true },
    card: { state: true },
    plays: { state: true },
    told: { state: true },
    trouble: { state: true },
    done: { state: true },
    busy: { state: true },
  };

  constructor() {
    super();
    this.deck = 0;
    this.practice = false;
    this.name = "";
    /** @type {any} the question; null when nothing is due, undefined while it is asked for */
    this.card = undefined;
    /** @type {any[]|null} */
    this.plays = null;
    /** @type {any} what became of the answer */
    this.told = null;
    this.trouble = "";
    this.done = 0;
    this.busy = false;
    this.since = 0;
    /** @type {any[]} the cards of a practice, in any order */
    this.pile = [];
    this.work = new AbortController();
  }

  connectedCallback() {
    super.connectedCallback();
    this.work = new AbortController();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if ((changed.has("deck") || changed.has("practice")) && this.deck) {
      this.pile = [];
      this.done = 0;
      void this.next();
    }
  }

  async next() {
    const { signal } = this.work;
    this.told = null;
    this.trouble = "";
    try {
      if (!this.name) this.name = (await get("/v1/decks", { signal })).decks.find((/** @type {any} */ one) => one.id === this.deck)?.name ?? "";
      this.card = this.practice ? await this.drawn(signal) : (await get(`/v1/decks/${this.deck}/next`, { signal })).card;
      this.plays = null;
      if (this.card?.kind === "checker play") this.plays = (await post("/v1/plays", { position: asked(this.card.state) }, { signal })).plays;
      this.since = Date.now();
      await this.updateComplete;
      this.focusFirst();
    } catch (error) {
      if (wasAborted(error)) return;
      this.trouble = /** @type {Error} */ (error).message;
      this.card ??= null;
    }
  }

  /** Any card of the deck; each once before one comes again. @param {AbortSignal} signal */
  async drawn(signal) {
    if (!this.pile.length) {
      this.pile = (await get(`/v1/decks/${this.deck}/cards`, { signal })).cards.filter((/** @type {any} */ one) => !one.suspended);
      this.pile.sort(() => Math.random() - 0.5);
    }
    return this.pile.pop() ?? null;
  }

  focusFirst() {
    const board = /** @type {any} */ (this.querySelector("kb-board"));
    if (this.plays) void board?.updateComplete.then(() => board.querySelector('[tabindex="0"][data-place]')?.focus());
    else /** @type {HTMLElement|null} */ (this.querySelector("[data-first]"))?.focus();
  }

  /** Grade an answer. Nothing is kept before the grade is accepted. @param {string} answer */
  async answer(answer) {
    if (this.busy || this.told) return;
    this.busy = true;
    const seconds = (Date.now() - this.since) / 1000;
    try {
      this.told = { seconds, ...(await post(`/v1/cards/${this.card.id}/answers`, { answer, seconds, practice: true }, { signal: this.work.signal })) };
      this.trouble = "";
      await this.updateComplete;
      /** @type {HTMLElement|null} */ (this.querySelector("[data-first]"))?.focus();
    } catch (error) {
      if (!wasAborted(error)) this.trouble = /** @type {Error} */ (error).message;
    }
    this.busy = false;
  }

  /** Keep the answer with its grade, and go on. @param {number} rating */
  async accept(rating) {
    if (this.busy || !this.told) return;
    this.busy = true;
    try {
      const { answer, seconds } = this.told;
      if (!this.practice) await post(`/v1/cards/${this.card.id}/answers`, { answer, seconds, rating }, { signal: this.work.signal });
      this.done += 1;
      await this.next();
    } catch (error) {
      if (!wasAborted(error)) this.trouble = /** @type {Error} */ (error).message;
    }
    this.busy = false;
  }

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    if (!this.card) return [];
    if (this.told) {
      const grades = GRADES.map(([, words], index) => ({ key: String(index + 1), help: words.toLowerCase(), run: () => void this.accept(index + 1) }));
      return [{ key: "Enter Space", help: "next card", run: () => void this.accept(this.told.rating) }, ...(this.practice ? [] : grades)];
    }
    const board = /** @type {any} */ (this.querySelector("kb-board"));
    const actions = (ANSWERS[this.card.kind] ?? []).map(([answer, words, key]) => ({ key, help: words.toLowerCase(), run: () => void this.answer(answer) }));
    return this.plays
      ? [{ key: "c", help: "confirm the play", run: () => board?.confirm() }, { key: "m", help: "type the play", run: () => this.querySelector("input")?.focus() }]
      : actions;
  }

  get arrows() {
    if (!this.told || this.told.decision.question !== "play") return [];
    const { plays } = this.told.decision;
    const own = plays.find((/** @type {any} */ one) => one.play === this.told.answer);
    const found = own && own !== plays[0] ? [{ moves: own.moves, kind: "chosen" }] : [];
    return [...found, { moves: plays[0].moves, kind: "best" }];
  }

  render() {
    const { card } = this;
    const title = html`<h1 class="panel-title breakable">${this.name || "Study"}${this.practice ? html` <span class="chip">practice</span>` : nothing}</h1>`;
    if (card === undefined) return html`${title}<p class="busy muted">One moment</p>`;
    if (card === null) {
      return html`<div class="panel empty stack-s narrow">${title}
        ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : html`<p class="large" role="status">${this.done ? `Done: ${this.done} answered.` : "Nothing is due now."}</p>`}
        <div class="row centred"><a class="btn btn-primary" href="/study">All decks</a><a class="btn" href=${`/study/${this.deck}?practice`}>Practise anyway</a></div></div>`;
    }
    return html`<div class="with-board">
      <div class="board-side stack-s">
        <kb-board .state=${card.state} mode=${this.plays && !this.told ? "play" : "still"} .plays=${this.told ? null : this.plays} .arrows=${this.arrows} .bottom=${card.kind === "answer" ? 1 - card.state.turn : card.state.turn}
          .confirmLabel=${"Answer"} @kb-confirm=${(/** @type {CustomEvent} */ event) => this.answer(event.detail.play?.play ?? "")} @kb-entry=${this.entered}></kb-board>
      </div>
      <div class="stack">
        <section class="panel"><div class="panel-head">${title}<span class="muted small">${this.done ? `${this.done} answered` : card.new ? "new card" : ""}</span></div>
          <div class="panel-body stack">
            <p class="asked">${card.question}</p>
            ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
            ${this.told ? this.result() : this.choices(card)}
          </div></section>
        ${this.told ? this.solution() : nothing}
      </div>
    </div>`;
  }

  /** @param {CustomEvent} event */
  entered(event) {
    if (!event.detail.complete || document.activeElement instanceof HTMLInputElement) return;
    requestAnimationFrame(() => /** @type {HTMLElement|null} */ (this.querySelector(".entry-bar .btn-primary:enabled"))?.focus());
  }

  /** @param {any} card */
  choices(card) {
    const answers = ANSWERS[card.kind];
    if (!answers) return html`<p class="hint">Play it on the board, or type it.</p>`;
    return html`<div class="row">${answers.map(
      ([answer, words, key], place) => html`<button class="btn btn-large" ?data-first=${!place} title=${`${words} (${key})`} ?disabled=${this.busy} @click=${() => this.answer(answer)}>${words}</button>`,
    )}</div>`;
  }

  result() {
    const { told } = this;
    const mark = markOf(told.lost);
    return html`<div class="stack-s" role="status">
        <p class="large">${told.lost < 0.0005 ? html`<span class="mark-good">✓ Right</span>` : html`<span class=${mark.name ? `mark-${mark.name}` : ""}>${mark.glyph} ${told.answer} loses ${told.lost.toFixed(3)}</span>`}</p>
        ${told.lost < 0.0005 ? nothing : html`<p>Right: <b>${told.solution}</b></p>`}
        ${told.reason ? html`<p class="breakable">${told.reason}</p>` : nothing}
        <p class="small muted breakable">${this.card.about}</p>
        <p><a class="btn btn-small" href=${addressOf(this.card.state)}>${icon("search")} Analyse</a></p></div>
      ${this.practice
        ? html`<button class="btn btn-primary btn-large" data-first @click=${() => this.accept(told.rating)}>Next</button>`
        : html`<div class="grades" role="group" aria-label="How well you knew it">${GRADES.map(
            ([grade, words], index) => html`<button class="btn ${told.rating === index + 1 ? "btn-primary" : ""}" ?data-first=${told.rating === index + 1} ?disabled=${this.busy}
              title=${`${words} (${index + 1})`} @click=${() => this.accept(index + 1)}><span>${words}</span><span class="small">${until(told.outlook[grade])}</span></button>`,
          )}</div>`}`;
  }

  solution() {
    const { decision } = this.told;
    if (decision.question !== "play") {
      return html`<section class="panel"><div class="panel-head"><h2 class="panel-title">${decision.action}</h2></div>
        <table class="table"><tbody>${[["No double", decision.no_double], ["Double, take", decision.double_take], ["Double, pass", decision.double_pass]].map(
          ([words, value]) => html`<tr><td>${words}</td><td class="num">${equity(/** @type {number} */ (value))}</td></tr>`,
        )}</tbody></table></section>`;
    }
    return html`<section class="panel scroll" tabindex="0" aria-label="Plays">${playsTable(decision.plays, { most: 6, chosen: this.told.answer })}</section>`;
  }
}

/** What is asked about a state: all that the service reads. @param {any} state */
function asked({ position, match, dice, offer, turn }) {
  return { position: { mine: position.mine, theirs: position.theirs }, match, dice, offer, turn };
}

customElements.define("kb-study-card", StudyCard);

class StudyScreen extends Screen {
  /** @returns {import("../keys.js").Key[]} */
  keys() {
    const card = /** @type {StudyCard|null} */ (this.querySelector("kb-study-card"));
    return card?.keys() ?? [];
  }

  render() {
    const deck = Number(this.route.params.part);
    return deck
      ? html`<kb-study-card .deck=${deck} .practice=${this.route.query.has("practice")}></kb-study-card>`
      : html`<kb-study-decks></kb-study-decks>`;
  }
}

customElements.define("kb-study", StudyScreen);
