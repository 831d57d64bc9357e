"""Do the lab's intervals cover, and its tests err, as often as they say? Known strengths, played many times over.

    python tests/calibration.py 2000     # the long version: the table of docs/statistics.md

Seats of a game finish as Plackett and Luce say, with log strengths that have three more parts: one of the seat, one
that a deal gives to each seat and one that it gives to each agent. The last two make games of a deal alike. What an
estimate should be is what very many deals give.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import NamedTuple

import numpy as np
from lab import GAME

from experiments import schedule
from experiments.sums import Part, Summer, total
from experiments.tables import build, to_rows

DEAL_SEAT, DEAL_AGENT = 0.4, 0.3  # standard deviations of what a deal gives, in log odds
TRUE_DEALS = 100_000
SHOWN = {"agents": "win_share", "seats": "win_share", "ranks": "share", "payoffs": "win_share"}
SHOWN |= {"head_to_head": "beats", "ratings": "rating", "ratings_all": "rating"}


class World(NamedTuple):
    """What is known of the agents and seats of a simulated game."""

    strengths: tuple[float, ...]
    seats: tuple[float, ...]


UNEQUAL = World((0.0, 0.4, -0.2), (0.2, 0.0, -0.1))
EQUAL = World((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class KnownMatch:
    """A stand-in for `experiments.match.Match`; deals are drawn one after the other from a generator."""

    def __init__(self, world, rng):
        self.strengths, self.seats, self.rng = np.array(world.strengths), np.array(world.seats), rng

    def play(self, first_deal, n_deals, seatings):
        n, players = seatings.shape
        of_seat = self.seats + self.rng.normal(0, DEAL_SEAT, (n_deals, 1, players))
        of_agent = self.strengths + self.rng.normal(0, DEAL_AGENT, (n_deals, len(self.strengths)))
        key = of_seat + of_agent[:, seatings] + self.rng.gumbel(size=(n_deals, n, players))
        rank = 1 + (key[..., :, None] < key[..., None, :]).sum(axis=-1)
        nothing = np.zeros(rank.size, np.int32)
        return {
            "deal": np.repeat(np.arange(first_deal, first_deal + n_deals), n * players),
            "score": nothing,
            "rank": rank.astype(np.int8).ravel(),
            "win_60ths": (60 * (rank == 1)).astype(np.int8).ravel(),
            **dict.fromkeys(("forfeits", "decisions", "turns", "passes"), nothing),
        }


def tournament(world, players, deals, rng):
    """Return the tables of a simulated tournament with the same number of deals for each number of players."""
    match = KnownMatch(world, rng)
    parts = []
    for n in players:
        match.seats = np.array(world.seats)[:n]
        plan = schedule.plan(len(world.strengths), n, 1)
        summer = Summer(plan, GAME)
        chunks = [summer.sums(match.play(*chunk, plan.seatings)) for chunk in schedule.chunks(deals, 5000)]
        parts.append(Part(plan, total(chunks)))
    made = build(GAME, [f"agent {i}" for i in range(len(world.strengths))], parts)
    return {name: to_rows(table) for name, table in made.items()}


def coverage(repetitions, deals, players=(3,), world=UNEQUAL, seed=1):
    """Return for each kind of interval the share of intervals that hold what very many deals give."""
    rng = np.random.default_rng(seed)
    truth = tournament(world, players, TRUE_DEALS, rng)
    held = defaultdict(list)
    for _ in range(repetitions):
        made = tournament(world, players, deals, rng)
        for name, column in SHOWN.items():
            for row, true in zip(made[name], truth[name], strict=True):
                if true[f"{column}_low"] < true[f"{column}_high"]:  # not what the plan leaves no room
                    held[name].append(row[f"{column}_low"] <= true[column] <= row[f"{column}_high"])
    return {name: float(np.mean(values)) for name, values in held.items()}


def false_alarms(repetitions, deals, players=(3,), seed=2):
    """Return how often equal agents and seats are called different: by a pair, the seats, or any pair of a family."""
    rng = np.random.default_rng(seed)
    found = defaultdict(list)
    for _ in range(repetitions):
        made = tournament(EQUAL, players, deals, rng)["tests"]
        found["seats"] += [row["p_value"] < 0.05 for row in made if row["test"] == "seats"]
        for n in players:
            pairs = [row for row in made if row["test"] == "pair" and row["players"] == n]
            found["pair"] += [row["p_value"] < 0.05 for row in pairs]
            found["family of pairs"].append(any(row["p_adjusted"] < 0.05 for row in pairs))
    return {name: float(np.mean(values)) for name, values in found.items()}


def main(repetitions):
    """Print the table of docs/statistics.md."""
    sizes = (10, 20, 40, 100)
    covered = [coverage(repetitions, deals) for deals in sizes]
    alarmed = [false_alarms(repetitions, deals) for deals in sizes]
    print("| | " + " | ".join(f"{deals} deals" for deals in sizes) + " |\n| --- |" + " --- |" * len(sizes))
    for title, found in (("covered: ", covered), ("false alarms: ", alarmed)):
        for name in [name for name in found[0] if name != "ratings_all"]:  # with one number of players it is ratings
            shares = " | ".join(f"{100 * each[name]:.1f} %" for each in found)
            print(f"| {title}{name} | {shares} |")
    both = coverage(repetitions, 40, players=(2, 3))["ratings_all"]
    print(f"\n`ratings_all` over two and three players, 40 deals each: {100 * both:.1f} % covered.")


if __name__ == "__main__":
    main(int(sys.argv[1]))
