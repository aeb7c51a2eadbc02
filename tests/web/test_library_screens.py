"""Library, study, jobs and settings in a real browser: what a person does there, and that hostile names stay text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from kibitz import Library
from kibitz.library.patterns import Pattern
from kibitz.study.decks import Study
from tests.chromium import violations, violations_in_every_theme
from tests.library.samples import random_match
from tests.service.running import Server
from tests.web.conftest import View

NASTY = "<img src=x onerror=window.hurt=1>"
LONG = {
    "position": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10",
    "preset": "roller",
    "trials": 300_000,
    "top": 3,
}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose library has reviewed matches and a deck."""
    folder = tmp_path_factory.mktemp("shelf")
    with Library(folder / "library.db") as library:
        for seed in range(3):
            players = ("Ada", (f"Ben {seed}", NASTY)[seed == 2])
            library.add(random_match(seed, length=1, players=players, date=f"2024-05-0{seed + 1}", event=NASTY))
        library.players.set_me("Ada")
        library.review("fast", threads=1)
    with Server(folder) as server:
        yield server


@pytest.fixture(scope="module")
def library(shelf: Server) -> Iterator[Library]:
    with Library(shelf.library) as library:
        yield library


@pytest.fixture(scope="module")
def client(shelf: Server) -> Iterator[httpx.Client]:
    with shelf.client() as client:
        yield client


@pytest.fixture(scope="module")
def shelf_cookies(shelf: Server, browser: Any) -> Any:
    context = browser.new_context()
    context.new_page().goto(f"{shelf.url}/?token={shelf.token}")
    found = context.cookies()
    context.close()
    return found


@pytest.fixture
def open_shelf(shelf: Server, browser: Any, shelf_cookies: Any) -> Iterator[Callable[..., View]]:
    made: list[View] = []

    def make(width: int = 1280) -> View:
        context = browser.new_context(viewport={"width": width, "height": 860})
        context.add_cookies(shelf_cookies)
        view = View(context.new_page(), shelf.url)
        view.go("/settings")
        view.choose(theme="light", speed=0, reviewLevel="fast")
        made.append(view)
        return view

    yield make
    troubles = [trouble for view in made for trouble in view.troubles]
    for view in made:
        assert view.page.evaluate("window.hurt") is None
        view.page.context.close()
    assert troubles == []


def count(page: Any) -> int:
    """How many decisions the list says it has."""
    return int(str(page.inner_text("kb-decision-list [role=status]")).split()[0])


# --- matches ----------------------------------------------------------------------------------------------------------


def test_files_come_in_with_a_report_and_matches_are_filtered(open_shelf: Callable[..., View], tmp_path: Path) -> None:
    view = open_shelf()
    page = view.go("/library")
    page.wait_for_selector("table.table tbody tr")
    assert page.locator("tbody tr").count() == 3
    sample, wrong = Path("examples/sample.mat"), tmp_path / f"{NASTY.replace('/', '')}.mat"
    wrong.write_text("no match at all")
    page.set_input_files("input[type=file]", [sample, wrong, sample])
    page.wait_for_selector("text=/Imported: 1 new, 1 refused, 1 known/")
    expect(page.locator("section[aria-label=Matches] tbody tr")).to_have_count(4)
    assert len(view.troubles) == 1 and "422" in view.troubles.pop()  # the browser tells of the refused one too
    row = page.locator("section[aria-label=Matches] tbody tr", has_text="2026-01-31")
    row.get_by_role("button", name="Review").click()
    expect(row).to_contain_text(re.compile(r"\d\.\d · \d+\.\d"), timeout=60_000)  # its PR comes when it is judged
    page.fill("input[name=opponent]", "Ben 1")
    page.press("input[name=opponent]", "Enter")
    page.wait_for_selector("section[aria-label=Matches] tbody tr:only-child")
    assert "Ben 1" in page.inner_text("section[aria-label=Matches] tbody")
    assert "opponent=Ben+1" in page.url
    assert violations(page) == []


