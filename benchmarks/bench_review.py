"""How fast matches are reviewed, and how that compares with gnubg's `analyse match` of the same file on one core.

    python benchmarks/bench_review.py [FILE.mat] [--galaxy FOLDER] [--gnubg]

Without a file it takes the five-point matches of the material beside the repository (or where KIBITZ_SHARED says).
Times are wall clock and, in brackets, processor seconds: on a busy machine only the latter compare. Nothing is cached.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from measure import SHARED

import kibitz
from kibitz.analysis.files import review_files
from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.analysis.review import review
from kibitz.formats import save


def processor() -> float:
    """Processor seconds of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(work: Callable[[], object], repeats: int = 3) -> tuple[float, float]:
    """The best wall and processor seconds of some runs."""
    best = (float("inf"), float("inf"))
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), processor()
        work()
        best = min(best[0], time.perf_counter() - wall), min(best[1], processor() - cpu)
    return best


def five_point_match() -> Path | None:
    """A five-point match of middle length."""
    found = []
    for path in sorted((SHARED / "corpus" / "mat_galaxy").glob("*.txt")):
        match = kibitz.load(path)
        if match.length == 5 and len(match.games) >= 3:
            found.append((sum(len(game.actions) for game in match.games), path))
    found.sort()
    return found[len(found) // 2][1] if found else None


def bench_kibitz(path: Path, threads: int) -> dict[str, tuple[float, float]]:
    match = kibitz.load(path)
    rolls = sum(action.kind == "roll" for game in match.games for action in game.actions)
    print(f"{path.name}: {match.length} points, {len(match.games)} games, {rolls} rolls")
    figures = {}
    for level in ("fast", "default", "thorough"):
        engine = kibitz.Engine()
        review(match, level="fast", engine=engine)  # tables and nets are loaded once, whatever is reviewed

        def work(level: str = level, engine: kibitz.Engine = engine) -> None:
            engine.clear_cache()
            found = review(match, level=level, engine=engine, threads=threads)
            assert sum(decision.kind.name == "CHECKER" for decision in found.decisions) == rolls

        figures[level] = timed(work)
        wall, cpu = figures[level]
        print(f"  kibitz {level:9} {threads or os.cpu_count()} threads: {wall:6.2f} s [{cpu:.2f}]")
    return figures


def bench_gnubg(path: Path) -> tuple[float, float] | None:
    program = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    if program is None:
        print("  gnubg is not here")
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "match.mat"
        save(kibitz.load(path), file)
        commands = [
            "set threads 1",
            "set analysis chequerplay evaluation plies 2",
            "set analysis cubedecision evaluation plies 2",
            "set analysis luck on",
            f"import mat {file}",
        ]
        bare, full = Path(folder) / "bare.txt", Path(folder) / "full.txt"
        bare.write_text("\n".join(commands) + "\n")
        full.write_text("\n".join([*commands, "analyse match", "show statistics match"]) + "\n")

        def run(script: Path) -> str:
            command = [program, "-t", "-q", "-r", "-c", str(script)]
            environment = os.environ | {"HOME": folder}
            ended = subprocess.run(
                command, input="", capture_output=True, text=True, check=False, timeout=900, env=environment
            )
            return ended.stdout

        idle = timed(lambda: run(bare), 1)
        texts: list[str] = []
        busy = timed(lambda: texts.append(run(full)), 1)
        if "Error total EMG" not in texts[0]:
            print("  gnubg did not analyse the match")
            return None
    wall, cpu = busy[0] - idle[0], busy[1] - idle[1]
    print(f"  gnubg 2-ply     1 thread:  {wall:6.2f} s [{cpu:.2f}]")
    return wall, cpu


def bench_many(folder: Path, threads: int) -> None:
    paths = sorted(folder.glob("*.txt"))
    settings = ReviewSettings(level=ReviewLevel.of("fast"))

    def work() -> None:
        found = list(review_files(paths, settings, threads=threads, cache=False))
        assert all(one.review is not None for one in found), [one.error for one in found if one.review is None]
        decisions = sum(len(one.review.decisions) for one in found if one.review is not None)
        assert decisions > 100 * len(found)

    wall, cpu = timed(work, 1)
    print(f"{len(paths)} matches, fast level: {wall:.1f} s [{cpu:.1f}], {1000 * cpu / len(paths):.0f} ms each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--galaxy", type=Path, help="also review all the matches of this folder at the fast level")
    parser.add_argument(
        "--gnubg", action="store_true", help="also let gnubg analyse the match, and compare on one core"
    )
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    path = options.file or five_point_match()
    if path is None:
        print("there is no match to review; name a file")
        return
    bench_kibitz(path, options.threads)
    if options.gnubg:
        ours = bench_kibitz(path, 1)
        theirs = bench_gnubg(path)
        if theirs is not None:
            print(f"  gnubg takes {theirs[1] / ours['default'][1]:.1f} times the processor time of the default level,")
            print(f"  {theirs[1] / ours['thorough'][1]:.1f} times that of 2 plies for everything")
    if options.galaxy:
        bench_many(options.galaxy, options.threads)


if __name__ == "__main__":
    main()
