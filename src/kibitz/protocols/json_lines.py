"""Many questions at once: one JSON object a line in, one out, as they come.

A request is an object with `position` (any notation) and, as wanted, `dice`, `variant` (needed where a position may be
hypergammon), `plies`, `cubeful`, `filter`, `time`, `play` (a notation or a list of them), `top` (how many plays to
answer with) and `id`, which is handed back. A line that is only a position, in quotes or bare, is a request too. The
answer has the schema of `kibitz hint --json`; a request that cannot be served is answered with `error` and does not
disturb the others.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO

from kibitz.decision import PlayDecision
from kibitz.dice import Dice
from kibitz.engine.engine import Engine
from kibitz.errors import KibitzError, NotationError
from kibitz.notation import in_game, parse
from kibitz.plain_json import read_json, whole_text
from kibitz.state import Offer

MAX_BYTES = 1 << 16
"""Of a line. One that is longer is answered with an error."""
_KNOWN = {"id", "position", "dice", "variant", "plies", "cubeful", "filter", "time", "play", "top"}


def lines_in(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream of bytes. Of one that is too long, enough is kept to see that."""
    while line := stream.readline(MAX_BYTES + 1):
        whole = line
        while not whole.endswith(b"\n") and (whole := stream.readline(MAX_BYTES)):
            pass
        yield line.decode("utf-8", "replace")


def answers(engine: Engine, lines: Iterable[str]) -> Iterator[str]:
    """An answer line for each request line; empty lines are passed over."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            line = whole_text(line)
            yield json.dumps(answer_line(engine, line, number), ensure_ascii=False)


def answer_line(engine: Engine, line: str, number: int = 1) -> dict[str, Any]:
    """The answer to one request, an error among them."""
    identity: object = number
    try:
        if len(line) > MAX_BYTES:
            raise NotationError(f"a request has at most {MAX_BYTES} bytes")
        request = _request(line)
        identity = request.get("id", number)
        _check(request)
        return {"id": identity} | _answer(engine, request)
    except KibitzError as error:
        return {"id": identity, "error": {"code": error.code, "message": str(error)}}


def _request(line: str) -> dict[str, Any]:
    text = line.strip()
    if text[0] not in '{"[':
        return {"position": text}
    try:
        request = read_json(text)
    except ValueError as error:
        raise NotationError(f"the line is not JSON: {error}") from None
    if isinstance(request, str):
        return {"position": request}
    if not isinstance(request, dict):
        raise NotationError(f"a request is a JSON object, not {type(request).__name__}")
    return request


def _check(request: dict[str, Any]) -> None:
    unknown = sorted(set(request) - _KNOWN)
    if unknown:
        raise NotationError(f"unknown field {', '.join(map(repr, unknown))}; known are {', '.join(sorted(_KNOWN))}")
    if not isinstance(request.get("position"), str):
        raise NotationError("a request needs a position, as text")


def _answer(engine: Engine, request: dict[str, Any]) -> dict[str, Any]:
    state = in_game(parse(request["position"]), _typed(request, "variant", str))
    if (dice := request.get("dice")) is not None:
        roll = Dice.of(tuple(dice) if isinstance(dice, list) else dice)
        state = replace(state, dice=roll, offer=Offer.NONE)
    top = _typed(request, "top", int)
    time = _typed(request, "time", (int, float))
    plays = _typed(request, "play", (str, list)) or ()
    for name, value in (("top", top), ("time", time)):
        if value is not None and not 0 <= value < math.inf:
            raise NotationError(f"{name} is {value!r}, which is no number of 0 or more")
    if not all(isinstance(one, str) for one in plays):
        raise NotationError(f"play is {plays!r}, which is neither a play as text nor a list of them")
    found = engine.answer(
        state,
        plies=_typed(request, "plies", int),
        cubeful=_typed(request, "cubeful", bool),
        filter=_typed(request, "filter", str),
        time=None if time is None else float(time),
        play=plays,
    )
    return found.to_dict(top=top) if isinstance(found, PlayDecision) else found.to_dict()


def _typed(request: dict[str, Any], name: str, kind: type | tuple[type, ...]) -> Any:
    value = request.get(name)
    wrong = value is not None and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool))
    if wrong:
        raise NotationError(f"{name} is {value!r}, which is not of the expected type")
    return value
