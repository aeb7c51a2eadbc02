"""Bearing off, exactly: the best play of a roll, and how many turns a board takes."""

from kibitz.bearoff import OneSided, rank_plays, suggest

print("64 from 1-2-3-4-5-5:", suggest("111120", "64").result)
for one in rank_plays("111120", "64")[:3]:
    print(f"  {one.play}: {one.turns.mean:.4f} turns")
turns = OneSided().turns("111120")
print(f"from the start: {turns.mean:.4f} turns, worth {turns.effective_pips:.2f} pips")
