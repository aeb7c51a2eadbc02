"""The OpenAPI document: committed, compared, and held against the server by generated requests."""

from __future__ import annotations

import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from kibitz.formats import by_name
from kibitz.library.library import Library
from kibitz.service.app import document, make_app
from kibitz.service.schemas import SCHEMAS
from kibitz.service.settings import Settings
from tests.library.samples import random_match
from tests.service.load import MB, OWN, memory
from tests.service.running import KEY, TURN, Server

DOCUMENT = Path("docs/openapi.json")


def test_the_committed_document_is_that_of_the_code(client: httpx.Client) -> None:
    """After a change on purpose: KIBITZ_WRITE_OPENAPI=1 writes it anew."""
    made = json.dumps(document(make_app(Settings())), indent=1, sort_keys=True) + "\n"
    if os.environ.get("KIBITZ_WRITE_OPENAPI"):
        DOCUMENT.write_text(made)
    assert DOCUMENT.read_text() == made
    assert client.get("/openapi.json").json() == json.loads(made)


def test_every_schema_is_sound_and_used() -> None:
    text = json.dumps(document(make_app(Settings())))
    for name, schema in SCHEMAS.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert f'"#/components/schemas/{name}"' in text or name in _OPEN, f"{name} is used by nothing"


_OPEN = {"Rollout"}
"""Results of jobs: what they are depends on the kind."""


def test_every_operation_tells_its_answers_and_problems() -> None:
    for path, methods in document(make_app(Settings()))["paths"].items():
        for method, operation in methods.items():
            assert {"4XX", "5XX"} <= set(operation["responses"]), (method, path)
            assert operation["summary"]
            assert operation["description"]


def test_the_page_of_the_document_tells_all_of_it_and_fetches_nothing(client: httpx.Client) -> None:
    answer = client.get("/docs")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    page = answer.text
    made = document(make_app(Settings()))
    for path, methods in made["paths"].items():
        for method in methods:
            assert f"<code>{method.upper()} {path}</code>" in page
    links = set(re.findall(r'href="([^"]*)"', page))
    assert links - {"/openapi.json"} <= {f"#{one}" for one in re.findall(r'id="([^"]*)"', page)}
    assert {f"#{name}" for name in made["components"]["schemas"]} - links <= {f"#{name}" for name in _OPEN}
    assert not re.search(r"<script|src=|@import|url\(|https?://", page)


_ASKED: dict[str, Any] = {"position": TURN, "dice": None, "filter": None, "play": [], "plies": 0, "time": None}
_RIGHT: dict[str, dict[str, Any]] = {
    "/v1/hint": _ASKED,
    "/v1/cube": {name: value for name, value in _ASKED.items() if name != "play"},
    "/v1/evaluate": {"position": TURN, "dice": None, "plies": 0, "filter": None},
    "/v1/rolls": {"position": TURN, "dice": None, "plies": 0, "filter": None},
    "/v1/matrix": {"position": TURN, "dice": None, "plies": 0, "filter": None, "away": 2},
    "/v1/plays": {"position": TURN, "dice": None},
    "/v1/explain": {"position": TURN, "dice": None, "plies": 0, "filter": None, "options": ["24/20"]},
    "/v1/compare": {"position": TURN, "dice": None, "play": "24/20", "other": None},
    "/v1/replies": {"position": TURN, "dice": None, "plies": 0, "filter": None},
    "/v1/parse": {"text": TURN},
    "/v1/rollouts": {"position": TURN, "dice": None, "play": [], "trials": 36, "preset": "roller", "settings": {}},
    "/v1/tables": {"name": "two-sided-6x3"},
    "/v1/play": {"opponent": "random", "length": 1, "seed": 1, "name": "Ada", "clock": None},
    "/v1/searches": {"query": "at_least=0.08"},
    "/v1/decks": {"query": "at_least=0.08", "settings": {}},
    "/v1/notes": {"position": TURN, "match": None, "decision": None},
    "/v1/tags": {"position": TURN, "match": None, "decision": None},
    "/v1/collections": {"decisions": []},
}
"""What is put into generated bodies to make them right."""


