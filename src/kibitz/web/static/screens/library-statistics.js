// Statistics: how good, where, and is it getting better. Every number is a link to its decisions.

import { html, nothing, svg } from "../vendor/lit-3.3.3.js";
import { get, wasAborted } from "../api.js";
import { LightElement, setAddress, vars } from "../screen.js";
import { equity, plural } from "../words.js";

/** What numbers can be told apart by, in words. */
const GROUPS = {
  kind: "kind of decision",
  phase: "phase",
  plan: "kind of game",
  score: "score",
  direction: "cube error",
  opponent: "opponent",
  event: "event",
  length: "length",
  year: "year",
  month: "month",
  opening: "opening roll",
  match: "match",
};
const PERIODS = { "": "all time", 30: "30 days", 90: "90 days", 365: "a year" };

class LibraryStatistics extends LightElement {
  static properties = { route: { attribute: false }, told: { state: true }, trouble: { state: true }, nobody: { state: true }, players: { state: true }, by: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.route = null;
    /** @type {{kinds: any, rows: any, progress: any, bars: any[]}|null} */
    this.told = null;
    this.trouble = "";
    /** whether "me" is asked for and nobody has said who that is */
    this.nobody = false;
    /** @type {any[]} */
    this.players = [];
    this.by = "phase";
    this.work = new AbortController();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort();
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("route") && this.route) {
      this.by = this.route.query.get("by") ?? this.by;
      void this.read();
    }
  }

  get who() {
    return this.route.query.get("player") ?? "me";
  }

  /** The conditions of all numbers. */
  get query() {
    const query = new URLSearchParams({ player: this.who });
    for (const name of ["since", "until", "opponent", "event", "length"]) {
      const value = this.route.query.get(name);
      if (value) query.set(name, value);
    }
    return query;
  }

  async read() {
    this.work.abort();
    this.work = new AbortController();
    const { signal } = this.work;
    const { query } = this;
    try {
      if (!this.players.length) this.players = (await get("/v1/players", { signal })).players;
      this.nobody = this.who === "me" && !this.players.some((one) => one.is_me);
      if (this.nobody) return;
      const [kinds, rows, progress, histogram] = await Promise.all([
        get(`/v1/statistics?${query}&by=kind`, { signal }),
        get(`/v1/statistics?${query}&by=${this.by}`, { signal }),
        get(`/v1/progress?${query}&window=10`, { signal }),
        get(`/v1/histogram?${query}`, { signal }),
      ]);
      this.told = { kinds, rows, progress, bars: histogram.bars };
      this.trouble = "";
    } catch (error) {
      if (wasAborted(error)) return;
      this.told = null;
      this.trouble = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Record<string, string>} changes */
  change(changes) {
    const query = new URLSearchParams(this.route.query);
    for (const [name, value] of Object.entries(changes)) value ? query.set(name, value) : query.delete(name);
    setAddress(`/library/statistics?${query}`);
    this.route = { ...this.route, query };
  }

  /** A number that opens its decisions. @param {any} row @param {"decisions"|"errors"|"blunders"|"pr_counted"} name @param {string} [order] */
  link(row, name, order = "lost") {
    return row[name] ? html`<a href=${`/library/decisions?${row.queries[name]}&order=${order}`}>${row[name].toLocaleString()}</a>` : html`0`;
  }

  /** A PR that opens the decisions that count for it. @param {any} row */
  rate(row) {
    const value = rate(row.pr);
    return row.pr_counted ? html`<a href=${`/library/decisions?${row.queries.pr_counted}&order=lost`} aria-label=${`PR ${value}, its decisions`}>${value}</a>` : value;
  }

  /** What dice brought, which opens the plays of these dice. @param {any} row */
  luck(row) {
    if (row.luck_rate === null) return "–";
    const query = new URLSearchParams(row.queries.decisions);
    query.set("kind", "checker");
    return html`<a href=${`/library/decisions?${query}`} aria-label=${`Luck ${equity(row.luck_rate)}, its rolls`}>${equity(row.luck_rate)}</a>`;
  }

  render() {
    return html`<div class="stack">
      <h1>Statistics</h1>
      ${this.form()}
      ${this.nobody && !this.players.length
        ? html`<div class="panel empty">Nobody has played yet. <a href="/library">Import some matches</a>, or <a href="/play">play one</a>.</div>`
        : this.nobody
        ? html`<div class="panel empty stack-s"><p>Which of the players are you?</p><p><a class="btn btn-primary" href="/library/players">Say who you are</a></p><p class="small muted">Or choose a player above.</p></div>`
        : this.trouble
        ? html`<p class="problem" role="alert">${this.trouble}</p>`
        : this.told
          ? this.told.kinds.total.decisions
            ? this.page(this.told)
            : html`<div class="panel empty">Nothing of this is reviewed yet. <a href="/library">Review some matches</a> first.</div>`
          : html`<p class="busy muted">One moment</p>`}
    </div>`;
  }

  form() {
    const me = this.players.find((one) => one.is_me);
    const names = this.players.filter((one) => one.matches && !one.is_me).slice(0, 200);
    return html`<div class="filters">
      <label class="field">Player <select class="select" @change=${(/** @type {any} */ event) => this.change({ player: event.target.value })}>
        <option value="me" ?selected=${this.who === "me"}>${me ? `${me.name} (me)` : "me"}</option>
        ${names.map((one) => html`<option value=${one.name} ?selected=${this.who === one.name}>${one.name}</option>`)}</select></label>
      <label class="field">Time <select class="select" @change=${(/** @type {any} */ event) => this.change({ since: ago(event.target.value) })}>
        ${Object.entries(PERIODS).map(([days, words]) => html`<option value=${days} ?selected=${(this.route?.query.get("since") ?? "") === ago(days)}>${words}</option>`)}</select></label>
    </div>`;
  }

  /** @param {{kinds: any, rows: any, progress: any, bars: any[]}} told */
  page({ kinds, rows, progress, bars }) {
    const { total } = kinds;
    return html`
      <section class="figures" aria-label="All together">
        <div class="figure"><span class="big">${this.rate(total)}</span><span class="muted small">PR${total.pr_error ? html` ± ${total.pr_error.toFixed(1)}` : nothing}${total.pr_name ? html`, ${total.pr_name}` : nothing}</span></div>
        <div class="figure"><span class="big">${this.link(total, "decisions")}</span><span class="muted small">decisions in ${plural(total.matches, "match", "matches")}</span></div>
        <div class="figure"><span class="big">${this.link(total, "errors")}</span><span class="muted small">errors</span></div>
        <div class="figure"><span class="big">${this.link(total, "blunders")}</span><span class="muted small">blunders</span></div>
        <div class="figure"><span class="big">${this.luck(total)}</span><span class="muted small">luck for each of ${total.rolls} rolls</span></div>
      </section>
      <section class="panel"><div class="panel-head"><h2 class="panel-title">Progress</h2></div>
        <div class="panel-body"><kb-progress-plot .points=${progress.points} .window=${progress.window}></kb-progress-plot></div></section>
      <div class="columns">
        ${this.table("By kind of decision", kinds.rows, "Figures by kind of decision")}
        <section class="panel"><div class="panel-head"><h2 class="panel-title">Sizes of errors</h2></div><div class="panel-body">${this.histogram(bars)}</div></section>
      </div>
      ${this.table(
        html`By <select class="select inline" aria-label="Told apart by" @change=${(/** @type {any} */ event) => this.change({ by: event.target.value })}>
          ${Object.entries(GROUPS).map(([name, words]) => html`<option value=${name} ?selected=${name === this.by}>${words}</option>`)}</select>`,
        rows.rows,
        "Figures told apart",
      )}`;
  }

  /** @param {unknown} title @param {any[]} rows @param {string} label */
  table(title, rows, label) {
    const most = Math.max(...rows.map((row) => row.pr ?? 0), 0.001);
    return html`<section class="panel scroll" tabindex="0" aria-label=${label}><div class="panel-head"><h2 class="panel-title">${title}</h2></div>
      <table class="table"><thead><tr><th><span class="visually-hidden">Group</span></th><th class="num">PR</th><th class="bars"><span class="visually-hidden">PR as a bar</span></th><th class="num">Decisions</th><th class="num">Errors</th><th class="num">Blunders</th></tr></thead>
      <tbody>${rows.length ? rows.map(
        (row) => html`<tr><td class="key-cell">${row.key || "none"}</td>
          <td class="num">${this.rate(row)}${row.pr_error ? html` <span class="muted small wide">± ${row.pr_error.toFixed(1)}</span>` : nothing}</td>
          <td class="bars"><span class="bar-of" ${vars({ "--share": (row.pr ?? 0) / most })}></span></td>
          <td class="num">${this.link(row, "decisions")}</td><td class="num">${this.link(row, "errors")}</td><td class="num">${this.link(row, "blunders")}</td></tr>`,
      ) : html`<tr><td colspan="6" class="muted">Nothing</td></tr>`}</tbody></table></section>`;
  }

  /** @param {any[]} bars */
  histogram(bars) {
    const most = Math.max(...bars.map((bar) => bar.count), 1);
    return html`<ul class="histogram">${bars.map((bar) => {
      const words = bar.below === null ? `${bar.at_least} and more` : `${bar.at_least} to ${bar.below}`;
      return html`<li><span class="small muted num">${words}</span><span class="bar-of" ${vars({ "--share": bar.count / most })}></span>
        <span class="num">${bar.count ? html`<a href=${`/library/decisions?${bar.query}&order=lost`} aria-label=${`${bar.count} that lost ${words}`}>${bar.count}</a>` : "0"}</span></li>`;
    })}</ul>`;
  }
}

