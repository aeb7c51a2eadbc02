"""Each error of a review has its sentence, the one that an explanation of the same decision gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kibitz import Engine, Library
from kibitz.analysis.decisions import Kind
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.review import MatchReview, review
from kibitz.decision import CubeDecision
from kibitz.explain import explain_cube, explain_play
from kibitz.library.filters import DecisionFilter
from kibitz.report.html import page
from kibitz.report.summary import summary

from .samples import mock_engine, short_match, short_review, whole

EXPLAINED = (Kind.CHECKER, Kind.CUBE, Kind.ANSWER)


def test_errors_have_a_sentence_and_nothing_else_has() -> None:
    found = short_review()
    for decision in found.decisions:
        assert bool(decision.reason) == (decision.is_error and decision.kind in EXPLAINED)
        assert decision.is_error or not decision.themes
    assert any(decision.themes for decision in found.decisions)
    assert any(decision.reason for decision in found.decisions if decision.kind in (Kind.CUBE, Kind.ANSWER))


def test_the_sentence_is_that_of_the_explanation() -> None:
    engine = mock_engine()
    for decision in short_review().errors():
        if decision.play is not None:
            explained = explain_play(engine, engine.rank(decision.state), decision.play)
            assert (decision.reason, decision.themes) == (explained.reason, explained.themes)
            assert explained.words.startswith(f"{decision.best.name} is better than {decision.chosen_name} by ")
            if explained.themes:  # without the verdict the better play is named once more
                shared = explained.reason.partition(". ")[2]
                assert explained.words.endswith(shared)
                assert decision.best.name in explained.reason or decision.chosen_name in explained.reason
        elif isinstance(decision.decision, CubeDecision):
            told = explain_cube(engine, decision.decision, str(decision.chosen))
            assert decision.reason == told.reason
            assert told.words.endswith(told.reason)


def test_sentences_are_kept_and_shown() -> None:
    found = short_review()
    again = MatchReview.from_dict(found.to_dict(), found.match)
    assert again.decisions == found.decisions
    worst = found.errors()[0]
    assert " ".join(worst.reason.split()) in " ".join(summary(found, top=1).split())
    assert worst.reason.split(".")[0] in page(found)
    record = next(one for one in found.records() if one["lost"] == worst.lost)
    assert (record["reason"], record["themes"]) == (worst.reason, "; ".join(worst.themes))
    old = found.to_dict()  # as reviews were kept before there were sentences
    for one in old["decisions"]:
        del one["reason"], one["themes"]
    assert [one.reason for one in MatchReview.from_dict(old, found.match).decisions] == [""] * len(found.decisions)


def test_a_review_can_do_without() -> None:
    settings = ReviewSettings(level=whole("fast"), reasons=False)
    found = review(short_match(), engine=mock_engine(), settings=settings, threads=1)
    assert not any(decision.reason for decision in found.decisions)
    assert [one.lost for one in found.decisions] == [one.lost for one in short_review().decisions]
    assert ReviewSettings.from_dict(settings.to_dict()) == settings


def test_threads_change_no_sentence() -> None:
    engine = Engine(threads=1)
    settings = ReviewSettings(level=replace(ReviewLevel.of("default"), search=ReviewLevel.of("2-ply").search))
    one, two = (review(short_match(), engine=engine, settings=settings, threads=number) for number in (1, 2))
    assert [decision.reason for decision in one.decisions] == [decision.reason for decision in two.decisions]


def test_the_library_keeps_the_sentences(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    found = short_review()
    with Library(str(tmp_path / "library.db")) as library:
        number = library.add(found.match).match_id
        library.add_review(number, found, mock_engine())
        kept = library.review_of(number)
        assert [one.reason for one in kept.decisions] == [one.reason for one in found.decisions]
        worst = library.decisions(DecisionFilter(at_least=0.02), order="lost")[0]
        assert library.analyses(worst.id)[0].reason == found.errors()[0].reason
