"""Double or not, take or pass: for money, and at a few scores of a match to 5."""

from kibitz import Engine, MatchState, Position

race = Position.of({6: 4, 5: 4, 4: 3, 3: 2, 2: 1, 1: 1}, {6: 5, 5: 4, 4: 3, 3: 2, 2: 1})
scores = {"money": MatchState()}
for mine, theirs in ((0, 0), (3, 0), (0, 3), (3, 3)):
    scores[f"{mine}-{theirs}"] = MatchState(length=5, my_score=mine, their_score=theirs)
engine = Engine(plies=1)
for name, match in scores.items():
    answer = engine.cube(race, match=match)
    print(f"{name:>5}: {answer.action:<16} no double {answer.no_double:+.3f}, double/take {answer.double_take:+.3f}")
