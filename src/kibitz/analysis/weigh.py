"""Weighing one action of a match: the decisions in it, the luck of its roll, and how the game stands after it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from kibitz.analysis.decisions import CurvePoint, Decision, Flaw, Kind, Opinion, Option, RollLuck
from kibitz.analysis.judge import ENGINE_NAME, Judge
from kibitz.analysis.levels import ReviewSettings
from kibitz.analysis.marks import Mark
from kibitz.engine.results import OPTIONAL, CubeDecision
from kibitz.match import MatchState
from kibitz.play import NO_PLAY, Play, format_moves
from kibitz.position import Position
from kibitz.record import (
    Action,
    AnalysisLevel,
    Beaver,
    CubeAnalysis,
    Double,
    Drop,
    Raccoon,
    Resign,
    Roll,
    Setup,
    Take,
    apply_moves,
)
from kibitz.state import Offer, State

PR_INDIFFERENT = 0.001
"""eXtreme Gammon counts no decision in which all options are closer than this."""
PR_CLEAR = 0.2
"""Nor a cube that stays where it is when doubling is worse than this, or playing on better."""
PR_LOST = -0.9
"""Nor one of a player who is worse off than this, doubled or not."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An action with what has to be known to weigh it."""

    game: int
    index: int
    number: int
    state: State
    action: Action
    previous: Action | None
    on_roll: int | None  # whose turn it was before the action
    is_opening: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """What came of a turn."""

    decisions: tuple[Decision, ...] = ()
    luck: RollLuck | None = None
    point: CurvePoint | None = None


def weigh(turn: Turn, judge: Judge, settings: ReviewSettings) -> Findings:
    """All that can be said of a turn."""
    return _Weigher(turn, judge, settings).findings()


def weigh_cube(turn: Turn, judge: Judge, settings: ReviewSettings) -> Decision | None:
    """The cube decision of a turn alone: a double made or not, or the answer to one."""
    return _Weigher(turn, judge, settings).cube_decision()


