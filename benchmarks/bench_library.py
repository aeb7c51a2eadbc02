"""Speeds of the library: import, review, statistics, pattern and likeness search, and how they grow.

python benchmarks/bench_library.py [MATCHES...] [--review N] [--folder FOLDER]

100 and 1,000 matches by default. The nets play them at 0 plies, with mistakes: so they are as long and as varied as
those of people, but for doubles, which are as frequent as other rolls. Of each library N matches are reviewed at
`default` (50; 0 for all). The files are kept in FOLDER for the next run, if one is named. Two clocks are printed, since
other work on the machine spoils the first: the wall's, and the processor's, which of import and review is that of all
processes together. Every figure asserts the work that it timed.
"""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import kibitz
from kibitz import ALL_ROLLS, Engine, Library, Match, Position
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.library.statistics import GROUPS
from kibitz.match import MatchState

NAMES = ("Ada", "Ben", "Cleo", "Dov", "Eva", "Finn", "Gina", "Hugo")
MONEY = MatchState()
MISTAKES = 0.15
"""How often the second best play is made."""
DOUBLES, TAKES = 0.72, 0.25
"""From which winning chance on the players double, and take."""
PATTERNS = ("6>=2 5>=2 4>=2 bar>=1", "20>=2 o20>=2 8>=3", "13>=4 24=2 o24=2 !6=5")


def make_match(seed: int, engine: Engine) -> Match:
    """A match to five points between players who know the game and err."""
    chance = random.Random(seed)
    builder = MatchBuilder("bench")
    builder.players = ("Ada", chance.choice(NAMES[1:]))
    builder.length, builder.date = 5, f"20{10 + seed % 15}-{1 + seed % 12:02}-{1 + seed % 28:02}"
    builder.event = f"Club {seed % 20}"
    while max(builder.expected_score) < builder.length:
        play_game(builder.start_game(), engine, chance)
    return builder.build()


def play_game(game: GameBuilder, engine: Engine, chance: random.Random) -> None:
    """One game to its end, or to a double that is not taken."""
    board, player, rolls, wins, may_double = Position.start(), chance.randrange(2), 0, 0.5, {0, 1}
    while not board.is_over:
        if rolls and wins > DOUBLES and player in may_double and not game.crawford:
            game.double(player)
            if 1 - wins < TAKES:
                game.drop(1 - player)
                break
            game.take(1 - player)
            may_double = {1 - player}
        dice = chance.choice([roll for roll in ALL_ROLLS if rolls or not roll.is_double])
        plays = engine.rank(board, dice, match=MONEY, listed=2)
        if plays:
            made = plays[int(len(plays) > 1 and chance.random() < MISTAKES)]
            board, wins = made.play.result, made.evaluation.win
        else:
            board = board.swapped()
        game.roll(player, dice, result=board)
        player, rolls, wins = 1 - player, rolls + 1, 1 - wins
    game.close()


def write_matches(folder: Path, count: int) -> None:
    """Files that are there already are those that would be written."""
    folder.mkdir(exist_ok=True, parents=True)
    engine = Engine(threads=1, plies=0)
    for seed in range(count):
        path = folder / f"{seed}.mat"
        if not path.exists():
            kibitz.save(make_match(seed, engine), path)


# --- clocks -----------------------------------------------------------------------------------------------------------


@contextmanager
def timed(words: str) -> Iterator[None]:
    """Prints how long a block took, by both clocks."""
    start, used = time.perf_counter(), _processor()
    yield
    took, used = time.perf_counter() - start, _processor() - used
    print(f"  {words}: {took:.2f} s by the wall, {used:.2f} s of processor time", flush=True)


