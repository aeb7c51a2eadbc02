"""The syntax of SGF: game trees, nodes, properties and their values, without knowing what they mean."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from kibitz.errors import FormatError
from kibitz.formats.limits import MAX_GAMES, MAX_LINE, MAX_NESTING, MAX_WARNINGS

_MAX_PARTS = 1_000_000
_NAME = re.compile(r"[A-Za-z]+")
_SPACE = re.compile(r"[^(\[;)A-Za-z]+")
_ESCAPE = re.compile(r"\\(\n?)(.?)", re.DOTALL)


@dataclass(slots=True)
class Node:
    """One node: properties with their values, and the line it stands on."""

    line: int
    properties: dict[str, list[str]] = field(default_factory=dict)

    def get(self, name: str, default: str = "") -> str:
        """The first value of a property."""
        return self.properties.get(name, [default])[0]

    def __contains__(self, name: str) -> bool:
        return name in self.properties


@dataclass(slots=True)
class Tree:
    """A game: its main line, and what had to be left out on the way."""

    nodes: list[Node] = field(default_factory=list)
    problems: list[tuple[str, int]] = field(default_factory=list)


def parse_trees(text: str) -> list[Tree]:
    """All game trees of a collection, each with its main line. Damaged ends are reported, not refused."""
    start = text.find("(")
    if start < 0:
        raise FormatError("an SGF file has a game tree in parentheses; there is none")
    breaks = [found.start() for found in re.finditer("\n", text)]
    trees: list[Tree] = []
    tree = Tree()
    depth = count = 0
    skipping: int | None = None  # the depth above which variations are left out
    closed_at: set[int] = set()  # depths at which a first variation has been read
    node: Node | None = None
    name = ""
    at = start
    while at < len(text):
        char = text[at]
        if count > _MAX_PARTS:
            raise FormatError(f"more than {_MAX_PARTS} nodes, properties and values in an SGF file")
        if char == "(":
            depth += 1
            if depth > MAX_NESTING:
                raise FormatError(f"more than {MAX_NESTING} variations inside each other in an SGF file")
            if depth == 1:
                if len(trees) >= MAX_GAMES:
                    raise FormatError(f"more than {MAX_GAMES} game trees in an SGF file")
                tree = Tree()
                trees.append(tree)
                closed_at.clear()
                skipping = None
            elif depth in closed_at and skipping is None:
                skipping = depth
                if len(tree.problems) < MAX_WARNINGS:
                    tree.problems.append(("a variation is left out", bisect_right(breaks, at) + 1))
            node, name, at = None, "", at + 1
        elif char == ")":
            if skipping == depth:
                skipping = None
            closed_at.add(depth)
            depth = max(depth - 1, 0)
            node, name, at = None, "", at + 1
        elif char == ";":
            count += 1
            node, name, at = Node(bisect_right(breaks, at) + 1), "", at + 1
            if skipping is None and depth and trees:
                tree.nodes.append(node)
        elif char == "[":
            end = _end_of_value(text, at + 1)
            if end < 0:
                tree.problems.append(("a value has no end", bisect_right(breaks, at) + 1))
                break
            count += 1
            if node is not None and name:
                node.properties.setdefault(name, []).append(_unescape(text[at + 1 : end]))
            at = end + 1
        elif found := _NAME.match(text, at):
            name = "".join(filter(str.isupper, found[0][:MAX_LINE]))
            count += 1
            if node is not None and name:
                node.properties.setdefault(name, [])
            at = found.end()
        else:
            at = found.end() if (found := _SPACE.match(text, at)) else at + 1
    if depth:
        tree.problems.append(("the file is cut off: a game tree has no end", len(breaks) + 1))
    for tree in trees:
        for node in tree.nodes:
            node.properties = {name: values or [""] for name, values in node.properties.items()}
    return trees


def _end_of_value(text: str, start: int) -> int:
    """Where the bracket is that ends a value, none of those with a backslash before them; -1 if there is none."""
    at = start
    while (end := text.find("]", at)) >= 0:
        slashes = end
        while slashes > at and text[slashes - 1] == "\\":
            slashes -= 1
        if (end - slashes) % 2 == 0:
            return end
        at = end + 1
    return -1


def escape(text: str) -> str:
    """Text as it may stand in a value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: found[2], text) if "\\" in text else text
