"""Searching: patterns against a plain check of every board, and positions that are alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, select, update

from kibitz import Library, Position
from kibitz.errors import LibraryError, NotationError
from kibitz.library import likeness
from kibitz.library.likeness import embed
from kibitz.library.models import EmbeddingBlock, Setting
from kibitz.library.patterns import Condition, Pattern, Relation
from kibitz.library.plans import Plan, plans_of

PATTERNS = (
    "6>=2",
    "6>=2 5>=2 8<=1",
    "bar>=1",
    "obar=1 6>=3",
    "24=2 o24=2",
    "13>=5",
    "8=3 !6=5",
    "!6>=2",
    "!6<=1 o20=0",
    "13<=4 13>=3 6<6",
    "5=0 4=0 3=0",
    "20=1",
    "!20=1 20<=1",
    "6>4",
)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("text", PATTERNS)
def test_a_pattern_finds_exactly_the_boards_that_have_it(reviewed: Library, text: str, mirrored: bool) -> None:
    pattern = Pattern.of(text, mirrored=mirrored)
    every = reviewed.decisions()
    wanted = [one.id for one in every if plainly_has(text, one.state.position, mirrored)]
    assert [one.id for one in reviewed.search(pattern)] == wanted
    assert [one.id for one in every if pattern.holds(one.state.position)] == wanted


def plainly_has(text: str, position: Position, mirrored: bool) -> bool:
    """The same, by evaluating the words."""

    def holds(board: Position) -> bool:
        for word in text.split():
            negated, rest = word.startswith("!"), word.lstrip("!")
            row = board.theirs if rest.startswith("o") else board.mine
            rest = rest.removeprefix("o").replace("bar", "25")
            relation = next(sign for sign in (">=", "<=", "=", ">", "<") if sign in rest)
            point, count = rest.split(relation)
            truth = eval(f"{row[int(point) - 1]} {'==' if relation == '=' else relation} {count}")
            if truth == negated:
                return False
        return True

    return holds(position) or (mirrored and holds(position.swapped()))


def test_some_patterns_find_something(reviewed: Library) -> None:
    found = [len(reviewed.search(text)) for text in PATTERNS]
    assert sum(count > 0 for count in found) >= 10, found


def test_a_board_is_a_pattern(reviewed: Library) -> None:
    start = Position.start()
    assert {one.position_id for one in reviewed.search(Pattern.like(start, Relation.EXACTLY))} == {start.id}
    more = reviewed.search(Pattern.like(Position.of({6: 2, 8: 2}, {24: 2})))
    assert len({one.position_id for one in more}) > 1


@given(
    st.integers(1, 25),
    st.sampled_from(Relation),
    st.integers(0, 15),
    st.booleans(),
    st.booleans(),
)
def test_a_condition_is_read_as_it_is_written(
    point: int, relation: Relation, count: int, theirs: bool, no: bool
) -> None:
    condition = Condition(point, relation, count, theirs, no)
    assert Condition.of(str(condition)) == condition
    pattern = Pattern((condition,), mirrored=no)
    assert Pattern.from_dict(pattern.to_dict()) == pattern


@pytest.mark.parametrize("text", ["6", "26>=1", "0=1", "6>=16", "x6>=2", "6>==2", "6<0", "25=1", "'; DROP TABLE match"])
def test_what_is_no_pattern_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(NotationError):
        Pattern.of(text)


def test_filters_narrow_a_search(reviewed: Library) -> None:
    every = reviewed.search("6>=2")
    narrow = reviewed.search("6>=2", player="me", kind="checker", my_pips=(100, 150), at_least=0.05)
    wanted = [
        one.id
        for one in every
        if one.player == "Ada"
        and one.kind == "checker play"
        and 100 <= one.state.position.pips[0] <= 150
        and (one.lost or 0) >= 0.05
    ]
    assert [one.id for one in narrow] == wanted != []


# --- likeness ---------------------------------------------------------------------------------------------------------


def test_the_nearest_are_those_of_a_plain_search(reviewed: Library) -> None:
    asked = reviewed.decisions(kind="checker")[30].state.position
    every = {one.position_id: one.state.position for one in reviewed.decisions()}
    boards = np.stack([position.board for position in every.values()])
    vectors = embed(boards).astype(float)
    distances = np.sqrt(((vectors - embed(asked.board[None])[0].astype(float)) ** 2).sum(axis=1))
    plain = dict(zip(every, distances, strict=True))
    found = reviewed.like(asked, 10)
    assert found[0][0] == 0.0
    assert found[0][1].state.position == asked
    for distance, one in found:
        assert distance == pytest.approx(plain[one.position_id], abs=1e-2)
    farthest = found[-1][0]
    assert sum(distance < farthest - 1e-2 for distance in distances) <= 10


def test_likeness_can_be_narrowed_and_follows_new_matches(changing: Library) -> None:
    from tests.library.samples import random_match

    asked = changing.decisions(kind="checker")[30]
    assert all(one.player == "Cleo" for _, one in changing.like(asked.state, 5, player="Cleo"))
    fresh = random_match(99, length=1)
    target = list(fresh.moments())[20].state.position
    assert changing.like(target, 1)[0][0] > 0
    changing.add(fresh)
    assert changing.like(target, 1)[0][0] == 0.0


def test_embeddings_follow_many_small_additions_in_few_blocks(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given blocks of 100 positions, when matches come one by one, then all but the last are full, none is double."""
    from tests.library.samples import random_match

    monkeypatch.setattr(likeness, "BLOCK", 100)
    every: dict[str, Position] = {}
    with Library(library.database) as other:
        for seed in range(5):
            library.add(random_match(seed, length=1))
            every = {one.position_id: one.state.position for one in library.decisions()}
            asked = list(every.values())[-1]
            assert [one.position_id for _, one in other.like(asked, 1)] == [asked.id]
            with library.database.reading() as reading:
                rows = reading.execute(select(EmbeddingBlock).order_by(EmbeddingBlock.last)).mappings().all()
            sizes = [len(row["positions"]) // 8 for row in rows]
            assert sizes[:-1] == [100] * (len(sizes) - 1) and 0 < sizes[-1] <= 100
            assert sum(sizes) == len(every)
        boards = np.stack([position.board for position in every.values()])
        wanted = embed(asked.board[None])[0].astype(float)
        plain = sorted(np.sqrt(((embed(boards).astype(float) - wanted) ** 2).sum(axis=1)))
        near = {one.position_id: distance for distance, one in other.like(asked, 50)}
        assert sorted(near.values()) == pytest.approx(plain[: len(near)], abs=1e-2)


def test_embeddings_of_another_net_are_made_anew(changing: Library) -> None:
    asked = changing.decisions(kind="checker")[30].state
    before = changing.like(asked, 5)
    with changing.database.writing() as connection:
        connection.execute(update(Setting).where(Setting.name == likeness.SETTING).values(value="another net"))
        connection.execute(update(EmbeddingBlock).values(vectors=func.substr(EmbeddingBlock.vectors, 1, 64)))
    assert changing.like(asked, 5) == before
    assert likeness.fill(changing.database) == 0


def test_alike_means_alike(reviewed: Library) -> None:
    """Given a race, when positions like it are asked for, then they are races."""
    race = next(one for one in reviewed.decisions(plan="race"))
    assert [one.plan for _, one in reviewed.like(race.state, 8)].count("race") >= 6


# --- kinds of game ----------------------------------------------------------------------------------------------------

START = {24: 2, 13: 5, 8: 3, 6: 5}


@pytest.mark.parametrize(
    ("mine", "theirs", "plan"),
    [
        ({6: 3, 5: 3}, {6: 3, 4: 3}, Plan.BEAROFF),
        ({8: 3, 5: 12}, {7: 3, 4: 12}, Plan.RACE),
        ({6: 5, 5: 5, 4: 5}, {24: 2, 6: 5, 5: 8}, Plan.CONTACT_BEAROFF),
        (START, START, Plan.MUTUAL_HOLDING),
        ({22: 2, 21: 2, 13: 3, 8: 3, 6: 5}, {6: 3, 5: 3, 7: 3, 8: 3, 9: 3}, Plan.BACK_GAME),
        ({6: 4, 8: 3, 5: 2, 13: 4, 24: 2}, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, Plan.MIDDLE),
        ({6: 4, 8: 4, 5: 2, 7: 2, 13: 1, 24: 2}, {25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, Plan.BLITZ),
        ({8: 2, 7: 2, 6: 3, 5: 2, 4: 2, 13: 2, 24: 2}, {24: 2, 13: 5, 12: 0, 9: 3, 6: 5}, Plan.PRIMING),
        ({20: 2, 13: 4, 8: 3, 6: 6}, {13: 4, 8: 4, 6: 5, 4: 2}, Plan.HOLDING),
    ],
)
def test_kinds_of_game(mine: dict[int, int], theirs: dict[int, int], plan: Plan) -> None:
    position = Position.of(mine, {point: count for point, count in theirs.items() if count})
    assert plans_of(position.board[None]) == [plan]
    swapped = {
        Plan.BACK_GAME: Plan.AGAINST_BACK_GAME,
        Plan.BLITZ: Plan.UNDER_BLITZ,
        Plan.PRIMING: Plan.PRIMED,
        Plan.HOLDING: Plan.AGAINST_HOLDING,
    }
    assert plans_of(position.swapped().board[None]) == [swapped.get(plan, plan)]


def test_saved_searches_and_collections(changing: Library) -> None:
    from kibitz.library.filters import DecisionFilter

    wanted = DecisionFilter(player="me", at_least=0.08, pattern=Pattern.of("6>=2"), my_pips=(50, 200))
    changing.notes.save_search("my blunders", wanted)
    assert changing.notes.searches() == {"my blunders": wanted}
    found = changing.decisions(wanted)
    assert found
    assert changing.notes.collect("to learn", [one.id for one in found]) == len(found)
    assert changing.notes.collect("to learn", [found[0].id]) == 0
    assert changing.decisions(collection="to learn") == found
    assert changing.notes.collections() == {"to learn": len(found)}
    changing.notes.remove_collection("to learn")
    assert changing.notes.collections() == {}
    with pytest.raises(LibraryError, match="a search has no 'weather'"):
        DecisionFilter.from_dict({"weather": "fine"})
