"""The actions of a state: all of them in order, and a uniform one without listing them.

An action is a title's number, or NOTHING: to stay silent, to decline a Cover Story.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest, nth, popcount
from gameapi.jit import kernel
from gameapi.rng import draw_below
from heatsim.layout import ANNOUNCE, COVER, N_TITLES, NOTHING, PASS
from heatsim.piles import ONE

BAN_PLAY, BAN_PASS, BAN_KEEP = range(3)  # in the order of Game.bans
_EVERY = np.uint64((1 << N_TITLES) - 1)


@kernel()
def choices(state: Any) -> Any:
    """Return the actor's actions as a bit set."""
    if state.phase == ANNOUNCE:
        return _EVERY | ONE << np.uint64(NOTHING)
    if state.phase == COVER:
        return state.hand[state.actor] | ONE << np.uint64(NOTHING)
    return state.hand[state.actor]


@kernel()
def list_actions(state: Any, work: Any) -> int:
    """Write the actor's actions to `work.legal` in the order of titles, NOTHING last; return their number."""
    left = choices(state)
    n = 0
    while left != np.uint64(0):
        work.legal[n] = lowest(left)
        left &= left - ONE
        n += 1
    work.n_legal = n
    return n


@kernel()
def random_choice(state: Any, work: Any) -> Any:
    """Return a uniform action."""
    every = choices(state)
    return lowest(nth(every, draw_below(work, popcount(every))))


@kernel()
def hide(state: Any, title: Any, ban: int) -> bool:
    """Take what a ban forbids from what the actor can choose from, unless nothing would be left; tell whether it did.

    The copies stay counted, so that the actor does not take them for somebody else's.
    """
    if state.phase == ANNOUNCE or (state.phase == PASS) == (ban == BAN_PLAY):
        return False
    bit, hand = ONE << title, state.hand[state.actor]
    left = bit if ban == BAN_KEEP else hand & ~bit
    if hand & bit == np.uint64(0) or left == hand or (left == np.uint64(0) and state.phase != COVER):
        return False
    state.hand[state.actor] = left
    return True
