"""A trial of a search: settings, and what they are worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple


class Worth(NamedTuple):
    """What settings are worth.

    Attributes:
        objectives: to be made small, one number each; none where the settings are impossible.
        found: JSON values that are kept with the trial.
        impossible: why they cannot be played; empty where they can.
    """

    objectives: list[float]
    found: Any
    impossible: str = ""


class Trial(NamedTuple):
    """Settings that were tried, in the order of trials."""

    number: int
    settings: dict[str, str]
    worth: Worth


def sums(tried: Sequence[Trial], weights: Sequence[float]) -> list[float]:
    """Return one number for each trial: its weighted objectives, each in units of its mean where it is not 0.

    Args:
        tried: trials.
        weights: of the objectives.

    Returns:
        The sums; those of impossible settings are infinite.
    """
    possible = [trial.worth.objectives for trial in tried if not trial.worth.impossible]
    positive = [[value for value in values if value > 0] for values in zip(*possible, strict=True)]
    units = [math.fsum(values) / len(values) if values else 1.0 for values in positive]
    return [
        math.inf
        if trial.worth.impossible
        else math.fsum(w * value / u for w, value, u in zip(weights, trial.worth.objectives, units, strict=True))
        for trial in tried
    ]
