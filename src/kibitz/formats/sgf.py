"""SGF for backgammon (GM[6]) as gnubg writes and reads it, with its analyses. White is player 0, Black player 1."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kibitz.cube import Owner
from kibitz.dice import Dice
from kibitz.errors import FormatError, KibitzError
from kibitz.formats.builder import GameBuilder, MatchBuilder
from kibitz.formats.limits import decode_text
from kibitz.formats.sgf_analysis import point_of, read_cube, read_plays, steps_of
from kibitz.formats.sgf_tree import Node, Tree, parse_trees
from kibitz.position import Position, Variant
from kibitz.record import Ending, Match
from kibitz.state import Offer

NAME = "sgf"

_RESULT = re.compile(r"([WB])\+(\d{1,6})(R?)")
_PLAY = re.compile(r"([1-6])([1-6])([a-z]*)$")
_RESIGN = re.compile(r"resign(?::([123]))?")  # as gibbon writes it
_SETUP = ("AE", "AW", "AB", "CV", "CP", "CO")
# What gnubg's properties for marks, luck and variants are called in a record; the writer turns them round.
MARKS = {("DO", ""): "doubtful", ("BM", "1"): "bad", ("BM", "2"): "very bad", ("BM", ""): "bad",
          ("DC", ""): "cube doubtful", ("BC", "1"): "cube bad", ("BC", "2"): "cube very bad",
          ("TE", "1"): "good", ("TE", "2"): "very good", ("IT", ""): "interesting"}  # fmt: skip
LUCK = {("1", True): "lucky", ("2", True): "very lucky", ("1", False): "unlucky", ("2", False): "very unlucky"}
VARIANTS = {
    "nackgammon": Variant.NACKGAMMON,
    "hypergammon1": Variant.HYPERGAMMON_1,
    "hypergammon2": Variant.HYPERGAMMON_2,
    "hypergammon3": Variant.HYPERGAMMON_3,
}


def looks_like(text: str) -> bool:
    """Whether text is an SGF of backgammon."""
    return re.match(r"\s*\(\s*;", text) is not None and re.search(r"GM\s*\[\s*6\s*\]", text[:4000]) is not None


def read(data: bytes, file: str = "") -> Match:
    """Read an .sgf file."""
    text = decode_text(data)
    if not looks_like(text):
        raise FormatError("an SGF file of backgammon starts with '(;' and says GM[6]")
    builder = MatchBuilder(NAME, file)
    for tree in parse_trees(text):
        _read_tree(builder, tree)
    return builder.build()


def _read_tree(builder: MatchBuilder, tree: Tree) -> None:
    for problem, line in tree.problems:
        builder.warn(problem, line)
    if not tree.nodes:
        return
    root = tree.nodes[0]
    if root.get("GM", "6").strip() != "6":
        builder.warn(f"a game of another kind: GM[{root.get('GM')[:10]}]; left out", root.line)
        return
    info = dict(item.partition(":")[::2] for item in root.properties.get("MI", []))
    if not builder.games:
        _read_header(builder, root, info)
    rules = root.get("RU").split(":")
    score = (_int(info.get("ws"), 0), _int(info.get("bs"), 0)) if "MI" in root else None
    crawford = "CrawfordGame" in rules if "RU" in root and builder.length else None
    game = builder.start_game(score, crawford=crawford, line=root.line)
    application = root.get("AP").partition(":")[0]
    engine = root.get("KE") or ("gnubg" if application.lower().startswith("gnu") or not application else application)
    game.comment = root.get("C").strip()
    nodes = _NodeReader(builder, game, engine)
    if any(name in root for name in _SETUP) or "DI" in root:
        nodes.read(root, is_root=True)
    for node in tree.nodes[1:]:
        try:
            nodes.read(node)
        except KibitzError as error:
            builder.warn(str(error), node.line)
    if found := _RESULT.match(root.get("RE")):
        # A board that shows no end means that the loser resigned, also where the mark is missing.
        ending = Ending.RESIGNED if found[3] else None
        game.finish("WB".index(found[1]), int(found[2]), ending, root.line)


def _read_header(builder: MatchBuilder, root: Node, info: dict[str, str]) -> None:
    builder.players = (root.get("PW").strip() or "White", root.get("PB").strip() or "Black")
    builder.length = min(_int(info.get("length"), 0), 999)
    rules = {rule.lower() for rule in root.get("RU").split(":")}
    builder.rules = replace(
        builder.rules,
        crawford="crawford" in rules or "RU" not in root,
        jacoby="jacoby" in rules,
        beavers="beaver" in rules or "beavers" in rules,
        max_cube=1 if "nocube" in rules else _power(root.get("KM"), 1024),
    )
    builder.variant = next((variant for name, variant in VARIANTS.items() if name in rules), Variant.BACKGAMMON)
    builder.event, builder.round = root.get("EV").strip(), root.get("RO").strip()
    builder.place, builder.annotator = root.get("PC").strip(), root.get("AN").strip()
    builder.date = root.get("DT").strip()
    builder.ratings = (root.get("WR").strip(), root.get("BR").strip())
    builder.comments += [text.strip() for text in root.properties.get("GC", []) if text.strip()]
    for item in root.properties.get("KI", []):
        name, _, value = item.partition("=")
        builder.info.append((name, value))


class _NodeReader:
    """Takes nodes one by one and tells the game what they say."""

    def __init__(self, builder: MatchBuilder, game: GameBuilder, engine: str) -> None:
        self.builder = builder
        self.game = game
        self.engine = engine
        self.turn = 0
        self.resigned: tuple[int, int] | None = None  # who has offered to resign, and how much

    def read(self, node: Node, *, is_root: bool = False) -> None:
        """One node."""
        if "PL" in node:
            self.turn = 1 if node.get("PL").strip().upper().startswith("B") else 0
        if any(name in node for name in _SETUP):
            self.setup(node)
        if is_root and "DI" not in node:
            return
        moved = False
        for player, colour in enumerate("WB"):
            if colour in node:
                self.action(node, player, node.get(colour).strip().lower())
                moved = True
        if moved:
            return
        if "DI" in node:
            player = self.turn
            dice = Dice.of(node.get("DI").strip())
            notes = self.notes(node, player)
            plays = read_plays(node, self.game.replay.position(player), dice, player, self.engine)
            self.game.roll(player, dice, played=False, line=node.line, plays=plays, luck=_luck(node), **notes)
        elif "C" in node and not any(name in node for name in _SETUP):
            self.game.note(comment=node.get("C").strip())

    def action(self, node: Node, player: int, value: str) -> None:
        """What a player does in a node."""
        game, notes = self.game, self.notes(node, player)
        if value == "double":
            if game.replay.offer is Offer.DOUBLE:
                game.beaver(player, node.line, **notes)
            elif game.replay.offer is Offer.BEAVER:
                game.raccoon(player, node.line, **notes)
            else:
                game.double(player, node.line, **notes)
        elif value == "take":
            game.take(player, node.line, **notes)
        elif value == "drop":
            game.drop(player, node.line, **notes)
        elif found := _RESIGN.fullmatch(value):
            self.resigned = player, int(found[1] or 1)
        elif value == "accept" and self.resigned is not None and self.resigned[0] != player:
            game.resign(*self.resigned, node.line, **notes)
        elif value in ("reject", "refuse") and self.resigned is not None:
            self.resigned = None
        elif found := _PLAY.match(value):
            dice = Dice(int(found[1]), int(found[2]))
            plays = []
            if not game.damaged:
                plays = read_plays(node, game.replay.position(player), dice, player, self.engine)
                if len(node.properties.get("A", [""])) - 1 > len(plays):
                    self.builder.warn("some candidates of the analysis cannot be read", node.line)
            steps = steps_of(found[3], player)
            game.roll(player, dice, steps=steps, line=node.line, plays=plays, luck=_luck(node), **notes)
        else:
            self.builder.warn(f"not understood: {'WB'[player]}[{value[:40]}]", node.line)

    def setup(self, node: Node) -> None:
        """The board, the cube or both are set."""
        replay, player = self.game.replay, self.turn
        rows = [list(replay.position(0).mine), list(replay.position(0).theirs)]
        for name in ("AE", "AW", "AB"):
            for letters in node.properties.get(name, []):
                for letter in _range(letters):
                    for colour in (0, 1):
                        point = point_of(letter, colour)
                        if not 1 <= point <= 25:
                            continue
                        if name == "AE":
                            rows[colour][point - 1] = 0
                        elif name == ("AW", "AB")[colour]:
                            rows[colour][point - 1] += 1
        value = _power(node.get("CV"), replay.value)
        owner = replay.owner
        where = (node.get("CP") or node.get("CO")).strip().lower()[:1]
        if where:
            owner = {"w": 0, "b": 1}.get(where)
        position = Position(*rows)
        seen = Owner.CENTRED if owner is None else Owner.MINE if owner == player else Owner.THEIRS
        notes: dict[str, Any] = {}
        if not any(name in node for name in "WB") and "DI" not in node:
            notes = self.notes(node, player)
        self.game.setup(player, position if player == 0 else position.swapped(), value, seen, node.line, **notes)

    def notes(self, node: Node, player: int) -> dict[str, Any]:
        """Comment, marks and cube decision of a node."""
        marks = [text for (name, value), text in MARKS.items() if name in node and node.get(name).strip() == value]
        for colour, name in enumerate(("GW", "GB")):
            if name in node and (text := LUCK.get((node.get(name).strip(), colour == player))):
                marks.append(text)
        marks += node.properties.get("KX", [])
        return {
            "comment": node.get("C").strip(),
            "marks": tuple(marks),
            "cube": read_cube(node, self.engine, money=self.builder.length == 0),
        }


def _range(letters: str) -> str:
    """'a:y' as all letters between; anything else as it is."""
    first, colon, last = letters.strip().partition(":")
    if colon and len(first) == len(last) == 1 and "a" <= first <= last <= "z":
        return "".join(chr(code) for code in range(ord(first), ord(last) + 1))
    return letters.strip()[:1]


def _luck(node: Node) -> float | None:
    if "LU" not in node:
        return None
    try:
        luck = float(node.get("LU"))
    except ValueError:
        return None
    return luck if abs(luck) < 100 else None


def _int(text: str | None, default: int) -> int:
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else default


def _power(text: str, default: int) -> int:
    value = _int(text, default)
    return value if value >= 1 and value & (value - 1) == 0 and value <= 1 << 15 else default
