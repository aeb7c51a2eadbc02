"""Positions, matches and plays as people write them. `parse` reads whatever it is given.

position_id   GNU Backgammon's Position ID: the checkers
match_id      GNU Backgammon's Match ID: all the rest
xgid          eXtreme Gammon's XGID: both in one line
fibs          the board lines of the First Internet Backgammon Server
plays         plays such as 24/18*/13 8/5(2)
parse         any of these, found by itself in any text
"""

from kibitz.notation.fibs import format_fibs, parse_fibs
from kibitz.notation.match_id import format_match_id, parse_match_id
from kibitz.notation.parse import in_game, parse, variant_of
from kibitz.notation.plays import parse_play
from kibitz.notation.position_id import format_position_id, parse_position_id
from kibitz.notation.xgid import format_xgid, parse_xgid

__all__ = [
    "format_fibs",
    "format_match_id",
    "format_position_id",
    "format_xgid",
    "in_game",
    "parse",
    "parse_fibs",
    "parse_match_id",
    "parse_play",
    "parse_position_id",
    "parse_xgid",
    "variant_of",
]
