"""Several processes play the pairs of a duel, each with players of its own.

Every worker has its own pipe and gets one pair at a time. A worker that dies takes only its pair with it: the pair is
given to a new worker once, and counts as failed if that dies too.
"""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from kibitz.arena.runner import ATTEMPTS, Duel, Lines, PairPlayer
from kibitz.errors import EngineError, KibitzError

_GOODBYE_SECONDS = 5.0


def _work(duel: Duel, pipe: Connection) -> None:
    """A worker's life: pairs in, lines out, None to stop. Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pairs = None
    try:
        pairs = PairPlayer(duel)
        while (number := pipe.recv()) is not None:
            pipe.send(pairs.play(number))
    except KibitzError as error:
        with suppress(OSError):
            pipe.send(str(error))
    except (EOFError, OSError):
        pass  # the parent is gone
    finally:
        if pairs is not None:
            pairs.close()
        pipe.close()


class _Worker:
    """A process, our end of its pipe, and the pair that it plays."""

    def __init__(self, duel: Duel) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(duel, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.pair: int | None = None

    def give(self, pair: int) -> None:
        """Let it play a pair."""
        self.pair = pair
        with suppress(OSError):  # a dead worker is noticed when its pipe is read
            self.pipe.send(pair)

    def stop(self) -> None:
        """Let it close its players; end it if it does not."""
        with suppress(OSError):
            self.pipe.send(None)
        if self.pair is not None:
            # It is in the middle of a pair that nobody wants any more; TERM lets nothing linger but its players, which
            # end by themselves when their sockets and pipes close.
            self.process.terminate()
        self.process.join(_GOODBYE_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.pipe.close()


def shared_pairs(duel: Duel, missing: list[int]) -> Lines:
    """The lines of these pairs, in the order in which they are finished."""
    todo = list(reversed(missing))
    deaths: dict[int, int] = {}
    workers: list[_Worker] = []
    try:
        workers.extend(_Worker(duel) for _ in range(duel.workers))
        for worker in workers:
            if todo:
                worker.give(todo.pop())
        while any(worker.pair is not None for worker in workers):
            busy = {worker.pipe: worker for worker in workers if worker.pair is not None}
            for pipe in wait(list(busy)):
                worker = busy[pipe]  # type: ignore[index]
                pair = worker.pair
                assert pair is not None
                try:
                    line = worker.pipe.recv()
                except (EOFError, OSError):
                    deaths[pair] = deaths.get(pair, 0) + 1
                    workers.remove(worker)
                    worker.stop()
                    worker = _Worker(duel)
                    workers.append(worker)
                    if deaths[pair] < ATTEMPTS:
                        worker.give(pair)
                        continue
                    message = "the process that played it died"
                    line = {"pair": pair, "failed": {"player": "", "kind": "crashed", "message": message}}
                if isinstance(line, str):
                    raise EngineError(line)
                worker.pair = None
                yield line
                if todo:
                    worker.give(todo.pop())
    finally:
        for worker in workers:
            worker.stop()
