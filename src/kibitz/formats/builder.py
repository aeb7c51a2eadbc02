"""Putting a match together from what a reader finds: replays as it goes, collects what does not fit, keeps the rest."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

from kibitz import _core
from kibitz.cube import Owner
from kibitz.dice import Dice
from kibitz.errors import FormatError, IllegalPlayError, KibitzError, NotationError
from kibitz.formats.limits import MAX_ACTIONS, MAX_GAMES, MAX_WARNINGS
from kibitz.match import MatchState
from kibitz.play import Move
from kibitz.position import BAR, Position, Variant
from kibitz.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Ending,
    Game,
    Match,
    Moves,
    Raccoon,
    ReadWarning,
    Resign,
    Result,
    Roll,
    Rules,
    Setup,
    Take,
    add_result,
    is_crawford_game,
)
from kibitz.replay import Steps, Table, after_steps
from kibitz.state import Offer

_STEP = re.compile(r"(\d+|bar)/(\d+|off)\*?$", re.IGNORECASE)
_POINTS = {"bar": BAR, "off": 0}


class MatchBuilder:
    """A match in the making. The attributes named as `Match`'s fields may be set at any time before `build`."""

    def __init__(self, format_name: str, file: str = "") -> None:
        self.format = format_name
        self.file = file
        self.players = ("Player 1", "Player 2")
        self.length = 0
        self.rules = Rules()
        self.variant = Variant.BACKGAMMON
        self.event = self.round = self.place = self.date = self.annotator = ""
        self.ratings = ("", "")
        self.comments: list[str] = []
        self.info: list[tuple[str, str]] = []
        self.games: list[GameBuilder] = []
        self._warnings: list[ReadWarning] = []
        self._unsaid = 0
        self._crawford_played = False

    def warn(self, message: str, line: int | None = None) -> None:
        """Remember something that could not be understood."""
        if len(self._warnings) < MAX_WARNINGS:
            self._warnings.append(ReadWarning(message, line, self.file))
        else:
            self._unsaid += 1

    def header(self) -> Match:
        """The match as far as its header says it, without games."""
        return Match(
            players=self.players,
            length=self.length,
            rules=self.rules,
            variant=self.variant,
            event=self.event,
            round=self.round,
            place=self.place,
            date=self.date,
            annotator=self.annotator,
            ratings=self.ratings,
            comments=tuple(self.comments),
            info=tuple(self.info),
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
        """The match, each game replayed once more and cut where it cannot go on."""
        if self.games:
            self.games[-1].close()
        header = self.header()
        games = tuple(self._checked(header, game.build()) for game in self.games if not game.rejected)
        if self._unsaid:
            self._warnings.append(ReadWarning(f"{self._unsaid} more warnings", None, self.file))
        return replace(header, games=games, warnings=tuple(self._warnings))

    def _checked(self, header: Match, game: Game) -> Game:
        table = Table(header, game)
        for index, action in enumerate(game.actions):
            try:
                table.state_for(action)
                table.apply(action)
            except KibitzError as error:
                self.warn(f"the game is cut before action {index + 1}: {error}")
                result = None if game.result is None else replace(game.result, ending=Ending.UNKNOWN)
                return replace(game, actions=game.actions[:index], result=result)
        return game


class GameBuilder:
    """A game in the making. After an action that cannot be replayed the rest is left out, the result is kept."""

    def __init__(self, match: MatchBuilder, score: tuple[int, int], crawford: bool) -> None:
        self.match = match
        self.score = score
        self.crawford = crawford
        self.actions: list[Action] = []
        self.result: Result | None = None
        self.comment = ""
        self.damaged = False
        self.rejected = False
        self._closed = False
        self.table = Table(match.header(), Game(score, crawford))

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
        line: int | None = None,
        **notes: Any,
    ) -> bool:
        """A roll with its play, given as notation, as steps or by the position it leads to (seen by the opponent)."""
        if not self._ready(player, line):
            return False
        if self.table.offer is Offer.DOUBLE:
            self._answer_for(player, line)
        moves: Moves | None = None
        legal = True
        if played:
            try:
                moves, legal = resolve(self.table.position(player), dice, text=text, steps=steps, result=result)
            except KibitzError as error:
                self._damage(f"{self._name(player)}'s {dice} cannot be played: {error}", line)
                return False
        if not legal:
            wanted = text if text is not None else " ".join(f"{a}/{max(b, 0)}" for a, b in steps or ())
            self.match.warn(f"{self._name(player)}'s {dice}: {wanted.strip()} is not legal; kept as it stands", line)
        return self._add(Roll(player, dice, moves, legal, **notes), line)

    def double(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The cube is offered."""
        if not self._ready(player, line):
            return False
        if self.table.offer is not Offer.NONE:
            self.match.warn(f"{self._name(player)} doubles while a double is pending; ignored", line)
            return False
        if self.table.owner not in (None, player):
            self.match.warn(f"{self._name(player)} doubles, but the cube is the opponent's", line)
        if 2 * self.table.value > self.match.rules.max_cube:
            limit = max(4 * self.table.value, 1024)
            if limit > 1 << 15:
                self._damage(f"the cube would go beyond {self.table.value}", line)
                return False
            self.match.warn(f"the cube goes beyond its limit of {self.match.rules.max_cube}", line)
            self.match.rules = replace(self.match.rules, max_cube=limit)
            self.table.match = self.match.header()
        if self.crawford:
            self.match.warn("a double in what should be the Crawford game: taken as played without that rule", line)
            self.crawford = False
            self.table.game = Game(self.score, False)
            self.table._match_states.clear()
        return self._add(Double(player, **notes), line)

    def take(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The offer is accepted. After a beaver or a raccoon nothing is recorded: play simply goes on."""
        if not self._ready(player, line):
            return False
        if self.table.offer in (Offer.BEAVER, Offer.RACCOON):
            return True
        if self.table.offer is Offer.NONE:
            self.match.warn(f"{self._name(player)} takes a double that was not offered; ignored", line)
            return False
        return self._add(Take(player, **notes), line)

    def drop(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The offer is declined."""
        if not self._ready(player, line):
            return False
        if self.table.offer is Offer.NONE:
            self.match.warn(f"{self._name(player)} drops a double that was not offered; ignored", line)
            return False
        return self._add(Drop(player, **notes), line)

    def beaver(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The double is turned once more."""
        return self._turn(Offer.DOUBLE, Beaver(player, **notes), line)

    def raccoon(self, player: int, line: int | None = None, **notes: Any) -> bool:
        """The beaver is turned once more."""
        return self._turn(Offer.BEAVER, Raccoon(player, **notes), line)

    def resign(self, player: int, size: int, line: int | None = None, **notes: Any) -> bool:
        """The game is given up."""
        if not self._ready(player, line):
            return False
        return self._add(Resign(player, min(max(size, 1), 3), **notes), line)

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
            self.match.rules = replace(self.match.rules, max_cube=max(value, 1024))
            self.table.match = self.match.header()
        setup = Setup(player, position, owner, value, **notes)
        if self.actions and isinstance(self.actions[-1], Setup) and not self.damaged:
            # Board, cube and turn may be set one after the other; what was set last holds.
            earlier = self.actions.pop()
            comment = "\n".join(filter(None, (earlier.comment, setup.comment)))
            setup = replace(setup, comment=comment, cube=setup.cube or earlier.cube, marks=earlier.marks + setup.marks)
        return self._add(setup, line)

    def finish(self, winner: int, points: int, ending: Ending | None = None, line: int | None = None) -> None:
        """The winner and the points that the file names. What ended the game follows from its last action."""
        if self.result is not None:
            if (self.result.winner, self.result.points) != (winner, points):
                self.match.warn("the game ends twice; the first end counts", line)
            return
        if not 0 < points <= 1 << 20:
            self.match.warn(f"{self._name(winner)} wins {points} points; ignored", line)
            return
        if self.damaged:
            self.result = Result(winner, points, ending or Ending.UNKNOWN)
            return
        last = self.actions[-1] if self.actions else None
        if self.table.is_over:
            over = 0 if not any(self.table.position(0).mine) else 1
            if over != winner:
                self.match.warn(f"{self._name(over)} has borne off, but {self._name(winner)} is said to win", line)
            self._check_points(winner, points, self.table.borne_off_size(over), line)
            ending = Ending.BORNE_OFF
        elif isinstance(last, Drop):
            self._check_points(winner, points, 1, line)
            ending = Ending.DROPPED
        elif ending is None or ending is Ending.RESIGNED:
            ending = Ending.RESIGNED
            if not isinstance(last, Resign):
                # Rounded up: sites write no more points than the match needed, and a gammon may count for less.
                self.resign(1 - winner, -(-points // max(self.table.offered_value, 1)), line)
        self.result = Result(winner, points, ending)

    def close(self) -> None:
        """The end of what the file says about this game: if the board tells who won, so does the result."""
        if self._closed:
            return
        self._closed = True
        last = self.actions[-1] if self.actions else None
        if self.result is not None or self.damaged:
            return
        if self.table.is_over:
            winner = 0 if not any(self.table.position(0).mine) else 1
            points = self._worth(self.table.borne_off_size(winner))
            self.result = Result(winner, points, Ending.BORNE_OFF)
        elif isinstance(last, Drop):
            self.result = Result(1 - last.player, self.table.value, Ending.DROPPED)
        elif isinstance(last, Resign):
            self.result = Result(1 - last.player, self._worth(last.size), Ending.RESIGNED)

    def build(self) -> Game:
        """The game as it stands. A board that was set is seen by the player who acts next."""
        actions = list(self.actions)
        for index, (action, following) in enumerate(pairwise(self.actions)):
            if isinstance(action, Setup) and following.player != action.player:
                seen = replace(action, player=following.player, position=action.position.swapped())
                actions[index] = replace(seen, owner=action.owner.swapped())
        return Game(self.score, self.crawford, tuple(actions), self.result, self.comment)

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
        if self.table.is_over or isinstance(last, Drop | Resign) or self.result is not None:
            self.match.warn(f"{self._name(player)} acts after the end of the game; ignored", line)
            return False
        return True

    def _add(self, action: Action, line: int | None) -> bool:
        if self.damaged or self.rejected:
            return False
        if len(action.marks) > 1:
            action = replace(action, marks=tuple(sorted(set(action.marks))))  # their order says nothing
        try:
            self.table.apply(action)
        except KibitzError as error:
            self._damage(str(error), line)
            return False
        self.actions.append(action)
        return True

    def _turn(self, needed: Offer, action: Beaver | Raccoon, line: int | None) -> bool:
        if not self._ready(action.player, line):
            return False
        if self.table.offer is not needed:
            self.match.warn(f"a {action.kind} without a {needed.value} before it; ignored", line)
            return False
        return self._add(action, line)

    def _answer_for(self, roller: int, line: int | None) -> None:
        """A roll while a double is pending: the answer is missing, so it was a take if the doubler goes on."""
        if roller == self.table.doubler:
            self.match.warn("the double has no answer; taken as accepted, since the game goes on", line)
            self._add(Take(1 - roller), line)
        else:
            self.match.warn("the double has no answer, and the opponent rolls; it is left out", line)
            self.actions.pop()
            self.table.offer = Offer.NONE

    def _damage(self, message: str, line: int | None) -> None:
        self.match.warn(f"{message}; the rest of this game is left out", line)
        self.damaged = True

    def _worth(self, size: int) -> int:
        jacoby = self.match.length == 0 and self.match.rules.jacoby
        return self.table.value * (1 if jacoby and self.table.owner is None and self.table.value == 1 else size)

    def _check_points(self, winner: int, points: int, size: int, line: int | None) -> None:
        """Tell when the points cannot be right. A file may cap the last game's, and Jacoby may not be marked."""
        needed = self.match.length - self.score[winner]
        possible = {self.table.value * size, self._worth(size)}
        if self.match.length == 0:
            possible.add(self.table.value)
        elif self.table.value * size >= needed:
            possible |= {needed, min(self.table.value * size, self.match.length)}
        if points not in possible:
            self.match.warn(
                f"{self._name(winner)} wins {points} points, where the board says {self.table.value * size}", line
            )


# --- plays ------------------------------------------------------------------------------------------------------------


def resolve(
    position: Position,
    dice: Dice,
    *,
    text: str | None = None,
    steps: Steps | None = None,
    result: Position | None = None,
) -> tuple[Moves | None, bool]:
    """The canonical moves of a play however it is given, and whether it is legal.

    An empty text is a play nobody wrote down: no play if none is legal, the only one if there is one, else None (the
    player gave up before playing). Raises NotationError or IllegalPlayError for what the board does not allow at all.
    """
    legal = _core.legal_results(position._rows, dice.high, dice.low)
    if result is not None:
        if result._rows in legal:
            return _canonical(position, dice, result._rows), True
        if not legal and result == position.swapped():
            return (), True
        raise IllegalPlayError("no legal play leads to the recorded position")
    if text is not None and not text.strip():
        if len(legal) > 1:
            return None, True
        return (_canonical(position, dice, legal[0]) if legal else ()), True
    if steps is None:
        steps = _plain_steps(text or "")
    if steps is not None:
        if not steps and not legal:
            return (), True
        try:
            rows = after_steps(position, steps)._rows
        except IllegalPlayError:
            pass  # perhaps in another order, or joined steps: the notation knows
        else:
            if rows in legal:
                return _canonical(position, dice, rows), True
    return _by_notation(position, dice, text, steps, legal)


def _by_notation(
    position: Position, dice: Dice, text: str | None, steps: Steps | None, legal: list[bytes]
) -> tuple[Moves, bool]:
    """Joined, reordered and counted steps, and at last plays that break the rules but not the board."""
    from kibitz.notation.plays import parse_play

    if text is None:
        text = " ".join(f"{'bar' if a == BAR else a}/{'off' if b <= 0 else b}" for a, b in steps or ())
    try:
        play = parse_play(text, position, dice)
        if play.result._rows in legal:
            return _canonical(position, dice, play.result._rows), True
    except (NotationError, IllegalPlayError):
        pass
    loose = _plain_steps(text, expand=True)
    if loose is None:
        raise NotationError(f"{text.strip()!r} is not a play")
    if not loose:
        return (), False  # nothing was played, though something could be
    after_steps(position, loose)  # raises where the board forbids it
    return _marked(position, loose), False


def _canonical(position: Position, dice: Dice, result: bytes) -> Moves:
    return tuple(Move(*step) for step in _core.moves_between(position._rows, dice.high, dice.low, result))


def _plain_steps(text: str, *, expand: bool = False) -> list[tuple[int, int]] | None:
    """The steps of a text that has only plain 'a/b' words; with `expand` also 'a/b/c' and 'a/b(2)'."""
    steps: list[tuple[int, int]] = []
    for word in text.replace(",", " ").split():
        found = _STEP.match(word)
        if found is not None:
            steps.append((_point(found[1]), _point(found[2])))
            continue
        if not expand:
            return None
        parts = re.fullmatch(r"((?:\d+|bar)(?:/(?:\d+|off)\*?)+)(?:\((\d)\))?(\*?)", word, re.IGNORECASE)
        if parts is None:
            return None
        points = [_point(point) for point in parts[1].replace("*", "").split("/")]
        steps += [step for _ in range(int(parts[2] or 1)) for step in pairwise(points)]
        if len(steps) > 8:
            return None
    return sorted(steps, reverse=True) if expand else steps


def _point(word: str) -> int:
    return _POINTS.get(word.lower(), int(word) if word.isascii() and word.isdigit() and len(word) < 4 else 999)


def _marked(position: Position, steps: Steps) -> Moves:
    """The moves of a play that was made as told, with its hits."""
    moves, board = [], position
    for source, target in steps:
        hit = target > 0 and board.theirs[24 - target] == 1
        moves.append(Move(source, max(target, 0), hit))
        board = after_steps(board, [(source, target)]).swapped()
    return tuple(moves)
