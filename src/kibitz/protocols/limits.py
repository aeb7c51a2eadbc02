"""What a stranger may ask for. Every line that comes in is untrusted."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import EngineError


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a server. Bad lines within them get an error and the connection lives on; beyond them it is closed."""

    line_bytes: int = 2048  # a longer line is thrown away to its end and answered with an error
    flood_bytes: int = 1 << 20  # a line of more than this closes the connection
    clients: int = 8  # connections at the same time
    idle_seconds: float = 600.0  # without a line
    think_seconds: float = 30.0  # for one answer
    plies: int = 3  # the deepest search that a client may ask for

    def __post_init__(self) -> None:
        if self.line_bytes < 256 or self.flood_bytes < self.line_bytes:
            raise EngineError(f"lines have at least 256 bytes, not {self.line_bytes} and {self.flood_bytes}")
        if self.clients < 1 or self.idle_seconds <= 0 or self.think_seconds <= 0 or self.plies < 0:
            raise EngineError("a server needs at least one client, some time to think and no negative plies")


class LineBuffer:
    """Bytes in, whole lines out. NUL bytes count as nothing: gnubg ends its lines with one."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._buffer = bytearray()
        self._skipping = False  # in the middle of a line that is too long
        self._skipped = 0
        self.flooded = False

    def feed(self, data: bytes) -> list[str | None]:
        """The lines that are complete now; None stands for one that was too long."""
        lines: list[str | None] = []
        for at, part in enumerate(data.replace(b"\0", b"").split(b"\n")):
            if at > 0:
                lines.append(None if self._skipping else self._buffer.decode("utf-8", "replace").strip())
                self._buffer.clear()
                self._skipping, self._skipped = False, 0
            if self._skipping or len(self._buffer) + len(part) > self._limits.line_bytes:
                self._skipping = True
                self._skipped += len(self._buffer) + len(part)
                self._buffer.clear()
                if self._skipped > self._limits.flood_bytes:
                    self.flooded = True
                    return lines
            else:
                self._buffer += part
        return lines
