"""What explanations say is true of the boards, figure by figure, and they are silent where they should be."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from kibitz import ALL_ROLLS, MatchState, Position
from kibitz.decision import RankedPlay
from kibitz.engine.engine import Engine
from kibitz.errors import KibitzError
from kibitz.explain import PlayExplanation, explain_decision, explain_pair, explanation_from_dict
from kibitz.explain.catalogue import ENGLISH, Catalogue
from kibitz.explain.contrasts import Controls
from kibitz.explain.measures import point_measure
from kibitz.explain.reason import Reason
from kibitz.explain.themes import Theme
from kibitz.explain.words import MOST_WORTH, play_words
from kibitz.state import State
from kibitz.testing import dice, match_states, positions, reachable_positions
from tests.explain.plain_facts import by_the_package, plain_next_roll, plain_standing
from tests.reference import rules

START = "4HPwATDgc/ABMA"
COUNTED = (
    Theme.SAFETY,
    Theme.BUILDERS,
    Theme.ANCHOR_CHANCES,
    Theme.AIM,
    Theme.IN_PLAY,
    Theme.DOUBLE_HIT,
    Theme.UNSTACK,
)
"""Themes whose sentences tell both counts."""


@st.composite
def playable_states(draw: st.DrawFn) -> State:
    """A state of a game that is not over, with or without dice."""
    position = draw(reachable_positions() | positions(playable=True))
    return State(position, draw(match_states(max_length=9)), draw(st.none() | dice()))


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(threads=1, plies=1)


@pytest.fixture(scope="module")
def explained(engine: Engine) -> list[PlayExplanation]:
    """Errors of players who choose among the better half of their plays."""
    random_ = random.Random(1)
    found: list[PlayExplanation] = []
    position = Position.start()
    turns = 0
    while len(found) < 120:
        turns += 1
        state = State(position, random_.choice([MatchState(), MatchState(7, 3, 4)]), random_.choice(ALL_ROLLS))
        decision = engine.rank(state)
        if len(decision) > 3:
            worse = random_.choice(decision[1 : len(decision) // 2 + 1])
            if worse.difference < -0.05:
                found.append(explain_decision_of(engine, decision, worse))
        position = decision[0].play.result if decision else position.swapped()
        if position.is_over or turns % 30 == 0:
            position = Position.start()
    return found


def explain_decision_of(engine: Engine, decision: Any, worse: RankedPlay) -> PlayExplanation:
    explanation = explain_decision(engine, decision, worse.play)
    assert isinstance(explanation, PlayExplanation)
    return explanation


def plain_value(theme: Theme, figures: dict[str, Any], board: rules.Board) -> float | None:
    """The figure of a theme, counted plainly on a board, the player's checkers first; None for themes of rolls."""
    standing = plain_standing(*board)
    simple = {
        Theme.RUN: "behind",
        Theme.BOARD: "home_points",
        Theme.TIMING: "timing",
        Theme.BEAR_OFF: "on_board",
        Theme.CROSS_OVER: "crossovers",
        Theme.RACE: "pips",
        Theme.FILL_GAP: "gaps",
        Theme.COME_HOME: "home_pips",
        Theme.RUN_NOW: "behind",
    }
    if theme in (Theme.SAVE_GAMMON, Theme.WIN_GAMMON):
        name = {"pips until all are home": "home_pips", "crossovers left": "crossovers", "checkers left": "on_board"}
        return float(standing[name[figures["of"]]]) if figures["of"] in name else None
    if theme in (Theme.CONTACT, Theme.NO_CONTACT):
        contact = max(board[0]) + max(board[1]) > 25
        return float(contact == (theme is Theme.CONTACT))
    if theme in simple:
        return float(standing[simple[theme]])
    if theme in (Theme.MAKE_POINT, Theme.KEEP_POINT, Theme.MAKE_ANCHOR, Theme.KEEP_ANCHOR, Theme.ADVANCE_ANCHOR):
        return float(board[0].count(figures["point"]) > 1)
    if theme in (Theme.HIT, Theme.HIT_LOOSE, Theme.POINT_ON, Theme.DOUBLE_HIT, Theme.PICK_AND_PASS, Theme.TEMPO):
        return float(board[1].count(25))
    if theme is Theme.TIDY:
        return float(len(standing["home_blots"]))
    if theme in (Theme.BUILDERS, Theme.ANCHOR_CHANCES, Theme.AIM, Theme.PAY_NOW, Theme.NEXT_SAFE, Theme.DIVERSIFY):
        name = {
            Theme.BUILDERS: "making",
            Theme.ANCHOR_CHANCES: "anchoring",
            Theme.AIM: "hitting",
            Theme.PAY_NOW: "exposed",
            Theme.NEXT_SAFE: "exposed",
            Theme.DIVERSIFY: "good",
        }
        return float(plain_next_roll(board, by_the_package)[name[theme]])
    return None


