"""The page of a review: nothing from outside, nothing that a name could inject, and all that it promises."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

from kibitz.analysis.decisions import CurvePoint, Kind
from kibitz.analysis.marks import Mark
from kibitz.analysis.review import MatchReview
from kibitz.record import Game, Roll
from kibitz.report.boards import draw_board, shared_parts
from kibitz.report.curves import Scale, draw_curve
from kibitz.report.html import is_shown, page
from tests.analysis.samples import beavers, mock_review, short_match, short_review

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>{{ 7*7 }}"
VOID = {"meta", "use", "circle", "rect", "path", "br", "input"}


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


def test_the_page_is_well_formed_and_complete() -> None:
    found = short_review()
    checker = parse(page(found))
    shown = [decision for decision in found.decisions if is_shown(decision)]
    assert sum(tag == "details" and "decision" in value for tag, name, value in checker.attributes) == len(shown)
    assert sum(value == "board" for _, name, value in checker.attributes if name == "class") == len(shown)
    assert sum(value == "curve" for _, name, value in checker.attributes if name == "class") == 2 * 3
    assert len(checker.ids) == len(set(checker.ids))
    text = " ".join(checker.texts)
    for words in ("Ada", "Ben", "Snowie error rate", "XG performance rating (PR)", "Luck-adjusted result", "Game 3"):
        assert words in text


def test_the_cards_and_the_decisions_belong_to_their_players() -> None:
    found = short_review()
    text = page(found)
    cards = re.findall(r'<article class="card">.*?</article>', text, re.DOTALL)
    for card, name in zip(cards, ("Ada", "Ben"), strict=True):
        assert f"</i>{name}</h2>" in card
        assert f"<b>{found.statistics(name).pr:.1f}</b>" in card
        assert f'<i class="shape {"circle" if name == "Ada" else "square"}"' in card
    parts = re.findall(r'<details class="decision.*?</details>', text, re.DOTALL)
    lucks = {(roll.game, roll.index): roll for roll in found.rolls}
    shown = [decision for decision in found.decisions if is_shown(decision)]
    for part, decision in zip(parts, shown, strict=True):
        assert f'<span class="who">{decision.name}</span>' in part
        assert f'data-player="{decision.player}"' in part
        assert f"<b>{decision.chosen_name}</b>" in part
        assert ("Proper action: <b>" + decision.verdict + "</b>" in part) == (decision.cube is not None)
        assert "<th>MWC</th>" in part
        roll = lucks.get((decision.game, decision.index))
        told = re.search(r"Luck of the roll \d\d: (\S+) (\S*)</p>", part)
        if decision.kind is Kind.CHECKER:
            assert roll is not None
            assert told is not None
            assert told.groups() == (f"{roll.luck:+.3f}", roll.mark.symbol)
        else:
            assert told is None


def test_a_page_of_money_games_has_no_winning_chances_and_shows_all_that_was_done() -> None:
    found = mock_review(beavers())
    assert "<th>MWC</th>" not in page(found)
    assert {Kind.CUBE, Kind.ANSWER, Kind.COUNTER} <= {one.kind for one in found.decisions if is_shown(one)}
    cubes = [decision for decision in short_review().decisions if decision.kind is Kind.CUBE]
    hidden = [decision for decision in cubes if not is_shown(decision)]
    assert 0 < len(hidden) < len(cubes)
    assert not any(decision.counts or decision.is_error for decision in hidden)


def test_links_lead_somewhere() -> None:
    checker = parse(page(short_review()))
    links = [value[1:] for tag, name, value in checker.attributes if name == "href"]
    assert links
    assert set(links) <= set(checker.ids)


def test_a_name_injects_nothing() -> None:
    found = evil_review()
    harmless, evil = parse(page(short_review())), parse(page(found))
    assert evil.tags["script"] == harmless.tags["script"] == 1
    assert "img" not in evil.tags
    assert not any(name.startswith("on") for _, name, _ in evil.attributes)
    assert EVIL in "".join(evil.texts)  # as text, unchanged: neither run nor rendered
    assert "49" not in page(replace_players(found)).split("<h1>")[1].split("</h1>")[0]


def replace_players(found: MatchReview) -> MatchReview:
    return replace(found, match=replace(found.match, players=("{{ 7*7 }}", "b")))


def test_nothing_comes_from_outside() -> None:
    text = page(short_review())
    assert "default-src 'none'" in text
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", text)
    assert "@import" not in text
    assert "url(#" in text or "url(" not in text


def test_every_mark_has_a_symbol_and_a_number_beside_its_colour() -> None:
    found = short_review()
    text = page(found)
    for decision in found.decisions:
        if decision.mark is not Mark.NONE:
            assert f"<b>{decision.mark.symbol}</b> \N{MINUS SIGN}{decision.lost:.3f}" in text


def test_several_matches_share_a_page_without_sharing_ids() -> None:
    money = mock_review(beavers())
    checker = parse(page([short_review(), money, short_review()]))
    assert len(checker.ids) == len(set(checker.ids))
    assert "Money session" in " ".join(checker.texts)


def test_a_board_takes_about_two_kilobytes() -> None:
    sizes = [len(draw_board(decision.state, decision.play)) for decision in short_review().decisions]
    assert max(sizes) < 4_000
    assert sum(sizes) / len(sizes) < 2_800
    assert 'id="kb"' in shared_parts()


def test_a_curve_marks_each_error_by_shape_and_symbol() -> None:
    found = short_review()
    points = [point for point in found.curve if point.game == 1]
    errors = [decision for decision in found.game(1) if decision.mark is not Mark.NONE]
    svg = draw_curve(points, errors, ("Ada", "<Ben>"), mwc=True)
    assert svg.count("<circle") == sum(decision.player == 0 for decision in errors)
    assert svg.count("<rect") == sum(decision.player == 1 for decision in errors)
    assert "<Ben>" not in svg
    assert draw_curve([], [], ("a", "b"), mwc=False) == ""


def test_the_curve_ends_at_the_result() -> None:
    found = short_review()
    for number, game in enumerate(found.match.games, start=1):
        points = [point for point in found.curve if point.game == number]
        assert len(points) == 2 + sum(isinstance(action, Roll) for action in game.actions)
        assert game.result is not None
        assert (points[-1].equity > 0) == (game.result.winner == 0)
    assert found.curve[-1].mwc == (1.0 if found.match.winner == 0 else 0.0)


def test_a_curve_is_drawn_from_the_lowest_to_the_highest_value() -> None:
    for mwc, low, high in ((True, 0.0, 1.0), (False, -1.5, 1.5)):
        scale = Scale.of([CurvePoint(1, 0, 1, 1.2, 0.6)], mwc=mwc, player="Ada")
        assert (scale.low, scale.high) == (low, high)
        assert [scale.y(value) for value in (high, (low + high) / 2, low)] == [14, 89, 164]
        assert scale.y(high + 1) == scale.y(high), "what lies beyond is drawn at the edge"
