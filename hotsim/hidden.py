"""What a seat knows: determinization, information-state key, and the table as a seat's own action would leave it."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from gameapi.rng import GAMMA, stir
from hotsim.columns import ONE, PLACE, helicopters, lay_in_storm
from hotsim.deal import place_storms, shuffle, take_random
from hotsim.layout import HELICOPTER, MAX_COLUMNS, PICK
from hotsim.storm import lay_picks
from hotsim.turn import FACE, place

_ZERO, _EIGHT = np.uint64(0), np.uint64(8)
_FEW = 4


@kernel()
def dummy_seen(state: Any, rules: Any) -> int:
    """Return how many of the dummy's cards are revealed: a pile is once its storm's phase has ended (HH12)."""
    revealed = np.int64(state.storms) - (1 if state.phase == PICK else 0)
    return min(4 * revealed, rules.dummy_cards)


@kernel()
def lay_out_hidden(state: Any, rules: Any, seat: int) -> Any:
    """Write the cards that a seat has not seen to the end of `state.cards`, by face; return where they start, uint64.

    The order is that of the deck, not that of where the cards are: what is drawn from them depends on what the seat
    knows and on the stream alone. The hidden cards are the other hands and picks, the dummy's piles to come, the rest
    of the draw pile and what was returned; they fill the end of `state.cards`, since every other card has been seen.
    """
    at = np.uint64(rules.n_cards)
    for reverse in range(rules.n_faces):
        face = np.uint64(rules.n_faces - 1 - reverse)
        hidden = np.int64(rules.copies[face]) - np.int64(state.seen[face]) - np.int64(state.count[seat, face])
        for i in range(state.n_picked[seat]):
            hidden -= state.picks[seat, i] == face
        if hidden <= _FEW and at >= np.uint64(_FEW):  # writing too many costs less than guessing how many
            for back in range(1, _FEW + 1):
                state.cards[at - np.uint64(back)] = face
            at -= np.uint64(hidden)
        else:
            for _ in range(hidden):
                at -= ONE
                state.cards[at] = face
    return at


@kernel()
def empty_hand(state: Any, seat: int) -> int:
    """Take all cards out of a hand; return how many there were."""
    size = 0
    faces = state.hand[seat]
    while faces != _ZERO:
        face = lowest(faces)
        faces &= faces - ONE
        size += np.int64(state.count[seat, face])
        state.count[seat, face] = 0
    return size


@kernel()
def deal_hand(state: Any, rules: Any, seat: int, size: int, at: Any, counter: Any) -> None:
    """Give a seat a hand and picks drawn from the hidden cards from place `at` on."""
    end = np.uint64(rules.n_cards)
    faces = _ZERO
    for _ in range(size):
        counter += GAMMA
        face = np.uint64(take_random(state.cards, at, end, counter))
        state.count[seat, face] = np.uint64(state.count[seat, face]) + ONE
        faces |= ONE << face
        at += ONE
    state.hand[seat] = faces
    for i in range(state.n_picked[seat]):
        counter += GAMMA
        state.picks[seat, i] = take_random(state.cards, at, end, counter)
        at += ONE


@kernel()
def deal_piles(state: Any, rules: Any, work: Any, at: Any) -> None:
    """Give the dummy its piles to come, and put the rest of the draw pile in order, from place `at` on."""
    end, counter, first = np.uint64(rules.n_cards), work.stream, dummy_seen(state, rules)
    for i in range(first, rules.dummy_cards):
        counter += GAMMA
        work.dummy[i] = take_random(state.cards, at, end, counter)
        at += ONE
    seen = np.uint64(rules.draw_start + np.int64(state.storm_at[rules.storms - 1]))
    work.stream = shuffle(state.cards, at, seen, end, counter)
    for i in range(rules.draw_start + state.drawn):
        # where the cards that have left the pile lay tells who was dealt what
        state.cards[i] = work.dummy[i] if first <= i < rules.dummy_cards else 0


@kernel()
def redistribute(state: Any, rules: Any, seat: int, work: Any) -> None:
    """Deal all that a seat has not seen anew, uniformly over what its knowledge leaves open."""
    for other in range(rules.players):
        if other != seat:
            work.hand_size[other] = empty_hand(state, other)
    at = lay_out_hidden(state, rules, seat)
    place_storms(state, rules, np.int64(state.storms), work)
    for other in range(rules.players):
        if other != seat:
            drawn = np.uint64(work.hand_size[other] + state.n_picked[other])
            deal_hand(state, rules, other, work.hand_size[other], at, work.stream)
            work.stream += drawn * GAMMA
            at += drawn
    deal_piles(state, rules, work, at)


@kernel()
def knowledge_key(state: Any, rules: Any, seat: int) -> Any:
    """Return a 64-bit hash of what a seat sees: its hand and picks, hand sizes, the table, discards, how far it is."""
    key = np.uint64(seat)
    for value in (state.actor, state.phase, state.storms, state.drawn, state.turns):
        key = stir(key, np.int64(value))
    if state.phase == PICK:
        key = stir(key, state.drawer)
    faces = state.hand[seat]
    while faces != _ZERO:
        face = lowest(faces)
        faces &= faces - ONE
        key = stir(stir(key, face), state.count[seat, face])
    for i in range(state.n_picked[seat]):
        key = stir(key, state.picks[seat, i])
    for other in range(rules.players):
        size = 0
        for face in range(rules.n_faces):
            size += np.int64(state.count[other, face])
        key = stir(stir(key, size), state.n_picked[other])
    for column in range(MAX_COLUMNS):
        word = state.columns[column]
        if state.standing >> np.uint64(column) & ONE:
            key = stir(stir(key, column), helicopters(word))
            for i in range(((word >> _EIGHT) & PLACE) + ONE, word & PLACE):
                key = stir(key, state.sequence[column, i])
    return stir(key, discard_hash(state, rules))


@kernel()
def face_hash(face: Any) -> Any:
    """Return a number for a face, so that a sum of them stands for a set of cards without order."""
    return stir(_ZERO, face)


@kernel()
def discard_hash(state: Any, rules: Any) -> Any:
    """Return the sum of face hashes over what has been discarded: all that was seen and is not on the table."""
    total = _ZERO
    helicopter = _ZERO
    for face in range(rules.n_faces):
        total += np.uint64(state.seen[face]) * face_hash(face)
        if rules.lay[face] == HELICOPTER:
            helicopter = face_hash(face)
    for column in range(MAX_COLUMNS):
        word = state.columns[column]
        if state.standing >> np.uint64(column) & ONE:
            total -= np.uint64(helicopters(word)) * helicopter
            for i in range(((word >> _EIGHT) & PLACE) + ONE, word & PLACE):
                total -= face_hash(state.sequence[column, i])
    return total


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
