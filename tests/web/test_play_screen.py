"""The table in a real browser: a whole match by keyboard alone, taking back, the tutor, going on after a kill."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from tests.chromium import violations, violations_in_every_theme
from tests.service.running import Server
from tests.web.conftest import View

NASTY = '<img src=x onerror="window.hurt=1">'


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def begun(client: httpx.Client, **body: Any) -> Any:
    answer = client.post(
        "/v1/play", json={"opponent": "random", "length": 1, "seed": 5, "seat": 1, "name": "Ada", **body}
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


def at_table(view: View, game: Any, **settings: object) -> Any:
    view.go("/play")
    view.choose(speed=0, **settings)
    page = view.go(f"/play/{game['id']}")
    page.wait_for_selector("kb-play-table kb-board svg")
    return page


def asked(page: Any) -> str:
    return str(page.inner_text(".asked")).strip()


def settled(page: Any, version: int | None = None) -> None:
    """Wait until the service has answered and something is asked."""
    shown = "" if version is None else f'[data-version="{version}"]'
    page.wait_for_selector(f'.table-screen[aria-busy="false"]{shown}')


def test_a_whole_match_is_played_by_keyboard_alone(view: View, client: httpx.Client) -> None:
    """From the lobby to the review without a mouse: arrows and Enter on the board, plays typed, keys for the rest."""
    page = view.go("/play")
    view.choose(speed=0, opponent="random", length=1)
    page = view.go("/play")
    page.focus("input[name=opponent]:checked")
    page.keyboard.press("ArrowRight")  # the next opponent, and back
    page.keyboard.press("ArrowLeft")
    page.focus("form button.btn-primary")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/play/\d+$"))
    page.wait_for_selector("kb-play-table kb-board svg")
    number = int(page.url.rsplit("/", 1)[1])
    by_board = by_text = 0
    for _ in range(400):
        settled(page)
        game = client.get(f"/v1/play/{number}").json()
        if game["over"]:
            break
        settled(page, game["version"])
        if "play" not in game["choices"]:
            page.keyboard.press({"roll": "r", "take": "t", "next": "n"}[game["choices"][0]])
        elif not game["plays"]:
            page.keyboard.press("c")
        elif by_board < 3:
            by_board += _on_the_board(page, game["plays"][0])
        else:
            by_text += 1
            page.keyboard.press("m")
            page.keyboard.type(game["plays"][0]["play"])
            page.keyboard.press("Enter")
    assert by_board == 3 and by_text > 3
    page.wait_for_selector("text=Review the match")
    assert re.search(r"(You win|wins) the match", asked(page))
    assert page.evaluate("document.activeElement.textContent").strip() == "Review the match"
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(rf"/match/{game['match']}\b"))


def _on_the_board(page: Any, play: Any) -> int:
    """Enter a play by arrow keys and Enter: to each checker that moves, then confirm."""
    for source, _target in play["moves"]:
        place = "bar-mine" if source == 25 else f"p{source}"
        if page.evaluate("document.querySelector('kb-board').entry?.isComplete"):
            break
        _walk(page, place)
        before = page.evaluate("document.querySelector('kb-board').entry.steps.length")
        page.keyboard.press("Enter")
        if page.evaluate("document.querySelector('kb-board').entry.steps.length") == before:
            page.keyboard.press("Shift+Enter")
    complete = page.evaluate("document.querySelector('kb-board').entry.isComplete")
    if not complete:  # another order of the dice than the list's: type it instead
        page.keyboard.press("Escape")
        page.keyboard.press("m")
        page.keyboard.type(play["play"])
        page.keyboard.press("Enter")
        return 0
    page.wait_for_selector(".entry-bar .btn-primary:focus")
    page.keyboard.press("Enter")
    return 1


def _walk(page: Any, place: str) -> None:
    """Go to a point with the arrow keys, as a person would who sees where the focus is."""
    page.evaluate("document.querySelector('kb-board [tabindex=\"0\"][data-place]').focus()")
    where = """place => {
      const box = name => document.querySelector(`kb-board [data-place="${name}"]`).getBoundingClientRect();
      const [a, b] = [box(document.activeElement.dataset.place), box(place)];
      return [b.left + b.width / 2 - a.left - a.width / 2, b.top + b.height / 2 - a.top - a.height / 2];
    }"""
    for _ in range(40):
        x, y = page.evaluate(where, place)
        if abs(x) < 5 and abs(y) < 20:
            break
        if abs(y) > 20:
            page.keyboard.press("ArrowDown" if y > 0 else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if x > 0 else "ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.place") == place


def test_a_play_is_taken_back_and_the_dice_come_again(view: View, client: httpx.Client) -> None:
    page = at_table(view, begun(client, length=3, seed=8), autoroll=False)
    settled(page)
    while not asked(page).startswith("Your play"):
        page.keyboard.press("r")
        settled(page)
    task = asked(page)
    dice = page.get_attribute("[data-place=dice]", "aria-label")
    page.keyboard.press("m")
    game = client.get(page.url.replace("/play/", "/v1/play/")).json()
    page.keyboard.type(game["plays"][0]["play"])
    page.keyboard.press("Enter")
    settled(page, game["version"] + 1)
    page.click("text=Take back")
    settled(page, game["version"] + 2)
    if asked(page) != task:
        page.keyboard.press("r")
        settled(page)
    assert asked(page) == task and page.get_attribute("[data-place=dice]", "aria-label") == dice
    assert violations(page) == []


def test_the_tutor_warns_before_a_blunder_is_made(view: View, client: httpx.Client) -> None:
    game = begun(client, length=5, seed=3, opponent="expert")
    while "play" not in game["choices"] or len(game["plays"]) < 8:
        body = {"action": game["choices"][0], **({"play": game["plays"][0]["play"]} if game["plays"] else {})}
        game = client.post(f"/v1/play/{game['id']}/actions", json=body).json()
    worst = client.get(f"/v1/play/{game['id']}/hint").json()["plays"]
    page = at_table(view, game, tutor=True, tutorLimit=0.02)
    page.keyboard.press("m")
    page.keyboard.type(worst[-1]["play"])
    page.keyboard.press("Enter")
    page.wait_for_selector(".tutor")
    assert "loses" in page.inner_text(".tutor")
    assert worst[0]["play"] not in page.inner_text(".tutor")
    assert violations(page) == []
    assert client.get(f"/v1/play/{game['id']}").json()["version"] == game["version"]
    page.click(".tutor >> text=Show me")
    page.wait_for_selector(f".tutor b:text-is({worst[0]['play']!r})")
    page.click("text=Think again")
    page.keyboard.press("m")
    page.keyboard.press("Control+a")
    page.keyboard.type(worst[0]["play"])
    page.keyboard.press("Enter")
    settled(page, game["version"] + 1)


@pytest.mark.parametrize(("opponent", "name"), [("tabula", "Tabula"), ("ten-factor", "Ten factors")])
def test_engines_that_explain_themselves_are_opponents_too(
    view: View, client: httpx.Client, opponent: str, name: str
) -> None:
    page = view.go("/play")
    page.click(f".opponent:has-text('{name}')")
    assert f"against {name}" in page.inner_text(".panel-foot")
    game = begun(client, opponent=opponent, seed=8)
    while not any(one["player"] == 0 and one["choice"] == "play" for one in game["happened"]):
        body = {"action": game["choices"][0], **({"play": game["plays"][0]["play"]} if game["plays"] else {})}
        game = client.post(f"/v1/play/{game['id']}/actions", json=body).json()
    page = at_table(view, game)
    settled(page)
    assert re.search(rf"{name} plays [1-6]{{2}}: \S+", page.inner_text(".moves-log"))


def test_money_is_played_with_its_rules_and_a_clock_only_where_it_is_wanted(view: View, client: httpx.Client) -> None:
    page = view.go("/play")
    page.get_by_role("radio", name="Money").click()
    page.click("text=Rules, colour, clock")
    assert page.get_by_label("Jacoby rule").is_checked() and not page.get_by_label("Beavers").is_checked()
    assert not page.get_by_label("Clock").is_checked()
    page.get_by_label("Beavers").check()
    page.get_by_label("Clock").check()
    page.get_by_label("Minutes for the match").fill("3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/play/\d+$"))
    expect(page.get_by_role("timer", name="Your time")).to_have_text(re.compile(r"[23]:\d\d"))
    game = client.get(page.url.replace("/play/", "/v1/play/")).json()
    assert game["length"] == 0 and game["state"]["match"]["beavers"] and game["state"]["match"]["jacoby"]
    page = at_table(view, begun(client))
    settled(page)
    assert page.get_by_role("timer").count() == 0


def test_a_click_on_the_cube_doubles_and_one_on_the_board_rolls(view: View, client: httpx.Client) -> None:
    for place in ("p5", "cube"):
        game = begun(client, length=3, seed=3, opponent="expert")
        while "double" not in game["choices"]:
            body = {"action": game["choices"][0], **({"play": game["plays"][0]["play"]} if game["plays"] else {})}
            game = client.post(f"/v1/play/{game['id']}/actions", json=body).json()
        page = at_table(view, game, autoroll=False)
        settled(page, game["version"])
        assert asked(page) == "Roll or double?"
        page.click(f"[data-place={place}]")
        settled(page, game["version"] + 1)
        assert ("You double to 2" in page.inner_text(".moves-log")) == (place == "cube")
        assert (page.locator("[data-place=dice]").count() == 1) == (place == "p5")


def test_resigning_is_answered_in_words(view: View, client: httpx.Client) -> None:
    page = at_table(view, begun(client, length=3, seed=12, opponent="expert"))
    settled(page)
    page.keyboard.press("Shift+R")
    page.click("text=A gammon")
    settled(page)
    said = page.inner_text(".moves-log")
    assert "You offer to lose a gammon" in said
    assert "accepts the resignation" in said or "does not accept that" in said


def test_a_match_goes_on_after_the_server_was_killed(tmp_path: Path, browser: Any) -> None:
    """With the roll that was not played yet."""
    with Server(tmp_path) as server, server.client() as client:
        game = begun(client, length=3, seed=5)
        while "play" not in game["choices"]:
            game = client.post(f"/v1/play/{game['id']}/actions", json={"action": "roll"}).json()
        server.kill()
    with Server(tmp_path) as again:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{again.url}/?token={again.token}")
        page.goto(f"{again.url}/play")
        page.click("text=Resume")
        page.wait_for_selector("kb-play-table [data-place=dice]")
        high, low = sorted(game["state"]["dice"], reverse=True)
        assert page.get_attribute("[data-place=dice]", "aria-label") == f"dice, {high} and {low}"
        context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_lobby_and_table_are_accessible_in_every_theme(
    open_view: Callable[..., View], client: httpx.Client, width: int
) -> None:
    view = open_view(width=width)
    page = view.go("/play")
    view.choose(theme="light", speed=0)
    game = begun(client, name=NASTY)
    for address, there in (("/play", "kb-play-lobby .opponent"), (f"/play/{game['id']}", "kb-play-table kb-board svg")):
        page = view.go(address)
        page.wait_for_selector(there)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations_in_every_theme(page) == []
        assert page.evaluate("window.hurt") is None
