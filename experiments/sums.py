"""From raw rows to sums over deals, in one compiled pass.

Every table and interval is made from sums over deals of integers, so neither the order of chunks nor how games are cut
into chunks can change a digit.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from experiments.schedule import Plan
from gameapi.game import Game
from gameapi.jit import kernel

WIN_UNIT = 60  # a win is counted in sixtieths: every split among up to five winners is a whole number

Columns = Mapping[str, npt.NDArray[Any]]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Features:
    """Where the sums of a deal lie in the vectors `Sums.total` and `Sums.squares`.

    Attributes:
        agents: wins of each agent, in sixtieths.
        seats: wins of each seat, in sixtieths.
        lone: wins of an agent alone among copies of another one, in the order of `lone_pairs`, in sixtieths.
        split: games whose win is split.
        spread: best score less worst, over games.
        games: decisions and the game's statistics, all seats together.
        pairs: for each pair of agents, in the order of `agent_pairs`, seats of the first that rank above seats of the
            second less those that rank below.
        size: length of the vectors.
    """

    agents: slice
    seats: slice
    lone: slice
    split: int
    spread: int
    games: slice
    pairs: slice
    size: int


@dataclass
class Sums:
    """Sums over the deals of one number of players; `a + b` joins two sets of deals.

    Attributes:
        deals: number of deals.
        total: int64 (features.size,), sums over deals.
        squares: int64 (features.size,), sums over deals of squares.
        games: int64 (1 + statistics, 1 + statistics), sums over deals of products of `features.games`.
        games_squared: int64 (1 + statistics,), sums over games of squares.
        agents: int64 (agents, agents), sums over deals of products of what each agent has net over all its pairs.
        ranks: int64 (agents,), sum of ranks over rows.
        forfeits: int64 (agents,), sum of forfeits over rows.
        score_low: the score that the first column of `scores` counts.
        scores: int64 (agents, seats, range), how often an agent scored what in a seat.
    """

    deals: int
    total: Ints
    squares: Ints
    games: Ints
    games_squared: Ints
    agents: Ints
    ranks: Ints
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
        return Sums(
            self.deals + other.deals,
            self.total + other.total,
            self.squares + other.squares,
            self.games + other.games,
            self.games_squared + other.games_squared,
            self.agents + other.agents,
            self.ranks + other.ranks,
            self.forfeits + other.forfeits,
            low,
            scores,
        )


def total(parts: Iterable[Sums]) -> Sums | None:
    """Return the sum of sums, None where there are none."""
    whole: Sums | None = None
    for part in parts:
        whole = part if whole is None else whole + part
    return whole


def agent_pairs(n: int) -> list[tuple[int, int]]:
    """Return the pairs a < b of 0..n-1 in lexical order."""
    return [(a, b) for a in range(n) for b in range(a + 1, n)]


def lone_pairs(plan: Plan) -> dict[tuple[int, int], int]:
    """Return the number of the line-up in which one agent sits alone among copies of another, by (agent, other)."""
    found = {}
    for number, lineup in enumerate(plan.lineups):
        counts = Counter(lineup)
        if len(counts) == 2:
            for agent, n in counts.items():
                if n == 1:
                    (other,) = set(counts) - {agent}
                    found[agent, other] = number
    return found


def features(plan: Plan, game: Game) -> Features:
    """Return the layout of the sums of a deal."""
    sizes = [plan.n_agents, plan.players, len(lone_pairs(plan)), 1, 1, 1 + len(game.stats)]
    ends = np.cumsum([0, *sizes, len(agent_pairs(plan.n_agents))]).tolist()
    part = [slice(first, last) for first, last in itertools.pairwise(ends)]
    return Features(part[0], part[1], part[2], ends[3], ends[4], part[5], part[6], ends[-1])


def _read_only(dtype: Any) -> types.Array:
    """Return the type of a vector that may be read only, as those that come from a file are."""
    return types.Array(dtype, 1, "C", readonly=True)


@kernel(inline=True)
def count_seats(
    row: int, seating: Any, lone: Any, seats_at: int, rank: Any, win: Any, forfeits: Any, deal: Any, rows: Any
) -> int:
    """Add the wins of a game's seats to the deal's features, and ranks and forfeits to the rows of agents.

    Returns:
        1 where the win is split, else 0.
    """
    split = np.int64(0)
    for seat in range(seating.size):
        at, agent = row + seat, np.int64(seating[seat])
        won = np.int64(win[at])
        deal[agent] += won
        deal[seats_at + seat] += won
        deal[lone[seat]] += won
        split |= np.int64(won > 0) & np.int64(won < WIN_UNIT)  # no branch: which seat won cannot be guessed
        rows[0, agent] += rank[at]
        rows[1, agent] += forfeits[at]
    return split  # type: ignore[return-value]


@kernel(inline=True)
def count_scores(row: int, seating: Any, score: Any, score_low: int, scores: Any) -> int:
    """Count the scores of a game's seats; return the best less the worst."""
    best, worst = score[row], score[row]
    for seat in range(seating.size):
        value = score[row + seat]
        best, worst = max(best, value), min(worst, value)
        scores[np.int64(seating[seat]), seat, value - score_low] += 1
    return best - worst  # type: ignore[no-any-return]


