"""Play a state out to its end by a policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gameapi import kernel
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise


def policy(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Stand for the policy, which `by_policy` binds."""
    raise NotImplementedError


def uniform(state: Any, rules: Any, work: Any, me: Any) -> None:
    """Play uniform random actions to the end and write the returns: the game's own fused rollout."""
    kernel.rollout(state, rules, work)


def by_choice(state: Any, rules: Any, work: Any, me: Any) -> None:
    """Let a policy choose every action to the end and write the returns."""
    while state.actor >= 0:
        kernel.step(state, rules, np.int64(policy(state, rules, work, me)), work)
    kernel.returns(state, rules, work)


def by_policy(game: Game, name: str, chooser: Callable[..., Any] | None) -> Callable[..., Any]:
    """Return a compiled helper (state, rules, work, me) that plays out; without a chooser, at random."""
    if chooser is None:
        return compiled()(specialise(uniform, f"{game.name}-{name}", kernel=game.kernels))
    bound = specialise(by_choice, f"{game.name}-{name}", kernel=game.kernels, policy=chooser)
    return compiled()(bound)
