"""Rollouts as files: JSON with the settings, the games that were played, and their exact sums."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.errors import FormatError, KibitzError
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
    """Write a rollout aside and put it in place in one step."""
    path = path.resolve()
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with aside.open("w", encoding="utf-8") as file:
            json.dump(to_data(rollout), file)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)


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
        data = json.loads(path.read_text(encoding="utf-8"))
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
        if found := differences(identity, json.loads(json.dumps(job.identity()))):
            raise ValueError("; ".join(found))
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, KibitzError):
            raise FormatError(str(error)) from None
        raise FormatError(f"a damaged rollout: {error}") from None
    return rollout


def differences(mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """How two identities differ, in words."""
    flat_mine, flat_theirs = dict(_flat(mine)), dict(_flat(theirs))
    names = [*flat_mine, *(name for name in flat_theirs if name not in flat_mine)]
    return [
        f"{name} is {flat_mine.get(name)!r} in one and {flat_theirs.get(name)!r} in the other"
        for name in names
        if flat_mine.get(name) != flat_theirs.get(name)
    ]


def _flat(data: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(data, dict):
        for key, value in data.items():
            yield from _flat(value, f"{name}.{key}" if name else str(key))
    elif isinstance(data, (list, tuple)):
        for number, value in enumerate(data):
            yield from _flat(value, f"{name}[{number}]")
    else:
        yield name, data
