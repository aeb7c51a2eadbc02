"""A match in progress: who may do what, what it counts, undo, and what is kept."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import pytest

from kibitz import Dice, MatchState, Offer, Play, Position, State, Variant, load
from kibitz.cube import Cube, Owner
from kibitz.errors import IllegalPlayError, KibitzError
from kibitz.match_equity import MatchEquityTable, cube_model
from kibitz.play.live_match import Choice, LiveMatch, may_double
from kibitz.play.players import RandomPlayer, SimplePlayer
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

START = Position.start()
MIDDLE = START.play("8/5 6/5").play("24/18 13/11")
# The player on roll bears off his last checker with any roll.
SINGLE = Position.of({1: 1}, {1: 1, 2: 1})
GAMMON = Position.of({1: 1}, {7: 15})
BACKGAMMON = Position.of({1: 1}, {19: 1, 7: 14})
ON_THE_BAR = Position.of({1: 1}, {25: 1, 7: 14})


def live(
    position: Position | None = None,
    *,
    on_roll: int = 0,
    cube: int = 1,
    owner: Owner = Owner.CENTRED,
    length: int = 0,
    score: tuple[int, int] = (0, 0),
    rules: Rules | None = None,
    seed: int = 1,
    games: int = 1,
    path: Path | None = None,
) -> LiveMatch:
    """A game from a position, or a whole match from its beginning."""
    actions = () if position is None else (Setup(on_roll, position, owner, cube),)
    begun = () if position is None else (Game(score, False, actions),)
    rules = rules or Rules(jacoby=not length, beavers=not length)
    return LiveMatch(Match(("Ada", "Bob"), length, begun, rules), seed=seed, games=games, path=path)


def finish(match: LiveMatch) -> None:
    """Play a game at random, without the cube."""
    while match.result is None:
        match.engine_turn(RandomPlayer())


# --- the beginning ----------------------------------------------------------------------------------------------------


def test_the_higher_die_begins_with_both() -> None:
    starters = set()
    for seed in range(20):
        match = live(seed=seed)
        first, second = match.opening[-1]
        assert first != second
        assert match.player == (0 if first > second else 1)
        assert match.state == State(
            START, match.state.match, Dice(first, second), turn=match.player, names=match.state.names
        )
        assert match.choices == (Choice.PLAY, Choice.RESIGN)
        assert all(one == other for one, other in match.opening[:-1])
        starters.add(match.player)
    assert starters == {0, 1}


def test_names_and_turn_are_those_of_the_player_on_roll() -> None:
    state = live(MIDDLE, on_roll=1).state
    assert (state.names, state.turn) == (("Bob", "Ada"), 1)
    assert live(MIDDLE, on_roll=0).state.names == ("Ada", "Bob")


def test_equal_first_dice_turn_the_cube_as_often_as_agreed() -> None:
    found = set()
    for seed in range(300):
        match = LiveMatch(Match(length=0), seed=seed, automatic_doubles=1)
        equal = len(match.opening) - 1
        expected = 2 if equal else 1
        assert match.state.match.cube == Cube(expected, Owner.CENTRED)
        assert [action.value for action in match.game.actions if isinstance(action, Setup)] == [2] * bool(equal)
        found.add(min(equal, 2))
        assert LiveMatch(Match(length=0), seed=seed).state.match.cube.value == 1
        assert LiveMatch(Match(length=5), seed=seed, automatic_doubles=3).state.match.cube.value == 1
        thrice = LiveMatch(Match(length=0), seed=seed, automatic_doubles=3)
        assert thrice.state.match.cube.value == 2 ** min(equal, 3)
    assert found == {0, 1, 2}


def test_dice_follow_from_the_seed_alone_and_are_fair() -> None:
    counts: dict[tuple[int, int], int] = {}
    for seed in range(3600):
        match = live(MIDDLE, seed=seed)
        match.act("roll")
        dice = match.state.dice
        assert dice is not None
        counts[dice.high, dice.low] = counts.get((dice.high, dice.low), 0) + 1
    assert len(counts) == 21
    assert all(abs(count - 100 * Dice(*dice).weight) < 60 * Dice(*dice).weight for dice, count in counts.items())
    again = live(MIDDLE, seed=7)
    again.act("roll")
    other = live(MIDDLE, seed=7)
    other.act("roll")
    assert again.state == other.state


def test_nackgammon_begins_at_its_own_position() -> None:
    match = LiveMatch(Match(variant=Variant.NACKGAMMON))
    assert match.state.position == Position.start(Variant.NACKGAMMON)


# --- plays ------------------------------------------------------------------------------------------------------------


def test_before_the_roll_one_may_roll_double_or_resign() -> None:
    match = live(MIDDLE)
    assert match.choices == (Choice.ROLL, Choice.DOUBLE, Choice.RESIGN)
    assert match.state.dice is None
    assert match.plays == []
    match.act(Choice.ROLL)
    assert set(match.choices) == {Choice.PLAY, Choice.RESIGN}
    assert match.state.dice is not None
    assert {play.result for play in match.plays} == {play.result for play in MIDDLE.plays(match.state.dice)}
    assert match.game.actions[1:] == ()  # a roll alone is no action


@pytest.mark.parametrize("form", ["text", "play", "position"])
def test_a_play_is_made_in_any_form(form: str) -> None:
    match = live(MIDDLE, on_roll=1)
    match.act("roll")
    chosen = match.plays[2]
    forms: dict[str, str | Play | Position] = {"text": str(chosen), "play": chosen, "position": chosen.result}
    match.act("play", forms[form])
    assert match.game.actions[1] == Roll(1, chosen.dice, chosen.moves)
    assert match.player == 0
    assert match.state.position == chosen.result
    assert match.choices == (Choice.ROLL, Choice.DOUBLE, Choice.RESIGN)


@pytest.mark.parametrize("what", ["8/7", "nonsense", None, Position.of({1: 2}, {1: 2})])
def test_an_illegal_play_is_refused_and_changes_nothing(what: str | Position | None) -> None:
    match = live(MIDDLE)
    match.act("roll")
    before = match.state
    with pytest.raises(KibitzError):
        match.act("play", what)
    assert (match.state, match.player, len(match.game.actions)) == (before, 0, 1)


def test_where_nothing_can_move_the_turn_passes() -> None:
    closed = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    match = live(closed)
    match.act("roll")
    assert match.plays == []
    with pytest.raises(IllegalPlayError):
        match.act("play", START)
    match.act("play")
    assert isinstance(match.game.actions[-1], Roll)
    assert match.game.actions[-1].moves == ()
    assert (match.player, match.state.position) == (1, closed.swapped())
    other = live(closed)
    other.act("roll")
    other.act("play", closed.swapped())  # as players answer
    assert other.match == match.match


@pytest.mark.parametrize(
    ("choice", "prepare"),
    [
        ("play", []),
        ("take", []),
        ("accept", []),
        ("beaver", []),
        ("roll", ["roll"]),
        ("double", ["roll"]),
        ("roll", ["double"]),
        ("resign", ["double"]),
        ("accept", ["double"]),
        ("raccoon", ["double"]),
        ("take", ["resign"]),
        ("double", ["double", "take"]),
        ("nonsense", []),
    ],
)
def test_what_is_not_to_be_done_now_is_refused(choice: str, prepare: list[str]) -> None:
    match = live(MIDDLE)
    for step in prepare:
        match.act(step)
    before = match.state, match.choices, match.match
    with pytest.raises(IllegalPlayError, match="not possible now; expected"):
        match.act(choice)
    assert (match.state, match.choices, match.match) == before


# --- the end of a game ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_roll", [0, 1])
@pytest.mark.parametrize(
    ("position", "size"), [(SINGLE, 1), (GAMMON, 2), (BACKGAMMON, 3), (ON_THE_BAR, 3)], ids=["1", "2", "3", "bar"]
)
@pytest.mark.parametrize(
    ("length", "jacoby", "cube", "owner", "counts"),
    [
        (0, True, 1, Owner.CENTRED, [1, 1, 1]),  # Jacoby: the cube was not turned
        (0, True, 2, Owner.CENTRED, [2, 2, 2]),  # an automatic double turns nothing
        (0, True, 2, Owner.MINE, [2, 4, 6]),
        (0, False, 1, Owner.CENTRED, [1, 2, 3]),
        (0, False, 4, Owner.THEIRS, [4, 8, 12]),
        (25, True, 1, Owner.CENTRED, [1, 2, 3]),  # a match knows no Jacoby rule
        (25, False, 2, Owner.THEIRS, [2, 4, 6]),
    ],
)
def test_a_game_that_is_borne_off_counts_by_its_size(
    on_roll: int, position: Position, size: int, length: int, jacoby: bool, cube: int, owner: Owner, counts: list[int]
) -> None:
    match = live(position, on_roll=on_roll, cube=cube, owner=owner, length=length, rules=Rules(jacoby=jacoby))
    match.act("roll")
    match.act("play", match.plays[0])
    assert match.result == Result(on_roll, counts[size - 1], Ending.BORNE_OFF)
    assert (match.state.turn, match.state.position.mine) == (on_roll, (0,) * 25)  # seen by the winner
    assert (match.player, match.choices) == (None, ())
    assert match.match.score[on_roll] == counts[size - 1]
    assert match.match.score[1 - on_roll] == 0


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("resigner", [0, 1])
@pytest.mark.parametrize(
    ("length", "cube", "owner", "points"),
    [
        (0, 1, Owner.CENTRED, [1, 1, 1]),
        (0, 2, Owner.CENTRED, [2, 2, 2]),
        (0, 2, Owner.THEIRS, [2, 4, 6]),
        (25, 1, Owner.CENTRED, [1, 2, 3]),
        (25, 4, Owner.MINE, [4, 8, 12]),
    ],
)
def test_a_resignation_counts_as_the_game_would(
    size: int, resigner: int, length: int, cube: int, owner: Owner, points: list[int]
) -> None:
    match = live(MIDDLE, on_roll=resigner, cube=cube, owner=owner, length=length)
    match.act("resign", size=size)
    assert match.player == 1 - resigner
    assert match.choices == (Choice.ACCEPT, Choice.REFUSE)
    assert match.state.offer is Offer.resignation(size)
    assert match.state.turn == resigner
    match.act("accept")
    assert match.result == Result(1 - resigner, points[size - 1], Ending.RESIGNED)
    assert match.game.actions[-1] == Resign(resigner, size)


def test_a_resignation_is_of_a_single_game_unless_told() -> None:
    match = live(MIDDLE, length=7)
    match.act("resign")
    assert match.state.offer is Offer.RESIGN_SINGLE
    match.act("accept")
    assert match.result == Result(1, 1, Ending.RESIGNED)


def test_a_refused_resignation_leaves_everything_as_it_was() -> None:
    match = live(MIDDLE)
    match.act("roll")
    before = match.state, match.match, match.choices
    match.act("resign", size=2)
    assert match.state.dice == before[0].dice  # the roll is known to who has to answer
    match.act("refuse")
    assert (match.state, match.match, match.choices) == before
    assert match.player == 0


@pytest.mark.parametrize("size", [0, 4, -1])
def test_a_resignation_has_a_size_that_exists(size: int) -> None:
    match = live(MIDDLE)
    with pytest.raises(IllegalPlayError, match="1, 2 or 3"):
        match.act("resign", size=size)
    assert match.choices[0] is Choice.ROLL


# --- the cube ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("doubler", [0, 1])
def test_a_double_is_taken(doubler: int) -> None:
    match = live(MIDDLE, on_roll=doubler, rules=Rules())
    match.act("double")
    assert match.player == 1 - doubler
    assert match.choices == (Choice.TAKE, Choice.PASS)
    state = match.state
    assert (state.offer, state.turn, state.match.cube) == (Offer.DOUBLE, doubler, Cube())
    match.act("take")
    assert match.game.actions[1:] == (Double(doubler), Take(1 - doubler))
    assert match.player == doubler
    assert match.state.match.cube == Cube(2, Owner.THEIRS)
    assert match.choices == (Choice.ROLL, Choice.RESIGN)


@pytest.mark.parametrize(("cube", "owner"), [(1, Owner.CENTRED), (2, Owner.MINE), (4, Owner.MINE)])
def test_a_double_is_passed_for_the_cube_as_it_stood(cube: int, owner: Owner) -> None:
    for doubler in (0, 1):
        match = live(MIDDLE, on_roll=doubler, cube=cube, owner=owner, length=15)
        match.act("double")
        match.act("pass")
        assert match.result == Result(doubler, cube, Ending.DROPPED)
        assert match.game.actions[-1] == Drop(1 - doubler)


def test_a_beaver_turns_the_cube_for_its_owner() -> None:
    match = live(MIDDLE)
    match.act("double")
    assert list(match.choices) == [Choice.TAKE, Choice.PASS, Choice.BEAVER]
    match.act("beaver")
    assert match.player == 0
    assert (match.state.offer, match.state.turn) == (Offer.BEAVER, 0)
    assert list(match.choices) == [Choice.TAKE, Choice.PASS, Choice.RACCOON]
    match.act("take")
    assert match.player == 0
    assert list(match.choices) == [Choice.ROLL, Choice.RESIGN]
    assert match.state.match.cube == Cube(4, Owner.THEIRS)
    match.act("roll")
    assert match.state.match.cube == Cube(4, Owner.THEIRS)
    match.act("play", match.plays[0])
    assert match.state.match.cube == Cube(4, Owner.MINE)
    assert [type(action) for action in match.game.actions] == [Setup, Double, Beaver, Roll]


def test_a_beaver_may_be_passed_or_turned_once_more() -> None:
    passed = live(MIDDLE, on_roll=1, cube=2, owner=Owner.MINE)
    for step in ("double", "beaver", "pass"):
        passed.act(step)
    assert passed.result == Result(0, 4, Ending.DROPPED)
    taken = live(MIDDLE, on_roll=1)
    for step in ("double", "beaver", "raccoon"):
        taken.act(step)
    assert (taken.player, taken.choices) == (0, (Choice.TAKE, Choice.PASS))
    assert taken.game.actions[-1] == Raccoon(1)
    taken.act("take")
    assert (taken.player, taken.state.match.cube) == (1, Cube(8, Owner.THEIRS))
    dropped = live(MIDDLE, on_roll=1)
    for step in ("double", "beaver", "raccoon", "pass"):
        dropped.act(step)
    assert dropped.result == Result(1, 4, Ending.DROPPED)


def test_there_are_no_beavers_where_they_were_not_agreed_or_the_cube_ends() -> None:
    for match in (
        live(MIDDLE, rules=Rules(jacoby=True)),
        live(MIDDLE, length=7, rules=Rules(beavers=True)),
        live(MIDDLE, cube=512, owner=Owner.MINE),
    ):
        match.act("double")
        assert Choice.BEAVER not in match.choices
    last = live(MIDDLE, cube=256, owner=Owner.MINE)
    last.act("double")
    assert Choice.BEAVER in last.choices
    last.act("beaver")
    assert Choice.RACCOON not in last.choices


def test_one_may_double_where_the_native_model_says_so() -> None:
    """Every score of a short match, every cube: the same answer as the arena's native referee gives."""
    met = MatchEquityTable.default()
    told = set()
    scores = [(mine, theirs) for mine, theirs in product(range(5), repeat=2)]
    for (mine, theirs), value, owner, length in product(scores, (1, 2, 4, 8), Owner, (0, 5)):
        one_away = [length - score == 1 for score in (mine, theirs)]
        for crawford in {False, length > 0 and one_away.count(True) == 1 and value == 1}:
            state = MatchState(length, mine, theirs, Cube(value, owner), crawford, max_cube=8)
            model = cube_model(state, met)
            assert may_double(state) == (model.doubled(model.present, 0) >= 0), state
            told.add((may_double(state), crawford, owner))
    assert (True, True, Owner.CENTRED) not in told
    assert (True, False, Owner.THEIRS) not in told
    assert {(True, False, Owner.MINE), (True, False, Owner.CENTRED), (False, True, Owner.CENTRED)} <= told


