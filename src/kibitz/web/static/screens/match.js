// A match: read, reviewed while one looks on, walked through, noted on, retried, and taken away in any format.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Problem, get, post, put, remove, stream, wasAborted } from "../api.js";
import { Review } from "../elements/review.js";
import "../elements/kb-review.js";
import { icon } from "../icons.js";
import { addressOf, remember } from "../recent.js";
import { Screen, setAddress } from "../screen.js";
import { toast } from "../toasts.js";
import "./match-retry.js";

/** @typedef {import("../elements/review.js").Item} Item */

const LEVELS = [
  ["fast", "Fast: the net alone"],
  ["default", "Default: two plies where it matters"],
  ["thorough", "Thorough"],
  ["deep", "Deep"],
];
/** @type {Record<string, string>} */
const FORMATS = {
  mat: "Jellyfish match (.mat)",
  sgf: "Smart Game Format with analyses (.sgf)",
  json: "JSON without loss (.json)",
  ogxm: "Open exchange format (.ogxm)",
};

class MatchScreen extends Screen {
  static properties = {
    told: { state: true },
    found: { state: true },
    at: { state: true },
    notes: { state: true },
    reading: { state: true },
    job: { state: true },
    level: { state: true },
    trouble: { state: true },
    retrying: { state: true },
    writing: { state: true },
  };

  constructor() {
    super();
    this.forget();
  }

  /** Nothing is known yet. */
  forget() {
    /** @type {any} */
    this.told = null;
    /** @type {Review|null} */
    this.found = null;
    /** @type {Item|undefined} */
    this.at = undefined;
    /** @type {any[]} */
    this.opinions = [];
    /** @type {any[]} */
    this.notes = [];
    /** @type {any} what the service has said of the review */
    this.answer = null;
    /** whether a review is there and on its way */
    this.reading = false;
    /** @type {any} the job that reviews the match */
    this.job = null;
    this.level = "default";
    this.trouble = "";
    this.retrying = false;
    /** @type {{id: number, text: string}|null} the note that is being written; 0 for a new one */
    this.writing = null;
    this.stopping?.abort();
    this.stopping = new AbortController();
  }

