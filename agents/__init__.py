"""Players, written once against the contract of a game; only the two heuristics know a game."""
