"""A match while it is played: who may do what now, the dice, undo, the record and its file.

Nothing is printed or asked here: the terminal, the browser and other programs show `state` and hand on `choices`. The
dice follow from the seed, the game and how much has happened in it, so that taking something back changes no roll.
The record keeps the seed, and a roll that was not played yet: a match that goes on after a pause has the same dice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from kibitz.cube import Owner
from kibitz.dice import Dice
from kibitz.errors import IllegalPlayError
from kibitz.formats import json_, save
from kibitz.match import MatchState, is_crawford_game
from kibitz.move import Play
from kibitz.notation.plays import parse_play
from kibitz.play.players import Player
from kibitz.position import Position
from kibitz.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Ending,
    Game,
    Match,
    Moment,
    Raccoon,
    Resign,
    Result,
    Roll,
    Setup,
    Take,
)
from kibitz.replay import GameReplay
from kibitz.state import Offer, State


class Choice(StrEnum):
    """What a player may do when it is his turn to do something. The value is how players say it."""

    ROLL = "roll"
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    BEAVER = "beaver"
    RACCOON = "raccoon"
    RESIGN = "resign"
    ACCEPT = "accept"
    REFUSE = "refuse"


_KEPT = {"seed": "Dice seed", "games": "Session games", "automatic_doubles": "Automatic doubles"}
"""What was agreed on beside the rules, and the header of the record that keeps it."""
_LOST = {Offer.DOUBLE: 1, Offer.BEAVER: 2, Offer.RACCOON: 4}
"""How many times the cube is lost by passing an offer; taking it plays for twice as much."""
_COUNTERS = {Offer.DOUBLE: Choice.BEAVER, Offer.BEAVER: Choice.RACCOON}
"""How an offer may be answered by turning the cube once more."""


def may_double(match: MatchState) -> bool:
    """Whether the player on roll may double, and whether that can matter: a cube that wins the match is dead."""
    free = match.cube.owner is not Owner.THEIRS and not match.crawford and 2 * match.cube.value <= match.max_cube
    return free and (match.is_money or match.my_away > match.cube.value)


class LiveMatch:
    """A match or a money session of so many `games` in progress; players are 0 and 1, as in the record.

    `match` is the record so far; one that was kept goes on where it stopped, with the seed, games and automatic doubles
    it began with unless others are named. With a `path` it is saved after every action. `automatic_doubles` is how
    often equal first dice turn the cube in a money game.
    """

    def __init__(
        self,
        match: Match,
        *,
        seed: int | None = None,
        games: int | None = None,
        automatic_doubles: int | None = None,
        path: Path | None = None,
    ) -> None:
        self.seed = _agreed(match, "seed", seed, 0)
        self.games = _agreed(match, "games", games, 1)
        self.automatic_doubles = _agreed(match, "automatic_doubles", automatic_doubles, 0) if match.is_money else 0
        self.match, self.path = self._with_agreements(match), path
        self.opening: tuple[tuple[int, int], ...] = ()  # the first throws of this game: player 0's die, player 1's die
        self._dice: Dice | None = None
        self._resigned: Resign | None = None
        self._starter: int  # who begins the game
        if not match.games:
            self.next_game()
        else:
            self._begin_anew(self.game.actions)

    # --- where things stand -----------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game that is played, or was played last."""
        return self.match.games[-1]

    @property
    def record(self) -> Match:
        """The match with a roll that was not played yet: what is saved, and what a match goes on from."""
        if self._dice is None or self.player is None:
            return self.match
        roller = self.player if self._resigned is None else self._resigned.player
        game = replace(self.game, actions=(*self.game.actions, Roll(roller, self._dice, None)))
        return replace(self.match, games=(*self.match.games[:-1], game))

    @property
    def result(self) -> Result | None:
        """The result of the game; None while it is played."""
        return self.game.result

    @property
    def is_over(self) -> bool:
        """Whether the match is won, or the last game of the session finished."""
        if self.result is None:
            return False
        return len(self.match.games) >= self.games if self.match.is_money else self.match.winner is not None

    @property
    def player(self) -> int | None:
        """Who has to do something; None once the game is over."""
        if self.result is not None:
            return None
        if self._resigned is not None:
            return 1 - self._resigned.player
        turn = self._replay.turn
        return self._starter if turn is None else turn

    @property
    def state(self) -> State:
        """What is asked. It is seen by the player on roll, while an offer is pending by the player who made it.

        Once the game is over it is seen by the winner.
        """
        if self.result is not None:
            return self._replay.state_for(Double(self.result.winner))
        if self._resigned is not None:
            return replace(self._replay.state_for(self._resigned), dice=self._dice)
        player = self.player
        assert player is not None
        if self._replay.offer is not Offer.NONE:
            return self._replay.state_for(Take(player))
        return replace(self._replay.state_for(Double(player)), dice=self._dice)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What `player` may do now; empty once the game is over."""
        if self.result is not None:
            return ()
        if self._resigned is not None:
            return Choice.ACCEPT, Choice.REFUSE
        offer = self._replay.offer
        if offer is not Offer.NONE:
            counter = _COUNTERS.get(offer)
            turned = (counter,) if counter is not None and self._may_turn_again() else ()
            return Choice.TAKE, Choice.PASS, *turned
        if self._dice is not None:
            return Choice.PLAY, Choice.RESIGN
        doubling = (Choice.DOUBLE,) if may_double(self.state.match) else ()
        return Choice.ROLL, *doubling, Choice.RESIGN

    @property
    def plays(self) -> list[Play]:
        """The legal plays of the dice; empty where there are no dice or nothing can move."""
        state = self.state
        return [] if state.dice is None or state.offer is not Offer.NONE else state.position.plays(state.dice)

    @property
    def number(self) -> int:
        """A number that is different at every turn, for players who choose at random."""
        return self._digest("number", len(self.game.actions)) % 2**63

    # --- doing something --------------------------------------------------------------------------------------------

    def act(self, choice: Choice | str, play: Play | Position | str | None = None, *, size: int = 1) -> None:
        """Do what `player` has chosen.

        `play` is that of a PLAY: itself, its notation, or the position it leads to; nothing where no checker can move.
        `size` is that of a resignation: 1 for a single game, 2 for a gammon, 3 for a backgammon.
        """
        if choice not in self.choices:
            allowed = ", ".join(self.choices) or "nothing: the game is over"
            raise IllegalPlayError(f"{str(choice)!r} is not possible now; expected {allowed}")
        player = self.player
        assert player is not None
        match Choice(choice):
            case Choice.ROLL:
                self._dice = Dice(*self._throw("roll", len(self.game.actions)))
                self._save()
            case Choice.PLAY:
                self._play(player, play)
            case Choice.DOUBLE:
                self._record(Double(player))
            case Choice.TAKE:
                self._take(player)
            case Choice.PASS:
                points = self._replay.value * _LOST[self._replay.offer]
                self._record(Drop(player))
                self._finish(1 - player, points, Ending.DROPPED)
            case Choice.BEAVER:
                self._record(Beaver(player))
            case Choice.RACCOON:
                self._record(Raccoon(player))
            case Choice.RESIGN:
                if size not in (1, 2, 3):
                    raise IllegalPlayError(f"a resignation has a size of 1, 2 or 3, not {size!r}")
                self._resigned = Resign(player, size)
            case Choice.REFUSE:
                self._resigned = None
            case Choice.ACCEPT:
                assert self._resigned is not None
                resigned = self._resigned
                points = self._replay.match_state(player).points(resigned.size)
                self._record(resigned)
                self._finish(player, points, Ending.RESIGNED)

    def proposed(self, choice: Choice | str, play: Play | Position | str | None = None) -> Moment | None:
        """The moment that `act` would add to the record, without doing it; None for what is not recorded.

        To roll is not to double: its moment is a roll that nobody has seen yet.
        """
        player, offer = self.player, self._replay.offer
        if player is None or choice not in self.choices:
            return None
        action: Action | None = None
        match Choice(choice):
            case Choice.ROLL:
                action = Roll(player, Dice(6, 5), None)
            case Choice.PLAY:
                action = self._played(player, play)
            case Choice.DOUBLE:
                action = Double(player)
            case Choice.TAKE:
                action = Take(player) if offer is not Offer.RACCOON else None
            case Choice.PASS:
                action = Drop(player)
            case Choice.BEAVER:
                action = Beaver(player)
            case Choice.RACCOON:
                action = Raccoon(player)
        if action is None:
            return None
        game = replace(self.game, actions=(*self.game.actions, action), result=None)
        match = replace(self.match, games=(*self.match.games[:-1], game))
        *_, moment = match.moments(len(match.games))
        return moment if choice != Choice.ROLL else replace(moment, state=replace(moment.state, dice=None))

    def engine_turn(self, player: Player) -> Choice:
        """Let a player decide what is asked, and do that; returns what it was."""
        choices, state = self.choices, self.state
        play: Position | None = None
        if Choice.ACCEPT in choices:
            choice = Choice.ACCEPT if player.accept(state) else Choice.REFUSE
        elif Choice.TAKE in choices:
            counter = next((one for one in _COUNTERS.values() if one in choices), None)
            if counter is not None and player.beaver(state):
                choice = counter
            else:
                choice = Choice.TAKE if player.take(state) else Choice.PASS
        elif Choice.PLAY in choices:
            choice, plays = Choice.PLAY, self.plays
            if plays:
                play = plays[0].result if len(plays) == 1 else player.play(state, self.number)
        else:
            choice = Choice.DOUBLE if Choice.DOUBLE in choices and player.double(state) else Choice.ROLL
        self.act(choice, play)
        return choice

    def undo(self, player: int) -> bool:
        """Take back what a player did last in this game, and all that followed; False where there is nothing.

        A roll is no action of its own: it goes with its play, and comes again as it was.
        """
        if self._resigned is not None and self._resigned.player == player:
            self._resigned = None
            return True
        own = self._own_actions(player)
        if not own:
            return False
        self._change(replace(self.game, actions=self.game.actions[: own[-1]], result=None))
        self._begin_anew(self.game.actions)
        self._save()
        return True

    def can_undo(self, player: int) -> bool:
        """Whether a player has done something in this game that can be taken back."""
        return bool(self._own_actions(player)) or (self._resigned is not None and self._resigned.player == player)

    def _own_actions(self, player: int) -> list[int]:
        actions = enumerate(self.game.actions)
        return [at for at, action in actions if action.player == player and not isinstance(action, Setup)]

    def next_game(self) -> None:
        """Begin the next game, after one that is over."""
        if self.match.games and (self.result is None or self.is_over):
            raise IllegalPlayError("the game is not over" if self.result is None else "the match is over")
        score, games = self.match.score, self.match.games
        played = any(game.crawford for game in games)
        crawford = self.match.rules.crawford and is_crawford_game(self.match.length, score, played)
        self.match = replace(self.match, games=(*games, Game(score=score, crawford=crawford)))
        self._begin_anew(())
        self._save()

    # --- keeping ----------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data for JSON: what `from_dict` goes on from, the roll that awaits its play included."""
        last = self.game.actions[-1] if self.game.actions else None
        resigned = self._resigned
        return {
            "record": json_.write(self.record)[0].decode(),
            "opening": [list(throw) for throw in self.opening],
            "resigned": None if resigned is None else [resigned.player, resigned.size],
            "accepted": isinstance(last, Beaver | Raccoon) and self._replay.offer is Offer.NONE,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> LiveMatch:
        """What `to_dict` gave."""
        live = cls(json_.read(data["record"].encode()))
        live.opening = tuple((first, second) for first, second in data["opening"])
        if data["accepted"]:
            live._replay.settle()
        if data["resigned"] is not None:
            live._resigned = Resign(*data["resigned"])
        return live

    # --- inside -----------------------------------------------------------------------------------------------------

    def _play(self, player: int, play: Play | Position | str | None) -> None:
        self._record(self._played(player, play))
        if self._replay.is_over:
            size = self._replay.borne_off_size(player)
            self._finish(player, self._replay.match_state(player).points(size), Ending.BORNE_OFF)

    def _played(self, player: int, play: Play | Position | str | None) -> Roll:
        """The roll with this play of it. Raises where that is illegal."""
        state, legal = self.state, self.plays
        assert state.dice is not None
        if play is None and not legal:
            return Roll(player, state.dice, ())
        if play is None:
            raise IllegalPlayError(f"expected a play of {state.dice}: checkers can move")
        if isinstance(play, str):
            play = parse_play(play, state.position, state.dice)
        result = play if isinstance(play, Position) else play.result
        found = next((one for one in legal if one.result == result), None)
        if found is None and (legal or result != state.position.swapped()):
            raise IllegalPlayError(f"{state.position.id} with {state.dice} cannot lead to {result.id}")
        return Roll(player, state.dice, () if found is None else found.moves)

    def _take(self, player: int) -> None:
        if self._replay.offer is Offer.DOUBLE:
            self._record(Take(player))
        else:  # the record has no word for accepting a beaver or raccoon: play simply goes on
            self._replay.apply(Take(player))

    def _with_agreements(self, match: Match) -> Match:
        """The match with what was agreed on in its header."""
        usual = {"seed": None, "games": 1, "automatic_doubles": 0}
        kept = {_KEPT[name]: str(getattr(self, name)) for name in _KEPT if getattr(self, name) != usual[name]}
        others = tuple((name, value) for name, value in match.info if name not in _KEPT.values())
        return replace(match, info=(*others, *kept.items()))

    def _may_turn_again(self) -> bool:
        match = self._replay.match_state(0)
        return match.beavers and 4 * self._replay.value * _LOST[self._replay.offer] <= match.max_cube

    def _record(self, action: Action) -> None:
        self._replay.apply(action)
        self._change(replace(self.game, actions=(*self.game.actions, action)))
        self._forget()
        self._save()

    def _finish(self, winner: int, points: int, ending: Ending) -> None:
        self._change(replace(self.game, result=Result(winner, points, ending)))
        self._save()

    def _change(self, game: Game) -> None:
        self.match = replace(self.match, games=(*self.match.games[:-1], game))

    def _forget(self) -> None:
        """Nothing is rolled and nothing resigned."""
        self._dice = self._resigned = None

    def _begin_anew(self, actions: tuple[Action, ...]) -> None:
        """Set the board as it is after these actions. A game without any begins with its opening.

        A roll that was not played yet is played next.
        """
        self._forget()
        start = Position.start(self.match.variant)
        rolled = actions[-1] if actions else None
        if isinstance(rolled, Roll) and rolled.moves is None:
            actions = actions[:-1]
            self._starter, self._dice = rolled.player, rolled.dice
        elif all(isinstance(action, Setup) and action.position == start for action in actions):
            actions = self._open()
        self._change(replace(self.game, actions=actions))
        self._replay = GameReplay(self.match, self.game)
        for action in actions:
            self._replay.apply(action)
        if self._dice is not None:
            self._replay.settle()  # a roll accepts the beaver or raccoon before it

    def _open(self) -> tuple[Action, ...]:
        """Each throws one die; the higher begins with both. Equal dice may turn the cube, where that was agreed."""
        throws = [self._throw("first", 0)]
        while throws[-1][0] == throws[-1][1]:
            throws.append(self._throw("first", len(throws)))
        self.opening = tuple(throws)
        first, second = throws[-1]
        self._starter, self._dice = int(first < second), Dice(first, second)
        value = 2 ** min(len(throws) - 1, self.automatic_doubles)
        if value == 1:
            return ()
        return (Setup(self._starter, Position.start(self.match.variant), Owner.CENTRED, value),)

    def _throw(self, kind: str, number: int) -> tuple[int, int]:
        digest = self._digest(kind, number)
        return digest % 6 + 1, digest // 6 % 6 + 1

    def _digest(self, kind: str, number: int) -> int:
        text = f"{self.seed}|{len(self.match.games)}|{kind}|{number}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "little")

    def _save(self) -> None:
        if self.path is not None:
            save(self.record, self.path)


def _agreed(match: Match, name: str, given: int | None, otherwise: int) -> int:
    """What is named now, else what the record keeps."""
    if given is not None:
        return given
    kept = dict(match.info).get(_KEPT[name], "")
    return int(kept) if kept.isascii() and kept.isdigit() and len(kept) < 20 else otherwise
