"""Heat as the contract's jitted functions (`gameapi.kernel`); assembly only."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from gameapi.records import assign
from gameapi.rng import draw
from heatsim import choices, draft, endgame, hidden, phase_a, stage, tally
from heatsim.layout import ANNOUNCE, COUPLED, COVER, FREE, PASS, REVEAL
from heatsim.witness import watch, watch_end


@kernel()
def deal(state: Any, rules: Any, work: Any) -> None:
    """Fix the decks of all heists and begin the first draft."""
    state.given = COUPLED if rules.coupled else FREE
    state.chance = draw(work)
    endgame.begin_game(state, rules)


@kernel()
def legal(state: Any, rules: Any, work: Any) -> int:
    """Write the actor's actions; return their number."""
    return choices.list_actions(state, work)


@kernel()
def step(state: Any, rules: Any, action: int, work: Any) -> None:
    """Make a choice; once all have made theirs, resolve what it was for."""
    if state.phase == PASS:
        draft.choose_pass(state, rules, action)
    elif state.phase == ANNOUNCE:
        stage.announce(state, rules, action)
    elif state.phase == REVEAL:
        stage.choose_card(state, rules, action)
    elif state.phase == COVER:
        endgame.choose_cover(state, rules, work, action)
    elif phase_a.choose_word(state, rules, action):
        endgame.go_on_switching(state, rules, work)
    endgame.settle(state, rules, work)


@kernel()
def random_action(state: Any, rules: Any, work: Any) -> int:
    """Return a uniform action of the actor."""
    return np.int64(choices.random_choice(state, work))


@kernel()
def returns(state: Any, rules: Any, work: Any) -> None:
    """Write final money, Heat as tie-break, and shares of the win."""
    endgame.add_up(state, rules, work)
    endgame.share_win(state, rules, work)


@kernel()
def statistics(state: Any, rules: Any, work: Any) -> None:
    """Write heat a seat, and with seat 0 the Heat value, whether arrested, whether there was a shortage."""
    endgame.count_events(state, rules, work)


@kernel()
def rollout(state: Any, rules: Any, work: Any) -> None:
    """Play uniform random actions to the end and write the returns."""
    while state.actor >= 0:
        if state.phase == PASS:
            draft.pass_at_random(state, rules, work)
        elif state.phase == REVEAL:
            stage.choose_at_random(state, rules, work)
            endgame.settle(state, rules, work)
        else:
            step(state, rules, np.int64(choices.random_choice(state, work)), work)
    endgame.add_up(state, rules, work)
    endgame.share_win(state, rules, work)


@kernel()
def determinize(state: Any, rules: Any, seat: int, work: Any) -> None:
    """Draw anew what a seat does not know."""
    hidden.redistribute(state, rules, seat, work)


@kernel()
def info_key(state: Any, rules: Any, seat: int) -> Any:
    """Return the key of a seat's information state."""
    return hidden.knowledge_key(state, rules, seat)


@kernel()
def foresee(state: Any, rules: Any, action: int, work: Any) -> None:
    """Show what the actor's choice does by itself."""
    hidden.foresee(state, rules, action, work)


@kernel()
def copy(target: Any, source: Any) -> None:
    """Copy one state over another."""
    assign(target, source)


@kernel()
def begin_tally(state: Any, rules: Any, tally_of: Any) -> None:
    """Count the cards that begin the first draft."""
    tally.count_dealt(state, rules, tally_of)


@kernel()
def tally_step(state: Any, rules: Any, action: int, work: Any, tally_of: Any) -> None:
    """Make a choice, count it, and count what it settles."""
    heist = state.heist
    number = tally.count_choice(state, rules, action, tally_of)
    step(state, rules, action, work)
    if number >= 0 and (state.phase != PASS or state.draft_round != number):
        tally.count_received(state, rules, number, tally_of)
    if state.actor < 0 or state.heist != heist:
        tally.count_left(rules, tally_of)
    if state.actor < 0:
        tally.close(rules, tally_of)
    elif state.heist != heist:
        tally.count_dealt(state, rules, tally_of)


@kernel()
def hand_number(state: Any) -> int:
    """Return the heist."""
    return np.int64(state.heist)


@kernel()
def n_hands(rules: Any) -> int:
    """Return the number of heists."""
    return np.int64(rules.heists)


@kernel()
def withhold(state: Any, rules: Any, card: int, ban: int) -> bool:
    """Hide a title, or all others, from the actor."""
    return choices.hide(state, np.uint64(card), ban)


@kernel()
def exchange(state: Any, rules: Any, seat: int, card: int, work: Any) -> bool:
    """Exchange a card dealt at the start of a draft for a given one."""
    return draft.exchange(state, rules, seat, card, work)


@kernel()
def witness(state: Any, rules: Any, action: int, work: Any, counts: Any) -> None:
    """Count what a choice brings about."""
    watch(state, rules, action, work, counts)


@kernel()
def witness_end(state: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what the end brings about."""
    endgame.add_up(state, rules, work)
    watch_end(state, rules, work, counts)
