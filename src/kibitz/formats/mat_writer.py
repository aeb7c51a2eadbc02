"""Writing .mat: plain steps in two columns, which every program reads."""

from __future__ import annotations

from kibitz.cube import Owner
from kibitz.formats.headers import header_lines, one_line
from kibitz.formats.mat import CRAWFORD_NOTES
from kibitz.match import is_crawford_game
from kibitz.record import (
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Moment,
    Moves,
    Raccoon,
    Roll,
    Setup,
    Take,
)

_NAME_WIDTH = 31


def write(match: Match) -> tuple[bytes, list[str]]:
    """A .mat file, and what it could not hold."""
    lines = [f"; {line}" for line in header_lines(match)]
    lines += [f"; {one_line(line)}" for comment in match.comments for line in comment.splitlines()]
    lines += ["", f" {match.length} point match"]
    played = False
    for number, game in enumerate(match.games, start=1):
        derived = match.rules.crawford and is_crawford_game(match.length, game.score, played)
        played = played or derived
        rows = _game_lines(match, game, number)
        if derived != game.crawford:
            rows.insert(1, next(f"; {note}" for note, crawford in CRAWFORD_NOTES.items() if crawford == game.crawford))
        lines += ["", f" Game {number}", *rows]
    return ("\n".join(lines) + "\n").encode(), _dropped(match)


def _game_lines(match: Match, game: Game, number: int) -> list[str]:
    left, right = (f"{one_line(name)} : {score}" for name, score in zip(match.players, game.score, strict=True))
    width = max(_NAME_WIDTH, len(left) + 1)
    lines = [f" {left:{width}} {right}"]
    if game.comment:
        lines += [f"; {one_line(line)}" for line in game.comment.splitlines()]
    rows: list[list[str]] = []  # cells: left, right

    def flush() -> None:
        for number, (first, second) in enumerate(rows, start=flush_from[0]):
            lines.append(f"{number:3}) {first:{width - 4}} {second}".rstrip())
        flush_from[0] += len(rows)
        rows.clear()

    flush_from = [1]
    for moment in match.moments(number):
        action = moment.action
        if isinstance(action, Setup):
            flush()
            lines.append(_setup_line(action))
        elif cell := _cell(moment):
            if not rows or rows[-1][action.player] or rows[-1][1]:
                rows.append(["", ""])
            rows[-1][action.player] = cell
    if game.result is None:
        flush()
        return lines
    won = f"Wins {game.result.points} point{'s' if game.result.points != 1 else ''}"
    if match.length and game.score[game.result.winner] + game.result.points >= match.length:
        won += " and the match"
    if rows and game.result.winner == 1 and rows[-1][0].strip() == "Drops":
        rows[-1][1] = f" {won}"  # beside the drop, where gnubg looks for it
        flush()
    else:
        flush()
        lines.append(" " * (6 if game.result.winner == 0 else width + 3) + won)
    return lines


def _cell(moment: Moment) -> str:
    action, value = moment.action, moment.state.match.cube.value
    if isinstance(action, Roll):
        if action.moves is None:
            return f"{action.dice}: ????"
        return f"{action.dice}: {_plain_play(action.moves) if action.moves else 'Cannot Move'}"
    if isinstance(action, Double):
        return f" Doubles => {2 * value}"
    if isinstance(action, Beaver):
        return f" Beavers => {4 * value}"
    if isinstance(action, Raccoon):
        return f" Raccoons => {8 * value}"
    if isinstance(action, Take):
        return " Takes"
    return " Drops" if isinstance(action, Drop) else ""


def _plain_play(moves: Moves) -> str:
    return " ".join(f"{move.source}/{move.target}{'*' if move.hit else ''}" for move in moves)


def _setup_line(action: Setup) -> str:
    """The board as XG notes it: an XGID's places, seen by the left player, and the cube, negative if that player's."""
    position = action.position if action.player == 0 else action.position.swapped()
    owner = action.owner if action.player == 0 else action.owner.swapped()
    power = action.value.bit_length() - 1
    places = position.xgid().removeprefix("XGID=").partition(":")[0]
    return f"; Set Pos={places}/{-power if owner is Owner.MINE else power}"


def _dropped(match: Match) -> list[str]:
    """What .mat has no place for, in words."""
    actions = [action for game in match.games for action in game.actions]
    rolls = [action for action in actions if isinstance(action, Roll)]
    counts = {
        "analyses of plays": sum(roll.analysis is not None for roll in rolls),
        "analyses of cube decisions": sum(action.cube is not None for action in actions),
        "figures of luck": sum(roll.luck is not None for roll in rolls),
        "comments on actions": sum(bool(action.comment) for action in actions),
        "marks": sum(bool(action.marks) for action in actions),
    }
    dropped = [f"{count} {what}" for what, count in counts.items() if count]
    for number, game in enumerate(match.games, start=1):
        if game.actions and isinstance(last := game.actions[-1], Setup) and last.player == 1:
            dropped.append(f"who is on roll in game {number}")
    return dropped
