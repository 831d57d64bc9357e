"""Strengths from the finishing orders of all games at once: the model of Plackett and Luce, in Elo points.

The best of a game is agent a with probability w_a / (sum of w over all seats), the next is drawn likewise from the
seats that are left, and so on; copies of an agent in one game are seats of the same w. The rating is 400 log10 w, so
that a is ahead of b with probability 1 / (1 + 10 ** ((rating_b - rating_a) / 400)). Where ranks are equal, every order
that they leave open counts for an equal share.

Strengths maximise the likelihood. Where one of two agents who met was never ahead of the other there is no finite
maximum: the pair is given one more deal, in which each is ahead half the time, in the likelihood and in the variance.
The covariance is that of the delete-a-group jackknife over groups of whole deals: it is clustered by deal, asks nothing
of the model being true, and needs one order count a group where a sandwich of this many-staged likelihood would need
the products of all counts of all deals. Groups of several numbers of players are strata, whose variances add up; the
rest of a stratum stands in for the group left out, so that the strata keep their weights.

No Python library at hand fits this: `choix` knows neither weights, ties, copies nor covariances (its fits of plain
rankings and pairs are the same to 1e-6, as the tests show), and rating systems such as TrueSkill depend on the order of
games. MINPACK finds the zero of the score, by way of `scipy.optimize`; minimisers there stop at half the digits.
Sources: Plackett (1975); Luce (1959); Hunter, MM algorithms for generalized Bradley-Terry models (2004), for when the
maximum exists; Busing, Meijer and van der Leeden, Delete-m jackknife for unequal m (1999); Satterthwaite (1946).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.intervals import Interval, jackknife, t_probability, t_quantile
from experiments.orders import ORDER_UNIT
from experiments.schedule import Plan

ELO = 400 / math.log(10)  # Elo points of a unit of log odds
DIGITS = 6  # decimals of a rating: what the last bits of a solver may not touch

Matrix = npt.NDArray[np.float64]


class Stages(NamedTuple):
    """All that the model takes from the games of one number of players: draws of the next best from the seats left.

    The last axis of numbers that vary by group is preceded by one for groups of deals, of which none is empty.

    Attributes:
        left: (kinds, agents), seats of each agent among those that are left; one row for each kind of stage.
        times: (groups, kinds), how often it came to a stage.
        chosen: (groups, agents), how often an agent was the next best, where others were left too.
        ahead: (groups, agents, agents), pairs of seats in which the row's agent ended ahead of the column's.
        met: (agents, agents), pairs of seats a deal of different agents.
        deals: (groups,), deals of each group.
    """

    left: Matrix
    times: Matrix
    chosen: Matrix
    ahead: Matrix
    met: Matrix
    deals: Matrix


def stages(plan: Plan, orders: npt.NDArray[np.int64]) -> Stages:
    """Return the stages of the finishing orders of a plan's games.

    Args:
        plan: the plan.
        orders: (groups, seatings), as in `Sums.orders`.
    """
    n, players, seatings = plan.n_agents, plan.players, plan.seatings.astype(np.int64)
    orders = orders[orders.any(axis=1)]
    games = orders / ORDER_UNIT

    def tally(index: npt.NDArray[np.int64], size: int) -> Matrix:
        return np.stack([np.bincount(index, weights=row, minlength=size) for row in games])

    # what is left at each stage but the last seat's, as counts of agents: (stages, seatings, agents)
    held = (seatings[:, :, None] == np.arange(n)).astype(np.int8)
    rest = np.cumsum(held[:, ::-1], axis=1)[:, :0:-1].reshape(-1, n)
    left, kind = np.unique(rest, axis=0, return_inverse=True)
    kinds = kind.reshape(len(seatings), players - 1)
    several = np.count_nonzero(left, axis=1) > 1
    times = sum(tally(kinds[:, k], len(left)) for k in range(players - 1))
    chosen = np.zeros((len(games), n))
    ahead = np.zeros((len(games), n * n))
    for k in range(players - 1):
        chosen += tally(np.where(several[kinds[:, k]], seatings[:, k], n), n + 1)[:, :n]
        for later in range(k + 1, players):
            ahead += tally(seatings[:, k] * n + seatings[:, later], n * n)
    copies = held.sum(axis=1).astype(np.float64)
    met = copies.T @ copies
    np.fill_diagonal(met, 0.0)
    deals = orders.sum(axis=1) / (ORDER_UNIT * plan.n_seatings)
    return Stages(
        left[several].astype(np.float64), np.asarray(times)[:, several], chosen, ahead.reshape(-1, n, n), met, deals
    )


@dataclass(frozen=True)
class Ratings:
    """Ratings of all agents of a roster, in Elo points.

    Attributes:
        values: (agents,), NaN where agents are not linked by games.
        covariance: (agents, agents), NaN where there are fewer than two groups of deals.
        freedom: degrees of freedom of the covariance.
    """

    values: Matrix
    covariance: Matrix
    freedom: float

    def interval(self, agent: int) -> Interval:
        """Return an agent's rating with its 95 % interval."""
        return self._interval(float(self.values[agent]), float(self.covariance[agent, agent]))

    def anchored(self, agent: int, rating: float) -> Ratings:
        """Shift all ratings so that an agent has the given one; intervals are then of the difference to it."""
        contrast = np.eye(len(self.values))
        contrast[:, agent] -= 1.0
        values = contrast @ self.values + rating
        return Ratings(values, contrast @ self.covariance @ contrast.T, self.freedom)

    def better(self, agent: int, other: int) -> float:
        """Return the probability that an agent is better than another: t approximation of the ratings' difference."""
        difference = round(float(self.values[agent] - self.values[other]), DIGITS)
        c = self.covariance
        spread = float(c[agent, agent] + c[other, other] - 2 * c[agent, other])
        if math.isnan(difference) or math.isnan(spread):
            return math.nan
        error = round(math.sqrt(max(spread, 0.0)), DIGITS)
        if error == 0.0:
            return 0.5 + 0.5 * ((difference > 0) - (difference < 0))
        return round(t_probability(difference / error, self.freedom), DIGITS)

    def _interval(self, value: float, variance: float) -> Interval:
        value = round(value, DIGITS) + 0.0
        if math.isnan(value) or math.isnan(variance):
            return Interval(value, math.nan, math.nan)
        half = t_quantile(self.freedom) * math.sqrt(max(variance, 0.0)) if variance else 0.0
        return Interval(value, round(value - half, DIGITS), round(value + half, DIGITS))


