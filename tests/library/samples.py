"""Matches to keep: played at random, so that each seed gives another one, and written in several formats."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import kibitz
from kibitz import ALL_ROLLS, Match, Position
from kibitz.formats.builder import MatchBuilder
from kibitz.record import Double, Drop, Roll, Take
from tests.formats.format_makers import Record, xg_cube, xg_end, xg_file, xg_game, xg_header, xg_move


@cache
def random_match(
    seed: int, *, length: int = 7, players: tuple[str, str] = ("Ada", "Ben"), date: str = "2024-05-01", event: str = ""
) -> Match:
    """A match of random plays with a double now and then."""
    chance = random.Random(seed)
    builder = MatchBuilder("test")
    builder.players, builder.length, builder.date, builder.event = players, length, date, event
    while max(builder.expected_score) < length:
        _play_game(builder, chance)
    return builder.build()


def _play_game(builder: MatchBuilder, chance: random.Random) -> None:
    game = builder.start_game()
    board = Position.start()  # as the player on roll sees it
    player, rolls, doubled = chance.randrange(2), 0, False
    while not board.is_over:
        if rolls > 4 and not doubled and not game.crawford and chance.random() < 0.05:
            doubled = True
            game.double(player)
            if chance.random() < 0.4:
                game.drop(1 - player)
                break
            game.take(1 - player)
        dice = chance.choice([roll for roll in ALL_ROLLS if rolls or not roll.is_double])
        plays = board.plays(dice)
        # Hits are rare: games of wholly random plays last for ever.
        some = chance.sample(plays, min(3, len(plays)))
        board = min((play.result for play in some), key=lambda after: after.pips[0], default=board.swapped())
        game.roll(player, dice, result=board)
        player, rolls = 1 - player, rolls + 1
    game.close()


def to_xg(match: Match) -> bytes:
    """A match as an .xg file, with the analyses that such a file has."""
    records: list[Record] = [xg_header(match.length)]
    for number, game in enumerate(match.games, start=1):
        records.append(xg_game(number, game.score, game.crawford))
        cube = 0
        moments = list(match.moments(number))
        for moment in moments:
            action, state = moment.action, moment.state
            seen = state.position if action.player == 0 else state.position.swapped()
            if isinstance(action, Double):
                answer = moments[moment.index + 1].action
                taken = isinstance(answer, Take)
                records.append(xg_cube(action.player, seen, cube, double=1, take=int(taken)))
                if taken:
                    cube = 1 if answer.player == 0 else -1
            elif isinstance(action, Roll) and moment.play is not None:
                steps = [(move.source, move.target) for move in action.moves or ()]
                dice = (action.dice.high, action.dice.low)
                after = moment.play.result.swapped()
                records.append(xg_move(action.player, seen, after, dice, steps, cube))
        result = game.result
        assert result is not None
        score = tuple(game.score[seat] + result.points * (result.winner == seat) for seat in (0, 1))
        dropped = any(isinstance(action, Drop) for action in game.actions)
        records.append(xg_end((score[0], score[1]), result.winner, result.points, 0 if dropped else 1))
    return xg_file(records)


def write_all(folder: Path, match: Match, name: str = "match") -> dict[str, Path]:
    """A match in all formats that can be written here."""
    paths = {}
    for suffix in ("mat", "sgf", "json"):
        paths[suffix] = folder / f"{name}.{suffix}"
        kibitz.save(match, paths[suffix])
    paths["xg"] = folder / f"{name}.xg"
    paths["xg"].write_bytes(to_xg(match))
    return paths


def cut(match: Match, rolls: int) -> Match:
    """The beginning of a match, so many rolls of its last game left."""
    game = replace(match.games[-1], actions=match.games[-1].actions[:rolls], result=None)
    return replace(match, games=(*match.games[:-1], game))