# --- the match --------------------------------------------------------------------------------------------------------


def resign(match: LiveMatch, loser: int, size: int = 1) -> None:
    """Let a player lose the game that is played, once it is his turn."""
    while match.player != loser:
        match.engine_turn(RandomPlayer())
    if match.state.dice is None:
        match.act("roll")
    match.act("resign", size=size)
    match.act("accept")


def test_the_crawford_game_is_played_once_and_without_the_cube() -> None:
    match = live(length=3)
    resign(match, 1, 2)
    seen = [match.game.crawford]
    for loser in (0, 0, 1):
        match.next_game()
        seen.append(match.game.crawford)
        assert match.state.match.crawford == match.game.crawford
        match.engine_turn(RandomPlayer())  # the opening is played
        assert (Choice.DOUBLE in match.choices) == (match.player == 1 and not match.game.crawford)
        if match.game.crawford:
            with pytest.raises(IllegalPlayError):
                match.act("double")
        resign(match, loser)
        if match.is_over:
            break
    assert seen == [False, True, False, False]
    assert match.match.score == (3, 2)
    assert match.match.winner == 0
    assert match.is_over


def test_without_the_rule_there_is_no_crawford_game() -> None:
    match = live(length=3, rules=Rules(crawford=False))
    resign(match, 1, 2)
    match.next_game()
    assert not match.game.crawford
    match.engine_turn(RandomPlayer())
    if match.player == 0:
        match.act("roll")
        match.engine_turn(RandomPlayer())
    assert Choice.DOUBLE in match.choices


