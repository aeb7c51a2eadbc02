"""Games on disk: every turn with the net's value and its backup, so that targets of any lambda can be made of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.errors import FormatError
from kibitz.files import writing
from kibitz.train.buffer import arrays_in
from kibitz.train.starts import rare_starts

ONE = 65535
"""Probabilities are kept as whole numbers of 1 / 65535."""
RARE_GAME = 16
"""A game from a rare start has at least so many turns on average."""

Boards = npt.NDArray[np.uint8]
Outputs = npt.NDArray[np.float32]

NO_STARTS: Boards = np.zeros((0, 2, 25), np.uint8)
"""Games from the start of a game, or as the generator begins them."""


@dataclass(frozen=True, slots=True)
class RecordSettings:
    """How recorded games are played."""

    shortlist: int = 3  # results of a roll that the contact net judges
    explore: float = 0.01  # share of plays that are any legal one: nothing flows back across it
    explore_near: float = 0.35  # share of plays that are another one nearly as good as the best
    random_openings: float = 0.25  # share of the usual games that begin with random plays
    rare: int = 3  # every so many files games begin with rare starts; 0: none
    turns: int = 500_000  # of a file


def record_games(
    evaluator: _core.Evaluator, folder: Path, files: int, seed: int, settings: RecordSettings = RecordSettings()
) -> Iterator[Path]:
    """Play until the folder has so many files of games of this seed, each of which follows from its number.

    A file has its name only when it is complete, so a killed run goes on with the next one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        path = folder / f"games-{seed}-{number:04}.npz"
        if path.exists():
            continue
        random = np.random.default_rng([seed, number])
        generator = _core.Generator(evaluator, int(random.integers(1 << 60)))
        generator.set_settings(
            True, settings.shortlist, settings.explore, settings.explore_near, settings.random_openings
        )
        rare = is_rare(number, settings)
        starts = rare_starts(settings.turns // RARE_GAME, random) if rare else NO_STARTS
        boards, values, backups, traced = generator.record(settings.turns, starts)
        with writing(path) as file:
            np.savez(file, boards=boards, values=_packed(values), backups=_packed(backups), traced=traced)
        yield path


def is_rare(number: int, settings: RecordSettings = RecordSettings()) -> bool:
    """Whether the games of the file of this number begin with rare starts."""
    return settings.rare > 0 and number % settings.rare == settings.rare - 1


def number_of(path: Path) -> int:
    """The number of a file of games, as its name has it."""
    return int(path.stem.rsplit("-", 1)[1])


def load_games(path: Path, lambda_: float) -> tuple[Boards, Outputs]:
    """The boards of a file of games and their targets with this lambda."""
    with arrays_in(path) as file:
        values, backups = (file[name].astype(np.float32) / ONE for name in ("values", "backups"))
        return file["boards"], _core.lambda_returns(values, backups, file["traced"], lambda_)


def boards_of(folders: list[Path], files: int = 12) -> Boards:
    """The boards of the first files of games in these folders."""
    paths = [path for folder in folders for path in games_in(folder)][:files]
    if not paths:
        raise FormatError(f"no recorded games in {', '.join(map(str, folders))}; `kibitz train record` makes some")
    boards = []
    for path in paths:
        with arrays_in(path) as file:
            boards.append(file["boards"])
    return np.concatenate(boards)


def games_in(folder: Path) -> list[Path]:
    """The complete files of games in a folder, in their order."""
    return sorted(folder.glob("*.npz"))


def equity_of(outputs: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Cubeless equities of five outputs in the last axis."""
    return np.asarray(outputs.astype(np.float64) @ np.array([2.0, 1.0, 1.0, -1.0, -1.0]) - 1.0)


def _packed(outputs: Outputs) -> npt.NDArray[np.uint16]:
    return np.rint(np.clip(outputs, 0.0, 1.0) * ONE).astype(np.uint16)
