"""Explanations for the terminal and as pictures: the whole ledger, boards with their facts drawn, the map of rolls."""

from __future__ import annotations

import textwrap
from html import escape

from kibitz.dice import Dice
from kibitz.explain.cube import CubeExplanation
from kibitz.explain.explain import Explanation
from kibitz.explain.facts import Facts
from kibitz.explain.ledger import Ledger, LedgerRow, RollClass
from kibitz.explain.outcomes import NAMES
from kibitz.explain.plays import PlayExplanation
from kibitz.heuristics.shots import ShotKind
from kibitz.position import BAR
from kibitz.report.svg import Overlay, draw_position

WIDTH = 80
PRIME = 4
_LETTERS = {"hits": "H", "dances": "D", "escapes": "E", "makes": "P", "does": ""}


def explanation_text(explanation: Explanation, *, detail: bool = False) -> str:
    """The words, and with `detail` all figures behind them."""
    words = textwrap.fill(explanation.words, width=WIDTH, break_on_hyphens=False)
    if not detail:
        return words
    parts = cube_detail(explanation) if isinstance(explanation, CubeExplanation) else play_detail(explanation)
    return f"{words}\n\n{parts}"


def play_detail(explanation: PlayExplanation) -> str:
    """The ledger, its classes, the outcomes, the counterfactual boards and the facts, in 80 columns."""
    first, second = explanation.names
    lines = [f"A  {first}   {explanation.first.equity:+.4f}", f"B  {second}   {explanation.second.equity:+.4f}", ""]
    lines += _ledger_lines(explanation.ledger)
    lines += ["", f"{'rolls that ...':<42}{'of 36':>6}{'adds':>9}{'chance':>9}{'spread':>8}"]
    for kind, share in explanation.ledger.classes().items():
        star = " *" if share.beats_chance() else ""
        lines.append(
            f"{kind.value:<42}{share.count:>6}{share.contribution:>+9.4f}{share.by_chance:>+9.4f}{share.spread:>8.4f}{star}"
        )
    lines += ["", f"{'outcome':<24}{'A':>9}{'B':>9}{'adds':>10}"]
    outcomes = explanation.outcomes
    for name, one, other in zip(NAMES, outcomes.first, outcomes.second, strict=True):
        adds = getattr(outcomes, name)
        lines.append(f"{name.replace('_', ' '):<24}{100 * one:>8.2f}%{100 * other:>8.2f}%{adds:>+10.4f}")
    lines.append(f"{'cube':<42}{outcomes.cube:>+10.4f}")
    lines.append(f"{'together':<42}{outcomes.difference:>+10.4f}")
    lines += ["", f"moves, gain over the board {_common(explanation)}"]
    for letter, fragments in (("A", explanation.anatomy.first), ("B", explanation.anatomy.second)):
        lines += [f"{letter}  {fragment!s:<30}{fragment.gain:>+10.4f}" for fragment in fragments]
    lines += ["", *_fact_lines(*explanation.facts)]
    return "\n".join(lines)


def _common(explanation: PlayExplanation) -> str:
    common = explanation.anatomy.to_dict()["common"]
    return f"after {common} alone" if common else "before the play"


def _ledger_lines(ledger: Ledger) -> list[str]:
    """Three columns of seven rolls: our equity after each play, and what the roll adds."""
    title = f"the opponent's rolls, {ledger.plies} {'ply' if ledger.plies == 1 else 'plies'}"
    lines = [f"{title}; before them: A {ledger.first.cube.value}, B {ledger.second.cube.value}"]
    lines.append((" " + f"{'':3}{'A':>7}{'B':>7}{'adds':>8}") * 3)
    rows = ledger.rows
    for index in range(7):
        cells = [rows[index + 7 * column] for column in range(3)]
        lines.append("".join(" " + _ledger_cell(row) for row in cells))
    lines.append(f"A less B: {ledger.difference:+.4f}")
    return lines


def _ledger_cell(row: LedgerRow) -> str:
    return f"{row.dice!s:<3}{row.first.equity:>+7.3f}{row.second.equity:>+7.3f}{row.contribution:>+8.4f}"


