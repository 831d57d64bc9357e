"""What a seat knows: determinization, information-state key, and the table as a seat's own action would leave it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from gameapi.rng import GAMMA, mix
from hotsim.columns import ONE, PLACE, lay_in_storm
from hotsim.deal import place_storms, shuffle, take_random
from hotsim.layout import MAX_COLUMNS, PICK
from hotsim.storm import lay_picks
from hotsim.turn import FACE, place

_ZERO, _EIGHT = np.uint64(0), np.uint64(8)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel()
def dummy_seen(state: Any, rules: Any) -> int:
    """Return how many of the dummy's cards are revealed: a pile is once its storm's phase has ended (HH12)."""
    revealed = np.int64(state.storms) - (1 if state.phase == PICK else 0)
    return min(4 * revealed, rules.dummy_cards)


@kernel()
def gather(state: Any, rules: Any, seat: int, work: Any) -> int:
    """Collect the cards that a seat has not seen into one block of `state.cards`; return the block's start.

    The block holds the other hands, the other seats' picks, the dummy's piles to come, the rest of the draw pile and
    what was returned. The places before the draw pile's rest are free: their cards lie in hands and on the table.
    The sizes of the other hands are noted in `work.hand_size`.
    """
    start = np.int64(rules.draw_start + state.drawn)
    for i in range(rules.dummy_cards - 1, dummy_seen(state, rules) - 1, -1):
        start -= 1
        state.cards[start] = state.cards[i]
    for other in range(rules.players):
        if other == seat:
            continue
        for i in range(state.n_picked[other]):
            start -= 1
            state.cards[start] = state.picks[other, i]
        end = start
        faces = state.hand[other]
        while faces != _ZERO:
            face = lowest(faces)
            faces &= faces - ONE
            for _ in range(np.int64(state.count[other, face])):
                start -= 1
                state.cards[start] = face
            state.count[other, face] = 0
        work.hand_size[other] = end - start
    return start


@kernel()
def redistribute(state: Any, rules: Any, seat: int, work: Any) -> None:
    """Deal all that a seat has not seen anew, uniformly over what its knowledge leaves open."""
    at = np.uint64(gather(state, rules, seat, work))
    place_storms(state, rules, np.int64(state.storms), work)
    end, counter = np.uint64(rules.n_cards), work.stream
    for other in range(rules.players):
        if other == seat:
            continue
        faces = _ZERO
        for _ in range(work.hand_size[other]):
            counter += GAMMA
            face = np.uint64(take_random(state.cards, at, end, counter))
            state.count[other, face] = np.uint64(state.count[other, face]) + ONE
            faces |= ONE << face
            at += ONE
        state.hand[other] = faces
        for i in range(state.n_picked[other]):
            counter += GAMMA
            state.picks[other, i] = take_random(state.cards, at, end, counter)
            at += ONE
    for i in range(dummy_seen(state, rules), rules.dummy_cards):
        counter += GAMMA
        state.cards[i] = take_random(state.cards, at, end, counter)
        at += ONE
    seen = np.uint64(rules.draw_start + np.int64(state.storm_at[rules.storms - 1]))
    work.stream = shuffle(state.cards, at, seen, end, counter)


@kernel()
def stir(key: Any, value: Any) -> Any:
    """Return a hash that depends on all values stirred in so far and their order."""
    return mix(key + np.uint64(value) * _GOLDEN + ONE)


@kernel()
def knowledge_key(state: Any, rules: Any, seat: int) -> Any:
    """Return a 64-bit hash of what a seat sees: its hand and picks, the table, the course of the game."""
    key = np.uint64(seat)
    for value in (state.actor, state.phase, state.storms, state.picks_left, state.drawer, state.drawn, state.turns):
        key = stir(key, np.int64(value))
    faces = state.hand[seat]
    while faces != _ZERO:
        face = lowest(faces)
        faces &= faces - ONE
        key = stir(stir(key, face), state.count[seat, face])
    for i in range(state.n_picked[seat]):
        key = stir(key, state.picks[seat, i])
    for column in range(MAX_COLUMNS):
        word = state.columns[column]
        if state.standing >> np.uint64(column) & ONE:
            key = stir(key, word)
            for i in range(((word >> _EIGHT) & PLACE) + ONE, word & PLACE):
                key = stir(key, state.sequence[column, i])
    return key


@kernel()
def foresee(state: Any, rules: Any, action: Any) -> None:
    """Leave the table as the actor's own action makes it, with nobody else's hidden cards and no draw.

    In a storm phase the actor's own picks so far and this one are laid as if revealed.
    """
    seat = np.int64(state.actor)
    if state.phase == PICK:
        lay_picks(state, rules, seat)
        lay_in_storm(state, rules, seat, action & FACE)
    else:
        place(state, rules, seat, action)
