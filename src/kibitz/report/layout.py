"""Where things are on a drawn board, and what is written beside it. Shared by the terminal and the pictures."""

from __future__ import annotations

from html import escape

from kibitz.cube import Owner
from kibitz.match import MatchState
from kibitz.record import Ending, Game
from kibitz.state import Offer, State

POINTS_A_ROW = 12


def point_rows(*, flip: bool, left: bool) -> tuple[list[int], list[int]]:
    """The points of the upper and the lower row from left to right, numbered by the player on roll.

    That player sits at the bottom, at the top if `flip`; both bear off to the right, to the left if `left`.
    """
    outer_first = list(range(13, 25))
    home_last = list(range(12, 0, -1))
    upper, lower = (home_last, outer_first) if flip else (outer_first, home_last)
    if left:
        upper, lower = upper[::-1], lower[::-1]
    return upper, lower


def score_words(match: MatchState, *, mine: bool) -> str:
    """A side's score: '3 of 7', the points of a money session, nothing before the first of these."""
    score = match.my_score if mine else match.their_score
    if match.length:
        return f"{score} of {match.length}"
    return str(score) if match.my_score or match.their_score else ""


def game_words(match: MatchState) -> str:
    """What is being played: the length of the match, or the rules of a money game."""
    if match.length:
        words = f"{match.length}-point match"
        if match.length > 1 and match.crawford:
            return words + ", Crawford game"
        if match.length > 1 and match.post_crawford and match.my_away != match.their_away:
            return words + ", after Crawford"
        return words
    rules = [rule for rule, used in (("Jacoby", match.jacoby), ("beavers", match.beavers)) if used]
    return "money game" + (f" ({', '.join(rules)})" if rules else "")


def cube_words(match: MatchState) -> str:
    """The cube in words; X is the player whose side the score is seen from."""
    if match.crawford or match.length == 1:
        return "no cube"
    owner = {Owner.CENTRED: "in the middle", Owner.MINE: "X's", Owner.THEIRS: "O's"}[match.cube.owner]
    return f"cube {match.cube.value}, {owner}"


def sentence(words: str) -> str:
    """The same words with a capital first letter; names keep theirs."""
    return words[:1].upper() + words[1:]


def task_words(state: State) -> str:
    """What is to be decided now."""
    if state.offer is Offer.DOUBLE:
        return f"doubles to {2 * state.match.cube.value}"
    if state.offer is not Offer.NONE:
        return state.offer.value.replace("-", " ")
    return f"to play {state.dice}" if state.dice else "on roll"


def result_words(game: Game, players: tuple[str, str]) -> str:
    """Who won a game, how much and how."""
    result = game.result
    if result is None:
        return "unfinished"
    points = f"{result.points} point{'s' if result.points != 1 else ''}"
    how = {Ending.DROPPED: " by a pass", Ending.RESIGNED: " by resignation"}.get(result.ending, "")
    return f"{players[result.winner]} wins {points}{how}"


def html_table(header: list[str], rows: list[list[str]]) -> str:
    """Rows of text as HTML; nothing in them is taken for markup."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
