"""Explanations in words: a few sentences from the catalogue, with the figures of the objects that they speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kibitz.decision import AnalysisLevel
from kibitz.explain.catalogue import Catalogue
from kibitz.explain.ledger import CubeReply
from kibitz.explain.measures import MIDPOINT, THEIR_BAR_POINT, MeasureKind
from kibitz.explain.reason import Reason
from kibitz.explain.standing import BACK
from kibitz.explain.themes import Theme
from kibitz.position import BAR

if TYPE_CHECKING:
    from kibitz.explain.plays import PlayExplanation

BAR_POINT = 7
OUTCOMES = {
    "wins": "win",
    "gammons_won": "win_gammon",
    "gammons_lost": "lose_gammon",
    "backgammons_lost": "lose_backgammon",
}
"""Parts of a difference that are told, and the chances behind them."""
KEPT = (Theme.KEEP_POINT, Theme.KEEP_ANCHOR, Theme.KEEP_PRIME)
MOST_SENTENCES = 3
LEAST_OUTCOME = 0.4
"""Wins or gammons that make this part of the difference are told."""
MOST_WORTH = 1.5
"""What moves gain over not making them is told up to so many times the difference: beyond it the number misleads."""


MORE_RETURNS = 3
"""Rolls that hit back are told where there are so many more of them on average."""
GAMMON_KEYS = {MeasureKind.CROSSOVERS.value: ".crossovers", MeasureKind.EFFECTIVE_PIPS.value: ".waste"}
"""Templates of gammon races by what is counted."""


def play_words(explanation: PlayExplanation, catalogue: Catalogue | None = None) -> str:
    """Two or three sentences: what matters most comes first."""
    say = (catalogue or Catalogue()).say
    first, second = explanation.names
    level = level_words(explanation, catalogue)
    gap = f"{explanation.gap:.3f}"
    if explanation.too_close:
        return say("too_close", first=first, second=second, gap=gap, level=level)
    verdict = say("better", first=first, second=second, gap=gap, level=level)
    told, *others = _sentences(explanation, catalogue, verdict=True)
    key = "first_reason" if explanation.reasons.named else "no_reason"
    return " ".join([say(key, verdict=verdict, reason=told), *others])


def level_words(explanation: PlayExplanation, catalogue: Catalogue | None = None) -> str:
    """How deep the gap was found, and how deep the reasons look where that is not the same."""
    catalogue = catalogue or Catalogue()
    level, plies = explanation.first.level, explanation.ledger.plies
    words = {"kind": catalogue.term(level.kind), "depth": catalogue.term(level.depth)}
    if level.plies == plies:
        return catalogue.say("level", **words)
    reasons = catalogue.term(AnalysisLevel.searched(plies).depth)
    return catalogue.say("level.reasons", reasons=reasons, **words)


def play_reason(explanation: PlayExplanation, catalogue: Catalogue | None = None) -> str:
    """The same sentences without the verdict."""
    say = (catalogue or Catalogue()).say
    if explanation.too_close:
        return say("too_close_alone")
    told, *others = _sentences(explanation, catalogue, verdict=False)
    first = say("next_reason", Reason=_capital(told)) if explanation.reasons.named else say("no_reason_alone")
    return " ".join([first, *others])


def _sentences(explanation: PlayExplanation, catalogue: Catalogue | None, *, verdict: bool) -> list[str]:
    """The first reason as a clause, empty if there is none, and the sentences that follow it.

    The better play is 'it' where the sentence before was about it: after a verdict, or a reason that began with it.
    """
    say = (catalogue or Catalogue()).say
    reasons, names = explanation.reasons, explanation.names
    if not reasons.named:
        outcome = outcome_words(explanation, catalogue, pronoun=False)
        return ["", f"{outcome}."] if outcome else [""]
    sentences: list[str] = []
    known = verdict
    for reason in reasons.named[:2]:
        told = reason_words(reason, names, catalogue, pronoun=known)
        sentences.append(say("next_reason", Reason=_capital(told)) if sentences else told)
        known = _about_first(reason, catalogue)
    if reasons.counter:
        counter = reasons.counter[0]
        sentences.append(say("counter", reason=reason_words(counter, names, catalogue, pronoun=known)))
        known = _about_first(counter, catalogue)
    outcome = outcome_words(explanation, catalogue, pronoun=known)
    if outcome and len(sentences) < MOST_SENTENCES:
        sentences.append(outcome + ".")
    return sentences


def _about_first(reason: Reason, catalogue: Catalogue | None) -> bool:
    """Whether the sentence of a reason begins with the better play."""
    return (catalogue or Catalogue()).subject(_key(reason)) == ("this", "other")[reason.favours]


def reason_words(
    reason: Reason, names: tuple[str, str], catalogue: Catalogue | None = None, *, pronoun: bool = False
) -> str:
    """One reason as a clause, without a capital letter and a full stop. With `pronoun` the better play is 'it'."""
    catalogue = catalogue or Catalogue()
    key, gain = _key(reason), f"{reason.contribution:.3f}"
    figures: dict[str, Any] = {**reason.figures, "this": names[reason.favours], "other": names[1 - reason.favours]}
    figures["gain"] = gain
    if reason.theme is Theme.DENY:
        figures["their_point"] = their_point_words(reason.figures["point"], catalogue)
    elif "point" in figures:
        figures["point"] = point_words(reason.figures["point"], catalogue)
    if "slot" in figures:
        figures["slot"] = point_words(reason.figures["slot"], catalogue)
    if "lead" in figures:
        figures["behind"] = -reason.figures["lead"]
    if reason.figures.get("blot"):
        figures["blot"] = point_words(reason.figures["blot"], catalogue)
    if "points" in figures:
        figures["points"] = catalogue.listed([point_words(point, catalogue) for point in reason.figures["points"]])
    subject = catalogue.subject(key)
    if pronoun and _about_first(reason, catalogue):
        figures[subject] = catalogue.say("it")
    told = catalogue.say(key, **figures)
    if reason.rolls is not None:
        return told
    sentence = ", ".join([told, *_support(reason, catalogue)])
    if reason.share > MOST_WORTH:
        return sentence
    if reason.by_need:
        return catalogue.say("need.kept" if reason.theme in KEPT else "need", sentence=sentence, gain=gain)
    return catalogue.say("gain", sentence=sentence, gain=gain)


def _key(reason: Reason) -> str:
    """The template of a reason: some themes have several."""
    if reason.theme is Theme.SAFETY and reason.figures["given_up"]:
        return "safety.given_up"
    if reason.theme is Theme.CONTAIN and reason.figures["escape"] == reason.figures["other_escape"]:
        return "containment.block"
    if reason.theme is Theme.RUN and reason.figures["value"] > 0:
        return "run.many"
    if reason.theme is Theme.WORSE_HIT and reason.figures["spared"] > 0:
        return "worse hit.both"
    if (
        reason.theme is Theme.CHEAPER_HIT
        and reason.figures["returns"] - reason.figures["other_returns"] >= MORE_RETURNS
    ):
        return "cheaper hit.returns"
    if reason.theme is Theme.COME_HOME and reason.figures["value"] == 0:
        return "come home.all"
    if reason.theme in (Theme.SAVE_BACKGAMMON, Theme.SAVE_GAMMON, Theme.WIN_GAMMON):
        return reason.theme.value + GAMMON_KEYS.get(reason.figures["of"], "")
    return reason.theme.value


def _support(reason: Reason, catalogue: Catalogue) -> list[str]:
    """What the same moves bring about besides, if a player would say it in the same breath."""
    if reason.theme in (Theme.HIT, Theme.HIT_LOOSE, Theme.POINT_ON, Theme.PICK_AND_PASS):
        return [catalogue.say("support.hit", **reason.figures)] if reason.figures["home_points"] > 1 else []
    for one in reason.support:
        values = one.values[reason.favours], one.values[1 - reason.favours]
        if reason.theme in KEPT:  # the sentence speaks of the other play, which gives up what this one keeps
            values = values[::-1]
        if one.kind is MeasureKind.CONTAIN and reason.theme is not Theme.CONTAIN:
            return [catalogue.say("support.escape", value=int(values[0]), other_value=int(values[1]))]
        if one.kind is MeasureKind.PRIME and reason.theme is Theme.MAKE_POINT:
            return [catalogue.say("support.prime", value=int(values[0]))]
    return []


def point_words(point: int, catalogue: Catalogue) -> str:
    """A point of the player's, as players name it; those in the opponent's home board by his numbers."""
    if point >= BACK:
        return catalogue.say("anchor", n=BAR - point)
    if point == THEIR_BAR_POINT:
        return catalogue.say("anchor.bar")
    if point == MIDPOINT:
        return catalogue.say("point.mid")
    return catalogue.say("point.bar") if point == BAR_POINT else catalogue.say("point", n=point)


def their_point_words(point: int, catalogue: Catalogue) -> str:
    """A point of the opponent's, told to the player."""
    if point >= BACK:
        return catalogue.say("their_anchor", n=BAR - point)
    return catalogue.say("their_point.bar") if point == BAR_POINT else catalogue.say("their_point", n=point)


