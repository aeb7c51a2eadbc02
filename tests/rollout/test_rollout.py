from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import kibitz
from kibitz import Cube, EngineError, FormatError, MatchState, Owner, Position, Rollout, _core
from kibitz.engine.engine import Cancellation
from kibitz.rollout import report
from kibitz.rollout.executors import ThreadExecutor, Work
from kibitz.rollout.files import from_data
from kibitz.rollout.job import Part, parts_of, play_remotely
from kibitz.rollout.ranges import missing, overlap, united
from kibitz.rollout.settings import PRESETS, Plies, Preset, RolloutSettings, StopRule

from .bearoffs import bearoffs

ENGINE = kibitz.Engine(evaluator=_core.MockEvaluator(), threads=1)
START = Position.start()


def digits(rollout: Rollout) -> str:
    return json.dumps(rollout.tally.to_dict())


def short(**changes: Any) -> Rollout:
    """A quick rollout of three plays by the evaluator for tests."""
    return ENGINE.rollout(START, "31", top=3, **{"trials": 108, "truncate": 6} | changes)


def test_threads_do_not_change_a_digit() -> None:
    assert digits(short(threads=1)) == digits(short(threads=2)) == digits(short(threads=3))


def test_plies_and_late_stages_do_not_depend_on_threads_either() -> None:
    deep = {"trials": 36, "truncate": 3, "plies": 1, "late_after": 1, "late": Plies(0, 1), "truncation_plies": 1}
    assert digits(short(threads=1, **deep)) == digits(short(threads=2, **deep))


def test_an_extended_rollout_is_one_long_one() -> None:
    rollout = short(trials=36)
    assert rollout.trials == 36
    assert digits(rollout.extend(108, threads=2)) == digits(short())
    assert rollout.ranges == [range(108)]


def test_a_saved_rollout_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    short(trials=36, save=path)
    resumed = short(trials=108, save=path)
    assert digits(resumed) == digits(short())
    assert digits(Rollout.load(path)) == digits(resumed)
    assert [one.name for one in tmp_path.iterdir()] == ["state.json"]


def test_merging_ranges_in_any_order_is_one_long_run() -> None:
    parts = [short(trials=None, games=games) for games in (range(40, 108), range(0, 7), range(7, 40))]
    merged = parts[0].merge(*parts[1:])
    assert digits(merged) == digits(short())
    assert merged.ranges == [range(108)]
    assert merged.results == short().results


def test_shared_games_are_not_merged() -> None:
    with pytest.raises(EngineError, match="games 36 to 71 are in both"):
        short(trials=72).merge(short(trials=None, games=range(36, 108)))


