"""What the user adds stays: notes, tags, names; also when a match goes, and whatever characters are in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import kibitz
from kibitz import Library, Position
from kibitz.errors import LibraryError
from kibitz.formats.limits import printable
from kibitz.library.notes import Target
from tests.library.samples import random_match

HOSTILE = (
    "Robert'); DROP TABLE match;--",
    '<script>alert("x")</script>',
    "{{7*7}} %s %(name)s ${HOME}",
    "zero\0byte",
    "half \udcff character",
    "נועה ‮ 😀 \u200b",
    "../../etc/passwd",
    "=cmd|' /C calc'!A0",
    "x" * 5000,
)


def test_notes_and_tags_of_a_deleted_match_stay(changing: Library) -> None:
    library = changing
    decision = library.decisions(kind="checker")[5]
    library.notes.add(Target(decision_id=decision.id), "I should have hit.")
    library.notes.add(Target(match_id=decision.match_id), "Played late at night.")
    library.notes.tag(Target(decision_id=decision.id), "timing")
    library.notes.tag(Target(decision_id=decision.id), "timing")
    library.notes.collect("hits", [decision.id])
    assert library.notes.tags() == {"timing": 1}
    assert [one.id for one in library.decisions(tag="timing")] == [decision.id]
    assert [one.id for one in library.decisions(noted=True)] == [decision.id]
    before = library.statistics(player="me")
    gone = library.statistics(player="me", match=decision.match_id)
    library.delete(decision.match_id)
    with pytest.raises(LibraryError):
        library.info(decision.match_id)
    notes = {note.text: note for note in library.notes.all()}
    assert set(notes) == {"I should have hit.", "Played late at night."}
    kept = notes["I should have hit."]
    assert kept.position_id == decision.position_id
    assert ("Ada" in kept.about and "Cleo" in kept.about) or "Ben" in kept.about
    assert library.notes.tags() == {"timing": 1}
    assert library.notes.collections() == {"hits": 1}
    assert library.statistics(player="me").decisions == before.decisions - gone.decisions
    assert [note.text for note in library.notes.all(Target(position=decision.state.position))] == [kept.text]


def test_notes_go_with_the_match_if_asked_to(changing: Library) -> None:
    decision = changing.decisions()[5]
    changing.notes.add(Target(decision_id=decision.id), "x")
    changing.notes.tag(Target(match_id=decision.match_id), "y")
    changing.delete(decision.match_id, with_notes=True)
    assert changing.notes.all() == []
    assert changing.notes.tags() == {"y": 0}


def test_a_match_that_was_deleted_can_come_again(library: Library, tmp_path: Path) -> None:
    kibitz.save(random_match(1, length=1), tmp_path / "match.mat")
    (first,) = library.add_files([tmp_path]).files
    assert first.match_id is not None
    library.delete(first.match_id)
    (again,) = library.add_files([tmp_path]).files
    assert again.outcome == "new"


def test_notes_are_changed_and_removed(library: Library) -> None:
    note = library.notes.add(Target(position=Position.start()), "The opening.")
    library.notes.change(note, "Where it all begins.")
    assert [(one.text, one.origin) for one in library.notes.all()] == [("Where it all begins.", "user")]
    library.notes.remove(note)
    assert library.notes.all() == []
    with pytest.raises(LibraryError, match="no note"):
        library.notes.remove(note)
    with pytest.raises(LibraryError, match="no note"):
        library.notes.change(note, "x")
    with pytest.raises(LibraryError, match="no decision"):
        library.notes.add(Target(decision_id=12345), "x")
    with pytest.raises(LibraryError, match="only one of them"):
        Target(match_id=1, decision_id=2)


def test_comments_of_files_are_notes_of_their_own_origin(library: Library, tmp_path: Path) -> None:
    match = random_match(5, length=1)
    game = match.games[0]
    spoken = replace(game.actions[3], comment="A joker!\nReally.")
    commented = replace(
        match,
        comments=("A friendly match.",),
        games=(replace(game, actions=(*game.actions[:3], spoken, *game.actions[4:])), *match.games[1:]),
    )
    for name in ("a.json", "b.json"):
        kibitz.save(replace(commented, event=name), tmp_path / name)
    assert library.add_files([tmp_path]).counts["merged"] == 1
    notes = library.notes.all()
    assert sorted((note.text, note.origin) for note in notes) == [
        ("A friendly match.", "file"),
        ("A joker!\nReally.", "file"),
    ]
    (info,) = library.matches()
    assert library.match(info.id).games[0].actions[3].comment == "A joker!\nReally."
    assert library.match(info.id).comments == ("A friendly match.",)
    library.delete(info.id)
    assert library.notes.all() == [], "what a file said goes with its match"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(library: Library, name: str, tmp_path: Path) -> None:
    match = replace(random_match(6, length=1), players=(name, "Ben"), event=name, comments=(name,))
    (added,) = [library.add(match)]
    info = library.info(added.match_id)
    clean = name.replace("\0", "\ufffd").replace("\udcff", "?").strip()
    assert info.players[0] == clean
    assert info.event.strip() == clean
    assert library.players.find(name) == info.player_ids[0]
    library.players.set_me(name)
    assert library.matches(player=name) == library.matches(player="me")
    assert [note.text.strip() for note in library.notes.all()] == [clean]
    library.notes.tag(Target(match_id=info.id), name)
    assert library.decisions(tag=clean.strip())
    library.notes.collect(name, [library.decisions()[0].id])
    assert library.decisions(collection=clean)
    assert library.match(info.id).players == (clean, "Ben")
    kibitz.save(library.match(info.id), tmp_path / "out.json")
    assert kibitz.load(tmp_path / "out.json").players[0] == printable(clean)


def test_players_have_many_names(library: Library) -> None:
    library.add(random_match(1, length=1, players=("Ada L.", "Ben")))
    library.add(random_match(2, length=1, players=("ben", "ADA  l.")))
    library.add(random_match(3, length=1, players=("Ada Lovelace", "Cleo")))
    names = {one.name: one.matches for one in library.players.all()}
    assert names == {"Ada L.": 2, "Ben": 2, "Ada Lovelace": 1, "Cleo": 1}
    library.players.set_me("Ada Lovelace")
    library.players.merge("Ada L.", "Ada Lovelace", "Countess")
    everyone = {one.name: one for one in library.players.all()}
    assert everyone["Ada L."].matches == 3
    assert everyone["Ada L."].is_me
    assert everyone["Ada L."].aliases == ("ada l.", "ada lovelace", "countess")
    assert len(library.matches(player="me")) == 3
    library.players.rename("Ada L.", "Ada")
    assert library.players.find("Ada") == library.players.find("countess")
    with pytest.raises(LibraryError, match="is between the two"):
        library.players.merge("Ada", "Ben")
    url = library.database.url.render_as_string(hide_password=False)
    with Library(url, owner="other") as other, pytest.raises(LibraryError, match='known as "me"'):
        other.players.find("me")


def test_another_library_is_taken_over_whole(library: Library, reviewed: Library) -> None:
    report = library.merge(reviewed)
    assert report.counts["new"] == len(reviewed.matches())
    library.players.set_me("Ada")
    ours, theirs = library.statistics(player="me"), reviewed.statistics(player="me")
    assert ours.decisions == theirs.decisions
    assert ours.pr == pytest.approx(theirs.pr, abs=1e-9)
    assert library.merge(reviewed).counts["merged"] == len(reviewed.matches())
    assert library.statistics(player="me").decisions == theirs.decisions
    first, second = library.matches()[0], reviewed.matches()[0]
    assert library.review_of(first.id).statistics(0).pr == reviewed.review_of(second.id).statistics(0).pr
    assert library.review("fast", threads=1).reviewed == 0


def test_a_merge_brings_all_that_the_user_added(changing: Library, library: Library) -> None:
    """Given two libraries, when one takes the other over, twice, then all that was added there is here, once."""
    pytest.importorskip("fsrs")
    from kibitz.library.filters import DecisionFilter
    from kibitz.study.decks import Study

    theirs, mine = changing, library
    decision = theirs.decisions(kind="checker", player="me", at_least=0.02)[0]
    theirs.players.merge("Ada", "Adele")
    theirs.notes.tag(Target(decision_id=decision.id), "timing")
    theirs.notes.tag(Target(match_id=decision.match_id), "late")
    theirs.notes.tag(Target(position=Position.start()), "start")
    theirs.notes.collect("hits", [decision.id])
    theirs.notes.save_search("my blunders", DecisionFilter(player="me", at_least=0.08))
    theirs.notes.add(Target(position=Position.start()), "The opening.")
    study = Study(theirs)
    study.create("errors", DecisionFilter(player="me", at_least=0.05), most=5)
    first = study.cards("errors")[0]
    study.answer(first, first.question.rows[0].name)
    mine.add(theirs.match(theirs.matches()[-1].id, analyses=False))  # numbers differ from theirs
    for _ in range(2):
        mine.merge(theirs)
        assert mine.players.find("adele") == mine.players.me()
        assert mine.notes.tags() == theirs.notes.tags() == {"late": 1, "start": 1, "timing": 1}
        (found,) = mine.decisions(collection="hits")
        assert (found.state, found.chosen, found.player) == (decision.state, decision.chosen, decision.player)
        assert mine.decisions(tag="timing") == [found]
        assert len(mine.matches()) == len(theirs.matches())
        assert mine.notes.searches() == theirs.notes.searches()
        assert [note.text for note in mine.notes.all(Target(position=Position.start()))] == ["The opening."]
        cards = Study(mine).cards("errors")
        assert [(card.question, card.state) for card in cards] == [
            (card.question, card.state) for card in study.cards("errors")
        ]
        assert [one["lost"] for one in Study(mine).history("errors")] == [0.0]
    assert mine.decisions(wanted=DecisionFilter(player="me"), order="lost")[0].lost is not None


def test_the_tags_of_a_deleted_match_become_a_note(changing: Library) -> None:
    match = changing.matches()[0]
    changing.notes.tag(Target(match_id=match.id), "final")
    changing.notes.tag(Target(match_id=match.id), "on clock")
    changing.delete(match.id)
    assert [(note.text, note.about, note.origin) for note in changing.notes.all()] == [
        ("tagged: final, on clock", str(match), "user")
    ]
