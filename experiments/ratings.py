"""Strengths from pairwise outcomes within games: Bradley and Terry's model, in Elo points.

Any two seats of a game that different agents hold are compared: the better rank beats the worse, equal ranks halve the
point. Agent a beats b with probability 1 / (1 + 10 ** ((rating_b - rating_a) / 400)). Strengths maximise the
likelihood; intervals come from the sandwich variance, clustered by deal. A pair in which one agent always won has no
finite strengths: it is given one more deal, won by each with half weight, in the likelihood and in the variance.

The model is fitted here by Newton's method, since the sandwich needs the same gradient and information matrix; `choix`
gives the same strengths (the tests compare) but takes a second to import.
Source: Bradley and Terry (1952); Hunter, MM algorithms for generalized Bradley-Terry models (2004).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.intervals import Interval, t_quantile

ELO = 400 / math.log(10)  # Elo points of a unit of log odds
DIGITS = 6  # decimals of a rating: what the last bits of a linear solver may not touch

Matrix = npt.NDArray[np.float64]


class PairPoints(NamedTuple):
    """What deals say about every pair of agents; sums over deals of integers.

    For agents a and b, net_d is the comparisons that a won less those that b won in deal d.

    Attributes:
        met: (agents, agents) comparisons a deal, the same in every deal; symmetric, 0 on the diagonal.
        net: (agents, agents) sum of net_d; antisymmetric.
        moments: (agents, agents) sum over deals of N_a N_b, where N_a is the sum of net_d over all opponents of a.
        deals: number of deals.
    """

    met: npt.NDArray[np.int64]
    net: npt.NDArray[np.int64]
    moments: Sequence[Sequence[int]]
    deals: int


def elo(pairs: PairPoints) -> list[Interval]:
    """Rate agents so that the mean of all is 0.

    Returns:
        For each agent its rating with a 95 % interval. One agent alone has 0 and no doubt about it. Where some agents
        are linked to the others by no chain of games, or there are no games, all is NaN; with one deal there is no
        interval.
    """
    n = len(pairs.met)
    if n == 1:
        return [Interval(0.0, 0.0, 0.0)]
    if pairs.deals == 0 or not _connected(pairs.met):
        return [Interval(math.nan, math.nan, math.nan)] * n
    one_sided = (pairs.met > 0) & (np.abs(pairs.net) == pairs.met * pairs.deals)
    games = (pairs.met * (pairs.deals + one_sided)).astype(np.float64)
    points = (pairs.met * (pairs.deals + one_sided) + pairs.net) / 2
    strengths = fit(points, games)
    ratings = [round(float(value) * ELO, DIGITS) for value in strengths]
    if pairs.deals < 2:
        return [Interval(rating, math.nan, math.nan) for rating in ratings]
    spread = _covariance(pairs, strengths, games, one_sided)
    halves = t_quantile(pairs.deals - 1) * ELO * np.sqrt(np.maximum(np.diagonal(spread), 0.0))
    return [
        Interval(rating, round(rating - float(half), DIGITS), round(rating + float(half), DIGITS))
        for rating, half in zip(ratings, halves, strict=True)
    ]


def _connected(met: npt.NDArray[np.int64]) -> bool:
    """Tell whether every agent met every other one, if only by way of third ones."""
    reached, new = {0}, {0}
    while new:
        new = {int(other) for agent in new for other in np.flatnonzero(met[agent])} - reached
        reached |= new
    return len(reached) == len(met)


def fit(points: Matrix, games: Matrix) -> Matrix:
    """Return the strengths (log odds, mean 0) that make the points most likely.

    Args:
        points: (agents, agents) points that the row's agent made against the column's.
        games: (agents, agents) comparisons, points[a, b] + points[b, a]; the graph of pairs is connected, and no set
            of agents won every comparison with the others, so that the maximum exists.
    """
    n = len(points)
    strengths: Matrix = np.zeros(n)
    for _ in range(100):
        expected = _chance(strengths)
        gradient = (points - games * expected).sum(axis=1)
        change = np.linalg.solve(_information(games, expected) + 1.0 / n, gradient)
        # a long step from far away may overshoot: at most a factor e^2 of odds at a time
        strengths += change * min(1.0, 2.0 / max(float(np.abs(change).max()), 1e-300))
        if np.abs(change).max() < 1e-12 * (1 + np.abs(strengths).max()):
            break
    strengths -= strengths.mean()
    return strengths


def _chance(strengths: Matrix) -> Matrix:
    chance: Matrix = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    return chance


def _information(games: Matrix, expected: Matrix) -> Matrix:
    """Return minus the second derivative of the log likelihood, a weighted graph Laplacian."""
    weights = games * expected * (1 - expected)
    laplacian: Matrix = np.diag(weights.sum(axis=1)) - weights
    return laplacian


def _covariance(pairs: PairPoints, strengths: Matrix, games: Matrix, one_sided: npt.NDArray[np.bool_]) -> Matrix:
    """Return the sandwich covariance of the strengths, (agents, agents)."""
    n, deals = len(strengths), pairs.deals
    expected = _chance(strengths)
    totals = [int(value) for value in pairs.net.sum(axis=1)]
    # The gradient of a deal is N_a / 2 less a constant: centre exactly, in integers, then halve.
    centred = [
        [(deals * pairs.moments[a][b] - totals[a] * totals[b]) / (4 * deals) for b in range(n)] for a in range(n)
    ]
    meat = np.array(centred, dtype=np.float64)
    # The mean gradient is 0 but for the deal given to one-sided pairs, which takes its own share.
    for a, b in zip(*np.nonzero(np.triu(one_sided)), strict=True):
        side = np.zeros(n)
        side[a], side[b] = 1.0, -1.0
        p, size = expected[a, b], float(pairs.met[a, b])
        meat += 0.5 * ((1 - p) ** 2 + p**2) * size**2 * np.outer(side, side)
    bread = np.linalg.inv(_information(games, expected) + 1.0 / n) - 1.0 / n
    covariance: Matrix = bread @ meat @ bread * (deals / (deals - 1))
    return covariance
