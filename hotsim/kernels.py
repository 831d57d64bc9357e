"""Hot Heads as the contract's jitted functions (`gameapi.kernel`); assembly only."""

from __future__ import annotations

from typing import Any

import numpy as np
from gameapi.jit import kernel
from gameapi.records import assign
from hotsim import choices, deal as setup, hidden, scoring, storm, turn
from hotsim.layout import PICK, PLAY


@kernel()
def deal(state: Any, rules: Any, work: Any) -> None:
    setup.shuffle_and_deal(state, rules, work)


@kernel()
def legal(state: Any, rules: Any, work: Any) -> int:
    return choices.list_actions(state, rules, work)


@kernel()
def step(state: Any, rules: Any, action: int, work: Any) -> None:
    if state.phase == PICK:
        storm.pick(state, rules, np.uint64(action))
    else:
        turn.play(state, rules, np.uint64(action))


@kernel()
def random_action(state: Any, rules: Any, work: Any) -> int:
    if state.phase == PICK:
        return np.int64(choices.random_pick(state, work))
    return np.int64(choices.random_play(state, rules, work))


@kernel()
def returns(state: Any, rules: Any, work: Any) -> None:
    scoring.add_up(state, rules, work)
    scoring.share_win(rules, work)


@kernel()
def statistics(state: Any, rules: Any, work: Any) -> None:
    scoring.count_turns(state, rules, work)


@kernel()
def rollout(state: Any, rules: Any, work: Any) -> None:
    while state.actor >= 0:
        if state.phase == PLAY:
            turn.play(state, rules, choices.random_play(state, rules, work))
        else:
            storm.finish_at_random(state, rules, work)
    scoring.add_up(state, rules, work)
    scoring.share_win(rules, work)


@kernel()
def determinize(state: Any, rules: Any, seat: int, work: Any) -> None:
    hidden.redistribute(state, rules, seat, work)


@kernel()
def info_key(state: Any, rules: Any, seat: int) -> Any:
    return hidden.knowledge_key(state, rules, seat)


@kernel()
def foresee(state: Any, rules: Any, action: int, work: Any) -> None:
    hidden.foresee(state, rules, np.uint64(action))


@kernel()
def copy(target: Any, source: Any) -> None:
    assign(target, source)
