"""The end: who flew too high and what is left (HH14, HH15), and what decides between equal scores (HH16)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from hotsim.columns import ONE, altitude, balloon_cards, helicopters
from hotsim.layout import TYPES

_LOWEST = -(1 << 30)


@kernel()
def ceiling(state: Any, rules: Any, t: int) -> int:
    """Return the altitude at which columns of a type fly away, int64 (HH14)."""
    highest = _LOWEST
    for seat in range(rules.seats):
        column = TYPES * seat + t
        if state.standing >> np.uint64(column) & ONE:
            highest = max(highest, altitude(state.columns[column]))
        elif rules.absent_column_is_zero:
            highest = max(highest, 0)
    return highest


@kernel()
def add_up(state: Any, rules: Any, work: Any) -> None:
    """Write every player's score, and balloon cards as the tie-break, as if the game ended now (HH14-HH16)."""
    for seat in range(rules.players):
        work.score[seat] = 0
        work.tiebreak[seat] = 0
    for t in range(TYPES):
        highest = ceiling(state, rules, t)
        for seat in range(rules.players):
            column = TYPES * seat + t
            word = state.columns[column]
            height = altitude(word)
            if state.standing >> np.uint64(column) & ONE and height < highest:
                work.score[seat] += height + rules.helicopter_points * helicopters(word)
                work.tiebreak[seat] += balloon_cards(word)


@kernel()
def count_turns(state: Any, rules: Any, work: Any) -> None:
    """Write each seat's finished turns and passes; turns go round from seat 0."""
    for seat in range(rules.players):
        work.statistic[0, seat] = (np.int64(state.turns) + rules.players - 1 - seat) // rules.players
        work.statistic[1, seat] = state.passes[seat]
