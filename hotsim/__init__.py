"""Hot Heads: cards, rules, a plain engine, traces and views of the game."""
