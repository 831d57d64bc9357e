"""What a seat knows: determinization, information-state key, and what a seat's own choice does by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.bits import lowest, popcount
from gameapi.jit import kernel
from gameapi.rng import draw, draw_below, stir
from heatsim import phase_a, phase_b, phase_c
from heatsim.layout import COVER, FREE, N_TITLES, NOTHING, REVEAL, ROUNDS, WORD
from heatsim.piles import NOBODY_KNOWS, ONE, add_to_hand, append, empty_hand, pass_source, pass_target, take_from_hand
from heatsim.stage import active, reveal

_ZERO = np.uint64(0)


@kernel()
def has_chosen(state: Any, rules: Any, seat: int) -> bool:
    """Tell whether a seat has made an unseen choice; a declined Cover Story is one as well."""
    if state.phase == COVER:
        holds = state.hand_size[seat] > 0 or state.choice[seat] != NOTHING
        return seat < state.actor and holds and active(state, rules, seat) == phase_b.COVER_STORY
    return state.choice[seat] != NOTHING


@kernel()
def take_back_choices(state: Any, rules: Any, seat: int, work: Any) -> None:
    """Put what other seats have chosen, unseen, back into their hands; `work.gain` notes who had chosen."""
    for other in range(rules.players):
        work.gain[other] = 0
        if other != seat and has_chosen(state, rules, other):
            work.gain[other] = 1
            if state.choice[other] != NOTHING:
                add_to_hand(state, other, np.int64(state.choice[other]))
                state.choice[other] = NOTHING


@kernel()
def lay_out_hidden(state: Any, rules: Any, seat: int) -> Any:
    """Write the cards that a seat has not seen to the end of `state.deck`, by title; return where they start, uint64.

    The order is that of the titles, not that of where the cards are: what is drawn from them depends on what the seat
    knows and on the stream alone. Seen are the records, the own hand and choice, and a card that is surely with the
    pass target.
    """
    at = np.uint64(rules.n_cards)
    for reverse in range(N_TITLES):
        title = N_TITLES - 1 - reverse
        hidden = np.int64(rules.copies[title]) - np.int64(state.count[seat, title])
        hidden -= (state.choice[seat] == title) + (state.sure[seat] == title)
        for other in range(rules.players):
            for place in range(state.record_size[other]):
                hidden -= state.record[other, place] == title
        for _ in range(hidden):
            at -= ONE
            state.deck[at] = title
    return at


@kernel()
def redistribute(state: Any, rules: Any, seat: int, work: Any) -> None:
    """Deal all that a seat has not seen anew, uniformly over what its knowledge leaves open.

    A card that the seat passed and that must still be with its pass target stays there. Other seats' unseen choices
    are drawn anew from their hands; a Cover Story may decline. The decks of later heists are shuffled anew.
    """
    take_back_choices(state, rules, seat, work)
    at, end = lay_out_hidden(state, rules, seat), np.uint64(rules.n_cards)
    target = pass_target(state, rules, seat)
    for other in range(rules.players):
        if other == seat:
            continue
        sure = other == target and state.sure[seat] >= 0
        size = np.int64(state.hand_size[other]) - sure
        empty_hand(state, other)
        for _ in range(size):
            chosen = at + draw_below(work, end - at)
            title = np.int64(state.deck[chosen])
            state.deck[chosen] = state.deck[at]
            at += ONE
            add_to_hand(state, other, title)
        if sure:
            add_to_hand(state, other, np.int64(state.sure[seat]))
    state.given = FREE
    state.chance = draw(work)
    state.stream = draw(work)
    forget(state, rules, seat)
    rechoose(state, rules, work)


@kernel()
def forget(state: Any, rules: Any, seat: int) -> None:
    """Clear what only others know: the order of drawn cards, passes between others, what those are sure of."""
    for place in range(state.drawn):
        state.deck[place] = 0
    for other in range(rules.players):
        if other != seat and pass_target(state, rules, other) != seat:
            state.sure[other] = NOBODY_KNOWS
            for number in range(ROUNDS):
                state.passed[number, other] = NOTHING


@kernel()
def rechoose(state: Any, rules: Any, work: Any) -> None:
    """Draw the unseen choices of those who had chosen anew."""
    for other in range(rules.players):
        if work.gain[other] == 0:
            continue
        n = np.int64(state.hand_size[other])
        if state.phase == COVER and draw_below(work, np.uint64(popcount(state.hand[other])) + ONE) == _ZERO:
            continue
        number = np.int64(draw_below(work, np.uint64(n)))
        titles = state.hand[other]
        while True:  # the number-th card of the hand, copies counted
            title = lowest(titles)
            number -= np.int64(state.count[other, title])
            if number < 0:
                break
            titles &= titles - ONE
        take_from_hand(state, other, np.int64(title))
        state.choice[other] = title


@kernel()
def knowledge_key(state: Any, rules: Any, seat: int) -> Any:
    """Return a 64-bit hash of what a seat sees: hand and own choice, records, money, Heat, talk, passes."""
    key = np.uint64(seat)
    for value in (state.actor, state.phase, state.heist, state.stage, state.draft_round, state.drawn):
        key = stir(key, np.int64(value))
    key = stir(key, np.int64(state.choice[seat]))
    titles = state.hand[seat]
    while titles != _ZERO:
        title = lowest(titles)
        titles &= titles - ONE
        key = stir(stir(key, title), state.count[seat, title])
    for other in range(rules.players):
        key = stir(stir(key, np.int64(state.money[other])), np.int64(state.gained[other]))
        for value in (state.heat[other], state.ignores[other], state.announced[other]):
            key = stir(key, np.int64(value))
        for value in (state.revealed[other], state.returned[other]):
            key = stir(key, np.int64(value))
        key = stir(stir(key, public_hand(state, other)), state.used[other])
        for place in range(state.record_size[other]):
            key = stir(key, state.record[other, place])
    giver = pass_source(state, rules, seat)
    for number in range(ROUNDS):
        key = stir(stir(key, np.int64(state.passed[number, seat])), np.int64(state.passed[number, giver]))
    return key


@kernel()
def public_hand(state: Any, seat: int) -> int:
    """Return a hand's size as others see it: an unseen choice of a card of the hand still counts."""
    return np.int64(state.hand_size[seat]) + (1 if state.choice[seat] != NOTHING else 0)


