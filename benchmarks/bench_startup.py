"""How long the commands take that answer one question: processor time of a fresh process, and where it goes.

python benchmarks/bench_startup.py [--runs N] [--where COMMAND]
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time

LIMIT = 0.3
"""Seconds of processor time that a command may take."""
IMPORT_LIMIT = 0.07
"""Seconds that `import kibitz` may take."""
RACE = "NwMAANsBAAAAAA"
COMMANDS: dict[str, tuple[list[str], str]] = {
    "hint": (["hint", "4HPwATDgc/ABMA", "31"], "8/5 6/5"),
    "cube": (["cube", "4HPwATDgc/ABMA"], "no double"),
    "eval": (["eval", "4HPwATDgc/ABMA"], "cubeless money equity"),
    "bearoff": (["bearoff", "suggest", "002220", "16"], "turns"),
    "race": (["race", RACE], "EPC"),
}
"""Words of each command, and what its answer must hold."""


def children() -> float:
    """Processor time of all processes that were waited for, user and system."""
    if sys.platform == "win32":  # which does not tell
        return time.perf_counter()
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(words: list[str]) -> tuple[float, str]:
    """The processor time of one fresh process, and what it printed."""
    before = children()
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return children() - before, done.stdout


def median(words: list[str], runs: int, expected: str) -> float:
    """The median of several runs, each of which answered as it should."""
    times = []
    for _ in range(runs):
        seconds, text = run(words)
        assert expected in text, f"{' '.join(words)} printed {text[:200]!r}"
        times.append(seconds)
    return statistics.median(times)


def where(words: list[str], top: int = 15) -> None:
    """The imports of a command that take longest by themselves."""
    code = f"import sys; from kibitz.cli import main; main({words!r})"
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    found = re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)", done.stderr)
    for own, name in sorted(((int(own), name) for own, name in found), reverse=True)[:top]:
        print(f"{own / 1000:8.1f} ms  {name}")
    print(f"{sum(int(own) for own, _ in found) / 1000:8.1f} ms  in {len(found)} modules")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--where", choices=COMMANDS, help="only: which imports a command spends its time in")
    options = parser.parse_args()
    if options.where:
        where(COMMANDS[options.where][0])
        return
    program = [sys.executable, "-m", "kibitz"]
    slow = []
    bare = median([sys.executable, "-c", "print('done')"], options.runs, "done")
    package = median([sys.executable, "-c", "import kibitz; print('done')"], options.runs, "done")
    print(f"{'python alone':24}{1000 * bare:6.0f} ms of processor time, median of {options.runs} runs")
    print(f"{'import kibitz':24}{1000 * (package - bare):6.0f} ms more")
    if package - bare >= IMPORT_LIMIT:
        slow.append("import kibitz")
    for name, (words, expected) in COMMANDS.items():
        seconds = median([*program, *words], options.runs, expected)
        print(f"kibitz {name:17}{1000 * seconds:6.0f} ms")
        if seconds >= LIMIT:
            slow.append(name)
    print(
        f"over the limit: {', '.join(slow)}"
        if slow
        else f"all below {LIMIT:g} s, import kibitz below {IMPORT_LIMIT:g} s"
    )


if __name__ == "__main__":
    main()
