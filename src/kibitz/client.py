"""The engine of a server: the methods of `Engine` over HTTP, with the same decisions as answers.

>>> from kibitz import Client, parse
>>> Client("http://127.0.0.1:8642").answer(parse("4HPwATDgc/ABMA")).best  # doctest: +SKIP
'no double, take'
"""

from __future__ import annotations

import http.client
import json
import os
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, Unpack
from urllib.parse import urlencode, urlsplit

from kibitz.cube import Cube, Owner
from kibitz.decision import (
    CubeDecision,
    Decision,
    Evaluation,
    PlayDecision,
    Question,
    ResignationDecision,
)
from kibitz.dice import Dice, DiceLike
from kibitz.engine.engine import Cancellation, Plays, state_of
from kibitz.engine.levels import Level
from kibitz.engine.replies import RollReply
from kibitz.engine.settings import SearchOptions, SearchSettings
from kibitz.errors import (
    EngineError,
    FormatError,
    IllegalPlayError,
    KibitzError,
    LibraryError,
    NotationError,
    PositionError,
    TableError,
)
from kibitz.match import MatchState
from kibitz.move import Play
from kibitz.position import Position, Variant
from kibitz.state import Offer, State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kibitz.analysis.review import MatchReview
    from kibitz.record import Match
    from kibitz.rollout.rollout import Rollout
    from kibitz.rollout.run import RolloutOptions

KEY_VARIABLE = "KIBITZ_KEY"
"""Where the key is found if none is given."""
_ERRORS: dict[str, type[KibitzError]] = {
    "invalid-notation": NotationError,
    "illegal-play": IllegalPlayError,
    "unreadable-file": FormatError,
    "unusable-table": TableError,
    "not-found": LibraryError,
    "unavailable": LibraryError,
}
_POLL = 0.02
_OCTETS = "application/octet-stream"
_OF_THE_SERVER = ("threads", "cache_mb")
"""Settings that change only how long a search takes, which is the server's business."""


