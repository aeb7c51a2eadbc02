"""gnubg's text export: every move with its board, ids, and the analysis of the play and the cube.

"O" is player 0, "X" is player 1. The drawn boards and the statistics are passed over: the ids say the same exactly, and
statistics follow from the analyses.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kibitz.decision import AnalysisLevel, Evaluation
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.analyses import CubeRow, PlayRow
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.limits import decode_text, lines_of
from kibitz.formats.plays import legal_play
from kibitz.notation.parse import parse
from kibitz.position import Position
from kibitz.record import Match
from kibitz.state import State

NAME = "gnubg-text"

_DECIMAL, _CHANCE = r"\d{1,6}\.\d{1,12}", r"-?\d\.\d{1,12}"
_SCORE = re.compile(r"^The score \(after (\d{1,6}) games?\) is: (.*)$")
_MOVE = re.compile(r"^Move number (\d{1,6}):\s+(.*)$")
_POSITION_ID = re.compile(r"Position ID:\s*(\S{14})\s*$")
_MATCH_ID = re.compile(r"Match ID\s*:\s*(\S{12})\s*$")
_ACTION = re.compile(r"^\* (.*)$")
_RESULT = re.compile(r"^(.*) wins (\d{1,6}) points?\s*$")
_CANDIDATE = re.compile(
    r"^(\*?)\s+(\d{1,6})\.\s+(?:(Cubeful|Cubeless)\s+(\d{1,6})-ply|(Rollout))\s+(\S.*?)\s+(?:Eq\.|MWC):\s*"
    rf"([-+]?{_DECIMAL}%?)(?:\s+\(\s*[-+]?{_DECIMAL}%?\))?\s*$"
)
_CHANCES = re.compile(rf"^\s+({_CHANCE}) ({_CHANCE}) ({_CHANCE}) - ({_CHANCE}) ({_CHANCE}) ({_CHANCE})")
_CUBE_HEAD = re.compile(rf"^(?:(\d{{1,6}})-ply|Rollout)\s+cubeless equity\s*([-+]{_DECIMAL})")
_CUBE_ROW = re.compile(
    rf"^\d\.\s+(No (?:re)?double|(?:Red|D)ouble, (?:take|pass|beaver))\s+([-+]{_DECIMAL})\b", re.IGNORECASE
)
_ROLLED = re.compile(rf"^Rolled (\d)(\d)(?: \(([-+]?{_DECIMAL})\))?:?")
_INFO = re.compile(r"^(Date|Event|Round|Place|Annotator|Comments|.* rating):\s*(.*)$", re.IGNORECASE)
_MARK = re.compile(r"^ \[((?:very )?(?:bad|good|lucky|unlucky)|doubtful|interesting)\]\s*$")
_ALERT = re.compile(r"^Alert: (doubtful|bad|very bad) move")
_LUCK = re.compile(r"^(Very )?(lucky|unlucky) roll|^Joker", re.IGNORECASE)
_PASSED_OVER = re.compile(
    r"^\s*$|^\s*[+|]|^[v^][|]|^\s*GNU Backgammon|^Pip counts|^Match Information|^Cube analysis|^Cubeful equities"
    r"|^Proper cube action|^Output generated| by GNU Backgammon|^Alert:|^\*?\s+Cannot move|^Cubeless equity|^\s+[\[0-9]"
)


def looks_like(text: str) -> bool:
    """Whether text is gnubg's export."""
    return _MATCH_ID.search(text.partition("Move number")[2][:2000].partition("\n +")[0]) is not None


def read(data: bytes, file: str = "") -> Match:
    """Read gnubg's text export of a game or a match."""
    text = decode_text(data)
    if not looks_like(text):
        raise FormatError("gnubg's text export has moves under 'Move number N:' with Position ID and Match ID")
    return _Reader(file).read(text)


