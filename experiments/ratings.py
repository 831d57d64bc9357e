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
games. Newton's method fits all samples of the jackknife at once, 33 for each number of players: the solvers of
`scipy.optimize` take them one by one, ten times as long, and a third of a second to be imported; the tests hold its
result against theirs.
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
MOST_STEPS = 200  # a dozen are the rule
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
        of games all is NaN; with a single deal of some number of players there is no covariance.
    """
    n = len(parts[0].met)
    if n == 1:
        return Ratings(np.zeros(1), np.zeros((1, 1)), 1.0)
    if not _connected(np.sum([part.met for part in parts], axis=0)):
        return Ratings(np.full(n, math.nan), np.full((n, n), math.nan), math.nan)
    sizes = [len(part.deals) if min(len(other.deals) for other in parts) > 1 else 0 for part in parts]
    strengths, doubt = _strengths(parts, _samples(parts, sizes))
    covariance, traces = doubt, []
    for part, left_out in zip(parts, np.split(strengths[1:], np.cumsum(sizes)[:-1]), strict=True):
        if not len(left_out):
            return Ratings(strengths[0] * ELO, np.full((n, n), math.nan), math.nan)
        spread = jackknife(strengths[0], left_out, part.deals)
        covariance = covariance + spread
        traces.append((float(np.trace(spread)), len(part.deals) - 1))
    return Ratings(strengths[0] * ELO, covariance * ELO**2, _freedom(traces))


def _samples(parts: Sequence[Stages], sizes: Sequence[int]) -> list[Matrix]:
    """Return for each part the weights of its groups in every sample, (1 + sum of sizes, groups).

    The first sample has all games. Then one group after the other of each part is left out, where its size is not 0,
    and the other groups of that part weigh as much as all did.
    """
    weights, first = [], 1
    for part, size in zip(parts, sizes, strict=True):
        own = np.ones((1 + sum(sizes), len(part.deals)))
        if size:
            whole = part.deals.sum()
            own[first : first + size] = (1 - np.eye(size)) * (whole / (whole - part.deals))[:, None]
        weights.append(own)
        first += size
    return weights


def _freedom(traces: Sequence[tuple[float, int]]) -> float:
    """Return Satterthwaite's degrees of freedom of a sum of (variance, its own); the least where all are 0."""
    whole = sum(trace for trace, _ in traces)
    if whole < 10.0**-DIGITS:
        return float(min(own for _, own in traces))
    return whole**2 / sum(trace**2 / own for trace, own in traces)


def _strengths(parts: Sequence[Stages], samples: Sequence[Matrix]) -> tuple[Matrix, Matrix]:
    """Return the strengths of agents in every sample, and what is given to one-sided pairs adds to their covariance.

    Args:
        parts: of each number of players.
        samples: of each, the weights of groups in every sample, (samples, groups).

    Returns:
        (samples, agents) log w, mean 0, and (agents, agents) of the first sample.
    """

    def summed(name: str) -> list[Matrix]:
        pairs = zip(samples, parts, strict=True)
        return [np.tensordot(weights, getattr(part, name), 1) for weights, part in pairs]

    met, ahead = np.sum([part.met for part in parts], axis=0), np.sum(summed("ahead"), axis=0)
    one_sided = (met > 0) & ((ahead == 0) | (ahead.transpose(0, 2, 1) == 0))
    pairs = np.argwhere(np.triu(one_sided.any(axis=0)))
    extra = np.where(one_sided[:, pairs[:, 0], pairs[:, 1]], met[pairs[:, 0], pairs[:, 1]], 0.0)
    sides = np.zeros((len(pairs), met.shape[0]))
    np.put_along_axis(sides, pairs, 1.0, axis=1)
    left = np.concatenate([*(part.left for part in parts), sides])
    times = np.concatenate([*summed("times"), extra], axis=1)
    strengths = fit(left, times, np.sum(summed("chosen"), axis=0) + extra @ sides / 2)
    return strengths, _doubt(left, times[0], strengths[0], pairs, extra[0])


def _doubt(left: Matrix, times: Matrix, strengths: Matrix, pairs: npt.NDArray[np.int64], extra: Matrix) -> Matrix:
    """Return the covariance that comes from deals given to one-sided pairs: each could have gone either way."""
    a, b = pairs.T
    side = np.eye(len(strengths))[a] - np.eye(len(strengths))[b]
    chance = 1 / (1 + np.exp(strengths[b] - strengths[a]))
    meat = side.T * (0.5 * ((1 - chance) ** 2 + chance**2) * extra**2) @ side
    _, slope = _score(left, times[None], np.zeros((1, len(strengths))), strengths[None])
    bread = np.linalg.inv(slope[0])
    return np.asarray(bread @ meat @ bread)


def fit(left: Matrix, times: Matrix, chosen: Matrix) -> Matrix:
    """Return the strengths that make all draws most likely, in many samples at once, by Newton's method.

    Args:
        left: (kinds, agents), seats of each agent at each kind of stage.
        times: (samples, kinds), how often it came to a stage.
        chosen: (samples, agents), how often an agent was chosen; of agents who met each was ahead of the other at least
            now and then, and all are linked, so that the maximum exists.

    Returns:
        (samples, agents) log w, mean 0.

    Raises:
        ArithmeticError: the maximum was not found.
    """
    strengths: Matrix = np.zeros_like(chosen)
    for _ in range(MOST_STEPS):
        score, slope = _score(left, times, chosen, strengths)
        change = np.linalg.solve(slope, score[..., None])[..., 0]
        # a long step from far away may overshoot: at most a factor e^2 of odds at a time
        strengths += change * np.minimum(1.0, 2.0 / np.maximum(np.abs(change).max(axis=1, keepdims=True), 1e-300))
        if (np.abs(change) < 1e-12 * (1 + np.abs(strengths).max())).all():
            return np.asarray(strengths - strengths.mean(axis=1, keepdims=True))
    raise ArithmeticError(f"no ratings found in {MOST_STEPS} steps")


def _score(left: Matrix, times: Matrix, chosen: Matrix, strengths: Matrix) -> tuple[Matrix, Matrix]:
    """Return first and minus second derivatives of the log likelihood; a constant makes the latter regular."""
    weight = left * np.exp(strengths - strengths.max(axis=1, keepdims=True))[:, None, :]
    chance = weight / np.maximum(weight.sum(axis=2, keepdims=True), 1e-300)
    expected = times[:, :, None] * chance
    score = chosen - expected.sum(axis=1)
    slope = -np.matmul(chance.transpose(0, 2, 1), expected) + times.sum(axis=1)[:, None, None] / left.shape[1]
    diagonal = np.arange(left.shape[1])
    slope[:, diagonal, diagonal] += expected.sum(axis=1)
    return score, slope


def _connected(met: Matrix) -> bool:
    """Tell whether every agent met every other one, if only by way of third ones."""
    reached, new = {0}, {0}
    while new:
        new = {int(other) for agent in new for other in np.flatnonzero(met[agent])} - reached
        reached |= new
    return len(reached) == len(met)
