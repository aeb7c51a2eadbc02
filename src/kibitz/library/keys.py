"""Which match a file holds: told by dice and positions, never by names, seats, formats or how far the record goes.

Two records are of the same match if the shorter one is the beginning of the longer one, game by game. Programs write
the end of a game differently, and a file may be cut anywhere: what counts is that nothing contradicts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kibitz.position import Position
from kibitz.record import Action, Match, Moment, Resign, Roll, Setup

VERSION = "kibitz-match-1"
PREFIX = 8
"""Rolls that tell matches apart: the first ones of the match. A record of fewer is the same only as an equal one."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What a match is known by. `first` is the seat of the player who acts first, to whom all else is related."""

    full_key: str
    prefix_key: str
    first: int
    rolls: tuple[tuple[str, ...], ...]  # of each game: dice and the position after the play

    @property
    def length(self) -> int:
        """How many rolls the record has."""
        return sum(map(len, self.rolls))

    def is_same_match(self, other: Identity) -> bool:
        """Whether one record is the beginning of the other, and both are long enough to tell."""
        if self.full_key == other.full_key:
            return True
        common = 0
        for mine, theirs in zip(self.rolls, other.rolls, strict=False):
            shorter = min(len(mine), len(theirs))
            if mine[:shorter] != theirs[:shorter]:
                return False
            common += shorter
        return common >= PREFIX

    def goes_beyond(self, other: Identity) -> bool:
        """Whether this record of the same match tells more: in no game less, in some more."""
        return len(self.rolls) >= len(other.rolls) and self.length > other.length


def identity(match: Match, moments: Sequence[Moment] | None = None) -> Identity:
    """What a match is known by."""
    if moments is None:
        moments = list(match.moments())
    first = next((moment.action.player for moment in moments), 0)
    games: list[list[str]] = [[] for _ in match.games]
    full: list[list[str]] = [[] for _ in match.games]
    for moment in moments:
        token = _token(moment, first)
        if isinstance(moment.action, Roll) and moment.action.moves is not None:
            games[moment.game - 1].append(token)
        if token:
            full[moment.game - 1].append(token)
    head = f"{VERSION} {match.variant.value} {match.length}"
    scores = [f"{game.score[first]}-{game.score[1 - first]}" for game in match.games]
    whole = [" ".join([score, *tokens]) for score, tokens in zip(scores, full, strict=True)]
    beginning = [token for game in games for token in game][:PREFIX]
    long_enough = len(beginning) == PREFIX
    full_key = _hash([head, *whole])
    return Identity(full_key, _hash([head, *beginning]) if long_enough else full_key, first, tuple(map(tuple, games)))


def with_seats_swapped(match: Match) -> Match:
    """The same match with the players named the other way round."""

    def swap(action: Action) -> Action:
        return replace(action, player=1 - action.player)

    games = tuple(
        replace(
            game,
            score=game.score[::-1],
            actions=tuple(map(swap, game.actions)),
            result=None if game.result is None else replace(game.result, winner=1 - game.result.winner),
        )
        for game in match.games
    )
    return replace(match, players=match.players[::-1], ratings=match.ratings[::-1], games=games)


def _token(moment: Moment, first: int) -> str:
    """An action in a few characters; nothing for those that formats disagree about."""
    action = moment.action
    if isinstance(action, Roll):
        after: Position = moment.state.position if moment.play is None else moment.play.result
        return f"{action.dice.high}{action.dice.low}{after.id}"
    if isinstance(action, Resign):
        return ""
    if isinstance(action, Setup):
        side = int(action.player != first)
        return f"setup{side}{action.position.id}{action.owner.value}{action.value}"
    return action.kind


def _hash(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