class _Weigher:
    def __init__(self, turn: Turn, judge: Judge, settings: ReviewSettings) -> None:
        self.turn = turn
        self.state = turn.state
        self.position: Position = turn.state.position
        self.match: MatchState = turn.state.match
        self.judge = judge
        self.settings = settings

    def findings(self) -> Findings:
        action = self.turn.action
        if self.position.is_over:
            return Findings()
        if isinstance(action, Roll):
            return self._roll(action)
        if isinstance(action, Resign):
            return Findings(tuple(self._resignation(action)))
        found = self.cube_decision()
        return Findings() if found is None else Findings((found,))

    def cube_decision(self) -> Decision | None:
        """The decision about the cube in this turn."""
        action = self.turn.action
        if isinstance(action, Double | Roll):
            return self._double(made=isinstance(action, Double))
        if isinstance(action, Take | Drop | Beaver | Raccoon):
            return self._counter(action) if self.state.offer is Offer.BEAVER else self._answer(action)
        return None

    # --- rolls ------------------------------------------------------------------------------------------------------

    def _roll(self, action: Roll) -> Findings:
        turn = self.turn
        decisions = []
        previous = turn.previous
        was_asked = isinstance(previous, Take | Beaver | Raccoon | Double)
        if isinstance(previous, Setup):
            was_asked = action.cube is None  # a position that was set up with its dice: nobody asks about the cube
        if not turn.is_opening and not was_asked and (found := self._double(made=False)) is not None:
            decisions.append(found)
        luck = self.judge.luck(self.position, action.dice, self.match, opening=turn.is_opening)
        roll = RollLuck(
            turn.game,
            turn.index,
            turn.number,
            action.player,
            action.dice,
            luck.equity,
            luck.mwc,
            self.match.cube.value,
            self.settings.thresholds.luck(luck.equity),
        )
        point = None
        if action.moves is not None:
            play = self._play(action)
            decisions.append(play)
            if (option := play.chosen_option) is not None:
                point = self._point(option, action.player)
        return Findings(tuple(decisions), roll, point)

    def _play(self, action: Roll) -> Decision:
        assert action.moves is not None
        result = apply_moves(self.position, action.moves)
        ranked = self.judge.plays(self.position, action.dice, self.match, result if action.legal else None)
        made = next((number for number, play in enumerate(ranked) if play.result == result._rows), None)
        kept = ranked[: self.settings.candidates]
        if made is not None and made >= len(kept):
            kept = [*kept, ranked[made]]
        names = [self._name(play.result, action) for play in kept]
        options = tuple(
            Option(name, play.equity, play.mwc, play.probabilities, play.plies)
            for name, play in zip(names, kept, strict=True)
        )
        best = ranked[0]
        lost, lost_mwc = 0.0, None if self.match.is_money else 0.0
        if made is not None:
            lost = max(best.equity - ranked[made].equity, 0.0)
            if best.mwc is not None and (mwc := ranked[made].mwc) is not None:
                lost_mwc = max(best.mwc - mwc, 0.0)
        chosen = format_moves(action.moves) if made is None else names[min(made, len(names) - 1)]
        unforced = len(ranked) > 1
        spread = best.equity - min(play.equity for play in ranked)
        opinions: tuple[Opinion, ...] = ()
        if action.analysis is not None and action.analysis.candidates:
            first = action.analysis.candidates[0]
            opinions = (Opinion(str(first.level), format_moves(first.moves), action.analysis.loss),)
        return self._decision(
            Kind.CHECKER,
            chosen,
            options,
            lost,
            lost_mwc,
            counts=unforced and made is not None,
            counts_pr=unforced and made is not None and spread >= PR_INDIFFERENT,
            opinions=opinions,
            is_forced=not unforced,
            is_legal=made is not None,
        )

    def _name(self, result: bytes, action: Roll) -> str:
        if result == self.position.swapped()._rows:
            return NO_PLAY
        return str(Play(self.position, action.dice, Position._unchecked(result)))

    def _point(self, option: Option, player: int) -> CurvePoint:
        turn = self.turn
        mwc = option.mwc
        if player == 1:
            return CurvePoint(turn.game, turn.index, turn.number, -option.equity, None if mwc is None else 1.0 - mwc)
        return CurvePoint(turn.game, turn.index, turn.number, option.equity, mwc)

    # --- the cube ---------------------------------------------------------------------------------------------------

    def _double(self, *, made: bool) -> Decision | None:
        """To double or not; None where the rules leave no choice."""
        cube = self.judge.cube(self.position, self.match, made=made)
        if not cube.available:
            return None
        hold, doubled = cube.no_double, cube.doubled
        hold_mwc, doubled_mwc = _mwc(cube, "no_double"), _doubled_mwc(cube)
        options = _sorted(
            Option("no double", hold, hold_mwc, _five(cube), cube.plies),
            Option("double", doubled, doubled_mwc, _five(cube), cube.plies),
        )
        chosen = "double" if made else "no double"
        gap = doubled - hold if not made else hold - doubled
        flaw = Flaw.NONE
        if gap > OPTIONAL:
            if not made:
                flaw = Flaw.MISSED_BELOW_CASH if cube.double_take < cube.double_pass else Flaw.MISSED_ABOVE_CASH
            else:
                flaw = Flaw.WRONG_ABOVE_TOO_GOOD if hold > cube.double_pass else Flaw.WRONG_BELOW_DOUBLE
        return self._cube_decision(
            Kind.CUBE, chosen, options, cube, flaw, counts=made or cube.close, counts_pr=made or _counts_in_pr(cube)
        )

    def _answer(self, action: Action) -> Decision | None:
        """To take, to pass or to beaver. The state is the doubler's."""
        cube = self.judge.cube(self.position, self.match, made=True)
        if not cube.available:
            return None
        taken, passed = -cube.double_take, -cube.double_pass
        taken_mwc, passed_mwc = _against(_mwc(cube, "double_take")), _against(_mwc(cube, "double_pass"))
        five = _five(cube, swapped=True)
        options = [Option("take", taken, taken_mwc, five, cube.plies), Option("pass", passed, passed_mwc, None, None)]
        if self.match.beavers or isinstance(action, Beaver):
            options.append(Option("beaver", 2.0 * taken, None, five, cube.plies))
        chosen = {Drop: "pass", Beaver: "beaver"}.get(type(action), "take")
        ordered = _sorted(*options)
        flaw = Flaw.NONE
        if next(option.equity for option in ordered if option.name == chosen) < ordered[0].equity - OPTIONAL:
            wrong = {"take": Flaw.WRONG_TAKE, "pass": Flaw.WRONG_PASS, "beaver": Flaw.WRONG_BEAVER}
            flaw = wrong[chosen]
            if chosen == "take" and ordered[0].name == "beaver":
                flaw = Flaw.WRONG_BEAVER  # one that was not made
        return self._cube_decision(Kind.ANSWER, chosen, ordered, cube, flaw)

    def _counter(self, action: Action) -> Decision | None:
        """What the doubler does about a beaver: take it, turn the cube once more, or give the game up."""
        cube = self.judge.cube(self.position, self.match, made=True)
        if not cube.available:
            return None
        five = _five(cube)
        options = _sorted(
            Option("accept", 2.0 * cube.double_take, None, five, cube.plies),
            Option("raccoon", 4.0 * cube.double_take, None, five, cube.plies),
            Option("pass", -2.0, None, None, None),
        )
        chosen = {Drop: "pass", Raccoon: "raccoon"}.get(type(action), "accept")
        return self._cube_decision(Kind.COUNTER, chosen, options, cube, Flaw.NONE, counts=False, counts_pr=False)

    def _cube_decision(
        self,
        kind: Kind,
        chosen: str,
        options: tuple[Option, ...],
        cube: CubeDecision,
        flaw: Flaw,
        *,
        counts: bool = True,
        counts_pr: bool = True,
    ) -> Decision:
        best = options[0]
        option = next(option for option in options if option.name == chosen)
        lost_mwc = None
        if best.mwc is not None and option.mwc is not None:
            lost_mwc = max(best.mwc - option.mwc, 0.0)
        source = self.turn.action.cube
        opinion = () if source is None else _cube_opinion(source, kind, chosen)
        return self._decision(
            kind,
            chosen,
            options,
            max(best.equity - option.equity, 0.0),
            lost_mwc,
            counts=counts,
            counts_pr=counts_pr,
            opinions=opinion,
            flaw=flaw,
            cube=cube_analysis(cube, self.judge.level_of(cube)),
            verdict=cube.action,
        )

    # --- resignations -----------------------------------------------------------------------------------------------

    def _resignation(self, action: Resign) -> list[Decision]:
        """What giving up cost, or what the opponent lost by accepting too little."""
        turn = self.turn
        # Seen by the resigner, whose state this is.
        if isinstance(turn.previous, Double | Beaver | Raccoon):
            return []
        previous = turn.previous
        if isinstance(previous, Roll) and previous.moves is None and previous.player == action.player:
            best = self.judge.plays(self.position, previous.dice, self.match, None)[0]
            value, mwc, plies = best.equity, best.mwc, best.plies
        elif turn.on_roll == 1 - action.player:
            cube = self.judge.cube(self.position.swapped(), self.match.swapped(), made=False)
            value, mwc, plies = -cube.equity, _against(_best_mwc(cube)), cube.plies
        else:
            cube = self.judge.cube(self.position, self.match, made=False)
            value, mwc, plies = cube.equity, _best_mwc(cube), cube.plies
        given = -float(action.size)
        model = self.judge.model(self.match)
        if not self.match.is_money:
            table = self.judge.engine.met
            points = action.size * self.match.cube.value
            left = self.match.their_away - points
            post = self.match.crawford or self.match.post_crawford
            chance = 0.0 if left <= 0 else table.chance(self.match.my_away, left, post_crawford=post)
            given_mwc: float | None = chance
            given = model.normalised(2.0 * chance - 1.0, 0)
        else:
            given_mwc = None
            if self.match.jacoby and self.match.cube.value == 1 and action.size > 1:
                given = -1.0
        lost = value - given
        lost_mwc = None if mwc is None or given_mwc is None else mwc - given_mwc
        options = _sorted(Option("play on", value, mwc, None, plies), Option("resign", given, given_mwc, None, None))
        resigned = self._decision(
            Kind.RESIGNATION,
            "resign",
            options,
            max(lost, 0.0),
            None if lost_mwc is None else max(lost_mwc, 0.0),
            counts=False,
            counts_pr=False,
        )
        if lost >= 0:
            return [resigned]
        theirs = _sorted(
            Option("refuse", -value, _against(mwc), None, plies),
            Option("accept", -given, _against(given_mwc), None, None),
        )
        accepted = self._decision(
            Kind.ACCEPTANCE,
            "accept",
            theirs,
            -lost,
            None if lost_mwc is None else max(-lost_mwc, 0.0),
            counts=False,
            counts_pr=False,
        )
        return [resigned, replace(accepted, player=1 - action.player)]

    # --- what all have ----------------------------------------------------------------------------------------------

    def _decision(
        self,
        kind: Kind,
        chosen: str,
        options: tuple[Option, ...],
        lost: float,
        lost_mwc: float | None,
        *,
        counts: bool,
        counts_pr: bool,
        opinions: tuple[Opinion, ...] = (),
        flaw: Flaw = Flaw.NONE,
        is_forced: bool = False,
        is_legal: bool = True,
        cube: CubeAnalysis | None = None,
        verdict: str = "",
    ) -> Decision:
        turn, limits = self.turn, self.settings.thresholds
        state = turn.state
        if kind is Kind.CUBE and state.dice is not None:
            state = replace(state, dice=None)
        comment = turn.action.comment if kind is not Kind.CUBE or isinstance(turn.action, Double) else ""
        return Decision(
            game=turn.game,
            index=turn.index,
            number=turn.number,
            player=turn.action.player,
            kind=kind,
            state=state,
            chosen=chosen,
            options=options,
            lost=lost,
            lost_mwc=lost_mwc,
            mark=limits.mark(lost) if not is_forced else Mark.NONE,
            is_blunder=lost > limits.blunder,
            counts=counts,
            counts_pr=counts_pr,
            flaw=flaw,
            opinions=opinions,
            is_forced=is_forced,
            is_legal=is_legal,
            comment=comment,
            cube=cube,
            verdict=verdict,
        )


