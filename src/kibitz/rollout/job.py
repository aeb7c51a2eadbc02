"""The work of a rollout, as plain data: what any process on any machine needs to play the same games."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from kibitz import _core
from kibitz.bearoff.in_use import tables_in_use
from kibitz.engine.networks import SHIPPED, evaluator_for, evaluator_of
from kibitz.errors import EngineError
from kibitz.match import MatchState
from kibitz.match_equity import MatchEquityTable, cube_model
from kibitz.move import Play
from kibitz.plain_json import check_kinds, picked
from kibitz.position import Position
from kibitz.rollout.dice import faces_of
from kibitz.rollout.settings import GROUP, RolloutSettings
from kibitz.rollout.tally import Tally
from kibitz.state import State

OUR_EVALUATOR = "an evaluator of the caller's own"


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is rolled out: a position before a roll, named after what led to it.

    The equities of all candidates are those of the same player, who is on roll here only if `mine`. `taken` candidates
    start after that player's double has been taken; those that may not double at once have decided not to.
    """

    name: str
    position: Position
    mine: bool = True
    taken: bool = False
    may_double: bool = True
    play: Play | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        place = {"is_play": self.play is not None, "position_id": self.position.id}
        return {"name": self.name} | place | picked(self, "mine", "taken", "may_double")

    @classmethod
    def from_dict(cls, data: dict[str, Any], state: State) -> Candidate:
        """What `to_dict` gave, in the state that is rolled out."""
        check_kinds(data, cls("", Position.start()).to_dict())
        values = dict(data)
        position = Position.from_id(values.pop("position_id"))
        play = None
        if values.pop("is_play"):
            if state.dice is None:
                raise EngineError("a rollout of plays needs the dice in its state")
            play = Play(state.position, state.dice, position)
        return cls(position=position, play=play, **values)


@dataclass(frozen=True, slots=True)
class Part:
    """Some games in a row and their sums."""

    first: int
    count: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Job:
    """Candidates of a state, settings, and by which nets and match equity table they are played."""

    candidates: tuple[Candidate, ...]
    state: State
    settings: RolloutSettings
    nets: Path | None
    net_names: tuple[str, ...]
    tables: tuple[str, ...] = ()
    met_name: str = ""
    met_rows: tuple[tuple[tuple[float, ...], ...], tuple[float, ...]] | None = None

    @property
    def match(self) -> MatchState:
        """Score and cube of the player whose equities are told."""
        return self.state.match

    @property
    def title(self) -> str:
        """What is rolled out, in words."""
        dice = "" if self.state.dice is None else f" with {self.state.dice}"
        return self.state.position_id + dice

    def identity(self) -> dict[str, Any]:
        """What must be the same for two runs to be parts of one rollout."""
        met = None
        if self.met_rows is not None:
            digest = hashlib.sha256(repr(self.met_rows).encode()).hexdigest()[:12]
            met = f"{self.met_name} {digest}"
        return {
            "candidates": [candidate.to_dict() for candidate in self.candidates],
            "match": self.match.to_dict(),
            "settings": self.settings.to_dict(),
            "nets": list(self.net_names),
            "tables": list(self.tables),
            "match_equity": met,
        }

    def model(self) -> _core.CubeModel:
        """The cube model of the player whose equities are told. A cubeless rollout knows no Jacoby rule."""
        return cube_model(self.match, self._met(), cubeful=self.settings.cubeful)

    def _met(self) -> MatchEquityTable:
        if self.met_rows is None:
            return MatchEquityTable.default()
        return MatchEquityTable(self.met_name, *self.met_rows)

    def roller(self, evaluator: _core.Evaluator | None = None, luck: _core.Evaluator | None = None) -> _core.Roller:
        """The native player of these games, with the nets that the job names unless another evaluator is given."""
        if (found := tables_in_use().identity) != self.tables:
            words = [", ".join(names) or "no tables on disk" for names in (self.tables, found)]
            raise EngineError(f"the rollout was made with {words[0]}, but here there are {words[1]}")
        if evaluator is None:
            evaluator = _evaluator(self.nets, self.net_names)
        met = self._met()
        table = None if self.match.is_money else met.reaching(max(self.match.my_away, self.match.their_away)).native
        evaluator = evaluator_for(self.match.variant, evaluator)
        evaluators = self.settings.evaluators(evaluator)
        if luck is None and evaluators != [evaluator, evaluator]:
            luck = evaluator
        return _core.Roller(
            evaluators,
            luck,
            self.model(),
            table,
            self.settings.to_core(self.match.variant.checkers),
            [(one.position.rows, 0 if one.mine else 1, one.taken, one.may_double) for one in self.candidates],
        )

    def play(
        self,
        roller: _core.Roller,
        first: int,
        count: int,
        cancel: _core.CancelFlag | None = None,
        *,
        by_groups: bool = True,
    ) -> list[Part] | None:
        """Play some games in one go, and add them up in one part or in one for each group. None if cancelled."""
        seed, stratified = self.settings.seed, self.settings.stratified
        rolled = faces_of(self.settings.generator, seed, stratified, first, count)
        played: Any = roller.play(first, count, cancel, rolled)
        if played is None:
            return None
        values, events = played
        faces: Any = _core.rollout_faces(seed, stratified, first, count, 2) if rolled is None else rolled[:, :2]
        parts = []
        for start, games in parts_of(first, count) if by_groups else [(first, count)]:
            cut = slice(start - first, start - first + games)
            parts.append(Part(start, games, Tally.of(values[cut], faces[cut], events[cut])))
        return parts


def parts_of(first: int, count: int) -> list[tuple[int, int]]:
    """A run of games, cut wherever a group of 36 ends, since there the rules to stop are asked."""
    cuts = [first, *range((first // GROUP + 1) * GROUP, first + count, GROUP), first + count]
    return [(a, b - a) for a, b in pairwise(cuts) if b > a]


def play_remotely(job: Job, first: int, count: int) -> list[Part]:
    """Play some games in whatever process this is; the player is made once for each job."""
    parts = job.play(_roller_of(job), first, count)
    assert parts is not None
    return parts


@lru_cache(maxsize=4)
def _roller_of(job: Job) -> _core.Roller:
    return job.roller()


def _evaluator(nets: Path | None, names: tuple[str, ...]) -> _core.Evaluator:
    if names == (OUR_EVALUATOR,):
        raise EngineError("this rollout was made with an evaluator that cannot be found here: nets are needed")
    folder = SHIPPED if nets is None else nets
    if (found := names_of(folder)) != names:
        raise EngineError(f"the rollout was made with the nets {', '.join(names)}, but {folder} has {', '.join(found)}")
    return evaluator_of(folder)


def names_of(folder: Path) -> tuple[str, ...]:
    """The nets in a folder; their names have a digest of their numbers in them."""
    return tuple(sorted(path.stem for path in folder.glob("*.net")))
