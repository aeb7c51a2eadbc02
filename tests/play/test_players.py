"""The players of this process: one judgement by level, wherever it plays."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from kibitz import Dice, Engine, Evaluation, Level, MatchState, Offer, Position, State
from kibitz.arena.rules import ArenaRules
from kibitz.arena.specs import PlayerSpec
from kibitz.cube import Cube, Owner
from kibitz.decision import AnalysisLevel, CubeDecision
from kibitz.engine.levels import LEVELS, noise_of
from kibitz.engine.settings import SearchSettings
from kibitz.errors import EngineError
from kibitz.heuristics import TenFactor
from kibitz.play.live_match import LiveMatch
from kibitz.play.players import (
    OPPONENTS,
    EnginePlayer,
    PlayerError,
    RandomPlayer,
    RankerPlayer,
    SimplePlayer,
    opponent_of,
)
from kibitz.protocols.answers import Answerer
from kibitz.protocols.ubgi import UbgiConversation
from kibitz.record import Match

ENGINE = Engine(plies=0, threads=1)
START = Position.start()
RACE = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})
EVEN = Position.of({1: 3, 2: 3, 3: 3, 4: 2, 5: 2, 6: 2}, {1: 2, 2: 3, 3: 3, 4: 3, 5: 2, 6: 2})
BEHIND = EVEN.swapped()
POSITIONS = [START, START.play("8/5 6/5"), START.play("24/18 13/11"), RACE, EVEN, BEHIND, RACE.swapped()]
ROLLS = ["31", "42", "53", "61", "65", "21", "64", "33"]


def cube(
    no_double: float, double_take: float, double_pass: float = 1.0, *, offer: Offer = Offer.NONE, beavers: bool = False
) -> CubeDecision:
    """A decision with these equities."""
    state = State(START, MatchState(beavers=beavers), offer=offer)
    evaluation = Evaluation(0.5, 0, 0, 0, 0)
    return CubeDecision(state, no_double, double_take, double_pass, evaluation, AnalysisLevel.searched(0), 0.0)


def doubled(state: State) -> State:
    return replace(state, offer=Offer.DOUBLE)


# --- the same judgement everywhere ------------------------------------------------------------------------------------


def test_a_level_plays_the_same_in_a_match_as_when_it_is_asked() -> None:
    live, player = LiveMatch(Match(length=1), seed=3), EnginePlayer(ENGINE, "beginner", seed=3)
    for _ in range(12):
        state, plays = live.state, live.plays
        expected = player.play(state) if plays else None
        live.engine_turn(EnginePlayer(ENGINE, "beginner", seed=3))
        if expected is not None:
            assert live.state.position == expected


@pytest.mark.parametrize("level", ["beginner", "casual", "advanced", "expert"])
def test_a_level_plays_the_same_in_a_match_in_the_arena_and_over_ubgi(level: str) -> None:
    """The same seed, kind of decision and position: the same answer, whoever asks."""
    seed, dice = 7, Dice(4, 2)
    rules = ArenaRules(jacoby=False)
    in_arena = PlayerSpec.parse(f"kibitz:level={level},seed={seed}").make(rules)
    in_match = EnginePlayer(ENGINE, level, seed=seed)
    ubgi = UbgiConversation(Answerer(ENGINE))
    for line in (f"setoption name Level value {level}", f"setoption name Seed value {seed}"):
        assert ubgi.answer(line) == []
    for position in POSITIONS:
        state = State(position, MatchState(jacoby=False), dice)
        before = replace(state, dice=None)
        expected = in_match.play(state)
        assert in_arena.play(state, 99) == expected
        ubgi.answer("newsession type money jacoby off")
        ubgi.answer(f"position gnubgid {position.id}")
        cube_answer = ubgi.answer("go role cube")[-1]
        ubgi.answer(f"dice {dice.high} {dice.low}")
        assert f"bestmoveid {expected.id}" in ubgi.answer("go role chequer")
        assert in_arena.double(before) == in_match.double(before) == (cube_answer == "bestcube double")
        ubgi.answer(f"position xgid {doubled(before).xgid}")
        taken = ubgi.answer("go role cube")[-1] == "bestcube take"
        assert in_arena.take(doubled(before)) == in_match.take(doubled(before)) == taken


def test_errors_depend_on_the_seed_and_on_nothing_else() -> None:
    def plays(level: str, seed: int) -> list[Position]:
        player = EnginePlayer(ENGINE, level, seed=seed)
        return [player.play(State(START, dice=Dice.of(roll))) for roll in ROLLS]

    assert plays("beginner", 1) == plays("beginner", 1)
    assert plays("beginner", 1) != plays("beginner", 2)
    assert plays("beginner", 1) != plays("expert", 1)
    assert plays("expert", 1) == plays("expert", 2) == [ENGINE.rank(START, roll)[0].play.result for roll in ROLLS]


def test_weaker_levels_give_away_more() -> None:
    def lost(level: str) -> float:
        total = 0.0
        for seed in range(6):
            player = EnginePlayer(ENGINE, level, seed=seed)
            for roll in ROLLS:
                ranked = ENGINE.rank(START, roll)
                found = ranked.find(player.play(State(START, dice=Dice.of(roll))))
                assert found is not None
                total -= found.difference
        return total

    losses = [lost(level) for level in ("beginner", "casual", "intermediate", "advanced", "expert")]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > 2 * losses[2] > 0 == losses[4]


def test_noise_is_added_to_each_equity() -> None:
    """With noise as large as this nothing else counts, and the choice is that of the largest noise."""
    player = EnginePlayer(ENGINE, Level("wild", SearchSettings(plies=0), noise=1e6), seed=3)
    ranked = ENGINE.rank(START, "31")
    loudest = max(ranked, key=lambda one: noise_of(3, "play", one.play.result.id))
    assert player.choose(ranked) is loudest
    assert player.play(State(START, dice=Dice(3, 1))) == loudest.play.result
    assert player.doubles(cube(0.0, 0.0)) == (noise_of(3, "double", START.id) <= 0)
    assert player.takes(cube(0.0, 0.0)) == (noise_of(3, "take", START.id) <= 0)
    kinds = {
        (player.doubles(cube(0, 0)), player.takes(cube(0, 0)))
        for player in (EnginePlayer(ENGINE, player.level, seed=seed) for seed in range(20))
    }
    assert len(kinds) == 4  # doubles and takes err independently


# --- decisions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("no_double", "take", "doubles", "takes"),
    [
        (0.5, 0.6, True, True),
        (0.6, 0.5, False, True),
        (0.9, 1.1, True, False),
        (1.1, 1.2, False, False),  # too good
        (0.5 + 9e-6, 0.5, True, True),  # an optional double is made
        (0.5 + 2e-5, 0.5, False, True),
        (0.9, 1.0 + 9e-6, True, True),  # and what makes no difference is taken
        (0.9, 1.0 + 2e-5, True, False),
    ],
)
def test_cube_decisions_are_those_of_the_equities(no_double: float, take: float, doubles: bool, takes: bool) -> None:
    player = EnginePlayer(ENGINE, "expert")
    decision = cube(no_double, take)
    assert (player.doubles(decision), player.takes(decision)) == (doubles, takes)
    assert not player.doubles(replace(decision, available=False))


@pytest.mark.parametrize(
    ("offer", "take", "beavers", "takes", "turns"),
    [
        (Offer.DOUBLE, -0.1, True, True, True),
        (Offer.DOUBLE, -0.1, False, True, False),
        (Offer.DOUBLE, 0.1, True, True, False),
        (Offer.DOUBLE, 1.1, True, False, False),
        (Offer.BEAVER, 0.1, True, True, True),  # the doubler was right: he raccoons
        (Offer.BEAVER, -0.1, True, True, False),
        (Offer.BEAVER, -1.1, True, False, False),
        (Offer.RACCOON, -0.1, True, True, False),
        (Offer.RACCOON, 0.9, True, True, False),
        (Offer.RACCOON, 1.1, True, False, False),
    ],
)
def test_offers_are_answered_by_the_equity_of_the_doubled_cube(
    offer: Offer, take: float, beavers: bool, takes: bool, turns: bool
) -> None:
    player = EnginePlayer(ENGINE, "expert")
    decision = cube(0.0, take, offer=offer, beavers=beavers)
    assert (player.takes(decision), player.beavers(decision)) == (takes, turns)


def test_the_engine_is_asked_what_the_player_is_asked() -> None:
    player = EnginePlayer(ENGINE, "expert")
    owned = MatchState(cube=Cube(2, Owner.THEIRS))
    assert player.double(State(RACE))
    assert not player.take(State(RACE, offer=Offer.DOUBLE))
    assert not player.double(State(START))
    assert player.take(State(START, offer=Offer.DOUBLE))
    assert not player.double(State(RACE, owned))
    assert not player.beaver(State(START, offer=Offer.DOUBLE))
    assert player.beaver(State(RACE.swapped(), MatchState(beavers=True), offer=Offer.DOUBLE))


def test_resignations_are_accepted_where_playing_on_wins_no_more() -> None:
    nearly_won = Position.of({7: 15}, {1: 1})  # the player on roll loses a gammon for sure
    for level in ("expert", "beginner"):
        player = EnginePlayer(ENGINE, level)
        match = MatchState(jacoby=False)
        answers = [player.accept(State(nearly_won, match, offer=Offer.resignation(size))) for size in (1, 2, 3)]
        assert answers == [False, True, True]
        jacoby = [player.accept(State(nearly_won, MatchState(), offer=Offer.resignation(size))) for size in (1, 2, 3)]
        assert jacoby == [True, True, True]
        assert player.accept(State(RACE.swapped(), match, offer=Offer.RESIGN_SINGLE))
        assert player.accept(State(RACE, match, offer=Offer.RESIGN_SINGLE))  # who is ahead and gives up is believed


def test_where_nothing_can_move_the_position_is_only_swapped() -> None:
    stuck = State(Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2)), dice=Dice(6, 6))
    for player in (
        EnginePlayer(ENGINE, "beginner"),
        EnginePlayer(ENGINE, "expert"),
        RankerPlayer(TenFactor()),
        RandomPlayer(),
    ):
        assert player.play(stuck) == stuck.position.swapped()


class Spy(Engine):
    """An engine that remembers how it was asked to search."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.searched: list[dict[str, Any]] = []

    def rank(self, *where: Any, **search: Any) -> Any:
        self.searched.append(search)
        return super().rank(*where, **search)

    def cube(self, *where: Any, **search: Any) -> Any:
        self.searched.append(search)
        return super().cube(*where, **search)


