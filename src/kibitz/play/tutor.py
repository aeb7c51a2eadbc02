"""A tutor: what a review would say of a decision before it is made, so that it can be thought over."""

from __future__ import annotations

from kibitz.analysis.analyse import analyse_cube, analyse_play
from kibitz.analysis.analyzer import Analyzer
from kibitz.analysis.decisions import ReviewedDecision
from kibitz.analysis.levels import ReviewSettings
from kibitz.engine.engine import Engine
from kibitz.move import Play
from kibitz.play.live_match import Choice, LiveMatch
from kibitz.position import Position


class Tutor:
    """Analyses the decisions of a match in progress by the measure of a review, with its limits of an error."""

    def __init__(self, engine: Engine, settings: ReviewSettings | None = None) -> None:
        self.settings = settings or ReviewSettings()
        self._analyzer = Analyzer(engine, self.settings.level)

    def analyse(
        self, live: LiveMatch, choice: Choice | str, play: Play | Position | str | None = None
    ) -> ReviewedDecision | None:
        """What a review would say if `live.act(choice, play)` were done; None where there is nothing to decide.

        To roll is a decision where one may double. Resignations are not analysed: whoever gives up knows it.
        """
        moment = live.proposed(choice, play)
        if moment is None:
            return None
        if choice == Choice.PLAY:
            return analyse_play(moment, self._analyzer, self.settings) if len(live.plays) > 1 else None
        return analyse_cube(moment, self._analyzer, self.settings)

    def objects(
        self, live: LiveMatch, choice: Choice | str, play: Play | Position | str | None = None
    ) -> ReviewedDecision | None:
        """The analysis where the decision would be an error; None where it is good enough."""
        found = self.analyse(live, choice, play)
        return found if found is not None and found.is_error else None
