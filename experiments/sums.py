"""From raw rows to sums over deals, in one compiled pass.

Every table and interval is made from sums over deals of integers, so neither the order of chunks nor how games are cut
into chunks can change a digit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from experiments.orders import GROUPS, count_order, lookup
from experiments.schedule import Plan
from gameapi.errors import UnreadableError
from gameapi.game import Game
from gameapi.jit import kernel

WIN_UNIT = 60  # a win is counted in sixtieths: every split among up to five winners is a whole number
SEATS, PAYOFFS, RANKS, SPLIT, SPREAD, GAMES = range(6)  # what the compiled pass is told where it begins

Columns = Mapping[str, npt.NDArray[Any]]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Features:
    """Where the sums of a deal lie in the vectors `Sums.total` and `Sums.squares`.

    Attributes:
        agents: wins of each agent, in sixtieths.
        seats: wins of each seat, in sixtieths.
        payoffs: wins of each agent of each line-up, in the order of `payoff_cells`, in sixtieths.
        ranks: seats of each agent that have each rank, all ranks of the first agent first.
        split: games whose win is split.
        spread: best score less worst, over games.
        games: decisions and the game's statistics, all seats together.
        pairs: for each pair of agents, in the order of `agent_pairs`, seats of the first that rank above seats of the
            second less those that rank below.
        size: length of the vectors.
    """

    agents: slice
    seats: slice
    payoffs: slice
    ranks: slice
    split: int
    spread: int
    games: slice
    pairs: slice
    size: int


@dataclass
class Sums:
    """Sums over the deals of one number of players; `a + b` joins two sets of deals.

    The largest is `orders`: 8 * `GROUPS` bytes a seating, 5 MB at `schedule.SEATINGS_LIMIT`, for each chunk in play.

    Attributes:
        deals: number of deals.
        total: int64 (features.size,), sums over deals.
        squares: int64 (features.size,), sums over deals of squares.
        games: int64 (1 + statistics, 1 + statistics), sums over deals of products of `features.games`.
        games_squared: int64 (1 + statistics,), sums over games of squares.
        seats: int64 (seats, seats), sums over deals of products of `features.seats`.
        orders: int64 (GROUPS, seatings), finishing orders by group of deals, see `experiments.orders`.
        payoffs: int64 (GROUPS, payoff cells), wins by group of deals, in sixtieths.
        payoff_scores: int64 (payoff cells,), sums of scores over seats.
        forfeits: int64 (agents,), sum of forfeits over rows.
        score_low: the score that the first column of `scores` counts.
        scores: int64 (agents, seats, range), how often an agent scored what in a seat.
    """

    deals: int
    total: Ints
    squares: Ints
    games: Ints
    games_squared: Ints
    seats: Ints
    orders: Ints = field(repr=False)
    payoffs: Ints = field(repr=False)
    payoff_scores: Ints
    forfeits: Ints
    score_low: int
    scores: Ints = field(repr=False)

    def __add__(self, other: Sums) -> Sums:
        """Return the sums over the deals of both."""
        low = min(self.score_low, other.score_low)
        high = max(part.score_low + part.scores.shape[2] for part in (self, other))
        scores = np.zeros((*self.scores.shape[:2], high - low), dtype=np.int64)
        for part in (self, other):
            first = part.score_low - low
            scores[:, :, first : first + part.scores.shape[2]] += part.scores
        names = [part.name for part in fields(self) if part.name not in ("score_low", "scores")]
        added = {name: getattr(self, name) + getattr(other, name) for name in names}
        return Sums(**added, score_low=low, scores=scores)


class Part(NamedTuple):
    """All that tables say of one number of players: who sat where, and the sums."""

    plan: Plan
    sums: Sums


def total(parts: Iterable[Sums]) -> Sums | None:
    """Return the sum of sums, None where there are none."""
    whole: Sums | None = None
    for part in parts:
        whole = part if whole is None else whole + part
    return whole


def agent_pairs(n: int) -> list[tuple[int, int]]:
    """Return the pairs a < b of 0..n-1 in lexical order."""
    return [(a, b) for a in range(n) for b in range(a + 1, n)]


def payoff_cells(plan: Plan) -> dict[tuple[int, int], int]:
    """Return a number for each agent of each line-up, by (line-up, agent): the cells of the payoff tensor."""
    pairs = [(number, agent) for number, lineup in enumerate(plan.lineups) for agent in sorted(set(lineup))]
    return {pair: k for k, pair in enumerate(pairs)}


def features(plan: Plan, game: Game) -> Features:
    """Return the layout of the sums of a deal."""
    n, cells = plan.n_agents, len(payoff_cells(plan))
    sizes = [n, plan.players, cells, n * plan.players, 1, 1, 1 + len(game.stats), len(agent_pairs(n))]
    ends = np.cumsum([0, *sizes]).tolist()
    part = [slice(first, last) for first, last in itertools.pairwise(ends)]
    return Features(part[0], part[1], part[2], part[3], ends[4], ends[5], part[6], part[7], ends[-1])


def _read_only(dtype: Any) -> types.Array:
    """Return the type of a vector that may be read only, as those that come from a file are."""
    return types.Array(dtype, 1, "C", readonly=True)


@kernel(inline=True)
def count_seats(row: int, seating: Any, cell: Any, starts: Any, rank: Any, win: Any, deal: Any) -> int:
    """Add the wins and ranks of a game's seats to the deal's features.

    Returns:
        1 where the win is split, else 0.
    """
    split = np.int64(0)
    for seat in range(seating.size):
        at, agent = row + seat, np.int64(seating[seat])
        won = np.int64(win[at])
        deal[starts[SEATS] + seat] += won
        deal[starts[PAYOFFS] + cell[seat]] += won
        deal[starts[RANKS] + agent * seating.size + rank[at] - 1] += 1
        split |= np.int64(won > 0) & np.int64(won < WIN_UNIT)  # no branch: which seat won cannot be guessed
    return split  # type: ignore[return-value]


@kernel(inline=True)
def count_scores(row: int, seating: Any, cell: Any, score: Any, score_low: int, scores: Any, payoff_scores: Any) -> int:
    """Count the scores of a game's seats; return the best less the worst."""
    best, worst = score[row], score[row]
    for seat in range(seating.size):
        value = score[row + seat]
        best, worst = max(best, value), min(worst, value)
        scores[np.int64(seating[seat]), seat, value - score_low] += 1
        payoff_scores[cell[seat]] += value
    return best - worst  # type: ignore[no-any-return]


