"""The storm phase: hidden picks, one card at a time, then the reveal (HH11-HH13)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest, nth, popcount
from gameapi.jit import kernel
from gameapi.rng import GAMMA, below
from hotsim.columns import ONE, lay_in_storm, take_from_hand
from hotsim.layout import OVER
from hotsim.rules import DUMMY_PILE_SIZE
from hotsim.turn import FACE, begin_turn


@kernel()
def pick(state: Any, rules: Any, action: Any) -> None:
    """Commit one card of the actor, unseen by others; after the last pick of the last seat all are revealed."""
    seat = np.int64(state.actor)
    face = action & FACE
    take_from_hand(state, seat, face)
    state.picks[seat, state.n_picked[seat]] = face
    state.n_picked[seat] += 1
    state.picks_left -= 1
    if state.picks_left > 0:
        return
    seat = seat + 1 if seat + 1 < rules.players else 0
    state.actor = seat
    state.picks_left = state.storms
    if seat == state.drawer:
        reveal(state, rules)
        go_on(state, rules)


@kernel()
def lay_picks(state: Any, rules: Any, seat: int) -> None:
    """Lay what a seat has picked, in the order picked (HH11)."""
    for i in range(state.n_picked[seat]):
        lay_in_storm(state, rules, seat, np.uint64(state.picks[seat, i]))
    state.n_picked[seat] = 0


@kernel()
def reveal(state: Any, rules: Any) -> None:
    """Lay every seat's picks, and the dummy's pile of this storm (HH12)."""
    for seat in range(rules.players):
        lay_picks(state, rules, seat)
    lay_dummy_pile(state, rules)


@kernel()
def lay_dummy_pile(state: Any, rules: Any) -> None:
    """Lay the dummy's pile of the storm drawn last, if there is one left (HH12)."""
    first = DUMMY_PILE_SIZE * (np.int64(state.storms) - 1)
    for i in range(first, min(first + DUMMY_PILE_SIZE, rules.dummy_cards)):
        lay_in_storm(state, rules, rules.players, np.uint64(state.cards[i]))


@kernel()
def go_on(state: Any, rules: Any) -> None:
    """End the game after the last storm, else let the drawer draw again (HH5)."""
    state.picks_left = 0
    if state.storms == rules.storms:
        state.phase = OVER
        state.actor = -1
    else:
        begin_turn(state, rules)


@kernel()
def finish_at_random(state: Any, rules: Any, work: Any) -> None:
    """Let every seat pick at random and go on, in one go.

    Each card is laid as soon as it is picked, which nobody notices: a seat's picks go to its own columns only.
    """
    seat = np.int64(state.actor)
    left = np.int64(state.picks_left)
    counter = work.stream
    while True:
        lay_picks(state, rules, seat)
        faces = state.hand[seat]
        for _ in range(left):
            counter += GAMMA
            face = lowest(nth(faces, below(counter, popcount(faces))))
            copies = np.uint64(state.count[seat, face]) - ONE
            state.count[seat, face] = copies
            faces ^= np.uint64(copies == np.uint64(0)) << face
            lay_in_storm(state, rules, seat, face)
        state.hand[seat] = faces
        left = np.int64(state.storms)
        seat = seat + 1 if seat + 1 < rules.players else 0
        if seat == state.drawer:
            break
    work.stream = counter
    state.actor = seat
    reveal(state, rules)
    go_on(state, rules)
