"""`random`: uniform over the distinct legal actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from agents.base import Agent, PolicyOf, Value
from gameapi import kernel
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise


def choose(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Return a uniform action."""
    return kernel.random_action(state, rules, work)


def build(game: Game, values: Mapping[str, Value], policy_of: PolicyOf) -> Callable[..., Any]:
    """Return the agent of a game."""
    return compiled(game.agent_signature)(specialise(choose, game.name, kernel=game.kernels))


AGENT = Agent("random", "Uniform over the distinct legal actions", "baseline", build, policy=True)