def test_a_game_begins_only_after_the_one_before() -> None:
    match = live(length=3)
    with pytest.raises(IllegalPlayError, match="game is not over"):
        match.next_game()
    resign(match, 0, 3)
    assert match.is_over
    with pytest.raises(IllegalPlayError, match="match is over"):
        match.next_game()


def test_a_money_session_has_so_many_games_and_adds_them_up() -> None:
    match = live(games=2, rules=Rules(jacoby=True))
    resign(match, 0)
    assert not match.is_over
    first = match.opening
    match.next_game()
    assert match.game.score == (0, 1)
    assert match.opening != first  # the dice of a game are its own
    resign(match, 1)
    assert match.is_over
    assert match.match.score == (1, 1)


def test_whole_matches_obey_the_rules_at_every_step() -> None:
    class Eager(RandomPlayer):
        def double(self, state: State) -> bool:
            assert may_double(state.match)
            assert state.dice is None
            return self is not None

        def take(self, state: State) -> bool:
            assert state.offer is Offer.DOUBLE
            return state.position.pips[0] % 3 > 0

    doubles = 0
    for seed in range(6):
        match = live(length=5, seed=seed)
        while not match.is_over:
            if match.result is not None:
                match.next_game()
            match.engine_turn(Eager())
        doubles += sum(isinstance(moment.action, Double) for moment in match.match.moments())
        for moment in match.match.moments():
            if (play := moment.play) is not None:
                legal = {one.result for one in play.position.plays(play.dice)} or {play.position.swapped()}
                assert play.result in legal
            if isinstance(moment.action, Double):
                assert not moment.state.match.crawford
        games = match.match.games
        for game, following in pairwise(games):
            result = game.result
            assert result is not None
            won = [result.points if result.winner == player else 0 for player in (0, 1)]
            assert following.score == (game.score[0] + won[0], game.score[1] + won[1])
        assert max(match.match.score) >= 5 > min(match.match.score)
    assert doubles > 5


