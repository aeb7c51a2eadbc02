// Players: who is "me", and which names are one person.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { get, post } from "../api.js";
import { LightElement } from "../screen.js";

class LibraryPlayers extends LightElement {
  static properties = { route: { attribute: false }, players: { state: true }, trouble: { state: true }, chosen: { state: true }, renaming: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.route = null;
    /** @type {any[]|null} */
    this.players = null;
    this.trouble = "";
    /** @type {Set<number>} */
    this.chosen = new Set();
    this.renaming = 0;
  }

  connectedCallback() {
    super.connectedCallback();
    void this.ask(() => get("/v1/players"));
  }

  /** @param {() => Promise<any>} work */
  async ask(work) {
    try {
      this.players = (await work()).players;
      this.trouble = "";
      this.chosen = new Set();
      this.renaming = 0;
    } catch (error) {
      this.trouble = /** @type {Error} */ (error).message;
    }
  }

  /** @param {number} id */
  toggle(id) {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(id)) chosen.add(id);
    this.chosen = chosen;
  }

  merge() {
    const [first, ...others] = (this.players ?? []).filter((one) => this.chosen.has(one.id)).map((one) => one.name);
    return this.ask(() => post("/v1/players/merge", { name: first, others }));
  }

  /** @param {SubmitEvent} event @param {any} player */
  rename(event, player) {
    event.preventDefault();
    const name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name") ?? "").trim();
    return name ? this.ask(() => post("/v1/players/rename", { name: player.name, new: name })) : undefined;
  }

  render() {
    const chosen = (this.players ?? []).filter((one) => this.chosen.has(one.id));
    return html`<div class="stack">
      <div class="spread"><h1>Players</h1>
        <button class="btn" ?disabled=${chosen.length < 2} @click=${this.merge}>${chosen.length < 2 ? "Choose names that are one player" : `Make ${chosen.length} names one: ${chosen[0].name}`}</button></div>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
      ${this.players?.length
        ? html`<section class="panel scroll" tabindex="0" aria-label="Players"><table class="table">
            <thead><tr><th><span class="visually-hidden">Choose</span></th><th>Name</th><th class="wide">Also known as</th><th class="num">Matches</th><th>Me</th><th><span class="visually-hidden">Actions</span></th></tr></thead>
            <tbody>${this.players.map((player) => this.row(player))}</tbody></table></section>`
        : html`<div class="panel empty">${this.players ? "Nobody has played yet." : html`<span class="busy">One moment</span>`}</div>`}
    </div>`;
  }

  /** @param {any} player */
  row(player) {
    const query = new URLSearchParams({ player: player.name });
    const others = player.aliases.filter((/** @type {string} */ one) => one !== player.name.toLowerCase());
    return html`<tr>
      <td><input type="checkbox" aria-label=${`Choose ${player.name}`} .checked=${this.chosen.has(player.id)} @change=${() => this.toggle(player.id)} /></td>
      <td class="breakable">${this.renaming === player.id
        ? html`<form class="row" @submit=${(/** @type {SubmitEvent} */ event) => this.rename(event, player)}><input class="input grow" name="name" aria-label="New name" .value=${player.name} /><button class="btn btn-small">Save</button></form>`
        : html`<span class="strong">${player.name}</span>`}</td>
      <td class="breakable muted small wide">${others.join(", ")}</td>
      <td class="num"><a href=${`/library?${query}`}>${player.matches}</a></td>
      <td><label class="check"><input type="radio" name="me" aria-label=${`${player.name} is me`} .checked=${player.is_me} @change=${() => this.ask(() => post("/v1/players/me", { name: player.name }))} /></label></td>
      <td class="num"><a class="btn btn-small" href=${`/library/statistics?${query}`}>Statistics</a>
        <button class="btn btn-small btn-quiet" @click=${() => (this.renaming = this.renaming === player.id ? 0 : player.id)}>Rename</button></td>
    </tr>`;
  }
}

customElements.define("kb-library-players", LibraryPlayers);
