"""Phase A: switching cards until none is left (A1), then all other A effects together (A2) (HT6-HT9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from heatsim import cards
from heatsim.layout import NOTHING, WORD
from heatsim.piles import ONE, add_to_hand, append, draw_top, show, take_from_hand
from heatsim.stage import active

BACKUP, CIRCLE, WORD_ON_THE_STREET, FRAME_UP, INFORMANT, LAY_LOW, FEDS, MASTERMIND, INTERROGATION = (
    cards.TITLES.index(title)
    for title in (
        cards.BACKUP_PLAN,
        cards.CIRCLE_BACK,
        cards.WORD_ON_THE_STREET,
        cards.FRAME_UP,
        cards.INFORMANT,
        cards.LAY_LOW,
        cards.THE_FEDS,
        cards.MASTERMIND,
        cards.INTERROGATION,
    )
)
SWITCHING = ONE << np.uint64(BACKUP) | ONE << np.uint64(CIRCLE) | ONE << np.uint64(WORD_ON_THE_STREET)
BIT_LAY_LOW = ONE << np.uint64(LAY_LOW)
TOGETHER = np.uint64(sum(1 << t for t in (FRAME_UP, INFORMANT, LAY_LOW, MASTERMIND, INTERROGATION)))
BACKUP_DRAWS = 3  # the new card and two more


@kernel()
def last_place(state: Any, seat: int) -> Any:
    """Return the bit of the last place of a record, uint64."""
    return ONE << np.uint64(state.record_size[seat] - 1)


@kernel()
def switches(state: Any, rules: Any, seat: int) -> bool:
    """Tell whether a seat's active card is a switching card that has not been used this stage (HT6)."""
    title = active(state, rules, seat)
    if title != BACKUP and title != CIRCLE and title != WORD_ON_THE_STREET:
        return False
    return state.used[seat] & last_place(state, seat) == np.uint64(0)


@kernel()
def next_word(state: Any, rules: Any, first: int) -> int:
    """Return the next seat from `first` on that must choose for a Word on the Street, -1 where there is none."""
    for seat in range(first, rules.players):
        if (
            state.hand_size[seat] > 0
            and switches(state, rules, seat)
            and active(state, rules, seat) == WORD_ON_THE_STREET
        ):
            return seat
    return -1


@kernel()
def switch(state: Any, rules: Any) -> bool:
    """Run step A1 as far as it goes without a choice; return whether it is finished (HT6)."""
    while True:
        backups, any_switch = 0, False
        for seat in range(rules.players):
            if switches(state, rules, seat):
                any_switch = True
                backups += active(state, rules, seat) == BACKUP
        if not any_switch:
            return True
        seat = next_word(state, rules, 0)
        if seat >= 0:
            state.phase = WORD
            state.actor = seat
            return False
        use_all(state, rules, backups)


@kernel()
def choose_word(state: Any, rules: Any, title: Any) -> bool:
    """Commit the actor's card for Word on the Street; after the last use all; return whether that is done."""
    seat = np.int64(state.actor)
    take_from_hand(state, seat, title)
    state.choice[seat] = title
    following = next_word(state, rules, seat + 1)
    if following >= 0:
        state.actor = following
        return False
    backups = 0
    for other in range(rules.players):
        if switches(state, rules, other):
            backups += active(state, rules, other) == BACKUP
    use_all(state, rules, backups)
    return True


@kernel()
def use_all(state: Any, rules: Any, backups: int) -> None:
    """Use every unused switching card of this repetition, in seat order (HT6); draws all or none (HT8)."""
    may_draw = state.drawn + BACKUP_DRAWS * backups <= rules.n_cards
    todo = np.uint64(0)
    for seat in range(rules.players):
        if switches(state, rules, seat):
            todo |= ONE << np.uint64(seat)
    for seat in range(rules.players):
        if todo >> np.uint64(seat) & ONE:
            use(state, rules, seat, may_draw)


