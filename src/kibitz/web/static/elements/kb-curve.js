// <kb-curve>: the course of a game or a match. Its points are links; the list shares its cursor.

import { html, nothing, svg } from "../vendor/lit-3.3.3.js";
import { LightElement } from "../screen.js";
import { equity, percent } from "../words.js";
import { markOfDecision } from "./review.js";

const HEIGHT = 112;
const LEFT = 40;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 17;
const SIZE = 8.5;

/** @typedef {import("./review.js").Item} Item */

export class Curve extends LightElement {
  static properties = {
    review: { attribute: false },
    at: { attribute: false },
    game: { attribute: false },
    href: { attribute: false },
    width: { state: true },
  };

  constructor() {
    super();
    /** @type {import("./review.js").Review|null} */
    this.review = null;
    /** @type {Item|undefined} where the cursor is */
    this.at = undefined;
    this.game = 0;
    /** @type {(item: Item) => string} the address of an item */
    this.href = (item) => `#${item.key}`;
    /** as wide as its place, so that marks and words keep their size */
    this.width = 600;
    this.watching = new ResizeObserver(([entry]) => (this.width = Math.max(Math.round(entry.contentRect.width), 240)));
  }

  connectedCallback() {
    super.connectedCallback();
    this.watching.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.watching.disconnect();
  }

  render() {
    const { review } = this;
    if (!review) return nothing;
    const course = review.course(this.game);
    if (course.length < 2) return html`<p class="muted small curve-empty">The curve appears as decisions are judged.</p>`;
    const scale = scaleOf(course, review.length > 0);
    const x = (/** @type {number} */ place) => LEFT + ((this.width - LEFT - RIGHT) * place) / (course.length - 1);
    const places = course.map((one, place) => ({ ...one, x: x(place), y: scale.y(one.value) }));
    const first = review.players[0];
    const title = `${review.length ? "Match winning chance" : "Equity"} of ${first}, ${this.game ? `game ${this.game}` : "all games"}`;
    return html`<figure class="curve-figure">
      <figcaption class="small muted">
        ${title}
        <span class="curve-legend"><i class="seat circle"></i>${review.players[0]} <i class="seat square"></i>${review.players[1]}</span>
      </figcaption>
      <svg class="curve" viewBox=${`0 0 ${this.width} ${HEIGHT}`} role="group" aria-label=${title} @click=${this.clicked} @keydown=${this.pressed}>
        ${grid(scale, this.width)} ${separators(places)} ${line(places, scale)} ${this.cursor(places)}
        <g class="curve-points">${this.points(places, scale)}</g>
      </svg>
    </figure>`;
  }

  /** @param {Spot[]} places @param {Scale} scale */
  points(places, scale) {
    const { review } = this;
    if (!review) return nothing;
    const errors = new Map(places.map((spot) => [spot, this.errorsOf(spot, places)]));
    const current = this.spotOf(places);
    return places.map((spot) => {
      if (!spot.item) return nothing;
      const marked = errors.get(spot) ?? [];
      const value = scale.words(spot.value);
      const equityWords = review.length ? `, equity ${equity(spot.point.equity)}` : "";
      const label = `Game ${spot.item.game}, ${review.players[spot.item.player]}: ${spot.item.dice} ${spot.item.words}, ${value}${equityWords}`;
      return svg`<a class="curve-point" href=${this.href(marked[0] ?? spot.item)} data-key=${(marked[0] ?? spot.item).key}
          tabindex=${spot === current ? 0 : -1} aria-label=${label + marked.map(errorWords).join("")}>
        <title>${label}${marked.map(errorWords).join("")}</title>
        <circle class="curve-dot" cx=${spot.x} cy=${spot.y} r="3.2" />
        ${marked.map((item) => shape(item, spot))}
      </a>`;
    });
  }

  /** The marked decisions that led to a point. @param {Spot} spot @param {Spot[]} places */
  errorsOf(spot, places) {
    const { review } = this;
    if (!review || !spot.item || spot.point.index < 0) return [];
    const before = places[places.indexOf(spot) - 1];
    const from = before && before.point.game === spot.point.game ? before.point.index : -1;
    return (review.games[spot.point.game - 1]?.items ?? []).filter(
      (item) => item.index > from && item.index <= spot.point.index && markOfDecision(item.decision).name,
    );
  }

  /** The point of the cursor. @param {Spot[]} places */
  spotOf(places) {
    const { at } = this;
    if (!at) return places[0];
    return places.findLast((spot) => spot.point.game < at.game || (spot.point.game === at.game && spot.point.index <= at.index)) ?? places[0];
  }

