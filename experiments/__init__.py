"""The laboratory: schedules games, plays them, stores rows, analyses and draws."""
