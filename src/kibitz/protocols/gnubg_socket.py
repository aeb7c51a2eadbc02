"""gnubg's external interface, with Kibitz at the other end.

gnubg can play against Kibitz (`set player 0 external 127.0.0.1:PORT`): it connects and sends `board:` lines, each
ended by LF and NUL. The same lines come from programs that ask gnubg's own server; they and `evaluation` lines are
answered as gnubg answers them. A line is always seen by player 1, whose counts are positive: turn 1 or -1 says who is
on roll or who has doubled, scores come as (player 0, player 1), exchanged when there is a double to answer.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kibitz import __version__
from kibitz.cube import Cube, Owner
from kibitz.decision import Question, question_of
from kibitz.dice import Dice
from kibitz.errors import KibitzError, NotationError
from kibitz.match import MatchState, is_crawford_game
from kibitz.position import Position, Variant
from kibitz.protocols.answers import Answerer, one_line, steps
from kibitz.state import Offer, State

_UNLIMITED = 9999
_LONGEST_MATCH = 64
_FIELDS = 53
_NUMBER = re.compile(r"-?[0-9]{1,5}")
_EVALUATION = re.compile(r"evaluation\s+(?:fibsboard\s+)?(board:\S+)(.*)", re.IGNORECASE)
_BOARD = re.compile(r"(?:fibsboard\s+)?(board:\S+).*", re.IGNORECASE)


def read_board(line: str, *, jacoby: bool = True, variant: Variant = Variant.BACKGAMMON) -> State:
    """What a board line asks: a play if there are dice, take or drop if there is a double, else double or roll.

    Short or overlong lines are refused.
    """
    fields = line.strip().split(":")
    if len(fields) != _FIELDS or fields[0].lower() != "board":
        raise NotationError(f"expected board: and {_FIELDS - 1} fields, not {len(fields) - 1}")
    strange = next((field for field in fields[3:] if not _NUMBER.fullmatch(field)), None)
    if strange is not None:
        raise NotationError(f"expected numbers after the names, not {strange[:20]!r}")
    numbers = [int(field) for field in fields[3:]]
    length, *scores = numbers[:3]
    places, turn, dice = numbers[3:29], numbers[29], numbers[30:34]
    cube, may_one, may_nought, doubled = numbers[34:38]
    length = 0 if length == _UNLIMITED else length
    if turn not in (1, -1):
        raise NotationError(f"the turn is 1 or -1, not {turn}")
    if not 0 <= length <= _LONGEST_MATCH:
        raise NotationError(f"a match has up to {_LONGEST_MATCH} points, not {length}")
    if doubled not in (0, 1) or max(map(abs, places)) > 15:
        raise NotationError("the board or the offer of the cube cannot be")
    rows = (
        [*(max(count, 0) for count in places[1:25]), max(places[25], 0)],
        [*(max(-count, 0) for count in places[24:0:-1]), max(-places[0], 0)],
    )
    one, nought = scores[::-1] if not doubled else scores
    own_turn = turn == 1
    position = Position(*rows) if own_turn else Position(*rows[::-1])
    if position.is_over:
        raise NotationError("the game is over")
    mine, theirs = (one, nought) if own_turn else (nought, one)
    owner = Owner.CENTRED
    if cube > 1 and doubled:
        owner = Owner.MINE
    elif cube > 1 and bool(may_one) != bool(may_nought):
        owner = Owner.MINE if bool(may_one) == own_turn else Owner.THEIRS
    may_be_crawford = numbers[49] == 0 and cube == 1 and not doubled
    match = MatchState(
        length=length,
        my_score=mine if length else 0,
        their_score=theirs if length else 0,
        cube=Cube(cube, owner),
        crawford=may_be_crawford and is_crawford_game(length, (mine, theirs), crawford_played=False),
        jacoby=jacoby,
        variant=variant,
        max_cube=max(1024, 2 * cube),  # gnubg knows no end of the cube
    )
    roll = next((Dice(*pair) for pair in (dice[:2], dice[2:]) if any(pair)), None)
    return State(position, match, None, Offer.DOUBLE) if doubled else State(position, match, roll)


class GnubgConversation:
    """One client. Every line gets one answer line; bad ones get `Error: …`."""

    def __init__(self, answerer: Answerer, *, jacoby: bool = True, variant: Variant = Variant.BACKGAMMON) -> None:
        self._answerer, self._jacoby, self._variant = answerer, jacoby, variant

    def answer(self, line: str) -> str | None:
        """The answer with its line end; None for `exit`."""
        words = line.split()
        if not words:
            return ""
        try:
            if found := _EVALUATION.fullmatch(line.strip()):
                return self._evaluate(found[1], found[2].split()) + "\n"
            if found := _BOARD.fullmatch(line.strip()):
                return self._decide(read_board(found[1], jacoby=self._jacoby, variant=self._variant)) + "\n"
            command = words[0].lower()
            if command in ("exit", "quit"):
                return None
            if command == "version":
                return f"Interface: 2\nRFBF: 0\nEngine: Kibitz\nSoftware: {__version__}\n"
            if command == "help":
                return "board:..., evaluation fibsboard board:... plies N cubeful|cubeless, version, exit\n"
            raise NotationError(f"there is no command {words[0][:40]!r}")
        except KibitzError as error:
            return f"Error: {one_line(error)}\n"

    def too_long(self) -> str | None:
        """The answer to a line that was too long."""
        return f"Error: a line has at most {self._answerer.limits.line_bytes} bytes\n"

    def too_many(self) -> str:
        """What a client hears for whom there is no place."""
        return f"Error: there are {self._answerer.limits.clients} clients already, which is the most; try again later\n"

    def _decide(self, state: State) -> str:
        player, asked = self._answerer.player, question_of(state)
        if asked is Question.TAKE:
            return "take" if player.takes(self._answerer.cube(state)) else "drop"
        if asked is Question.DOUBLE:
            return "double" if player.doubles(self._answerer.cube(state)) else "roll"
        chosen = player.choose(self._answerer.plays(state))
        return "" if chosen is None else steps(chosen.play.moves, bar="25", off="0")

    def _evaluate(self, board: str, words: list[str]) -> str:
        """Six numbers: the chances to win, win a gammon, a backgammon, lose one, and the equity; MWC in a match."""
        options = [word.lower() for word in words]
        jacoby = _switch(options, "jacobyrule", self._jacoby)
        state = read_board(board, jacoby=jacoby, variant=self._variant)
        plies = 0
        if "plies" in options:
            text = "".join(options[options.index("plies") + 1 :][:1])
            if not (text.isascii() and text.isdigit() and len(text) < 3):
                raise NotationError(f"expected a number of plies, not {text[:20]!r}")
            plies = int(text)
        cubeful = "cubeful" in options
        match = state.match if cubeful else replace(state.match, jacoby=False)
        found = self._answerer.cube(State(state.position, match), plies=plies)
        if found.mwc is not None:
            equity = found.mwc.no_double if cubeful or found.mwc.cubeless is None else found.mwc.cubeless
        else:
            equity = found.no_double if cubeful else found.evaluation.equity
        return " ".join(f"{value:.6f}" for value in (*found.evaluation, equity))


def _switch(options: list[str], name: str, otherwise: bool) -> bool:
    if name not in options:
        return otherwise
    value = "".join(options[options.index(name) + 1 :][:1])
    if value not in ("yes", "no", "on", "off"):
        raise NotationError(f"{name} is yes or no, not {value[:20]!r}")
    return value in ("yes", "on")
