// <kb-rollout>: a rollout of the decision as a job: started, watched with its intervals, and cancelled.

import { html, nothing, svg } from "../vendor/lit-3.3.3.js";
import { Problem, get, post, remove, stream, wasAborted } from "../api.js";
import { LightElement } from "../screen.js";
import { duration, equity } from "../words.js";

const PRESETS = [
  ["quick", "Quick: 324 games, 0 plies"],
  ["standard", "Standard: 1296 games, 0 plies"],
  ["world-class", "World class: 1296 games, 2 plies"],
  ["roller", "Roller: 360 games, cut after 9 turns"],
  ["roller+", "Roller+: 720 games, cut after 11 turns"],
  ["roller++", "Roller++: 1728 games, 1 ply, cut after 16 turns"],
];

export class RolloutElement extends LightElement {
  static properties = { state: { attribute: false }, plays: { attribute: false }, job: { state: true }, estimate: { state: true }, preset: { state: true }, top: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    /** @type {string[]} plays that are always among those rolled out */
    this.plays = [];
    /** @type {any} */
    this.job = null;
    this.estimate = "";
    this.preset = "quick";
    this.top = 3;
    this.trouble = "";
    this.asked = "";
    this.work = new AbortController();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.work.abort(); // the job goes on: it is among the jobs
    this.asked = "";
  }

  get body() {
    const playing = Boolean(this.state.dice);
    return { position: this.state.xgid ?? this.state, preset: this.preset, top: playing ? this.top : 1, ...(playing && this.plays.length ? { play: this.plays } : {}) };
  }

  get runs() {
    return this.job && !["done", "failed", "cancelled"].includes(this.job.state);
  }

  updated() {
    const question = JSON.stringify([this.state?.xgid, this.preset, this.top, this.plays]);
    if (!this.state || question === this.asked) return;
    if (this.asked && !this.asked.startsWith(JSON.stringify([this.state.xgid]).slice(0, -1))) this.job = null;
    this.asked = question;
    void this.guess();
  }

  /** What it would cost. */
  async guess() {
    try {
      const found = await post("/v1/rollouts?estimate=true", this.body);
      this.estimate = `about ${duration(found.cost)} of one core`;
      this.trouble = "";
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
    }
  }

  async start() {
    this.work.abort();
    this.work = new AbortController();
    const { signal } = this.work;
    this.trouble = "";
    try {
      this.job = await post("/v1/rollouts", this.body);
      for await (const { data } of stream(`/v1/jobs/${this.job.id}/events`, undefined, { signal })) this.job = data;
    } catch (error) {
      if (wasAborted(error)) return;
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
    }
  }

  async cancel() {
    try {
      await remove(`/v1/jobs/${this.job.id}`);
      this.job = await get(`/v1/jobs/${this.job.id}`);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
    }
  }

  render() {
    return html`<div class="stack">
      <div class="field-row">
        <label class="field grow">Rollout
          <select class="select" ?disabled=${this.runs} @change=${(/** @type {any} */ event) => (this.preset = event.target.value)}>
            ${PRESETS.map(([name, words]) => html`<option value=${name} ?selected=${name === this.preset}>${words}</option>`)}
          </select>
        </label>
        ${this.state?.dice
          ? html`<label class="field">Plays
              <input class="input input-short" type="number" min="1" max="20" .value=${String(this.top)} ?disabled=${this.runs}
                @change=${(/** @type {any} */ event) => (this.top = Math.min(20, Math.max(1, Number(event.target.value) || 1)))} />
            </label>`
          : nothing}
        ${this.runs
          ? html`<button class="btn btn-danger" @click=${this.cancel}>Cancel</button>`
          : html`<button class="btn btn-primary" @click=${this.start}>Roll out</button>`}
      </div>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      ${this.job ? this.progress() : html`<p class="hint">${this.estimate}</p>`}
    </div>`;
  }

  progress() {
    const { job } = this;
    const result = job.result;
    const words = { queued: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" };
    const games = result?.trials ? `, ${result.trials} games` : "";
    return html`<div class="stack-s">
      <div class="spread small"><span role="status">${words[/** @type {keyof typeof words} */ (job.state)] ?? job.state}${games}</span><a href="/jobs">Job ${job.id}</a></div>
      ${this.runs ? html`<progress class="progress" max="1" value=${job.progress} aria-label="Progress of the rollout"></progress>` : nothing}
      ${job.error ? html`<p class="problem">${job.error}</p>` : nothing} ${result?.results?.length ? this.table(result) : nothing}
    </div>`;
  }

  /** @param {any} result */
  table(result) {
    /** @type {any[]} */
    const rows = result.results;
    const ends = rows.flatMap((one) => [one.equity - 1.96 * one.standard_error, one.equity + 1.96 * one.standard_error]);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const scale = (/** @type {number} */ value) => (high > low ? (100 * (value - low)) / (high - low) : 50);
    return html`<table class="table intervals">
      <thead><tr><th scope="col">Choice</th><th scope="col" class="num">Equity</th><th scope="col" class="num" title="95 %">±</th><th scope="col" class="num">Loss</th></tr></thead>
      <tbody>
        ${rows.map(
          (one) => html`<tr class=${one.rank === 1 ? "is-best" : ""}>
              <td>${one.name}
                <svg class="interval" viewBox="-2 0 104 10" preserveAspectRatio="none" aria-hidden="true">
                  ${svg`<path d=${`M${scale(one.equity - 1.96 * one.standard_error)} 5H${scale(one.equity + 1.96 * one.standard_error)}`} vector-effect="non-scaling-stroke" />
                  <path class="middle" d=${`M${scale(one.equity)} 1V9`} vector-effect="non-scaling-stroke" />`}
                </svg>
              </td>
              <td class="num">${equity(one.equity)}</td>
              <td class="num">${(1.96 * one.standard_error).toFixed(3)}</td>
              <td class="num">${one.difference ? (-one.difference).toFixed(3) : "best"}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define("kb-rollout", RolloutElement);
