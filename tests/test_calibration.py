"""The short version of `calibration.py`: what is measured there at length holds within binomial error here."""

import math

import pytest
from calibration import coverage, false_alarms

REPETITIONS, DEALS = 900, 40
ERROR = math.sqrt(0.05 * 0.95 / REPETITIONS)  # 0.7 %: of one interval or test; several a repetition only lower it


@pytest.fixture(scope="module")
def covered():
    return coverage(REPETITIONS, DEALS, players=(2, 3))


@pytest.mark.parametrize("table", ["agents", "seats", "ranks", "payoffs", "head_to_head", "ratings", "ratings_all"])
def test_95_percent_intervals_cover_95_percent(covered, table):
    assert abs(covered[table] - 0.95) < 0.02  # nearly three times the error


@pytest.fixture(scope="module")
def alarmed():
    return false_alarms(REPETITIONS, DEALS)


@pytest.mark.parametrize("test", ["pair", "seats", "family of pairs"])
def test_equal_agents_and_seats_are_called_different_in_5_percent(alarmed, test):
    assert alarmed[test] < 0.05 + 3 * ERROR
    assert alarmed[test] > 0.01  # and no test is so careful that it never finds anything