  /** @param {Spot[]} places */
  cursor(places) {
    const spot = this.at ? this.spotOf(places) : null;
    if (!spot) return nothing;
    return svg`<path class="curve-cursor" d=${`M${spot.x} ${TOP}V${HEIGHT - BOTTOM}`} /><circle class="curve-now" cx=${spot.x} cy=${spot.y} r="6" />`;
  }

  /** A click anywhere goes to the nearest point. @param {MouseEvent} event */
  clicked(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const picture = /** @type {SVGSVGElement} */ (event.currentTarget);
    const over = event.target instanceof Element ? event.target.closest("a") : null;
    let key = over?.getAttribute("data-key");
    if (!key) {
      const box = picture.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * this.width;
      const links = [...picture.querySelectorAll(".curve-point")];
      const distance = (/** @type {Element} */ link) => Math.abs(Number(link.querySelector("circle")?.getAttribute("cx")) - x);
      key = links.sort((one, other) => distance(one) - distance(other))[0]?.getAttribute("data-key");
    }
    if (key) this.pick(key);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    const links = /** @type {SVGAElement[]} */ ([...this.querySelectorAll(".curve-point")]);
    const next = links[links.findIndex((link) => link === document.activeElement) + way];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    this.pick(next.getAttribute("data-key") ?? "");
  }

  /** @param {string} key */
  pick(key) {
    this.dispatchEvent(new CustomEvent("kb-at", { detail: { key }, bubbles: true }));
  }
}

/**
 * @typedef {{item: Item|undefined, value: number, point: any, x: number, y: number}} Spot
 * @typedef {{y: (value: number) => number, words: (value: number) => string, ticks: [number, string][], middle: number}} Scale
 */

/** @param {{value: number}[]} course @param {boolean} chances @returns {Scale} */
export function scaleOf(course, chances) {
  const reach = Math.max(1, ...course.map((one) => Math.abs(one.value)));
  const limit = [1, 1.5, 2, 3].find((step) => reach <= step + 1e-9) ?? 3;
  const [low, high] = chances ? [0, 1] : [-limit, limit];
  /** @type {[number, string][]} */
  const ticks = chances
    ? [0, 50, 100].map((value) => [value / 100, `${value}%`])
    : [-1, 0, 1].map((share) => [share * limit, share ? equity(share * limit, 1) : "0"]);
  return {
    y: (value) => TOP + (1 - (Math.min(Math.max(value, low), high) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM),
    words: (value) => (chances ? percent(value) : equity(value)),
    ticks,
    middle: (low + high) / 2,
  };
}

/** @param {Scale} scale @param {number} width */
function grid(scale, width) {
  return scale.ticks.map(([value, label]) => {
    const y = scale.y(value);
    return svg`<path class=${value === scale.middle ? "curve-grid is-middle" : "curve-grid"} d=${`M${LEFT} ${y}H${width - RIGHT}`} />
      <text class="curve-tick" x=${LEFT - 6} y=${y} text-anchor="end" dominant-baseline="central">${label}</text>`;
  });
}

/** Lines between games. @param {Spot[]} places */
function separators(places) {
  const starts = places.filter((spot, place) => place === 0 || places[place - 1].point.game !== spot.point.game);
  if (starts.length < 2) return nothing;
  return starts.map(
    (spot, number) => svg`${number ? svg`<path class="curve-game" d=${`M${spot.x} ${TOP}V${HEIGHT - BOTTOM}`} />` : nothing}
      <text class="curve-tick" x=${spot.x + 3} y=${HEIGHT - 4}>${spot.point.game}</text>`,
  );
}

/** @param {Spot[]} places @param {Scale} scale */
function line(places, scale) {
  const middle = scale.y(scale.middle);
  const path = places.map((spot) => `${spot.x.toFixed(1)} ${spot.y.toFixed(1)}`).join("L");
  return svg`<path class="curve-area" d=${`M${places[0].x} ${middle}L${path}L${places[places.length - 1].x} ${middle}Z`} />
    <path class="curve-line" d=${`M${path}`} />`;
}

/** @param {Item} item @param {Spot} spot */
function shape(item, spot) {
  const mark = markOfDecision(item.decision);
  const form =
    item.player === 0
      ? svg`<circle class="curve-shape" cx=${spot.x} cy=${spot.y} r=${SIZE} />`
      : svg`<rect class="curve-shape" x=${spot.x - SIZE} y=${spot.y - SIZE} width=${2 * SIZE} height=${2 * SIZE} rx="3" />`;
  return svg`<g class=${`curve-mark is-${mark.name}`}>${form}<text x=${spot.x} y=${spot.y} text-anchor="middle" dominant-baseline="central">${mark.glyph}</text></g>`;
}

/** @param {Item} item */
function errorWords(item) {
  return `; ${markOfDecision(item.decision).words}: ${item.words} loses ${item.decision.lost.toFixed(3)}`;
}

customElements.define("kb-curve", Curve);
