"""What counts as fair, as sure and as visible: the thresholds of every summary, and the verdicts by them."""

from __future__ import annotations

from experiments.balance.totals import GROUPS
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
    "A seat wins too much or too little, and skill pays, where that is sure after Bonferroni's correction for all such "
    "statements: of the seats, of the levels and numbers of players.",
    "In duels, an agent wins more (or less) than its equal share, 1/players, where the whole 95 % interval of its win "
    "share lies above (or below) it; this is not corrected for the number of duels.",
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


def side(value: float, low: float, high: float, mark: float, freedom: int, family: int) -> int:
    """Return on which side of a mark a number surely lies: 1 above, -1 below, 0 where it is not sure.

    Args:
        value: the number.
        low: lower end of its 95 % interval.
        high: its upper end.
        mark: such as an equal share.
        freedom: degrees of freedom of the interval's t.
        family: how many such statements shall all be right with a probability of 1 - `SURE` (Bonferroni).
    """
    from scipy.special import stdtrit

    wider = stdtrit(freedom, 1 - SURE / (2 * family)) / t_quantile(freedom)
    if value - wider * (value - low) > mark:
        return 1
    return -1 if value + wider * (high - value) < mark else 0


def freedom_of(deals: int) -> int:
    """Return the degrees of freedom of an interval from so many deals; at least 1, with which there is none."""
    return max(1, min(GROUPS, deals) - 1)


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
