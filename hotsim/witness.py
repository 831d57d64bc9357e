"""What the rules bring about, counted in watched games: what each count means, and its ruling, stands in `events`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from hotsim.columns import BYTE, EIGHT, ONE, PLACE, SABOTAGE_BOTTOM, altitude, helicopters
from hotsim.events import COUNT
from hotsim.layout import PICK, TYPES
from hotsim.rules import DUMMY_PILE_SIZE
from hotsim.scoring import ceiling
from hotsim.turn import FACE, NO_EFFECT, PASS, SIX

_SIXTEEN = np.uint64(16)


@kernel()
def watch(state: Any, rules: Any, action: Any, counts: Any) -> None:
    """Count what an action of the actor will bring about."""
    if state.phase == PICK:
        last = state.actor + 1 if state.actor + 1 < rules.players else 0
        if state.picks_left == 1 and last == state.drawer:
            watch_reveal(state, rules, action & FACE, counts)
        return
    target, face = action >> SIX, action & FACE
    if target == PASS:
        counts[COUNT.passed] += 1
    elif target == NO_EFFECT:
        counts[COUNT.sabotage_no_effect] += 1
    elif rules.sabotage >> face & ONE:
        watch_sabotage(state, rules, target, counts)
    elif rules.balloons >> face & ONE or rules.value[face] < 0:
        watch_card(state, rules, np.int64(target), face, counts)
    else:
        counts[COUNT.helicopter_linked] += 1
        counts[COUNT.helicopter_again] += helicopters(state.columns[target]) > 0


@kernel()
def watch_card(state: Any, rules: Any, column: int, face: Any, counts: Any) -> None:
    """Count what a balloon or ballast of a turn does (HH6-HH8)."""
    owner = column // TYPES
    if owner >= rules.players:
        counts[COUNT.laid_on_dummy] += 1
    elif owner != state.actor:
        counts[COUNT.laid_on_other] += 1
    if not state.standing >> np.uint64(column) & ONE:
        counts[COUNT.column_started] += 1
        return
    counts[COUNT.wild_laid] += rules.stands[face] == np.uint64(0)
    if rules.balloons >> face & ONE:
        counts[COUNT.balloon_added] += 1
        counts[COUNT.laid_beneath] += helicopters(state.columns[column]) > 0
    else:
        counts[COUNT.ballast_added] += 1


@kernel()
def watch_sabotage(state: Any, rules: Any, target: Any, counts: Any) -> None:
    """Count what a sabotage does (HH8, HH9)."""
    bottom = target >= SABOTAGE_BOTTOM
    column = target - SABOTAGE_BOTTOM if bottom else target
    owner = np.int64(column) // TYPES
    if owner >= rules.players:
        counts[COUNT.sabotage_on_dummy] += 1
    elif owner == state.actor:
        counts[COUNT.sabotage_on_own] += 1
    else:
        counts[COUNT.sabotage_on_other] += 1
    counts[COUNT.sabotage_bottom if bottom else COUNT.sabotage_top] += 1
    word = state.columns[column]
    flying = helicopters(word)
    if rules.helicopter_is_top and flying and not bottom:
        counts[COUNT.helicopter_taken] += 1
        return
    above, below = (word >> EIGHT) & PLACE, word & PLACE  # the free places at both ends
    face = state.sequence[column, below - ONE if bottom else above + ONE]
    if (word >> _SIXTEEN) & BYTE == rules.stands[face]:  # no typed card is left
        counts[COUNT.column_sabotaged] += 1
        counts[COUNT.only_wilds_left] += np.int64(below) - np.int64(above) > 2
        counts[COUNT.helicopter_sabotaged] += flying


@kernel()
def watch_reveal(state: Any, rules: Any, last: Any, counts: Any) -> None:
    """Count what a storm phase does once its last card is picked (HH11, HH12)."""
    counts[COUNT.storm] += 1
    laid, discarded, started, standing = 0, 0, 0, state.standing
    for seat in range(rules.players):
        n = np.int64(state.n_picked[seat])
        for i in range(n + (seat == state.actor)):
            face = np.uint64(state.picks[seat, i]) if i < n else last
            if rules.stands[face] == np.uint64(0):
                discarded += 1
                continue
            laid += 1
            bit = ONE << np.uint64(TYPES * seat) + rules.type[face]
            started += standing & bit == np.uint64(0)
            standing |= bit
    counts[COUNT.pick_laid] += laid
    counts[COUNT.pick_started] += started
    counts[COUNT.pick_discarded] += discarded
    if rules.seats > rules.players:
        watch_dummy(state, rules, counts)


@kernel()
def watch_dummy(state: Any, rules: Any, counts: Any) -> None:
    """Count what the dummy's pile of the storm drawn last brings (HH12)."""
    first = DUMMY_PILE_SIZE * (np.int64(state.storms) - 1)
    if first >= rules.dummy_cards:
        counts[COUNT.no_pile_left] += 1
        return
    counts[COUNT.dummy_pile] += 1
    for i in range(first, first + DUMMY_PILE_SIZE):
        typed = rules.stands[state.cards[i]] != np.uint64(0)
        counts[COUNT.dummy_laid if typed else COUNT.dummy_discarded] += 1


@kernel()
def watch_end(state: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what the end does (HH4, HH14, HH15); scores stand in `work`."""
    for seat in range(rules.players):
        counts[COUNT.below_zero] += work.score[seat] < 0
        for face in range(rules.n_faces):
            counts[COUNT.left_in_hand] += np.int64(state.count[seat, face])
    for t in range(TYPES):
        watch_flight(state, rules, t, counts)


@kernel()
def watch_flight(state: Any, rules: Any, t: int, counts: Any) -> None:
    """Count which columns of a type fly away, and what the others score (HH14, HH15)."""
    highest = ceiling(state, rules, t)
    stand, fly = 0, 0
    for seat in range(rules.seats):
        column = TYPES * seat + t
        if not state.standing >> np.uint64(column) & ONE:
            counts[COUNT.no_column] += seat < rules.players
            continue
        stand += 1
        word = state.columns[column]
        if altitude(word) == highest:
            fly += 1
            counts[COUNT.dummy_flew] += seat >= rules.players
            counts[COUNT.helicopter_flew] += helicopters(word)
        elif seat < rules.players:
            counts[COUNT.column_scored] += 1
            counts[COUNT.helicopter_scored] += helicopters(word)
    counts[COUNT.flew_away] += fly
    counts[COUNT.flew_tied] += fly if fly > 1 else 0
    counts[COUNT.flew_alone] += fly == 1 and stand == 1
    counts[COUNT.nothing_flew] += stand > 0 and fly == 0
