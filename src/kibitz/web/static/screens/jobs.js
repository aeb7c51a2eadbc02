// Jobs: what runs, how far it is, and a way to stop it. The list is live.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { remove, stream, wasAborted } from "../api.js";
import { addressOf } from "../recent.js";
import { Screen } from "../screen.js";
import { duration } from "../words.js";

const STATES = { queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" };

class JobsScreen extends Screen {
  static properties = { jobs: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    /** @type {any[]|null} */
    this.jobs = null;
    this.trouble = "";
    this.work = new AbortController();
  }

  connectedCallback() {
    super.connectedCallback();
    this.work = new AbortController();
    void this.watch();
  }

  leave() {
    this.work.abort();
  }

  async watch() {
    const { signal } = this.work;
    try {
      for await (const { data } of stream("/v1/jobs/events", undefined, { signal })) {
        this.jobs = data.jobs;
        this.trouble = "";
      }
    } catch (error) {
      if (wasAborted(error) || signal.aborted) return;
      this.trouble = /** @type {Error} */ (error).message;
      this.jobs ??= [];
    }
  }

  /** @param {any} job */
  async cancel(job) {
    try {
      await remove(`/v1/jobs/${job.id}`);
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
  }

  render() {
    const open = this.jobs?.filter((job) => job.state === "queued" || job.state === "running") ?? [];
    const over = this.jobs?.filter((job) => !open.includes(job)) ?? [];
    return html`<div class="stack narrow">
      <div class="spread"><h1>Jobs</h1><p class="muted" role="status">${this.jobs ? (open.length ? `${open.length} at work` : "Nothing runs") : nothing}</p></div>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble} <button class="btn btn-small" @click=${this.watch}>Try again</button></p>` : nothing}
      ${this.jobs === null ? html`<p class="busy muted">One moment</p>` : nothing}
      ${open.map((job) => this.card(job))}
      ${over.length ? this.table(over) : this.jobs && !open.length ? html`<div class="panel empty">Rollouts, reviews and tables show here while they are made. Start one from a <a href="/position">position</a> or the <a href="/library">library</a>.</div>` : nothing}
    </div>`;
  }

  /** @param {any} job */
  card(job) {
    const left = job.progress > 0.02 && job.started_at ? ((Date.now() - new Date(job.started_at).getTime()) / 1000) * (1 / job.progress - 1) : job.cost;
    return html`<section class="panel"><div class="panel-body stack-s">
      <div class="spread"><h2 class="panel-title breakable">${title(job)}</h2>
        <button class="btn btn-small" aria-label=${`Cancel ${title(job)}`} @click=${() => this.cancel(job)}>Cancel</button></div>
      <progress class="progress" max="1" value=${job.progress} aria-label=${`Progress of ${title(job)}`}></progress>
      <p class="small muted">${STATES[/** @type {keyof typeof STATES} */ (job.state)]} · ${Math.round(100 * job.progress)}% · about ${duration(Math.max(left, 1))} left</p>
    </div></section>`;
  }

  /** @param {any[]} jobs */
  table(jobs) {
    return html`<section class="panel scroll" tabindex="0" aria-label="Finished jobs"><table class="table">
      <thead><tr><th>Job</th><th>State</th><th class="num">Took</th><th>Finished</th></tr></thead>
      <tbody>${jobs.map((job) => {
        const took = job.started_at && job.finished_at ? duration((new Date(job.finished_at).getTime() - new Date(job.started_at).getTime()) / 1000) : "–";
        const href = place(job);
        return html`<tr><td class="breakable">${href ? html`<a href=${href}>${title(job)}</a>` : title(job)}${job.error ? html`<span class="block small mark-blunder">${job.error}</span>` : nothing}</td>
          <td>${STATES[/** @type {keyof typeof STATES} */ (job.state)]}</td><td class="num">${took}</td>
          <td class="nowrap">${job.finished_at ? new Date(job.finished_at).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : ""}</td></tr>`;
      })}</tbody></table></section>`;
  }
}

/** What a job is about. @param {any} job */
function title(job) {
  const asked = job.request ?? {};
  if (job.kind === "review") return `Review of match ${asked.match} (${asked.level ?? "default"})`;
  if (job.kind === "rollout") return `Rollout${asked.dice ? ` of ${asked.dice}` : ""} (${asked.preset ?? "standard"})`;
  return job.kind === "table" ? `Table ${asked.name}` : job.kind;
}

/** Where what came of it is shown. @param {any} job */
function place(job) {
  if (job.kind === "review") return `/match/${job.request.match}`;
  const { position } = job.request ?? {};
  const xgid = typeof position === "string" ? position : position?.xgid;
  return job.kind === "rollout" && xgid?.startsWith("XGID=") ? addressOf({ xgid }) : "";
}

customElements.define("kb-jobs", JobsScreen);
