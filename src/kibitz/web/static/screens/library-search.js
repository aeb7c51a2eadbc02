// Search: the board as a pattern, conditions beside it, saved searches; positions like a given one; and the decisions
// behind a number, with what the address says in words.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import "../elements/kb-board.js";
import "../elements/kb-decision-list.js";
import { get, post, remove } from "../api.js";
import { icon } from "../icons.js";
import { LightElement, setAddress } from "../screen.js";
import { patternOf, readPattern } from "./library-pattern.js";

const KINDS = { "": "any", checker: "checker plays", double: "doubles", take: "takes", cube: "all cube actions" };
const NUMBERS = ["at_least", "my_away", "their_away"];

class LibrarySearch extends LightElement {
  static properties = {
    route: { attribute: false },
    state: { state: true },
    side: { state: true },
    relation: { state: true },
    mirrored: { state: true },
    more: { state: true },
    query: { state: true },
    likes: { state: true },
    saved: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    /** @type {any} */
    this.route = null;
    /** @type {any} the board that is drawn on */
    this.state = null;
    /** @type {"mine"|"theirs"} */
    this.side = "mine";
    /** @type {">="|"="|"<="} */
    this.relation = ">=";
    this.mirrored = false;
    /** @type {Record<string, string>} */
    this.more = {};
    /** @type {string|null} */
    this.query = null;
    /** @type {string|null} */
    this.likes = null;
    /** @type {any[]} */
    this.saved = [];
    this.trouble = "";
  }

  connectedCallback() {
    super.connectedCallback();
    void this.readSaved();
  }

  async readSaved() {
    this.saved = (await get("/v1/searches")).searches;
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("route") && this.route) void this.arrive();
  }

  /** Draw what the address says, and search for it. */
  async arrive() {
    const { query } = this.route;
    const like = query.get("like");
    try {
      if (like) {
        this.state = await post("/v1/parse", { text: like });
        this.likes = String(new URLSearchParams({ position: like, count: "50" }));
        this.query = null;
        return;
      }
      this.likes = null;
      const found = readPattern(query.get("pattern") ?? "");
      this.relation = found.relation;
      this.mirrored = query.get("mirrored") === "yes";
      this.state = { ...(await post("/v1/parse", { text: "4HPwATDgc/ABMA" })), position: found.position };
      this.more = Object.fromEntries([...query].filter(([name]) => !["pattern", "mirrored", "order", "limit", "after", "judged"].includes(name)));
      this.query = query.size ? this.asked() : null;
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
  }

  /** The query of what is drawn and chosen. */
  asked() {
    const query = new URLSearchParams();
    const pattern = this.state ? patternOf(this.state.position, this.relation) : "";
    if (pattern) query.set("pattern", pattern);
    if (pattern && this.mirrored) query.set("mirrored", "yes");
    for (const [name, value] of Object.entries(this.more)) if (value) query.set(name, value);
    query.set("order", "lost");
    return String(query);
  }

  search() {
    this.likes = null;
    this.query = this.asked();
    setAddress(`/library/search?${this.query}`);
  }

  /** @param {CustomEvent} event */
  edited(event) {
    this.state = { ...this.state, ...event.detail.state };
  }

  clear() {
    const none = Array(25).fill(0);
    this.state = { ...this.state, position: { mine: none, theirs: none } };
    this.likes = null;
  }

  async findLikes() {
    try {
      const { mine, theirs } = this.state.position;
      const { state } = await post("/v1/plays", { position: { position: { mine, theirs } }, dice: "21" });
      this.query = null;
      this.likes = String(new URLSearchParams({ position: state.position_id, count: "50" }));
      this.trouble = "";
    } catch (error) {
      this.trouble = `For likeness the board must be a whole position: ${/** @type {Error} */ (error).message}`;
    }
  }

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    return [{ key: "s", help: "search", run: () => this.search() }, ...(/** @type {any} */ (this.querySelector("kb-decision-list"))?.keys() ?? [])];
  }

  render() {
    if (!this.state) return html`<h1>Search</h1>${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : html`<p class="busy muted">One moment</p>`}`;
    const pattern = patternOf(this.state.position, this.relation);
    return html`<div class="stack">
      <h1>Search</h1>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      <div class="with-board">
        <div class="stack-s">
          <kb-board mode="edit" .state=${this.state} .strips=${false} .bottom=${this.state.turn} .editPlayer=${this.side === "mine" ? this.state.turn : 1 - this.state.turn}
            label="The pattern: put checkers where they have to stand" @kb-edit=${this.edited}></kb-board>
          <div class="row">
            <div class="group" role="group" aria-label="Whose checkers">
              ${[["mine", "Player to decide"], ["theirs", "Opponent"]].map(
                ([side, words]) => html`<button class="btn" aria-pressed=${this.side === side} @click=${() => (this.side = /** @type {"mine"} */ (side))}>${words}</button>`,
              )}
            </div>
            <button class="btn" @click=${this.clear}>Clear the board</button>
          </div>
          <p class="hint">Click to put checkers; the right button puts the other side's. Empty points say nothing.</p>
        </div>
        <form class="panel" @submit=${(/** @type {Event} */ event) => (event.preventDefault(), this.search())}>
          <div class="panel-body stack">
            <label class="field">Each point that is drawn has
              <select class="select" @change=${(/** @type {any} */ event) => (this.relation = event.target.value)}>
                ${[[">=", "at least so many checkers"], ["=", "exactly so many"], ["<=", "at most so many"]].map(([value, words]) => html`<option value=${value} ?selected=${value === this.relation}>${words}</option>`)}
              </select></label>
            <p class="mono small breakable" aria-label="The pattern">${pattern || "Nothing is drawn yet."}</p>
            <label class="check"><input type="checkbox" .checked=${this.mirrored} @change=${(/** @type {any} */ event) => (this.mirrored = event.target.checked)} /> Also with the sides changed</label>
            ${this.conditions()}
            <div class="row"><button class="btn btn-primary">${icon("search")} Search</button>
              <button type="button" class="btn" @click=${this.findLikes}>Positions like this</button></div>
          </div>
          ${this.saved.length ? html`<div class="panel-foot"><p class="small">Saved searches</p><ul class="saved">${this.saved.map(
            (one) => html`<li><a class="breakable" href=${`/library/search?${one.query}&order=lost`}>${one.name}</a>
              <button type="button" class="btn btn-quiet btn-icon btn-small" aria-label=${`Forget ${one.name}`} @click=${() => this.forget(one.name)}>${icon("trash")}</button></li>`,
          )}</ul></div>` : nothing}
        </form>
      </div>
      ${this.query !== null || this.likes !== null
        ? html`<h2>${this.likes === null ? "Found" : "Most like it"}</h2><kb-decision-list .query=${this.query} .likes=${this.likes} @kb-saved=${() => this.readSaved()}></kb-decision-list>`
        : nothing}
    </div>`;
  }

  conditions() {
    /** @param {string} name */
    const set = (name) => (/** @type {any} */ event) => (this.more = { ...this.more, [name]: event.target.value.trim() });
    const words = { at_least: "Lost at least", my_away: "Needs points", their_away: "Opponent needs" };
    return html`<div class="field-row">
        <label class="field">Kind <select class="select" @change=${set("kind")}>${Object.entries(KINDS).map(([value, text]) => html`<option value=${value} ?selected=${value === (this.more.kind ?? "")}>${text}</option>`)}</select></label>
        <label class="field">Player <input class="input" .value=${this.more.player ?? ""} placeholder="any" autocomplete="off" @change=${set("player")} /></label>
        <label class="field">Roll <input class="input input-short" .value=${this.more.dice ?? ""} pattern="[1-6]{2}" placeholder="any" @change=${set("dice")} /></label>
      </div>
      <div class="field-row">${NUMBERS.map(
        (name) => html`<label class="field">${words[/** @type {keyof typeof words} */ (name)]}
          <input class="input input-short" type="number" min="0" step=${name === "at_least" ? "0.01" : "1"} .value=${this.more[name] ?? ""} placeholder="any" @change=${set(name)} /></label>`,
      )}
        <label class="field">Tag <input class="input" .value=${this.more.tag ?? ""} placeholder="any" autocomplete="off" @change=${set("tag")} /></label>
      </div>`;
  }

  /** @param {string} name */
  async forget(name) {
    await remove(`/v1/searches?name=${encodeURIComponent(name)}`);
    await this.readSaved();
  }
}

