"""Reviewing matches: every decision, what it cost, the luck of the dice, and what that makes of the players."""
