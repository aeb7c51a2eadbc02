"""A small UBGI engine that plays the first legal play, and misbehaves: python bad_engine.py FAULT AFTER [FLAG]."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from kibitz import Position


def main() -> None:
    fault, after = sys.argv[1], int(sys.argv[2])
    once = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    position, dice, asked = Position.start(), (3, 1), 0
    for line in sys.stdin:
        words = line.split()
        if words[0] == "ubgi":
            print("id name bad\nubgiok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "position":
            position = Position.from_id(words[2]) if words[1] == "gnubgid" else position
        elif words[0] == "dice":
            dice = (int(words[1]), int(words[2]))
        elif words[0] == "quit":
            return
        elif words[:3] == ["go", "role", "cube"]:
            print("error unsupported_feature no cube", flush=True)
        elif words[0] == "go":
            asked += 1
            if asked > after and not (once and once.exists()):
                if once:
                    once.touch()
                if fault == "crash":
                    sys.exit(3)
                if fault == "hang":
                    time.sleep(60)
                if fault == "illegal":
                    print("bestmove 24/1", flush=True)
                    continue
                if fault == "garbage":
                    print("bestmove \x01\x02 what", flush=True)
                    continue
            print("bestmoveid", position.plays(dice)[0].result.id, flush=True)


main()
