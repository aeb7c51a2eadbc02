"""eXtreme Gammon's XGID: `XGID=` and ten fields with colons between them.

1 position    26 characters: the top player's bar, points 1 to 24 of the BOTTOM player, the bottom player's bar;
              '-' nobody, 'A'.. one and more checkers of the bottom player, 'a'.. of the top player
2 cube        2 to the power of this
3 owner       1 bottom, 0 nobody, -1 top
4 turn        1 bottom, -1 top: who is on roll, or who doubled
5 dice        00 not rolled yet, two digits, or D doubled, B beavered, R raccooned
6, 7 scores   bottom, top
8 rules       in a match: 1 in the Crawford game; in a money game: 1 Jacoby, 2 beavers, 3 both
9 length      0 for a money game
10 max cube   2 to the power of this; some writers leave it out

The board is not turned round to the player on roll: who that is says field 4 alone.
"""

from __future__ import annotations

from kibitz.cube import Cube, Owner
from kibitz.dice import Dice
from kibitz.errors import NotationError
from kibitz.match import MatchState, match_defects
from kibitz.notation.reading import Reading
from kibitz.position import Position, position_defects
from kibitz.state import Offer, State

PREFIX = "XGID="

_PLACES = 26
_FIELDS = 10
_USUAL_MAX_CUBE = 10
_HIGHEST_POWER = 30
_OFFERS = {"D": Offer.DOUBLE, "B": Offer.BEAVER, "R": Offer.RACCOON}
_LETTERS = {offer: letter for letter, offer in _OFFERS.items()}


def parse_xgid(text: str) -> State:
    """The state of an XGID. The prefix may be missing; what follows the first blank is ignored."""
    words = text.split()
    given = words[0] if words else ""
    reading = Reading("XGID", given)
    bare = given[len(PREFIX) :] if given.upper().startswith(PREFIX) else given
    fields = bare.split(":")
    if len(fields) == _FIELDS - 1:
        fields.append(str(_USUAL_MAX_CUBE))
    if len(fields) != _FIELDS:
        reading.unreadable(f"it has {len(fields)} fields instead of {_FIELDS}")
        reading.finish()

    bottom, top = _read_places(reading, fields[0])
    places_read = not reading.defects
    cube = 2 ** reading.number(fields[1], "the cube", 0, _HIGHEST_POWER)
    owner = reading.number(fields[2], "the cube's owner", -1, 1)
    turn = reading.number(fields[3], "the turn", -1, 1, otherwise=1)
    if turn == 0:
        reading.unreadable("the turn is 0, neither 1 (bottom) nor -1 (top)")
    dice, offer = _read_dice(reading, fields[4])
    scores = [reading.number(field, "a score", 0, 99999) for field in fields[5:7]]
    length = reading.number(fields[8], "the match length", 0, 99999)
    rules = reading.number(fields[7], "the field of rules", 0, 1 if length else 3)
    max_cube = 2 ** reading.number(fields[9], "the highest cube", 0, _HIGHEST_POWER, otherwise=_USUAL_MAX_CUBE)
    crawford = bool(length and rules)
    if turn < 0:
        bottom, top = top, bottom
        scores.reverse()
    if places_read:
        reading.note(position_defects(bottom, top))
    reading.note(match_defects(length, scores[0], scores[1], cube, crawford, max_cube))
    return reading.make(
        lambda: State(
            Position(bottom, top),
            MatchState(
                length=length,
                my_score=scores[0],
                their_score=scores[1],
                cube=Cube(cube, {0: Owner.CENTRED, turn: Owner.MINE}.get(owner, Owner.THEIRS)),
                crawford=crawford,
                jacoby=bool(rules & 1),
                beavers=bool(rules & 2),
                max_cube=max_cube,
            ),
            dice=dice,
            offer=offer,
            turn=1 if turn > 0 else 0,
        )
    )


def format_xgid(state: State) -> str:
    """The XGID of a state. It has no place for resignations, names or the variant."""
    match = state.match
    bottom_on_roll = state.turn == 1
    if state.offer is not Offer.NONE and state.offer not in _LETTERS:
        raise NotationError(f"an XGID cannot say that a resignation ({state.offer.value}) awaits its answer")
    position = state.position if bottom_on_roll else state.position.swapped()
    scores = (match.my_score, match.their_score) if bottom_on_roll else (match.their_score, match.my_score)
    turn = 1 if bottom_on_roll else -1
    dice = _LETTERS.get(state.offer) or (str(state.dice) if state.dice else "00")
    rules = int(match.crawford) if match.length else int(match.jacoby) + 2 * int(match.beavers)
    fields = [
        _format_places(position),
        match.cube.value.bit_length() - 1,
        {Owner.MINE: turn, Owner.THEIRS: -turn}.get(match.cube.owner, 0),
        turn,
        dice,
        *scores,
        rules,
        match.length,
        match.max_cube.bit_length() - 1,
    ]
    return PREFIX + ":".join(map(str, fields))


def _read_places(reading: Reading, places: str) -> tuple[list[int], list[int]]:
    """The rows of the bottom and the top player, each from its owner's side."""
    bottom, top = [0] * 25, [0] * 25
    if len(places) != _PLACES:
        reading.unreadable(f"the position has {len(places)} characters instead of {_PLACES}")
        return bottom, top
    for place, letter in enumerate(places):
        if "A" <= letter <= "P" and place > 0:
            bottom[place - 1] = ord(letter) - ord("A") + 1
        elif "a" <= letter <= "p" and place < 25:
            top[24 - place] = ord(letter) - ord("a") + 1
        elif letter.upper() in "ABCDEFGHIJKLMNOP":
            reading.unreadable(f"{letter!r} stands on the bar of the other player")
        elif letter != "-":
            reading.unreadable(f"{letter!r} in the position is neither '-' nor a letter from A to P")
    return bottom, top


def _format_places(position: Position) -> str:
    places = ["-"] * _PLACES
    for slot, count in enumerate(position.mine):
        if count:
            places[slot + 1] = chr(ord("A") + count - 1)
    for slot, count in enumerate(position.theirs):
        if count:
            places[24 - slot] = chr(ord("a") + count - 1)
    return "".join(places)


def _read_dice(reading: Reading, field: str) -> tuple[Dice | None, Offer]:
    if field.upper() in _OFFERS:
        return None, _OFFERS[field.upper()]
    if len(field) != 2 or not (field.isascii() and field.isdigit()):
        reading.unreadable(f"the dice are {field!r}, neither two digits nor D, B or R")
        return None, Offer.NONE
    return reading.dice(int(field[0]), int(field[1])), Offer.NONE
