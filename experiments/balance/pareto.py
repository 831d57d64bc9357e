"""Which designs no other one beats in every respect, and how sure that is.

Estimates of designs on the same deals depend on each other. What else the deals could have brought is drawn from the
normal distribution that their jackknife gives: the deviation of each group of deals, times a normal number that all
estimates share (multiplier bootstrap: van der Vaart and Wellner, Weak Convergence and Empirical Processes, 1996). The
share of draws in which something holds tells how sure it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.balance.estimates import Estimate, Floats
from experiments.balance.totals import GROUPS

DRAWS = 2000

Bools = npt.NDArray[np.bool_]


class Aim(NamedTuple):
    """What a design is wished to be.

    Attributes:
        metric: the number that is looked at.
        question: the aim in words.
        sign: 1 where more is better, -1 where less is, 0 where closer to `wish` is.
        wish: the wished value, where there is one.
    """

    metric: str
    question: str
    sign: int
    wish: float = 0.0

    def goodness(self, values: Floats) -> Floats:
        """Return values turned so that more is better."""
        return self.sign * values if self.sign else -np.abs(values - self.wish)


def drawn(estimates: Sequence[Estimate], seed: int) -> Floats:
    """Return what the estimates could have been: float64 (estimates, DRAWS), NaN where there is no error known.

    Args:
        estimates: all on the same deals.
        seed: of the draws.
    """
    values = np.array([found.value for found in estimates])
    apart = np.array([found.apart for found in estimates])
    groups = np.array([found.groups if found.groups > 1 else np.nan for found in estimates])
    drawn: Floats = values[:, None] + apart @ _shared(seed) / np.sqrt(groups)[:, None]
    return drawn


@lru_cache(maxsize=1)
def _shared(seed: int) -> Floats:
    """Return the normal numbers that all estimates share: (GROUPS, DRAWS)."""
    return np.random.default_rng(abs(seed)).standard_normal((GROUPS, DRAWS))


def front(good: Floats) -> Bools:
    """Tell which designs no other one beats: none is at least as good in all aims, and better in one.

    Args:
        good: (aims, designs, draws), more being better.

    Returns:
        (designs, draws).
    """
    found = np.ones(good.shape[1:], dtype=np.bool_)
    for design in range(good.shape[1]):
        own = good[:, design : design + 1]
        beaten = (good >= own).all(axis=0) & (good > own).any(axis=0)
        found[design] = ~beaten.any(axis=0)
    return found


def best(good: Floats) -> Floats:
    """Return how often each design is the best of all in one aim, those that tie sharing it.

    Args:
        good: (designs, draws), more being better.
    """
    top = good == good.max(axis=0)
    shares: Floats = (top / top.sum(axis=0)).mean(axis=1)
    return shares
