"""`greedy`: one ply ahead, the best lead over the best opponent if the game were scored now."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import Agent, building
from gameapi import kernel
from gameapi.jit import kernel as compiled
from gameapi.rng import draw_below


@compiled()
def lead(rules: Any, work: Any, seat: int) -> int:
    """Return a seat's score less the best score among the other players, from `work.score`."""
    best = -(1 << 30)
    for other in range(rules.players):
        if other != seat:
            best = max(best, work.score[other])
    return work.score[seat] - best


def choose(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Return the action with the best lead, a uniform one among equals."""
    seat = np.int64(state.actor)
    best, equals, choice = -(1 << 31), 0, 0
    for i in range(kernel.legal(state, rules, work)):
        action = np.int64(work.legal[i])
        kernel.copy(work.trial, state)
        kernel.foresee(work.trial, rules, action, work)
        kernel.returns(work.trial, rules, work)
        value = lead(rules, work, seat)
        if value > best:
            best, equals, choice = value, 1, action
        elif value == best:
            equals += 1
            if draw_below(work, np.uint64(equals)) == np.uint64(0):
                choice = action
    return choice


AGENT = Agent(
    "greedy",
    "One ply: the best lead over the best opponent if the game were scored now",
    "baseline",
    building(choose),
    cost=lambda values: 40.0,
    policy=True,
)