def test_names_become_one_player(open_shelf: Callable[..., View], client: httpx.Client) -> None:
    page = open_shelf().go("/library/players")
    page.check("input[aria-label='Choose Ben 0']")
    page.check("input[aria-label='Choose Ben 1']")
    page.click("text=/Make 2 names one/")
    page.wait_for_selector("td:text-matches('ben 1')")
    names = {one["name"] for one in client.get("/v1/players").json()["players"]}
    assert "Ben 0" in names and "Ben 1" not in names and NASTY in names


# --- numbers, search, likeness ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("figure", ["decisions", "errors", "blunders"])
def test_a_number_of_the_statistics_opens_its_decisions(open_shelf: Callable[..., View], figure: str) -> None:
    page = open_shelf().go("/library/statistics")
    link = page.locator(f".figure:has-text('{figure}') a").first
    number = int(link.inner_text().replace(",", ""))
    link.click()
    page.wait_for_selector("kb-decision-list tbody tr")
    assert count(page) == number > 3
    assert page.locator("kb-board svg.board").count() == 1


def test_progress_and_sizes_of_errors_are_links_too(open_shelf: Callable[..., View]) -> None:
    page = open_shelf().go("/library/statistics")
    page.wait_for_selector(".plot a")
    assert page.locator(".plot a").count() >= 3
    bar = page.locator(".histogram a").last
    number = int(bar.inner_text())
    bar.click()
    page.wait_for_selector("kb-decision-list tbody tr")
    assert count(page) == number


def test_a_pattern_drawn_on_the_board_is_searched_and_saved(open_shelf: Callable[..., View], library: Library) -> None:
    page = open_shelf().go("/library/search")
    page.wait_for_selector("kb-board svg")
    page.focus("[data-place=p6]")
    page.keyboard.press("2")
    page.focus("[data-place=p8]")
    page.keyboard.press("2")
    page.click("button:text-is('Opponent')")
    page.focus("[data-place=p19]")
    page.keyboard.press("3")
    pattern = "6>=2 8>=2 o6>=3"
    assert page.inner_text("[aria-label='The pattern']") == pattern
    page.click("form button.btn-primary")
    page.wait_for_selector("kb-decision-list tbody tr")
    assert count(page) == library.count(pattern=Pattern.of(pattern)) > 3
    page.check("text=Also with the sides changed")
    page.keyboard.press("Escape")
    page.click("form button.btn-primary")
    page.wait_for_url(re.compile("mirrored=yes"))
    mirrored = library.count(pattern=Pattern.of(pattern, mirrored=True))
    page.wait_for_selector(f"kb-decision-list [role=status]:text-is('{mirrored} decisions')")
    page.click("text=Save search")
    page.fill("[aria-label='Name of the search']", "Six and eight")
    page.keyboard.press("Enter")
    page.wait_for_selector(".saved a:text-is('Six and eight')")
    page.reload()  # the address holds the search
    page.wait_for_selector(f"kb-decision-list [role=status]:text-is('{mirrored} decisions')")
    assert page.inner_text("[aria-label='The pattern']") == pattern
    page.click("text=More like this")
    page.wait_for_selector("h2:text-is('Most like it')")
    page.wait_for_selector("kb-decision-list tbody tr td.num:text-is('0')")
    assert violations(page) == []


# --- study ------------------------------------------------------------------------------------------------------------


