"""Phase B: Cover Stories, then money and Heat judged together; shortage and arrest (HT10, HT11)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from heatsim import cards
from heatsim.layout import COVER, LANES, NOTHING
from heatsim.phase_a import FEDS, FRAME_UP
from heatsim.piles import ONE, prepend, show
from heatsim.stage import COPYCAT, commit

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
    if title != NOTHING:
        commit(state, seat, title)
    following = next_cover(state, rules, work, seat + 1)
    if following >= 0:
        state.actor = following
        return False
    return True


@kernel()
def lay_covers(state: Any, rules: Any, work: Any) -> None:
    """Put the discards to the starts of the records, and note whose they are."""
    work.covered = np.uint64(0)
    if not work.present >> np.uint64(COVER_STORY) & ONE:
        return
    for seat in range(rules.players):
        title = np.int64(state.choice[seat])
        if title != NOTHING:
            state.choice[seat] = NOTHING
            prepend(state, rules, seat, title)
            show(state, rules, seat, title)
            work.covered |= ONE << np.uint64(seat)


@kernel()
def reckon(state: Any, rules: Any, work: Any) -> int:
    """Write each seat's pay and Heat gain of phase B; return the Heat of all together (HT10)."""
    frame_ups = 0
    if work.present >> np.uint64(FRAME_UP) & ONE:
        frame_ups = count(work, FRAME_UP)
    for lane in range(LANES):
        title = work.active[lane]
        work.pay[lane] = rules.pay[title]
        work.gain[lane] = rules.gain[title] + frame_ups * rules.is_b[title]
    if work.repeated >> np.uint64(BANK_JOB) & ONE:
        for seat in range(rules.players):
            if work.active[seat] == BANK_JOB:
                work.pay[seat] = 0
    if work.covered:
        for seat in range(rules.players):
            work.pay[seat] += COVER_PAY * np.int64(work.covered >> np.uint64(seat) & ONE)
    if work.present & BY_LETTERS:
        pay_by_letters(state, rules, work)
    return gain_together(state, rules, work)


@kernel()
def pay_by_letters(state: Any, rules: Any, work: Any) -> None:
    """Write pay and Heat of Heavies and Specialists, which count the letters of records (HT10)."""
    heavies = 0
    for seat in range(rules.players):
        word, title = state.letters[seat], work.active[seat]
        if title != NOTHING and state.record[seat, state.record_size[seat] - 1] == COPYCAT:  # HT5
            word += rules.letters[title] - rules.letters[COPYCAT]
        work.letters[seat] = word
        heavies += np.int64(word >> _24)
    for seat in range(rules.players):
        word = work.letters[seat]
        in_b = np.int64(word >> _EIGHT & _BYTE)
        if work.active[seat] == HEAVY:
            work.pay[seat] = 2 * in_b
            work.gain[seat] += heavies
        elif work.active[seat] == SPECIALIST:
            work.pay[seat] = max(in_b, np.int64(word & _BYTE), np.int64(word >> _SIXTEEN & _BYTE))


@kernel()
def gain_together(state: Any, rules: Any, work: Any) -> int:
    """Add what The Feds add, but not where Heat gain is ignored; return the Heat of all (HT7, HT10)."""
    feds, total = 0, 0
    if work.present >> np.uint64(FEDS) & ONE:
        feds = count(work, FEDS)
    for lane in range(LANES):
        gain = (work.gain[lane] + feds * (work.gain[lane] > 0)) * (1 - state.ignores[lane])
        work.gain[lane] = gain
        total += gain
    return total


@kernel()
def count(work: Any, title: int) -> int:
    """Return at how many seats a title is active."""
    n = 0
    for lane in range(LANES):
        n += work.active[lane] == title
    return n


@kernel()
def take_heat(state: Any, rules: Any, work: Any, total: int) -> None:
    """Make room on the board where there is too little, then pay and give the Heat of phase B (HT11)."""
    room = rules.tokens
    for lane in range(LANES):
        room -= state.heat[lane]
    if room < total:
        make_room(state, rules, total - room)
    for lane in range(LANES):
        state.heat[lane] += work.gain[lane]
        state.money[lane] += work.pay[lane]
        state.gained[lane] += work.pay[lane]


@kernel()
def make_room(state: Any, rules: Any, lacking: int) -> None:
    """Let every seat with Heat return 1 and lose $3, again and again until enough is on the board (HT11)."""
    state.shortages += 1
    while lacking > 0:
        for seat in range(rules.players):
            if state.heat[seat] > 0:
                state.heat[seat] -= 1
                lacking -= 1
                state.money[seat] -= SHORTAGE_COST
                if not rules.debt and state.money[seat] < 0:
                    state.money[seat] = 0
