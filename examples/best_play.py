"""The best plays of a roll, and what the others cost."""

from kibitz import Engine, parse

state = parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:3:5:0:7:10")  # 52 at 3-5 in a match to 7
decision = Engine(plies=1).rank(state)
for one in decision[:5]:
    print(f"{one.rank}. {one.play!s:<20} {one.equity:+.3f} {one.difference:+.3f}")
