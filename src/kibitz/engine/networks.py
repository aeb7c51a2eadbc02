"""The nets that come with the package, and evaluators made of nets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kibitz import _core
from kibitz.engine.network_file import NetworkFile
from kibitz.errors import NetworkFileError
from kibitz.position import CHECKERS, Variant

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "nets"
ROLES = ("contact", "race", "pruning", "prefilter")
"""What each net is for: positions with contact, one side of a race, a cheap first look at positions with contact, and a
net whose slope tells which of many plays deserve even that."""


@dataclass(frozen=True, slots=True)
class NetworkFolder:
    """One net file for each role, found in a folder by its name."""

    files: dict[str, NetworkFile]
    paths: dict[str, Path]

    @classmethod
    def load(cls, folder: Path | str = SHIPPED) -> NetworkFolder:
        """Read the nets of a folder; each role must be there exactly once."""
        folder = Path(folder)
        paths = {}
        for role in ROLES:
            found = sorted(folder.glob(f"{role}-*.net"))
            if len(found) != 1:
                names = ", ".join(path.name for path in found) or "none"
                raise NetworkFileError(f"{folder}: expected exactly one {role}-*.net, found {names}; reinstall kibitz")
            paths[role] = found[0]
        return cls({role: NetworkFile.load(path) for role, path in paths.items()}, paths)

    def evaluator(self) -> _core.NeuralEvaluator:
        """An evaluator of these nets and the exact tables."""
        return evaluator_from(self.files)


def evaluator_from(files: dict[str, NetworkFile]) -> _core.NeuralEvaluator:
    """An evaluator of the nets of all roles and the exact tables."""
    contact, pruning = (files[role].network() for role in ("contact", "pruning"))
    prefilter = _core.LinearPrefilter(*files["prefilter"].widths, files["prefilter"].payload)
    return _core.NeuralEvaluator(contact, files["race"].race_network(), pruning, prefilter)


@lru_cache(maxsize=4)
def evaluator_of(folder: Path = SHIPPED) -> _core.NeuralEvaluator:
    """The evaluator of a folder's nets, loaded once."""
    return NetworkFolder.load(folder).evaluator()


def evaluator_for(variant: Variant, evaluator: _core.Evaluator) -> _core.Evaluator:
    """The evaluator of a game: its table in hypergammon, which is built on first use, and this one otherwise."""
    if variant.checkers == CHECKERS:
        return evaluator
    from kibitz.bearoff.hypergammon import table_in_use

    table_in_use(variant)
    return _core.ExactEvaluator(variant.checkers)
