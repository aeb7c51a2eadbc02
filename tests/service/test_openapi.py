"""The OpenAPI document: committed, compared, and held against the server by generated requests."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from kibitz.service.app import document, make_app
from kibitz.service.schemas import SCHEMAS
from kibitz.service.settings import Settings
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


def run_schemathesis(server: Server, examples: int) -> int:
    """Generated requests, right and wrong ones, to every operation; how many there were."""
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
    counted = [0]
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path.endswith("/events"):
            continue  # tested by hand: it stays open
        for mode in GenerationMode:
            given_right = _RIGHT.get(operation.path, {}) if mode is GenerationMode.POSITIVE else {}
            _ask(operation.as_strategy(generation_mode=mode), given_right, wanted, examples, counted)
    return counted[0]


def _ask(cases: Any, given_right: dict[str, Any], wanted: list[Any], examples: int, counted: list[int]) -> None:
    """Generated requests to one operation."""

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
        counted[0] += 1
        if counted[0] % 2 and isinstance(case.body, dict):
            # Random text is no position: half of the requests get one, so that there is something to answer.
            case.body = {**case.body, **given_right}
        case.headers = {**(case.headers or {}), "authorization": f"Bearer {KEY}"}
        case.call_and_validate(checks=wanted, timeout=60)

    with suppress(Unsatisfiable):  # an operation that cannot be asked wrongly
        check()


def test_generated_requests_are_answered_as_documented(server: Server) -> None:
    assert run_schemathesis(server, 6) > 200


@pytest.mark.slow
def test_twenty_thousand_generated_requests(server: Server) -> None:
    assert run_schemathesis(server, 600) > 20_000
