"""What a Stage's steps bring about, counted in watched games; see `witness`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from heatsim.events import COUNT
from heatsim.phase_a import (
    FEDS,
    FRAME_UP,
    INFORMANT,
    INTERROGATION,
    LAY_LOW,
    MASTERMIND,
    MUTUAL_LAY_LOW,
    PAID_IN_C,
    sole_poorest,
)
from heatsim.phase_b import BANK_JOB, BREAK_IN, COVER_STORY, HEAVY, LIFT, SHORTAGE_COST, SPECIALIST, count
from heatsim.phase_c import CRACKDOWN, DIVERSION, FENCE, LEVERAGE, RADAR, SHUFFLE, heat_value
from heatsim.piles import ONE


@kernel()
def watch_a2(trial: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what step A2 is about to do (HT7-HT9)."""
    poorest, lows = sole_poorest(trial, rules), count(work, LAY_LOW)
    counts[COUNT.frame_up] += count(work, FRAME_UP)
    counts[COUNT.the_feds] += count(work, FEDS)
    counts[COUNT.interrogation] += count(work, INTERROGATION)
    counts[COUNT.lay_low_together if lows > 1 else COUNT.lay_low_alone] += lows
    paid = 0
    for seat in range(rules.players):
        title, held = work.active[seat], np.int64(trial.heat[seat])
        paid += title == INFORMANT and seat == poorest
        back = MUTUAL_LAY_LOW if lows > 1 and title == LAY_LOW else np.int64(rules.back[title])
        counts[COUNT.heat_returned] += min(back, held)
        counts[COUNT.returned_less] += back > held
    counts[COUNT.informant_paid] += paid
    informants, masterminds = count(work, INFORMANT) - paid, count(work, MASTERMIND)
    if trial.drawn + informants + 2 * masterminds > rules.n_cards:
        counts[COUNT.draw_skipped] += informants + masterminds
    else:
        counts[COUNT.informant_drew] += informants
        counts[COUNT.mastermind_drew] += masterminds


@kernel()
def watch_b(trial: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what phase B has reckoned (HT7, HT10)."""
    frame_ups, feds, robbers = count(work, FRAME_UP), count(work, FEDS), count(work, BANK_JOB)
    counts[COUNT.bank_job_paid] += robbers == 1
    counts[COUNT.bank_job_double] += robbers if robbers > 1 else 0
    counts[COUNT.break_in] += count(work, BREAK_IN)
    counts[COUNT.heavy] += count(work, HEAVY)
    counts[COUNT.the_lift] += count(work, LIFT)
    counts[COUNT.specialist] += count(work, SPECIALIST)
    for seat in range(rules.players):
        title, ignores = work.active[seat], trial.ignores[seat] != 0
        by_frame_ups = frame_ups * np.int64(rules.is_b[title])
        gains = title == HEAVY or np.int64(rules.gain[title]) + by_frame_ups > 0  # a Heavy counts itself
        counts[COUNT.framed] += by_frame_ups > 0 and not ignores
        counts[COUNT.feds_added] += feds > 0 and gains and not ignores
        counts[COUNT.feds_ignored] += ignores and gains
        counts[COUNT.feds_nothing_ignored] += ignores and not gains
        if title == COVER_STORY:
            watch_cover(trial, work, seat, counts)


@kernel()
def watch_cover(trial: Any, work: Any, seat: int, counts: Any) -> None:
    """Count what came of a Cover Story (HT10)."""
    if work.covered >> np.uint64(seat) & ONE:
        counts[COUNT.cover_story_paid] += 1
    else:
        counts[COUNT.cover_story_declined if trial.hand_size[seat] > 0 else COUNT.cover_story_empty] += 1


@kernel()
def watch_shortage(before: Any, after: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what making room on the board has cost, from the states around `phase_b.take_heat` (HT11)."""
    tokens = 0
    for seat in range(rules.players):
        given = before.heat[seat] + work.gain[seat] - after.heat[seat]
        tokens += given
        below = given > 0 and before.money[seat] - SHORTAGE_COST * given < 0
        counts[COUNT.shortage_debt if rules.debt else COUNT.shortage_forgiven] += below
    counts[COUNT.shortage] += tokens > 0
    counts[COUNT.shortage_token] += tokens


@kernel()
def watch_c(before: Any, after: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what phase C has paid, from the states around it, and how the Stage leaves the table (HT7, HT12-HT14)."""
    for seat in range(rules.players):
        title = work.active[seat]
        paid = after.money[seat] - before.money[seat]
        watch_pay(title, paid, counts)
        counts[COUNT.nothing_in_c] += PAID_IN_C >> np.uint64(title) & ONE and paid == 0
        counts[COUNT.mastermind_tied] += title == MASTERMIND and shares_most_cards(after, rules, seat)
    counts[COUNT.heat_costs] += heat_value(after, rules) > 0
    if after.stage + 1 < rules.stages:
        return
    for seat in range(rules.players):
        counts[COUNT.left_in_hand] += after.hand_size[seat]
    if after.heist + 1 < rules.heists:
        counts[COUNT.feds_carried if rules.feds_carry_over else COUNT.feds_lapsed] += count(work, FEDS)


@kernel()
def watch_pay(title: Any, paid: Any, counts: Any) -> None:
    """Count what a seat's active title was paid for in phase C (HT12)."""
    if title == DIVERSION:
        counts[COUNT.diversion_most if paid > 1 else COUNT.diversion_other] += 1
    elif title == FENCE:
        counts[COUNT.fence_raised if paid > 1 else COUNT.fence_plain] += 1
    elif title == RADAR:
        counts[COUNT.under_the_radar_cold if paid > 1 else COUNT.under_the_radar_hot] += 1
    elif paid > 0:
        if title == SHUFFLE:
            counts[COUNT.kansas_city_shuffle] += 1
        elif title == LEVERAGE:
            counts[COUNT.leverage] += 1
        elif title == CRACKDOWN:
            counts[COUNT.crackdown] += 1
        elif title == MASTERMIND:
            counts[COUNT.mastermind_paid] += 1
        elif title == INTERROGATION:
            counts[COUNT.interrogation_paid] += 1


@kernel()
def shares_most_cards(state: Any, rules: Any, seat: int) -> bool:
    """Tell whether a hand is as large as the largest of the others."""
    shared = False
    for other in range(rules.players):
        if other != seat:
            if state.hand_size[other] > state.hand_size[seat]:
                return False
            shared |= state.hand_size[other] == state.hand_size[seat]
    return shared
