// Play: the lobby with matches in progress and a new one, or the table of a match.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { get, post, remove } from "../api.js";
import { icon } from "../icons.js";
import { LightElement, Screen, go } from "../screen.js";
import { settings } from "../settings.js";
import { toast } from "../toasts.js";
import "./play-table.js";
import { OPPONENTS, opponentName } from "./play-words.js";

const LENGTHS = [1, 3, 5, 7, 9, 11, 0];

class PlayLobby extends LightElement {
  static properties = { playing: { state: true }, trouble: { state: true }, busy: { state: true }, choices: { state: true }, me: { state: true } };

  constructor() {
    super();
    /** @type {any[]} */
    this.playing = [];
    this.trouble = "";
    this.busy = false;
    this.me = "";
    this.choices = {
      opponent: settings.get("opponent"),
      length: settings.get("length"),
      colour: "light",
      cube: true,
      jacoby: true,
      beavers: false,
      automatic_doubles: 0,
      games: 1,
      clock: false,
      minutes: 10,
      delay: 12,
    };
  }

  connectedCallback() {
    super.connectedCallback();
    void this.read();
  }

  async read() {
    try {
      const [{ playing }, { players }] = await Promise.all([get("/v1/play"), get("/v1/players")]);
      this.playing = playing;
      this.me = players.find((/** @type {any} */ one) => one.is_me)?.name ?? "";
    } catch (error) {
      this.trouble = String(/** @type {Error} */ (error).message);
    }
  }

  /** @param {Record<string, any>} changes */
  choose(changes) {
    this.choices = { ...this.choices, ...changes };
  }

  /** @param {SubmitEvent} event */
  async begin(event) {
    event.preventDefault();
    const { opponent, length, colour, cube, jacoby, beavers, automatic_doubles, games, clock, minutes, delay } = this.choices;
    const name = /** @type {HTMLInputElement} */ (this.querySelector("#play-name")).value.trim();
    settings.set({ opponent, length });
    const light = settings.get("light");
    /** @type {Record<string, any>} */
    const body = { opponent, length, cube, jacoby, beavers, automatic_doubles, games, seat: colour === "light" ? light : 1 - light };
    if (name) body.name = name;
    if (clock) body.clock = { reserve: 60 * minutes, delay };
    this.busy = true;
    try {
      const game = await post("/v1/play", body);
      go(`/play/${game.id}`);
    } catch (error) {
      this.trouble = String(/** @type {Error} */ (error).message);
    }
    this.busy = false;
  }

  /** @param {any} game */
  async forget(game) {
    await remove(`/v1/play/${game.id}`);
    toast("The match is gone.");
    await this.read();
  }

  render() {
    const going = this.playing.filter((game) => !game.over);
    const over = this.playing.filter((game) => game.over && game.match).slice(0, 5);
    return html`<div class="stack lobby">
      <h1>Play</h1>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      ${going.length ? this.list("Go on with", going) : nothing}
      <form class="panel" @submit=${this.begin}>
        <div class="panel-head"><h2 class="panel-title">A new match</h2></div>
        <div class="panel-body stack">${this.opponents()} ${this.lengths()} ${this.rules()}</div>
        <div class="panel-foot row">
          <button class="btn btn-primary btn-large" ?disabled=${this.busy}>${icon("dice")} Start</button>
          <span>against ${opponentName(this.choices.opponent)}, ${this.choices.length ? `to ${this.choices.length}` : "for money"}</span>
        </div>
      </form>
      ${over.length ? this.list("Finished", over) : nothing}
    </div>`;
  }

  opponents() {
    return html`<fieldset class="choice"><legend>Opponent</legend>
      <div class="opponents">${OPPONENTS.map(
        ([name, title, words]) => html`<label class="opponent">
          <input type="radio" name="opponent" value=${name} .checked=${this.choices.opponent === name} @change=${() => this.choose({ opponent: name })} />
          <span class="strong">${title}</span><span class="small muted">${words}</span>
        </label>`,
      )}</div></fieldset>`;
  }

