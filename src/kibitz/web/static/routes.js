// The one table of screens. `nav` ones stand in the navigation, in this order.

/**
 * @typedef {object} Place
 * @property {RegExp} pattern with names for what the address holds
 * @property {string} tag the element that the module registers
 * @property {() => Promise<unknown>} load
 * @property {string} title
 * @property {{href: string, label: string, icon: string}} [nav]
 */

/** @type {Place[]} */
export const ROUTES = [
  { pattern: /^\/$/, tag: "kb-open", load: () => import("./screens/open.js"), title: "Open", nav: { href: "/", label: "Open", icon: "open" } },
  { pattern: /^\/position$/, tag: "kb-position", load: () => import("./screens/position.js"), title: "Position", nav: { href: "/position", label: "Position", icon: "board" } },
  { pattern: /^\/match\/(?<id>\d+)$/, tag: "kb-match", load: () => import("./screens/match.js"), title: "Match" },
  { pattern: /^\/play(?:\/(?<id>[\w-]+))?$/, tag: "kb-play", load: () => import("./screens/play.js"), title: "Play", nav: { href: "/play", label: "Play", icon: "dice" } },
  { pattern: /^\/library(?:\/(?<part>.+))?$/, tag: "kb-library", load: () => import("./screens/library.js"), title: "Library", nav: { href: "/library", label: "Library", icon: "library" } },
  { pattern: /^\/study(?:\/(?<part>.+))?$/, tag: "kb-study", load: () => import("./screens/study.js"), title: "Study", nav: { href: "/study", label: "Study", icon: "study" } },
  { pattern: /^\/jobs$/, tag: "kb-jobs", load: () => import("./screens/jobs.js"), title: "Jobs", nav: { href: "/jobs", label: "Jobs", icon: "jobs" } },
  { pattern: /^\/settings$/, tag: "kb-settings", load: () => import("./screens/settings.js"), title: "Settings" },
];

/** The place of an address. @param {string} path @returns {{place: Place, params: Record<string, string>}|null} */
export function placeOf(path) {
  for (const place of ROUTES) {
    const found = place.pattern.exec(path);
    if (found) {
      const given = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined);
      return { place, params: Object.fromEntries(given.map(([name, value]) => [name, decodeURIComponent(value)])) };
    }
  }
  return null;
}
