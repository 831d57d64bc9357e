"""The balance laboratory: what card counts, deck trimming and readings of the rules do to a game."""