class Things:
    """Numbers of things that there are, so that half of the requests find what they ask about."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        self._seeds = itertools.count(1000)
        self._kept: dict[str, int] = {}

    def number(self, path: str, method: str) -> int | None:
        """That of a thing of the kind that an address is about; a fresh one if it is to be deleted."""
        kind = path.split("/")[2]
        if kind not in ("matches", "jobs", "decks", "notes", "play", "cards", "decisions"):
            return None
        if method == "DELETE":
            return self._made(kind)
        if kind not in self._kept:
            self._kept[kind] = self._made(kind)
        return self._kept[kind]

    def _made(self, kind: str) -> int:
        client = self._client
        if kind == "matches":
            data = by_name("json").write(random_match(next(self._seeds), length=1))[0]
            return int(client.post("/v1/matches", content=data).json()["match"]["id"])
        if kind == "notes":
            return int(
                client.post(f"/v1/matches/{self.number('/v1/matches', 'GET')}/notes", json={"text": "x"}).json()["id"]
            )
        if kind == "cards":
            return int(client.get(f"/v1/decks/{self.number('/v1/decks', 'GET')}/cards").json()["cards"][0]["id"])
        if kind == "decisions":
            return int(client.get("/v1/decisions", params={"limit": 1}).json()["decisions"][0]["id"])
        bodies: dict[str, dict[str, Any]] = {
            "jobs": {"position": TURN, "preset": "roller", "trials": 36, "top": 1},
            "decks": {"name": f"deck {next(self._seeds)}", "query": "kind=checker"},
            "play": {"opponent": "random", "length": 1, "seed": 1},
        }
        body = bodies[kind]
        made = client.post("/v1/rollouts" if kind == "jobs" else f"/v1/{kind}", json=body)
        if kind == "jobs" and made.status_code == 429:  # so many are waiting: one of those, then
            return int(client.get("/v1/jobs").json()["jobs"][0]["id"])
        assert made.status_code in (200, 201, 202), made.text
        return int(made.json()["id"])


def run_schemathesis(server: Server, examples: int, part: int, parts: int) -> Counter[int]:
    """Generated requests, right and wrong ones, to every operation of a part; how many had which status."""
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis import GenerationMode
    from schemathesis.checks import CHECKS

    config = schemathesis.Config.from_dict({"generation": {"mode": "all", "allow-x00": True}})
    schema = schemathesis.openapi.from_url(
        f"{server.url}/openapi.json", headers={"authorization": f"Bearer {KEY}"}, config=config
    )
    wanted = [
        check
        for check in CHECKS.get_all()
        if check.__name__
        in ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
    ]
    assert len(wanted) == 4
    found: Counter[int] = Counter()
    operations = [result.ok() for result in schema.get_all_operations()]
    operations = [one for one in operations if one.path != "/v1/jobs/events"]  # tested by hand: it stays open
    with server.client() as client:
        things = Things(client)
        for operation in operations[part * len(operations) // parts : (part + 1) * len(operations) // parts]:
            for mode in GenerationMode:
                asking = Asking(
                    things, _RIGHT.get(operation.path, {}) if mode is GenerationMode.POSITIVE else {}, wanted
                )
                asking.ask(operation.as_strategy(generation_mode=mode), examples)
                found.update(asking.statuses)
    return found


class Asking:
    """Generated requests to one operation."""

    def __init__(self, things: Things, given_right: dict[str, Any], wanted: list[Any]) -> None:
        self._things = things
        self._right = given_right
        self._wanted = wanted
        self._count = 0
        self.statuses: Counter[int] = Counter()

    def ask(self, cases: Any, examples: int) -> None:
        """So many of them."""

        @settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=cases)
        def check(case: Any) -> None:
            self._one(case)

        with suppress(Unsatisfiable):  # an operation that cannot be asked wrongly
            check()

    def _one(self, case: Any) -> None:
        self._count += 1
        if self._count % 2:
            # Random text is no position, and random numbers are of nothing: half of the requests get what there is.
            if isinstance(case.body, dict):
                case.body = {**case.body, **self._right}
            number = self._things.number(case.path, case.method) if "{number}" in case.path else None
            if number is not None and (case.method != "DELETE" or self._count % 16 == 1):
                case.path_parameters = {**case.path_parameters, "number": number}
        case.headers = {**(case.headers or {}), "authorization": f"Bearer {KEY}"}
        if self._count % 5 == 0:
            case.headers["accept"] = "text/event-stream"
        answer = case.call_and_validate(checks=self._wanted, timeout=120)
        self.statuses[answer.status_code] += 1


@pytest.fixture
def furnished(tmp_path: Path) -> Iterator[Server]:
    """A server with a library in which there is something of everything."""
    with Library(tmp_path / "library.db") as library:
        for seed in range(2):
            library.add(random_match(seed, length=1, players=("Ada", f"Ben {seed}")))
        library.players.set_me("Ada")
        library.review("fast", threads=1)
    cache = str(tmp_path / "cache")
    with Server(tmp_path, "--quiet", KIBITZ_CACHE=cache, XDG_CACHE_HOME=cache) as server:
        yield server


def check_generated(server: Server, examples: int, least: int, *, part: int = 0, parts: int = 1) -> None:
    found = run_schemathesis(server, examples, part, parts)
    assert found.total() >= least, found
    assert not any(status >= 500 for status in found), found
    assert sum(found[status] for status in (200, 201, 202, 204)) > found.total() / 5, found
    assert memory(server, OWN) < 600 * MB


def test_generated_requests_are_answered_as_documented(furnished: Server) -> None:
    check_generated(furnished, 3, 200)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_twenty_thousand_generated_requests(furnished: Server, part: int) -> None:
    """In three parts, each with a server of its own: what one part leaves in the library does not slow the others."""
    check_generated(furnished, 150, 6_700, part=part, parts=3)
