"""Makes src/kibitz/data/bench_positions.txt: the fixed positions of `kibitz bench` and of the benchmarks.

Run it only to change the set on purpose: every signature and every count that is written down anywhere rests on it.
Games are played by a simple player that likes points and dislikes blots and sometimes does anything; positions are
taken from them so that each kind of game has its share.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import kibitz

FILE = Path(__file__).parents[1] / "src" / "kibitz" / "data" / "bench_positions.txt"
SHARES = {"opening": 120, "bar": 130, "contact": 430, "race": 130, "bear-off": 190, "contact bear-off": 100}


def kind(position: kibitz.Position, turn: int) -> str:
    if turn < 6:
        return "opening"
    if position.mine[24]:
        return "bar"
    home = not any(position.mine[6:])
    if position.in_contact:
        return "contact bear-off" if home else "contact"
    return "bear-off" if home else "race"


def liking(play: kibitz.Play) -> float:
    mine = play.result.theirs
    points = sum(2 if 3 <= slot <= 7 else 1 for slot in range(24) if mine[slot] >= 2)
    blots = sum(1 for slot in range(24) if mine[slot] == 1)
    stack = max(mine)
    return 1.0 * points - 0.9 * blots - 0.3 * stack + 0.8 * play.hits - 0.02 * sum(mine[18:24])


def games(dice: random.Random) -> Iterator[tuple[kibitz.Position, int]]:
    while True:
        position, turn = kibitz.Position.start(), 0
        wildness = dice.random() * 0.5
        while not position.is_over:
            yield position, turn
            plays = position.plays((1 + int(6 * dice.random()), 1 + int(6 * dice.random())))
            if not plays:
                position = position.swapped()
            elif dice.random() < wildness:
                position = plays[int(len(plays) * dice.random())].result
            else:
                position = max(plays, key=lambda play: (liking(play), play.result)).result
            turn += 1


def main() -> None:
    dice = random.Random(20240)
    wanted = Counter(SHARES)
    chosen: dict[str, None] = {}
    for position, turn in games(dice):
        what = kind(position, turn)
        if wanted[what] and position.id not in chosen and dice.random() < 0.12:
            chosen[position.id] = None
            wanted[what] -= 1
        if not any(wanted.values()):
            break
    FILE.write_text("".join(f"{position_id}\n" for position_id in sorted(chosen)), encoding="ascii")
    print(f"{len(chosen)} positions in {FILE}")


if __name__ == "__main__":
    main()
