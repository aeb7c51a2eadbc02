"""The native cube model of a match state, and the two units of a match: winning chances and normalised equities."""

from __future__ import annotations

from kibitz import _core
from kibitz.cube import Owner
from kibitz.match import MatchState
from kibitz.match_equity.tables import MatchEquityTable

NATIVE_OWNERS = {
    Owner.CENTRED: _core.CubeOwner.CENTRED,
    Owner.MINE: _core.CubeOwner.MINE,
    Owner.THEIRS: _core.CubeOwner.THEIRS,
}


def cube_model(match: MatchState, met: MatchEquityTable, *, cubeful: bool = True) -> _core.CubeModel:
    """The native cube model of a match state. Cubeless values know no Jacoby rule: their gammons count."""
    return _core.CubeModel(
        my_away=match.my_away,
        their_away=match.their_away,
        cube=match.cube.value,
        owner=NATIVE_OWNERS[match.cube.owner],
        crawford=match.crawford,
        jacoby=match.jacoby and cubeful,
        beavers=match.beavers,
        max_cube=match.max_cube,
        table=None if match.is_money else met.reaching(max(match.my_away, match.their_away)).native,
    )


def emg_of(mwc: float, match: MatchState, met: MatchEquityTable | None = None) -> float:
    """A match winning chance as normalised equity at the score: 1 is a game won at the present cube."""
    return cube_model(match, met or MatchEquityTable.default()).normalised(2.0 * mwc - 1.0, 0)


def mwc_of(emg: float, match: MatchState, met: MatchEquityTable | None = None) -> float:
    """The match winning chance that a normalised equity stands for."""
    model = cube_model(match, met or MatchEquityTable.default())
    zero = model.normalised(0.0, 0)
    return model.match_chance((emg - zero) / (model.normalised(1.0, 0) - zero))
