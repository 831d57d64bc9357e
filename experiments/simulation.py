"""Rehearsals of the sequential test on drawn deal scores: how often it errs, how long it takes.

Deals are drawn from a distribution over scores that is tilted to a wanted strength; the test then looks at them as it
looks at deals that were played, many rehearsals side by side.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.sequential import (
    BETTER,
    LEAST_DEALS,
    NOT_BETTER,
    UNDECIDED,
    Floats,
    Terms,
    log_likelihood_ratio,
    score,
)

VERDICTS = (UNDECIDED, NOT_BETTER, BETTER)


class Outcomes(NamedTuple):
    """How rehearsals ended.

    Attributes:
        verdicts: (repeats,) index in `VERDICTS`.
        deals: (repeats,) deals until the end.
        counts: (repeats, k) how often each score was seen.
    """

    verdicts: npt.NDArray[np.int64]
    deals: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    def share(self, verdict: str) -> float:
        """Return how often a verdict was found."""
        return float((self.verdicts == VERDICTS.index(verdict)).mean())


def tilted(frequencies: Floats, elo: float) -> Floats:
    """Return a distribution with the mean that a strength stands for, tilted from another by an exponential factor.

    Args:
        frequencies: (k,) how often each of the scores 0, 1 / (k - 1), ..., 1 occurs.
        elo: the wanted strength.
    """
    from scipy.optimize import brentq

    values = np.linspace(0.0, 1.0, len(frequencies))

    def with_slope(slope: float) -> Floats:
        weights: Floats = frequencies * np.exp(slope * (values - 0.5))
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    slope = brentq(lambda t: float(with_slope(t) @ values) - score(elo), -500.0, 500.0, xtol=1e-12)
    return with_slope(slope)


def rehearse(
    frequencies: Floats, test: Terms, look: int, most: int, repeats: int, rng: np.random.Generator
) -> Outcomes:
    """Run the test many times over.

    Args:
        frequencies: (k,) the distribution of deal scores; adds up to 1.
        test: the test.
        look: deals between two looks.
        most: deals at which an undecided test is broken off; rounded up to a whole look.
        repeats: how many rehearsals.
        rng: draws the deals.
    """
    low, high = test.bounds
    counts = np.zeros((repeats, len(frequencies)), dtype=np.int64)
    deals, verdicts = np.zeros(repeats, dtype=np.int64), np.zeros(repeats, dtype=np.int64)
    for _ in range(math.ceil(most / look)):
        going = np.flatnonzero(verdicts == VERDICTS.index(UNDECIDED))
        if not len(going):
            break
        counts[going] += rng.multinomial(look, frequencies, size=len(going))
        deals[going] += look
        if deals[going[0]] < LEAST_DEALS:
            continue
        ratio = log_likelihood_ratio(counts[going], test)
        verdicts[going[ratio >= high]] = VERDICTS.index(BETTER)
        verdicts[going[ratio <= low]] = VERDICTS.index(NOT_BETTER)
    return Outcomes(verdicts, deals, counts)
