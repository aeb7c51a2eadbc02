"""The engine: evaluate, rank, cube, rollout."""
