"""A stage's beginning: talk, the secret choice, the reveal (HT4, HT5, HT17)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest, nth, popcount
from gameapi.jit import kernel
from gameapi.rng import GAMMA, below
from heatsim.cards import COPYCAT_CRIME, TITLES
from heatsim.layout import ANNOUNCE, LANES, NOTHING, REVEAL
from heatsim.piles import ONE, append, pass_target, show, take_from_hand

COPYCAT = TITLES.index(COPYCAT_CRIME)
_NONE = np.uint64(0)


@kernel()
def clear_stage(state: Any) -> None:
    """Clear what belongs to a stage; unseen choices are cleared as they are shown."""
    for lane in range(LANES):
        state.revealed[lane] = NOTHING
        state.announced[lane] = NOTHING
        state.gained[lane] = 0
        state.returned[lane] = 0
        state.used[lane] = _NONE


@kernel()
def begin_stage(state: Any, rules: Any) -> None:
    """Let the first seat announce, or the first with a card choose."""
    clear_stage(state)
    if rules.announce:
        state.phase = ANNOUNCE
        state.actor = 0
    else:
        begin_choice(state, rules)


@kernel()
def begin_choice(state: Any, rules: Any) -> None:
    """Ask the seats with a card in hand, the first of them first."""
    state.phase = REVEAL
    state.actor = next_with_card(state, rules, 0)


@kernel()
def next_with_card(state: Any, rules: Any, first: int) -> int:
    """Return the next seat from `first` on that has a card in hand, -1 where there is none."""
    for seat in range(first, rules.players):
        if state.hand_size[seat] > 0:
            return seat
    return -1


@kernel()
def announce(state: Any, rules: Any, title: Any) -> None:
    """Let the actor announce a title, or stay silent (HT17)."""
    seat = np.int64(state.actor)
    state.announced[seat] = title
    if seat + 1 < rules.players:
        state.actor = seat + 1
    else:
        begin_choice(state, rules)


@kernel()
def choose_card(state: Any, rules: Any, title: Any) -> None:
    """Commit the actor's card for this stage; there is no actor once all have chosen."""
    seat = np.int64(state.actor)
    commit(state, seat, title)
    state.actor = next_with_card(state, rules, seat + 1)


@kernel()
def choose_at_random(state: Any, rules: Any, work: Any) -> None:
    """Let the actor and the seats after it choose a uniform title each for this stage."""
    commit_at_random(state, rules, work)
    state.actor = -1


@kernel()
def commit_at_random(state: Any, rules: Any, work: Any) -> None:
    """Let the actor and the seats after it, where they hold a card, lay a uniform title aside."""
    counter = work.stream
    for seat in range(np.int64(state.actor), rules.players):
        titles = state.hand[seat]
        if titles != _NONE:
            counter += GAMMA
            commit(state, seat, np.int64(lowest(nth(titles, below(counter, popcount(titles))))))
    work.stream = counter


@kernel()
def commit(state: Any, seat: Any, title: Any) -> None:
    """Lay a card of a hand aside, unseen."""
    take_from_hand(state, seat, title)
    state.choice[seat] = title


@kernel()
def reveal(state: Any, rules: Any) -> Any:
    """Put all chosen cards at the ends of the records (HT4); return the titles revealed as a bit set."""
    seen = np.uint64(0)
    for seat in range(rules.players):
        title = np.int64(state.choice[seat])
        state.revealed[seat] = title
        state.choice[seat] = NOTHING
        if title != NOTHING:
            append(state, rules, seat, title)
            show(state, rules, seat, title)
            seen |= ONE << np.uint64(title)
    return seen


@kernel()
def follow(state: Any, rules: Any, seat: int) -> int:
    """Return what a Copycat of a seat is: what its pass target revealed, a Copycat there leading on (HT5)."""
    other = pass_target(state, rules, seat)
    while other != seat:
        title = np.int64(state.revealed[other])
        if title == NOTHING:
            return COPYCAT
        if title != COPYCAT:
            return title
        other = pass_target(state, rules, other)
    return COPYCAT


@kernel()
def active(state: Any, rules: Any, seat: int) -> int:
    """Return the title of a seat's active card, a copy counting as what it copies; NOTHING without one (HT4, HT5)."""
    if state.revealed[seat] == NOTHING:
        return NOTHING
    title = np.int64(state.record[seat, state.record_size[seat] - 1])
    if title == COPYCAT:
        return follow(state, rules, seat)
    return title
