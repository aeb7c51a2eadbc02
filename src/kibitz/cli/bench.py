"""kibitz bench: the signature and the speeds."""

from __future__ import annotations

from typing import Annotated

import typer

from kibitz.cli.common import JsonOption, print_json


def bench(
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each part; the best one counts.")] = 5,
    json: JsonOption = False,
) -> None:
    """Do a fixed amount of work: print one signature of all answers, and the speeds."""
    from kibitz import build_info
    from kibitz.bench import run

    result = run(repeats=repeats)
    if json:
        print_json(result.to_dict() | {"build": build_info()})
        return
    print(f"signature {result.signature}")
    for section in result.sections:
        print(f"{section.name}: {section.count:,} {section.unit}, {section.digest:08x}")
        for speed in section.speeds:
            print(f"  {speed.per_second:>14,.0f}  {speed.what}")
    info = build_info()
    print(f"a second, on one thread, {info['instruction_set']}, {info['compiler']}")
