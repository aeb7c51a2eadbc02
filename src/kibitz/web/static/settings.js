// What a person has chosen, kept by this browser. Screens read `settings` and listen for "change".

/**
 * @typedef {object} Choices
 * @property {"auto"|"light"|"dark"|"contrast"} theme
 * @property {boolean} left whether checkers are borne off to the left
 * @property {"player"|"mover"} bottom who sits at the bottom: always the same player, or who is on roll
 * @property {0|1} light which player has the light checkers
 * @property {boolean} numbers whether points are numbered
 * @property {boolean} pips whether pip counts are shown
 * @property {boolean} arrows whether plays are drawn
 * @property {number} speed of moving checkers in milliseconds; 0 for none
 * @property {number} plies how deep a position is looked at without being asked
 * @property {boolean} autoplay whether forced plays are made at once when one plays
 * @property {boolean} autoroll whether dice are rolled at once where one cannot double
 * @property {string} opponent whom one plays against
 * @property {number} length of a new match; 0 for money
 * @property {boolean} tutor whether errors are told before they are made
 * @property {number} tutorLimit from which loss on
 * @property {string} reviewLevel how deep matches are reviewed
 */

const KEY = "kibitz.settings";

/** @type {Choices} */
export const DEFAULTS = Object.freeze({
  theme: "auto",
  left: false,
  bottom: "player",
  light: 1,
  numbers: true,
  pips: true,
  arrows: true,
  speed: 160,
  plies: 2,
  autoplay: false,
  autoroll: true,
  opponent: "intermediate",
  length: 5,
  tutor: false,
  tutorLimit: 0.06,
  reviewLevel: "default",
});

class Settings extends EventTarget {
  constructor() {
    super();
    /** @type {Choices} */
    this.choices = { ...DEFAULTS, ...read() };
    addEventListener("storage", (event) => {
      if (event.key === KEY) {
        this.choices = { ...DEFAULTS, ...read() };
        this.#tell();
      }
    });
    for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)"]) {
      matchMedia(query).addEventListener("change", () => this.#tell());
    }
  }

  /**
   * @template {keyof Choices} K
   * @param {K} name
   * @returns {Choices[K]}
   */
  get(name) {
    return this.choices[name];
  }

  /** @param {Partial<Choices>} changes */
  set(changes) {
    this.choices = { ...this.choices, ...changes };
    try {
      localStorage.setItem(KEY, JSON.stringify(this.choices));
    } catch {
      // A browser that keeps nothing still shows the choice.
    }
    this.#tell();
  }

  /** The theme that is shown. @returns {"light"|"dark"|"contrast"} */
  get theme() {
    const { theme } = this.choices;
    if (theme !== "auto") return theme;
    if (matchMedia("(prefers-contrast: more)").matches) return "contrast";
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  #tell() {
    document.documentElement.dataset.theme = this.theme;
    this.dispatchEvent(new Event("change"));
  }
}

/** @returns {Partial<Choices>} */
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export const settings = new Settings();
