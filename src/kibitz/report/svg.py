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
from kibitz.report.layout import POINTS_A_ROW, game_words, point_rows, score_words, sentence, task_words
from kibitz.state import Offer, State


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a picture."""

    frame: str = "#34515a"
    board: str = "#f4efe6"
    point: str = "#d9c7a8"
    other_point: str = "#93b0a7"
    mine: str = "#fdfcf9"
    mine_edge: str = "#9a948a"
    theirs: str = "#2b3036"
    theirs_edge: str = "#15181c"
    text: str = "#2b3a42"
    faint_text: str = "#c9d3d6"
    arrow: str = "#d1495b"


_POINT = 44  # width of a point
_RADIUS = 20
_STEP = 39  # between the centres of stacked checkers: they overlap a little
_HALF = 228  # height of a half of the board
_SIDE = 56  # the tray for borne-off checkers on one side, the cube on the other
_FRAME = 12
_HEADER = 34
_NUMBERS = 20
_BOARD = POINTS_A_ROW * _POINT + _POINT  # the bar is as wide as a point
_WIDTH = 2 * _SIDE + _BOARD + 2 * _FRAME
_TOP = _HEADER + _NUMBERS + 2
_HEIGHT = _TOP + 2 * _HALF + _NUMBERS + _HEADER + 2
_MIDDLE = _TOP + _HALF
_HIGHEST_STACK = 5


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
) -> str:
    """An SVG of the checkers; with a play, its moves as arrows. The light checkers are the player's on roll."""
    picture = _Picture(position, flip=flip, left=left, colours=colours or Colours())
    mine, theirs = position.pips
    picture.board(position.off())
    picture.captions(("On roll", f"{mine} pips"), ("Opponent", f"{theirs} pips"))
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
        bar = _POINT if index >= POINTS_A_ROW // 2 else 0
        return _FRAME + _SIDE + _POINT * (index + 0.5) + bar

    def _place(self, point: int, level: float, *, mine: bool = True) -> tuple[float, float]:
        """The middle of the level-th checker on a point, on the bar or off the board, as the player on roll counts."""
        if point == BAR:
            x = _FRAME + _SIDE + _BOARD / 2
            upper = mine == self.flip
            return x, _MIDDLE + (-1 if upper else 1) * (_RADIUS + 14 + level * _STEP)
        if point == OFF:
            upper = mine == self.flip
            return self._tray(), _TOP + 60 if upper else _TOP + 2 * _HALF - 60
        upper = point in self.upper
        row = self.upper if upper else self.lower
        y = _RADIUS + 3 + level * _STEP
        return self._column(row.index(point)), _TOP + y if upper else _TOP + 2 * _HALF - y

    def _tray(self) -> float:
        return _FRAME + _SIDE / 2 if self.left else _WIDTH - _FRAME - _SIDE / 2

    def _cube_side(self) -> float:
        return _WIDTH - _FRAME - _SIDE / 2 if self.left else _FRAME + _SIDE / 2

    # --- what is painted ----------------------------------------------------------------------------------------------

    def board(self, off: tuple[int, int]) -> None:
        """The board, its points and all checkers."""
        colours = self.colours
        self.add("rect", x=0, y=0, width=_WIDTH, height=_HEIGHT, rx=14, fill=colours.frame)
        inside = _FRAME + _SIDE
        half = POINTS_A_ROW // 2 * _POINT
        for edge in (inside, inside + half + _POINT):
            self.add("rect", x=edge, y=_TOP, width=half, height=2 * _HALF, rx=4, fill=colours.board)
        for tray in (_TOP, _MIDDLE + 34):
            x = self._tray() - 20
            self.add("rect", x=x, y=tray, width=40, height=_HALF - 34, rx=5, fill="#ffffff", fill_opacity=0.07)
        for row, base, direction in ((self.upper, _TOP, 1), (self.lower, _TOP + 2 * _HALF, -1)):
            for index, point in enumerate(row):
                x = self._column(index)
                fill = colours.point if (index + (direction < 0)) % 2 else colours.other_point
                left, tip, right = (
                    decimal(x - _POINT / 2 + 1),
                    base + direction * (_HALF - 30),
                    decimal(x + _POINT / 2 - 1),
                )
                self.add("path", d=f"M{left} {base}L{decimal(x)} {tip}L{right} {base}Z", fill=fill)
                self.label(x, base - direction * 11, str(point), font_size=12, fill=colours.faint_text)
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
        for level in range(min(count, _HIGHEST_STACK)):
            x, y = self._place(point, level, mine=mine)
            self._checker(x, y, mine=mine)
        if count > _HIGHEST_STACK:
            x, y = self._place(point, _HIGHEST_STACK - 1, mine=mine)
            fill = self.colours.text if mine else self.colours.mine
            self.label(x, y, str(count), font_size=17, font_weight=600, fill=fill)

    def _checker(self, x: float, y: float, *, mine: bool) -> None:
        colours = self.colours
        fill, edge = (colours.mine, colours.mine_edge) if mine else (colours.theirs, colours.theirs_edge)
        self.add("circle", cx=x, cy=y, r=_RADIUS - 0.75, fill=fill, stroke=edge, stroke_width=1.5)
        ring = edge if mine else "#ffffff"
        self.add("circle", cx=x, cy=y, r=_RADIUS - 6, fill="none", stroke=ring, stroke_opacity=0.28, stroke_width=1.2)

    def _borne_off(self, count: int, *, mine: bool) -> None:
        """Checkers off the board, as slabs seen from their edge, in the tray of their owner."""
        colours = self.colours
        fill, edge = (colours.mine, colours.mine_edge) if mine else (colours.theirs, colours.faint_text)
        upper = mine == self.flip
        x = self._tray() - 17
        for index in range(count):
            offset = 4 + index * 12.4
            y = _TOP + offset if upper else _TOP + 2 * _HALF - offset - 11
            self.add("rect", x=x, y=y, width=34, height=11, rx=3, fill=fill, stroke=edge, stroke_width=1)

    def captions(self, mine: tuple[str, str], theirs: tuple[str, str], game: str = "") -> None:
        """Words above and below the board: who it is on the left, pips and score on the right, each on its own side."""
        upper_y, lower_y = _HEADER / 2 + 2, _HEIGHT - _HEADER / 2 - 2
        for words, at_top, on_roll in ((mine, self.flip, True), (theirs, not self.flip, False)):
            y = upper_y if at_top else lower_y
            style = {"font_size": 15, "fill": self.colours.mine if on_roll else self.colours.faint_text}
            if on_roll:
                style["font_weight"] = 600
            self.label(_FRAME + _SIDE, y, words[0], text_anchor="start", **style)
            self.label(_WIDTH - _FRAME - _SIDE, y, words[1], text_anchor="end", **style)
        if game:
            self.label(_WIDTH / 2, upper_y, game, font_size=13, fill=self.colours.faint_text)

    def cube(self, state: State) -> None:
        """The cube: in the middle, or near its owner; while a double awaits its answer, on the doubler's board."""
        cube, offered = state.match.cube, state.offer in (Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON)
        x: float = self._cube_side()
        y: float = _MIDDLE
        if offered:
            x = self._column(2)
        elif cube.owner is not Owner.CENTRED:
            upper = (cube.owner is Owner.MINE) == self.flip
            y = _TOP + 24 if upper else _TOP + 2 * _HALF - 24
        # A cube that nobody has turned shows 64, as it lies on the table.
        shown = 2 * cube.value if offered else 64 if cube.value == 1 else cube.value
        self.add("rect", x=x - 18, y=y - 18, width=36, height=36, rx=6, fill=self.colours.mine, stroke="#00000033")
        size = 18 if shown < 100 else 14 if shown < 1000 else 11
        self.label(x, y, str(shown), font_size=size, font_weight=700, fill=self.colours.text)

    def dice(self, dice: Dice) -> None:
        """The roll, on the right half of the board, in the colour of the player on roll."""
        for x, die in ((self._column(8) - 2, dice.high), (self._column(9) + 2, dice.low)):
            left, top = x - 17, _MIDDLE - 17
            self.add(
                "rect",
                x=left,
                y=top,
                width=34,
                height=34,
                rx=7,
                fill=self.colours.mine,
                stroke=self.colours.mine_edge,
                stroke_width=1.2,
            )
            for column, row in _PIPS[die]:
                self.add("circle", cx=left + 17 + 9 * column, cy=top + 17 + 9 * row, r=3, fill=self.colours.text)

    def arrows(self, play: Play) -> None:
        """An arrow for each move, from the checker that moves to where it lands."""
        leaving: Counter[int] = Counter()
        arriving: Counter[int] = Counter()
        for move in play.moves:
            held = self.position.mine[move.source - 1] + arriving[move.source]
            level = max(min(held, _HIGHEST_STACK) - 1 - leaving[move.source], 0)
            leaving[move.source] += 1
            start = self._place(move.source, level)
            standing = self.position.mine[move.target - 1] - leaving[move.target] if move.target != OFF else 0
            end = self._place(move.target, min(max(standing, 0) + arriving[move.target], _HIGHEST_STACK - 1))
            arriving[move.target] += 1
            self._arrow(start, end)

    def _arrow(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """A bent line with a head; it bends towards the middle of the board, so that arrows of one row stay apart."""
        (x1, y1), (x2, y2) = start, end
        bend = 0.16 * (abs(x2 - x1) + abs(y2 - y1))
        towards = -1 if (y1 + y2) / 2 > _MIDDLE else 1
        xm, ym = (x1 + x2) / 2, (y1 + y2) / 2 + towards * (bend if abs(y2 - y1) < _HALF else 0)
        path = f"M{decimal(x1)} {decimal(y1)}Q{decimal(xm)} {decimal(ym)} {decimal(x2)} {decimal(y2)}"
        self.add("circle", cx=x1, cy=y1, r=4.5, fill=self.colours.arrow)
        self.add(
            "path",
            d=path,
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
            top = _TOP if y < _MIDDLE else _MIDDLE + 30
            self.add(
                "rect",
                x=x - _POINT / 2,
                y=top,
                width=_POINT,
                height=_HALF - 30,
                rx=4,
                fill=self.colours.arrow,
                fill_opacity=0.16,
            )
        for source, target in overlay.rays:
            (x1, y1), (x2, y2) = self._place(source or BAR, 0, mine=source != 0), self._place(target, 0)
            self.add(
                "line",
                x1=x1,
                y1=y1,
                x2=x2,
                y2=y2,
                stroke=self.colours.arrow,
                stroke_width=2.5,
                stroke_dasharray="7 5",
                marker_end="url(#kibitz-head)",
            )
        for point, words in overlay.marks:
            x, y = self._place(point, 0)
            away = 1 if y < _MIDDLE else -1
            self.label(x, y + away * (_RADIUS + 12), words, font_size=15, fill=self.colours.arrow, font_weight=700)

    def svg(self, title: str) -> str:
        """The finished picture."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            f'width="{_WIDTH}" height="{_HEIGHT}" '
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
