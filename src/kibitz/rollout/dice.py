"""The dice of rollouts. Roll `turn` of game `game` follows from seed, game and turn, whoever plays it.

The counter is the default: it needs nothing but these three numbers, and is as fast as the games. The generators of
numpy are there for those who want to roll the same dice elsewhere:

    faces = Generator(PCG64([seed, game])).integers(36, size=LONGEST, dtype=uint8)

gives the ordered rolls of a game, face 0 for 1-1 and face 35 for 6-6; the dice are 1 + face // 6 and 1 + face % 6.
`MT19937` likewise. With stratified dice, the first three rolls of a game are those of the counter in any case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz import _core
from kibitz.errors import EngineError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

COUNTER = "counter"
GENERATORS = (COUNTER, "pcg64", "mt19937")
LONGEST = _core.ROLLOUT_LONGEST_GAME
"""No game has more turns."""
STRATIFIED_TURNS = 3


def check_generator(name: str) -> None:
    """Raise EngineError for dice that there are not."""
    if name not in GENERATORS:
        raise EngineError(f"the dice come from {', '.join(GENERATORS)}, not from {name!r}")


def faces_of(name: str, seed: int, stratified: bool, first: int, count: int) -> npt.NDArray[np.uint8] | None:
    """All ordered rolls of some games, (count, LONGEST); None for the counter, which the games know themselves."""
    if name == COUNTER:
        return None
    import numpy as np

    made = np.random.PCG64 if name == "pcg64" else np.random.MT19937
    faces = np.empty((count, LONGEST), np.uint8)
    for place in range(count):
        generator = np.random.Generator(made([seed, first + place]))
        faces[place] = generator.integers(36, size=LONGEST, dtype=np.uint8)
    if stratified:
        faces[:, :STRATIFIED_TURNS] = _core.rollout_faces(seed, True, first, count, STRATIFIED_TURNS)
    return faces