@kernel()
def foresee(state: Any, rules: Any, action: Any, work: Any) -> None:
    """Leave money and Heat as the actor's own choice makes them, with nobody else's card and no draw.

    A passed card changes nothing; a card of a stage is judged as if the others played none.
    """
    seat = np.int64(state.actor)
    if state.phase == COVER:
        if action != NOTHING:
            state.money[seat] += phase_b.COVER_PAY
        return
    if state.phase != REVEAL and state.phase != WORD:
        return
    state.drawn = rules.n_cards
    if state.phase == REVEAL:
        for other in range(rules.players):
            state.choice[other] = action if other == seat else NOTHING
        take_from_hand(state, seat, action)
        reveal(state, rules)
    else:
        for other in range(rules.players):
            if other != seat:
                state.revealed[other] = NOTHING
        append(state, rules, seat, action)
    judge_alone(state, rules, work)


@kernel()
def judge_alone(state: Any, rules: Any, work: Any) -> None:
    """Judge a stage as it stands, without further choices."""
    phase_a.count_active(state, rules, work)
    phase_a.act_together(state, rules, work)
    work.covered = _ZERO  # unseen choices of others are no discards
    total = phase_b.reckon(state, rules, work)
    if total <= rules.tokens:
        phase_b.take_heat(state, rules, work, total)
        phase_c.pay_all(state, rules, work, total)
