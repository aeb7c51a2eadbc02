"""Cards: what they ask, how answers are graded, and when they come again."""

from __future__ import annotations

import csv
import io
import json
import random
import sqlite3
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import fsrs
import pytest

from kibitz import Engine, Library
from kibitz.analysis.decisions import Kind
from kibitz.errors import LibraryError, NotationError
from kibitz.explain import explain_decision
from kibitz.library.filters import DecisionFilter
from kibitz.report.svg import draw_state
from kibitz.study.decks import Card, Study
from kibitz.study.export import save, to_apkg, to_csv
from kibitz.study.schedule import STATE_COLUMNS, DeckSettings, after, card_state, new_state

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ERRORS = DecisionFilter(player="me", at_least=0.05)


@pytest.fixture
def study(changing: Library) -> Study:
    return Study(changing)


def test_our_schedule_is_that_of_fsrs_over_ten_thousand_reviews() -> None:
    chance = random.Random(1)
    for number in range(100):
        settings = DeckSettings(retention=chance.choice([0.8, 0.9, 0.95]), maximum_interval=chance.choice([90, 36500]))
        theirs = fsrs.Scheduler(
            desired_retention=settings.retention, maximum_interval=settings.maximum_interval, enable_fuzzing=False
        )
        card = fsrs.Card(card_id=number, due=NOW)
        state = new_state(number, NOW)
        at = NOW
        for _ in range(100):
            rating = fsrs.Rating(chance.randint(1, 4))
            card, _ = theirs.review_card(card, rating, at)
            state = after(settings, number, state, rating, at)
            assert state == card_state(card)
            at = max(at + timedelta(minutes=1), card.due + timedelta(seconds=chance.randint(-3600, 200_000)))


def test_what_cannot_be_found_leaves_no_deck(study: Study) -> None:
    """Given a filter that fails, when a deck is made of it, then there is none."""
    with pytest.raises(LibraryError, match="nobody"):
        study.create("errors", DecisionFilter(player="nobody at all"))
    assert study.decks() == []


def test_the_database_keeps_every_state_exactly(study: Study) -> None:
    """Given a card, when it is answered often, then what is stored is what the package says of the same answers."""
    deck = study.create("errors", ERRORS, DeckSettings(new_per_day=1000), most=3)
    chance = random.Random(2)
    theirs = fsrs.Scheduler(enable_fuzzing=False)
    for card in study.cards(deck.name):
        plain = fsrs.Card(card_id=card.id, due=card.due)
        at = NOW
        for _ in range(20):
            rating = chance.randint(1, 4)
            answered = study.answer(card, card.question.rows[0].name, rating=rating, at=at)
            plain, _ = theirs.review_card(plain, fsrs.Rating(rating), at)
            kept = study.card(card.id)
            assert kept.state == card_state(plain)
            assert answered.due == plain.due == kept.due
            at = plain.due + timedelta(seconds=chance.randint(0, 90_000), microseconds=chance.randint(0, 999_999))
    assert len(study.history(deck.name)) == 60


def test_a_deck_asks_each_error_once_and_grows_with_the_library(study: Study, changing: Library) -> None:
    deck = study.create("errors", ERRORS)
    wanted = {
        (one.kind, one.position_id, str(one.state.dice), one.state.match)
        for one in changing.decisions(ERRORS)
        if one.kind in ("checker play", "double", "answer")
    }
    cards = study.cards("errors")
    assert len(cards) == deck.cards == len(wanted) > 10
    assert study.update("errors") == 0
    assert {card.question.kind for card in cards} <= {Kind.CHECKER, Kind.CUBE, Kind.ANSWER}
    only = study.create("cube", ERRORS.but(kind="double"))
    assert only.cards == sum(card.question.kind is Kind.CUBE for card in cards)
    assert study.create("few", ERRORS, most=2).cards == 2
    with pytest.raises(LibraryError, match="already"):
        study.create("few", ERRORS)
    study.remove("few")
    with pytest.raises(LibraryError, match="no deck"):
        study.deck("few")


def test_cards_outlive_their_match(study: Study, changing: Library) -> None:
    study.create("errors", ERRORS)
    before = study.cards("errors")
    for match in changing.matches():
        changing.delete(match.id)
    assert [card.question for card in study.cards("errors")] == [card.question for card in before]
    assert study.answer(before[0], before[0].question.rows[0].name).lost == 0.0


