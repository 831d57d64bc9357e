"""The draft: two cards each, then three times pass one and draw one (HT2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.coupling import order_by_key
from gameapi.jit import kernel
from gameapi.rng import mix, random_place
from heatsim.layout import COUPLED, GIVEN, NOTHING, PASS, ROUNDS
from heatsim.piles import NOBODY_KNOWS, add_to_hand, draw_each, empty_hand, pass_target, take_from_hand
from heatsim.stage import begin_stage, clear_stage, commit, commit_at_random

DEALT = 2  # cards before the first round
_HEIST = np.uint64(0xD1342543DE82EF95)


@kernel()
def begin_heist(state: Any, rules: Any) -> None:
    """Shuffle all cards and deal each seat the top two (HT2)."""
    state.stream = mix(state.chance + np.uint64(state.heist) * _HEIST)
    if state.given == COUPLED:
        order_by_key(state.deck, rules.names, rules.n_cards, np.uint64(state.stream))
    for i in range(rules.n_cards):
        if state.given == GIVEN:
            state.deck[i] = rules.given[state.heist, i]
        else:
            state.deck[i] = rules.cards[state.deck[i] if state.given == COUPLED else i]
    state.drawn = 0
    clear_stage(state)
    for seat in range(rules.players):
        empty_hand(state, seat)
        state.record_size[seat] = 0
        state.letters[seat] = np.uint64(0)
        state.sure[seat] = NOBODY_KNOWS
        for number in range(ROUNDS):
            state.passed[number, seat] = NOTHING
    draw_each(state, rules, DEALT)
    state.draft_round = 0
    state.phase = PASS
    state.actor = 0


@kernel()
def choose_pass(state: Any, rules: Any, title: Any) -> None:
    """Commit the actor's card to pass, unseen; after the last seat's all are passed and each seat draws."""
    seat = np.int64(state.actor)
    commit(state, seat, title)
    if seat + 1 < rules.players:
        state.actor = seat + 1
    else:
        pass_all(state, rules)


@kernel()
def pass_at_random(state: Any, rules: Any, work: Any) -> None:
    """Let the actor and the seats after it pass a uniform title each."""
    commit_at_random(state, rules, work)
    pass_all(state, rules)


@kernel()
def pass_all(state: Any, rules: Any) -> None:
    """Pass what all have chosen, let each seat draw, and go on to the next round or the first stage (HT2)."""
    for giver in range(rules.players):
        passed = np.int64(state.choice[giver])
        add_to_hand(state, pass_target(state, rules, giver), passed)
        state.passed[state.draft_round, giver] = passed
        state.sure[giver] = passed
        state.choice[giver] = NOTHING
    draw_each(state, rules, 1)
    state.actor = 0
    state.draft_round += 1
    if state.draft_round == ROUNDS:
        begin_stage(state, rules)


@kernel()
def exchange(state: Any, rules: Any, seat: int, title: int, work: Any) -> bool:
    """Exchange a random other one of a seat's two cards for a copy of a title, before the draft; tell if it could.

    The copy is a random one of the deck, else one of another hand. Who draws where the copy lay draws the card given.
    """
    deck, first, end = state.deck, DEALT * seat, DEALT * rules.players
    given = random_place(deck, first, first + DEALT, rules.n_cards, title, False, work)
    taken = random_place(deck, end, rules.n_cards, rules.n_cards, title, True, work)
    if taken < 0:
        taken = random_place(deck, first + DEALT, first + end, end, title, True, work)
    if given < 0 or taken < 0:
        return False
    other = np.int64(deck[given])
    deck[given] = title
    deck[taken] = other
    take_from_hand(state, seat, other)
    add_to_hand(state, seat, title)
    if taken < end:
        take_from_hand(state, taken // DEALT, title)
        add_to_hand(state, taken // DEALT, other)
    return True
