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
    "better": "{first} is better than {second} by {gap} ({level})",
    "first_reason": "{verdict}: {reason}.",
    "next_reason": "{Reason}.",
    "counter": "In return, {reason}.",
    "no_reason": "{verdict}. No single fact explains it better than chance, so no reason is given.",
    "no_reason_alone": "No single fact explains it better than chance, so no reason is given.",
    "too_close_alone": "This is too close to call: no reason is given.",
    "too_close": "{first} and {second} are too close to call ({gap}, {level}): no reason is given.",
    "gain": "{sentence} (worth {gain})",
    # the opponent's next roll
    "safety": "{other} is hit by {other_value:roll}, mostly on {blot}, {this} by {value:roll}; hits that come only "
    "then ({rolls:roll}) cost {gain}",
    "safety.given_up": "{other} gives up {blot} and is hit by {other_value:roll}, {this} by {value:roll}; hits that "
    "come only then ({rolls:roll}) cost {gain}",
    "worse hit": "hits that come only after {other}, mostly on {blot} ({rolls:roll}), cost {cost:.3f}; those that come "
    "only after {this} cost {spared:.3f}",
    "cheaper hit": "a hit costs less: where it comes after both plays ({rolls:roll}), you stand at {value:+.2f} rather "
    "than {other_value:+.2f}, which makes {gain}",
    "dance": "after {this} the opponent dances with {value:roll}, after {other} with {other_value:roll}, which makes "
    "{gain}",
    "hold": "{this} holds the back checkers: one gets away with {value:roll}, after {other} with {other_value:roll}, "
    "which makes {gain}",
    "deny": "{this} denies {their_point}: it is made by {value:roll}, after {other} by {other_value:roll}, which makes "
    "{gain}",
    "duplication": "{this} duplicates: {value} of the six numbers are good for the opponent, after {other} "
    "{other_value}, which makes {gain}",
    # hitting
    "hit": "{this} hits",
    "hit loose": "{this} hits loose on {points}",
    "point on a blot": "{this} points on the blot on {points}",
    "double hit": "{this} hits two checkers",
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
    "containment": "{this} blocks better: the last back checker escapes with {escape:roll} rather than "
    "{other_escape:roll}",
    "containment.block": "{this} holds {block} of six points in a row, {other} {other_block}",
    "stronger home board": "{this} has {value} home points, {other} {other_value}",
    # shape
    "slot": "{this} slots: the blot on a key point is covered next turn by {value:roll}",
    "builders": "{this} brings builders: a good point is made next turn by {value:roll} rather than {other_value}",
    "chances of an anchor": "after {this} an anchor is made next turn by {value:roll} rather than {other_value}",
    "unstack": "{other} leaves {other_value} checkers on one point, {this} {value}",
    "keep checkers in play": "{other} has {other_value:checker} out of play, {this} {value:checker}",
    "no blots at home": "{other} leaves {other_value:blot} in the home board, {this} {value:blot}",
    "aim at his blots": "{this} aims better: the opponent's blots are hit next turn by {value:roll} rather than "
    "{other_value}",
    "timing": "{this} keeps {value:pip} to play before something breaks, {other} {other_value}",
    # back checkers
    "run": "{this} brings a back checker away",
    "run.many": "{this} leaves {value:checker} back, {other} {other_value}",
    "ease the escape": "{this} eases the escape: the last back checker gets away with {value:roll} rather than "
    "{other_value}",
    # coming home
    "clear from the rear": "{this} clears from the rear: it leaves nothing behind the {value} point, {other} the "
    "{other_value} point",
    "pay now": "after {this} a shot is left next turn by {value:roll}, after {other} by {other_value:roll}",
    # race and gammons
    "bear off": "{this} leaves {value:checker} on the board, {other} {other_value}",
    "cross over": "{this} has {value:crossover} to go, {other} {other_value}",
    "waste nothing": "{this} wastes less: {value:.1f} effective pips against {other_value:.1f}",
    "race": "{this} leaves {value:pip} to go, {other} {other_value}",
    "save the gammon": "{this} has {value:pip} to go until all checkers are home, {other} {other_value}",
    # support
    "support.hit": "which puts a checker on the bar against {home_points} points",
    "support.escape": "the last back checker then escapes with {value:roll} rather than {other_value:roll}",
    "support.prime": "a prime of {value} points",
    # outcomes
    "outcome.wins": "It wins {first} rather than {second} of the games",
    "outcome.gammons_won": "It wins {first} rather than {second} gammons",
    "outcome.gammons_lost": "It loses {first} rather than {second} gammons",
    "outcome.cube": "{share} of it comes from cubes that are still to be turned",
    # the cube
    "cube.not_available": "The cube is not available.",
    "cube.verdict": "{action}: no double {hold}, double/take {take}, double/pass {cash} ({level})",
    "cube.error": "{chosen} costs {error}; right is {verdict}",
    "cube.too_good": "you win {win} with {gammons} gammons; from {point} on playing for the gammon beats the cash",
    "cube.no_window": "you win {win} with {gammons} gammons; there is no doubling window here",
    "cube.below_window": "you win {win} with {gammons} gammons, below the doubling point of {double}",
    "cube.in_window": "you win {win} with {gammons} gammons, between the doubling point of {double} and the cash point "
    "of {cash}",
    "cube.past_window": "you win {win} with {gammons} gammons, beyond the cash point of {cash}",
    "cube.market": "{share} of the sequences of two rolls lose the market, which costs {lost} if you wait; the others "
    "save {saved}; the swing of two rolls is {volatility}",
    "cube.take": "the taker wins {win} and loses {gammons} gammons; {need} are enough to take",
    "cube.pass": "the taker wins {win} and loses {gammons} gammons; to take needs {need}",
    "cube.taker": "the taker wins {win} and loses {gammons} gammons",
    "cube.price": "at this score a gammon is worth {mine} to the doubler and {theirs} to the taker, for money 0.50",
    "cube.agree": "by the rules that apply it is the same: {names}",
    "cube.differ": "other rules say otherwise: {names}",
    "outcome.cashed": "After {second} the opponent doubles and you must pass",
}


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Sentences of one language."""

    messages: Mapping[str, str] = field(default_factory=lambda: ENGLISH)

    def say(self, key: str, /, **figures: object) -> str:
        """The sentence of a key with its figures. `{value:shot}` counts a noun; other formats are Python's."""
        shown = {name: _Figure(value, self) for name, value in figures.items()}
        return self.messages[key].format_map(shown)

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
