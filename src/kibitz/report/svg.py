"""Boards as pictures: SVG without scripts or outside resources, ready for notebooks, web pages and print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from kibitz.cube import Owner
from kibitz.dice import Dice
from kibitz.move import Play
from kibitz.position import BAR, OFF, Position
from kibitz.report.geometry import GEOMETRY as G
from kibitz.report.layout import game_words, point_rows, score_words, sentence, task_words
from kibitz.report.themes import Colours
from kibitz.state import Offer, State


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is drawn over a board to show facts. Points are those of the player on roll; the opponent's bar is 0.

    A ray leads from a checker to a blot that it may hit; `marks` are words on points.
    """

    shaded: tuple[int, ...] = ()
    rays: tuple[tuple[int, int], ...] = ()
    marks: tuple[tuple[int, str], ...] = ()


def draw_position(
    position: Position,
    *,
    play: Play | None = None,
    overlay: Overlay | None = None,
    flip: bool = False,
    left: bool = False,
    colours: Colours | None = None,
    captions: tuple[str, str] = ("On roll", "Opponent"),
) -> str:
    """An SVG of the checkers; with a play, its moves as arrows. The light checkers are the player's on roll."""
    picture = _Picture(position, flip=flip, left=left, colours=colours or Colours())
    mine, theirs = position.pips
    picture.board(position.off())
    picture.captions((captions[0], f"{mine} pips"), (captions[1], f"{theirs} pips"))
    if play is not None:
        picture.dice(play.dice)
        picture.arrows(play)
    if overlay is not None:
        picture.overlay(overlay)
    return picture.svg(f"Backgammon position {position.id}")


def draw_state(
    state: State,
    *,
    play: Play | None = None,
    flip: bool = False,
    left: bool = False,
    colours: Colours | None = None,
) -> str:
    """An SVG of a state: checkers, cube, dice, score and names; with a play, its moves as arrows."""
    picture = _Picture(state.position, flip=flip, left=left, colours=colours or Colours())
    match = state.match
    mine, theirs = state.position.pips
    me, opponent = state.names or ("", "")
    picture.board(state.position.off(match.variant))
    task = task_words(state)
    picture.captions(
        (f"{me} {task}" if me else sentence(task), _pips_and_score(mine, score_words(match, mine=True))),
        (opponent or "Opponent", _pips_and_score(theirs, score_words(match, mine=False))),
        sentence(game_words(match)),
    )
    picture.cube(state)
    if state.dice is not None:
        picture.dice(state.dice)
    if play is not None:
        picture.arrows(play)
    return picture.svg(f"Backgammon position {state.position_id}, {task_words(state)}")


