"""How well a match was played, and the worst decisions of each player. Usage: review_match.py [FILE]"""

import sys
from pathlib import Path

import kibitz

file = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("sample.mat")
review = kibitz.review(file, level="fast")
for player in review.match.players:
    statistics = review.statistics(player)
    print(f"{player}: PR {statistics.pr:.1f}, {statistics.total_moves} moves")
    for decision in review.errors(player)[:3]:
        print(f"  {decision}")
