"""A conversation over standard input and output: one thread reads, so that `stop` is heard while another one thinks."""

from __future__ import annotations

import contextlib
import queue
import threading
from io import BufferedIOBase
from typing import BinaryIO

from kibitz.protocols.limits import Limits, LineBuffer
from kibitz.protocols.ubgi import UbgiConversation, unreadable

_WAITING_LINES = 1000


def serve_ubgi(conversation: UbgiConversation, lines: BufferedIOBase, output: BinaryIO, limits: Limits) -> None:
    """Answer lines until `quit` or their end. Lines that come during a search wait; `stop` and `quit` end the
    search."""
    waiting: queue.Queue[list[str | None] | None] = queue.Queue(_WAITING_LINES)

    def read() -> None:
        buffer = LineBuffer(limits)
        with contextlib.suppress(OSError, ValueError):
            while (data := lines.read1(65536)) and not buffer.flooded:
                found = buffer.feed(data)
                if any(line in ("stop", "quit") for line in found):
                    conversation.cancel()
                waiting.put(found)
        waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    while not conversation.finished and (found := waiting.get()) is not None:
        for line in found:
            answers = [unreadable(limits.line_bytes)] if line is None else conversation.answer(line)
            if answers:
                output.write("".join(f"{answer}\n" for answer in answers).encode())
                output.flush()
            if conversation.finished:
                break
