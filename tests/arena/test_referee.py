from __future__ import annotations

from typing import Any

import pytest

from kibitz import ALL_ROLLS, Dice, Engine, Position, State, _core
from kibitz.arena.referee import DOUBLE, DROP, END, GAME, ROLL, TAKE, Luck, play_session
from kibitz.arena.rules import ArenaRules
from kibitz.arena.runner import Duel, run_duel
from kibitz.arena.specs import PlayerSpec
from kibitz.engine.networks import evaluator_of
from kibitz.engine.settings import DEFAULT_PLIES
from kibitz.errors import EngineError
from kibitz.play.players import PlayerError, RandomPlayer, SimplePlayer

MONEY = ArenaRules()
CUBELESS = ArenaRules(cube=False)


class Scripted(RandomPlayer):
    """Plays at random, doubles whenever allowed if `eager`, and takes as told."""

    def __init__(self, *, eager: bool = False, takes: bool = True) -> None:
        self.eager, self.takes = eager, takes
        self.asked: list[State] = []

    def double(self, state: State) -> bool:
        self.asked.append(state)
        return self.eager

    def take(self, state: State) -> bool:
        self.asked.append(state)
        return self.takes


@pytest.mark.parametrize(
    "rules", [CUBELESS, MONEY, ArenaRules(jacoby=False), ArenaRules(length=3), ArenaRules(length=5)]
)
@pytest.mark.parametrize("players", [("kibitz:0", "ten-factor"), ("random", "kibitz:0")])
def test_both_referees_give_the_same_games_to_the_bit(rules: ArenaRules, players: tuple[str, str]) -> None:
    """The native referee and players against the Python ones, which share only evaluator and rules."""
    specs = [PlayerSpec.parse(text) for text in players]
    luck = Luck(evaluator_of(), 2)
    duel = Duel(specs[0], specs[1], rules, sessions=4, seed=11, processes=2, record=True)
    native = run_duel(duel).log
    plain = [spec.plain(rules) for spec in specs]
    for pair in range(2):
        for seat, seated in enumerate((plain, plain[::-1])):
            session = play_session(seated, rules, seed=11, pair=pair, luck=luck, keep_events=True)
            line = native.pairs[pair]["sessions"][seat]
            result = session.result if seat == 0 else -session.result if rules.is_money else 1 - session.result
            assert (line["result"], line["luck"]) == (result, session.luck if seat == 0 else -session.luck)
            assert (line["games"], line["turns"], line["doubles"]) == (session.games, session.turns, session.doubles)
            assert len(line["events"]) == len(session.events)


@pytest.mark.parametrize("rules", [CUBELESS, MONEY, ArenaRules(length=5)])
@pytest.mark.parametrize("name", ["kibitz:0", "random"])
def test_the_seatings_of_a_player_against_itself_cancel_exactly(rules: ArenaRules, name: str) -> None:
    spec = PlayerSpec.parse(name)
    log = run_duel(Duel(spec, spec, rules, sessions=20, seed=3)).log
    for score in log.scores():
        assert sum(score.results) == (0.0 if rules.is_money else 1.0)
        assert sum(score.luck) == 0.0


def test_the_same_in_python() -> None:
    players = [RandomPlayer(), RandomPlayer()]
    luck = Luck(evaluator_of())
    first, second = (play_session(players, MONEY, seed=1, pair=4, luck=luck) for _ in range(2))
    assert (first.result, first.luck) == (second.result, second.luck)


def test_luck_has_the_mean_nought() -> None:
    luck = Luck(evaluator_of())
    model = _core.CubeModel(jacoby=False)
    position = Position.start().play("8/5 6/5")
    assert sum(dice.weight * luck.of_roll(position, dice, model, True) for dice in ALL_ROLLS) == pytest.approx(
        0, abs=1e-9
    )
    start = Position.start()
    rolls = [dice for dice in ALL_ROLLS if not dice.is_double]
    total = sum(luck.of_opening(start, side, dice, model, True) for dice in rolls for side in (0, 1))
    assert total == pytest.approx(0, abs=1e-9)


def test_a_dropped_double_ends_the_game_at_the_old_cube() -> None:
    players = [Scripted(eager=True), Scripted(takes=False)]
    players += [Scripted(eager=True, takes=False)]
    session = play_session([players[2], players[2]], MONEY, seed=1, pair=0, keep_events=True)
    kinds = [event[0] for event in session.events]
    assert kinds == [GAME, ROLL, DOUBLE, DROP, END]
    assert abs(session.result) == 1
    assert session.events[-1][1] == session.events[2][1]