class _Picture:
    """A picture under construction: elements in the order in which they are painted."""

    def __init__(self, position: Position, *, flip: bool, left: bool, colours: Colours) -> None:
        self.position = position
        self.flip = flip
        self.left = left
        self.colours = colours
        self.elements: list[str] = []
        self.upper, self.lower = point_rows(flip=flip, left=left)

    def add(self, name: str, text: str | None = None, **attributes: object) -> None:
        """One element. Underscores in the names of attributes stand for hyphens."""
        written = "".join(
            f' {key.rstrip("_").replace("_", "-")}="{escape(decimal(value))}"' for key, value in attributes.items()
        )
        self.elements.append(f"<{name}{written}/>" if text is None else f"<{name}{written}>{escape(text)}</{name}>")

    def label(self, x: float, y: float, text: str, **attributes: object) -> None:
        """Words or numbers around a middle."""
        self.add(
            "text", text, **{"x": x, "y": y, "text_anchor": "middle", "dominant_baseline": "central", **attributes}
        )

    # --- places -------------------------------------------------------------------------------------------------------

    def _column(self, index: int) -> float:
        """The middle of the index-th point of a row."""
        bar = G.point if index >= G.points_a_row // 2 else 0
        return G.frame + G.side + G.point * (index + 0.5) + bar

    def _place(self, point: int, level: float, *, mine: bool = True) -> tuple[float, float]:
        """The middle of the level-th checker on a point, on the bar or off the board, as the player on roll counts."""
        if point == BAR:
            x = G.frame + G.side + G.board / 2
            upper = mine == self.flip
            return x, G.middle + (-1 if upper else 1) * (G.radius + G.first_on_bar + level * G.step)
        if point == OFF:
            upper = mine == self.flip
            return self._tray(), G.top + G.tray_arrow if upper else G.bottom - G.tray_arrow
        upper = point in self.upper
        row = self.upper if upper else self.lower
        y = G.radius + G.first_checker + level * G.step
        return self._column(row.index(point)), G.top + y if upper else G.bottom - y

    def _tray(self) -> float:
        return G.frame + G.side / 2 if self.left else G.width - G.frame - G.side / 2

    def _cube_side(self) -> float:
        return G.width - G.frame - G.side / 2 if self.left else G.frame + G.side / 2

    # --- what is painted ----------------------------------------------------------------------------------------------

    def board(self, off: tuple[int, int]) -> None:
        """The board, its points and all checkers."""
        colours = self.colours
        self.add("rect", x=0, y=0, width=G.width, height=G.height, rx=14, fill=colours.frame)
        inside = G.frame + G.side
        half = G.points_a_row // 2 * G.point
        for edge in (inside, inside + half + G.point):
            self.add("rect", x=edge, y=G.top, width=half, height=2 * G.half, rx=4, fill=colours.board)
        for tray in (G.top, G.middle + G.tray_gap):
            x = self._tray() - G.tray_width / 2
            self.add(
                "rect",
                x=x,
                y=tray,
                width=G.tray_width,
                height=G.half - G.tray_gap,
                rx=5,
                fill="#ffffff",
                fill_opacity=0.07,
            )
        for row, base, direction in ((self.upper, G.top, 1), (self.lower, G.bottom, -1)):
            for index, point in enumerate(row):
                x = self._column(index)
                fill = colours.point if (index + (direction < 0)) % 2 else colours.other_point
                left, tip, right = (
                    decimal(x - G.point / 2 + 1),
                    base + direction * (G.half - G.tip_gap),
                    decimal(x + G.point / 2 - 1),
                )
                self.add("path", d=f"M{left} {base}L{decimal(x)} {tip}L{right} {base}Z", fill=fill)
                self.label(x, base - direction * G.number_gap, str(point), font_size=12, fill=colours.faint_text)
        for point in range(1, BAR + 1):
            self._stack(point, self.position.mine[point - 1], mine=True)
            self._stack(point, self.position.theirs[point - 1], mine=False)
        for mine, count in ((True, off[0]), (False, off[1])):
            self._borne_off(count, mine=mine)

    def _stack(self, own_point: int, count: int, *, mine: bool) -> None:
        """The checkers of one side on one of its own points."""
        if not count:
            return
        point = own_point if mine or own_point == BAR else 25 - own_point
        for level in range(min(count, G.highest_stack)):
            x, y = self._place(point, level, mine=mine)
            self._checker(x, y, mine=mine)
        if count > G.highest_stack:
            x, y = self._place(point, G.highest_stack - 1, mine=mine)
            fill = self.colours.text if mine else self.colours.mine
            self.label(x, y, str(count), font_size=17, font_weight=600, fill=fill)

    def _checker(self, x: float, y: float, *, mine: bool) -> None:
        colours = self.colours
        fill, edge = (colours.mine, colours.mine_edge) if mine else (colours.theirs, colours.theirs_edge)
        self.add("circle", cx=x, cy=y, r=G.radius - 0.75, fill=fill, stroke=edge, stroke_width=1.5)
        ring = edge if mine else "#ffffff"
        self.add("circle", cx=x, cy=y, r=G.radius - 6, fill="none", stroke=ring, stroke_opacity=0.28, stroke_width=1.2)

    def _borne_off(self, count: int, *, mine: bool) -> None:
        """Checkers off the board, as slabs seen from their edge, in the tray of their owner."""
        colours = self.colours
        fill, edge = (colours.mine, colours.mine_edge) if mine else (colours.theirs, colours.faint_text)
        upper = mine == self.flip
        x = self._tray() - G.slab_width / 2
        for index in range(count):
            offset = G.slab_gap + index * G.slab_step
            y = G.top + offset if upper else G.bottom - offset - G.slab_height
            self.add(
                "rect", x=x, y=y, width=G.slab_width, height=G.slab_height, rx=3, fill=fill, stroke=edge, stroke_width=1
            )

    def captions(self, mine: tuple[str, str], theirs: tuple[str, str], game: str = "") -> None:
        """Words above and below the board: who it is on the left, pips and score on the right, each on its own side."""
        upper_y, lower_y = G.header / 2 + 2, G.height - G.header / 2 - 2
        for words, at_top, on_roll in ((mine, self.flip, True), (theirs, not self.flip, False)):
            y = upper_y if at_top else lower_y
            style = {"font_size": 15, "fill": self.colours.mine if on_roll else self.colours.faint_text}
            if on_roll:
                style["font_weight"] = 600
            self.label(G.frame + G.side, y, words[0], text_anchor="start", **style)
            self.label(G.width - G.frame - G.side, y, words[1], text_anchor="end", **style)
        if game:
            self.label(G.width / 2, upper_y, game, font_size=13, fill=self.colours.faint_text)

    def cube(self, state: State) -> None:
        """The cube: in the middle, or near its owner; while a double awaits its answer, on the doubler's board.

        In the Crawford game there is none, and the board says so; in a match to one point there never is one.
        """
        match, offered = state.match, state.offer in (Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON)
        if match.crawford or match.length == 1:
            if match.length > 1:
                self._crawford()
            return
        cube = match.cube
        x: float = self._cube_side()
        y: float = G.middle
        if offered:
            x = self._column(G.offered_column)
        elif cube.owner is not Owner.CENTRED:
            upper = (cube.owner is Owner.MINE) == self.flip
            y = G.top + G.cube_gap if upper else G.bottom - G.cube_gap
        # A cube that nobody has turned shows 64, as it lies on the table.
        shown = 2 * cube.value if offered else 64 if cube.value == 1 else cube.value
        half = G.cube / 2
        self.add(
            "rect",
            x=x - half,
            y=y - half,
            width=G.cube,
            height=G.cube,
            rx=6,
            fill=self.colours.mine,
            stroke="#00000033",
        )
        size = 18 if shown < 100 else 14 if shown < 1000 else 11
        self.label(x, y, str(shown), font_size=size, font_weight=700, fill=self.colours.text)

    def _crawford(self) -> None:
        """The word where the cube would be, along the board's side as the browser's board has it."""
        x, y = self._cube_side(), G.middle
        style = {"font_size": 16, "font_weight": 600, "fill": self.colours.faint_text}
        self.label(x, y, "Crawford", transform=f"rotate(-90 {decimal(float(x))} {decimal(float(y))})", **style)

    def dice(self, dice: Dice) -> None:
        """The roll, on the right half of the board, in the colour of the player on roll."""
        left_column, right_column = G.die_columns
        for x, die in (
            (self._column(left_column) - G.die_gap, dice.high),
            (self._column(right_column) + G.die_gap, dice.low),
        ):
            left, top = x - G.die / 2, G.middle - G.die / 2
            self.add(
                "rect",
                x=left,
                y=top,
                width=G.die,
                height=G.die,
                rx=7,
                fill=self.colours.mine,
                stroke=self.colours.mine_edge,
                stroke_width=1.2,
            )
            for column, row in _PIPS[die]:
                self.add(
                    "circle",
                    cx=x + G.pip_step * column,
                    cy=G.middle + G.pip_step * row,
                    r=G.pip,
                    fill=self.colours.text,
                )

    def arrows(self, play: Play) -> None:
        """An arrow for each move, from the checker that moves to where it lands."""
        leaving: Counter[int] = Counter()
        arriving: Counter[int] = Counter()
        for move in play.moves:
            held = self.position.mine[move.source - 1] + arriving[move.source]
            level = max(min(held, G.highest_stack) - 1 - leaving[move.source], 0)
            leaving[move.source] += 1
            start = self._place(move.source, level)
            standing = self.position.mine[move.target - 1] - leaving[move.target] if move.target != OFF else 0
            end = self._place(move.target, min(max(standing, 0) + arriving[move.target], G.highest_stack - 1))
            arriving[move.target] += 1
            self._arrow(start, end)

    def _bent(self, start: tuple[float, float], end: tuple[float, float]) -> str:
        """A line that bends towards the middle of the board, so that lines of one row stay apart."""
        (x1, y1), (x2, y2) = start, end
        bend = G.bend * (abs(x2 - x1) + abs(y2 - y1))
        towards = -1 if (y1 + y2) / 2 > G.middle else 1
        xm, ym = (x1 + x2) / 2, (y1 + y2) / 2 + towards * (bend if abs(y2 - y1) < G.half else 0)
        return f"M{decimal(x1)} {decimal(y1)}Q{decimal(xm)} {decimal(ym)} {decimal(x2)} {decimal(y2)}"

    def _arrow(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """A bent line with a head."""
        self.add("circle", cx=start[0], cy=start[1], r=4.5, fill=self.colours.arrow)
        self.add(
            "path",
            d=self._bent(start, end),
            fill="none",
            stroke=self.colours.arrow,
            stroke_width=4,
            stroke_linecap="round",
            stroke_opacity=0.85,
            marker_end="url(#kibitz-head)",
        )

    def overlay(self, overlay: Overlay) -> None:
        """Facts over the board: shaded points, rays from hitters to blots, words on points."""
        for point in overlay.shaded:
            x, y = self._place(point, 0)
            top = G.top if y < G.middle else G.middle + G.tip_gap
            self.add(
                "rect",
                x=x - G.point / 2,
                y=top,
                width=G.point,
                height=G.half - G.tip_gap,
                rx=4,
                fill=self.colours.arrow,
                fill_opacity=0.16,
            )
        for source, target in overlay.rays:
            start = self._place(source or BAR, 0, mine=source != 0)
            self.add("circle", cx=start[0], cy=start[1], r=4.5, fill=self.colours.arrow)
            self.add(
                "path",
                d=self._bent(start, self._place(target, 0)),
                fill="none",
                stroke=self.colours.arrow,
                stroke_width=2.5,
                stroke_dasharray="7 5",
                marker_end="url(#kibitz-head)",
            )
        for point, words in overlay.marks:
            x, y = self._place(point, 0)
            away = 1 if y < G.middle else -1
            self.label(
                x,
                y + away * (G.radius + 14),
                words,
                font_size=15,
                fill=self.colours.arrow,
                font_weight=700,
                stroke=self.colours.board,
                stroke_width=5,
                paint_order="stroke",  # rays do not strike the number through
            )

    def svg(self, title: str) -> str:
        """The finished picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {G.width} {G.height}" '
            f'width="{G.width}" height="{G.height}" '
            "role=\"img\" font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\">"
        )
        marker = (
            '<defs><marker id="kibitz-head" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" '
            f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10Z" fill="{self.colours.arrow}"/></marker></defs>'
        )
        return "\n".join([head, f"<title>{escape(title)}</title>", marker, *self.elements, "</svg>"]) + "\n"


_PIPS: dict[int, Iterable[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


def _pips_and_score(pips: int, score: str) -> str:
    return f"{pips} pips · {score}" if score else f"{pips} pips"


def decimal(value: object) -> str:
    """Numbers without needless digits, everything else as it is."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
