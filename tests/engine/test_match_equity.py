"""Match equity tables: the shipped one, files of other programs, and formulas."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from kibitz.errors import EngineError, FormatError
from kibitz.match_equity import MatchEquityTable

DEFAULT = MatchEquityTable.default()


def test_the_shipped_table_is_kazaross_xg2_with_its_notice() -> None:
    assert DEFAULT.length == 25
    assert DEFAULT.chance(3, 5) == 0.64795
    assert DEFAULT.chance(2, 1, post_crawford=True) == 0.48803
    assert "Neil Kazaross" in DEFAULT.notice and "permitted" in DEFAULT.notice


def test_both_sides_chances_add_up() -> None:
    for mine in range(1, 26):
        for theirs in range(1, 26):
            assert DEFAULT.chance(mine, theirs) + DEFAULT.chance(theirs, mine) == pytest.approx(1, abs=1e-9)


def test_longer_matches_go_on_smoothly() -> None:
    chances = [DEFAULT.chance(away, 20) for away in range(1, 41)]
    assert all(a > b for a, b in itertools.pairwise(chances))
    assert DEFAULT.chance(40, 40) == 0.5
    with pytest.raises(EngineError, match="at most 64"):
        DEFAULT.chance(65, 3)


@pytest.mark.parametrize("name", ["zadeh", "mec"])
def test_formulas_give_sensible_tables(name: str) -> None:
    table = MatchEquityTable.named(name)
    for mine in range(1, 15):
        for theirs in range(1, 15):
            assert table.chance(mine, theirs) >= table.chance(mine + 1, theirs)
            assert abs(table.chance(mine, theirs) - DEFAULT.chance(mine, theirs)) < 0.035


def test_zadehs_first_values() -> None:
    """By hand: an even game with a quarter of gammons, then the trailer doubles at once."""
    table = MatchEquityTable.named("zadeh")
    assert table.chance(2, 1) == pytest.approx(0.5 * (0.25 * 1 + 0.75 * 0.5))
    assert table.chance(2, 1, post_crawford=True) == pytest.approx(0.5 - 0.015)
    assert table.chance(3, 1, post_crawford=True) == pytest.approx(0.5 * (0.25 + 0.75 * 0.5))


XML = """<?xml version="1.0"?>
<!DOCTYPE met SYSTEM "met.dtd">
<met><info><name>Two points</name><description>made up</description><length>2</length></info>
<pre-crawford-table type="explicit">
<row><me>0.5</me><me>0.7</me></row><row><me>0.3</me><me>0.5</me></row></pre-crawford-table>
<post-crawford-table player="both" type="explicit"><row><me>0.5</me></row></post-crawford-table></met>"""


def test_gnubgs_xml_is_read_and_completed(tmp_path: Path) -> None:
    file = tmp_path / "two.xml"
    file.write_text(XML)
    table = MatchEquityTable.load(file)
    assert (table.name, table.length) == ("Two points", 2)
    assert table.chance(1, 2) == 0.7
    assert table.chance(2, 1, post_crawford=True) == pytest.approx(0.485)


def test_gnubgs_formula_files_are_computed(tmp_path: Path) -> None:
    file = tmp_path / "zadeh.xml"
    file.write_text(
        "<met><info><name>Z</name><length>-1</length></info><pre-crawford-table type='zadeh'><parameters>"
        "<parameter name='gammon-rate-leader'>0.25</parameter><parameter name='gammon-rate-trailer'>0.15</parameter>"
        "<parameter name='delta-bar'>0.06</parameter></parameters></pre-crawford-table></met>"
    )
    assert MatchEquityTable.load(file).chance(2, 3) == pytest.approx(MatchEquityTable.named("zadeh").chance(2, 3))


def test_xgs_met_is_read(tmp_path: Path) -> None:
    file = tmp_path / "two.met"
    file.write_text(
        "[Current]\nName=Two\n[PostCrawford]\nSize=2\nData=0.5 0.48\n[PreCrawford]\nSize=2\n1=0.5 0.7\n2=0.3 0.5\n"
    )
    table = MatchEquityTable.load(file)
    assert (table.name, table.chance(2, 1)) == ("Two", 0.3)
    assert table.chance(2, 1, post_crawford=True) == 0.48


def test_a_table_survives_json(tmp_path: Path) -> None:
    import json

    file = tmp_path / "k.json"
    file.write_text(json.dumps(DEFAULT.to_dict()))
    assert MatchEquityTable.load(file).pre_crawford == DEFAULT.pre_crawford


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "expected a match equity table"),
        ("<met></met>", "no <pre-crawford-table>"),
        ("<met", "cannot be read|not a match equity table"),
        (XML.replace("0.7", "0.9"), "off by 0.2"),
        (XML.replace("0.7", "1.7"), "not between 0 and 1"),
        ("[Other]\nx=1\n", "section"),
    ],
)
def test_bad_files_say_what_is_wrong(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "bad.met"
    file.write_text(text)
    with pytest.raises(FormatError, match=words):
        MatchEquityTable.load(file)


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(EngineError, match="kazaross-xg2"):
        MatchEquityTable.named("nonsense")


def test_tables_of_gnubg_are_read_where_it_is_installed() -> None:
    folder = Path("/usr/share/gnubg/met")
    if not folder.is_dir():
        pytest.skip("gnubg is not installed")
    table = MatchEquityTable.load(folder / "Kazaross-XG2.xml")
    assert table.pre_crawford == DEFAULT.pre_crawford
    assert MatchEquityTable.load(folder / "g11.xml").length == 25


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<met><info><length>3000000</length></info><pre-crawford-table type='zadeh'/></met>", "length of 3000000"),
        ("<met><pre-crawford-table>" + "<row><me>0.5</me></row>" * 3000 + "</pre-crawford-table></met>", "3000 points"),
        ('{"a":' * 5000, "nested"),
        ('{"pre_crawford": [[NaN]], "post_crawford": [0.5], "name": "x"}', "no number"),
        ('{"pre_crawford": ' + "[" * 3000, "nested"),
        ("<met>" + "<a>" * 20_000, "no element found"),
        ("[PreCrawford]\nsize = 99999999999999999999\n1 = 0.5", "99999999999999999999"),
        ("<met><info><length>1e9</length></info><pre-crawford-table type='mec'/></met>", "invalid literal"),
        ("{" + " " * (1 << 20), "more than 1 MB"),
    ],
)
def test_hostile_tables_are_refused_at_once(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_text(text)
    started = time.process_time()
    with pytest.raises(FormatError, match=words) as refused:
        MatchEquityTable.load(path)
    assert time.process_time() - started < 1 and "\n" not in str(refused.value)
