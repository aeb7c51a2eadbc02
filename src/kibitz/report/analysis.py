"""Analyses as text for the terminal, within 80 columns."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from kibitz.engine.matrix import CubeCell, PlayCell
from kibitz.engine.question import Answer, Question, Resignation
from kibitz.engine.results import CubeDecision, CubePoints, RankedPlay
from kibitz.match import MatchState
from kibitz.report.layout import game_words

_PLAY_WIDTH = 23
_RED, _YELLOW, _GREEN, _BOLD, _PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[1m", "\x1b[0m"
BAD, DOUBTFUL = 0.08, 0.02


def wants_colour() -> bool:
    """Whether stdout is a terminal that may be coloured."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def answer_text(answer: Answer, *, top: int | None = 10, colour: bool = False, named: Sequence[str] = ()) -> str:
    """What to do, and the numbers behind it."""
    if answer.question is Question.PLAY:
        return play_table(answer.plays, match=answer.state.match, top=top, colour=colour, named=named)
    if answer.resignation is not None:
        return resignation_text(answer.resignation)
    assert answer.cube is not None
    return cube_text(answer.cube, match=answer.state.match, taking=answer.question is Question.TAKE)


def play_table(
    plays: Sequence[RankedPlay],
    *,
    match: MatchState | None = None,
    top: int | None = 10,
    colour: bool = False,
    named: Sequence[str] = (),
) -> str:
    """The ranked list as players know it. Plays in `named` are shown however far down they are."""
    if not plays:
        return "No checker can move."
    kind = "cubeful" if plays[0].cubeful else "cubeless"
    at = "money" if match is None or match.is_money else "EMG at the score"
    lines = [f"Equities: {kind}, {at}; chances in % of the player who moves"]
    lines.append(f"{'':4}{'play':<{_PLAY_WIDTH}} {'equity':>7} {'diff':>7}   win    wg  wbg    lg  lbg ply")
    shown = list(plays[:top])
    shown += [one for one in plays[len(shown) :] if str(one.play) in named]
    for one in shown:
        text = str(one.play)
        chances = one.evaluation
        numbers = f"{one.equity:+7.4f} " + (f"{one.difference:+7.4f}" if one.rank > 1 else " " * 7)
        numbers += f" {100 * chances.win:5.1f} {100 * chances.win_gammon:5.1f} {100 * chances.win_backgammon:4.1f}"
        numbers += f" {100 * chances.lose_gammon:5.1f} {100 * chances.lose_backgammon:4.1f} {one.plies:3d}"
        mark = "*" if text in named else " "
        if len(text) > _PLAY_WIDTH:
            lines.append(f"{one.rank:2d}{mark} {text}")
            text, start = "", " " * 4
        else:
            start = f"{one.rank:2d}{mark} "
        line = f"{start}{text:<{_PLAY_WIDTH}} {numbers}"
        lines.append(_painted(line, one) if colour else line)
    rest = len(plays) - len(shown)
    if rest > 0:
        lines.append(f"    and {rest} more")
    if plays[0].mwc is not None:
        lines.append(f"Match winning chance after the best play: {100 * plays[0].mwc:.2f} %")
    return "\n".join(lines)


def _painted(line: str, one: RankedPlay) -> str:
    loss = -one.difference
    paint = _BOLD + _GREEN if one.rank == 1 else _RED if loss > BAD else _YELLOW if loss > DOUBTFUL else ""
    return f"{paint}{line}{_PLAIN}" if paint else line


