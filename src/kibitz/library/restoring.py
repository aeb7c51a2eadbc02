"""Getting back what was put in: matches with analyses and comments, original files, and what each analyst said."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, select

from kibitz.analysis.decisions import Kind
from kibitz.decision import CubeDecision, Decision, PlayDecision, ResignationDecision
from kibitz.errors import LibraryError
from kibitz.library.models import (
    Analysis,
    AnalysisDetail,
    Analyst,
    DecisionRow,
    GameRow,
    MatchRow,
    MatchSource,
    Player,
    SourceFile,
)
from kibitz.library.models_notes import Note
from kibitz.library.rows import unpack, unpack_record
from kibitz.notation import parse
from kibitz.position import Position
from kibitz.record import Action, Game, Match, PlayAnalysis, Roll
from kibitz.state import State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class AnalysisInfo:
    """What an analyst says of a decision. `decision` is the whole answer; None where only the luck is known.

    `reason` says why what was played was an error, if the analyst says it.
    """

    analyst: str
    level: str
    origin: str
    is_current: bool
    best: str
    lost: float
    lost_mwc: float | None
    luck: float | None
    decision: Decision | None
    analyst_id: int
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = {name: getattr(self, name) for name in self.__slots__ if name != "decision"}
        return data | {"decision": None if self.decision is None else self.decision.to_dict()}


@dataclass(frozen=True, slots=True)
class PlacedAnalysis:
    """What an analyst says, and of which decision: the game from 1, the place of the action in it from 0, the kind."""

    game: int
    index: int
    kind: str
    analysis: AnalysisInfo

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"game": self.game, "index": self.index, "kind": self.kind} | self.analysis.to_dict()


def match(connection: Connection, owner: int, number: int, *, analyses: bool, origin: str | None = None) -> Match:
    """A match as a record, with the players as the library calls them."""
    row = connection.execute(
        select(MatchRow).where(MatchRow.id == number, MatchRow.owner_id == owner)
    ).mappings().first()  # fmt: skip
    if row is None:
        raise LibraryError(f"there is no match {number} in the library")
    wanted = [row["player0_id"], row["player1_id"]]
    named = connection.execute(select(Player.id, Player.name).where(Player.id.in_(wanted)))
    names = dict(named.all())
    found = replace(
        unpack_record(row["record"]),
        players=(names[wanted[0]], names[wanted[1]]),
        event=row["event"],
        round=row["round"],
        place=row["place"],
        date=row["dated"],
    )
    return with_analyses(connection, number, found, origin) if analyses else found


def with_analyses(connection: Connection, number: int, bare: Match, origin: str | None = None) -> Match:
    """The same match with the current analyses, or the best of an origin, and with the comments of files and user."""
    said: dict[tuple[int, int], dict[str, Any]] = {}
    query = (
        select(GameRow.number, DecisionRow.ply, DecisionRow.kind, Analysis.luck, AnalysisDetail.data)
        .select_from(DecisionRow)
        .join(GameRow, GameRow.id == DecisionRow.game_id)
        .join(Analysis, Analysis.decision_id == DecisionRow.id)
        .outerjoin(AnalysisDetail, AnalysisDetail.analysis_id == Analysis.id)
        .where(DecisionRow.match_id == number)
    )
    if origin is None:
        query = query.where(Analysis.current)
    else:  # the last to be read stays
        query = query.join(Analyst, Analyst.id == Analysis.analyst_id).where(Analyst.origin == origin)
        query = query.order_by(Analyst.rank, Analyst.id)
    for game, ply, kind, luck, data in connection.execute(query):
        there = said.setdefault((game, ply), {})
        if kind == Kind.CHECKER.value:
            there["luck"] = luck
        if data is not None:
            there[kind] = restored(unpack(data))
    comments, of_match = _comments(connection, number)
    games = tuple(_annotated(game, n, said, comments) for n, game in enumerate(bare.games, start=1))
    return replace(bare, games=games, comments=tuple(of_match))


def _annotated(
    game: Game, number: int, said: dict[tuple[int, int], dict[str, Any]], comments: dict[tuple[int, int], list[str]]
) -> Game:
    actions: list[Action] = []
    for ply, action in enumerate(game.actions):
        there = said.get((number, ply), {})
        cube = there.get(Kind.CUBE.value) or there.get(Kind.ANSWER.value)
        changed: Action = replace(action, comment="\n".join(comments.get((number, ply), [])), cube=cube)
        plays = there.get(Kind.CHECKER.value)
        if isinstance(changed, Roll):
            analysis = None
            if isinstance(plays, PlayDecision):
                analysis = PlayAnalysis(plays.plays, _place(plays, changed))
            changed = replace(changed, analysis=analysis, luck=there.get("luck"))
        actions.append(changed)
    return replace(game, actions=tuple(actions))


def _place(plays: PlayDecision, action: Roll) -> int | None:
    """Which of the plays was made."""
    if action.moves is None:
        return None
    from kibitz.record import apply_moves

    result = apply_moves(plays.state.position, action.moves)
    return next((n for n, row in enumerate(plays) if row.play.result == result), None)


def _comments(connection: Connection, number: int) -> tuple[dict[tuple[int, int], list[str]], list[str]]:
    query = (
        select(GameRow.number, DecisionRow.ply, Note.text)
        .select_from(Note)
        .outerjoin(DecisionRow, DecisionRow.id == Note.decision_id)
        .outerjoin(GameRow, GameRow.id == DecisionRow.game_id)
        .where(Note.match_id == number)
        .order_by(Note.id)
    )
    on_actions: dict[tuple[int, int], list[str]] = {}
    on_match: list[str] = []
    for game, ply, words in connection.execute(query):
        if game is None:
            on_match.append(words)
        else:
            on_actions.setdefault((game, ply), []).append(words)
    return on_actions, on_match


def restored(data: dict[str, Any]) -> Decision:
    """The answer in the detail of an analysis."""
    kind = Kind(data["kind"])
    if kind is Kind.CHECKER:
        return PlayDecision.from_dict(data["decision"])
    if kind in (Kind.RESIGNATION, Kind.ACCEPTANCE):
        return ResignationDecision.from_dict(data["decision"])
    return CubeDecision.from_dict(data["decision"])


def analyses(connection: Connection, owner: int, decision: int) -> list[AnalysisInfo]:
    """All that was said of a decision, the current analysis first, then by rank."""
    return [one.analysis for one in _analyses(connection, owner, Analysis.decision_id == decision)]


def analyses_of_match(connection: Connection, owner: int, number: int, origin: str) -> list[PlacedAnalysis]:
    """What analysts of an origin say of the decisions of a match, in the order of the match, the best of each first."""
    found = _analyses(connection, owner, DecisionRow.match_id == number, Analyst.origin == origin)
    return sorted(found, key=lambda one: (one.game, one.index, one.kind))


def _analyses(connection: Connection, owner: int, *wanted: ColumnElement[bool]) -> list[PlacedAnalysis]:
    query = (
        select(
            Analyst.engine,
            Analyst.level,
            Analyst.origin,
            Analysis.current,
            Analysis.best,
            Analysis.lost,
            Analysis.lost_mwc,
            Analysis.luck,
            AnalysisDetail.data,
            Analyst.id,
            GameRow.number,
            DecisionRow.ply,
            DecisionRow.kind,
        )
        .select_from(Analysis)
        .join(Analyst, Analyst.id == Analysis.analyst_id)
        .join(DecisionRow, DecisionRow.id == Analysis.decision_id)
        .join(MatchRow, MatchRow.id == DecisionRow.match_id)
        .join(GameRow, GameRow.id == DecisionRow.game_id)
        .outerjoin(AnalysisDetail, AnalysisDetail.analysis_id == Analysis.id)
        .where(MatchRow.owner_id == owner, *wanted)
        .order_by(Analysis.current.desc(), Analyst.rank.desc(), Analyst.id)
    )
    found = []
    for row in connection.execute(query):
        data = None if row[8] is None else unpack(row[8])
        whole = None if data is None else restored(data)
        info = AnalysisInfo(*row[:8], whole, row[9], "" if data is None else data.get("reason", ""))
        found.append(PlacedAnalysis(row[10], row[11], row[12], info))
    return found


def files(connection: Connection, owner: int, number: int) -> list[tuple[str, bytes]]:
    """The files of a match as they were."""
    query = (
        select(SourceFile.name, SourceFile.data)
        .join(MatchSource, MatchSource.source_id == SourceFile.id)
        .where(MatchSource.match_id == number, SourceFile.owner_id == owner)
        .order_by(SourceFile.id)
    )
    return [(row.name, zlib.decompress(row.data)) for row in connection.execute(query)]


def board_of(position: Position | State | str) -> npt.NDArray[np.uint8]:
    """The board of a position in any notation."""
    if isinstance(position, str):
        position = parse(position)
    return (position.position if isinstance(position, State) else position).board
