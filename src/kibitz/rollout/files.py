"""Rollouts as files: JSON with the settings, the games that were played, and their exact sums."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.errors import FormatError, KibitzError
from kibitz.files import write_file
from kibitz.plain_json import check_kinds, read_json
from kibitz.rollout.executors import Work
from kibitz.rollout.job import Candidate, Job
from kibitz.rollout.ranges import united
from kibitz.rollout.settings import RolloutSettings
from kibitz.rollout.tally import Tally
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz.rollout.rollout import Rollout

FORMAT, VERSION = "kibitz-rollout", 2


def save(rollout: Rollout, path: Path) -> None:
    """Write a rollout."""
    write_file(path, json.dumps(to_data(rollout)))


def to_data(rollout: Rollout) -> dict[str, Any]:
    """A rollout as plain data: all that is needed to go on with it."""
    job = rollout.job
    return {
        "format": FORMAT,
        "version": VERSION,
        "state": job.state.to_dict(),
        "identity": job.identity(),
        "met": None
        if job.met_rows is None
        else {"name": job.met_name, "pre": job.met_rows[0], "post": job.met_rows[1]},
        "games": [[run.start, run.stop] for run in rollout.ranges],
        "seconds": rollout.seconds,
        "tally": rollout.tally.to_dict(),
    }


def load(path: Path, nets: Path | None = None) -> Rollout:
    """Read a rollout."""
    try:
        data = read_json(path.read_bytes())
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise FormatError(f"{path}: not a rollout of kibitz, which is JSON: {error}") from None
    try:
        return from_data(data, nets)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None


def from_data(data: Any, nets: Path | None = None) -> Rollout:
    """What `to_data` gave."""
    from kibitz.rollout.rollout import Rollout

    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise FormatError(f"not a rollout of kibitz: expected the format {FORMAT!r}")
    if data.get("version") != VERSION:
        raise FormatError(f"a rollout of version {data.get('version')}; this kibitz reads version {VERSION}")
    try:
        identity = {"tables": []} | data["identity"]  # they have not always been told
        fresh = RolloutSettings().to_dict()  # settings that have come since the file was written
        search = fresh["search"] | identity["settings"]["search"]
        check_kinds(identity["settings"], fresh)
        check_kinds(search, fresh["search"])
        identity["settings"] = fresh | identity["settings"] | {"search": search}
        met, state = data["met"], State.from_dict(data["state"])
        job = Job(
            candidates=tuple(Candidate.from_dict(one, state) for one in identity["candidates"]),
            state=state,
            settings=RolloutSettings.from_dict(identity["settings"]),
            nets=nets,
            net_names=tuple(identity["nets"]),
            tables=tuple(identity["tables"]),
            met_name="" if met is None else met["name"],
            met_rows=None if met is None else (tuple(tuple(row) for row in met["pre"]), tuple(met["post"])),
        )
        ranges = united(range(start, stop) for start, stop in data["games"])
        rollout = Rollout(Work(job), tally=Tally.from_dict(data["tally"]), ranges=ranges)
        rollout.seconds = float(data["seconds"])
        if sum(map(len, ranges)) != rollout.trials or len(rollout.tally.candidates) != len(job.candidates):
            raise ValueError("the games and the sums do not fit")
        if found := differences(identity, json.loads(json.dumps(job.identity())), ("written", "read")):
            raise ValueError("; ".join(found))
        rollout.to_dict()  # candidates that do not fit the question show here
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError, KibitzError) as error:
        if isinstance(error, KibitzError):
            raise FormatError(str(error)) from None
        raise FormatError(f"a damaged rollout: {error}") from None
    return rollout


def differences(mine: dict[str, Any], theirs: dict[str, Any], where: tuple[str, str]) -> list[str]:
    """Which settings of two identities differ, with both values and where these are."""
    first, second = dict(_named(mine)), dict(_named(theirs))
    names = [name for name in first | second if first.get(name) != second.get(name)]
    if "candidates" in names:
        names = [name for name in names if name not in _OF_CANDIDATES]  # other plays have other positions
    return [f"{name} {_said(first.get(name))} {where[0]}, {_said(second.get(name))} {where[1]}" for name in names]


_OF_CANDIDATES = ("positions", "cubes")


def _named(identity: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What makes up an identity, one by one, by the names that people know."""
    candidates = identity["candidates"]
    yield "candidates", [one["name"] for one in candidates]
    yield "positions", [one["position_id"] for one in candidates]
    yield "cubes", [[one[name] for name in ("is_play", "mine", "taken", "may_double")] for one in candidates]
    settings = identity["settings"]
    for group in (identity["match"], settings, settings["search"], identity):
        for name, value in group.items():
            if name not in ("candidates", "match", "settings", "search"):
                yield name.replace("_", " "), value


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return value.get("name") or " and ".join(f"{_said(one)} ({name})" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return " and ".join(map(_said, value)) or "none"
    return {None: "none", True: "on", False: "off"}[value] if value is None or isinstance(value, bool) else str(value)
