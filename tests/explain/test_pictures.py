"""Pictures show what the facts say, and nothing else."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from kibitz import ALL_ROLLS, Position
from kibitz.engine.engine import Engine
from kibitz.explain import PlayExplanation
from kibitz.explain.explain import explain
from kibitz.explain.facts import facts_of
from kibitz.report.explanations import overlay_of, pair_svg, rolls_svg
from tests.explain.plain_facts import positions_of_play

NAMESPACE = "{http://www.w3.org/2000/svg}"


def test_primes_of_both_sides_are_shaded() -> None:
    # Given: five points in a row from the own 4 point on, four of the opponent's from his 5 point on.
    mine = dict.fromkeys(range(4, 9), 2) | {24: 2}
    theirs = dict.fromkeys(range(5, 9), 2) | {24: 2}
    overlay = overlay_of(facts_of(Position.of(mine, theirs).swapped()))
    assert set(overlay.shaded) == {4, 5, 6, 7, 8} | {20, 19, 18, 17}
    assert not overlay_of(facts_of(Position.start())).shaded


def test_every_blot_has_its_shots_and_every_ray_starts_at_a_checker_of_the_opponents() -> None:
    for position in positions_of_play(300, seed=8):
        facts = facts_of(position)
        overlay = overlay_of(facts)
        blots = {blot.their_point: blot.count for blot in facts.shots.blots}
        assert dict(overlay.marks) == {point: str(count) for point, count in blots.items()}
        assert {target for _, target in overlay.rays} <= {point for point, count in blots.items() if count}
        for source, target in overlay.rays:
            assert position.mine[25 - source - 1] > 0
            assert 0 < target - source <= 24


def test_the_map_of_rolls_shows_the_difference_of_each_of_the_36() -> None:
    explanation = explain("4HPwATDgc/ABMA", "31", "24/20", engine=Engine(threads=1, plies=1))
    assert isinstance(explanation, PlayExplanation)
    root = ElementTree.fromstring(rolls_svg(explanation.ledger, explanation.names))
    shown = [text.text for text in root.iter(f"{NAMESPACE}text")]
    for row in explanation.ledger.rows:
        assert shown.count(f"{row.difference:+.3f}") >= row.dice.weight
    assert len(list(root.iter(f"{NAMESPACE}title"))) == 37
    assert {title.text.split(":")[0] for title in root.iter(f"{NAMESPACE}title") if title.text} >= set(
        map(str, ALL_ROLLS)
    )
    boards = pair_svg(explanation)
    assert all(name in boards for name in explanation.names)
