"""Hands, deck and records: how a card moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from gameapi.rng import GAMMA, below
from heatsim.layout import FREE

ONE = np.uint64(1)


@kernel()
def add_to_hand(state: Any, seat: Any, title: Any) -> None:
    """Put one card into a hand."""
    state.count[seat, title] = np.uint64(state.count[seat, title]) + ONE
    state.hand[seat] |= ONE << np.uint64(title)
    state.hand_size[seat] += 1


@kernel()
def take_from_hand(state: Any, seat: Any, title: Any) -> None:
    """Take one card, which must be there, out of a hand."""
    left = np.uint64(state.count[seat, title]) - ONE
    state.count[seat, title] = left
    state.hand[seat] ^= np.uint64(left == np.uint64(0)) << np.uint64(title)
    state.hand_size[seat] -= 1


@kernel()
def empty_hand(state: Any, seat: Any) -> None:
    """Take all cards out of a hand."""
    left = state.hand[seat]
    while left != np.uint64(0):
        state.count[seat, lowest(left)] = 0
        left &= left - ONE
    state.hand[seat] = np.uint64(0)
    state.hand_size[seat] = 0


@kernel()
def draw_top(state: Any, rules: Any) -> Any:
    """Take the top card of this heist's deck, which must be there; return its title, int64.

    The order of a deck is worked out card by card from the heist's stream: the same order whoever draws when.
    """
    place = np.uint64(state.drawn)
    if state.given == FREE:
        state.stream += GAMMA
        chosen = place + below(state.stream, np.uint64(rules.n_cards) - place)
        title = state.deck[chosen]
        state.deck[chosen] = state.deck[place]
        state.deck[place] = title
    state.drawn += 1
    return np.int64(state.deck[place])


@kernel()
def draw_each(state: Any, rules: Any, n: int) -> None:
    """Let every seat in order draw n cards, which must be there."""
    for seat in range(rules.players):
        for _ in range(n):
            add_to_hand(state, seat, draw_top(state, rules))


@kernel()
def append(state: Any, rules: Any, seat: Any, title: Any) -> None:
    """Put a card at the end of a record, where it is the active one."""
    place = np.int64(state.record_size[seat])
    state.record[seat, place] = title
    state.record_size[seat] = place + 1
    state.letters[seat] += rules.letters[title]


@kernel()
def prepend(state: Any, rules: Any, seat: Any, title: Any) -> None:
    """Put a card at the start of a record."""
    for place in range(np.int64(state.record_size[seat]), 0, -1):
        state.record[seat, place] = state.record[seat, place - 1]
    state.record[seat, 0] = title
    state.record_size[seat] += 1
    state.letters[seat] += rules.letters[title]
    state.used[seat] <<= ONE


@kernel()
def show(state: Any, rules: Any, seat: Any, title: Any) -> None:
    """Note that a card came from a hand into sight: whoever passed such a card knows no more where it is."""
    giver = pass_source(state, rules, seat)
    if state.sure[giver] == title:
        state.sure[giver] = NOBODY_KNOWS


@kernel()
def left_of(rules: Any, seat: Any) -> Any:
    """Return the next seat clockwise (HT1)."""
    return seat + 1 if seat + 1 < rules.players else 0


@kernel()
def right_of(rules: Any, seat: Any) -> Any:
    """Return the next seat anticlockwise (HT1)."""
    return seat - 1 if seat > 0 else rules.players - 1


@kernel()
def pass_target(state: Any, rules: Any, seat: Any) -> Any:
    """Return the seat that a seat passes to in this heist: left, in every second heist right (HT2, HT3, HT14)."""
    return right_of(rules, seat) if state.heist & 1 else left_of(rules, seat)


@kernel()
def pass_source(state: Any, rules: Any, seat: Any) -> Any:
    """Return the seat whose pass target is `seat`."""
    return left_of(rules, seat) if state.heist & 1 else right_of(rules, seat)


NOBODY_KNOWS = -1  # in `sure`
