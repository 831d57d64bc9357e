import itertools
import math

import choix
import numpy as np
import pytest
from lab import tables
from scipy.optimize import root
from scipy.special import softmax

from experiments import ratings, schedule
from experiments.orders import GROUPS, ORDER_UNIT
from experiments.ratings import fit, rate, stages


def counted(plan, games, group_of=None):
    """Return order counts of finishing orders, each a sequence of agents, best first; games go round the groups."""
    index = {tuple(seating): i for i, seating in enumerate(plan.seatings.tolist())}
    orders = np.zeros((GROUPS, plan.n_seatings), np.int64)
    for k, order in enumerate(games):
        orders[k % GROUPS if group_of is None else group_of[k], index[tuple(order)]] += ORDER_UNIT
    return orders


def drawn(rng, strengths, seatings, n):
    """Draw finishing orders by Plackett and Luce: of seats with Gumbel noise on log strengths the largest is first."""
    played = seatings[rng.integers(0, len(seatings), n)]
    key = strengths[played] + rng.gumbel(size=played.shape)
    return np.take_along_axis(played, np.argsort(-key, axis=1), axis=1)


def strengths_of(plan, games):
    found = stages(plan, counted(plan, games))
    return fit(found.left, found.times.sum(axis=0, keepdims=True), found.chosen.sum(axis=0, keepdims=True))[0]


@pytest.mark.parametrize(("n", "players"), [(5, 2), (5, 3), (6, 4)])
def test_strengths_are_those_of_choix_where_it_has_a_fit(n, players):
    """Rankings without copies and ties, each of weight one."""
    rng = np.random.default_rng(players)
    plan = schedule.plan(n, players, 1, list(itertools.combinations(range(n), players)))
    games = drawn(rng, rng.normal(0, 1, n), plan.seatings, 1500)
    expected = choix.ilsr_rankings(n, [tuple(order) for order in games.tolist()], alpha=0.0, tol=1e-13)
    assert strengths_of(plan, games) == pytest.approx(expected - expected.mean(), abs=1e-6)


@pytest.mark.parametrize("spread", [0.5, 3.0, 8.0])
def test_strengths_are_where_scipy_finds_the_score_to_be_zero(spread):
    """Weights of any size, copies, and agents far apart."""
    rng = np.random.default_rng(9)
    for n in (2, 5, 9):
        left = rng.integers(0, 3, (60, n)).astype(float)
        left = np.concatenate([left, np.abs(np.eye(n) - np.roll(np.eye(n), 1, axis=1))])
        left = left[np.count_nonzero(left, axis=1) > 1]
        truth = rng.normal(0, spread, n)
        times = rng.exponential(100, (3, len(left)))
        worth = left * np.exp(truth)
        # what each is expected to get, and something for everybody so that nobody is without
        share = 0.98 * worth / worth.sum(axis=1, keepdims=True) + 0.02 * left / left.sum(axis=1, keepdims=True)
        found = fit(left, times, times @ share)
        with np.errstate(divide="ignore"):
            offset = np.log(left)
        for strengths, count in zip(found, times, strict=True):

            def score(at, count=count, offset=offset, share=share):
                return (count @ (softmax(at + offset, axis=1) - share)) / count.sum() + at.mean()

            solved = root(score, np.zeros(n), method="lm", tol=1e-13)
            assert strengths == pytest.approx(solved.x, abs=1e-6)
            assert score(strengths) == pytest.approx(np.zeros(n), abs=1e-12)


def test_copies_are_seats_of_the_same_strength():
    """A game of a, a, b is one of three seats; choix sees two agents a1, a2, and their strengths agree on average."""
    rng = np.random.default_rng(3)
    plan = schedule.plan(2, 3, 1)
    truth = np.array([-0.4, 0.4])
    found = strengths_of(plan, drawn(rng, truth, plan.seatings, 40_000))
    assert found == pytest.approx(truth, abs=0.03)


