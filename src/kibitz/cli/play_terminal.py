"""A match between a person at the terminal and a player: prompts and words around `LiveMatch`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kibitz.errors import KibitzError
from kibitz.play.live_match import Choice, LiveMatch
from kibitz.play.players import EnginePlayer
from kibitz.record import add_result
from kibitz.report.decisions import answer_text
from kibitz.report.terminal import draw_state
from kibitz.state import Offer, State

PERSON, ENGINE = 0, 1
HINT_PLIES = 2
HELP = """  Enter, roll     roll the dice            double          offer the cube
  8/5 6/5         make a play              take, pass      answer a double
  hint            what the engine thinks   beaver          take and turn the cube again
  board           show the board           resign 1|2|3    give up a game, gammon, backgammon
  undo            take the last back       quit            stop; the match is saved"""
_WORDS = {
    "r": Choice.ROLL,
    "d": Choice.DOUBLE,
    "t": Choice.TAKE,
    "yes": Choice.TAKE,
    "p": Choice.PASS,
    "drop": Choice.PASS,
    "no": Choice.PASS,
} | {choice.value: choice for choice in Choice}
_SIZES = {"": 1, "1": 1, "2": 2, "3": 3, "gammon": 2, "backgammon": 3}


class Quit(Exception):  # noqa: N818 - not an error
    """The person has had enough."""


@dataclass
class TerminalMatch:
    """The match of a person against the engine. `ask` prompts the person and returns the answer; `tell` prints."""

    live: LiveMatch
    player: EnginePlayer
    ask: Callable[[str], str]
    tell: Callable[[str], None]
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
        except (Quit, EOFError):
            self.tell("The match is not finished." + (f" It is saved in {live.path}." if live.path else ""))
            return
        winner = live.match.winner
        if winner is not None:
            self.tell(f"{self._name(winner)} {'win' if winner == PERSON else 'wins'} the match.")

    # --- the person -------------------------------------------------------------------------------------------------

    def _person(self) -> None:
        """One decision of the person. A roll or a play without a choice is made for him."""
        live, state = self.live, self.live.state
        choices = live.choices
        if choices == (Choice.ROLL, Choice.RESIGN):
            self.tell("You roll.")
            live.act(Choice.ROLL)
            return
        if self._shown != state:
            self._shown = state
            self._show(state)
            if state.offer is Offer.DOUBLE:
                self.tell(f"{self._name(ENGINE)} doubles to {2 * state.match.cube.value}.")
        if Choice.PLAY in choices:
            self._person_plays(state)
        else:
            words = self._command("Roll or double? " if Choice.ROLL in choices else "Take or pass? ", state)
            self._do(words or "roll")

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
            elif words.split()[0] in ("u", "undo", "resign"):
                self._do(words)
            else:
                self._try(lambda: live.act(Choice.PLAY, words))

    def _do(self, words: str) -> None:
        """An undo, a resignation, or one of the choices by its name."""
        first, _, rest = words.partition(" ")
        if words in ("u", "undo"):
            undone = self.live.undo(PERSON)
            self.tell("Taken back." if undone else "There is nothing to take back.")
            self._shown = None if undone else self._shown
        elif first == "resign":
            if rest not in _SIZES:
                self.tell(f"Resign 1, 2 or 3 (a game, a gammon, a backgammon), not {rest}.")
                return
            self._try(lambda: self.live.act(Choice.RESIGN, size=_SIZES[rest]))
        elif words in _WORDS:
            self._try(lambda: self.live.act(_WORDS[words]))
        else:
            self.tell(f"{words!r} means nothing here; say help.")

    def _try(self, action: Callable[[], None]) -> None:
        """What is not possible is told, and asked once more."""
        try:
            action()
        except KibitzError as error:
            self.tell(str(error))

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
        """The board from the person's side, whoever's state it is."""
        self.tell(draw_state(state, flip=state.turn == ENGINE))

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
