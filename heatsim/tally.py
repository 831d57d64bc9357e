"""What becomes of each card at each seat: the counts of `Game.counts`, in their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from heatsim.layout import ANNOUNCE, COVER, N_TITLES, NOTHING, PASS, REVEAL, ROUNDS
from heatsim.piles import ONE, pass_target

DEALT, DRAWN, DRAFT, PASSED, RECEIVED, OFFERED, PLAYED, ADDED, DISCARDED, LEFT = 0, 1, 2, 5, 8, 11, 12, 13, 14, 15
"""The first of the counts of each kind; there are three, one a round, of DRAFT, PASSED and RECEIVED."""


@kernel()
def count_dealt(state: Any, rules: Any, tally: Any) -> None:
    """Count the cards that begin a draft."""
    for seat in range(rules.players):
        count_hand(state, seat, tally, DEALT)


@kernel()
def count_hand(state: Any, seat: Any, tally: Any, kind: Any) -> None:
    """Count the copies of a hand, or that a title is there where they are choices of the seat."""
    titles = state.hand[seat]
    while titles != np.uint64(0):
        title = lowest(titles)
        titles &= titles - ONE
        tally.n[kind, seat, title] += np.int64(state.count[seat, title]) if kind == DEALT else 1


@kernel()
def count_choice(state: Any, rules: Any, action: Any, tally: Any) -> int:
    """Count what the actor is about to choose; return the round of the draft, -1 where it is none.

    What every hand will hold when the choice is made is noted: a heist may end with it, and the hands be gone.
    """
    seat = np.int64(state.actor)
    if state.phase == PASS:
        count_hand(state, seat, tally, DRAFT + state.draft_round)
        tally.n[PASSED + state.draft_round, seat, action] += 1
        return int(state.draft_round)
    if state.phase == ANNOUNCE:
        return -1
    for other in range(rules.players):
        for title in range(N_TITLES):
            tally.hand[other, title] = state.count[other, title]
    if action == NOTHING:
        return -1
    tally.hand[seat, action] -= np.uint8(1)
    if state.phase == REVEAL:
        count_hand(state, seat, tally, OFFERED)
        tally.n[PLAYED, seat, action] += 1
    else:
        tally.n[DISCARDED if state.phase == COVER else ADDED, seat, action] += 1
    return -1


@kernel()
def count_received(state: Any, rules: Any, number: int, tally: Any) -> None:
    """Count what the seats have been passed in a round of the draft."""
    for giver in range(rules.players):
        tally.n[RECEIVED + number, pass_target(state, rules, giver), state.passed[number, giver]] += 1


@kernel()
def count_left(rules: Any, tally: Any) -> None:
    """Count what was left in hands after the last choice of a heist."""
    for seat in range(rules.players):
        for title in range(N_TITLES):
            tally.n[LEFT, seat, title] += tally.hand[seat, title]


@kernel()
def close(rules: Any, tally: Any) -> None:
    """Count what has been drawn: all that came to a hand and was neither dealt nor passed to it."""
    for seat in range(rules.players):
        for title in range(N_TITLES):
            n = -np.int64(tally.n[DEALT, seat, title])
            for kind in (PLAYED, ADDED, DISCARDED, LEFT):
                n += tally.n[kind, seat, title]
            for number in range(ROUNDS):
                n += tally.n[PASSED + number, seat, title] - tally.n[RECEIVED + number, seat, title]
            tally.n[DRAWN, seat, title] = n
