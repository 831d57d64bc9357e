"""Finishing orders of games, counted by the seating that they are.

The agents of a game from best to worst are one of the seatings of its line-up, and a plan has all of them. So orders
are counted by the index of a seating, which keeps all that games say of strength: who was first, who was best of the
rest, and so on. They are counted apart for groups of deals, for intervals by the delete-a-group jackknife.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.schedule import Plan
from gameapi.jit import kernel

GROUPS = 32  # deal number % GROUPS; 31 degrees of freedom widen an interval by 4 % of that of ever so many
ORDER_UNIT = 120  # an order is counted in parts of it: the product of factorials of ties among five divides 5!


class Lookup(NamedTuple):
    """From who sat where and the ranks to the seating that a game's finishing order is.

    The agents of a line-up are numbered from 0, and an order of them is read as a number in base of how many they are,
    the best being the last digit. The code of an order is that number plus one of the line-up's own, so that all codes
    differ. Ranks of a game are read as a number too: (rank - 1) of each seat in base `players`, seat 0 first.

    Attributes:
        weight: int64 (seatings, players, players), what a seat that finishes in a place adds to the code.
        seating_of: int32 (codes,), the seating that an order is; at most 26 codes a seating, 2 MB at `SEATINGS_LIMIT`.
        first: int32 (players ** players + 1,), where in `places` those begin that ranks leave open.
        places: int8 (all that are open, players), a place from 0 for each seat: one row for ranks without a tie.
    """

    weight: npt.NDArray[np.int64]
    seating_of: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    places: npt.NDArray[np.int8]


def lookup(plan: Plan) -> Lookup:
    """Return what the finishing orders of a plan's games are looked up with."""
    known = [sorted(set(lineup)) for lineup in plan.lineups]
    sizes = np.array([len(agents) for agents in known], dtype=np.int64)
    begins = np.concatenate([[0], np.cumsum(sizes**plan.players)])
    lineup = plan.lineup_of
    local = np.array(
        [[known[k].index(agent) for agent in seats] for k, seats in zip(lineup, plan.seatings.tolist(), strict=True)]
    )
    weight = local[:, :, None] * (sizes[lineup, None] ** np.arange(plan.players))[:, None, :]
    weight[:, 0] += begins[lineup, None]
    seating_of = np.full(begins[-1], -1, dtype=np.int32)
    seating_of[np.trace(weight, axis1=1, axis2=2)] = np.arange(plan.n_seatings)  # seat i in place i
    return Lookup(np.ascontiguousarray(weight), seating_of, *_open_places(plan.players))


@cache
def _open_places(players: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
    """Return `first` and `places` of a `Lookup`."""
    ranks = np.array(list(itertools.product(range(players), repeat=players)), dtype=np.int8)
    places = np.array(list(itertools.permutations(range(players))), dtype=np.int8)
    orders = np.argsort(places, axis=1)  # seats, best first
    is_open = (np.diff(ranks[:, orders], axis=2) >= 0).all(axis=2)  # (vectors of ranks, orders)
    first = np.concatenate([[0], np.cumsum(is_open.sum(axis=1))]).astype(np.int32)
    return first, np.ascontiguousarray(places[np.nonzero(is_open)[1]])


@kernel(inline=True)
def count_order(
    row: int, i: int, rank: Any, weight: Any, seating_of: Any, first: Any, places: Any, group: int, counts: Any
) -> None:
    """Count the finishing order of a game; where ranks are equal all orders that they leave open get the same share.

    Args:
        row: the game's first row.
        i: the seating that was played.
        rank: (rows,), ranks.
        weight: as this and the next three are in `Lookup`.
        seating_of: indices.
        first: indices.
        places: of seats.
        group: the deal's group.
        counts: (GROUPS, seatings), added to.
    """
    players = weight.shape[1]
    ranks = np.int64(0)
    for seat in range(players):
        ranks = ranks * players + rank[row + seat] - 1
    n_open = first[ranks + 1] - first[ranks]
    for k in range(first[ranks], first[ranks + 1]):
        code = np.int64(0)
        for seat in range(players):
            code += weight[i, seat, places[k, seat]]
        counts[group, seating_of[code]] += ORDER_UNIT // n_open
