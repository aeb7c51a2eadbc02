"""Players by name, as the command line and logs write them.

kibitz[:OPTIONS]   our engine: a number of plies (2 by default), a level, or plies=2,filter=large,nets=FOLDER,
                   level=advanced,seed=1 (of the level's noise),cache=16
gnubg[:OPTIONS]    GNU Backgammon over its socket: plies=0, timeout=20, program=PATH
bgsage[:OPTIONS]   the bgsage package: plies=0
ubgi:COMMAND       any UBGI engine; all after the colon is its command line
http://HOST:PORT[,plies=2]   the engine of a server (kibitz serve http); https too. Its key is in KIBITZ_KEY
tabula, ten-factor, random
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kibitz import _core
from kibitz.arena.native import NativePlayer
from kibitz.arena.rules import ArenaRules
from kibitz.client import Client
from kibitz.engine.engine import Engine
from kibitz.engine.levels import Level
from kibitz.engine.networks import SHIPPED
from kibitz.engine.settings import DEFAULT_PLIES, SearchSettings
from kibitz.errors import EngineError
from kibitz.play.players import EnginePlayer, Player, RandomPlayer, RankerPlayer

KINDS = ("kibitz", "gnubg", "bgsage", "ubgi", "http", "https", "tabula", "ten-factor", "random")
_OPTIONS: dict[str, dict[str, type]] = {
    "kibitz": {"plies": int, "filter": str, "nets": str, "level": str, "seed": int, "cache": float},
    "gnubg": {"plies": int, "timeout": float, "program": str},
    "bgsage": {"plies": int},
    "http": {"plies": int, "filter": str},
    "https": {"plies": int, "filter": str},
    "tabula": {},
    "ten-factor": {},
    "random": {},
}


_SERVERS = ("http", "https")


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """Who plays, with which options."""

    kind: str
    options: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def parse(cls, text: str) -> PlayerSpec:
        """A player from its name.

        >>> PlayerSpec.parse("kibitz:2")
        PlayerSpec(kind='kibitz', options=(('plies', 2),))
        """
        kind, _, rest = text.strip().partition(":")
        if kind not in KINDS:
            raise EngineError(f"there is no player {text!r}; expected {', '.join(KINDS)}, with options after a colon")
        if kind == "ubgi":
            if not rest.strip():
                raise EngineError("expected the command of a UBGI engine, such as 'ubgi:wildbg --ubgi'")
            return cls(kind, (("command", rest.strip()),))
        options: dict[str, Any] = {}
        if kind in _SERVERS:
            address, _, rest = rest.partition(",")
            options["url"] = f"{kind}:{address}"
        for word in filter(None, rest.split(",")):
            name, given, value = word.partition("=")
            if not given:
                name, value = ("plies", word) if word.isdigit() else ("level", word)
            if name not in _OPTIONS[kind]:
                known = ", ".join(_OPTIONS[kind]) or "none"
                raise EngineError(f"{kind} has no option {name!r}; it has {known}")
            try:
                options[name] = _OPTIONS[kind][name](value)
            except ValueError:
                raise EngineError(f"{kind}'s option {name} cannot be {value!r}") from None
        return cls(kind, tuple(sorted(options.items())))

    def __str__(self) -> str:
        if self.kind == "ubgi":
            return f"ubgi:{dict(self.options)['command']}"
        if self.kind in _SERVERS:
            others = [f"{name}={value}" for name, value in self.options if name != "url"]
            return ",".join([str(dict(self.options)["url"]), *others])
        return self.kind + (":" if self.options else "") + ",".join(f"{name}={value}" for name, value in self.options)

    @property
    def label(self) -> str:
        """Short, for results: 'kibitz 2-ply'."""
        options = dict(self.options)
        if self.kind == "ubgi":
            words = str(options["command"]).split()
            return f"ubgi {Path(words[0]).name}"
        if self.kind in _SERVERS:
            return f"{options['url']} {options.get('plies', DEFAULT_PLIES)}-ply"
        if self.kind not in ("kibitz", "gnubg", "bgsage"):
            return self.kind
        plies = options.get("plies", DEFAULT_PLIES if self.kind == "kibitz" else 0)
        words = [self.kind, options.get("level", f"{plies}-ply")]
        if "nets" in options:
            words.append(f"({Path(options['nets']).name})")
        if "filter" in options:
            words.append(options["filter"])
        return " ".join(words)

    @property
    def is_installed(self) -> bool:
        """Whether the package that the player needs is there; programs are looked for when they are started."""
        return self.kind != "bgsage" or find_spec("bgsage") is not None

    # --- making them --------------------------------------------------------------------------------------------------

    def make(self, rules: ArenaRules) -> Player:
        """The player itself. It may start a process: close it in the end."""
        options = dict(self.options)
        maker = self.native(rules)
        if maker is not None:
            return NativePlayer(maker, self.plain(rules).to_dict(), name=self.label, cubeful=rules.cube)
        if self.kind == "gnubg":
            from kibitz.arena.gnubg import GnubgPlayer

            return GnubgPlayer(rules, **options)
        if self.kind == "bgsage":
            from kibitz.arena.bgsage import BgsagePlayer

            return BgsagePlayer(rules, **options)
        if self.kind == "ubgi":
            from kibitz.arena.ubgi_engine import UbgiPlayer

            return UbgiPlayer(options["command"], rules)
        if self.kind in _SERVERS:
            engine = Client(options.pop("url"), **{"plies": DEFAULT_PLIES, "cubeful": rules.cube, **options})
            return EnginePlayer(engine, name=self.label)
        return self.plain(rules)

    def plain(self, rules: ArenaRules) -> Player:
        """One of our own players in Python, without its native half."""
        if self.kind == "kibitz":
            return self._engine_player(rules)
        if self.kind == "random":
            return RandomPlayer()
        from kibitz.heuristics import Tabula, TenFactor

        return RankerPlayer(Tabula(threads=1) if self.kind == "tabula" else TenFactor())

    def native(self, rules: ArenaRules) -> _core.ContestantMaker | None:
        """The same player for the native referee; None for those who live elsewhere."""
        if self.kind == "kibitz":
            player = self._engine_player(rules)
            if player.level.noise or player.level.steps:
                return None
            assert isinstance(player.engine, Engine)
            settings = player.settings
            rank = _core.RankSettings(settings.plies, settings.steps(), settings.tree(15))
            cache = int(settings.cache_mb * (1 << 20)) if settings.plies else 0
            cube = settings.changed(cubeful=True).tree(15)
            return _core.engine_contestant(player.engine.evaluator, rank, cube, cache)
        if self.kind == "random":
            return _core.random_contestant()
        if self.kind in ("tabula", "ten-factor"):
            from kibitz.heuristics import TabulaSettings, TenFactorSettings

            if self.kind == "tabula":
                return _core.tabula_contestant(TabulaSettings().weights())
            return _core.ten_factor_contestant(TenFactorSettings().weights())
        return None

    def _engine_player(self, rules: ArenaRules) -> EnginePlayer:
        """The engine at a level; without one it is sure of itself and looks as deep as `Engine` does."""
        options = dict(self.options)
        nets, search = options.get("nets"), {"plies": options.get("plies"), "filter": options.get("filter")}
        level = Level.of(options["level"]) if "level" in options else Level("", SearchSettings())
        if level.steps and any(value is not None for value in search.values()):
            raise EngineError(f"the level {level.name!r} says itself how deep it looks: expected no plies or filter")
        level = replace(level, search=level.search.changed(**search))
        engine = Engine(nets=nets, threads=1, cache_mb=options.get("cache", 16.0), cubeful=rules.cube)
        about = {"nets": _net_names(nets)}
        return EnginePlayer(engine, level, seed=options.get("seed", 0), name=self.label, about=about)


def _net_names(folder: str | None) -> list[str]:
    """Which nets play: their file names hold a digest of what is in them."""
    return sorted(path.stem for path in Path(folder or SHIPPED).glob("*.net"))
