"""Who wins, from scores and tie-breaks: the same for every game."""

from __future__ import annotations

from typing import Any

from gameapi.jit import kernel


@kernel()
def compare(work: Any, a: int, b: int) -> int:
    """Return a number above, equal to or below 0 as seat a ranks above, level with or below seat b."""
    if work.score[a] != work.score[b]:
        return work.score[a] - work.score[b]
    return work.tiebreak[a] - work.tiebreak[b]


@kernel()
def share_win(rules: Any, work: Any) -> None:
    """Write every player's share of the win, 1/n for each of n winners, from `work.score` and `work.tiebreak`."""
    best, winners = 0, 0
    for seat in range(rules.players):
        lead = compare(work, seat, best)
        if lead > 0:
            best, winners = seat, 1
        elif lead == 0:
            winners += 1
    for seat in range(rules.players):
        work.win[seat] = 1.0 / winners if compare(work, seat, best) == 0 else 0.0
