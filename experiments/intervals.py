"""Every interval of the lab: 95 %, clustered by deal.

The same deal is played in all seatings of all line-ups, so the games of one deal are not independent of each other; the
deals are. An estimate is a ratio of two sums over deals, and its variance is the cluster-robust (sandwich, linearised)
one: with y_d and m_d the two sums of deal d, r = sum y / sum m and D deals,

    var(r) = D / (D - 1) * sum_d (y_d - r m_d)^2 / (sum_d m_d)^2,

with quantiles of Student's t on D - 1 degrees of freedom. All sums are integers and are worked with exactly. Where an
estimate is no ratio, its variance is that of the delete-a-group jackknife over groups of whole deals.
Sources: Cochran, Sampling Techniques (1977), ratio estimators; Wilson (1927) and Korn and Graubard (1998) for shares
with an effective sample size; Busing, Meijer and van der Leeden, Delete-m jackknife for unequal m (1999).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

CONFIDENCE = 0.95

METHOD = (
    "Intervals are 95 % and clustered by deal, since a deal is played in all seatings of all line-ups. Shares: Wilson "
    "interval with Student's t on (deals - 1) degrees of freedom and the effective sample size that the cluster-robust "
    "variance implies; where all deals agree each counts as one observation; an agent that meets nobody but "
    "itself has its share for certain. Ratings: estimate plus and minus t times the standard error of the "
    "delete-a-group jackknife over 32 groups of deals. With fewer than two deals there is no interval."
)


class Moments(NamedTuple):
    """What a ratio and its interval need: sums over deals of y_d, m_d and their products.

    Attributes:
        y: sum of the numerators y_d.
        m: sum of the denominators m_d.
        yy: sum of y_d * y_d.
        ym: sum of y_d * m_d.
        mm: sum of m_d * m_d.
        deals: the number of deals D.
    """

    y: int
    m: int
    yy: int
    ym: int
    mm: int
    deals: int

    @classmethod
    def with_constant(cls, y: int, yy: int, each: int, deals: int) -> Moments:
        """Give the moments where every deal has the same denominator `each`."""
        return cls(y, each * deals, yy, each * y, each * each * deals, deals)


class Interval(NamedTuple):
    """An estimate and the ends of its 95 % interval; NaN where there is none."""

    value: float
    low: float
    high: float


@cache
def t_quantile(freedom: float) -> float:
    """Return the quantile of Student's t that a two-sided 95 % interval takes.

    Args:
        freedom: degrees of freedom, at least 1.
    """
    from scipy.special import stdtrit  # only where an interval is wanted: light commands stay light

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def t_probability(value: float, freedom: float) -> float:
    """Return the probability that Student's t is below a value."""
    from scipy.special import stdtr

    return float(stdtr(freedom, value))


def variance(sums: Moments) -> Fraction:
    """Return the cluster-robust variance of the ratio y / m, exactly.

    Args:
        sums: at least two deals and a denominator that is not 0.
    """
    y, m, yy, ym, mm, deals = sums
    # sum of squared residuals times m^2, so that everything stays an integer
    squares = m * m * yy - 2 * y * m * ym + y * y * mm
    return Fraction(deals * squares, (deals - 1) * m**4)


def share(sums: Moments, unit: int = 1, fixed: bool = False) -> Interval:
    """Estimate a share between 0 and 1.

    Args:
        sums: of a numerator counted in parts of `unit` (60 for wins in sixtieths) and of a denominator in wholes.
        unit: parts in a whole.
        fixed: whether the plan leaves the share no room, as where an agent meets nobody but itself.

    Returns:
        The share with its Wilson interval; NaN throughout where the denominator is 0.
    """
    if sums.m == 0:
        return Interval(math.nan, math.nan, math.nan)
    if sums.deals < 2:
        return Interval(float(Fraction(sums.y, sums.m * unit)), math.nan, math.nan)
    value, effective = effective_size(sums, unit)
    if fixed and variance(_in_parts(sums, unit)) == 0:
        return Interval(float(value), float(value), float(value))
    low, high = wilson(float(value), float(effective), t_quantile(sums.deals - 1))
    return Interval(float(value), 0.0 if value == 0 else low, 1.0 if value == 1 else high)


def effective_size(sums: Moments, unit: int = 1) -> tuple[Fraction, Fraction]:
    """Return a share, and the number of independent observations that would leave it as much in doubt.

    Args:
        sums: as for `share`, of at least two deals.
        unit: parts in a whole.
    """
    whole = _in_parts(sums, unit)
    value, spread = Fraction(whole.y, whole.m), variance(whole)
    return value, Fraction(sums.deals) if spread == 0 else value * (1 - value) / spread


def _in_parts(sums: Moments, unit: int) -> Moments:
    """Return the moments with the denominator counted in parts, as the numerator is."""
    return sums._replace(m=sums.m * unit, ym=sums.ym * unit, mm=sums.mm * unit * unit)


def wilson(value: float, n: float, t: float) -> tuple[float, float]:
    """Return the ends of Wilson's interval of a share.

    Args:
        value: the share.
        n: independent observations that would leave it as much in doubt.
        t: quantile.
    """
    centre = value + t * t / (2 * n)
    half = t * math.sqrt(value * (1 - value) / n + t * t / (4 * n * n))
    scale = 1 + t * t / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def mean(sums: Moments) -> Interval:
    """Estimate a mean, or any ratio that is not bound to 0 to 1, with a symmetric t interval."""
    if sums.m == 0:
        return Interval(math.nan, math.nan, math.nan)
    value = float(Fraction(sums.y, sums.m))
    if sums.deals < 2:
        return Interval(value, math.nan, math.nan)
    half = t_quantile(sums.deals - 1) * math.sqrt(variance(sums))
    return Interval(value, value - half, value + half)


def jackknife(
    whole: npt.NDArray[np.float64], left_out: npt.NDArray[np.float64], sizes: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the delete-a-group jackknife covariance of several estimates.

    Args:
        whole: (estimates,), from all deals.
        left_out: (groups, estimates), from all deals but those of a group; at least two groups.
        sizes: (groups,), deals of each group, not all of them equal where deals do not divide evenly.
    """
    share = (sizes.sum() / sizes)[:, None]
    pseudo = share * whole - (share - 1) * left_out
    apart = (pseudo - pseudo.mean(axis=0)) / np.sqrt(share - 1)
    covariance: npt.NDArray[np.float64] = apart.T @ apart / len(sizes)
    return covariance


def interval_row(name: str, found: Interval) -> dict[str, float]:
    """Return an interval as three columns of a table."""
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def ratio(numerator: int, denominator: int) -> float:
    """Return a ratio of integers, NaN where the denominator is 0."""
    return float(Fraction(numerator, denominator)) if denominator else math.nan


def standard_deviation(n: int, total: int, squares: int) -> float:
    """Return the sample standard deviation (divisor n - 1) of n integers from their sum and sum of squares."""
    if n < 2:
        return math.nan
    return math.sqrt(Fraction(n * squares - total * total, n * (n - 1)))
