import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtrit

from experiments.intervals import Moments, mean, share, standard_deviation, t_quantile


def moments(y, m):
    y, m = np.asarray(y), np.asarray(m)
    return Moments(int(y.sum()), int(m.sum()), int(y @ y), int(y @ m), int(m @ m), len(y))


@pytest.mark.parametrize("freedom", [*range(1, 40), 99, 250, 999, 1000, 1001, 5000, 10**6])
def test_t_quantile_is_that_of_scipy(freedom):
    assert t_quantile(freedom) == pytest.approx(stdtrit(freedom, 0.975), rel=1e-12)


def test_share_of_independent_deals_is_a_wilson_interval():
    found = share(moments([1] * 30 + [0] * 70, [1] * 100))
    n, p, t = 99, 0.3, t_quantile(99)  # the divisor deals - 1 makes the effective sample one deal smaller
    centre, half = p + t * t / 2 / n, t * math.sqrt(p * (1 - p) / n + t * t / 4 / n / n)
    assert found.value == 0.3
    assert (found.low, found.high) == pytest.approx([(centre + s * half) / (1 + t * t / n) for s in (-1, 1)])


def test_deals_that_repeat_themselves_count_once():
    once = share(moments([1] * 30 + [0] * 70, [1] * 100))
    tenfold = share(moments([10] * 30 + [0] * 70, [10] * 100))
    assert tenfold == pytest.approx(once)


def test_ratio_has_the_textbook_variance():
    rng = np.random.default_rng(1)
    m = rng.integers(5, 40, 50)
    y = rng.binomial(m, 0.3)
    found = mean(moments(y, m))
    r = y.sum() / m.sum()
    se = math.sqrt(50 / 49 * ((y - r * m) ** 2).sum()) / m.sum()
    assert found.value == pytest.approx(r)
    assert found.high - found.value == pytest.approx(t_quantile(49) * se)


@pytest.mark.parametrize(("wins", "value"), [(0, 0.0), (60 * 4, 1.0)])
def test_share_of_nothing_or_all_counts_deals(wins, value):
    found = share(Moments.with_constant(wins * 20, wins * wins * 20, 4, 20), 60)
    t2 = t_quantile(19) ** 2
    assert found.value == value
    assert abs(found.value - (found.high if value == 0 else found.low)) == pytest.approx(t2 / (20 + t2))
    assert value in (found.low, found.high)


def test_share_that_no_deal_can_change_is_its_own_interval():
    assert share(Moments.with_constant(60 * 1000, 60 * 60 * 1000, 3, 1000), 60) == (1 / 3, 1 / 3, 1 / 3)


def test_fewer_than_two_deals_give_no_interval():
    for found in (share(moments([3], [10])), mean(moments([3], [10]))):
        assert found.value == pytest.approx(0.3)
        assert math.isnan(found.low)
        assert math.isnan(found.high)


def test_no_denominator_gives_nothing():
    assert all(math.isnan(value) for value in (*share(moments([0, 0], [0, 0])), *mean(moments([0, 0], [0, 0]))))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12))
def test_an_interval_of_a_share_holds_it_within_0_and_1(deals):
    y, m = zip(*((min(a, b), b) for a, b in deals), strict=True)
    found = share(moments(y, m))
    if sum(m):
        assert 0 <= found.low <= found.value <= found.high <= 1


def test_standard_deviation():
    values = np.array([3, -7, 12, 12, 0])
    assert standard_deviation(5, int(values.sum()), int(values @ values)) == pytest.approx(values.std(ddof=1))
    assert math.isnan(standard_deviation(1, 4, 16))


@pytest.mark.parametrize(
    ("deals", "p", "games", "clustering"), [(30, 0.25, 16, 0.1), (60, 0.5, 16, 0.3), (250, 0.2, 1, 0.0)]
)
def test_95_percent_intervals_of_shares_cover_95_percent(deals, p, games, clustering):
    """Each deal has a chance of its own, drawn from a beta distribution around p; its games share it."""
    rng = np.random.default_rng(2)
    scale = (1 / clustering - 1) if clustering else 1e9
    covered = 0
    for _ in range(2000):
        y = rng.binomial(games, rng.beta(p * scale, (1 - p) * scale, deals))
        found = share(Moments.with_constant(int(y.sum()), int(y @ y), games, deals))
        covered += found.low <= p <= found.high
    assert 0.93 <= covered / 2000 <= 0.97


def test_95_percent_intervals_of_ratios_cover_95_percent():
    """Denominators vary between deals, as turns do, and go with the numerators."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(2000):
        m = rng.integers(20, 80, 60)
        y = rng.binomial(m, rng.beta(4, 12, 60))
        found = share(moments(y, m))
        covered += found.low <= 0.25 <= found.high
    assert 0.93 <= covered / 2000 <= 0.97
