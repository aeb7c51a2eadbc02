"""How the service runs: where it listens, who may call, and how much is allowed."""

from __future__ import annotations

import ipaddress
import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from kibitz.cores import usable_cores
from kibitz.engine.settings import DEFAULT_PLIES, MAX_PLIES
from kibitz.errors import EngineError

ENVIRONMENT = "KIBITZ_SERVICE"
"""How worker processes get their settings from the one that starts them."""
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one call, one caller and all callers together may ask for. A rate of 0 is no limit."""

    body: int = 1 << 20  # bytes of a request, unless it is one of the next two
    boards_body: int = 16 << 20
    upload: int = 20 << 20
    boards: int = 100_000  # of one batch
    plies: int = 4
    seconds: float = 30.0  # of thinking about one question
    waiting: int = 2000  # questions that wait for a thread
    rate: float = 0.0  # requests a second of one caller
    burst: int = 100
    streams: int = 1000  # open at once
    job_seconds: float = 4 * 3600.0  # what one job may cost by the estimate
    queued_jobs: int = 100  # of one caller, not yet done
    daily_reviews: int = 0  # of one caller; 0 for no limit
    table_bytes: int = 4 << 30  # of a table to build
    live_matches: int = 1000  # in progress, of one caller
    exported_matches: int = 5000  # of one archive

    def __post_init__(self) -> None:
        for one in fields(self):
            if getattr(self, one.name) < 0:
                raise EngineError(f"the limit {one.name} cannot be negative")
        if self.plies > MAX_PLIES:
            raise EngineError(f"plies are 0 to {MAX_PLIES}, not {self.plies}")


SHARED = Limits(
    plies=3,
    seconds=10.0,
    rate=50.0,
    job_seconds=3600.0,
    queued_jobs=4,
    daily_reviews=40,
    table_bytes=0,
    live_matches=100,
    exported_matches=1000,
)
"""What callers get who are not the owner of the machine."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that the application depends on. Without keys and proxies it serves this machine alone.

    `hosts` are the names that it answers to, `proxies` the addresses whose `user_header` is believed. `threads` are
    those of questions and of jobs each; 0 for all cores.
    """

    host: str = "127.0.0.1"
    port: int = 8642
    library: str | None = None
    keys: str | None = None
    proxies: tuple[str, ...] = ()
    user_header: str = "x-forwarded-user"
    hosts: tuple[str, ...] = ()
    plies: int = DEFAULT_PLIES
    threads: int = 0
    job_threads: int = 0
    cluster: str | None = None
    workers: int = 1
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for address in self.proxies:
            _address(address)
        if self.is_local and not is_loopback(self.host):
            raise EngineError(
                f"{self.host} can be reached by others: give --keys FILE or --proxy ADDRESS, or listen on 127.0.0.1"
            )
        if self.workers < 1:
            raise EngineError(f"there is at least one worker, not {self.workers}")
        if self.workers > 1 and self.is_local:
            raise EngineError("several workers need --keys or --proxy: a token that counts once is known to one alone")

    @property
    def is_local(self) -> bool:
        """Whether only this machine is served, by a token and a cookie."""
        return self.keys is None and not self.proxies

    @property
    def answers_to(self) -> frozenset[str]:
        """The names of hosts in lower case, without ports."""
        own = () if self.host in ("0.0.0.0", "::") else (f"[{self.host}]" if ":" in self.host else self.host,)
        return frozenset(name.lower() for name in (*LOOPBACK_NAMES, *own, *self.hosts))

    @property
    def cores(self) -> int:
        """Threads for questions."""
        return self.threads or usable_cores()

    @property
    def job_cores(self) -> int:
        """Threads for jobs."""
        return self.job_threads or usable_cores()

    def to_environment(self) -> None:
        """Leave the settings where worker processes find them."""
        os.environ[ENVIRONMENT] = json.dumps(asdict(self))

    @classmethod
    def from_environment(cls) -> Settings:
        """What `to_environment` left."""
        data: dict[str, Any] = json.loads(os.environ.get(ENVIRONMENT, "{}"))
        for name in ("proxies", "hosts"):
            data[name] = tuple(data.get(name, ()))
        return cls(**{**data, "limits": Limits(**data.get("limits", {}))})


def is_loopback(host: str) -> bool:
    """Whether an address is of this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _address(text: str) -> None:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise EngineError(f"a proxy is named by its address such as 10.0.0.1, not {text!r}") from None


def key_file(settings: Settings) -> Path | None:
    """Where the hashes of API keys are."""
    return None if settings.keys is None else Path(settings.keys)