/** @param {number|null} value */
function rate(value) {
  return value === null ? "–" : value.toFixed(1);
}

/** The day so many days ago. @param {string} days */
function ago(days) {
  if (!days) return "";
  const day = new Date(Date.now() - 86400000 * Number(days));
  return day.toISOString().slice(0, 10);
}

customElements.define("kb-library-statistics", LibraryStatistics);

// --- progress: the PR from match to match, whose points are links; the line is the rolling PR ---------------------------

const HEIGHT = 230;
const LEFT = 42;
const RIGHT = 12;
const TOP = 14;
const BOTTOM = 30;

/**
 * A round step for an axis that goes up to some value.
 * @param {number} top
 */
export function stepOf(top) {
  const rough = top / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-9)));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power;
}

export class ProgressPlot extends LightElement {
  static properties = { points: { attribute: false }, window: { attribute: false }, width: { state: true } };

  constructor() {
    super();
    /** @type {any[]} as `/v1/progress` tells them */
    this.points = [];
    this.window = 10;
    this.width = 760;
    this.watch = new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width) this.width = width;
    });
  }

  connectedCallback() {
    super.connectedCallback();
    this.watch.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watch.disconnect();
  }

  render() {
    const { width } = this; // drawn at its real size, so that letters stay readable on any screen
    const points = this.points.filter((one) => one.own.pr !== null);
    if (points.length < 2) return html`<p class="hint">The course of your PR is drawn once two matches are reviewed.</p>`;
    const top = Math.max(...points.map((one) => one.own.pr)) * 1.08 || 1;
    /** @param {number} index */
    const x = (index) => LEFT + ((width - LEFT - RIGHT) * index) / Math.max(points.length - 1, 1);
    /** @param {number} value */
    const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
    const step = stepOf(top);
    const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
    /** @param {"recent"|"lifetime"} name */
    const line = (name) => points.map((one, index) => `${index ? "L" : "M"}${x(index).toFixed(1)} ${y(one[name].pr).toFixed(1)}`).join("");
    const [first, last] = [points[0], points[points.length - 1]];
    return html`<svg class="plot" viewBox="0 0 ${width} ${HEIGHT}" role="group" aria-label="PR from match to match">
        ${ticks.map((tick) => svg`<line class="grid" x1=${LEFT} x2=${width - RIGHT} y1=${y(tick)} y2=${y(tick)} /><text class="tick" x=${LEFT - 8} y=${y(tick) + 4} text-anchor="end">${tick}</text>`)}
        <path class="line-lifetime" d=${line("lifetime")} /><path class="line-recent" d=${line("recent")} />
        ${points.map((one, index) => {
          const words = `${one.played_on ?? "no date"}: PR ${one.own.pr.toFixed(1)}, ${one.own.decisions} decisions`;
          return svg`<a href=${`/library/decisions?${one.query}&order=lost`} aria-label=${words}><title>${words}</title><circle class="dot" cx=${x(index)} cy=${y(one.own.pr)} r="5" /></a>`;
        })}
        <text class="tick" x=${LEFT} y=${HEIGHT - 8}>${first.played_on ?? "first"}</text>
        <text class="tick" x=${width - RIGHT} y=${HEIGHT - 8} text-anchor="end">${last.played_on ?? "last"}</text>
      </svg>
      <p class="legend small muted"><span class="key key-dot"></span> a match <span class="key key-recent"></span> the last ${this.window} <span class="key key-lifetime"></span> all so far${
        points.length < this.points.length ? html` · ${this.points.length - points.length} without decisions` : nothing
      }</p>`;
  }
}

customElements.define("kb-progress-plot", ProgressPlot);
