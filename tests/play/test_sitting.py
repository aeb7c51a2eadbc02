"""A person at the table: what the opponent answers, what is told of it, and the matches that wait in a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from kibitz import Position, State
from kibitz.errors import IllegalPlayError, LibraryError
from kibitz.play.live_match import Choice, LiveMatch
from kibitz.play.players import Player, RandomPlayer
from kibitz.play.sitting import NEXT, Clock, Happening, Sitting, SittingSettings
from kibitz.record import Game, Match, Roll, Rules, Setup

MIDDLE = Position.start().play("8/5 6/5").play("24/18 13/11")
STUCK = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))


class Cautious(RandomPlayer):
    """Plays at random, doubles when asked to, passes, and believes who resigns."""

    def __init__(self, *, doubles: bool = False, accepts: bool = True) -> None:
        self.doubles, self.accepts = doubles, accepts

    def double(self, state: State) -> bool:  # noqa: ARG002
        return self.doubles

    def take(self, state: State) -> bool:  # noqa: ARG002
        return False

    def accept(self, state: State) -> bool:  # noqa: ARG002
        return self.accepts


def at(position: Position, *, seat: int = 0, on_roll: int = 0, opponent: Player | None = None) -> Sitting:
    """A money game from a position."""
    game = Game(actions=(Setup(on_roll, position),))
    live = LiveMatch(Match(("Ada", "Ben"), 0, (game,), Rules(jacoby=True)), seed=3)
    return Sitting(live, seat, opponent or Cautious())


def turn(sitting: Sitting) -> None:
    """The person rolls, and makes the first play."""
    live = sitting.live
    if Choice.ROLL in live.choices:
        sitting.act("roll")
    sitting.act("play", str(live.plays[0]) if live.plays else None)


@pytest.mark.parametrize("seat", [0, 1])
def test_all_that_happens_is_told_in_order_with_the_state_it_happened_in(seat: int) -> None:
    """What is told is enough to follow the game at another board: each state and play follow from those before."""
    sitting = Sitting(LiveMatch(Match(("Ada", "Ben"), 3), seed=5 + seat), seat, Cautious())
    sitting.answer()
    for _ in range(12):
        if sitting.live.player is None:
            break
        turn(sitting)
    told = sitting.happened
    assert {one.player for one in told} == {0, 1}
    after: State | None = None
    for one, following in zip(told, [*told[1:], None], strict=True):
        assert one.state.turn == one.player
        assert (one.points, one.size) == (None, None)
        data = one.to_dict()
        assert (data["player"], data["choice"], data["state"]) == (one.player, one.choice, one.state.to_dict())
        if one.choice == "roll":
            assert one.state.dice is not None and data["dice"] == list(one.state.dice)
            assert following is not None
            assert (following.choice, following.state) == ("play", one.state)
        else:
            assert one.choice == "play"
            made = one.state.position.swapped() if one.play is None else one.play.result
            assert one.play is None or one.play in one.state.position.plays(one.state.dice or "11")
            assert data["play"] == (None if one.play is None else one.play.to_dict())
            after = following.state if following is not None else sitting.live.state
            assert after.position == made
    assert after is not None


def test_who_comes_to_the_table_is_told_the_game_so_far() -> None:
    """Rolls go with their plays there: they are no actions of a record."""
    sitting = at(MIDDLE)
    for _ in range(4):
        turn(sitting)
    sitting.act("resign", size=2)
    seen = [one for one in sitting.happened if one.choice not in ("roll", "accept")]
    newcomer = Sitting(sitting.live, 0, Cautious())
    newcomer.look_back()
    short = [(one.player, one.choice, one.state.position, one.play, one.size) for one in newcomer.happened]
    assert short == [(one.player, one.choice, one.state.position, one.play, one.size) for one in seen]
    assert (newcomer.happened[-1].choice, newcomer.happened[-1].size) == ("resign", 2)


def test_a_pass_is_called_so_and_a_dance_has_no_play() -> None:
    doubled = at(MIDDLE)
    doubled.act("double")
    assert [(one.player, one.choice, one.points) for one in doubled.happened] == [(0, "double", None), (1, "pass", 1)]
    doubled.look_back()
    assert [one.choice for one in doubled.happened] == ["double", "pass"]
    stuck = at(STUCK)
    turn(stuck)
    danced = next(one for one in stuck.happened if one.choice == "play")
    assert (danced.player, danced.play, danced.to_dict()["play"]) == (0, None, None)
    stuck.look_back()
    assert (stuck.happened[0].choice, stuck.happened[0].play) == ("play", None)


def test_a_resignation_tells_its_size_and_what_it_cost() -> None:
    sitting = at(MIDDLE)
    sitting.act("resign", size=3)
    assert [(one.choice, one.size, one.points) for one in sitting.happened] == [
        ("resign", 3, None),
        ("accept", None, 1),  # the cube was not turned: by the Jacoby rule it counts once
    ]
    refused = at(MIDDLE, opponent=Cautious(accepts=False))
    refused.act("resign")
    assert [(one.player, one.choice, one.size) for one in refused.happened] == [(0, "resign", 1), (1, "refuse", None)]
    assert refused.live.player == 0


def test_the_opponent_goes_on_until_the_person_is_asked() -> None:
    sitting = at(MIDDLE, on_roll=1, opponent=Cautious(doubles=True))
    sitting.answer()
    assert [(one.player, one.choice) for one in sitting.happened] == [(1, "double")]
    assert sitting.live.player == 0
    sitting.act("take")
    assert [one.choice for one in sitting.happened] == ["double", "take", "roll", "play"]
    assert sitting.live.player == 0


def test_after_a_game_only_the_next_one_may_begin() -> None:
    sitting = Sitting(LiveMatch(Match(("Ada", "Ben"), 3), seed=1), 0, Cautious())
    sitting.answer()
    sitting.act("resign")
    assert sitting.live.result is not None
    with pytest.raises(IllegalPlayError, match="the game is over: the next one may begin"):
        sitting.act("roll")
    sitting.act(NEXT)
    assert len(sitting.live.match.games) == 2 and sitting.live.match.score == (0, 1)
    assert sitting.live.player == 0  # the opponent has played already where he won the toss
    with pytest.raises(IllegalPlayError, match="the game is not over"):
        sitting.act(NEXT)


@pytest.mark.parametrize("seed", range(6))
def test_undo_goes_back_to_the_persons_last_decision(seed: int) -> None:
    """To the opening at the furthest: where the opponent begins, he does the same again."""
    sitting = Sitting(LiveMatch(Match(("Ada", "Ben"), 3), seed=seed), 0, Cautious())
    sitting.answer()
    first = sitting.live.state, [one.to_dict() for one in sitting.happened if one.choice != "roll"]
    turn(sitting)
    second = sitting.live.state, sitting.live.choices
    turn(sitting)
    assert sitting.undo()
    assert (sitting.live.state, sitting.live.choices) == second
    assert sitting.undo()
    assert sitting.live.state == first[0]
    assert [one.to_dict() for one in sitting.happened] == first[1]
    assert not sitting.undo()


def test_settings_and_clocks_are_kept_whole() -> None:
    for clock in (None, Clock(reserve=120.0), Clock(reserve=60.0, delay=8.0)):
        settings = SittingSettings(opponent="expert", seat=1, clock=clock, used=3.5)
        assert SittingSettings.from_dict(settings.to_dict()) == settings
    fresh = SittingSettings(opponent="random")
    assert (fresh.seat, fresh.used, fresh.clock, Clock(reserve=1.0).delay) == (0, 0.0, None, 12.0)


def test_what_happened_has_nothing_that_does_not_belong_to_it() -> None:
    data = Happening(0, "double", State(MIDDLE)).to_dict()
    assert (data["dice"], data["play"], data["points"], data["size"]) == (None, None, None, None)


# --- matches in a library ---------------------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    pytest.importorskip("sqlalchemy", reason="the extra 'library' is not installed")
    return Shelf(tmp_path / "library.db")


class Shelf:
    """A library, and the matches in progress of its owners."""

    def __init__(self, path: Path) -> None:
        from kibitz import Library
        from kibitz.play.kept import KeptMatches

        self.library = Library(path)
        self.kept = KeptMatches(self.library)
        self.others = KeptMatches(Library(path, owner="another"))

    def my_names(self) -> list[str]:
        """Whom the library takes for its owner."""
        return [one.name for one in self.library.players.all() if one.is_me]


def begun(seed: int = 1, *, length: int = 3) -> LiveMatch:
    return LiveMatch(Match(("Ada", "Ben"), length), seed=seed)


def test_a_match_is_kept_with_every_version(shelf: Shelf) -> None:
    live, settings = begun(), SittingSettings(opponent="random", seat=1, clock=Clock(reserve=90.0))
    kept = shelf.kept.create(live, settings)
    assert (kept.version, kept.match_id, kept.created_at) == (1, None, kept.changed_at)
    for version in (2, 3):
        live.engine_turn(RandomPlayer())
        kept = shelf.kept.save(kept)
        found = shelf.kept.get(kept.id)
        assert found.version == kept.version == version
        assert (found.settings, found.live.state, found.live.record) == (settings, live.state, live.record)
        assert found.created_at <= found.changed_at
    assert len(shelf.kept) == len(shelf.kept.all()) == 1
    assert len(shelf.others) == 0


def test_whoever_saves_an_old_version_is_told_so(shelf: Shelf) -> None:
    from kibitz.play.kept import StaleError

    first = shelf.kept.create(begun(), SittingSettings(opponent="random"))
    second = shelf.kept.get(first.id)
    second.live.engine_turn(RandomPlayer())
    shelf.kept.save(second)
    with pytest.raises(StaleError, match="another window"):
        shelf.kept.save(first)
    assert shelf.kept.get(first.id).live.state == second.live.state


def test_a_match_that_is_over_goes_into_the_library_once(shelf: Shelf) -> None:
    live = begun(length=1)
    kept = shelf.kept.create(live, SittingSettings(opponent="random", seat=1))
    live.act("resign")
    live.act("accept")
    kept = shelf.kept.save(kept)
    assert kept.match_id is not None
    assert shelf.library.match(kept.match_id).games == live.match.games
    assert shelf.my_names() == ["Ben"]  # where the person sat
    assert shelf.kept.save(kept).match_id == kept.match_id
    summary = shelf.kept.get(kept.id).summary()
    assert (summary["over"], summary["match"], summary["seat"]) == (True, kept.match_id, 1)
    assert len(shelf.library.matches()) == 1
    shelf.kept.delete(kept.id)
    assert shelf.kept.all() == [] and len(shelf.library.matches()) == 1


def test_who_i_am_stays_as_it_was_said(shelf: Shelf) -> None:
    live = begun(length=1)
    kept = shelf.kept.create(live, SittingSettings(opponent="random", seat=0))
    shelf.library.add(Match(("Eve", "Ben"), 1))
    shelf.library.players.set_me("Eve")
    live.act("resign")
    live.act("accept")
    shelf.kept.save(kept)
    assert shelf.my_names() == ["Eve"]


def test_the_match_played_last_comes_first_and_those_that_are_over_come_last(shelf: Shelf) -> None:
    one, two, over = (shelf.kept.create(begun(n, length=1), SittingSettings(opponent="random")) for n in (1, 2, 3))
    for step in ("resign", "accept"):
        over.live.act(step)
    one = shelf.kept.save(one)
    shelf.kept.save(over)
    assert [kept.id for kept in shelf.kept.all()] == [one.id, two.id, over.id]
    assert [kept.id for kept in shelf.kept.all(limit=1)] == [one.id]


def test_nobody_sees_or_ends_the_matches_of_another(shelf: Shelf) -> None:
    kept = shelf.kept.create(begun(), SittingSettings(opponent="random"))
    assert shelf.others.all() == []
    for number, shelves in ((kept.id, shelf.others), (kept.id + 1, shelf.kept)):
        with pytest.raises(LibraryError, match="no match in progress"):
            shelves.get(number)
        with pytest.raises(LibraryError, match="no match in progress"):
            shelves.delete(number)
    with pytest.raises(LibraryError):
        shelf.others.save(kept)
    assert shelf.kept.get(kept.id).version == 1


def test_a_list_shows_who_plays_and_how_it_stands(shelf: Shelf) -> None:
    live = begun()
    kept = shelf.kept.create(live, SittingSettings(opponent="expert"))
    while live.result is None:
        live.engine_turn(RandomPlayer())
    summary = shelf.kept.save(kept).summary()
    expected = {"id": kept.id, "version": 2, "players": ["Ada", "Ben"], "seat": 0, "opponent": "expert", "length": 3}
    expected |= {"variant": "backgammon", "score": list(live.match.score), "game": 1, "games": 1}
    assert {name: summary[name] for name in expected} == expected
    assert max(summary["score"]) >= 1
    assert summary["over"] is live.is_over
    assert summary["created_at"] < summary["changed_at"]
    assert isinstance(live.game.actions[-1], Roll)
