"""A sequential test of two agents on deal scores: pure statistics, no games.

A deal's score x lies in 0 to 1 and has mean 1/2 where the agents are equally strong; deals are independent of each
other. Two hypotheses about its mean are held against each other, s0 = score(elo0) and s1 = score(elo1), after every
look at the data: sampling stops as soon as the log likelihood ratio leaves the bounds (Wald, Sequential Analysis,
1947). Since all else about the distribution of x is unknown, the ratio is that of the largest likelihoods that any
distribution with mean s1 and with mean s0 can give to the scores that were seen (generalised sequential probability
ratio test). A distribution with mean s that makes the observed frequencies p_i of the values a_i most likely is

    p_i / (1 + t (a_i - s)),   t such that   sum_i p_i (a_i - s) / (1 + t (a_i - s)) = 0

(Owen, Empirical Likelihood, 2001; Van den Bergh, "Comments on normalized Elo" and "The generalized maximum likelihood
ratio for the expectation value of a distribution", which chess engine testing goes by).

One deal that is half won and half lost (weight 1/2 at 0 and at 1) is added to what was seen. Both means are then
always possible, an agent that won every deal has finite numbers, and the first few deals cannot feign a spread of 0.

What was found when a test stopped is biased: it stopped because it looked good. `estimate` corrects this with the
stage-wise ordering of outcomes (Siegmund, Sequential Analysis, 1985, chapters 3 and 4): losing early is below losing
late, which is below any state of an unfinished test, below winning late, below winning early. The chance of an outcome
below the observed one falls as agents get stronger; the strengths at which it is 97.5 %, 50 % and 2.5 % are the lower
end, the median-unbiased estimate and the upper end. Chances are those of Brownian motion between two barriers.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.intervals import CONFIDENCE, Interval
from experiments.ratings import ELO
from gameapi.errors import UserError

Floats = npt.NDArray[np.float64]

PRIOR = 0.5  # deals of score 0 and as many of score 1, added to what was seen
LEAST_DEALS = 32  # no decision before: variances of fewer deals mean little
MOST_ELO = 1200.0  # ratings are cut here; such an agent loses one comparison in a thousand
BETTER, NOT_BETTER, UNDECIDED = "A is better", "A is not better by elo1", "undecided"
DIGITS = 6  # decimals of a log likelihood ratio or a rating: what the last bits of a library may not touch
OVERSHOOT = 0.5826  # standard deviations of a step by which a walk overshoots a barrier on average
ENDLESS = 20.0  # after that many squared widths a walk between two barriers has ended, but for a chance of 1e-42
_TINY = 1e-12  # distance that is kept from the ends of an open interval
_NEWTON_STEPS = 100


class Terms(NamedTuple):
    """What is tested: H0, A is elo0 better or less, against H1, A is elo1 better or more.

    Attributes:
        elo0, elo1: Elo points, elo0 < elo1.
        alpha: chance to call A better at elo0.
        beta: chance to call A not better at elo1.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def scores(self) -> tuple[float, float]:
        """Give the mean deal scores that elo0 and elo1 stand for."""
        return score(self.elo0), score(self.elo1)

    @property
    def bounds(self) -> tuple[float, float]:
        """Give the log likelihood ratios at which the test ends: at the first A is not better, at the second better."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


def check(test: Terms) -> None:
    """Refuse a test that makes no sense.

    Raises:
        UserError: says which number, and what would be right.
    """
    for name in ("alpha", "beta"):
        value = getattr(test, name)
        if not 0 < value < 0.5:
            raise UserError(f"found {value:g}, expected a chance of error between 0 and 0.5", name)
    for name in ("elo0", "elo1"):
        value = getattr(test, name)
        if not abs(value) < MOST_ELO:
            raise UserError(f"found {value:g}, expected Elo points between -{MOST_ELO:g} and {MOST_ELO:g}", name)
    if not test.elo0 < test.elo1:
        raise UserError(f"found {test.elo1:g}, expected more than elo0, which is {test.elo0:g}", "elo1")


def score(elo: float) -> float:
    """Return the expected score of an agent that is `elo` points stronger."""
    return 1 / (1 + math.exp(-elo / ELO))


def rating(share: float) -> float:
    """Return the Elo points that a score stands for, at most `MOST_ELO` either way; NaN for NaN."""
    if math.isnan(share):
        return share
    if share <= 0 or share >= 1:
        return math.copysign(MOST_ELO, share - 0.5)
    return max(-MOST_ELO, min(MOST_ELO, ELO * math.log(share / (1 - share))))


# ---- the test -------------------------------------------------------------------------------------------------------


def with_prior(counts: Any) -> Floats:
    """Return how often each score was seen, with the deal that is added.

    Args:
        counts: (..., k) how often each of the scores 0, 1 / (k - 1), ..., 1 was seen.
    """
    weights: Floats = np.array(counts, dtype=np.float64)
    weights[..., 0] += PRIOR
    weights[..., -1] += PRIOR
    return weights


def log_likelihood_ratio(counts: Any, test: Terms) -> Floats:
    """Return the generalised log likelihood ratio of elo1 against elo0.

    Args:
        counts: (..., k) how often each of the scores 0, 1 / (k - 1), ..., 1 was seen.
        test: the hypotheses.

    Returns:
        Array (...,).
    """
    weights = with_prior(counts)
    below, above = (_log_tilt(weights, s) for s in test.scores)
    ratio: Floats = np.round((weights * (below - above)).sum(axis=-1), DIGITS)
    return ratio


def _log_tilt(weights: Floats, mean: float) -> Floats:
    """Return log(1 + t (a - mean)) for every value a; minus this is what the constraint on the mean takes.

    Newton's method on a function that falls all the way between two poles, bracketed: it cannot leave or miss.
    """
    centred = np.linspace(0.0, 1.0, weights.shape[-1]) - mean
    low, high = (np.full(weights.shape[:-1], -1 / centred[end]) for end in (-1, 0))
    tilt = np.clip((weights @ centred) / (weights @ centred**2), low / 2, high / 2)  # near a pole steps are tiny
    for _ in range(_NEWTON_STEPS):
        parts = centred / (1 + tilt[..., None] * centred)
        slope = (weights * parts**2).sum(axis=-1)
        value = (weights * parts).sum(axis=-1)
        low, high = np.where(value > 0, tilt, low), np.where(value > 0, high, tilt)
        step = tilt + value / slope
        inside = (step > low) & (step < high)
        new = np.where(inside, step, (low + high) / 2)
        done = bool((np.abs(new - tilt) <= _TINY * (1 + np.abs(tilt))).all())
        tilt = new
        if done:
            break
    found: Floats = np.log1p(tilt[..., None] * centred)
    return found


def verdict(ratio: float, deals: int, test: Terms) -> str:
    """Return what a log likelihood ratio after so many deals says: `BETTER`, `NOT_BETTER` or `UNDECIDED`."""
    low, high = test.bounds
    if deals < LEAST_DEALS or low < ratio < high:
        return UNDECIDED
    return BETTER if ratio >= high else NOT_BETTER


def fixed_deals(counts: Any, test: Terms) -> int:
    """Return the deals that a test of fixed size with the same chances of error takes, by the spread that was seen."""
    from scipy.special import ndtri

    _, variance = _moments(with_prior(counts))
    s0, s1 = test.scores
    return math.ceil((float(ndtri(test.alpha) + ndtri(test.beta)) / (s1 - s0)) ** 2 * variance)


def _moments(weights: Floats) -> tuple[float, float]:
    """Return mean and variance of the scores that were seen so often."""
    values = np.linspace(0.0, 1.0, len(weights))
    total = float(weights.sum())
    mean = float(weights @ values) / total
    return mean, float(weights @ (values - mean) ** 2) / total


# ---- what the test leaves behind ------------------------------------------------------------------------------------


def estimate(counts: Any, test: Terms, found: str, look: int) -> Interval:
    """Estimate in Elo points how much better A is, with a 95 % interval, where the test stopped by its own rule.

    Scores less the middle of s0 and s1 add up to a walk that the test watches; in units of its own standard deviation
    it is taken for Brownian motion with unit variance a deal, between the bounds, which are where the same walk would
    have had the ratio of the bounds. A walk that is looked at only now
    and then overshoots its bound, on average by `OVERSHOOT` standard deviations of what it goes between two looks: so
    much further out the bounds are put (Siegmund, chapter 10), and an end is moved along a straight line to them.

    Args:
        counts: (k,) how often each score was seen.
        test: the test.
        found: its verdict.
        look: deals between two looks.

    Returns:
        Median-unbiased estimate and interval, within `MOST_ELO` either way.
    """
    weights = with_prior(counts)
    mean, variance = _moments(weights)
    s0, s1 = test.scores
    middle, spread = (s0 + s1) / 2, math.sqrt(variance)
    deals = float(weights.sum())
    place = deals * (mean - middle) / spread
    ratio = float(log_likelihood_ratio(counts, test))
    # Where hypotheses are hundreds of points apart and scores are skewed, ratio and walk can differ in sign.
    ended = found != UNDECIDED and ratio * place > 0
    # Of a ratio that has not ended, growth to first order, which is accurate near the middle.
    unit = ratio / place if ended else spread * (s1 - s0) / (variance + (mean - middle) ** 2)
    low, high = (bound / unit + math.copysign(OVERSHOOT * math.sqrt(look), bound) for bound in test.bounds)
    if not ended:
        place = max(low, min(high, place))
    else:
        bound = high if found == BETTER else low
        deals, place = deals * bound / place, bound

    def below(elo: float) -> float:
        return chance_of_less(deals, place, (score(elo) - middle) / spread, low, high)

    tail = (1 - CONFIDENCE) / 2
    return Interval(*(round(_crossing(below, level), DIGITS) for level in (0.5, 1 - tail, tail)))


def _crossing(below: Any, level: float) -> float:
    """Return the rating at which a chance that falls with it is `level`, the nearest end where there is none."""
    from scipy.optimize import brentq

    if below(-MOST_ELO) <= level:
        return -MOST_ELO
    if below(MOST_ELO) >= level:
        return MOST_ELO
    return float(brentq(lambda elo: below(elo) - level, -MOST_ELO, MOST_ELO, xtol=1e-9))


def chance_of_less(time: float, place: float, drift: float, low: float, high: float) -> float:
    """Return the chance that Brownian motion from 0, stopped at two barriers, has an outcome below the observed one.

    By the method of images with Girsanov's change of drift; the sum over images converges fast at all times (Borodin
    and Salminen, Handbook of Brownian Motion, 2002, part II, 1.15 and 3.0).

    Args:
        time: when it was stopped, more than 0.
        place: where: `low`, `high`, or between them for one that was broken off.
        drift: mean a unit of time; the variance is 1.
        low: the lower barrier, less than 0.
        high: the upper barrier, more than 0.
    """
    time = min(time, ENDLESS * (high - low) ** 2)
    if place >= high:
        return 1 - _hits_low(time, -drift, -high, high - low)
    found = _hits_low(time, drift, low, high - low)
    if place > low:
        found += _survives_below(time, place, drift, low, high - low)
    return found


def _images(time: float, width: float) -> Floats:
    n = 2 + math.ceil(4 * math.sqrt(time) / width)
    return np.arange(-n, n + 1, dtype=np.float64) * np.float64(2 * width)


def _hits_low(time: float, drift: float, low: float, width: float) -> float:
    """Return the chance to reach the lower barrier by `time`, and before the upper one."""
    from scipy.special import log_ndtr

    far = _images(time, width) - low
    away, root = np.abs(far), math.sqrt(time)
    terms = np.exp(drift * (low - away) + log_ndtr((drift * time - away) / root))
    terms += np.exp(drift * (low + away) + log_ndtr((-drift * time - away) / root))
    return float((np.sign(far) * terms).sum())


def _survives_below(time: float, place: float, drift: float, low: float, width: float) -> float:
    """Return the chance to be below `place` at `time` without having reached a barrier."""
    images = _images(time, width)
    total = 0.0
    for sign, sources in ((1, images), (-1, images + 2 * low)):
        ends = (np.array([low, place])[:, None] - sources - drift * time) / math.sqrt(time)
        total += sign * float(np.exp(drift * sources + _log_between(*ends)).sum())
    return total


def _log_between(first: Floats, second: Floats) -> Floats:
    """Return the logarithm of the chance that a standard normal number lies between two others, first < second."""
    from scipy.special import log_ndtr

    right = first > 0  # there, the mirror image has the accuracy
    small = log_ndtr(np.where(right, -second, first))
    large = log_ndtr(np.where(right, -first, second))
    found: Floats = np.asarray(large + np.log1p(-np.exp(small - large)), dtype=np.float64)
    return found
