"""Held-out positions with careful rollouts: how far a net is off, by kind of game. For measuring, never for training.

A pair is two plays of one roll that are close to each other, as positions after them. What is wrong with both alike
does not matter for a choice, so the error of their difference is measured beside that of each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.settings import SearchSettings
from kibitz.files import writing
from kibitz.rollout.settings import RolloutSettings
from kibitz.train.buffer import arrays_in, in_contact
from kibitz.train.record import NO_STARTS, equity_of
from kibitz.train.starts import KINDS, start_of

RIVALS = 0.12
"""Equity that a play may be behind the best to be one of a pair, ..."""
MOST_RIVALS = 6
"""... and how many of the best plays may be. Any two of them are a pair, so that no net's own choice is favoured."""
NATURAL = "self-play"
NATURAL_SHARE = 0.65
SAVED = 20
"""Pairs between two savings."""

Boards = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


def pairs(evaluator: _core.NeuralEvaluator, seed: int) -> Iterator[tuple[str, Boards]]:
    """Kinds and pairs (2, 2, 25) without end, one from a game."""
    random = np.random.default_rng(seed)
    kinds = list(KINDS)
    while True:
        kind = NATURAL if random.random() < NATURAL_SHARE else kinds[int(random.integers(len(kinds)))]
        start = NO_STARTS if kind == NATURAL else start_of(kind, random)[None]
        generator = _core.Generator(evaluator, int(random.integers(1 << 60)))
        generator.set_settings(True, 5, 0.0, 0.1, 0.05)
        turns = generator.record(1, start)[0]
        latest = len(turns) if kind == NATURAL else min(len(turns), 16)
        turn = turns[int(random.integers(0, latest))]
        first, second = random.integers(1, 7, 2)
        ranked = evaluator.rank_results(turn.tobytes(), int(first), int(second))
        results = np.array([np.frombuffer(rows, np.uint8).reshape(2, 25) for rows, _ in ranked[:MOST_RIVALS]])
        if len(ranked) < 2 or not in_contact(results).all():
            continue
        equities = equity_of(np.array([outputs for _, outputs in ranked[:MOST_RIVALS]]))
        rivals = np.flatnonzero(equities[0] - equities <= RIVALS)
        if len(rivals) > 1:
            yield kind, results[random.choice(rivals, 2, replace=False)]


def roll_out(evaluator: _core.Evaluator, pair: Boards, games: int, seed: int) -> npt.NDArray[np.float64]:
    """Outputs of each game (games, 2, 5) for the player on roll after each play, with the same dice for both."""
    settings = RolloutSettings(seed=seed).changed(cubeful=False).to_core(15)
    candidates = [(board.tobytes(), 0, False, True) for board in pair]
    roller = _core.Roller([evaluator, evaluator], None, _core.CubeModel(jacoby=False), None, settings, candidates)
    played: Any = roller.play(0, games)
    values = np.asarray(played[0], np.float64) / 2.0**_core.ROLLOUT_VALUE_SHIFT
    return np.asarray(values[:, :, :5])


def make(evaluator: _core.NeuralEvaluator, path: Path, count: int, games: int, seed: int) -> None:
    """Roll out so many pairs. What a file has already is kept, so a killed run goes on."""
    kinds: list[str] = []
    boards: list[Boards] = []
    means: list[Floats] = []
    errors: list[Floats] = []
    if path.exists():
        with arrays_in(path) as kept:
            kinds = kept["kinds"].tolist()
            boards, means, errors = (list(kept[name]) for name in ("boards", "means", "errors"))
    for number, (kind, pair) in enumerate(pairs(evaluator, seed)):
        if number >= count:
            break
        if number < len(kinds):
            continue
        outputs = roll_out(evaluator, pair, games, seed + number)
        equities = equity_of(outputs)
        both = np.column_stack([equities, equities[:, 1] - equities[:, 0]])
        kinds.append(kind)
        boards.append(pair)
        means.append(outputs.mean(axis=0))
        errors.append(both.std(axis=0) / games**0.5)
        if len(kinds) % SAVED == 0 or len(kinds) == count:
            with writing(path) as file:
                np.savez(file, kinds=np.array(kinds), boards=boards, means=means, errors=errors)


class HeldOut:
    """Rolled-out pairs and how far values are off them."""

    def __init__(self, path: Path) -> None:
        with arrays_in(path) as file:
            self.kinds: npt.NDArray[np.str_] = file["kinds"]
            self.boards: Boards = np.ascontiguousarray(file["boards"])
            self.equities = equity_of(file["means"])
            self.errors: Floats = file["errors"]

    def values(self, evaluator: _core.NeuralEvaluator, plies: int) -> Floats:
        """Equities (pairs, 2) by a net and a look so many plies deep."""
        flat = self.boards.reshape(-1, 2, 25)
        if plies == 0:
            return equity_of(evaluator.evaluate_batch(flat)).reshape(-1, 2)
        analyst = _core.Analyst(evaluator, 1, 1 << 26)
        model = _core.CubeModel(jacoby=False)
        settings = SearchSettings(plies=plies, cubeful=False).tree(15)
        found = [analyst.value(board.tobytes(), model, plies, settings) for board in flat]
        return equity_of(np.array([one[0] for one in found if one is not None])).reshape(-1, 2)

    def measure(self, values: Floats) -> dict[str, dict[str, float]]:
        """By kind, in thousandths: rms error of equities, of differences, and what the choice of each pair loses.

        The noise of the rollouts is taken out of the rms errors.
        """
        off = values - self.equities
        apart = off[:, 1] - off[:, 0]
        # The player who plays wants the lower equity of the one on roll after it.
        chosen = np.where(values[:, 1] < values[:, 0], self.equities[:, 1], self.equities[:, 0])
        lost = chosen - self.equities.min(axis=1)
        table = {}
        natural = self.kinds == NATURAL
        parts = {"all": np.ones(len(natural), bool), NATURAL: natural, "rare": ~natural}
        parts |= {kind: self.kinds == kind for kind in KINDS}
        for name, part in parts.items():
            if not part.any():
                continue
            noise = self.errors[part] ** 2
            table[name] = {
                "pairs": int(part.sum()),
                "rms": 1000.0 * float(np.sqrt(max(0.0, (off[part] ** 2).mean() - noise[:, :2].mean()))),
                "bias": 1000.0 * float(off[part].mean()),
                "apart": 1000.0 * float(np.sqrt(max(0.0, (apart[part] ** 2).mean() - noise[:, 2].mean()))),
                "lost": 1000.0 * float(lost[part].mean()),
            }
        return table
