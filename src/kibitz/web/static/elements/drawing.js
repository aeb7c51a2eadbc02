// The picture of a board as SVG templates: frame, points, checkers, cube, dice, arrows.

import { nothing, svg } from "../vendor/lit-3.3.3.js";
import { GEOMETRY as G } from "./geometry.js";
import { BAR, BOTTOM, CUT_HEIGHT, CUT_TOP, MIDDLE, OFF, SPOTS, TOP, WIDTH, arc } from "./layout.js";
import { off, ways } from "./moves.js";

/**
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./layout.js").Place} Place
 * @typedef {import("./moves.js").Board} Board
 * @typedef {import("./moves.js").Move} Move
 * @typedef {"best"|"chosen"|"hover"} ArrowKind solid, dashed, and the one under the pointer
 * @typedef {{moves: Move[], kind: ArrowKind}} Arrows a play to draw
 */

export const VIEW = `0 ${CUT_TOP} ${WIDTH} ${CUT_HEIGHT}`;
const HALF_ROW = (G.pointsARow / 2) * G.point;
const INSIDE = G.frame + G.side;

/** Frame, field, trays and points. @param {Layout} layout @param {boolean} numbers */
export function table(layout, numbers) {
  const rows = /** @type {const} */ ([
    [layout.upper, TOP, 1],
    [layout.lower, BOTTOM, -1],
  ]);
  return svg`
    <rect class="frame" y=${CUT_TOP} width=${WIDTH} height=${CUT_HEIGHT} rx="12" />
    <rect class="bar-strip" x=${INSIDE + HALF_ROW} y=${TOP} width=${G.point} height=${2 * G.half} />
    ${[INSIDE, INSIDE + HALF_ROW + G.point].map(
      (x) => svg`<rect class="field" x=${x} y=${TOP} width=${HALF_ROW} height=${2 * G.half} rx="4" />`,
    )}
    ${[TOP, MIDDLE + G.trayGap].map(
      (y) => svg`<rect class="tray" x=${layout.tray - G.trayWidth / 2} y=${y} width=${G.trayWidth} height=${G.half - G.trayGap} rx="5" />`,
    )}
    ${rows.map(([row, base, direction]) =>
      row.map((point, index) => {
        const x = layout.column(index);
        const other = (index + (direction < 0 ? 1 : 0)) % 2 === 0;
        const tip = base + direction * (G.half - G.tipGap);
        return svg`<path class=${other ? "point other" : "point"}
            d=${`M${x - G.point / 2 + 1} ${base}L${x} ${tip}L${x + G.point / 2 - 1} ${base}Z`} />
          ${numbers ? svg`<text class="number" x=${x} y=${base - direction * G.numberGap}>${point}</text>` : nothing}`;
      }),
    )}`;
}

/**
 * All checkers. `lift` is one that is being dragged: it is left out where it stood.
 * @param {Layout} layout
 * @param {Board} board
 * @param {{mine: string, theirs: string}} colours
 * @param {string} variant
 * @param {{point: number, mine: boolean}|null} [lift]
 */
export function checkers(layout, board, colours, variant, lift = null) {
  const found = [];
  for (const mine of [true, false]) {
    const row = mine ? board.mine : board.theirs;
    const colour = mine ? colours.mine : colours.theirs;
    row.forEach((all, index) => {
      const own = index + 1;
      const point = mine || own === BAR ? own : 25 - own;
      const count = lift && lift.mine === mine && lift.point === point ? all - 1 : all;
      if (count > 0) found.push(stack(layout, point, count, mine, colour));
    });
    const borne = off(row, variant) - (lift && lift.point === OFF && lift.mine === mine ? 1 : 0);
    if (borne > 0) found.push(slabs(layout, borne, mine, colour));
  }
  return found;
}

/** @param {Layout} layout @param {number} point @param {number} count @param {boolean} mine @param {string} colour */
function stack(layout, point, count, mine, colour) {
  const levels = Array.from({ length: Math.min(count, G.highestStack) }, (_, level) => layout.place(point, level, mine));
  const [x, y] = levels[levels.length - 1];
  return svg`${levels.map(([cx, cy], level) => svg`<g data-at=${mine ? `${point}:${level}` : nothing}>${checker(cx, cy, colour)}</g>`)}
    ${count > G.highestStack ? svg`<text class=${`count ${colour}`} x=${x} y=${y}>${count}</text>` : nothing}`;
}

/** @param {number} x @param {number} y @param {string} colour */
export function checker(x, y, colour) {
  return svg`<circle class=${`checker ${colour}`} cx=${x} cy=${y} r=${G.radius - 0.75} /><circle
    class=${`ring ${colour}`} cx=${x} cy=${y} r=${G.radius - 6} />`;
}

/** @param {Layout} layout @param {number} count @param {boolean} mine @param {string} colour */
function slabs(layout, count, mine, colour) {
  const upper = mine === layout.flip;
  const x = layout.tray - G.slabWidth / 2;
  return Array.from({ length: count }, (_, index) => {
    const offset = G.slabGap + index * G.slabStep;
    const y = upper ? TOP + offset : BOTTOM - offset - G.slabHeight;
    return svg`<rect class=${`slab ${colour}`} x=${x} y=${y} width=${G.slabWidth} height=${G.slabHeight} rx="3" />`;
  });
}

