"""Setup: all chance of a game (HH2, HH3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.coupling import order_by_key, turn
from gameapi.jit import kernel
from gameapi.kernel import MAX_SEATS
from gameapi.rng import GAMMA, below, draw_below, random_place
from hotsim.columns import ONE
from hotsim.layout import MAX_COLUMNS, MAX_FACES, PLAY
from hotsim.turn import begin_turn


@kernel()
def take_random(cards: Any, at: Any, end: Any, counter: Any) -> Any:
    """Return a uniform card of places at..end-1 and fill its place from place `at`; all uint64."""
    chosen = at + below(counter, end - at)
    face = cards[chosen]
    cards[chosen] = cards[at]
    return face


@kernel()
def shuffle(cards: Any, start: Any, stop: Any, end: Any, counter: Any) -> Any:
    """Fill places start..stop-1 with a uniform draw without replacement from places start..end-1; all uint64.

    Returns:
        the stream's counter after the last draw.
    """
    for at in range(start, stop):
        counter += GAMMA
        cards[at] = take_random(cards, np.uint64(at), end, counter)
    return counter


@kernel()
def place_storms(state: Any, rules: Any, first: int, work: Any) -> None:
    """Draw where the storms from number `first` on lie, given the cards drawn so far (HH3).

    One lies anywhere in each upper stack; those of the combined stacks lie anywhere in what is left of them.
    """
    drawn = np.int64(state.drawn)
    upper = rules.storms - rules.combined_stacks
    for k in range(first, upper):
        low = max(rules.stack_start[k], drawn)
        high = rules.stack_start[k] + rules.stack_size[k]
        state.storm_at[k] = low + np.int64(draw_below(work, np.uint64(high - low + 1)))
    first = max(first, upper)
    if first == rules.storms:
        return
    low = max(rules.stack_start[upper], drawn)
    left = rules.draw_size - low
    for k in range(first, rules.storms):  # each storm goes to one of the gaps that cards and earlier storms leave
        n = k - first
        slot = np.int64(draw_below(work, np.uint64(left + rules.storms - first - n)))
        i = first
        while i < k and slot >= state.storm_at[i]:
            slot += 1
            i += 1
        for m in range(k, i, -1):
            state.storm_at[m] = state.storm_at[m - 1]
        state.storm_at[i] = slot
    for k in range(first, rules.storms):
        state.storm_at[k] += low - (k - first)


@kernel()
def clear(state: Any, rules: Any) -> None:
    """Empty the table and the hands."""
    for column in range(MAX_COLUMNS):
        state.columns[column] = rules.empty_column[column & 3]
    for seat in range(MAX_SEATS):
        state.hand[seat] = np.uint64(0)
        state.passes[seat] = 0
        state.n_picked[seat] = 0
        for face in range(MAX_FACES):
            state.count[seat, face] = 0
    for face in range(MAX_FACES):
        state.seen[face] = 0
    state.standing = np.uint64(0)
    state.actor = 0
    state.phase = PLAY
    state.storms = 0
    state.picks_left = 0
    state.drawer = 0
    state.drawn = 0
    state.turns = 0


@kernel()
def hand_out(state: Any, rules: Any) -> None:
    """Deal the hands from the order of `state.cards` and draw for seat 0 (HH1, HH2)."""
    clear(state, rules)
    place = rules.dummy_cards
    for seat in range(rules.players):
        faces = np.uint64(0)
        for _ in range(rules.hand_size + rules.extra_cards * (seat + 1 == rules.players)):
            face = np.uint64(state.cards[place])
            state.count[seat, face] = np.uint64(state.count[seat, face]) + ONE
            faces |= ONE << face
            place += 1
        state.hand[seat] = faces
    begin_turn(state, rules)


@kernel()
def shuffle_and_deal(state: Any, rules: Any, work: Any) -> None:
    """Shuffle and deal; only the cards that the game will see are put in random order."""
    state.drawn = 0
    start = work.stream
    place_storms(state, rules, 0, work)
    if rules.coupled:
        order_by_key(state.cards, rules.names, rules.n_cards, start)
        turn(state.cards, rules.n_cards, rules.dummy_cards)  # it gets the last: without it hands stay as they are
        for i in range(rules.n_cards):
            state.cards[i] = rules.cards[state.cards[i]]
        hand_out(state, rules)
        return
    for i in range(rules.n_cards):
        state.cards[i] = rules.cards[i]
    seen = np.uint64(rules.draw_start + np.int64(state.storm_at[rules.storms - 1]))
    work.stream = shuffle(state.cards, np.uint64(0), seen, np.uint64(rules.n_cards), work.stream)
    hand_out(state, rules)


@kernel()
def exchange(state: Any, rules: Any, seat: int, face: int, work: Any) -> bool:
    """Exchange a random other card of a seat's opening hand for a copy of a face, and deal again; tell if it could.

    The copy is a random one of the draw pile, the dummy's piles and what was returned; else one of another hand.
    """
    cards, size = state.cards, rules.n_cards
    first = rules.dummy_cards + seat * rules.hand_size
    given = random_place(cards, first, first + rules.hand_size, size, face, False, work)
    taken = random_place(cards, rules.draw_start, size + rules.dummy_cards, size, face, True, work)
    if taken < 0:
        taken = random_place(cards, first + rules.hand_size, first + size, size, face, True, work)
    if given < 0 or taken < 0:
        return False
    cards[taken] = cards[given]
    cards[given] = face
    hand_out(state, rules)
    return True
