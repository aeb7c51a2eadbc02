"""Rollouts: games played out from a position by the engine, counted with all their errors."""
