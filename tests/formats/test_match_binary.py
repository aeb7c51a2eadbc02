"""The binary files from the inside: SMILE, the XG container, RTF, and the limits on all of them."""

from __future__ import annotations

import gzip
import io
import struct
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz import FormatError, Owner
from kibitz.formats import read, recognise
from kibitz.formats.limits import MAX_FILE, inflate
from kibitz.formats.rtf import rtf_to_text
from kibitz.formats.smile import decode_smile
from kibitz.record import Ending, Roll, Setup

from .format_makers import (
    BGF_HEADER,
    XG_COMMENTS,
    bgf_common_match,
    bgf_file,
    bgf_move,
    smile,
    xg_common_records,
    xg_container,
    xg_end,
    xg_file,
    xg_game,
    xg_header,
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 62), 1 << 62) | st.floats(allow_nan=False) | st.text(max_size=80),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.from_regex(r"[a-z]{1,20}", fullmatch=True), inner, max_size=5)
    ),
    max_leaves=30,
)


@settings(max_examples=60, deadline=None)
@given(json_values)
def test_smile_decodes_what_the_encoder_wrote(value: object) -> None:
    assert decode_smile(smile(value)) == value


def test_smile_with_more_names_than_its_table_holds() -> None:
    value = [{f"name{index}": index} for index in range(900)] + [{f"name{index}": 0} for index in range(900)]
    assert decode_smile(smile(value)) == value


def test_smile_values_seen_before() -> None:
    # Flag 2 turns on shared values: 'abc' is written once and referred to as number 1.
    assert decode_smile(b":)\n\x03\xf8\x42abc\x01\x01\xf9") == ["abc", "abc", "abc"]


@pytest.mark.parametrize(
    "data",
    [
        b":)\n\x01\xf8" * 1,
        b":)\n\x01" + b"\xf8" * 1000,
        b":)\n\x01\x45ab",
        b":)\n\x01\xfa\x40\xc0\xfb",
        b":)\n\x01\x24\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
        b":)\n\x01\xe0never ends",
        b":)\n\x01\xff",
        b":)\n\x01\x26\x7f\x7f\x7f\x7f\xbf",
    ],
)
def test_broken_smile_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        decode_smile(data)


def test_a_small_file_that_inflates_to_200_megabytes_is_refused_early() -> None:
    """194 kB of gzip that hold 200 MB of zeros behind a good SMILE header."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0) as stream:
        stream.write(b":)\n\x01\xf8")
        zeros = bytes(1 << 20)
        for _ in range(200):
            stream.write(zeros)
    data = BGF_HEADER + buffer.getvalue()
    assert len(data) < 250_000
    started = time.process_time()
    with pytest.raises(FormatError, match="expand to more than"):
        read(data)
    assert time.process_time() - started < 1.0


def test_inflate_tells_cut_streams() -> None:
    packed = gzip.compress(b"hello" * 100)
    assert inflate(packed, gzip=True) == b"hello" * 100
    with pytest.raises(FormatError, match="cut off"):
        inflate(packed[:-9], gzip=True)


def test_files_that_are_too_large_or_no_match_are_refused() -> None:
    with pytest.raises(FormatError, match="at most 16 MB"):
        read(bytes(MAX_FILE + 1))
    for data in (b"", b"  \n", b"just some words", b"\x7fELF\0\0\0\0", b"(;GM[1]FF[4])", b"{}", b"RGMH"):
        with pytest.raises(FormatError):
            read(data)


def test_formats_are_known_by_content() -> None:
    assert recognise(bgf_file(bgf_common_match())).name == "bgf"
    assert recognise(xg_file(xg_common_records())).name == "xg"


def test_bgf_without_compression_and_as_json() -> None:
    import json

    content = bgf_common_match()
    reference = read(bgf_file(content))
    assert read(BGF_HEADER + smile(content)) == reference
    assert read(BGF_HEADER + json.dumps(content).encode()) == reference


def test_bgf_that_starts_from_another_position() -> None:
    points = [0] * 28
    points[5], points[18] = -3, 3  # each side has three checkers on its six point
    content = bgf_common_match()
    content["games"] = [
        {
            "scoreGreen": 0,
            "scoreRed": 0,
            "isCrawford": False,
            "wonPoints": 0,
            "moves": [bgf_move(1, (5, 4), [(6, 1), (6, 2)])],
            "initial": {"points": points, "cube": 2, "cubeOwner": 1},
        }
    ]
    match = read(bgf_file(content))
    setup, roll = match.games[0].actions
    assert isinstance(setup, Setup) and isinstance(roll, Roll) and roll.legal
    assert (setup.player, setup.value, setup.owner) == (1, 2, Owner.MINE)
    assert setup.position.mine[5] == setup.position.theirs[5] == 3


def test_xg_settled_and_unfinished_games() -> None:
    records = [xg_header(), xg_game(1, (0, 0)), xg_end((1, 0), 0, 1, 1001), xg_game(2, (1, 0))]
    match = read(xg_file(records))
    assert match.games[0].result is not None and match.games[0].result.ending is Ending.SETTLED
    assert match.games[1].result is None


def test_xg_money_session() -> None:
    match = read(xg_file([xg_header(99999).put(101, "BB", 1, 1), xg_game(1, (4, 2))]))
    assert match.is_money and match.rules.jacoby and match.rules.beavers and match.games[0].score == (4, 2)


def test_xg_with_a_wrong_checksum_is_read_with_a_warning() -> None:
    data = bytearray(xg_file(xg_common_records(), XG_COMMENTS))
    struct.pack_into("<I", data, len(data) - 36, 12345)
    match = read(bytes(data))
    assert len(match.games) == 3 and any("checksum" in warning.message for warning in match.warnings)


def test_xg_with_a_broken_part_says_so() -> None:
    with pytest.raises(FormatError, match="holds no match"):
        read(xg_container({"temp.xgi": b"abc"}))
    bomb = xg_container({"temp.xg": bytes(72 << 20)})
    with pytest.raises(FormatError):
        read(bomb)


def test_rtf() -> None:
    assert rtf_to_text("no rtf at all ") == "no rtf at all"
    assert (
        rtf_to_text(r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\pard caf\'e9 \{x\}\par\tab b}") == "café {x}\n\tb"
    )
    assert rtf_to_text(r"{\rtf1\u-3912?x\u8364?}") == "\uf0b8x\N{EURO SIGN}"
    assert rtf_to_text("{\\rtf1" + "{" * 5000) == ""
