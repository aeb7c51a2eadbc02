"""A match as rows: games, positions and decisions, ready to be written. Plain data, made in any process."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any

import numpy as np

from kibitz.analysis.decisions import Kind
from kibitz.analysis.positions import is_position
from kibitz.formats import json_
from kibitz.library.keys import Identity, identity
from kibitz.library.plans import Plan, phase_of, plans_of
from kibitz.match import MatchState
from kibitz.move import format_moves
from kibitz.position import Position
from kibitz.record import Beaver, Double, Drop, Match, Moment, Raccoon, Resign, Roll, Setup, Take
from kibitz.state import Offer, State


class MatchKind(StrEnum):
    """What a record is."""

    MATCH = "match"
    SESSION = "session"  # for money
    POSITION = "position"


Place = tuple[int, int, str]
"""Where a decision stands, in whatever way the file counts actions: game, move and kind."""


@dataclass(frozen=True, slots=True)
class MatchRows:
    """What is written of a match. Games, positions and decisions are rows without the numbers that a database gives."""

    identity: Identity
    header: dict[str, Any]
    players: tuple[str, str]
    games: list[dict[str, Any]]
    positions: list[dict[str, Any]]
    decisions: list[dict[str, Any]]  # each with "game", a number, and "position", an index into `positions`
    notes: list[tuple[Place | None, str]] = field(default_factory=list)  # on a decision or on the whole


def match_rows(match: Match) -> MatchRows:
    """All rows of a match."""
    match = cleaned(match)
    moments = list(match.moments())
    known = identity(match, moments)
    last = {moment.game: moment.index for moment in moments}
    decisions = [row for moment in moments for row in decision_rows(moment, is_last=last[moment.game] == moment.index)]
    positions = index_positions(decisions)
    notes: list[tuple[Place | None, str]] = [(None, text) for text in match.comments if text.strip()]
    notes += [(None, f"Game {n}: {clean(g.comment)}") for n, g in enumerate(match.games, start=1) if g.comment.strip()]
    for moment in moments:
        if moment.action.comment.strip() and (place := main_place(moment)) is not None:
            notes.append((place, clean(moment.action.comment)))
    return MatchRows(known, header(match, known), match.players, games(match, moments), positions, decisions, notes)


def header(match: Match, known: Identity) -> dict[str, Any]:
    """What the row of a match holds besides the players."""
    score = match.score
    return {
        "kind": kind_of(match).value,
        "full_key": known.full_key,
        "prefix_key": known.prefix_key,
        "length": match.length,
        "variant": match.variant.value,
        "score0": score[0],
        "score1": score[1],
        "winner": match.winner,
        "games": len(match.games),
        "event": match.event,
        "round": match.round,
        "place": match.place,
        "dated": match.date,
        "played_on": day_of(match.date),
        "record": pack_record(match),
    }


def kind_of(match: Match) -> MatchKind:
    """Whether a record is a match, a money session, or a position with what may follow from it."""
    if is_position(match):
        return MatchKind.POSITION
    return MatchKind.MATCH if match.length else MatchKind.SESSION


def day_of(text: str) -> date | None:
    """The day of a date that is one."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def games(match: Match, moments: Sequence[Moment]) -> list[dict[str, Any]]:
    """The rows of the games, with their first two rolls."""
    rows = [
        {
            "number": number,
            "score0": game.score[0],
            "score1": game.score[1],
            "crawford": game.crawford,
            "winner": None if game.result is None else game.result.winner,
            "points": None if game.result is None else game.result.points,
            "opening": "",
            "opening_play": "",
            "reply": "",
            "reply_play": "",
        }
        for number, game in enumerate(match.games, start=1)
    ]
    started = Position.start(match.variant)
    opened = {moment.game for moment in moments if moment.index == 0 and moment.state.position == started}
    for moment in moments:
        action = moment.action
        if moment.game in opened and isinstance(action, Roll) and action.moves is not None and moment.number <= 2:
            name = "opening" if moment.number == 1 else "reply"
            rows[moment.game - 1][name] = str(action.dice)
            rows[moment.game - 1][f"{name}_play"] = str(moment.play)
    return rows


# --- decisions --------------------------------------------------------------------------------------------------------


