"""What a screen needs of a match: its moments, what the file itself says, notes, and files to take away."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest

import kibitz
from kibitz.analysis.decisions import Kind
from kibitz.formats import by_name
from kibitz.library.library import Library
from kibitz.position import Position
from kibitz.record import Match, Roll
from tests.analysis.samples import short_match, short_review
from tests.service.running import Server
from tests.service.test_jobs import finished
from tests.service.test_positions import check


@pytest.fixture(scope="module")
def analysed() -> Match:
    """A match as another program would have written it, with its opinions in the file."""
    return short_review().annotated()


@pytest.fixture(scope="module")
def match(client: httpx.Client, analysed: Match) -> Iterator[int]:
    data = by_name("sgf").write(analysed)[0]
    number = int(client.post("/v1/matches", content=data, params={"name": "m.sgf"}).json()["match"]["id"])
    yield number


def moments(client: httpx.Client, match: int) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/v1/matches/{match}/moments").json()
    check("Moments", found)
    return found


def test_moments_are_those_of_the_match(client: httpx.Client, match: int) -> None:
    found = moments(client, match)
    expected = list(short_match().moments())
    assert found["match"]["id"] == match
    assert found["me"] is None
    assert [game["score"] for game in found["games"]] == [list(game.score) for game in short_match().games]
    assert [(one["game"], one["index"], one["player"], one["words"]) for one in found["moments"]] == [
        (one.game, one.index, one.action.player, one.words) for one in expected
    ]
    for one, moment in zip(found["moments"], expected, strict=True):
        assert one["state"]["position_id"] == moment.state.position_id
        assert (one["after"] is None) == (one["play"] is None) == (moment.play is None)
        if moment.play is not None:
            assert one["after"]["id"] == one["play"]["result"] == moment.play.result.id
    assert {"double", "take", "drop"} <= {one["action"] for one in found["moments"]}
    assert client.get("/v1/matches/99999/moments").status_code == 404


def test_moments_follow_one_another_on_the_board(client: httpx.Client, match: int) -> None:
    """What a play leads to is what the next one starts from, whoever looks at it."""
    rolls = [one for one in moments(client, match)["moments"] if one["action"] == "roll"]
    for before, after in pairwise(rolls):
        if before["game"] == after["game"]:
            seen = Position(*(tuple(before["after"][side]) for side in ("mine", "theirs")))
            assert (seen if before["player"] != after["player"] else seen.swapped()).id == after["state"]["position_id"]


def test_the_user_s_own_seat_is_told(server: Server, client: httpx.Client, match: int) -> None:
    with Library(server.library) as library:
        library.players.set_me("Ben")
        try:
            assert moments(client, match)["me"] == 1
        finally:
            library.players.set_me("Somebody else")


def test_opinions_of_the_file_stay_apart_from_our_own(client: httpx.Client, match: int, analysed: Match) -> None:
    def asked() -> list[dict[str, Any]]:
        answer = client.get(f"/v1/matches/{match}/opinions").json()
        check("Opinions", answer)
        return list(answer["opinions"])

    before = asked()
    plays = {(one["game"], one["index"]): one for one in before if one["kind"] == Kind.CHECKER.value}
    said = {(one.game, one.index): one.action.analysis for one in analysed.moments() if isinstance(one.action, Roll)}
    expected = {place: rows for place, rows in said.items() if rows is not None and rows.plays}
    assert plays.keys() == expected.keys()
    for place, rows in expected.items():
        assert plays[place]["best"] == rows.plays[0].name
        assert plays[place]["lost"] == pytest.approx(rows.loss, abs=1e-4)
        assert plays[place]["decision"]["plays"][0]["play"] == rows.plays[0].name
    made = client.post(f"/v1/matches/{match}/reviews", json={"level": "fast"})
    assert finished(client, made.headers["location"])["state"] == "done"
    assert [one | {"is_current": True} for one in asked()] == [one | {"is_current": True} for one in before]
    review = client.get(f"/v1/matches/{match}/review").json()["review"]
    checked = 0
    for decision in review["decisions"]:
        place = decision["game"], decision["index"]
        if decision["kind"] == Kind.CHECKER.value and place in plays:
            assert decision["opinion"]["best"] == plays[place]["best"], "the file's opinion, not our own"
            checked += 1
    assert checked == len(plays)


def test_notes_are_written_by_moment(client: httpx.Client, match: int) -> None:
    place = {"game": 1, "index": 4}
    made = client.post(f"/v1/matches/{match}/notes", json=place | {"text": "Why not the <b>anchor</b>?"})
    assert made.status_code == 201
    note = made.json()
    check("Note", note)
    assert (note["game"], note["index"], note["origin"], note["match_id"]) == (1, 4, "user", match)
    whole = client.post(f"/v1/matches/{match}/notes", json={"text": "A good match"}).json()
    assert (whole["game"], whole["decision_id"]) == (None, None)
    listed = client.get(f"/v1/matches/{match}/notes").json()
    check("Notes", listed)
    assert {note["id"], whole["id"]} <= {one["id"] for one in listed["notes"]}
    changed = client.put(f"/v1/notes/{note['id']}", json={"text": "Seen."})
    assert changed.json() == note | {"text": "Seen."}
    for number in (note["id"], whole["id"]):
        assert client.delete(f"/v1/notes/{number}").status_code == 204
        assert client.delete(f"/v1/notes/{number}").status_code == 404
        assert client.put(f"/v1/notes/{number}", json={"text": "gone"}).status_code == 404


def test_notes_that_have_no_place_are_refused(client: httpx.Client, match: int) -> None:
    for body in ({"text": ""}, {"text": "x", "game": 1}, {"text": "x" * 30_000}, {}):
        assert client.post(f"/v1/matches/{match}/notes", json=body).status_code == 422
    for body in ({"text": "x", "game": 1, "index": 9999}, {"text": "x", "game": 99, "index": 0}):
        refused = client.post(f"/v1/matches/{match}/notes", json=body)
        assert refused.status_code == 404
        assert "nothing was decided" in refused.json()["detail"]
    assert client.post("/v1/matches/99999/notes", json={"text": "x"}).status_code == 404
    assert client.get("/v1/matches/99999/notes").status_code == 404


def test_the_page_can_be_taken_away(client: httpx.Client, match: int, tmp_path: Path) -> None:
    made = client.post(f"/v1/matches/{match}/reviews", json={"level": "fast"})
    assert finished(client, made.headers["location"])["state"] == "done"
    shown = client.get(f"/v1/matches/{match}/page")
    kept = client.get(f"/v1/matches/{match}/page", params={"download": True})
    assert "content-disposition" not in shown.headers
    assert kept.headers["content-disposition"] == f'attachment; filename="match-{match}.html"'
    assert kept.content == shown.content
    file = tmp_path / "match.sgf"
    file.write_bytes(client.get(f"/v1/matches/{match}/file", params={"format": "sgf"}).content)
    first = next(one.action for one in kibitz.load(file).moments() if isinstance(one.action, Roll))
    assert first.analysis is not None, "the review goes with the match"
