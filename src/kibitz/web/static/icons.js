// Icons, drawn by lines in the colour of the text around them.

import { svg } from "./vendor/lit-3.3.3.js";

/** @type {Record<string, string[]>} */
const PATHS = {
  open: ["M4 5h6l2 2h8v12H4z"],
  board: ["M3 5h18v14H3z", "M12 5v14", "M5 5l1.75 8L8.5 5", "M14 19l1.75-8L17.5 19"],
  dice: ["M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z", "M8.5 8.5h.01", "M15.5 15.5h.01", "M12 12h.01", "M15.5 8.5h.01", "M8.5 15.5h.01"],
  library: ["M5 4v16", "M9 4v16", "M13 4v16", "M16 5l4 15"],
  study: ["M3 9l9-4 9 4-9 4z", "M7 11v5c3 2 7 2 10 0v-5"],
  jobs: ["M12 3v4", "M12 17v4", "M3 12h4", "M17 12h4", "M5.6 5.6l2.9 2.9", "M15.5 15.5l2.9 2.9", "M18.4 5.6l-2.9 2.9", "M8.5 15.5l-2.9 2.9"],
  settings: ["M4 7h10", "M18 7h2", "M16 5v4", "M4 17h2", "M10 17h10", "M8 15v4"],
  help: ["M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4", "M12 17.5h.01"],
  theme: ["M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z"],
  flip: ["M7 4v16", "M4 7l3-3 3 3", "M17 20V4", "M14 17l3 3 3-3"],
  copy: ["M9 9h11v11H9z", "M5 15V4h11"],
  undo: ["M9 7L4 11l5 4", "M4 11h10a5 5 0 0 1 0 10h-3"],
  undoAll: ["M11 7l-5 4 5 4", "M6 11h9a5 5 0 0 1 0 10h-3", "M6 5l-4 6 4 6"],
  check: ["M5 12l5 5L20 6"],
  close: ["M6 6l12 12", "M18 6L6 18"],
  edit: ["M4 20l1-4L16 5l3 3L8 19z"],
  next: ["M9 5l7 7-7 7"],
  previous: ["M15 5l-7 7 7 7"],
  first: ["M18 5l-7 7 7 7", "M7 5v14"],
  last: ["M6 5l7 7-7 7", "M17 5v14"],
  plus: ["M12 5v14", "M5 12h14"],
  minus: ["M5 12h14"],
  stop: ["M6 6h12v12H6z"],
  play: ["M7 5l11 7-11 7z"],
  upload: ["M12 16V4", "M7 9l5-5 5 5", "M4 20h16"],
  download: ["M12 4v12", "M7 11l5 5 5-5", "M4 20h16"],
  swap: ["M4 8h15", "M15 4l4 4-4 4", "M20 16H5", "M9 12l-4 4 4 4"],
  trash: ["M5 7h14", "M9 7V4h6v3", "M7 7l1 13h8l1-13"],
  search: ["M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13z", "M20 20l-4.8-4.8"],
  star: ["M12 4l2.5 5.3 5.5.8-4 4 1 5.7-5-2.8-5 2.8 1-5.7-4-4 5.5-.8z"],
};

/** @param {string} name */
export function icon(name) {
  return svg`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"
    stroke-linejoin="round" aria-hidden="true" focusable="false">${(PATHS[name] ?? []).map((d) => svg`<path d=${d} />`)}</svg>`;
}
