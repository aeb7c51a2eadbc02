"""OGXM v2, an exchange format for matches with analyses, read and written through its reference codec, `ogxm`.

The codec's JSON has White as colour 0, who moves from 24 to 1 on the points of the board, and Black as colour 1, who
moves from 1 to 24. Equities are kept to four digits. Cube equities of a match may be match winning chances: they are,
if a pass is not worth 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from importlib import import_module
from typing import Any

from kibitz.decision import AnalysisLevel, CubeDecision, Evaluation, RankedPlay
from kibitz.decision.level import KIBITZ
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.analyses import CubeRow, PlayRow, Three
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.plays import find_play
from kibitz.move import Move, Play
from kibitz.position import BAR, Position, Variant
from kibitz.record import Beaver, Double, Drop, Game, Match, Moment, Raccoon, Resign, Roll, Setup, Take

NAME = "ogxm"
MAGIC = b"OGXM"
DICE = [(low, high) for low in range(1, 7) for high in range(low, 7)]
"""Rolls in the order of their action numbers."""
DOUBLE, TAKE, DROP, RESIGN = 21, 22, 23, 27
SIZES = {"single": 1, "gammon": 2, "backgammon": 3}
"""What a resignation gives up, as the codec says it; it takes the numbers too."""
NO_WINNER = 255
VARIANTS = {
    "backgammon": Variant.BACKGAMMON,
    "nackgammon": Variant.NACKGAMMON,
    "hypergammon": Variant.HYPERGAMMON_3,
}


def looks_like(data: bytes) -> bool:
    """Whether bytes are an OGXM file."""
    return data.startswith(MAGIC)


def _codec() -> Any:
    try:
        return import_module("ogxm")
    except ImportError:
        raise FormatError('an .ogxm file needs the package ogxm: pip install "kibitz[exchange]"') from None


# --- reading ----------------------------------------------------------------------------------------------------------


def read(data: bytes, file: str = "") -> Match:
    """Read an OGXM file."""
    codec = _codec()
    try:
        content = codec.binary_to_json(data)
    except (codec.OgxmError, ValueError) as error:
        raise FormatError(f"an OGXM file that cannot be read: {error}") from None
    builder = MatchBuilder(NAME, file)
    builder.players = (content.get("player_white") or "White", content.get("player_black") or "Black")
    builder.length = int(content.get("match_length", 0))
    builder.variant = VARIANTS.get(content.get("variant", "backgammon"), Variant.BACKGAMMON)
    builder.event, builder.place = content.get("event") or "", content.get("site") or ""
    builder.round = str(content.get("round") or "")
    if stamp := content.get("timestamp"):
        builder.date = datetime.fromtimestamp(stamp, UTC).date().isoformat()
    if content.get("replay_complete") is False:
        builder.warn("the codec could not replay all of it")
    engine = _engine(content)
    for entry in content.get("games", []):
        _Reader(builder, entry, engine).read()
    return builder.build()


def _engine(content: Mapping[str, Any]) -> str:
    name = str((content.get("analysis_info") or {}).get("model_id") or "OGXM")
    return KIBITZ if name.startswith(f"{KIBITZ}/") else name


class _Reader:
    """One game of the codec's JSON."""

    def __init__(self, builder: MatchBuilder, entry: Mapping[str, Any], engine: str) -> None:
        self.entry = entry
        self.engine = engine
        self.game: GameBuilder = builder.start_game(crawford=bool(entry.get("is_crawford")))

    def read(self) -> None:
        """All plies, then the result."""
        for ply in self.entry.get("plies", []):
            self._ply(ply)
        winner = self.entry.get("winner", NO_WINNER)
        if winner in (0, 1) and self.entry.get("points_won"):
            self.game.finish(winner, int(self.entry["points_won"]))

    def _ply(self, ply: Mapping[str, Any]) -> None:
        player, action = int(ply["color"]), int(ply["action_id"])
        said = ply.get("analysis") or {}
        if action < len(DICE):
            self._roll(player, Dice.of(DICE[action]), ply, said)
        elif action == DOUBLE:
            self.game.double(player, cube=self._cube(said))
        elif action == TAKE:
            self.game.take(player)
        elif action == DROP:
            self.game.drop(player)
        elif action == RESIGN:
            # The codec gives a resignation to the one who wins by it, whoever it was written for.
            self.game.resign(1 - player, SIZES.get(str(ply.get("resign_value")), 1))
        elif action not in (24, 25, 26):  # game over, match over, final: the result says it
            self.game.match.warn(f"an action {action} that this reader does not know")

    def _roll(self, player: int, dice: Dice, ply: Mapping[str, Any], said: Mapping[str, Any]) -> None:
        position = self.game.replay.position(player)
        steps = [_own(player, step) for step in ply.get("moves", [])]
        rows = []
        for other in said.get("alternatives", []):
            if (row := self._play_row(player, position, dice, other)) is not None:
                rows.append(row)
        cube = self._cube(said.get("cube_decision") or said.get("missed_double") or {})
        self.game.roll(player, dice, steps=steps, plays=rows, cube=cube, luck=said.get("luck"))

    def _play_row(self, player: int, position: Position, dice: Dice, row: Mapping[str, Any]) -> PlayRow | None:
        try:
            play, _ = find_play(position, dice, steps=[_own(player, step) for step in row.get("move", [])])
        except KibitzError:
            return None
        if play is None:
            return None
        numbers = _evaluation(row.get("eval"))
        return PlayRow(play, self._level(row), row.get("equity"), None, numbers, None, bool(row.get("is_played")))

    def _cube(self, said: Mapping[str, Any]) -> CubeRow | None:
        if "no_double_equity" not in said:
            return None
        numbers: Three = (said["no_double_equity"], said["double_take_equity"], said["double_pass_equity"])
        is_chance = bool(self.game.match.length) and abs((numbers[2] or 0.0) - 1.0) > 0.002
        nothing: Three = (None, None, None)
        return CubeRow(
            self._level(said),
            nothing if is_chance else numbers,
            numbers if is_chance else nothing,
            _evaluation(said.get("eval")),
        )

    def _level(self, row: Mapping[str, Any]) -> AnalysisLevel:
        """How deep: plies are told as the engine counts them, and mean what ours do only where they are ours."""
        ply = (row.get("level") or {}).get("checker_ply")
        if self.engine == KIBITZ:
            return AnalysisLevel.searched(int(ply or 0))  # the codec keeps no level for the net alone
        return AnalysisLevel(self.engine, "" if ply is None else f"{ply}-ply")