def test_pairs_of_one_agent_alone_against_two_copies_have_the_closed_form():
    """One unknown w, the odds of a against a single b: its likelihood is written down and searched on a grid."""
    plan = schedule.plan(2, 3, 1, [(0, 1, 1)])
    first, second, third = 500, 300, 200
    games = [(0, 1, 1)] * first + [(1, 0, 1)] * second + [(1, 1, 0)] * third

    def log_likelihood(w):
        return (
            first * np.log(w / (w + 2))
            + second * np.log(2 / (w + 2) * w / (w + 1))
            + third * np.log(2 / (w + 2) / (w + 1))
        )

    grid = np.exp(np.linspace(-2, 2, 400_001))
    best = np.log(grid[np.argmax(log_likelihood(grid))])
    a, b = strengths_of(plan, games)
    assert a - b == pytest.approx(best, abs=2e-5)


def test_two_agents_are_as_far_apart_as_their_odds():
    plan = schedule.plan(2, 2, 1, [(0, 1)])
    a, b = (rate([stages(plan, counted(plan, [(0, 1)] * 750 + [(1, 0)] * 250))]).interval(i) for i in (0, 1))
    assert a.value == pytest.approx(200 * math.log10(3), abs=1e-5)
    assert b.value == pytest.approx(-a.value)


def test_one_agent_alone_is_0_for_certain():
    made = tables(["only"], [3], games=50)
    assert [made["ratings"][name] for name in ("rating", "rating_low", "rating_high")] == [[0.0]] * 3
    assert [made["ratings_all"][name] for name in ("rating", "rating_low", "rating_high")] == [[0.0]] * 3


def test_an_agent_that_always_loses_stays_finite_and_doubtful():
    """1000 games in 500 deals of 2, and one deal more that is won half each."""
    plan = schedule.plan(2, 2, 1, [(0, 1)])
    loser, winner = (rate([stages(plan, counted(plan, [(1, 0)] * 1000))]).interval(i) for i in (0, 1))
    assert loser.value == pytest.approx(-200 * math.log10(1001 / 1), abs=1e-3)
    assert loser.high - loser.low > 400
    assert winner.value == pytest.approx(-loser.value)
    assert all(map(math.isfinite, (*loser, *winner)))


def test_an_agent_that_won_once_stays_finite_whatever_group_is_left_out():
    plan = schedule.plan(3, 3, 1, [(0, 1, 2)])
    rng = np.random.default_rng(2)
    games = [(*rng.permutation([1, 2]), 0) for _ in range(600)] + [(0, 1, 2)]
    found = rate([stages(plan, counted(plan, games))])
    assert np.isfinite(found.covariance).all()
    assert found.interval(0).high < found.interval(1).low


@pytest.mark.parametrize("players", [2, 4])
def test_a_chain_of_agents_that_always_lose_stays_finite(players):
    plan = schedule.plan(3, players, 1)
    games = [tuple(sorted(seating, reverse=True)) for seating in plan.seatings.tolist()] * 40
    found = [rate([stages(plan, counted(plan, games))]).interval(i) for i in range(3)]
    assert found[0].value < found[1].value < found[2].value
    assert sum(rating.value for rating in found) == pytest.approx(0, abs=1e-5)
    assert all(map(math.isfinite, itertools.chain(*found)))


def test_agents_that_are_linked_by_no_game_have_no_rating():
    made = tables(["a", "b", "c", "d"], [2], lineups=[(0, 1), (2, 3)])
    assert all(
        math.isnan(value)
        for name in ("rating", "rating_low", "better")
        for t in made.values()
        for value in t.get(name, [])
    )
    assert made["head_to_head"]["beats"]


def test_agents_who_only_play_themselves_are_not_compared():
    made = tables(["a", "b"], [3], games=100, lineups="mirror")
    assert all(math.isnan(rating) for rating in made["ratings"]["rating"])
    assert made["ratings"]["n_pairs"] == [0, 0]