class _Reader:
    def __init__(self, file: str) -> None:
        self.builder = MatchBuilder(NAME, file)
        self.game: GameBuilder | None = None
        self.names = ["", ""]
        self.fresh = True  # whether the next move begins a game
        self.statistics = False
        self.block: list[tuple[int, str]] = []

    def read(self, text: str) -> Match:
        """All lines: moves are collected and read when the next one begins."""
        for number, line in enumerate(lines_of(text), start=1):
            if _SCORE.match(line):
                self.end_block()
                self.fresh, self.statistics = True, False
                self.score(line)
            elif _MOVE.match(line):
                self.end_block()
                self.statistics = False
                self.block = [(number, line)]
            elif found := _RESULT.match(line):
                self.end_block()
                self.result(found[1], int(found[2]), number)
                self.statistics = True
            elif line.startswith(("Game statistics", "Match statistics", "Session statistics")):
                self.end_block()
                self.statistics = True
            elif self.block:
                self.block.append((number, line))
            elif not self.statistics:
                self.info(line, number)
        self.end_block()
        return self.builder.build()

    def score(self, line: str) -> None:
        """The names, in the order of the players."""
        found = re.match(r"^The score \(after \d+ games?\) is: (.+?) (-?\d{1,6}), (.+?) (-?\d{1,6}) \(", line)
        if found:
            self.names = [found[1], found[3]]

    def info(self, line: str, number: int) -> None:
        """Date, event and so on."""
        found = _INFO.match(line)
        if found is None:
            if not _PASSED_OVER.match(line):
                self.builder.warn(f"not understood: {line.strip()[:60]!r}", number)
            return
        key, value, builder = found[1].lower(), found[2].strip(), self.builder
        if key == "date":
            day = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", value)
            builder.date = f"{day[3]}-{int(day[2]):02}-{int(day[1]):02}" if day else value
        elif key in ("event", "round", "place", "annotator"):
            setattr(builder, key, value)
        elif pair := re.fullmatch(r'\[(\S.*?) "(.*)"\]', value):
            builder.info.append((pair[1], pair[2]))  # a header of the .mat file that gnubg had read
        elif value:
            builder.comments.append(value)

    # --- one move ---------------------------------------------------------------------------------------------------

    def end_block(self) -> None:
        """The lines of a move are complete."""
        block, self.block = self.block, []
        if not block:
            return
        try:
            self.move(block)
        except KibitzError as error:
            self.builder.warn(str(error), block[0][0])

    def move(self, block: list[tuple[int, str]]) -> None:
        """What a player did, with all that stands below it."""
        number, head = block[0]
        ids = [
            found[1] for pattern in (_POSITION_ID, _MATCH_ID) for _, line in block if (found := pattern.search(line))
        ]
        if len(ids) != 2:
            raise FormatError("a move without Position ID and Match ID; left out")
        state = parse(":".join(ids))
        game = self.game_at(state, block, number)
        details = _Details(block, state)
        for line_number, line in details.strange:
            self.builder.warn(f"not understood: {line.strip()[:60]!r}", line_number)
        notes: dict[str, Any] = {"marks": tuple(details.marks)}
        action = details.action
        player, opponent = state.turn, 1 - state.turn
        if " doubles to " in head:
            cube = None if details.cube is None else details.cube.swapped()
            if action.endswith((" accepts", " takes")):
                game.take(opponent, number, cube=cube, **notes)
            elif action.endswith((" rejects", " passes", " drops")):
                game.drop(opponent, number, cube=cube, **notes)
            elif action.endswith((" beavers", " redoubles")):
                game.beaver(opponent, number, cube=cube, **notes)
            elif action:
                self.builder.warn(f"not understood: {action[:60]!r}", number)
        elif state.dice is not None:
            self.roll(game, state, details, notes, number)
        elif action.endswith(" doubles"):
            game.double(player, number, cube=details.cube, **notes)
        elif action:
            self.builder.warn(f"not understood: {action[:60]!r}", number)
        self.fresh = False

    def roll(self, game: GameBuilder, state: State, details: _Details, notes: dict[str, Any], number: int) -> None:
        assert state.dice is not None
        player, action = state.turn, details.action
        found = re.match(r".* moves (\S.*)$", action)
        plays = details.plays(state.position, state.dice)
        if details.lost:
            self.builder.warn(
                f"not legal with {state.dice}, left out of the analysis: {', '.join(details.lost)}", number
            )
        rest: dict[str, Any] = {
            "cube": details.cube,
            "plays": plays,
            "luck": details.luck,
            "line": number,
        } | notes
        if found:
            game.roll(player, state.dice, text=found[1], **rest)
        elif action.endswith(" cannot move"):
            game.roll(player, state.dice, steps=[], **rest)
        else:
            game.roll(player, state.dice, played=False, **rest)

    def game_at(self, state: State, block: list[tuple[int, str]], line: int) -> GameBuilder:
        """The running game, or a new one; its board made to agree with the ids."""
        match = state.match
        if self.fresh or self.game is None:
            if not self.builder.games:
                self.start_match(state, block)
            score = (match.my_score, match.their_score)
            self.game = self.builder.start_game(
                score if state.turn == 0 else score[::-1], crawford=match.crawford, line=line
            )
        game = self.game
        replay = game.replay
        if not game.damaged and (replay.position(state.turn), replay.cube(state.turn)) != (state.position, match.cube):
            if game.actions:
                self.builder.warn("the ids do not follow from the move before; the board is set anew", line)
            game.setup(state.turn, state.position, match.cube.value, match.cube.owner, line)
        return game

    def start_match(self, state: State, block: list[tuple[int, str]]) -> None:
        """Length and rules from the first Match ID, names from the score line or the board."""
        names = self.names
        for _, line in block:
            if found := re.search(r"\+\s+([OX]): (.*?)(?: \(Cube: \d{1,6}\))?$", line):
                index = "OX".index(found[1])
                names[index] = names[index] or found[2]
        self.builder.players = (names[0] or "O", names[1] or "X")
        self.builder.length = state.match.length
        self.builder.rules = replace(self.builder.rules, jacoby=state.match.is_money and state.match.jacoby)

    def result(self, name: str, points: int, line: int) -> None:
        """'NAME wins N points'."""
        if self.game is None or name not in self.builder.players:
            self.builder.warn(f"{name!r} wins, but does not play", line)
            return
        winner = self.builder.players.index(name)
        over = self.game.replay.borne_off
        if self.builder.players[0] == self.builder.players[1] and over is not None:
            winner = over
        self.game.finish(winner, points, line=line)


