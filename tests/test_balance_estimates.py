"""Estimates from totals: the same whatever the chunks, with intervals and tests that keep their word."""

import math

import numpy as np
import pytest
from lab import GAME, FakeMatch

from experiments.balance.estimates import Sums, difference, estimate, interval
from experiments.balance.metrics import metrics, ratio, seat_shares
from experiments.balance.totals import GROUPS, MIRROR, add_up, features

SEATINGS = np.zeros((1, 3), np.int16)


def played(match, first, n):
    return add_up(features(GAME, match.play(first, n, SEATINGS), SEATINGS, MIRROR), first)


def drawn(values):
    """Totals of deals with one game each, in which a feature has these values."""
    values = np.asarray(values, np.int64)
    ones = np.ones(len(values), np.int64)
    return Sums(add_up({"deals": ones, "games": ones, "x": values}, 0), 3)


def test_chunks_change_nothing():
    match = FakeMatch([0.0, 0.0, 0.0])
    whole = played(match, 0, 1000)
    parts = [played(match, first, n) for first, n in ((700, 300), (0, 130), (130, 570))]
    joined = parts[0] + parts[1] + parts[2]
    assert np.array_equal(whole.groups, joined.groups)
    assert whole.deals == joined.deals == 1000


def test_a_deal_falls_into_the_group_of_its_number():
    totals = add_up({"deals": np.arange(10, dtype=np.int64)}, GROUPS - 3)
    assert totals.column("deals")[[GROUPS - 3, GROUPS - 2, GROUPS - 1, 0, 1]].tolist() == [0, 1, 2, 3, 4]


def test_features_are_what_the_rows_say():
    match = FakeMatch([0.0, 0.0, 0.0])
    rows = match.play(0, 500, SEATINGS)
    sums = Sums(add_up(features(GAME, rows, SEATINGS, MIRROR), 0), 3)
    score = rows["score"].reshape(-1, 3)
    win = rows["win"].reshape(-1, 3)
    known = metrics(GAME)

    def value(name):
        return known[name].of(sums)[0]

    assert seat_shares(sums)[:, 0] == pytest.approx(win.mean(axis=0))
    assert value("score_mean") == pytest.approx(score.mean())
    assert value("score_sd") == pytest.approx(score.std(ddof=1))
    assert value("spread_mean") == pytest.approx(np.ptp(score, axis=1).mean())
    ranked = np.sort(score, axis=1)
    assert value("margin_mean") == pytest.approx((ranked[:, 2] - ranked[:, 1]).mean())
    assert value("split_share") == ((win > 0).sum(axis=1) > 1).mean()
    assert value("tied_share") == (ranked[:, 2] == ranked[:, 1]).mean()
    assert value("turns_mean") == pytest.approx(rows["turns"].reshape(-1, 3).sum(axis=1).mean())
    assert value("turns_sd") == pytest.approx(rows["turns"].reshape(-1, 3).sum(axis=1).std(ddof=1))
    assert value("pass_share") == pytest.approx(rows["passes"].sum() / rows["turns"].sum())


def test_the_error_of_a_mean_is_the_usual_one():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 100, 100 * GROUPS)
    found = estimate(ratio("x"), drawn(values), "games")
    assert found.value == pytest.approx(values.mean())
    assert math.sqrt(found.variance) == pytest.approx(values.std() / math.sqrt(len(values)), rel=0.15)


def test_paired_designs_have_the_error_of_their_difference():
    rng = np.random.default_rng(2)
    luck, more = rng.normal(0, 50, 20 * GROUPS), rng.normal(2, 5, 20 * GROUPS)
    base, other = (estimate(ratio("x"), drawn(np.rint(v)), "games") for v in (luck, luck + more))
    found = difference(other, base)
    assert found.interval.value == pytest.approx(2, abs=0.5)
    assert found.interval.high - found.interval.low == pytest.approx(4 * 5 / math.sqrt(20 * GROUPS), rel=0.25)
    assert found.gain == pytest.approx(2 * 50**2 / 5**2, rel=0.3)
    assert found.p_value < 1e-6