def outcome_words(explanation: PlayExplanation, catalogue: Catalogue | None = None, *, pronoun: bool = False) -> str:
    """The kinds of results that make a good part of the difference each."""
    say = (catalogue or Catalogue()).say
    outcomes, gap = explanation.outcomes, explanation.gap
    if explanation.ledger.second.cube is CubeReply.PASSED:
        return _capital(say("outcome.cashed", second=explanation.names[1]))
    parts = {name: getattr(outcomes, name) for name in OUTCOMES}
    told = []
    for name, part in sorted(parts.items(), key=lambda item: -item[1]):
        if part >= LEAST_OUTCOME * gap:
            shown = [f"{100 * getattr(one, OUTCOMES[name]):.1f} %" for one in (outcomes.first, outcomes.second)]
            told.append(say(f"outcome.{name}", first=shown[0], second=shown[1]))
    if told:
        listed = (catalogue or Catalogue()).listed(told)
        return _capital(say("outcome", play=say("it") if pronoun else explanation.names[0], parts=listed))
    if outcomes.cube >= 0.5 * gap:
        return say("outcome.cube", share=f"{100 * min(1.0, outcomes.cube / gap):.0f} %")
    return ""


def _capital(text: str) -> str:
    """With a capital letter, unless the text starts with the notation of a play."""
    if text.startswith("bar/"):
        return text
    return text[:1].upper() + text[1:]