  leave() {
    this.stopping?.abort();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("route")) return;
    const number = Number(this.route.params.id);
    if (this.told?.match.id === number && !this.stopping?.signal.aborted) this.goTo(this.route.query.get("at") ?? "");
    else {
      this.forget();
      void this.read(number);
    }
  }

  // --- reading -------------------------------------------------------------------------------------------------------

  /** @param {number} number */
  async read(number) {
    const { signal } = /** @type {AbortController} */ (this.stopping);
    try {
      const path = `/v1/matches/${number}`;
      const [told, notes] = await Promise.all([get(`${path}/moments`, { signal }), get(`${path}/notes`, { signal })]);
      this.notes = notes.notes;
      this.told = told;
      this.reading = told.reviewed;
      const title = told.match.players.join(" – ");
      document.title = `${title} · Kibitz`;
      remember({ href: `/match/${number}`, title, more: [told.match.event, told.match.date].filter(Boolean).join(", ") || "match" });
      this.show(null);
      await Promise.all([this.readReview(signal), this.readOpinions(signal)]);
    } catch (error) {
      this.fail(error);
    }
  }

  /** What the file itself thinks: large, and needed by one panel alone. @param {AbortSignal} signal */
  async readOpinions(signal) {
    this.opinions = (await get(`/v1/matches/${this.told.match.id}/opinions`, { signal })).opinions;
    if (this.opinions.length) this.show(this.answer);
  }

  /** The review that there is, or the beginning of one. @param {AbortSignal} signal */
  async readReview(signal) {
    const number = this.told.match.id;
    const known = this.told.reviewed;
    if (known) this.show(await get(`/v1/matches/${number}/review`, { signal }));
    this.reading = false;
    const { jobs } = await get("/v1/jobs?state=queued&state=running", { signal });
    const running = jobs.find((/** @type {any} */ one) => one.kind === "review" && one.request.match === number);
    if (running) await this.watch(running, signal);
    else if (!known && this.route.query.has("review")) await this.begin(this.route.query.get("review") || "default");
  }

  /** @param {any} answer what the service says of the review; null for nothing */
  show(answer) {
    this.answer = answer;
    if (answer) this.level = answer.review.settings.level?.name ?? this.level;
    this.found = new Review(this.told, answer?.review, this.opinions, answer?.sections);
    this.goTo(this.at?.key ?? this.route.query.get("at") ?? "");
  }

  /** @param {string} key */
  goTo(key) {
    this.at = this.found?.find(key) ?? this.at ?? this.found?.items[0];
  }

  /** Have the match reviewed. @param {string} level */
  async begin(level) {
    const signal = /** @type {AbortController} */ (this.stopping).signal;
    try {
      this.level = level;
      await this.watch(await post(`/v1/matches/${this.told.match.id}/reviews`, { level }, { signal }), signal);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Show decisions as they are judged. @param {any} job @param {AbortSignal} signal */
  async watch(job, signal) {
    this.job = job;
    for await (const { event, data } of stream(`/v1/jobs/${job.id}/events`, undefined, { signal })) {
      this.job = data;
      if (data.error) this.trouble = data.error;
      if (data.chunks.done) this.show(await get(`/v1/matches/${this.told.match.id}/review`, { signal }));
      if (event === "final") break;
    }
    this.job = null;
  }

  async cancel() {
    try {
      await remove(`/v1/jobs/${this.job.id}`);
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

  // --- going about ---------------------------------------------------------------------------------------------------

  /** @param {Item} item */
  address = (item) => `/match/${this.told.match.id}?at=${item.key}`;

  /** @param {CustomEvent} event */
  arrived(event) {
    this.at = this.found?.find(event.detail.key) ?? this.at;
    this.writing = null;
    if (this.at) setAddress(this.address(this.at));
  }

  /** @returns {import("./../elements/kb-review.js").ReviewElement|null} */
  get walk() {
    return this.querySelector("kb-review");
  }

  keys() {
    if (this.retrying) return /** @type {any} */ (this.querySelector("kb-retry"))?.keys() ?? [];
    return [
      ...(this.walk?.keys() ?? []),
      { key: "r", help: "retry my errors", run: () => this.retry() },
      { key: "e", help: "write a note", run: () => (this.writing = { id: 0, text: "" }) },
    ];
  }

  retry() {
    if (this.found?.review) this.retrying = true;
  }

  // --- notes ---------------------------------------------------------------------------------------------------------

  /** @param {SubmitEvent} event */
  async keep(event) {
    event.preventDefault();
    if (!this.writing || !this.at) return;
    const text = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("text")).trim();
    const { id } = this.writing;
    if (!text) return;
    try {
      const { game, index } = this.at;
      const path = `/v1/matches/${this.told.match.id}/notes`;
      const kept = id ? await put(`/v1/notes/${id}`, { text }) : await post(path, { text, game, index });
      this.notes = id ? this.notes.map((one) => (one.id === id ? kept : one)) : [...this.notes, kept];
      this.writing = null;
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {any} note */
  async drop(note) {
    try {
      await remove(`/v1/notes/${note.id}`);
      this.notes = this.notes.filter((one) => one.id !== note.id);
      toast("Note deleted");
    } catch (error) {
      this.fail(error);
    }
  }

  /** @param {Item} item */
  below(item) {
    const own = this.notes.filter((note) => note.game === item.game && note.index === item.index);
    return html`<section class="panel" aria-labelledby="notes-title">
      <div class="panel-head">
        <h2 class="panel-title" id="notes-title">Notes</h2>
        ${this.writing
          ? nothing
          : html`<button class="btn btn-small btn-quiet" @click=${() => (this.writing = { id: 0, text: "" })}>${icon("plus")} Write</button>`}
      </div>
      ${own.length || this.writing
        ? html`<div class="panel-body stack-s">
            ${own.map((note) => (this.writing?.id === note.id ? this.form() : this.note(note)))} ${this.writing?.id === 0 ? this.form() : nothing}
          </div>`
        : nothing}
    </section>`;
  }

  /** @param {any} note */
  note(note) {
    return html`<div class="match-note">
      <p>${note.text}</p>
      <span class="row small muted">
        ${note.origin === "file" ? "in the file" : nothing}
        <button class="btn btn-icon btn-small btn-quiet" aria-label="Edit this note" @click=${() => (this.writing = { id: note.id, text: note.text })}>${icon("edit")}</button>
        <button class="btn btn-icon btn-small btn-quiet" aria-label="Delete this note" @click=${() => this.drop(note)}>${icon("trash")}</button>
      </span>
    </div>`;
  }

  form() {
    // Drawn within <kb-review>, which would be `this` of a plain method.
    return html`<form class="stack-s" @submit=${(/** @type {SubmitEvent} */ event) => this.keep(event)} @keydown=${(/** @type {KeyboardEvent} */ event) => this.formKeys(event)}>
      <label class="visually-hidden" for="note-text">Note</label>
      <textarea class="textarea" id="note-text" name="text" maxlength="20000" required .value=${this.writing?.text ?? ""}></textarea>
      <div class="row">
        <button class="btn btn-primary btn-small">Keep</button>
        <button class="btn btn-small" type="button" @click=${() => (this.writing = null)}>Cancel</button>
        <span class="hint">Ctrl+Enter keeps it</span>
      </div>
    </form>`;
  }

  /** @param {KeyboardEvent} event */
  formKeys(event) {
    if (event.key === "Escape") this.writing = null;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) /** @type {HTMLFormElement} */ (event.currentTarget).requestSubmit();
  }

  /** @param {Map<string, any>} changed */
  updated(changed) {
    if (changed.has("writing") && this.writing) /** @type {HTMLElement|null} */ (this.querySelector("#note-text"))?.focus();
  }

  // --- drawing -------------------------------------------------------------------------------------------------------

  render() {
    if (!this.told) return this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : html`<p class="empty busy">Reading the match</p>`;
    return html`<div class="match-screen stack">
      ${this.head()} ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing} ${this.progress()}
      ${this.retrying
        ? html`<kb-retry .review=${this.found} .me=${this.told.me} @kb-done=${() => (this.retrying = false)} @kb-show=${this.showItem}></kb-retry>`
        : html`<kb-review
            .review=${this.found} .at=${this.at} .me=${this.told.me} .waiting=${Boolean(this.job) || this.reading} .href=${this.address}
            .analyse=${analyse} .below=${(/** @type {Item} */ item) => this.below(item)} @kb-at=${this.arrived}></kb-review>`}
    </div>`;
  }

  /** @param {CustomEvent} event */
  showItem(event) {
    this.retrying = false;
    this.arrived(event);
  }

  head() {
    const { match } = this.told;
    const kind = match.length ? `${match.length}-point match` : "Money session";
    const facts = [kind, match.event, match.round, match.place, match.date, this.found?.review?.engine].filter(Boolean);
    return html`<header class="match-head">
      <div>
        <h1>${match.players[0]} <span class="match-score">${match.score[0]}–${match.score[1]}</span> ${match.players[1]}</h1>
        <p class="muted small">${facts.join(" · ")}</p>
      </div>
      <div class="row no-print">
        ${this.found?.review
          ? html`<button class="btn" aria-pressed=${this.retrying ? "true" : "false"} @click=${() => (this.retrying = !this.retrying)}>${icon("study")} Retry errors</button>`
          : nothing}
        ${this.again()} ${this.exports()}
      </div>
    </header>`;
  }

  /** To have it reviewed, or again at another level. */
  again() {
    if (this.job || this.reading) return nothing;
    const known = Boolean(this.found?.review);
    const form = html`<form class=${known ? "menu-list panel row" : "row"} @submit=${this.reviewed} aria-label="Review">
      <label class="visually-hidden" for="level">Level</label>
      <select class="select match-level" id="level" name="level">
        ${LEVELS.map(([name, words]) => html`<option value=${name} ?selected=${name === this.level}>${words}</option>`)}
      </select>
      <button class="btn btn-primary">${icon("play")} Review</button>
    </form>`;
    return known ? html`<details class="menu"><summary class="btn">${icon("play")} Review again</summary>${form}</details>` : form;
  }

  /** @param {SubmitEvent} event */
  reviewed(event) {
    event.preventDefault();
    /** @type {Element} */ (event.target).closest("details")?.removeAttribute("open");
    this.trouble = "";
    void this.begin(String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("level")));
  }

  exports() {
    const { id } = this.told.match;
    const names = Object.keys(FORMATS).filter((name) => this.told.formats.includes(name));
    return html`<details class="menu" @click=${shut} @keydown=${shut}>
      <summary class="btn">${icon("download")} Export</summary>
      <ul class="menu-list panel">
        ${names.map((name) => html`<li><a href=${`/v1/matches/${id}/file?format=${name}`} download>${FORMATS[name]}</a></li>`)}
        ${this.found?.review ? html`<li><a href=${`/v1/matches/${id}/page?download=true`} download>Page that works offline (.html)</a></li>` : nothing}
      </ul>
    </details>`;
  }

  progress() {
    if (!this.job) return nothing;
    const judged = this.found?.review?.decisions.length ?? 0;
    return html`<div class="match-progress row" role="status">
      <span class="busy">${this.job.state === "queued" ? "Waiting for a free core" : `Judging: ${judged} decisions so far`}</span>
      <progress class="progress" max="1" .value=${this.job.progress} aria-label="Review"></progress>
      <button class="btn btn-small" @click=${this.cancel}>${icon("stop")} Cancel</button>
    </div>`;
  }
}

/** Close a menu when something of it was chosen, or by Escape. @param {Event} event */
function shut(event) {
  const chosen = event.target instanceof HTMLAnchorElement && event.type === "click";
  if (chosen || (event instanceof KeyboardEvent && event.key === "Escape")) /** @type {Element} */ (event.currentTarget).removeAttribute("open");
}

/** @param {Item} item */
function analyse(item) {
  return item.state.xgid ? addressOf(item.state) : "/position";
}

customElements.define("kb-match", MatchScreen);