def test_equal_designs_differ_by_nothing():
    one = estimate(ratio("x"), drawn([1, 2, 3, 4]), "games")
    found = difference(one, one)
    assert found.interval.value == 0
    assert found.interval.high == -found.interval.low > 1  # from four deals
    assert found.p_value == 1.0
    many = estimate(ratio("x"), drawn([1, 2, 3, 4] * 5000), "games")
    assert difference(many, many).interval.high < 0.001


def test_designs_that_always_differ_by_the_same_are_told_apart():
    base, other = (estimate(ratio("x"), drawn(values), "games") for values in ([1, 2, 3, 4], [2, 3, 4, 5]))
    found = difference(other, base)
    assert found.interval.value == 1
    assert found.interval.low < 0
    assert found.p_value == 0.5**3
    assert found.gain == math.inf


def test_what_is_not_defined_is_nan():
    nothing = estimate(ratio("x", "x"), drawn([0, 0, 0]), "games")
    assert math.isnan(nothing.value)
    assert all(map(math.isnan, interval(nothing, True)))
    one_deal = estimate(ratio("x"), drawn([3]), "games")
    assert one_deal.value == 3
    assert math.isnan(interval(one_deal, False).low)


def test_what_never_happened_may_still_happen():
    found = interval(estimate(ratio("x"), drawn([0] * 1000), "games"), True)
    assert found.low == 0.0
    assert 3 / 1000 < found.high < 5 / 1000


@pytest.mark.parametrize("name", ["share", "mean"])
def test_intervals_cover_the_truth(name):
    rng = np.random.default_rng(3)
    repeats, truth = 400, 0.3
    covered = 0
    for _ in range(repeats):
        values = rng.random(3 * GROUPS) < truth
        low, high = interval(estimate(ratio("x"), drawn(values), "games"), name == "share")[1:]
        covered += low <= truth <= high
    assert 0.92 <= covered / repeats <= 0.98  # binomial error 0.011


def test_win_shares_add_up():
    totals = played(FakeMatch([0.0, 0.0, 0.0], nobody_wins=0.2), 0, 600)
    sums = Sums(totals, 3)
    unwon = metrics(GAME)["unwon_share"].of(sums)[0]
    assert seat_shares(sums)[:, 0].sum() == pytest.approx(1 - unwon)


def test_an_even_count_of_wins_does_not_make_seats_surely_fair():
    ones = np.ones(20, np.int64)
    wins = {f"wins_{seat}": 60 * (np.arange(20) % 2 == seat).astype(np.int64) for seat in range(2)}
    gap = metrics(GAME)["seat_gap"]
    found = interval(estimate(gap.of, Sums(add_up({"deals": ones, "games": ones, **wins}, 0), 2), "games"), False)
    assert found.value == 0
    assert found.high > 0.3


def test_without_an_error_there_is_no_claim():
    """The only deal with an x is left out with its group, and the ratio is not defined without it."""
    one, other = (estimate(ratio("x", "x"), drawn(values), "games") for values in ([1, 0, 0, 0], [1, 1, 0, 0]))
    found = difference(one._replace(value=1.5), other)
    assert math.isnan(found.p_value)
    assert math.isnan(found.interval.low)


def test_the_gap_of_fair_seats_is_rarely_called_more_than_nothing():
    rng, players, deals, repeats = np.random.default_rng(5), 5, 250, 300
    gap, ones = metrics(GAME)["seat_gap"], np.ones(deals, np.int64)
    sure = 0
    for _ in range(repeats):
        seat = rng.integers(0, players, deals)
        wins = {f"wins_{i}": 60 * (seat == i).astype(np.int64) for i in range(players)}
        sums = Sums(add_up({"deals": ones, "games": ones, **wins}, 0), players)
        sure += interval(estimate(gap.of, sums, "games", gap.looks(players)), False).low > 0
    assert sure / repeats <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / repeats)
