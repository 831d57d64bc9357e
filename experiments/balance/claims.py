"""What is claimed of a game: ranges of metrics, put into words.

Which claims are made follows from the base alone, so that no deck is judged by what was found with itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from experiments.balance.metrics import DECISIONS, SEAT_GAP, SKILL
from experiments.balance.targets import Target, read

SEATS_DIFFER = 0.05
"""From which gap between seats on (win share) it is claimed that they differ."""

_RARE = {
    "split_share": (0.02, "{} {:g} % of wins are split"),
    "unwon_share": (0.02, "{} {:g} % of games have no winner"),
    "shortage_share": (0.2, "{} {:g} % of games run short of Heat"),
}
"""From which share of games on something is called frequent."""

_NEAR = {
    DECISIONS: (0.05, "games last {} to {} decisions"),
    "turns_mean": (0.05, "games last {} to {} turns"),
    "score_mean": (0.1, "a seat scores {} to {} points"),
    "spread_mean": (0.1, "the best leads the worst by {} to {} points"),
    "heat_mean": (0.1, "a seat ends with {} to {} Heat"),
}
"""How near to the base's value a metric is claimed to be, as a part of it."""

Cells = Mapping[tuple[str, int, str], float]
"""The base's metrics by name, number of players and agent."""


class Claim(NamedTuple):
    """Something that is claimed of one number of players and one level.

    Attributes:
        statement: in words.
        target: the range in which the metric should lie.
        players: the number of players.
        agent: the level.
    """

    statement: str
    target: Target
    players: int
    agent: str


def claims(base: Cells, weaker: Mapping[str, str], asked: Sequence[Target] = ()) -> list[Claim]:
    """Return what is claimed: what was asked for, and what the base's own numbers suggest.

    Args:
        base: the base's metrics.
        weaker: for each agent the one that it meets alone.
        asked: further claims; each is made of every number of players and level that it speaks of.
    """
    made = []
    for (metric, players, agent), value in base.items():
        for target in asked:
            if target.speaks_of(metric, players, agent):
                made.append(Claim(target.text, target, players, agent))
        if not math.isnan(value):
            usual = _usual(metric, value, agent, weaker[agent])
            made += [Claim(statement, read(text), players, agent) for statement, text in usual]
    return sorted(made, key=lambda claim: claim.target not in asked)


def _usual(metric: str, value: float, agent: str, weaker: str) -> Iterator[tuple[str, str]]:
    """Give what is claimed of a metric, in words and as a range."""
    if metric == "first_seat":
        yield f"seat 0 wins {'more' if value > 0 else 'less'} than its share", f"{metric}{_sign(value > 0)}0"
    elif metric == SKILL:
        yield f"{agent} alone beats {weaker}", f"{metric}>0"
    elif metric == SEAT_GAP:
        more = value > SEATS_DIFFER
        yield f"seats differ by {_than(more)} {100 * SEATS_DIFFER:g} % of games", f"{metric}{_sign(more)}{SEATS_DIFFER}"
    elif metric in _RARE and value > 0:
        limit, words = _RARE[metric]
        yield words.format(_than(value > limit), 100 * limit), f"{metric}{_sign(value > limit)}{limit}"
    elif metric in _NEAR and value > 0:
        part, words = _NEAR[metric]
        low, high = (f"{value * (1 + side * part):.3g}" for side in (-1, 1))
        yield words.format(low, high), f"{metric}={low}..{high}"


def _sign(more: bool) -> str:
    return ">" if more else "<"


def _than(more: bool) -> str:
    return "more than" if more else "less than"
