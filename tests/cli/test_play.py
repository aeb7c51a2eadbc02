"""kibitz play: what a person at the terminal says, reads and gets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kibitz import Engine, Position, _core, load
from kibitz.cli import app
from kibitz.cli.play_terminal import HELP, TerminalMatch
from kibitz.cube import Owner
from kibitz.engine.levels import Level
from kibitz.engine.settings import SearchSettings
from kibitz.errors import EngineError
from kibitz.heuristics import make_ranker
from kibitz.play.live_match import LiveMatch
from kibitz.play.players import EnginePlayer
from kibitz.play.tutor import Tutor
from kibitz.record import Beaver, Double, Drop, Ending, Game, Match, Result, Roll, Rules, Setup, Take

ENGINE = Engine(evaluator=_core.MockEvaluator(), plies=0, threads=1)
MIDDLE = Position.start().play("8/5 6/5").play("24/18 13/11")
# The player on roll has won the race: double, pass.
AHEAD = Position.of({1: 2, 2: 2, 3: 3, 4: 3, 5: 3, 6: 2}, {8: 2, 7: 3, 6: 3, 5: 3, 4: 2, 3: 2})
REAL = Engine(plies=0, threads=1)


def at(
    position: Position, on_roll: int = 0, *, length: int = 0, rules: Rules | None = None, seed: int = 3
) -> LiveMatch:
    """A game from a position."""
    game = Game(actions=(Setup(on_roll, position, Owner.CENTRED, 1),))
    return LiveMatch(Match(("You", "Kibitz"), length, (game,), rules or Rules(jacoby=True)), seed=seed)


def talk(live: LiveMatch, *words: str, engine: Engine = ENGINE, level: str = "expert") -> list[str]:
    """What the person reads while saying these words, and then quitting."""
    said: Iterator[str] = iter(words)
    told: list[str] = []

    def ask(prompt: str) -> str:
        told.append(prompt)
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    TerminalMatch(live, EnginePlayer(engine, Level.of(level), seed=3), ask, told.append).run()
    return told


class Person:
    """Answers every prompt sensibly: the first legal play, every take, no double."""

    def __init__(self) -> None:
        self.live: LiveMatch | None = None

    def __call__(self, prompt: str) -> str:
        if "Take" in prompt:
            return "take"
        if "Roll" in prompt:
            return "roll"
        assert self.live is not None
        assert prompt == f"Your play of {self.live.state.dice}: "
        return str(self.live.plays[0])


@pytest.mark.parametrize("suffix", [".mat", ".sgf", ".json"])
def test_a_whole_match_is_played_and_kept(tmp_path: Path, suffix: str) -> None:
    path, person, told = tmp_path / f"match{suffix}", Person(), list[str]()
    live = person.live = LiveMatch(Match(("You", "Kibitz"), 3), seed=5, path=path)
    TerminalMatch(live, EnginePlayer(ENGINE, "beginner"), person, told.append).run()
    winner = live.match.winner
    assert winner is not None
    *_, score, won, mine, theirs, where = told
    assert won == ("You win the match." if winner == 0 else "Kibitz wins the match.")
    you, them = live.match.score
    assert score.endswith(f"Score: You {you}, Kibitz {them}.")
    for line, name in ((mine, "You"), (theirs, "Kibitz")):
        assert re.fullmatch(rf"{name}: PR \d+\.\d\d \(.+\), \d+ errors, \d+ blunders, luck [+-]\d+\.\d\d\d", line)
    assert where == f"The match is in {path}.\nReview it: kibitz analyze {path} -o review.html"
    kept = load(path)
    assert kept.games == live.match.games
    assert not kept.warnings


def test_the_score_names_the_winner_and_the_points() -> None:
    told = talk(at(MIDDLE, length=7), "resign gammon", "yes", engine=REAL)
    assert "Kibitz wins 2 points. Score: You 0, Kibitz 2." in told
    assert "Kibitz accepts the resignation." in told
    told = talk(at(MIDDLE), "resign 3", "yes", engine=REAL)
    assert "Kibitz wins 1 point. Score: You 0, Kibitz 1." in told  # by the Jacoby rule
    told = talk(at(AHEAD), "double", engine=REAL)
    assert "Kibitz passes." in told
    assert "You win 1 point. Score: You 1, Kibitz 0." in told


@pytest.mark.parametrize(("words", "size"), [("resign; 1", 1), ("resign 2", 2), ("resign backgammon", 3)])
def test_a_resignation_has_the_size_that_was_said(words: str, size: int) -> None:
    live = at(MIDDLE, length=7)
    talk(live, *words.split("; "), "yes", engine=REAL)
    assert live.match.games[0].result == Result(1, size, Ending.RESIGNED)


def test_a_resignation_that_is_too_small_is_not_accepted() -> None:
    live = at(Position.of({7: 15}, {1: 2}), length=7)
    told = talk(live, "resign 1", "yes", "resign 4", engine=REAL)
    assert "Kibitz does not accept that." in told
    assert any(line.startswith("Resign 1, 2 or 3") for line in told)
    assert live.result is None


def test_help_board_and_hint_are_told_at_any_time() -> None:
    told = talk(at(MIDDLE), "help", "board", "hint", "roll", "?", "b", "h")
    assert sum("Enter, roll" in line for line in told) == 2
    assert sum("You on roll" in line for line in told) == 2  # when asked first, and when asked for
    assert any(line.startswith("Cube decision at 2 plies") for line in told)
    assert any(line.startswith("Equities: cubeful, money") for line in told)
    assert told[-1] == "\nThe match is not finished."


def test_what_is_not_understood_or_not_possible_is_told_and_asked_again() -> None:
    live = at(MIDDLE)
    told = talk(live, "nonsense", "take", "roll", "", "8/1", "nonsense")
    assert "'nonsense' means nothing here; say help." in told
    assert any("'take' is not possible now; expected roll, double, resign" in line for line in told)
    assert "Make a play such as 8/5 6/5, or say help." in told
    assert sum(line.startswith("Your play of") for line in told) == 4
    assert len(live.game.actions) == 1


def test_undo_goes_back_to_the_same_dice() -> None:
    live = at(MIDDLE)
    live.act("roll")
    dice, play = live.state.dice, str(live.plays[0])
    live = at(MIDDLE)
    told = talk(live, "undo", "roll", play, "undo", "roll")
    assert "There is nothing to take back." in told
    assert told.count("Taken back.") == 1
    prompts = [line for line in told if line.startswith("Your play of")]
    assert prompts[0] == prompts[-1] == f"Your play of {dice}: "
    assert len(live.game.actions) == 1


def test_a_double_of_the_engine_is_shown_and_answered() -> None:
    for words, last in (("take", Take(0)), ("yes", Take(0)), ("pass", Drop(0)), ("no", Drop(0))):
        live = at(AHEAD, on_roll=1)
        told = talk(live, words, engine=REAL)
        assert "Kibitz doubles to 2." in told
        assert live.match.games[0].actions[1:3] == (Double(1), last)
        shown = next(line for line in told if "Position ID" in line).splitlines()
        assert shown[0].endswith("Kibitz doubles to 2")
        assert shown[0].split()[1] == "O"
        assert shown[12].endswith("X  You to answer")  # the person's side is the lower one, and X in every picture
    dropped = at(AHEAD, on_roll=1)
    assert "Kibitz wins 1 point. Score: You 0, Kibitz 1." in talk(dropped, "pass", engine=REAL)


@pytest.mark.parametrize(
    ("position", "answer"), [(Position.start().play("8/5 6/5"), "accepts"), (AHEAD.swapped(), "passes")]
)
def test_a_beaver_is_answered_by_the_engine(position: Position, answer: str) -> None:
    class Bold(EnginePlayer):
        def doubles(self, cube: object) -> bool:  # noqa: ARG002
            return True

    live = at(position, on_roll=1, rules=Rules(jacoby=True, beavers=True))
    told: list[str] = []
    said = iter(["beaver"])
    TerminalMatch(live, Bold(REAL, "expert"), lambda _: next(said, "quit"), told.append).run()
    assert live.match.games[0].actions[1:3] == (Double(1), Beaver(0))
    assert f"Kibitz {answer}." in told
    if answer == "passes":
        assert "You win 2 points. Score: You 2, Kibitz 0." in told


def test_plays_without_a_choice_are_made_and_told() -> None:
    closed = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    live = at(closed)
    told = talk(live, "roll")
    assert any("and cannot move." in line for line in told)
    assert isinstance(live.game.actions[1], Roll)
    forced = at(Position.of({1: 1}, {1: 1, 2: 1}))
    told = talk(forced, "")
    assert any(line.endswith("1/off is forced.") for line in told)
    assert forced.result == Result(0, 1, Ending.BORNE_OFF)


def test_the_engine_tells_its_rolls_and_plays() -> None:
    live = at(MIDDLE, on_roll=1)
    told = talk(live, engine=REAL)
    roll = live.game.actions[1]
    assert isinstance(roll, Roll)
    assert f"Kibitz rolls {roll.dice}." in told
    assert f"Kibitz plays {str(roll).partition(': ')[2]}." in told
    stuck = at(Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2)), on_roll=1)
    assert "Kibitz cannot move." in talk(stuck)


def test_the_opening_and_the_crawford_game_are_announced() -> None:
    live = LiveMatch(Match(("You", "Kibitz"), 1), seed=3)
    first, second = live.opening[-1]
    told = talk(live)
    assert told[:2] == ["\nGame 1", f"You roll {first}, Kibitz rolls {second}."]
    before = Game((0, 0), False, (Setup(0, MIDDLE), Double(0), Drop(1)), Result(0, 2))
    told = talk(LiveMatch(Match(("You", "Kibitz"), 3, (before,))))
    assert "\nGame 2, the Crawford game" in told
    seed = next(seed for seed in range(50) if len(LiveMatch(Match(), seed=seed).opening) > 1)
    told = talk(LiveMatch(Match(("You", "Kibitz")), seed=seed, automatic_doubles=1))
    assert any(line.endswith("the cube is turned to 2.") for line in told)


def test_quitting_tells_where_the_match_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "short.mat"
    live = LiveMatch(Match(("You", "Kibitz"), 3), seed=3, path=path)
    assert talk(live, "quit")[-1] == f"\nThe match is not finished.\nGo on with it: kibitz play --resume {path}"
    assert load(path).players == ("You", "Kibitz")


# --- the command ------------------------------------------------------------------------------------------------------


def run(*words: str, input: str = "quit\n") -> str:
    result = CliRunner().invoke(app, ["play", *words], input=input, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_command_keeps_and_resumes_a_match(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    text = run("--length", "3", "--level", "beginner", "--seed", "4", "--name", "Ada", "--save", str(path))
    assert "Ada against Kibitz (beginner), seed 4. Enter rolls; help says more." in text
    kept = load(path)
    assert (kept.players, kept.length) == (("Ada", "Kibitz (beginner)"), 3)
    assert (kept.rules.jacoby, kept.rules.beavers) == (False, False)
    again = run("--resume", str(path), "--seed", "9")
    assert "Ada against Kibitz (beginner)" in again
    assert load(path).games == kept.games


def test_money_games_have_the_rules_that_were_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "money.json"
    run("--length", "0", "--beavers", "--seed", "1", "--save", str(path), "--variant", "nackgammon")
    kept = load(path)
    assert (kept.length, kept.rules.jacoby, kept.rules.beavers) == (0, True, True)
    assert kept.variant == "nackgammon"
    run("--length", "0", "--no-jacoby", "--seed", "1", "--save", str(path))
    assert not load(path).rules.jacoby


def test_no_record_is_kept_where_none_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("--no-save", "--seed", "1")
    assert list(tmp_path.iterdir()) == []
    run("--seed", "1")
    assert [path.suffix for path in tmp_path.iterdir()] == [".mat"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--level", "wizard"], "no level is called 'wizard'"),
        (["--variant", "hypergammon"], "variants that can be played"),
        (["--save", "match.xg"], "can be kept as"),
    ],
)
def test_wrong_options_are_refused(words: list[str], message: str) -> None:
    with pytest.raises(EngineError, match=message):
        CliRunner().invoke(app, ["play", *words], catch_exceptions=False)


def test_levels_play_their_own_way() -> None:
    wild = Level("wild", SearchSettings(plies=0), noise=100.0)
    plays = []
    for level in (wild, Level.of("expert")):
        live = at(MIDDLE, on_roll=1)
        TerminalMatch(live, EnginePlayer(REAL, level, seed=2), lambda _: "quit", lambda _: None).run()
        plays.append(live.game.actions[1:])
    assert plays[0] != plays[1]


# --- what is asked, and what is not said twice ------------------------------------------------------------------------


def test_a_resignation_is_asked_about() -> None:
    live = at(MIDDLE, length=7)
    told = talk(live, "resign", "", "resign 2", "no", engine=REAL)
    assert told.count("You play on.") == 2
    assert "Give up a gammon for 2 points? (yes or no) " in told
    assert live.result is None


def test_unknown_words_are_answered_at_every_prompt() -> None:
    told = talk(at(MIDDLE), "xyzzy", "roll", "xyzzy", "take")
    assert told.count("'xyzzy' means nothing here; say help.") == 2
    assert any("'take' is not possible now; expected play, resign" in line for line in told)


def test_undo_with_nothing_to_undo_says_so_once() -> None:
    assert talk(at(MIDDLE), "undo").count("There is nothing to take back.") == 1


def test_help_has_80_columns() -> None:
    assert max(map(len, HELP.splitlines())) <= 80


def test_no_board_is_shown_twice() -> None:
    told = talk(at(MIDDLE), "roll")
    assert sum("Position ID" in line for line in told) == 1


def test_an_interrupt_keeps_the_match(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    live = LiveMatch(Match(("You", "Kibitz"), 3), seed=3, path=path)
    told: list[str] = []

    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    TerminalMatch(live, EnginePlayer(ENGINE, "expert"), interrupted, told.append).run()
    assert told[-1].endswith(f"kibitz play --resume {path}")
    assert LiveMatch(load(path)).state.dice == live.state.dice


def test_a_resumed_match_has_the_same_dice_and_opponent(tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    first = run("--length", "3", "--level", "beginner", "--seed", "4", "--save", str(path))
    again = run("--resume", str(path))
    assert "Kibitz (beginner), seed 4." in again
    prompt = next(line for line in first.splitlines() if line.startswith("Your play of")).partition(": ")[0]
    assert prompt in again


def saying(*words: str) -> Callable[[str], str]:
    """A person who says these words, and then quits."""
    answers = iter(words)
    return lambda _: next(answers, "quit")


def test_the_tutor_objects_to_errors_before_they_are_made() -> None:
    live = at(MIDDLE)
    live.act("roll")
    ranked = REAL.rank(live.state)
    worst, best = str(ranked[-1].play), str(ranked[0].play)
    for said, made in ((("no",), 1), (("hint", "no"), 1), (("yes",), 2)):
        live = at(MIDDLE)
        told: list[str] = []
        TerminalMatch(live, EnginePlayer(REAL), saying("roll", worst, *said), told.append, Tutor(REAL)).run()
        assert len([one for one in live.game.actions if one.player == 0]) == made
        assert any(line.startswith("Equities:") for line in told) == ("hint" in said)
    live = at(MIDDLE)
    TerminalMatch(live, EnginePlayer(REAL), saying("roll", best), lambda _: None, Tutor(REAL)).run()
    assert isinstance(live.game.actions[1], Roll)


@pytest.mark.parametrize("engine", ["tabula", "ten-factor"])
def test_the_hand_made_engines_play(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    text = run("--engine", engine, "--seed", "5", "--save", str(path))
    assert f"Kibitz ({engine})" in text
    assert f"Kibitz ({engine})" in run("--resume", str(path))
    live = at(MIDDLE, on_roll=1)
    live.act("roll")
    state = live.state
    assert state.dice is not None
    live.engine_turn(EnginePlayer(REAL, ranker=make_ranker(engine)))
    assert live.state.position == make_ranker(engine).rank(state.position, state.dice)[0].play.result


def test_all_that_is_said_has_80_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first line to the last, with such a name as a record gets by itself."""
    monkeypatch.chdir(tmp_path)
    path = Path("kibitz-20261118-201234.mat")
    live = LiveMatch(Match(("You", "Kibitz (grandmaster)"), 1), seed=3, path=path)
    told = talk(live, "help", "hint", "board", "xyzzy", "resign 2", "no", "resign 4", engine=REAL)
    live = LiveMatch(load(path), path=path)
    told += talk(live, "resign 3", "yes", engine=REAL)
    assert live.is_over
    assert max(len(line) for words in told for line in words.splitlines()) <= 80
