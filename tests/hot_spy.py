"""A Hot Heads agent that chooses by something that it must not know."""

from typing import Any

import numpy as np
from spies import choose_by, look_at_scratch, stir

NEXT_CARD, DEALT, ORDER, STORM, HAND, COUNTS, PICKS, SCRATCH = range(8)

PLACES = {
    "the next card": NEXT_CARD,
    "places of cards that have been dealt": DEALT,
    "the whole order of cards": ORDER,
    "the next storm": STORM,
    "faces in other hands": HAND,
    "counts in other hands": COUNTS,
    "picks of others": PICKS,
    "what others left in the work record": SCRATCH,
}


def look_at_cards(state: Any, rules: Any, where: int) -> Any:
    """Look at a part of the order of cards, or at storms to come."""
    seen, next_card = np.uint64(0), rules.draw_start + state.drawn
    start, end = 0, rules.n_cards
    if where == NEXT_CARD:
        start, end = next_card, next_card + 1
    elif where == DEALT:
        end = next_card
    if where == STORM:
        return np.uint64(state.storm_at[state.storms % rules.storms])
    for i in range(start, end):
        seen = stir(seen, state.cards[i])
    return seen


def look_at_others(state: Any, rules: Any, where: int) -> Any:
    """Look at what another seat holds or has picked."""
    seen = np.uint64(0)
    for seat in range(rules.players):
        if seat == np.int64(state.actor):
            continue
        if where == HAND:
            seen = stir(seen, state.hand[seat])
        if where == COUNTS:
            for face in range(rules.n_faces):
                seen = stir(seen, state.count[seat, face])
        if where == PICKS:
            for i in range(state.n_picked[seat]):
                seen = stir(seen, state.picks[seat, i])
    return seen


def looking(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Choose by something that an agent must not know."""
    where = np.int64(me.parameter[0])
    seen = look_at_cards(state, rules, where) if where <= STORM else look_at_others(state, rules, where)
    return choose_by(seen, where == SCRATCH, state, rules, work)


PARTS = (stir, look_at_cards, look_at_others, look_at_scratch, choose_by)
