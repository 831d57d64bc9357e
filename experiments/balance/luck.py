"""How much of the result is luck of the deal: the variance between deals and seats as a share of all variance.

The line-up of one agent alone among copies of another is played in all its seatings, so every seat of a deal, with the
same cards dealt to it and to be drawn, is played as often as there are players, by the one agent once and by the
others else. There are n = k C results y of C cells (deal, seat) of k games each; S_c is the sum of a cell's results, T
that of all and A_a that of the n_a results of agent a. Analysis of variance by cells and agents gives

    MSB = (sum_c S_c^2 / k - T^2 / n) / (C - 1),
    MSW = (sum y^2 - sum_a A_a^2 / n_a - sum_c S_c^2 / k + T^2 / n) / (C (k - 1) - 1),
    share = (MSB - MSW) / (MSB + (k - 1) MSW),

the intraclass correlation ICC(1) of Shrout and Fleiss (1979) with what the agents differ in taken off. It is the
correlation of two results of the same cards in the same seat: 1 where the deal decides everything, 0 where it decides
nothing, below 0 by chance or where what is good for one of the two agents is bad for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from experiments.balance.estimates import Floats, Sums

Ints = npt.NDArray[np.int64]


def deal_features(win: Ints, score: Ints) -> dict[str, Ints]:
    """Return the features of each deal: for each of the two results the sums that the analysis of variance takes.

    Args:
        win: (n_deals, n_seatings, players), wins in sixtieths.
        score: the same of final scores.
    """
    found: dict[str, Ints] = {}
    for name, each in (("win", win), ("score", score)):
        cells = each.sum(axis=1)
        found[f"{name}_total"] = cells.sum(axis=1)
        found[f"{name}_cells_squared"] = (cells * cells).sum(axis=1)
        found[f"{name}_squared"] = (each * each).sum(axis=(1, 2))
    return found


def share(name: str, lone: str) -> Callable[[Sums], Floats]:
    """Return the share of a result's variance that lies between deals and seats, as a function of sums.

    Args:
        name: of the result.
        lone: the feature that sums it over the seats of the agent that sits alone, one of each game.
    """

    def of(sums: Sums) -> Floats:
        cells, games = sums["deals"] * sums.players, sums["games"]
        k = games / sums["deals"]
        total, alone = sums[f"{name}_total"], sums[lone]
        in_cells = sums[f"{name}_cells_squared"] / k - total**2 / (k * cells)
        in_agents = alone**2 / games + (total - alone) ** 2 / (games * (sums.players - 1)) - total**2 / (k * cells)
        whole = sums[f"{name}_squared"] - total**2 / (k * cells)
        between = in_cells / (cells - 1)
        within = (whole - in_agents - in_cells) / (cells * (k - 1) - 1)
        return (between - within) / (between + (k - 1) * within)

    return of