def cube_text(decision: CubeDecision, *, match: MatchState, taking: bool = False) -> str:
    """A cube decision: the three equities, the proper action, how far off the others are, and the window."""
    kind = "EMG and MWC" if decision.mwc else "money equities"
    depth = "1 ply" if decision.plies == 1 else f"{decision.plies} plies"
    lines = [f"Cube decision at {depth}, {game_words(match)}; cubeful {kind}"]

    def line(words: str, equity: float, name: str) -> str:
        off = equity - decision.equity
        chance = f"  {100 * decision.mwc[name]:6.2f} %" if decision.mwc else ""
        behind = "" if abs(off) < 5e-5 else f"  ({off:+.4f})"
        return f"  {words:<15}{equity:+8.4f}{chance}{behind}"

    word = "double" if decision.owner.value == "centred" else "redouble"
    lines.append(line(f"no {word}", decision.no_double, "no_double"))
    if decision.available:
        lines.append(line(f"{word}, take", decision.double_take, "double_take"))
        lines.append(line(f"{word}, pass", decision.double_pass, "double_pass"))
        if decision.beaver:
            lines.append(f"  {word + ', beaver':<15}{2 * decision.double_take:+8.4f}")
    if taking:
        answer = "beaver" if decision.beaver else "take" if decision.take else "pass"
        wrong = decision.errors["pass" if decision.take else "take"]
        lines.append(f"Proper answer: {answer}" + (f" (the other answer costs {-wrong:.4f})" if wrong else ""))
    else:
        lines.append(f"Proper action: {decision.action}")
    chances = decision.evaluation
    wins = (100 * chances.win, 100 * chances.win_gammon, 100 * chances.win_backgammon)
    losses = (100 * chances.lose, 100 * chances.lose_gammon, 100 * chances.lose_backgammon)
    words = [f"{each[0]:.1f} % (gammon {each[1]:.1f}, bg {each[2]:.1f})" for each in (wins, losses)]
    lines.append(f"  wins {words[0]}, loses {words[1]}")
    lines.append(f"  cubeless equity {decision.cubeless:+.4f}")
    if decision.available:
        lines += _window(decision)
    return "\n".join(lines)


def _window(decision: CubeDecision) -> list[str]:
    lines = ["  Window (%)      take point  double from  cash from  too good from"]

    def percent(value: float | None) -> str:
        return "-" if value is None else f"{100 * value:.1f}"

    def row(name: str, points: CubePoints) -> str:
        cells = (points.take_point, points.double_point, points.cash_point, points.too_good_point)
        widths = (12, 13, 11, 15)
        return f"    {name:<12}" + "".join(
            f"{percent(cell):>{width}}" for cell, width in zip(cells, widths, strict=True)
        )

    lines += [row("dead cube", decision.dead_points), row("live cube", decision.live_points)]
    lines.append(row("this cube", decision.points) + f"   you: {100 * decision.evaluation.win:.1f}")
    return lines


def resignation_text(resignation: Resignation) -> str:
    """Whether to accept a resignation."""
    kind = {1: "a single game", 2: "a gammon", 3: "a backgammon"}[resignation.size]
    return (
        f"The opponent resigns {kind}.\n"
        f"  accepted    {resignation.accepted:+.4f}\n"
        f"  played on   {resignation.played_on:+.4f}\n"
        f"Proper answer: {resignation.action}"
    )


def cube_matrix_text(cells: Sequence[CubeCell]) -> str:
    """Cube actions by score: rows by what the player on roll needs, columns by what the opponent needs."""
    size = max(cell.score.my_away for cell in cells)
    lines = ["Rows: points the player on roll needs; columns: points the opponent needs."]
    lines.append("ND no double, DT double/take, DP double/pass, TG too good, O. optional, -- none")
    lines.append("     " + "".join(f"{theirs:>3}" for theirs in range(1, size + 1)))
    for mine in range(1, size + 1):
        row = [cell.code for cell in cells if cell.score.my_away == mine]
        lines.append(f"{mine:>4} " + "".join(f" {code}" for code in row))
    return "\n".join(lines)


def play_matrix_text(cells: Sequence[PlayCell]) -> str:
    """Best plays by score: a letter for each play, and a legend."""
    size = max(cell.score.my_away for cell in cells)
    best = [str(cell.plays[0].play) if cell.plays else "no play" for cell in cells]
    common = sorted(set(best), key=lambda play: -best.count(play))
    letters = {play: chr(ord("A") + number) if number < 26 else "?" for number, play in enumerate(common)}
    lines = ["Rows: points the player on roll needs; columns: points the opponent needs."]
    lines.append("     " + "".join(f"{theirs:>3}" for theirs in range(1, size + 1)))
    for mine in range(size):
        row = best[mine * size : (mine + 1) * size]
        lines.append(f"{mine + 1:>4} " + "".join(f"{letters[play]:>3}" for play in row))
    return "\n".join(lines + [f"  {letters[play]}  {play}  ({best.count(play)})" for play in common])
