"""`heuristic` of Hot Heads: a rule of thumb with named parameters.

Each action is judged by the table it would leave. A column is worth its altitude and helicopters times the chance that
it stays: that chance falls as the column nears the highest other one of its type, the more gradually the more storms
are to come. A seat's prospect is the sum over its columns; the rule wants its own prospect high and those of the others
low, which is what makes it dump cards on rivals, sabotage them, and raise the dummy. Cards that a storm discards
harmlessly (wilds, helicopters, sabotage) have a worth in hand while storms are to come.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.base import Agent, Parameter, building
from gameapi import kernel
from gameapi.jit import kernel as compiled
from gameapi.kernel import POLICY_PARAMETERS
from gameapi.rng import draw
from hotsim.columns import ONE, altitude, helicopters
from hotsim.layout import PICK, TYPES

_FACE = np.uint64(63)
_NONE = -1000.0
_MARGIN, _SOFTNESS, _STORMS, _LONE, _RIVALS, _BEST, _SPECIAL, _SURPLUS = range(POLICY_PARAMETERS, POLICY_PARAMETERS + 8)

PARAMETERS = (
    Parameter("margin", 2.0, -5.0, 10.0, meaning="how far below the highest column it wants to fly"),
    Parameter("softness", 0.5, 0.1, 20.0, meaning="how gradually the danger of flying too high sets in, in points"),
    Parameter("storms", 1.0, 0.0, 5.0, meaning="added softness for each storm to come, as a part of softness"),
    Parameter("lone", 0.3, 0.0, 1.0, meaning="chance that a column without a rival stays"),
    Parameter("rivals", 1.0, 0.0, 3.0, meaning="weight of the other players' mean prospect"),
    Parameter("best", 0.25, 0.0, 3.0, meaning="weight of the best other player's prospect"),
    Parameter("special", 0.25, 0.0, 5.0, meaning="worth of keeping a wild, helicopter or sabotage, a storm to come"),
    Parameter("surplus", 0.6, 0.0, 5.0, meaning="worth of getting rid of a typed card in hand, a storm to come"),
)


@compiled()
def highest_other(state: Any, rules: Any, seat: int, t: int) -> float:
    """Return the highest altitude of a type among the other seats' columns, the dummy's too."""
    highest = _NONE
    for other in range(rules.seats):
        column = TYPES * other + t
        if other != seat and state.standing >> np.uint64(column) & ONE:
            highest = max(highest, float(altitude(state.columns[column])))
    return highest


@compiled()
def prospect(state: Any, rules: Any, seat: int, me: Any, softness: float) -> float:
    """Return what a seat's columns promise: value times the chance to stay, summed."""
    total = 0.0
    for t in range(TYPES):
        column = TYPES * seat + t
        if not state.standing >> np.uint64(column) & ONE:
            continue
        word = state.columns[column]
        height = float(altitude(word))
        highest = highest_other(state, rules, seat, t)
        if highest == _NONE:
            stays = me.parameter[_LONE]
        else:
            room = (highest - height - me.parameter[_MARGIN]) / softness
            stays = 0.5 + 0.5 * room / (1.0 + abs(room))
        total += stays * (height + float(rules.helicopter_points * helicopters(word)))
    return total


@compiled()
def judge(state: Any, rules: Any, seat: int, me: Any, softness: float) -> float:
    """Return a table's worth to a seat: its own prospect less those of the others."""
    own, best, total = 0.0, -1.0e9, 0.0
    for other in range(rules.players):
        value = prospect(state, rules, other, me, softness)
        if other == seat:
            own = value
        else:
            total += value
            best = max(best, value)
    return own - me.parameter[_BEST] * best - me.parameter[_RIVALS] * total / (rules.players - 1)


def choose(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Return the action that leaves the best table."""
    seat = np.int64(state.actor)
    ahead = float(rules.storms - state.storms)
    softness = me.parameter[_SOFTNESS] * (1.0 + me.parameter[_STORMS] * ahead)
    best, choice = -1.0e18, 0
    for i in range(kernel.legal(state, rules, work)):
        action = np.int64(work.legal[i])
        kernel.copy(work.trial, state)
        kernel.foresee(work.trial, rules, action, work)
        value = judge(work.trial, rules, seat, me, softness)
        if rules.typed >> (np.uint64(action) & _FACE) & ONE:
            value += me.parameter[_SURPLUS] * ahead
        elif state.phase != PICK:
            value -= me.parameter[_SPECIAL] * ahead
        value += 1e-9 * float(draw(work) >> np.uint64(40))
        if value > best:
            best, choice = value, action
    return choice


AGENT = Agent(
    "heuristic",
    "A rule of thumb: high but not highest, storms ahead, spite",
    "our own",
    building(choose),
    PARAMETERS,
    cost=lambda values: 50.0,
    policy=True,
)
