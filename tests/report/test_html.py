"""The page of a review: nothing from outside, nothing that a name could inject, and all that it promises."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from kibitz.analysis.decisions import Kind
from kibitz.analysis.marks import Mark
from kibitz.analysis.review import MatchReview
from kibitz.position import Position
from kibitz.record import Game, Roll
from kibitz.replay import after_steps
from kibitz.report import bundle
from kibitz.report.html import is_shown, page
from kibitz.report.page_data import packed
from kibitz.report.several import totals
from tests.analysis.samples import beavers, mock_review, short_match, short_review

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}</title><!--\u2028"
VOID = {"meta", "br", "input"}
STATIC = Path(__file__).resolve().parents[2] / "src" / "kibitz" / "web" / "static"


class Checker(HTMLParser):
    """Notes all elements and attributes, and that every element is closed in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: dict[str, int] = {}
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attrs:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.texts.append(data)


def parse(text: str) -> Checker:
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    return checker


def evil_review() -> MatchReview:
    match = short_match()
    first = match.games[0]
    action = replace(first.actions[0], comment=EVIL)
    game: Game = replace(first, actions=(action, *first.actions[1:]), comment=EVIL)
    match = replace(match, players=(EVIL, EVIL + "2"), event=EVIL, comments=(EVIL,), games=(game, *match.games[1:]))
    return mock_review(match)


def rows(text: str) -> list[str]:
    """The rows of the tables of decisions, those with more about an error left out."""
    found = re.findall(r'<tr><td class="num">\d+</td>.*?</tr>', text)
    assert found
    return found


# --- text -------------------------------------------------------------------------------------------------------------


def test_the_page_is_well_formed_and_complete_without_scripts() -> None:
    found = short_review()
    text = page(found)
    checker = parse(text)
    assert len(rows(text)) == sum(is_shown(decision) for decision in found.decisions)
    assert len(checker.ids) == len(set(checker.ids))
    words = " ".join(checker.texts)
    for wanted in ("Ada", "Ben", "Snowie error rate", "XG performance rating (PR)", "Luck-adjusted result", "Game 3"):
        assert wanted in words


def test_the_rows_belong_to_their_decisions() -> None:
    found = short_review()
    text = page(found)
    lucks = {(roll.game, roll.index): roll for roll in found.rolls}
    shown = [decision for decision in found.decisions if is_shown(decision)]
    for row, decision in zip(rows(text), shown, strict=True):
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row)
        assert cells[:2] == [str(decision.number), decision.name]
        assert cells[3].startswith(decision.chosen_name)
        assert cells[5] == (f"{decision.lost:.3f}" if decision.lost else "")
        assert cells[6].startswith(f"<b>{decision.mark.symbol}</b>" if decision.mark.symbol else "")
        if decision.kind is Kind.CHECKER:
            roll = lucks[decision.game, decision.index]
            assert cells[7] == f"{roll.luck:+.3f} {roll.mark.symbol}"
        else:
            assert cells[7] == ""
    for number, name in enumerate(("Ada", "Ben")):
        assert f'<tr><th scope="row">{name}</th><td class="num">{found.statistics(number).pr:.1f}</td>' in text


def test_every_error_names_its_candidates_and_its_position() -> None:
    found = short_review()
    text = page(found)
    marked = [decision for decision in found.decisions if decision.mark is not Mark.NONE]
    assert marked
    for decision in marked:
        assert f"<code>{decision.state.xgid}</code>" in text
        assert f"{decision.best.name} {decision.best.equity:+.3f}" in text


def test_what_is_shown() -> None:
    found = mock_review(beavers())
    assert {Kind.CUBE, Kind.ANSWER, Kind.COUNTER} <= {one.kind for one in found.decisions if is_shown(one)}
    cubes = [decision for decision in short_review().decisions if decision.kind is Kind.CUBE]
    hidden = [decision for decision in cubes if not is_shown(decision)]
    assert 0 < len(hidden) < len(cubes)
    assert not any(decision.counts or decision.is_error for decision in hidden)


def test_several_matches_have_an_index_and_totals() -> None:
    money = mock_review(beavers())
    text = page([short_review(), money, short_review()])
    checker = parse(text)
    assert len(checker.ids) == len(set(checker.ids))
    links = [value[1:] for tag, name, value in checker.attributes if name == "href"]
    assert links == ["m1", "m2", "m3"]
    assert set(links) <= set(checker.ids)
    words = " ".join(checker.texts)
    assert "Money session" in words
    assert "Totals by player" in words
    assert "Totals by player" not in page(short_review())


def test_large_and_small_letters_make_no_other_player() -> None:
    shouted = mock_review(replace(short_review().match, players=("ADA", "Ben")))
    found = {total.name: total.matches for total in totals([short_review(), shouted])}
    assert found == {"Ada": 2, "Ben": 2}


# --- nothing foreign --------------------------------------------------------------------------------------------------


