"""`clairvoyant`: `mc` that sees all cards. It cheats: what it wins beyond `mc` is what the hidden cards are worth.

Its rollouts start from the true state, with other hands, the order of the deck, and choices already made but not yet
revealed. An upper bound of what reading the table could win, for a player who thinks as far as `mc` does.
"""

from __future__ import annotations

from typing import Any

from agents.base import Agent
from agents.flat_mc import PARAMETERS, build_with, cost


def by_sight(world: Any, rules: Any, seat: int, work: Any) -> None:
    """Leave the world as it is."""


AGENT = Agent(
    "clairvoyant",
    "mc that sees all hidden cards and choices, to measure what they are worth",
    "mc without determinization",
    build_with(by_sight),
    PARAMETERS,
    cost=cost,
    fair=False,
)
