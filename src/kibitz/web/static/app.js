// The shell: navigation, the screen of the address, the keyboard map, themes.

import { html, keyed, nothing } from "./vendor/lit-3.3.3.js";
import { icon } from "./icons.js";
import { find, isTyping, shown } from "./keys.js";
import { ROUTES, placeOf } from "./routes.js";
import { LightElement, Screen, go } from "./screen.js";
import { settings } from "./settings.js";
import { toast } from "./toasts.js";

const LOGO = new URL("icon.svg", import.meta.url).href;
const THEMES = /** @type {const} */ (["light", "dark", "contrast"]);
const THEME_NAMES = { light: "Light theme", dark: "Dark theme", contrast: "High contrast theme" };

class App extends LightElement {
  static properties = { place: { state: true }, trouble: { state: true } };

  constructor() {
    super();
    /** @type {{place: import("./routes.js").Place, route: import("./screen.js").Route}|null} */
    this.place = null;
    this.trouble = "";
    this.asked = 0;
    this.arrived = () => void this.arrive();
    /** @param {KeyboardEvent} event */
    this.pressed = (event) => this.press(event);
    /** @param {MouseEvent} event */
    this.clicked = (event) => this.follow(event);
    this.redraw = () => this.requestUpdate();
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener("popstate", this.arrived);
    addEventListener("keydown", this.pressed);
    document.addEventListener("click", this.clicked);
    settings.addEventListener("change", this.redraw);
    void this.arrive();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener("popstate", this.arrived);
    removeEventListener("keydown", this.pressed);
    document.removeEventListener("click", this.clicked);
    settings.removeEventListener("change", this.redraw);
  }

  /** Show the screen of the address. */
  async arrive() {
    const turn = ++this.asked;
    const found = placeOf(location.pathname);
    if (!found) {
      this.place = null;
      this.trouble = `There is nothing at ${location.pathname}.`;
      return;
    }
    try {
      await found.place.load();
    } catch {
      this.trouble = "This screen could not be loaded: is Kibitz still running?";
      return;
    }
    if (turn !== this.asked) return;
    const before = this.place?.place;
    const route = { path: location.pathname, params: found.params, query: new URLSearchParams(location.search) };
    this.trouble = "";
    this.place = { place: found.place, route };
    document.title = found.place.title === "Open" ? "Kibitz" : `${found.place.title} · Kibitz`;
    await this.updateComplete;
    if (before && before !== found.place) {
      scrollTo(0, 0);
      this.querySelector("main")?.focus({ preventScroll: true });
    }
  }

  /** Links to other screens change the screen, not the page. @param {MouseEvent} event */
  follow(event) {
    const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement || one instanceof SVGAElement);
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !placeOf(url.pathname) || (url.hash && url.pathname === location.pathname)) return;
    event.preventDefault();
    go(url.pathname + url.search);
  }

  /** @returns {Screen|null} */
  get screen() {
    const found = this.querySelector("main")?.firstElementChild;
    return found instanceof Screen ? found : null;
  }

  /** @returns {import("./keys.js").Key[]} */
  keys() {
    return [
      { key: "?", help: "this help", run: () => this.help() },
      { key: "t", help: "next theme", run: () => this.nextTheme() },
    ];
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.defaultPrevented || isTyping(event) || document.querySelector("dialog[open]")) return;
    const found = find([...(this.screen?.keys() ?? []), ...this.keys()], event);
    if (!found) return;
    event.preventDefault();
    found.run(event);
  }

  nextTheme() {
    const theme = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length];
    settings.set({ theme });
    toast(THEME_NAMES[theme]);
  }

  help() {
    this.querySelector("dialog")?.showModal();
  }

  render() {
    const { place, route } = this.place ?? {};
    return html`
      <header class="bar">
        <a class="brand" href="/" aria-label="Kibitz, start"><img src=${LOGO} alt="" /><span>Kibitz</span></a>
        <nav class="nav" aria-label="Screens">
          ${ROUTES.map(({ nav, tag }) =>
            nav
              ? html`<a href=${nav.href} aria-current=${place?.tag === tag ? "page" : nothing}>${icon(nav.icon)}<span>${nav.label}</span></a>`
              : nothing,
          )}
        </nav>
        <div class="bar-tools">
          <button class="btn btn-quiet btn-icon" title="Theme (t)" aria-label="Next theme" @click=${this.nextTheme}>${icon("theme")}</button>
          <a class="btn btn-quiet btn-icon" title="Settings" aria-label="Settings" href="/settings">${icon("settings")}</a>
          <button class="btn btn-quiet btn-icon" title="Keys (?)" aria-label="Keyboard help" @click=${this.help}>${icon("help")}</button>
        </div>
      </header>
      <main id="main" tabindex="-1">${this.trouble ? this.lost() : place && route ? keyed(place.tag, element(place.tag, route)) : nothing}</main>
      ${this.dialog()}
    `;
  }

  lost() {
    return html`<div class="empty stack"><h1>Nothing here</h1><p>${this.trouble}</p><p><a href="/">Go to the start</a></p></div>`;
  }

  dialog() {
    const own = this.screen?.keys() ?? [];
    return html`<dialog class="dialog" aria-labelledby="keys-title" @toggle=${this.redraw}>
      <div class="panel-head">
        <h2 class="panel-title" id="keys-title">Keys</h2>
        <form method="dialog"><button class="btn btn-quiet btn-icon" aria-label="Close">${icon("close")}</button></form>
      </div>
      <div class="panel-body columns">
        ${[
          ["This screen", own],
          ["Everywhere", this.keys()],
        ].map(([title, keys]) =>
          keys.length
            ? html`<section class="stack-s">
                <h3>${title}</h3>
                <dl class="keys">
                  ${/** @type {import("./keys.js").Key[]} */ (keys).map(
                    (one) => html`<dt>${shown(one.key).map((key) => html`<kbd class="kbd">${key}</kbd> `)}</dt><dd>${one.help}</dd>`,
                  )}
                </dl>
              </section>`
            : nothing,
        )}
      </div>
    </dialog>`;
  }
}

/** @type {Map<string, Screen>} */
const SHOWN = new Map();

/** The element of a screen: the one that is shown, or a new one. @param {string} tag @param {import("./screen.js").Route} route */
function element(tag, route) {
  let screen = SHOWN.get(tag);
  if (!screen?.isConnected) {
    screen = /** @type {Screen} */ (document.createElement(tag));
    SHOWN.clear();
    SHOWN.set(tag, screen);
  }
  screen.route = route;
  return screen;
}

customElements.define("kb-app", App);
