"""Hot Heads as the contract's jitted functions (`gameapi.kernel`); assembly only."""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.jit import kernel
from gameapi.ranking import share_win
from gameapi.records import assign
from hotsim import choices, hidden, scoring, storm, tally, turn
from hotsim import deal as setup
from hotsim.layout import PICK, PLAY
from hotsim.witness import watch, watch_end


@kernel()
def deal(state: Any, rules: Any, work: Any) -> None:
    """Shuffle, deal and draw for seat 0."""
    setup.shuffle_and_deal(state, rules, work)


@kernel()
def legal(state: Any, rules: Any, work: Any) -> int:
    """Write the actor's distinct actions; return their number."""
    return choices.list_actions(state, rules, work)


@kernel()
def step(state: Any, rules: Any, action: int, work: Any) -> None:
    """Play or pick a card and go on to the next decision."""
    if state.phase == PICK:
        storm.pick(state, rules, np.uint64(action))
    else:
        turn.play(state, rules, np.uint64(action))


@kernel()
def random_action(state: Any, rules: Any, work: Any) -> int:
    """Return a uniform action of the actor."""
    if state.phase == PICK:
        return np.int64(choices.random_pick(state, work))
    return np.int64(choices.random_play(state, rules, work))


@kernel()
def returns(state: Any, rules: Any, work: Any) -> None:
    """Write scores, balloon cards and shares of the win."""
    scoring.add_up(state, rules, work)
    share_win(rules, work)


@kernel()
def statistics(state: Any, rules: Any, work: Any) -> None:
    """Write turns and passes of each seat."""
    scoring.count_turns(state, rules, work)


@kernel()
def rollout(state: Any, rules: Any, work: Any) -> None:
    """Play uniform random actions to the end and write the returns."""
    while state.actor >= 0:
        if state.phase == PLAY:
            turn.play(state, rules, choices.random_play(state, rules, work))
        else:
            storm.finish_at_random(state, rules, work)
    scoring.add_up(state, rules, work)
    share_win(rules, work)


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
    """Show what the actor's own action does by itself."""
    hidden.foresee(state, rules, np.uint64(action))


@kernel()
def copy(target: Any, source: Any) -> None:
    """Copy one state over another."""
    assign(target, source)


@kernel()
def begin_tally(state: Any, rules: Any, tally_of: Any) -> None:
    """Count the opening hands."""
    tally.count_dealt(state, rules, tally_of)


@kernel()
def tally_step(state: Any, rules: Any, action: int, work: Any, tally_of: Any) -> None:
    """Play or pick a card and count it."""
    tally.count_action(state, np.uint64(action), tally_of)
    step(state, rules, action, work)
    if state.actor < 0:
        tally.close(state, rules, tally_of)


@kernel()
def hand_number(state: Any) -> int:
    """Return 0: there is one deal a game."""
    return 0


@kernel()
def n_hands(rules: Any) -> int:
    """Return the number of deals."""
    return 1


@kernel()
def withhold(state: Any, rules: Any, card: int, ban: int) -> bool:
    """Hide a card of the actor's hand."""
    return choices.hide(state, rules, np.uint64(card))


@kernel()
def exchange(state: Any, rules: Any, seat: int, card: int, work: Any) -> bool:
    """Exchange a card of an opening hand for a given one."""
    return setup.exchange(state, rules, seat, card, work)


@kernel()
def witness(state: Any, rules: Any, action: int, work: Any, counts: Any) -> None:
    """Count what an action brings about."""
    watch(state, rules, np.uint64(action), counts)


@kernel()
def witness_end(state: Any, rules: Any, work: Any, counts: Any) -> None:
    """Count what the end brings about."""
    scoring.add_up(state, rules, work)
    watch_end(state, rules, work, counts)
