"""Statistics as text: sections of rows with a cell for each player. Terminal, page and notebook print the same."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

from kibitz.analysis.decisions import Flaw
from kibitz.analysis.marks import LuckMark, Mark, Thresholds, error_rate_name, luck_name
from kibitz.analysis.statistics import PlayerStatistics, Tally
from kibitz.errors import EngineError


class Row(NamedTuple):
    """A label and what it is for each of the two players."""

    label: str
    cells: tuple[str, str]


class Section(NamedTuple):
    """A heading and its rows."""

    title: str
    rows: tuple[Row, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"title": self.title, "rows": [{"label": row.label, "cells": list(row.cells)} for row in self.rows]}


Cell = Callable[[PlayerStatistics], str]


class Scale(StrEnum):
    """By which names play is rated: two scales side by side would seem to contradict each other."""

    PR = "pr"  # eXtreme Gammon's names for the PR
    ERROR_RATE = "error-rate"  # gnubg's names for the error per decision, with its ratings
    BOTH = "both"

    @classmethod
    def of(cls, name: str) -> Scale:
        """A scale by name."""
        if name not in list(cls):
            raise EngineError(f"no scale of ratings is called {name!r}; expected {', '.join(cls)}")
        return cls(name)


def sections(players: tuple[PlayerStatistics, PlayerStatistics], scale: Scale = Scale.PR) -> list[Section]:
    """All of it, rated by one scale or both. Losses are printed as negative numbers, as players are used to."""
    unit = players[0].unit
    every = (
        ("Checker play", _checker_rows(unit)),
        ("Cube", _cube_rows(players, unit)),
        ("Dice", _dice_rows(unit)),
        ("Overall", _overall_rows(unit, players[0].limits)),
    )
    left_out = {Scale.PR: _BY_ERROR_RATE, Scale.ERROR_RATE: _BY_PR}.get(scale, frozenset())
    return [
        Section(
            title,
            tuple(Row(label, (cell(players[0]), cell(players[1]))) for label, cell in rows if label not in left_out),
        )
        for title, rows in every
    ]


_BY_PR = frozenset(("XG performance rating (PR)", "Decisions counted in the PR", "Rating by PR"))
_BY_ERROR_RATE = frozenset(
    (
        "Rating of checker play",
        "Rating at the cube",
        "Rating by error rate",
        "Rating by errors (FIBS)",
        "Lost by checker play / cube (FIBS)",
    )
)


def errors_label(limits: Thresholds) -> str:
    """What the row that counts errors and blunders is called."""
    return f"Errors / blunders (>{limits.error:g} / >{limits.blunder:g})"


def _checker_rows(unit: str) -> list[tuple[str, Cell]]:
    return [
        ("Moves", lambda one: str(one.total_moves)),
        ("Unforced moves", lambda one: str(one.unforced_moves)),
        ("Unmarked", lambda one: str(one.marks(Mark.NONE))),
        ("Doubtful ?!", lambda one: str(one.marks(Mark.DOUBTFUL))),
        ("Bad ?", lambda one: str(one.marks(Mark.BAD))),
        ("Very bad ??", lambda one: str(one.marks(Mark.VERY_BAD))),
        (f"Error total, EMG ({unit})", lambda one: lost(one.checker, unit)),
        ("Error per unforced move, mEMG", lambda one: milli(one.checker_rate)),
        ("Rating of checker play", lambda one: error_rate_name(one.checker_rate) or "-"),
    ]


def _cube_rows(players: tuple[PlayerStatistics, PlayerStatistics], unit: str) -> list[tuple[str, Cell]]:
    flaws: list[tuple[str, Flaw]] = [
        ("Missed doubles below cash point", Flaw.MISSED_BELOW_CASH),
        ("Missed doubles above cash point", Flaw.MISSED_ABOVE_CASH),
        ("Wrong doubles below doubling point", Flaw.WRONG_BELOW_DOUBLE),
        ("Wrong doubles above too-good point", Flaw.WRONG_ABOVE_TOO_GOOD),
        ("Wrong takes", Flaw.WRONG_TAKE),
        ("Wrong passes", Flaw.WRONG_PASS),
    ]
    if any(one.beavers or one.flaw(Flaw.WRONG_BEAVER).count for one in players):
        flaws.append(("Wrong and missed beavers", Flaw.WRONG_BEAVER))
    return [
        ("Cube decisions", lambda one: str(one.total_cube)),
        ("Close or actual ones", lambda one: str(one.close_cube)),
        ("Doubles", lambda one: str(one.doubles)),
        ("Takes", lambda one: str(one.takes)),
        ("Passes", lambda one: str(one.passes)),
        *((label, _flaw_cell(flaw, unit)) for label, flaw in flaws),
        (f"Error total, EMG ({unit})", lambda one: lost(one.cube, unit)),
        ("Error per close or actual, mEMG", lambda one: milli(one.cube_rate)),
        ("Rating at the cube", lambda one: error_rate_name(one.cube_rate) or "-"),
    ]


def _dice_rows(unit: str) -> list[tuple[str, Cell]]:
    return [
        ("Rolls", lambda one: str(one.rolls)),
        *((f"{_sentence(mark)} {mark.symbol}", _luck_cell(mark)) for mark in reversed(LuckMark) if mark.symbol),
        (f"Luck total, EMG ({unit})", lambda one: gained(one.luck, unit)),
        ("Luck per roll, mEMG", lambda one: milli(one.luck_rate, sign=1)),
        ("Dice", lambda one: luck_name(one.luck_rate) or "-"),
    ]


def _overall_rows(unit: str, limits: Thresholds) -> list[tuple[str, Cell]]:
    rows: list[tuple[str, Cell]] = [
        (f"Error total, EMG ({unit})", lambda one: lost(one.overall, unit)),
        ("Error rate, mEMG per decision", lambda one: milli(one.error_rate)),
        ("Snowie error rate", lambda one: milli(one.snowie_rate)),
        ("Rating by error rate", lambda one: one.rating or "-"),
        ("XG performance rating (PR)", lambda one: "-" if one.pr is None else f"{one.pr:.2f}"),
        ("Decisions counted in the PR", lambda one: str(one.pr_decisions)),
        ("Rating by PR", lambda one: one.pr_rating or "-"),
        (errors_label(limits), lambda one: f"{one.errors} / {one.blunders}"),
        ("Actual result", lambda one: stake(one.actual_result, unit)),
        ("Luck-adjusted result", lambda one: stake(one.luck_adjusted_result, unit)),
        ("Luck-adjusted rating difference", lambda one: _plain(one.luck_adjusted_rating, sign=True)),
    ]
    if unit == "MWC":
        rows += [
            ("Rating by errors (FIBS)", lambda one: _plain(one.fibs_rating)),
            ("Lost by checker play / cube (FIBS)", _rating_losses),
        ]
    return rows


def lost(tally: Tally, unit: str) -> str:
    """A total that was lost."""
    return f"{-tally.emg or 0.0:+.3f} ({stake(-tally.stake, unit)})"


def gained(tally: Tally, unit: str) -> str:
    """A total that was gained."""
    return f"{tally.emg:+.3f} ({stake(tally.stake, unit)})"


def stake(value: float | None, unit: str) -> str:
    """Match winning chance in percent, or points."""
    if value is None:
        return "-"
    return f"{100 * value or 0.0:+.2f}%" if unit == "MWC" else f"{value or 0.0:+.3f}"


def milli(rate: float | None, *, sign: int = -1) -> str:
    """A rate in thousandths."""
    return "-" if rate is None else f"{sign * 1000 * rate or 0.0:+.1f}"


def _flaw_cell(flaw: Flaw, unit: str) -> Cell:
    def cell(one: PlayerStatistics) -> str:
        tally = one.flaw(flaw)
        return "0" if not tally.count else f"{tally.count}: {lost(tally, unit)}"

    return cell


def _luck_cell(mark: LuckMark) -> Cell:
    return lambda one: str(one.lucky(mark))


def _sentence(mark: LuckMark) -> str:
    return mark.value[:1].upper() + mark.value[1:]


def _plain(value: float | None, *, sign: bool = False) -> str:
    if value is None:
        return "-"
    return f"{value:+.0f}" if sign else f"{value:.0f}"


def _rating_losses(one: PlayerStatistics) -> str:
    return f"{_plain(one.checker_rating_loss)} / {_plain(one.cube_rating_loss)}"
