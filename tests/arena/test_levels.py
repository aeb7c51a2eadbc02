"""Levels by strength and time: the table, the picture, the page, and levels as players of the arena."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kibitz.arena.levels import OTHERS, LevelPoint, draw_levels, levels_section, levels_table, load_points
from kibitz.arena.publish import Plan, page
from kibitz.arena.rules import ArenaRules
from kibitz.arena.specs import PlayerSpec
from kibitz.errors import EngineError, FormatError

POINTS = [
    LevelPoint("fast", 0.2, {"money": (1.5, 0.07, 7000), "match5": (1.3, 0.06, 7000)}),
    LevelPoint("standard", 3.0, {"money": (0.44, 0.03, 7000)}, {"money": (0.31, 0.06)}),
    LevelPoint("deep", 40.0, {"money": (0.36, 0.05, 1500), "match5": (0.35, 0.05, 1500)}),
]


def test_the_table_tells_errors_and_how_much_was_measured() -> None:
    head, _, *rows = levels_table(POINTS)
    assert head.count("|") == rows[0].count("|") == 8
    assert rows[0] == "| fast | 1.50 ± 0.07 | 1.30 ± 0.06 |  |  | 0.2 | 14,000 |"
    assert rows[1] == "| standard | 0.44 ± 0.03 |  | 0.31 ± 0.06 |  | 3.0 | 7,000 |"


def test_the_picture_has_every_level_and_every_other_engine() -> None:
    root = ElementTree.fromstring(draw_levels(POINTS))
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {one.name for one in POINTS} | {f"{one.engine} {one.name}" for one in OTHERS} <= set(words)
    dots = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(dots) == len(POINTS) + sum(one.milliseconds is not None for one in OTHERS)
    # Slower is further right, and better further down.
    ours = dots[-3:]
    assert [float(dot.attrib["cx"]) for dot in ours] == sorted(float(dot.attrib["cx"]) for dot in ours)
    assert [float(dot.attrib["cy"]) for dot in ours] == sorted(float(dot.attrib["cy"]) for dot in ours)


def test_the_page_shows_what_the_plan_names(tmp_path: Path) -> None:
    (tmp_path / "levels.json").write_text(json.dumps([one.to_dict() for one in POINTS]))
    (tmp_path / "plan.toml").write_text('[levels]\npoints = "levels.json"\npicture = "levels.svg"\n')
    plan = Plan.load(tmp_path / "plan.toml")
    assert list(plan.levels) == POINTS
    text = page([], None, levels_section(plan.levels, plan.picture), command="kibitz arena publish")
    assert "![PR against time](levels.svg)" in text
    assert "| deep | 0.36 ± 0.05 |" in text
    assert "## Levels" not in page([], None, command="kibitz arena publish")


@pytest.mark.parametrize(
    "text", ["", "{}", '[{"name": "deep"}]', '[{"name": "x", "milliseconds": 1, "prs": {"money": 3}}]']
)
def test_what_is_no_measurement_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "levels.json"
    path.write_text(text)
    if text == "{}":
        assert load_points(path) == []
        return
    with pytest.raises(FormatError, match=r"levels\.json"):
        load_points(path)


def test_a_level_with_steps_is_a_player_of_the_arena() -> None:
    rules = ArenaRules(cube=False)
    assert PlayerSpec.parse("kibitz:deep").native(rules) is None
    assert PlayerSpec.parse("kibitz:standard").native(rules) is not None
    player = PlayerSpec.parse("kibitz:deep").make(rules)
    assert player.name == "kibitz deep"
    assert player.to_dict()["level"] == "deep"
    with pytest.raises(EngineError, match="says itself how deep"):
        PlayerSpec.parse("kibitz:deep,plies=2").make(rules)


def test_a_duel_of_a_package_that_is_missing_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.arena.publish import publish

    monkeypatch.setattr("kibitz.arena.specs.find_spec", lambda _: None)
    plan = tmp_path / "plan.toml"
    plan.write_text('[[duel]]\nfirst = "kibitz:0"\nsecond = "bgsage:0"\ncube = false\ngames = 4\n')
    text = publish(Plan.load(plan), folder=tmp_path / "logs", command="kibitz arena publish")
    assert "bgsage" not in text
