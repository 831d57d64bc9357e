import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtri

from experiments import sequential
from experiments.sequential import BETTER, NOT_BETTER, UNDECIDED, Terms
from experiments.simulation import VERDICTS, rehearse, tilted
from gameapi.errors import UserError

FIVE = np.array([0.05, 0.22, 0.46, 0.22, 0.05])  # two seatings of two players: both lost, ..., both won
GRID = np.linspace(0, 1, 41)
SMOOTH = np.exp(-((GRID - 0.5) ** 2) / (2 * 0.15**2)) / np.exp(-((GRID - 0.5) ** 2) / (2 * 0.15**2)).sum()
DISTRIBUTIONS = {"five": (FIVE, Terms(0, 20)), "smooth": (SMOOTH, Terms(0, 10))}
LOOK = 32


@pytest.fixture(params=DISTRIBUTIONS)
def drawn(request):
    """A distribution of deal scores, a test, and what draws."""
    return *DISTRIBUTIONS[request.param], np.random.default_rng(7)


# ---- the ratio ------------------------------------------------------------------------------------------------------


def test_scores_and_ratings_are_each_other_s_inverse():
    assert sequential.score(0) == 0.5
    assert sequential.score(400) == pytest.approx(10 / 11)
    assert sequential.rating(10 / 11) == pytest.approx(400)
    assert sequential.rating(1.0) == -sequential.rating(0.0) == sequential.MOST_ELO
    assert math.isnan(sequential.rating(math.nan))