def test_a_level_searches_by_its_own_settings_with_the_threads_of_the_engine() -> None:
    level = Level("odd", SearchSettings(plies=1, filter="tiny", replies=5, last_replies=2, cubeful=False, threads=7))
    engine = Spy(plies=0, threads=1, cache_mb=2.0)
    player = EnginePlayer(engine, level)
    player.play(State(EVEN, dice=Dice(3, 1)))
    player.double(State(EVEN))
    player.take(State(EVEN, offer=Offer.DOUBLE))
    for search in engine.searched[:3]:
        wanted = {"plies": 1, "filter": "tiny", "replies": 5, "last_replies": 2, "cubeful": False}
        wanted |= {"pruning": True, "noise": 0.0, "noise_seed": 0}
        assert {name: value for name, value in search.items() if name != "match"} == wanted
    assert (player.settings.threads, player.settings.cache_mb) == (1, 2.0)
    assert EnginePlayer(engine).settings == engine.settings
    cubeless = EnginePlayer(Engine(cubeful=False), "expert")
    assert not cubeless.settings.cubeful


def test_players_tell_who_they_are() -> None:
    told = EnginePlayer(ENGINE, "beginner", seed=4, about={"nets": ["a"]}).to_dict()
    assert told.pop("version")
    assert told == {
        "player": "kibitz beginner",
        "plies": 0,
        "filter": "normal",
        "level": "beginner",
        "noise": LEVELS["beginner"].noise,
        "seed": 4,
        "nets": ["a"],
    }
    plain = EnginePlayer(Engine(plies=2, threads=1)).to_dict()
    assert (plain["player"], plain["plies"]) == ("kibitz 2-ply", 2)
    assert "noise" not in plain
    assert EnginePlayer(ENGINE, name="Ada").to_dict()["player"] == "Ada"
    assert RankerPlayer(TenFactor()).to_dict() == {"player": "ten-factor"}


