"""A match between a person at the terminal and the engine: who does what when, and the record of it.

The dice follow from the seed, the game and how much has happened in it, so that taking a move back changes no roll.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kibitz.cube import Owner
from kibitz.dice import Dice
from kibitz.engine.player import EnginePlayer
from kibitz.engine.question import answer
from kibitz.errors import KibitzError
from kibitz.formats import save
from kibitz.notation import parse_play
from kibitz.play import Play
from kibitz.position import Position
from kibitz.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Ending,
    Game,
    Match,
    Resign,
    Result,
    Roll,
    Setup,
    Take,
    add_result,
    is_crawford_game,
)
from kibitz.replay import Table
from kibitz.report.analysis import answer_text
from kibitz.report.terminal import draw_state
from kibitz.state import Offer, State

PERSON, ENGINE = 0, 1
HELP = """  Enter, roll     roll the dice            double          offer the cube
  8/5 6/5         make a play              take, pass      answer a double
  hint            what the engine thinks   beaver          take and turn the cube again
  board           show the board           resign 1|2|3    give up a game, gammon, backgammon
  undo            take the last back       quit            stop; the match is saved"""


class Quit(Exception):  # noqa: N818 - not an error
    """The person has had enough."""


@dataclass
class Session:
    """A match in progress. `ask` prompts the person and returns the answer; `tell` prints."""

    player: EnginePlayer
    match: Match
    ask: Callable[[str], str]
    tell: Callable[[str], None]
    seed: int = 0
    path: Path | None = None
    hint_plies: int = 2
    automatic_doubles: int = 0
    games: int = 1  # of a money session
    _rolled: bool = field(default=False, init=False)
    _shown: bool = field(default=False, init=False)

    # --- the match --------------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until the match is over or the person quits."""
        try:
            while self._begin_game():
                while self.match.games[-1].result is None:
                    self._turn()
                self._tell_score()
        except (Quit, EOFError):
            self.tell("The match is not finished." + (f" It is saved in {self.path}." if self.path else ""))
            return
        winner = self.match.winner
        if winner is not None:
            self.tell(f"{self.match.players[winner]} {'win' if winner == PERSON else 'wins'} the match.")

    def _begin_game(self) -> bool:
        games = self.match.games
        if games and games[-1].result is None:
            return True
        finished = len(games)
        if self.match.winner is not None or (self.match.is_money and finished >= self.games):
            return False
        score = self.match.score
        played = any(game.crawford for game in games)
        crawford = self.match.rules.crawford and is_crawford_game(self.match.length, score, played)
        self.match = replace(self.match, games=(*games, Game(score=score, crawford=crawford)))
        self.tell(f"\nGame {finished + 1}" + (", the Crawford game" if crawford else ""))
        self._first_roll()
        return True

    def _first_roll(self) -> None:
        """Each rolls one die; the higher begins with both. Equal dice may turn the cube, where that was agreed."""
        value, attempt = 1, 0
        while True:
            mine, theirs = self._dice_at("first", attempt)
            if mine != theirs:
                break
            attempt += 1
            if self.match.is_money and attempt <= self.automatic_doubles:
                value *= 2
                self.tell(f"Both roll {mine}: the cube is turned to {value}.")
        starter = PERSON if mine > theirs else ENGINE
        self.tell(f"You roll {mine}, {self.match.players[ENGINE]} rolls {theirs}.")
        if value > 1:
            self._record(Setup(starter, Position.start(self.match.variant), Owner.CENTRED, value))
        self._rolled = True
        dice = Dice(mine, theirs)
        if starter == PERSON:
            self._person_plays(dice)
        else:
            self._engine_plays(dice)

    # --- one turn ---------------------------------------------------------------------------------------------------

    def _turn(self) -> None:
        table = self._table()
        if table.turn is None:  # undone back to the beginning
            self._first_roll()
        elif table.turn == PERSON:
            self._person_turn(table)
        else:
            self._engine_turn(table)

    def _person_turn(self, table: Table) -> None:
        state = self._state(table, PERSON)
        if not self._rolled:
            if not self._shown:
                self.tell(draw_state(state))
                self._shown = True
            if self._may_double(table, PERSON):
                if not self._decide_to_roll(state):
                    return
            else:
                self.tell("You roll.")
            self._rolled = True
        self._person_plays(Dice(*self._dice_at("roll", self._actions())))

    def _decide_to_roll(self, state: State) -> bool:
        """False if something else was done instead."""
        while True:
            words = self._command("Roll or double? ", state)
            if words in ("", "r", "roll"):
                return True
            if words in ("d", "double"):
                self._record(Double(PERSON))
                self._engine_answers(state)
                return False
            if self._done_otherwise(words, state):
                return False

    def _person_plays(self, dice: Dice) -> None:
        table = self._table()
        state = replace(self._state(table, PERSON), dice=dice)
        self.tell(draw_state(state))
        legal = state.position.plays(dice)
        if not legal:
            self.tell(f"You roll {dice} and cannot move.")
            self._make(PERSON, dice, None)
            return
        if len(legal) == 1:
            self.tell(f"You roll {dice}: {legal[0]} is forced.")
            self._make(PERSON, dice, legal[0])
            return
        while True:
            words = self._command(f"Your play of {dice}: ", state)
            if self._done_otherwise(words, state):
                return
            try:
                play = parse_play(words, state.position, dice)
            except KibitzError as error:
                self.tell(f"{error}" if words else "Make a play such as 8/5 6/5, or say help.")
                continue
            self._make(PERSON, dice, play)
            return

    def _engine_turn(self, table: Table) -> None:
        state = self._state(table, ENGINE)
        name = self.match.players[ENGINE]
        if self._may_double(table, ENGINE) and self.player.doubles(state.position, state.match):
            self._record(Double(ENGINE))
            self._person_answers(replace(state, offer=Offer.DOUBLE))
            return
        dice = Dice(*self._dice_at("roll", self._actions()))
        self.tell(f"{name} rolls {dice}.")
        self._engine_plays(dice)

    def _engine_plays(self, dice: Dice) -> None:
        state = self._state(self._table(), ENGINE)
        play = self.player.play(state.position, dice, state.match)
        self.tell(
            f"{self.match.players[ENGINE]} plays {play}." if play else f"{self.match.players[ENGINE]} cannot move."
        )
        self._make(ENGINE, dice, play)

    # --- the cube ---------------------------------------------------------------------------------------------------

    def _may_double(self, table: Table, player: int) -> bool:
        game, value = self.match.games[-1], table.value
        useful = self.match.is_money or game.score[player] + value < self.match.length
        return table.owner in (None, player) and not game.crawford and useful and 2 * value <= self.match.rules.max_cube

    def _engine_answers(self, state: State) -> None:
        name = self.match.players[ENGINE]
        if self.player.takes(state.position, state.match):
            self.tell(f"{name} takes.")
            self._record(Take(ENGINE))
        else:
            self.tell(f"{name} passes.")
            self._record(Drop(ENGINE))
            self._finish(PERSON, 1, Ending.DROPPED)

    def _person_answers(self, state: State) -> None:
        self.tell(draw_state(state, flip=True))
        self.tell(f"{self.match.players[ENGINE]} doubles to {2 * state.match.cube.value}.")
        while True:
            words = self._command("Take or pass? ", state)
            if words in ("t", "take", "yes"):
                self._record(Take(PERSON))
                return
            if words in ("p", "pass", "drop", "no"):
                self._record(Drop(PERSON))
                self._finish(ENGINE, 1, Ending.DROPPED)
                return
            if words == "beaver" and self.match.is_money and self.match.rules.beavers:
                self._record(Beaver(PERSON))
                return
            if self._done_otherwise(words, state, resigning=False):
                return

    # --- what the person may say at any time ------------------------------------------------------------------------

    def _command(self, prompt: str, state: State) -> str:
        while True:
            words = " ".join(self.ask(prompt).strip().lower().split())
            if words in ("q", "quit", "exit"):
                raise Quit
            if words in ("?", "help"):
                self.tell(HELP)
            elif words in ("b", "board"):
                self.tell(draw_state(state))
            elif words in ("h", "hint"):
                self.tell(answer_text(answer(self.player.engine, state, plies=self.hint_plies), top=5))
            else:
                return words

    def _done_otherwise(self, words: str, state: State, *, resigning: bool = True) -> bool:
        """Whether the words were an undo or a resignation that ended the decision."""
        if words in ("u", "undo"):
            return self._undo()
        if resigning and words.split(" ")[0] == "resign":
            size = {"1": 1, "2": 2, "3": 3, "gammon": 2, "backgammon": 3}.get(words[7:], 1)
            return self._resign(state, size)
        return False

    def _undo(self) -> bool:
        """Back to before the person's last action in this game."""
        game = self.match.games[-1]
        mine = [number for number, action in enumerate(game.actions) if action.player == PERSON]
        if not mine:
            self.tell("There is nothing to take back.")
            return False
        game = replace(game, actions=game.actions[: mine[-1]])
        self.match = replace(self.match, games=(*self.match.games[:-1], game))
        self._rolled = self._shown = False
        self.tell("Taken back.")
        self._save()
        return True

    def _resign(self, state: State, size: int) -> bool:
        if not self.player.accepts(state.position, state.match, size):
            self.tell(f"{self.match.players[ENGINE]} does not accept that.")
            return False
        self._record(Resign(PERSON, size))
        self._finish(ENGINE, size, Ending.RESIGNED)
        return True

    # --- the record -------------------------------------------------------------------------------------------------

    def _make(self, player: int, dice: Dice, play: Play | None) -> None:
        self._record(Roll(player, dice, play.moves if play else ()))
        table = self._table()
        if table.is_over:
            self._finish(player, table.borne_off_size(player), Ending.BORNE_OFF)

    def _record(self, action: Action) -> None:
        game = self.match.games[-1]
        game = replace(game, actions=(*game.actions, action))
        self.match = replace(self.match, games=(*self.match.games[:-1], game))
        self._rolled = self._shown = False
        self._save()

    def _finish(self, winner: int, size: int, ending: Ending) -> None:
        table = self._table()
        undoubled = table.owner is None and self.match.is_money and self.match.rules.jacoby
        points = table.winning_points(1 if undoubled and ending is not Ending.RESIGNED else size)
        game = replace(self.match.games[-1], result=Result(winner, points, ending))
        self.match = replace(self.match, games=(*self.match.games[:-1], game))
        self._save()

    def _tell_score(self) -> None:
        game = self.match.games[-1]
        assert game.result is not None
        winner, points = game.result.winner, game.result.points
        you, them = add_result(game.score, game.result)
        verb = "win" if winner == PERSON else "wins"
        self.tell(
            f"{self.match.players[winner]} {verb} {points} point{'s' if points != 1 else ''}. "
            f"Score: {self.match.players[PERSON]} {you}, {self.match.players[ENGINE]} {them}."
        )

    def _save(self) -> None:
        if self.path is not None:
            save(self.match, self.path)

    # --- where things stand -----------------------------------------------------------------------------------------

    def _table(self) -> Table:
        game = self.match.games[-1]
        table = Table(self.match, game)
        for action in game.actions:
            table.apply(action)
        if table.offer is Offer.BEAVER:
            table._settle()
        return table

    def _state(self, table: Table, player: int) -> State:
        names = self.match.players[player], self.match.players[1 - player]
        return State(table.position(player), table.match_state(player), turn=player, names=names)

    def _actions(self) -> int:
        return len(self.match.games[-1].actions)

    def _dice_at(self, kind: str, number: int) -> tuple[int, int]:
        text = f"{self.seed}|{len(self.match.games)}|{kind}|{number}"
        digest = int.from_bytes(hashlib.sha256(text.encode()).digest(), "little")
        return digest % 6 + 1, digest // 6 % 6 + 1
