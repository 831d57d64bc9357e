import math

import choix
import numpy as np
import pytest
from lab import tables

from experiments import ratings
from experiments.ratings import PairPoints, elo


def pairs(points, games_a_deal, deals):
    """Return pair points in which deals do not vary: (agents, agents) points made against each other."""
    points = np.asarray(points)
    met = np.where(points + points.T > 0, games_a_deal, 0)
    net = points - points.T
    totals = net.sum(axis=1)
    return PairPoints(met, net, (np.outer(totals, totals) / deals).astype(np.int64).tolist(), deals)


def test_strengths_are_those_of_choix():
    rng = np.random.default_rng(4)
    strengths = rng.normal(0, 1, 6)
    games = np.triu(rng.integers(50, 200, (6, 6)), 1)
    won = rng.binomial(games, 1 / (1 + np.exp(strengths[None, :] - strengths[:, None])))
    points = (won + (games - won).T).astype(float)
    expected = choix.ilsr_pairwise_dense(points, alpha=0.0, tol=1e-12)
    assert ratings.fit(points, points + points.T) == pytest.approx(expected, abs=1e-6)


def test_two_agents_are_as_far_apart_as_their_odds():
    a, b = elo(pairs([[0, 750], [250, 0]], 10, 100))
    assert a.value == pytest.approx(200 * math.log10(3), abs=1e-5)
    assert b.value == pytest.approx(-a.value)


def test_one_agent_alone_is_0_for_certain():
    assert elo(PairPoints(np.zeros((1, 1), np.int64), np.zeros((1, 1), np.int64), [[0]], 50)) == [(0.0, 0.0, 0.0)]


def test_an_agent_that_always_loses_stays_finite_and_doubtful():
    loser, winner = elo(pairs([[0, 0], [1000, 0]], 10, 100))
    assert loser.value == pytest.approx(-200 * math.log10(100.5 / 0.5), abs=1e-3)
    assert loser.high - loser.low > 400
    assert winner.value == pytest.approx(-loser.value)
    assert all(map(math.isfinite, (*loser, *winner)))


def test_a_chain_of_agents_that_always_lose_stays_finite():
    found = elo(pairs([[0, 0, 0], [500, 0, 0], [500, 500, 0]], 5, 100))
    assert found[0].value < found[1].value < found[2].value
    assert sum(rating.value for rating in found) == pytest.approx(0, abs=1e-5)


def test_agents_that_are_linked_by_no_game_have_no_rating():
    met = np.zeros((4, 4), np.int64)
    met[0, 1] = met[1, 0] = met[2, 3] = met[3, 2] = 4
    found = elo(PairPoints(met, np.zeros((4, 4), np.int64), [[0] * 4] * 4, 10))
    assert all(math.isnan(value) for rating in found for value in rating)


def test_one_deal_has_a_rating_and_no_interval():
    found = elo(pairs([[0, 7], [3, 0]], 10, 1))
    assert found[0].value > 0
    assert math.isnan(found[0].low)


def test_stronger_agents_are_rated_higher_and_the_mean_is_0():
    made = tables(["a", "b", "c", "d"], [2, 3], games=4000)
    for players in (2, 3):
        rated = [r for n, r in zip(made["ratings"]["players"], made["ratings"]["rating"], strict=True) if n == players]
        assert rated == sorted(rated)
        assert sum(rated) == pytest.approx(0, abs=1e-5)


def test_agents_who_only_play_themselves_are_not_compared():
    made = tables(["a", "b"], [3], games=100, lineups="mirror")
    assert all(math.isnan(rating) for rating in made["ratings"]["rating"])
    assert made["ratings"]["n_pairs"] == [0, 0]


def test_95_percent_intervals_of_ratings_cover_95_percent():
    """Deals favour one side or the other by an amount of their own; the truth is where the odds are on average."""
    rng = np.random.default_rng(6)
    deals, games, strengths = 80, 12, np.array([0.0, 0.3, -0.4])
    half = {(a, b): 1 / (1 + np.exp(strengths[b] - strengths[a])) for a in range(3) for b in range(a + 1, 3)}
    met = np.full((3, 3), games) - games * np.eye(3, dtype=np.int64)
    truth = (strengths - strengths.mean()) * ratings.ELO
    covered, runs = np.zeros(3), 600
    for _ in range(runs):
        net = {pair: 2 * rng.binomial(games, rng.beta(8 * p, 8 * (1 - p), deals)) - games for pair, p in half.items()}
        by_agent = np.stack([sum(v if a == i else -v for (a, b), v in net.items() if i in (a, b)) for i in range(3)])
        sums = np.zeros((3, 3), np.int64)
        for (a, b), values in net.items():
            sums[a, b], sums[b, a] = values.sum(), -values.sum()
        found = elo(PairPoints(met.astype(np.int64), sums, (by_agent @ by_agent.T).tolist(), deals))
        covered += [low <= value <= high for (_, low, high), value in zip(found, truth, strict=True)]
    assert (covered / runs > 0.92).all()
    assert (covered / runs < 0.98).all()
