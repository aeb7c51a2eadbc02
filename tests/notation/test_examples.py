"""Notations by example: the published ones, those of other programs, and those that must be refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kibitz
from kibitz import Cube, Dice, GameStatus, MatchState, NotationError, Offer, Owner, Position, PositionError, parse
from kibitz.notation import parse_fibs, parse_match_id, parse_xgid

START_XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"


@pytest.mark.parametrize(
    ("position_id", "theirs", "mine"),
    [
        ("4HPwATDgc/ABMA", {6: 5, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}),
        ("4HPkASLgc/ABMA", {6: 5, 8: 3, 11: 1, 13: 4, 21: 1, 24: 1}, {6: 5, 8: 3, 13: 5, 24: 2}),
        (
            "yGfwASjgc+QBUA",
            {4: 1, 6: 5, 8: 2, 13: 5, 23: 1, 24: 1},
            {6: 5, 8: 3, 11: 1, 13: 4, 24: 1, 25: 1},
        ),
        ("4OvgATDgc+QBUA", {6: 5, 7: 1, 8: 3, 13: 4, 24: 2}, {6: 5, 8: 3, 11: 1, 13: 4, 24: 1, 25: 1}),
    ],
)
def test_position_ids_tell_the_opponent_first(position_id: str, theirs: dict[int, int], mine: dict[int, int]) -> None:
    assert Position.from_id(position_id) == Position.of(mine, theirs)
    assert Position.of(mine, theirs).id == position_id


def test_a_position_id_and_an_xgid_of_one_position_agree() -> None:
    state = parse("XGID=-B-CBBB---a---A---ABcbbbd-:1:-1:1:21:3:6:0:7:10")
    assert state.position_id == "b9sBCIC5bYDQAA"
    assert state.position.pips == (111, 52)
    assert state.dice == Dice(2, 1)
    assert state.match == MatchState(7, 3, 6, Cube(2, Owner.THEIRS))


def test_the_top_player_of_an_xgid_sees_the_board_from_the_other_side() -> None:
    state = parse("XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8")
    assert state.turn == 0
    assert state.position.pips == (142, 132)  # the top player's first
    assert state.match == MatchState(3, 0, 0, Cube(2, Owner.THEIRS), max_cube=256)
    assert state.dice == Dice(6, 3)


def test_xgid_fields() -> None:
    assert parse(START_XGID).position == Position.start()
    assert parse(START_XGID).match == MatchState.money(jacoby=True, beavers=False)
    assert parse(START_XGID.replace(":31:0:0:1:0:", ":00:2:3:3:0:")).match == MatchState(
        my_score=2, their_score=3, jacoby=True, beavers=True
    )
    assert parse(START_XGID.replace(":31:0:0:1:0:", ":00:6:2:1:7:")).match == MatchState(7, 6, 2, crawford=True)
    doubled = parse(START_XGID.replace(":31:", ":D:"))
    assert (doubled.offer, doubled.dice) == (Offer.DOUBLE, None)


@pytest.mark.parametrize(
    "text",
    [
        START_XGID,
        START_XGID.removeprefix("XGID="),
        START_XGID.replace("XGID", "xgid"),
        START_XGID.removesuffix(":10"),
        f"  {START_XGID}\r\nX:Player 1   O:Player 2\r\nScore is X:0 O:0",
        f"https://example.org/?{START_XGID} look!",
    ],
)
def test_xgids_in_all_clothes(text: str) -> None:
    assert parse(text) == parse(START_XGID)


@pytest.mark.parametrize(
    ("match_id", "mine", "theirs", "length", "turn", "dice", "cube"),
    [
        ("QYkqASAAIAAA", 4, 2, 9, 1, "52", Cube(2, Owner.THEIRS)),
        ("cInpAAAAAAAA", 0, 0, 7, 1, "32", Cube()),
        ("MICpAAAAAAAE", 0, 0, 5, 0, "32", Cube()),
        ("cAmmAAAAAAAE", 0, 0, 5, 1, "41", Cube()),
        ("MBkAAIAAKAAA", 8, 5, 0, 0, "None", Cube()),
        ("QYnoAGAAGAAE", 3, 6, 7, 1, "21", Cube(2, Owner.THEIRS)),
        ("UQngAAAAIAAE", 4, 0, 7, 1, "None", Cube(2, Owner.MINE)),
    ],
)
def test_match_ids(match_id: str, mine: int, theirs: int, length: int, turn: int, dice: str, cube: Cube) -> None:
    state = parse_match_id(match_id)
    match = state.match
    assert (match.my_score, match.their_score, match.length, match.cube) == (mine, theirs, length, cube)
    assert (state.turn, str(state.dice)) == (turn, dice)
    if match_id != "QYnoAGAAGAAE":  # written with the smaller die first, which we read and do not write
        assert state.match_id == match_id


def test_match_id_details() -> None:
    assert parse_match_id("MBkAAIAAKAAA").offer is Offer.DOUBLE
    assert parse_match_id("MICpAAAAAAAE").status is GameStatus.NONE
    old, new = parse_match_id("cInpAAAAAAAA"), parse_match_id("cInpAAAAAAAE")
    assert (old.old_match_id, new.old_match_id) == (True, False)
    assert old.match == new.match
    assert parse("4HPwATDgc/ABMA:cAkAAAAAAAAA").match.jacoby
    assert not parse("4HPwATDgc/ABMA:cAkAAAAAAAAE").match.jacoby


def test_a_fibs_board_of_the_other_colour_and_direction() -> None:
    line = (
        "board:mpgnu:buster:17:0:2:0:0:0:2:1:4:3:0:1:0:1:0:0:2:0:0:0:0:0:1:-2:-2:-1:-4:-4:0"
        ":-1:3:6:0:0:1:1:1:0:-1:1:25:0:2:0:0:0:2:2:0:0"
    )
    state = parse_fibs(line)
    assert state.names == ("mpgnu", "buster")
    assert state.position == Position.of(
        {1: 4, 2: 4, 3: 1, 4: 2, 5: 2}, {3: 2, 4: 1, 5: 4, 6: 3, 8: 1, 10: 1, 13: 2, 19: 1}
    )
    assert state.position.off() == (2, 0)
    assert (state.match.length, state.match.my_score, state.match.their_score) == (17, 0, 2)
    assert state.dice == Dice(6, 3)
    assert parse_fibs(state.fibs) == state


def test_a_fibs_board_as_gnubg_writes_it() -> None:
    line = (
        "board:You:Other:1:0:0:0:-1:-1:0:0:0:5:0:3:0:0:0:-4:5:0:0:0:-4:0:-5:0:0:0:0:2:0"
        ":1:2:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:6:0:0"
    )
    state = parse(f"fibsboard {line}")
    assert state.position.mine == Position.start().mine
    assert state.dice == Dice(2, 1)
    assert str(kibitz.notation.parse_play("13/11 24/23", state.position, state.dice)) == "24/23 13/11"


def test_ids_in_the_text_of_other_programs() -> None:
    gnubg = """ GNU Backgammon  Position ID: 4HPkASLgc/ABMA
                 Match ID   : cAlzAAAAAAAE
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: clarice"""
    assert parse(gnubg).position_id == "4HPkASLgc/ABMA"
    assert parse(gnubg).dice == Dice(6, 4)
    assert parse("Position-ID: b9sBCIC5bYDQAA    Match-ID: QYnoAGAAGAAE").match.length == 7
    assert parse("What about 4HPkASLgc/ABMA, you think?").position_id == "4HPkASLgc/ABMA"
    two = "Position ID: 4HPkASLgc/ABMA\nPosition ID: 4HPwATDgc/ABMA\n Match ID: cAlzAAAAAAAE"
    assert parse(two).match.length == 0  # the Match ID is the second position's


def test_texts_of_xg_and_bgblitz(shared: Path) -> None:
    """Every XGID of the corpus reads and writes unchanged, its pips are those printed beside it, and IDs agree."""
    files = sorted((shared / "corpus").glob("*_text/*.txt"))
    seen = 0
    for path in files:
        text = path.read_text(encoding="utf-8-sig", errors="replace")
        xgid = re.search(r"XGID=\S+", text)
        if not xgid:
            continue
        seen += 1
        state = parse(text)
        assert state.xgid == xgid[0]
        pips = re.search(r"X: (\d+)\s+O: (\d+)", text)
        if pips and "XG" in path.parent.name.upper():
            assert (int(pips[1]), int(pips[2])) == state.position.pips
        ids = re.search(r"Position-ID: (\S+)\s+Match-ID: (\S+)", text)
        if ids:
            other = parse(f"{ids[1]}:{ids[2]}")
            assert (other.position, other.match, other.dice) == (state.position, state.match, state.dice)
    assert seen >= 14


def test_ids_of_gnubg_texts(shared: Path) -> None:
    """Every Position ID and Match ID that gnubg printed reads and writes unchanged."""
    seen = 0
    for path in sorted((shared / "corpus" / "gnubg_text").iterdir()):
        text = path.read_text(encoding="utf-8", errors="replace")
        for position_id, match_id in re.findall(r"Position ID: (\S{14})\s+Match ID\s+: (\S{12})", text):
            state = parse(f"{position_id}:{match_id}")
            assert (state.position_id, state.match_id) == (position_id, match_id)
            seen += 1
    assert seen > 500


@pytest.mark.parametrize(
    ("text", "defects"),
    [
        ("", ["expected a Position ID"]),
        ("hello", ["expected a Position ID", "14 characters, this has 5"]),
        ("cAmmAAAAAAAE", ["a Match ID alone does not say where the checkers are"]),
        ("4HPwATDgc?ABMA", ["'?'"]),
        ("//////////////", ["80 checkers", "last character"]),
        ("4HPwATDgc/ABMB", ["last character 'B'"]),
        ("4HPwATDgc/ABMA:cAkIAAAAAAA=", ["'='"]),
        ("4HPwATDgc/ABMA:YAkAAAAAAAAA", ["the cube's owner is 2"]),
        ("4HPwATDgc/ABMA:cA8AAAAAAAAA", ["the state of the game is 7"]),
        ("4HPwATDgc/ABMA:cAEAAAAAAAAA", ["has to decide, but nothing was offered"]),
        ("4HPwATDgc/ABMA:8IkPAAAAAAAA", ["dice show 7 and 3", "a money game has no Crawford game"]),
        (START_XGID.replace(":31:", ":99:"), ["dice show 9 and 9"]),
        (START_XGID.replace(":31:", ":3x:"), ["'3x'"]),
        (START_XGID.replace(":0:0:1:31:0:0:1:0:10", ""), ["1 fields instead of 10"]),
        (START_XGID.replace("-b--", "-b-"), ["25 characters instead of 26"]),
        (
            "XGID=-b----Q-C---eE---c-e----B-:x:2:0:71:0:0:9:0:99",
            [
                "'Q'",
                "the cube is 'x'",
                "owner is 2",
                "turn is 0",
                "dice show 7 and 1",
                "rules is 9",
                "highest cube is 99",
            ],
        ),
        ("board:You:Other:1:0", ["5 fields instead of 53"]),
    ],
)
def test_wrong_text_is_refused_with_everything_that_is_wrong(text: str, defects: list[str]) -> None:
    with pytest.raises(NotationError) as error:
        parse(text)
    for defect in defects:
        assert defect in str(error.value)
    assert error.value.code == "notation"


@pytest.mark.parametrize(
    ("text", "defects"),
    [
        ("AAAAAAAAAAAAAA", ["both sides have borne off"]),
        ("XGID=-b----E-C---eE---c-e----J-:0:0:1:00:0:0:1:0:10", ["23 checkers, more than 15"]),
        (
            "XGID=-o----O-C---eE---c-e----B-:3:0:1:00:9:0:0:7:2",
            ["25 checkers", "28 checkers", "score of 9 and has already won the 7-point", "cube shows 8, more than"],
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:1:0:1:00:2:1:1:7:10",
            ["nobody needs exactly one", "cube shows 2 in the Crawf"],
        ),
        ("XGID=-b----E-C---eE---c-e----B-:1:-1:1:D:2:1:0:7:10", ["the cube that was turned is the opponent's"]),
    ],
)
def test_impossible_positions_are_refused_with_all_their_defects(text: str, defects: list[str]) -> None:
    with pytest.raises(PositionError) as error:
        parse(text)
    for defect in defects:
        assert defect in str(error.value)
    assert text in str(error.value)


def test_a_fibs_board_names_all_defects() -> None:
    line = fibs_line(cube=3, score=9, dice=(9, 9), extra=5)
    with pytest.raises(NotationError) as error:
        parse_fibs(line)
    for defect in ("cube shows 3", "has already won the 7-point", "dice show 9 and 9", "20 checkers"):
        assert defect in str(error.value)


def fibs_line(*, cube: int, score: int, dice: tuple[int, int], extra: int) -> str:
    fields = kibitz.State(Position.start(), MatchState(7, 1, 2), dice=Dice(3, 1)).fibs.split(":")
    fields[4], fields[37] = str(score), str(cube)
    fields[33:35] = [str(die) for die in dice]
    fields[6 + 6] = str(5 + extra)
    return ":".join(fields)


def test_xgid_words_after_a_blank_do_not_matter() -> None:
    assert parse_xgid(START_XGID + " and more") == parse_xgid(START_XGID)