# --- undo -------------------------------------------------------------------------------------------------------------


def test_undo_takes_back_the_last_action_and_the_dice_come_again() -> None:
    match = live(seed=2)
    records = [(match.match, match.state)]
    for _ in range(8):
        if match.state.dice is None:
            match.act("roll")
        match.act("play", match.plays[0])
        records.append((match.match, match.state))
    for at in range(7, -1, -1):
        player = 1 - match.player if match.player is not None else 0
        expected_match, expected = records[at]
        assert match.undo(player)
        assert match.match == expected_match
        if at:
            assert match.choices[0] is Choice.ROLL
            match.act("roll")
            later = records[at + 1][0].games[-1].actions[at]
            assert isinstance(later, Roll)
            assert match.state.dice == later.dice
        assert match.state.position == expected.position
        assert match.player == expected.turn
    assert match.state == records[0][1]  # the opening is rolled already
    assert match.undo(0) is False
    assert match.undo(1) is False


def test_undo_takes_back_what_the_other_did_since() -> None:
    match = live(MIDDLE, seed=4)
    match.act("roll")
    match.act("play", match.plays[0])
    match.act("roll")
    match.act("play", match.plays[0])
    match.act("double")
    assert len(match.game.actions) == 4
    assert match.undo(1)
    assert [action.player for action in match.game.actions] == [0, 0]
    assert match.player == 1
    assert match.undo(0)
    assert len(match.game.actions) == 1
    assert match.state.position == MIDDLE
    assert not match.undo(0)  # a position that was set is nobody's action


