"""The referee: one money game or one match between two players, every play checked.

The native referee (`cpp/arena/referee.cpp`) does the same for our own players; both give the same results to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kibitz import _core
from kibitz.arena.rules import ArenaRules
from kibitz.cube import Cube, Owner
from kibitz.dice import Dice
from kibitz.errors import EngineError
from kibitz.match import MatchState, is_crawford_game
from kibitz.match_equity import MatchEquityTable, cube_model
from kibitz.play.live_match import may_double
from kibitz.play.players import Player, PlayerError
from kibitz.position import Position
from kibitz.state import Offer, State

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_GAME = 10_000
"""Turns after which a game counts as endless."""

GAME, ROLL, DOUBLE, TAKE, DROP, END = range(6)
"""Kinds of events, as the native referee numbers them."""

Event = tuple[Any, ...]
"""(GAME, score of seat 0, of seat 1, Crawford) · (ROLL, seat, die, die, result rows) · (DOUBLE | TAKE | DROP, seat) ·
(END, winner, points)."""


@dataclass(slots=True)
class Session:
    """A money game or a match, seen by seat 0: points won, or 1 for a match won and 0 for one lost."""

    result: float = 0.0
    luck: float = 0.0
    games: int = 0
    turns: int = 0
    doubles: int = 0
    drops: int = 0
    cube: int = 1
    events: list[Event] = field(default_factory=list)


class Luck:
    """How luck is measured: by an evaluator of ours, the same for both sides. None measures nothing."""

    def __init__(self, evaluator: _core.Evaluator | None, shortlist: int = 2) -> None:
        self.evaluator, self.shortlist = evaluator, shortlist
        self._meter = None if evaluator is None else _core.LuckMeter(evaluator, shortlist)

    def of_roll(self, position: Position, dice: Dice, model: _core.CubeModel, cubeful: bool) -> float:
        """The luck of a roll, for the player on roll, in the model's utility."""
        if self._meter is None:
            return 0.0
        return self._meter.luck(position.rows, dice.high, dice.low, model, cubeful)

    def of_opening(self, position: Position, starter: int, dice: Dice, model: _core.CubeModel, cubeful: bool) -> float:
        """The luck of seat 0 about who starts with which roll."""
        if self._meter is None:
            return 0.0
        return self._meter.opening_luck(position.rows, starter, dice.high, dice.low, model, cubeful)


def play_session(
    players: Sequence[Player],
    rules: ArenaRules,
    *,
    seed: int,
    pair: int,
    luck: Luck | None = None,
    met: MatchEquityTable | None = None,
    keep_events: bool = False,
) -> Session:
    """Play one money game or one match: `players` are seat 0 and seat 1. Raises PlayerError; then nothing counts."""
    met = met or MatchEquityTable.default()
    return _Referee(players, rules, seed, pair, luck or Luck(None), met, keep_events).play()


@lru_cache(maxsize=4096)
def _match_state(rules: ArenaRules, mine: int, theirs: int, crawford: bool, value: int, owner: Owner) -> MatchState:
    return MatchState(
        length=rules.length,
        my_score=mine,
        their_score=theirs,
        cube=Cube(value, owner),
        crawford=crawford,
        jacoby=rules.jacoby,
        beavers=False,
    )


