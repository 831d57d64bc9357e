"""Hands and columns: lay a card, take one off (HH6-HH9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from hotsim.actions import TARGET_BOTTOM
from hotsim.layout import ALTITUDE_ZERO, BOTTOM, HELICOPTER, TOP

ONE, THREE, EIGHT = np.uint64(1), np.uint64(3), np.uint64(8)
_SIXTEEN, _32, _40 = np.uint64(16), np.uint64(32), np.uint64(40)
PLACE, BYTE = np.uint64(63), np.uint64(255)  # a place is below COLUMN_PLACES
SABOTAGE_BOTTOM = np.uint64(TARGET_BOTTOM)


@kernel()
def add_to_hand(state: Any, seat: Any, face: Any) -> None:
    """Put one card of a face into a hand."""
    state.count[seat, face] = np.uint64(state.count[seat, face]) + ONE
    state.hand[seat] |= ONE << face


@kernel()
def take_from_hand(state: Any, seat: Any, face: Any) -> None:
    """Take one card of a face, which must be there, out of a hand."""
    left = np.uint64(state.count[seat, face]) - ONE
    state.count[seat, face] = left
    state.hand[seat] ^= np.uint64(left == np.uint64(0)) << face


@kernel()
def see(state: Any, face: Any) -> None:
    """Note that a card has come into sight; it stays seen wherever it goes."""
    state.seen[face] = np.uint64(state.seen[face]) + ONE


@kernel()
def lay(state: Any, rules: Any, column: Any, face: Any) -> None:
    """Lay a card or link a helicopter on a column, which a typed card starts where there is none (HH6-HH8).

    A helicopter is no part of the sequence: its face is written to a free place that the next ballast overwrites.
    """
    word = state.columns[column]
    balloon = (rules.balloons >> face) & ONE
    state.sequence[column, (word >> (balloon << THREE)) & PLACE] = face
    state.columns[column] = word + rules.lay[face]
    state.standing |= ONE << column


@kernel()
def lay_in_storm(state: Any, rules: Any, seat: Any, face: Any) -> None:
    """Lay a revealed card into its owner's column; wilds, helicopters and sabotage are discarded (HH11)."""
    see(state, face)
    column = np.uint64(4) * np.uint64(seat) + rules.type[face]
    word = state.columns[column]
    balloon = (rules.balloons >> face) & ONE
    state.sequence[column, (word >> (balloon << THREE)) & PLACE] = face
    state.columns[column] = word + rules.lay_in_storm[face]
    state.standing |= rules.stands[face] << column


@kernel()
def sabotage(state: Any, rules: Any, target: Any) -> None:
    """Discard one end of a standing column, and the column where only wilds or nothing is left (HH8, HH9)."""
    bottom = target >= SABOTAGE_BOTTOM
    column = target - SABOTAGE_BOTTOM if bottom else target
    word = state.columns[column]
    if bottom:
        word -= rules.lift[state.sequence[column, (word & PLACE) - ONE]] + BOTTOM
    elif rules.helicopter_is_top and helicopters(word):
        word -= HELICOPTER
    else:
        word = word - rules.lift[state.sequence[column, ((word >> EIGHT) & PLACE) + ONE]] + TOP
    if (word >> _SIXTEEN) & BYTE == np.uint64(0):
        word = rules.empty_column[column & THREE]
        state.standing ^= ONE << column
    state.columns[column] = word


@kernel()
def altitude(word: Any) -> Any:
    """Return the sum of a column's card values, int64."""
    return np.int64(word >> _40) - ALTITUDE_ZERO


@kernel()
def helicopters(word: Any) -> Any:
    """Return how many helicopters are linked to a column, int64."""
    return np.int64((word >> _32) & BYTE)


@kernel()
def balloon_cards(word: Any) -> Any:
    """Return how many balloon cards, wilds included, a column has, int64."""
    return np.int64((word >> np.uint64(24)) & BYTE)
