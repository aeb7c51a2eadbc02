"""Cube decisions in words: what is right, where the position stands in the window, and what the next rolls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.decision import CubeAction, CubeDecision, Question
from kibitz.explain.catalogue import Catalogue
from kibitz.explain.references import WOOLSEY
from kibitz.explain.sequences import SEQUENCES

if TYPE_CHECKING:
    from kibitz.explain.cube import CubeExplanation

LEAST_AMOUNT = 0.0005
"""Less than this is nothing."""
MANY_HITS = 6
"""So many rolls that hit are a threat worth a word."""
RARE = 0.01
"""Where gammons are rarer than this, their price does not matter."""
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
    answer = decision.question is Question.TAKE or explanation.chosen in (CubeAction.TAKE, CubeAction.PASS)
    if answer:
        sentences += _answer(decision, catalogue)
    else:
        sentences += _window(decision, catalogue)
        sentences.append(_position(explanation, catalogue))
        sentences.append(_market(explanation, catalogue))
    sentences += _price(explanation, catalogue)
    sentences += _references(explanation, catalogue, answer=answer)
    return " ".join(_sentence(one) for one in sentences if one)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _verdict(explanation: CubeExplanation, catalogue: Catalogue) -> str:
    decision = explanation.decision
    figures = {
        "action": catalogue.term(decision.best),
        "hold": f"{decision.no_double:+.3f}",
        "take": f"{decision.double_take:+.3f}",
        "cash": f"{decision.double_pass:+.3f}",
        "level": catalogue.say(
            "level", kind=catalogue.term(decision.level.kind), depth=catalogue.term(decision.level.depth)
        ),
    }
    if explanation.chosen is not None and explanation.error > 0:
        chosen = {"chosen": catalogue.term(explanation.chosen.value), "error": f"{explanation.error:.3f}"}
        return catalogue.say("cube.error", **chosen, **figures)
    return catalogue.say("cube.verdict", **figures)


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


def _position(explanation: CubeExplanation, catalogue: Catalogue) -> str:
    """Race, home boards and threats of the doubler."""
    facts = explanation.facts
    if facts.position.is_over:
        return ""
    ours, his = facts.mine.effective_pips, facts.theirs.effective_pips
    if ours is not None and his is not None and not facts.contact:
        return catalogue.say("cube.race.home", mine=ours, theirs=his)
    race = "lead" if facts.lead > 0 else "trail" if facts.lead < 0 else "level"
    percent = f"{100 * abs(facts.lead) / max(facts.mine.pips, 1):.0f} %"
    told = [catalogue.say(f"cube.race.{race}", mine=facts.mine.pips, pips=abs(facts.lead), percent=percent)]
    if facts.contact:
        told.append(catalogue.say("cube.homes", mine=facts.mine.home_points, theirs=facts.theirs.home_points))
        if facts.next_roll.hitting >= MANY_HITS:
            told.append(catalogue.say("cube.hits", rolls=facts.next_roll.hitting))
    return catalogue.listed(told)


def _market(explanation: CubeExplanation, catalogue: Catalogue) -> str:
    """How many sequences of two rolls lose the market, and what waiting costs and gains."""
    swing = explanation.swing
    share = _percent(swing.market_losers / SEQUENCES)
    if not explanation.decision.take:
        return catalogue.say("cube.market.gone", share=share)
    loses, waits = swing.lost_market >= LEAST_AMOUNT, swing.saved >= LEAST_AMOUNT
    key = {(True, True): "both", (True, False): "lost", (False, True): "saved", (False, False): "neither"}[loses, waits]
    return catalogue.say(
        f"cube.market.{'none' if swing.market_losers == 0 else key}",
        share=share,
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
    chances = explanation.decision.evaluation
    rare = max(chances.win_gammon, chances.lose_gammon) < RARE
    if rare or explanation.decision.match.is_money or max(abs(mine - 0.5), abs(theirs - 0.5)) < PRICE_REMARK:
        return []
    return [catalogue.say("cube.price", mine=f"{mine:.2f}", theirs=f"{theirs:.2f}")]


def _references(explanation: CubeExplanation, catalogue: Catalogue, *, answer: bool) -> list[str]:
    """The rules that apply, those that agree and those that do not. Woolsey's law says nothing to the taker."""
    apply = [one for one in explanation.references if not (answer and one.name == WOOLSEY)]
    agree = [one for one in apply if one.agrees]
    differ = [one for one in apply if not one.agrees]
    told = []
    for key, found in (("agree", agree), ("differ", differ)):
        if found:
            names = [one.name if key == "agree" else f"{one.name} ({catalogue.term(one.action)})" for one in found]
            number = "one" if len(names) == 1 else "many"
            told.append(catalogue.say(f"cube.{key}.{number}", names=catalogue.listed(names)))
    return told


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
