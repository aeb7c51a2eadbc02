"""The match screen in a real browser: decisions arrive, errors are walked, filtered, retried; notes, export, phones."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from kibitz.formats import FORMATS, by_name, load
from kibitz.service.matches import writable_formats
from tests.analysis.samples import short_review
from tests.chromium import violations_in_every_theme
from tests.library.samples import random_match
from tests.service.running import Server
from tests.service.test_jobs import finished
from tests.web.conftest import View
from tests.web.hostile import injections

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.mat"
SCREEN = Path(__file__).parents[2] / "src" / "kibitz" / "web" / "static" / "screens" / "match.js"


def kept(server: Server, data: bytes, name: str, level: str | None = "fast") -> int:
    """A match in the library of the server, reviewed unless told otherwise."""
    with server.client() as client:
        number = int(client.post("/v1/matches", content=data, params={"name": name}).json()["match"]["id"])
        if level is not None:
            made = client.post(f"/v1/matches/{number}/reviews", json={"level": level})
            assert finished(client, made.headers["location"])["state"] == "done"
        return number


@pytest.fixture(scope="module")
def match(server: Server) -> int:
    return kept(server, SAMPLE.read_bytes(), "sample.mat")


@pytest.fixture(scope="module")
def review(server: Server, match: int) -> dict[str, Any]:
    with server.client() as client:
        found: dict[str, Any] = client.get(f"/v1/matches/{match}/review").json()["review"]
        return found


def shown(view: View, match: int, more: str = "") -> Any:
    page = view.go(f"/match/{match}{more}")
    page.wait_for_selector(".card-pr")
    return page


def at(page: Any) -> str:
    return str(page.locator(".move.is-at").first.get_attribute("data-key"))


def key_of(decision: dict[str, Any]) -> str:
    kind = {"checker play": "checker", "double": "cube"}.get(decision["kind"], decision["kind"])
    return f"{decision['game']}.{decision['index']}.{kind}"


def marked(review: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in review["decisions"] if one["mark"] != "none"]


# --- a review arrives -------------------------------------------------------------------------------------------------


def test_an_upload_shows_decisions_as_they_are_judged(view: View) -> None:
    match = random_match(11, length=5, players=("Uma", "Vic"))
    page = view.go("/")
    page.evaluate(
        """() => {
          window.seen = [];
          new MutationObserver(() => {
            const words = document.querySelector(".match-progress")?.textContent ?? "";
            const count = /Judging: (\\d+)/.exec(words)?.[1];
            if (count) window.seen.push(Number(count));
          }).observe(document.body, {subtree: true, childList: true, characterData: true});
        }"""
    )
    file = {"name": "m.json", "mimeType": "application/json", "buffer": by_name("json").write(match)[0]}
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector(".match-progress")
    page.wait_for_selector(".match-progress", state="detached", timeout=240_000)
    expect(page.locator(".card-pr")).to_have_count(2)
    counts = page.evaluate("window.seen")
    total = int(page.locator(".review-count").inner_text().split()[0])
    assert counts == sorted(counts)
    assert any(0 < count < total for count in counts), counts


def test_a_match_that_nobody_reviewed_can_be_looked_at_and_reviewed(server: Server, view: View) -> None:
    match = random_match(12, length=1, players=("Xia", "Yan"))
    number = kept(server, by_name("json").write(match)[0], "m.json", None)
    page = view.go(f"/match/{number}")
    expect(page.locator(".move")).to_have_count(sum(1 for _ in match.moments()))
    expect(page.locator(".card").first).to_contain_text("not reviewed yet")
    page.get_by_label("Level").select_option("fast")
    page.get_by_role("button", name="Review").click()
    expect(page.locator(".card-pr")).to_have_count(2, timeout=60_000)


# --- walking ----------------------------------------------------------------------------------------------------------


def test_errors_are_walked_by_keyboard(view: View, match: int, review: dict[str, Any]) -> None:
    page = shown(view, match)
    errors = marked(review)
    for one in errors:
        if at(page) != key_of(one):  # the first move may be the first error
            page.keyboard.press("Shift+ArrowRight")
        assert at(page) == key_of(one)
        panel = page.locator("kb-decision")
        expect(panel.locator(".decision-mark")).to_contain_text(f"{one['lost']:.3f}")
        expect(panel.locator(".decision-who")).to_have_text(one["name"])
        if one["reason"]:
            expect(panel.locator(".decision-reason")).to_have_text(one["reason"])
        if one["kind"] == "checker play":
            assert page.locator(".arrow.arrow-best").count() > 0
            assert page.locator(".arrow.arrow-chosen").count() > 0
    page.keyboard.press("Shift+ArrowRight")
    expect(page.locator(".toast")).to_contain_text("No further error")
    page.keyboard.press("Shift+ArrowLeft")
    assert at(page) == key_of(errors[-2])
    assert page.url.endswith(f"?at={key_of(errors[-2])}")
    page.keyboard.press("2")
    page.keyboard.press("Home")
    theirs = [one for one in errors if one["player"] == 1]
    assert at(page) != key_of(theirs[0])
    page.keyboard.press("Shift+ArrowRight")
    assert at(page) == key_of(theirs[0])


def test_moves_games_and_candidates_have_keys(view: View, match: int, review: dict[str, Any]) -> None:
    first = next(one for one in marked(review) if one["kind"] == "checker play")
    page = shown(view, match, f"?at={key_of(first)}")
    assert at(page) == key_of(first)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".option.is-selected .option-name")).to_have_text(first["decision"]["plays"][1]["play"])
    assert page.locator(".arrow.arrow-hover").count() > 0
    page.keyboard.press("ArrowRight")
    assert at(page) != key_of(first)
    page.keyboard.press("PageDown")
    assert at(page).startswith("2.0.")
    page.keyboard.press("End")
    assert at(page).startswith(f"{len(review['games'])}.")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_contain_text("next error")


def test_the_list_the_curve_and_the_address_share_one_cursor(view: View, match: int, review: dict[str, Any]) -> None:
    page = shown(view, match)
    page.get_by_role("button", name="Match", exact=True).click()
    points = page.locator(".curve-point")
    expect(points).to_have_count(len(review["curve"]))
    names = points.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert all(re.search(r"Game \d, (Ada|Ben): .*%", name) for name in names)
    link = points.nth(30)
    link.click(force=True)
    assert at(page) == link.get_attribute("data-key")
    assert link.get_attribute("href") == f"/match/{match}?at={at(page)}"
    box = page.locator(".curve").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 14, box["y"] + 90)
    assert at(page) == points.last.get_attribute("data-key")
    points.last.focus()
    page.keyboard.press("ArrowLeft")
    assert at(page) == points.nth(len(review["curve"]) - 2).get_attribute("data-key")
    page.locator(".move").nth(3).click()
    assert page.url.endswith(str(page.locator(".move").nth(3).get_attribute("data-key")))


def test_filters(view: View, match: int, review: dict[str, Any]) -> None:
    page = shown(view, match)
    moves, errors = page.locator(".move"), marked(review)
    page.get_by_label("Size").select_option("mark")
    expect(moves).to_have_count(len(errors))
    page.get_by_label("Player").select_option("0")
    expect(moves).to_have_count(sum(one["player"] == 0 for one in errors))
    page.get_by_label("Kind").select_option("cube")
    expect(moves).to_have_count(sum(one["player"] == 0 and one["kind"] != "checker play" for one in errors))
    page.get_by_label("Kind").select_option("")
    page.get_by_label("Player").select_option("")
    page.get_by_label("Size").select_option("blunder")
    expect(moves).to_have_count(sum(one["blunder"] for one in review["decisions"]))
    page.get_by_label("Size").select_option("mark")
    page.locator("select[name=game]").select_option("2")
    expect(moves).to_have_count(sum(one["game"] == 2 for one in errors))


def test_statistics_worst_first_and_text(view: View, match: int, review: dict[str, Any]) -> None:
    page = shown(view, match)
    page.get_by_role("tab", name="Statistics").click()
    row = page.locator(".statistics tr", has_text="XG performance rating (PR)")
    expect(row).to_contain_text(f"{review['statistics'][0]['pr']:.2f}")
    page.get_by_role("tab", name="Worst").click()
    losses = sorted((one["lost"] for one in marked(review)), reverse=True)
    shown_losses = page.locator(".worst .move-mark").evaluate_all(
        "all => all.map(one => one.textContent.split(' ').pop())"
    )
    assert shown_losses == [f"{lost:.3f}" for lost in losses]
    page.keyboard.press("v")
    table = page.locator(".review-text table").first
    expect(table.locator("caption")).to_contain_text("Game 1 at 0")
    assert page.locator(".review-text tbody tr").count() > len(review["rolls"])


# --- what belongs to a decision ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("match")
def test_the_file_s_own_opinion_is_shown(server: Server, view: View) -> None:
    number = kept(server, by_name("sgf").write(short_review().annotated())[0], "m.sgf", None)
    page = shown(view, number)
    page.locator(".move", has_text="13/10").first.click()
    opinion = page.locator(".opinion").first
    expect(opinion).to_contain_text("in the file")
    opinion.locator("summary").click()
    assert opinion.locator("tr").count() > 1


def test_notes_are_kept_changed_and_deleted(view: View, match: int, review: dict[str, Any]) -> None:
    place = key_of(marked(review)[1])
    page = shown(view, match, f"?at={place}")
    page.keyboard.press("e")
    page.locator("#note-text").fill("The <b>bar</b> point first!")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".match-note")).to_contain_text("The <b>bar</b> point first!")
    page = shown(view, match, f"?at={place}")
    expect(page.locator(".match-note")).to_have_count(1)
    page.get_by_role("button", name="Edit this note").click()
    page.locator("#note-text").fill("Seen.")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator(".match-note p")).to_have_text("Seen.")
    page.get_by_role("button", name="Delete this note").click()
    expect(page.locator(".match-note")).to_have_count(0)


def test_everything_can_be_taken_away(view: View, match: int, tmp_path: Path) -> None:
    page = shown(view, match)
    words = SCREEN.read_text(encoding="utf-8")
    assert all(f"(.{form.name})" in words for form in FORMATS.values() if form.writer)
    links = page.locator(".menu-list a")
    assert links.count() == len(writable_formats()) + 1
    for index in range(links.count()):
        if not links.nth(index).is_visible():
            page.get_by_text("Export", exact=True).click()
        with page.expect_download() as waiting:
            links.nth(index).click()
        path = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(path)
        if path.suffix == ".html":
            assert "Content-Security-Policy" in path.read_text(encoding="utf-8")
        else:
            assert load(path).players == ("Ada", "Ben")


# --- retrying ---------------------------------------------------------------------------------------------------------


def test_errors_are_retried_on_the_board_and_at_the_cube(view: View, match: int, review: dict[str, Any]) -> None:
    page = shown(view, match)
    page.keyboard.press("r")
    page.get_by_role("button", name="Ben", exact=True).click()
    errors = [one for one in marked(review) if one["player"] == 1]
    answers = {"take": "Take", "pass": "Pass", "double": "Double", "no double": "No double"}
    right = 0
    for number, one in enumerate(errors):
        expect(page.locator("#retry-title")).to_contain_text(f"{number + 1} of {len(errors)}")
        assert page.locator("kb-decision").count() == 0, "the answer is not told before"
        if one["kind"] == "checker play":
            plays = one["decision"]["plays"]
            page.wait_for_selector("kb-board .is-active")
            box = page.locator("kb-board input")
            box.fill(plays[0 if number % 2 else -1]["play"])
            box.press("Enter")
            if page.locator(".retry-told").count() == 0:
                page.get_by_role("button", name="Confirm").click()
            lost = 0.0 if number % 2 else plays[0]["equity"] - plays[-1]["equity"]
        else:
            page.get_by_role("button", name=answers[one["best"]], exact=True).click()
            lost = 0.0
        told = page.locator(".retry-told")
        expect(told).to_contain_text("is right" if lost < 0.0005 else f"costs {lost:.3f}")
        right += lost < 0.0005
        expect(page.locator("kb-decision .decision-mark")).to_contain_text(f"{one['lost']:.3f}")
        page.locator(".retry-next").click()
    expect(page.locator(".retry")).to_contain_text(f"{right} of {len(errors)} right")
    page.keyboard.press("Escape")
    expect(page.locator("kb-review")).to_have_count(1)


# --- everybody --------------------------------------------------------------------------------------------------------


def test_hostile_names_and_notes_stay_text(server: Server, view: View) -> None:
    texts = injections()
    half = len(texts) // 2
    first, second = " ".join(texts[:half]), " ".join(texts[half:])
    match = random_match(13, length=1, players=(first[:4000], second[:4000]), event=first[-3000:])
    game = match.games[0]
    game = replace(game, actions=(replace(game.actions[0], comment=second), *game.actions[1:]))
    match = replace(match, games=(game, *match.games[1:]))
    number = kept(server, by_name("json").write(match)[0], "hostile.json")
    page = shown(view, number)
    expect(page.locator(".match-note p").first).to_be_visible()
    assert page.locator("h1").inner_text().strip()
    assert (
        page.evaluate("[...document.querySelectorAll('main script, main iframe, main img, main object')].length") == 0
    )
    handlers = (
        "[...document.querySelectorAll('main *')].flatMap(one => one.getAttributeNames()).filter(a => /^on/.test(a))"
    )
    assert page.evaluate(handlers) == []
    page.keyboard.press("v")
    expect(page.locator(".review-text")).to_be_visible()


def test_axe_finds_nothing(view: View, match: int, review: dict[str, Any]) -> None:
    page = shown(view, match, f"?at={key_of(marked(review)[0])}")
    for tab in ("Moves", "Worst", "Statistics", "Text"):
        page.get_by_role("tab", name=tab).click()
        assert violations_in_every_theme(page) == [], tab
    page.get_by_role("tab", name="Moves").click()
    page.keyboard.press("r")
    page.wait_for_selector(".retry kb-board svg")
    assert violations_in_every_theme(page) == []


def test_a_phone_shows_everything_in_one_column(open_view: Callable[..., View], match: int) -> None:
    page = shown(open_view(390, 844), match)
    page.keyboard.press("Shift+ArrowRight")
    for tab in ("Moves", "Worst", "Statistics", "Text"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, tab
    page.get_by_role("tab", name="Moves").click()
    places = [
        page.locator(one).first.bounding_box()["y"]
        for one in ("kb-board", ".review-curve", "kb-decision", ".review-list", ".card")
    ]
    assert places == sorted(places)
