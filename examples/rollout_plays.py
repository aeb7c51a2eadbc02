"""Two plays of an opening roll, rolled out: the same dice for both, with error bars."""

from kibitz import Engine, Position

rollout = Engine(plies=0).rollout(Position.start(), "21", top=2, trials=144, seed=7)
for result in rollout.results:
    print(f"{result.name:<16} {result.equity:+.4f} +-{result.standard_error:.4f}")