def rate(parts: Sequence[Stages]) -> Ratings:
    """Rate agents by the games of some numbers of players so that the mean of all is 0.

    Args:
        parts: the stages of each number of players, of the same roster.

    Returns:
        The ratings. One agent alone has 0 and no doubt about it. Where some agents are linked to the others by no chain
        of games all is NaN; with a single deal there is no covariance.
    """
    n = len(parts[0].met)
    if n == 1:
        return Ratings(np.zeros(1), np.zeros((1, 1)), 1.0)
    if not _connected(np.sum([part.met for part in parts], axis=0)):
        return Ratings(np.full(n, math.nan), np.full((n, n), math.nan), math.nan)
    whole = [Counts.of(part) for part in parts]
    strengths, doubt = fit(whole, np.zeros(n))
    covariance, traces = ELO**2 * doubt, []
    for k, part in enumerate(parts):
        if len(part.deals) < 2:
            return Ratings(strengths * ELO, np.full((n, n), math.nan), math.nan)
        others = [whole[:k], whole[k + 1 :]]
        left_out = [
            fit([*others[0], Counts.of(part, without=group), *others[1]], strengths)[0]
            for group in range(len(part.deals))
        ]
        spread = ELO**2 * jackknife(strengths, np.array(left_out), part.deals)
        covariance = covariance + spread
        traces.append((float(np.trace(spread)), len(part.deals) - 1))
    return Ratings(strengths * ELO, covariance, _freedom(traces))


