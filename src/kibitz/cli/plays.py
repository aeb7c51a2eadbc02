"""kibitz plays: every legal play of a roll."""

from __future__ import annotations

from kibitz.cli.common import JsonOption, OptionalDice, PositionArgument, print_json, read_turn


def plays(
    position: PositionArgument,
    dice: OptionalDice = None,
    json: JsonOption = False,
) -> None:
    """List every legal play of a roll, with the Position ID that it leads to."""
    state, roll = read_turn(position, dice)
    legal = sorted(state.position.plays(roll), key=lambda play: [(-move.source, move.target) for move in play.moves])
    if json:
        data = {"position": state.position_id, "dice": list(roll), "plays": [play.to_dict() for play in legal]}
        print_json(data)
        return
    print(f"{state.position_id} with {roll}: {len(legal) or 'no'} legal play{'' if len(legal) == 1 else 's'}")
    width = max((len(str(play)) for play in legal), default=0)
    for play in legal:
        print(f"  {play!s:<{width}}  {play.result.id}")