def test_who_is_told_nothing_looks_as_deep_everywhere() -> None:
    """In Python, in the arena and over a protocol: as deep as `Engine` does."""
    player = PlayerSpec.parse("kibitz").plain(ArenaRules())
    assert isinstance(player, EnginePlayer)
    assert player.settings.plies == Engine().settings.plies == SearchSettings().plies
    handshake = UbgiConversation(Answerer(Engine())).answer("ubgi")
    assert f"option name Plies type spin default {SearchSettings().plies} min 0 max 3" in handshake


def test_levels_are_known_by_their_names_everywhere() -> None:
    handshake = UbgiConversation(Answerer(ENGINE)).answer("ubgi")
    [option] = [line for line in handshake if line.startswith("option name Level ")]
    searches = [name for name, level in LEVELS.items() if not level.steps]  # the others take longer than clients wait
    assert option.split(" var ")[1:] == ["none", *searches]
    for name, level in LEVELS.items():
        player = PlayerSpec.parse(f"kibitz:{name}").plain(ArenaRules())
        assert isinstance(player, EnginePlayer)
        assert player.level == level == EnginePlayer(ENGINE, name).level
    with pytest.raises(EngineError, match="no level is called 'wizard'"):
        EnginePlayer(ENGINE, "wizard")


def test_whoever_is_named_as_an_opponent_plays_and_keeps_nobody_waiting() -> None:
    """Those who would roll out every decision are not; every other level is, and two engines made by hand."""
    quick = [name for name, level in LEVELS.items() if not any(isinstance(step, str) for step in level.steps)]
    assert list(OPPONENTS) == ["random", "ten-factor", "tabula", *quick]
    assert "deep" in OPPONENTS and "roller" not in OPPONENTS and "ultimate" not in OPPONENTS
    kinds = {name: type(opponent_of(name, ENGINE, seed=5)) for name in OPPONENTS}
    assert kinds["random"] is RandomPlayer and kinds["tabula"] is kinds["ten-factor"] is RankerPlayer
    assert {kinds[name] for name in quick} == {EnginePlayer}
    beginner = opponent_of("beginner", ENGINE, seed=5)
    assert isinstance(beginner, EnginePlayer)
    assert (beginner.seed, beginner.engine, beginner.name) == (5, ENGINE, "kibitz beginner")
    assert [opponent_of(name, ENGINE).name for name in ("tabula", "ten-factor")] == ["tabula", "ten-factor"]
    for name in ("nobody", "ultimate"):
        with pytest.raises(EngineError, match=f"no opponent '{name}'; expected random, ten-factor, "):
            opponent_of(name, ENGINE)


