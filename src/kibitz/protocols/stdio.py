"""A conversation over standard input and output: one thread reads, so that `stop` is heard while another one thinks."""

from __future__ import annotations

import contextlib
import queue
import threading
import weakref
from io import BytesIO, FileIO
from typing import BinaryIO

from kibitz.protocols.limits import Limits, LineBuffer
from kibitz.protocols.ubgi import UbgiConversation, unreadable

_WAITING_LINES = 1000


def serve_ubgi(conversation: UbgiConversation, lines: FileIO | BytesIO, output: BinaryIO, limits: Limits) -> None:
    """Answer lines until `quit` or their end. Lines that come during a search wait; `stop` and `quit` end the
    search.

    `lines` is not buffered: a thread that waits in a buffer holds its lock, and ends the interpreter with it.
    """
    waiting: queue.Queue[list[str | None] | None] = queue.Queue(_WAITING_LINES)
    cancel = weakref.WeakMethod(conversation.cancel)  # a thread that still waits at the end keeps no engine alive

    def read() -> None:
        buffer = LineBuffer(limits)
        with contextlib.suppress(OSError, ValueError):
            while (data := lines.read(65536)) and not buffer.flooded:
                found = buffer.feed(data)
                if any(line in ("stop", "quit") for line in found) and (stop := cancel()):
                    stop()
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
