"""Games of a log as .mat files: one for each match, one for each hundred pairs of money games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.arena.log import DuelLog
from kibitz.arena.referee import DOUBLE, DROP, END, GAME, ROLL, TAKE
from kibitz.arena.specs import PlayerSpec
from kibitz.dice import Dice
from kibitz.errors import FormatError
from kibitz.files import cannot_write, write_file
from kibitz.move import Move
from kibitz.record import Action, Double, Drop, Ending, Game, Match, Result, Roll, Rules, Take, add_result

PAIRS_A_FILE = 100
_CUBE_ACTIONS: dict[int, type[Double] | type[Take] | type[Drop]] = {DOUBLE: Double, TAKE: Take, DROP: Drop}


def matches_of(log: DuelLog) -> list[tuple[str, Match]]:
    """The recorded sessions of a log: file names without suffix, and what goes into each."""
    try:
        return _matches_of(log)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise FormatError(f"the log's games are damaged: {error}") from None


def _matches_of(log: DuelLog) -> list[tuple[str, Match]]:
    recorded = {number: pair["sessions"] for number, pair in sorted(log.pairs.items()) if "sessions" in pair}
    if not recorded or not all("events" in session for sessions in recorded.values() for session in sessions):
        raise FormatError("the log holds no recorded games: play with --record or --mat")
    if not log.is_money:
        return [
            (f"pair-{number:06}-{letter}", _match(log, _games(session["events"])))
            for number, sessions in recorded.items()
            for letter, session in zip("ab", sessions, strict=True)
        ]
    found = []
    numbers = list(recorded)
    for at in range(0, len(numbers), PAIRS_A_FILE):
        some = numbers[at : at + PAIRS_A_FILE]
        games: list[Game] = []
        score = (0, 0)
        for number in some:
            for session in recorded[number]:
                for game in _games(session["events"]):
                    games.append(Game(score, False, game.actions, game.result))
                    score = add_result(score, game.result)
        found.append((f"pairs-{some[0]:06}-{some[-1]:06}", _match(log, games)))
    return found


def export_mat(log: DuelLog, folder: Path) -> list[Path]:
    """Write the games of a log into a folder; returns the files."""
    from kibitz.formats.mat_writer import write

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from None
    paths = []
    for name, match in matches_of(log):
        path = folder / f"{name}.mat"
        write_file(path, write(match)[0])
        paths.append(path)
    return paths


def _match(log: DuelLog, games: list[Game]) -> Match:
    rules = log.header["rules"]
    labels = [PlayerSpec.parse(text).label for text in log.header["players"]]
    if labels[0] == labels[1]:
        labels = [f"{labels[0]} A", f"{labels[1]} B"]
    return Match(
        players=(labels[0], labels[1]),
        length=rules["length"],
        games=tuple(games),
        rules=Rules(crawford=rules["crawford"], jacoby=rules["jacoby"]),
        event="Kibitz arena",
        date=str(log.header.get("started", ""))[:10],
    )


def _games(events: list[list[Any]]) -> list[Game]:
    """The games of one session."""
    games: list[Game] = []
    score, crawford = (0, 0), False
    actions: list[Action] = []
    for kind, *values in events:
        if kind == GAME:
            score, crawford, actions = (values[0], values[1]), bool(values[2]), []
        elif kind == ROLL:
            actions.append(Roll(values[0], Dice.of(values[1]), _moves(values[2])))
        elif kind in _CUBE_ACTIONS:
            actions.append(_CUBE_ACTIONS[kind](values[0]))
        elif kind == END:
            ending = Ending.DROPPED if isinstance(actions[-1], Drop) else Ending.BORNE_OFF
            games.append(Game(score, crawford, tuple(actions), Result(values[0], values[1], ending)))
    return games


def _moves(text: str) -> tuple[Move, ...]:
    moves = []
    for word in text.split():
        source, _, target = word.rstrip("*").partition("/")
        moves.append(Move(int(source), int(target), word.endswith("*")))
    return tuple(moves)