def boards_of(explanation: PlayExplanation, reason: Reason) -> tuple[rules.Board, rules.Board]:
    """The boards after the play that a reason favours and after the other, the player's checkers first."""
    plays = (explanation.first, explanation.second)
    ordered = plays if reason.favours == 0 else plays[::-1]
    one, other = (rules.from_rows(entry.play.result.theirs, entry.play.result.mine) for entry in ordered)
    return one, other


def test_the_figures_of_every_reason_are_those_of_the_boards(explained: list[PlayExplanation]) -> None:
    checked = 0
    for explanation in explained:
        for reason in (*explanation.reasons.named, *explanation.reasons.counter):
            boards = boards_of(explanation, reason)
            values = tuple(plain_value(reason.theme, reason.figures, board) for board in boards)
            if values[0] is not None:
                assert values == (reason.figures["value"], reason.figures["other_value"])
                assert values[0] != values[1]
                checked += 1
    assert checked > 60


def test_rolls_that_are_named_do_what_is_said(explained: list[PlayExplanation]) -> None:
    checked = 0
    for explanation in explained:
        for reason in explanation.reasons.named:
            if reason.theme is not Theme.SAFETY or explanation.played_on:
                continue
            counts = []
            for account in (explanation.ledger.first, explanation.ledger.second):
                bar = account.after.theirs[24]
                counts.append(sum(e.dice.weight for e in account.rolls if e.result.mine[24] > bar))
            assert counts == [reason.figures["value"], reason.figures["other_value"]]
            assert counts[0] < counts[1]
            assert reason.rolls is not None
            rows = [row for row in explanation.ledger.rows if row.dice in reason.rolls.rolls]
            left = explanation.ledger.difference - sum(row.contribution for row in rows)
            assert left == pytest.approx(explanation.ledger.difference - reason.contribution, abs=1e-9)
            checked += 1
    assert checked > 10


def test_words_tell_the_gap_and_the_figures(explained: list[PlayExplanation]) -> None:
    for explanation in explained:
        words = explanation.words
        assert f"{explanation.gap:.3f}" in words
        assert all(name in words for name in explanation.names)
        assert words.count(". ") <= 3
        if not explanation.reasons.named:
            assert "no reason is given" in words
            continue
        first = explanation.reasons.named[0]
        gain = f"{first.contribution:.3f}"
        if first.contrast is not None and not explanation.too_close:
            # What moves gain over not making them is told unless it is far more than the difference.
            assert (gain in words) == (first.share <= MOST_WORTH) or words.count(gain) > 1
        if first.theme in COUNTED and not explanation.too_close:
            assert all(str(first.figures[name] or "no") in words for name in ("value", "other_value"))


def test_most_errors_get_a_reason(explained: list[PlayExplanation]) -> None:
    told = [explanation for explanation in explained if explanation.reasons.named]
    assert len(told) > 0.8 * len(explained)
    assert sum(explanation.reasons.explained for explanation in explained) > 0.6 * len(explained)


def test_everything_is_plain_data(explained: list[PlayExplanation]) -> None:
    data = json.loads(json.dumps(explained[0].to_dict()))
    assert {"words", "reasons", "ledger", "outcomes", "facts", "counterfactuals"} <= set(data)
    assert sum(row["contribution"] for row in data["ledger"]["rows"]) == pytest.approx(data["ledger"]["difference"])


def test_the_five_point_is_the_reason_of_three_one() -> None:
    explanation = kibitz.explain(START, "31", "24/20", plies=1, threads=1)
    assert isinstance(explanation, PlayExplanation)
    first = explanation.reasons.named[0]
    assert (first.theme, first.figures["point"]) == (Theme.MAKE_POINT, 5)
    assert "makes the 5 point" in explanation.words