def _fact_lines(first: Facts, second: Facts) -> list[str]:
    """The facts in which the boards differ."""
    lines = [f"{'facts that differ':<40}{'A':>18}{'B':>18}"]
    for side, one, other in (("", first.mine, second.mine), ("opponent: ", first.theirs, second.theirs)):
        for name in one.__slots__:
            lines += _fact_line(side + name.replace("_", " "), getattr(one, name), getattr(other, name))
    lines += _fact_line("shots of the opponent", first.shots.count, second.shots.count)
    lines += _fact_line("direct shots", first.direct_shots, second.direct_shots)
    lines += _fact_line("shots at two blots at once", first.double_shots, second.double_shots)
    for name in first.next_roll.__slots__:
        words = f"next roll: {name.replace('_', ' ')}"
        lines += _fact_line(words, getattr(first.next_roll, name), getattr(second.next_roll, name))
    return lines


def _fact_line(name: str, one: object, other: object) -> list[str]:
    if one == other:
        return []
    cells = [_cell(value) for value in (one, other)]
    if max(map(len, cells)) > 17:
        return [name, *(f"{letter:>6}  {cell}" for letter, cell in zip("AB", cells, strict=True))]
    return [f"{name:<40}{cells[0]:>18}{cells[1]:>18}"]


def _cell(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return " ".join(":".join(map(str, one)) if isinstance(one, tuple) else str(one) for one in value) or "-"


def cube_detail(explanation: CubeExplanation) -> str:
    """The figures of a cube decision, in 80 columns."""
    decision, swing = explanation.decision, explanation.swing
    lines = [
        f"no double      {decision.no_double:+.4f}",
        f"double, take   {decision.double_take:+.4f}",
        f"double, pass   {decision.double_pass:+.4f}",
        f"cubeless       {decision.cubeless:+.4f}",
        f"   {decision.evaluation}",
        "",
        f"{'window (winning chance)':<28}{'likely':>9}{'live':>9}{'dead':>9}",
    ]
    for name in ("take_point", "double_point", "cash_point", "too_good_point"):
        cells = [getattr(points, name) for points in (decision.points, decision.live_points, decision.dead_points)]
        shown = "".join(f"{'-':>9}" if cell is None else f"{100 * cell:>8.2f}%" for cell in cells)
        lines.append(f"{name.replace('_', ' '):<28}{shown}")
    lines += [
        "",
        f"sequences of two rolls that lose the market   {swing.market_losers} of 1296",
        f"   what waiting loses with them               {swing.lost_market:+.4f}",
        f"   what waiting saves with the others         {swing.saved:+.4f}",
        f"swing of two rolls (standard deviation)        {swing.volatility:.4f}",
        f"gammon price of the doubled cube               {explanation.gammon_prices[0]:.3f} doubler, "
        f"{explanation.gammon_prices[1]:.3f} taker",
    ]
    for reference in explanation.references:
        verb = "agrees" if reference.agrees else "differs"
        lines.append(f"{reference.name:<46} {reference.action} ({verb})")
    return "\n".join(lines)


# --- pictures --------------------------------------------------------------------------------------------------------


def overlay_of(facts: Facts) -> Overlay:
    """What a board shows of its facts to the player who played: primes of both sides, and the shots at each blot."""
    mine, theirs = (
        range(side.prime_from, side.prime_from + side.prime) if side.prime >= PRIME else range(0)
        for side in (facts.mine, facts.theirs)
    )
    shaded = (*mine, *(BAR - point for point in theirs))
    rays, marks = [], []
    for blot in facts.shots.blots:
        own = blot.their_point
        marks.append((own, str(blot.count)))
        ways = {steps for roll, kind in zip(blot.rolls, blot.kinds, strict=True) for steps in _distances(roll, kind)}
        rays += [(own - steps, own) for steps in ways if own >= steps and facts.position.mine[BAR - own + steps - 1]]
    return Overlay(shaded, tuple(sorted(rays)), tuple(marks))


def _distances(roll: Dice, kind: ShotKind) -> tuple[int, ...]:
    """How far from a blot a checker may stand that hits it with a roll."""
    if kind is ShotKind.DIRECT:
        return roll.high, roll.low
    return (roll.high + roll.low,) if kind is ShotKind.COMBINATION else (2 * roll.high, 3 * roll.high, 4 * roll.high)


def pair_svg(explanation: PlayExplanation) -> str:
    """Both boards after the plays side by side: primes shaded, shots as rays, their number at each blot."""
    captions = ("You", "Opponent, to roll")
    boards = [
        draw_position(facts.position.swapped(), overlay=overlay_of(facts), captions=captions)
        for facts in explanation.facts
    ]
    width, height = _size(boards[0])
    gap, header = 24, 40
    parts = [_open(2 * width + gap, height + header, "Two plays side by side")]
    for index, (board, entry) in enumerate(zip(boards, (explanation.first, explanation.second), strict=True)):
        x = index * (width + gap)
        parts.append(
            f'<text x="{x + width / 2:.0f}" y="26" text-anchor="middle" font-size="20" fill="#2b3a42">'
            f"{escape(entry.name)}  {entry.equity:+.3f}</text>"
        )
        parts.append(board.replace("<svg ", f'<svg x="{x}" y="{header}" ', 1))
    return "\n".join([*parts, "</svg>"]) + "\n"


def rolls_svg(ledger: Ledger, names: tuple[str, str] = ("the first play", "the second play")) -> str:
    """The map of the 36 rolls: by how much the first play is better with each, and what the roll does."""
    cell, left, top = 66, 40, 88
    most = max((abs(row.difference) for row in ledger.rows), default=0.0) or 1.0
    by_roll = {row.dice: row for row in ledger.rows}
    width, height = left + 6 * cell + 10, top + 6 * cell + 56
    parts = [_open(width, height, "What each roll of the opponent adds")]
    parts.append(_label(width / 2, 18, f"A {names[0]}"))
    parts.append(_label(width / 2, 40, f"B {names[1]}"))
    for die in range(1, 7):
        middle = (die - 0.5) * cell
        parts.append(_label(left + middle, top - 14, str(die)))
        parts.append(_label(left - 18, top + middle, str(die)))
    for one in range(1, 7):
        for other in range(1, 7):
            row = by_roll[Dice(one, other)]
            x, y = left + (other - 1) * cell, top + (one - 1) * cell
            strength = 0.12 + 0.75 * abs(row.difference) / most
            colour = "#2a9d8f" if row.difference >= 0 else "#d1495b"
            parts.append(
                f'<rect x="{x}" y="{y}" width="{cell - 3}" height="{cell - 3}" rx="6" fill="{colour}" '
                f'fill-opacity="{strength:.2f}"><title>{row.dice}: {escape(row.roll_class.value)}</title></rect>'
            )
            parts.append(_label(x + cell / 2 - 1, y + cell / 2 - 8, f"{row.difference:+.3f}"))
            letter = _letter(row.roll_class)
            if letter:
                parts.append(_label(x + cell / 2 - 1, y + cell / 2 + 14, letter))
    parts.append(_label(width / 2, height - 36, "by how much A is better if the opponent rolls this", size=12))
    legend = "H he hits, D dances, E escapes, P makes a point; after A or B only"
    parts.append(_label(width / 2, height - 16, legend, size=12))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _letter(kind: RollClass) -> str:
    """What a roll does in a letter, and the play after which it does it, if after one alone."""
    letter = _LETTERS[kind.value.split()[0]]
    after = "A" if "first" in kind.value else "B" if "second" in kind.value else ""
    return f"{letter} {after}".strip()


def _label(x: float, y: float, text: str, *, size: int = 14) -> str:
    place = f'x="{x:.0f}" y="{y:.0f}" text-anchor="middle" dominant-baseline="central"'
    return f'<text {place} font-size="{size}" fill="#2b3a42">{escape(text)}</text>'


def _open(width: int, height: int, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif"><title>{escape(title)}</title>'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    )


def _size(svg: str) -> tuple[int, int]:
    """Width and height of a picture of ours."""
    _, _, width, height = svg.split('viewBox="', 1)[1].split('"', 1)[0].split()
    return int(width), int(height)


def explanation_html(explanation: Explanation) -> str:
    """For notebooks: the words, and the pictures of two plays."""
    words = f"<p>{escape(explanation.words)}</p>"
    if isinstance(explanation, CubeExplanation):
        return words
    return words + pair_svg(explanation) + rolls_svg(explanation.ledger, explanation.names)
