"""The engine plays a game against itself, and prints how it begins."""

import random

from kibitz import Dice, Engine, Position

dice, engine, position, number = random.Random(3), Engine(plies=0), Position.start(), 0
while not position.is_over:
    number += 1
    roll = Dice(dice.randint(1, 6), dice.randint(1, 6))
    ranked = engine.rank(position, roll)  # empty if nothing can be moved
    position = ranked[0].play.result if ranked else position.swapped()  # seen by the opponent
    if number <= 6:
        print(f"{number}. {roll.high}{roll.low}: {ranked[0].play if ranked else 'no play'}")
print(f"... over after {number} turns")
