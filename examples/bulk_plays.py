"""A thousand positions at once, through numpy: all plays of a roll, each with its chances."""

import numpy as np

from kibitz import Engine, Position, plays_bulk

boards = np.repeat(Position.start().board[None], 1000, axis=0)
dice = np.random.default_rng(1).integers(1, 7, (1000, 2), dtype=np.uint8)
found = plays_bulk(boards, dice)
chances = Engine().evaluate_batch(found.boards)  # of the opponent, who is on roll afterwards
print(f"{len(found.boards)} results, the best of which leaves the opponent {100 * chances[:, 0].min():.1f} % wins")