def _freedom(traces: Sequence[tuple[float, int]]) -> float:
    """Return Satterthwaite's degrees of freedom of a sum of (variance, its own); the least where all are 0."""
    whole = sum(trace for trace, _ in traces)
    if whole < 10.0**-DIGITS:
        return float(min(own for _, own in traces))
    return whole**2 / sum(trace**2 / own for trace, own in traces)


class Counts(NamedTuple):
    """`Stages` summed over groups."""

    left: Matrix
    times: Matrix
    chosen: Matrix
    ahead: Matrix
    met: Matrix

    @classmethod
    def of(cls, part: Stages, without: int | None = None) -> Counts:
        """Sum over all groups, or over all but one, those that are left weighing as much as all did."""
        weight = (np.arange(len(part.deals)) != without).astype(np.float64)
        weight *= part.deals.sum() / (weight @ part.deals)
        times, chosen, ahead = (np.tensordot(weight, values, 1) for values in (part.times, part.chosen, part.ahead))
        return cls(part.left, times, chosen, ahead, part.met)


def fit(parts: Sequence[Counts], start: Matrix) -> tuple[Matrix, Matrix]:
    """Return the strengths that make all orders most likely.

    Args:
        parts: counts of each number of players; agents are linked by games.
        start: (agents,) where the search begins.

    Returns:
        (agents,) log w, mean 0, and (agents, agents) what the deals given to one-sided pairs add to their covariance.
    """
    from scipy.optimize import root  # slow to import: only where there is something to fit
    from scipy.special import softmax

    n = len(start)
    met, ahead = (np.sum([getattr(part, name) for part in parts], axis=0) for name in ("met", "ahead"))
    one_sided = np.argwhere(np.triu((met > 0) & ((ahead == 0) | (ahead.T == 0))))
    extra = np.array([met[a, b] for a, b in one_sided])
    sides = np.zeros((len(one_sided), n))
    sides[np.arange(len(one_sided))[:, None], one_sided] = 1.0
    left = np.concatenate([*(part.left for part in parts), sides])
    times = np.concatenate([*(part.times for part in parts), extra])
    chosen = np.sum([part.chosen for part in parts], axis=0) + extra @ sides / 2
    with np.errstate(divide="ignore"):
        offset = np.log(left)
    total = times.sum()

    def score(strengths: Matrix) -> Matrix:
        missing = times @ softmax(strengths + offset, axis=1) - chosen
        return np.asarray(missing / total + strengths.mean())

    def slope(strengths: Matrix) -> Matrix:
        chance = softmax(strengths + offset, axis=1)
        weighed = times[:, None] * chance
        return np.asarray((np.diag(weighed.sum(axis=0)) - chance.T @ weighed) / total + 1.0 / n)

    found = root(score, start, jac=slope, method="lm", tol=1e-13)
    strengths = found.x - found.x.mean()
    if not len(extra):
        return strengths, np.zeros((n, n))
    chance = (softmax(strengths + offset, axis=1) * left)[len(left) - len(extra) :]
    gone = chance[np.arange(len(extra)), one_sided[:, 0]]
    sides[np.arange(len(extra)), one_sided[:, 1]] = -1.0
    meat = sides.T * (0.5 * ((1 - gone) ** 2 + gone**2) * extra**2) @ sides
    bread = np.linalg.inv(slope(strengths)) / total
    return strengths, bread @ meat @ bread


def _connected(met: Matrix) -> bool:
    """Tell whether every agent met every other one, if only by way of third ones."""
    reached, new = {0}, {0}
    while new:
        new = {int(other) for agent in new for other in np.flatnonzero(met[agent])} - reached
        reached |= new
    return len(reached) == len(met)
