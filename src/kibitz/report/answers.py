"""Answers to positions as files: a page with boards, or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from kibitz.decision import CubeDecision, Decision, PlayDecision
from kibitz.errors import FormatError
from kibitz.files import write_file
from kibitz.report.decisions import cube_html, plays_html, resignation_html

Answers = Sequence[tuple[str, Decision]]
"""Files with the answer to what each asks."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = "body{font-family:sans-serif;max-width:50em;margin:1em auto;padding:0 1em}svg{max-width:100%;height:auto}"
_STYLE += "table{border-collapse:collapse}td,th{padding:.1em .6em;text-align:left}"


def save(path: Path, answers: Answers) -> None:
    """Write answers as .html or .json. What was played is part of a review, and so is all that other reports hold."""
    suffix = path.suffix.lower()
    if suffix == ".html":
        write_file(path, page(answers))
    elif suffix == ".json":
        data = [{"file": file} | answer.to_dict() for file, answer in answers]
        write_file(path, json.dumps(data[0] if len(data) == 1 else data, indent=2, ensure_ascii=False) + "\n")
    else:
        raise FormatError(f"the answer to a position is written as .html or .json, not as {path.name!r}")


def page(answers: Answers) -> str:
    """The HTML of one or more answers. Names come from files that anyone wrote, so all text is escaped."""
    title = escape(answers[0][0] if len(answers) == 1 else f"{len(answers)} positions")
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}"><style>{_STYLE}</style></head><body>',
    ]
    for file, answer in answers:
        parts.append(f"<section><h2>{escape(file)}</h2>{_face(answer)}</section>")
    return "".join(parts) + "</body></html>\n"


def _face(answer: Decision) -> str:
    if isinstance(answer, PlayDecision):
        return plays_html(answer)
    return cube_html(answer) if isinstance(answer, CubeDecision) else resignation_html(answer)
