import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from experiments.intervals import Moments, share
from experiments.significance import holm, means_are_equal, share_is


def test_holm_is_the_example_of_the_paper():
    """Four p-values: the smallest times four, the next times three, and none below one before it."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_out_what_was_not_tested():
    found = holm([0.01, math.nan, 0.02])
    assert found[::2] == pytest.approx([0.02, 0.02])
    assert math.isnan(found[1])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_holm_keeps_the_order_and_never_lowers(p_values):
    found = holm(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, found, strict=True))
    assert np.array_equal(np.argsort(p_values, kind="stable"), np.lexsort((p_values, found)))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=30))
def test_a_share_differs_from_one_half_exactly_where_its_interval_says_so(wins):
    y = np.array(wins)
    sums = Moments.with_constant(int(y.sum()), int(y @ y), 4, len(y))
    found, test = share(sums), share_is(sums)
    assert (test.p_value < 0.05) == (not found.low <= 0.5 <= found.high) or abs(test.p_value - 0.05) < 1e-9


def test_a_share_of_independent_deals_has_the_score_test():
    test = share_is(Moments.with_constant(60, 60, 1, 100))
    z2 = (0.6 - 0.5) ** 2 / (0.25 / 99)  # the divisor deals - 1 makes the effective sample one deal smaller
    assert test.statistic == pytest.approx(z2)
    assert test.p_value == pytest.approx(2 * stats.t.sf(math.sqrt(z2), 99))


def test_equal_means_have_hotellings_test():
    rng = np.random.default_rng(5)
    sums = rng.integers(0, 240, (40, 4))
    test = means_are_equal(sums.sum(axis=0).tolist(), sums.T @ sums, 40)
    apart = sums[:, :3] - sums[:, 3:]
    mean, spread = apart.mean(axis=0), np.cov(apart.T)
    squared = 40 * mean @ np.linalg.inv(spread) @ mean
    assert (test.df, test.df_error) == (3, 37)
    assert test.statistic == pytest.approx(37 / (3 * 39) * squared)
    assert test.p_value == pytest.approx(stats.f.sf(test.statistic, 3, 37))


def test_two_equal_means_have_the_paired_t_test():
    rng = np.random.default_rng(6)
    sums = rng.integers(0, 60, (25, 2))
    test = means_are_equal(sums.sum(axis=0).tolist(), sums.T @ sums, 25)
    paired = stats.ttest_rel(sums[:, 0], sums[:, 1])
    assert (test.statistic, test.p_value) == pytest.approx((paired.statistic**2, paired.pvalue))


def test_it_does_not_matter_which_sum_is_last():
    rng = np.random.default_rng(7)
    sums = rng.integers(0, 99, (30, 4))
    order = [2, 0, 3, 1]
    found = [means_are_equal(part.sum(axis=0).tolist(), part.T @ part, 30).statistic for part in (sums, sums[:, order])]
    assert found[0] == pytest.approx(found[1])


@pytest.mark.parametrize("deals", [0, 1, 2, 3])
def test_too_few_deals_allow_no_test(deals):
    sums = np.arange(4 * deals).reshape(deals, 4) ** 2 % 7
    assert math.isnan(means_are_equal(sums.sum(axis=0).tolist(), sums.T @ sums, deals).p_value)
    assert math.isnan(share_is(Moments.with_constant(0, 0, 4, min(deals, 1))).p_value)


def test_sums_that_do_not_vary_allow_no_test():
    sums = np.tile([60, 60, 120], (20, 1))
    assert math.isnan(means_are_equal(sums.sum(axis=0).tolist(), sums.T @ sums, 20).p_value)
