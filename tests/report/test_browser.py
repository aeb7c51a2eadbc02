"""The page in a real browser: errors walked by keys, candidates drawn, filters, text without scripts, phones, print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.analysis.marks import Mark
from kibitz.report.html import page
from tests.analysis.samples import beavers, mock_review, short_review
from tests.chromium import violations
from tests.report.test_html import evil_review

Opener = Callable[..., Any]


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Opener]:
    """Opens a page of some width. Script errors, warnings and requests to elsewhere fail the test."""
    troubles: list[str] = []
    contexts = []

    def make(text: str, width: int = 1280, **options: Any) -> Any:
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 860}, **options)
        contexts.append(context)
        view = context.new_page()
        view.on("pageerror", lambda error: troubles.append(str(error)))
        view.on("console", lambda one: troubles.append(one.text) if one.type in ("error", "warning") else None)
        view.on("request", lambda one: troubles.append(one.url) if not one.url.startswith("file:") else None)
        view.on("dialog", lambda dialog: troubles.append(dialog.message))
        view.goto(path.as_uri())
        return view

    yield make
    for context in contexts:
        context.close()
    assert troubles == []


def at(view: Any) -> str:
    """The key of the item that is looked at."""
    return str(view.locator(".move.is-at").first.get_attribute("data-key"))


def test_the_page_opens_at_the_worst_error_and_keys_walk_the_others(opened: Opener) -> None:
    found = short_review()
    view = opened(page(found))
    worst = max(found.decisions, key=lambda one: one.lost)
    assert at(view).startswith(f"{worst.game}.{worst.index}.")
    marked = [one for one in found.decisions if one.mark is not Mark.NONE]
    view.keyboard.press("Home")
    seen = []
    for _ in marked:
        before = at(view)
        view.keyboard.press("Shift+ArrowRight")
        if at(view) == before:
            break
        seen.append(at(view))
        assert view.locator(".decision-mark.mark-good").count() == 0
    assert len(seen) == len(set(seen)) >= len(marked) - 1
    view.keyboard.press("Shift+ArrowLeft")
    assert at(view) == seen[-2]
    view.keyboard.press("2")
    view.keyboard.press("Home")
    view.keyboard.press("Shift+ArrowRight")
    assert view.locator(".decision-who").inner_text() == "Ben"


def test_a_player_has_one_colour_in_the_head_and_on_the_board(opened: Opener) -> None:
    """Given any decision, whoever makes it; then a name stands beside the same checker everywhere."""

    def colours(view: Any, places: str, name: str) -> dict[str, str]:
        found = view.locator(places).all()
        return {
            one.locator(name).inner_text(): one.locator(".token").get_attribute("class").split()[-1] for one in found
        }

    view = opened(page(short_review()))
    head = colours(view, ".card-who", "h2")
    assert sorted(head.values()) == ["dark", "light"]
    for _ in range(3):
        view.keyboard.press("ArrowRight")
        assert colours(view, ".strip", ".who") == head
    shapes = [one.evaluate("i => getComputedStyle(i).backgroundColor") for one in view.locator(".curve-legend i").all()]
    assert len(shapes) == 2 and len(set(shapes)) == 1  # the marks of the curve differ by shape alone


def test_the_right_and_the_played_play_are_drawn_and_candidates_on_click(opened: Opener) -> None:
    view = opened(page(short_review()))
    view.select_option("select[name=kind]", "checker")
    view.keyboard.press("Home")
    view.keyboard.press("Shift+ArrowRight")
    assert view.locator(".arrow.arrow-best").count() > 0
    assert view.locator(".arrow.arrow-chosen").count() > 0
    dashes = view.locator(".arrow.arrow-chosen").first.evaluate("one => getComputedStyle(one).strokeDasharray")
    assert dashes != "none"
    view.locator(".option-button").nth(2).click()
    view.mouse.move(5, 5)
    assert view.locator(".arrow.arrow-hover").count() > 0
    assert (
        view.locator(".option.is-selected .option-name").inner_text()
        == view.locator(".option-name").nth(2).inner_text()
    )
    view.keyboard.press("ArrowUp")
    assert (
        view.locator(".option.is-selected .option-name").inner_text()
        == view.locator(".option-name").nth(1).inner_text()
    )
    xgid = view.locator(".decision-id").inner_text()
    view.keyboard.press("x")
    view.wait_for_selector(".toast")
    assert xgid.startswith("XGID=")


def test_filters_curve_and_worst_first(opened: Opener) -> None:
    found = short_review()
    view = opened(page(found))
    marked = [one for one in found.decisions if one.mark is not Mark.NONE]
    moves = view.locator(".move")
    view.select_option("select[name=size]", "mark")
    assert moves.count() == len(marked)
    view.select_option("select[name=player]", "1")
    assert moves.count() == sum(one.player == 1 for one in marked)
    view.select_option("select[name=size]", "blunder")
    assert moves.count() == sum(one.player == 1 and one.is_blunder for one in marked)
    view.select_option("select[name=player]", "")
    view.select_option("select[name=size]", "error")
    assert moves.count() == len(found.errors())
    view.select_option("select[name=game]", "2")
    assert moves.count() == sum(one.game == 2 for one in found.errors())
    view.select_option("select[name=game]", "0")
    view.get_by_role("tab", name="Worst").click()
    losses = [
        float(text.split()[1]) for text in view.locator(".worst .move-mark").all_inner_texts() if len(text.split()) > 1
    ]
    assert losses == sorted(losses, reverse=True)
    link = view.locator(".curve-point").nth(4)
    link.click(force=True)
    view.get_by_role("tab", name="Moves").click()
    view.select_option("select[name=size]", "all")
    assert at(view) == link.get_attribute("data-key")
    assert view.url.endswith(f"#m1.{at(view)}")


def test_several_matches_begin_with_an_index(opened: Opener) -> None:
    view = opened(page([short_review(), mock_review(beavers()), short_review()]))
    assert view.locator("kb-board").count() == 0
    assert view.get_by_role("heading", name="Totals by player").is_visible()
    view.locator(".page-index a").nth(1).click()
    view.wait_for_selector("kb-board svg")
    assert "Money session" in view.locator(".match-head").inner_text()
    assert view.locator(".page-index").is_hidden()
    view.keyboard.press("i")
    view.wait_for_selector(".page-index", state="visible")
    assert view.locator("kb-board").count() == 0


def test_it_can_be_read_without_scripts(opened: Opener) -> None:
    found = short_review()
    view = opened(page(found), java_script_enabled=False)
    assert view.locator(".page-game").count() == 3
    worst = max(found.decisions, key=lambda one: one.lost)
    assert view.locator(".page-game").get_by_text(f"{worst.lost:.3f}", exact=True).first.is_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_is_wider_than_a_phone(opened: Opener, width: int) -> None:
    for text in (page(short_review()), page(evil_review())):
        view = opened(text, width)
        for tab in ("Moves", "Worst", "Statistics", "Text"):
            view.get_by_role("tab", name=tab).click()
            assert view.evaluate("document.documentElement.scrollWidth") <= width, tab


def test_the_page_prints(opened: Opener) -> None:
    view = opened(page(short_review()))
    view.emulate_media(media="print")
    assert view.locator(".review-controls").is_hidden()
    assert len(view.pdf()) > 10_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened: Opener, scheme: str) -> None:
    view = opened(page(short_review()), color_scheme=scheme, bypass_csp=True)
    assert violations(view) == []
    view.get_by_role("tab", name="Text").click()
    assert violations(view) == []