def test_a_hand_made_engine_behind_a_protocol_chooses_plays_and_leaves_the_cube_alone() -> None:
    player = EnginePlayer(ENGINE, "beginner", ranker=TenFactor())
    ranked = ENGINE.rank(START, "64")
    chosen = player.choose(ranked)
    assert chosen is not None and chosen.play.result == TenFactor().rank(START, "64")[0].play.result
    assert chosen in ranked.plays  # with what our engine says of it
    assert player.name == "ten-factor"
    winning = cube(0.5, 0.9)
    assert (player.doubles(winning), player.takes(cube(0.5, 5.0)), player.beavers(cube(0.0, -1.0, beavers=True))) == (
        False,
        True,
        False,
    )


def test_a_level_that_thinks_on_asks_for_its_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers with the level's word where another would search once, and says which level it is."""
    engine, asked = Engine(plies=0, threads=1), list[Any]()
    level = Level("twice", SearchSettings(plies=0), steps=(SearchSettings(plies=1),))

    def answer(state: State, **how: Any) -> Any:
        asked.append(how)
        return engine.rank(state, plies=1) if state.dice is not None else engine.cube(state, plies=1)

    monkeypatch.setattr(engine, "answer", answer)
    player = EnginePlayer(engine, level)
    assert player.play(State(START, dice=Dice(3, 1))) == engine.rank(START, "31", plies=1)[0].play.result
    assert player.take(State(START, offer=Offer.DOUBLE))
    assert asked == [{"level": level}] * 2
    assert player.to_dict()["level"] == "twice" and "noise" not in player.to_dict()