/** The cube, or the word that says why there is none. @param {Layout} layout @param {any} state */
export function cube(layout, state) {
  const { match, offer } = state;
  const offered = ["double", "beaver", "raccoon"].includes(offer);
  if (match.crawford && !offered) {
    return svg`<text class="crawford" x=${layout.cubeSide} y=${MIDDLE} transform=${`rotate(-90 ${layout.cubeSide} ${MIDDLE})`}>Crawford</text>`;
  }
  if (match.length === 1) return nothing;
  const [x, y] = layout.cube(match.cube.owner, offered);
  const shown = offered ? 2 * match.cube.value : match.cube.value === 1 ? 64 : match.cube.value;
  const size = shown < 100 ? 18 : shown < 1000 ? 14 : 11;
  return svg`<rect class="cube" x=${x - G.cube / 2} y=${y - G.cube / 2} width=${G.cube} height=${G.cube} rx="6" />
    <text class="cube-text" x=${x} y=${y} font-size=${size}>${shown}</text>`;
}

/**
 * The roll in the order in which it is shown.
 * @param {Layout} layout
 * @param {[number, number]} shown
 * @param {string} colour
 * @param {[boolean, boolean]} used
 */
export function dice(layout, shown, colour, used) {
  return layout.dice().map(
    ([x, y], index) => svg`<g class=${used[index] ? "die-group is-used" : "die-group"}>
      <rect class=${`die ${colour}`} x=${x - G.die / 2} y=${y - G.die / 2} width=${G.die} height=${G.die} rx="7" />
      ${(SPOTS[shown[index]] ?? []).map(
        ([column, row]) => svg`<circle class=${`spot ${colour}`} cx=${x + G.pipStep * column} cy=${y + G.pipStep * row} r=${G.pip} />`,
      )}
    </g>`,
  );
}

/**
 * One arc a checker with a badge for several, and a ring around what is hit.
 * @param {Layout} layout
 * @param {Board} board where the play begins
 * @param {Arrows[]} plays
 * @param {string} id of the board, for the heads of arrows
 */
export function arrows(layout, board, plays, id) {
  return plays.map(({ moves, kind }, order) => {
    /** @type {Map<number, number>} */
    const leaving = new Map();
    /** @type {Map<number, number>} */
    const arriving = new Map();
    return ways(board, moves).map(({ points, count, hits }) => {
      const [from, to] = [points[0], points[points.length - 1]];
      const held = board.mine[from - 1];
      const level = Math.max(Math.min(held, G.highestStack) - 1 - (leaving.get(from) ?? 0), 0);
      leaving.set(from, (leaving.get(from) ?? 0) + count);
      const stays = to === OFF ? 0 : Math.max(board.mine[to - 1] - (leaving.get(to) ?? 0), 0);
      const landing = Math.min(stays + (arriving.get(to) ?? 0), G.highestStack - 1);
      arriving.set(to, (arriving.get(to) ?? 0) + count);
      const start = layout.place(from, level);
      const end = layout.place(to, landing);
      const { path, middle } = arc(start, end, 14 * order);
      // The badge stands on the curve, half way.
      const [bx, by] = [(start[0] + 2 * middle[0] + end[0]) / 4, (start[1] + 2 * middle[1] + end[1]) / 4];
      return svg`
        <path class="halo" d=${path} />
        <path class=${`arrow arrow-${kind}`} d=${path} marker-end=${`url(#${id}-${kind})`} />
        <circle class=${`start-${kind}`} cx=${start[0]} cy=${start[1]} r="5" />
        ${hits.map((point) => {
          const [x, y] = point === to ? end : layout.place(point, 0);
          return svg`<circle class=${`hit arrow-${kind}`} cx=${x} cy=${y} r=${G.radius + 2} />`;
        })}
        ${count > 1 ? svg`<circle class=${`badge-${kind}`} cx=${bx} cy=${by} r="11" /><text class="badge-text" x=${bx} y=${by}>×${count}</text>` : nothing}`;
    });
  });
}

/** The heads of arrows. @param {string} id */
export function heads(id) {
  return svg`<defs>${["best", "chosen", "hover"].map(
    (kind) => svg`<marker id=${`${id}-${kind}`} viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4"
      orient="auto-start-reverse"><path class=${`head-${kind}`} d="M0 0L10 5L0 10Z" /></marker>`,
  )}</defs>`;
}

/**
 * The area of a control, in the units of the picture.
 * @param {Layout} layout
 * @param {string} place such as "p13", "bar-mine", "off-theirs", "cube", "dice"
 * @param {any} state
 * @returns {{x: number, y: number, width: number, height: number}}
 */
export function area(layout, place, state) {
  if (place.startsWith("p")) {
    const point = Number(place.slice(1));
    const top = layout.isUpper(point) ? TOP - G.numbers : MIDDLE + 6;
    return { x: layout.x(point) - G.point / 2, y: top, width: G.point, height: G.half + G.numbers - 6 };
  }
  const upper = place.endsWith("mine") === layout.flip;
  if (place.startsWith("bar")) return { x: layout.bar - G.point / 2, y: upper ? TOP : MIDDLE + 1, width: G.point, height: G.half - 1 };
  if (place.startsWith("off")) {
    return { x: layout.tray - G.side / 2, y: upper ? TOP : MIDDLE + G.trayGap, width: G.side, height: G.half - G.trayGap };
  }
  if (place === "cube") {
    const offered = ["double", "beaver", "raccoon"].includes(state.offer);
    const [x, y] = layout.cube(state.match.crawford ? "centred" : state.match.cube.owner, offered);
    return { x: x - 24, y: y - 24, width: 48, height: 48 };
  }
  const [[left, y], [right]] = layout.dice();
  return { x: left - 24, y: y - 24, width: right - left + 48, height: 48 };
}