def _own(player: int, step: Mapping[str, Any]) -> tuple[int, int]:
    """A step as its player counts points. Whoever enters from the bar comes from beyond the last point."""
    start, pips = int(step["from"]), int(step["pips"])
    own = start if player == 0 else 25 - start
    own = BAR if own in (0, BAR) else own
    return own, max(own - pips, 0)


def _evaluation(numbers: Mapping[str, Any] | None) -> Evaluation | None:
    if not numbers:
        return None
    return Evaluation.of([numbers[name] for name in ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")])


# --- writing ----------------------------------------------------------------------------------------------------------


def write(match: Match) -> tuple[bytes, list[str]]:
    """An OGXM file, and in words what it could not hold."""
    codec = _codec()
    names = {variant: name for name, variant in VARIANTS.items()}
    if match.variant not in names:
        raise FormatError(f"an .ogxm file holds {', '.join(VARIANTS)}, not {match.variant.value}")
    dropped: list[str] = []
    content: dict[str, Any] = {
        "match_length": match.length,
        "player_white": match.players[0],
        "player_black": match.players[1],
        "variant": names[match.variant],
        "crawford": match.rules.crawford and match.length > 1,
        "jacoby": match.rules.jacoby and not match.length,
        "games": [_game(match, number, game, dropped) for number, game in enumerate(match.games)],
    }
    for name, value in (("event", match.event), ("site", match.place), ("timestamp", _timestamp(match.date))):
        if value:
            content[name] = value
    if (level := _first_level(match)) is not None:
        # No depth for all: what has none of its own would get it.
        content["analysis_info"] = {"model_id": f"{level.engine}/{level.name}"}
    if match.comments or any(action.comment for game in match.games for action in game.actions):
        dropped.append("comments")
    problem = codec.v2_problem(content)
    if problem is not None:
        raise FormatError(f"an .ogxm file cannot hold this match: the rule {problem!r} forbids it")
    return codec.json_to_binary(content), dropped


def _timestamp(text: str) -> int | None:
    try:
        day = date.fromisoformat(text[:10])
    except ValueError:
        return None
    return int(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp()) if day.year >= 1970 else None


def _first_level(match: Match) -> AnalysisLevel | None:
    for game in match.games:
        for action in game.actions:
            if isinstance(action, Roll) and action.analysis is not None and action.analysis.plays:
                return action.analysis.plays[0].level
            if action.cube is not None:
                return action.cube.level
    return None


def _game(match: Match, number: int, game: Game, dropped: list[str]) -> dict[str, Any]:
    plies = []
    for moment in match.moments(number + 1):
        if (ply := _ply(moment, dropped)) is not None:
            plies.append(ply)
    entry: dict[str, Any] = {"game_index": number, "is_crawford": game.crawford, "plies": plies}
    if game.result is not None:
        entry |= {"winner": game.result.winner, "points_won": game.result.points}
    return entry


def _ply(moment: Moment, dropped: list[str]) -> dict[str, Any] | None:
    action = moment.action
    if isinstance(action, Setup | Beaver | Raccoon):
        raise FormatError(f"an .ogxm file written here holds no {action.kind}")
    if isinstance(action, Roll):
        if action.moves is None:
            if "rolls that were not played" not in dropped:
                dropped.append("rolls that were not played")
            return None
        high, low = action.dice.high, action.dice.low
        ply: dict[str, Any] = {"color": action.player, "action_id": DICE.index((low, high))}
        ply["moves"] = _steps(action.player, action.moves)
        if (said := _roll_analysis(moment, action)) is not None:
            ply["analysis"] = said
        return ply
    numbers = {Double: DOUBLE, Take: TAKE, Drop: DROP, Resign: RESIGN}
    ply = {"color": action.player, "action_id": numbers[type(action)]}
    if isinstance(action, Resign):
        ply["resign_value"] = action.size
    if isinstance(action, Double) and action.cube is not None:
        ply["analysis"] = _cube_analysis(action.cube, made=True)
    return ply


def _steps(player: int, moves: tuple[Move, ...]) -> list[dict[str, int]]:
    """Moves as points of the board and pips. White's bar is 25 for the codec, Black's 0: beyond where they start."""
    return [
        {"from": move.source if player == 0 else 25 - move.source, "pips": move.source - move.target} for move in moves
    ]


def _roll_analysis(moment: Moment, action: Roll) -> dict[str, Any] | None:
    said: dict[str, Any] = {}
    if action.analysis is not None and action.analysis.plays:
        plays = action.analysis.plays
        rows = [
            _alternative(moment, row, number == action.analysis.played)
            for number, row in enumerate(plays)
            if row.equity <= min(one.equity for one in plays[: number + 1])  # the format wants them in order
        ]
        said |= {"eval": _eval(plays[0].evaluation), "best_equity": plays[0].equity, "alternatives": rows}
        lost = action.analysis.loss
        if lost is not None:
            said |= {"played_equity": plays[0].equity - lost, "equity_loss": lost}
    if action.luck is not None and said:
        said["luck"] = action.luck
    if action.cube is not None:
        said["cube_decision"] = _cube_analysis(action.cube, made=False)
    return said or None


def _alternative(moment: Moment, row: RankedPlay, is_played: bool) -> dict[str, Any]:
    play = Play(moment.state.position, row.play.dice, row.play.result)
    return {
        "move": _steps(moment.action.player, play.moves),
        "equity": row.equity,
        "eval": _eval(row.evaluation),
        "is_played": is_played,
    } | _level(row.level)


def _level(level: AnalysisLevel) -> dict[str, Any]:
    return {"level": {"checker_ply": level.plies}} if level.plies else {}


def _eval(evaluation: Evaluation) -> dict[str, float]:
    win, gammon, backgammon, lost_gammon, lost_backgammon = evaluation
    return {
        "win": win,
        "gammon_win": gammon,
        "bg_win": backgammon,
        "gammon_loss": lost_gammon,
        "bg_loss": lost_backgammon,
    }


def _cube_analysis(cube: CubeDecision, *, made: bool) -> dict[str, Any]:
    best = "double" if cube.double else "no_double"
    lost = max(cube.equity - (cube.doubled if made else cube.no_double), 0.0)
    said = {
        "no_double_equity": cube.no_double,
        "double_take_equity": cube.double_take,
        "double_pass_equity": cube.double_pass,
        "equity_loss": lost,
        "correct_action": best,
        "eval": _eval(cube.evaluation),
    }
    return said | _level(cube.level) | ({"played_action": "double"} if made else {"should_double": cube.double})
