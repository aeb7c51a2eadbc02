"""kibitz race: pip counts, effective pip counts, winning chances and cube formulas of a race."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.cli.common import JsonOption, PositionArgument, print_json, read_position
from kibitz.cli.neural import TablesOption

if TYPE_CHECKING:
    from kibitz.bearoff.race import Race, RaceSide


def race(position: PositionArgument, tables: TablesOption = None, json: JsonOption = False) -> None:
    """Analyse a race: exactly where a table reaches, and by the formulas that players use."""
    from kibitz.bearoff.in_use import use_tables
    from kibitz.bearoff.race import race as race_of

    if tables:
        use_tables(tables)
    state = read_position(position)
    found = race_of(state.position, owner=state.match.cube.owner)
    if json:
        print_json(found.to_dict())
    else:
        print(race_text(found))


def race_text(found: Race) -> str:
    """The race as a page of text."""
    lines = [
        f"{found.position.id}: the player on roll (X) and the opponent (O)",
        "",
        "                   X           O",
        f"Pips      {found.mine.pips:>10}  {found.theirs.pips:>10}",
    ]
    rows = (
        ("EPC", "effective_pips", 3),
        ("Wastage", "wastage", 3),
        ("Turns", "turns", 4),
        ("Std dev", "standard_deviation", 4),
    )
    for name, attribute, digits in rows:
        cells = (_cell(side, attribute, digits) for side in (found.mine, found.theirs))
        lines.append(f"{name:<10}" + "  ".join(f"{cell:>10}" for cell in cells))
    lines.append("")
    lines += _answer(found)
    lines += ["", "Formula          X        O   Chance  Advice", "-" * 64]
    for verdict in found.verdicts:
        win = "" if verdict.win is None else f"{100 * verdict.win:.1f} %"
        lines.append(
            f"{verdict.name:<10} {_number(verdict.mine):>7}  {_number(verdict.theirs):>7}  {win:>7}  {verdict.action}"
        )
    return "\n".join(lines)


def _answer(found: Race) -> list[str]:
    """The winning chance, and the cube action that follows."""
    if found.win is None:
        return [
            "No table reaches this position: a side has checkers outside its home board.",
            "`kibitz tables build one-sided-11x15` makes one that reaches the 11 point.",
        ]
    chance = f"{100 * found.win:.2f} %"
    cube = found.cube
    if cube is None:
        lines = [f"Winning chance {chance}, cubeless, from both sides' distributions of turns"]
        if found.chance_verdict is not None:
            lines.append(f"By this chance: {found.chance_verdict.action}")
        return lines
    lines = [f"Winning chance {chance}, cubeless, exact (two-sided table)"]
    if not cube.available:
        return [*lines, f"Cubeful equity {cube.no_double:+.3f}: the opponent owns the cube"]
    double, no_double = ("Redouble", "No redouble") if cube.redouble else ("Double", "No double")
    lines += [
        "Cubeful money equities, exact:",
        f"  {no_double:<18} {cube.no_double:+.3f}",
        f"  {double + ', take':<18} {cube.double_take:+.3f}",
    ]
    if cube.beaver:
        lines.append(f"  {double + ', beaver':<18} {cube.beavered:+.3f}")
    lines += [f"  {double + ', pass':<18} {cube.double_pass:+.3f}", f"Proper cube action: {cube.action}"]
    return lines


def _cell(side: RaceSide, attribute: str, digits: int) -> str:
    value = getattr(side, attribute)
    return "-" if value is None else f"{value:.{digits}f}"


def _number(value: float) -> str:
    return f"{value:.1f}" if value != int(value) else f"{int(value)}"