class _Referee:
    """A session while it is played."""

    def __init__(
        self,
        players: Sequence[Player],
        rules: ArenaRules,
        seed: int,
        pair: int,
        luck: Luck,
        met: MatchEquityTable,
        keep_events: bool,
    ) -> None:
        self.players, self.rules, self.seed, self.pair = players, rules, seed, pair
        self.luck, self.met, self.keep = luck, met, keep_events
        self.session = Session()
        self.score = [0, 0]
        self.crawford = False
        self.value = 1
        self.owner: int | None = None

    def play(self) -> Session:
        """The whole session."""
        rules, session = self.rules, self.session
        if rules.is_money:
            session.result = float(self._game())
            return session
        crawford_played = False
        while max(self.score) < rules.length:
            score = self.score[0], self.score[1]
            self.crawford = rules.crawford and is_crawford_game(rules.length, score, crawford_played)
            crawford_played = crawford_played or self.crawford
            points = self._game()
            self.score[0 if points > 0 else 1] += abs(points)
        session.result = 1.0 if self.score[0] >= rules.length else 0.0
        return session

    def _game(self) -> int:
        """One game; the points of seat 0."""
        session = self.session
        dice = _core.ArenaDice(self.seed, self.pair, session.games)
        session.games += 1
        self._set_cube(1, None)
        self._note(GAME, *self.score, self.crawford)
        first, second = dice.opening()
        seat = 0 if first > second else 1
        roll = Dice(first, second)
        position = Position.start()
        luck = self._in_units(self.luck.of_opening(position, seat, roll, self.models[0], self.rules.cube))
        for turn in range(LONGEST_GAME):
            if turn > 0:
                state = State(position, self.states[seat])
                if self._doubles(seat, state):
                    if not self.players[1 - seat].take(replace(state, offer=Offer.DOUBLE)):
                        self._note(DROP, 1 - seat)
                        session.drops += 1
                        return self._end(seat, self.value, luck)
                    self._note(TAKE, 1 - seat)
                    self._set_cube(2 * self.value, 1 - seat)
                    session.cube = max(session.cube, self.value)
                roll = Dice(*dice.roll(turn))
                rolled = self._in_units(self.luck.of_roll(position, roll, self.models[seat], self.rules.cube))
                luck += rolled if seat == 0 else -rolled
            position = self._play(seat, position, roll, dice.number(2 * turn + 1))
            session.turns += 1
            if not any(position.rows[25:]):
                return self._end(seat, self._points(seat, position), luck)
            seat = 1 - seat
        raise EngineError(f"a game did not end within {LONGEST_GAME} turns")

    def _doubles(self, seat: int, state: State) -> bool:
        if not (self.rules.cube and may_double(state.match) and self.players[seat].double(state)):
            return False
        self._note(DOUBLE, seat)
        self.session.doubles += 1
        return True

    def _play(self, seat: int, position: Position, roll: Dice, number: int) -> Position:
        """The play of a seat, checked. Nobody is asked where there is no choice."""
        legal = _core.legal_results(position.rows, roll.high, roll.low)
        if len(legal) > 1:
            player = self.players[seat]
            result = player.play(State(position, self.states[seat], roll), number)
            if result.rows not in legal:
                words = f"{position.id} with {roll} leads to {len(legal)} positions, not to {result.id}"
                raise PlayerError(player.name, "illegal", words)
        else:
            result = Position.from_rows(legal[0]) if legal else position.swapped()
        if self.keep:
            self._note(ROLL, seat, roll.high, roll.low, result.rows)
        return result

    def _points(self, winner: int, position: Position) -> int:
        """What the finished game is worth; the winner has just moved and is the opponent of the position."""
        loser = position.mine
        return self.states[winner].points(1 if sum(loser) < 15 else 3 if any(loser[18:]) else 2)

    def _end(self, winner: int, points: int, luck: float) -> int:
        self._note(END, winner, points)
        self.session.luck += luck
        return points if winner == 0 else -points

    def _set_cube(self, value: int, owner: int | None) -> None:
        self.value, self.owner = value, owner
        self.states = []
        for seat in (0, 1):
            whose = Owner.CENTRED if owner is None else Owner.MINE if owner == seat else Owner.THEIRS
            scores = self.score[seat], self.score[1 - seat]
            self.states.append(_match_state(self.rules, *scores, self.crawford, value, whose))
        self.models = [cube_model(state, self.met, cubeful=self.rules.cube) for state in self.states]

    def _in_units(self, utility: float) -> float:
        return utility * self.value if self.rules.is_money else 0.5 * utility

    def _note(self, *event: Any) -> None:
        if self.keep:
            self.session.events.append(event)