@pytest.mark.parametrize("steps", [["double", "pass"], ["resign", "accept"]])
def test_a_game_that_is_over_can_be_taken_back(steps: list[str]) -> None:
    match = live(MIDDLE)
    before = match.match, match.state, match.choices
    for step in steps:
        match.act(step)
    assert match.result is not None
    assert match.undo(0)
    assert (match.match, match.state, match.choices) == before
    over = live(SINGLE)
    over.act("roll")
    over.act("play", over.plays[0])
    assert over.undo(0)
    assert over.result is None
    assert over.state.position == SINGLE


def test_a_pending_resignation_can_be_taken_back_by_who_made_it() -> None:
    match = live(MIDDLE)
    match.act("roll")
    before = match.state
    match.act("resign")
    assert not match.undo(1)
    assert match.undo(0)
    assert match.state == before


def test_an_accepted_beaver_is_asked_for_again() -> None:
    match = live(MIDDLE)
    for step in ("double", "beaver", "take", "roll"):
        match.act(step)
    match.act("play", match.plays[0])
    assert match.undo(0)
    assert match.choices == (Choice.TAKE, Choice.PASS, Choice.RACCOON)
    assert match.undo(1)
    assert match.choices == (Choice.TAKE, Choice.PASS, Choice.BEAVER)


