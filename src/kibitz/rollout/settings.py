"""How a rollout plays its games, and when it stops."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from kibitz import _core
from kibitz.engine.filters import MoveFilter
from kibitz.engine.settings import ALL_REPLIES, SearchSettings, check_plies
from kibitz.errors import EngineError
from kibitz.rollout.dice import COUNTER, check_generator

GROUP = 36
"""Games come in groups in which every first roll occurs once."""
_SEARCH = ("cubeful", "filter", "replies", "last_replies", "pruning", "noise", "noise_seed")
"""What a rollout takes from the settings of a search. Its plies differ by side and turn; threads change no game."""


@dataclass(frozen=True, slots=True)
class Plies:
    """How deep a side looks for its plays and for its cube decisions."""

    play: int = 0
    cube: int = 0

    def __post_init__(self) -> None:
        check_plies(self.play, self.cube)

    @classmethod
    def of(cls, plies: Plies | int | tuple[int, int]) -> Plies:
        """From one number for both, or from two: play and cube."""
        if isinstance(plies, Plies):
            return plies
        return cls(plies, plies) if isinstance(plies, int) else cls(*plies)


@dataclass(frozen=True, slots=True)
class RolloutSettings:
    """Everything that decides which games are played. Rollouts with the same settings can be merged.

    `plies` are those of the player whose decision it is, `opponent` those of the other side (the same by default);
    from turn `late_after` on, `late` and `late_opponent` count instead. `truncate` ends games after so many turns with
    a look of `truncation_plies`; `stop_at_tables` ends them where their value is known exactly. `luck_plies` is how
    deep variance reduction looks at every roll, and `luck_replies` how many replies to each get a real evaluation. At 0
    plies a first look leaves at most `shortlist` plays, none further behind than `shortlist_gap`: 5 within 0.06 by
    default with variance reduction, where the luck of all rolls takes the time anyway, and 3 within 0.03 without.
    Deeper looks use the filter and the replies of `search` as the engine does. `cubeful_plays` says whether plays are
    chosen for the cube where it is, or as if it were dead; the games have the cube in any case if the search has.

    What is named `opponent_…` is the other side's own: plies, filter, pruning, noise and its seed, and whether its
    plays heed the cube; None means the same as the player's. Luck is always measured without noise.
    `generator` is where rolls come from: the counter, or numpy's pcg64 and mt19937 for those who roll them elsewhere.
    """

    seed: int = 1
    variance_reduction: bool = True
    stratified: bool = True
    generator: str = COUNTER
    plies: Plies = field(default_factory=Plies)
    opponent: Plies | None = None
    late_after: int | None = None
    late: Plies | None = None
    late_opponent: Plies | None = None
    cubeful_plays: bool = True
    opponent_cubeful_plays: bool | None = None
    opponent_filter: str | MoveFilter | None = None
    opponent_pruning: bool | None = None
    opponent_noise: float | None = None
    opponent_noise_seed: int | None = None
    truncate: int | None = None
    truncation_plies: int = 0
    stop_at_tables: bool = True
    luck_plies: int = 0
    luck_replies: int = 2
    shortlist: int | None = None
    shortlist_gap: float | None = None
    search: SearchSettings = field(default_factory=lambda: SearchSettings(plies=0))

    def __post_init__(self) -> None:
        for name in ("plies", "opponent", "late", "late_opponent"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, Plies.of(value))
        check_generator(self.generator)
        if not 0 <= self.seed < 2**64:
            raise EngineError(f"a seed is a number from 0 to 2**64 - 1, not {self.seed}")
        for name in ("truncate", "late_after"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise EngineError(f"{name} counts turns from 1 on, not {value}")
        check_plies(self.truncation_plies, self.luck_plies)
        for name in ("luck_replies", "shortlist"):
            count = getattr(self, name)
            if count is not None and count < 1:
                raise EngineError(f"{name} must be at least 1, not {count}")
        self.opponent_search()  # whatever is wrong with it is said here
        if (self.late or self.late_opponent) and self.late_after is None:
            raise EngineError("late plies need late_after, the turn from which they count")

    @property
    def cubeful(self) -> bool:
        """Whether the games are played with the cube."""
        return self.search.cubeful

    def changed(self, **changes: Any) -> RolloutSettings:
        """The same settings with those that are not None changed; those of the search are named like any other."""
        own = {one.name for one in fields(self)}
        if unknown := sorted(set(changes) - own - set(_SEARCH)):
            known = sorted(own | set(_SEARCH))
            raise EngineError(f"rollouts have no setting {', '.join(unknown)}; they have {', '.join(known)}")
        search = self.search.changed(**{name: changes.pop(name) for name in _SEARCH if name in changes})
        wanted = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **{"search": search, **wanted})

    def opponent_search(self) -> SearchSettings:
        """How the other side searches."""
        return self.search.changed(
            filter=self.opponent_filter,
            pruning=self.opponent_pruning,
            noise=self.opponent_noise,
            noise_seed=self.opponent_noise_seed,
        )

    def stages(self) -> tuple[tuple[Plies, Plies], tuple[Plies, Plies]]:
        """Early and late plies of the player, then of the opponent."""
        mine = self.plies
        theirs = self.opponent or mine
        return (mine, self.late or mine), (theirs, self.late_opponent or (theirs if self.late is None else self.late))

    def to_core(self, checkers: int) -> _core.RolloutSettings:
        """For the native games."""
        theirs = self.opponent_cubeful_plays
        return _core.RolloutSettings(
            seed=self.seed,
            stratified=self.stratified,
            cubeful=self.cubeful,
            variance_reduction=self.variance_reduction,
            luck_plies=self.luck_plies,
            luck_replies=self.luck_replies,
            stop_at_tables=self.stop_at_tables,
            truncate=self.truncate or 0,
            truncation_plies=self.truncation_plies,
            late_after=self.late_after or 0,
            sides=[
                self._side(0, self.search, self.cubeful_plays),
                self._side(1, self.opponent_search(), self.cubeful_plays if theirs is None else theirs),
            ],
            checkers=checkers,
        )

    def _side(self, place: int, search: SearchSettings, cubeful: bool) -> _core.RolloutSide:
        stages = self.stages()
        deepest = max(plies.play for side in stages for plies in side)
        shortlist_gap = self.shortlist_gap
        if shortlist_gap is None:
            shortlist_gap = 0.06 if self.variance_reduction else 0.03
        shortlist = self.shortlist or (5 if self.variance_reduction else 3)
        return _core.RolloutSide(
            plies=[(plies.play, plies.cube) for plies in stages[place]],
            cubeful=cubeful,
            shortlist=shortlist if search.pruning else ALL_REPLIES,
            shortlist_gap=shortlist_gap if search.pruning else 100.0,
            filter=MoveFilter.of(search.filter).for_plies(deepest),
            replies=search.replies if search.pruning else ALL_REPLIES,
            last_replies=search.last_replies if search.pruning else ALL_REPLIES,
        )

    def evaluators(self, evaluator: _core.Evaluator) -> list[_core.Evaluator]:
        """Of each side, with its noise; the same one twice if there is no difference."""
        mine = self.search.noisy(evaluator)
        theirs = self.opponent_search()
        if (theirs.noise, theirs.noise_seed) == (self.search.noise, self.search.noise_seed):
            return [mine, mine]
        return [mine, theirs.noisy(evaluator)]

    def words(self) -> str:
        """In one line, for people."""
        mine, theirs = self.stages()
        kinds = ["cubeful" if self.cubeful else "cubeless"]
        depth = [f"{mine[0].play} plies"] if mine[0] == theirs[0] else [f"{mine[0].play} and {theirs[0].play} plies"]
        if mine[0].cube != mine[0].play:
            depth.append(f"cube at {mine[0].cube}")
        if self.late_after is not None:
            depth.append(f"from turn {self.late_after} on {mine[1].play}")
        kinds.append(", ".join(depth))
        kinds.append(f"truncated after {self.truncate} turns" if self.truncate else "to the end")
        kinds.append("variance reduction" if self.variance_reduction else "no variance reduction")
        return ", ".join(kinds)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        search = self.search.to_dict()
        theirs = None if self.opponent_filter is None else MoveFilter.of(self.opponent_filter).to_dict()
        return asdict(self) | {"search": {name: search[name] for name in _SEARCH}, "opponent_filter": theirs}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RolloutSettings:
        """From what `to_dict` gave."""
        values = dict(data)
        for name in ("plies", "opponent", "late", "late_opponent"):
            values[name] = None if values.get(name) is None else Plies(**values[name])
        if values.get("opponent_filter") is not None:
            values["opponent_filter"] = MoveFilter.from_dict(values["opponent_filter"])
        search = values["search"]
        chosen = MoveFilter.from_dict(search["filter"])
        values["search"] = SearchSettings(plies=0).changed(**{**search, "filter": chosen})
        return cls(**values)


@dataclass(frozen=True, slots=True)
class StopRule:
    """When to stop before all trials are played; what is None or 0 does not count.

    `error`: the standard error of every candidate's equity is at most this. `separation`: the best candidate is better
    than every other by so many standard errors of their difference. Both are asked after every 36 games from
    `least` games on, so that the same games are played however many threads there are. `seconds`: time is up.
    """

    error: float | None = None
    separation: float | None = None
    least: int = 144
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("error", "separation", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise EngineError(f"a rollout stops at a positive {name}, not {value}")

    @property
    def looks_at_groups(self) -> bool:
        """Whether there is anything to ask after every 36 games."""
        return self.error is not None or self.separation is not None


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings with a name, the trials that go with them and the rule to stop before."""

    name: str
    words: str
    trials: int
    settings: RolloutSettings
    stop: StopRule = field(default_factory=StopRule)

    @classmethod
    def of(cls, preset: Preset | str) -> Preset:
        """A preset by name."""
        if isinstance(preset, Preset):
            return preset
        try:
            return PRESETS[preset.lower()]
        except KeyError:
            raise EngineError(f"no rollout preset is called {preset!r}; expected {', '.join(PRESETS)}") from None


PRESETS: dict[str, Preset] = {
    one.name: one
    for one in (
        Preset("quick", "0 plies, to the end", 324, RolloutSettings()),
        Preset("standard", "0 plies, to the end", 1296, RolloutSettings()),
        Preset(
            "world-class",
            "2 plies for the first 8 turns, then 1, cube at 2; stops when the best is clear",
            1296,
            RolloutSettings(plies=Plies(2, 2), late_after=8, late=Plies(1, 2)),
            StopRule(separation=3.0, least=324),
        ),
        Preset("roller", "truncated after 9 turns, 0 plies", 360, RolloutSettings(truncate=9)),
        Preset("roller+", "truncated after 11 turns, 0 plies", 720, RolloutSettings(truncate=11)),
        Preset(
            "roller++",
            "truncated after 16 turns, 1 ply for the first 2, then 0",
            1728,
            RolloutSettings(plies=Plies(1, 1), late_after=2, late=Plies(0, 0), truncate=16).changed(filter="tiny"),
        ),
    )
}
"""The named presets, from the quickest to the most thorough, then truncated ones in the manner of XG's rollers."""