@kernel(inline=True)
def compare(row: int, seating: Any, pair: Any, rank: Any, deal: Any, net: Any) -> None:
    """Add what a game's seats are ahead of those of other agents to the pairs' features and to each agent's net."""
    for seat in range(seating.size):
        for other in range(seat + 1, seating.size):
            agent, rival = np.int64(seating[seat]), np.int64(seating[other])
            if agent != rival:
                mine, theirs = rank[row + seat], rank[row + other]
                ahead = np.int64(theirs > mine) - np.int64(theirs < mine)
                net[agent] += ahead
                net[rival] -= ahead
                if agent < rival:
                    deal[pair[agent, rival]] += ahead
                else:
                    deal[pair[rival, agent]] -= ahead


@kernel(inline=True)
def close_deal(deal: Any, net: Any, games: Any, totals: Any, products: Any, agents: Any) -> None:
    """Add a deal's features, squares and products to the sums."""
    for k in range(totals.shape[1]):
        totals[0, k] += deal[k]
        totals[1, k] += deal[k] * deal[k]
    for k in range(games.size):
        for other in range(games.size):
            products[k, other] += games[k] * games[other]
    for a in range(net.size):
        for b in range(net.size):
            agents[a, b] += net[a] * net[b]


@kernel(
    types.void(
        types.int16[:, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[::1],
        _read_only(types.int32),
        _read_only(types.int8),
        _read_only(types.int8),
        types.int32[:, ::1],
        types.int64,
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[:, ::1],
        types.int64[::1],
        types.int64[:, ::1],
        types.int64[:, :, ::1],
    )
)
def add_up(
    seatings: Any,
    lone: Any,
    pair: Any,
    starts: Any,
    score: Any,
    rank: Any,
    win: Any,
    numbers: Any,
    score_low: int,
    totals: Any,
    products: Any,
    agents: Any,
    games_squared: Any,
    rows: Any,
    scores: Any,
) -> None:
    """Add up the rows of whole deals, which are ordered by deal, seating and seat.

    Args:
        seatings: (seatings, seats), roster indices.
        lone: (seatings, seats), the feature that counts this row's wins as a lone agent's; one past the last for none.
        pair: (agents, agents), the feature of a pair, the lower index in the row.
        starts: where seats, split, spread and games begin among the features.
        score: (rows,), final scores.
        rank: (rows,), ranks.
        win: (rows,), wins in sixtieths.
        numbers: (2 + statistics, rows), forfeits, decisions and the game's statistics.
        score_low: no score is below it.
        totals: (2, features), sums and sums of squares; these and all below are added to.
        products: as `Sums.games`.
        agents: as in `Sums`.
        games_squared: as in `Sums`.
        rows: (2, agents), sums of ranks and of forfeits.
        scores: as in `Sums`.
    """
    n_seatings, players = seatings.shape
    n_agents, n_games = agents.shape[0], products.shape[0]
    seats_at, split_at, spread_at, games_at = starts[0], starts[1], starts[2], starts[3]
    deal = np.zeros(totals.shape[1] + 1, np.int64)  # one more than there are features: for what counts nowhere
    net = np.zeros(n_agents, np.int64)
    row = 0
    while row < score.size:
        deal[:] = 0
        net[:] = 0
        for i in range(n_seatings):
            seating = seatings[i]
            deal[split_at] += count_seats(row, seating, lone[i], seats_at, rank, win, numbers[0], deal, rows)
            deal[spread_at] += count_scores(row, seating, score, score_low, scores)
            for k in range(n_games):
                together = np.int64(0)
                for seat in range(players):
                    together += numbers[1 + k, row + seat]
                deal[games_at + k] += together
                games_squared[k] += together * together
            if n_agents > 1:
                compare(row, seating, pair, rank, deal, net)
            row += players
        close_deal(deal, net, deal[games_at : games_at + n_games], totals, products, agents)


class Summer:
    """Sums rows of one plan; safe to use from several threads."""

    def __init__(self, plan: Plan, game: Game) -> None:
        """Prepare what the compiled pass looks up."""
        self.plan, self.game = plan, game
        self.features = features(plan, game)
        self.seatings = np.ascontiguousarray(plan.seatings, dtype=np.int16)
        self.lone = np.full(self.seatings.shape, self.features.size, dtype=np.int64)
        for k, ((agent, _), lineup) in enumerate(lone_pairs(plan).items()):
            self.lone[(plan.lineup_of == lineup)[:, None] & (self.seatings == agent)] = self.features.lone.start + k
        self.pair = np.full((plan.n_agents, plan.n_agents), -1, dtype=np.int64)
        for k, (a, b) in enumerate(agent_pairs(plan.n_agents)):
            self.pair[a, b] = self.features.pairs.start + k
        f = self.features
        self.starts = np.array([f.seats.start, f.split, f.spread, f.games.start], dtype=np.int64)

    def sums(self, columns: Columns) -> Sums:
        """Sum the rows of whole deals.

        Args:
            columns: score, rank, win_60ths, forfeits, decisions and the game's statistics, each ordered by deal,
                seating and seat.
        """
        names = ["forfeits", "decisions", *(stat.name for stat in self.game.stats)]
        numbers = np.stack([np.asarray(columns[name], dtype=np.int32) for name in names])
        score = np.ascontiguousarray(columns["score"], dtype=np.int32)
        low, high = int(score.min()), int(score.max())
        n, players = self.plan.n_agents, self.plan.players
        totals = np.zeros((2, self.features.size), dtype=np.int64)
        games = np.zeros((len(names) - 1, len(names) - 1), dtype=np.int64)
        agents = np.zeros((n, n), dtype=np.int64)
        games_squared = np.zeros(len(games), dtype=np.int64)
        rows = np.zeros((2, n), dtype=np.int64)
        scores = np.zeros((n, players, high - low + 1), dtype=np.int64)
        add_up(
            self.seatings,
            self.lone,
            self.pair,
            self.starts,
            score,
            np.ascontiguousarray(columns["rank"], dtype=np.int8),
            np.ascontiguousarray(columns["win_60ths"], dtype=np.int8),
            numbers,
            low,
            totals,
            games,
            agents,
            games_squared,
            rows,
            scores,
        )
        deals = len(score) // self.seatings.size
        return Sums(deals, totals[0], totals[1], games, games_squared, agents, rows[0], rows[1], low, scores)
