// <kb-board>: a board that shows a state and, where it is asked to, takes plays, edits or clicks.

import { html, nothing, svg } from "../vendor/lit-3.3.3.js";
import { icon } from "../icons.js";
import { LightElement } from "../screen.js";
import { settings } from "../settings.js";
import { gameWords, playerName, taskWords } from "../words.js";
import { VIEW, area, arrows, checker, checkers, cube, dice, heads, table } from "./drawing.js";
import { countOf, emptyBoard, openingBoard, shifted, withCount } from "./editing.js";
import { Entry } from "./entry.js";
import { GEOMETRY as G } from "./geometry.js";
import { BAR, BOTTOM, Layout, OFF, TOP } from "./layout.js";
import { off, pips, standing, ways } from "./moves.js";

const LONG_PRESS = 450;
const DRAG_AFTER = 6;
let made = 0;

/**
 * @typedef {"still"|"pick"|"play"|"edit"} Mode
 * @typedef {import("./moves.js").Board} Board
 * @typedef {{place: string, x: number, y: number, startX: number, startY: number, moving: boolean, timer: number, long: boolean}} Grip
 */

export class BoardElement extends LightElement {
  static properties = {
    state: { attribute: false },
    mode: {},
    plays: { attribute: false },
    arrows: { attribute: false },
    flipped: { type: Boolean },
    bottom: { attribute: false },
    strips: { attribute: false },
    editPlayer: { attribute: false },
    confirmLabel: { attribute: false },
    label: {},
    focused: { state: true },
    grip: { state: true },
    trouble: { state: true },
  };

