"""How final scores are distributed, as figures draw it: how often each occurs, and quartiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Distribution(NamedTuple):
    """The final scores of an agent with one number of players.

    Attributes:
        players: seats at the table.
        agent: the agent's whole spec.
        scores: int64 (n,), one less than the lowest to one more than the highest score, without gaps.
        density: float64 (n,), how often each occurs, the most frequent being 1.
        quartiles: lower quartile, median and upper quartile.
        n: seats counted.
    """

    players: int
    agent: str
    scores: npt.NDArray[np.int64]
    density: npt.NDArray[np.float64]
    quartiles: tuple[int, int, int]
    n: int


def distributions(scores: Mapping[str, Any]) -> list[Distribution]:
    """Return the distribution of each (players, agent) in the order of the table.

    Args:
        scores: the table `scores`, as a dict of columns or a pandas frame; scores ascend.
    """
    found: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for n, agent, score, times in zip(*(scores[name] for name in ("players", "agent", "score", "n")), strict=True):
        found.setdefault((n, agent), []).append((score, times))
    return [_distribution(n, agent, counted) for (n, agent), counted in found.items()]


def _distribution(players: int, agent: str, counted: list[tuple[int, int]]) -> Distribution:
    values, counts = np.array(counted).T
    wide = np.arange(values[0] - 1, values[-1] + 2)
    density = np.zeros(len(wide))
    density[values - wide[0]] = counts / counts.max()
    below = np.cumsum(counts) / counts.sum()
    low, median, high = (int(values[np.searchsorted(below, part)]) for part in (0.25, 0.5, 0.75))
    return Distribution(players, agent, wide, density, (low, median, high), int(counts.sum()))
