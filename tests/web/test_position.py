"""The position screen and the start in a real browser, as a person sees them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from kibitz import Engine, parse
from tests.chromium import violations_in_every_theme
from tests.web.conftest import View
from tests.web.hostile import injections

PLAY = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
CUBE = "XGID=--b-BBC-C---dC---c-e--a-B-:0:0:1:00:2:3:0:7:10"
SAMPLE = Path(__file__).parents[2] / "examples" / "sample.mat"


def shown(view: View, xgid: str) -> Any:
    """The page of a position, with its analysis."""
    page = view.go("/position?xgid=" + xgid.removeprefix("XGID="))
    page.wait_for_selector(".verdict h2:not(:has-text('Looking'))")
    return page


def settled(page: Any) -> None:
    """Wait until the engine has looked as deep as it was asked to."""
    expect(page.locator(".verdict .busy")).to_have_count(0)


# --- the start -------------------------------------------------------------------------------------------------------


def test_paste_and_analyse(view: View) -> None:
    page = view.go("/")
    page.get_by_label("A position or a match").fill(f"what about {PLAY} here?")
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("heading", name="8/5 6/5")).to_be_visible()
    assert "xgid=-b----E-C---eE---c-e----B-:0:0:1:31" in page.url
    settled(page)
    best = Engine(plies=2).rank(parse(PLAY), listed=5)[0]
    row = page.locator("tr.is-best")
    assert f"+{best.equity:.3f}" in row.inner_text()
    assert f"{100 * best.evaluation.win:.1f}%" in row.inner_text()
    page.go_back()
    expect(page.get_by_role("link", name="White plays 31: 8/5 6/5").first).to_be_visible()


DROPPED = """([name, text]) => {
  const data = new DataTransfer();
  if (name) data.items.add(new File([text], name));
  else data.setData("text/plain", text);
  return data;
}"""


def test_a_file_or_a_text_is_dropped(view: View) -> None:
    """On the start and on a position that is shown."""
    page = view.go("/")
    page.wait_for_selector("#open-text")
    file = page.evaluate_handle(DROPPED, ["cube.txt", f"A position\n{CUBE}\nWhat now?"])
    page.dispatch_event(".open-box", "drop", {"dataTransfer": file})
    page.wait_for_url(f"**/position?xgid={CUBE[5:]}")
    page.wait_for_selector(".position .board")
    page.dispatch_event(".position", "drop", {"dataTransfer": page.evaluate_handle(DROPPED, ["", PLAY])})
    page.wait_for_url(f"**/position?xgid={PLAY[5:]}")
    expect(page.locator(".strip .task")).to_have_text("to play 31")


def test_what_is_no_position_is_told_in_one_line(view: View) -> None:
    page = view.go("/")
    page.get_by_label("A position or a match").fill("hello")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("hello")
    view.troubles.clear()  # the browser itself notes the 422


def test_a_match_file_goes_to_its_screen(view: View) -> None:
    page = view.go("/")
    page.locator("input[type=file]").set_input_files(SAMPLE)
    page.wait_for_url("**/match/*")
    page = view.go("/")
    page.wait_for_selector("#open-text")
    drop = """async text => {
      const data = new DataTransfer();
      data.items.add(new File([text], "sample.mat"));
      document.querySelector(".open-box").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
    }"""
    page.evaluate(drop, SAMPLE.read_text())
    page.wait_for_url("**/match/*")


# --- answers ---------------------------------------------------------------------------------------------------------


def test_candidates_are_drawn_and_chosen_by_keys_and_pointer(view: View) -> None:
    page = shown(view, PLAY)
    settled(page)
    expect(page.locator("path.arrow-best")).to_have_count(2)
    page.locator("tbody tr").nth(2).hover()
    expect(page.locator("path.arrow-hover")).not_to_have_count(0)
    page.mouse.move(5, 5)
    expect(page.locator("path.arrow-hover")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    expect(page.locator("tbody tr").nth(1)).to_have_class("is-selected")
    expect(page.locator("path.arrow-chosen")).not_to_have_count(0)
    chosen = page.locator("tbody tr").nth(1).locator(".play-name").inner_text()
    expect(page.locator(".chance-body")).to_contain_text(f"After {chosen}")
    page.keyboard.press("a")
    expect(page.locator("path.arrow")).to_have_count(0)
    page.keyboard.press("a")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator(".strip .task")).to_have_text("on roll")
    expect(page).to_have_url(re.compile(":0:0:-1:00:"))
    page.go_back()
    expect(page.get_by_role("heading", name="8/5 6/5")).to_be_visible()


def test_a_cube_decision_and_its_window(view: View) -> None:
    page = shown(view, CUBE)
    settled(page)
    decision = Engine(plies=2).cube(parse(CUBE))
    table = page.locator(".cube-table")
    assert f"{decision.no_double:+.3f}".replace("-", "\u2212") in table.inner_text()
    assert f"{decision.double_take:+.3f}".replace("-", "\u2212") in table.inner_text()
    expect(page.locator(".verdict h2")).to_have_text(decision.best.capitalize())
    expect(page.locator(".window figcaption")).to_contain_text("Double from")
    page.keyboard.press("d")  # the same position as a checker play
    page.wait_for_selector(".entry-bar")
    page.keyboard.press("d")
    expect(page.locator(".cube-table")).to_be_visible()


def test_depth_is_chosen_and_work_is_left_behind_when_one_moves_on(view: View) -> None:
    page = shown(view, PLAY)
    settled(page)
    expect(page.locator(".verdict p").first).to_contain_text("2-ply")
    page.keyboard.press("4")
    page.wait_for_selector(".verdict .busy")
    page.keyboard.press("d")  # another question: the first one is given up
    page.keyboard.press("1")
    settled(page)
    expect(page.locator(".verdict p").first).to_contain_text("1-ply")
    expect(page.locator(".cube-table")).to_be_visible()


LATE = """address => {
  const screen = document.querySelector("kb-position");
  const old = screen.decision;
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
  screen.answered(old);
}"""


def test_an_answer_that_comes_late_does_not_bring_the_old_position_back(view: View) -> None:
    page = shown(view, CUBE)
    settled(page)
    page.evaluate(LATE, f"/position?xgid={PLAY[5:]}")
    expect(page.locator(".strip .task")).to_have_text("to play 31")
    expect(page.get_by_role("heading", name="8/5 6/5")).to_be_visible()
    assert PLAY[5:] in page.url


def test_every_tab_says_something(view: View) -> None:
    page = shown(view, PLAY)
    settled(page)
    page.keyboard.press("1")
    expect(page.locator(".why-words")).to_contain_text("8/5 6/5 is better than")
    page.locator("tbody tr").nth(4).click()
    fifth = page.locator(".plays tbody tr").nth(4).locator(".play-name").inner_text()
    expect(page.locator(".why-words")).to_contain_text(fifth)
    page.get_by_role("tab", name="What if").click()
    for name in ("Own cube", "Money", "DMP", "Gammon-go", "Gammon-save"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="C to 2: 8/5 6/5", exact=True)).to_be_visible()
    page.get_by_role("button", name="3 to 4: 8/5 6/5", exact=True).hover()
    expect(page.locator("kb-whatif [role=status]")).to_contain_text("8/5 6/5 +")
    page.get_by_role("tab", name="Rolls").click()
    expect(page.locator(".rolls .cell")).to_have_count(21)
    page.get_by_role("button", name="55:").click()
    expect(page.locator("kb-rolls [role=status]")).to_contain_text("best")
    page.get_by_role("tab", name="IDs").click()
    expect(page.locator(".ids")).to_contain_text("4HPwATDgc/ABMA")
    page.get_by_role("tab", name="History").click()
    expect(page.locator("[role=tabpanel] a").first).to_contain_text("8/5 6/5")
    page.get_by_role("tab", name="What if").click()
    page.get_by_role("button", name="DMP", exact=True).click()
    expect(page.locator(".strip").first).to_contain_text("0 of 1")


def test_a_rollout_is_started_watched_and_cancelled(view: View) -> None:
    page = shown(view, PLAY)
    page.get_by_role("tab", name="Rollout").click()
    expect(page.locator("kb-rollout .hint")).to_contain_text("of one core")
    page.locator("kb-rollout select").select_option("world-class")
    page.get_by_role("button", name="Roll out").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("kb-rollout [role=status]")).to_contain_text("cancelled")
    page.locator("kb-rollout select").select_option("roller")
    page.get_by_label("Plays").fill("2")
    page.get_by_role("button", name="Roll out").click()
    expect(page.locator("kb-rollout [role=status]")).to_contain_text("done, 360 games", timeout=60_000)
    expect(page.locator("kb-rollout tr.is-best")).to_contain_text("8/5 6/5")
    expect(page.locator("kb-rollout .interval")).to_have_count(2)
    page.goto(view.url + "/jobs")
    assert PLAY[5:] in page.get_by_role("link", name="Rollout (roller)").first.get_attribute("href")


# --- editing ---------------------------------------------------------------------------------------------------------


def test_edit_in_place(view: View) -> None:
    page = shown(view, PLAY)
    page.keyboard.press("e")
    box = page.locator("[data-place=p7]").bounding_box()
    # The board has all fifteen: first take two away, then put two elsewhere.
    page.locator("[data-place=p24]").focus()
    page.keyboard.press("-")
    page.keyboard.press("-")
    expect(page.locator("[data-place=p24]")).to_have_attribute("aria-label", "24 point, empty")
    height = box["height"] / 12
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4 * height)
    expect(page.locator("[data-place=p7]")).to_have_attribute("aria-label", "7 point, 2 White")
    page.locator("[data-place=p2]").click(button="right")
    expect(page.locator("[data-place=p2]")).to_have_attribute("aria-label", "2 point, empty")  # Black has none left
    page.get_by_label("Match to").fill("5")
    page.get_by_label("Match to").blur()
    page.get_by_label("White has").fill("4")
    page.get_by_label("White has").blur()
    page.get_by_role("checkbox", name="Crawford").check()
    expect(page.locator(".crawford")).to_have_text("Crawford")
    page.get_by_label("First die").select_option("6")
    page.get_by_label("Second die").select_option("6")
    expect(page).to_have_url(re.compile(":66:4:0:1:5:"))
    state = parse("XGID=" + page.url.partition("xgid=")[2])
    assert state.position.mine[6] == 2 and state.position.mine[23] == 0
    assert (state.match.length, state.match.my_score, state.match.crawford) == (5, 4, True)
    assert tuple(state.dice or ()) == (6, 6)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("button", name="Opening").click()
    expect(page.locator(".strip").first).to_contain_text("167")
    view.troubles.clear()  # the browser itself notes the 422


# --- for everybody ---------------------------------------------------------------------------------------------------


def test_axe_finds_nothing_in_any_theme(view: View) -> None:
    view.go("/")
    view.choose(theme="light", plies=1)
    page = view.go("/")
    page.wait_for_selector("#open-text")
    assert violations_in_every_theme(page) == []
    page = shown(view, PLAY)
    settled(page)
    page.wait_for_selector(".why-words")
    assert violations_in_every_theme(page) == []
    for name, sign in (("What if", ".matrix"), ("Rolls", ".rolls"), ("IDs", ".ids")):
        page.get_by_role("tab", name=name).click()
        page.wait_for_selector(sign)
        assert violations_in_every_theme(page, within=".more-side") == []
    page.keyboard.press("e")
    page.wait_for_selector("kb-setup")
    assert violations_in_every_theme(page, within=".board-side") == []
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert violations_in_every_theme(page, within="dialog") == []
    page = shown(view, CUBE)
    settled(page)
    assert violations_in_every_theme(page, within=".verdict-side") == []


@pytest.mark.parametrize("path", ["/", f"/position?xgid={PLAY[5:]}", f"/position?xgid={CUBE[5:]}"])
def test_nothing_is_wider_than_a_phone(open_view: Callable[..., View], path: str) -> None:
    view = open_view(390, 844)
    page = view.go(path)
    page.wait_for_selector("h1", state="attached")
    if path != "/":
        settled(page)
        page.get_by_role("tab", name="What if").click()
        page.wait_for_selector(".matrix")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_dark_screen_prints_black_on_white(view: View) -> None:
    view.go("/")
    view.choose(theme="dark", plies=0)
    page = shown(view, PLAY)
    settled(page)
    page.emulate_media(media="print")
    colour = "one => getComputedStyle(document.querySelector(one)).color"
    assert page.evaluate(colour, "body") == "rgb(0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.querySelector('.board .field')).fill") == "rgb(255, 255, 255)"
    for hidden in (".bar", ".board-tools", ".entry-bar"):
        assert not page.locator(hidden).first.is_visible(), hidden
    assert page.locator("table .play-name").first.is_visible()


def test_the_first_board_is_there_within_a_second(view: View) -> None:
    view.go("/")
    started = time.perf_counter()
    page = view.go(f"/position?xgid={PLAY[5:]}")
    page.wait_for_selector("circle.checker")
    assert time.perf_counter() - started < 4  # on a machine that does other things as well; bench_web.py measures
    assert page.evaluate("performance.now()") < 4000


def test_hostile_texts_stay_texts(view: View) -> None:
    """Two hundred of them as address, as recent items and in the box: nothing runs, nothing is loaded."""
    texts = injections()
    assert len(set(texts)) == 200
    page = view.go("/")
    page.wait_for_selector("#open-text")
    store = """texts => localStorage.setItem("kibitz.recent", JSON.stringify(
      texts.map(text => ({href: "/position?xgid=" + encodeURIComponent(text), title: text, more: text}))))"""
    page.evaluate(store, texts)
    page = view.go("/")
    expect(page.locator(".board-cards").first.locator("li")).to_have_count(200)
    expect(page.locator(".board-cards a .strong").first).to_have_text(texts[0])
    assert page.locator("main script, main img, main iframe, main style, main form form").count() == 0
    box = page.get_by_label("A position or a match")
    for text in texts[::20]:
        box.fill(text)
        box.press("Enter")
        expect(page.get_by_role("alert")).to_be_visible()
        page.locator(".board-cards a", has_text=text).first.click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.go_back()
        page.wait_for_selector("#open-text")
    # What the server refuses the browser notes by itself; anything else is a trouble.
    view.troubles[:] = [one for one in view.troubles if "422" not in one]
