"""The evaluation context: noise and pruning, for the engine, each side of a rollout, levels and the command line."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from kibitz import ALL_ROLLS, EngineError, MatchState, Position, _core
from kibitz.cli import app
from kibitz.engine.engine import Engine
from kibitz.engine.levels import Level
from kibitz.engine.network_file import NetworkFile
from kibitz.engine.networks import SHIPPED
from kibitz.engine.settings import RANDOM_NOISE, SearchSettings
from kibitz.play.players import EnginePlayer

START = Position.start()
RESULTS = [play.result for roll in ALL_ROLLS for play in START.plays(roll)]


def test_noise_follows_from_seed_and_position_alone() -> None:
    plain = Engine(plies=0, threads=1)
    first, again = (Engine(plies=0, threads=1, noise=0.05, noise_seed=3) for _ in range(2))
    backwards = [again.evaluate(position) for position in reversed(RESULTS)][::-1]
    assert [first.evaluate(position) for position in RESULTS] == backwards
    assert first.evaluate(START, noise_seed=4) != first.evaluate(START)
    assert first.evaluate(START, noise=0.0) == plain.evaluate(START)
    dice = {Engine(plies=0, threads=1, noise=0.05, noise_seed=RANDOM_NOISE).evaluate(START) for _ in range(3)}
    assert len(dice) == 3


def test_noise_has_the_deviation_that_was_asked_for() -> None:
    plain, noisy = Engine(plies=0, threads=1), Engine(plies=0, threads=1, noise=0.02)
    errors = np.array([noisy.evaluate(one).win - plain.evaluate(one).win for one in RESULTS])
    assert abs(errors.mean()) < 5 * 0.02 / len(RESULTS) ** 0.5
    assert errors.std() == pytest.approx(0.02, rel=0.1)
    wild = Engine(plies=0, threads=1, noise=0.4)
    for position in RESULTS:
        told = wild.evaluate(position)
        assert 0 <= told.win_backgammon <= told.win_gammon <= told.win <= 1
        assert 0 <= told.lose_backgammon <= told.lose_gammon <= 1 - told.win + 1e-6


def test_noise_reaches_plays_and_cubes() -> None:
    plain, noisy = Engine(plies=0, threads=1), Engine(plies=0, threads=1, noise=0.1)
    assert plain.cube(START).no_double != noisy.cube(START).no_double
    chosen = [(plain.rank(START, roll)[0].play, noisy.rank(START, roll)[0].play) for roll in ALL_ROLLS]
    assert sum(one != other for one, other in chosen) > 3


def test_without_pruning_every_reply_counts() -> None:
    """At 1 ply the value is the mean over the rolls of the best of all replies."""
    position = Position.of({24: 1, 20: 2, 13: 4, 8: 3, 6: 4, 4: 1}, {24: 2, 13: 4, 8: 3, 7: 2, 6: 4})
    engine = Engine(plies=0, threads=1, cubeful=False)
    mean = 0.0
    for roll in ALL_ROLLS:
        results = [play.result for play in position.plays(roll)]
        mean -= roll.weight * min(engine.evaluate(result).equity for result in results) / 36
    assert engine.evaluate(position, plies=1, pruning=False).equity == pytest.approx(mean, abs=1e-5)
    assert engine.evaluate(position, plies=1, replies=1).equity < mean - 1e-5


def test_levels_hold_all_of_it() -> None:
    level = Level("noisy", SearchSettings(plies=0, noise=0.2, noise_seed=5, pruning=False))
    player = EnginePlayer(Engine(threads=1), level)
    assert (player.settings.noise, player.settings.noise_seed, player.settings.pruning) == (0.2, 5, False)
    assert SearchSettings.from_dict(level.search.to_dict()) == level.search


def test_each_side_of_a_rollout_has_its_own_noise_and_filter() -> None:
    engine = Engine(threads=1)
    match = MatchState(jacoby=False)

    def equity(**options: object) -> float:
        rollout = engine.rollout(START, match=match, cube=False, cubeful=False, trials=144, truncate=6, **options)  # type: ignore[arg-type]
        return rollout.results[0].equity

    even = equity(pruning=False)
    assert equity(pruning=False, noise=0.3, opponent_noise=0.0) < even - 0.05
    assert equity(pruning=False, opponent_noise=0.3) > even + 0.05
    assert equity(noise=0.3, noise_seed=1, opponent_noise=0.0) != equity(noise=0.3, opponent_noise=0.0)
    narrow = engine.rollout(START, "31", top=1, trials=36, truncate=4, plies=1, opponent_filter="0:0:0.0")
    assert (
        narrow.results[0].equity != engine.rollout(START, "31", top=1, trials=36, truncate=4, plies=1).results[0].equity
    )


def test_each_side_of_a_rollout_has_its_own_pruning_and_seed() -> None:
    engine = Engine(threads=1)
    match = MatchState(jacoby=False)

    def equity(**options: Any) -> float:
        quick: dict[str, Any] = {"trials": 72, "truncate": 8, "shortlist": 1, "variance_reduction": False}
        rollout = engine.rollout(START, match=match, cube=False, cubeful=False, **(quick | options))
        return rollout.results[0].equity

    # What is said of both sides is said of either, and what is said of one side is not said of the other.
    assert equity(pruning=False, opponent_pruning=False) == equity(pruning=False)
    assert equity(pruning=True, opponent_pruning=True) == equity()
    assert len({equity(), equity(pruning=False), equity(opponent_pruning=False)}) == 3
    wrong: dict[str, Any] = {"noise": 0.1, "shortlist": 5}
    assert equity(**wrong, noise_seed=4, opponent_noise_seed=4) == equity(**wrong, noise_seed=4)
    assert len({equity(**wrong), equity(**wrong, noise_seed=4), equity(**wrong, opponent_noise_seed=4)}) == 3


def test_each_side_of_a_rollout_may_play_as_if_the_cube_were_dead() -> None:
    engine = Engine(threads=1)

    def equity(match: MatchState, mine: bool, theirs: bool | None, **options: Any) -> float:
        rollout = engine.rollout(
            START,
            match=match,
            cube=False,
            trials=72,
            truncate=8,
            cubeful_plays=mine,
            opponent_cubeful_plays=theirs,
            **options,
        )
        return rollout.results[0].equity

    money, crawford = MatchState(jacoby=False), MatchState(length=5, my_score=4, their_score=2, crawford=True)
    heeding = [equity(money, *sides) for sides in ((True, None), (False, True), (True, False), (False, None))]
    assert len(set(heeding)) == 4
    assert equity(money, False, False) == heeding[3]
    assert max(heeding) - min(heeding) < 0.02
    # Where the cube is dead, or no part of the games, nobody heeds it.
    assert equity(crawford, True, None) == equity(crawford, False, None)
    assert equity(money, True, None, cubeful=False) == equity(money, False, None, cubeful=False)


def test_settings_of_a_rollout_come_back_from_their_dictionary() -> None:
    from kibitz.rollout.settings import RolloutSettings

    settings = RolloutSettings(
        opponent_filter="tiny",
        opponent_noise=0.1,
        opponent_noise_seed=3,
        opponent_pruning=True,
        cubeful_plays=False,
        opponent_cubeful_plays=True,
    ).changed(noise=0.05, pruning=False)
    assert RolloutSettings.from_dict(json.loads(json.dumps(settings.to_dict()))).to_dict() == settings.to_dict()


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(EngineError, match="noise is 0 to 1"):
        Engine(noise=2.0)
    with pytest.raises(EngineError, match="noise is 0 to 1"):
        Engine().rollout(START, trials=36, opponent_noise=-0.1)
    with pytest.raises(EngineError, match="its seed -1 or more"):
        Engine().rollout(START, trials=36, opponent_noise_seed=-2)


@pytest.fixture(scope="module")
def untaught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped nets, but for a contact net that knows nothing."""
    folder = tmp_path_factory.mktemp("nets") / "untaught"
    shutil.copytree(SHIPPED, folder, ignore=shutil.ignore_patterns("contact-*"))
    (given,) = SHIPPED.glob("contact-*")
    net = NetworkFile.load(given)
    replace(net, payload=_core.Learner(*net.widths, 1, features=True, buckets=True).payload(False)).save(folder)
    return folder


