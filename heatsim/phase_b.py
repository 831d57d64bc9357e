"""Phase B: Cover Stories, then money and Heat judged together; shortage and arrest (HT10, HT11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from heatsim import cards
from heatsim.layout import COVER, NOTHING
from heatsim.piles import ONE, prepend, show, take_from_hand
from heatsim.stage import COPYCAT

BANK_JOB, BREAK_IN, COVER_STORY, HEAVY, LIFT, SPECIALIST = (
    cards.TITLES.index(title)
    for title in (cards.BANK_JOB, cards.BREAK_IN, cards.COVER_STORY, cards.HEAVY, cards.THE_LIFT, cards.SPECIALIST)
)
_BYTE, _EIGHT, _SIXTEEN, _24 = np.uint64(255), np.uint64(8), np.uint64(16), np.uint64(24)
BY_LETTERS = ONE << np.uint64(HEAVY) | ONE << np.uint64(SPECIALIST)
SHORTAGE_COST = 3
COVER_PAY = 3


@kernel()
def next_cover(state: Any, rules: Any, work: Any, first: int) -> int:
    """Return the next seat from `first` on that may discard for a Cover Story, -1 where there is none."""
    if work.present >> np.uint64(COVER_STORY) & ONE == np.uint64(0):
        return -1
    for seat in range(first, rules.players):
        if work.active[seat] == COVER_STORY and state.hand_size[seat] > 0:
            return seat
    return -1


@kernel()
def ask_covers(state: Any, rules: Any, work: Any) -> bool:
    """Turn to the first Cover Story choice; return whether there is none."""
    seat = next_cover(state, rules, work, 0)
    if seat < 0:
        return True
    state.phase = COVER
    state.actor = seat
    return False


@kernel()
def choose_cover(state: Any, rules: Any, work: Any, title: Any) -> bool:
    """Commit the actor's discard or its refusal, unseen; return whether all have chosen."""
    seat = np.int64(state.actor)
    state.choice[seat] = title
    if title != NOTHING:
        take_from_hand(state, seat, title)
    following = next_cover(state, rules, work, seat + 1)
    if following >= 0:
        state.actor = following
        return False
    return True


@kernel()
def lay_covers(state: Any, rules: Any, work: Any) -> None:
    """Put the discards to the starts of the records and write what they pay."""
    for seat in range(rules.players):
        work.pay[seat] = 0
        title = np.int64(state.choice[seat])
        if title != NOTHING:
            state.choice[seat] = NOTHING
            prepend(state, seat, title)
            show(state, rules, seat, title)
            work.pay[seat] = COVER_PAY


@kernel()
def count_letters(state: Any, rules: Any, work: Any) -> None:
    """Write the letters of every record; an active copy counts as what it copies (HT5)."""
    for seat in range(rules.players):
        word = np.uint64(0)
        for place in range(state.record_size[seat]):
            word += rules.letters[state.record[seat, place]]
        if work.active[seat] != NOTHING and state.record[seat, state.record_size[seat] - 1] == COPYCAT:
            word += rules.letters[work.active[seat]] - rules.letters[COPYCAT]
        work.letters[seat] = word


@kernel()
def reckon(state: Any, rules: Any, work: Any) -> int:
    """Write each seat's pay and Heat gain of phase B; return the Heat of all together (HT10)."""
    if work.present & BY_LETTERS:
        count_letters(state, rules, work)
    total = 0
    for seat in range(rules.players):
        gain = pay_for_b(rules, work, seat)
        if gain >= 0:
            gain += work.frame_ups
        else:
            gain = 0
        if gain > 0:
            gain += work.feds
        if state.ignores[seat]:
            gain = 0
        work.gain[seat] = gain
        total += gain
    return total


@kernel()
def pay_for_b(rules: Any, work: Any, seat: int) -> int:
    """Add a seat's money of phase B to `work.pay`; return its card's own Heat, -1 where it has no B card active."""
    title = work.active[seat]
    if title == BANK_JOB:
        if not work.repeated >> np.uint64(BANK_JOB) & ONE:
            work.pay[seat] += 5
        return 2
    if title == BREAK_IN:
        work.pay[seat] += 3
        return 1
    if title == COVER_STORY:
        return 0
    if title == HEAVY:
        heavies = 0
        for other in range(rules.players):
            heavies += np.int64(work.letters[other] >> _24)
        work.pay[seat] += 2 * np.int64(work.letters[seat] >> _EIGHT & _BYTE)
        return heavies
    if title == LIFT:
        work.pay[seat] += 2
        return 0
    if title == SPECIALIST:
        word = work.letters[seat]
        work.pay[seat] += np.int64(max(word & _BYTE, word >> _EIGHT & _BYTE, word >> _SIXTEEN & _BYTE))
        return 0
    return -1


@kernel()
def take_heat(state: Any, rules: Any, work: Any, total: int) -> None:
    """Make room on the board where there is too little, then pay and give the Heat of phase B (HT11)."""
    held = 0
    for seat in range(rules.players):
        held += np.int64(state.heat[seat])
    if rules.tokens - held < total:
        state.shortages += 1
    while rules.tokens - held < total:
        for seat in range(rules.players):
            if state.heat[seat] > 0:
                state.heat[seat] -= 1
                held -= 1
                state.money[seat] -= SHORTAGE_COST
                if not rules.debt and state.money[seat] < 0:
                    state.money[seat] = 0
    for seat in range(rules.players):
        state.heat[seat] += work.gain[seat]
        state.money[seat] += work.pay[seat]
        state.gained[seat] += work.pay[seat]
