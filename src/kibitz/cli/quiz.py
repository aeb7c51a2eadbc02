"""kibitz quiz: the worst decisions of a match, asked once more."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kibitz.cli.analyze import CacheOption, LevelOption, progress_bar
from kibitz.cli.common import JsonOption, print_json
from kibitz.cli.neural import ThreadsOption
from kibitz.errors import FormatError, NotationError

if TYPE_CHECKING:
    from kibitz.analysis.decisions import Decision, Option
    from kibitz.analysis.review import MatchReview

LETTERS = "abcdefgh"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(quiz)


def quiz(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match file of any format.", show_default=False)],
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="Whose decisions: a name, 1 or 2; both by default.")
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

    settings = ReviewSettings(level=ReviewLevel.of(level))
    with progress_bar() as progress:
        (found,) = review_files([file], settings, threads=threads, cache=cache, progress=progress)
    if found.review is None:
        raise FormatError(found.error)
    review = found.review
    decisions = questions(review, None if player is None else find_player(review, player), count)
    if json:
        print_json([_question(decision, seed) for decision in decisions])
        return
    if not decisions:
        print("There is nothing to ask: no decision of this match deserves a mark.")
        return
    asked: list[Decision] = []
    right, lost = 0, 0.0
    for number, decision in enumerate(decisions, start=1):
        chosen = _ask(decision, number, len(decisions), review, seed)
        if chosen is None:
            break
        asked.append(decision)
        right += chosen is decision.best
        lost += decision.best.equity - chosen.equity
    print(
        f"\n{right} of {len(asked)} right; {lost:.3f} lost. In the match these cost "
        f"{sum(decision.lost for decision in asked):.3f}."
    )


def questions(review: MatchReview, player: int | None, count: int) -> list[Decision]:
    """The worst decisions that have at least two answers."""
    worst = [decision for decision in review.errors(player) if decision.is_error and len(decision.options) > 1]
    return worst[:count]


def find_player(review: MatchReview, name: str) -> int:
    """A player by number or by a part of the name."""
    if name in ("1", "2"):
        return int(name) - 1
    players = review.match.players
    found = [number for number, one in enumerate(players) if name.casefold() in one.casefold()]
    exact = [number for number, one in enumerate(players) if name.casefold() == one.casefold()]
    if len(exact or found) != 1:
        raise NotationError(f"expected one of the players {players[0]!r} and {players[1]!r}, or 1 or 2, not {name!r}")
    return (exact or found)[0]


def answers(decision: Decision, seed: int) -> list[Option]:
    """What may be answered, in an order that gives nothing away: at most five, the best and the chosen among them."""
    kept = list(decision.options[:4])
    if (chosen := decision.chosen_option) is not None and chosen not in kept:
        kept.append(chosen)
    random.Random(f"{seed} {decision.game} {decision.index}").shuffle(kept)
    return kept


def _question(decision: Decision, seed: int) -> dict[str, Any]:
    return decision.to_dict() | {"answers": [option.name for option in answers(decision, seed)]}


def _ask(decision: Decision, number: int, total: int, review: MatchReview, seed: int) -> Option | None:
    """One question. None when the player has had enough."""
    from kibitz.analysis.decisions import question_words
    from kibitz.report.terminal import draw_state

    kept = answers(decision, seed)
    print(f"\nQuestion {number} of {total}: game {decision.game + 1}, move {decision.number}")
    print(draw_state(decision.state))
    print(f"\n {review.match.players[decision.player]} {question_words(decision)}")
    for letter, option in zip(LETTERS, kept, strict=False):
        print(f"   {letter}) {option.name}")
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
    verdict = "Right!" if answer is decision.best else f"That loses {decision.best.equity - answer.equity:.3f}."
    print(f" {verdict} {'Proper action: ' + decision.verdict if decision.verdict else 'Best: ' + decision.best.name}")
    for option in decision.options:
        note = " <- played" if option.name == decision.chosen else ""
        behind = option.equity - decision.best.equity
        print(f"   {option.name:28} {option.equity:+.3f} ({behind:+.3f}){note}")
    return answer
