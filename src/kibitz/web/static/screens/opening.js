// Opening what a person pastes or drops: a position in any notation, or files with matches or positions.

import { post, send } from "../api.js";
import { addressOf } from "../recent.js";
import { go } from "../screen.js";
import { settings } from "../settings.js";

/** Characters that the service reads as a text with a position in it. */
const LONGEST_TEXT = 20_000;

/** A position in any notation; a text of several lines may also be a match. @param {string} text @returns {Promise<void>} */
export async function openText(text) {
  if (looksLikeMatch(text) || text.length > LONGEST_TEXT) return openFiles([new File([text], "pasted.txt")]);
  go(addressOf(await post("/v1/parse", { text })));
}

/** Whether a text tells more than one moment: it numbers games or plays. @param {string} text */
export function looksLikeMatch(text) {
  return /^\s*\d+ point match/im.test(text) || /^\s*Game \d+/im.test(text) || (/^\s*1\)/m.test(text) && /^\s*2\)/m.test(text)) || /^\(;/.test(text.trim());
}

/** Files that hold a position are shown; those that hold matches are kept. @param {File[]} files @returns {Promise<void>} */
export async function openFiles(files) {
  if (files.length === 1) {
    const [file] = files;
    if (/\.xgp$/i.test(file.name)) return go(addressOf(await send("/v1/parse", file)));
    const text = file.size < LONGEST_TEXT ? await file.text() : "";
    if (/XGID=/.test(text) && !looksLikeMatch(text)) return openText(text);
  }
  let kept = null;
  for (const file of files) {
    kept = await send(`/v1/matches?name=${encodeURIComponent(file.name)}`, file);
  }
  if (kept) go(files.length === 1 ? `/match/${kept.match.id}?review=${settings.get("reviewLevel")}` : "/library");
}
