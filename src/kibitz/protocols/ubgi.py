"""The Universal Backgammon Interface: Kibitz as an engine over lines of text.

Level 1 of the draft of 2026 (v0.1) with `position xgid`, the `set`, `get` and `keys` of v0.2, and the bare position
lines of the draft of 2025. A double that awaits its answer (`position xgid` with D) is answered `bestcube take` or
`bestcube drop`, which the drafts have no words for. Players are p0 and p1; a Position ID is seen by whoever `setturn`
says is on roll.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kibitz import __version__
from kibitz.cube import Cube, Owner
from kibitz.decision import CubeDecision, Evaluation, Question, question_of
from kibitz.dice import Dice
from kibitz.engine.engine import Cancellation
from kibitz.engine.levels import LEVELS
from kibitz.errors import KibitzError
from kibitz.match import MatchState, is_crawford_game
from kibitz.notation import in_game, parse
from kibitz.notation.position_id import parse_position_id
from kibitz.play.players import EnginePlayer
from kibitz.position import Position, Variant
from kibitz.protocols.answers import Answerer, one_line, program_name, steps
from kibitz.state import Offer, State

NO_LEVEL = "none"
"""The engine without noise, as deep as it was started."""
_LEVELS = (NO_LEVEL, *(name for name, level in LEVELS.items() if not level.steps))
"""Levels that are one search: a client says itself how long one may take."""

_OPTIONS = {
    "Plies": "type spin default {plies} min 0 max {most}",
    "Level": "type combo default {level} var " + " var ".join(_LEVELS),
    "Threads": "type spin default {threads} min 0 max 64",
    "Seed": "type spin default {seed} min 0 max 2147483647",
    "Deterministic": "type check default true",
    "EvalMode": "type combo default {evalmode} var cubeless var cubeful",
}
_KEYS = {  # v0.2's names of the same
    "engine.ply": "Plies",
    "engine.level": "Level",
    "engine.threads": "Threads",
    "engine.seed": "Seed",
    "engine.deterministic": "Deterministic",
    "engine.eval_mode": "EvalMode",
}
_WORDS = {
    "Level": _LEVELS,
    "Deterministic": ("true", "false"),
    "EvalMode": ("cubeless", "cubeful"),
}
"""Options that are one of some words."""
_OWNERS = {"center": None, "centre": None, "p0": 0, "p1": 1}
_ROLES = ("chequer", "cube", "turn")
_LONGEST_MATCH = 64
_HIGHEST_CUBE = 1024


class UbgiError(KibitzError):
    """A line that cannot be obeyed; `kind` is one of the protocol's codes."""

    code = "ubgi"

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class UbgiConversation:
    """One client. `answer` takes a line and gives the lines of the answer; it never raises."""

    def __init__(self, answerer: Answerer, variant: Variant = Variant.BACKGAMMON) -> None:
        player = answerer.player
        self._answerer, self._player, self._variant = answerer, player, variant
        self._values = {"Level": player.level.name if player.level.name in LEVELS else NO_LEVEL}
        self._values |= {"Plies": self._most_plies(player), "Threads": str(player.settings.threads)}
        self._values |= {"Seed": str(player.seed), "Deterministic": "true"}
        self._values |= {"EvalMode": "cubeful" if player.settings.cubeful else "cubeless"}
        self._defaults = dict(self._values)
        self._cancel_lock = threading.Lock()
        self._cancellation: Cancellation | None = None
        self.finished = False
        self._commands: dict[str, Callable[[list[str]], list[str]]] = {
            "ubgi": self._hello,
            "isready": lambda _: ["readyok"],
            "quit": self._quit,
            "stop": lambda _: [],
            "setoption": self._set_option,
            "set": self._set_key,
            "get": self._get_key,
            "keys": self._list_keys,
            "newgame": self._new_game,
            "newsession": self._new_session,
            "setscore": self._set_score,
            "setcube": self._set_cube,
            "setturn": self._set_turn,
            "position": self._set_position,
            "dice": self._set_dice,
            "go": self._go,
        }
        self._reset()

    def _reset(self) -> None:
        self._length, self._jacoby, self._crawford = 0, True, True
        self._scores = [0, 0]
        self._new_game([])

    def answer(self, line: str) -> list[str]:
        """The lines of the answer to a line."""
        words = line.split()
        if not words:
            return []
        try:
            command = self._commands.get(words[0])
            if command is not None:
                return command(words[1:])
            if words[0].lower().startswith(("board:", "xgid=")):
                return self._bare_position(line)
            raise UbgiError("unknown_command", f"there is no command {words[0][:40]!r}")
        except UbgiError as error:
            return [f"error {error.kind} {one_line(error)}"]
        except KibitzError as error:
            return [f"error bad_argument {one_line(error)}"]

    def cancel(self) -> None:
        """Stop a search that another thread is in."""
        with self._cancel_lock:
            if self._cancellation is not None:
                self._cancellation.cancel()

    # --- handshake and options ----------------------------------------------------------------------------------------

    def _hello(self, _: list[str]) -> list[str]:
        values = {name.lower(): value for name, value in self._defaults.items()} | {"most": self._answerer.limits.plies}
        options = [f"option name {name} {text.format(**values)}" for name, text in _OPTIONS.items()]
        name = program_name(self._player)
        return [f"id name {name} {__version__}", "id author the Kibitz project", *options, "ubgiok"]

    def _quit(self, _: list[str]) -> list[str]:
        self.finished = True
        return []

    def _set_option(self, words: list[str]) -> list[str]:
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise UbgiError("bad_argument", "expected setoption name NAME value VALUE")
        return self._set_value(words[1], words[3])

    def _set_value(self, name: str, value: str) -> list[str]:
        if name in ("Plies", "Threads", "Seed"):
            most = {"Plies": self._answerer.limits.plies, "Threads": 64, "Seed": 2**31 - 1}[name]
            value = str(_number(value, f"the option {name}", 0, most))
        elif name in _WORDS:
            if value not in _WORDS[name]:
                raise UbgiError("bad_argument", f"{name} is {' or '.join(_WORDS[name])}, not {value[:20]!r}")
        else:
            raise UbgiError("unsupported_feature", f"there is no option {name[:40]!r}")
        self._values[name] = value
        if name in ("Level", "Seed"):
            level = None if self._values["Level"] == NO_LEVEL else self._values["Level"]
            player = self._player
            self._player = EnginePlayer(player.engine, level, seed=int(self._values["Seed"]), ranker=player.ranker)
        if name == "Level":
            self._values["Plies"] = self._most_plies(self._player)
        return []

    def _most_plies(self, player: EnginePlayer) -> str:
        """How deep a player looks, within the limits."""
        return str(min(player.settings.plies, self._answerer.limits.plies))

    def _set_key(self, words: list[str]) -> list[str]:
        if len(words) != 2:
            raise UbgiError("bad_argument", "expected set KEY VALUE")
        key, value = words
        if key == "game.variant":
            if value not in list(Variant):
                raise UbgiError("unsupported_feature", f"the variants are {', '.join(Variant)}, not {value[:20]!r}")
            self._variant = Variant(value)
            return self._new_game([])
        if key not in _KEYS:
            raise UbgiError("unsupported_feature", f"there is no key {key[:40]!r}")
        if key == "engine.ply":  # there the first look counts as one ply
            value = str(_number(value, key, 1, self._answerer.limits.plies + 1) - 1)
        return self._set_value(_KEYS[key], value)

    def _get_key(self, words: list[str]) -> list[str]:
        if words == ["game.variant"]:
            return [f"value game.variant {self._variant.value}"]
        if len(words) != 1 or words[0] not in _KEYS:
            raise UbgiError("unsupported_feature", f"there is no key {' '.join(words)[:40]!r}")
        return [f"value {words[0]} {self._key_value(words[0])}"]

    def _key_value(self, key: str) -> str:
        value = self._values[_KEYS[key]]
        return str(int(value) + 1) if key == "engine.ply" else value

    def _list_keys(self, _: list[str]) -> list[str]:
        return [
            f"key game.variant enum {'|'.join(Variant)} {self._variant.value}",
            f"key engine.ply int 1..{self._answerer.limits.plies + 1} {self._key_value('engine.ply')}",
            f"key engine.level enum {'|'.join(_WORDS['Level'])} {self._values['Level']}",
            f"key engine.threads int 0..64 {self._values['Threads']} ! cores, 0 for all",
            f"key engine.seed int 0..2147483647 {self._values['Seed']} ! of the noise of a level",
            f"key engine.deterministic bool {self._values['Deterministic']} !",
            f"key engine.eval_mode enum cubeless|cubeful {self._values['EvalMode']}",
        ]

    # --- context ------------------------------------------------------------------------------------------------------

    def _new_game(self, _: list[str]) -> list[str]:
        self._cube, self._max_cube, self._turn = 1, _HIGHEST_CUBE, 0
        self._owner: int | None = None
        self._position: Position | None = None
        self._dice: Dice | None = None
        self._offer = Offer.NONE
        return []

    def _new_session(self, words: list[str]) -> list[str]:
        if len(words) % 2:
            raise UbgiError("bad_argument", "expected newsession type money|match [length N] [jacoby on|off] …")
        given = dict(zip(words[::2], words[1::2], strict=True))
        unknown = set(given) - {"type", "length", "jacoby", "crawford"}
        kind = given.get("type")
        if unknown or kind not in ("money", "match"):
            raise UbgiError("bad_argument", f"a session has a type, money or match, not {' '.join(words)[:60]!r}")
        length = _number(given.get("length", "0"), "the length", 0, _LONGEST_MATCH)
        if (kind == "match") != (length > 0):
            raise UbgiError("bad_argument", f"a match has a length of 1 to {_LONGEST_MATCH}, and a money session none")
        jacoby, crawford = (_switch(given.get(name, "on"), name) for name in ("jacoby", "crawford"))
        self._reset()
        self._length, self._jacoby, self._crawford = length, jacoby, crawford
        return []

    def _set_score(self, words: list[str]) -> list[str]:
        if len(words) != 2:
            raise UbgiError("bad_argument", "expected setscore P0 P1")
        most = self._length - 1 if self._length else 99999
        self._scores = [_number(word, "a score", 0, most) for word in words]
        return []

    def _set_cube(self, words: list[str]) -> list[str]:
        if len(words) != 4 or words[0] != "value" or words[2] != "owner" or words[3] not in _OWNERS:
            raise UbgiError("bad_argument", "expected setcube value N owner center|p0|p1")
        value = _number(words[1], "the cube", 1, _HIGHEST_CUBE)
        Cube(value)
        self._cube, self._owner = value, _OWNERS[words[3]]
        self._offer = Offer.NONE
        return []

    def _set_turn(self, words: list[str]) -> list[str]:
        if len(words) != 1 or words[0] not in ("p0", "p1"):
            raise UbgiError("bad_argument", "expected setturn p0 or setturn p1")
        self._turn = int(words[0][1])
        return []

    def _set_position(self, words: list[str]) -> list[str]:
        if len(words) != 2 or words[0] not in ("gnubgid", "xgid"):
            raise UbgiError("bad_argument", "expected position gnubgid ID or position xgid XGID")
        if words[0] == "xgid":
            text = words[1] if words[1].upper().startswith("XGID=") else f"XGID={words[1]}"
            self._adopt(parse(text))
        elif ":" in words[1]:
            self._adopt(parse(words[1]))
        else:
            position = parse_position_id(words[1])
            if position.is_over:
                raise UbgiError("bad_argument", "the game is over in this position")
            self._position, self._dice, self._offer = position, None, Offer.NONE
        return []

    def _adopt(self, state: State) -> None:
        """Take over all that a notation tells. Player 1 of the source, XGID's bottom player, is p0."""
        if state.position.is_over:
            raise UbgiError("bad_argument", "the game is over in this position")
        match = state.match
        if match.length > _LONGEST_MATCH:
            raise UbgiError("unsupported_feature", f"matches have up to {_LONGEST_MATCH} points, not {match.length}")
        if state.offer not in (Offer.NONE, Offer.DOUBLE):
            raise UbgiError("unsupported_feature", f"a {state.offer.value} cannot be answered")
        self._turn = 1 - state.turn
        self._position, self._dice, self._offer = state.position, state.dice, state.offer
        self._length, self._crawford = match.length, match.crawford
        self._jacoby = match.jacoby if match.is_money else self._jacoby
        scores = [match.my_score, match.their_score]
        self._scores = scores if self._turn == 0 else scores[::-1]
        self._cube, self._max_cube = match.cube.value, match.max_cube
        whose = {Owner.CENTRED: None, Owner.MINE: self._turn, Owner.THEIRS: 1 - self._turn}
        self._owner = whose[match.cube.owner]

    def _set_dice(self, words: list[str]) -> list[str]:
        if len(words) != 2:
            raise UbgiError("bad_argument", "expected dice D1 D2")
        first, second = (_number(word, "a die", 1, 6) for word in words)
        self._dice = Dice(first, second)
        return []

    def _match(self) -> MatchState:
        """Score, cube and rules, seen by the player on roll."""
        mine, theirs = self._scores[self._turn], self._scores[1 - self._turn]
        owner = Owner.CENTRED if self._owner is None else Owner.MINE if self._owner == self._turn else Owner.THEIRS
        crawford = is_crawford_game(self._length, (mine, theirs), crawford_played=not self._crawford)
        return MatchState(
            length=self._length,
            my_score=mine if self._length else 0,
            their_score=theirs if self._length else 0,
            cube=Cube(self._cube, owner),
            crawford=crawford and self._cube == 1,
            jacoby=self._jacoby,
            max_cube=max(self._max_cube, self._cube),
            variant=self._variant,
        )

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> list[str]:
        role, limits = _read_go(words)
        if self._position is None:
            raise UbgiError("missing_context", "no position was set")
        if role in ("chequer", "turn") and self._dice is None and self._offer is Offer.NONE:
            if role == "chequer":
                raise UbgiError("missing_context", "no dice were set")
            role = "cube"
        cancellation = Cancellation()
        with self._cancel_lock:
            self._cancellation = cancellation
        try:
            return self._decide(role, self._position, limits, cancellation)
        finally:
            with self._cancel_lock:
                self._cancellation = None

    def _decide(self, role: str, position: Position, limits: dict[str, int], cancellation: Cancellation) -> list[str]:
        search = self._search(limits, cancellation)
        before = State(position, self._match(), offer=self._offer)
        if self._offer is Offer.DOUBLE or role != "chequer":
            cube = self._answerer.cube(before, **search)
            said = [_eval_line(cube.equity, cube.equity_mwc, cube.evaluation)]
            if role != "turn" or self._offer is Offer.DOUBLE:
                return [*said, f"bestcube {self._cube_word(cube)}"]
            if self._player.doubles(cube):
                return [*said, "bestturn cube=double"]
        plays = self._answerer.plays(replace(before, dice=self._dice), **search)
        best = self._player.choose(plays)
        result = position.swapped() if best is None else best.play.result
        move = "pass" if best is None else steps(best.play.moves)
        if role == "turn":
            return [*said, f"bestturn cube=nodouble moveid={result.id} move={move}"]
        about = [] if best is None else [_eval_line(best.equity, best.mwc, best.evaluation)]
        return [*about, f"bestmoveid {result.id}", f"bestmove {move}"]

    def _search(self, limits: dict[str, int], cancellation: Cancellation | None = None) -> dict[str, Any]:
        """What an answer may take, and how it is searched."""
        return {
            **self._player.search,
            "plies": limits.get("depth", int(self._values["Plies"])),
            "cubeful": self._values["EvalMode"] == "cubeful",
            "threads": int(self._values["Threads"]),
            "seconds": limits["movetime"] / 1000 if "movetime" in limits else None,
            "cancellation": cancellation,
        }

    def _cube_word(self, cube: CubeDecision) -> str:
        if cube.question is Question.TAKE:
            return "take" if self._player.takes(cube) else "drop"
        return "double" if self._player.doubles(cube) else "nodouble"

    def _bare_position(self, line: str) -> list[str]:
        """The draft of 2025: a line that is a position is a question, and the answer is one bare line."""
        state = in_game(parse(line), self._variant)
        if state.position.is_over or state.match.length > _LONGEST_MATCH:
            return ["sorry"]
        if state.offer not in (Offer.NONE, Offer.DOUBLE):
            return ["sorry"]
        search = self._search({})
        if question_of(state) is Question.PLAY:
            best = self._player.choose(self._answerer.plays(state, **search))
            return ["" if best is None else steps(best.play.moves)]
        word = self._cube_word(self._answerer.cube(state, **search))
        return ["roll" if word == "nodouble" else word]