def test_the_bounds_are_wald_s():
    assert Terms(alpha=0.05, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_the_ratio_of_games_won_and_lost_is_that_of_two_coins():
    # three deals won, and the deal that is added: weights 1/2 and 7/2 on coins that fall 1/2 and 10/11 of the time
    by_hand = 0.5 * math.log((1 / 11) / (1 / 2)) + 3.5 * math.log((10 / 11) / (1 / 2))
    assert by_hand == pytest.approx(1.2400555, abs=1e-6)
    assert sequential.log_likelihood_ratio([0, 3], Terms(0, 400)) == pytest.approx(by_hand, abs=1e-6)


def test_the_ratio_of_three_scores_worked_by_hand():
    # One deal of each score with the one added: weights 3/2, 1, 3/2, symmetric, so mean 1/2 takes no tilt. For mean s,
    # p_i / (1 + t (a_i - s)) with t (a_i - s) = -0.8, -0.3, 0.2 has a sum of zero where these hold: t = 1, s = 0.8.
    weights, values = np.array([3.0, 1.4, 1.12]), np.array([0.0, 0.5, 1.0])
    parts = (values - 0.8) / (1 + (values - 0.8))
    weights[2] = -(weights[0] * parts[0] + weights[1] * parts[1]) / parts[2]
    counts = weights - [0.5, 0, 0.5]
    at_s1 = -(weights * np.log1p(values - 0.8)).sum()
    assert float((weights / (1 + values - 0.8)).sum()) == pytest.approx(weights.sum())
    elo1 = sequential.rating(0.8)
    mean = float(weights @ values / weights.sum())
    at_mean = 0.0  # no tilt makes the observed frequencies their own likeliest
    found = sequential.log_likelihood_ratio(counts, Terms(sequential.rating(mean), elo1))
    assert found == pytest.approx(at_s1 - at_mean, abs=1e-5)


def test_the_ratio_is_antisymmetric_and_many_at_a_time_are_as_one():
    counts = np.array([[3, 10, 40, 30, 9], [9, 30, 40, 10, 3], [0, 0, 0, 0, 500], [500, 0, 0, 0, 0], [0, 0, 500, 0, 0]])
    test = Terms(-15, 15)
    found = sequential.log_likelihood_ratio(counts, test)
    assert found[0] == -found[1]
    assert found[2] == -found[3]
    assert found[4] == 0
    assert [float(sequential.log_likelihood_ratio(row, test)) for row in counts] == found.tolist()


@pytest.mark.parametrize("n_scores", [5, 25, 81])
def test_near_the_middle_the_ratio_is_that_of_normal_scores(n_scores):
    rng, test = np.random.default_rng(3), Terms()
    values = np.linspace(0, 1, n_scores)
    bell = np.exp(-((values - 0.505) ** 2) / 0.045)
    counts = rng.multinomial(4000, bell / bell.sum())
    weights = sequential.with_prior(counts)
    below, above = (float(weights @ (values - s) ** 2) for s in test.scores)
    normal = weights.sum() / 2 * math.log(below / above)
    assert sequential.log_likelihood_ratio(counts, test) == pytest.approx(normal, abs=0.02)


def test_a_lopsided_sample_with_one_far_score_is_solved():
    # all but one deal within a few scores, far below the middle: the tilt lies next to its pole
    counts = np.zeros(81, dtype=int)
    counts[[30, 35, 40, 44]] = 20, 20, 20, 4
    assert -3 < sequential.log_likelihood_ratio(counts, Terms()) < 0
    assert sequential.log_likelihood_ratio(counts[::-1], Terms(-10, 0)) > 0


def test_no_verdict_on_a_few_deals():
    assert sequential.verdict(9.0, sequential.LEAST_DEALS - 1, Terms()) == UNDECIDED
    assert sequential.verdict(9.0, sequential.LEAST_DEALS, Terms()) == BETTER
    assert sequential.verdict(-9.0, sequential.LEAST_DEALS, Terms()) == NOT_BETTER
    assert sequential.verdict(2.9, 10**6, Terms()) == UNDECIDED


def test_a_fixed_size_is_the_textbook_s():
    counts = np.array([100, 0, 0, 0, 100])  # spread 1/2
    s0, s1 = Terms().scores
    assert sequential.fixed_deals(counts, Terms()) == math.ceil((2 * float(ndtri(0.95)) * 0.5 / (s1 - s0)) ** 2)


@pytest.mark.parametrize(
    ("test", "message"),
    [
        (Terms(elo0=5, elo1=5), "elo1: found 5, expected more than elo0, which is 5"),
        (Terms(elo1=math.nan), "elo1: found nan, expected Elo points"),
        (Terms(elo1=5000), "elo1: found 5000, expected Elo points between -1200 and 1200"),
        (Terms(alpha=0), "alpha: found 0, expected a chance of error between 0 and 0.5"),
        (Terms(beta=0.5), "beta: found 0.5, expected a chance of error between 0 and 0.5"),
    ],
)
def test_tests_that_make_no_sense_are_refused(test, message):
    with pytest.raises(UserError, match=message):
        sequential.check(test)


# ---- Brownian motion between barriers -------------------------------------------------------------------------------

WALKS = [
    (time, drift, low, high)
    for time in (0.01, 0.7, 5.0, 400.0)
    for drift in (-2.0, -0.1, 0.0, 0.3, 6.0)
    for low, high in ((-1.0, 1.0), (-3.0, 0.5))
]


@pytest.mark.parametrize(("time", "drift", "low", "high"), WALKS)
def test_whoever_reaches_no_barrier_is_between_them(time, drift, low, high):
    almost = high - 1e-9
    whole = sequential.chance_of_less(time, almost, drift, low, high)
    assert whole == pytest.approx(sequential.chance_of_less(time, high, drift, low, high), abs=1e-7)
    places = [low, *np.linspace(low + 1e-9, almost, 9), high]
    chances = [sequential.chance_of_less(time, place, drift, low, high) for place in places]
    assert all(0 <= chance <= 1 + 1e-12 for chance in chances)
    assert all(b >= a - 1e-12 for a, b in itertools.pairwise(chances))
    mirrored = [1 - sequential.chance_of_less(time, -place, -drift, -high, -low) for place in places]
    assert mirrored == pytest.approx(chances, abs=1e-9)


@pytest.mark.parametrize("drift", [-1.5, -0.2, 0.4, 2.0])
def test_in_the_end_the_gambler_is_ruined_with_the_known_chance(drift):
    low, high = -1.2, 0.8
    ruin = (1 - math.exp(-2 * drift * high)) / (math.exp(-2 * drift * low) - math.exp(-2 * drift * high))
    assert sequential.chance_of_less(1e4, low, drift, low, high) == pytest.approx(ruin)


def test_walks_end_as_often_as_the_formula_says():
    rng, low, high, drift, time, steps = np.random.default_rng(5), -1.0, 1.4, 0.5, 1.5, 1500
    shift = sequential.OVERSHOOT * math.sqrt(time / steps)
    ended = np.zeros(4000, dtype=int)
    place = np.zeros(4000)
    for _ in range(steps):
        place = np.where(ended == 0, place + rng.normal(drift * time / steps, math.sqrt(time / steps), 4000), place)
        ended = np.where(ended == 0, np.sign(place) * ((place <= low) | (place >= high)), ended).astype(int)
    for observed, chance in (
        (ended == -1, sequential.chance_of_less(time, low, drift, low - shift, high + shift)),
        (ended != 1, sequential.chance_of_less(time, high + shift, drift, low - shift, high + shift)),
        (place < 0.3, sequential.chance_of_less(time, 0.3, drift, low - shift, high + shift)),
    ):
        below = observed.mean() if observed.any() else 0.0
        assert abs(below - chance) < 4 * math.sqrt(0.25 / 4000)


# ---- rehearsals -----------------------------------------------------------------------------------------------------


def at_most(share, chance, n):
    """Tell whether a share of n trials is compatible with a chance of at most that much (four standard errors)."""
    return share <= chance + 4 * math.sqrt(chance * (1 - chance) / n)


def test_tilted_distributions_have_the_wanted_strength():
    for elo in (-300, 0, 5, 200):
        assert float(tilted(SMOOTH, elo) @ GRID) == pytest.approx(sequential.score(elo), abs=1e-9)
    assert tilted(FIVE, 0) == pytest.approx(FIVE)


def test_errors_are_as_rare_as_promised_and_deals_fewer_than_fixed(drawn):
    frequencies, test, rng = drawn
    n = 1000
    null = rehearse(tilted(frequencies, test.elo0), test, LOOK, 20_000, n, rng)
    other = rehearse(tilted(frequencies, test.elo1), test, LOOK, 20_000, n, rng)
    assert at_most(null.share(BETTER), test.alpha, n)
    assert at_most(other.share(NOT_BETTER), test.beta, n)
    assert null.share(BETTER) > 0.005
    assert null.share(UNDECIDED) == other.share(UNDECIDED) == 0
    fixed = sequential.fixed_deals(frequencies * 1e6, test)
    assert max(null.deals.mean(), other.deals.mean()) < 0.75 * fixed


@pytest.mark.parametrize("times", [0, 0.5, 1, 3])
def test_intervals_cover_and_estimates_are_median_unbiased(drawn, times):
    frequencies, test, rng = drawn
    true, n = times * test.elo1, 400
    found = rehearse(tilted(frequencies, true), test, LOOK, 20_000, n, rng)
    estimates = [
        sequential.estimate(counts, test, VERDICTS[verdict], LOOK)
        for counts, verdict in zip(found.counts, found.verdicts, strict=True)
    ]
    covered = sum(low <= true <= high for _, low, high in estimates) / n
    assert 0.93 <= covered <= 0.985
    assert abs(sum(value < true for value, _, _ in estimates) / n - 0.5) < 0.1


def test_plain_intervals_of_a_stopped_test_would_be_off():
    """What the correction is for: a test that just crossed has seen luck, and the plain estimate takes it for skill."""
    test, rng = Terms(0, 20), np.random.default_rng(2)
    found = rehearse(tilted(FIVE, 0), test, LOOK, 20_000, 1500, rng)
    lucky = found.counts[found.verdicts == VERDICTS.index(BETTER)]
    plain = [sequential.rating(float(counts @ np.linspace(0, 1, 5)) / counts.sum()) for counts in lucky]
    corrected = [sequential.estimate(counts, test, BETTER, LOOK).value for counts in lucky]
    assert len(lucky) > 20
    assert np.mean(corrected) < np.mean(plain)


def test_an_unfinished_test_is_estimated_from_where_it_stands():
    found = sequential.estimate(np.array([5, 22, 46, 22, 5]), Terms(), UNDECIDED, LOOK)
    assert found.value == pytest.approx(0, abs=0.5)
    assert found.low < -20 < 20 < found.high


@pytest.mark.parametrize("counts", [[0] * 80 + [128], [128] + [0] * 80, [0] * 40 + [400] + [0] * 40])
def test_deals_that_all_agree_have_finite_numbers(counts):
    test = Terms()
    ratio = float(sequential.log_likelihood_ratio(counts, test))
    found = sequential.estimate(counts, test, sequential.verdict(ratio, sum(counts), test), LOOK)
    assert all(map(math.isfinite, (ratio, *found)))
    assert found.low < found.value < found.high


def test_hypotheses_far_apart_have_finite_numbers():
    test = Terms(-1100, 1100)
    for counts in np.random.default_rng(1).multinomial(40, [0.1, 0.5, 0.1, 0.1, 0.2], 50):
        ratio = float(sequential.log_likelihood_ratio(counts, test))
        found = sequential.estimate(counts, test, sequential.verdict(ratio, 40, test), 1)
        assert all(map(math.isfinite, (ratio, *found)))