def test_takes_pass_the_cube_from_hand_to_hand() -> None:
    player = Scripted(eager=True)
    session = play_session([player, player], MONEY, seed=1, pair=0, keep_events=True)
    doublers = [event[1] for event in session.events if event[0] == DOUBLE]
    assert doublers == [doublers[0] if number % 2 == 0 else 1 - doublers[0] for number in range(len(doublers))]
    assert session.cube == 2 ** len(doublers) <= 1024
    assert [event[0] for event in session.events].count(TAKE) == len(doublers)


def test_nobody_doubles_on_the_first_roll_or_in_the_crawford_game() -> None:
    player = Scripted()
    for pair in range(10):
        play_session([player, player], ArenaRules(length=5), seed=2, pair=pair)
    assert player.asked
    assert not any(state.match.crawford for state in player.asked)
    assert not any(state.position == Position.start() for state in player.asked)
    assert any(state.match.post_crawford for state in player.asked)


def test_jacoby_makes_undoubled_gammons_single() -> None:
    player = Scripted()
    for pair in range(12):
        assert abs(play_session([player, player], MONEY, seed=5, pair=pair).result) == 1
    plain = ArenaRules(jacoby=False)
    assert any(abs(play_session([player, player], plain, seed=5, pair=pair).result) > 1 for pair in range(12))


def test_a_match_ends_when_one_side_has_the_points() -> None:
    player = Scripted(eager=True)
    session = play_session([player, player], ArenaRules(length=7), seed=9, pair=1, keep_events=True)
    score = [0, 0]
    for kind, *values in session.events:
        if kind == GAME:
            assert [*values[:2]] == score
        elif kind == END:
            score[values[0]] += values[1]
    assert max(score) >= 7 > min(score)
    assert session.result == (1.0 if score[0] >= 7 else 0.0)


class Cheat(SimplePlayer):
    name = "cheat"

    def play(self, state: State, number: int = 0) -> Position:  # noqa: ARG002
        return state.position.swapped()


def test_an_illegal_play_is_the_players_failure() -> None:
    with pytest.raises(PlayerError) as caught:
        play_session([Cheat(), Cheat()], CUBELESS, seed=1, pair=0)
    assert (caught.value.kind, caught.value.player) == ("illegal", "cheat")


def test_dice_are_the_same_for_everybody_who_asks() -> None:
    stream = _core.ArenaDice(1, 2, 3)
    assert [stream.roll(turn) for turn in range(5)] == [_core.ArenaDice(1, 2, 3).roll(turn) for turn in range(5)]
    assert [stream.roll(turn) for turn in range(9)] != [_core.ArenaDice(1, 3, 3).roll(turn) for turn in range(9)]
    counts: dict[Dice, int] = {}
    for turn in range(36_00):
        dice = Dice(*stream.roll(turn))
        counts[dice] = counts.get(dice, 0) + 1
    assert all(abs(counts[dice] - 100 * dice.weight) < 60 * dice.weight for dice in ALL_ROLLS)


@pytest.mark.parametrize(
    "text",
    ["nobody", "kibitz:depth=2", "kibitz:plies=x", "ubgi:", "gnubg:plies=2,foo=1", "tabula:plies=1", "kibitz:wizard"],
)
def test_players_that_do_not_exist_are_refused(text: str) -> None:
    with pytest.raises(EngineError):
        PlayerSpec.parse(text).make(MONEY)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("kibitz", f"kibitz {DEFAULT_PLIES}-ply"),
        ("kibitz:0", "kibitz 0-ply"),
        ("gnubg", "gnubg 0-ply"),
        ("http://localhost:8642", f"http://localhost:8642 {DEFAULT_PLIES}-ply"),
        ("kibitz:advanced", "kibitz advanced"),
        ("gnubg:plies=1", "gnubg 1-ply"),
        ("ubgi:/usr/bin/thing --ubgi", "ubgi thing"),
    ],
)
def test_players_have_short_labels_and_are_read_back(text: str, label: str) -> None:
    spec = PlayerSpec.parse(text)
    assert spec.label == label
    assert PlayerSpec.parse(str(spec)) == spec


def test_our_player_looks_as_deep_as_the_engine_if_nothing_is_said() -> None:
    assert PlayerSpec.parse("kibitz").make(MONEY).to_dict()["plies"] == Engine().settings.plies == DEFAULT_PLIES
    assert PlayerSpec.parse("kibitz:0").make(MONEY).to_dict()["plies"] == 0


def test_a_level_with_noise_plays_worse_than_one_without() -> None:
    specs = [PlayerSpec.parse(text) for text in ("kibitz:expert", "kibitz:beginner")]
    duel = Duel(specs[0], specs[1], CUBELESS, sessions=20, processes=1)
    assert not duel.is_native
    result: Any = run_duel(duel)
    assert result.score.best.mean > 0
