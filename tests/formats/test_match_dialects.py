"""One match in every dialect and format: they must all say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz
from kibitz import Dice, Move, NotationError, Owner, Position
from kibitz.decision import Question
from kibitz.formats import read
from kibitz.formats.builder import MatchBuilder
from kibitz.match_equity import emg_of, mwc_of
from kibitz.record import (
    Beaver,
    Double,
    Drop,
    Ending,
    Game,
    Match,
    Raccoon,
    Resign,
    Result,
    Roll,
    Rules,
    Setup,
    Take,
)

from .format_makers import bgf_common_match, bgf_file, xg_common_match

DATA = Path(__file__).parent / "data"


def moves(*steps: tuple[int, ...]) -> tuple[Move, ...]:
    return tuple(Move(step[0], step[1], len(step) == 3) for step in steps)


COMMON = (
    Game(
        (0, 0),
        False,
        (
            Roll(1, Dice(2, 1), moves((13, 11), (6, 5))),
            Roll(0, Dice(4, 4), moves((24, 20, 1), (24, 20), (13, 9), (13, 9))),
            Roll(1, Dice(6, 6), ()),
            Double(0),
            Take(1),
            Roll(0, Dice(3, 1), moves((8, 5), (6, 5))),
            Roll(1, Dice(6, 2), moves((25, 23), (24, 18))),
            Roll(0, Dice(6, 4), None),
            Resign(0, 1),
        ),
        Result(1, 2, Ending.RESIGNED),
    ),
    Game(
        (0, 2),
        True,
        (
            Roll(0, Dice(6, 1), moves((13, 7), (8, 7))),
            Roll(1, Dice(4, 3), moves((13, 9), (9, 6))),
            Roll(0, Dice(5, 5), moves((13, 8), (13, 8), (8, 3), (8, 3))),
            Resign(1, 2),
        ),
        Result(0, 2, Ending.RESIGNED),
    ),
    Game(
        (2, 2),
        False,
        (
            Roll(1, Dice(4, 1), moves((24, 23), (13, 9))),
            Roll(0, Dice(1, 1), moves((8, 7), (8, 7), (6, 5), (6, 5))),
        ),
        None,
    ),
)


@pytest.mark.parametrize(
    "name",
    [
        "galaxy.mat",
        "studio.mat",
        "xg.mat",
        "latin.mat",
        "gnubg.mat",
        "gridgammon.mat",
        "oldmoves.fibs",
        "gnubg.sgf",
    ],
)
def test_dialects_agree(name: str) -> None:
    match = kibitz.load(DATA / name)
    assert match.warnings == ()
    assert (match.players, match.length) == (("ann", "bob"), 3)
    assert match.bare().games == COMMON


def test_gnubg_export_agrees() -> None:
    match = kibitz.load(DATA / "gnubg_export.txt")
    assert match.warnings == ()
    assert match.bare().games == COMMON[:2]
    assert (match.date, match.place, match.annotator) == ("2024-02-29", "Garden", "Zoe")
    roll = match.games[0].actions[1]
    assert isinstance(roll, Roll) and roll.analysis is not None and roll.cube is not None
    assert (roll.analysis.played, roll.luck) == (1, 0.61)
    assert roll.analysis.loss == pytest.approx(0.028)
    assert [row.level.plies for row in roll.analysis.plays] == [2, 2, 0]
    assert (roll.cube.no_double, roll.cube.double_take, roll.cube.double_pass) == (0.03, -0.31, 1.0)
    take = match.games[0].actions[4]
    assert take.cube is not None and take.marks == ("bad",)
    # gnubg prints the taker's numbers; we keep the doubler's.
    assert (take.cube.no_double, take.cube.double_take, take.cube.double_pass) == (0.81, 1.12, 1.0)
    assert tuple(take.cube.evaluation) == pytest.approx((0.72, 0.28, 0.01, 0.08, 0.002))


def test_bgblitz_file_agrees() -> None:
    match = read(bgf_file(bgf_common_match()))
    assert match.warnings == ()
    assert match.format == "bgf"
    # BGBlitz has no record of the roll that was not played.
    first = [action for action in COMMON[0].actions if not (isinstance(action, Roll) and action.moves is None)]
    bare = match.bare().games
    assert list(bare[0].actions) == first and bare[0].result == COMMON[0].result
    assert bare[1] == COMMON[1]
    assert (match.date, match.event, match.place, match.ratings) == (
        "2024-02-29",
        "Été 2024",
        "Garten" * 20,
        ("1745", "0.5"),
    )
    roll = match.games[0].actions[1]
    assert isinstance(roll, Roll) and roll.analysis is not None and roll.cube is not None
    assert roll.cube.mwc is not None
    assert (roll.analysis.played, roll.luck, roll.cube.mwc.no_double) == (1, 0.31, 0.5)
    assert roll.cube.no_double == pytest.approx(emg_of(0.5, roll.cube.match))
    double, take = match.games[0].actions[3:5]
    assert double.cube is not None and take.cube is not None
    # The taker's numbers are in the file; ours are the doubler's, in both.
    assert double.cube.mwc is not None and take.cube.mwc is not None
    assert take.cube.mwc.double_take == pytest.approx(double.cube.mwc.double_take)
    assert tuple(take.cube.evaluation) == pytest.approx((0.72, 0.12, 0.004, 0.13, 0.005))
    assert (double.cube.question, take.cube.question) == (Question.DOUBLE, Question.TAKE)
    assert match.games[0].actions[5].comment == "solid"


def test_xg_file_agrees() -> None:
    match = read(xg_common_match())
    assert match.warnings == ()
    assert (match.format, match.bare().games) == ("xg", COMMON)
    assert (match.date, match.event, match.place, match.annotator) == ("2024-02-29", "Été 2024", "Garten", "Zoé")
    assert match.comments == ("a match in été",)
    roll, dance, double = match.games[0].actions[1:4]
    assert isinstance(roll, Roll) and roll.analysis is not None and roll.cube is not None
    assert roll.comment == "the joker\nof the day \N{EN DASH}"
    assert (roll.analysis.played, roll.luck) == (0, 0.125)
    assert roll.analysis.plays[0].level.plies == 3 and roll.analysis.plays[0].level.name == "4-ply"
    assert (roll.cube.no_double, roll.cube.double_take, roll.cube.double_pass) == (0.5, 0.25, 1.0)
    assert roll.cube.level.name == "XG Roller++" and roll.cube.level.plies is None
    assert tuple(roll.cube.evaluation) == pytest.approx((0.6, 0.2, 0.01, 0.12, 0.005))
    # XG has equities alone: the winning chances follow from the score.
    assert roll.cube.mwc is not None and roll.cube.mwc.no_double == pytest.approx(mwc_of(0.5, roll.cube.match))
    assert roll.analysis.plays[0].mwc == pytest.approx(mwc_of(0.25, roll.cube.match))
    assert isinstance(dance, Roll) and dance.moves == ()
    assert double.comment == "plain words"


def test_headers_of_mat_dialects() -> None:
    galaxy = kibitz.load(DATA / "galaxy.mat")
    assert (galaxy.place, galaxy.date, galaxy.ratings) == ("BackgammonGalaxy", "2024-02-29", ("1,50/3", "2,00/0"))
    assert dict(galaxy.info) == {"Match ID": "1484923", "EventTime": "08.37", "Unrated": "Off"}
    studio = kibitz.load(DATA / "studio.mat")
    assert (studio.event, studio.round, dict(studio.info)["ClockType"]) == ("Online match", "Round 2", "Live3 540/10")
    for name in ("xg.mat", "latin.mat"):
        # XG names the right player first in this header; the ratings go to whom they belong.
        xg = kibitz.load(DATA / name)
        assert (xg.event, xg.annotator, xg.ratings) == ("Été 2024", "Zoé", ("1700.00/0", "1600.00/0"))
    grid = kibitz.load(DATA / "gridgammon.mat")
    assert (grid.ratings, grid.comments) == (("1745", "1699"), ("GridGammon record of a friendly match",))


def test_money_session_with_beavers_setups_and_gammons() -> None:
    match = kibitz.load(DATA / "money.mat")
    assert match.warnings == ()
    assert match.is_money and match.rules.jacoby and match.rules.beavers
    assert match.comments == ("a session in the garden",) and match.games[0].comment == "played quickly"
    kinds = [type(action) for action in match.games[0].actions]
    assert kinds == [Roll, Double, Beaver, Raccoon, Roll, Double, Drop]
    cubes = [moment.state.match.cube.value for moment in match.moments(1)]
    assert cubes == [1, 1, 1, 1, 8, 8, 8]
    setup = match.games[2].actions[0]
    assert isinstance(setup, Setup)
    assert (setup.player, setup.owner, setup.value) == (0, Owner.MINE, 2)
    assert match.games[2].result == Result(0, 4, Ending.BORNE_OFF)
    assert match.score == (12, 1)


def test_a_damaged_game_does_not_spoil_the_others() -> None:
    match = kibitz.load(DATA / "damaged.mat")
    assert [warning.line for warning in match.warnings] == [8, 15, 16, 21, 26]
    assert all(warning.file == "damaged.mat" for warning in match.warnings)
    first, second, third, fourth = match.games
    assert first.result == Result(0, 1, Ending.UNKNOWN) and len(first.actions) == 3
    assert second.result == Result(1, 1, Ending.DROPPED)
    assert third.score == (1, 1)  # 9-1 cannot be: what follows from the games before is taken
    illegal = fourth.actions[0]
    assert isinstance(illegal, Roll) and not illegal.legal and illegal.moves == moves((8, 5), (8, 5))
    assert len(list(match.moments())) == sum(len(game.actions) for game in match.games)


def test_sgf_with_analysis() -> None:
    match = kibitz.load(DATA / "gnubg.sgf")
    assert (match.event, match.ratings, match.comments) == ("Été 2024", ("1745", ""), ("a match [written by hand]",))
    opening, joker, dance, _, take, rollout, doubtful, unplayed, _ = match.games[0].actions
    assert isinstance(opening, Roll) and opening.analysis is not None
    assert (opening.analysis.played, opening.luck) == (1, -0.012)
    assert opening.analysis.loss == pytest.approx(0.002)
    assert joker.comment == "the joker" and joker.marks == ("very lucky",) and dance.marks == ("unlucky",)
    assert joker.cube is not None and joker.cube.mwc is not None
    assert (joker.cube.mwc.no_double, joker.cube.mwc.double_take, joker.cube.double_pass) == (0.503, 0.49, 1.0)
    # gnubg's file has winning chances alone: equities, and the pass, follow from the score.
    assert joker.cube.no_double == pytest.approx(emg_of(0.503, joker.cube.match))
    assert joker.cube.double_take == pytest.approx(emg_of(0.49, joker.cube.match))
    assert joker.cube.mwc.double_pass == pytest.approx(mwc_of(1.0, joker.cube.match))
    assert take.marks == ("bad",) and doubtful.marks == ("doubtful",)
    assert isinstance(rollout, Roll) and rollout.analysis is not None
    best = rollout.analysis.plays[0]
    assert (best.level.name, best.level.trials, best.equity, best.standard_error) == ("rollout", 1296, 0.8125, 0.005)
    assert isinstance(unplayed, Roll) and unplayed.moves is None


def test_xg_texts_in_two_languages() -> None:
    french = kibitz.load(DATA / "xg_cube_fr.txt")
    assert (french.format, french.warnings, french.players) == ("xg-text", (), ("Bernard", "Anne"))
    cube = french.games[0].actions[0].cube
    assert cube is not None and cube.level.plies == 3
    assert (cube.no_double, cube.double_take, cube.double_pass, cube.cubeless) == (0.07, -0.237, 1.0, 0.076)
    assert tuple(cube.evaluation) == (0.525, 0.149, 0.006, 0.124, 0.005)
    plays = kibitz.load(DATA / "xg_plays.txt")
    assert (plays.warnings, plays.score, plays.players) == ((), (1, 2), ("bob", "ann"))
    roll = plays.games[0].actions[1]
    assert isinstance(roll, Roll) and roll.player == 0 and roll.moves is None and roll.analysis is not None
    assert [(row.level.name, row.equity) for row in roll.analysis.plays] == [("Book", 0.175), ("XG Roller+", -0.009)]


def test_bgblitz_texts_in_two_languages() -> None:
    plays = kibitz.load(DATA / "bgblitz_plays.txt")
    assert (plays.format, plays.warnings, plays.players, plays.score) == ("bgblitz-text", (), ("Green", "Red"), (2, 1))
    roll = plays.games[0].actions[1]
    assert isinstance(roll, Roll) and roll.analysis is not None
    assert [(row.mwc, row.equity) for row in roll.analysis.plays] == [(0.455, 0.181), (0.431, -0.011)]
    assert tuple(roll.analysis.plays[0].evaluation) == (0.551, 0.169, 0.008, 0.117, 0.005)
    german = kibitz.load(DATA / "bgblitz_cube_de.txt")
    cube = german.games[0].actions[0].cube
    assert german.warnings == () and cube is not None
    assert (cube.no_double, cube.double_take, cube.double_pass) == (0.09, -0.2, 1.0)
    assert cube.mwc is not None
    assert (cube.mwc.no_double, cube.mwc.double_take, cube.mwc.double_pass) == (0.44, 0.42, 0.56)


def test_wrong_pip_counts_and_ids_are_told() -> None:
    text = (DATA / "bgblitz_plays.txt").read_text()
    match = read(text.replace("Red  167", "Red  150").encode())
    assert any("150" in warning.message for warning in match.warnings)
    match = read(text.replace("Position-ID: 4HPwATDgc/ABMA", "Position-ID: 4HPkASLgc/ABMA").encode())
    assert any("do not say the same" in warning.message for warning in match.warnings)


def test_snowie_positions() -> None:
    match = kibitz.load(DATA / "snowie.txt")
    assert (match.format, match.warnings, match.players, match.length) == ("snowie", (), ("ann", "bob"), 7)
    setup, roll = match.games[0].actions
    assert isinstance(setup, Setup) and isinstance(roll, Roll)
    assert (setup.player, setup.value, setup.owner, roll.dice) == (1, 2, Owner.THEIRS, Dice(4, 3))
    assert match.games[1].actions[0] == Setup(0, Position.start())


def test_snowie_illegal_play_sets_the_board() -> None:
    line = "3;0;0;0;1;ann;bob;0;0;0;1;0;0;-2;0;0;0;0;4;0;4;0;0;0;-5;4;0;0;0;-3;0;-5;1;0;0;0;2;0;0;0"
    text = f" 3 point match\n\n Game 1\n ann : 0                         bob : 0\n  1) 31: Illegal play ({line})\n"
    match = read(text.encode())
    setup = match.games[0].actions[-1]
    assert isinstance(setup, Setup) and setup.player == 1 and len(match.warnings) == 1


def test_utf16_and_old_line_ends() -> None:
    text = (DATA / "galaxy.mat").read_text()
    for data in (text.encode("utf-16"), text.replace("\n", "\r").encode()):
        match = read(data)
        assert match.warnings == () and match.bare().games == COMMON


def test_moments_follow_by_replay() -> None:
    match = Match(("ann", "bob"), 3, COMMON)
    first = list(match.moments(1))
    before_take = first[4].state
    assert isinstance(first[4].action, Take) and before_take.offer.value == "double" and before_take.turn == 0
    after_take = first[5].state
    assert (after_take.match.cube.value, after_take.match.cube.owner) == (2, Owner.THEIRS)
    assert after_take.names == ("ann", "bob")
    assert first[1].play is not None and str(first[1].play) == "24/20*(2) 13/9(2)" and first[1].play.hits == 1
    # Games and moves count from 1; a double belongs to the move that follows it, a resignation to the one before.
    assert [moment.number for moment in first] == [1, 2, 3, 4, 4, 4, 5, 6, 6]
    assert [moment.on_roll for moment in first] == [None, 0, 1, 0, 1, 0, 1, 0, 0]
    assert [moment.is_opening for moment in first] == [True] + [False] * 8
    assert first[0].previous is None and first[5].previous == Take(1)
    assert [moment.game for moment in match.moments()] == [1] * 9 + [2] * 4 + [3] * 2
    assert match.score == (2, 2) and match.winner is None


def test_players_and_games_are_found_or_refused_in_one_line() -> None:
    match = Match(("Ada Smith", "Ben"), 3, COMMON)
    assert [match.find_player(who) for who in (0, 1, "0", "1", "ada", "BEN", "smith")] == [0, 1, 0, 1, 0, 1, 0]
    for who in (2, -1, "Cid", "", "2"):
        with pytest.raises(NotationError, match="expected one of the players 'Ada Smith' and 'Ben', or 0 or 1, not"):
            match.find_player(who)
    for game in (0, 4, -1):
        with pytest.raises(NotationError, match="expected a game from 1 to 3"):
            match.moments(game)


@pytest.mark.parametrize(
    ("jacoby", "owner", "points"), [(True, Owner.CENTRED, 2), (True, Owner.MINE, 6), (False, Owner.CENTRED, 6)]
)
def test_a_gammon_counts_once_under_jacoby_until_the_cube_is_turned(jacoby: bool, owner: Owner, points: int) -> None:
    """A centred cube has not been turned, also where automatic doubles have raised it to 2."""
    builder = MatchBuilder("json")
    builder.rules = Rules(jacoby=jacoby)
    game = builder.start_game()
    game.setup(0, Position.start(), 2, owner)
    game.resign(1, 3)
    assert builder.build().games[0].result == Result(0, points, Ending.RESIGNED)
