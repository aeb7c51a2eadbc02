// What was looked at in this browser, and the addresses of positions.

const KEY = "kibitz.recent";
const MOST = 12;
const MOST_VISITS = 100;

/** @typedef {{href: string, title: string, more: string}} Item */

/** The address that holds a position. @param {{xgid: string}} state */
export function addressOf(state) {
  return `/position?xgid=${encodeURIComponent(state.xgid.replace(/^XGID=/, "")).replaceAll("%3A", ":")}`;
}

/** What was looked at lately, the last one first. @returns {Item[]} */
export function recent() {
  return read(() => localStorage);
}

/** @param {Item} item */
export function remember(item) {
  write(() => localStorage, item, MOST);
}

/** The positions of this session, the last one first. @returns {Item[]} */
export function visits() {
  return read(() => sessionStorage);
}

/** @param {Item} item */
export function visited(item) {
  write(() => sessionStorage, item, MOST_VISITS);
}

/** @param {() => Storage} storage a browser may refuse it @returns {Item[]} */
function read(storage) {
  try {
    const found = JSON.parse(storage().getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one?.href === "string" && one.href.startsWith("/")) : [];
  } catch {
    return [];
  }
}

/** @param {() => Storage} storage @param {Item} item @param {number} most */
function write(storage, item, most) {
  const others = read(storage).filter((one) => one.href !== item.href);
  try {
    storage().setItem(KEY, JSON.stringify([item, ...others].slice(0, most)));
  } catch {
    // A browser that keeps nothing forgets it.
  }
}