def test_a_level_that_thinks_on_needs_an_engine_in_this_process() -> None:
    from kibitz import Client

    with (
        Client("http://127.0.0.1:9") as client,
        pytest.raises(EngineError, match="'deep' needs an engine of this process"),
    ):
        EnginePlayer(client, "deep")


# --- the native half and the simple ones ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["kibitz:0", "kibitz:1", "tabula", "ten-factor", "random"])
@pytest.mark.parametrize("rules", [ArenaRules(), ArenaRules(cube=False), ArenaRules(length=5)], ids=str)
def test_the_native_half_answers_as_the_player_does(name: str, rules: ArenaRules) -> None:
    spec = PlayerSpec.parse(name)
    native, plain = spec.make(rules), spec.plain(rules)
    assert type(native) is not type(plain)
    matches = [MatchState(jacoby=rules.jacoby)]
    if rules.length:
        scores = ((0, 0), (3, 1), (1, 4))
        matches = [MatchState(length=5, my_score=mine, their_score=theirs) for mine, theirs in scores]
        matches.append(MatchState(length=5, my_score=1, cube=Cube(2, Owner.MINE)))
    for position in POSITIONS:
        for match in matches:
            for number, roll in enumerate(ROLLS[:4]):
                state = State(position, match, Dice.of(roll))
                assert native.play(state, number) == plain.play(state, number)
            if rules.cube:
                before = State(position, match)
                assert native.double(before) == plain.double(before)
                assert native.take(doubled(before)) == plain.take(doubled(before))
    assert native.to_dict() == plain.to_dict()


def test_a_player_at_random_plays_anything_legal() -> None:
    state = State(START, dice=Dice(3, 1))
    legal = {play.result for play in START.plays("31")}
    found = [RandomPlayer().play(state, number) for number in range(2 * len(legal))]
    assert set(found) == legal
    assert found[: len(legal)] == found[len(legal) :]


def test_a_hand_made_engine_plays_the_first_of_its_ranking() -> None:
    ranked = TenFactor().rank(START, "64")
    assert RankerPlayer(TenFactor()).play(State(START, dice=Dice(6, 4))) == ranked[0].play.result


def test_those_who_know_nothing_of_the_cube_take_everything() -> None:
    player, state = SimplePlayer(), State(RACE)
    answers = [player.double(state), player.beaver(state), player.take(state), player.accept(state)]
    assert answers == [False, False, True, True]


@pytest.mark.parametrize("player", [RandomPlayer(), RankerPlayer(TenFactor())])
def test_without_dice_there_is_no_play(player: RandomPlayer) -> None:
    with pytest.raises(EngineError, match="expected dice"):
        player.play(State(START))


def test_failures_cross_processes_whole() -> None:
    error = pickle.loads(pickle.dumps(PlayerError("Ada", "hung", "no reply")))
    assert (error.player, error.kind, error.detail) == ("Ada", "hung", "no reply")
    assert str(error) == "Ada did not answer in time: no reply"
