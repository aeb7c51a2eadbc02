// What every screen is: a custom element in the page's own tree, so that the shared classes of styles/ reach it.

import { Directive, LitElement, PartType, directive } from "./vendor/lit-3.3.3.js";
import { settings } from "./settings.js";

/**
 * @typedef {object} Route
 * @property {string} path
 * @property {Record<string, string>} params what the address names, such as the number of a match
 * @property {URLSearchParams} query
 */

/** An element that draws into itself, without a shadow. */
export class LightElement extends LitElement {
  createRenderRoot() {
    return this;
  }
}

/**
 * A screen. It gets `route` and is told again when the address changes while it is shown. `keys()` are its shortcuts,
 * `leave()` is called when it goes.
 */
export class Screen extends LightElement {
  /** @type {import("./vendor/lit-3.3.3.js").PropertyDeclarations} */
  static properties = { route: { attribute: false } };

  constructor() {
    super();
    /** @type {Route} */
    this.route = { path: "/", params: {}, query: new URLSearchParams() };
    this.redraw = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    settings.addEventListener("change", this.redraw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.redraw);
    this.leave();
  }

  /** @returns {import("./keys.js").Key[]} */
  keys() {
    return [];
  }

  /** Stop what goes on. */
  leave() {}
}

/** Go to another address of the face. @param {string} address @param {{replace?: boolean}} [options] */
export function go(address, { replace = false } = {}) {
  if (address === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Change the address without going anywhere: the screen stays as it is. @param {string} address */
export function setAddress(address) {
  if (address !== location.pathname + location.search) history.replaceState(null, "", address);
}

class Vars extends Directive {
  /** @param {any} part */
  constructor(part) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("vars stands among the attributes of an element");
  }

  /** @param {Record<string, string|number>} _values */
  render(_values) {
    return undefined;
  }

  /**
   * @param {any} part
   * @param {[Record<string, string|number>]} values
   */
  update(part, [values]) {
    for (const [name, value] of Object.entries(values)) part.element.style.setProperty(name, String(value));
  }
}

/** Sets custom properties of an element: `<div ${vars({"--share": 0.5})}>`. The policy of the page allows no style attribute. */
export const vars = directive(Vars);
