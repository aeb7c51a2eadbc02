// The start: one box for any notation, a place to drop files, what was looked at before, and examples.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Problem } from "../api.js";
import { icon } from "../icons.js";
import { Screen } from "../screen.js";
import { addressOf, recent } from "../recent.js";
import { readXgid } from "../elements/xgid.js";
import { openFiles, openText } from "./opening.js";
import "../elements/kb-board.js";

const EXAMPLES = [
  ["An opening roll", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"],
  ["Double? Take?", "XGID=--b-BBC-C---dC---c-e--a-B-:0:0:1:00:2:3:0:7:10"],
  ["On the bar", "XGID=----BBC-C---bC---c-db-bbAA:0:0:1:41:0:0:1:0:10"],
  ["A back game", "XGID=------D-C----D---bbcccbBB-:0:0:1:64:0:0:1:0:10"],
  ["Bearing off", "XGID=-BBCBBA--------------cbcb-:1:1:1:64:2:3:0:5:10"],
];

class OpenScreen extends Screen {
  static properties = { trouble: { state: true }, over: { state: true }, busy: { state: true } };

  constructor() {
    super();
    this.trouble = "";
    this.over = false;
    this.busy = false;
  }

  /** @param {SubmitEvent} event */
  submit(event) {
    event.preventDefault();
    const box = /** @type {HTMLTextAreaElement} */ (this.querySelector("textarea"));
    if (box.value.trim()) void this.open(() => openText(box.value));
  }

  /** @param {() => Promise<void>} work */
  async open(work) {
    this.trouble = "";
    this.busy = true;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.trouble = error.message;
    } finally {
      this.busy = false;
    }
  }

  /** @param {DragEvent} event */
  dropped(event) {
    event.preventDefault();
    this.over = false;
    const files = [...(event.dataTransfer?.files ?? [])];
    const text = event.dataTransfer?.getData("text/plain");
    if (files.length) void this.open(() => openFiles(files));
    else if (text) void this.open(() => openText(text));
  }

  /** @param {Event} event */
  chosen(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const files = [...(input.files ?? [])];
    if (files.length) void this.open(() => openFiles(files));
  }

  render() {
    const items = recent();
    return html`<div class="open stack">
      <h1>What are we looking at?</h1>
      <form class="panel open-box ${this.over ? "is-over" : ""}" @submit=${this.submit} @drop=${this.dropped}
        @dragover=${(/** @type {DragEvent} */ event) => (event.preventDefault(), (this.over = true))}
        @dragleave=${() => (this.over = false)}>
        <label class="visually-hidden" for="open-text">A position or a match</label>
        <textarea class="textarea mono" id="open-text" rows="3" spellcheck="false" autocomplete="off"
          placeholder="Paste an XGID, a Position ID, a FIBS board or a whole match, or drop a file here"
          @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && !event.shiftKey && this.submit(/** @type {any} */ (event))}></textarea>
        <div class="spread">
          <label class="btn btn-quiet">${icon("upload")} Choose files<input class="visually-hidden" type="file" multiple @change=${this.chosen} /></label>
          <button class="btn btn-primary" ?disabled=${this.busy}>Look at it</button>
        </div>
        ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      </form>
      ${items.length ? this.cards("Lately", items) : nothing} ${this.cards("Examples", EXAMPLES.map(([title, xgid]) => ({ href: addressOf({ xgid }), title, more: "" })))}
    </div>`;
  }

  /** @param {string} title @param {import("../recent.js").Item[]} items */
  cards(title, items) {
    return html`<section class="stack-s">
      <h2>${title}</h2>
      <ul class="board-cards">
        ${items.map((item) => {
          const state = readXgid(new URL(item.href, location.origin).searchParams.get("xgid") ?? "");
          return html`<li>
            <a class="board-card" href=${item.href}>
              ${state ? html`<kb-board .state=${state} .strips=${false} aria-hidden="true"></kb-board>` : nothing}
              <span class="board-card-words"><span class="strong">${item.title}</span>${item.more ? html`<span class="muted small">${item.more}</span>` : nothing}</span>
            </a>
          </li>`;
        })}
      </ul>
    </section>`;
  }
}

customElements.define("kb-open", OpenScreen);