def test_undo_after_an_automatic_double_goes_back_to_the_same_opening() -> None:
    seed = next(seed for seed in range(100) if len(LiveMatch(Match(), seed=seed).opening) > 1)
    match = LiveMatch(Match(), seed=seed, automatic_doubles=1)
    begun = match.match, match.state, match.player
    assert not match.undo(0) and not match.undo(1)
    player = match.player
    assert player is not None
    match.act("play", match.plays[0])
    assert match.undo(player)
    assert (match.match, match.state, match.player) == begun


# --- players ----------------------------------------------------------------------------------------------------------


class Scripted(SimplePlayer):
    """Does as it is told, and remembers what it was asked."""

    def __init__(self, **answers: bool) -> None:
        self.answers, self.asked = answers, list[tuple[str, State]]()

    def play(self, state: State, number: int = 0) -> Position:
        self.asked.append(("play", state))
        assert number >= 0 and state.dice is not None
        return state.position.plays(state.dice)[-1].result

    def _say(self, what: str, state: State) -> bool:
        self.asked.append((what, state))
        return self.answers.get(what, False)

    def double(self, state: State) -> bool:
        return self._say("double", state)

    def take(self, state: State) -> bool:
        return self._say("take", state)

    def beaver(self, state: State) -> bool:
        return self._say("beaver", state)

    def accept(self, state: State) -> bool:
        return self._say("accept", state)