def decision_rows(moment: Moment, *, is_last: bool = False) -> list[dict[str, Any]]:
    """The decisions of a moment. That the cube was left alone before a roll is one only if the file speaks of it.

    A position that is set up with nothing after it asks whether to double.
    """
    action, state = moment.action, moment.state
    if isinstance(action, Setup):
        asked = is_last or action.cube is not None
        return [decision_row(moment, Kind.CUBE, "")] if asked else []
    if isinstance(action, Roll):
        rows = []
        if action.cube is not None:
            rows.append(decision_row(moment, Kind.CUBE, "no double" if action.moves is not None else ""))
        rows.append(decision_row(moment, Kind.CHECKER, "" if action.moves is None else format_play(moment)))
        return rows
    if isinstance(action, Double):
        return [decision_row(moment, Kind.CUBE, "double")]
    if isinstance(action, Take | Drop | Beaver | Raccoon):
        chosen = {"drop": "pass"}.get(action.kind, action.kind)
        kind = Kind.COUNTER if state.offer is Offer.BEAVER else Kind.ANSWER
        return [decision_row(moment, kind, chosen)]
    assert isinstance(action, Resign)
    return [decision_row(moment, Kind.RESIGNATION, "resign")]


def format_play(moment: Moment) -> str:
    """The play that was made, as it is written."""
    action = moment.action
    assert isinstance(action, Roll) and action.moves is not None
    return format_moves(action.moves)


def decision_row(moment: Moment, kind: Kind, chosen: str) -> dict[str, Any]:
    """The row of one decision. The state of an answer is that of the player who doubled."""
    return state_row(moment.state, kind) | {
        "game": moment.game,
        "ply": moment.index,
        "move": moment.number,
        "seat": moment.action.player,
        "chosen": chosen,
    }


def state_row(state: State, kind: Kind) -> dict[str, Any]:
    """What the row of a decision holds of its state."""
    match: MatchState = state.match
    return {
        "kind": kind.value,
        "rows": state.position.rows,
        "dice": str(state.dice) if kind is Kind.CHECKER and state.dice is not None else "",
        "my_away": match.my_away,
        "their_away": match.their_away,
        "cube": match.cube.value,
        "cube_owner": match.cube.owner.value,
        "crawford": match.crawford,
    }


def main_place(moment: Moment) -> Place | None:
    """The decision that a comment on an action speaks of."""
    rows = decision_rows(moment)
    return (moment.game, moment.number, rows[-1]["kind"]) if rows else None


def index_positions(decisions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of all positions; in each decision the position becomes an index into them, and the phase is told."""
    numbers: dict[bytes, int] = {}
    for row in decisions:
        row["position"] = numbers.setdefault(row.pop("rows"), len(numbers))
    rows = position_rows(list(numbers))
    for row in decisions:
        plan = Plan(rows[row["position"]]["plan"])
        row["phase"] = phase_of(plan, row["move"]).value
    return rows


def position_rows(positions: Sequence[bytes]) -> list[dict[str, Any]]:
    """The rows of positions that are given as their 50 counts each."""
    if not positions:
        return []
    boards = np.frombuffer(b"".join(positions), dtype=np.uint8).reshape(-1, 2, 25)
    bits = 1 << np.arange(25)
    points, blots = (boards >= 2) @ bits, (boards == 1) @ bits
    pips = boards @ np.arange(1, 26)
    back = boards[:, :, 18:].sum(axis=2)
    plans = plans_of(boards)
    return [
        {
            "position_id": Position.from_rows(rows).id,
            "my_points": int(points[n, 0]),
            "their_points": int(points[n, 1]),
            "my_blots": int(blots[n, 0]),
            "their_blots": int(blots[n, 1]),
            "my_pips": int(pips[n, 0]),
            "their_pips": int(pips[n, 1]),
            "my_back": int(back[n, 0]),
            "their_back": int(back[n, 1]),
            "plan": plans[n].value,
            "board": rows,
        }
        for n, rows in enumerate(positions)
    ]


# --- packing ----------------------------------------------------------------------------------------------------------


def clean(text: str) -> str:
    """Text that every database can keep: no zero bytes, no halves of characters."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def cleaned(match: Match) -> Match:
    """A match whose names and words every database can keep."""
    first, second = (clean(name).strip() for name in match.players)
    return replace(
        match,
        players=(first or "Player 1", second or "Player 2"),
        event=clean(match.event),
        round=clean(match.round),
        place=clean(match.place),
        date=clean(match.date),
        annotator=clean(match.annotator),
        ratings=(clean(match.ratings[0]), clean(match.ratings[1])),
        comments=tuple(map(clean, match.comments)),
        info=tuple((clean(name), clean(value)) for name, value in match.info),
    )


def pack(data: Any) -> bytes:
    """Plain data as compressed JSON."""
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"), 1)


def unpack(data: bytes) -> Any:
    """What `pack` was given."""
    return json.loads(zlib.decompress(data))


def pack_record(match: Match) -> bytes:
    """What was played, without comments and analyses, which are kept by themselves."""
    data, _ = json_.write(match.bare())
    return zlib.compress(data, 1)


def unpack_record(data: bytes) -> Match:
    """What `pack_record` was given."""
    return json_.read(zlib.decompress(data))