@pytest.mark.parametrize(
    ("change", "what"),
    [({"seed": 2}, "seed 1 in the first|seed 2 here"), ({"truncate": 7}, "truncate"), ({"cubeful": False}, "cubeful")],
)
def test_other_settings_are_neither_merged_nor_resumed(change: dict[str, Any], what: str, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    one = short(trials=36, save=path)
    before = path.read_bytes()
    with pytest.raises(EngineError, match=what):
        one.merge(ENGINE.rollout(START, "31", top=3, **{"truncate": 6, "trials": 36} | change))
    with pytest.raises(EngineError, match=what):
        ENGINE.rollout(START, "31", top=3, save=path, **{"truncate": 6, "trials": 72} | change)
    assert path.read_bytes() == before


def test_other_candidates_are_not_merged() -> None:
    with pytest.raises(EngineError, match="candidates"):
        short(trials=36).merge(ENGINE.rollout(START, "42", top=3, truncate=6, trials=36))


def test_candidates_have_the_same_dice() -> None:
    """A candidate alone or in company has the same games; twice the same position differs by nothing."""
    both = short()
    second = both.results[1].play
    assert second is not None
    alone = ENGINE.rollout(START, "31", play=second, truncate=6, trials=108)
    assert alone.equity == both.results[1].equity
    joint = both.results[1]
    apart = math.hypot(both.results[0].standard_error, joint.standard_error)
    assert 0 < joint.joint_error < apart * 1.5


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    path = tmp_path / "state.json"

    def press(rollout: Rollout) -> None:
        if rollout.trials >= 20:
            raise KeyboardInterrupt

    rollout = ENGINE.rollout(START, "31", top=2, truncate=6, trials=720, threads=2)
    fresh = Rollout(rollout.work)
    assert fresh.extend(720, progress=press).stopped == "interrupted"
    assert 20 <= fresh.trials < 720
    assert sum(map(len, fresh.ranges)) == fresh.trials
    assert digits(fresh.extend(720)) == digits(rollout)

    class Interrupted:
        def run(self, work: Work, games: range) -> Iterator[Part]:
            for count, part in enumerate(ThreadExecutor(1).run(work, games)):
                if count == 3:
                    raise KeyboardInterrupt
                yield part

    stopped = Rollout(rollout.work).extend(720, executor=Interrupted(), save=path)
    assert stopped.stopped == "interrupted"
    assert 0 < stopped.trials < 720
    assert digits(Rollout.load(path)) == digits(stopped)
    assert digits(stopped.extend(720)) == digits(rollout)


def test_parts_that_come_out_of_order_are_counted_in_order_and_all_of_them() -> None:
    class Backwards:
        def run(self, work: Work, games: range) -> Iterator[Part]:
            return reversed(list(ThreadExecutor(1).run(work, games)))

    assert digits(short(executor=Backwards())) == digits(short())


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_play_every_game_once_and_cut_the_groups_apart_where_a_rule_looks_at_them(threads: int) -> None:
    rollout = short(trials=36)
    for by_groups in (True, False):
        work = replace(rollout.work, by_groups=by_groups)
        parts = sorted(ThreadExecutor(threads).run(work, range(20, 740)), key=lambda part: part.first)
        ends = [part.first + part.count for part in parts]
        assert [part.first for part in parts] == [20, *ends[:-1]] and ends[-1] == 740
        assert not by_groups or all(part.first // 36 == (end - 1) // 36 for part, end in zip(parts, ends, strict=True))
        again = Rollout(work)
        for part in parts:
            again.count(part)
        assert digits(again) == digits(Rollout(work).extend(games=range(20, 740)))


def test_cancelling_and_time_limits_stop_early() -> None:
    cancellation = Cancellation()
    seen: list[int] = []

    def progress(rollout: Rollout) -> None:
        seen.append(rollout.trials)
        if rollout.trials >= 36:
            cancellation.cancel()

    rollout = short(trials=36_000, progress=progress, cancellation=cancellation)
    assert rollout.stopped == "cancelled" and 36 <= rollout.trials < 36_000
    assert seen == sorted(seen)
    rollout = short(trials=3_600_000, stop=StopRule(seconds=0.3))
    assert rollout.stopped == "time" and 0 < rollout.trials < 3_600_000


@pytest.mark.parametrize("rule", [StopRule(error=0.02), StopRule(separation=2.0)])
def test_rules_stop_at_the_same_game_on_any_number_of_threads(rule: StopRule) -> None:
    rollouts = [
        ENGINE.rollout(START, "31", play=("8/5 6/5", "24/20"), truncate=4, trials=7200, stop=rule, threads=threads)
        for threads in (1, 3)
    ]
    assert digits(rollouts[0]) == digits(rollouts[1])
    first = rollouts[0]
    assert first.stopped in ("error", "separation")
    assert first.trials % 36 == 0 and 144 <= first.trials < 7200
    worst = max(one.standard_error for one in first.results)
    assert worst <= 0.02 if rule.error else first.results[1].separation >= 2.0


def test_trials_come_in_groups_of_36_unless_the_dice_are_plainly_random() -> None:
    assert short(trials=50).trials == 72
    assert short(trials=50, stratified=False).trials == 50


def test_the_iterator_tells_how_far_it_is() -> None:
    rollout = Rollout(short(trials=36).work)
    trials = [step.trials for step in rollout.steps(108)]
    assert trials == sorted(trials) and trials[-1] == 108


def test_a_cube_rollout_weighs_no_double_against_double() -> None:
    rollout = ENGINE.rollout(bearoffs(1, seed=2)[0], trials=36, stop_at_tables=False)
    assert [one.name for one in rollout.results] == ["no double", "double, take"]
    decision = rollout.decision
    assert decision.no_double == rollout.results[0].equity
    assert decision.double_take == rollout.results[1].equity
    assert decision.double_pass == 1.0
    assert decision.action in str(rollout)
    mine = MatchState.money(Cube(2, Owner.MINE))
    assert [one.name for one in ENGINE.rollout(START, match=mine, trials=36, truncate=2).results][1] == "redouble, take"
    theirs = MatchState.money(Cube(2, Owner.THEIRS))
    assert [one.name for one in ENGINE.rollout(START, match=theirs, trials=36, truncate=2).results] == ["position"]


def test_match_rollouts_tell_match_winning_chances() -> None:
    match = MatchState(7, 3, 5)
    rollout = ENGINE.rollout(START, match=match, trials=36, truncate=4)
    model = rollout.job.model()
    for one in rollout.results:
        assert one.mwc is not None and 0 < one.mwc < 1
        assert math.isclose(one.equity, model.normalised(2 * one.mwc - 1, 0), abs_tol=1e-9)
    assert rollout.decision.mwc is not None


def test_a_player_who_looks_deeper_on_one_side_only_is_another_rollout() -> None:
    base = {"trials": 36, "truncate": 2, "truncation_plies": 0}
    assert digits(short(opponent=Plies(1, 1), **base)) != digits(short(**base))
    assert digits(short(late_after=1, late=Plies(1, 1), late_opponent=Plies(), **base)) != digits(short(**base))


def test_truncation_at_the_first_turn_is_one_look_ahead() -> None:
    """After one turn of all 36 rolls, with luck or without, the mean is the search at one ply."""
    game = MatchState.money(jacoby=False)
    kwargs: dict[str, Any] = {"cube": False, "cubeful": False, "truncate": 1, "trials": 36, "match": game}
    wide = kibitz.Engine(evaluator=_core.MockEvaluator(), threads=1, replies=100, last_replies=100)
    exact = wide.evaluate(START, plies=1).equity
    for luck in (True, False):
        found = wide.rollout(
            START, shortlist=100, shortlist_gap=9.0, luck_replies=100, variance_reduction=luck, **kwargs
        )
        assert math.isclose(found.equity, exact, abs_tol=1e-6)
    with_luck = wide.rollout(START, shortlist=100, shortlist_gap=9.0, luck_replies=100, **kwargs)
    assert with_luck.standard_error < 1e-7


def test_settings_go_through_files_and_nonsense_is_refused() -> None:
    for preset in PRESETS.values():
        assert RolloutSettings.from_dict(json.loads(json.dumps(preset.settings.to_dict()))) == preset.settings
        assert Preset.of(preset.name) is preset
    with pytest.raises(EngineError, match="no rollout preset is called 'best'"):
        short(preset="best")
    with pytest.raises(EngineError, match="no setting colour"):
        short(colour="red")
    with pytest.raises(EngineError, match="at least one trial"):
        short(trials=0)
    with pytest.raises(EngineError, match="truncate counts turns"):
        RolloutSettings(truncate=0)
    with pytest.raises(EngineError, match="late plies need late_after"):
        RolloutSettings(late=Plies(1, 1))
    with pytest.raises(EngineError, match="plies are 0 to"):
        Plies(9, 0)
    with pytest.raises(EngineError, match="the same play was named twice"):
        short(play=("8/5 6/5", "6/5 8/5"))
    with pytest.raises(EngineError, match="the game is over"):
        ENGINE.rollout(Position([0] * 25, START.theirs))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not a rollout"),
        ("[]", "not a rollout"),
        ('{"format": "other"}', "not a rollout"),
        ('{"format": "kibitz-rollout", "version": 9}', "version 9"),
        ('{"format": "kibitz-rollout", "version": 1}', "damaged"),
    ],
)
def test_damaged_files_are_told_of(text: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=what):
        Rollout.load(path)
    with pytest.raises(FormatError, match="cannot be read"):
        Rollout.load(tmp_path / "missing.json")


