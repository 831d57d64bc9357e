"""What counts as fair, as sure and as visible: the thresholds of every summary, and the verdicts by them."""

from __future__ import annotations

from experiments.intervals import t_quantile

FAIR_GAP = 0.02
"""A gap between seats (win share) below it counts as fair, if its whole interval lies there."""
SURE = 0.05
"""A difference holds where its p-value, corrected for all tests of the study, is below it."""
POWER = 0.8
"""What would have been seen: differences so large are found with this probability."""

FAIR, UNFAIR, DIFFERENT, UNCLEAR = "fair", "not fair", "different", "not clear"

THRESHOLDS = (
    f"Fair: the win share of the seat that wins most less that of the seat that wins least is below {100 * FAIR_GAP:g} "
    "percentage points, and so is its whole 95 % interval.",
    f"Not fair: the whole interval lies above {100 * FAIR_GAP:g} points, and the test that all seats win equally often "
    f"has an adjusted p below {SURE:g}. Where only the test says so, seats differ, though perhaps by less.",
    "Not clear: anything else; more games may tell.",
    f"A difference from the base is told where its p-value, corrected for all tests of the study, is below {SURE:g}.",
    f"A difference would have been seen where it is so large that the corrected test finds it {100 * POWER:g} times in "
    "100.",
)


def verdict(low: float, high: float, p_value: float) -> str:
    """Return whether seats are fair.

    Args:
        low: lower end of the interval of the gap between seats (win share).
        high: its upper end.
        p_value: that all seats win equally often, corrected.
    """
    if high < FAIR_GAP:
        return FAIR
    if p_value < SURE:
        return UNFAIR if low > FAIR_GAP else DIFFERENT
    return UNCLEAR


def visible(half: float, freedom: int, tests: int) -> float:
    """Return the smallest difference that would have been seen.

    It is found with probability `POWER` by a t test whose level `SURE` is divided among all tests.

    Args:
        half: half the width of the difference's 95 % interval.
        freedom: degrees of freedom of its t.
        tests: tests of the study.
    """
    from scipy.special import stdtrit

    error = half / t_quantile(freedom)
    return float(error * (stdtrit(freedom, 1 - SURE / (2 * tests)) + stdtrit(freedom, POWER)))