  lengths() {
    return html`<fieldset class="choice"><legend>Length</legend>
      <div class="group" role="radiogroup" aria-label="Length">${LENGTHS.map(
        (length) => html`<button type="button" class="btn" role="radio" aria-checked=${this.choices.length === length} @click=${() => this.choose({ length })}>
          ${length || "Money"}</button>`,
      )}</div></fieldset>`;
  }

  rules() {
    const { length, colour, clock } = this.choices;
    return html`<details class="more">
      <summary>Rules, colour, clock</summary>
      <div class="stack-s more-body">
        <div class="field-row">
          <label class="field">Your name <input class="input" id="play-name" maxlength="100" autocomplete="off" placeholder=${this.me || "Me"} /></label>
          <label class="field">Your checkers
            <select class="select" .value=${colour} @change=${(/** @type {any} */ event) => this.choose({ colour: event.target.value })}>
              <option value="light">light</option><option value="dark">dark</option>
            </select></label>
        </div>
        ${this.check("cube", "Doubling cube")}
        ${length === 0
          ? html`${this.check("jacoby", "Jacoby rule: gammons count only after a double")} ${this.check("beavers", "Beavers")}
            <div class="field-row">${this.number("automatic_doubles", "Automatic doubles", 0, 5)} ${this.number("games", "Games", 1, 100)}</div>`
          : nothing}
        ${this.check("clock", "Clock")}
        ${clock ? html`<div class="field-row">${this.number("minutes", "Minutes for the match", 1, 600)} ${this.number("delay", "Seconds before each turn counts", 0, 60)}</div>` : nothing}
      </div>
    </details>`;
  }

  /** @param {"cube"|"jacoby"|"beavers"|"clock"} name @param {string} words */
  check(name, words) {
    return html`<label class="check"><input type="checkbox" .checked=${this.choices[name]}
      @change=${(/** @type {any} */ event) => this.choose({ [name]: event.target.checked })} /> ${words}</label>`;
  }

  /** @param {"automatic_doubles"|"games"|"minutes"|"delay"} name @param {string} words @param {number} least @param {number} most */
  number(name, words, least, most) {
    return html`<label class="field">${words} <input class="input input-short" type="number" min=${least} max=${most} .value=${String(this.choices[name])}
      @change=${(/** @type {any} */ event) => this.choose({ [name]: Math.min(most, Math.max(least, Number(event.target.value) || least)) })} /></label>`;
  }

  /** @param {string} title @param {any[]} games */
  list(title, games) {
    return html`<section class="panel"><div class="panel-head"><h2 class="panel-title">${title}</h2></div>
      <ul class="games">${games.map((game) => {
        const [mine, theirs] = [game.score[game.seat], game.score[1 - game.seat]];
        const what = game.length ? `to ${game.length}` : "money";
        return html`<li>
          <div class="grow"><span class="strong breakable">${opponentName(game.opponent)}</span>
            <span class="muted small">${what}, ${mine}–${theirs}${game.over ? "" : `, game ${game.game}`} · ${new Date(game.changed_at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}</span></div>
          <a class="btn btn-small ${game.over ? "" : "btn-primary"}" href=${game.over ? `/match/${game.match}` : `/play/${game.id}`}>${game.over ? "Review" : "Resume"}</a>
          <button type="button" class="btn btn-quiet btn-icon btn-small" aria-label=${`Forget the match against ${opponentName(game.opponent)}`} @click=${() => this.forget(game)}>${icon("trash")}</button>
        </li>`;
      })}</ul></section>`;
  }
}

customElements.define("kb-play-lobby", PlayLobby);

class PlayScreen extends Screen {
  /** @returns {import("../keys.js").Key[]} */
  keys() {
    const table = /** @type {import("./play-table.js").PlayTable|null} */ (this.querySelector("kb-play-table"));
    return table?.keys() ?? [];
  }

  render() {
    const { id } = this.route.params;
    return id ? html`<kb-play-table .number=${Number(id)}></kb-play-table>` : html`<kb-play-lobby></kb-play-lobby>`;
  }
}

customElements.define("kb-play", PlayScreen);
