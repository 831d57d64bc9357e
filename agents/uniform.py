"""`random`: uniform over the distinct legal actions."""

from __future__ import annotations

from typing import Any

from agents.base import Agent, building
from gameapi import kernel


def choose(state: Any, rules: Any, work: Any, me: Any) -> int:
    """Return a uniform action."""
    return kernel.random_action(state, rules, work)


AGENT = Agent("random", "Uniform over the distinct legal actions", "baseline", building(choose), policy=True)
