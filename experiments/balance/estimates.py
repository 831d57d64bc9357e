"""Estimates with a standard error from totals, and differences between designs on the same deals.

The standard error is that of the delete-a-group jackknife (Busing, Meijer and van der Leeden, Delete-m jackknife for
unequal m, 1999), with Student's t on (groups - 1) degrees of freedom. What leaving out a group changes is kept, so that
the difference of two designs, whose groups hold the same deals, has the error of paired deals.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.balance.totals import Totals
from experiments.intervals import CONFIDENCE, Interval, t_probability, t_quantile, wilson

Floats = npt.NDArray[np.float64]
Function = Callable[["Sums"], Floats]
"""From sums to the value of a metric; sums and value are vectors: all deals, then all but those of each group."""


class Sums:
    """What a metric is a function of: for each feature the sum over all deals, and over all but those of each group."""

    def __init__(self, totals: Totals, players: int) -> None:
        """Read totals of one number of players."""
        self.players = players
        self._totals = totals

    def __getitem__(self, name: str) -> Floats:
        """Return the sums of a feature, float64 (1 + GROUPS,)."""
        each = self._totals.column(name)
        whole = each.sum()
        return np.concatenate([[whole], whole - each]).astype(np.float64)

    def __contains__(self, name: str) -> bool:
        """Tell whether there is such a feature."""
        return name in self._totals.names


class Estimate(NamedTuple):
    """A value, and what its interval needs.

    Attributes:
        value: from all deals; NaN where it is not defined.
        apart: float64 (GROUPS,), the normed deviation that each group brings, 0 for groups without observations.
        groups: groups with observations.
        n: observations: games, or what the metric counts.
        deals: deals of these.
        looks: among how many numbers the value was picked as the largest; 0 where it was not.
    """

    value: float
    apart: Floats
    groups: int
    n: int
    deals: int
    looks: int = 0

    @property
    def variance(self) -> float:
        """The square of the standard error; NaN with fewer than two groups."""
        return float(self.apart @ self.apart) / self.groups if self.groups > 1 else math.nan


def estimate(function: Function, sums: Sums, size: str, looks: int = 0) -> Estimate:
    """Work out a metric.

    Args:
        function: the metric.
        sums: of the deals.
        size: the feature that counts the metric's observations.
        looks: among how many numbers the metric picks the largest; 0 where it picks none.
    """
    sizes = sums[size]
    whole = sizes[0]
    here = whole - sizes[1:]
    there = here > 0
    k = int(there.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(function(sums), dtype=np.float64)
        apart = np.zeros(len(here))
        if k > 1:
            share = whole / here[there]
            pseudo = share * values[0] - (share - 1) * values[1:][there]
            apart[there] = (pseudo - pseudo.mean()) / np.sqrt(share - 1)
    deals = round(sums["deals"][0] * whole / sums["games"][0]) if "deals" in sums else int(whole)
    return Estimate(float(values[0]), apart, k, int(whole), deals, looks)


def interval(found: Estimate, is_share: bool, family: int = 1) -> Interval:
    """Return the 95 % interval of an estimate: Wilson's for shares, by their effective size, else symmetric.

    A share that is the same in all groups is 0 or 1 in all games; each counts as one observation. A gap that was picked
    as the largest of several is 0 at least and 1 at most, and its interval is one of so many that all hold at once.

    Args:
        found: the estimate.
        is_share: whether it lies between 0 and 1.
        family: intervals that shall all hold at once in 95 % (Bonferroni).
    """
    if math.isnan(found.value) or found.groups < 2 or math.isnan(found.variance):
        return Interval(found.value, math.nan, math.nan)
    t = t_quantile(found.groups - 1, family * max(1, found.looks))
    if is_share:
        value = min(max(found.value, 0.0), 1.0)
        size = value * (1 - value) / found.variance if found.variance > 0 else 0.0
        low, high = wilson(value, size or found.n, t)
        return Interval(value, 0.0 if value == 0 else low, 1.0 if value == 1 else high)
    half = t * math.sqrt(found.variance)
    low, high = found.value - half, found.value + half
    return Interval(found.value, low, high) if not found.looks else Interval(found.value, max(low, 0), min(high, 1))


class Difference(NamedTuple):
    """A design less the base.

    Attributes:
        interval: of the difference.
        p_value: of one so far from 0, or farther, if there were none; NaN where there is no test.
        gain: how many times fewer games paired deals take than deals of their own would: the sum of the two variances
            over that of the difference; infinite where the difference has none.
    """

    interval: Interval
    p_value: float
    gain: float


def difference(of: Estimate, base: Estimate) -> Difference:
    """Compare a design with the base on the same deals."""
    value, groups, error = of.value - base.value, min(of.groups, base.groups), _error(of, base)
    if math.isnan(value) or math.isnan(error):
        return Difference(Interval(value, math.nan, math.nan), math.nan, math.nan)
    same = 1.0 if value == 0 else 0.5 ** (groups - 1)  # every group says the same: the sign test
    p_value = 2 * t_probability(-abs(value) / error, groups - 1) if error > 0 else same
    apart_each = of.variance + base.variance
    gain = apart_each / error**2 if error > 0 else math.inf if apart_each > 0 else math.nan
    half = half_width(of, base)
    return Difference(Interval(value, value - half, value + half), p_value, gain)


def half_width(of: Estimate, base: Estimate, family: int = 1) -> float:
    """Return half the width of the 95 % interval of a difference on the same deals, NaN where there is none.

    Where all deals say the same, those that would say otherwise are fewer than 3 in `deals` (the rule of three), and
    one is taken to change the number by 4 standard deviations at most.

    Args:
        of: the design.
        base: the base.
        family: intervals that shall all hold at once (Bonferroni).
    """
    error = _error(of, base)
    if error == 0:
        rare = -math.log((1 - CONFIDENCE) / family) / base.deals
        return rare * 4 * math.sqrt(base.variance * base.deals)
    return math.nan if math.isnan(error) else t_quantile(min(of.groups, base.groups) - 1, family) * error


def _error(of: Estimate, base: Estimate) -> float:
    """Return the standard error of a difference; NaN where it is not known."""
    apart, groups = of.apart - base.apart, min(of.groups, base.groups)
    return math.sqrt(float(apart @ apart) / groups) if groups > 1 else math.nan