class _Details:
    """What stands below a move: the action, marks, the cube decision and the candidates."""

    def __init__(self, block: list[tuple[int, str]], state: State) -> None:
        self.action = ""
        self.marks: list[str] = []
        self.luck: float | None = None
        self.strange: list[tuple[int, str]] = []
        self.rows: dict[str, float] = {}
        self.level: AnalysisLevel | None = None
        self.cubeless: float | None = None
        self.chances: Evaluation | None = None
        self.lost: list[str] = []  # candidates that are no legal plays
        self.candidates: list[tuple[str, bool, AnalysisLevel, str]] = []
        self.candidate_chances: dict[int, Evaluation] = {}
        self.cube_marks = state.dice is None
        for number, line in block[1:]:
            known = self.line(line) or _PASSED_OVER.match(line) or _POSITION_ID.search(line) or _MATCH_ID.search(line)
            if not known:
                self.strange.append((number, line))

    def line(self, line: str) -> bool:
        """One line; False if it says nothing that is known."""
        if found := _CANDIDATE.match(line):
            level = AnalysisLevel("gnubg", "rollout") if found[5] else AnalysisLevel(
                "gnubg", f"{found[4]}-ply", int(found[4]), found[3] == "Cubeful"
            )  # fmt: skip
            self.candidates.append((found[6], found[1] == "*", level, found[7]))
        elif found := _CHANCES.match(line):
            win, gammon, backgammon, _, lose_gammon, lose_backgammon = map(float, found.groups())
            chances = Evaluation(win, gammon, backgammon, lose_gammon, lose_backgammon)
            if self.candidates:
                self.candidate_chances.setdefault(len(self.candidates) - 1, chances)
            else:
                self.chances = chances
        elif found := _CUBE_HEAD.match(line):
            plies = int(found[1]) if found[1] else None
            self.level = AnalysisLevel("gnubg", f"{plies}-ply" if plies is not None else "rollout", plies)
            self.cubeless = float(found[2])
        elif found := _CUBE_ROW.match(line):
            label = found[1].lower()
            kind = "no_double" if label.startswith("no") else "double_pass" if "pass" in label else "double_take"
            self.rows[kind] = float(found[2])
        elif found := _ROLLED.match(line):
            self.luck = float(found[3]) if found[3] else None
        elif found := _ALERT.match(line):
            self.marks.append(found[1])
        elif found := _MARK.match(line):
            # Below the alert of a cube decision; a move's own mark is in its alert.
            self.marks.append(found[1] if self.cube_marks else f"cube {found[1]}")
        elif _LUCK.match(line):
            self.marks.append(line.strip().lower())
        elif found := _ACTION.match(line):
            if not self.action and "Cannot move" not in line:
                self.action = found[1].strip()
        else:
            return False
        return True

    @property
    def cube(self) -> CubeRow | None:
        """The cube decision as this player sees it."""
        if self.level is None or len(self.rows) < 2:
            return None
        hold, take, drop = (self.rows.get(name) for name in ("no_double", "double_take", "double_pass"))
        return CubeRow(self.level, (hold, take, drop), evaluation=self.chances, cubeless=self.cubeless)

    def plays(self, position: Position, dice: Dice) -> list[PlayRow]:
        """The candidates, as far as they are plays. A number in percent is a match winning chance."""
        found: list[PlayRow] = []
        for index, (text, is_played, level, number) in enumerate(self.candidates):
            play = legal_play(position, dice, text=text)
            if play is None:
                self.lost.append(text)
                continue
            equity, mwc = (None, float(number[:-1]) / 100) if number.endswith("%") else (float(number), None)
            found.append(PlayRow(play, level, equity, mwc, self.candidate_chances.get(index), is_played=is_played))
        return found