def test_a_name_injects_nothing() -> None:
    found = evil_review()
    harmless, evil = parse(page(short_review())), parse(page(found))
    assert evil.tags["script"] == harmless.tags["script"] == 2
    assert "img" not in evil.tags
    assert not any(name.startswith("on") for _, name, _ in evil.attributes)
    assert EVIL in "".join(evil.texts)  # as text, unchanged: neither run nor rendered
    data = re.search(r'<script type="application/json" data-match="1">(.*?)</script>', page(found), re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["match"]["players"] == [EVIL, EVIL + "2"]
    assert not set("<>&\u2028\u2029") & set(data[1])


def test_the_policy_allows_the_page_s_own_script_and_nothing_else() -> None:
    text = page(short_review())
    told = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    assert told is not None
    policy = told[1].replace("&#39;", "'")
    assert policy == bundle.policy()
    assert "unsafe" not in policy
    for part in ("default-src 'none'", "base-uri 'none'", "form-action 'none'"):
        assert part in policy
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert script is not None
    assert style is not None
    assert f"script-src {bundle.hash_of(script[1])};" in policy
    assert f"style-src {bundle.hash_of(style[1])};" in policy


def test_nothing_comes_from_outside() -> None:
    text = page(short_review())
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", text)
    assert "@import" not in text
    assert "url(http" not in text


def test_the_script_is_the_face_s_own_modules() -> None:
    """Every module that the entry needs, each once, and no trace of imports and exports."""
    script = bundle.script()
    wanted, waiting = set(), [STATIC / bundle.ENTRY]
    while waiting:
        path = waiting.pop().resolve()
        if path not in wanted:
            wanted.add(path)
            text = path.read_text(encoding="utf-8")
            waiting += [path.parent / one for one in re.findall(r'^import[^;]*?"(\.[^"]+)";', text, re.MULTILINE)]
    assert len(wanted) > 12
    assert len(re.findall(r"^const m\d+ = \(\(\) => \{$", script, re.MULTILINE)) == len(wanted)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "</script" not in script
    assert "Redistributions" in script, "the licence of what is not ours goes with it"


# --- data -------------------------------------------------------------------------------------------------------------


READ = """
import { unpack } from "%s/elements/review-data.js";
let text = "";
for await (const part of process.stdin) text += part;
const { told, review, sections, items } = unpack(JSON.parse(text));
console.log(JSON.stringify({ moments: told.moments, review, sections, items: items.map((one) => one.key) }));
"""


def near(given: Any, expected: Any) -> None:
    """Equal but for rounding to what is shown."""
    if isinstance(expected, dict):
        for name in given.keys() & expected.keys():
            near(given[name], expected[name])
    elif isinstance(expected, list):
        assert len(given) == len(expected)
        for one, other in zip(given, expected, strict=True):
            near(one, other)
    elif isinstance(expected, float):
        assert given == pytest.approx(expected, abs=6e-5)
    else:
        assert given == expected


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("match", [short_match, beavers], ids=["match", "beavers"])
def test_what_is_read_back_is_what_the_service_tells(match: Any) -> None:
    found = mock_review(match())
    code = READ % STATIC.as_uri()
    run = subprocess.run(
        ["node", "--input-type=module", "-e", code], input=json.dumps(packed(found, [])), capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    read = json.loads(run.stdout)
    expected = json.loads(json.dumps(found.to_dict()))
    dropped = ("position_id", "rank", "level")
    for one, moment in zip(read["moments"], found.match.moments(), strict=True):
        state = moment.state.to_dict()
        near({k: v for k, v in one["state"].items() if k not in dropped}, json.loads(json.dumps(state)))
        assert one["state"]["xgid"] == state["xgid"]
        if moment.play is not None:
            assert one["play"]["play"] == str(moment.play)
            assert after_steps(moment.state.position, one["play"]["moves"]) == moment.play.result
    assert len(read["review"]["decisions"]) == len(expected["decisions"]) > 0
    for one, decision in zip(read["review"]["decisions"], expected["decisions"], strict=True):
        for name in ("game", "index", "player", "kind", "chosen", "best", "mark", "flaw", "error", "blunder", "counts"):
            assert one[name] == decision[name]
        near(one["lost"], decision["lost"])
        if "plays" in decision["decision"]:
            for play, other in zip(one["decision"]["plays"], decision["decision"]["plays"], strict=True):
                assert play["play"] == other["play"]
                board = Position(*(tuple(one["decision"]["state"]["position"][side]) for side in ("mine", "theirs")))
                assert after_steps(board, play["moves"]).id == other["result"]
                near(play["equity"], other["equity"])
                near(play["evaluation"], other["evaluation"])
        elif decision["kind"] in ("double", "answer"):
            for name in ("no_double", "double_take", "double_pass", "equity"):
                near(one["decision"][name], decision["decision"][name])
        assert one["decision"]["state"]["xgid"] == decision["decision"]["state"]["xgid"]
    near(read["review"]["curve"], expected["curve"])
    near(read["review"]["rolls"], expected["rolls"])
    assert len(read["sections"]) == 1 + len(found.match.games)
    assert len(read["items"]) == len(set(read["items"]))


def test_a_decision_takes_little_of_the_page() -> None:
    one, two = len(page([short_review()] * 2)), len(page([short_review()] * 4))
    assert (two - one) / 2 / len(short_review().decisions) < 900


def test_the_curve_ends_at_the_result() -> None:
    found = short_review()
    for number, game in enumerate(found.match.games, start=1):
        points = [point for point in found.curve if point.game == number]
        assert len(points) == 2 + sum(isinstance(action, Roll) for action in game.actions)
        assert game.result is not None
        assert (points[-1].equity > 0) == (game.result.winner == 0)
    assert found.curve[-1].mwc == (1.0 if found.match.winner == 0 else 0.0)