@kernel()
def use(state: Any, rules: Any, seat: int, may_draw: bool) -> None:
    """Use a seat's switching card; the mark belongs to the card and moves with it (HT6)."""
    title = active(state, rules, seat)
    place = last_place(state, seat)
    state.used[seat] |= place
    if title == BACKUP:
        if may_draw:
            append(state, seat, draw_top(state, rules))
            add_to_hand(state, seat, draw_top(state, rules))
            add_to_hand(state, seat, draw_top(state, rules))
    elif title == WORD_ON_THE_STREET:
        chosen = np.int64(state.choice[seat])
        if chosen != NOTHING:
            state.choice[seat] = NOTHING
            append(state, seat, chosen)
            show(state, rules, seat, chosen)
    elif state.record_size[seat] >= 2:
        swap_last(state, seat, place)


@kernel()
def swap_last(state: Any, seat: int, place: Any) -> None:
    """Let the last two cards of a record change places, with their marks."""
    last = np.int64(state.record_size[seat]) - 1
    row = state.record[seat]
    row[last], row[last - 1] = row[last - 1], row[last]
    before = place >> ONE
    marks = state.used[seat]
    swapped = marks & ~(place | before)
    if marks & place:
        swapped |= before
    if marks & before:
        swapped |= place
    state.used[seat] = swapped


@kernel()
def act_together(state: Any, rules: Any, work: Any) -> None:  # noqa: C901  one branch a title
    """Do step A2: all other A effects, judged on the state at its start (HT7-HT9)."""
    if work.present & TOGETHER == np.uint64(0):
        return
    draws = 0
    poorest = sole_poorest(state, rules)
    for seat in range(rules.players):
        title = work.active[seat]
        work.pay[seat] = 0
        if title == MASTERMIND:
            draws += 2
        elif title == INFORMANT:
            if seat == poorest:
                work.pay[seat] = 3
            else:
                draws += 1
        elif title in (FRAME_UP, INTERROGATION):
            give_back(state, seat, 1)
        elif title == LAY_LOW:
            give_back(state, seat, 3 if work.repeated & BIT_LAY_LOW else 1)
    if draws and state.drawn + draws <= rules.n_cards:
        for seat in range(rules.players):
            if work.active[seat] == MASTERMIND:
                add_to_hand(state, seat, draw_top(state, rules))
                add_to_hand(state, seat, draw_top(state, rules))
            elif work.active[seat] == INFORMANT and seat != poorest:
                add_to_hand(state, seat, draw_top(state, rules))
    for seat in range(rules.players):
        state.money[seat] += work.pay[seat]
        state.gained[seat] = work.pay[seat]


@kernel()
def count_active(state: Any, rules: Any, work: Any) -> None:
    """Write every seat's active title, and which titles are active how often, to `work`."""
    work.present = np.uint64(0)
    work.repeated = np.uint64(0)
    work.frame_ups = 0
    work.feds = 0
    for seat in range(rules.players):
        title = active(state, rules, seat)
        work.active[seat] = title
        bit = ONE << np.uint64(title)
        work.repeated |= work.present & bit
        work.present |= bit
        work.frame_ups += title == FRAME_UP
        work.feds += title == FEDS


@kernel()
def sole_poorest(state: Any, rules: Any) -> int:
    """Return the seat with strictly the least money, -1 where it is shared (HT7)."""
    poorest, shared = 0, False
    for seat in range(1, rules.players):
        if state.money[seat] < state.money[poorest]:
            poorest, shared = seat, False
        elif state.money[seat] == state.money[poorest]:
            shared = True
    return -1 if shared else poorest


@kernel()
def give_back(state: Any, seat: int, n: int) -> None:
    """Return up to n Heat, at most what the seat has (HT9)."""
    back = min(np.int64(n), np.int64(state.heat[seat]))
    state.heat[seat] -= back
    if back > 0:
        state.returned[seat] = 1
