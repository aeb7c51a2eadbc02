"""Cube decisions in words: what is right, where the position stands in the window, and what the next rolls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.decision import CubeAction, CubeDecision, Question
from kibitz.explain.catalogue import Catalogue
from kibitz.explain.sequences import SEQUENCES

if TYPE_CHECKING:
    from kibitz.explain.cube import CubeExplanation

PRICE_REMARK = 0.1
"""A gammon price that differs from money's by more than this is worth a sentence."""


def cube_words(explanation: CubeExplanation, catalogue: Catalogue | None = None) -> str:
    """A few sentences, what matters most first."""
    catalogue = catalogue or Catalogue()
    if not explanation.decision.available:
        return catalogue.say("cube.not_available")
    return f"{_sentence(_verdict(explanation, catalogue))} {cube_reason(explanation, catalogue)}"


def cube_reason(explanation: CubeExplanation, catalogue: Catalogue | None = None) -> str:
    """The same sentences without the verdict."""
    catalogue = catalogue or Catalogue()
    decision = explanation.decision
    if not decision.available:
        return catalogue.say("cube.not_available")
    sentences: list[str] = []
    if decision.question is Question.TAKE or explanation.chosen in (CubeAction.TAKE, CubeAction.PASS):
        sentences += _answer(decision, catalogue)
    else:
        sentences += _window(decision, catalogue)
        sentences.append(_market(explanation, catalogue))
    sentences += _price(explanation, catalogue)
    sentences += _references(explanation, catalogue)
    return " ".join(_sentence(one) for one in sentences if one)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _verdict(explanation: CubeExplanation, catalogue: Catalogue) -> str:
    decision = explanation.decision
    figures = {
        "action": decision.best,
        "hold": f"{decision.no_double:+.3f}",
        "take": f"{decision.double_take:+.3f}",
        "cash": f"{decision.double_pass:+.3f}",
        "level": f"{decision.level.kind}, {decision.level.depth}",
    }
    told = catalogue.say("cube.verdict", **figures)
    if explanation.chosen is not None and explanation.error > 0:
        return catalogue.say(
            "cube.error", chosen=explanation.chosen.value, error=f"{explanation.error:.3f}", verdict=told
        )
    return told


def _window(decision: CubeDecision, catalogue: Catalogue) -> list[str]:
    """Where the winning chance stands among the points of the window."""
    points = decision.points
    win = decision.evaluation.win
    shown = {"win": _percent(win), "gammons": _percent(decision.evaluation.win_gammon)}
    if decision.too_good and points.too_good_point is not None:
        return [catalogue.say("cube.too_good", point=_percent(points.too_good_point), **shown)]
    if points.double_point is None or points.cash_point is None:
        return [catalogue.say("cube.no_window", **shown)]
    figures = shown | {"double": _percent(points.double_point), "cash": _percent(points.cash_point)}
    if win < points.double_point:
        return [catalogue.say("cube.below_window", **figures)]
    return [catalogue.say("cube.past_window" if win > points.cash_point else "cube.in_window", **figures)]


def _market(explanation: CubeExplanation, catalogue: Catalogue) -> str:
    """How many sequences of two rolls lose the market, and what doubling saves and costs."""
    swing = explanation.swing
    return catalogue.say(
        "cube.market",
        share=_percent(swing.market_losers / SEQUENCES),
        lost=f"{swing.lost_market:.3f}",
        saved=f"{swing.saved:.3f}",
        volatility=f"{swing.volatility:.2f}",
    )


def _answer(decision: CubeDecision, catalogue: Catalogue) -> list[str]:
    """The taker's side: what he wins and what he needs."""
    need = decision.points.take_point
    lose = decision.evaluation.win_gammon
    figures = {"win": _percent(1.0 - decision.evaluation.win), "gammons": _percent(lose)}
    if need is None:
        return [catalogue.say("cube.taker", **figures)]
    return [catalogue.say("cube.take" if decision.take else "cube.pass", need=_percent(need), **figures)]


def _price(explanation: CubeExplanation, catalogue: Catalogue) -> list[str]:
    mine, theirs = explanation.gammon_prices
    if explanation.decision.match.is_money or max(abs(mine - 0.5), abs(theirs - 0.5)) < PRICE_REMARK:
        return []
    return [catalogue.say("cube.price", mine=f"{mine:.2f}", theirs=f"{theirs:.2f}")]


def _references(explanation: CubeExplanation, catalogue: Catalogue) -> list[str]:
    """The rules that apply, those that agree and those that do not."""
    agree = [one for one in explanation.references if one.agrees]
    differ = [one for one in explanation.references if not one.agrees]
    told = []
    if agree:
        told.append(catalogue.say("cube.agree", names=catalogue.listed([one.name for one in agree])))
    if differ:
        names = catalogue.listed([f"{one.name} ({one.action})" for one in differ])
        told.append(catalogue.say("cube.differ", names=names))
    return told


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