def test_one_deal_has_a_rating_and_no_interval():
    made = tables(["a", "b"], [3], games=1)
    assert all(map(math.isfinite, made["ratings"]["rating"]))
    assert all(map(math.isnan, made["ratings"]["rating_low"] + made["head_to_head"]["better"]))


def test_stronger_agents_are_rated_higher_and_the_mean_is_0():
    made = tables(["a", "b", "c", "d"], [2, 3], games=4000)
    for players in (2, 3):
        rated = [r for n, r in zip(made["ratings"]["players"], made["ratings"]["rating"], strict=True) if n == players]
        assert rated == sorted(rated)
        assert sum(rated) == pytest.approx(0, abs=1e-5)


def test_ratings_over_all_numbers_of_players_use_all_games():
    """With equally many comparisons they lie between those of each, and with one number of players they are those."""
    made = tables(["a", "b", "c"], [2, 4], games=3000)
    by_players = np.array(made["ratings"]["rating"]).reshape(2, 3)
    both = np.array(made["ratings_all"]["rating"])
    assert (both >= by_players.min(axis=0) - 1).all()
    assert (both <= by_players.max(axis=0) + 1).all()
    widths = np.array(made["ratings_all"]["rating_high"]) - np.array(made["ratings_all"]["rating_low"])
    each = np.array(made["ratings"]["rating_high"]) - np.array(made["ratings"]["rating_low"])
    assert widths.sum() < each.reshape(2, 3).sum(axis=1).max()
    alone = tables(["a", "b", "c"], [3], games=900)
    assert alone["ratings_all"]["rating_low"] == alone["ratings"]["rating_low"]
    assert made["ratings_all"]["n_pairs"] == [sum(made["ratings"]["n_pairs"][i::3]) for i in range(3)]


def test_an_anchor_has_its_rating_for_certain_and_moves_the_others_by_the_same():
    free, held = (tables(["a", "b", "c"], [2, 3], games=900, anchor=anchor) for anchor in (None, (1, 1000.0)))
    for name in ("ratings", "ratings_all"):
        rows = list(zip(*(held[name][f"rating{end}"] for end in ("", "_low", "_high")), strict=True))
        assert rows[1] == (1000.0, 1000.0, 1000.0)
        apart = np.array(held[name]["rating"]) - np.array(free[name]["rating"])
        assert apart[:3] == pytest.approx([1000 - free[name]["rating"][1]] * 3, abs=1e-5)
    assert held["head_to_head"]["better"] == pytest.approx(free["head_to_head"]["better"], abs=1e-5)


def test_better_is_a_probability_and_its_opponents_complement():
    made = tables(["a", "b", "c"], [3], games=400)["head_to_head"]
    found = {(a, b): p for a, b, p in zip(made["agent"], made["opponent"], made["better"], strict=True)}
    for (a, b), p in found.items():
        assert p + found[b, a] == pytest.approx(1)
        assert (p > 0.5) == (a > b)


def test_groups_of_several_numbers_of_players_are_strata():
    """The variance over both is what both give alone when one hardly counts."""
    plan = schedule.plan(2, 2, 1, [(0, 1)])
    rng = np.random.default_rng(4)
    many = stages(plan, counted(plan, drawn(rng, np.zeros(2), plan.seatings, 64_000)))
    few = stages(plan, counted(plan, drawn(rng, np.zeros(2), plan.seatings, 640)))
    alone, both = rate([many]), rate([many, few])
    assert both.covariance == pytest.approx(alone.covariance, rel=0.02)
    assert both.freedom == pytest.approx(31, rel=0.05)
    assert rate([few, few]).covariance == pytest.approx(rate([few]).covariance / 2, rel=0.02)
    assert rate([few, few]).freedom == pytest.approx(62)


def test_ratings_are_elo_points():
    assert ratings.ELO * math.log(10) == pytest.approx(400)
