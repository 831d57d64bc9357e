"""Every interval of the lab: 95 %, clustered by deal.

The same deal is played in all seatings of all line-ups, so the games of one deal are not independent of each other; the
deals are. An estimate is a ratio of two sums over deals, and its variance is the cluster-robust (sandwich, linearised)
one: with y_d and m_d the two sums of deal d, r = sum y / sum m and D deals,

    var(r) = D / (D - 1) * sum_d (y_d - r m_d)^2 / (sum_d m_d)^2,

with quantiles of Student's t on D - 1 degrees of freedom. All sums are integers and are worked with exactly.
Sources: Cochran, Sampling Techniques (1977), ratio estimators; Wilson (1927) and Korn and Graubard (1998) for shares
with an effective sample size.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import NamedTuple

CONFIDENCE = 0.95

METHOD = (
    "Intervals are 95 % and clustered by deal, since a deal is played in all seatings of all line-ups. Shares: Wilson "
    "interval with Student's t on (deals - 1) degrees of freedom and the effective sample size that the cluster-robust "
    "variance implies; a share of exactly 0 or 1 counts each deal as one observation; a share that no deal can change "
    "has its own value as interval. Means and ratings: estimate plus and minus t times the cluster-robust standard "
    "error. With fewer than two deals there is no interval."
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
def t_quantile(freedom: int) -> float:
    """Return the quantile of Student's t that a two-sided 95 % interval takes.

    Worked out here, to all digits, since importing scipy takes longer than a short tournament (the tests compare).

    Args:
        freedom: degrees of freedom, at least 1.
    """
    x = 1.959963984540054  # the normal quantile
    series = (  # Abramowitz and Stegun 26.7.5, in powers of 1 / freedom
        x,
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    t = math.fsum(term / freedom**power for power, term in enumerate(series))
    if freedom >= 1000:
        return t
    log_constant = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    for _ in range(20):  # Newton's method from below, where it cannot overshoot
        density = math.exp(log_constant - (freedom + 1) / 2 * math.log1p(t * t / freedom))
        t += (CONFIDENCE - _within(t, freedom)) / (2 * density)
    return t


def _within(t: float, freedom: int) -> float:
    """Return the probability that Student's t lies between -t and t (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2
    term = total = (cosine if odd else 1.0) if freedom > 1 else 0.0
    for k in range(2 + odd, freedom - 1, 2):
        term *= (k - 1) / k * cosine * cosine
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def variance(sums: Moments) -> Fraction:
    """Return the cluster-robust variance of the ratio y / m, exactly.

    Args:
        sums: at least two deals and a denominator that is not 0.
    """
    y, m, yy, ym, mm, deals = sums
    # sum of squared residuals times m^2, so that everything stays an integer
    squares = m * m * yy - 2 * y * m * ym + y * y * mm
    return Fraction(deals * squares, (deals - 1) * m**4)


def share(sums: Moments, unit: int = 1) -> Interval:
    """Estimate a share between 0 and 1.

    Args:
        sums: of a numerator counted in parts of `unit` (60 for wins in sixtieths) and of a denominator in wholes.
        unit: parts in a whole.

    Returns:
        The share with its Wilson interval; NaN throughout where the denominator is 0.
    """
    if sums.m == 0:
        return Interval(math.nan, math.nan, math.nan)
    whole = sums._replace(m=sums.m * unit, ym=sums.ym * unit, mm=sums.mm * unit * unit)
    value = Fraction(whole.y, whole.m)
    if sums.deals < 2:
        return Interval(float(value), math.nan, math.nan)
    spread = variance(whole)
    if value in (0, 1):
        effective = Fraction(sums.deals)
    elif spread == 0:
        return Interval(float(value), float(value), float(value))
    else:
        effective = value * (1 - value) / spread
    low, high = _wilson(float(value), float(effective), t_quantile(sums.deals - 1))
    return Interval(float(value), 0.0 if value == 0 else low, 1.0 if value == 1 else high)


def _wilson(value: float, n: float, t: float) -> tuple[float, float]:
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


def standard_deviation(n: int, total: int, squares: int) -> float:
    """Return the sample standard deviation (divisor n - 1) of n integers from their sum and sum of squares."""
    if n < 2:
        return math.nan
    return math.sqrt(Fraction(n * squares - total * total, n * (n - 1)))
