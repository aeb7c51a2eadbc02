"""What one play gives up against another, in plain words."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.heuristics.shots import shots
from kibitz.heuristics.ten_factor import TenFactorPlay

_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a player sees at a glance after a play."""

    hits: int
    blots: tuple[int, ...]  # own points
    shots: int  # of 36 rolls, those that hit at least one of them
    made: frozenset[int]  # points made
    broken: frozenset[int]  # points given up
    pips: int  # pips moved
    prime: int
    home: int
    stack: int
    builders: float
    their_blots: int
    in_contact: bool

    @classmethod
    def of(cls, entry: TenFactorPlay) -> Facts:
        """The facts of a play by the ten factors."""
        play = entry.play
        before, after = play.position.mine, play.result.theirs
        points = range(1, 25)
        return cls(
            hits=int(entry["hits"].raw),
            blots=tuple(point for point in points if after[point - 1] == 1),
            shots=shots(play.result).count,
            made=frozenset(point for point in points if after[point - 1] >= 2 > before[point - 1]),
            broken=frozenset(point for point in points if before[point - 1] >= 2 > after[point - 1]),
            pips=int(entry["pips"].raw),
            prime=int(entry["prime"].raw),
            home=int(entry["home"].raw),
            stack=max(after[:24]),
            builders=entry["builders"].raw,
            their_blots=int(entry["opponent_blots"].raw),
            in_contact=play.result.in_contact,
        )


@dataclass(slots=True)
class Differences:
    """What the second of two plays gives up, and what it gets for it: phrases that follow its name."""

    gives_up: list[str] = field(default_factory=list)
    gains: list[str] = field(default_factory=list)

    def add(self, phrase: str, *, is_gain: bool) -> None:
        """Note a phrase on its side."""
        (self.gains if is_gain else self.gives_up).append(phrase)


def differences(first: Facts, second: Facts) -> Differences:
    """All that a player would name when asked how the second play differs from the first."""
    found = Differences()
    _hits(first, second, found)
    if first.in_contact or second.in_contact:
        _blots(first, second, found)
    _points(first, second, found)
    if first.prime != second.prime and max(first.prime, second.prime) >= 3:
        phrase = f"has a prime of {number(second.prime)} instead of {number(first.prime)}"
        found.add(phrase, is_gain=second.prime > first.prime)
    if first.home != second.home:
        more = second.home - first.home
        found.add(f"has {fewer_or_more(more, 'checker')} in the home board", is_gain=more > 0)
    if first.builders != second.builders:
        phrase = f"has builders worth {second.builders:g} instead of {first.builders:g}"
        found.add(phrase, is_gain=second.builders > first.builders)
    if first.stack != second.stack and max(first.stack, second.stack) > 3:
        phrase = f"has a highest stack of {number(second.stack)} instead of {number(first.stack)}"
        found.add(phrase, is_gain=second.stack < first.stack)
    if first.their_blots != second.their_blots:
        phrase = f"leaves the opponent {count(second.their_blots, 'blot')} instead of {number(first.their_blots)}"
        found.add(phrase, is_gain=second.their_blots > first.their_blots)
    if first.pips != second.pips:
        more = second.pips - first.pips
        found.add(f"moves {fewer_or_more(more, 'pip')}", is_gain=more > 0)
    return found


def _hits(first: Facts, second: Facts, found: Differences) -> None:
    if first.hits == second.hits:
        return
    if second.hits == 0:
        phrase = "does not hit"
    elif first.hits == 0:
        phrase = "hits" if second.hits == 1 else f"hits {count(second.hits, 'checker')}"
    else:
        phrase = f"hits {fewer_or_more(second.hits - first.hits, 'checker')}"
    found.add(phrase, is_gain=second.hits > first.hits)


def _blots(first: Facts, second: Facts, found: Differences) -> None:
    blots = len(second.blots) - len(first.blots)
    danger = second.shots - first.shots
    if blots == 0 and danger == 0:
        return
    tail = fewer_or_more(danger, "shot") if first.blots else count(second.shots, "shot")
    if blots == 0:
        phrase = f"leaves {tail}"
    elif not second.blots:
        phrase = f"leaves no blot: {tail}"
    elif not first.blots:
        what = f"a blot on the {second.blots[0]} point" if blots == 1 else count(blots, "blot")
        phrase = f"leaves {what}: {tail}"
    elif blots == 1:
        phrase = (
            f"leaves a {_ORDINALS[len(second.blots)] if len(second.blots) < len(_ORDINALS) else 'further'} blot: {tail}"
        )
    else:
        phrase = f"leaves {count(len(second.blots), 'blot')} instead of {number(len(first.blots))}: {tail}"
    found.add(phrase, is_gain=danger < 0 or (danger == 0 and blots < 0))


def _points(first: Facts, second: Facts, found: Differences) -> None:
    if missed := first.made - second.made:
        found.add("makes no point" if not second.made else f"does not make {points(missed)}", is_gain=False)
    if made := second.made - first.made:
        found.add(f"makes {points(made)}", is_gain=True)
    if broken := second.broken - first.broken:
        found.add(f"breaks {points(broken)}", is_gain=False)
    if kept := first.broken - second.broken:
        found.add(f"keeps {points(kept)}", is_gain=True)


def number(value: int) -> str:
    """A small number as a word."""
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)


def count(value: int, noun: str) -> str:
    """'one blot', 'two blots', '14 shots'."""
    return f"{number(value) if noun != 'shot' or value == 0 else value} {noun}{'' if value == 1 else 's'}"


def fewer_or_more(value: int, noun: str) -> str:
    """'one more blot', 'two fewer blots', 'no more shots'."""
    amount = abs(value)
    word = str(amount) if noun == "shot" and amount else number(amount)
    return f"{word} {'fewer' if value < 0 else 'more'} {noun}{'' if amount == 1 else 's'}"


def points(numbers: frozenset[int]) -> str:
    """'the 5 point', 'the 7 and 5 points'."""
    ordered = [str(point) for point in sorted(numbers, reverse=True)]
    if len(ordered) == 1:
        return f"the {ordered[0]} point"
    return f"the {', '.join(ordered[:-1])} and {ordered[-1]} points"
