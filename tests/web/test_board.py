"""The board in a real browser: plays by click, drag, touch, keyboard and text; what is drawn, and where."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from kibitz import Cube, Dice, MatchState, Owner, Position, State, parse
from kibitz.report import svg
from kibitz.report.themes import Colours
from tests.web.conftest import View

START = {6: 5, 8: 3, 13: 5, 24: 2}
BOTH_HOME = ({1: 2, 2: 2, 3: 3, 4: 2, 5: 2, 6: 1}, {1: 2, 2: 3, 3: 2, 4: 3})
BAR = ({25: 1, 4: 2, 5: 2, 6: 3, 8: 3, 13: 3, 24: 1}, {2: 2, 3: 2, 5: 2, 6: 4, 8: 3, 13: 2})
CLOSED = ({25: 1, 1: 2, 2: 2}, dict.fromkeys(range(1, 7), 2))
FORCED = ({25: 1, 2: 2}, {2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2})


def address(mine: dict[int, int], theirs: dict[int, int], dice: str, **match: Any) -> str:
    """Where a position is shown."""
    state = State(Position.of(mine, theirs), MatchState(**match), dice=Dice.of(dice))
    return f"/position?xgid={state.xgid.removeprefix('XGID=')}"


def ready(view: View, path: str) -> Any:
    """A page on which plays can be entered."""
    page = view.go(path)
    page.wait_for_selector(".entry-bar")
    return page


def entered(page: Any) -> str:
    """The play as the field shows it."""
    return str(page.locator(".entry-bar input").input_value())


def click(page: Any, *places: str, button: str = "left") -> None:
    for place in places:
        page.locator(f"[data-place={place}]").click(button=button)


# --- clicks ----------------------------------------------------------------------------------------------------------


def test_clicks_play_the_left_die_and_the_right_button_the_other(view: View) -> None:
    page = ready(view, address(START, START, "31"))
    click(page, "p8")
    assert entered(page) == "8/5"
    click(page, "p6")
    assert entered(page) == "8/5 6/5"
    page.get_by_label("Undo all").click()
    assert entered(page) == ""
    click(page, "p8", button="right")
    assert entered(page) == "8/7"
    page.get_by_label("Undo last").click()
    click(page, "dice", "p8")  # the dice are swapped
    assert entered(page) == "8/7"


def test_a_play_is_confirmed_by_the_dice_and_analysed(view: View) -> None:
    page = ready(view, address(START, START, "31"))
    click(page, "p13", "p24")
    assert entered(page) == "24/23 13/10"
    assert page.get_by_role("button", name="Analyse").is_enabled()
    click(page, "dice")
    row = page.locator("tr", has_text="24/23 13/10").first
    row.get_by_text("yours").wait_for()
    assert "is-selected" in row.get_attribute("class")
    page.wait_for_selector(".arrow-chosen")


def test_an_empty_point_is_made_and_a_second_tap_takes_back(view: View) -> None:
    page = ready(view, address(START, START, "31"))
    click(page, "p5")
    assert entered(page) == "8/5 6/5"
    click(page, "p5")
    assert entered(page) in ("8/5", "6/5")
    click(page, "p19")  # the opponent's point: nothing
    assert entered(page) in ("8/5", "6/5")


def test_the_bar_comes_first(view: View) -> None:
    page = ready(view, address(*BAR, "41"))
    click(page, "p6", "p13")
    assert entered(page) == ""
    click(page, "bar-mine")
    assert entered(page) == "bar/21"
    click(page, "p6")
    assert entered(page) == "bar/21 6/5"


def test_the_tray_bears_off(view: View) -> None:
    page = ready(view, address(*BOTH_HOME, "64"))
    click(page, "off-mine")
    assert entered(page) == "6/off 4/off"
    page.get_by_role("button", name="Analyse").click()
    page.locator("tr", has_text="6/off 4/off").get_by_text("yours").wait_for()


def test_doubles_take_four_steps(view: View) -> None:
    page = ready(view, address(START, START, "66"))
    click(page, "p24", "p24", "p13")
    assert page.get_by_role("button", name="Analyse").is_disabled()
    assert page.locator(".entry-words").inner_text() == "1 to play"
    click(page, "p13")
    assert entered(page) == "24/18(2) 13/7(2)"
    assert page.get_by_role("button", name="Analyse").is_enabled()


def test_no_play_and_a_forced_one(view: View) -> None:
    page = ready(view, address(*CLOSED, "61"))
    assert page.locator(".entry-words").inner_text() == "No legal play"
    page.get_by_role("button", name="Analyse").click()
    page.get_by_text("on roll").wait_for()  # the turn passes
    page = ready(view, address(*FORCED, "61"))
    assert entered(page) == ""
    click(page, "bar-mine")
    assert entered(page) == "bar/24"
    assert page.locator(".entry-words").inner_text() == "Complete"


# --- drag, touch, keyboard, text --------------------------------------------------------------------------------------


def drag(page: Any, source: str, target: str) -> None:
    for place, act in ((source, page.mouse.down), (target, page.mouse.up)):
        box = page.locator(f"[data-place={place}]").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        if act == page.mouse.up:
            page.wait_for_selector(".dragged")
        act()


def test_checkers_can_be_dragged_as_far_as_they_may_go(view: View) -> None:
    page = ready(view, address(START, START, "31"))
    drag(page, "p24", "p20")
    assert entered(page) == "24/20"
    page.get_by_label("Undo all").click()
    drag(page, "p13", "p7")  # too far
    assert entered(page) == ""
    drag(page, "p8", "p5")
    assert entered(page) == "8/5"


def test_a_long_press_plays_the_other_die(open_view: Callable[..., View]) -> None:
    view = open_view(390, 844, has_touch=True)
    page = ready(view, address(START, START, "31"))
    box = page.locator("[data-place=p8]").bounding_box()
    where = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    page.touchscreen.tap(where["x"], where["y"])
    assert entered(page) == "8/5"
    page.get_by_label("Undo all").tap()
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [where]})
    expect(page.get_by_label("Your play")).to_have_value("8/7")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert entered(page) == "8/7"


def test_a_play_by_keyboard_alone(view: View) -> None:
    page = ready(view, address(START, START, "31"))
    page.locator("[data-place][tabindex='0']").focus()
    focused = "document.activeElement.getAttribute('data-place')"
    for key in ("ArrowDown", "ArrowDown", *["ArrowLeft"] * 14, *["ArrowRight"] * 4):
        page.keyboard.press(key)
    assert page.evaluate(focused) == "p8"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "8 point, 3 White, can move"
    page.keyboard.press("Enter")
    assert entered(page) == "8/5"
    page.keyboard.press("Backspace")
    page.keyboard.press("Shift+Enter")
    assert entered(page) == "8/7"
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "p6"
    page.keyboard.press(" ")
    assert entered(page) == "8/5 6/5"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "dice"
    page.keyboard.press("Enter")
    page.locator("tr", has_text="8/5 6/5").get_by_text("yours").wait_for()


def test_typed_plays(view: View) -> None:
    page = ready(view, address(*BAR, "41"))
    field = page.get_by_label("Your play")
    field.fill("6/5 bar/21")
    field.press("Enter")
    page.locator("tr", has_text="bar/21 6/5").get_by_text("yours").wait_for()
    field.fill("6/2")
    field.press("Enter")
    assert "no legal play of 41" in page.get_by_role("alert").inner_text()
    field.fill("<img src=x onerror=alert(1)>")
    field.press("Enter")
    assert "expected such as" in page.get_by_role("alert").inner_text()


ENTRIES = {
    "bar": (BAR, "41", [("bar-mine", "p21"), ("p6", "p5")], "bar/21 6/5"),
    "bear-off": (BOTH_HOME, "64", [("p6", "off-mine"), ("p4", "off-mine")], "6/off 4/off"),
    "doubles": ((START, START), "66", [("p24", "p18")] * 2 + [("p13", "p7")] * 2, "24/18(2) 13/7(2)"),
    "forced": (FORCED, "61", [("bar-mine", "p24")], "bar/24"),
    "no play": (CLOSED, "61", [], ""),
}
"""Checkers of both sides, the roll, the steps from place to place, and the play as it is written."""


def walk(page: Any, place: str) -> None:
    """Go to a place with the arrow keys alone."""
    focused = "document.activeElement.getAttribute('data-place')"
    row = ["ArrowUp"] * 2 if page.evaluate(ABOVE, place) else ["ArrowDown"] * 2
    for key in (*row, *["ArrowLeft"] * 14):
        page.keyboard.press(key)
    for _ in range(14):
        if page.evaluate(focused) == place:
            break
        page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == place


ABOVE = """place => {
  const box = one => document.querySelector(one).getBoundingClientRect();
  const [one, board] = [box(`[data-place=${place}]`), box("svg.board")];
  return one.top + one.height / 2 < board.top + board.height / 2;
}"""


@pytest.mark.parametrize("way", ["click", "drag", "touch", "keyboard", "text"])
def test_every_way_to_enter_a_play_in_every_kind_of_position(open_view: Callable[..., View], way: str) -> None:
    view = open_view(has_touch=True) if way == "touch" else open_view()
    for name, (checkers, dice, steps, text) in ENTRIES.items():
        page = ready(view, address(*checkers, dice))
        confirm = page.get_by_role("button", name="Analyse")
        assert confirm.is_enabled() == (not steps), name
        if way == "keyboard":
            page.locator("[data-place][tabindex='0']").focus()
        for source, target in steps if way != "text" else ():
            if way == "click":
                click(page, source)
            elif way == "drag":
                drag(page, source, target)
            elif way == "touch":
                page.locator(f"[data-place={source}]").tap()
            else:
                walk(page, source)
                page.keyboard.press("Enter")
        if way == "text":
            page.get_by_label("Your play").fill(text)
            page.keyboard.press("Enter")
        else:
            assert entered(page) == text, name
            expect(page.locator(".entry-words")).to_have_text("Complete" if steps else "No legal play")
            confirm.focus()
            page.keyboard.press("Enter")
        if steps:
            page.locator("tr", has_text=text).get_by_text("yours").wait_for()
        else:
            expect(page.locator(".strip .task")).to_have_text("on roll")  # the turn has passed
            expect(page.locator(".strip").first).to_contain_text("on roll")


NEXT_FRAME = """() => new Promise(done => requestAnimationFrame(() => {
  const board = document.querySelector("kb-board");
  const drawn = () => [...board.querySelectorAll("circle.checker")].map(one => one.outerHTML);
  const before = drawn().join();
  board.querySelector("[data-place=p8] rect").dispatchEvent(new MouseEvent("click", {bubbles: true}));
  requestAnimationFrame(() => done([board.querySelector(".entry-bar input").value, before !== drawn().join()]));
}))"""


def test_a_click_is_answered_by_the_next_frame_without_the_server(view: View) -> None:
    page = ready(view, address(START, START, "31"))
    page.context.set_offline(True)
    assert page.evaluate(NEXT_FRAME) == ["8/5", True]
    page.context.set_offline(False)


# --- what is drawn ----------------------------------------------------------------------------------------------------

DRAWN = [
    State(Position.of(*BAR), MatchState(7, 2, 3, Cube(2, Owner.MINE)), dice=Dice.of("41")),
    State(Position.of(*BOTH_HOME), MatchState(5, 2, 3, Cube(4, Owner.THEIRS)), dice=Dice.of("64")),
    State(Position.of({6: 7, 25: 2}, {6: 7, 25: 3, 1: 2}), MatchState(0)),
]
MEASURED = """([state, flip]) => {
  const board = document.createElement("kb-board");
  Object.assign(board, {state, bottom: flip ? 1 - state.turn : state.turn, strips: false});
  document.querySelector("main").replaceChildren(board);
  const measure = (one, ...names) => names.map(name => Math.round(100 * one.getAttribute(name)) / 100);
  const all = selector => [...board.querySelectorAll(selector)];
  return board.updateComplete.then(() => ({
    circles: all("circle.checker").map(one => measure(one, "cx", "cy")),
    numbers: all(".number").map(one => [...measure(one, "x", "y"), one.textContent]),
    points: all("path.point").map(one => one.getAttribute("d")),
    boxes: all("rect:is(.slab, .cube, .die, .tray, .field)").map(one => measure(one, "x", "y", "width", "height")),
    role: board.querySelector("svg").getAttribute("role"),
  }));
}"""


@pytest.mark.parametrize("left", [False, True])
def test_the_drawing_is_that_of_python(view: View, left: bool) -> None:
    """Checkers, points, numbers, trays, cube and dice, for both perspectives and directions."""
    view.go("/")
    view.page.wait_for_selector("#open-text")
    view.choose(left=left)
    page = view.go("/position")
    page.wait_for_selector(".board")
    for state in DRAWN:
        for flip in (False, True):
            drawn = page.evaluate(MEASURED, [state.to_dict(), flip])
            picture = ElementTree.fromstring(svg.draw_state(state, flip=flip, left=left))
            found = {
                kind: [one for one in picture.iter() if one.tag.endswith(kind)]
                for kind in ("circle", "text", "path", "rect")
            }
            own = Colours()
            python = [
                [float(one.get("cx", 0)), float(one.get("cy", 0))]
                for one in found["circle"]
                if one.get("stroke") in (own.mine_edge, own.theirs_edge) and one.get("r") == "19.25"
            ]
            assert sorted(drawn["circles"]) == sorted(python)
            numbers = [[float(one.get("x", 0)), float(one.get("y", 0)), one.text] for one in found["text"][:24]]
            assert sorted(drawn["numbers"]) == sorted(numbers)
            assert sorted(drawn["points"]) == sorted(
                one.get("d", "") for one in found["path"] if one.get("fill") in (own.point, own.other_point)
            )
            boxes = [[float(one.get(name, 0)) for name in ("x", "y", "width", "height")] for one in found["rect"][1:]]
            assert sorted(drawn["boxes"]) == sorted(boxes)
            assert drawn["role"] == "img"


def test_checkers_keep_their_colours_and_numbers_follow_the_side_to_move(view: View) -> None:
    light = "XGID=----BBC-C---bC---c-db-bbAA:0:0:1:41:0:0:1:0:10"
    state = parse(light)
    other = State(state.position.swapped(), state.match, turn=0)
    page = view.go("/position?xgid=" + light.removeprefix("XGID="))
    page.wait_for_selector(".entry-bar")
    lights = page.locator("circle.checker.light").count()
    lower = page.locator(".number").all_text_contents()[12:]
    assert lower[0] == "12"
    page = view.go("/position?xgid=" + other.xgid.removeprefix("XGID="))
    page.wait_for_selector("[data-place=cube]")
    assert page.locator("circle.checker.light").count() == lights
    lower = page.locator(".number").all_text_contents()[12:]
    assert lower[0] == "13"  # Black is on roll and counts from the other side
    page.keyboard.press("f")
    expect(page.locator(".number").nth(12)).to_have_text("12")


def test_every_place_is_a_control_with_a_name(view: View) -> None:
    page = ready(view, address(START, START, "31"))
    assert page.locator("svg.board").get_attribute("role") == "group"
    names = [one.get_attribute("aria-label") for one in page.locator("svg.board [role=button]").all()]
    assert len(names) == 24 + 2 + 2 + 2  # points, bars, trays, cube and dice
    assert len(set(names)) == len(names)
    assert "13 point, 5 White, can move" in names
    assert "bar, 0 White" in names and "tray, 0 Black off" in names
    assert "cube 1, in the middle" in names and "dice, 3 and 1" in names
    assert page.locator("svg.board [tabindex='0']").count() == 1


def test_arrows_begin_on_the_movers_half_of_the_bar_and_ring_what_is_hit(view: View) -> None:
    """For both players: the bug of others is an arrow from the wrong half."""
    mine, theirs = {25: 1, 6: 5, 8: 3, 13: 6}, {6: 5, 8: 3, 13: 5, 4: 1, 24: 1}
    position = Position.of(mine, theirs)
    for turn in (1, 0):
        state = State(position, MatchState(0), dice=Dice.of("42"), turn=turn)
        page = view.go(f"/position?xgid={state.xgid.removeprefix('XGID=')}")
        page.wait_for_selector("path.arrow-best")
        row = page.locator(".play-name", has_text=re.compile(r"bar/21\*")).first
        row.hover()
        page.wait_for_selector("circle.hit")
        box = page.locator("svg.board").bounding_box()
        starts = [one.bounding_box() for one in page.locator("[class^=start-]").all()]
        middle = box["x"] + box["width"] / 2
        at_bar = [one for one in starts if abs(one["x"] + one["width"] / 2 - middle) < 20]
        assert len(at_bar) == 1
        assert (at_bar[0]["y"] > box["y"] + box["height"] / 2) == (turn == 1)
