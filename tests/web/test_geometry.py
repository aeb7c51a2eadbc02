"""The board of the face has the measures of the Python drawing; `python -m tests.web.test_geometry` copies them."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "src" / "kibitz" / "web" / "static" / "elements" / "geometry.js"
HEAD = """// Made by `python -m tests.web.test_geometry` from kibitz/report/geometry.json: one source for both.

export const GEOMETRY = """


def script() -> str:
    measures = json.loads((files("kibitz.report") / "geometry.json").read_text(encoding="utf-8"))
    return HEAD + json.dumps(measures, indent=2).replace("[\n    8,\n    9\n  ]", "[8, 9]") + ";\n"


def test_one_geometry_for_both_drawings() -> None:
    assert SCRIPT.read_text(encoding="utf-8") == script()


if __name__ == "__main__":
    SCRIPT.write_text(script(), encoding="utf-8")
