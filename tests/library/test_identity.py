"""The same match is one match, whatever the file, the names, the seats and the end of the record."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import kibitz
from kibitz import Library
from kibitz.decision import AnalysisLevel
from kibitz.formats import load
from kibitz.formats.folders import find_files
from kibitz.library.keys import PREFIX, identity, with_seats_swapped
from kibitz.library.notes import Target
from kibitz.record import Action, Roll
from tests.library.samples import cut, random_match, write_all


def test_all_formats_tell_the_same_match(tmp_path: Path) -> None:
    match = random_match(1)
    keys = {suffix: identity(load(path)).prefix_key for suffix, path in write_all(tmp_path, match).items()}
    assert set(keys.values()) == {identity(match).prefix_key}


def test_names_and_seats_do_not_matter_but_dice_do() -> None:
    match = random_match(1)
    known = identity(match)
    assert identity(replace(match, players=("Zoë", "?"), event="x", date="")).full_key == known.full_key
    swapped = identity(with_seats_swapped(match))
    assert swapped.full_key == known.full_key
    assert swapped.first != known.first
    other = identity(random_match(2))
    assert other.prefix_key != known.prefix_key
    assert not other.is_same_match(known)


def test_a_beginning_is_the_same_match_if_it_is_long_enough() -> None:
    match = random_match(1)
    whole = identity(match)
    for rolls in range(3, len(match.games[-1].actions)):
        part = identity(cut(match, rolls))
        assert part.is_same_match(whole) and whole.is_same_match(part)
        assert whole.goes_beyond(part) and not part.goes_beyond(whole)
    first = replace(match, games=match.games[:1])
    assert not identity(cut(first, PREFIX - 1)).is_same_match(whole)
    assert identity(cut(first, PREFIX + 2)).is_same_match(whole)


def test_matches_that_part_are_two() -> None:
    """Given two records with the same first game, when the second games differ, then they are two matches."""
    match, other = random_match(1), random_match(2)
    grafted = replace(match, games=(match.games[0], *other.games[1:]))
    assert identity(grafted).prefix_key == identity(match).prefix_key
    assert not identity(grafted).is_same_match(identity(match))


def test_every_copy_becomes_one_match_with_all_analyses(library: Library, tmp_path: Path) -> None:
    match = random_match(3)
    paths = write_all(tmp_path, match)
    renamed = replace(match, players=("Adele", "Benno"), event="Club night")
    kibitz.save(renamed, tmp_path / "renamed.mat")
    kibitz.save(with_seats_swapped(match), tmp_path / "swapped.mat")
    kibitz.save(cut(match, 5), tmp_path / "cut.mat")
    reviewed = kibitz.review(with_seats_swapped(match), level="fast", threads=1).annotated()
    kibitz.save(reviewed, tmp_path / "analysed.sgf")
    report = library.add_files(find_files([tmp_path]))
    assert report.counts["refused"] == 0
    assert len(library.matches()) == 1, [str(one) for one in library.matches()]
    assert report.counts["new"] == 1
    info = library.matches()[0]
    assert info.event, "what one file does not know another may"
    assert info.games == len(match.games)
    assert (
        library.match(info.id, analyses=False).games == match.bare().games
        or with_seats_swapped(library.match(info.id, analyses=False)).games == match.bare().games
    )
    assert len(library.files(info.id)) == len(paths) + 4
    # Both the analyses of the .xg file and those of the .sgf file are there, on the right decisions.
    some = next(one for one in library.decisions(kind="checker") if one.move == 2 and one.game == 1)
    engines = {one.analyst for one in library.analyses(some.id)}
    assert any("XG" in name or "eXtreme" in name for name in engines), engines
    assert "Kibitz" in engines, engines
    for one in library.analyses(some.id):
        assert one.decision is not None
        assert one.decision.state.position == some.state.position
    # A file that is there already is known, wherever it lies.
    again = tmp_path / "again"
    again.mkdir()
    (again / "other-name.txt").write_bytes(paths["mat"].read_bytes())
    assert library.add_files([again]).counts["known"] == 1


def test_an_ogxm_file_brings_its_analyses_beside_ours(library: Library, tmp_path: Path) -> None:
    """Given a match that was reviewed here, when it comes as OGXM with an engine's opinions, then both stand there."""
    pytest.importorskip("ogxm", reason="the package ogxm is not installed")
    match = random_match(3, length=1)
    said = kibitz.review(match, level="fast", threads=1).annotated()
    theirs = AnalysisLevel("HedgeHog", "2-ply")
    moments = list(said.moments())
    actions = [_said_by(moment.action, theirs) for moment in moments]
    said = replace(said, games=(replace(said.games[0], actions=tuple(actions)),))
    kibitz.save(match, tmp_path / "match.mat")
    kibitz.save(with_seats_swapped(said), tmp_path / "match.ogxm")
    library.add_files([tmp_path / "match.mat"])
    library.review("fast", threads=1)
    assert library.add_files([tmp_path / "match.ogxm"]).counts["merged"] == 1
    compared = 0
    for one in library.decisions(kind="checker", counts=True):
        ours, *others = library.analyses(one.id)
        assert (ours.analyst, ours.is_current) == ("Kibitz", True)
        for other in others:
            assert other.analyst.startswith("HedgeHog") and other.origin == "file" and not other.is_current
            assert other.best == ours.best and other.lost == pytest.approx(ours.lost, abs=2e-4)
            compared += 1
    assert compared > 10


