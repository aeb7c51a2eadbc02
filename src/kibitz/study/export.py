"""Cards for other programs: Anki decks with boards as pictures, and CSV.

An .apkg file is a zip of an SQLite database in Anki's schema 11, which every version reads, and of media files. It is
written here: the package genanki does the same, but has had no release for years.
"""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from kibitz.analysis.decisions import Kind
from kibitz.errors import LibraryError
from kibitz.files import write_file
from kibitz.state import State
from kibitz.study.decks import Card, card_key

COLUMNS = ("kind", "question", "xgid", "position_id", "best", "reason", "answers", "played_lost", "about", "due", "new")
"""The columns of a CSV file."""
SUFFIXES = (".apkg", ".csv")
"""What cards are written as."""
_FIELDS = ("Key", "Board", "Question", "Answer", "Source")
_CSS = """.card { font-family: sans-serif; font-size: 18px; text-align: center; }
img { max-width: 100%; } table { margin: 1em auto; border-collapse: collapse; }
td { padding: .1em .8em; text-align: left; }
.source { color: gray; font-size: 14px; }"""
_SCHEMA = """
CREATE TABLE col (id integer PRIMARY KEY, crt integer NOT NULL, mod integer NOT NULL, scm integer NOT NULL,
  ver integer NOT NULL, dty integer NOT NULL, usn integer NOT NULL, ls integer NOT NULL, conf text NOT NULL,
  models text NOT NULL, decks text NOT NULL, dconf text NOT NULL, tags text NOT NULL);
CREATE TABLE notes (id integer PRIMARY KEY, guid text NOT NULL, mid integer NOT NULL, mod integer NOT NULL,
  usn integer NOT NULL, tags text NOT NULL, flds text NOT NULL, sfld integer NOT NULL, csum integer NOT NULL,
  flags integer NOT NULL, data text NOT NULL);
CREATE TABLE cards (id integer PRIMARY KEY, nid integer NOT NULL, did integer NOT NULL, ord integer NOT NULL,
  mod integer NOT NULL, usn integer NOT NULL, type integer NOT NULL, queue integer NOT NULL, due integer NOT NULL,
  ivl integer NOT NULL, factor integer NOT NULL, reps integer NOT NULL, lapses integer NOT NULL, left integer NOT NULL,
  odue integer NOT NULL, odid integer NOT NULL, flags integer NOT NULL, data text NOT NULL);
CREATE TABLE revlog (id integer PRIMARY KEY, cid integer NOT NULL, usn integer NOT NULL, ease integer NOT NULL,
  ivl integer NOT NULL, lastIvl integer NOT NULL, factor integer NOT NULL, time integer NOT NULL,
  type integer NOT NULL);
CREATE TABLE graves (usn integer NOT NULL, oid integer NOT NULL, type integer NOT NULL);
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
"""


Draw = Callable[[State], str]
"""Draws a state as SVG."""


def save(path: Path | str, name: str, cards: Sequence[Card], draw: Draw) -> None:
    """Write cards; the suffix says how: .apkg for Anki, .csv for a table. `draw` makes the pictures."""
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise LibraryError(f"cards are written as {' or '.join(SUFFIXES)}, not as {target.name!r}")
    write_file(target, to_apkg(name, cards, draw) if suffix == ".apkg" else to_csv(cards))


# --- CSV --------------------------------------------------------------------------------------------------------------


