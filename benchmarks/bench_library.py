"""Speeds of the library: import, statistics, pattern and likeness search, and how they grow.

python benchmarks/bench_library.py [MATCHES...] [--review]

100 and 1,000 matches by default; 5,000 take minutes. --review reviews all of them at `default` instead of some at
`fast`. Questions are timed by the processor's clock, since they run on one thread; import and review by the wall's.
Every figure asserts the work that it timed.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import kibitz
from kibitz import ALL_ROLLS, Library, Match, Position
from kibitz.formats.builder import MatchBuilder
from kibitz.library.statistics import GROUPS

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gina", "Hugo")


def make_match(seed: int) -> Match:
    """A match to five points by players who rather run than hit: as long as real ones."""
    chance = random.Random(seed)
    builder = MatchBuilder("bench")
    builder.players = ("Ada", chance.choice(NAMES[1:]))
    builder.length, builder.date = 5, f"20{10 + seed % 15}-{1 + seed % 12:02}-{1 + seed % 28:02}"
    builder.event = f"Club {seed % 20}"
    while max(builder.expected_score) < builder.length:
        game, board = builder.start_game(), Position.start()
        player, rolls = chance.randrange(2), 0
        while not board.is_over:
            if rolls > 20 and chance.random() < 0.03 and not game.crawford:
                game.double(player)
                game.drop(1 - player)
                break
            dice = chance.choice([roll for roll in ALL_ROLLS if rolls or not roll.is_double])
            some = chance.sample(plays := board.plays(dice), min(3, len(plays)))
            board = min((play.result for play in some), key=lambda after: after.pips[0], default=board.swapped())
            game.roll(player, dice, result=board)
            player, rolls = 1 - player, rolls + 1
        game.close()
    return builder.build()


def write_matches(folder: Path, count: int) -> None:
    folder.mkdir(exist_ok=True)
    for seed in range(count):
        kibitz.save(make_match(seed), folder / f"{seed}.mat")


@contextmanager
def timed(words: str):  # type: ignore[no-untyped-def]
    start, own, others = time.perf_counter(), time.process_time(), _children()
    yield
    took, own, others = time.perf_counter() - start, time.process_time() - own, _children() - others
    print(f"  {words}: {took:.3f} s; processor: {own:.3f} s here, {others:.3f} s in other processes")


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best_of(rounds: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(count: int, folder: Path, *, review: bool) -> None:
    files = folder / f"{count}"
    write_matches(files, count)
    path = folder / f"{count}.db"
    print(f"{count} matches")
    with Library(path) as library:
        with timed("import"):
            report = library.add_files([files])
        assert report.counts["new"] == count
        decisions, positions = library.count(), _positions(library)
        print(f"  {decisions} decisions, {positions} positions, {path.stat().st_size / 1e6:.0f} MB")
        with timed("import again"):
            assert library.add_files([files]).counts["known"] == count
        library.players.set_me("Ada")
        with timed("review, fast, of at most 50 matches" if not review else "review, default"):
            done = library.review("default" if review else "fast", limit=None if review else 50)
        assert done.reviewed == (count if review else min(count, 50))
        _judge_the_rest(library)
        assert library.statistics(player="me").decisions > 20 * count
        print(f"  statistics, all: {1000 * best_of(3, lambda: library.statistics(player='me')):.1f} ms")
        for group in GROUPS:
            took = best_of(3, lambda group=group: library.statistics_by(group, player="me"))  # type: ignore[misc]
            print(f"    by {group}: {1000 * took:.1f} ms")
        print(f"  progress: {1000 * best_of(3, lambda: library.progress(player='me')):.1f} ms")
        print(f"  worst 20: {1000 * best_of(3, lambda: library.decisions(player='me', order='lost', limit=20)):.1f} ms")
        for pattern in ("6>=2 5>=2 4>=2 bar>=1", "20>=2 o20>=2 8>=3", "13>=4 24=2 o24=2 !6=5"):
            took = best_of(3, lambda pattern=pattern: library.search(pattern, limit=100))  # type: ignore[misc]
            print(f"  pattern {pattern!r}: {1000 * took:.1f} ms for {len(library.search(pattern))} decisions")
        asked = library.decisions(limit=1, offset=40)[0].state
        with timed("likeness, the first search"):
            assert library.like(asked, 10)[0][0] == 0.0
        print(f"  likeness, later ones: {1000 * best_of(3, lambda: library.like(asked, 10)):.1f} ms")


def _positions(library: Library) -> int:
    with library.database.reading() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM position").scalar_one())


def _judge_the_rest(library: Library) -> None:
    """Rows as a review leaves them, without the minutes: each play loses a little that its number tells."""
    with library.database.writing() as connection:
        run = connection.exec_driver_sql
        analyst = run("SELECT id FROM analyst WHERE origin = 'kibitz' LIMIT 1").scalar_one()
        run(
            "INSERT INTO analysis (decision_id, analyst_id, current, best, lost, stake, mark, flaw, is_blunder, counts,"
            " counts_pr, luck, luck_mwc, luck_stake, level) SELECT d.id, ?, 1, 'x', (d.id % 50) * 0.002, 0.001, '', '',"
            " d.id % 50 > 40, 1, 1, 0.01, 0.001, 0.001, '' FROM decision d LEFT JOIN analysis a ON a.decision_id = d.id"
            " WHERE a.id IS NULL",
            (analyst,),
        )
        from kibitz.library.tallies import add_up

        for (match,) in run("SELECT id FROM match WHERE id NOT IN (SELECT match_id FROM tally)").all():
            add_up(connection, match)


def main() -> None:
    counts = [int(word) for word in sys.argv[1:] if word.isdigit()] or [100, 1000]
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            measure(count, Path(folder), review="--review" in sys.argv)


if __name__ == "__main__":
    main()