class Client:
    """A server that answers as `Engine` does. Settings given here are the defaults of every method.

    The key is that of the server, by default from the variable KIBITZ_KEY. Safe to be shared by threads: each has a
    connection of its own. `timeout` is for one answer; rollouts and reviews take as long as they take.
    """

    def __init__(
        self, url: str, *, key: str | None = None, timeout: float = 60.0, **search: Unpack[SearchOptions]
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise EngineError(f"expected the address of a server such as http://127.0.0.1:8642, not {url!r}")
        self.url = url.rstrip("/")
        self.settings = SearchSettings().changed(**search)
        self._given = {name: value for name, value in search.items() if value is not None}
        self._key = key or os.environ.get(KEY_VARIABLE)
        self._timeout = timeout
        self._parts = parts
        self._local = threading.local()

    # --- whatever is asked ------------------------------------------------------------------------------------------

    def answer(
        self,
        state: State,
        *,
        play: Plays = (),
        listed: int = 0,
        time: float | None = None,
        cancellation: Cancellation | None = None,
        level: Level | str | None = None,
        **search: Unpack[SearchOptions],
    ) -> Decision:
        """The answer to what the state asks for: a play, a double, a take, or what to do about a resignation."""
        body = self._body(state, search) | {"play": _plays(play), "listed": listed}
        if level is not None:
            body["level"] = Level.of(level).name
        if time is not None:
            body["time"] = time
        return _decision(self._deepened("/v1/hint", body, cancellation))

    def rank(
        self,
        where: State | Position,
        dice: DiceLike | None = None,
        *,
        match: MatchState | None = None,
        play: Plays = (),
        listed: int = 0,
        time: float | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> PlayDecision:
        """All plays of a roll, best first. A cancelled search returns what it has finished."""
        state = state_of(where, dice, match)
        if state.dice is None:
            raise EngineError("expected dice, in the state or beside the position: without them there is no play")
        if state.position.is_over:
            return PlayDecision(state, ())
        found = self.answer(state, play=play, listed=listed, time=time, cancellation=cancellation, **search)
        assert isinstance(found, PlayDecision)
        return found

    def cube(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        lines: bool = False,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> CubeDecision:
        """The cube decision of the player on roll, and the opponent's answer to a double."""
        body = self._body(state_of(where, match=match), search) | {"lines": lines}
        return CubeDecision.from_dict(self._deepened("/v1/cube", body, cancellation))

    def cubes(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        owners: Sequence[Owner] = tuple(Owner),
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> dict[Owner, CubeDecision]:
        """The cube decision with the cube in each of these hands."""
        state = replace(state_of(where, match=match), dice=None, offer=Offer.NONE)
        places = {owner: replace(state.match, cube=Cube(state.match.cube.value, owner)) for owner in owners}
        return {
            owner: self.cube(replace(state, match=place), cancellation=cancellation, **search)
            for owner, place in places.items()
        }

    def equity(
        self, where: State | Position, *, match: MatchState | None = None, **search: Unpack[SearchOptions]
    ) -> float:
        """The cubeful equity of the player on roll with the best cube action, normalised to the present cube."""
        return self.cube(where, match=match, **search).equity

    def resignation(
        self, state: State, *, cancellation: Cancellation | None = None, **search: Unpack[SearchOptions]
    ) -> ResignationDecision:
        """Whether the opponent should accept what the player on roll offers to lose."""
        if not state.offer.is_resignation:
            raise EngineError(f"nobody resigns in this state: the offer is {state.offer.value!r}")
        found = self.answer(state, cancellation=cancellation, **search)
        assert isinstance(found, ResignationDecision)
        return found

    # --- positions --------------------------------------------------------------------------------------------------

    def evaluate(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> Evaluation:
        """The cubeless chances of the player on roll."""
        state = replace(state_of(where, match=match), dice=None, offer=Offer.NONE)
        with self._stoppable(cancellation):
            return Evaluation.from_dict(self._post("/v1/evaluate", self._body(state, search)))

    def evaluate_batch(
        self, boards: npt.NDArray[np.uint8], *, variant: Variant | str = Variant.BACKGAMMON
    ) -> npt.NDArray[np.float32]:
        """Many boards at once, at 0 plies: uint8 (n, 2, 25), row 0 the player on roll, to float32 (n, 5)."""
        import numpy as np

        if Variant(variant).checkers != Variant.BACKGAMMON.checkers:
            raise EngineError(f"a server evaluates boards of backgammon in batches, not of {Variant(variant).value}")
        boards = np.ascontiguousarray(boards, dtype=np.uint8)
        if boards.ndim != 3 or boards.shape[1:] != (2, 25):
            raise EngineError(f"boards have the shape (n, 2, 25), not {boards.shape}")
        headers = {"content-type": _OCTETS, "accept": _OCTETS}
        data = self.request("POST", "/v1/evaluations", boards.tobytes(), headers)
        return np.frombuffer(data, "<f4").reshape(-1, 5).astype(np.float32)

    def roll_values(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> list[float]:
        """What each of the 21 rolls (`ALL_ROLLS`) is worth to the player on roll, as the cube model counts values."""
        with self._stoppable(cancellation):
            found = self._post("/v1/rolls", self._body(state_of(where, match=match), search))
        return [one["value"] for one in found["rolls"]]

    def roll_replies(
        self,
        where: State | Position,
        *,
        match: MatchState | None = None,
        cancellation: Cancellation | None = None,
        **search: Unpack[SearchOptions],
    ) -> list[RollReply]:
        """The best play of each of the 21 rolls with its worth, looking `plies` further after the play."""
        with self._stoppable(cancellation):
            found = self._post("/v1/replies", self._body(state_of(where, match=match), search))
        return [
            RollReply(
                Dice.of(tuple(one["dice"])),
                Position.from_id(one["result"]),
                Evaluation.from_dict(one["evaluation"]),
                one["held"],
                one["doubled"],
            )
            for one in found["replies"]
        ]

    # --- long work --------------------------------------------------------------------------------------------------

    def rollout(
        self, where: State | Position, dice: DiceLike | None = None, **options: Unpack[RolloutOptions]
    ) -> Rollout:
        """Play games from a position to find out what it is worth; a job of the server. Ctrl-C cancels it."""
        from kibitz.rollout.files import from_data

        given: dict[str, Any] = dict(options)
        state = state_of(where, dice, given.pop("match", None))
        progress, cancellation = given.pop("progress", None), given.pop("cancellation", None)
        body = _rollout_body(state, given)

        def so_far() -> Rollout:
            return from_data(json.loads(self.request("GET", f"{location}/rollout")))

        location = self._begin("/v1/rollouts", body)
        job = self._wait(location, cancellation, None if progress is None else lambda: progress(so_far()))
        if job["state"] == "failed":
            raise EngineError(f"the rollout failed: {job['error']}")
        rollout = so_far()
        rollout.stopped = "cancelled" if job["state"] == "cancelled" else job["result"]["stopped"]
        return rollout

    def review(
        self, match: Match | Path | str, *, level: str = "default", rollout: int = 0, progress: Any = None
    ) -> MatchReview:
        """Have a match reviewed, given as such or as the path of a file; it stays in the server's library."""
        from kibitz.analysis.review import MatchReview
        from kibitz.formats import by_name, read
        from kibitz.record import Match as Record

        if isinstance(match, Record):
            name, data = "match.json", by_name("json").write(match)[0]
        else:
            path = Path(match)
            try:
                name, data = path.name, path.read_bytes()
            except OSError as error:
                raise FormatError(f"cannot read {path}: {error.strerror or error}") from None
        query = urlencode({"name": name[-200:]})
        made = json.loads(self.request("POST", f"/v1/matches?{query}", data, {"content-type": _OCTETS}))
        where = f"/v1/matches/{made['match']['id']}"
        location = self._begin(f"{where}/reviews", {"level": level, "rollout": rollout})
        job = self._wait(location, None, progress)
        if job["state"] != "done":
            raise EngineError(f"the review is {job['state']}: {job['error']}")
        found = json.loads(self.request("GET", f"{where}/review"))
        record = read(self.request("GET", f"{where}/file?format=json"))
        return MatchReview.from_dict(found["review"], record)

    def _begin(self, path: str, body: Mapping[str, Any]) -> str:
        """Make a job; its location."""
        return f"/v1/jobs/{int(self._post(path, body)['id'])}"

    def _wait(self, location: str, cancellation: Cancellation | None, progress: Callable[[], object] | None) -> Any:
        """The job when it is over."""
        pause, done = 0.02, -1
        try:
            while True:
                job = json.loads(self.request("GET", location))
                if job["state"] not in ("queued", "running"):
                    return job
                if progress is not None and job["chunks"]["done"] != done:
                    done = job["chunks"]["done"]
                    progress()
                if cancellation is not None and cancellation.cancelled:
                    return json.loads(self.request("DELETE", location))
                time.sleep(pause)
                pause = min(2 * pause, 0.5)
        except KeyboardInterrupt:
            return json.loads(self.request("DELETE", location))

    # --- speaking ---------------------------------------------------------------------------------------------------

    def _body(self, state: State, search: Mapping[str, Any]) -> dict[str, Any]:
        asked = self._given | {name: value for name, value in search.items() if value is not None}
        body = {name: _plain(value) for name, value in asked.items() if name not in _OF_THE_SERVER}
        return {"position": state.to_dict()} | body

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        headers = {"content-type": "application/json"}
        return json.loads(self.request("POST", path, json.dumps(body).encode(), headers))

    def _deepened(self, path: str, body: Mapping[str, Any], cancellation: Cancellation | None) -> Any:
        """The final answer, or the deepest one before the work was cancelled."""
        if cancellation is None:
            return self._post(path, body)
        headers = {"content-type": "application/json", "accept": "text/event-stream"}
        last: Any = None
        try:
            with self._stoppable(cancellation):
                response = self._send("POST", path, json.dumps(body).encode(), headers)
                if response.status >= 400:
                    raise _error(response.status, response.read())
                for name, data in _events(response):
                    if name == "problem":
                        raise _error(0, data)
                    last = json.loads(data)
                response.read()
        except EngineError:
            if not cancellation.cancelled or last is None or path != "/v1/hint":
                raise
        if last is None:
            raise EngineError(f"{self.url} ended without an answer")
        return last

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        """What the server answers to any request of its API. Problems are raised as the errors that they are."""
        response = self._send(method, path, body, headers)
        try:
            data = response.read()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise EngineError(f"{self.url} ended in the middle of an answer: {error}") from None
        if response.status >= 400:
            raise _error(response.status, data)
        return data

    def _send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str] | None
    ) -> http.client.HTTPResponse:
        given = dict(headers or {})
        if self._key:
            given["authorization"] = f"Bearer {self._key}"
        for attempt in (1, 2):
            line = self._line()
            try:
                line.request(method, self._parts.path.rstrip("/") + path, body, given)
                return line.getresponse()
            except (OSError, http.client.HTTPException) as error:
                fresh = getattr(self._local, "fresh", True)
                self.close()
                # A connection that was kept may have been closed by the server meanwhile.
                if attempt == 2 or fresh or isinstance(error, TimeoutError):
                    raise EngineError(f"{self.url} cannot be reached: {error}") from None
        raise AssertionError

    def _line(self) -> http.client.HTTPConnection:
        line: http.client.HTTPConnection | None = getattr(self._local, "line", None)
        self._local.fresh = line is None
        if line is None:
            host, port = self._parts.hostname or "", self._parts.port
            if self._parts.scheme == "https":
                context = ssl.create_default_context()
                line = http.client.HTTPSConnection(host, port, timeout=self._timeout, context=context)
            else:
                line = http.client.HTTPConnection(host, port, timeout=self._timeout)
            self._local.line = line
        return line

    def close(self) -> None:
        """Close the connection of this thread; the next question opens another."""
        line: http.client.HTTPConnection | None = getattr(self._local, "line", None)
        if line is not None:
            line.close()
            self._local.line = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_local"):  # an address that was refused has none
            self.close()

    @contextmanager
    def _stoppable(self, cancellation: Cancellation | None) -> Iterator[None]:
        """Hang up when the work is cancelled, which stops it on the server."""
        if cancellation is None:
            yield
            return
        done = threading.Event()
        line = self._line()

        def watch() -> None:
            while not done.wait(_POLL):
                if cancellation.cancelled:
                    if line.sock is not None:
                        line.sock.shutdown(2)
                    return

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        except (OSError, http.client.HTTPException) as error:
            raise EngineError(f"{self.url} cannot be reached: {error}") from None
        finally:
            done.set()
            watcher.join()
            if cancellation.cancelled:
                self.close()
        if cancellation.cancelled:
            raise EngineError("the search was cancelled")


def _events(response: http.client.HTTPResponse) -> Iterator[tuple[str, bytes]]:
    """Names and data of events."""
    name, data = "", b""
    for line in response:
        if line.startswith(b"event: "):
            name = line[7:].strip().decode()
        elif line.startswith(b"data: "):
            data = line[6:].strip()
        elif line == b"\n" and name:
            yield name, data
            name, data = "", b""


def _error(status: int, data: bytes) -> KibitzError:
    """The error that a problem tells."""
    try:
        problem = json.loads(data)
        kind, detail = str(problem["type"]).rpartition("/")[2], str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        return EngineError(f"the server answered with status {status}")
    if kind == "invalid-position" and problem.get("defects"):
        return PositionError(problem["defects"], problem.get("given", ""))
    return _ERRORS.get(kind, EngineError)(detail)


def _decision(data: Mapping[str, Any]) -> Decision:
    question = Question(data["question"])
    if question is Question.PLAY:
        return PlayDecision.from_dict(data)
    return ResignationDecision.from_dict(data) if question is Question.RESIGNATION else CubeDecision.from_dict(data)


def _plays(play: Plays) -> list[str]:
    several = [play] if isinstance(play, (Play, str)) else list(play)
    return [str(one) for one in several]


def _rollout_body(state: State, given: dict[str, Any]) -> dict[str, Any]:
    """What the service takes of the options of a rollout."""
    for name in ("luck", "executor", "save", "games"):
        if given.pop(name, None) is not None:
            raise EngineError(f"a server rolls out without {name}")
    given.pop("threads", None)
    body: dict[str, Any] = {"position": state.to_dict()}
    for name in ("top", "cube", "preset", "trials"):
        if (value := given.pop(name, None)) is not None:
            body[name] = value
    body["play"] = _plays(given.pop("play", ()))
    if (stop := given.pop("stop", None)) is not None:
        if stop.seconds is not None:
            raise EngineError("a server rolls out without a rule of seconds: its digits depend on no clock")
        body["stop"] = {"error": stop.error, "separation": stop.separation, "least": stop.least}
    settings = {name: _plain(value) for name, value in given.items() if value is not None}
    return body | {"settings": settings}


def _plain(value: Any) -> Any:
    """A setting as JSON has it: two plies as a list, a filter in words."""
    from kibitz.engine.filters import MoveFilter
    from kibitz.rollout.settings import Plies

    if isinstance(value, MoveFilter):
        steps = ((one.skip, f"{one.keep}:{one.extra}:{one.threshold}") for one in value.steps)
        return ",".join("skip" if skip else words for skip, words in steps)
    if isinstance(value, Plies):
        return [value.play, value.cube]
    return list(value) if type(value) is tuple else value
