"""The tutor says before a decision what the review says after it."""

from __future__ import annotations

import pytest

from kibitz import Engine, Position, review
from kibitz.analysis.decisions import Kind
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.cube import Owner
from kibitz.play.live_match import Choice, LiveMatch
from kibitz.play.players import EnginePlayer
from kibitz.play.tutor import Tutor
from kibitz.record import Game, Match, Rules, Setup

ENGINE = Engine(plies=0, threads=1)
SETTINGS = ReviewSettings(level=ReviewLevel.of("fast"))
# The player on roll is far ahead in the race: double, pass.
AHEAD = Position.of({6: 3, 5: 3, 4: 3, 3: 2, 7: 2, 8: 2}, {8: 3, 7: 3, 6: 3, 5: 3, 4: 2, 9: 1})


def at(position: Position, *, on_roll: int = 0, rules: Rules | None = None) -> LiveMatch:
    game = Game(actions=(Setup(on_roll, position, Owner.CENTRED, 1),))
    return LiveMatch(Match(("Ada", "Ben"), 0, (game,), rules or Rules()), seed=3)


def test_it_says_of_every_decision_what_the_review_says() -> None:
    live, tutor = LiveMatch(Match(("Ada", "Ben"), 3), seed=11), Tutor(ENGINE, SETTINGS)
    player = EnginePlayer(ENGINE, "beginner", seed=4)
    before = []
    while not live.is_over:
        if live.result is not None:
            live.next_game()
        choices, state = live.choices, live.state
        if Choice.PLAY in choices:
            plays = live.plays
            play = player.play(state, live.number) if len(plays) > 1 else None
            found = tutor.analyse(live, "play", play) if play is not None else None
            live.act("play", play if play is not None else plays[0] if plays else None)
        elif Choice.TAKE in choices:
            choice = "take" if player.take(state) else "pass"
            found = tutor.analyse(live, choice)
            live.act(choice)
        else:
            choice = "double" if Choice.DOUBLE in choices and player.double(state) else "roll"
            found = tutor.analyse(live, choice)
            live.act(choice)
        if found is not None:
            before.append(found)
    reviewed = review(live.match, level="fast", engine=ENGINE)
    after = [one for one in reviewed.decisions if not one.is_forced]
    assert [(one.kind, one.chosen, round(one.lost, 6)) for one in before] == [
        (one.kind, one.chosen, round(one.lost, 6)) for one in after
    ]
    assert any(one.is_error for one in before)
    assert {Kind.CHECKER, Kind.CUBE} <= {one.kind for one in before}


def test_asking_changes_nothing() -> None:
    live, tutor = at(AHEAD), Tutor(ENGINE, SETTINGS)
    before = live.match, live.state, live.choices
    tutor.analyse(live, "roll")
    tutor.analyse(live, "double")
    assert (live.match, live.state, live.choices) == before


def test_it_objects_to_errors_alone() -> None:
    tutor = Tutor(ENGINE, SETTINGS)
    missed = tutor.objects(at(AHEAD), "roll")
    assert missed is not None
    assert missed.verdict == "double, pass"
    assert tutor.objects(at(AHEAD), "double") is None
    doubled = at(AHEAD, on_roll=1)
    doubled.act("double")
    wrong = tutor.objects(doubled, "take")
    assert wrong is not None
    assert (wrong.name, wrong.flaw) == ("Ada", "wrong take")
    assert tutor.objects(doubled, "pass") is None
    live = at(Position.start().play("8/5 6/5"))
    live.act("roll")
    worst = ENGINE.rank(live.state)[-1].play
    assert tutor.objects(live, "play", worst) is not None
    assert tutor.objects(live, "play", ENGINE.rank(live.state)[0].play) is None


@pytest.mark.parametrize("choice", ["resign", "accept", "nonsense"])
def test_where_nothing_is_decided_nothing_is_said(choice: str) -> None:
    assert Tutor(ENGINE, SETTINGS).analyse(at(AHEAD), choice) is None


def test_a_beaver_and_its_answer_are_analysed() -> None:
    tutor = Tutor(ENGINE, SETTINGS)
    live = at(AHEAD.swapped(), on_roll=1, rules=Rules(jacoby=True, beavers=True))
    live.act("double")  # far behind: a beaver at once
    missed = tutor.objects(live, "take")
    assert missed is not None
    assert missed.best.name == "beaver"
    assert tutor.objects(live, "beaver") is None
    live.act("beaver")
    raccoon = tutor.objects(live, "raccoon")
    assert raccoon is not None
    live.act("raccoon")
    assert tutor.analyse(live, "take") is None  # nothing is recorded of it