def test_a_file_with_games_lost_or_sums_changed_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    short(trials=36, save=path)
    data = json.loads(path.read_text())
    for change in ({"games": [[0, 35]]}, {"tally": data["tally"] | {"games": 40}}):
        path.write_text(json.dumps(data | change))
        with pytest.raises(FormatError, match="damaged"):
            Rollout.load(path)


WRONG: tuple[Any, ...] = (None, "x", -1, 10**90, 1.5, [], {}, [[]])


def test_a_file_with_values_of_other_types_is_refused_whatever_they_are(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    short(trials=36, save=path)
    whole = path.read_text()

    def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        yield way
        steps = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
        for key, inner in steps:
            yield from places(inner, (*way, key))

    told = 0
    for way in list(places(json.loads(whole)))[1:]:
        for wrong in WRONG:
            data = json.loads(whole)
            inner = data
            for step in way[:-1]:
                inner = inner[step]
            inner[way[-1]] = wrong
            try:
                assert str(from_data(data))
            except FormatError as error:
                assert "\n" not in str(error) and "function arguments" not in str(error)
                told += 1
    assert told > 500


def test_it_draws_itself_and_tells_itself_in_80_columns() -> None:
    rollout = short()
    assert rollout._repr_svg_().startswith("<svg") and "8/5 6/5" in rollout._repr_svg_()
    assert all(len(line) <= 80 for line in report.text(rollout).splitlines())
    assert json.loads(json.dumps(rollout.to_dict()))["trials"] == 108


def test_nothing_of_a_picture_is_cut() -> None:
    """Every text has eight pixels for a letter of twelve, and every line and dot its place between the texts."""
    rollout = short()
    longest = "bar/24*/23* 13/12*/11* 8/7 6/5*(2)"
    named = replace(rollout.job.candidates[0], name=longest, play=None)
    job = replace(rollout.job, candidates=(named, *rollout.job.candidates[1:]))
    wide = Rollout(replace(rollout.work, job=job), tally=rollout.tally, ranges=rollout.ranges)
    for one in (rollout, wide):
        picture = ElementTree.fromstring(one._repr_svg_())
        width = float(picture.attrib["width"])
        names, right = 0.0, width
        for text in picture.iter("{http://www.w3.org/2000/svg}text"):
            long = 8 * len(text.text or "") * float(text.get("font-size", 12)) / 12
            start = float(text.attrib["x"]) - (long if text.get("text-anchor") == "end" else 0)
            assert start >= 0 and start + long <= width, text.text
            if text.get("text-anchor") == "end":
                right = min(right, start)
            elif text.text in (longest, "8/5 6/5"):
                names = max(names, start + long)
        for line in picture.iter("{http://www.w3.org/2000/svg}line"):
            assert names < float(line.attrib["x1"]) <= float(line.attrib["x2"]) < right


def test_another_rollout_in_the_file_is_told_in_one_line(tmp_path: Path) -> None:
    short(save=tmp_path / "kept.json")
    with pytest.raises(EngineError) as told:
        short(seed=7, truncate=None, play=["8/5 6/5"], save=tmp_path / "kept.json")
    words = str(told.value)
    assert "\n" not in words and "None" not in words and "position" not in words
    assert "kept.json holds a rollout of other settings: candidates 8/5 6/5 here, 8/5 6/5 and " in words
    assert "seed 7 here, 1 in the file" in words and "truncate none here, 6 in the file" in words
    assert words.count(" in the file") == len(words.split("; "))


def test_games_played_elsewhere_are_the_same_games() -> None:
    """What a cluster's workers do, done here."""
    engine = kibitz.Engine(threads=1)
    rollout = engine.rollout(START, "31", top=2, truncate=3, trials=72)
    parts = play_remotely(rollout.job, 0, 50) + play_remotely(rollout.job, 50, 22)
    assert [(part.first, part.count) for part in parts] == [(0, 36), (36, 14), (50, 22)]
    again = Rollout(rollout.work)
    for part in parts:
        again.count(part)
    assert digits(again) == digits(rollout)


def test_ranges() -> None:
    assert united([range(5, 9), range(0, 2), range(2, 5), range(20, 20)]) == [range(0, 9)]
    assert missing(range(0, 30), [range(3, 5), range(10, 12)]) == [range(0, 3), range(5, 10), range(12, 30)]
    assert overlap([range(0, 4)], [range(3, 9)]) == range(3, 4)
    assert overlap([range(0, 3)], [range(3, 9)]) is None
    assert parts_of(30, 50) == [(30, 6), (36, 36), (72, 8)]