@kernel(inline=True)
def count_numbers(row: int, seating: Any, numbers: Any, games_at: int, deal: Any, squares: Any, forfeits: Any) -> None:
    """Add a game's decisions and statistics to the deal's features, and forfeits to those of agents."""
    for k in range(squares.size):
        together = np.int64(0)
        for seat in range(seating.size):
            together += numbers[1 + k, row + seat]
        deal[games_at + k] += together
        squares[k] += together * together
    for seat in range(seating.size):
        forfeits[np.int64(seating[seat])] += numbers[0, row + seat]


@kernel(inline=True)
def compare(row: int, seating: Any, pair: Any, rank: Any, deal: Any) -> None:
    """Add what a game's seats are ahead of those of other agents to the pairs' features."""
    for seat in range(seating.size):
        for other in range(seat + 1, seating.size):
            agent, rival = np.int64(seating[seat]), np.int64(seating[other])
            if agent != rival:
                mine, theirs = rank[row + seat], rank[row + other]
                ahead = np.int64(theirs > mine) - np.int64(theirs < mine)
                if agent < rival:
                    deal[pair[agent, rival]] += ahead
                else:
                    deal[pair[rival, agent]] -= ahead


@kernel(inline=True)
def add_products(deal: Any, first: int, products: Any) -> None:
    """Add the products of a deal's features from `first` on."""
    for k in range(len(products)):
        for other in range(len(products)):
            products[k, other] += deal[first + k] * deal[first + other]


@kernel(inline=True)
def close_deal(deal: Any, starts: Any, agent_of: Any, group: int, totals: Any, payoffs: Any) -> None:
    """Add a deal's features and their squares to the sums, and its wins to those of its group."""
    for k in range(agent_of.size):
        won = deal[starts[PAYOFFS] + k]
        deal[agent_of[k]] += won
        payoffs[group, k] += won
    for k in range(totals.shape[1]):
        totals[0, k] += deal[k]
        totals[1, k] += deal[k] * deal[k]


