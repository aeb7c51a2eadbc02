"""Decisions as text for the terminal, within 80 columns, and as HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from kibitz.analysis.marks import Thresholds
from kibitz.cube import Owner
from kibitz.decision import (
    CubeDecision,
    CubePoints,
    Decision,
    Evaluation,
    PlayDecision,
    Question,
    RankedPlay,
    ResignationDecision,
)
from kibitz.engine.classes import PositionValue
from kibitz.engine.matrix import MatrixCell, labels
from kibitz.move import Play
from kibitz.report.layout import game_words, html_table

_PLAY_WIDTH = 23
_RED, _YELLOW, _GREEN, _BOLD, _PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[1m", "\x1b[0m"
_RESIGNED = {1: "a single game", 2: "a gammon", 3: "a backgammon"}


def answer_text(decision: Decision, *, top: int | None = 10, colour: bool = False, named: Sequence[Play] = ()) -> str:
    """What to do, and the numbers behind it. Plays in `named` are shown however far down they are."""
    if isinstance(decision, PlayDecision):
        return plays_text(decision, top=top, colour=colour, named=named)
    return cube_text(decision) if isinstance(decision, CubeDecision) else resignation_text(decision)


def plays_text(plays: PlayDecision, *, top: int | None = 10, colour: bool = False, named: Sequence[Play] = ()) -> str:
    """The ranked list as players know it. Plays in `named` are shown however far down they are."""
    if not plays:
        return "No checker can move."
    lines = [f"Equities: {plays_kind(plays)}; chances in % of the player who moves"]
    lines.append(f"{'':4}{'play':<{_PLAY_WIDTH}} {'equity':>7} {'diff':>7}   win    wg  wbg    lg  lbg ply")
    shown = list(plays[:top])
    shown += [one for one in plays[len(shown) :] if one.play in named]
    for one in shown:
        text = str(one.play)
        chances = one.evaluation
        numbers = f"{one.equity:+7.4f} " + (f"{one.difference:+7.4f}" if one.rank > 1 else " " * 7)
        numbers += f" {100 * chances.win:5.1f} {100 * chances.win_gammon:5.1f} {100 * chances.win_backgammon:4.1f}"
        numbers += f" {100 * chances.lose_gammon:5.1f} {100 * chances.lose_backgammon:4.1f} {_plies(one):>3}"
        mark = "*" if one.play in named else " "
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
    if plays.confidence is not None:
        lines.append(f"Confidence: {confidence_words(plays.confidence)} that {plays.best} is best")
    return "\n".join(lines)


def confidence_words(confidence: float) -> str:
    """A chance as people read it: never quite sure."""
    return "over 99.9 %" if confidence > 0.999 else f"{100 * confidence:.{1 if confidence > 0.99 else 0}f} %"


def _plies(one: RankedPlay) -> str:
    return "r" if one.plies is None else str(one.plies)  # r for a rollout


def _painted(line: str, one: RankedPlay) -> str:
    loss, limits = -one.difference, Thresholds()
    paint = (
        _BOLD + _GREEN if one.rank == 1 else _RED if loss > limits.blunder else _YELLOW if loss > limits.error else ""
    )
    return f"{paint}{line}{_PLAIN}" if paint else line


def plays_kind(plays: PlayDecision) -> str:
    """Which equities these are."""
    kind = "cubeful" if not plays or plays[0].cubeful else "cubeless"
    return f"{kind}, {'money' if plays.state.match.is_money else 'EMG at the score'}"


def cube_text(decision: CubeDecision) -> str:
    """A cube decision: the three equities, the proper action, how far off the others are, and the window."""
    if decision.question is Question.TAKE:
        return _answer_text(decision)
    kind = "EMG and MWC" if decision.mwc else "money equities"
    lines = [f"Cube decision at {decision.level.depth}, {game_words(decision.match)}; cubeful {kind}"]

    def line(words: str, equity: float, name: str) -> str:
        off = equity - decision.equity
        chance = f"  {100 * getattr(decision.mwc, name):6.2f} %" if decision.mwc else ""
        behind = "" if abs(off) < 5e-5 else f"  ({off:+.4f})"
        return f"  {words:<15}{equity:+8.4f}{chance}{behind}"

    word = "double" if decision.owner is Owner.CENTRED else "redouble"
    lines.append(line(f"no {word}", decision.no_double, "no_double"))
    if decision.available:
        lines.append(line(f"{word}, take", decision.double_take, "double_take"))
        lines.append(line(f"{word}, pass", decision.double_pass, "double_pass"))
        if decision.beaver:
            lines.append(f"  {word + ', beaver':<15}{decision.taken:+8.4f}")
    lines.append(f"Proper action: {decision.action}")
    lines += _confidences(decision)
    lines += _lines_of_play(decision)
    lines.append(f"  {cubeless_words(decision)}")
    if decision.available:
        lines += _window(decision)
    return "\n".join(lines)


def _answer_text(decision: CubeDecision) -> str:
    """A double seen by the one who has to answer it: what each answer is worth, the chances, and the take point."""
    kind = "EMG and MWC" if decision.mwc else "money equities"
    lines = [f"Take or pass at {decision.level.depth}, {game_words(decision.match)}; cubeful {kind}"]
    lines.append("All numbers are those of the player who is doubled.")
    answers = decision.answering()
    for one in answers:
        chance = "" if decision.mwc is None else " " * 10 if one.mwc is None else f"  {100 * one.mwc:6.2f} %"
        behind = "" if one is answers[0] else f"  ({one.equity - answers[0].equity:+.4f})"
        lines.append(f"  {one.name:<15}{one.equity:+8.4f}{chance}{behind}")
    lines.append(f"Proper answer: {decision.best}; proper action of both: {decision.action}")
    lines += _confidences(decision)
    chances = (decision.taken_evaluation or decision.evaluation).swapped()
    lines.append(f"  {chances_words(chances)}")
    kinds = (("dead cube", decision.dead_points), ("live cube", decision.live_points), ("this cube", decision.points))
    known = [f"{name} {100 * one.take_point:.1f}" for name, one in kinds if one.take_point is not None]
    if known:
        lines.append(f"  Take point (%): {', '.join(known)}; you: {100 * chances.win:.1f}")
    return "\n".join(lines)


def _confidences(decision: CubeDecision) -> list[str]:
    """How sure the actions are: of both sides, unless the answer alone is asked for."""
    named = [(f"{decision.answer.value}", decision.take_confidence)]
    if decision.question is not Question.TAKE:
        word = "double" if decision.owner is Owner.CENTRED else "redouble"
        named.insert(0, (word if decision.double else f"no {word}", decision.double_confidence))
    known = [f"{confidence_words(sure)} for {action}" for action, sure in named if sure is not None]
    return [f"Confidence: {', '.join(known)}"] if known else []


LINES_DIFFER = 0.002
"""Chances that differ by less than this are those of one line of play."""


def _lines_of_play(decision: CubeDecision) -> list[str]:
    """The chances; those of each line where the turned cube wants other plays."""
    held, taken = decision.evaluation, decision.taken_evaluation
    if taken is None or all(abs(one - other) < LINES_DIFFER for one, other in zip(held, taken, strict=True)):
        return [f"  {chances_words(held)}"]
    return [
        "  With the cube turned other plays are right:",
        f"  undoubled {chances_words(held)}",
        f"  doubled   {chances_words(taken)}",
    ]


def chances_words(chances: Evaluation) -> str:
    """All chances of one side."""
    wins = (100 * chances.win, 100 * chances.win_gammon, 100 * chances.win_backgammon)
    losses = (100 * chances.lose, 100 * chances.lose_gammon, 100 * chances.lose_backgammon)
    won, lost = (f"{each[0]:.1f} % (gammon {each[1]:.1f}, bg {each[2]:.1f})" for each in (wins, losses))
    return f"wins {won}, loses {lost}"


def cubeless_words(decision: CubeDecision) -> str:
    """The equity with a dead cube, and what kind of equity it is."""
    if not decision.match.is_money:
        return f"cubeless EMG at the score {decision.cubeless:+.4f}"
    words = f"cubeless money equity {decision.evaluation.equity:+.4f}"
    if decision.match.jacoby and decision.owner is Owner.CENTRED:
        words += f"; without gammons, as Jacoby counts, {decision.cubeless:+.4f}"
    return words


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


def resignation_text(resignation: ResignationDecision) -> str:
    """Whether to accept a resignation."""
    return (
        f"The opponent resigns {_RESIGNED[resignation.size]}.\n"
        f"  accepted    {resignation.accepted:+.4f}\n"
        f"  played on   {resignation.played_on:+.4f}\n"
        f"Proper answer: {resignation.action}"
        + ("" if resignation.confidence is None else f"\nConfidence: {confidence_words(resignation.confidence)}")
    )


def matrix_text(cells: Sequence[MatrixCell]) -> str:
    """A decision by score: cube actions in two letters, or a letter for each play and a legend."""
    names = labels(max(cell.match.my_away for cell in cells))
    codes = {(cell.row, cell.column): cell.code for cell in cells}
    lines = ["Rows: points the player on roll needs; columns: points the opponent needs;"]
    lines.append("C: one point, the Crawford game; PC: one point, after Crawford.")
    legend = []
    if isinstance(cells[0].decision, CubeDecision):
        lines.append("ND no double, DT double/take, DP double/pass, TG too good, O. optional, -- none")
    else:
        plays = list(codes.values())
        common = sorted(set(plays), key=lambda play: -plays.count(play))
        letters = {play: chr(ord("A") + number) if number < 26 else "?" for number, play in enumerate(common)}
        codes = {place: letters[play] for place, play in codes.items()}
        legend = [f"  {letters[play]}  {play}  ({plays.count(play)})" for play in common]
    lines.append("     " + "".join(f"{name:>3}" for name in names))
    lines += [f"{row:>4} " + "".join(f"{codes.get((row, column), ''):>3}" for column in names) for row in names]
    return "\n".join(line.rstrip() for line in lines + legend)


# --- HTML -------------------------------------------------------------------------------------------------------------


def evaluation_html(evaluation: Evaluation) -> str:
    """Five chances and their cubeless equity."""
    wins = (evaluation.win, evaluation.win_gammon, evaluation.win_backgammon)
    losses = (evaluation.lose, evaluation.lose_gammon, evaluation.lose_backgammon)
    rows = [[name, *(f"{100 * each:.1f} %" for each in row)] for name, row in (("wins", wins), ("loses", losses))]
    return html_table(["", "all", "gammon", "backgammon"], rows) + f"<p>cubeless equity {evaluation.equity:+.4f}</p>"


def value_html(value: PositionValue) -> str:
    """The board, the chances, the equity and who answers."""
    from kibitz.report.svg import draw_state

    mwc = "" if value.mwc is None else f", MWC {100 * value.mwc:.2f} %"
    words = f"{value.level.kind} equity {value.equity:+.4f}{mwc}, {value.level.depth}; {value.position_class}"
    return f"{draw_state(value.state)}{evaluation_html(value.evaluation)}<p>{escape(words)}</p>"


def play_html(one: RankedPlay) -> str:
    """The board with the play, its equity and its chances."""
    from kibitz.report.svg import draw_position

    board = draw_position(one.play.position, play=one.play)
    return f"{board}<p>{escape(str(one))}, {escape(one.level.depth)}</p>{evaluation_html(one.evaluation)}"


def plays_html(plays: PlayDecision) -> str:
    """The board and the best plays."""
    from kibitz.report.svg import draw_state

    rows = [
        [
            str(one.rank),
            str(one.play),
            f"{one.equity:+.4f}",
            f"{one.difference:+.4f}",
            f"{100 * one.evaluation.win:.1f}",
        ]
        for one in plays[:10]
    ]
    table = html_table(["", "play", f"equity ({plays_kind(plays)})", "difference", "win %"], rows)
    sure = "" if plays.confidence is None else f"<p>confidence {confidence_words(plays.confidence)}</p>"
    return draw_state(plays.state, play=plays[0].play if plays else None) + table + sure


def cube_html(decision: CubeDecision) -> str:
    """The board, the equities and chances of the one who decides, and what is right."""
    if decision.question is Question.TAKE:
        rows = [
            [one.name, f"{one.equity:+.4f}", "" if one.mwc is None else f"{100 * one.mwc:.2f} %"]
            for one in decision.answering()
        ]
        return _cube_html(decision, rows, (decision.taken_evaluation or decision.evaluation).swapped())
    rows = [
        [name, f"{equity:+.4f}", "" if decision.mwc is None else f"{100 * getattr(decision.mwc, key):.2f} %"]
        for name, key, equity in (
            ("no double", "no_double", decision.no_double),
            ("double, take", "double_take", decision.double_take),
            ("double, pass", "double_pass", decision.double_pass),
        )
        if decision.available or key == "no_double"
    ]
    return _cube_html(decision, rows, decision.evaluation)


def _cube_html(decision: CubeDecision, rows: list[list[str]], chances: Evaluation) -> str:
    from kibitz.report.svg import draw_state

    table = html_table(["", "cubeful equity", "MWC"], rows)
    sure = "" if decision.confidence is None else f", confidence {confidence_words(decision.confidence)}"
    words = f"<p>{escape(decision.best)}, {escape(decision.level.depth)}{sure}; {escape(chances_words(chances))}</p>"
    return f"{draw_state(decision.state)}{table}{words}"


def resignation_html(decision: ResignationDecision) -> str:
    """The board, both equities and the proper answer."""
    from kibitz.report.svg import draw_state

    rows = [["accepted", f"{decision.accepted:+.4f}"], ["played on", f"{decision.played_on:+.4f}"]]
    return f"{draw_state(decision.state)}{html_table(['', 'equity'], rows)}<p>{escape(decision.action)}</p>"
