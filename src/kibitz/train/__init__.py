"""Training: from nothing to the shipped nets by self-play. `kibitz train` is the way in."""
