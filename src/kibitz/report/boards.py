"""Many boards on one page: what is the same in all of them is drawn once, so that each needs only two kilobytes."""

from __future__ import annotations

from html import escape

from kibitz.cube import Owner
from kibitz.move import Play
from kibitz.position import Position
from kibitz.report.layout import task_words
from kibitz.report.svg import _FRAME, _HEADER, _HEIGHT, _NUMBERS, _SIDE, _TOP, _WIDTH, Colours, _Picture
from kibitz.state import State

_MARGIN = 4
_BOARD_TOP = _TOP - _NUMBERS - _MARGIN
_BOARD_HEIGHT = _HEIGHT - 2 * (_HEADER - _MARGIN)
_VIEW = f"0 {_BOARD_TOP} {_WIDTH} {_BOARD_HEIGHT}"


class _Shared(_Picture):
    """The parts that all boards of a page share: frame, points, numbers, a checker of each side, the arrow's head."""

    def _stack(self, own_point: int, count: int, *, mine: bool) -> None:
        """No checkers here."""

    def shared(self) -> str:
        """An SVG without a size that holds the shared parts."""
        self.board((0, 0))
        self.elements[0] = ""  # the frame is drawn to the cut below instead
        frame = (
            f'<rect y="{_BOARD_TOP}" width="{_WIDTH}" height="{_BOARD_HEIGHT}" rx="12" fill="{self.colours.frame}"/>'
        )
        board = frame + "".join(self.elements)
        self.elements = []
        self._checker(0, 0, mine=True)
        mine = "".join(self.elements)
        self.elements = []
        self._checker(0, 0, mine=False)
        theirs = "".join(self.elements)
        return (
            '<svg width="0" height="0" aria-hidden="true" focusable="false"><defs>'
            f'<g id="kb">{board}</g><g id="km">{mine}</g><g id="kt">{theirs}</g>'
            '<marker id="kibitz-head" viewBox="0 0 10 10" refX="7" refY="5" markerWidth="4" markerHeight="4" '
            f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10Z" fill="{self.colours.arrow}"/></marker>'
            "</defs></svg>"
        )


class _Compact(_Picture):
    """A board that refers to the shared parts."""

    def _checker(self, x: float, y: float, *, mine: bool) -> None:
        self.add("use", href="#km" if mine else "#kt", x=x, y=y)

    def checkers(self, off: tuple[int, int]) -> None:
        """All checkers."""
        for point in range(1, 26):
            self._stack(point, self.position.mine[point - 1], mine=True)
            self._stack(point, self.position.theirs[point - 1], mine=False)
        for mine, count in ((True, off[0]), (False, off[1])):
            self._borne_off(count, mine=mine)

    def small_svg(self, title: str) -> str:
        """The picture, as wide as its place."""
        return (
            f'<svg class="board" viewBox="{_VIEW}" role="img"><title>{escape(title)}</title><use href="#kb"/>'
            + "".join(self.elements)
            + "</svg>"
        )


def shared_parts() -> str:
    """What a page must hold once so that `draw_board` works."""
    return _Shared(Position.start(), flip=False, left=False, colours=Colours()).shared()


def draw_board(state: State, play: Play | None = None) -> str:
    """The board of a state, the player on roll below, with a play as arrows; without names and scores."""
    picture = _Compact(state.position, flip=False, left=False, colours=Colours())
    picture.checkers(state.position.off(state.match.variant))
    picture.cube(state)
    if state.dice is not None:
        picture.dice(state.dice)
    if play is not None:
        picture.arrows(play)
    mine, theirs = state.position.pips
    x = _WIDTH - _FRAME - _SIDE / 2
    for y, pips in ((_TOP - 11, theirs), (_HEIGHT - _HEADER - 9, mine)):
        picture.label(x, y, str(pips), font_size=13, fill=Colours().faint_text)
    owner = {Owner.CENTRED: "in the middle", Owner.MINE: "with the player on roll", Owner.THEIRS: "with the opponent"}
    title = (
        f"Position {state.position_id}, {task_words(state)}; pips {mine} to {theirs}; cube "
        f"{state.match.cube.value} {owner[state.match.cube.owner]}"
    )
    return picture.small_svg(title)