@kernel(
    types.void(
        types.int16[:, ::1],
        types.int32[:, ::1],
        types.int64[::1],
        types.int64[:, ::1],
        types.int64[::1],
        types.int64[:, :, ::1],
        types.int32[::1],
        types.int32[::1],
        types.int8[:, ::1],
        _read_only(types.int32),
        _read_only(types.int8),
        _read_only(types.int8),
        types.int32[:, ::1],
        types.int64,
        types.int64,
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[:, :, ::1],
    )
)
def add_up(
    seatings: Any,
    cells: Any,
    agent_of: Any,
    pair: Any,
    starts: Any,
    weight: Any,
    seating_of: Any,
    first: Any,
    places: Any,
    score: Any,
    rank: Any,
    win: Any,
    numbers: Any,
    score_low: int,
    first_deal: int,
    totals: Any,
    games: Any,
    seats: Any,
    orders: Any,
    payoffs: Any,
    payoff_scores: Any,
    games_squared: Any,
    forfeits: Any,
    scores: Any,
) -> None:
    """Add up the rows of whole deals, which are ordered by deal, seating and seat.

    Args:
        seatings: (seatings, seats), roster indices.
        cells: (seatings, seats), the payoff cell that a row belongs to.
        agent_of: (payoff cells,), the agent of a payoff cell.
        pair: (agents, agents), the feature of a pair, the lower index in the row.
        starts: where features begin, by `SEATS` and so on.
        weight: as this and the next three are in `orders.Lookup`.
        seating_of: indices.
        first: indices.
        places: of seats.
        score: (rows,), final scores.
        rank: (rows,), ranks from 1 to the number of seats.
        win: (rows,), wins in sixtieths.
        numbers: (2 + statistics, rows), forfeits, decisions and the game's statistics.
        score_low: no score is below it.
        first_deal: number of the first deal.
        totals: (2, features), sums and sums of squares; these and all below, which are as in `Sums`, are added to.
        games: products.
        seats: products.
        orders: by group.
        payoffs: by group.
        payoff_scores: sums.
        games_squared: sums.
        forfeits: sums.
        scores: counts.
    """
    n_seatings, players = seatings.shape
    deal = np.zeros(totals.shape[1], np.int64)
    row, number = 0, first_deal
    while row < score.size:
        group = number % GROUPS
        deal[:] = 0
        for i in range(n_seatings):
            seating, cell = seatings[i], cells[i]
            deal[starts[SPLIT]] += count_seats(row, seating, cell, starts, rank, win, deal)
            deal[starts[SPREAD]] += count_scores(row, seating, cell, score, score_low, scores, payoff_scores)
            count_numbers(row, seating, numbers, starts[GAMES], deal, games_squared, forfeits)
            count_order(row, i, rank, weight, seating_of, first, places, group, orders)
            if len(pair) > 1:
                compare(row, seating, pair, rank, deal)
            row += players
        close_deal(deal, starts, agent_of, group, totals, payoffs)
        add_products(deal, starts[GAMES], games)
        add_products(deal, starts[SEATS], seats)
        number += 1


class Summer:
    """Sums rows of one plan; safe to use from several threads."""

    def __init__(self, plan: Plan, game: Game) -> None:
        """Prepare what the compiled pass looks up."""
        self.plan, self.game = plan, game
        self.features = f = features(plan, game)
        self.cells = payoff_cells(plan)
        self.pair = np.full((plan.n_agents, plan.n_agents), -1, dtype=np.int64)
        for k, (a, b) in enumerate(agent_pairs(plan.n_agents)):
            self.pair[a, b] = f.pairs.start + k
        cell = np.array(
            [
                [self.cells[lineup, agent] for agent in seating]
                for lineup, seating in zip(plan.lineup_of.tolist(), plan.seatings.tolist(), strict=True)
            ],
            dtype=np.int32,
        )
        starts = [f.seats.start, f.payoffs.start, f.ranks.start, f.split, f.spread, f.games.start]
        self.looked_up = (
            np.ascontiguousarray(plan.seatings, dtype=np.int16),
            cell,
            np.array([agent for _, agent in self.cells], dtype=np.int64),
            self.pair,
            np.array(starts, dtype=np.int64),
            *lookup(plan),
        )

    def sums(self, columns: Columns) -> Sums:
        """Sum the rows of whole deals.

        Args:
            columns: deal, score, rank, win_60ths, forfeits, decisions and the game's statistics, each ordered by deal,
                seating and seat; the deals are consecutive.

        Raises:
            UnreadableError: a rank is none of the seats'.
        """
        names = ["forfeits", "decisions", *(stat.name for stat in self.game.stats)]
        numbers = np.stack([np.asarray(columns[name], dtype=np.int32) for name in names])
        score = np.ascontiguousarray(columns["score"], dtype=np.int32)
        rank = np.ascontiguousarray(columns["rank"], dtype=np.int8)
        low, high = int(score.min()), int(score.max())
        n, players, n_games = self.plan.n_agents, self.plan.players, len(names) - 1
        if rank.min() < 1 or rank.max() > players:  # they are looked up by
            raise UnreadableError(f"a rank is not from 1 to {players}", "rows")
        made = {
            "totals": (2, self.features.size),
            "games": (n_games, n_games),
            "seats": (players, players),
            "orders": (GROUPS, self.plan.n_seatings),
            "payoffs": (GROUPS, len(self.cells)),
            "payoff_scores": (len(self.cells),),
            "games_squared": (n_games,),
            "forfeits": (n,),
            "scores": (n, players, high - low + 1),
        }
        found = {name: np.zeros(shape, dtype=np.int64) for name, shape in made.items()}
        win = np.ascontiguousarray(columns["win_60ths"], dtype=np.int8)
        add_up(*self.looked_up, score, rank, win, numbers, low, int(columns["deal"][0]), *found.values())
        totals = found.pop("totals")
        deals = len(score) // self.plan.seatings.size
        return Sums(deals=deals, total=totals[0], squares=totals[1], score_low=low, **found)