def test_answers_are_graded_by_what_they_lose(study: Study) -> None:
    settings = DeckSettings(good=0.02, hard=0.05, quick=5.0)
    assert settings.grade(0.0, 3.0) is fsrs.Rating.Easy
    assert settings.grade(0.0, 8.0) is fsrs.Rating.Good
    assert settings.grade(0.0) is fsrs.Rating.Good
    assert settings.grade(0.019, 1.0) is fsrs.Rating.Good
    assert settings.grade(0.04) is fsrs.Rating.Hard
    assert settings.grade(0.06) is fsrs.Rating.Again
    study.create("errors", ERRORS, settings)
    card = next(card for card in study.cards("errors") if card.question.kind is Kind.CHECKER)
    for row in card.question.rows:
        answered = study.answer(card, row.name, practice=True)
        assert answered.lost == pytest.approx(card.question.rows[0].equity - row.equity)
        assert answered.rating == settings.grade(answered.lost).value
    for wrong in ("1/2", "hello", "", "double"):
        with pytest.raises((NotationError, ValueError)):
            study.answer(card, wrong, practice=True)
    for bad in ({"retention": 1.0}, {"good": 0.1}, {"maximum_interval": 0}):
        with pytest.raises(LibraryError):
            DeckSettings(**bad)


def test_a_play_that_is_not_listed_is_asked_of_the_engine(study: Study) -> None:
    from kibitz import Engine

    study.create("errors", ERRORS)
    engine = Engine(threads=1)
    for card in study.cards("errors"):
        if card.question.kind is not Kind.CHECKER:
            continue
        state = card.question.state
        assert state.dice is not None
        listed = {row.play.result for row in card.question.rows}  # type: ignore[union-attr]
        other = next((play for play in state.position.plays(state.dice) if play.result not in listed), None)
        if other is None:
            continue
        name, lost = card.question.lost(str(other), engine)
        assert name == str(other)
        ranked = engine.rank(state, play=other)
        assert lost == pytest.approx(ranked.equity - ranked.find(other).equity, abs=1e-6)  # type: ignore[union-attr]
        worst = card.question.rows[0].equity - card.question.rows[-1].equity
        assert card.question.lost(str(other))[1] == pytest.approx(worst)
        return
    pytest.fail("no card has a play that is not listed")


def test_cube_cards_are_answered_in_words(study: Study) -> None:
    study.create("cube", DecisionFilter(kind="cube"))
    cards = study.cards("cube")
    double = next(card for card in cards if card.question.kind is Kind.CUBE)
    take = next(card for card in cards if card.question.kind is Kind.ANSWER)
    assert study.answer(double, "no double", practice=True).answer == "no double"
    assert study.answer(double, "nd", practice=True).lost == study.answer(double, "no", practice=True).lost
    assert {study.answer(double, word, practice=True).lost == 0.0 for word in ("d", "n")} == {True, False}
    assert study.answer(take, "drop", practice=True).answer == "pass"
    with pytest.raises(NotationError, match="expected"):
        study.answer(take, "double", practice=True)


