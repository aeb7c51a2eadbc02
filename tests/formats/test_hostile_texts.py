"""Texts that are made to hurt: readers take no longer than their size asks for, and results are held against scores."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import pytest

import kibitz
from kibitz import FormatError, KibitzError, Match
from kibitz.formats import FORMATS, read
from kibitz.formats.limits import MAX_FILE
from kibitz.notation import parse, parse_play
from kibitz.record import Ending, Result, Roll

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10\n"
BGBLITZ = "Position-ID: 4HPwATDgc/ABMA Match-ID: cAkAAAAAAAAA\n" + XGID
GNUBG = "Move number 1:  a to play 31\n Position ID: 4HPwATDgc/ABMA\n Match ID : cAkAAAAAAAAA\n +\n"
MAT = " 5 point match\n Game 1\n"
NAMED = MAT + " a : 0  b : 0\n"


def times(text: str, size: int) -> str:
    return text * (size // len(text))


TEXTS: dict[str, Callable[[int], str]] = {
    "blanks below a game": lambda n: " Game 1\n" + " " * n + "x",
    "empty lines": lambda n: "hello" + "\n" * n,
    "many scores": lambda n: MAT + times("a : 0 b ", n),
    "many rolls": lambda n: NAMED + times(")11:", n),
    "many rows": lambda n: NAMED + " 1) " + times("11: 8/7 2) ", n),
    "a header of blanks": lambda n: "; [ " + " " * n + "x\n" + NAMED,
    "comments": lambda n: NAMED + times("; x\n", n),
    "BGBlitz and blanks": lambda n: BGBLITZ + "+ O: " + " " * n + "x",
    "BGBlitz and sides": lambda n: BGBLITZ + times("+ O: 1 ", n),
    "BGBlitz and brackets": lambda n: BGBLITZ + times("(less)" * 60 + "\n", n),
    "BGBlitz and slashes": lambda n: BGBLITZ + times("1. 0.1 " + " / " * 120 + "\n", n),
    "XG and blanks": lambda n: XGID + "eXtreme Gammon\nX:" + " " * n + "x",
    "XG and pairs of blanks": lambda n: XGID + "eXtreme Gammon\n" + times("1. " + "a  " * 130 + "\n", n),
    "XG and equal signs": lambda n: XGID + "eXtreme Gammon\n" + times("=1.1" * 90 + "\n", n),
    "gnubg and blanks": lambda n: GNUBG + times("* 1. Rollout a" + " " * 380 + "\n", n),
    "gnubg and wins": lambda n: GNUBG + times(" wins 1 " * 45 + "\n", n),
    "SGF and escapes": lambda n: "(;GM[6]C[" + times("\\]", n) + "])",
    "SGF and notes": lambda n: "(;GM[6]PW[a]PB[b];W[31hefe]" + times(";C[x]", n) + ")",
    "SGF and variations": lambda n: "(;GM[6]" + times("(;)", n) + ")",
    "FIBS": lambda n: "ann is X - bob is O\nX: (6 1) " + times("13-7 ", n),
    "JSON": lambda n: '{"kind":"kibitz-match","games":' + "[" * n,
    "Snowie": lambda n: times("1;0;", n),
}


@pytest.mark.parametrize("name", TEXTS)
def test_readers_are_linear(name: str) -> None:
    """A hundred kilobytes are read or refused in a moment; the worst took a minute, and grew with the cube."""
    data = TEXTS[name](100_000).encode()
    started = time.process_time()
    try:
        read(data)
    except FormatError as error:
        assert "\n" not in str(error)
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    "text",
    [
        "XGID" + " " * 100_000 + "x",
        "Position ID" + " " * 100_000,
        "Match ID " * 10_000,
        "A" * 100_000,
        "board:" * 20_000,
    ],
)
def test_notations_are_linear(text: str) -> None:
    started = time.process_time()
    for reader in (parse, lambda one: parse_play(one, kibitz.Position.start())):
        with pytest.raises(KibitzError) as refused:
            reader(text)
        assert len(str(refused.value)) < 1200
    assert time.process_time() - started < 1.0


def test_a_long_comment_takes_little_memory() -> None:
    data = b"(;GM[6]PW[a]PB[b]C[" + rb"x\]" * (1 << 20) + b"])"
    tracemalloc.start()
    match = read(data)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(match.games[0].comment) == 2 << 20
    assert most < 30 * len(data)


def test_what_is_too_large_is_refused() -> None:
    for data, words in (
        (b" " * (MAX_FILE + 1), "at most 16 MB"),
        (b" Game 1\n" + b"\n" * 600_000 + b"a : 0  b : 0", "at most 500,000 lines"),
        (b"(;GM[6])" + b"()" * 10_000, "game trees"),
        (b"(;GM[6]" + b"A[]" * 1_100_000, "nodes, properties and values"),
    ):
        with pytest.raises(FormatError, match=words):
            read(data)


# --- who won ----------------------------------------------------------------------------------------------------------


def games(*texts: str, length: int = 7) -> Match:
    """A .mat file of these games, each with its line of players."""
    return read(
        (f" {length} point match\n" + "".join(f"\n Game {n}\n{one}" for n, one in enumerate(texts, 1))).encode()
    )


HEAD = " Ada : {}                          Ben : {}\n"


def test_who_concedes_after_a_roll_loses() -> None:
    match = games(
        HEAD.format(0, 0) + "  1) 31: 8/5 6/5                   64: 24/14\n"
        "  2) 32: Concedes                      Wins 2 point\n",
        HEAD.format(0, 2) + "  1) 31: 8/5 6/5\n",
    )
    assert match.games[0].result == Result(1, 2, Ending.RESIGNED)
    assert [action.kind for action in match.games[0].actions] == ["roll", "roll", "roll", "resign"]
    assert not match.warnings
    right = games(
        HEAD.format(0, 0) + "  1) 31: 8/5 6/5                   62: Concedes\n      Wins 1 point\n",
        HEAD.format(1, 0) + "  1) 31: 8/5 6/5\n",
    )
    assert right.games[0].result == Result(0, 1, Ending.RESIGNED) and not right.warnings


def test_galaxys_row_within_a_row() -> None:
    match = games(
        HEAD.format(5, 5) + "  1) 31: 8/5 6/5                   64: 24/14\n"
        "  2) 43: 24/21 24/20   3)  Losses 2 point          Wins 2 point and the match\n",
    )
    game = match.games[0]
    assert game.result == Result(1, 2, Ending.RESIGNED) and match.winner == 1 and not match.warnings
    rolls = [action for action in game.actions if isinstance(action, Roll)]
    assert len(rolls) == 3 and rolls[-1].moves and not rolls[-1].player


@pytest.mark.parametrize(
    ("told", "next_score", "result"),
    [
        ("      Wins 1 point\n", (0, 1), (1, 1)),
        ("      Wins 1 point\n", (2, 0), (0, 2)),
        ("                                      Wins 2 points\n", (2, 0), (0, 2)),
        ("      Wins 1004 points\n", (1, 0), (0, 1)),
    ],
)
def test_the_next_score_decides_and_says_so(told: str, next_score: tuple[int, int], result: tuple[int, int]) -> None:
    match = games(
        HEAD.format(0, 0) + "  1) 31: 8/5 6/5                   64: 24/14\n" + told,
        HEAD.format(*next_score) + "  1) 31: 8/5 6/5\n",
    )
    found = match.games[0].result
    assert found is not None and (found.winner, found.points) == result
    assert match.games[0].actions[-1].player == 1 - result[0]
    assert any("the score is taken" in str(warning) for warning in match.warnings)
    assert read(FORMATS["mat"].write(match)[0]).bare().games == match.bare().games


def test_the_length_of_the_match_decides_and_says_so() -> None:
    match = games(
        HEAD.format(1, 6) + "  1) 31: 8/5 6/5                   64: 24/14\n      Wins 1 point and the match\n"
    )
    assert match.winner == 1 and any("does not win the match" in str(warning) for warning in match.warnings)


def test_no_more_is_won_than_there_is() -> None:
    match = games(HEAD.format(0, 0) + "  1) 31: 8/5 6/5                   64: 24/14\n      Wins 1004 point\n")
    found = match.games[0].result
    assert found is not None and found.points == 3
    assert any("1004" in str(warning) for warning in match.warnings)
    whole = games(HEAD.format(0, 0) + "  1) 31: 8/5 6/5\n      Wins 7 points and the match\n")
    assert whole.winner == 0 and not whole.warnings  # who resigns the match gives all that is missing


def test_a_board_that_shows_the_winner_is_believed() -> None:
    """The score below cannot be right; it is said, and the board stays."""
    off = "; Set Pos=-A----------------------a-/0\n  1) 61: 1/0\n      Wins 1 point\n"
    match = games(HEAD.format(0, 0) + off, HEAD.format(0, 1) + "  1) 31: 8/5 6/5\n")
    found = match.games[0].result
    assert found is not None and found.winner == 0
    assert any("the next score" in str(warning) for warning in match.warnings)


# --- other people's ways ----------------------------------------------------------------------------------------------


def test_a_position_after_crawford_goes_through_mat() -> None:
    xgid = "XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10\nX:Ada   O:Ben\nScore is X:3 O:6 7 pt.(s) match.\n"
    match = read(xgid.encode(), format="xg-text")
    data, dropped = FORMATS["mat"].write(match)
    again = read(data)
    assert not dropped and not again.warnings
    assert again.bare().games == match.bare().games and not again.games[0].crawford
    plain = data.replace(b"; Not the Crawford game\n", b"")
    assert plain != data and not read(plain).games[0].crawford  # a turned cube says it as well


def test_gibbons_words() -> None:
    head = "(;FF[4]GM[6]PW[Ada]PB[Ben]MI[length:7][game:0][ws:0][bs:0];W[31hefe]"
    match = read((head + ";B[resign:2];W[accept])").encode())
    assert match.games[0].result == Result(0, 2, Ending.RESIGNED) and not match.warnings
    refused = read((head + ";B[resign];W[reject])").encode())
    assert refused.games[0].result is None and len(refused.games[0].actions) == 1 and not refused.warnings


def test_an_xgid_may_leave_out_the_highest_cube() -> None:
    assert parse(XGID.rpartition(":")[0]).match.max_cube == 1024


def test_fibs_steps_that_lead_nowhere() -> None:
    text = "Score is 0-0 in a 5 point match.\nann is X - bob is O\nX: (6 1) 13-7 8-7\nO: (2 1) off-14 19-20\n"
    match = read(text.encode())
    assert any("no step leads from off to 14" in str(warning) for warning in match.warnings)


def test_numbers_beyond_all_bounds() -> None:
    for digits in (40, 400, 5000):
        text = (
            BGBLITZ + f"a {'9' * digits}.1  1.0  1.0\nb 1.0 1.0 1.0\nNo Double : 1.0 (1.0)\nDouble/Take : 1.0 (1.0)\n"
        )
        FORMATS["json"].write(read((text + "Double/Pass : 1.0 (1.0)\n").encode()))


def test_a_bgf_dance_without_dice() -> None:
    from .format_makers import bgf_common_match, bgf_file, bgf_special

    content = bgf_common_match()
    content["games"][0]["moves"].insert(0, bgf_special(-1, 5) | {"from": [], "to": []})
    assert any("dance without its dice" in str(warning) for warning in read(bgf_file(content)).warnings)
