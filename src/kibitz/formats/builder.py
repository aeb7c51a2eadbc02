"""Putting a match together from what a reader finds: replays as it goes, collects what does not fit, keeps the rest."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from kibitz.cube import Owner
from kibitz.decision import CubeDecision
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.analyses import CubeRow, PlayRow, play_analysis
from kibitz.formats.limits import MAX_ACTIONS, MAX_GAMES, MAX_WARNINGS, printable
from kibitz.formats.plays import find_play
from kibitz.match import MatchState, is_crawford_game
from kibitz.position import Position, Variant
from kibitz.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Ending,
    Game,
    Match,
    Raccoon,
    ReadWarning,
    Resign,
    Result,
    Roll,
    Rules,
    Setup,
    Take,
    add_result,
)
from kibitz.replay import GameReplay, Steps
from kibitz.state import Offer, State

asked_variant: ContextVar[Variant | None] = ContextVar("asked_variant", default=None)
"""The variant that whoever reads a file has named: few formats can tell it, and what they say counts less."""


class MatchBuilder:
    """A match in the making. The attributes named as `Match`'s fields may be set at any time before `build`."""

    def __init__(self, format_name: str, file: str = "") -> None:
        self.format = format_name
        self.file = file
        self._players = ("Player 1", "Player 2")
        self.length = 0
        self.rules = Rules()
        self._variant = Variant.BACKGAMMON
        self.event = self.round = self.place = self.date = self.annotator = ""
        self.ratings = ("", "")
        self.comments: list[str] = []
        self.info: list[tuple[str, str]] = []
        self.games: list[GameBuilder] = []
        self._warnings: list[ReadWarning] = []
        self._unsaid = 0
        self._crawford_played = False

    @property
    def players(self) -> tuple[str, str]:
        """The names, which may be shown anywhere."""
        return self._players

    @players.setter
    def players(self, names: tuple[str, str]) -> None:
        self._players = (printable(names[0]), printable(names[1]))

    @property
    def variant(self) -> Variant:
        """Which game it is: the one that was asked for, or else what the file says."""
        return asked_variant.get() or self._variant

    @variant.setter
    def variant(self, variant: Variant) -> None:
        self._variant = variant

    def warn(self, message: str, line: int | None = None) -> None:
        """Remember something that could not be understood."""
        if len(self._warnings) < MAX_WARNINGS:
            self._warnings.append(ReadWarning(printable(message), line, self.file))
        else:
            self._unsaid += 1

    def header(self) -> Match:
        """The match as far as its header says it, without games."""
        return Match(
            players=self.players,
            length=self.length,
            rules=self.rules,
            variant=self.variant,
            event=printable(self.event),
            round=printable(self.round),
            place=printable(self.place),
            date=printable(self.date),
            annotator=printable(self.annotator),
            ratings=(printable(self.ratings[0]), printable(self.ratings[1])),
            comments=tuple(map(printable, self.comments)),
            info=tuple((printable(name), printable(value)) for name, value in self.info),
            format=self.format,
        )

    @property
    def expected_score(self) -> tuple[int, int]:
        """The score after the last game."""
        if not self.games:
            return 0, 0
        last = self.games[-1]
        return add_result(last.score, last.result)

    def start_game(
        self, score: tuple[int, int] | None = None, *, crawford: bool | None = None, line: int | None = None
    ) -> GameBuilder:
        """A new game. Without a score it is the one that follows from the last game; Crawford likewise."""
        if len(self.games) >= MAX_GAMES:
            raise FormatError(f"more than {MAX_GAMES} games in one match")
        if self.games:
            self.games[-1].close()
            if score is not None and score != self.expected_score:
                self.games[-1].settle(score)
        for candidate in (score, self.expected_score):
            if candidate is None:
                continue
            derived = self.rules.crawford and is_crawford_game(self.length, candidate, self._crawford_played)
            crawford_game = derived if crawford is None else crawford
            if self._is_possible(candidate, crawford_game):
                break
            if crawford_game and self._is_possible(candidate, False):
                self.warn(f"at {candidate[0]}-{candidate[1]} this cannot be the Crawford game", line)
                crawford_game = False
                break
            self.warn(f"a score of {candidate[0]}-{candidate[1]} cannot occur before a game to {self.length}", line)
        else:
            game = GameBuilder(self, (0, 0), False)
            game.rejected = True
            self.games.append(game)
            return game
        self._crawford_played = self._crawford_played or crawford_game
        game = GameBuilder(self, candidate, crawford_game)
        self.games.append(game)
        return game

    def _is_possible(self, score: tuple[int, int], crawford: bool) -> bool:
        try:
            MatchState(length=self.length, my_score=score[0], their_score=score[1], crawford=crawford)
        except KibitzError:
            return False
        return True

    def build(self) -> Match:
        """The match as far as it could be replayed."""
        if self.games:
            self.games[-1].close()
        games = tuple(game.build() for game in self.games if not game.rejected)
        if self._unsaid:
            self._warnings.append(ReadWarning(f"{self._unsaid} more warnings", None, self.file))
        return replace(self.header(), games=games, warnings=tuple(self._warnings))