def _read_go(words: list[str]) -> tuple[str, dict[str, int]]:
    """The role, and limits by name. `go`, `go chequer` and `go role chequer` are all good."""
    rest = words[1:] if words[:1] == ["role"] else words
    role = "chequer"
    if rest and rest[0] in _ROLES:
        role, rest = rest[0], rest[1:]
    elif words[:1] == ["role"]:
        raise UbgiError("bad_argument", f"a role is one of {', '.join(_ROLES)}")
    if len(rest) % 2:
        raise UbgiError("bad_argument", "expected go role ROLE [movetime MS] [depth N] [nodes N] [trials N]")
    limits = {}
    for name, value in zip(rest[::2], rest[1::2], strict=True):
        if name not in ("movetime", "depth", "nodes", "trials"):
            raise UbgiError("bad_argument", f"a search has no limit {name[:40]!r}")
        limits[name] = _number(value, name, 0, 10**9)
    return role, limits


def _number(text: str, what: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 10) or not least <= int(text) <= most:
        raise UbgiError("bad_argument", f"{what} is a number from {least} to {most}, not {text[:20]!r}")
    return int(text)


def _switch(text: str, what: str) -> bool:
    if text not in ("on", "off"):
        raise UbgiError("bad_argument", f"{what} is on or off, not {text[:20]!r}")
    return text == "on"


def _eval_line(equity: float, mwc: float | None, chances: Evaluation) -> str:
    match = "" if mwc is None else f" mwc {mwc:.6f}"
    gammons = f"pgammon {chances.win_gammon:.6f} pbg {chances.win_backgammon:.6f}"
    return f"eval eq {equity:.6f}{match} pwin {chances.win:.6f} {gammons}"


def unreadable(limit: int) -> str:
    """The answer to a line that is too long."""
    return f"error bad_argument a line has at most {limit} bytes"
