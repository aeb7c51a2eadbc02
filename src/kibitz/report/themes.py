"""Themes: the colours of boards, as pictures and in terminals that show 256 colours."""

from __future__ import annotations

from dataclasses import dataclass, field

from kibitz.errors import EngineError

PLAIN = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a picture."""

    frame: str = "#34515a"
    board: str = "#f4efe6"
    point: str = "#d9c7a8"
    other_point: str = "#93b0a7"
    mine: str = "#fdfcf9"
    mine_edge: str = "#9a948a"
    theirs: str = "#2b3036"
    theirs_edge: str = "#15181c"
    text: str = "#2b3a42"
    faint_text: str = "#c9d3d6"
    arrow: str = "#d1495b"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, and how a terminal paints checkers, frame and cube: codes between ESC [ and m."""

    name: str
    colours: Colours = field(default_factory=Colours)
    mine: str = "1;38;5;39"
    theirs: str = "1;38;5;208"
    frame: str = "38;5;245"
    cube: str = "1;38;5;178"

    @classmethod
    def of(cls, theme: Theme | str) -> Theme:
        """A theme by name."""
        if isinstance(theme, Theme):
            return theme
        if theme not in THEMES:
            raise EngineError(f"no theme is called {theme!r}; expected {', '.join(THEMES)}")
        return THEMES[theme]

    def paint(self, text: str, part: str) -> str:
        """Text in the colour of a part: mine, theirs, frame or cube."""
        return f"\x1b[{getattr(self, part)}m{text}{PLAIN}"


THEMES: dict[str, Theme] = {
    theme.name: theme
    for theme in (
        Theme("light"),
        Theme(
            "wood",
            Colours(
                frame="#5b3a21",
                board="#e3c499",
                point="#a8643a",
                other_point="#f1e0c2",
                mine="#fbf3e2",
                mine_edge="#b39a74",
                theirs="#4a2413",
                theirs_edge="#2b140a",
                text="#3a2416",
                faint_text="#e6d3b8",
                arrow="#1f6f8b",
            ),
            mine="1;38;5;179",
            theirs="1;38;5;131",
            frame="38;5;95",
        ),
        Theme(
            "dark",
            Colours(
                frame="#14181d",
                board="#262c34",
                point="#3d4956",
                other_point="#4d3b4a",
                mine="#e8e6e1",
                mine_edge="#8d8a84",
                theirs="#7a3b46",
                theirs_edge="#b96a78",
                text="#20262d",
                faint_text="#97a3ad",
                arrow="#f0b429",
            ),
            mine="1;38;5;255",
            theirs="1;38;5;167",
            frame="38;5;240",
        ),
        Theme(
            "contrast",
            Colours(
                frame="#000000",
                board="#ffffff",
                point="#000000",
                other_point="#9a9a9a",
                mine="#ffe600",
                mine_edge="#000000",
                theirs="#0033cc",
                theirs_edge="#ffffff",
                text="#000000",
                faint_text="#ffffff",
                arrow="#d60000",
            ),
            mine="1;7",
            theirs="1",
            frame="0",
            cube="1;4",
        ),
    )
}
"""All themes by name."""
