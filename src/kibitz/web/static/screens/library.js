// The library: matches, statistics, search, players; and the decisions that any number or search opens.

import { html, nothing } from "../vendor/lit-3.3.3.js";
import { Screen } from "../screen.js";

/** Parts by the address below /library: title, element, module. @type {Record<string, [string, string, () => Promise<unknown>]>} */
const PARTS = {
  "": ["Matches", "kb-library-matches", () => import("./library-matches.js")],
  statistics: ["Statistics", "kb-library-statistics", () => import("./library-statistics.js")],
  search: ["Search", "kb-library-search", () => import("./library-search.js")],
  decisions: ["Decisions", "kb-library-decisions", () => import("./library-search.js")],
  players: ["Players", "kb-library-players", () => import("./library-players.js")],
};

class LibraryScreen extends Screen {
  static properties = { ready: { state: true } };

  constructor() {
    super();
    this.ready = "";
    /** @type {HTMLElement & {route?: any, keys?: () => import("../keys.js").Key[]}|null} */
    this.shown = null;
  }

  get name() {
    const part = this.route.params.part ?? "";
    return part in PARTS ? part : "";
  }

  /** @param {Map<string, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("route")) return;
    const { name } = this;
    document.title = `${PARTS[name][0]} · Kibitz`;
    void PARTS[name][2]().then(() => {
      if (name !== this.name) return;
      if (this.shown?.localName !== PARTS[name][1]) this.shown = document.createElement(PARTS[name][1]);
      this.shown.route = this.route;
      this.ready = name;
      this.requestUpdate();
    });
  }

  /** @returns {import("../keys.js").Key[]} */
  keys() {
    return this.shown?.keys?.() ?? [];
  }

  render() {
    return html`<nav class="subnav" aria-label="Library">${Object.entries(PARTS)
        .filter(([part]) => part !== "decisions" || this.name === "decisions")
        .map(([part, [title]]) => html`<a href=${part ? `/library/${part}` : "/library"} aria-current=${part === this.name ? "page" : nothing}>${title}</a>`)}</nav>
      ${this.shown ?? nothing}`;
  }
}

customElements.define("kb-library", LibraryScreen);
