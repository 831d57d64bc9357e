"""From rows of games to totals: sums over groups of deals, of which every number of the laboratory is made.

A feature is an integer of a deal; totals hold its sum over each of `GROUPS` groups of deals. Totals are added without
rounding, so neither the order of chunks nor how games are cut into chunks changes a digit, and memory stays flat. An
estimate is a function of the sums over all groups; leaving out each group in turn gives its standard error (delete-a-
group jackknife, `experiments.intervals`). The same group of two designs holds the same deals: the jackknife of a
difference is that of paired deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.balance.luck import deal_features
from experiments.sums import WIN_UNIT
from gameapi.game import Game

GROUPS = 251
"""A prime number, so that deals which are watched (every second, every eighth) fall into all groups."""

MIRROR, ALONE = "mirror", "alone"
LINEUPS = (MIRROR, ALONE)
"""Line-ups of a level: the agent against copies of itself; and alone against copies of the level before it."""

Ints = npt.NDArray[np.int64]
Columns = Mapping[str, npt.NDArray[Any]]
Features = dict[str, Ints]


@dataclass(frozen=True)
class Totals:
    """Sums of features over groups of deals; `a + b` joins two sets of deals.

    Attributes:
        names: of the features.
        groups: int64 (GROUPS, features).
        deals: how many deals.
    """

    names: tuple[str, ...]
    groups: Ints
    deals: int

    def __add__(self, other: Totals) -> Totals:
        """Return the totals over the deals of both."""
        assert self.names == other.names
        return Totals(self.names, self.groups + other.groups, self.deals + other.deals)

    def column(self, name: str) -> Ints:
        """Return a feature's sum over each group."""
        found: Ints = self.groups[:, self.names.index(name)]
        return found


def add_up(features: Features, first_deal: int) -> Totals:
    """Sum features over groups of deals.

    Args:
        features: each (n_deals,), for consecutive deals.
        first_deal: number of the first.
    """
    table = np.stack([np.asarray(values, dtype=np.int64) for values in features.values()], axis=1)
    n_deals, n = table.shape
    before = first_deal % GROUPS
    padded = np.zeros((-(-(before + n_deals) // GROUPS) * GROUPS, n), np.int64)
    padded[before : before + n_deals] = table
    return Totals(tuple(features), padded.reshape(-1, GROUPS, n).sum(axis=0), n_deals)


def features(game: Game, columns: Columns, seatings: npt.NDArray[np.int16], lineup: str) -> Features:
    """Return the features of each deal.

    Args:
        game: the game.
        columns: rows as `experiments.match.Match.play` gives them, ordered by deal, seating and seat.
        seatings: (n_seatings, players), 0 being the level's agent.
        lineup: one of `LINEUPS`.
    """
    n_seatings, players = seatings.shape
    n_deals = len(columns["score"]) // seatings.size

    def cube(name: str) -> Any:
        return np.asarray(columns[name]).reshape(n_deals, n_seatings, players)

    win = np.rint(cube("win") * WIN_UNIT).astype(np.int64)
    score, tiebreak = cube("score").astype(np.int64), cube("tiebreak").astype(np.int64)
    found: Features = {"deals": np.ones(n_deals, np.int64), "games": np.full(n_deals, n_seatings, np.int64)}
    if lineup == ALONE:
        return found | _lone_features(win, score, seatings) | deal_features(win, score)
    return found | _outcomes(win, score, tiebreak) | _lengths(game, cube)


def _lone_features(win: Ints, score: Ints, seatings: npt.NDArray[np.int16]) -> Features:
    """Return what the agent that sits alone made of it, and the others."""
    lone = seatings == 0
    return {
        "lone_wins": win[:, lone].sum(axis=1),
        "lone_score": score[:, lone].sum(axis=1),
        "other_score": score[:, ~lone].sum(axis=1),
    }


def _outcomes(win: Ints, score: Ints, tiebreak: Ints) -> Features:
    """Return who won, and how."""
    players = score.shape[2]
    winners = (win > 0).sum(axis=2)
    ranked = np.sort(score, axis=2)
    best, second, worst = ranked[..., -1], ranked[..., -2], ranked[..., 0]
    found = {f"wins_{seat}": win[:, :, seat].sum(axis=1) for seat in range(players)}
    found |= {f"score_{seat}": score[:, :, seat].sum(axis=1) for seat in range(players)}
    found["score_squares"] = (score * score).sum(axis=(1, 2))
    found["spread"] = (best - worst).sum(axis=1)
    found["margin"] = (best - second).sum(axis=1)
    found["best"] = best.sum(axis=1)
    found["split"] = (winners > 1).sum(axis=1)
    found["unwon"] = (winners == 0).sum(axis=1)
    found["tied"] = (best == second).sum(axis=1)
    found["broken"] = ((best == second) & (winners == 1)).sum(axis=1)
    return found


def _lengths(game: Game, cube: Any) -> Features:
    """Return decisions and the game's statistics: sums over seats, and sums over games of squares."""
    found: Features = {}
    for name in ("decisions", *(stat.name for stat in game.stats)):
        each = cube(name).astype(np.int64).sum(axis=2)
        found[name] = each.sum(axis=1)
        found[f"{name}_squares"] = (each * each).sum(axis=1)
    return found
