"""Writing SGF as gnubg reads it, with analyses. Properties that begin with K are our own; gnubg passes over them."""

from __future__ import annotations

from collections import Counter

from kibitz.cube import Owner
from kibitz.formats.sgf import LUCK, MARKS, VARIANTS
from kibitz.formats.sgf_analysis import letter_of, letters_of, number, write_cube, write_plays
from kibitz.formats.sgf_tree import escape
from kibitz.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Ending,
    Game,
    Match,
    Moment,
    Raccoon,
    Resign,
    Roll,
    Setup,
    Take,
)

_COLOURS = "WB"
_DEFAULT_LIMIT = 1024


def write(match: Match) -> tuple[bytes, list[str]]:
    """An .sgf file, and what it could not hold."""
    engine = _main_engine(match)
    trees = [_tree(match, game, index, engine) for index, game in enumerate(match.games)]
    if not trees:
        trees = [_root(match, Game(), 0, engine) + ")"]
    return ("\n\n".join(trees) + "\n").encode(), _dropped(match)


def _tree(match: Match, game: Game, index: int, engine: str) -> str:
    nodes = [_root(match, game, index, engine)]
    pending: Beaver | Raccoon | None = None
    for moment in match.moments(index + 1):
        action = moment.action
        if pending is not None and isinstance(action, Roll | Setup):
            # gnubg wants a word from the player who was beavered or raccooned.
            nodes.append(f";{_COLOURS[1 - pending.player]}[take]")
        pending = action if isinstance(action, Beaver | Raccoon) else None
        if node := _node(moment, engine):
            nodes.append(node)
    return "\n".join(nodes) + ")"


def _root(match: Match, game: Game, index: int, engine: str) -> str:
    parts = [("FF", "4"), ("GM", "6"), ("CA", "UTF-8"), ("AP", "Kibitz:1")]
    text = "(;" + "".join(f"{name}[{value}]" for name, value in parts)
    text += f"MI[length:{match.length}][game:{index}][ws:{game.score[0]}][bs:{game.score[1]}]"
    text += _value("PW", match.players[0]) + _value("PB", match.players[1])
    if index == 0:
        text += _value("WR", match.ratings[0]) + _value("BR", match.ratings[1]) + _value("DT", match.date)
        text += _value("EV", match.event) + _value("RO", match.round) + _value("PC", match.place)
        text += _value("AN", match.annotator)
        if match.comments:
            text += "GC" + "".join(f"[{escape(comment)}]" for comment in match.comments)
        if match.info:
            text += "KI" + "".join(f"[{escape(f'{name}={value}')}]" for name, value in match.info)
        if match.rules.max_cube not in (1, _DEFAULT_LIMIT):
            text += f"KM[{match.rules.max_cube}]"
    text += _value("KE", engine if engine != "gnubg" else "gnubg")
    text += f"RU[{':'.join(_rules(match, game))}]"
    if game.result is not None:
        resigned = "R" if game.result.ending is Ending.RESIGNED else ""
        text += f"RE[{_COLOURS[game.result.winner]}+{game.result.points}{resigned}]"
    return text + _value("C", game.comment)


def _rules(match: Match, game: Game) -> list[str]:
    rules = [
        ("NoCube", match.rules.max_cube == 1),
        ("Crawford", match.rules.crawford),
        ("CrawfordGame", game.crawford),
        ("Jacoby", match.rules.jacoby),
        ("Beavers", match.rules.beavers),
    ]
    names = {variant: name.capitalize() for name, variant in VARIANTS.items()}
    return [name for name, wanted in rules if wanted] + ([names[match.variant]] if match.variant in names else [])


def _node(moment: Moment, engine: str) -> str:
    action = moment.action
    colour = _COLOURS[action.player]
    if isinstance(action, Resign):
        return ""  # stands in RE
    if isinstance(action, Setup):
        text = ";" + _setup(action)
    elif isinstance(action, Roll):
        if action.moves is None:
            text = f";PL[{colour}]DI[{action.dice}]"
        else:
            text = f";{colour}[{action.dice}{letters_of(action.moves, action.player)}]"
    else:
        word = {Double: "double", Beaver: "double", Raccoon: "double", Take: "take", Drop: "drop"}[type(action)]
        text = f";{colour}[{word}]"
    if action.cube is not None:
        text += write_cube(action.cube, engine)
    if isinstance(action, Roll):
        if action.analysis is not None:
            text += write_plays(action.analysis, moment.state.match, action.player, engine)
        if action.luck is not None:
            luck = f"{action.luck:.5f}"
            text += f"LU[{luck if float(luck) == action.luck else number(action.luck)}]"
    return text + _marks(action) + _value("C", action.comment)


def _setup(action: Setup) -> str:
    rows = (action.position.mine, action.position.theirs)
    if action.player == 1:
        rows = rows[::-1]
    owner = action.owner if action.player == 0 else action.owner.swapped()
    text = f"PL[{_COLOURS[action.player]}]AE[a:y]"  # gnubg wants to know whose board it is before it sees it
    for player, name in enumerate(("AW", "AB")):
        points = [f"[{letter_of(point, player)}]" * count for point, count in enumerate(rows[player], start=1)]
        if any(points):
            text += name + "".join(points)
    cube = {Owner.CENTRED: "c", Owner.MINE: "w", Owner.THEIRS: "b"}[owner]
    return f"{text}\n;CV[{action.value}]\n;CP[{cube}]"


def _marks(action: Action) -> str:
    names = {text: name for name, text in MARKS.items() if name != ("BM", "")}
    lucks = {text: key for key, text in LUCK.items()}
    written, own = "", ""
    for mark in action.marks:
        if mark in names:
            name, value = names[mark]
            written += f"{name}[{value}]"
        elif mark in lucks:
            value, good = lucks[mark]
            written += f"{('GW', 'GB')[action.player if good else 1 - action.player]}[{value}]"
        else:
            own += f"[{escape(mark)}]"
    return written + ("KX" + own if own else "")


def _value(name: str, text: str) -> str:
    return f"{name}[{escape(text)}]" if text else ""


def _main_engine(match: Match) -> str:
    """The engine that most analyses are by; others are named where they stand."""
    engines: Counter[str] = Counter()
    for game in match.games:
        for action in game.actions:
            if action.cube is not None:
                engines[action.cube.level.engine] += 1
            if isinstance(action, Roll) and action.analysis is not None:
                engines.update(row.level.engine for row in action.analysis.plays)
    return engines.most_common(1)[0][0] if engines else ""


def _dropped(match: Match) -> list[str]:
    """What SGF has no place for, or gnubg no eyes, in words."""
    dropped = []
    actions = [action for game in match.games for action in game.actions]
    analyses = [a.analysis for a in actions if isinstance(a, Roll) and a.analysis]
    levels = {row.level.name for analysis in analyses for row in analysis.plays if row.plies is None}
    if levels:
        dropped.append(f"for gnubg, the levels {', '.join(sorted(levels))} (shown as 2-ply)")
    if unplayed := sum(analysis.played is None for analysis in analyses):
        dropped.append(f"for gnubg, {unplayed} analyses that do not list the play")
    if errors := sum(a.cube is not None and a.cube.standard_error is not None for a in actions):
        dropped.append(f"the standard errors of {errors} cube decisions")
    if settled := sum(g.result is not None and g.result.ending is Ending.SETTLED for g in match.games):
        dropped.append(f"that {settled} games were settled")
    return dropped
