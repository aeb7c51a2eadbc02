"""The decision model: what follows from its numbers, and that its dictionaries lose nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz import Cube, Dice, Engine, MatchState, Offer, Owner, Play, Position, State, _core
from kibitz.decision import (
    CLOSE,
    AnalysisLevel,
    ChanceErrors,
    CubeAction,
    CubeChances,
    CubeDecision,
    CubePoints,
    Evaluation,
    PlayDecision,
    PositionClass,
    Question,
    RankedPlay,
    ResignationDecision,
    question_of,
)
from kibitz.errors import EngineError, KibitzError

START = Position.start()
LEVEL = AnalysisLevel.searched(0)
CHANCES = Evaluation(0.6, 0.2, 0.01, 0.1, 0.005)


@pytest.fixture(scope="module")
def engine() -> Engine:
    """Evaluates by pips and blots alone."""
    return Engine(evaluator=_core.MockEvaluator(), threads=1, plies=0)


def made(
    no_double: float,
    take: float,
    match: MatchState | None = None,
    *,
    drop: float = 1.0,
    offer: Offer = Offer.NONE,
    available: bool = True,
    mwc: CubeChances | None = None,
) -> CubeDecision:
    state = State(START, match or MatchState(), offer=offer)
    return CubeDecision(state, no_double, take, drop, CHANCES, LEVEL, 0.25, available=available, mwc=mwc)


# --- questions --------------------------------------------------------------------------------------------------------


def test_every_state_asks_its_own_question() -> None:
    state = State(START)
    assert question_of(state) is Question.DOUBLE
    assert question_of(replace(state, dice=Dice(3, 1))) is Question.PLAY
    for offer in (Offer.DOUBLE, Offer.BEAVER, Offer.RACCOON):
        assert question_of(replace(state, offer=offer)) is Question.TAKE
    for size, offer in enumerate((Offer.RESIGN_SINGLE, Offer.RESIGN_GAMMON, Offer.RESIGN_BACKGAMMON), start=1):
        assert question_of(replace(state, offer=offer)) is Question.RESIGNATION
        assert Offer.resignation(size) is offer
        assert ResignationDecision(replace(state, offer=offer), 1.0, 0.5, LEVEL).size == size


# --- cube decisions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("no_double", "take", "beavers", "action"),
    [
        (0.3, 0.1, False, "no double, take"),
        (0.5, 0.7, False, "double, take"),
        (0.9, 1.2, False, "double, pass"),
        (1.1, 1.3, False, "too good to double, pass"),
        (1.05, 0.95, False, "too good to double, take"),
        (0.7, 0.7, False, "optional double, take"),
        (1.0, 1.3, False, "optional double, pass"),
        (-0.1, -0.4, False, "no double, take"),
        (-0.1, -0.4, True, "no double, beaver"),
        (-0.5, -0.1, True, "double, beaver"),
    ],
)
def test_the_proper_action_in_words(no_double: float, take: float, beavers: bool, action: str) -> None:
    assert made(no_double, take, MatchState(beavers=beavers)).action == action


def test_redoubles_are_called_so_and_errors_are_told() -> None:
    decision = made(0.5, 0.7, MatchState(cube=Cube(2, Owner.MINE)))
    assert decision.action == decision.best == "redouble, take"
    assert decision.errors == pytest.approx({"no_double": -0.2, "double": 0.0, "take": 0.0, "pass": -0.3})
    passed = made(0.9, 1.2)
    assert passed.errors == pytest.approx({"no_double": -0.1, "double": 0.0, "take": -0.2, "pass": 0.0})
    assert made(0.3, 0.1).errors == pytest.approx({"no_double": 0.0, "double": -0.2, "take": 0.0, "pass": -0.9})


def test_a_cube_that_is_not_available_is_left_alone() -> None:
    decision = made(0.3, 0.9, available=False)
    assert (decision.double, decision.optional, decision.too_good) == (False, False, False)
    assert decision.action == "cube not available"
    assert decision.equity == 0.3
    assert decision.errors == {"no_double": 0.0}
    assert not decision.is_close()
    assert made(1.5, 0.9, available=False).too_good is False


def test_what_doubling_is_worth() -> None:
    assert (made(0.5, 0.7).doubled, made(0.5, 0.7).equity) == (0.7, 0.7)
    assert (made(0.9, 1.2).doubled, made(0.9, 1.2).equity) == (1.0, 1.0)
    assert (made(1.1, 1.2).equity, made(1.1, 1.2).too_good) == (1.1, True)
    beavered = made(-0.1, -0.4, MatchState(beavers=True))
    assert (beavered.taken, beavered.doubled, beavered.beaver) == (-0.8, -0.8, True)
    assert beavered.errors["pass"] == pytest.approx(-1.8)


def test_a_decision_is_close_when_a_player_can_get_it_wrong() -> None:
    assert made(0.5, 0.5 - CLOSE + 1e-6).is_close()
    assert not made(0.5, 0.5 - CLOSE - 1e-6).is_close()
    assert made(0.5, 0.5 - CLOSE - 1e-6).is_close(CLOSE + 0.1)
    assert made(1.0 + CLOSE - 1e-6, 1.5).is_close() and not made(1.0 + CLOSE + 1e-6, 1.5).is_close()


def test_the_answer_is_asked_of_the_taker() -> None:
    for take, answer in ((0.7, CubeAction.TAKE), (1.2, CubeAction.PASS)):
        decision = made(0.5, take, offer=Offer.DOUBLE)
        assert decision.question is Question.TAKE
        assert decision.answer is answer
        assert decision.best == answer.value
    assert made(0.5, 0.7).question is Question.DOUBLE
    rolled = replace(made(0.5, 0.7), state=State(START, dice=Dice(3, 1)))
    assert rolled.question is Question.DOUBLE


def test_actions_are_ranked_for_the_one_who_decides() -> None:
    chances = CubeChances(0.55, 0.62, 0.70, 0.54)
    decision = made(0.5, 0.7, MatchState(length=7), mwc=chances)
    doubling = decision.doubling()
    assert [(one.action, one.equity, one.mwc) for one in doubling] == [
        (CubeAction.DOUBLE, 0.7, 0.62),
        (CubeAction.NO_DOUBLE, 0.5, 0.55),
    ]
    assert all(one.evaluation == CHANCES and one.plies == 0 for one in doubling)
    take, drop = decision.answering()
    assert (take.action, take.equity) == (CubeAction.TAKE, -0.7)
    assert (drop.action, drop.equity) == (CubeAction.PASS, -1.0)
    assert [take.mwc, drop.mwc] == pytest.approx([0.38, 0.30])
    assert take.evaluation == CHANCES.swapped() and drop.evaluation is None and drop.plies is None
    assert decision.equity_mwc == 0.62
    assert replace(decision, available=False).equity_mwc == 0.55
    assert replace(decision, double_take=1.3, mwc=replace(chances, double_take=0.8)).equity_mwc == 0.70
    assert made(0.5, 0.7).equity_mwc is None


def test_beavers_are_offered_where_they_are_allowed() -> None:
    money = made(-0.1, -0.4, MatchState(beavers=True))
    assert [one.action for one in money.answering()] == [CubeAction.BEAVER, CubeAction.TAKE, CubeAction.PASS]
    assert money.answering()[0].equity == pytest.approx(0.8)
    assert [one.evaluation for one in money.answering()] == [CHANCES.swapped(), CHANCES.swapped(), None]
    assert CubeAction.BEAVER not in {one.action for one in made(-0.1, -0.4).answering()}
    assert made(-0.1, -0.4).answering(beavers=True)[0].action is CubeAction.BEAVER
    assert [(one.action, one.equity) for one in made(0.6, 0.5).countering()] == [
        (CubeAction.RACCOON, 2.0),
        (CubeAction.ACCEPT_BEAVER, 1.0),
        (CubeAction.PASS, -2.0),
    ]


def test_the_take_point_is_what_the_cash_point_leaves() -> None:
    points = CubePoints.of((0.6, 0.75, float("nan")))
    assert (points.double_point, points.cash_point, points.too_good_point) == (0.6, 0.75, None)
    assert points.take_point == 0.25
    assert CubePoints().take_point is None
    assert CubePoints.from_dict(points.to_dict()) == points


NEAR, FAR = 0.9e-5, 1.1e-5
"""What still counts as the same equity, and what does not."""


@pytest.mark.parametrize(
    ("take", "takes"), [(1.0 - FAR, True), (1.0, True), (1.0 + NEAR, True), (1.0 + FAR, False), (1.2, False)]
)
def test_taking_is_right_until_it_costs_more_than_nothing(take: float, takes: bool) -> None:
    decision = made(0.5, take)
    assert decision.take is takes
    assert decision.answer is (CubeAction.TAKE if takes else CubeAction.PASS)


@pytest.mark.parametrize(
    ("no_double", "double", "optional"),
    [(0.6 - FAR, True, False), (0.6 - NEAR, True, True), (0.6 + NEAR, True, True), (0.6 + FAR, False, False)],
)
def test_a_double_is_optional_where_both_are_worth_the_same(no_double: float, double: bool, optional: bool) -> None:
    decision = made(no_double, 0.6)
    assert (decision.double, decision.optional, decision.too_good) == (double, optional, False)


def test_the_borders_belong_to_one_side() -> None:
    """Nobody beavers for nothing, no cube is too good that wins what cashing wins, and 0.16 behind is not close."""
    rules = MatchState(beavers=True)
    assert (made(-0.1, 0.0, rules).beaver, made(-0.1, -1e-9, rules).beaver) == (False, True)
    assert made(1.0, 0.5).too_good is False and made(1.0 + FAR, 0.5).too_good is True
    assert made(0.5, 0.35).is_close() and not made(0.5, 0.33).is_close()
    assert not made(0.5, 0.25).is_close(0.25)
    assert made(0.5, 0.7).errors["double"] == 0.0 == made(0.9, 1.2).errors["double"]


def test_of_equal_actions_the_first_one_stays_first() -> None:
    assert [one.action for one in made(0.5, 0.5).doubling()] == [CubeAction.NO_DOUBLE, CubeAction.DOUBLE]
    assert [one.action for one in made(0.5, 1.0).answering()] == [CubeAction.TAKE, CubeAction.PASS]


def test_match_chances_of_a_double_are_those_of_the_better_answer() -> None:
    assert CubeChances(0.5, 0.6, 0.7).doubled == 0.6
    assert CubeChances(0.5, 0.7, 0.6).doubled == 0.6
    assert CubeChances(0.5, 0.6, 0.7).to_dict() == {
        "no_double": 0.5,
        "double_take": 0.6,
        "double_pass": 0.7,
        "cubeless": None,
    }


# --- resignations -----------------------------------------------------------------------------------------------------


def test_a_resignation_is_accepted_when_it_is_enough() -> None:
    state = State(START, MatchState(length=5), offer=Offer.RESIGN_GAMMON)
    good = ResignationDecision(state, 2.0, 1.5, LEVEL, 0.8, 0.7)
    assert good.accept and good.best == "accept the resignation"
    assert [(one.name, one.equity, one.mwc) for one in good.answering()] == [("accept", 2.0, 0.8), ("refuse", 1.5, 0.7)]
    assert [(one.name, one.equity) for one in good.resigning()] == [("play on", -1.5), ("resign", -2.0)]
    assert good.resigning()[0].mwc == pytest.approx(0.3) and good.resigning()[1].mwc == pytest.approx(0.2)
    assert good.resigning()[0].plies == 0 and good.resigning()[1].plies is None
    bad = replace(good, played_on=2.1)
    assert not bad.accept and bad.best == "decline the resignation and play on"
    assert replace(good, played_on=2.0).accept
    assert ResignationDecision(state, 1.0, 0.5, LEVEL).resigning()[0].mwc is None


# --- plays ------------------------------------------------------------------------------------------------------------


def test_a_ranking_is_a_sequence_of_plays(engine: Engine) -> None:
    ranked = engine.rank(START, "31")
    assert len(ranked) == 16 == len(list(ranked))
    assert ranked[0] in ranked and ranked[:2] == (ranked[0], ranked[1])
    assert ranked.best == str(ranked[0].play) == ranked[0].name
    assert ranked.equity == ranked[0].equity
    found = ranked.find("8/5 6/5")
    assert found is not None and found.play.result == START.play("8/5 6/5", "31")
    assert ranked.find(found.play) is ranked.find(found.play.result) is found
    assert ranked.find(START) is None
    with pytest.raises(KibitzError, match="no play"):
        _ = PlayDecision(State(START, dice=Dice(3, 1)), ()).equity


# --- faces and dictionaries -------------------------------------------------------------------------------------------


def test_every_result_has_a_short_text_and_a_face(engine: Engine) -> None:
    match = MatchState(length=7, my_score=2, their_score=4)
    for state in (
        State(START, match, dice=Dice(3, 1)),
        State(START, match),
        State(START),
        State(START, match, offer=Offer.RESIGN_SINGLE),
        State(Position.of({25: 1, 6: 2}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}), dice=Dice(3, 1)),
    ):
        found = engine.answer(state)
        assert len(str(found).splitlines()) <= 5
        assert "<svg" in found._repr_html_() and "<table" in found._repr_html_()
        assert f"{found.best.split(',')[0]}" in f"{found} {found.best}"
    assert str(made(0.5, 0.7)) == "double, take (no double +0.5000, double/take +0.7000, double/pass +1.0000; 0 plies)"
    assert str(made(0.5, 0.7, available=False)) == "cube not available (no double +0.5000; 0 plies)"
    sure = ResignationDecision(State(START, match, offer=Offer.RESIGN_GAMMON), 2.0, 1.5, LEVEL, confidence=0.87)
    assert str(sure) == "accept the resignation (accepted +2.0000, played on +1.5000; 0 plies; confidence 87 %)"
    assert str(CHANCES) == "wins 60.0 % (20.0, 1.0), loses 40.0 % (10.0, 0.5), cubeless +0.3050"
    assert "60.0 %" in CHANCES._repr_html_()
    assert str(engine.rank(START, "31")[1]).startswith("2. ")


ASKED = State(START, MatchState(length=7), names=("Ada", "Ben"))
ROLLED = replace(ASKED, dice=Dice(3, 1))
JSON_LEVEL = {"engine": "Kibitz", "name": "0-ply", "plies": 0, "cubeful": True, "trials": None}
JSON_CHANCES = {
    "win": 0.6,
    "win_gammon": 0.2,
    "win_backgammon": 0.01,
    "lose_gammon": 0.1,
    "lose_backgammon": 0.005,
    "cubeless_equity": CHANCES.equity,
}


def test_the_dictionary_of_a_cube_decision_has_every_number_in_its_place() -> None:
    points = CubePoints(0.7, 0.8, 0.9), CubePoints(0.71, 0.81, 0.91), CubePoints(0.5, None, None)
    decision = CubeDecision(
        ASKED,
        0.5,
        0.7,
        1.0,
        CHANCES,
        LEVEL,
        0.25,
        True,
        CubeChances(0.5, 0.6, 0.7, 0.4),
        0.01,
        CHANCES,
        *points,
        0.8,
        0.9,
    )
    cubes = ("points", "live_points", "dead_points")
    expected = {
        "question": "double",
        "best": "double, take",
        "confidence": 0.8,
        "state": ASKED.to_dict(),
        "action": "double, take",
        "double": True,
        "take": True,
        "beaver": False,
        "available": True,
        "owner": "centred",
        "no_double": 0.5,
        "double_take": 0.7,
        "double_pass": 1.0,
        "equity": 0.7,
        "cubeless": 0.25,
        "errors": decision.errors,
        "mwc": {"no_double": 0.5, "double_take": 0.6, "double_pass": 0.7, "cubeless": 0.4},
        "plies": 0,
        "standard_error": 0.01,
        "evaluation": JSON_CHANCES,
        "taken_evaluation": JSON_CHANCES,
        "level": JSON_LEVEL,
        "points": {"take_point": 1 - 0.8, "double_point": 0.7, "cash_point": 0.8, "too_good_point": 0.9},
        "live_points": {"take_point": 1 - 0.81, "double_point": 0.71, "cash_point": 0.81, "too_good_point": 0.91},
        "dead_points": {"take_point": None, "double_point": 0.5, "cash_point": None, "too_good_point": None},
        "double_confidence": 0.8,
        "take_confidence": 0.9,
    }
    assert decision.to_dict() == expected
    assert CubeDecision.from_dict(expected) == decision
    other = replace(ASKED, dice=Dice(6, 5))
    assert CubeDecision.from_dict(expected, other) == replace(decision, state=other)
    held = replace(decision, available=False, mwc=None, taken_evaluation=None).to_dict()
    missing = ("double_take", "double_pass", "mwc", "taken_evaluation")
    assert {name: held[name] for name in missing} == dict.fromkeys(missing)
    again = CubeDecision.from_dict(held)  # without numbers of doubling, those of leaving the cube alone
    assert (again.available, again.double_take, again.double_pass) == (False, 0.5, 1.0)
    assert (held["best"], held["equity"], held["errors"]) == ("cube not available", 0.5, {"no_double": 0.0})
    short = {name: value for name, value in expected.items() if "taken" not in name and "confidence" not in name}
    old = CubeDecision.from_dict(short)  # as written before there were any
    assert (old.taken_evaluation, old.double_confidence, old.take_confidence) == (None, None, None)
    assert {name: getattr(old, name) for name in cubes} == dict(zip(cubes, points, strict=True))
    assert str(replace(decision, state=replace(ASKED, offer=Offer.DOUBLE))).endswith("; 0 plies; confidence 90 %)")
    assert str(decision).endswith("; 0 plies; confidence 80 %)")


def test_the_dictionary_of_plays_has_every_number_in_its_place() -> None:
    play = Play(START, Dice(3, 1), START.play("8/5 6/5", "31"))
    first = RankedPlay(play, 0.2, CHANCES, LEVEL)
    assert (first.difference, first.rank, first.mwc, first.standard_error) == (0.0, 1, None, None)
    second = RankedPlay(play, 0.1, CHANCES, LEVEL, -0.1, 2, 0.55, 0.01)
    expected = {
        "question": "play",
        "best": "8/5 6/5",
        "confidence": 0.75,
        "state": ROLLED.to_dict(),
        "plays": [
            {"rank": rank}
            | play.to_dict()
            | {
                "equity": equity,
                "difference": difference,
                "kind": "cubeful",
                "mwc": mwc,
                "plies": 0,
                "standard_error": error,
                "evaluation": JSON_CHANCES,
                "level": JSON_LEVEL,
            }
            for rank, equity, difference, mwc, error in ((1, 0.2, 0.0, None, None), (2, 0.1, -0.1, 0.55, 0.01))
        ],
    }
    decision = PlayDecision(ROLLED, (first, second), 0.75)
    assert decision.to_dict() == expected
    assert PlayDecision.from_dict(expected) == decision
    assert decision.to_dict(top=0)["plays"] == []
    assert str(decision).splitlines() == [
        "1. 8/5 6/5 +0.2000 (confidence 75 %)",
        "2. 8/5 6/5 +0.1000 (-0.1000)",
    ]
    assert len(str(PlayDecision(ROLLED, (first,) * 9)).splitlines()) == 5
    none = PlayDecision(ROLLED, ())
    assert (none.best, str(none), len(none)) == ("no play", "No checker can move.", 0)


def test_the_dictionary_of_a_resignation_has_every_number_in_its_place() -> None:
    state = replace(ASKED, offer=Offer.RESIGN_GAMMON)
    decision = ResignationDecision(state, 2.0, 1.5, LEVEL, 0.8, 0.7, 0.9)
    expected = {
        "question": "resignation",
        "best": "accept the resignation",
        "confidence": 0.9,
        "state": state.to_dict(),
        "size": 2,
        "accept": True,
        "action": "accept the resignation",
        "accepted": 2.0,
        "played_on": 1.5,
        "accepted_mwc": 0.8,
        "played_on_mwc": 0.7,
        "level": JSON_LEVEL,
    }
    assert decision.to_dict() == expected
    assert ResignationDecision.from_dict(expected) == decision
    del expected["confidence"]
    assert ResignationDecision.from_dict(expected).confidence is None
    assert [(one.level, one.evaluation) for one in decision.answering()] == [(None, None), (LEVEL, None)]
    assert "confidence" not in str(replace(decision, confidence=None))


@pytest.mark.parametrize(
    ("chance", "points"),
    [("win", 2.0), ("win_gammon", 1.0), ("win_backgammon", 1.0), ("lose_gammon", -1.0), ("lose_backgammon", -1.0)],
)
def test_the_equity_counts_every_chance(chance: str, points: float) -> None:
    """Of the cubeless money game: a win is two points away from a loss, gammons and backgammons one more each."""
    more = replace(CHANCES, **{chance: getattr(CHANCES, chance) + 0.01})
    assert more.equity - CHANCES.equity == pytest.approx(0.01 * points)
    assert more.swapped().equity == pytest.approx(-more.equity) and more.swapped().swapped() == pytest.approx(more)
    assert CHANCES.lose == pytest.approx(0.4)
    assert Evaluation(0.5, 0, 0, 0, 0).equity == 0.0


def test_a_class_says_who_answers_and_where_a_table_is() -> None:
    table = PositionClass("bearoff one-sided", "table", "one-sided-6x15")
    assert str(table) == "bearoff one-sided, answered by the table one-sided-6x15 in memory"
    assert str(replace(table, on_disk=True)).endswith("on disk")
    assert str(PositionClass("over", "result", "result")) == "over"
    assert str(PositionClass("race", "net", "race net")) == "race, answered by the race net"
    assert table.to_dict() == {
        "name": "bearoff one-sided",
        "source": "table",
        "answered_by": "one-sided-6x15",
        "on_disk": False,
    }
    known = replace(CHANCES, position_class=table)
    assert known == CHANCES and repr(known) == repr(CHANCES)
    with pytest.raises(TypeError):
        Evaluation(0.5, 0.1, 0.0, 0.1, 0.0, table)  # type: ignore[call-arg]  # a class is no sixth chance


def test_levels_say_by_whom_and_how_deep() -> None:
    assert AnalysisLevel.rolled_out(36).to_dict() == {
        "engine": "Kibitz",
        "name": "rollout",
        "plies": None,
        "cubeful": True,
        "trials": 36,
    }
    assert (str(AnalysisLevel("XG")), AnalysisLevel("XG").kind, AnalysisLevel("XG", "4-ply", 3).depth) == (
        "XG",
        "cubeful",
        "3 plies",
    )
    assert str(AnalysisLevel.searched(2)) == "Kibitz 2-ply" and AnalysisLevel.searched(2).depth == "2 plies"
    assert AnalysisLevel.searched(1, cubeful=False).kind == "cubeless" and AnalysisLevel.searched(1).depth == "1 ply"
    rolled = AnalysisLevel.rolled_out(1296)
    assert rolled.is_rollout and rolled.depth == "1296 trials" and str(rolled) == "Kibitz rollout"
    assert not AnalysisLevel.searched(2).is_rollout
    assert AnalysisLevel.searched(2).kind == rolled.kind == "cubeful"  # unless it is said otherwise
    assert AnalysisLevel.rolled_out(36, cubeful=False).kind == "cubeless"
    assert str(AnalysisLevel("XG", "XG Roller+")) == "XG Roller+"
    assert AnalysisLevel("XG", "XG Roller+").depth == "XG Roller+"


def test_errors_that_nobody_knows_are_null() -> None:
    """One game tells no error, and JSON has no word for what is not a number."""
    unknown, known = ChanceErrors(*[float("nan")] * 5), ChanceErrors(0.1, 0.2, 0.3, 0.4, 0.5)
    assert (unknown.known, known.known) == (False, True)
    assert set(unknown.to_dict().values()) == {None}
    assert list(known.to_dict().values()) == [0.1, 0.2, 0.3, 0.4, 0.5]


def test_chances_are_the_same_whoever_told_them(engine: Engine) -> None:
    """Who answered is told beside them, and is no part of what they are."""
    told = engine.evaluate(START)
    assert told.position_class is not None
    bare = Evaluation(*told)
    assert bare == told and bare.position_class is None
    assert "position_class" not in repr(told)


def matches() -> st.SearchStrategy[MatchState]:
    owners = st.sampled_from(Owner)
    return st.builds(
        lambda length, mine, theirs, owner, cube: MatchState(
            length=length,
            my_score=min(mine, max(length - 1, 0)),
            their_score=min(theirs, max(length - 1, 0)),
            cube=Cube(1 if owner is Owner.CENTRED else 2**cube, owner),
        ),
        st.integers(0, 9),
        st.integers(0, 8),
        st.integers(0, 8),
        owners,
        st.integers(1, 3),
    )


@settings(max_examples=50, deadline=None)
@given(match=matches(), roll=st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_dictionaries_lose_nothing(engine: Engine, match: MatchState, roll: tuple[int, int]) -> None:
    plays = engine.rank(State(START, match, dice=Dice(*roll), names=("Ada", "Ben")))
    assert PlayDecision.from_dict(json.loads(json.dumps(plays.to_dict()))) == plays
    cube = engine.cube(State(START, match))
    again = CubeDecision.from_dict(json.loads(json.dumps(cube.to_dict())))
    assert again == (cube if cube.available else replace(cube, double_take=cube.no_double, double_pass=1.0))
    offer = State(START, match, offer=Offer.RESIGN_GAMMON)
    resigned = engine.resignation(offer)
    assert ResignationDecision.from_dict(json.loads(json.dumps(resigned.to_dict()))) == resigned
    assert State.from_dict(json.loads(json.dumps(offer.to_dict()))) == offer


def test_a_dictionary_of_plays_can_be_cut(engine: Engine) -> None:
    data = engine.rank(START, "31").to_dict(top=3)
    assert [one["rank"] for one in data["plays"]] == [1, 2, 3]
    assert data["question"] == "play" and data["best"] == data["plays"][0]["play"]


def test_nobody_resigns_without_an_offer() -> None:
    with pytest.raises(EngineError, match="nobody resigns"):
        _ = ResignationDecision(State(START), 1.0, 0.5, LEVEL).size
