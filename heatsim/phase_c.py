"""Phase C: judged together on the state after B (HT12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from heatsim import cards
from heatsim.phase_a import INTERROGATION, MASTERMIND

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
        for other in range(rules.players):
            with_heat += state.heat[other] > 0
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
        for other in range(rules.players):
            givers += np.int64(state.returned[other])
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
    for seat in range(rules.players):
        taken += np.int64(state.heat[seat])
    return rules.heat_value[taken]


@kernel()
def pay_all(state: Any, rules: Any, work: Any, total: int) -> None:
    """Pay phase C; a Fence looks at what all others gain in the stage, at another Fence before phase C only (HT12)."""
    rich = 0
    for seat in range(rules.players):
        work.pay[seat] = pay_for_c(state, rules, work, seat, total)
        rich += np.int64(state.gained[seat]) + work.pay[seat] >= FENCE_FROM
    for seat in range(rules.players):
        if work.active[seat] == FENCE:
            others = rich - (state.gained[seat] >= FENCE_FROM)
            state.money[seat] += 4 if others > 0 else 1
        else:
            state.money[seat] += work.pay[seat]