def test_a_gap_below_two_standard_errors_gets_no_reason(engine: Engine) -> None:
    decision = engine.rank(State(Position.start(), dice=kibitz.Dice(3, 1)))
    first, second = (replace(entry, standard_error=0.2) for entry in decision[:2])
    explanation = explain_pair(engine, decision, first, second)
    assert explanation.too_close
    assert "too close to call" in explanation.words


def test_the_better_play_comes_first_however_they_are_given(engine: Engine) -> None:
    one = kibitz.explain(START, "31", "24/20", "8/5 6/5", engine=engine)
    other = kibitz.explain(START, "31", "8/5 6/5", "24/20", engine=engine)
    assert isinstance(one, PlayExplanation)
    assert one.words == other.words
    assert one.names == ("8/5 6/5", "24/20")


def test_the_need_of_a_fact_by_chance_is_the_mean_over_all_ways_to_deal_it(engine: Engine) -> None:
    state = State(Position.start(), dice=kibitz.Dice(6, 4))
    decision = engine.rank(state)
    first, second = decision[0], decision[-1]
    controls = Controls(decision, first, second)
    measure = next(point_measure(p) for p in range(1, 25) if 0 < _having(controls, p) < len(controls.plays))
    values = (1.0, 0.0)
    need = controls.need(measure, values)
    having = _having(controls, measure.point)
    span = first.equity - second.equity
    losses = [min(1.0, max(0.0, (first.equity - equity) / span)) for _, equity in controls.plays]
    deals = []
    for dealt in combinations(range(len(losses)), having):
        lacking = [loss for index, loss in enumerate(losses) if index not in dealt]
        deals.append(min(lacking, default=1.0))
    assert need.by_chance == pytest.approx(sum(deals) / len(deals))


def _having(controls: Controls, point: int) -> int:
    return sum(result.theirs[point - 1] >= 2 for result, _ in controls.plays)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((START, "31", "24/10"), "not legal"),
        ((START, "31", "24/20", "24/20"), "two different plays"),
        ((START, "31", "24/20", "8/5 6/5", "13/9"), "at most two plays"),
        ((START, None, "jump"), "expected a cube action"),
        ((START, None, "double", "take"), "at most one cube action"),
    ],
)
def test_bad_questions_get_one_clear_line(engine: Engine, arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(KibitzError, match=message):
        kibitz.explain(*arguments, engine=engine)


def test_every_theme_has_its_sentence_and_another_language_can_replace_it(explained: list[PlayExplanation]) -> None:
    assert all(theme.value in ENGLISH for theme in Theme)
    better = {"better": "{first} ist um {gap} besser als {second} ({level})", "it": "er", "cubeful": "mit Würfel"}
    german = Catalogue({**ENGLISH, **better})
    told = next(explanation for explanation in explained if not explanation.too_close)
    words = play_words(told, german)
    assert "besser als" in words
    assert "(mit Würfel, 1 ply)" in words


@settings(max_examples=60)
@given(playable_states())
def test_whatever_is_asked_is_explained_or_refused_in_one_line(state: State) -> None:
    engine = Engine(threads=1, plies=1, cache_mb=1.0)
    try:
        explanation = kibitz.explain(state, engine=engine)
    except KibitzError as error:
        assert "\n" not in str(error)
    else:
        assert explanation.words
        json.dumps(explanation.to_dict())


def test_an_explanation_comes_back_from_json(engine: Engine, explained: list[PlayExplanation]) -> None:
    for explanation in explained:
        data = json.loads(json.dumps(explanation.to_dict()))
        again = explanation_from_dict(data)
        assert isinstance(again, PlayExplanation)
        assert again == explanation
        assert again.words == explanation.words
        assert json.loads(json.dumps(again.to_dict())) == data
        for account in (explanation.ledger.first, explanation.ledger.second):
            assert type(account).from_dict(account.to_dict()) == account
    for chosen in (None, "double", "take"):
        cube = kibitz.explain(START, None, *([] if chosen is None else [chosen]), engine=engine)
        data = json.loads(json.dumps(cube.to_dict()))
        assert explanation_from_dict(data) == cube
        assert explanation_from_dict(data).words == cube.words
