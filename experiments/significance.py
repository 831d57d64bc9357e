"""Every test of the lab: two-sided, clustered by deal, with the errors of a family of tests kept together.

A test compares sums over deals with their spread between deals, as intervals do, so games of one deal are never taken
for independent. All are F tests: the chi-square statistic of Wald's test over its degrees of freedom, with the
small-sample correction that makes it exact for deals whose sums are normal (Hotelling's T squared).
Sources: Hotelling (1931); Wald (1943); Wilson (1927); Holm, A simple sequentially rejective multiple test procedure
(1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.intervals import Moments, effective_size

FAMILIES = (
    "Tests are F tests clustered by deal. p_adjusted is by Holm's method: where those below 0.05 are taken for "
    "differences, any false alarm in a family has a probability of at most 5 %. Families: the seats tests of all "
    "numbers of players; the pair tests of each number of players."
)
DIGITS = 9  # significant digits of a statistic: what the last bits of a solver may not touch


class FTest(NamedTuple):
    """An F statistic, its degrees of freedom of numerator and denominator, and its p-value; NaN where there is none."""

    statistic: float
    df: int
    df_error: int
    p_value: float


def share_is(half: Moments, unit: int = 1) -> FTest:
    """Test that a share is one half; p < 0.05 exactly where `intervals.share` has an interval without 1/2.

    Args:
        half: as for `intervals.share`.
        unit: parts in a whole.
    """
    if half.deals < 2 or half.m == 0:
        return FTest(math.nan, 1, half.deals - 1, math.nan)
    value, size = effective_size(half, unit)
    # Wilson's: the spread that the effective sample would have if the share were one half
    return _test(float(size * (2 * value - 1) ** 2), 1, half.deals - 1)


def means_are_equal(totals: Sequence[int], products: npt.NDArray[np.int64], deals: int) -> FTest:
    """Test that several sums of a deal have the same mean.

    Args:
        totals: sums over deals.
        products: (sums, sums), sums over deals of products.
        deals: number of deals; fewer than there are sums allow no test.
    """
    k = len(totals) - 1
    if deals <= k:
        return FTest(math.nan, k, deals - k, math.nan)
    whole = [int(value) for value in totals]
    apart = [whole[i] - whole[k] for i in range(k)]
    # deals squared times the covariance of the sums, less the last, exact until it is divided
    spread = [
        [
            deals * sum(sign * int(products[a, b]) for a, b, sign in ((i, j, 1), (i, k, -1), (k, j, -1), (k, k, 1)))
            - apart[i] * apart[j]
            for j in range(k)
        ]
        for i in range(k)
    ]
    scaled = np.array([[float(Fraction(value, deals * deals)) for value in row] for row in spread])
    if np.linalg.matrix_rank(scaled) < k:  # some sums do not vary, so there is nothing to test by
        return FTest(math.nan, k, deals - k, math.nan)
    mean = np.array(apart) / deals
    distance = float(mean @ np.linalg.solve(scaled, mean))
    return _test(float(f"{(deals - k) / k * distance:.{DIGITS}g}"), k, deals - k)


def _test(statistic: float, df: int, df_error: int) -> FTest:
    from scipy.special import fdtrc

    return FTest(statistic, df, df_error, float(fdtrc(df, df_error, statistic)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust the p-values of a family: those below 5 % are the tests that reject with a family error of 5 % at most.

    Args:
        p_values: NaN where there was no test; it stays and is not counted.
    """
    ranked = sorted((p, i) for i, p in enumerate(p_values) if not math.isnan(p))
    adjusted, least = [math.nan] * len(p_values), 0.0
    for place, (p, i) in enumerate(ranked):
        least = max(least, min(1.0, (len(ranked) - place) * p))
        adjusted[i] = least
    return adjusted
