"""Counts of a rollout: how its games ended, at which cube, and the doubles that were taken and passed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from kibitz import Engine, MatchState, Position, State
from kibitz.cli import app
from kibitz.errors import EngineError
from kibitz.rollout.counts import KINDS, LEVELS, GameCounts, counts_text
from kibitz.rollout.dice import GENERATORS, LONGEST, faces_of
from kibitz.rollout.rollout import Rollout
from kibitz.rollout.tally import Tally

START = "4HPwATDgc/ABMA"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(threads=1)


def plain(engine: Engine, **options: object) -> Rollout:
    """A rollout whose values are those of the games as they were played."""
    state = State(Position.from_id(START), MatchState(jacoby=False))
    return engine.rollout(state, trials=108, threads=1, variance_reduction=False, stop_at_tables=False, **options)  # type: ignore[arg-type]


def test_without_luck_the_counts_of_a_cubeless_rollout_are_its_chances(engine: Engine) -> None:
    rollout = plain(engine, cubeful=False, cube=False)
    (result,) = rollout.results
    counts = result.counts
    assert counts.games == rollout.trials == 108
    assert counts.levels() == [0]
    won, lost = ([sum(counts.wins(side, kind)) for kind in range(len(KINDS))] for side in (0, 1))
    assert sum(won) + sum(lost) == 108
    found = result.evaluation
    expected = [sum(won), won[1] + won[2], won[2], lost[1] + lost[2], lost[2]]
    assert list(found) == pytest.approx([number / 108 for number in expected], abs=1e-9)


def test_without_luck_the_counts_at_each_cube_add_up_to_the_equity(engine: Engine) -> None:
    rollout = plain(engine)
    for result, begun in zip(rollout.results, (0, 1), strict=True):
        counts = result.counts
        assert min(counts.levels()) == begun
        points = 0
        for side, sign in ((0, 1), (1, -1)):
            for level in range(LEVELS - 1):
                for kind in range(len(KINDS)):
                    points += sign * (kind + 1) * counts.wins(side, kind)[level] << level
                points += sign * counts.passed(side)[level] << level
        assert result.equity == pytest.approx(points / 108, abs=1e-6)
        # The cube is the opponent's after each double that was taken: the sides take turns.
        for level in range(1, LEVELS - 1):
            assert counts.taken(0)[level] <= counts.taken(1)[level - 1] + (108 if level == begun else 0)


def test_counts_are_kept_merged_and_told(engine: Engine, tmp_path: Path) -> None:
    state = State(Position.from_id(START))
    first, second = (engine.rollout(state, games=range(36 * n, 36 * n + 36), threads=1, truncate=6) for n in range(2))
    merged = first.merge(second)
    for place in range(2):
        both = first.results[place].counts + second.results[place].counts
        assert merged.results[place].counts == both
    assert merged.results[0].counts.truncated > 0
    merged.save(tmp_path / "it.json")
    assert Rollout.load(tmp_path / "it.json").results == merged.results
    data = json.loads(json.dumps(merged.to_dict()))["results"][0]["counts"]
    assert data["games"] == 72
    assert sum(data["player"]["doubles_taken"]) == sum(merged.results[0].counts.taken(0))
    old = merged.tally.to_dict()  # as it was kept before games were counted
    for one in old["candidates"]:
        del one["counts"]
    assert Tally.from_dict(old).candidates[0].counts == GameCounts()
    old["candidates"][0]["counts"] = [1, 2]
    with pytest.raises(ValueError, match="counts"):
        Tally.from_dict(old)


def test_the_command_line_tells_the_counts() -> None:
    arguments = ["rollout", START, "--trials", "36", "--truncate", "8", "--threads", "1", "--no-cube"]
    text = CliRunner().invoke(app, [*arguments, "--counts"]).stdout
    assert "double/take" in text
    assert "truncated" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "double/take" not in CliRunner().invoke(app, arguments).stdout


def test_a_table_of_counts_says_every_number() -> None:
    events = np.array([[0, 0, 0, 0], [4, 2, 1, 2], [6, 1, 0, 1], [9, 0, 0, 0]], np.uint8)
    counts = GameCounts.of(events)
    assert counts.games == 4
    assert counts.wins(0, 0) == (1, 0, 0, 0, 0, 0, 0, 0)
    assert counts.wins(1, 1)[2] == counts.passed(0)[1] == counts.truncated == 1
    assert counts.taken(0)[0] == 1
    assert counts.taken(1)[:2] == (1, 1)
    assert [line.split()[-6:] for line in counts_text(counts, 2).splitlines()[1:5]] == [
        ["2", "1", "0", "0", "1", "0"],
        ["4", "0", "0", "0", "0", "1"],
        ["8", "0", "0", "0", "0", "0"],
        ["all", "1", "0", "0", "1", "1"],
    ]


# --- dice -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "made"), [("pcg64", np.random.PCG64), ("mt19937", np.random.MT19937)])
def test_numpys_dice_can_be_rolled_by_anyone(name: str, made: type[np.random.BitGenerator]) -> None:
    faces = faces_of(name, 5, False, 70, 3)
    assert faces is not None
    assert faces.shape == (3, LONGEST)
    for place in range(3):
        expected = np.random.Generator(made([5, 70 + place])).integers(36, size=LONGEST, dtype=np.uint8)
        assert (faces[place] == expected).all()
    even = faces_of(name, 5, True, 0, 36)
    assert even is not None
    assert sorted(even[:, 0]) == list(range(36))
    assert not (even[:, 3:40] == faces_of("pcg64" if name == "mt19937" else "mt19937", 5, True, 0, 36)[:, 3:40]).all()  # type: ignore[index]


def test_the_dice_decide_the_games_and_are_part_of_the_settings(engine: Engine, tmp_path: Path) -> None:
    state = State(Position.from_id(START))
    rollouts = {
        name: engine.rollout(state, trials=36, threads=1, truncate=6, cube=False, generator=name) for name in GENERATORS
    }
    assert len({one.equity for one in rollouts.values()}) == len(GENERATORS)
    again = engine.rollout(state, trials=36, threads=2, truncate=6, cube=False, generator="pcg64")
    assert again.results == rollouts["pcg64"].results
    with pytest.raises(EngineError, match="generator counter in the first, pcg64 in another"):
        rollouts["counter"].merge(rollouts["pcg64"])
    rollouts["mt19937"].save(tmp_path / "it.json")
    loaded = Rollout.load(tmp_path / "it.json").extend(72, threads=1)
    assert (
        loaded.results
        == engine.rollout(state, trials=72, threads=1, truncate=6, cube=False, generator="mt19937").results
    )
    with pytest.raises(EngineError, match="counter, pcg64, mt19937"):
        engine.rollout(state, trials=36, generator="loaded")


def test_the_command_line_takes_the_dice() -> None:
    arguments = ["rollout", START, "--trials", "36", "--truncate", "6", "--no-cube", "--json", "--threads", "1"]
    found = [
        json.loads(CliRunner().invoke(app, [*arguments, "--generator", name]).stdout)["results"][0]["equity"]
        for name in ("counter", "pcg64")
    ]
    assert found[0] != found[1]
