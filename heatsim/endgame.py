"""From stage to stage and heist to heist; the end and who wins (HT11, HT14, HT15)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi import ranking
from gameapi.jit import kernel
from heatsim import phase_a, phase_b, phase_c
from heatsim.draft import begin_heist
from heatsim.layout import LANES, N_TITLES, NOTHING, OVER, REVEAL
from heatsim.phase_a import FEDS
from heatsim.stage import begin_stage, reveal


@kernel()
def settle(state: Any, rules: Any, work: Any) -> None:
    """Run on to the next choice: a stage in which all have chosen, or nobody holds a card, is resolved."""
    while state.phase == REVEAL and state.actor < 0:
        if reveal(state, rules) & phase_a.SWITCHING:
            go_on_switching(state, rules, work)
        else:
            act(state, rules, work)


@kernel()
def go_on_switching(state: Any, rules: Any, work: Any) -> None:
    """Go on with step A1, and beyond once it is finished."""
    if phase_a.switch(state, rules):
        act(state, rules, work)


@kernel()
def act(state: Any, rules: Any, work: Any) -> None:
    """Do A2 and turn to phase B, whose Cover Stories may want a choice."""
    phase_a.count_active(state, rules, work)
    phase_a.act_together(state, rules, work)
    if phase_b.ask_covers(state, rules, work):
        finish_stage(state, rules, work)


@kernel()
def choose_cover(state: Any, rules: Any, work: Any, title: Any) -> None:
    """Commit a Cover Story choice; after the last finish the stage."""
    phase_a.count_active(state, rules, work)
    if phase_b.choose_cover(state, rules, work, title):
        finish_stage(state, rules, work)


@kernel()
def finish_stage(state: Any, rules: Any, work: Any) -> None:
    """Judge phases B and C and go on to the next stage or heist; arrest ends the game (HT11)."""
    phase_b.lay_covers(state, rules, work)
    total = phase_b.reckon(state, rules, work)
    note_feds(state, work)
    if total > rules.tokens:
        arrest(state)
        return
    phase_b.take_heat(state, rules, work, total)
    phase_c.pay_all(state, rules, work, total)
    leave_stage(state, rules)


@kernel()
def note_feds(state: Any, work: Any) -> None:
    """Note which seats ignore Heat gain in the stage that comes (HT7)."""
    for lane in range(LANES):
        state.ignores[lane] = work.active[lane] == FEDS


@kernel()
def arrest(state: Any) -> None:
    """Arrest everyone (HT11)."""
    state.arrested = 1
    end(state)


@kernel()
def leave_stage(state: Any, rules: Any) -> None:
    """Go on to the next stage or heist, or end the game (HT14)."""
    if state.stage + 1 < rules.stages:
        state.stage += 1
        begin_stage(state, rules)
    elif state.heist + 1 < rules.heists:
        next_heist(state, rules)
    else:
        end(state)


@kernel()
def next_heist(state: Any, rules: Any) -> None:
    """Begin the next heist's draft (HT14); whether The Feds reach into it is an option (HT7)."""
    state.heist += 1
    state.stage = 0
    if not rules.feds_carry_over:
        for seat in range(rules.players):
            state.ignores[seat] = 0
    begin_heist(state, rules)


@kernel()
def end(state: Any) -> None:
    """End the game."""
    state.phase = OVER
    state.actor = -1


@kernel()
def begin_game(state: Any, rules: Any) -> None:
    """Set money and Heat to nothing and begin the first heist (HT1)."""
    state.heist = 0
    state.stage = 0
    state.arrested = 0
    state.shortages = 0
    for lane in range(LANES):
        state.money[lane] = 0
        state.heat[lane] = 0
        state.ignores[lane] = 0
        state.choice[lane] = NOTHING
        state.hand[lane] = np.uint64((1 << N_TITLES) - 1)  # whatever the record held: no copies are left over
    begin_heist(state, rules)


@kernel()
def add_up(state: Any, rules: Any, work: Any) -> None:
    """Write every player's final money and Heat as if the game ended now (HT14)."""
    value = phase_c.heat_value(state, rules)
    for seat in range(rules.players):
        work.score[seat] = np.int64(state.money[seat]) - value * np.int64(state.heat[seat])
        work.tiebreak[seat] = -np.int64(state.heat[seat])


@kernel()
def share_win(state: Any, rules: Any, work: Any) -> None:
    """Write every player's share of the win: most money, then least Heat; nobody wins an arrested game (HT15)."""
    ranking.share_win(rules, work)
    if state.arrested:
        for seat in range(rules.players):
            work.win[seat] = 0.0


@kernel()
def count_events(state: Any, rules: Any, work: Any) -> None:
    """Write the statistics of a game; those of the whole game stand with seat 0."""
    for seat in range(rules.players):
        work.statistic[0, seat] = state.heat[seat]
        for i in range(1, 4):
            work.statistic[i, seat] = 0
    work.statistic[1, 0] = phase_c.heat_value(state, rules)
    work.statistic[2, 0] = state.arrested
    work.statistic[3, 0] = state.shortages > 0