customElements.define("kb-library-search", LibrarySearch);

// --- the decisions behind a number -------------------------------------------------------------------------------------

const WORDS = {
  player: "by",
  opponent: "against",
  at_least: "losing at least",
  at_most: "losing at most",
  my_away: "needing",
  their_away: "opponent needing",
  since: "from",
  until: "to",
};
const HIDDEN = new Set(["judged", "order", "limit", "after"]);

/** Conditions as short texts. @param {URLSearchParams} query */
export function conditions(query) {
  return [...query]
    .filter(([name, value]) => !HIDDEN.has(name) && !(name === "kind" && value === "all"))
    .map(([name, value]) => {
      const shown = value === "yes" ? "" : value === "no" ? "not " : /^0\.\d{6,}$/.test(value) ? Number(value).toFixed(3) : value;
      const words = WORDS[/** @type {keyof typeof WORDS} */ (name)] ?? name.replaceAll("_", " ");
      return value === "no" ? `not ${words}` : `${words} ${shown}`.trim();
    });
}

class LibraryDecisions extends LightElement {
  static properties = { route: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.route = null;
  }

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    return /** @type {any} */ (this.querySelector("kb-decision-list"))?.keys() ?? [];
  }

  render() {
    if (!this.route) return nothing;
    const query = new URLSearchParams(this.route.query);
    if (!query.has("order")) query.set("order", "lost");
    return html`<div class="stack">
      <h1>Decisions</h1>
      <p class="row">${conditions(query).map((words) => html`<span class="chip chip-accent breakable">${words}</span>`)}
        <a class="small" href=${`/library/search?${query}`}>Change the search</a></p>
      <kb-decision-list .query=${String(query)}></kb-decision-list>
    </div>`;
  }
}

customElements.define("kb-library-decisions", LibraryDecisions);
