"""A library of matches: the door to everything that is kept about them.

>>> from kibitz import Library
>>> with Library("matches.db") as library:  # doctest: +SKIP
...     print(library.add_files(["matches/"]))
...     library.players.set_me("Ada")
...     library.review()
...     print(library.statistics(player="me").pr)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import select

from kibitz.analysis.levels import ReviewLevel, ReviewSettings
from kibitz.errors import LibraryError
from kibitz.library import queries, restoring, statistics
from kibitz.library.database import Database, owner_id
from kibitz.library.filters import DecisionFilter
from kibitz.library.importing import ImportedFile, Importer, ImportReport, Progress
from kibitz.library.jobs import Jobs
from kibitz.library.likeness import Neighbours, fill
from kibitz.library.models import MatchReviewRow, Owner
from kibitz.library.notes import Notes, delete_match
from kibitz.library.patterns import Pattern
from kibitz.library.players import Players
from kibitz.library.progress import ProgressPoint, progress
from kibitz.library.queries import DecisionInfo, EventInfo, HistogramBar, MatchInfo
from kibitz.library.restoring import AnalysisInfo, PlacedAnalysis
from kibitz.library.reviewing import Reviewer, ReviewReport
from kibitz.library.rows import match_rows
from kibitz.library.statistics import StatisticsRow, Sums
from kibitz.library.store import Added, Store
from kibitz.position import Position
from kibitz.state import State

if TYPE_CHECKING:
    from kibitz.analysis.review import MatchReview
    from kibitz.engine.engine import Engine
    from kibitz.record import Match


class Library:
    """Matches and all that is known about them, in SQLite (a path) or PostgreSQL (a URL), or in an open database.

    Without a path it is the user's own library. One database may hold those of several owners, who see nothing of each
    other. Filters are given as a `DecisionFilter` or as its conditions by name.
    """

    def __init__(self, where: str | Path | Database | None = None, *, owner: str = "me") -> None:
        self.database = where if isinstance(where, Database) else Database(where)
        self.owner_id = self._owner(owner)

    def _owner(self, name: str) -> int:
        with self.database.reading() as connection:
            found = owner_id(connection, name)
        if found is not None:
            return found
        with self.database.writing() as connection:
            connection.execute(self.database.insert(Owner).values(name=name).on_conflict_do_nothing())
            made = owner_id(connection, name)
            assert made is not None
            return made

    def close(self) -> None:
        """Give all connections back."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Library: {self.database.name}>"

    # --- people, notes, work ----------------------------------------------------------------------------------------

    @cached_property
    def players(self) -> Players:
        """The players and their names."""
        return Players(self.database, self.owner_id)

    @cached_property
    def notes(self) -> Notes:
        """Notes, tags, collections and saved searches."""
        return Notes(self.database, self.owner_id)

    @cached_property
    def jobs(self) -> Jobs:
        """Work that takes long."""
        return Jobs(self.database, self.owner_id)

    @cached_property
    def _neighbours(self) -> Neighbours:
        return Neighbours(self.database)

    # --- matches in and out -----------------------------------------------------------------------------------------

    def add_files(
        self,
        paths: Iterable[Path | str],
        *,
        threads: int = 0,
        progress: Progress | None = None,
        done: Callable[[ImportedFile], None] | None = None,
    ) -> ImportReport:
        """Import files and folders of any format; the same match in several files becomes one."""
        return Importer(self.database, self.owner_id).run(paths, threads=threads, progress=progress, done=done)

    def add(self, match: Match) -> Added:
        """Add a match that is at hand, with the analyses and comments in it."""
        from kibitz.library.file_analyses import file_analyses

        with self.database.writing() as connection:
            return Store(self.database, self.owner_id).add(connection, match_rows(match), None, file_analyses(match))

    def match(self, number: int, *, analyses: bool = True, origin: str | None = None) -> Match:
        """A match as a record, with comments and the current analyses in it, or those of an origin alone: 'file'."""
        with self.database.reading() as connection:
            return restoring.match(connection, self.owner_id, number, analyses=analyses, origin=origin)

    def info(self, number: int) -> MatchInfo:
        """What a match is, without its games."""
        with self.database.reading() as connection:
            return queries.match_info(connection, self.owner_id, number)

    def matches(
        self,
        wanted: DecisionFilter | None = None,
        *,
        limit: int | None = None,
        after: int | None = None,
        **conditions: Any,
    ) -> list[MatchInfo]:
        """Matches, the newest first; `after` goes on from one of them."""
        asked, names = self._asked(wanted, conditions)
        with self.database.reading() as connection:
            return queries.matches(connection, self.owner_id, asked, names, limit=limit, after=after)

    def match_sums(self, numbers: Sequence[int]) -> dict[tuple[int, int], Sums]:
        """What the decisions of some matches add up to, by match and seat; what nobody has analysed is missing."""
        with self.database.reading() as connection:
            return queries.match_sums(connection, numbers)

    def files(self, number: int) -> list[tuple[str, bytes]]:
        """The files that a match came from, as they were: names and contents."""
        with self.database.reading() as connection:
            return restoring.files(connection, self.owner_id, number)

    def delete(self, number: int, *, with_notes: bool = False) -> None:
        """Delete a match. What the user wrote about it stays unless it is asked to go as well."""
        about = str(self.info(number))
        with self.database.writing() as connection:
            delete_match(connection, number, about, with_notes=with_notes)

    def merge(self, other: Library, *, progress: Progress | None = None) -> ImportReport:
        """Take over all matches of another library, with files, analyses and notes."""
        from kibitz.library.merging import merge

        return merge(self, other, progress)

    def backup(self, path: str | Path) -> Path:
        """Copy a library in a file, also while it is used."""
        return self.database.backup(path)

    # --- analyses ---------------------------------------------------------------------------------------------------

    def review(
        self,
        level: ReviewLevel | str = "default",
        *,
        settings: ReviewSettings | None = None,
        wanted: DecisionFilter | None = None,
        threads: int = 0,
        limit: int | None = None,
        cluster: str | None = None,
        progress: Progress | None = None,
        **conditions: Any,
    ) -> ReviewReport:
        """Review whatever is not analysed at this level yet. May be stopped at any moment: what is done is kept."""
        asked, names = self._asked(wanted, conditions)
        settings = settings or ReviewSettings(level=ReviewLevel.of(level))
        reviewer = Reviewer(self.database, self.owner_id, names)
        return reviewer.run(settings, asked, threads=threads, limit=limit, cluster=cluster, progress=progress)

    def add_review(self, number: int, review: MatchReview, engine: Engine) -> None:
        """Keep a review of a match that was made elsewhere."""
        from kibitz.library.analyses import our_analyst
        from kibitz.library.reviewing import rows_of

        analyst = our_analyst(engine, review.settings)
        rows, rest = rows_of(review, engine)
        with self.database.writing() as connection:
            Store(self.database, self.owner_id).add_review(connection, number, analyst, rows, rest)

    def review_of(self, number: int, *, analyst: int | None = None) -> MatchReview:
        """The review of a match as it was made; by the analyst of the highest rank unless one is named."""
        from kibitz.library.reviewing import load_review

        match = self.match(number, origin="file")  # whose opinion stands beside ours
        with self.database.reading() as connection:
            return load_review(connection, number, match, analyst)

    def is_reviewed(self, number: int) -> bool:
        """Whether the library keeps a review of a match."""
        query = select(MatchReviewRow.match_id).where(MatchReviewRow.match_id == number).limit(1)
        with self.database.reading() as connection:
            return connection.execute(query).first() is not None

    def analyses(self, decision: int) -> list[AnalysisInfo]:
        """All that was said of a decision, the current analysis first."""
        with self.database.reading() as connection:
            return restoring.analyses(connection, self.owner_id, decision)

    def opinions(self, number: int) -> list[PlacedAnalysis]:
        """What the files of a match say of its decisions: XG's, gnubg's or BGBlitz's own analyses."""
        self.info(number)
        with self.database.reading() as connection:
            return restoring.analyses_of_match(connection, self.owner_id, number, "file")

    # --- questions --------------------------------------------------------------------------------------------------

    def statistics(self, wanted: DecisionFilter | None = None, **conditions: Any) -> Sums:
        """What decisions add up to: PR, errors, luck; from stored sums where they can answer."""
        asked, names = self._asked(wanted, conditions)
        with self.database.reading() as connection:
            if statistics.is_stored(asked):
                return statistics.total(connection, self.owner_id, asked, names).sums
            return queries.sums(connection, self.owner_id, asked, names)

    def statistics_by(self, group: str, wanted: DecisionFilter | None = None, **conditions: Any) -> list[StatisticsRow]:
        """The same, told apart by opponent, event, length, date, score, phase, kind of game and more (`GROUPS`)."""
        asked, names = self._asked(wanted, conditions)
        with self.database.reading() as connection:
            return statistics.by(connection, self.owner_id, asked, names, group)

    def progress(
        self, wanted: DecisionFilter | None = None, *, window: int = 10, **conditions: Any
    ) -> list[ProgressPoint]:
        """How it went from match to match: each one's PR, that of the last so many, and that of all so far."""
        asked, names = self._asked(wanted, conditions)
        with self.database.reading() as connection:
            return progress(connection, self.owner_id, asked, names, window)

    def histogram(self, wanted: DecisionFilter | None = None, **conditions: Any) -> list[HistogramBar]:
        """How many decisions lost how much, each bar with the filter of its decisions."""
        asked, names = self._asked(wanted, conditions)
        with self.database.reading() as connection:
            return queries.histogram(connection, self.owner_id, asked, names)

    def decisions(
        self,
        wanted: DecisionFilter | None = None,
        *,
        order: str = "played",
        limit: int | None = None,
        after: int | None = None,
        **conditions: Any,
    ) -> list[DecisionInfo]:
        """Decisions, as they were played or the costliest first (`order="lost"`); `after` goes on from one of them."""
        asked, names = self._asked(wanted, conditions)
        with self.database.reading() as connection:
            return queries.decisions(connection, self.owner_id, asked, names, order=order, limit=limit, after=after)

    def decision(self, number: int) -> DecisionInfo:
        """One decision by its number."""
        with self.database.reading() as connection:
            found = queries.decisions(connection, self.owner_id, DecisionFilter(), {}, numbers=[number])
        if not found:
            raise LibraryError(f"there is no decision {number} in the library")
        return found[0]

    def tournaments(self) -> list[EventInfo]:
        """Events, those with the newest matches first."""
        with self.database.reading() as connection:
            return queries.events(connection, self.owner_id)

    def count(self, wanted: DecisionFilter | None = None, **conditions: Any) -> int:
        """How many decisions there are."""
        asked, names = self._asked(wanted, conditions)
        with self.database.reading() as connection:
            return queries.count(connection, self.owner_id, asked, names)

    def search(self, pattern: Pattern | str, *, mirrored: bool = False, **options: Any) -> list[DecisionInfo]:
        """Decisions whose position has a pattern such as '6>=2 5>=2 obar>0'; options are those of `decisions`."""
        if isinstance(pattern, str):
            pattern = Pattern.of(pattern, mirrored=mirrored)
        return self.decisions(pattern=pattern, **options)

    def like(
        self, position: Position | State | str, count: int = 20, wanted: DecisionFilter | None = None, **conditions: Any
    ) -> list[tuple[float, DecisionInfo]]:
        """Decisions in the positions that are most like this one, with the distance of each."""
        asked, names = self._asked(wanted, conditions)
        board = restoring.board_of(position)
        fill(self.database)
        with self.database.reading() as connection:
            return queries.like(connection, self.owner_id, asked, names, self._neighbours, board, count)

    def records(self, wanted: DecisionFilter | None = None, **conditions: Any) -> list[dict[str, Any]]:
        """One flat dictionary a decision: what pandas.DataFrame and polars.DataFrame take."""
        return [one.to_record() for one in self.decisions(wanted, **conditions)]

    def _asked(
        self, wanted: DecisionFilter | None, conditions: dict[str, Any]
    ) -> tuple[DecisionFilter, dict[str, int]]:
        """A filter with conditions added, and the numbers of the players that it names."""
        asked = wanted or DecisionFilter()
        if conditions:
            asked = asked.but(**DecisionFilter.from_dict(conditions).given())
        return asked, {name: self.players.find(name) for name in asked.names}
