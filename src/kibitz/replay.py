"""Replaying recorded games: the board and the cube as they stand between two actions, and the moments of a match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kibitz.cube import Cube, Owner
from kibitz.errors import IllegalPlayError, PositionError
from kibitz.match import MatchState
from kibitz.position import BAR, Position
from kibitz.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Moment,
    Raccoon,
    Resign,
    Roll,
    Setup,
    Take,
)
from kibitz.state import Offer, State

Steps = Sequence[tuple[int, int]]
"""(source, target) pairs in the mover's numbering; 25 is the bar, 0 or less is off."""


def after_steps(position: Position, steps: Steps) -> Position:
    """The position after moving checkers as told, seen by the opponent; blots that are met are hit.

    Only what the board forbids is refused (no checker at the source, a target that is held); whether dice and rules
    allow it is not asked.
    """
    rows = bytearray(position.rows)
    for source, target in steps:
        if not 1 <= source <= BAR or target >= source:
            raise IllegalPlayError(f"a checker cannot move from {source} to {target}")
        if not rows[source - 1]:
            raise IllegalPlayError(f"there is no checker on {'the bar' if source == BAR else source} to move")
        rows[source - 1] -= 1
        if target > 0:
            facing = 25 + 24 - target  # the same point in the opponent's row
            if rows[facing] > 1:
                raise IllegalPlayError(f"point {target} is held by the opponent")
            if rows[facing]:
                rows[facing] = 0
                rows[49] += 1
            rows[target - 1] += 1
    return Position.from_rows(bytes(rows[25:] + rows[:25]))


