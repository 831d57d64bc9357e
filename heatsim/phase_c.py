"""Phase C: judged together on the state after B (HT12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest
from gameapi.jit import kernel
from heatsim import cards
from heatsim.layout import LANES
from heatsim.phase_a import INTERROGATION, MASTERMIND
from heatsim.piles import ONE

DIVERSION, FENCE, SHUFFLE, LEVERAGE, RADAR, CRACKDOWN = (
    cards.TITLES.index(title)
    for title in (
        cards.DIVERSION,
        cards.FENCE_THE_GOODS,
        cards.KANSAS_CITY_SHUFFLE,
        cards.LEVERAGE,
        cards.UNDER_THE_RADAR,
        cards.CRACKDOWN,
    )
)
FENCE_FROM = 4  # dollars that another seat gains in the stage


@kernel()
def pay_for_c(state: Any, rules: Any, work: Any, seat: int, total: int) -> int:  # noqa: C901  one branch a title
    """Return a seat's money of phase C, Fences apart; `total` is the Heat gained by all in phase B."""
    title = work.active[seat]
    if title == DIVERSION:
        for other in range(rules.players):
            if other != seat and state.heat[other] >= state.heat[seat]:
                return 1
        return 4
    if title == SHUFFLE:
        with_heat = 0
        for lane in range(LANES):
            with_heat += state.heat[lane] > 0
        return with_heat
    if title == LEVERAGE:
        return total - work.gain[seat]
    if title == RADAR:
        return 1 if state.heat[seat] > 0 else 3
    if title == CRACKDOWN:
        return heat_value(state, rules)
    if title == MASTERMIND:
        return 2 if has_most_cards(state, rules, seat) else 0
    if title == INTERROGATION:
        givers = 0
        for lane in range(LANES):
            givers += state.returned[lane]
        return givers
    return 0


@kernel()
def has_most_cards(state: Any, rules: Any, seat: int) -> bool:
    """Tell whether a hand is the largest; whether a tie counts is an option (HT12)."""
    for other in range(rules.players):
        if other == seat:
            continue
        if state.hand_size[other] > state.hand_size[seat]:
            return False
        if state.hand_size[other] == state.hand_size[seat] and not rules.mastermind_tie:
            return False
    return True


@kernel()
def heat_value(state: Any, rules: Any) -> int:
    """Return the dollars that each token costs at this moment (HT13)."""
    taken = 0
    for lane in range(LANES):
        taken += state.heat[lane]
    return rules.heat_value[taken]


@kernel()
def pay_all(state: Any, rules: Any, work: Any, total: int) -> None:
    """Pay phase C, judged together: money changes nothing that is judged, so each seat is paid at once (HT12)."""
    left = work.paid_in_c
    while left != np.uint64(0):
        seat = np.int64(lowest(left))
        left &= left - ONE
        work.pay[seat] = pay_for_c(state, rules, work, seat, total)
        state.money[seat] += work.pay[seat]
    if work.present >> np.uint64(FENCE) & ONE:
        pay_fences(state, rules, work)


@kernel()
def pay_fences(state: Any, rules: Any, work: Any) -> None:
    """Pay Fences, which look at what all others gain in the stage, at another Fence before phase C only (HT12)."""
    rich = 0
    for seat in range(rules.players):
        in_c = work.pay[seat] if work.paid_in_c >> np.uint64(seat) & ONE else 0
        rich += np.int64(state.gained[seat]) + in_c >= FENCE_FROM
    for seat in range(rules.players):
        if work.active[seat] == FENCE:
            others = rich - (state.gained[seat] >= FENCE_FROM)
            state.money[seat] += 4 if others > 0 else 1
