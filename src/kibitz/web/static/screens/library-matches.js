// Matches: import by drop with a report, filters, pages, reviews.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Problem, get, post, remove, send, stream, wasAborted } from "../api.js";
import { icon } from "../icons.js";
import { LightElement, setAddress } from "../screen.js";
import { settings } from "../settings.js";
import { toast } from "../toasts.js";
import { plural } from "../words.js";

const FILTERS = ["player", "opponent", "event", "length", "since", "until"];
const OUTCOMES = { new: "new", merged: "merged with a match that was there", extended: "extends a match that was there", known: "was there already" };
const FORMATS = ["json", "mat", "sgf"];

class LibraryMatches extends LightElement {
  static properties = {
    route: { attribute: false },
    listed: { state: true },
    next: { state: true },
    events: { state: true },
    trouble: { state: true },
    imports: { state: true },
    over: { state: true },
    confirming: { state: true },
    judged: { state: true },
  };

  constructor() {
    super();
    /** @type {any} */
    this.route = null;
    /** @type {any[]|null} */
    this.listed = null;
    /** @type {number|null} */
    this.next = null;
    /** @type {any[]} */
    this.events = [];
    this.trouble = "";
    /** @type {{total: number, done: any[]}|null} */
    this.imports = null;
    this.over = false;
    this.confirming = 0;
    /** @type {Set<number>} matches whose review was asked for here */
    this.judged = new Set();
    this.work = new AbortController();
  }