@pytest.mark.parametrize(
    ("steps", "answers", "asked", "done"),
    [
        ([], {"double": True}, ["double"], Choice.DOUBLE),
        ([], {}, ["double"], Choice.ROLL),
        (["roll"], {}, ["play"], Choice.PLAY),
        (["double"], {"take": True}, ["beaver", "take"], Choice.TAKE),
        (["double"], {}, ["beaver", "take"], Choice.PASS),
        (["double"], {"beaver": True}, ["beaver"], Choice.BEAVER),
        (["double", "beaver"], {"take": True}, ["beaver", "take"], Choice.TAKE),
        (["double", "beaver"], {}, ["beaver", "take"], Choice.PASS),
        (["double", "beaver"], {"beaver": True}, ["beaver"], Choice.RACCOON),
        (["double", "beaver", "raccoon"], {"beaver": True, "take": True}, ["take"], Choice.TAKE),
        (["double", "take"], {"double": True}, [], Choice.ROLL),
        (["resign"], {"accept": True}, ["accept"], Choice.ACCEPT),
        (["resign"], {}, ["accept"], Choice.REFUSE),
    ],
)
def test_a_player_is_asked_what_the_state_asks_and_obeyed(
    steps: list[str], answers: dict[str, bool], asked: list[str], done: Choice
) -> None:
    match, player = live(MIDDLE, on_roll=1), Scripted(**answers)
    for step in steps:
        match.act(step)
    state = match.state
    plays = match.plays
    assert match.engine_turn(player) is done
    assert player.asked == [(what, state) for what in asked]
    if done is Choice.PLAY:
        assert match.state.position == plays[-1].result


def test_nobody_is_asked_where_there_is_no_choice() -> None:
    match, player = live(SINGLE), Scripted()
    match.act("roll")
    assert match.engine_turn(player) is Choice.PLAY
    assert match.result is not None
    stuck = live(Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2)))
    stuck.act("roll")
    assert stuck.engine_turn(player) is Choice.PLAY
    assert player.asked == []
    assert stuck.player == 1


def test_a_player_who_cheats_is_refused() -> None:
    class Cheat(SimplePlayer):
        def play(self, state: State, number: int = 0) -> Position:  # noqa: ARG002
            return state.position

    match = live(MIDDLE)
    match.act("roll")
    with pytest.raises(IllegalPlayError, match="cannot lead to"):
        match.engine_turn(Cheat())
    assert match.choices == (Choice.PLAY, Choice.RESIGN)


def test_numbers_for_random_players_differ_at_every_turn() -> None:
    match = live(length=1)
    numbers = set()
    turns = 0
    while match.result is None:
        if match.state.dice is not None:
            numbers.add(match.number)
            turns += 1
        match.engine_turn(RandomPlayer())
    assert len(numbers) == turns
    assert all(0 <= number < 2**63 for number in numbers)


# --- what is kept -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".mat", ".sgf", ".json"])
def test_a_match_is_kept_after_every_action_and_goes_on_from_its_file(tmp_path: Path, suffix: str) -> None:
    """Also in the middle of a turn, with dice that are not played yet, and whatever the seed."""

    class Doubler(RandomPlayer):
        def double(self, state: State) -> bool:
            return state.position.pips[0] % 2 == 0

    path = tmp_path / f"match{suffix}"
    match = live(length=3, seed=5, path=path)
    while not match.is_over:
        if match.result is not None:
            match.next_game()
        match.engine_turn(Doubler())
        kept = load(path)
        assert not kept.warnings
        again = LiveMatch(kept, seed=99)
        assert (again.player, again.choices, again.result) == (match.player, match.choices, match.result)
        if match.player is not None:
            assert again.state == match.state
    assert load(path).games == match.match.games


def test_nothing_is_kept_without_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    finish(live(length=1))
    assert list(tmp_path.iterdir()) == []


