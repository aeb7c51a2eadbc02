"""A match between a person at the terminal and a player: prompts and words around `LiveMatch`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kibitz.analysis.decisions import ReviewedDecision
from kibitz.analysis.levels import ReviewSettings
from kibitz.analysis.review import review
from kibitz.engine.engine import Engine
from kibitz.errors import KibitzError
from kibitz.play.live_match import Choice, LiveMatch
from kibitz.play.players import EnginePlayer
from kibitz.play.tutor import Tutor
from kibitz.record import add_result
from kibitz.report.decisions import answer_text
from kibitz.report.terminal import draw_state
from kibitz.report.themes import Theme
from kibitz.state import Offer, State

PERSON, ENGINE = 0, 1
HINT_PLIES = 2
HELP = """  Enter, roll   roll the dice            double        offer the cube
  8/5 6/5       make a play              take, pass    answer a double
  hint          what the engine thinks   beaver        take, turn it again
  board         show the board           resign 1|2|3  game, gammon, backgammon
  undo          take your last back      quit          stop; the match is kept"""
_WORDS = {
    "r": Choice.ROLL,
    "d": Choice.DOUBLE,
    "t": Choice.TAKE,
    "yes": Choice.TAKE,
    "p": Choice.PASS,
    "drop": Choice.PASS,
    "no": Choice.PASS,
} | {choice.value: choice for choice in Choice}
_SIZES = {"1": 1, "2": 2, "3": 3, "game": 1, "single": 1, "gammon": 2, "backgammon": 3}
_SIZE_NAMES = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
_YES = ("y", "yes", "j", "ja")
_NO_PLAY = re.compile(r"[a-z]+")
"""One word of letters alone is no play; bar and off have a slash beside them."""


class Quit(Exception):  # noqa: N818 - not an error
    """The person has had enough."""


@dataclass
class TerminalMatch:
    """The match of a person against the engine. `ask` prompts the person and returns the answer; `tell` prints.

    A tutor objects to errors before they are made.
    """

    live: LiveMatch
    player: EnginePlayer
    ask: Callable[[str], str]
    tell: Callable[[str], None]
    tutor: Tutor | None = None
    theme: Theme | None = None
    _shown: State | None = field(default=None, init=False)

    def run(self) -> None:
        """Play until the match is over or the person quits."""
        live = self.live
        try:
            self._tell_game()
            while not live.is_over:
                if live.result is not None:
                    live.next_game()
                    self._tell_game()
                if live.player == PERSON:
                    self._person()
                else:
                    self._engine()
                if live.result is not None:
                    self._tell_score()
        except (Quit, EOFError, KeyboardInterrupt):
            kept = f"\nGo on with it: kibitz play --resume {live.path}" if live.path else ""
            self.tell("\nThe match is not finished." + kept)
            return
        winner = live.match.winner
        if winner is not None:
            self.tell(f"{self._name(winner)} {'win' if winner == PERSON else 'wins'} the match.")
        self._tell_review()

    # --- the person -------------------------------------------------------------------------------------------------

    def _person(self) -> None:
        """One decision of the person. A roll or a play without a choice is made for him."""
        live, state = self.live, self.live.state
        choices = live.choices
        if choices == (Choice.ROLL, Choice.RESIGN):
            self.tell("You roll.")
            live.act(Choice.ROLL)
            return
        unrolled = replace(state, dice=None)
        if self._shown != unrolled:
            self._shown = unrolled
            self._show(state)
            if state.offer is Offer.DOUBLE:
                self.tell(f"{self._name(ENGINE)} doubles to {2 * state.match.cube.value}.")
        if Choice.PLAY in choices:
            self._person_plays(state)
        else:
            words = self._command("Roll or double? " if Choice.ROLL in choices else "Take or pass? ", state)
            if words or Choice.ROLL in choices:
                self._do(words or "roll")
            else:
                self.tell("Say take or pass, or help.")

    def _person_plays(self, state: State) -> None:
        live, legal = self.live, self.live.plays
        if not legal:
            self.tell(f"You roll {state.dice} and cannot move.")
            live.act(Choice.PLAY)
        elif len(legal) == 1:
            self.tell(f"You roll {state.dice}: {legal[0]} is forced.")
            live.act(Choice.PLAY, legal[0])
        else:
            words = self._command(f"Your play of {state.dice}: ", state)
            if not words:
                self.tell("Make a play such as 8/5 6/5, or say help.")
            elif _NO_PLAY.fullmatch(words.split()[0]):
                self._do(words)
            else:
                self._try(Choice.PLAY, words)

    def _do(self, words: str) -> None:
        """An undo, a resignation, or one of the choices by its name."""
        first, _, rest = words.partition(" ")
        if words in ("u", "undo"):
            undone = self._undo()
            self.tell("Taken back." if undone else "There is nothing to take back.")
            self._shown = None if undone else self._shown
        elif first == "resign":
            self._resign(rest)
        elif words in _WORDS:
            self._try(_WORDS[words])
        else:
            self.tell(f"{words!r} means nothing here; say help.")

    def _undo(self) -> bool:
        """Back to the last decision that was one: what was forced would be made again at once."""
        live, undone = self.live, False
        while live.undo(PERSON):
            undone = True
            if live.choices == (Choice.ROLL, Choice.RESIGN):
                live.act(Choice.ROLL)
            if Choice.PLAY not in live.choices or len(live.plays) > 1:
                break
        return undone

    def _resign(self, size: str) -> None:
        """A resignation has its size, and is meant."""
        if Choice.RESIGN not in self.live.choices:
            self._try(Choice.RESIGN)
            return
        size = size or self.ask("Resign a single game (1), a gammon (2) or a backgammon (3)? ").strip().lower()
        if size not in _SIZES:
            asked = f"Resign 1, 2 or 3 (a game, a gammon, a backgammon), not {size!r}."
            self.tell(asked if size else "You play on.")
            return
        points = self.live.state.match.points(_SIZES[size])
        price = f"{points} point{'s' if points != 1 else ''}"
        if self._agrees(f"Give up {_SIZE_NAMES[_SIZES[size]]} for {price}? (yes or no) "):
            self.live.act(Choice.RESIGN, size=_SIZES[size])
        else:
            self.tell("You play on.")

    def _agrees(self, question: str) -> bool:
        return self.ask(question).strip().lower() in _YES

    def _try(self, choice: Choice, play: str | None = None) -> None:
        """What is not possible is told, and asked once more; so is what the tutor thinks an error."""
        try:
            objection = None if self.tutor is None else self.tutor.objects(self.live, choice, play)
            if objection is None or self._insists(objection):
                self.live.act(choice, play)
        except KibitzError as error:
            self.tell(str(error))

    def _insists(self, objection: ReviewedDecision) -> bool:
        """Whether the person wants it all the same; what is better is told by a hint, if asked for."""
        said = f"{objection.chosen_name} would lose {objection.lost:.3f} {objection.mark.symbol}"
        while True:
            answer = self.ask(f"Tutor: {said}. Do it all the same? (yes, no or hint) ").strip().lower()
            if answer not in ("h", "hint"):
                return answer in _YES
            self.tell(answer_text(objection.decision, top=5))

    def _command(self, prompt: str, state: State) -> str:
        """What the person says, but for what may be said at any time."""
        while True:
            words = " ".join(self.ask(prompt).strip().lower().split())
            if words in ("q", "quit", "exit"):
                raise Quit
            if words in ("?", "help"):
                self.tell(HELP)
            elif words in ("b", "board"):
                self._show(state)
            elif words in ("h", "hint"):
                self.tell(answer_text(self.player.engine.answer(state, plies=HINT_PLIES), top=5))
            else:
                return words

    # --- the engine -------------------------------------------------------------------------------------------------

    def _engine(self) -> None:
        """One decision of the engine, in words."""
        live, name = self.live, self._name(ENGINE)
        state = live.state
        choice = live.engine_turn(self.player)
        if choice is Choice.ROLL:
            self.tell(f"{name} rolls {live.state.dice}.")
        elif choice is Choice.PLAY:
            done = live.game.actions[-1]
            moved = str(done).partition(": ")[2]
            self.tell(f"{name} cannot move." if not getattr(done, "moves", ()) else f"{name} plays {moved}.")
        elif choice is Choice.TAKE and state.offer is not Offer.DOUBLE:
            self.tell(f"{name} accepts.")
        elif choice is not Choice.DOUBLE:  # a double is told when the person is asked about it
            self.tell(f"{name} {_SAYS[choice]}.")

    # --- words ------------------------------------------------------------------------------------------------------

    def _show(self, state: State) -> None:
        """The board from the person's side, whoever has to decide."""
        decides = state.turn if state.offer is Offer.NONE else 1 - state.turn
        self.tell(draw_state(state, flip=decides == ENGINE, theme=self.theme))

    def _tell_game(self) -> None:
        live = self.live
        crawford = ", the Crawford game" if live.game.crawford else ""
        self.tell(f"\nGame {len(live.match.games)}{crawford}")
        if not live.opening or live.result is not None:
            return
        for number, (mine, _) in enumerate(live.opening[:-1], start=1):
            if number <= live.automatic_doubles:
                self.tell(f"Both roll {mine}: the cube is turned to {2**number}.")
        mine, theirs = live.opening[-1]
        self.tell(f"You roll {mine}, {self._name(ENGINE)} rolls {theirs}.")

    def _tell_review(self) -> None:
        """How both have played, and where the match is."""
        live, engine = self.live, self.player.engine
        if isinstance(engine, Engine):
            found = review(live.match, settings=ReviewSettings(), engine=engine)
            for player in (PERSON, ENGINE):
                one = found.statistics(player)
                pr = "no decision" if one.pr is None else f"PR {one.pr:.2f} ({one.pr_rating})"
                faults = f"{one.errors} errors, {one.blunders} blunders"
                self.tell(f"{self._name(player)}: {pr}, {faults}, luck {one.luck.emg:+.3f}")
        if live.path is not None:
            self.tell(f"The match is in {live.path}.\nReview it: kibitz analyze {live.path} -o review.html")

    def _tell_score(self) -> None:
        game = self.live.game
        assert game.result is not None
        winner, points = game.result.winner, game.result.points
        you, them = add_result(game.score, game.result)
        verb = "win" if winner == PERSON else "wins"
        self.tell(
            f"{self._name(winner)} {verb} {points} point{'s' if points != 1 else ''}. "
            f"Score: {self._name(PERSON)} {you}, {self._name(ENGINE)} {them}."
        )

    def _name(self, player: int) -> str:
        return self.live.match.players[player]


_SAYS = {
    Choice.TAKE: "takes",
    Choice.PASS: "passes",
    Choice.BEAVER: "beavers",
    Choice.RACCOON: "raccoons",
    Choice.ACCEPT: "accepts the resignation",
    Choice.REFUSE: "does not accept that",
}