  connectedCallback() {
    super.connectedCallback();
    this.work = new AbortController();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort(); // reviews go on: they are among the jobs
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("route") && this.route) void this.read();
  }

  /** The conditions of the address that say something. */
  get query() {
    const found = new URLSearchParams();
    for (const name of FILTERS) {
      const value = this.route.query.get(name);
      if (value) found.set(name, value);
    }
    return found;
  }

  async read(after = /** @type {number|null} */ (null)) {
    const query = this.query;
    query.set("limit", "50");
    if (after) query.set("after", String(after));
    try {
      const page = await get(`/v1/matches?${query}`);
      this.listed = after ? [...(this.listed ?? []), ...page.matches] : page.matches;
      this.next = page.next;
      this.trouble = "";
      if (!after) this.events = (await get("/v1/tournaments")).events;
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
      this.listed ??= [];
    }
  }

  /** @param {SubmitEvent} event */
  filter(event) {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget));
    const query = new URLSearchParams();
    for (const name of FILTERS) {
      const value = String(given.get(name) ?? "").trim();
      if (value) query.set(name, value);
    }
    setAddress(`/library${query.size ? `?${query}` : ""}`);
    this.route = { ...this.route, query };
  }

  /** Take in files one after the other. @param {FileList|null|undefined} files */
  async take(files) {
    this.over = false;
    if (!files?.length) return;
    const all = [...files];
    this.imports = { total: all.length, done: [] };
    for (const file of all) {
      let report;
      try {
        const found = await send(`/v1/matches?name=${encodeURIComponent(file.name.slice(-150))}`, file);
        report = { name: file.name, ...found };
      } catch (error) {
        report = { name: file.name, outcome: "refused", trouble: error instanceof Problem ? error.message : String(error) };
      }
      this.imports = { total: all.length, done: [...(this.imports?.done ?? []), report] };
    }
    await this.read();
  }

  /** @param {any[]} matches */
  async review(matches) {
    try {
      const level = settings.get("reviewLevel");
      const jobs = [];
      for (const match of matches) jobs.push(await post(`/v1/matches/${match.id}/reviews`, { level }));
      this.judged = new Set([...this.judged, ...matches.map((match) => match.id)]);
      toast(`${plural(matches.length, "review")} started. Jobs shows how far they are.`);
      for (const [index, job] of jobs.entries()) {
        for await (const { event } of stream(`/v1/jobs/${job.id}/events`, undefined, { signal: this.work.signal })) if (event === "final") break;
        await this.read();
        this.judged = new Set([...this.judged].filter((id) => id !== matches[index].id));
      }
    } catch (error) {
      if (!wasAborted(error)) this.trouble = /** @type {Error} */ (error).message;
    }
  }

  /** @param {any} match */
  async forget(match) {
    if (this.confirming !== match.id) {
      this.confirming = match.id;
      return;
    }
    await remove(`/v1/matches/${match.id}`);
    toast("The match is deleted. Your notes stay.");
    this.confirming = 0;
    await this.read();
  }

  render() {
    const matches = this.listed;
    const unjudged = matches?.filter((match) => match.pr[0] === null && match.kind !== "position" && !this.judged.has(match.id)) ?? [];
    return html`<div class="stack">
      <div class="spread"><h1>Matches</h1>
        <div class="row">
          ${unjudged.length ? html`<button class="btn" @click=${() => this.review(unjudged)}>Review ${plural(unjudged.length, "new match", "new matches")}</button>` : nothing}
          <details class="menu"><summary class="btn">${icon("download")} Export</summary>
            <div class="menu-body">${FORMATS.map((format) => html`<a download href=${`/v1/export?format=${format}&${this.query}`}>These matches as .${format}</a>`)}
              <a download href="/v1/backup">The whole library</a></div></details>
        </div>
      </div>
      ${this.dropZone()} ${this.imports ? this.report(this.imports) : nothing} ${this.form()}
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      ${matches === null ? html`<p class="busy muted">One moment</p>` : matches.length ? this.table(matches) : html`<div class="panel empty">No matches ${this.query.size ? "like that" : "yet: drop some files above, or play one"}.</div>`}
    </div>`;
  }

  dropZone() {
    return html`<div class="drop ${this.over ? "is-over" : ""}"
        @dragover=${(/** @type {DragEvent} */ event) => (event.preventDefault(), (this.over = true))}
        @dragleave=${() => (this.over = false)}
        @drop=${(/** @type {DragEvent} */ event) => (event.preventDefault(), void this.take(event.dataTransfer?.files))}>
      <label class="btn">${icon("upload")} Import files
        <input class="visually-hidden" type="file" multiple @change=${(/** @type {any} */ event) => void this.take(event.target.files)} /></label>
      <span class="drop-words">or drop them here: .mat, .sgf, .xg, .bgf, .json, text</span>
    </div>`;
  }

  /** @param {{total: number, done: any[]}} imports */
  report({ total, done }) {
    const outcomes = [...new Set(done.map((one) => one.outcome))];
    const counts = outcomes.map((outcome) => `${done.filter((one) => one.outcome === outcome).length} ${outcome}`);
    const ready = done.length === total;
    return html`<section class="panel" aria-label="Import">
      <div class="panel-head"><h2 class="panel-title"><span role="status">${ready ? `Imported: ${counts.join(", ")}` : `Importing ${done.length} of ${total}`}</span></h2>
        ${ready ? html`<button class="btn btn-quiet btn-icon btn-small" aria-label="Close the report" @click=${() => (this.imports = null)}>${icon("close")}</button>` : nothing}</div>
      ${ready ? nothing : html`<div class="panel-body"><progress class="progress" max=${total} value=${done.length} aria-label="Files"></progress></div>`}
      <ul class="report">${done.slice(-50).map(
        (one) => html`<li><span class="strong breakable">${one.name}</span>
          ${one.match ? html`<a href=${`/match/${one.match.id}`}>${one.match.players.join(" – ")}</a>` : nothing}
          <span class=${one.outcome === "refused" ? "mark-blunder" : "muted"}>${one.trouble ?? OUTCOMES[/** @type {keyof typeof OUTCOMES} */ (one.outcome)]}</span>
          ${one.warnings?.length ? html`<details><summary class="small">${plural(one.warnings.length, "remark")}</summary>
            <ul class="small">${one.warnings.slice(0, 20).map((/** @type {string} */ text) => html`<li class="breakable">${text}</li>`)}</ul></details>` : nothing}</li>`,
      )}</ul></section>`;
  }

  form() {
    const value = (/** @type {string} */ name) => this.route?.query.get(name) ?? "";
    return html`<form class="filters" @submit=${this.filter} @change=${(/** @type {Event} */ event) => /** @type {HTMLFormElement} */ (event.currentTarget).requestSubmit()}>
      <label class="field">Player <input class="input" name="player" .value=${value("player")} placeholder="me or a name" autocomplete="off" /></label>
      <label class="field">Against <input class="input" name="opponent" .value=${value("opponent")} autocomplete="off" /></label>
      <label class="field">Event <select class="select" name="event">
        <option value="">any</option>${this.events.map((one) => html`<option value=${one.name} ?selected=${one.name === value("event")}>${one.name} (${one.matches})</option>`)}</select></label>
      <label class="field">Length <input class="input" name="length" type="number" min="0" max="99" .value=${value("length")} placeholder="any" /></label>
      <label class="field">From <input class="input" name="since" type="date" .value=${value("since")} /></label>
      <label class="field">To <input class="input" name="until" type="date" .value=${value("until")} /></label>
    </form>`;
  }

  /** @param {any[]} matches */
  table(matches) {
    return html`<section class="panel scroll" tabindex="0" aria-label="Matches"><table class="table">
      <thead><tr><th>Players</th><th class="num">Score</th><th class="wide">Length</th><th class="wide">Event</th><th>Date</th><th class="num">PR</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
      <tbody>${matches.map((match) => {
        const [first, second] = match.pr;
        return html`<tr>
          <td class="breakable"><a class="strong" href=${`/match/${match.id}`}>${match.players[0]} – ${match.players[1]}</a></td>
          <td class="num">${match.score[0]}–${match.score[1]}</td>
          <td class="nowrap wide">${match.kind === "position" ? "position" : match.length ? `${match.length} points` : "money"}</td>
          <td class="breakable wide">${match.event}</td><td class="nowrap">${match.date}</td>
          <td class="num act">${first === null && second === null ? this.judged.has(match.id) ? html`<span class="busy muted">being reviewed</span>` : html`<button class="btn btn-small" @click=${() => this.review([match])}>Review</button>` : `${rate(first)} · ${rate(second)}`}</td>
          <td class="num act"><button class="btn btn-quiet btn-small ${this.confirming === match.id ? "btn-danger" : "btn-icon"}" aria-label=${`Delete ${match.players.join(" – ")}`}
            @blur=${() => (this.confirming = 0)} @click=${() => this.forget(match)}>${this.confirming === match.id ? "Delete?" : icon("trash")}</button></td>
        </tr>`;
      })}</tbody></table>
      ${this.next ? html`<div class="panel-foot"><button class="btn" @click=${() => this.read(this.next)}>More</button></div>` : nothing}</section>`;
  }
}

/** @param {number|null} value */
function rate(value) {
  return value === null ? "–" : value.toFixed(1);
}

customElements.define("kb-library-matches", LibraryMatches);