def test_undo_changes_the_file(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    match = live(MIDDLE, path=path)
    match.act("double")
    assert len(load(path).games[0].actions) == 2
    match.undo(0)
    assert len(load(path).games[0].actions) == 1


def test_a_finished_game_goes_on_with_the_next_and_a_finished_match_not_at_all() -> None:
    between = Match(("Ada", "Bob"), 3, (Game((0, 0), False, (Setup(0, START), Double(0), Drop(1)), Result(0, 1)),))
    match = LiveMatch(between)
    assert (match.result, match.player, match.is_over) == (Result(0, 1), None, False)
    match.next_game()
    assert match.game.score == (1, 0)
    won = LiveMatch(Match(("Ada", "Bob"), 1, (Game((0, 0), False, (Setup(0, START), Resign(0, 1)), Result(1, 1)),)))
    assert won.is_over


def test_plays_know_their_position() -> None:
    match = live(MIDDLE)
    match.act("roll")
    assert all(isinstance(play, Play) and play.position == MIDDLE for play in match.plays)


# --- after a pause ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".mat", ".sgf", ".json"])
def test_a_match_goes_on_with_the_same_dice_after_a_pause(tmp_path: Path, suffix: str) -> None:
    """What was rolled stays, what is taken back comes again, and what comes is what would have come."""
    path = tmp_path / f"match{suffix}"
    match = LiveMatch(Match(("Ada", "Bob"), 5), seed=7, path=path)
    for _ in range(9):
        match.engine_turn(RandomPlayer())
    if match.state.dice is None:
        match.act("roll")
    rolled = match.state.dice
    again = LiveMatch(load(path))
    assert (again.seed, again.state.dice, again.player) == (7, rolled, match.player)
    mover = match.player
    assert mover is not None
    for one in (match, again):
        one.act("play", one.plays[0])
        one.act("roll")
    assert again.state == match.state
    last = next(action for action in reversed(again.game.actions) if action.player == mover)
    assert isinstance(last, Roll)
    for one in (match, LiveMatch(load(path))):
        assert one.undo(mover)
        one.act("roll")
        assert one.state.dice == last.dice


def test_what_was_agreed_for_a_session_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "session.mat"
    LiveMatch(Match(("Ada", "Bob")), seed=2, games=3, automatic_doubles=2, path=path)
    again = LiveMatch(load(path))
    assert (again.seed, again.games, again.automatic_doubles) == (2, 3, 2)
    other = LiveMatch(load(path), seed=5, games=1, automatic_doubles=0)
    assert (other.seed, other.games, other.automatic_doubles) == (5, 1, 0)
    assert LiveMatch(Match(info=(("Dice seed", "x"),))).seed == 0


def test_a_proposal_is_the_moment_that_doing_it_records() -> None:
    match = live(MIDDLE)
    for choice in ("double", "beaver", "raccoon"):
        proposed = match.proposed(choice)
        match.act(choice)
        *_, made = match.match.moments()
        assert proposed == made
    assert match.proposed("take") is None  # the record has no word for it
    assert match.proposed("roll") is None
    match.act("take")
    waiting = match.proposed("roll")
    assert waiting is not None
    assert waiting.state.dice is None
    match.act("roll")
    proposed = match.proposed("play", match.plays[1])
    with pytest.raises(KibitzError):
        match.proposed("play", "nonsense")
    match.act("play", match.plays[1])
    *_, made = match.match.moments()
    assert proposed == made


def test_a_roll_that_waits_in_a_later_game_keeps_the_games_before() -> None:
    """Given the second and third game of a session with dice on the table, the record holds all games and the roll."""
    match = live(length=0, games=3, seed=4)
    for number in (1, 2, 3):
        assert match.state.dice is not None  # the opening
        record = match.record
        assert [len(game.actions) > 0 for game in record.games] == [True] * number
        assert record.games[:-1] == match.match.games[:-1]
        waiting = record.games[-1].actions[-1]
        assert isinstance(waiting, Roll)
        assert (waiting.player, waiting.dice, waiting.moves) == (match.player, match.state.dice, None)
        again = LiveMatch.from_dict(match.to_dict())
        assert (again.match.games, again.state, again.opening) == (match.match.games, match.state, match.opening)
        if number == 2:
            match.act("resign", size=2)
            pending = LiveMatch.from_dict(match.to_dict())
            assert (pending.state, pending.choices, pending.player) == (match.state, match.choices, match.player)
            assert match.record.games[-1].actions[-1] == waiting  # who resigns has rolled
            match.act("accept")
        else:
            finish(match)
        assert match.record == match.match
        if number < 3:
            match.next_game()
    assert match.is_over
