"""Phase A: switching cards until none is left (A1), then all other A effects together (A2) (HT6-HT9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from gameapi.kernel import MAX_SEATS
from heatsim import cards
from heatsim.layout import LANES, NOTHING, WORD
from heatsim.piles import ONE, add_to_hand, append, draw_top, show
from heatsim.stage import COPYCAT, active, commit

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
CHANGING = SWITCHING | ONE << np.uint64(COPYCAT)  # what is active may not be what was revealed
RETURNING = ONE << np.uint64(FRAME_UP) | ONE << np.uint64(LAY_LOW) | ONE << np.uint64(INTERROGATION)
DRAWING = ONE << np.uint64(INFORMANT) | ONE << np.uint64(MASTERMIND)
PAID_IN_C = np.uint64(sum(1 << t for t, title in enumerate(cards.TITLES) if "C" in cards.letters(title)))
LONE_INFORMANT_PAY = 3
MUTUAL_LAY_LOW = 3  # Heat returned where several lie low
BACKUP_DRAWS = 3  # the new card and two more


@kernel()
def last_place(state: Any, seat: int) -> Any:
    """Return the bit of the last place of a record, uint64."""
    return ONE << np.uint64(state.record_size[seat] - 1)


@kernel()
def switches(state: Any, rules: Any, seat: int) -> bool:
    """Tell whether a seat's active card is a switching card that has not been used this stage (HT6)."""
    if SWITCHING >> np.uint64(active(state, rules, seat)) & ONE == np.uint64(0):
        return False
    return state.used[seat] & last_place(state, seat) == np.uint64(0)


@kernel()
def next_word(state: Any, rules: Any, first: int) -> int:
    """Return the next seat from `first` on that must choose for a Word on the Street, -1 where there is none."""
    for seat in range(first, rules.players):
        if (
            state.hand_size[seat] > 0
            and active(state, rules, seat) == WORD_ON_THE_STREET
            and switches(state, rules, seat)
        ):
            return seat
    return -1


@kernel()
def switch(state: Any, rules: Any) -> bool:
    """Run step A1 as far as it goes without a choice; return whether it is finished (HT6)."""
    while True:
        todo, words = np.uint64(0), False
        for seat in range(rules.players):
            if switches(state, rules, seat):
                todo |= ONE << np.uint64(seat)
                words |= active(state, rules, seat) == WORD_ON_THE_STREET
        if todo == np.uint64(0):
            return True
        seat = next_word(state, rules, 0) if words else -1
        if seat >= 0:
            state.phase = WORD
            state.actor = seat
            return False
        use_all(state, rules, todo)


@kernel()
def choose_word(state: Any, rules: Any, title: Any) -> bool:
    """Commit the actor's card for Word on the Street; after the last use all; return whether that is done."""
    seat = np.int64(state.actor)
    commit(state, seat, title)
    following = next_word(state, rules, seat + 1)
    if following >= 0:
        state.actor = following
        return False
    use_all(state, rules, switching(state, rules))
    return True


@kernel()
def switching(state: Any, rules: Any) -> Any:
    """Return the seats whose switching card is to be used now, as a bit set."""
    todo = np.uint64(0)
    for seat in range(rules.players):
        if switches(state, rules, seat):
            todo |= ONE << np.uint64(seat)
    return todo


@kernel()
def use_all(state: Any, rules: Any, todo: Any) -> None:
    """Use the unused switching cards of the seats in `todo`, in seat order (HT6); draws all or none (HT8)."""
    draws, left = 0, todo
    while left != np.uint64(0):
        if active(state, rules, np.int64(lowest(left))) == BACKUP:
            draws += BACKUP_DRAWS
        left &= left - ONE
    may_draw = state.drawn + draws <= rules.n_cards
    while todo != np.uint64(0):
        use(state, rules, np.int64(lowest(todo)), may_draw)
        todo &= todo - ONE


@kernel()
def use(state: Any, rules: Any, seat: int, may_draw: bool) -> None:
    """Use a seat's switching card; the mark belongs to the card and moves with it (HT6)."""
    title = active(state, rules, seat)
    place = last_place(state, seat)
    state.used[seat] |= place
    if title == BACKUP:
        if may_draw:
            append(state, rules, seat, draw_top(state, rules))
            add_to_hand(state, seat, draw_top(state, rules))
            add_to_hand(state, seat, draw_top(state, rules))
    elif title == WORD_ON_THE_STREET:
        chosen = np.int64(state.choice[seat])
        if chosen != NOTHING:
            state.choice[seat] = NOTHING
            append(state, rules, seat, chosen)
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
def act_together(state: Any, rules: Any, work: Any) -> None:
    """Do step A2: all other A effects, judged on the state at its start (HT7-HT9)."""
    if work.present & RETURNING:
        return_heat(state, rules, work)
    if work.present & DRAWING:
        inform_and_draw(state, rules, work)


@kernel()
def return_heat(state: Any, rules: Any, work: Any) -> None:
    """Let every seat return what its card says, at most what it has (HT7, HT9)."""
    mutual = work.repeated >> np.uint64(LAY_LOW) & ONE
    for seat in range(MAX_SEATS):
        title = work.active[seat]
        back = MUTUAL_LAY_LOW if mutual and title == LAY_LOW else rules.back[title]
        back = min(back, np.int64(state.heat[seat]))
        state.heat[seat] -= back
        state.returned[seat] = back > 0


@kernel()
def inform_and_draw(state: Any, rules: Any, work: Any) -> None:
    """Pay the Informant that is poorest; the others and Masterminds draw, all or none (HT7, HT8)."""
    draws = 0
    poorest = sole_poorest(state, rules)
    for seat in range(rules.players):
        title = work.active[seat]
        wants = 2 * (title == MASTERMIND) + (title == INFORMANT and seat != poorest)
        work.pay[seat] = wants
        draws += wants
    may_draw = state.drawn + draws <= rules.n_cards
    for seat in range(rules.players):
        if may_draw:
            for _ in range(work.pay[seat]):
                add_to_hand(state, seat, draw_top(state, rules))
        if seat == poorest and work.active[seat] == INFORMANT:
            state.money[seat] += LONE_INFORMANT_PAY
            state.gained[seat] = LONE_INFORMANT_PAY


@kernel()
def count_active(state: Any, rules: Any, work: Any) -> None:
    """Write every seat's active title, and which titles are active, to `work`."""
    for lane in range(LANES):
        work.active[lane] = state.revealed[lane]
    note_titles(work)
    if work.present & CHANGING:
        for seat in range(rules.players):
            work.active[seat] = active(state, rules, seat)
        note_titles(work)


@kernel()
def note_titles(work: Any) -> None:
    """Write which titles are active, which of them at several seats, and which seats phase C pays."""
    present, repeated, paid_in_c = np.uint64(0), np.uint64(0), np.uint64(0)
    for seat in range(MAX_SEATS):
        title = np.uint64(work.active[seat])
        bit = ONE << title
        repeated |= present & bit
        present |= bit
        paid_in_c |= (PAID_IN_C >> title & ONE) << np.uint64(seat)
    work.present, work.repeated, work.paid_in_c = present, repeated, paid_in_c


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
