"""The actions of a state: all of them in order, and a uniform one without listing them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest, nth, popcount
from gameapi.jit import kernel
from gameapi.rng import draw_below
from hotsim.columns import ONE, SABOTAGE_BOTTOM
from hotsim.layout import PICK, TYPES
from hotsim.turn import NO_EFFECT, PASS, PICKED, SIX

_ZERO, _TWO, _FOUR = np.uint64(0), np.uint64(2), np.uint64(4)


@kernel()
def put(work: Any, target: Any, face: Any) -> None:
    """Append an action to the legal list."""
    work.legal[work.n_legal] = np.int64(target << SIX | face)
    work.n_legal += 1


@kernel()
def list_actions(state: Any, rules: Any, work: Any) -> int:
    """Write the actor's distinct actions to `work.legal` in the order of faces, then targets; return their number."""
    work.n_legal = 0
    faces = state.hand[state.actor]
    picking = state.phase == PICK
    while faces != _ZERO:
        face = lowest(faces)
        faces &= faces - ONE
        bit = ONE << face
        if picking:
            put(work, PICKED, face)
        elif bit & rules.typed:
            for seat in range(rules.seats):
                put(work, np.uint64(TYPES * seat) + rules.type[face], face)
        else:
            list_by_column(state, rules, work, face, bit & rules.sabotage)
    if work.n_legal == 0:
        put(work, PASS, _ZERO)
    return work.n_legal


@kernel()
def list_by_column(state: Any, rules: Any, work: Any, face: Any, is_sabotage: Any) -> None:
    """Append the actions of a card that needs a standing column (HH6, HH8), or of sabotage (HH9)."""
    if is_sabotage:
        put(work, NO_EFFECT, face)
    columns = state.standing
    while columns != _ZERO:
        column = lowest(columns)
        columns &= columns - ONE
        put(work, column, face)
        if is_sabotage:
            put(work, column + SABOTAGE_BOTTOM, face)


@kernel()
def random_pick(state: Any, work: Any) -> Any:
    """Return a uniform pick among the distinct faces in the actor's hand."""
    faces = state.hand[state.actor]
    return PICKED << SIX | lowest(nth(faces, draw_below(work, popcount(faces))))


@kernel()
def random_play(state: Any, rules: Any, work: Any) -> Any:
    """Return a uniform action of a turn: the n-th one is computed, not listed."""
    faces = state.hand[state.actor]
    standing = state.standing
    seats = np.uint64(rules.seats)
    typed, others = popcount(faces & rules.typed), popcount(faces & rules.needs_column)
    columns = popcount(standing)
    n_typed = typed * seats
    n_placed = n_typed + others * columns
    n = n_placed
    if faces & rules.sabotage:
        n += _TWO * columns + ONE
    if n == _ZERO:
        return PASS << SIX
    u = draw_below(work, n)
    if u >= n_placed:
        return random_sabotage(rules, standing, u - n_placed)
    if u < n_typed:
        index = u // seats
        face = lowest(nth(faces, index))
        return (_FOUR * (u - index * seats) + rules.type[face]) << SIX | face
    u -= n_typed
    index = u // columns
    face = lowest(nth(faces, typed + index))
    return lowest(nth(standing, u - index * columns)) << SIX | face


@kernel()
def random_sabotage(rules: Any, standing: Any, u: Any) -> Any:
    """Return sabotage's action number u: no effect, then each column's top and bottom."""
    face = lowest(rules.sabotage)
    if u == _ZERO:
        return NO_EFFECT << SIX | face
    u -= ONE
    column = lowest(nth(standing, u >> ONE))
    return (column + (u & ONE) * SABOTAGE_BOTTOM) << SIX | face


@kernel()
def hide(state: Any, rules: Any, face: Any) -> bool:
    """Take a face from what the actor can choose from, unless nothing else could be; tell whether it did.

    The copies stay counted, so that the actor does not take them for somebody else's.
    """
    bit, playable = ONE << face, state.hand[state.actor]
    if state.phase != PICK and state.standing == _ZERO:
        playable &= rules.typed | rules.sabotage
    if playable & bit == _ZERO or playable == bit:
        return False
    state.hand[state.actor] &= ~bit
    return True
