"""Random lines: whatever comes in, an answer comes out, and never an exception."""

from __future__ import annotations

import random
import string
from collections.abc import Callable

import pytest

from kibitz import Engine, Position
from kibitz.protocols.answers import Answerer
from kibitz.protocols.bei import BeiConversation
from kibitz.protocols.gnubg_socket import GnubgConversation
from kibitz.protocols.limits import Limits
from kibitz.protocols.ubgi import UbgiConversation

ENGINE = Engine(plies=0, threads=1)
LIMITS = Limits(plies=0)
SEEDS = {
    "ubgi": [
        "ubgi",
        "isready",
        "newgame",
        "keys",
        "setoption name Threads value 2",
        "set engine.ply 1",
        "get engine.seed",
        "newsession type match length 7 jacoby on crawford off",
        "newsession type money",
        "setscore 3 4",
        "setcube value 4 owner p1",
        "setturn p1",
        "position gnubgid 4HPwATDgc/ABMA",
        "position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10",
        "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:3:0:7:10",
        "dice 6 1",
        "go role chequer depth 1 movetime 5",
        "go role cube",
        "go role turn",
        "stop",
    ],
    "gnubg": [
        "board:You:Other:1:0:0:0:-1:-1:0:0:0:5:0:3:0:0:0:-4:5:0:0:0:-4:0:-5:0:0:0:0:2:0"
        ":1:2:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:6:0:0",
        "board:A:B:7:3:2:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
        ":-1:0:0:0:0:2:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:1",
        "evaluation fibsboard board:A:B:9999:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
        ":1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1 plies 0 cubeful jacobyrule no",
        "version",
        "help",
    ],
    "bei": [
        "bei",
        "list",
        "move 0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0,3,1,0,1,0,1,0,0,0,1,0,0,0,0,0,1,1",
        "double 0,-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2,0,0,0,0,0,0,1,0,2,1,3,2,7,0,0,0,0,0,1,1",
        "choose 1",
    ],
}
_LETTERS = string.ascii_letters + string.digits + ":-/=,. \t\x00\x1béß漢" + "0123456789" * 3


def mutated(dice: random.Random, lines: list[str]) -> str:
    line = dice.choice(lines)
    kind = dice.random()
    if kind < 0.15:
        return line
    if kind < 0.25:
        return "".join(dice.choice(_LETTERS) for _ in range(dice.randrange(200)))
    for _ in range(dice.randrange(1, 5)):
        at = dice.randrange(len(line) + 1)
        change = dice.random()
        if change < 0.35:
            line = line[:at] + dice.choice(_LETTERS) + line[at + 1 :]
        elif change < 0.55:
            line = line[:at] + line[at + dice.randrange(1, 6) :]
        elif change < 0.75:
            line = line[:at] + str(dice.choice((-1, 0, 1, 7, 15, 16, 99, 2**31, -(2**63)))) + line[at:]
        elif change < 0.9:
            words = line.split(" ")
            dice.shuffle(words)
            line = " ".join(words)
        else:
            line += " " + dice.choice(lines)
    return line


def random_id(dice: random.Random) -> str:
    """A position that can occur, after some random plays."""
    position = Position.start()
    for _ in range(dice.randrange(60)):
        plays = position.plays((dice.randint(1, 6), dice.randint(1, 6)))
        if not plays:
            position = position.swapped()
            continue
        following = dice.choice(plays).result
        if following.is_over:
            break
        position = following
    return position.id


def talkers() -> dict[str, Callable[[str], object]]:
    answerer = Answerer(ENGINE, LIMITS)
    ubgi, gnubg, bei = UbgiConversation(answerer), GnubgConversation(answerer), BeiConversation(answerer)
    return {"ubgi": ubgi.answer, "gnubg": gnubg.answer, "bei": bei.answer}


def fuzz(count: int, seed: int) -> None:
    dice = random.Random(seed)
    answers = talkers()
    answers["bei"]("bei")
    for number in range(count):
        name = "ubgi" if number % 5 < 3 else "gnubg" if number % 5 == 3 else "bei"
        lines = SEEDS[name]
        line = f"position gnubgid {random_id(dice)}" if name == "ubgi" and number % 50 == 0 else mutated(dice, lines)
        if name == "gnubg" and line.split()[:1] and line.split()[0].lower() in ("exit", "quit"):
            continue
        answer = answers[name](line)
        if name == "ubgi":
            assert isinstance(answer, list)
            assert all(isinstance(one, str) and "\n" not in one for one in answer)
        else:
            assert answer is None or (isinstance(answer, str) and (not answer or answer.endswith("\n")))


def test_a_few_thousand_fuzzed_lines() -> None:
    fuzz(4000, 1)


@pytest.mark.slow
def test_a_hundred_thousand_fuzzed_lines() -> None:
    """For UBGI alone; as many again for the others."""
    fuzz(170_000, 2)