  constructor() {
    super();
    /** @type {any} a State as the service tells it */
    this.state = null;
    /** @type {Mode} */
    this.mode = "still";
    /** @type {import("./entry.js").Play[]|null} */
    this.plays = null;
    /** @type {import("./drawing.js").Arrows[]} */
    this.arrows = [];
    this.flipped = false;
    /** @type {0|1|"mover"|null} who sits at the bottom; null for what the settings say */
    this.bottom = null;
    this.strips = true;
    /** @type {0|1|null} whose checkers a click sets; null for the player at the bottom */
    this.editPlayer = null;
    this.confirmLabel = "Confirm";
    this.label = "";
    this.focused = "";
    /** @type {Grip|null} */
    this.grip = null;
    this.trouble = "";
    /** @type {Entry|null} */
    this.entry = null;
    this.heads = `kb${++made}`;
    this.ignoreClick = false;
    /** how many moves of the entry have been drawn */
    this.drawn = 0;
    this.redraw = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.redraw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.redraw);
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("state") || changed.has("plays") || changed.has("mode")) {
      const playing = this.mode === "play" && this.state?.dice && this.plays;
      this.entry = playing ? new Entry(this.state.position, this.state.dice, this.plays ?? []) : null;
      this.trouble = "";
      this.grip = null;
      this.drawn = 0;
    }
  }

  // --- the view ------------------------------------------------------------------------------------------------------

  /** The player at the bottom. @returns {0|1} */
  get bottomPlayer() {
    const wanted = this.bottom ?? (settings.get("bottom") === "mover" ? "mover" : 1);
    const player = wanted === "mover" ? this.state.turn : wanted;
    return this.flipped ? (player ? 0 : 1) : player;
  }

  get layout() {
    return new Layout(this.state.turn !== this.bottomPlayer, settings.get("left"));
  }

  /** The board that is drawn. @returns {Board} */
  get board() {
    return this.entry?.board ?? this.state.position;
  }

  get colours() {
    const mine = this.state.turn === settings.get("light") ? "light" : "dark";
    return { mine, theirs: mine === "light" ? "dark" : "light" };
  }

  /** @param {boolean} mine */
  nameOfSide(mine) {
    const player = mine ? this.state.turn : this.state.turn ? 0 : 1;
    return playerName(this.state, player, settings.get("light"));
  }

  render() {
    if (!this.state) return nothing;
    const layout = this.layout;
    const top = this.bottomPlayer ? 0 : 1;
    return html`
      ${this.strips ? this.strip(top) : nothing}
      ${this.mode === "still" ? this.picture(layout) : this.controls(layout)}
      ${this.strips ? this.strip(this.bottomPlayer) : nothing} ${this.entry ? this.entryBar(this.entry) : nothing}
    `;
  }

  /** @param {Layout} layout */
  picture(layout) {
    return html`<svg class="board" viewBox=${VIEW} role="img" aria-label=${this.label || this.words}>${this.inside(layout)}</svg>`;
  }

  /** @param {Layout} layout */
  inside(layout) {
    const { state, entry } = this;
    const lift = this.grip?.moving ? sideOf(this.grip.place, this.board) : null;
    return svg`${heads(this.heads)}
      ${table(layout, settings.get("numbers"))}
      ${checkers(layout, this.board, this.colours, state.match.variant, lift)}
      ${cube(layout, state)}
      ${state.dice ? dice(layout, entry?.shown ?? state.dice, this.colours.mine, entry?.used ?? [false, false]) : nothing}
      ${settings.get("arrows") && !entry?.steps.length ? arrows(layout, state.position, this.arrows, this.heads) : nothing}`;
  }

  /** The position as a sentence. */
  get words() {
    const { state } = this;
    const [mine, theirs] = [pips(this.board.mine), pips(this.board.theirs)];
    return `${this.nameOfSide(true)} ${taskWords(state)}, ${mine} pips; ${this.nameOfSide(false)} has ${theirs}. ${gameWords(state.match)}.`;
  }

  /** Who sits there, what they have to do, pips and score. @param {0|1} player */
  strip(player) {
    const { state } = this;
    const mine = player === state.turn;
    const { match } = state;
    const row = mine ? this.board.mine : this.board.theirs;
    const score = mine ? match.my_score : match.their_score;
    const facts = [
      settings.get("pips") ? html`<b>${pips(row)}</b> pips` : nothing,
      match.length ? html`<b>${score}</b> of ${match.length}` : match.my_score || match.their_score ? html`<b>${score}</b>` : nothing,
    ].filter((one) => one !== nothing);
    return html`<div class="strip">
      <span class=${`token ${player === settings.get("light") ? "light" : "dark"}`}></span>
      <span class="who">${playerName(state, player, settings.get("light"))}</span>
      ${mine ? html`<span class="task">${taskWords(state)}</span>` : nothing}
      <span class="facts">${facts.map((one, index) => (index ? html` · ${one}` : one))}</span>
    </div>`;
  }

  /** @param {Entry} entry */
  entryBar(entry) {
    const left = entry.dice.length;
    const words = !entry.plays.length ? "No legal play" : entry.isComplete ? "Complete" : entry.steps.length ? `${left} to play` : "";
    return html`<form class="entry-bar" @submit=${this.typed}>
      <input class="input" aria-label="Your play" placeholder="Your play: click, drag or type 13/7 8/7" autocomplete="off" spellcheck="false"
        .value=${entry.text} @change=${this.changed} />
      <span class="entry-words muted small" role="status">${words}</span>
      <button class="btn btn-icon" type="button" title="Undo (Backspace)" aria-label="Undo last" ?disabled=${!entry.steps.length} @click=${() => this.undo()}>${icon("undo")}</button>
      <button class="btn btn-icon" type="button" title="Undo all (Escape)" aria-label="Undo all" ?disabled=${!entry.steps.length} @click=${() => this.undoAll()}>${icon("undoAll")}</button>
      <button class="btn btn-primary" type="button" ?disabled=${!entry.isComplete} @click=${() => this.confirm()}>${this.confirmLabel}</button>
      ${this.trouble ? html`<p class="problem" role="alert">${this.trouble}</p>` : nothing}
    </form>`;
  }

  // --- controls ------------------------------------------------------------------------------------------------------

  /** The names of all controls in the order in which arrow keys go through them: upper row, middle, lower row. @param {Layout} layout */
  rows(layout) {
    const side = layout.flip ? ["mine", "theirs"] : ["theirs", "mine"];
    /** @param {number[]} row @param {string} whose */
    const line = (row, whose) => {
      const names = [...row.slice(0, 6).map((point) => `p${point}`), `bar-${whose}`, ...row.slice(6).map((point) => `p${point}`)];
      return layout.left ? [`off-${whose}`, ...names] : [...names, `off-${whose}`];
    };
    const middle = this.state.dice ? ["cube", "dice"] : ["cube"];
    return [line(layout.upper, side[0]), layout.left ? middle.reverse() : middle, line(layout.lower, side[1])];
  }

  /** @param {Layout} layout */
  controls(layout) {
    const rows = this.rows(layout);
    const all = rows.flat();
    const sources = this.entry ? this.entry.sources() : new Set();
    const targets = this.grip && this.entry ? this.entry.targets(pointOf(this.grip.place)) : new Set();
    const focused = all.includes(this.focused) ? this.focused : (all.find((name) => sources.has(pointOf(name))) ?? rows[2][0]);
    return html`<svg class="board is-active" viewBox=${VIEW} role="group" aria-label=${this.label || this.words}
        @click=${this.clicked} @contextmenu=${this.clicked} @keydown=${this.pressed} @focusin=${this.entered}
        @pointerdown=${this.gripped} @pointermove=${this.dragged} @pointerup=${this.dropped} @pointercancel=${this.dropped}>
      <g aria-hidden="true">${this.inside(layout)}</g>
      ${all.map((name) => {
        const { x, y, width, height } = area(layout, name, this.state);
        const own = !name.endsWith("theirs");
        const source = own && sources.has(pointOf(name));
        const target = own && targets.has(pointOf(name));
        const classes = [source ? "is-source" : "", target ? "is-target" : ""].join(" ").trim();
        return svg`<g role="button" data-place=${name} class=${classes} tabindex=${name === focused ? 0 : -1}
            aria-label=${this.nameOf(name) + (target ? ", legal target" : source ? ", can move" : "")}>
          <rect class="spot-control" x=${x} y=${y} width=${width} height=${height} rx="5" />
        </g>`;
      })}
      ${this.grip?.moving ? svg`<g class="dragged">${checker(this.grip.x, this.grip.y, this.colours[sideOf(this.grip.place, this.board).mine ? "mine" : "theirs"])}</g>` : nothing}
    </svg>`;
  }

  /** What a control is called. @param {string} place */
  nameOf(place) {
    const { state, board } = this;
    if (place === "dice") {
      const [left, right] = this.entry?.shown ?? state.dice;
      return `dice, ${left} and ${right}${this.entry?.isComplete ? ", confirm the play" : ""}`;
    }
    if (place === "cube") {
      const { value, owner } = state.match.cube;
      if (state.match.crawford) return "Crawford game, no cube";
      if (state.offer === "double") return `cube, offered at ${2 * value}`;
      return `cube ${value}, ${owner === "centred" ? "in the middle" : `with ${this.nameOfSide(owner === "mine")}`}`;
    }
    const mine = place.endsWith("mine");
    const row = mine ? board.mine : board.theirs;
    if (place.startsWith("bar")) return `bar, ${row[24]} ${this.nameOfSide(mine)}`;
    if (place.startsWith("off")) return `tray, ${off(row, state.match.variant)} ${this.nameOfSide(mine)} off`;
    const there = standing(board, pointOf(place));
    const words = there.mine ? `${there.mine} ${this.nameOfSide(true)}` : there.theirs ? `${there.theirs} ${this.nameOfSide(false)}` : "empty";
    return `${pointOf(place)} point, ${words}`;
  }

  /** The control that an event is about. @param {Event} event */
  placeOf(event) {
    const found = event.target instanceof Element ? event.target.closest("[data-place]") : null;
    return found?.getAttribute("data-place") ?? "";
  }

  /** @param {Event} event */
  entered(event) {
    this.focused = this.placeOf(event) || this.focused;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const place = this.placeOf(event);
    if (this.ignoreClick && event.type === "click") {
      this.ignoreClick = false;
      return;
    }
    if (!place) return;
    event.preventDefault();
    if (event.type === "contextmenu" && this.grip?.long) return; // the long press has been taken already
    this.act(place, event.type === "contextmenu", this.pointAt(event).y);
  }

  /**
   * Something was clicked or pressed.
   * @param {string} place
   * @param {boolean} other the right button, a long press or Shift
   * @param {number|null} y where, in the units of the picture
   */
  act(place, other, y = null) {
    if (this.entry) this.actInPlay(this.entry, place, other);
    else if (this.mode === "edit") this.actInEdit(place, other, y);
    if (this.mode !== "still") this.tell("kb-pick", { place, other });
  }

  /** @param {string} name @param {any} detail */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const place = this.placeOf(event);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "Enter" || key === " ") this.act(place, event.shiftKey);
    else if (key.startsWith("Arrow") && !event.shiftKey) this.focusOn(this.neighbour(place, key));
    else if (this.entry && key === "Backspace") this.undo();
    else if (this.entry && key === "Escape" && this.entry.steps.length) this.undoAll();
    else if (this.mode === "edit" && this.pressedInEdit(place, key)) void 0;
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The control beside another one. @param {string} place @param {string} key */
  neighbour(place, key) {
    const layout = this.layout;
    const rows = this.rows(layout);
    const row = rows.findIndex((names) => names.includes(place));
    const index = rows[row].indexOf(place);
    if (key === "ArrowLeft") return rows[row][Math.max(index - 1, 0)];
    if (key === "ArrowRight") return rows[row][Math.min(index + 1, rows[row].length - 1)];
    const next = rows[Math.min(Math.max(row + (key === "ArrowDown" ? 1 : -1), 0), 2)];
    /** @param {string} name */
    const middle = (name) => {
      const { x, width } = area(layout, name, this.state);
      return x + width / 2;
    };
    const here = middle(place);
    return next.reduce((best, name) => (Math.abs(middle(name) - here) < Math.abs(middle(best) - here) ? name : best));
  }

  /** @param {string} place */
  focusOn(place) {
    this.focused = place;
    void this.updateComplete.then(() => {
      /** @type {SVGElement|null} */ (this.querySelector(`[data-place="${place}"]`))?.focus();
    });
  }

  // --- pointers ------------------------------------------------------------------------------------------------------

  /** Where an event is, in the units of the picture. @param {MouseEvent} event */
  pointAt(event) {
    const board = /** @type {SVGSVGElement|null} */ (this.querySelector("svg.board"));
    const matrix = board?.getScreenCTM();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : new DOMPoint();
  }

  /** @param {PointerEvent} event */
  gripped(event) {
    this.ignoreClick = false;
    const place = this.placeOf(event);
    if (!place || event.button !== 0 || (this.mode !== "play" && this.mode !== "edit")) return;
    const { x, y } = this.pointAt(event);
    /** @type {Grip} */
    const grip = { place, x, y, startX: event.clientX, startY: event.clientY, moving: false, timer: 0, long: false };
    if (event.pointerType !== "mouse") {
      grip.timer = window.setTimeout(() => {
        if (this.grip !== grip || grip.moving) return;
        grip.long = true;
        this.ignoreClick = true;
        this.act(place, true, grip.y);
      }, LONG_PRESS);
    }
    this.grip = grip;
    this.pointer = event.pointerId;
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== this.pointer || grip.long) return;
    if (!grip.moving) {
      if (Math.hypot(event.clientX - grip.startX, event.clientY - grip.startY) < DRAG_AFTER || !this.canDrag(grip.place)) return;
      clearTimeout(grip.timer);
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    }
    const { x, y } = this.pointAt(event);
    this.grip = { ...grip, x, y, moving: true };
  }

  /** @param {PointerEvent} event */
  dropped(event) {
    const { grip } = this;
    if (!grip || event.pointerId !== this.pointer) return;
    clearTimeout(grip.timer);
    this.grip = null;
    if (!grip.moving) return;
    this.ignoreClick = true;
    if (event.type === "pointercancel") return;
    const { x, y } = this.pointAt(event);
    const layout = this.layout;
    const target = this.rows(layout).flat().find((name) => {
      const box = area(layout, name, this.state);
      return name !== "cube" && name !== "dice" && x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
    });
    if (!target || target === grip.place) return;
    if (this.entry) {
      if (this.entry.drag(pointOf(grip.place), pointOf(target))) this.changedEntry();
    } else {
      const side = sideOf(grip.place, this.board);
      const next = shifted(this.board, side, pointOf(target));
      if (next) this.edited({ position: next });
    }
  }

  /** @param {string} place */
  canDrag(place) {
    if (place === "cube" || place === "dice") return false;
    if (this.entry) return !place.endsWith("theirs") && place !== "off-mine" && this.entry.sources().has(pointOf(place));
    const side = sideOf(place, this.board);
    return side.point === OFF ? off(side.mine ? this.board.mine : this.board.theirs, this.state.match.variant) > 0 : countOf(this.board, side.point, side.mine) > 0;
  }

  // --- plays ---------------------------------------------------------------------------------------------------------

  /** @param {Entry} entry @param {string} place @param {boolean} other */
  actInPlay(entry, place, other) {
    if (place === "dice") {
      if (entry.isComplete) this.confirm();
      else if (entry.swap()) this.changedEntry();
      return;
    }
    const before = entry.board;
    if (place.startsWith("p") ? entry.clickPoint(pointOf(place), other) : place === "bar-mine" ? entry.clickBar(other) : place === "off-mine" && entry.clickTray()) {
      this.changedEntry(before);
    }
  }

  /** What was entered has changed; checkers that have moved glide to their place. @param {Board} [before] */
  changedEntry(before) {
    this.trouble = "";
    this.requestUpdate();
    const { entry } = this;
    if (entry && before) this.glide(before, entry.moves.slice(this.drawn));
    this.drawn = entry?.moves.length ?? 0;
    // What stands in the field follows the board at once; what a person is typing is left alone by other changes.
    const field = /** @type {HTMLInputElement|null} */ (this.querySelector(".entry-bar input"));
    if (entry && field) field.value = entry.text;
    if (entry) this.tell("kb-entry", { moves: entry.moves, text: entry.text, complete: entry.isComplete, play: entry.play });
  }

  /** @param {Board} before @param {import("./moves.js").Move[]} moves */
  glide(before, moves) {
    const speed = settings.get("speed");
    if (!speed || !moves.length || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    void this.updateComplete.then(() => {
      const layout = this.layout;
      for (const { points, count } of ways(before, moves)) {
        const [from, to] = [points[0], points[points.length - 1]];
        for (let one = 0; one < count && to !== OFF; one++) {
          const level = Math.min(this.board.mine[to - 1], G.highestStack) - 1 - one;
          const start = layout.place(from, Math.max(0, Math.min(before.mine[from - 1], G.highestStack) - 1 - one));
          const end = layout.place(to, level);
          const way = `translate(${start[0] - end[0]}px, ${start[1] - end[1]}px)`;
          this.querySelector(`[data-at="${to}:${level}"]`)?.animate([{ transform: way }, { transform: "none" }], { duration: speed, easing: "ease-out" });
        }
      }
    });
  }

  undo() {
    if (this.entry?.undo()) this.changedEntry();
  }

  undoAll() {
    if (this.entry?.undoAll()) this.changedEntry();
  }

  swapDice() {
    if (this.entry?.swap()) this.changedEntry();
  }

  confirm() {
    if (this.entry?.isComplete) this.tell("kb-confirm", { play: this.entry.play });
  }

  /** Enter a typed play; what is wrong with it, or "". @param {string} text */
  enter(text) {
    const trouble = this.entry?.type(text) ?? "there is nothing to play";
    if (!trouble) this.changedEntry();
    this.trouble = trouble;
    return trouble;
  }

  /** @param {Event} event */
  changed(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    if (input.value.trim() !== this.entry?.text) this.enter(input.value);
  }

  /** Enter in the field: what is typed is entered, and confirmed if it is whole. @param {SubmitEvent} event */
  typed(event) {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (this.querySelector(".entry-bar input"));
    if (input.value.trim() !== this.entry?.text && this.enter(input.value)) return;
    this.confirm();
  }

  // --- editing -------------------------------------------------------------------------------------------------------

  /** @param {Record<string, any>} changes */
  edited(changes) {
    const { xgid: _xgid, position_id: _position, match_id: _match, ...rest } = this.state;
    this.tell("kb-edit", { state: { ...rest, ...changes } });
  }

  get most() {
    const { variant } = this.state.match;
    return variant.startsWith("hypergammon") ? Number(variant.slice(-1)) : 15;
  }

  /** Whose checkers a click sets. @param {boolean} other */
  editsMine(other) {
    const player = this.editPlayer ?? this.bottomPlayer;
    return (player === this.state.turn) !== other;
  }

  /** @param {string} place @param {boolean} other @param {number|null} y */
  actInEdit(place, other, y) {
    const { match } = this.state;
    if (place === "dice") return this.edited({ dice: nextRoll(this.state.dice, other ? -1 : 1) });
    if (place === "cube") {
      const value = match.cube.value >= 64 ? 1 : 2 * match.cube.value;
      const owner = { centred: "mine", mine: "theirs", theirs: "centred" }[/** @type {"centred"|"mine"|"theirs"} */ (match.cube.owner)];
      return this.edited({ match: { ...match, cube: other ? { ...match.cube, owner } : { ...match.cube, value } } });
    }
    if (place.startsWith("off")) {
      // The tray of the one at the bottom clears the board, the other one sets it up.
      const lower = (place === "off-mine") === (this.state.turn === this.bottomPlayer);
      return this.edited({ position: lower ? emptyBoard() : openingBoard(match.variant) });
    }
    const mine = place.startsWith("bar") ? place.endsWith("mine") : this.editsMine(other);
    const point = pointOf(place);
    const here = countOf(this.board, point, mine);
    const wanted = y === null ? here + 1 : this.levelAt(point, y);
    this.edited({ position: withCount(this.board, point, mine, y !== null && wanted === here ? here - 1 : wanted, this.most) });
  }

  /** How many checkers a stack has that reaches to a height. @param {number} point @param {number} y */
  levelAt(point, y) {
    if (point === BAR) return 1 + Math.floor(Math.max(0, Math.abs(y - (TOP + G.half)) - G.firstOnBar) / G.step);
    const from = this.layout.isUpper(point) ? y - TOP : BOTTOM - y;
    return 1 + Math.floor(Math.max(0, from - G.firstChecker) / G.step);
  }

  /** @param {string} place @param {string} key */
  pressedInEdit(place, key) {
    if (!place.startsWith("p") && !place.startsWith("bar")) return false;
    const point = pointOf(place);
    const there = standing(this.board, point);
    const mine = place.startsWith("bar") ? place.endsWith("mine") : there.mine ? true : there.theirs ? false : this.editsMine(false);
    const here = countOf(this.board, point, mine);
    if (key === "+" || key === "=") this.edited({ position: withCount(this.board, point, mine, here + 1, this.most) });
    else if (key === "-" || key === "Delete" || key === "Backspace") this.edited({ position: withCount(this.board, point, mine, here - 1, this.most) });
    else if (/^\d$/.test(key)) this.edited({ position: withCount(this.board, point, this.editsMine(false), Number(key), this.most) });
    else if (key.toLowerCase() === "c") this.edited({ position: withCount(this.board, point, !mine, Math.max(here, 1), this.most) });
    else return false;
    return true;
  }
}

/** The point of a control, as the player on roll counts; bar and tray are 25 and 0. @param {string} place */
function pointOf(place) {
  return place.startsWith("p") ? Number(place.slice(1)) : place.startsWith("bar") ? BAR : OFF;
}

/** Whose checker a control holds. @param {string} place @param {Board} board @returns {{point: number, mine: boolean}} */
function sideOf(place, board) {
  const point = pointOf(place);
  return { point, mine: place.startsWith("p") ? standing(board, point).mine > 0 : place.endsWith("mine") };
}

/** The next of the 21 rolls, or the one before. @param {[number, number]} dice @param {number} by @returns {[number, number]} */
function nextRoll([high, low], by) {
  const place = (high * (high - 1)) / 2 + low - 1;
  const next = (place + by + 21) % 21;
  let first = 1;
  while ((first * (first + 1)) / 2 <= next) first += 1;
  return [first, next - (first * (first - 1)) / 2 + 1];
}

customElements.define("kb-board", BoardElement);