def _processor() -> float:
    """Processor time of this process and of those that have ended."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


def shown(words: str, work: Callable[[], object], rounds: int = 5) -> None:
    """Prints the best of some rounds in milliseconds, by both clocks."""
    walls, used = [], []
    for _ in range(rounds):
        start, own = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - start)
        used.append(time.process_time() - own)
    print(f"  {words}: {1000 * min(walls):.1f} ms by the wall, {1000 * min(used):.1f} ms of processor time", flush=True)


# --- what is measured -------------------------------------------------------------------------------------------------


def measure(count: int, folder: Path, review: int) -> None:
    """All figures of a library of so many matches."""
    write_matches(folder / "matches", count)
    path = folder / f"{count}.db"
    for old in folder.glob(f"{path.name}*"):
        old.unlink()
    print(f"{count} matches")
    with Library(path) as library:
        add(library, [folder / "matches" / f"{seed}.mat" for seed in range(count)])
        print(f"  {library.count()} decisions, {_positions(library)} positions, {path.stat().st_size / 1e6:.0f} MB")
        library.players.set_me("Ada")
        wanted = min(review or count, count)
        with timed(f"review of {wanted} at default"):
            assert library.review("default", limit=wanted).reviewed == wanted
        _judge_the_rest(library)
    with Library(path) as library:
        ask(library, count)


def add(library: Library, files: list[Path]) -> None:
    """Import, twice."""
    with timed("import"):
        assert library.add_files(files).counts["new"] == len(files)
    with timed("import again"):
        assert library.add_files(files).counts["known"] == len(files)


def ask(library: Library, count: int) -> None:
    """All kinds of questions."""
    assert library.statistics(player="me").matches == count
    shown("statistics, all", lambda: library.statistics(player="me"))
    for group in GROUPS:
        shown(f"  by {group}", partial(library.statistics_by, group, player="me"))
    shown("progress", lambda: library.progress(player="me"))
    shown("histogram", lambda: library.histogram(player="me"))
    shown("worst 20", lambda: library.decisions(player="me", order="lost", limit=20))
    for pattern in PATTERNS:
        found = len(library.search(pattern))
        words = f"pattern {pattern!r}, the worst 20 of {found}"
        shown(words, partial(library.search, pattern, order="lost", limit=20))
    asked = library.decisions(limit=40)[-1].state
    shown("likeness, first in its process", lambda: Library(library.database).like(asked, 20), rounds=3)
    assert library.like(asked, 20)[0][0] == 0.0
    shown("likeness, later ones", lambda: library.like(asked, 20))
    shown("likeness among one's own errors", lambda: library.like(asked, 20, player="me", at_least=0.08))


def _positions(library: Library) -> int:
    with library.database.reading() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM position").scalar_one())


def _judge_the_rest(library: Library) -> None:
    """Rows as a review leaves them, without the minutes: each decision loses a little that its number tells."""
    from kibitz.library.tallies import add_up

    with library.database.writing() as connection:
        run = connection.exec_driver_sql
        analyst = run("SELECT id FROM analyst WHERE origin = 'kibitz' LIMIT 1").scalar_one()
        run(
            "INSERT INTO analysis (decision_id, analyst_id, current, best, lost, stake, mark, flaw, is_blunder, counts,"
            " counts_pr, luck, luck_mwc, luck_stake, level)"
            " SELECT d.id, ?, 1, 'x', max(d.id % 50 - 30, 0) * 0.01, 0.001, '', '', d.id % 50 > 40, 1,"
            " 1, 0.01, 0.001, 0.001, '' FROM decision d LEFT JOIN analysis a ON a.decision_id = d.id"
            " WHERE a.id IS NULL",
            (analyst,),
        )
        for (match,) in run("SELECT id FROM match WHERE id NOT IN (SELECT match_id FROM tally)").all():
            add_up(connection, match)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("counts", metavar="MATCHES", type=int, nargs="*", default=[100, 1000])
    options.add_argument("--review", type=int, default=50, metavar="N", help="how many to review; 0 for all")
    options.add_argument("--folder", type=Path, help="where the files are kept for the next run")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for count in asked.counts:
            measure(count, asked.folder or Path(folder), asked.review)


if __name__ == "__main__":
    main()
