"""The sentences of explanations, in one place, so that they can be translated.

A `Catalogue` is a table from keys to templates. Templates take figures by name; whoever translates may order them anew.
Nouns that are counted have two forms, `noun.one` and `noun.many`; languages that need more can override `count`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ENGLISH: dict[str, str] = {
    # nouns and points
    "shot.one": "{n} shot",
    "shot.many": "{n} shots",
    "roll.one": "{n} roll",
    "roll.many": "{n} rolls",
    "checker.one": "{n} checker",
    "checker.many": "{n} checkers",
    "blot.one": "{n} blot",
    "blot.many": "{n} blots",
    "pip.one": "{n} pip",
    "pip.many": "{n} pips",
    "home_point.one": "{n} home point",
    "home_point.many": "{n} home points",
    "home_point.none": "no home point",
    "bare.one": "{n}",
    "bare.many": "{n}",
    "bare.none": "none",
    "crossover.one": "{n} crossover",
    "crossover.many": "{n} crossovers",
    "shot.none": "no shot",
    "roll.none": "no roll",
    "checker.none": "no checker",
    "blot.none": "no blot",
    "point": "the {n} point",
    "point.bar": "the bar point",
    "point.mid": "the midpoint",
    "anchor": "the opponent's {n} point",
    "anchor.bar": "the opponent's bar point",
    "their_point": "their {n} point",
    "their_point.bar": "their bar point",
    "their_anchor": "an anchor on your {n} point",
    "and": "{head} and {last}",
    # the frame
    "level": "{kind}, {depth}",
    "level.reasons": "{kind}, {depth}; reasons at {reasons}",
    "better": "{first} is better than {second} by {gap} ({level})",
    "first_reason": "{verdict}: {reason}.",
    "next_reason": "{Reason}.",
    "counter": "In return, {reason}.",
    "no_reason": "{verdict}. No single fact explains it better than chance, so no reason is given.",
    "no_reason_alone": "No single fact explains it better than chance, so no reason is given.",
    "too_close_alone": "This is too close to call: no reason is given.",
    "too_close": "{first} and {second} are too close to call ({gap}, {level}): no reason is given.",
    "it": "it",
    "gain": "{sentence} (worth {gain})",
    "need": "{sentence} (every play without that loses at least {gain})",
    "need.kept": "{sentence} (every play that does so loses at least {gain})",
    # the opponent's next roll
    "safety": "{other} is hit by {other_value:roll} rather than {value:bare}, mostly on {blot}; hits that come only "
    "then ({rolls:roll}) cost {gain}",
    "safety.given_up": "{other} gives up {blot} and is hit by {other_value:roll} rather than {value:bare}; hits that "
    "come only then ({rolls:roll}) cost {gain}",
    "pay later": "{this} pays later: it is hit by {value:roll} now rather than {other_value:bare}, and a shot is left "
    "next turn by {next:roll} rather than {other_next:bare}; hits that come only after {other} ({rolls:roll}) cost "
    "{gain}",
    "worse hit": "hits that come only after {other}, mostly on {blot} ({rolls:roll}), cost {cost:.3f}",
    "worse hit.both": "hits that come only after {other}, mostly on {blot} ({rolls:roll}), cost {cost:.3f}; those that "
    "come only after {this} cost {spared:.3f}",
    "cheaper hit": "a hit costs less: where it comes after both plays ({rolls:roll}), you stand at {value:+.2f} rather "
    "than {other_value:+.2f}, which makes {gain}",
    "cheaper hit.returns": "a hit costs less: where it comes after both plays ({rolls:roll}), you hit back with "
    "{returns:.0f} rather than {other_returns:.0f} rolls on average, which makes {gain}",
    "dance": "{this} makes the opponent dance with {value:roll} rather than {other_value:bare}, which makes {gain}",
    "hold": "{this} holds the opponent's back checkers: one gets away with {value:roll} rather than "
    "{other_value:bare}, which makes {gain}",
    "deny": "{this} denies {their_point}: it is made by {value:roll} rather than {other_value:bare}, which makes "
    "{gain}",
    "duplication": "{this} duplicates: {value} rather than {other_value} of the six numbers are good for the opponent, "
    "which makes {gain}",
    # hitting
    "hit": "{this} hits",
    "hit loose": "{this} hits loose on {points}",
    "point on a blot": "{this} points on the blot on {points}",
    "double hit": "{this} puts {value:checker} on the bar rather than {other_value:bare}",
    "pick and pass": "{this} hits and passes on to safety",
    "tempo hit": "{this} hits and takes away {rolls:roll} that would hit, escape or make a point",
    # points and blockades
    "make a point": "{this} makes {point}",
    "keep a point": "{other} gives up {point}",
    "make an anchor": "{this} makes an anchor on {point}",
    "hold the anchor": "{other} gives up the anchor on {point}",
    "advance the anchor": "{this} advances the anchor to {point}",
    "extend the prime": "{this} makes a prime of {length} points, from the {low} to the {high} point",
    "keep the prime": "{other} breaks the prime of {length} points",
    "containment": "{this} blocks better: the opponent's last checker gets away with {escape:roll} rather than "
    "{other_escape:bare}",
    "containment.block": "{this} holds {block} of six points in a row rather than {other_block}",
    "stronger home board": "{this} holds {value:home_point} rather than {other_value:bare}",
    # shape
    "slot": "{this} slots {slot}, which is covered next turn by {value:roll}",
    "diversification": "{this} diversifies: with {value:roll} rather than {other_value:bare} you hit or make a good "
    "point or an anchor next turn",
    "builders": "{this} brings builders: a good point is made next turn by {value:roll} rather than {other_value:bare}",
    "chances of an anchor": "{this} aims at an advanced anchor: one is made next turn by {value:roll} rather than "
    "{other_value:bare}",
    "unstack": "{other} leaves {other_value} checkers on one point rather than {value}",
    "keep checkers in play": "{other} has {other_value:checker} out of play rather than {value:bare}",
    "no blots at home": "{other} leaves {other_value:blot} in the home board rather than {value:bare}",
    "aim at his blots": "{this} aims better: a blot of the opponent's is hit next turn by {value:roll} rather than "
    "{other_value:bare}",
    "timing": "{this} keeps {value:pip} to play before something breaks rather than {other_value:bare}",
    # back checkers
    "run": "{this} brings a back checker away",
    "run.many": "{this} leaves {value:checker} back rather than {other_value:bare}",
    "run while it is safe": "{this} runs while it is safe, against {shots:shot}; left behind, the checker would get "
    "away with {later:roll} next time",
    "keep contact": "{this} keeps contact, and you need it: you trail by {behind:pip}",
    "break contact": "{this} breaks contact, and you lead by {lead:pip}",
    "ease the escape": "{this} eases the escape: your last checker gets away with {value:roll} rather than "
    "{other_value:bare}",
    # coming home
    "clear from the rear": "{this} clears from the rear: the last point to clear is the {value} point rather than the "
    "{other_value} point",
    "pay now": "{this} pays now: it is exposed to {shots:shot} rather than {other_shots:bare}, but next turn a shot is "
    "left by {value:roll} rather than {other_value:bare}",
    "safe next turn": "{this} is safer next turn: a shot is left by {value:roll} rather than {other_value:bare}",
    # race and gammons
    "bear off": "{this} leaves {value:checker} on the board rather than {other_value:bare}",
    "cross over": "{this} has {value:crossover} to go rather than {other_value:bare}",
    "waste nothing": "{this} wastes less: {value:.1f} effective pips rather than {other_value:.1f}",
    "fill the gaps": "{this} leaves {value:bare} of the home points empty rather than {other_value:bare}",
    "race": "{this} leaves {value:pip} to go rather than {other_value:bare}",
    "come home.all": "{this} brings the last checker home, {other} has {other_value:pip} to go",
    "save the backgammon": "{this} is nearer to saving the backgammon: {back:checker} in the opponent's home board "
    "rather than {other_back:bare}",
    "save the backgammon.crossovers": "{this} is nearer to saving the backgammon: {value:crossover} to go rather than "
    "{other_value:bare}",
    "come home": "{this} has {value:pip} to go until all checkers are home rather than {other_value:bare}",
    "save the gammon": "{this} is nearer to saving the gammon: {value:pip} to go until all checkers are home rather "
    "than {other_value:bare}",
    "save the gammon.crossovers": "{this} is nearer to saving the gammon: {value:crossover} to go rather than "
    "{other_value:bare}",
    "win the gammon": "{this} leaves {value:checker} on the board rather than {other_value:bare}, in the race for the "
    "gammon against {their_home_pips:pip} that the opponent needs to come home",
    "win the gammon.crossovers": "{this} has {value:crossover} to go rather than {other_value:bare}, in the race for "
    "the gammon against {their_home_pips:pip} that the opponent needs to come home",
    "win the gammon.waste": "{this} wastes less: {value:.1f} effective pips rather than {other_value:.1f}, in the race "
    "for the gammon against {their_home_pips:pip} that the opponent needs to come home",
    # support
    "support.hit": "which puts a checker on the bar against {home_points} points",
    "support.escape": "and the opponent's last checker gets away with {value:roll} rather than {other_value:bare}",
    "support.prime": "which is a prime of {value} points",
    # outcomes
    "outcome": "{play} {parts}",
    "outcome.wins": "wins {first} of the games rather than {second}",
    "outcome.gammons_won": "wins {first} gammons rather than {second}",
    "outcome.gammons_lost": "loses {first} gammons rather than {second}",
    "outcome.backgammons_lost": "loses {first} backgammons rather than {second}",
    "outcome.cube": "{share} of the difference is what the cube adds",
    # the cube
    "cube.not_available": "The cube is not available.",
    "cube.verdict": "{action} is right: no double {hold}, double/take {take}, double/pass {cash} ({level})",
    "cube.error": "{chosen} is wrong by {error}: no double {hold}, double/take {take}, double/pass {cash} ({level})",
    "cube.race.lead": "you lead by {pips:pip} ({percent})",
    "cube.race.trail": "you trail by {pips:pip} ({percent})",
    "cube.race.level": "you are level in the race",
    "cube.race.home": "you need {mine:.1f} effective pips and the opponent {theirs:.1f}",
    "cube.homes": "hold {mine:home_point} against {theirs}",
    "cube.hits": "hit with {rolls:roll}",
    "cube.too_good": "you win {win} with {gammons} gammons; from {point} on playing for the gammon beats the cash",
    "cube.no_window": "you win {win} with {gammons} gammons; there is no doubling window here",
    "cube.below_window": "you win {win} with {gammons} gammons, below the doubling point of {double}",
    "cube.in_window": "you win {win} with {gammons} gammons, between the doubling point of {double} and the cash point "
    "of {cash}",
    "cube.past_window": "you win {win} with {gammons} gammons, beyond the cash point of {cash}",
    "cube.market.gone": "the opponent has to pass, and still has to after {share} of the sequences of two rolls",
    "cube.market.none": "no sequence of two rolls loses the market, so waiting costs nothing and gains {saved}",
    "cube.market.both": "{share} of the sequences of two rolls lose the market and cost {lost} if you wait; waiting "
    "gains {saved} on the others",
    "cube.market.lost": "{share} of the sequences of two rolls lose the market and cost {lost} if you wait, and "
    "waiting gains nothing on the others",
    "cube.market.saved": "{share} of the sequences of two rolls lose the market and cost nothing; waiting gains "
    "{saved} on the others",
    "cube.market.neither": "{share} of the sequences of two rolls lose the market; waiting costs and gains nothing",
    "cube.take": "the taker wins {win} and loses {gammons} gammons; {need} are enough to take",
    "cube.pass": "the taker wins {win} and loses {gammons} gammons; {need} would be enough to take",
    "cube.taker": "the taker wins {win} and loses {gammons} gammons",
    "cube.price": "at this score a gammon is worth {mine} to the doubler and {theirs} to the taker, for money 0.50",
    "cube.agree.one": "{names} says the same",
    "cube.agree.many": "{names} say the same",
    "cube.differ.one": "{names} says otherwise",
    "cube.differ.many": "{names} say otherwise",
    "outcome.cashed": "after {second} the opponent doubles and you must pass",
}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Sentences of one language."""

    messages: Mapping[str, str] = field(default_factory=lambda: ENGLISH)

    def say(self, key: str, /, **figures: object) -> str:
        """The sentence of a key with its figures. `{value:shot}` counts a noun; other formats are Python's."""
        shown = {name: _Figure(value, self) for name, value in figures.items()}
        return self.messages[key].format_map(shown)

    def term(self, words: str) -> str:
        """Words that come from elsewhere, such as a cube action's name: as the table has them, else as they are."""
        return self.messages.get(words, words)

    def subject(self, key: str) -> str:
        """The figure that a sentence starts with: 'this' or 'other', empty if it starts with something else."""
        template = self.messages[key]
        return next((name for name in ("this", "other") if template.startswith(f"{{{name}}}")), "")

    def count(self, noun: str, number: int) -> str:
        """A number with its noun."""
        if number == 0 and f"{noun}.none" in self.messages:
            return self.messages[f"{noun}.none"]
        return self.messages[f"{noun}.{'one' if number == 1 else 'many'}"].format(n=number)

    def knows(self, noun: str) -> bool:
        """Whether this is a noun that can be counted."""
        return f"{noun}.many" in self.messages

    def listed(self, words: list[str]) -> str:
        """'a', 'a and b', 'a, b and c'."""
        if len(words) < 2:
            return "".join(words)
        return self.messages["and"].format(head=", ".join(words[:-1]), last=words[-1])


class _Figure:
    """A figure within a template: formatted as a counted noun where the template names one."""

    def __init__(self, value: object, catalogue: Catalogue) -> None:
        self.value = value
        self.catalogue = catalogue

    def __format__(self, spec: str) -> str:
        if isinstance(self.value, int) and self.catalogue.knows(spec):
            return self.catalogue.count(spec, self.value)
        return format(self.value, spec)
