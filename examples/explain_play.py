"""Why a play is better than another, in words, and the opponent's replies that make the difference."""

from kibitz import Engine, Position
from kibitz.explain import explain_play

engine = Engine(plies=1)
explanation = explain_play(engine, engine.rank(Position.start(), "31"), "24/20")
print(explanation.words)
for row in sorted(explanation.ledger.rows, key=lambda row: -abs(row.contribution))[:3]:
    print(f"{row.dice}: {row.contribution:+.4f}")