def _said_by(action: Action, level: AnalysisLevel) -> Action:
    """The same action, with what is said of it in another engine's name."""
    if isinstance(action, Roll) and action.analysis is not None:
        plays = tuple(replace(row, level=level) for row in action.analysis.plays)
        action = replace(action, analysis=replace(action.analysis, plays=plays))
    return action if action.cube is None else replace(action, cube=replace(action.cube, level=level))


def test_a_longer_record_may_have_actions_that_the_shorter_one_lacks(library: Library, tmp_path: Path) -> None:
    """Every later action of that game then has another place, which the one that follows it has so far."""
    match = load(Path("examples/sample.mat"))
    game = match.games[2]
    cube = [place for place, action in enumerate(game.actions) if action.kind in ("double", "take")]
    assert len(cube) == 2
    shorter = replace(game, actions=tuple(a for n, a in enumerate(game.actions[:-6]) if n not in cube), result=None)
    first = library.add(replace(match, games=(*match.games[:2], shorter, *match.games[3:])))
    again = library.add(match)
    assert (again.match_id, again.outcome.value) == (first.match_id, "extended")
    with Library(tmp_path / "fresh.db") as fresh:
        fresh.add(match)
        expected = [(one.game, one.ply, one.kind) for one in fresh.decisions()]
    assert [(one.game, one.ply, one.kind) for one in library.decisions()] == expected


def test_a_longer_record_takes_the_place_of_a_shorter_one_and_keeps_what_was_said(
    library: Library, tmp_path: Path
) -> None:
    match = random_match(4)
    kibitz.save(cut(match, 6), tmp_path / "cut.mat")
    kibitz.save(with_seats_swapped(match), tmp_path / "whole.mat")
    library.add_files([tmp_path / "cut.mat"])
    library.review("fast", threads=1)
    before = library.decisions()
    note = library.notes.add(Target(decision_id=before[4].id), "Why not hit?")
    report = library.add_files([tmp_path / "whole.mat"])
    assert report.counts["extended"] == 1
    (info,) = library.matches()
    assert library.match(info.id, analyses=False).games == match.bare().games
    after = library.decisions()
    assert {one.id for one in before} <= {one.id for one in after}
    assert len(after) > len(before)
    assert [one.decision_id for one in library.notes.all() if one.id == note] == [before[4].id]
    rolls = sum(1 for moment in match.moments() if moment.action.kind == "roll")
    assert len(library.decisions(kind="checker")) == rolls
    # The review ended too early; what it says stays until it is made anew.
    assert library.statistics().decisions > 0
    assert library.review("fast", threads=1).reviewed == 1
    assert library.review_of(info.id).statistics(0).pr == pytest.approx(library.statistics(player="Ada").pr, abs=1e-9)