class GameBuilder:
    """A game in the making. After an action that cannot be replayed the rest is left out, the result is kept.

    `cube` and `plays` are what the file says of a decision: numbers, which become decisions in the state of the action.
    """

    def __init__(self, match: MatchBuilder, score: tuple[int, int], crawford: bool) -> None:
        self.match = match
        self.score = score
        self.crawford = crawford
        self.actions: list[Action] = []
        self.result: Result | None = None
        self.comment = ""
        self._comments: list[str] = []
        self._notes = 0
        self._concluded = False  # whether Kibitz wrote the result
        self._told = False  # whether the file names the result, which otherwise follows from the last action
        self.damaged = False
        self.rejected = False
        self.replay = GameReplay(match.header(), Game(score, crawford))
        self._closed = False
        self._state: State | None = None  # of the last action

    # --- what readers call ------------------------------------------------------------------------------------------

    def roll(
        self,
        player: int,
        dice: Dice,
        *,
        text: str | None = None,
        steps: Steps | None = None,
        result: Position | None = None,
        played: bool = True,
        plays: Iterable[PlayRow] = (),
        line: int | None = None,
        **notes: Any,
    ) -> bool:
        """A roll with its play, given as notation, as steps or by the position it leads to (seen by the opponent)."""
        if not self._ready(player, line):
            return False
        if self.replay.offer is Offer.DOUBLE:
            self._answer_for(player, line)
        play, legal = None, True
        if played:
            try:
                play, legal = find_play(self.replay.position(player), dice, text=text, steps=steps, result=result)
            except KibitzError as error:
                self._damage(f"{self._name(player)}'s {dice} cannot be played: {error}", line)
                return False
        if not legal:
            wanted = text if text is not None else " ".join(f"{a}/{max(b, 0)}" for a, b in steps or ())
            self.match.warn(f"{self._name(player)}'s {dice}: {wanted.strip()} is not legal; kept as it stands", line)
        analysis = play_analysis(plays, self.replay.match_state(player))
        roll = Roll(player, dice, None if play is None else play.moves, legal, analysis=analysis)
        return self._add(roll, line, **notes)

    def double(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The cube is offered."""
        if not self._ready(player, line):
            return False
        if self.replay.offer is not Offer.NONE:
            self.match.warn(f"{self._name(player)} doubles while a double is pending; ignored", line)
            return False
        if self.replay.owner not in (None, player):
            self.match.warn(f"{self._name(player)} doubles, but the cube is the opponent's", line)
        if 2 * self.replay.value > self.match.rules.max_cube:
            limit = max(4 * self.replay.value, 1024)
            if limit > 1 << 15:
                self._damage(f"the cube would go beyond {self.replay.value}", line)
                return False
            self.match.warn(f"the cube goes beyond its limit of {self.match.rules.max_cube}", line)
            self._raise_limit(limit)
        if self.crawford:
            self.match.warn("a double in what should be the Crawford game: taken as played without that rule", line)
            self.set_crawford(False)
        return self._add(Double(player), line, **notes)

    def take(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The offer is accepted. After a beaver or a raccoon nothing is recorded: play simply goes on."""
        if not self._ready(player, line):
            return False
        if self.replay.offer in (Offer.BEAVER, Offer.RACCOON):
            return True
        if self.replay.offer is Offer.NONE:
            self.match.warn(f"{self._name(player)} takes a double that was not offered; ignored", line)
            return False
        return self._add(Take(player), line, **notes)

    def drop(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The offer is declined."""
        if not self._ready(player, line):
            return False
        if self.replay.offer is Offer.NONE:
            self.match.warn(f"{self._name(player)} drops a double that was not offered; ignored", line)
            return False
        return self._add(Drop(player), line, **notes)

    def beaver(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The double is turned once more."""
        return self._turn(Offer.DOUBLE, Beaver(player), line, **notes)

    def raccoon(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The beaver is turned once more."""
        return self._turn(Offer.BEAVER, Raccoon(player), line, **notes)

    def resign(self, player: int, size: int, line: int | None = None, **notes: Any) -> bool:
        """The game is given up."""
        if not self._ready(player, line):
            return False
        return self._add(Resign(player, min(max(size, 1), 3)), line, **notes)

    def setup(
        self,
        player: int,
        position: Position,
        value: int = 1,
        owner: Owner = Owner.CENTRED,
        line: int | None = None,
        **notes: Any,
    ) -> bool:
        """The board is set."""
        if value > self.match.rules.max_cube and value <= 1 << 15:
            self._raise_limit(max(value, 1024))
        if value > 1:
            self.set_crawford(False)  # no cube is turned in that game, so it has been played before
        setup = Setup(player, position, owner, value)
        if self.actions and isinstance(self.actions[-1], Setup) and not self.damaged:
            # Board, cube and turn may be set one after the other; what was set last holds.
            earlier = self.actions.pop()
            setup = replace(setup, comment=earlier.comment, marks=earlier.marks, cube=earlier.cube)
        return self._add(setup, line, **notes)

    def note(self, *, comment: str = "", cube: CubeRow | None = None) -> None:
        """Something more about the last action; a cube decision only if none was noted yet."""
        self._notes += 1
        if self.actions and self._state is not None and self._notes <= MAX_ACTIONS:
            self.actions[-1] = _noted(self.actions[-1], self._state, comment=comment, cube=cube)

    def set_crawford(self, crawford: bool) -> None:
        """Whether this is the Crawford game, where the file says it."""
        if crawford != self.crawford:
            self.crawford = crawford
            self._change_rules(crawford=crawford)

    def add_comment(self, text: str) -> None:
        """One more line of the comment on the whole game."""
        self._comments.append(text)

    def record(self, action: Action) -> State | None:
        """An action that Kibitz wrote: it need not fit anything but the board. Returns its state, None if it does not.

        What was said of it may be added to `actions[-1]`.
        """
        return self._state if self._add(action, None) else None

    def conclude(self, result: Result | None) -> None:
        """The result as it was written by Kibitz, or none: nothing is concluded from the board."""
        self.result, self._closed, self._concluded = result, True, True

    def finish(self, winner: int, points: int, ending: Ending | None = None, line: int | None = None) -> None:
        """The winner and the points that the file names. What ended the game follows from its last action."""
        if self.result is not None:
            if (self.result.winner, self.result.points) != (winner, points):
                self.match.warn("the game ends twice; the first end counts", line)
            return
        if not 0 < points <= 1 << 20:
            self.match.warn(f"{self._name(winner)} wins {points} points; ignored", line)
            return
        self._told = True
        if self.damaged:
            self.result = Result(winner, points, ending or Ending.UNKNOWN)
            return
        last = self.actions[-1] if self.actions else None
        if self.replay.is_over:
            over = self.replay.borne_off
            assert over is not None
            if over != winner:
                self.match.warn(f"{self._name(over)} has borne off, but {self._name(winner)} is said to win", line)
            self._check_points(winner, points, self.replay.borne_off_size(over), line)
            ending = Ending.BORNE_OFF
        elif isinstance(last, Drop):
            self._check_points(winner, points, 1, line)
            ending = Ending.DROPPED
        elif ending is None or ending is Ending.RESIGNED:
            ending = Ending.RESIGNED
            points = self._possible_points(winner, points, line)
            if not isinstance(last, Resign):
                # Rounded up: sites write no more points than the match needed, and a gammon may count for less.
                self.resign(1 - winner, -(-points // max(self.replay.offered_value, 1)), line)
        self.result = Result(winner, points, ending)

    def settle(self, following: tuple[int, int]) -> None:
        """Hold a result that the file names against the score of the next game: that decides, unless the board does."""
        told = self.result
        gained = [after - before for before, after in zip(self.score, following, strict=True)]
        if told is None or self._concluded or min(gained) != 0 or not 0 < max(gained) <= 1 << 20:
            return  # nothing to hold against it; or a score that no single game leads to
        winner, points = gained.index(max(gained)), max(gained)
        if told.ending in (Ending.BORNE_OFF, Ending.DROPPED):
            if told.winner != winner:
                self.match.warn(
                    f"{self._name(told.winner)} has won, but the next score says that {self._name(winner)} did"
                )
            return
        if self._told:
            who, other = f"{self._name(told.winner)} is said to win {told.points}", self._name(winner)
            self.match.warn(f"{who}, but the next score says that {other} won {points}; the score is taken")
        self._give(winner, points)

    def _give(self, winner: int, points: int) -> None:
        """Let a player win by resignation."""
        if self.damaged:
            self.result = Result(winner, points, Ending.UNKNOWN)
            return
        size = min(max(-(-points // max(self.replay.offered_value, 1)), 1), 3)
        if self.actions and isinstance(last := self.actions[-1], Resign):
            self.actions[-1] = replace(last, player=1 - winner, size=size)
        elif self.actions:
            self._add(Resign(1 - winner, size), None)
        self.result = Result(winner, points, Ending.RESIGNED if self.actions else Ending.UNKNOWN)

    def close(self) -> None:
        """The end of what the file says about this game: if the board tells who won, so does the result."""
        if self._closed:
            return
        self._closed = True
        last = self.actions[-1] if self.actions else None
        if self.result is not None or self.damaged:
            return
        if (winner := self.replay.borne_off) is not None:
            points = self.replay.points(self.replay.borne_off_size(winner))
            self.result = Result(winner, points, Ending.BORNE_OFF)
        elif isinstance(last, Drop):
            self.result = Result(1 - last.player, self.replay.points(1), Ending.DROPPED)
        elif isinstance(last, Resign):
            self.result = Result(1 - last.player, self.replay.points(last.size), Ending.RESIGNED)

    def build(self) -> Game:
        """The game as it stands."""
        comment = printable("\n".join(filter(None, (self.comment, *self._comments))))
        return Game(self.score, self.crawford, tuple(self.actions), self.result, comment)

    # --- inside -----------------------------------------------------------------------------------------------------

    def _name(self, player: int) -> str:
        return self.match.players[player]

    def _ready(self, player: int, line: int | None) -> bool:
        """Whether an action may follow; damage and endings are told once."""
        if self.damaged or self.rejected:
            return False
        if len(self.actions) >= MAX_ACTIONS:
            self._damage(f"more than {MAX_ACTIONS} actions in a game", line)
            return False
        last = self.actions[-1] if self.actions else None
        if self.replay.is_over or isinstance(last, Drop | Resign) or self.result is not None:
            self.match.warn(f"{self._name(player)} acts after the end of the game; ignored", line)
            return False
        return True

    def _add(self, action: Action, line: int | None, **notes: Any) -> bool:
        if self.damaged or self.rejected:
            return False
        try:
            state = self.replay.state_for(action)
            self.replay.apply(action)
        except KibitzError as error:
            self._damage(str(error), line)
            return False
        if self.actions and isinstance(last := self.actions[-1], Setup) and last.player != action.player:
            # A board that was set is seen by the player who acts next.
            seen = replace(last, player=action.player, position=last.position.swapped())
            self.actions[-1] = replace(seen, owner=last.owner.swapped())
        self.actions.append(_noted(action, state, **notes))
        self._state = state
        return True

    def _raise_limit(self, limit: int) -> None:
        self.match.rules = replace(self.match.rules, max_cube=limit)
        for game in self.match.games:
            game._change_rules(max_cube=limit)

    def _change_rules(self, **changes: Any) -> None:
        """Go on under other rules, which hold from the beginning: decisions before are those of the same states."""
        self.replay.change_rules(self.match.header(), Game(self.score, self.crawford))
        for index, action in enumerate(self.actions):
            if (cube := action.cube) is not None:
                state = replace(cube.state, match=replace(cube.state.match, **changes))
                self.actions[index] = replace(action, cube=replace(cube, state=state))

    def _turn(self, needed: Offer, action: Beaver | Raccoon, line: int | None, **notes: Any) -> bool:
        if not self._ready(action.player, line):
            return False
        if self.replay.offer is not needed:
            self.match.warn(f"a {action.kind} without a {needed.value} before it; ignored", line)
            return False
        return self._add(action, line, **notes)

    def _answer_for(self, roller: int, line: int | None) -> None:
        """A roll while a double is pending: the answer is missing, so it was a take if the doubler goes on."""
        if roller == self.replay.doubler:
            self.match.warn("the double has no answer; taken as accepted, since the game goes on", line)
            self._add(Take(1 - roller), line)
        else:
            self.match.warn("the double has no answer, and the opponent rolls; it is left out", line)
            self.actions.pop()
            self.replay.withdraw()

    def _damage(self, message: str, line: int | None) -> None:
        self.match.warn(f"{message}; the rest of this game is left out", line)
        self.damaged = True

    def _possible_points(self, winner: int, points: int, line: int | None) -> int:
        """The points of a resignation: at most a backgammon's, or what was missing to win the match."""
        most = 3 * self.replay.offered_value
        if points <= max(most, self.match.length - self.score[winner]):
            return points
        self.match.warn(f"{self._name(winner)} wins {points} points, where {most} are the most; {most} are taken", line)
        return most

    def _check_points(self, winner: int, points: int, size: int, line: int | None) -> None:
        """Tell when the points cannot be right. A file may cap the last game's, and Jacoby may not be marked."""
        needed = self.match.length - self.score[winner]
        plain = self.replay.value * size
        possible = {plain, self.replay.points(size)}
        if self.match.length == 0:
            possible.add(self.replay.value)
        elif plain >= needed:
            possible |= {needed, min(plain, self.match.length)}
        if points not in possible:
            self.match.warn(f"{self._name(winner)} wins {points} points, where the board says {plain}", line)


def _noted(
    action: Action,
    state: State,
    *,
    comment: str = "",
    marks: tuple[str, ...] = (),
    cube: CubeRow | None = None,
    **more: Any,
) -> Action:
    """An action with more notes: what was noted before stays."""
    if not (comment or marks or cube or more):
        return action
    decision: CubeDecision | None = action.cube
    if decision is None and cube is not None:
        decision = cube.decision(replace(state, dice=None))
    noted: Action = replace(
        action,
        comment=printable("\n".join(filter(None, (action.comment, comment)))),
        marks=tuple(sorted({*action.marks, *marks})),  # their order says nothing
        cube=decision,
        **more,
    )
    return noted
