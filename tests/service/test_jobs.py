"""Jobs: rollouts, reviews and tables end with the numbers of a direct call, tell how far they are, can be stopped."""

from __future__ import annotations

import json
import time
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from kibitz import Dice, Engine, MatchState, Position, State, Variant, parse
from kibitz.analysis.review import review
from kibitz.engine.settings import SearchSettings
from kibitz.formats import by_name, load, read
from kibitz.library.library import Library
from kibitz.record import Game, Match, Roll
from kibitz.rollout.files import from_data
from kibitz.rollout.settings import PRESETS, RolloutSettings
from kibitz.service import costs
from kibitz.service.jobs import check_queue
from kibitz.service.kinds import RolloutGathering, RolloutJob, Tools
from kibitz.service.problems import Problem
from kibitz.service.requests import RolloutSettingsBody
from kibitz.service.settings import SHARED
from tests.library.samples import random_match
from tests.service.running import START, TURN, Server, events, wait_for
from tests.service.test_positions import check

SAMPLE = Path("examples/sample.mat")
QUICK = {"position": TURN, "preset": "roller", "top": 2, "trials": 72}
LONG = {"position": START, "dice": "31", "trials": 50_000, "top": 3}


def finished(client: httpx.Client, location: str, seconds: float = 60) -> Any:
    """The job at a location when it is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        job = client.get(location).json()
        if job["state"] in ("done", "failed", "cancelled"):
            return job
        time.sleep(0.05)
    raise AssertionError(f"the job is not over: {job}")


def same(rollout: dict[str, Any]) -> dict[str, Any]:
    """What must be the same of a rollout however it was made."""
    return {name: value for name, value in rollout.items() if name != "seconds"}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(plies=2, threads=1)


@pytest.fixture(scope="module")
def match(client: httpx.Client) -> int:
    answer = client.post("/v1/matches", content=SAMPLE.read_bytes(), params={"name": "sample.mat"})
    assert answer.status_code in (200, 201)
    check("Uploaded", answer.json())
    return int(answer.json()["match"]["id"])


# --- rollouts ---------------------------------------------------------------------------------------------------------


def test_a_rollout_ends_with_the_digits_of_a_direct_one(client: httpx.Client, engine: Engine) -> None:
    made = client.post("/v1/rollouts", json=QUICK)
    assert made.status_code == 202
    check("Job", made.json())
    job = finished(client, made.headers["location"])
    check("Job", job)
    check("Rollout", job["result"])
    assert (job["state"], job["progress"]) == ("done", 1.0)
    direct = engine.rollout(parse(TURN), preset="roller", top=2, trials=72, threads=1)
    assert same(job["result"]) == json.loads(json.dumps(same(direct.to_dict())))
    file = client.get(made.headers["location"] + "/rollout").json()
    check("RolloutFile", file)
    assert from_data(file).tally.to_dict() == direct.tally.to_dict()


def test_a_cube_decision_with_a_rule_stops_where_a_direct_rollout_does(client: httpx.Client, engine: Engine) -> None:
    text = "XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:7:10"
    body = {"position": text, "preset": "roller", "trials": 1440, "stop": {"separation": 2.0, "least": 72}}
    job = finished(client, client.post("/v1/rollouts", json=body).headers["location"])
    from kibitz.rollout.settings import StopRule

    direct = engine.rollout(
        parse(text), preset="roller", trials=1440, stop=StopRule(separation=2.0, least=72), threads=1
    )
    assert job["result"]["trials"] < 1440
    assert same(job["result"]) == json.loads(json.dumps(same(direct.to_dict())))
    assert job["result"]["stopped"] == "separation"
    check("Rollout", job["result"])


def test_parts_may_come_in_any_order(engine: Engine) -> None:
    """Chunks smaller than a group, added backwards, amount to the same rollout; a rule sees them in order."""
    from kibitz.rollout.executors import ThreadExecutor
    from kibitz.rollout.run import prepare
    from kibitz.rollout.settings import StopRule

    rollout = prepare(engine, parse(TURN), PRESETS["roller"].settings, top=2)
    rule = StopRule(separation=0.5, least=36)
    plan = RolloutJob.plan(rollout, 144, rule, {})
    kind = RolloutJob()
    library: Any = None
    tools = Tools(engine, ThreadExecutor(1), library)
    from kibitz.engine.engine import Cancellation

    pieces = [[first, min(first + 25, 144)] for first in range(0, 144, 25)]
    results = [kind.run(plan.request, {"games": one}, tools, Cancellation()) for one in pieces]
    found = RolloutGathering(json.loads(json.dumps(plan.request)))
    for number in reversed(range(len(results))):
        found.add(number, json.loads(json.dumps(results[number])))
        found.add(number, json.loads(json.dumps(results[number])))  # a second time changes nothing
    direct = engine.rollout(parse(TURN), preset="roller", top=2, trials=144, stop=rule, threads=1)
    assert found.rollout.tally.to_dict() == direct.tally.to_dict()
    assert found.rollout.stopped == direct.stopped


def test_progress_is_told_as_events_that_go_on_where_a_reader_left_off(client: httpx.Client) -> None:
    made = client.post("/v1/rollouts", json={**QUICK, "trials": 2_880})
    where = made.headers["location"] + "/events"
    with client.stream("GET", where) as stream:
        found = events(stream)
    names = [name for name, _, _ in found]
    assert names.count("final") == 1 and names[-1] == "final"
    assert set(names[:-1]) <= {"progress"}
    counts = [int(one) for _, one, _ in found[:-1]]
    assert counts == sorted(set(counts))
    for _, _, data in found:
        check("Job", json.loads(data))
    with client.stream("GET", where, headers={"last-event-id": "0"}) as stream:
        assert [name for name, _, _ in events(stream)] == ["final"]
    assert client.get(where, headers={"last-event-id": "end"}).status_code == 204


def test_a_cancelled_job_stops_at_once_and_keeps_what_is_done(client: httpx.Client) -> None:
    location = client.post("/v1/rollouts", json=LONG).headers["location"]
    wait_for(lambda: client.get(location).json()["chunks"]["done"] >= 2)
    started = time.monotonic()
    job = client.delete(location).json()
    check("Job", job)
    assert time.monotonic() - started < 2
    assert job["state"] == "cancelled"
    assert job["result"]["trials"] > 0
    done = job["chunks"]["done"]
    time.sleep(1.5)
    assert client.get(location).json()["chunks"]["done"] == done
    assert client.delete(location).json()["state"] == "cancelled"  # again changes nothing


def test_urgent_jobs_go_first(client: httpx.Client) -> None:
    slow = client.post("/v1/rollouts", json={**LONG, "priority": -5}).headers["location"]
    quick = client.post("/v1/rollouts", json={**QUICK, "priority": 5}).headers["location"]
    assert finished(client, quick)["state"] == "done"
    assert client.delete(slow).json()["state"] == "cancelled"


def test_questions_are_answered_while_jobs_take_all_cores(client: httpx.Client) -> None:
    locations = [client.post("/v1/rollouts", json=LONG).headers["location"] for _ in range(2)]
    time.sleep(0.5)
    taken = []
    for _ in range(20):
        started = time.monotonic()
        assert client.post("/v1/hint", json={"position": TURN, "plies": 0}).status_code == 200
        taken.append(time.monotonic() - started)
    for location in locations:
        client.delete(location)
    assert sorted(taken)[10] < 0.2


def test_what_costs_too_much_is_refused_with_the_estimate(client: httpx.Client) -> None:
    body = {"position": TURN, "preset": "world-class", "trials": 10_000_000}
    answer = client.post("/v1/rollouts", json=body)
    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (422, "/problems/budget-exceeded")
    assert problem["estimate"] > problem["limit"]
    estimate = client.post("/v1/rollouts", json=QUICK, params={"estimate": True})
    check("Estimate", estimate.json())
    assert estimate.status_code == 200


def test_reviews_of_a_day_are_counted_whatever_else_was_asked_for(tmp_path: Path) -> None:
    """Given 40 reviews a day for others, no crowd of other jobs after them hides them."""
    context: Any = SimpleNamespace(limits=SHARED)
    with Library(tmp_path / "library.db") as library:
        jobs = library.jobs
        for number in range(SHARED.daily_reviews + 3):
            kind = "rollout" if number < 3 else "review"
            jobs.cancel(jobs.create(kind, {"match": number}, [{}]))
            if kind == "review" and number < SHARED.daily_reviews + 2:
                check_queue(jobs, context, "review")
        for _ in range(3):
            jobs.cancel(jobs.create("rollout", {}, [{}]))
        check_queue(jobs, context, "rollout")
        with pytest.raises(Problem, match="40 reviews a day") as refused:
            check_queue(jobs, context, "review")
    assert refused.value.kind.name == "rate-limited"


def test_all_settings_of_a_rollout_can_be_sent() -> None:
    known = {one.name for one in fields(RolloutSettings)} - {"search"} | set(SearchSettings.__slots__)
    of_the_engine = {"threads", "cache_mb"}
    assert set(RolloutSettingsBody.model_fields) == known - of_the_engine


@pytest.mark.parametrize(
    "settings",
    [
        {"plies": 1, "filter": "everything"},
        {"plies": 2, "replies": 16, "last_replies": 16},
        {"plies": 1, "pruning": False},
        {"luck_plies": 1},
        {"variance_reduction": False},
    ],
)
def test_estimates_know_what_costs_much(engine: Engine, settings: dict[str, Any]) -> None:
    """Else a rollout of days would pass for one of minutes."""
    chosen = RolloutSettings().changed(**settings, truncate=6)
    games = 4 if settings.get("variance_reduction", True) else 200
    engine.rollout(Position.start(), "31", trials=1, top=1, threads=1, stratified=False)
    started = time.process_time()
    engine.rollout(Position.start(), "31", trials=games, top=1, threads=1, stratified=False, truncate=6, **settings)
    spent = time.process_time() - started
    assert spent / 8 < games * costs.rollout_game(chosen, 1) < spent * 8


@pytest.mark.parametrize("name", ["quick", "roller", "roller++"])
def test_estimates_are_right_within_a_factor(engine: Engine, name: str) -> None:
    settings: RolloutSettings = PRESETS[name].settings
    engine.rollout(Position.start(), "31", preset=name, trials=36, top=1, threads=1)
    started = time.process_time()
    engine.rollout(Position.start(), "31", preset=name, trials=72, top=2, threads=1)
    spent = time.process_time() - started
    estimate = 72 * costs.rollout_game(settings, 2)
    assert spent / 6 < estimate < spent * 6


@pytest.mark.parametrize(
    "body",
    [
        {"position": TURN, "preset": "no such"},
        {"position": TURN, "settings": {"plies": [1, 2, 3]}},
        {"position": TURN, "settings": {"unknown": 1}},
        {"position": TURN, "settings": {"late": 1}},
        {"position": TURN, "play": ["24/1"]},
        {"position": TURN, "trials": 0},
    ],
)
def test_a_rollout_that_cannot_be_is_refused(client: httpx.Client, body: dict[str, Any]) -> None:
    answer = client.post("/v1/rollouts", json=body)
    assert answer.status_code == 422
    check("Problem", answer.json())


def test_jobs_are_listed_and_unknown_ones_are_not_found(client: httpx.Client) -> None:
    data = client.get("/v1/jobs", params={"state": "done", "limit": 3}).json()
    check("Jobs", data)
    assert all(job["state"] == "done" for job in data["jobs"])
    for path in ("/v1/jobs/99999999", "/v1/jobs/99999999/events", "/v1/jobs/99999999/rollout"):
        assert client.get(path).json()["type"] == "/problems/not-found"
    assert client.get("/v1/jobs/0").status_code == 422


# --- matches and reviews ----------------------------------------------------------------------------------------------


def test_a_match_comes_in_once_and_goes_out_in_other_formats(client: httpx.Client, match: int) -> None:
    again = client.post("/v1/matches", content=SAMPLE.read_bytes(), params={"name": "../../etc/other.mat"})
    assert again.status_code == 200
    assert again.json()["outcome"] == "known"
    assert again.json()["match"]["id"] == match
    check("Match", client.get(f"/v1/matches/{match}").json())
    check("Matches", client.get("/v1/matches").json())
    for name in ("json", "mat", "sgf"):
        file = client.get(f"/v1/matches/{match}/file", params={"format": name})
        assert read(file.content).players == load(SAMPLE).players
        assert f"match-{match}." in file.headers["content-disposition"]
    assert client.get(f"/v1/matches/{match}/file", params={"format": "xg"}).status_code == 422


def test_what_could_not_be_read_is_told(client: httpx.Client) -> None:
    lines = SAMPLE.read_text().replace("Ada", "Eva").replace("13/11 11/10", "13/11 xx/yy")
    answer = client.post("/v1/matches", content=lines.encode())
    assert answer.status_code == 201
    assert answer.json()["warnings"]
    number = answer.json()["match"]["id"]
    assert client.delete(f"/v1/matches/{number}").status_code == 204
    assert client.get(f"/v1/matches/{number}").status_code == 404
    for body in (b"", b"no match at all", b"\0" * 100):
        refused = client.post("/v1/matches", content=body)
        assert (refused.status_code, refused.json()["type"]) == (422, "/problems/unreadable-file")


def test_a_review_ends_as_a_direct_one_and_can_be_read_before(
    client: httpx.Client, server: Server, match: int, engine: Engine
) -> None:
    fresh = client.post("/v1/matches", content=by_name("json").write(random_match(5, length=1))[0]).json()["match"][
        "id"
    ]
    assert client.get(f"/v1/matches/{fresh}/review").json()["type"] == "/problems/not-found"
    made = client.post(f"/v1/matches/{match}/reviews", json={"level": "fast"})
    assert made.status_code == 202
    job = finished(client, made.headers["location"])
    assert job["state"] == "done", job
    found = client.get(f"/v1/matches/{match}/review").json()
    check("ReviewSoFar", found)
    assert found["complete"]
    with Library(server.library) as library:
        direct = review(library.match(match, origin="file"), level="fast", engine=engine, threads=1)
    expected = json.loads(json.dumps(direct.to_dict()))
    assert found["review"]["decisions"] == expected["decisions"]
    assert found["review"]["rolls"] == expected["rolls"]
    assert found["review"]["curve"] == expected["curve"]
    assert found["review"]["statistics"] == expected["statistics"]
    page = client.get(f"/v1/matches/{match}/page")
    assert page.headers["content-type"].startswith("text/html")
    assert "sandbox" in page.headers["content-security-policy"]
    assert "Ada" in page.text
    assert client.get("/v1/matches/99999/page").status_code == 404


def test_a_cancelled_review_shows_what_is_done(client: httpx.Client, match: int) -> None:
    location = client.post(f"/v1/matches/{match}/reviews", json={"level": "2-ply"}).headers["location"]
    wait_for(lambda: client.get(location).json()["chunks"]["done"] >= 1)
    assert client.delete(location).json()["state"] == "cancelled"
    found = client.get(f"/v1/matches/{match}/review").json()
    check("ReviewSoFar", found)
    assert not found["complete"]
    assert found["review"]["decisions"]


def test_reviews_that_cannot_be_are_refused(client: httpx.Client, match: int) -> None:
    for body in ({"level": "no such"}, {"level": "7-ply"}, {"rollout": -1}):
        assert client.post(f"/v1/matches/{match}/reviews", json=body).status_code == 422
    assert client.post("/v1/matches/99999/reviews", json={}).status_code == 404


# --- tables -----------------------------------------------------------------------------------------------------------


def test_a_table_is_built_by_a_job(tmp_path: Path) -> None:
    folders = {"KIBITZ_CACHE": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    with Server(tmp_path, **folders) as server, server.client() as client:
        check("Tables", client.get("/v1/tables").json())
        made = client.post("/v1/tables", json={"name": "two-sided-6x3"})
        assert made.status_code == 202, made.text
        job = finished(client, made.headers["location"])
        assert job["state"] == "done", job
        check("Table", job["result"])
        assert job["result"]["state"] == "built"
        assert str(tmp_path) not in made.text + json.dumps(job)
        assert client.post("/v1/tables", json={"name": "../x"}).status_code == 422
        assert client.post("/v1/tables", json={"name": "two-sided-11x15"}).status_code == 422


def test_a_question_builds_no_table_that_takes_minutes(tmp_path: Path) -> None:
    """Given no table of hypergammon-3, who asks about it is told so at once; small ones are built by the way."""
    cache = tmp_path / "cache"
    moves = Position.start(Variant.HYPERGAMMON_3).plays("31")[0].moves
    game = Game(actions=(Roll(0, Dice(3, 1), moves),))
    match = Match(("Ada", "Ben"), 1, games=(game,), variant=Variant.HYPERGAMMON_3)
    with Server(tmp_path, KIBITZ_CACHE=str(cache), XDG_CACHE_HOME=str(cache)) as server, server.client() as client:

        def of(variant: Variant) -> dict[str, Any]:
            return {"position": State(Position.start(variant), MatchState(variant=variant)).to_dict()}

        small, large = of(Variant.HYPERGAMMON_1), of(Variant.HYPERGAMMON_3)
        assert client.post("/v1/hint", json=small).status_code == 200
        calls: list[tuple[str, dict[str, Any]]] = [
            (path, large) for path in ("hint", "cube", "evaluate", "rolls", "replies", "matrix", "explain", "rollouts")
        ]
        calls.append(("play", {"variant": "hypergammon-3", "length": 1}))
        number = client.post("/v1/matches", content=by_name("json").write(match)[0]).json()["match"]["id"]
        calls.append((f"matches/{number}/reviews", {}))
        started = time.monotonic()
        for path, body in calls:
            answer = client.post(f"/v1/{path}", json=body)
            assert (answer.status_code, answer.json()["type"]) == (422, "/problems/unusable-table"), (path, answer.text)
            assert "kibitz tables build hypergammon-3" in answer.json()["detail"]
        assert time.monotonic() - started < 30
        assert client.post("/v1/plays", json={**large, "dice": "31"}).status_code == 200  # the rules need no table
        assert client.get("/v1/jobs").json()["jobs"] == []
        assert not list(cache.rglob("*hypergammon-3*"))
