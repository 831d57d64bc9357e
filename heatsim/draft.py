"""The draft: two cards each, then three times pass one and draw one (HT2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from gameapi.rng import mix
from heatsim.layout import N_TITLES, NOTHING, PASS, ROUNDS
from heatsim.piles import NOBODY_KNOWS, add_to_hand, draw_top, pass_target, take_from_hand
from heatsim.stage import begin_stage, clear_stage

_HEIST = np.uint64(0xD1342543DE82EF95)


@kernel()
def begin_heist(state: Any, rules: Any) -> None:
    """Shuffle all cards and deal each seat the top two (HT2)."""
    state.stream = mix(state.chance + np.uint64(state.heist) * _HEIST)
    for i in range(rules.n_cards):
        state.deck[i] = rules.given[state.heist, i] if state.given else rules.cards[i]
    state.drawn = 0
    clear_stage(state, rules)
    for seat in range(rules.players):
        state.hand[seat] = np.uint64(0)
        state.hand_size[seat] = 0
        state.record_size[seat] = 0
        state.sure[seat] = NOBODY_KNOWS
        for title in range(N_TITLES):
            state.count[seat, title] = 0
        for number in range(ROUNDS):
            state.passed[number, seat] = NOTHING
        add_to_hand(state, seat, draw_top(state, rules))
        add_to_hand(state, seat, draw_top(state, rules))
    state.draft_round = 0
    state.phase = PASS
    state.actor = 0


@kernel()
def choose_pass(state: Any, rules: Any, title: Any) -> None:
    """Commit the actor's card to pass, unseen; after the last seat's all are passed and each seat draws."""
    seat = np.int64(state.actor)
    take_from_hand(state, seat, title)
    state.choice[seat] = title
    if seat + 1 < rules.players:
        state.actor = seat + 1
        return
    for giver in range(rules.players):
        passed = np.int64(state.choice[giver])
        add_to_hand(state, pass_target(state, rules, giver), passed)
        state.passed[state.draft_round, giver] = passed
        state.sure[giver] = passed
        state.choice[giver] = NOTHING
    for taker in range(rules.players):
        add_to_hand(state, taker, draw_top(state, rules))
    state.actor = 0
    state.draft_round += 1
    if state.draft_round == ROUNDS:
        begin_stage(state, rules)
