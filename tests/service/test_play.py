"""Play over HTTP: whole matches, what the opponent answers, undo, hints, the tutor; and nothing is ever lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from kibitz import Engine
from kibitz.play.live_match import LiveMatch
from kibitz.play.players import OPPONENTS, opponent_of
from kibitz.play.sitting import Sitting
from kibitz.record import Match, Rules
from tests.service.running import Server
from tests.service.test_positions import check


def begin(client: httpx.Client, **body: Any) -> Any:
    answer = client.post("/v1/play", json={"opponent": "random", "length": 1, "seed": 7, "name": "Ada", **body})
    assert answer.status_code == 201, answer.text
    data = answer.json()
    check("Playing", data)
    return data


def act(client: httpx.Client, game: Any, action: str, **body: Any) -> Any:
    answer = client.post(f"/v1/play/{game['id']}/actions", json={"action": action, **body})
    assert answer.status_code == 200, answer.text
    data = answer.json()
    check("Playing", data)
    return data


def step(client: httpx.Client, game: Any) -> Any:
    """One action as a simple person would choose it: roll, first play, take."""
    choices = game["choices"]
    for choice in ("next", "accept", "take", "roll"):
        if choice in choices:
            return act(client, game, choice)
    return act(client, game, "play", play=game["plays"][0]["play"] if game["plays"] else None)


def to_the_end(client: httpx.Client, game: Any) -> Any:
    for _ in range(2000):
        if game["over"]:
            return game
        assert game["choices"], game
        game = step(client, game)
    raise AssertionError("the match does not end")


def test_a_match_is_played_to_its_end_and_goes_into_the_library(client: httpx.Client) -> None:
    over = to_the_end(client, begin(client))
    assert over["choices"] == [] and not over["undo"] and over["result"]["points"] >= 1
    kept = client.get(f"/v1/matches/{over['match']}").json()
    assert kept["players"] == ["Ada", "Kibitz (random)"] and kept["length"] == 1
    assert max(kept["score"]) >= 1
    # what the opponent did was told: his dice and plays are in the record
    record = client.get(f"/v1/matches/{over['match']}/file", params={"format": "json"}).json()
    assert record["games"][0]["result"] is not None
    assert client.get("/v1/players").json()["players"]
    taken = client.post(f"/v1/play/{over['id']}/undo")
    assert taken.status_code == 409 and taken.json()["type"] == "/problems/conflict"
    listed = client.get("/v1/play").json()
    check("PlayList", listed)
    assert next(one for one in listed["playing"] if one["id"] == over["id"])["over"]


def test_the_same_seed_gives_the_same_match(client: httpx.Client) -> None:
    first, second = begin(client, seed=11), begin(client, seed=11)
    assert first["state"]["dice"] == second["state"]["dice"]
    one, two = step(client, first), step(client, second)
    assert [item["dice"] for item in one["happened"]] == [item["dice"] for item in two["happened"]]
    assert one["state"]["position"] == two["state"]["position"]


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_every_opponent_plays(client: httpx.Client, opponent: str) -> None:
    game = begin(client, opponent=opponent, length=3, seat=1, seed=3)
    plays = 0
    for _ in range(20):
        mine = [one for one in game["happened"] if one["player"] == 0 and one["choice"] == "play" and one["play"]]
        assert all(one["play"]["moves"] and one["dice"] for one in mine)
        plays += len(mine)
        if plays > 2:
            break
        game = step(client, game)
    assert plays
    assert client.delete(f"/v1/play/{game['id']}").status_code == 204
    assert client.get(f"/v1/play/{game['id']}").status_code == 404


def test_undo_takes_back_the_play_and_the_answer_and_the_dice_come_again(client: httpx.Client) -> None:
    game = begin(client, seed=21, length=3, opponent="expert")
    while "play" not in game["choices"]:
        game = step(client, game)
    dice, position = game["state"]["dice"], game["state"]["position"]
    act(client, game, "play", play=game["plays"][0]["play"])
    back = client.post(f"/v1/play/{game['id']}/undo").json()
    check("Playing", back)
    if "roll" in back["choices"]:
        back = act(client, back, "roll")
    assert back["state"]["dice"] == dice and back["state"]["position"] == position
    fresh = begin(client, seed=21, length=3)
    assert client.post(f"/v1/play/{fresh['id']}/undo").status_code == 409


def test_double_and_resignation_are_answered_at_once(client: httpx.Client) -> None:
    game = begin(client, seed=5, length=5, opponent="expert")
    while "double" not in game["choices"]:
        game = step(client, game)
    doubled = act(client, game, "double")
    answers = [one["choice"] for one in doubled["happened"] if one["player"] == 1]
    assert answers[0] in ("take", "pass")
    refused = act(client, doubled, "resign", size=1) if doubled["choices"][:1] == ["roll"] else doubled
    assert refused["happened"][0]["choice"] in ("resign", "double")
    assert refused["happened"][-1]["choice"] in ("accept", "refuse", "pass")
    assert client.post(f"/v1/play/{game['id']}/actions", json={"action": "beaver"}).status_code == 422


def test_a_match_without_a_cube_has_none(client: httpx.Client) -> None:
    game = begin(client, cube=False, length=3)
    for _ in range(20):
        assert "double" not in game["choices"]
        game = step(client, game)
        assert all(one["choice"] != "double" for one in game["happened"])


def test_hint_and_tutor_are_the_engines(client: httpx.Client) -> None:
    game = begin(client, seed=9, length=5, opponent="expert")
    while "play" not in game["choices"] or len(game["plays"]) < 5:
        game = step(client, game)
    hint = client.get(f"/v1/play/{game['id']}/hint").json()
    check("Decision", hint)
    assert hint["state"]["position"] == game["state"]["position"]
    best, worst = hint["plays"][0], hint["plays"][-1]

    def told(play: str, threshold: float) -> Any:
        body = {"action": "play", "play": play, "threshold": threshold}
        data = client.post(f"/v1/play/{game['id']}/tutor", json=body).json()
        check("Tutored", data)
        return data["warning"]

    assert told(best["play"], 0.0) is None
    warning = told(worst["play"], 0.01)
    assert warning["lost"] > 0.05 and warning["best"] == best["play"]
    assert told(worst["play"], 10.0) is None
    # asking changes nothing
    assert client.get(f"/v1/play/{game['id']}").json()["version"] == game["version"]


def test_two_windows_do_not_overwrite_each_other(client: httpx.Client) -> None:
    game = begin(client)
    step(client, game)
    late = client.post(
        f"/v1/play/{game['id']}/actions", json={"action": game["choices"][0], "version": game["version"]}
    )
    assert late.status_code == 409 and late.json()["version"] == game["version"] + 1


def test_the_clock_counts_what_is_beyond_the_delay(client: httpx.Client) -> None:
    game = begin(client, clock={"reserve": 60, "delay": 10}, length=3)
    assert game["clock"] == {"reserve": 60, "delay": 10, "left": 60}

    def thought(seconds: float) -> float:
        nonlocal game
        plays = {"play": game["plays"][0]["play"]} if game["plays"] else {}
        game = act(client, game, game["choices"][0], seconds=seconds, **plays)
        return float(game["clock"]["left"])

    assert thought(8) == 60
    assert thought(25) == 45
    assert thought(1000) == 0
    assert game["choices"]


@pytest.mark.parametrize(
    "body",
    [
        {"opponent": "nobody"},
        {"length": -1},
        {"length": 100},
        {"seat": 2},
        {"name": " "},
        {"name": "a\0b"},
        {"variant": "chess"},
        {"clock": {"reserve": 0}},
        {"unknown": 1},
    ],
)
def test_what_cannot_be_is_refused(client: httpx.Client, body: dict[str, Any]) -> None:
    answer = client.post("/v1/play", json=body)
    assert answer.status_code == 422, answer.text
    check("Problem", answer.json())


def test_illegal_actions_change_nothing(client: httpx.Client) -> None:
    game = begin(client, seed=9)
    for body in ({"action": "play", "play": "24/1"}, {"action": "take"}, {"action": "next"}, {"action": "fly"}):
        answer = client.post(f"/v1/play/{game['id']}/actions", json=body)
        assert answer.status_code == 422, answer.text
    assert client.get(f"/v1/play/{game['id']}").json()["version"] == game["version"]


def test_a_killed_server_loses_nothing_not_even_the_roll(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.client() as client:
        game = begin(client, length=3, seed=33, opponent="expert")
        for _ in range(5):
            game = step(client, game)
        while "play" not in game["choices"]:
            game = step(client, game)
    server.kill()
    with Server(tmp_path) as again, again.client() as client:
        found = client.get(f"/v1/play/{game['id']}").json()
        check("Playing", found)
        assert [one["choice"] for one in found["happened"]].count("play") >= 2  # the game so far
        assert {**found, "happened": []} == {**game, "happened": []}
        assert found["state"]["dice"] is not None
        step(client, found)


def test_a_beaver_that_was_accepted_stays_so_when_it_is_kept() -> None:
    """The record has no word for it; what is kept does."""
    live = LiveMatch(Match(("Ada", "Ben"), 0, rules=Rules(jacoby=True, beavers=True)), seed=2)
    while "double" not in live.choices:
        live.act("play", live.plays[0] if live.plays else None) if "play" in live.choices else live.act("roll")
    live.act("double")
    live.act("beaver")
    assert "raccoon" in LiveMatch.from_dict(live.to_dict()).choices
    live.act("take")
    again = LiveMatch.from_dict(live.to_dict())
    assert again.choices == live.choices == ("roll", "resign")
    assert again.state == live.state and again.state.match.cube.value == 4
    live.act("roll")
    again = LiveMatch.from_dict(live.to_dict())
    assert again.state == live.state and again.choices == ("play", "resign")


def test_a_sitting_lets_the_opponent_answer_until_the_person_is_asked() -> None:
    live = LiveMatch(Match(("Ada", "Ben"), 3), seed=4)
    sitting = Sitting(live, 0, opponent_of("random", Engine(plies=0)))
    sitting.answer()
    for _ in range(30):
        if live.player is None:
            break
        assert live.player == 0
        choice = live.choices[0]
        sitting.act(choice, str(live.plays[0]) if choice == "play" and live.plays else None)
    assert any(one.player == 1 for one in sitting.happened)
