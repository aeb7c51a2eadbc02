"""GNU Backgammon's Match ID: 12 characters of base64 for 72 bits, each number with its lowest bit first.

Player 1 is gnubg's X at the bottom of its board, player 0 its O at the top. "Move" is the player on roll, "turn" the
one who has to decide now: the other one while a double or a resignation awaits its answer. Bit 66 came later: it says
that the Jacoby rule is NOT in use. In a match the rule does not exist, but modern IDs have the bit set and old ones
have not.
"""

from __future__ import annotations

import base64

from kibitz.cube import Cube, Owner
from kibitz.errors import NotationError
from kibitz.match import MatchState, match_defects
from kibitz.notation.position_id import ALPHABET
from kibitz.notation.reading import Reading
from kibitz.position import Position
from kibitz.state import GameStatus, Offer, State

LENGTH = 12
USUAL_MAX_CUBE = 1024

_FIELDS = {  # name: width in bits, in the order of the ID
    "cube": 4,
    "owner": 2,
    "move": 1,
    "crawford": 1,
    "status": 3,
    "turn": 1,
    "doubled": 1,
    "resigned": 2,
    "die_1": 3,
    "die_2": 3,
    "length": 15,
    "score_0": 15,
    "score_1": 15,
    "no_jacoby": 1,
    "unused": 5,
}
_CENTRED = 3
_STATUSES = list(GameStatus)
_RESIGNATIONS = [Offer.NONE, Offer.RESIGN_SINGLE, Offer.RESIGN_GAMMON, Offer.RESIGN_BACKGAMMON]


def parse_match_id(text: str, position: Position | None = None) -> State:
    """The state of a Match ID. It says nothing about the checkers: without a position they are at their start."""
    match_id = text.strip()
    reading = Reading("Match ID", match_id)
    strange = sorted(set(match_id) - set(ALPHABET))
    if strange:
        reading.unreadable("it contains " + ", ".join(map(repr, strange)) + ", which base64 has not")
    if len(match_id) != LENGTH:
        reading.unreadable(f"it has {len(match_id)} characters instead of {LENGTH}")
    reading.finish()

    values = _unpack(int.from_bytes(base64.b64decode(match_id), "little"))
    mover = values["move"]
    scores = (values["score_0"], values["score_1"])
    length, crawford = values["length"], bool(values["crawford"])
    cube_value = 2 ** values["cube"]
    max_cube = max(USUAL_MAX_CUBE, cube_value)
    dice = reading.dice(values["die_1"], values["die_2"])
    if values["owner"] == 2:
        reading.unreadable("the cube's owner is 2, neither a player (0, 1) nor nobody (3)")
    if values["status"] >= len(_STATUSES):
        reading.unreadable(f"the state of the game is {values['status']}, not between 0 and {len(_STATUSES) - 1}")
    if values["unused"]:
        reading.unreadable("bits are set behind the last field")
    offer = _read_offer(reading, values)
    reading.note(match_defects(length, scores[mover], scores[1 - mover], cube_value, crawford, max_cube))
    owner = {_CENTRED: Owner.CENTRED, mover: Owner.MINE}.get(values["owner"], Owner.THEIRS)
    return reading.make(
        lambda: State(
            position or Position.start(),
            MatchState(
                length=length,
                my_score=scores[mover],
                their_score=scores[1 - mover],
                cube=Cube(cube_value, owner),
                crawford=crawford,
                jacoby=not values["no_jacoby"],
                max_cube=max_cube,
            ),
            dice=dice,
            offer=offer,
            turn=mover,
            status=_STATUSES[values["status"]],
            old_match_id=length > 0 and not values["no_jacoby"],
        )
    )


def format_match_id(state: State) -> str:
    """The Match ID of a state. It has no place for beavers' permission, the highest cube, names or the variant."""
    match, mover = state.match, state.turn
    scores = (match.my_score, match.their_score) if mover == 0 else (match.their_score, match.my_score)
    if state.offer is Offer.RACCOON:
        raise NotationError("a Match ID cannot say that a raccoon awaits its answer")
    awaits_other = state.offer not in (Offer.NONE, Offer.BEAVER)
    values = {
        "cube": match.cube.value.bit_length() - 1,
        "owner": {Owner.MINE: mover, Owner.THEIRS: 1 - mover}.get(match.cube.owner, _CENTRED),
        "move": mover,
        "crawford": int(match.crawford),
        "status": _STATUSES.index(state.status),
        "turn": 1 - mover if awaits_other else mover,
        "doubled": int(state.offer in (Offer.DOUBLE, Offer.BEAVER)),
        "resigned": _RESIGNATIONS.index(state.offer) if state.offer in _RESIGNATIONS else 0,
        "die_1": state.dice.high if state.dice else 0,
        "die_2": state.dice.low if state.dice else 0,
        "length": match.length,
        "score_0": scores[0],
        "score_1": scores[1],
        "no_jacoby": int(not match.jacoby and not state.old_match_id),
        "unused": 0,
    }
    bits = at = 0
    for name, width in _FIELDS.items():
        if values[name] >= 1 << width:
            raise NotationError(f"a Match ID has no room for a {name.replace('_', ' ')} of {values[name]}")
        bits |= values[name] << at
        at += width
    return base64.b64encode(bits.to_bytes(9, "little")).decode("ascii")


def _unpack(bits: int) -> dict[str, int]:
    values = {}
    for name, width in _FIELDS.items():
        values[name] = bits & ((1 << width) - 1)
        bits >>= width
    return values


def _read_offer(reading: Reading, values: dict[str, int]) -> Offer:
    """What awaits an answer. A double that its own maker has to answer has been beavered."""
    awaits_other = values["turn"] != values["move"]
    if values["doubled"] and values["resigned"]:
        reading.unreadable("a double and a resignation await an answer at the same time")
    elif values["resigned"] and not awaits_other:
        reading.unreadable("the player on roll has to answer a resignation that only that player could offer")
    elif awaits_other and not values["doubled"] and not values["resigned"]:
        reading.unreadable("the player not on roll has to decide, but nothing was offered")
    if values["doubled"]:
        return Offer.DOUBLE if awaits_other else Offer.BEAVER
    return _RESIGNATIONS[values["resigned"]]