@pytest.mark.parametrize("command", ["eval", "cube", "hint 31", "explain 31", "rollout 31 --trials 36 --truncate 2"])
def test_commands_ask_the_nets_that_are_named(command: str, untaught: Path) -> None:
    def said(*options: str) -> object:
        name, *words = command.split()
        plies = [] if name == "rollout" else ["--plies", "0"]
        result = CliRunner().invoke(app, [name, "4HPwATDgc/ABMA", *words, *plies, "--json", *options])
        assert result.exit_code == 0, result.output
        data = json.loads(result.stdout)
        return data.get("evaluation") or data.get("plays") or data.get("results") or data

    assert said() != said("--nets", str(untaught))
    refused = CliRunner().invoke(app, [command.split()[0], "4HPwATDgc/ABMA", "--nets", "no-such-folder"])
    assert "no-such-folder" in str(refused.exception)


@pytest.mark.parametrize("command", ["eval", "cube", "hint"])
def test_commands_have_noise_and_pruning(command: str) -> None:
    def said(*options: str) -> str:
        result = CliRunner().invoke(app, [command, "4HPwATDgc/ABMA", "--plies", "1", "--threads", "1", *options])
        assert result.exit_code == 0, result.output
        return result.stdout

    plain = said()
    assert said("--noise", "0.1") != plain
    assert said("--noise", "0.1") == said("--noise", "0.1") != said("--noise", "0.1", "--noise-seed", "7")
    deep = [json.loads(said("--plies", "2", "--json", *options))["evaluation"] for options in ([], ["--no-pruning"])]
    assert deep[0] != deep[1]
