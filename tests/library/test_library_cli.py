"""kibitz library and kibitz study: what is printed is what the library says."""

from __future__ import annotations

import json
import shlex
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import kibitz
from kibitz import Library
from kibitz.cli import app
from kibitz.errors import KibitzError, LibraryError, NotationError
from kibitz.library.filters import DecisionFilter
from kibitz.library.notes import Target
from kibitz.library.watching import Watcher
from tests.library.samples import random_match

runner = CliRunner()
START = "4HPwATDgc/ABMA"


def run(*words: str, answers: str = "", code: int = 0) -> str:
    result = runner.invoke(app, list(words), input=answers)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mine.db"
    monkeypatch.setenv("KIBITZ_LIBRARY", str(path))
    return path


@pytest.fixture
def filled(where: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "matches"
    folder.mkdir()
    for seed in (31, 32):
        kibitz.save(random_match(seed, length=1, date=f"2024-0{seed - 30}-01"), folder / f"{seed}.mat")
    run("library", "import", str(folder))
    run("library", "me", "Ada")
    run("library", "review", "--level", "fast", "--threads", "1")
    return where


def test_import_reports_what_was_new_merged_known_and_refused(where: Path, tmp_path: Path) -> None:
    folder = tmp_path / "some"
    folder.mkdir()
    match = random_match(31, length=1)
    kibitz.save(match, folder / "a.mat")
    kibitz.save(match, folder / "b.sgf")
    (folder / "notes.txt").write_text("Buy milk.")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    data = json.loads(run("library", "import", str(folder), "--json", code=2))
    assert data["counts"] == {"new": 1, "merged": 1, "extended": 0, "known": 0, "refused": 1}
    refused = [one for one in data["files"] if one["outcome"] == "refused"]
    assert refused[0]["file"].endswith("notes.txt")
    assert "no match file" in refused[0]["error"]
    assert run("library", "import", str(folder / "a.mat")).strip() == "1 known"
    assert where.exists()


def test_list_show_and_stats_say_what_the_library_says(filled: Path) -> None:
    with Library(filled) as library:
        sums = library.statistics(player="me")
        infos = library.matches()
        worst = library.decisions(player="me", order="lost", limit=3)
    listed = json.loads(run("library", "list", "--json"))
    assert [one["id"] for one in listed] == [info.id for info in infos]
    assert run("library", "list", "-n", "1").split()[0] == str(infos[0].id)
    data = json.loads(run("library", "stats", "--json"))
    assert data["pr"] == pytest.approx(sums.pr)
    assert data["decisions"] == sums.decisions
    assert f"{sums.pr:6.2f}" in run("library", "stats")
    assert [len(one["pr"]) for one in listed] == [2] * len(infos)
    for one, info in zip(listed, infos, strict=True):
        with Library(filled) as library:
            ratings = [library.statistics(match=info.id, player=name).pr for name in info.players]
        assert one["pr"] == pytest.approx(ratings)
    by = json.loads(run("library", "stats", "--by", "plan", "--json"))
    assert sum(row["decisions"] for row in by) == sums.decisions
    assert "Ben" in run("library", "stats", "--by", "opponent")
    found = json.loads(run("library", "search", "-p", "me", "-n", "3", "--json"))
    assert [one["id"] for one in found["decisions"]] == [one.id for one in worst]
    shown = json.loads(run("library", "show", str(infos[0].id), "--json"))
    assert shown["review"]["players"] == list(infos[0].players)
    assert infos[0].players[0] in run("library", "show", str(infos[0].id))


def test_who_is_in_no_match_is_told_so(where: Path, tmp_path: Path) -> None:
    """Given a reviewed match; when somebody says a name that is not in it, then nothing seems wrong with the review."""
    assert not where.exists()
    kibitz.save(random_match(31, length=1), tmp_path / "match.mat")
    run("library", "import", str(tmp_path / "match.mat"))
    run("library", "review", "--level", "fast", "--threads", "1")
    assert run("library", "me", "Adda") == "Adda is you, but in no match yet: kibitz library players lists the names.\n"
    assert "kibitz library players" in run("library", "stats")
    assert run("library", "me", "Ada") == "Ada is you.\n"
    assert "PR" in run("library", "stats")


def test_rows_fit_into_a_terminal_whatever_the_names_are(where: Path, tmp_path: Path) -> None:
    """Given names and an event that would need lines of more than 100 columns; then all of them is there, in 80."""
    names = ("Annegret von Hohenstein-Waldburg", "Bartholomaeus Kettelheim junior")
    match = replace(
        random_match(31, length=1), players=names, event="Open Championship of the Upper Valley", date="2024-01-01"
    )
    kibitz.save(match, tmp_path / "long.mat")
    run("library", "import", str(tmp_path / "long.mat"))
    run("library", "review", "--level", "fast", "--threads", "1")
    with Library(where) as library:
        (info,) = library.matches()
        worst = library.decisions(order="lost", limit=20)
    for words, expected in (
        (["list"], [str(info)]),
        (["search"], [text for one in worst for text in (str(one.id), one.about, one.outcome)]),
        (["search", "--like", START, "-n", "3"], ["[0]"]),
        (["decision", str(worst[0].id)], [worst[0].about, worst[0].outcome]),
    ):
        printed = run("library", *words)
        assert max(map(len, printed.splitlines())) <= 80, printed
        flowing = " ".join(printed.split())
        assert all(text in flowing for text in expected), printed


def test_every_printed_number_says_how_its_decisions_are_found(filled: Path) -> None:
    """Given statistics as text and as JSON, when their searches are made, then they find so many decisions."""

    def found(text: str) -> int:
        words = shlex.split(text.rsplit(": ", 1)[1])
        assert words[0] == "kibitz"
        return int(json.loads(run(*words[1:], "--json"))["count"])

    data = json.loads(run("library", "stats", "--json", "--window", "1"))
    assert found(run("library", "stats")) >= data["decisions"]  # resignations are found, but not counted
    assert found(run("library", "stats", "--kind", "checker")) == data["kinds"]["checker"]["decisions"]
    rows = json.loads(run("library", "stats", "--by", "plan", "--json"))
    assert found(run("library", "stats", "--by", "plan")) >= rows[0]["decisions"]
    with Library(filled) as library:
        for row in (data, *data["kinds"].values()):
            assert library.count(DecisionFilter.from_dict(row["filter"])) == row["decisions"]
        for bar in data["histogram"]:
            assert library.count(DecisionFilter.from_dict(bar["filter"])) == bar["count"]
        newest = library.matches()[0].id
        for kind, sums in data["recent"].items():
            last = library.statistics(player="me", match=newest, kind=None if kind == "all" else kind)
            assert (sums["matches"], sums["decisions"]) == (last.matches, last.decisions)


def test_a_decision_is_shown_with_all_that_was_said_of_it(filled: Path) -> None:
    with Library(filled) as library:
        worst = library.decisions(player="me", order="lost", kind="checker", limit=1)[0]
        library.review("1-ply", threads=1, match=worst.match_id)
        said = library.analyses(worst.id)
    run("library", "note", "Look again", "--decision", str(worst.id))
    run("library", "note", "timing", "--decision", str(worst.id), "--tag")
    text = run("library", "decision", str(worst.id))
    assert worst.state.position_id in text
    assert text.index("Kibitz 1-ply (our own, the one that counts)") < text.index("Kibitz fast (our own)")
    assert f"loses {said[0].lost:.3f}" in text and "Look again" in text and "timing" in text
    data = json.loads(run("library", "decision", str(worst.id), "--json"))
    assert [one["level"] for one in data["analyses"]] == ["1-ply", "fast"]
    assert [one["is_current"] for one in data["analyses"]] == [True, False]
    assert data["tags"] == ["timing"]


@pytest.mark.usefixtures("filled")
def test_what_was_kept_is_listed() -> None:
    assert "Nothing is kept yet" in run("library", "kept")
    found = json.loads(run("library", "search", "6>=2", "-n", "5", "--save", "points", "--collect", "some", "--json"))
    data = json.loads(run("library", "kept", "--json"))
    assert data["searches"]["points"]["count"] == found["count"]
    assert data["collections"] == {"some": 5}
    assert "points (pattern=6>=2)" in run("library", "kept")


def test_search_by_pattern_likeness_and_conditions(filled: Path) -> None:
    with Library(filled) as library:
        wanted = library.search("6>=2 obar>=1", mirrored=True, at_least=0.01, order="lost")
    data = json.loads(
        run("library", "search", "6>=2 obar>=1", "--mirrored", "-w", "at-least=0.01", "-n", "1000", "--json")
    )
    assert [one["id"] for one in data["decisions"]] == [one.id for one in wanted]
    assert data["count"] == len(wanted)
    run("library", "search", "6>=2", "-w", "at_least=0.05", "--save", "points", "--collect", "kept")
    again = json.loads(run("library", "search", "--saved", "points", "--json"))
    assert again["count"] == json.loads(run("library", "search", "6>=2", "-w", "at_least=0.05", "--json"))["count"]
    near = json.loads(run("library", "search", "--like", "4HPwATDgc/ABMA", "-n", "2", "--json"))
    assert near["decisions"][0]["distance"] == 0.0
    assert "24" in run("library", "search", "-n", "1", "--boards")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("library", "stats", "-p", "Zoe"), "no player of the library is called 'Zoe'"),
        (("library", "stats", "--by", "mood"), "told apart by"),
        (("library", "search", "-w", "colour=red"), "a search has no 'colour'"),
        (("library", "search", "-w", "since=soon"), "expected a date"),
        (("library", "search", "-w", "kind"), "a condition is such as"),
        (("library", "search", "6>>2"), "a condition is such as 6>=2"),
        (("library", "search", "--saved", "none"), "no search is saved as"),
        (("library", "show", "77"), "no match 77"),
        (("library", "decision", "77777"), "no decision 77777"),
        (("library", "merge", "nowhere.db"), "there is no library"),
        (("library", "delete", "77"), "no match 77"),
        (("library", "alias", "Nobody", "x"), "no player"),
        (("study", "run", "none"), "no deck"),
        (("study", "new", "x", "--retention", "2"), "a retention is"),
        (("library", "export", "1", "2", "-o", "one.mat"), "expected a folder"),
        (("library", "review", "--level", "psychic"), "no review level"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_what_is_wrong_is_told_in_a_line(words: tuple[str, ...], error: str) -> None:
    with pytest.raises(KibitzError) as raised:
        run(*words)
    assert error in str(raised.value)
    assert "\n" not in str(raised.value)


def test_export_gives_back_matches_reports_and_originals(filled: Path, tmp_path: Path) -> None:
    with Library(filled) as library:
        match = library.match(1)
        (name, data), *_ = library.files(1)
    run("library", "export", "1", "-o", str(tmp_path / "out.sgf"))
    assert kibitz.load(tmp_path / "out.sgf").bare().games == match.bare().games
    run("library", "export", "1", "-o", str(tmp_path / "out.html"))
    assert "Ada" in (tmp_path / "out.html").read_text(encoding="utf-8")
    run("library", "export", "1", "2", "-o", str(tmp_path / "several"))
    assert sorted(path.name for path in (tmp_path / "several").iterdir()) == ["1.sgf", "2.sgf"]
    run("library", "export", "1", "--original", "-o", str(tmp_path / "originals"))
    (path,) = (tmp_path / "originals").iterdir()
    assert path.read_bytes() == data
    assert path.name.endswith(name)


def test_names_of_files_lead_nowhere_else(where: Path, tmp_path: Path) -> None:
    from kibitz.cli.library import _originals
    from kibitz.library.importing import prepare_match
    from kibitz.library.store import Store

    match = random_match(31, length=1)
    with Library(where) as library:
        prepared = prepare_match(match, Path("x"), b"data")
        assert prepared.source is not None and prepared.rows is not None
        evil = replace(prepared.source, name="../../../etc/cron.d/evil\n")
        with library.database.writing() as connection:
            Store(library.database, library.owner_id).add(connection, prepared.rows, evil)
        (path,) = _originals(library, 1, tmp_path / "out")
    assert path.parent == tmp_path / "out"
    assert "\n" not in path.name


def test_names_and_notes_do_nothing_to_the_terminal(where: Path) -> None:
    """Given a name that would clear the screen, when it is printed by any command, then it is letters."""
    evil = "\x1b[2J\x1b]0;title\x07\u202e"
    match = replace(random_match(6, length=1), players=(evil, "Ben"), event=evil, comments=(f"{evil}\n{evil}",))
    with Library(where) as library:
        library.add(match)
        decision = library.decisions()[0].id
        library.notes.save_search(evil, DecisionFilter(event=evil))
        library.notes.collect(evil, [decision])
        library.notes.tag(Target(decision_id=decision), evil)
        library.review("fast", threads=1)
    stats = ["library", "stats", "--player", "Ben", "--by", "opponent"]
    shows = [["library", "show", "1"], ["library", "decision", str(decision)]]
    others = [["library", word] for word in ("list", "kept", "players", "search")]
    for words in (stats, *shows, *others, ["library", "delete", "1"]):
        out = run(*words)
        assert all(letter.isprintable() for line in out.split("\n") for letter in line), (words, out)


def test_backup_merge_alias_note_and_delete(filled: Path, tmp_path: Path) -> None:
    run("library", "backup", str(tmp_path / "copy.db"))
    run("library", "note", "Look at this again", "--match", "1")
    run("library", "note", "endgame", "--match", "1", "--tag")
    assert "Look at this again" in run("library", "show", "1")
    assert json.loads(run("library", "search", "-w", "tag=endgame", "--json"))["count"] > 0
    run("library", "alias", "Ada", "Adele")
    assert "also adele" in run("library", "players")
    run("library", "delete", "2")
    merged = json.loads(run("library", "merge", str(tmp_path / "copy.db"), "--json"))
    assert merged["counts"]["new"] == 1
    assert len(json.loads(run("library", "list", "--json"))) == 2
    run("library", "delete", "1")
    with Library(filled) as library:
        assert [note.text for note in library.notes.all()] == ["Look at this again", "tagged: endgame"]


@pytest.mark.usefixtures("filled")
def test_a_plot_is_a_picture(tmp_path: Path) -> None:
    import xml.etree.ElementTree as ElementTree

    run("library", "stats", "--plot", str(tmp_path / "pr.svg"))
    root = ElementTree.parse(tmp_path / "pr.svg").getroot()
    assert root.tag.endswith("svg")
    assert len([one for one in root.iter() if one.tag.endswith("circle")]) == 2
    from kibitz.report.progress import draw_progress

    assert "No match has been reviewed" in draw_progress([])
    assert "<script>" not in draw_progress([], "<script>")


def test_study_in_the_terminal(filled: Path, tmp_path: Path) -> None:
    run("study", "new", "errors", "--at-least", "0.02")
    (deck,) = json.loads(run("study", "decks", "--json"))
    assert deck["cards"] == deck["new"] > 0
    with Library(filled) as library:
        from kibitz.study.decks import Study

        cards = Study(library).cards("errors")
    first = cards[0].question.rows[0].name
    said = run("study", "run", "errors", "-n", "1", answers=f"nonsense\n{first}\n")
    assert "Right!" in said
    assert "1 of 1 right; 0.000 lost." in said
    assert json.loads(run("study", "decks", "--json"))[0]["new"] == deck["cards"] - 1
    practised = run("study", "run", "errors", "--practice", "-n", "2", answers="\n")
    assert "Nothing is due now." in practised
    assert run("study", "update", "errors") == "0 new cards\n"
    run("study", "export", "errors", "-o", str(tmp_path / "deck.apkg"))
    assert (tmp_path / "deck.apkg").stat().st_size > 1000
    run("study", "remove", "errors")
    assert json.loads(run("study", "decks", "--json")) == []


def test_a_watched_folder_is_imported_once_its_files_rest(where: Path, tmp_path: Path) -> None:
    folder = tmp_path / "inbox"
    folder.mkdir()
    with Library(where) as library:
        watcher = Watcher(library, [folder])
        assert watcher.look() is None
        kibitz.save(random_match(31, length=1), folder / "a.mat")
        assert watcher.look() is None, "it may still be written"
        report = watcher.look()
        assert report is not None and report.counts["new"] == 1
        assert watcher.look() is None, "nothing has come since"
        (folder / "bad.mat").write_text("nonsense")
        watcher.look()
        assert watcher.look().counts["refused"] == 1  # type: ignore[union-attr]
        assert watcher.look() is None, "what was refused is not tried until it changes"
        stop = threading.Event()
        kibitz.save(random_match(32, length=1), folder / "b.mat")
        for found in watcher.run(interval=0.01, stop=stop.is_set):
            assert found.counts["new"] == 1
            stop.set()
        assert len(library.matches()) == 2


def test_the_library_is_asked_for_only_when_it_is_needed() -> None:
    """Given no SQLAlchemy, when kibitz is imported, then nothing is missed."""
    import subprocess
    import sys

    code = (
        "import sys\n"
        "sys.modules['sqlalchemy'] = None\n"
        "import kibitz, kibitz.cli\n"
        "assert 'alembic' not in sys.modules\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'alembic' else find(name, *a)\n"
        "try:\n    kibitz.Library\n"
        "except kibitz.LibraryError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert 'pip install "kibitz[library]"' in done.stdout, done.stderr


def test_errors_have_stable_codes() -> None:
    assert LibraryError("x").code == "library"
    assert NotationError("x").code == "notation"