def everything(library: Library) -> list[tuple[str, list[tuple[object, ...]]]]:
    with library.database.reading() as connection:
        return [
            (table, [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY 1")])
            for table in ("card", "card_review", "deck")
        ]


def test_practice_changes_nothing(study: Study, changing: Library) -> None:
    study.create("errors", ERRORS)
    before = everything(changing)
    for card in study.cards("errors"):
        for row in card.question.rows[:2]:
            assert study.answer(card, row.name, practice=True, seconds=1.0).due is None
    assert everything(changing) == before


def test_what_is_due_comes_first_then_so_many_new_ones_a_day(study: Study) -> None:
    study.create("errors", ERRORS, DeckSettings(new_per_day=3))
    seen: list[int] = []
    at = NOW
    while (card := study.next("errors", at=at)) is not None and len(seen) < 10:
        seen.append(card.id)
        study.answer(card, card.question.rows[0].name, rating=4, at=at)
        at += timedelta(seconds=10)
    assert len(seen) == 3
    assert study.next("errors", at=at) is None
    later = at + timedelta(days=1, hours=1)
    assert (fresh := study.next("errors", at=later)) is not None and fresh.is_new
    much_later = at + timedelta(days=60)
    due = study.next("errors", at=much_later)
    assert due is not None and due.id in seen and not due.is_new
    study.suspend(due.id)
    assert study.next("errors", at=much_later).id != due.id  # type: ignore[union-attr]
    with pytest.raises(LibraryError, match="no card"):
        study.card(99999)


def test_a_collection_becomes_a_deck(study: Study, changing: Library) -> None:
    some = [one.id for one in changing.decisions(ERRORS, order="lost", limit=4)]
    changing.notes.collect("worst", some)
    assert study.create("worst", DecisionFilter(collection="worst")).cards == 4


# --- for other programs -----------------------------------------------------------------------------------------------


@pytest.fixture
def cards(study: Study) -> list[Card]:
    study.create("my errors", ERRORS)
    return study.cards("my errors")


def test_an_anki_package_holds_every_card_with_its_board(cards: list[Card], tmp_path: Path) -> None:
    data = to_apkg("my <errors>", cards, draw_state)
    assert data == to_apkg("my <errors>", cards, draw_state), "the same cards give the same file"
    (tmp_path / "deck.apkg").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "deck.apkg") as archive:
        media = json.loads(archive.read("media"))
        assert len(media) == len(cards)
        pictures = {name: archive.read(number) for number, name in media.items()}
        (tmp_path / "collection.db").write_bytes(archive.read("collection.anki2"))
    assert all(picture.startswith(b"<svg") for picture in pictures.values())
    with sqlite3.connect(tmp_path / "collection.db") as connection:
        notes = connection.execute("SELECT id, mid, guid, flds, sfld FROM notes").fetchall()
        asked = connection.execute("SELECT nid, did, queue, due FROM cards ORDER BY due").fetchall()
        models, decks, version = connection.execute("SELECT models, decks, ver FROM col").fetchone()
    connection.close()
    assert version == 11
    assert len(notes) == len(asked) == len(cards)
    assert {note[0] for note in notes} == {card[0] for card in asked}
    (model,) = json.loads(models).values()
    assert {note[1] for note in notes} == {model["id"]}
    assert {card[1] for card in asked} <= {int(number) for number in json.loads(decks)}
    for _, _, _, fields, _ in notes:
        parts = fields.split("\x1f")
        assert len(parts) == len(model["flds"])
        picture = parts[1].split('"')[1]
        assert picture in pictures


def test_names_are_no_markup_in_a_package(changing: Library) -> None:
    study = Study(changing)
    changing.players.rename("Ben", "<img src=x onerror=alert(1)>")
    study.create("errors", ERRORS)
    cards = study.cards("errors")
    assert any("<img" in card.about for card in cards)
    with zipfile.ZipFile(io.BytesIO(to_apkg("x", cards, draw_state))) as archive:
        text = archive.read("collection.anki2").decode("utf-8", "replace")
    assert "onerror=alert(1)>" not in text
    assert "onerror=alert(1)&gt;" in text


def test_the_reason_is_told_after_the_answer(study: Study) -> None:
    """Given an error, when its card is answered, then the reason speaks of the answer, and else of what was played."""
    study.create("errors", ERRORS)
    engine = Engine(threads=1, plies=1)
    told = 0
    for card in study.cards("errors")[:10]:
        question = card.question
        assert "reason" not in card.to_dict()
        right = study.answer(card, question.rows[0].name, practice=True, engine=engine)
        assert right.reason == question.reason != ""
        assert right.to_dict()["reason"] == right.reason
        worst = question.rows[1].name
        assert study.answer(card, worst, practice=True).reason == question.reason
        wrong = study.answer(card, worst, practice=True, engine=engine).reason
        assert wrong == explain_decision(engine, question.decision, worst).reason
        told += wrong != question.reason
        assert question.reason in to_csv([card])
    assert told
    plays = next(card for card in study.cards("errors") if card.question.kind is Kind.CHECKER)
    silent = replace(plays.question, reason="")  # an analysis of a file knows no reasons
    assert silent.why(silent.rows[0].name) == ""
    assert silent.why(silent.rows[0].name, engine) != ""


def test_cards_as_csv(cards: list[Card], tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(cards))))
    assert len(rows) == len(cards)
    assert rows[0]["position_id"] == cards[0].question.state.position_id
    assert rows[0]["best"] == cards[0].question.solution
    save(tmp_path / "cards.csv", "x", cards, draw_state)
    with pytest.raises(LibraryError, match=r"\.apkg or \.csv"):
        save(tmp_path / "cards.pdf", "x", cards, draw_state)


def test_a_state_of_the_schedule_has_all_its_columns() -> None:
    assert set(new_state(1, NOW)) == set(STATE_COLUMNS)
