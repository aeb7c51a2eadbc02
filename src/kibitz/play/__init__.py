"""A game or match in progress, for the terminal, the browser and other programs alike.

players      the `Player` protocol; our engine at a level, the hand-made engines, random plays
live_match   rules of play, dice from a seed, undo, the record and its file
"""
