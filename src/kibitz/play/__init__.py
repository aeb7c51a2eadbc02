"""A game or match in progress, for the terminal, the browser and other programs alike.

players      the `Player` protocol; our engine at a level, the hand-made engines, random plays
live_match   rules of play, dice from a seed, undo, the record and its file
tutor        what a review would say of a decision before it is made
sitting      a person against an opponent, who answers whatever the person does
kept         matches in progress in a library (needs the extra `library`)
"""
