"""The '; [Name "value"]' lines above a .mat file: reading them into a match and writing them from one."""

from __future__ import annotations

import re
from dataclasses import replace

from kibitz.formats.builder import MatchBuilder
from kibitz.position import Variant
from kibitz.record import Match

_BRACKET = re.compile(r"[\[\]]")
_FIELDS = {"site": "place", "event": "event", "round": "round", "transcriber": "annotator"}
_VARIANTS = {
    "backgammon": Variant.BACKGAMMON,
    "nackgammon": Variant.NACKGAMMON,
    "hypergammon": Variant.HYPERGAMMON_3,
    "hypergammon (1)": Variant.HYPERGAMMON_1,
    "hypergammon (2)": Variant.HYPERGAMMON_2,
}


class HeaderReader:
    """Takes header lines one by one and fills in the builder."""

    def __init__(self, builder: MatchBuilder) -> None:
        self.builder = builder
        self.names = ["", ""]
        self.elo = ["", ""]
        self.jacoby: bool | None = None
        self.finished = False

    def line(self, text: str) -> bool:
        """Take a line without its ';'; False if it is not a header."""
        inner = text.strip()
        if not (inner.startswith("[") and inner.endswith("]")):
            return False
        name, quote, rest = inner[1:-1].partition('"')
        value, end, behind = rest.rpartition('"')
        if not (quote and end) or behind.strip() or name == name.rstrip() or not name.strip() or _BRACKET.search(name):
            return False
        name = name.strip()
        key = name.lower()
        builder = self.builder
        if key in _FIELDS:
            setattr(builder, _FIELDS[key], value)
        elif key == "eventdate":
            builder.date = iso_date(value)
        elif key in ("player 1", "player 2"):
            self.names[int(key[-1]) - 1] = value
        elif key in ("player 1 elo", "player 2 elo"):
            self.elo[int(key[7]) - 1] = value
        elif key == "variation":
            variant = _VARIANTS.get(value.lower())
            if variant is None:
                builder.warn(f"the variation {value!r} is not known; read as backgammon")
            builder.variant = variant or Variant.BACKGAMMON
        elif key == "crawford":
            builder.rules = replace(builder.rules, crawford=_is_on(value))
        elif key == "jacoby":
            self.jacoby = _is_on(value)
        elif key in ("beaver", "beavers"):
            builder.rules = replace(builder.rules, beavers=_is_on(value))
        elif key == "cubelimit":
            self.cube_limit(value)
        else:
            builder.info.append((name, value))
        return True

    def cube_limit(self, value: str) -> None:
        """The highest cube; 1 means that there is none."""
        limit = int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0
        if limit < 1 or limit & (limit - 1) or limit > 1 << 15:
            self.builder.warn(f"a cube limit of {value!r}; 1024 is taken")
            limit = 1024
        self.builder.rules = replace(self.builder.rules, max_cube=limit)

    def name(self, index: int) -> str:
        """A player's name according to the header."""
        return self.names[index] or f"Player {index + 1}"

    def finish(self) -> None:
        """All header lines have been seen: settle what depends on several of them."""
        if self.finished:
            return
        self.finished = True
        if self.jacoby is not None:
            self.builder.rules = replace(self.builder.rules, jacoby=self.jacoby)
        if any(self.names):
            self.builder.players = (self.name(0), self.name(1))

    def assign_ratings(self) -> None:
        """Give each Elo to the player it belongs to: XG may name the right player first."""
        if not any(self.elo):
            return
        swapped = tuple(self.names) == self.builder.players[::-1] and self.names[0] != self.names[1]
        first, second = self.elo[::-1] if swapped else self.elo
        self.builder.ratings = (first or self.builder.ratings[0], second or self.builder.ratings[1])


def header_lines(match: Match) -> list[str]:
    """The header lines of a match, without the ';'."""
    rows = [("Site", match.place)]
    info = dict(match.info)
    if "Match ID" in info:
        rows.append(("Match ID", info["Match ID"]))
    rows += [("Event", match.event), ("Round", match.round)]
    rows += [("Player 1", match.players[0]), ("Player 2", match.players[1])]
    rows += [("Player 1 Elo", match.ratings[0]), ("Player 2 Elo", match.ratings[1])]
    rows.append(("EventDate", match.date.replace("-", ".") if iso_date(match.date) == match.date else match.date))
    names = {variant: name.capitalize() for name, variant in _VARIANTS.items()}
    rows += [("Variation", names[match.variant]), ("Crawford", "On" if match.rules.crawford else "Off")]
    if match.is_money or match.rules.jacoby or match.rules.beavers:
        rows += [("Jacoby", "On" if match.rules.jacoby else "Off"), ("Beaver", "On" if match.rules.beavers else "Off")]
    rows += [("CubeLimit", str(match.rules.max_cube)), ("Transcriber", match.annotator)]
    rows += [(name, value) for name, value in match.info if name != "Match ID"]
    return [f'[{one_line(name)} "{one_line(value)}"]' for name, value in rows if value]


def one_line(text: str) -> str:
    """Text that cannot break a line."""
    return " ".join(text.split())


def iso_date(text: str) -> str:
    """'2024.08.05' as 2024-08-05; anything else as it is."""
    found = re.fullmatch(r"(\d{4})[./-](\d{2})[./-](\d{2})", text.strip())
    return f"{found[1]}-{found[2]}-{found[3]}" if found else text.strip()


def _is_on(value: str) -> bool:
    return value.strip().lower() in ("on", "yes", "true", "1")
