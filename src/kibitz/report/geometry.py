"""The measures of a drawn board. `geometry.json` is the one source of the pictures of Python and of the face."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Geometry:
    """Lengths are units of the picture."""

    points_a_row: int
    point: int  # width of a point, and of the bar
    radius: int
    step: int  # between the centres of stacked checkers: they overlap a little
    half: int  # height of a half of the board
    side: int  # the tray for borne-off checkers on one side, the cube on the other
    frame: int
    header: int  # captions above and below
    numbers: int
    margin: int  # of a picture without captions
    highest_stack: int  # what is higher gets its count written on it
    first_checker: int  # from the edge
    first_on_bar: int  # from the middle
    tip_gap: int  # from the tip of a point to the middle
    number_gap: int
    tray_width: int
    tray_gap: int
    tray_arrow: int  # where arrows that bear off end
    slab_width: int
    slab_height: int
    slab_step: float
    slab_gap: int
    cube: int
    cube_gap: int
    die: int
    die_gap: int
    die_columns: tuple[int, int]
    offered_column: int  # where the cube lies that is offered
    pip: int
    pip_step: int
    bend: float  # of an arrow, for each unit of its length

    @property
    def board(self) -> int:
        """Width of points and bar."""
        return (self.points_a_row + 1) * self.point

    @property
    def width(self) -> int:
        """Width of the picture."""
        return 2 * self.side + self.board + 2 * self.frame

    @property
    def top(self) -> int:
        """Where the board begins."""
        return self.header + self.numbers + 2

    @property
    def middle(self) -> int:
        """Between the halves."""
        return self.top + self.half

    @property
    def bottom(self) -> int:
        """Where the board ends."""
        return self.top + 2 * self.half

    @property
    def height(self) -> int:
        """Height of the picture with its captions."""
        return self.bottom + self.numbers + self.header + 2

    @property
    def cut_top(self) -> int:
        """Where a picture without captions begins."""
        return self.top - self.numbers - self.margin

    @property
    def cut_height(self) -> int:
        """Height of a picture without captions."""
        return self.height - 2 * (self.header - self.margin)


def _read() -> Geometry:
    data = json.loads((files("kibitz.report") / "geometry.json").read_text(encoding="utf-8"))
    data["dieColumns"] = tuple(data["dieColumns"])
    return Geometry(**{one.name: data[_camel(one.name)] for one in fields(Geometry)})


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


GEOMETRY = _read()
