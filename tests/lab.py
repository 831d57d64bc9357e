"""A stand-in for `experiments.match.Match`: outcomes drawn from known strengths, the same whatever the chunks."""

import math
from types import SimpleNamespace

import numpy as np

from experiments import schedule
from experiments.sums import Summer
from experiments.tables import Part, build
from gameapi.game import Game, GameColumn, Stat

GAME = Game(
    name="toy",
    title="Toy",
    version="1",
    seats=range(2, 6),
    n_actions=1,
    longest=1,
    stats=(Stat("turns", "turns"), Stat("passes", "passes")),
    columns=(
        GameColumn("turns_mean", "turns", "mean", meaning="turns a game"),
        GameColumn("turns_sd", "turns", "sd", meaning="standard deviation of turns"),
        GameColumn("pass_share", "passes", "share", over="turns", meaning="passes over turns"),
    ),
    counts=(),
    bans=(),
    services={},
)


class FakeMatch:
    """Scores are strength plus luck of the deal and seat plus noise; everything derives from (seed, deal)."""

    def __init__(self, strengths, seed=1, noise=10.0, seat_luck=4.0, nobody_wins=0.0):
        self.strengths = np.asarray(strengths, float)
        self.seed, self.noise, self.seat_luck, self.nobody_wins = seed, noise, seat_luck, nobody_wins
        self.played = []

    def play(self, first_deal, n_deals, seatings):
        self.played.append((first_deal, n_deals))
        parts = [self._deal(deal, seatings) for deal in range(first_deal, first_deal + n_deals)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _deal(self, deal, seatings):
        rng = np.random.default_rng([self.seed, deal])
        n, players = seatings.shape
        luck = rng.normal(0, self.seat_luck, players)
        score = np.rint(self.strengths[seatings] + luck + rng.normal(0, self.noise, (n, players))).astype(np.int32)
        tiebreak = rng.integers(0, 3, (n, players)).astype(np.int32)
        key = score * 10 + tiebreak
        rank = 1 + (key[:, :, None] < key[:, None, :]).sum(axis=2)
        win = (rank == 1) / (rank == 1).sum(axis=1, keepdims=True)
        win[rng.random(n) < self.nobody_wins] = 0.0
        turns = rng.integers(5, 12, (n, players))
        columns = {
            "deal": np.full((n, players), deal),
            "seating": np.repeat(np.arange(n)[:, None], players, axis=1),
            "seat": np.repeat(np.arange(players)[None, :], n, axis=0),
            "agent": seatings,
            "score": score,
            "tiebreak": tiebreak,
            "rank": rank,
            "win": win,
            "decisions": turns + rng.integers(0, 3, (n, players)),
            "forfeits": rng.random((n, players)) < 0.01,
            "turns": turns,
            "passes": rng.binomial(turns, 0.1),
        }
        return {name: values.ravel() for name, values in columns.items()}


def sixtieths(rows):
    return {**rows, "win_60ths": np.rint(rows["win"] * 60).astype(np.int8)}


def part(plan, match):
    rows = match.play(0, plan.n_deals, plan.seatings)
    return Part(plan, Summer(plan, GAME).sums(sixtieths(rows)))


def tables(specs, players, games=2000, lineups="all", anchor=None, **fake):
    """Return all tables of a pretended tournament; agents are 3 points apart."""
    match = FakeMatch([3.0 * i for i in range(len(specs))], **fake)
    parts = [part(schedule.plan(len(specs), n, games, lineups), match) for n in players]
    return build(GAME, specs, parts, anchor)


def toy_deck(name="toy"):
    return SimpleNamespace(name=name, reconstructed=False)


def same(a, b):
    """Tell whether two values are equal, NaN being equal to itself."""
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))
