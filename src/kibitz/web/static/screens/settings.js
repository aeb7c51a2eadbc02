// Settings: how things look, how one plays, and who one is.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import "../elements/kb-board.js";
import { get, post } from "../api.js";
import { Screen } from "../screen.js";
import { DEFAULTS, settings } from "../settings.js";
import { toast } from "../toasts.js";
import { OPPONENTS } from "./play-words.js";

/** @typedef {import("../settings.js").Choices} Choices */

/** @type {[string, string][]} */
const LEVELS = [["fast", "fast"], ["default", "default"], ["thorough", "thorough"], ["deep", "deep"]];

class SettingsScreen extends Screen {
  static properties = { state: { state: true }, me: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    this.me = "";
    this.trouble = "";
  }

  connectedCallback() {
    super.connectedCallback();
    void this.read();
  }

  async read() {
    try {
      const [state, { players }] = await Promise.all([post("/v1/parse", { text: "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10" }), get("/v1/players")]);
      this.state = state;
      this.me = players.find((/** @type {any} */ one) => one.is_me)?.name ?? "";
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
  }

  /** @param {SubmitEvent} event */
  async rename(event) {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("me") ?? "").trim();
    if (!name) return;
    try {
      await post("/v1/players/me", { name });
      this.me = name;
      toast(`You are ${name}.`);
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
  }

  render() {
    return html`<div class="stack narrow">
      <div class="spread"><h1>Settings</h1><button class="btn btn-small" @click=${() => settings.set({ ...DEFAULTS })}>Reset</button></div>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      <div class="columns">
        <div class="stack">
          ${this.panel("Look", html`
            ${this.choose("theme", "Theme", [["auto", "as the system"], ["light", "light"], ["dark", "dark"], ["contrast", "high contrast"]])}
            ${this.choose("bottom", "At the bottom", [["player", "always the same player"], ["mover", "who is on roll"]])}
            ${this.number("light", "Light checkers", [[1, "the player at the bottom"], [0, "the player at the top"]])}
            ${this.check("left", "Bear off to the left")} ${this.check("numbers", "Numbers of points")} ${this.check("pips", "Pip counts")} ${this.check("arrows", "Plays as arrows")}`)}
          ${this.panel("Play", html`
            ${this.choose("opponent", "Opponent", OPPONENTS.map(([name, words]) => [name, words]))}
            ${this.number("speed", "Opponent's plays are shown", [[0, "not at all"], [80, "briefly"], [160, "a moment"], [320, "longer"]])}
            ${this.check("tutor", "Tutor: warn before an error")}
            ${this.number("tutorLimit", "Warn from a loss of", [[0.02, "0.02"], [0.04, "0.04"], [0.06, "0.06"], [0.08, "0.08, a blunder"], [0.12, "0.12"]])}
            ${this.check("autoroll", "Roll at once where doubling is impossible")} ${this.check("autoplay", "Make forced plays at once")}`)}
        </div>
        <div class="stack">
          ${this.state ? html`<kb-board .state=${this.state} .arrows=${[{ moves: [[8, 5], [6, 5]], kind: "best" }]}></kb-board>` : nothing}
          ${this.panel("You", html`<form class="field-row" @submit=${this.rename}><label class="field grow">Your name in the library <input class="input" name="me" maxlength="100" .value=${this.me} autocomplete="off" placeholder="nobody yet" /></label><button class="btn">Save</button></form>
            <p class="hint">Statistics and study speak of you by this name. <a href="/library/players">Join other names of yours</a></p>`)}
          ${this.panel("Analysis", html`
            ${this.number("plies", "Look ahead", [[0, "0 plies"], [1, "1 ply"], [2, "2 plies"], [3, "3 plies"]])}
            ${this.choose("reviewLevel", "Reviews", LEVELS)}`)}
        </div>
      </div>
    </div>`;
  }

  /** @param {string} title @param {unknown} body */
  panel(title, body) {
    return html`<section class="panel"><div class="panel-head"><h2 class="panel-title">${title}</h2></div><div class="panel-body stack-s">${body}</div></section>`;
  }

  /** @param {keyof Choices} name @param {string} words */
  check(name, words) {
    return html`<label class="check"><input type="checkbox" .checked=${Boolean(settings.get(name))} @change=${(/** @type {any} */ event) => settings.set({ [name]: event.target.checked })} /> ${words}</label>`;
  }

  /** @param {keyof Choices} name @param {string} words @param {[string, string][]} values */
  choose(name, words, values) {
    return html`<label class="field">${words} <select class="select" @change=${(/** @type {any} */ event) => settings.set({ [name]: event.target.value })}>
      ${values.map(([value, text]) => html`<option value=${value} ?selected=${settings.get(name) === value}>${text}</option>`)}</select></label>`;
  }

  /** @param {keyof Choices} name @param {string} words @param {[number, string][]} values */
  number(name, words, values) {
    return html`<label class="field">${words} <select class="select" @change=${(/** @type {any} */ event) => settings.set({ [name]: Number(event.target.value) })}>
      ${values.map(([value, text]) => html`<option value=${value} ?selected=${settings.get(name) === value}>${text}</option>`)}</select></label>`;
  }
}

customElements.define("kb-settings", SettingsScreen);
