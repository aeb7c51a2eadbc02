"""kibitz quiz: the worst decisions of a match, asked once more."""

from __future__ import annotations

import random
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.analyze import CacheOption, LevelOption, progress_bar
from kibitz.cli.common import JsonOption, print_json
from kibitz.cli.neural import ThreadsOption
from kibitz.errors import FormatError

if TYPE_CHECKING:
    from kibitz.analysis.decisions import ReviewedDecision, Row

LETTERS = "abcdefgh"


def quiz(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match file of any format.", show_default=False)],
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Whose decisions: a name, 0 or 1; both by default.")
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, help="How many questions.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Of the order of the answers.")] = 1,
    level: LevelOption = "default",
    threads: ThreadsOption = 0,
    cache: CacheOption = True,
    json: JsonOption = False,
) -> None:
    """Ask for your own worst decisions: the board, some answers, and then what each would have cost."""
    from kibitz.analysis.files import review_files
    from kibitz.analysis.levels import ReviewLevel, ReviewSettings
    from kibitz.formats import load

    settings = ReviewSettings(level=ReviewLevel.of(level))
    match = load(file)  # what is wrong with it or the name is told before the review takes its time
    if player is not None:
        match.find_player(player)
    with progress_bar() as progress:
        (found,) = review_files([file], settings, threads=threads, cache=cache, progress=progress)
    if found.review is None:
        raise FormatError(found.error)
    review = found.review
    decisions = review.errors(player)[:count]
    if json:
        print_json([_question(decision, seed) for decision in decisions])
        return
    if not decisions:
        print("There is nothing to ask: no decision of this match is an error.")
        return
    asked: list[ReviewedDecision] = []
    right, lost = 0, 0.0
    for number, decision in enumerate(decisions, start=1):
        if asked and not _goes_on():
            break
        chosen = ask(decision, number, len(decisions), seed)
        if chosen is None:
            break
        asked.append(decision)
        right += chosen == decision.best
        lost += decision.best.equity - chosen.equity
    print(
        f"\n{right} of {len(asked)} right; {lost:.3f} lost. In the match these cost "
        f"{sum(decision.lost for decision in asked):.3f}."
    )


def answers(decision: ReviewedDecision, seed: int) -> list[Row]:
    """What may be answered, in an order that gives nothing away: at most five, the best and the chosen among them."""
    kept = list(decision.options[:4])
    if (chosen := decision.chosen_option) is not None and chosen not in kept:
        kept.append(chosen)
    random.Random(f"{seed} {decision.game} {decision.index}").shuffle(kept)
    return kept


def _question(decision: ReviewedDecision, seed: int) -> dict[str, Any]:
    return decision.to_dict() | {"answers": [row.name for row in answers(decision, seed)]}


def _chances(row: Row) -> str:
    """To win, to win a gammon and to lose one, in percent; nothing where the game is over, as after a pass."""
    one = row.evaluation
    return "" if one is None else f"{100 * one.win:5.1f} {100 * one.win_gammon:5.1f} {100 * one.lose_gammon:5.1f}"


def _goes_on() -> bool:
    """Whether the player wants another board; a terminal waits for that, so that the answer can be read."""
    if not sys.stdin.isatty():
        return True
    try:
        return input("\n Enter for the next question, q to stop: ").strip().lower() not in ("q", "quit")
    except EOFError:
        return False


def ask(decision: ReviewedDecision, number: int, total: int, seed: int) -> Row | None:
    """One question. None when the player has had enough."""
    from kibitz.analysis.decisions import question_words
    from kibitz.report.terminal import draw_state

    kept = answers(decision, seed)
    print(f"\nQuestion {number} of {total}: game {decision.game}, move {decision.number}")
    print(draw_state(decision.state))
    print(f"\n {decision.name} {question_words(decision)}")
    for letter, row in zip(LETTERS, kept, strict=False):
        print(f"   {letter}) {row.name}")
    letters = LETTERS[: len(kept)]
    while True:
        try:
            said = input(f" Your answer ({letters[0]}-{letters[-1]}, q to stop): ").strip().lower()
        except EOFError:
            return None
        if said in ("q", "quit"):
            return None
        if len(said) == 1 and said in letters:
            break
        print(f" Please answer with one of {', '.join(letters)}.")
    answer = kept[letters.index(said)]
    best = decision.best
    verdict = "Right!" if answer == best else f"That loses {best.equity - answer.equity:.3f}."
    print(f" {verdict} {'Proper action' if decision.cube else 'Best'}: {decision.verdict}")
    print(f"   {'':28} {'equity':6} {'':8}   win    wg    lg")
    for row in decision.options:
        note = " <- played" if decision.is_chosen(row) else ""
        print(f"   {row.name:28} {row.equity:+.3f} ({row.equity - best.equity:+.3f}) {_chances(row):17}{note}")
    if decision.reason:
        print(textwrap.fill(decision.reason, 80, initial_indent=" ", subsequent_indent=" ", break_on_hyphens=False))
    return answer
