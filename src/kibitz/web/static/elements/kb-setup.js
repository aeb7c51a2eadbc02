// <kb-setup>: what a click on the board cannot set: who is on roll, dice, cube, score and rules.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { LightElement } from "../screen.js";
import { settings } from "../settings.js";
import { playerName } from "../words.js";
import { emptyBoard, openingBoard, swapped } from "./editing.js";

const CUBES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export class SetupElement extends LightElement {
  static properties = { state: { attribute: false }, player: { attribute: false } };

  constructor() {
    super();
    /** @type {any} */
    this.state = null;
    /** @type {0|1} whose checkers a click on the board sets */
    this.player = 1;
  }

  /** @param {Record<string, any>} changes */
  change(changes) {
    this.dispatchEvent(new CustomEvent("kb-edit", { detail: { state: { ...this.state, ...changes } }, bubbles: true }));
  }

  /** @param {Record<string, any>} changes */
  changeMatch(changes) {
    const match = { ...this.state.match, ...changes };
    if (match.length) {
      match.my_score = Math.min(match.my_score, match.length - 1);
      match.their_score = Math.min(match.their_score, match.length - 1);
      match.jacoby = false;
      match.beavers = false;
    }
    const leads = [match.my_score, match.their_score].filter((score) => match.length - score === 1).length;
    if (!match.length || leads !== 1) match.crawford = false;
    if (match.crawford) match.cube = { value: 1, owner: "centred" };
    this.change({ match });
  }

  /** @param {0|1} player */
  choosePlayer(player) {
    this.dispatchEvent(new CustomEvent("kb-edit-player", { detail: { player }, bubbles: true }));
  }

  render() {
    const { state } = this;
    const { match } = state;
    const light = settings.get("light");
    const names = [playerName(state, 0, light), playerName(state, 1, light)];
    const one = [match.my_score, match.their_score].filter((score) => match.length - score === 1).length === 1;
    return html`<div class="stack setup">
      <div class="row">
        <span class="muted small">A click sets</span>
        <div class="group" role="group" aria-label="Whose checkers a click sets">
          ${/** @type {(0|1)[]} */ ([1, 0]).map((player) => html`<button class="btn btn-small" aria-pressed=${this.player === player} @click=${() => this.choosePlayer(player)}>${names[player]}</button>`)}
        </div>
        <button class="btn btn-small" @click=${() => this.change({ position: openingBoard(match.variant), dice: null, offer: "none" })}>Opening</button>
        <button class="btn btn-small" @click=${() => this.change({ position: emptyBoard() })}>Clear</button>
      </div>
      <div class="row">
        <span class="muted small">On roll</span>
        <div class="group" role="group" aria-label="Who is on roll">
          ${/** @type {(0|1)[]} */ ([1, 0]).map((player) => html`<button class="btn btn-small" aria-pressed=${state.turn === player} @click=${() => state.turn !== player && this.change(swapped(state))}>${names[player]}</button>`)}
        </div>
        ${this.dice()}
      </div>
      <div class="field-row">
        <label class="field">Match to
          <input class="input input-short" type="number" min="0" max="64" .value=${String(match.length)} @change=${(/** @type {any} */ event) => this.changeMatch({ length: number(event, 0, 64) })} />
        </label>
        ${/** @type {(0|1)[]} */ ([1, 0]).map((player) => {
          const name = player === state.turn ? "my_score" : "their_score";
          return html`<label class="field">${names[player]} has
            <input class="input input-short" type="number" min="0" max=${match.length ? match.length - 1 : 999} .value=${String(match[name])}
              @change=${(/** @type {any} */ event) => this.changeMatch({ [name]: number(event, 0, match.length ? match.length - 1 : 999) })} />
          </label>`;
        })}
      </div>
      <div class="field-row">
        <label class="field">Cube
          <select class="select input-short" @change=${(/** @type {any} */ event) => this.changeMatch({ cube: { ...match.cube, value: Number(event.target.value) } })}>
            ${CUBES.map((value) => html`<option value=${value} ?selected=${value === match.cube.value}>${value}</option>`)}
          </select>
        </label>
        <label class="field">Owner
          <select class="select" @change=${(/** @type {any} */ event) => this.changeMatch({ cube: { ...match.cube, owner: event.target.value } })}>
            ${[["centred", "nobody"], ["mine", names[state.turn]], ["theirs", names[state.turn ? 0 : 1]]].map(([value, words]) => html`<option value=${value} ?selected=${value === match.cube.owner}>${words}</option>`)}
          </select>
        </label>
        ${match.length
          ? one
            ? html`<label class="check"><input type="checkbox" .checked=${match.crawford} @change=${(/** @type {any} */ event) => this.changeMatch({ crawford: event.target.checked })} />Crawford</label>`
            : nothing
          : html`<label class="check"><input type="checkbox" .checked=${match.jacoby} @change=${(/** @type {any} */ event) => this.changeMatch({ jacoby: event.target.checked })} />Jacoby</label>
              <label class="check"><input type="checkbox" .checked=${match.beavers} @change=${(/** @type {any} */ event) => this.changeMatch({ beavers: event.target.checked })} />Beavers</label>`}
      </div>
      <p class="hint">Click where the stack should end; right click or long press for the other colour. The lower tray clears the board, the upper one sets
        it up. On a point, <kbd class="kbd">+</kbd> <kbd class="kbd">−</kbd> and digits change the count, <kbd class="kbd">c</kbd> the colour.</p>
    </div>`;
  }

  dice() {
    const { state } = this;
    /** @param {number} index */
    const choose = (index) => (/** @type {any} */ event) => {
      const value = Number(event.target.value);
      if (!value) return this.change({ dice: null });
      const dice = state.dice ? [...state.dice] : [value, value];
      dice[index] = value;
      this.change({ dice: [Math.max(...dice), Math.min(...dice)], offer: "none" });
    };
    return html`${[0, 1].map(
      (index) => html`<select class="select input-short" aria-label=${index ? "Second die" : "First die"} @change=${choose(index)}>
        <option value="0" ?selected=${!state.dice}>no die</option>
        ${[1, 2, 3, 4, 5, 6].map((value) => html`<option value=${value} ?selected=${state.dice?.[index] === value}>${value}</option>`)}
      </select>`,
    )}
    <label class="check"><input type="checkbox" .checked=${state.offer === "double"} ?disabled=${Boolean(state.dice) || state.match.crawford}
      @change=${(/** @type {any} */ event) => this.change({ offer: event.target.checked ? "double" : "none" })} />doubled</label>`;
  }
}

/** The number of a field, within bounds. @param {any} event @param {number} least @param {number} most */
function number(event, least, most) {
  return Math.min(most, Math.max(least, Math.round(Number(event.target.value)) || 0));
}

customElements.define("kb-setup", SetupElement);