def to_csv(cards: Sequence[Card]) -> str:
    """One row a card."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for card in cards:
        state = card.question.state
        writer.writerow(
            {
                "kind": card.question.kind.value,
                "question": card.question.words,
                "xgid": state.to_dict()["xgid"] or "",
                "position_id": state.position_id,
                "best": card.question.solution,
                "reason": card.question.reason,
                "answers": "; ".join(f"{row.name} {row.equity:+.3f}" for row in card.question.rows),
                "played_lost": f"{card.lost:.4f}",
                "about": _inert(card.about),
                "due": card.due.isoformat(),
                "new": int(card.is_new),
            }
        )
    return out.getvalue()


def _inert(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" and text else text


# --- Anki -------------------------------------------------------------------------------------------------------------


def to_apkg(name: str, cards: Sequence[Card], draw: Draw) -> bytes:
    """An Anki package. The same card has the same identity in every export, so that importing again changes it."""
    media = {f"kibitz-{_digest(card)[:16]}.svg": draw(card.question.state).encode() for card in cards}
    names = list(media)
    out = io.BytesIO()
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_SCHEMA)
        _fill(connection, name, cards)
        connection.commit()
        collection = connection.serialize()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _write(archive, "collection.anki2", collection)
        _write(archive, "media", json.dumps({str(n): one for n, one in enumerate(names)}).encode())
        for number, one in enumerate(names):
            _write(archive, str(number), media[one])
    return out.getvalue()


def _write(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    """A member with a fixed date: the same cards give the same file."""
    archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)


def _fill(connection: sqlite3.Connection, name: str, cards: Sequence[Card]) -> None:
    model, deck = _number("model kibitz 1"), _number(f"deck {name}")
    models, decks = {str(model): _model(model, deck)}, {"1": _deck(1, "Default"), str(deck): _deck(deck, name)}
    configuration = {
        "nextPos": 1,
        "curDeck": deck,
        "activeDecks": [deck],
        "curModel": str(model),
        "sortType": "noteFld",
    }
    day = 1_577_836_800  # a fixed one: the same cards give the same file
    row: list[int | str] = [1, day, day * 1000, day * 1000, 11, 0, 0, 0]
    texts: list[int | str] = [json.dumps(part) for part in (configuration, models, decks, {"1": _options()}, {})]
    connection.execute("INSERT INTO col VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", row + texts)
    for place, card in enumerate(cards, start=1):
        digest = _digest(card)
        number = _number(digest)
        fields = _fields(card)
        checksum = int(hashlib.sha1(fields[0].encode()).hexdigest()[:8], 16)
        tags = f" kibitz {card.question.kind.value.replace(' ', '-')} "
        note = [number, digest[:20], model, day, -1, tags, "\x1f".join(fields), fields[0], checksum, 0, ""]
        connection.execute("INSERT INTO notes VALUES (?,?,?,?,?,?,?,?,?,?,?)", note)
        # a new card, at its place in the line
        row = [number, number, deck, 0, day, -1, 0, 0, place, 0, 0, 0, 0, 0, 0, 0, 0]
        connection.execute("INSERT INTO cards VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", [*row, ""])


def _fields(card: Card) -> list[str]:
    """What a note holds. Names from files are text, never markup."""
    question = card.question
    digest = _digest(card)
    rows = question.rows
    cells = ((html.escape(row.name), f"{row.equity:+.3f}", f"{row.equity - rows[0].equity:+.3f}") for row in rows[:6])
    lines = "".join(f"<tr><td>{'</td><td>'.join(line)}</td></tr>" for line in cells)
    reason = f"<p>{html.escape(question.reason)}</p>" if question.reason else ""
    answer = f"<b>{html.escape(question.solution)}</b>{reason}<table>{lines}</table>"
    side = " (seen by the doubler)" if question.kind is Kind.ANSWER else ""
    board = f'<img src="kibitz-{digest[:16]}.svg">'
    return [digest[:20], board, html.escape(question.words + side), answer, html.escape(card.about)]


def _digest(card: Card) -> str:
    return card_key(card.question)


def _number(text: str) -> int:
    """A number in the range of Anki's, which are milliseconds."""
    return 1_500_000_000_000 + int(hashlib.sha256(text.encode()).hexdigest()[:10], 16) % 100_000_000_000


def _model(number: int, deck: int) -> dict[str, Any]:
    """The note type: its fields, and the one kind of card that it makes."""
    fields = [
        {"name": name, "ord": place, "sticky": False, "rtl": False, "font": "Arial", "size": 20, "media": []}
        for place, name in enumerate(_FIELDS)
    ]
    template = {
        "name": "Decision",
        "ord": 0,
        "qfmt": "{{Board}}<p>{{Question}}</p>",
        "afmt": '{{FrontSide}}<hr id="answer">{{Answer}}<p class="source">{{Source}}</p>',
        "did": None,
        "bqfmt": "",
        "bafmt": "",
    }
    return {
        "id": number,
        "name": "Kibitz decision",
        "type": 0,
        "mod": 1_577_836_800,
        "usn": -1,
        "sortf": 0,
        "did": deck,
        "tmpls": [template],
        "flds": fields,
        "css": _CSS,
        "latexPre": "",
        "latexPost": "",
        "tags": [],
        "vers": [],
        "req": [[0, "any", [1, 2]]],
    }


def _deck(number: int, name: str) -> dict[str, Any]:
    today = {f"{what}Today": [0, 0] for what in ("new", "rev", "lrn", "time")}
    return today | {
        "id": number,
        "name": name,
        "mod": 1_577_836_800,
        "usn": -1,
        "desc": "",
        "dyn": 0,
        "collapsed": False,
        "conf": 1,
        "extendNew": 10,
        "extendRev": 50,
    }


def _options() -> dict[str, Any]:
    """Anki's own defaults for a group of decks."""
    return {
        "id": 1,
        "name": "Default",
        "mod": 0,
        "usn": 0,
        "maxTaken": 60,
        "autoplay": True,
        "timer": 0,
        "replayq": True,
        "new": {"delays": [1, 10], "ints": [1, 4, 7], "initialFactor": 2500, "order": 1, "perDay": 20, "bury": True},
        "rev": {"perDay": 200, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "bury": True},
        "lapse": {"delays": [10], "mult": 0, "minInt": 1, "leechFails": 8, "leechAction": 0},
    }