class GameReplay:
    """The board and the cube between two actions of a game. `turn` is the player whose action is due."""

    def __init__(self, match: Match, game: Game) -> None:
        self.match = match
        self.game = game
        self._boards = [Position.start(match.variant)] * 2  # as each player sees it
        self.value = 1
        self.owner: int | None = None
        self.offer = Offer.NONE
        self.doubler = 0
        self.turn: int | None = None
        self._match_states: dict[tuple[int, int, int | None], MatchState] = {}

    def position(self, player: int) -> Position:
        """The board as a player sees it."""
        return self._boards[player]

    def cube(self, player: int) -> Cube:
        """The cube as a player sees it."""
        if self.owner is None:
            return Cube(self.value)
        return Cube(self.value, Owner.MINE if self.owner == player else Owner.THEIRS)

    @property
    def offered_value(self) -> int:
        """What the cube would show if the pending offer were accepted."""
        return self.value * {Offer.DOUBLE: 2, Offer.BEAVER: 4, Offer.RACCOON: 8}.get(self.offer, 1)

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all its checkers."""
        return self._boards[0].is_over

    def match_state(self, player: int) -> MatchState:
        """Score, rules and cube as a player sees them."""
        key = (player, self.value, self.owner)
        if key not in self._match_states:
            self._match_states[key] = self._match_state(player, self.cube(player))
        return self._match_states[key]

    def _match_state(self, player: int, cube: Cube) -> MatchState:
        return MatchState(
            length=self.match.length,
            my_score=self.game.score[player],
            their_score=self.game.score[1 - player],
            cube=cube,
            crawford=self.game.crawford,
            jacoby=self.match.rules.jacoby,
            beavers=self.match.rules.beavers,
            max_cube=self.match.rules.max_cube,
            variant=self.match.variant,
        )

    def state_for(self, action: Action) -> State:
        """The state in which an action is taken."""
        if isinstance(action, Roll | Setup):
            self.settle()
        player, offer = action.player, Offer.NONE
        if isinstance(action, Take | Drop | Beaver | Raccoon) and self.offer is not Offer.NONE:
            player, offer = self.doubler, self.offer
        elif isinstance(action, Resign):
            offer = Offer.resignation(action.size)
        position, state = self._boards[player], self.match_state(player)
        if isinstance(action, Setup):
            position = action.position
            state = self._match_state(player, Cube(action.value, action.owner))
        names = self.match.players[player], self.match.players[1 - player]
        dice = action.dice if isinstance(action, Roll) else None
        return State(position, state, dice, offer, player, names)

    def apply(self, action: Action) -> None:
        """Carry an action out. Raises IllegalPlayError or PositionError when the board forbids it."""
        if isinstance(action, Roll):
            self.settle()
            if action.moves:
                self._set(action.player, self._play(action))
            self.turn = 1 - action.player if action.moves is not None else action.player
        elif isinstance(action, Double):
            self.offer, self.doubler, self.turn = Offer.DOUBLE, action.player, 1 - action.player
        elif isinstance(action, Beaver):
            self._demand(Offer.DOUBLE, action)
            self.offer, self.turn = Offer.BEAVER, self.doubler
        elif isinstance(action, Raccoon):
            self._demand(Offer.BEAVER, action)
            self.offer, self.turn = Offer.RACCOON, 1 - self.doubler
        elif isinstance(action, Take):
            if self.offer is Offer.NONE:
                raise PositionError(["a double is taken that was not offered"])
            self.settle(accepted=True)
        elif isinstance(action, Drop):
            if self.offer is Offer.NONE:
                raise PositionError(["a double is dropped that was not offered"])
            self.offer, self.turn = Offer.NONE, None
        elif isinstance(action, Resign):
            self.turn = None
        elif isinstance(action, Setup):
            self._boards[action.player] = action.position
            self._boards[1 - action.player] = action.position.swapped()
            self.value = action.value
            self.owner = {Owner.MINE: action.player, Owner.THEIRS: 1 - action.player}.get(action.owner)
            self.turn = action.player

    @property
    def borne_off(self) -> int | None:
        """The player who has borne off all checkers; None while nobody has."""
        return next((player for player in (0, 1) if not any(self._boards[player].mine)), None)

    def borne_off_size(self, winner: int) -> int:
        """1, 2 or 3 for a winner who has borne off all checkers: single game, gammon or backgammon."""
        loser = self._boards[1 - winner].mine
        if sum(loser) < self.match.variant.checkers:
            return 1
        return 3 if any(loser[18:]) else 2

    def points(self, size: int) -> int:
        """What a win of this size counts at the cube as it stands, or as it stood before a double was dropped."""
        return self.match_state(0).points(size)

    def settle(self, accepted: bool = False) -> None:
        """Turn the cube after an offer that was accepted; a beaver or raccoon is, when play simply goes on."""
        if accepted or self.offer in (Offer.BEAVER, Offer.RACCOON):
            self.value, self.owner, self.turn = self.offered_value, 1 - self.doubler, self.doubler
        self.offer = Offer.NONE

    def withdraw(self) -> None:
        """Forget a pending offer."""
        self.offer, self.turn = Offer.NONE, self.doubler

    def change_rules(self, match: Match, game: Game) -> None:
        """Go on under other rules or at another score: what was played stays."""
        self.match, self.game = match, game
        self._match_states.clear()

    def _set(self, mover: int, seen_by_opponent: Position) -> None:
        self._boards[1 - mover] = seen_by_opponent
        self._boards[mover] = seen_by_opponent.swapped()

    def _play(self, action: Roll) -> Position:
        return after_steps(self._boards[action.player], [(move.source, move.target) for move in action.moves or ()])

    def _demand(self, offer: Offer, action: Action) -> None:
        if self.offer is not offer:
            raise PositionError([f"a {action.kind} without a {offer.value} before it"])


def moments(match: Match, games: Iterable[int]) -> Iterator[Moment]:
    """Every action of these games, counted from 1, with all that has to be known to analyse it."""
    start = Position.start(match.variant)
    for number in games:
        game = match.games[number - 1]
        replay = GameReplay(match, game)
        previous, rolls = None, 0
        for index, action in enumerate(game.actions):
            on_roll, state = replay.turn, replay.state_for(action)
            is_roll = isinstance(action, Roll)
            rolls += is_roll
            move = rolls if is_roll or isinstance(action, Resign) else rolls + 1
            is_opening = is_roll and index == 0 and state.position == start
            yield Moment(number, index, move, state, action, previous, on_roll, is_opening)
            replay.apply(action)
            previous = action
