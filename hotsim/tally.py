"""What becomes of each card at each seat: the counts of `Game.counts`, in their order."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from hotsim.columns import ONE
from hotsim.layout import PICK
from hotsim.turn import FACE, PASS, SIX

DEALT, DRAWN, OFFERED, PLAYED, PICKED, LEFT = range(6)


@kernel()
def count_dealt(state: Any, rules: Any, tally: Any) -> None:
    """Count the opening hands, from where their cards lay; seat 0 may have drawn already."""
    place = rules.dummy_cards
    for seat in range(rules.players):
        for _ in range(rules.hand_size):
            tally.n[DEALT, seat, state.cards[place]] += 1
            place += 1


@kernel()
def count_action(state: Any, action: Any, tally: Any) -> None:
    """Count what the actor is about to play or pick, and what it could have played."""
    seat, face = np.int64(state.actor), action & FACE
    if state.phase == PICK:
        tally.n[PICKED, seat, face] += 1
        return
    faces = state.hand[seat]
    while faces != np.uint64(0):
        tally.n[OFFERED, seat, lowest(faces)] += 1
        faces &= faces - ONE
    if action >> SIX != PASS:
        tally.n[PLAYED, seat, face] += 1


@kernel()
def close(state: Any, rules: Any, tally: Any) -> None:
    """Count what is left, and what has been drawn: all that came to a hand and was not dealt."""
    for seat in range(rules.players):
        for face in range(rules.n_faces):
            left = np.int64(state.count[seat, face])
            gone = tally.n[PLAYED, seat, face] + tally.n[PICKED, seat, face]
            tally.n[LEFT, seat, face] = left
            tally.n[DRAWN, seat, face] = gone + left - tally.n[DEALT, seat, face]
