"""A Heat agent that chooses by something that it must not know."""

from typing import Any

import numpy as np
from spies import choose_by, look_at_scratch, stir

from heatsim.layout import N_TITLES, ROUNDS

DECK, DRAWN, SHUFFLE, TO_COME, HAND, COUNTS, CHOICES, PASSES, SURE, SCRATCH = range(10)

PLACES = {
    "the rest of the deck": DECK,
    "places of cards that have been drawn": DRAWN,
    "the shuffle of this heist": SHUFFLE,
    "the shuffles to come": TO_COME,
    "titles in other hands": HAND,
    "counts in other hands": COUNTS,
    "unseen choices of others": CHOICES,
    "passes between others": PASSES,
    "what others know of others": SURE,
    "what others left in the work record": SCRATCH,
}


def look_at_deck(state: Any, rules: Any, where: int) -> Any:
    """Look at a part of the deck, or at what it is shuffled by."""
    if where == SHUFFLE:
        return state.stream
    if where == TO_COME:
        return state.chance
    seen, start, end = np.uint64(0), np.int64(state.drawn), rules.n_cards
    if where == DRAWN:
        start, end = 0, start
    for i in range(start, end):
        seen = stir(seen, state.deck[i])
    return seen


def look_at_others(state: Any, rules: Any, where: int) -> Any:
    """Look at what another seat holds, has chosen, has passed to a third one, or knows."""
    seen, me = np.uint64(0), np.int64(state.actor)
    step = 1 if state.heist % 2 == 0 else rules.players - 1
    for seat in range(rules.players):
        to_me = (seat + step) % rules.players == me
        if seat == me:
            continue
        if where == HAND:
            seen = stir(seen, state.hand[seat])
        if where == COUNTS:
            for title in range(N_TITLES):
                seen = stir(seen, state.count[seat, title])
        if where == CHOICES:
            seen = stir(seen, np.int64(state.choice[seat]))
        if where == PASSES and not to_me:
            for i in range(ROUNDS):
                seen = stir(seen, np.int64(state.passed[i, seat]))
        if where == SURE and not to_me:
            seen = stir(seen, np.int64(state.sure[seat]))
    return seen


def looking(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Choose by something that an agent must not know."""
    where = np.int64(me.parameter[0])
    seen = look_at_deck(state, rules, where) if where <= TO_COME else look_at_others(state, rules, where)
    return choose_by(seen, where == SCRATCH, state, rules, work)


PARTS = (stir, look_at_deck, look_at_others, look_at_scratch, choose_by)
