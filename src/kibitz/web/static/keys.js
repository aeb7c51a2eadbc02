// The keyboard map: what a key does on this screen, and the help that `?` shows.

/**
 * @typedef {object} Key
 * @property {string} key as `KeyboardEvent.key` names it, with "Shift+" before it where that matters, or a list with spaces
 * @property {string} help what it does, in a few words
 * @property {(event: KeyboardEvent) => void} run
 */

/** The name of a pressed key: letters without case, Shift named where it is held. @param {KeyboardEvent} event */
export function nameOf(event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const letter = event.key.length === 1 && !/[a-z]/i.test(event.key);
  return (event.shiftKey && !letter ? "Shift+" : "") + (key === " " ? "Space" : key);
}

/**
 * The binding of a key, if there is one.
 * @param {Key[]} keys
 * @param {KeyboardEvent} event
 */
export function find(keys, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const name = nameOf(event);
  return keys.find((one) => one.key.split(" ").includes(name));
}

/** Whether keys belong to a field that a person types in. @param {KeyboardEvent} event */
export function isTyping(event) {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=range])");
}

/** Keys in a form for people. @param {string} key */
export function shown(key) {
  const names = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc", PageUp: "PgUp", PageDown: "PgDn" };
  return key.split(" ").map((one) => {
    const parts = one.split("+").filter(Boolean);
    return parts.map((part) => names[/** @type {keyof typeof names} */ (part)] ?? part).join(" ");
  });
}