# --- numbers of cube decisions ----------------------------------------------------------------------------------------


def cube_analysis(cube: CubeDecision, level: AnalysisLevel | None = None) -> CubeAnalysis:
    """A cube decision of ours as match files keep them."""
    mwc = cube.mwc or {}
    names = ("no_double", "double_take", "double_pass")
    return CubeAnalysis.of(
        level or AnalysisLevel(ENGINE_NAME, f"{cube.plies}-ply", cube.plies),
        [getattr(cube, name) for name in names],
        [mwc.get(name) for name in names],
        probabilities=_five(cube),
        cubeless=cube.cubeless,
    )


def _counts_in_pr(cube: CubeDecision) -> bool:
    """Whether eXtreme Gammon counts a cube that was left alone."""
    hold, taken, passed = cube.no_double, cube.double_take, cube.double_pass
    if abs(cube.doubled - hold) < PR_INDIFFERENT:
        return False
    if hold - taken > PR_CLEAR or hold - passed > PR_CLEAR:
        return False
    return not (hold < PR_LOST and taken < PR_LOST)


def _cube_opinion(source: CubeAnalysis, kind: Kind, chosen: str) -> tuple[Opinion, ...]:
    hold, taken, passed = source.no_double, source.double_take, source.double_pass
    if hold is None or taken is None:
        return ()
    passed = 1.0 if passed is None else passed
    if kind is Kind.CUBE:
        values = {"no double": hold, "double": min(taken, passed)}
    else:
        values = {"take": -taken, "pass": -passed}
    best = max(values, key=lambda name: values[name])
    lost = values[best] - values[chosen] if chosen in values else None
    return (Opinion(str(source.level), best, lost),)


def _five(cube: CubeDecision, *, swapped: bool = False) -> tuple[float, float, float, float, float]:
    one = cube.evaluation.swapped() if swapped else cube.evaluation
    return one.win, one.win_gammon, one.win_backgammon, one.lose_gammon, one.lose_backgammon


def _mwc(cube: CubeDecision, name: str) -> float | None:
    return None if cube.mwc is None else cube.mwc[name]


def _doubled_mwc(cube: CubeDecision) -> float | None:
    return None if cube.mwc is None else min(cube.mwc["double_take"], cube.mwc["double_pass"])


def _best_mwc(cube: CubeDecision) -> float | None:
    if cube.mwc is None or not cube.available:
        return _mwc(cube, "no_double")
    return max(cube.mwc["no_double"], min(cube.mwc["double_take"], cube.mwc["double_pass"]))


def _against(mwc: float | None) -> float | None:
    return None if mwc is None else 1.0 - mwc


def _sorted(*options: Option) -> tuple[Option, ...]:
    return tuple(sorted(options, key=lambda option: -option.equity))