def test_a_deck_is_made_and_a_card_is_studied(open_shelf: Callable[..., View], library: Library) -> None:
    page = open_shelf().go("/study")
    page.fill("input[name=name]", "Errors")
    page.select_option("select[name=kind]", "checker")
    page.click("text=Make the deck")
    page.click("section:has-text('Errors') >> text=Study")
    page.wait_for_selector("kb-study-card .entry-bar input")
    card = Study(library).next("Errors")
    assert card is not None
    right, wrong = card.question.rows[0].name, card.question.rows[-1].name
    page.keyboard.press("m")
    page.keyboard.type(wrong)
    page.keyboard.press("Enter")
    page.wait_for_selector(".grades")
    assert "loses" in page.inner_text("kb-study-card [role=status]")
    assert page.inner_text("kb-study-card [role=status] b") == right
    assert page.locator("kb-board .arrow-best").count() > 0
    assert violations(page) == []
    assert Study(library).card(card.id).is_new  # nothing is kept before the grade is accepted
    page.keyboard.press("1")
    page.wait_for_selector("text=1 answered")
    assert not Study(library).card(card.id).is_new
    page.goto(page.url.split("?")[0] + "?practice")
    page.wait_for_selector("text=practice")
    page.wait_for_selector("kb-study-card .entry-bar input")
    before = Study(library).decks()
    shown = Study(library).card(int(page.evaluate("document.querySelector('kb-study-card').card.id")))
    page.keyboard.press("m")
    page.keyboard.type(shown.question.rows[0].name)
    page.keyboard.press("Enter")
    page.wait_for_selector(".mark-good")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=1 answered")
    assert Study(library).decks() == before


# --- jobs -------------------------------------------------------------------------------------------------------------


def test_a_job_is_seen_as_it_runs_and_cancelled(open_shelf: Callable[..., View], client: httpx.Client) -> None:
    page = open_shelf().go("/jobs")
    page.wait_for_selector("h1:text-is('Jobs')")
    job = client.post("/v1/rollouts", json=LONG).json()["id"]
    page.wait_for_selector("progress")
    assert violations(page) == []
    page.click("button:text-is('Cancel')")
    page.wait_for_selector("td:text-is('cancelled')")
    assert client.get(f"/v1/jobs/{job}").json()["state"] == "cancelled"
    assert "Nothing runs" in page.inner_text("main")


# --- all of them ------------------------------------------------------------------------------------------------------

SCREENS = {
    "/library": "section[aria-label=Matches] tbody tr",
    "/library/statistics": ".figure",
    "/library/search?pattern=6%3E%3D2": "kb-decision-list tbody tr",
    "/library/decisions?blunder=yes": "kb-decision-list tbody tr",
    "/library/players": "tbody tr",
    "/study": "form",
    "/jobs": "h1",
    "/settings": "kb-board svg",
}


@pytest.mark.parametrize("width", [1280, 390])
def test_every_screen_is_accessible_in_every_theme_and_fits(open_shelf: Callable[..., View], width: int) -> None:
    view = open_shelf(width)
    for address, there in SCREENS.items():
        page = view.go(address)
        page.wait_for_selector(there)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
        assert violations_in_every_theme(page) == [], address
        assert page.evaluate("window.hurt") is None


def test_a_newcomer_is_told_what_to_do(open_shelf: Callable[..., View]) -> None:
    """No error message of the command line, and no question that cannot be answered yet."""
    view = open_shelf()
    view.page.route("**/v1/players", lambda route: route.fulfill(json={"players": []}))
    page = view.go("/study")
    expect(page.locator(".note")).to_contain_text("say who you are")
    page.click("text=Make the deck")
    expect(page.get_by_role("alert")).to_contain_text("Say first who you are")
    page = view.go("/library/statistics")
    expect(page.locator(".empty")).to_contain_text("Nobody has played yet")
    assert page.get_by_role("link", name="Import some matches").get_attribute("href") == "/library"


def test_settings_change_what_is_shown_at_once(open_shelf: Callable[..., View]) -> None:
    page = open_shelf().go("/settings")
    page.wait_for_selector("kb-board svg")
    before = page.inner_html("kb-board")
    page.check("text=Bear off to the left")
    assert page.inner_html("kb-board") != before
    page.select_option("label:has-text('Theme') select", "dark")
    assert page.get_attribute("html", "data-theme") == "dark"
    page.fill("input[name=me]", "Ada")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=You are Ada.")
