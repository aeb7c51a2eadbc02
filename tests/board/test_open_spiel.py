"""OpenSpiel's backgammon as an oracle for rolls of two different dice.

Doubles are left out: OpenSpiel plays them as two turns of two dice, each by itself, and so does not ask for all four.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import kibitz

BAR = 100  # OpenSpiel's place of the bar


def position_of(state: Any, mover: int) -> kibitz.Position:
    rows = []
    for player in (mover, 1 - mover):
        places = range(23, -1, -1) if player == 0 else range(24)
        rows.append([state.board(player, place) for place in places] + [state.board(player, BAR)])
    return kibitz.Position(*rows)


def test_random_games_agree_with_open_spiel() -> None:
    """In positions of random games both know the same results of every roll of two different dice."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("backgammon")
    dice = random.Random(7)
    compared = 0
    while compared < 400:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(dice.choice([action for action, _ in state.chance_outcomes()]))
                continue
            actions = state.legal_actions()
            roll = [int(die) for die in state.observation_tensor()[-2:]]
            if roll[0] != roll[1]:
                mover = state.current_player()
                position = position_of(state, mover)
                theirs = {position_of(state.child(action), 1 - mover) for action in actions}
                ours = {play.result for play in position.plays((roll[0], roll[1]))} or {position.swapped()}
                assert ours == theirs, f"{position!r} {roll}"
                compared += 1
            state.apply_action(dice.choice(actions))
