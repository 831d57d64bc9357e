"""Who is better than whom: ratings, pairs of agents, cycles among them, payoffs of line-ups, and the tests.

Each function gives the rows of a table; what the columns mean is told in `experiments.columns`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from experiments.intervals import Interval, Moments, interval_row, ratio, share
from experiments.ratings import Ratings, Stages, rate, stages
from experiments.schedule import n_permutations
from experiments.significance import FTest, holm, means_are_equal, share_is
from experiments.sums import WIN_UNIT, Part, agent_pairs, features, payoff_cells
from gameapi.game import Game

Row = dict[str, Any]
Anchor = tuple[int, float]  # an agent's number in the roster, and the rating that it shall have

NOTHING = Interval(math.nan, math.nan, math.nan)


class Link(NamedTuple):
    """One agent against another: pairs of seats in one game, one of each.

    Attributes:
        n_pairs: how many, over all games.
        beats: share of them in which the agent ranks above the other, equal ranks counting a half.
        test: of that share being 1/2; the same for both agents.
        p_adjusted: its p-value, adjusted for all pairs of this number of players.
    """

    n_pairs: int
    beats: Interval
    test: FTest
    p_adjusted: float


@dataclass(frozen=True)
class Compared:
    """What is found out once about a number of players and said in several tables.

    Attributes:
        part: the games.
        stages: what the ratings are made from.
        ratings: of all agents.
        links: by (agent, opponent), of all agents that met.
        payoffs: win share of each agent of each line-up, by (line-up, agent), in the order of `payoff_cells`.
        payoffs: win share of each agent of each line-up, by (line-up, agent), in the order of `sums.payoff_cells`.
        seats: test of all seats winning equally often.
    """

    part: Part
    stages: Stages
    ratings: Ratings
    links: Mapping[tuple[int, int], Link]
    payoffs: Mapping[tuple[int, int], Interval]
    seats: FTest


def compare(game: Game, part: Part, anchor: Anchor | None) -> Compared:
    """Compare agents, and seats, of one number of players."""
    plan, sums = part
    found = stages(plan, sums.orders)
    place = features(plan, game).seats
    seats = means_are_equal(sums.total[place].tolist(), sums.seats, sums.deals)
    rated = _anchored(rate([found]), anchor)
    return Compared(part, found, rated, _links(game, part, found), _payoffs(game, part), seats)


def _anchored(found: Ratings, anchor: Anchor | None) -> Ratings:
    return found if anchor is None else found.anchored(*anchor)


def _links(game: Game, part: Part, found: Stages) -> dict[tuple[int, int], Link]:
    plan, sums = part
    first = features(plan, game).pairs.start
    met = found.met.astype(np.int64)
    pairs = [(k, a, b) for k, (a, b) in enumerate(agent_pairs(plan.n_agents)) if met[a, b]]
    halves = [
        [
            _half_points(int(met[a, b]), sign * int(sums.total[first + k]), int(sums.squares[first + k]), sums.deals)
            for sign in (1, -1)
        ]
        for k, a, b in pairs
    ]
    tests = [share_is(ahead, 2) for ahead, _ in halves]
    adjusted = holm([test.p_value for test in tests])
    links = {}
    for (_, a, b), sides, test, p in zip(pairs, halves, tests, adjusted, strict=True):
        for pair, half in (((a, b), sides[0]), ((b, a), sides[1])):
            links[pair] = Link(int(met[a, b]) * sums.deals, share(half, 2), test, p)
    return dict(sorted(links.items()))


def _half_points(met: int, net: int, squares: int, deals: int) -> Moments:
    """Return the moments of half points met + net_d of a deal, from those of net_d."""
    return Moments.with_constant(met * deals + net, deals * met * met + 2 * met * net + squares, met, deals)


def ratings(agents: Sequence[str], found: Compared) -> Iterator[Row]:
    """Give the rows of `ratings`."""
    plan, sums = found.part
    for number, row in enumerate(_rated(agents, found.ratings, [found])):
        yield {"players": plan.players, **row, "agent": agents[number], "n_deals": sums.deals}


def ratings_all(agents: Sequence[str], parts: Sequence[Compared], anchor: Anchor | None) -> Iterator[Row]:
    """Give the rows of `ratings_all`: one strength for all numbers of players."""
    if parts:
        found = parts[0].ratings if len(parts) == 1 else _anchored(rate([part.stages for part in parts]), anchor)
        yield from _rated(agents, found, parts)


def _rated(agents: Sequence[str], found: Ratings, parts: Sequence[Compared]) -> Iterator[Row]:
    for number, agent in enumerate(agents):
        yield {
            "agent": agent,
            **interval_row("rating", found.interval(number)),
            "n_pairs": sum(int(part.stages.met[number].sum()) * part.part.sums.deals for part in parts),
            "n_deals": sum(part.part.sums.deals for part in parts),
        }


def head_to_head(agents: Sequence[str], found: Compared) -> Iterator[Row]:
    """Give the rows of `head_to_head`."""
    plan, sums = found.part
    numbers = {lineup: number for number, lineup in enumerate(plan.lineups)}
    for (a, b), link in found.links.items():
        alone = tuple(sorted([a, *[b] * (plan.players - 1)]))
        games = n_permutations(alone) if alone in numbers else 0
        yield {
            "players": plan.players,
            "agent": agents[a],
            "opponent": agents[b],
            "n_games": games * sums.deals,
            "n_deals": sums.deals if games else 0,
            **interval_row("win_share", found.payoffs[numbers[alone], a] if games else NOTHING),
            "n_pairs": link.n_pairs,
            **interval_row("beats", link.beats),
            "better": found.ratings.better(a, b),
            "p_value": link.test.p_value,
            "p_adjusted": link.p_adjusted,
        }


def _payoffs(game: Game, part: Part) -> dict[tuple[int, int], Interval]:
    """Return the win share of each agent of each line-up, by (line-up, agent)."""
    plan, sums = part
    place = features(plan, game).payoffs
    wins, squares = sums.total[place].tolist(), sums.squares[place].tolist()
    found = {}
    for (lineup, agent), cell in payoff_cells(plan).items():
        met = plan.lineups[lineup]
        seats = met.count(agent) * n_permutations(met)
        counted = Moments.with_constant(wins[cell], squares[cell], seats, sums.deals)
        found[lineup, agent] = share(counted, WIN_UNIT, fixed=len(set(met)) == 1)
    return found


def payoffs(agents: Sequence[str], found: Compared) -> Iterator[Row]:
    """Give the rows of `payoffs`."""
    plan, sums = found.part
    scores = sums.payoff_scores.tolist()
    for (lineup, agent), score in zip(found.payoffs, scores, strict=True):
        met = plan.lineups[lineup]
        n_games = n_permutations(met) * sums.deals
        n_seats = met.count(agent) * n_games
        yield {
            "players": plan.players,
            "lineup": ",".join(agents[number] for number in met),
            "agent": agents[agent],
            "n_copies": met.count(agent),
            "n_games": n_games,
            "n_deals": sums.deals,
            **interval_row("win_share", found.payoffs[lineup, agent]),
            "score_mean": ratio(score, n_seats),
            "n_seats": n_seats,
        }


def tests(agents: Sequence[str], parts: Sequence[Compared]) -> Iterator[Row]:
    """Give the rows of `tests`: every test of the run."""
    adjusted = holm([part.seats.p_value for part in parts])
    for found, p in zip(parts, adjusted, strict=True):
        plan, sums = found.part
        n_games = plan.n_seatings * sums.deals
        head = {"players": plan.players, "n_deals": sums.deals}
        what = ", ".join(map(str, range(plan.players)))
        yield {**head, "test": "seats", "what": what, **found.seats._asdict(), "p_adjusted": p, "n_games": n_games}
        for (a, b), link in found.links.items():
            if a < b:
                both = (plan.seatings == a).any(axis=1) & (plan.seatings == b).any(axis=1)
                seen = {"what": f"{agents[a]} : {agents[b]}", "n_games": int(both.sum()) * sums.deals}
                yield {**head, "test": "pair", **seen, **link.test._asdict(), "p_adjusted": link.p_adjusted}


def cycles(agents: Sequence[str], found: Compared) -> Iterator[Row]:
    """Give the rows of `cycles`: every three agents each of which ranks above the next more often than not."""
    plan, sums = found.part
    above = np.zeros((plan.n_agents, plan.n_agents), dtype=bool)
    for (a, b), link in found.links.items():
        above[a, b] = link.beats.value > 0.5
    for a, b in np.argwhere(above).tolist():
        for c in np.flatnonzero(above[b] & above[:, a]).tolist():
            if a < min(b, c):  # a cycle is named once, from its first agent in the roster on
                names = [agents[number] for number in (a, b, c)]
                round_trip = [(a, b), (b, c), (c, a)]
                weakest = min(round_trip, key=lambda pair: found.links[pair].beats.value)
                link = found.links[weakest]
                margin = Interval(*(round(value - 0.5, 12) for value in link.beats))
                yield {
                    "players": plan.players,
                    **dict(zip(("first", "second", "third"), names, strict=True)),
                    **dict(zip(("agent", "opponent"), (agents[number] for number in weakest), strict=True)),
                    **interval_row("margin", margin),
                    "p_adjusted": max(found.links[pair].p_adjusted for pair in round_trip),
                    "n_pairs": link.n_pairs,
                    "n_deals": sums.deals,
                }
