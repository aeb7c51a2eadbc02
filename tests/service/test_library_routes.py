"""The library and the study over HTTP: the answers are the library's, and every number opens its decisions."""

from __future__ import annotations

import errno
import io
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kibitz import Library
from kibitz.errors import FormatError
from kibitz.formats import by_name
from kibitz.library.filters import DecisionFilter
from kibitz.library.patterns import Pattern
from kibitz.library.statistics import GROUPS
from kibitz.service.keys import add_key
from kibitz.service.library import written
from kibitz.service.problems import Problem
from kibitz.study.decks import Study
from tests.library.samples import random_match
from tests.service.running import START, Server, wait_for
from tests.service.test_jobs import QUICK
from tests.service.test_positions import check

NASTY = '<img src=x onerror="alert(1)"> & "quotes"'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with reviewed matches, made before the server starts."""
    folder = tmp_path_factory.mktemp("table")
    with Library(folder / "library.db") as library:
        for seed in range(3):
            date = f"2024-05-0{seed + 1}" if seed else ""
            library.add(random_match(seed, length=1, players=("Ada", f"Ben {seed}"), date=date, event="Open"))
        library.add(random_match(9, length=3, players=("Ada", NASTY), date="2024-06-01"))
        library.players.set_me("Ada")
        library.review("fast", threads=1)
    return folder


@pytest.fixture(scope="module")
def library(folder: Path) -> Iterator[Library]:
    """The same library, asked directly."""
    with Library(folder / "library.db") as library:
        yield library


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[httpx.Client]:
    with Server(folder) as server, server.client() as client:
        yield client


def got(client: httpx.Client, path: str, name: str, **query: Any) -> Any:
    answer = client.get(path, params=query or None)
    assert answer.status_code == 200, answer.text
    data = answer.json()
    check(name, data)
    return data


def asked(client: httpx.Client, path: str, status: int = 200, **body: Any) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


# --- matches and decisions --------------------------------------------------------------------------------------------


def test_matches_come_page_by_page_with_the_rates_of_both(client: httpx.Client, library: Library) -> None:
    whole = got(client, "/v1/matches", "Matches")["matches"]
    assert [one["id"] for one in whole] == [info.id for info in library.matches()]
    paged: list[Any] = []
    after: dict[str, int] = {}
    while True:
        page = got(client, "/v1/matches", "Matches", limit=1, **after)
        paged += page["matches"]
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    assert paged == whole
    assert whole[0]["players"][1] == NASTY
    assert whole[1]["pr"][0] == pytest.approx(library.statistics(match=whole[1]["id"], player="me").pr)
    assert [one["players"][1] for one in got(client, "/v1/matches", "Matches", opponent="ben 1")["matches"]] == [
        "Ben 1"
    ]
    assert client.get("/v1/matches", params={"after": 999}).status_code == 404
    assert client.get("/v1/matches", params={"offset": 1}).status_code == 422


@pytest.mark.parametrize("order", ["played", "lost", "newest"])
def test_decisions_come_page_by_page_without_gaps(client: httpx.Client, library: Library, order: str) -> None:
    wanted = {"player": "me", "kind": "checker", "order": order}
    direct = [one.id for one in library.decisions(player="me", kind="checker", order=order)]
    found: list[int] = []
    after: dict[str, int] = {}
    while True:
        page = got(client, "/v1/decisions", "Decisions", limit=37, **wanted, **after)
        assert page["count"] == len(direct)
        found += [one["id"] for one in page["decisions"]]
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    assert found == direct


def test_a_pattern_finds_what_it_says(client: httpx.Client, library: Library) -> None:
    text = "6>=2 5>=2 o6>=3"
    for mirrored in ("no", "yes"):
        page = got(client, "/v1/decisions", "Decisions", pattern=text, mirrored=mirrored, limit=500)
        pattern = Pattern.of(text, mirrored=mirrored == "yes")
        assert page["count"] == len(library.search(pattern)) > 0
        by_hand = [one for one in library.decisions() if pattern.holds(one.state.position)]
        assert page["count"] == len(by_hand)
    refused = client.get("/v1/decisions", params={"pattern": "6>>2"})
    assert refused.status_code == 422 and refused.json()["type"] == "/problems/invalid-notation"


def test_a_filter_survives_its_query() -> None:
    wanted = DecisionFilter.parse(
        ["player=Ada & Ben", "at_least=0.08", "my_pips=100-150", "since=2024-05-01", "blunder=yes", "match=3"]
    ).but(pattern=Pattern.of("6>=2 obar>0", mirrored=True))
    assert DecisionFilter.from_query(wanted.to_query()) == wanted
    assert DecisionFilter.from_query("") == DecisionFilter()


def test_a_decision_has_all_that_was_said_of_it(client: httpx.Client, library: Library) -> None:
    worst = got(client, "/v1/decisions", "Decisions", order="lost", limit=1)["decisions"][0]
    note = asked(client, "/v1/notes", 201, decision=worst["id"], text=NASTY)
    check("Note", note)
    assert asked(client, "/v1/tags", 204, decision=worst["id"], name="prime") is None
    detail = got(client, f"/v1/decisions/{worst['id']}", "DecisionDetail")
    assert detail["decision"] == worst
    assert detail["analyses"][0]["is_current"] and detail["analyses"][0]["lost"] == worst["lost"]
    assert [one["text"] for one in detail["notes"]] == [NASTY] and detail["tags"] == ["prime"]
    assert got(client, "/v1/tags", "Tags")["tags"] == [{"name": "prime", "count": 1, "query": "tag=prime"}]
    assert got(client, "/v1/decisions?tag=prime", "Decisions")["count"] == 1
    assert client.put(f"/v1/notes/{note['id']}", json={"text": "changed"}).status_code == 200
    assert got(client, "/v1/notes", "Notes", match=worst["match_id"])["notes"][0]["text"] == "changed"
    assert client.delete(f"/v1/notes/{note['id']}").status_code == 204
    assert client.delete("/v1/tags", params={"decision": worst["id"], "name": "prime"}).status_code == 204
    assert got(client, f"/v1/decisions/{worst['id']}", "DecisionDetail")["tags"] == []
    assert client.get("/v1/decisions/99999").status_code == 404
    assert client.post("/v1/notes", json={"text": "x"}).status_code == 422
    assert client.post("/v1/notes", json={"text": "x", "match": 1, "decision": 1}).status_code == 422
    assert library.notes.all() == []


def test_positions_like_one_start_with_itself(client: httpx.Client) -> None:
    some = got(client, "/v1/decisions", "Decisions", kind="checker", limit=30)["decisions"][-1]
    likes = got(client, "/v1/like", "Likes", position=some["position_id"], count=10)["likes"]
    assert likes[0]["distance"] == 0 and likes[0]["decision"]["position_id"] == some["position_id"]
    distances = [one["distance"] for one in likes]
    assert distances == sorted(distances) and distances[-1] > 0
    assert client.get("/v1/like", params={"position": "no such thing"}).status_code == 422


# --- statistics -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", [None, *GROUPS])
def test_every_number_opens_exactly_its_decisions(client: httpx.Client, group: str | None) -> None:
    asked_by = {} if group is None else {"by": group}
    data = got(client, "/v1/statistics", "Statistics", player="me", **asked_by)
    rows = [data["total"], *data["rows"]]
    assert group is None or data["rows"]
    for row in rows[:6]:
        for name, query in row["queries"].items():
            page = got(client, f"/v1/decisions?{query}&limit=1", "Decisions")
            assert page["count"] == row[name], (group, row["key"], name)


def test_statistics_are_the_librarys(client: httpx.Client, library: Library) -> None:
    row = got(client, "/v1/statistics", "Statistics", player="me", kind="checker")["total"]
    sums = library.statistics(player="me", kind="checker")
    assert row["pr"] == pytest.approx(sums.pr) and row["pr_error"] == pytest.approx(sums.pr_error)
    by_pattern = got(client, "/v1/statistics", "Statistics", player="me", pattern="6>=2")["total"]
    assert by_pattern["decisions"] == library.statistics(player="me", pattern=Pattern.of("6>=2")).decisions
    assert client.get("/v1/statistics", params={"by": "opponent"}).status_code == 422
    assert client.get("/v1/statistics", params={"by": "kind", "pattern": "6>=2"}).status_code == 422
    assert client.get("/v1/statistics", params={"player": "nobody"}).status_code == 404


def test_progress_and_histogram_open_their_decisions_too(client: httpx.Client) -> None:
    progress = got(client, "/v1/progress", "Progress", player="me", window=2)
    assert len(progress["points"]) == 4
    for point in progress["points"]:
        page = got(client, f"/v1/decisions?{point['query']}&limit=1", "Decisions")
        assert page["count"] == point["own"]["decisions"]
    bars = got(client, "/v1/histogram", "Histogram", player="me")["bars"]
    assert sum(bar["count"] for bar in bars) > 20
    for bar in bars:
        assert got(client, f"/v1/decisions?{bar['query']}&limit=1", "Decisions")["count"] == bar["count"]


# --- people, collections, searches ------------------------------------------------------------------------------------


def test_players_are_merged_renamed_and_one_is_me(client: httpx.Client) -> None:
    players = got(client, "/v1/players", "Players")["players"]
    assert players[0]["name"] == "Ada" and players[0]["is_me"] and players[0]["matches"] == 4
    assert NASTY in [one["name"] for one in players]
    merged = asked(client, "/v1/players/merge", name="Ben 0", others=["Ben 2"])["players"]
    assert {"ben 0", "ben 2"} <= set(next(one for one in merged if one["name"] == "Ben 0")["aliases"])
    renamed = asked(client, "/v1/players/rename", name="Ben 0", new="Benjamin")["players"]
    assert "Benjamin" in [one["name"] for one in renamed]
    assert asked(client, "/v1/players/me", name="Ada")["players"][0]["is_me"]
    assert client.post("/v1/players/merge", json={"name": "Ada", "others": ["Ben 1"]}).status_code == 404
    found = got(client, "/v1/tournaments", "Events")["events"]
    assert [(one["name"], one["matches"]) for one in found] == [("Open", 3)]


def test_collections_and_searches_are_kept(client: httpx.Client) -> None:
    numbers = [one["id"] for one in got(client, "/v1/decisions", "Decisions", order="lost", limit=3)["decisions"]]
    assert asked(client, "/v1/collections", name="Mine", decisions=numbers) == {"added": 3}
    assert asked(client, "/v1/collections", name="Mine", decisions=numbers) == {"added": 0}
    kept = got(client, "/v1/collections", "Collections")["collections"]
    assert kept == [{"name": "Mine", "count": 3, "query": "collection=Mine"}]
    assert got(client, f"/v1/decisions?{kept[0]['query']}", "Decisions")["count"] == 3
    asked(client, "/v1/searches", 204, name="My blunders", query="player=me&blunder=yes&pattern=6%3E%3D2")
    saved = got(client, "/v1/searches", "Searches")["searches"]
    assert saved == [{"name": "My blunders", "query": "player=me&pattern=6%3E%3D2&blunder=yes"}]
    assert client.post("/v1/searches", json={"name": "x", "query": "colour=red"}).status_code == 422
    assert client.post("/v1/searches", json={"name": "x", "query": "since=then"}).status_code == 422
    for path, name in (("/v1/searches", "My blunders"), ("/v1/collections", "Mine")):
        assert client.delete(path, params={"name": name}).status_code == 204
        assert client.delete(path, params={"name": name}).status_code == 404


def test_archives_hold_what_they_say(client: httpx.Client, tmp_path: Path) -> None:
    data = client.get("/v1/export", params={"format": "mat", "event": "Open"})
    with zipfile.ZipFile(io.BytesIO(data.content)) as archive:
        assert len(archive.namelist()) == 3
        assert all(name.endswith(".mat") and b"Ada" in archive.read(name) for name in archive.namelist())
    copy = tmp_path / "copy.db"
    copy.write_bytes(client.get("/v1/backup").content)
    with sqlite3.connect(copy) as connection:
        assert connection.execute('SELECT count(*) FROM "match"').fetchone() == (4,)
    connection.close()


# --- study ------------------------------------------------------------------------------------------------------------


def test_a_deck_is_made_studied_and_taken_away(client: httpx.Client, library: Library) -> None:
    deck = asked(client, "/v1/decks", 201, name="My errors", query="player=me&at_least=0.05", most=5)
    check("Deck", deck)
    assert deck["cards"] == deck["new"] == 5 and deck["query"] == "player=me&at_least=0.05"
    assert client.post("/v1/decks", json={"name": "My errors", "query": ""}).status_code == 409
    check("Decks", client.get("/v1/decks").json())
    card = got(client, f"/v1/decks/{deck['id']}/next", "NextCard")["card"]
    assert card["new"] and "best" not in card
    direct = Study(library).card(card["id"])
    right, wrong = direct.question.rows[0].name, direct.question.rows[-1].name
    path = f"/v1/cards/{card['id']}/answers"
    practised = asked(client, path, answer=wrong, practice=True)
    check("Answered", practised)
    assert practised["due"] is None and practised["lost"] > 0 and practised["solution"] == direct.question.solution
    assert got(client, f"/v1/cards/{card['id']}", "Card") == card
    assert practised["outlook"]["again"] < practised["outlook"]["good"] < practised["outlook"]["easy"]
    given = asked(client, path, answer=right, seconds=3.0)
    assert given["lost"] == 0 and given["grade"] == "easy" and given["due"][:13] == practised["outlook"]["easy"][:13]
    other = got(client, f"/v1/decks/{deck['id']}/next", "NextCard")["card"]
    assert other["id"] != card["id"]
    assert asked(client, f"/v1/cards/{other['id']}/answers", answer=_best(library, other), rating=2)["grade"] == "hard"
    assert client.post(path, json={"answer": "nonsense"}).status_code == 422
    cards = got(client, f"/v1/decks/{deck['id']}/cards", "Cards")["cards"]
    assert len(cards) == 5
    assert client.put(f"/v1/cards/{cards[-1]['id']}/suspension", json={"suspended": True}).status_code == 204
    assert got(client, f"/v1/cards/{cards[-1]['id']}", "Card")["suspended"]
    updated = asked(client, f"/v1/decks/{deck['id']}/update")
    check("Updated", updated)
    assert updated["added"] > 0
    changed = client.put(f"/v1/decks/{deck['id']}", json={"new_per_day": 3}).json()
    assert changed["settings"]["new_per_day"] == 3
    apkg = client.get(f"/v1/decks/{deck['id']}/file").content
    assert zipfile.ZipFile(io.BytesIO(apkg)).testzip() is None
    table = client.get(f"/v1/decks/{deck['id']}/file", params={"format": "csv"}).text
    assert table.splitlines()[0].startswith("kind,question,xgid")
    assert client.delete(f"/v1/decks/{deck['id']}").status_code == 204
    assert client.get(f"/v1/decks/{deck['id']}/next").status_code == 404


def _best(library: Library, card: Any) -> str:
    return Study(library).card(card["id"]).question.rows[0].name


# --- jobs, and whose things these are ---------------------------------------------------------------------------------


def test_all_jobs_are_told_about_in_one_stream(client: httpx.Client) -> None:
    with client.stream("GET", "/v1/jobs/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: jobs"
        job = client.post("/v1/rollouts", json=QUICK).json()["id"]
        for line in lines:
            if f'"id":{job},' in line and '"state":"done"' in line:
                break


def test_each_caller_has_a_table_of_his_own(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    ada, ben = add_key(keys, "ada"), add_key(keys, "ben")
    with Server(tmp_path, "--keys", str(keys), key=ada) as server, server.client() as mine, server.client(ben) as his:
        game = asked(mine, "/v1/play", 201, opponent="random", length=1)
        match = mine.post("/v1/matches", content=Path("examples/sample.mat").read_bytes()).json()["match"]["id"]
        asked(mine, "/v1/searches", 204, name="s", query="")
        asked(mine, "/v1/decks", 201, name="d", query="")
        note = asked(mine, "/v1/notes", 201, match=match, text="mine")
        decision = mine.get("/v1/decisions", params={"limit": 1}).json()["decisions"][0]["id"]
        assert his.get("/v1/play").json() == {"playing": []}
        for method, path in (
            ("GET", f"/v1/play/{game['id']}"),
            ("DELETE", f"/v1/play/{game['id']}"),
            ("GET", f"/v1/decisions/{decision}"),
            ("GET", "/v1/decks/1/next"),
            ("DELETE", "/v1/decks/1"),
            ("DELETE", f"/v1/notes/{note['id']}"),
            ("DELETE", "/v1/searches?name=s"),
        ):
            assert his.request(method, path).status_code == 404, path
        assert his.post("/v1/collections", json={"name": "c", "decisions": [decision]}).status_code == 404
        assert his.get("/v1/decisions").json()["count"] == 0
        assert his.get("/v1/like", params={"position": START}).json() == {"likes": []}
        assert his.get("/v1/backup").status_code == 409
        assert mine.get(f"/v1/play/{game['id']}").status_code == 200


def test_files_that_are_made_to_be_sent_do_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither those that were sent, nor those of which the writing failed."""
    made = tmp_path / "made"
    made.mkdir()
    with Server(tmp_path, TMPDIR=str(made)) as server, server.client() as client:
        client.post("/v1/matches", content=by_name("json").write(random_match(1, length=1))[0])
        assert zipfile.ZipFile(io.BytesIO(client.get("/v1/export").content)).namelist()
        assert client.get("/v1/backup").content.startswith(b"SQLite format 3")
        wait_for(lambda: not list(made.iterdir()), 10)
    monkeypatch.setattr(tempfile, "tempdir", str(made))

    def fill_the_disk(path: Path) -> None:
        path.write_bytes(b"x")
        raise OSError(errno.ENOSPC, "No space left on device")

    def refuse(path: Path) -> None:
        raise FormatError(f"nothing can be written to {path.name}")

    with pytest.raises(Problem, match=r"matches\.zip cannot be written: No space left on device") as refused:
        written("matches.zip", fill_the_disk)
    assert refused.value.kind.name == "unavailable"
    with pytest.raises(FormatError):
        written("matches.zip", refuse)
    assert not list(made.iterdir())
