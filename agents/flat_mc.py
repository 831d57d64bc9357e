"""`mc`: flat Monte Carlo over determinizations, the budget shared out by sequential halving.

Every candidate is tried in the same worlds with the same random numbers, so that differences between candidates are not
drowned by differences between worlds. Source: Karnin, Koren, Somekh, Almost optimal exploration in multi-armed bandits
(2013), with the figures of earlier rounds kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agents import rollout
from agents.base import AUTO, Agent, Build, Parameter, PolicyOf, Value
from agents.greedy import lead
from gameapi import clock, kernel
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise
from gameapi.rng import draw

_ROLLOUTS, _TIME, _MARGIN = range(3)

PARAMETERS = (
    Parameter(
        "policy",
        AUTO,
        choices=(AUTO, "random", "greedy", "heuristic"),
        meaning="who plays the rollouts; auto: random in Hot Heads, heuristic in Heat",
    ),
    Parameter("rollouts", 64, 1, 1_000_000, meaning="rollouts a decision for each legal action, on average"),
    Parameter("time", 0.0, 0.0, 1e7, meaning="milliseconds a decision instead, 0 for none; not repeatable"),
    Parameter("margin", 0.05, 0.0, 1.0, meaning="worth of a point of lead over the best opponent, a win being 1"),
)


def play_out(state: Any, rules: Any, work: Any, me: Any) -> None:
    """Stand for the rollout, which `build` binds."""
    raise NotImplementedError


def imagine(world: Any, rules: Any, seat: int, work: Any) -> None:
    """Stand for what a seat takes the hidden cards to be, which `build_with` binds."""
    raise NotImplementedError


def by_knowledge(world: Any, rules: Any, seat: int, work: Any) -> None:
    """Draw all that the seat does not know anew."""
    kernel.determinize(world, rules, seat, work)


def try_all(state: Any, rules: Any, work: Any, me: Any, n: int) -> None:
    """Play every one of the first n candidates out in one new world and add up what they bring."""
    seat = np.int64(state.actor)
    kernel.copy(work.world, state)
    imagine(work.world, rules, seat, work)
    after = draw(work)
    common = draw(work)
    for i in range(n):
        work.stream = common
        kernel.copy(work.playout, work.world)
        kernel.step(work.playout, rules, np.int64(work.candidate[i]), work)
        play_out(work.playout, rules, work, me)
        work.rollouts += 1
        work.total[i] += work.win[seat] + me.parameter[_MARGIN] * lead(rules, work, seat)
    work.stream = after


@compiled()
def keep_best(work: Any, n: int, keep: int) -> None:
    """Move the best `keep` of the first n candidates to the front, best first; equal ones keep their order."""
    for place in range(keep):
        best = place
        for i in range(place + 1, n):
            if work.total[i] > work.total[best]:
                best = i
        total, action = work.total[best], work.candidate[best]
        for i in range(best, place, -1):
            work.total[i] = work.total[i - 1]
            work.candidate[i] = work.candidate[i - 1]
        work.total[place], work.candidate[place] = total, action


def choose(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Return the candidate that is left after all halvings."""
    n = kernel.legal(state, rules, work)
    for i in range(n):
        work.candidate[i] = work.legal[i]
        work.total[i] = 0.0
    rounds = 0
    while 1 << rounds < n:
        rounds += 1
    budget = me.parameter[_ROLLOUTS] * n
    slice_ns = np.int64(me.parameter[_TIME] * 1e6 / max(rounds, 1))
    while n > 1:
        worlds = max(1, int(budget / (rounds * n)))
        start = clock.nanoseconds() if slice_ns else 0
        played = 0
        while played < worlds or slice_ns:
            if slice_ns and played and clock.nanoseconds() - start >= slice_ns:
                break
            try_all(state, rules, work, me, n)
            played += 1
        keep_best(work, n, (n + 1) // 2)
        n = (n + 1) // 2
    return np.int64(work.candidate[0])


def build_with(imagining: Callable[..., None]) -> Build:
    """Return the `build` of a search whose worlds are what `imagining` makes of the state."""

    def build(game: Game, values: Mapping[str, Value], policy_of: PolicyOf) -> Callable[..., Any]:
        """Return the agent of a game with the rollout policy asked for."""
        name = str(values["policy"])
        label = f"{game.name}-{name}-{imagining.__name__}"
        out = rollout.by_policy(game, name, None if name == "random" else policy_of(name))
        world = compiled()(specialise(imagining, label, kernel=game.kernels))
        bound = specialise(choose, label, parts=(try_all,), kernel=game.kernels, imagine=world, play_out=out)
        return compiled(game.agent_signature)(bound)

    return build


def cost(values: Mapping[str, Value]) -> float:
    """Return the nominal cost of a game, in random games."""
    a_rollout = {AUTO: 1.0, "random": 1.0, "greedy": 40.0, "heuristic": 50.0}[str(values["policy"])]
    if values["time"]:
        return 40.0 * float(values["time"]) * 1000.0
    return 1000.0 * float(values["rollouts"]) * a_rollout


AGENT = Agent(
    "mc",
    "Flat Monte Carlo over determinizations with sequential halving and common random numbers",
    "Karnin, Koren, Somekh 2013",
    build_with(by_knowledge),
    PARAMETERS,
    cost=cost,
)
