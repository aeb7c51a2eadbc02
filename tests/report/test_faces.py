"""Every result tells itself in a few words, and shows itself in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

from kibitz import Engine, Game, Match, MatchState, Offer, Position, State, _core, explain, review
from kibitz.engine.matrix import matrix
from kibitz.record import Double, Drop, Ending, Result, Setup

START = Position.start()
MATCH = MatchState(length=7, my_score=2, their_score=4)


def results() -> Iterator[Any]:
    """One of everything that the methods of an engine, a review and an explanation return."""
    engine = Engine(evaluator=_core.MockEvaluator(), threads=1, plies=0)
    rolled, before = State.from_dict(State(START, MATCH).to_dict() | {"dice": [3, 1]}), State(START, MATCH)
    ranked = engine.rank(rolled)
    yield from (engine.evaluate(before), engine.value(before), engine.value(START), engine.roll_replies(START)[0])
    yield from (ranked, ranked[1], engine.cube(before), engine.cubes(before).popitem()[1])
    yield from (engine.answer(replace(before, offer=offer)) for offer in (Offer.DOUBLE, Offer.RESIGN_GAMMON))
    yield from (matrix(engine, before, 2)[0], matrix(engine, rolled, 2)[0])
    yield from (engine.rollout(rolled, trials=36, truncate=2), engine.rollout(before, trials=36, truncate=2))
    actions = (Setup(0, START), Double(0), Drop(1))
    match = Match(("Ada", "Ben"), 3, (Game((0, 0), False, actions, Result(0, 1, Ending.DROPPED)),))
    found = review(match, level="fast", engine=engine)
    yield from (found, match, match.games[0], found.statistics("Ada"), found.decisions[0])
    yield from (explain(rolled, engine=engine), explain(before, engine=engine))


class Tags(HTMLParser):
    """Counts what is opened and closed."""

    open = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        self.open += tag not in ("br", "img", "hr", "input", "meta", "link")

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self.open -= 1


def test_a_result_is_told_in_a_few_short_lines_and_shown_in_a_notebook() -> None:
    """Never as the representation of its fields, and never as HTML that is cut off or that holds one."""
    for result in results():
        name, words, face = type(result).__name__, str(result), result._repr_html_()
        assert 1 <= len(words.splitlines()) <= 6 and len(words) <= 500, name
        for text in (words, face):
            assert f"{name}(" not in text and "State(" not in text and "Position." not in text, name
        tags = Tags()
        tags.feed(face)
        assert tags.open == 0 and "<" in face, name
