"""Targets: how they are read, and when an interval meets them."""

import math

import pytest

from experiments.balance.targets import MET, NOT_MET, UNDECIDED, check, read, together
from experiments.intervals import Interval
from gameapi.errors import UserError

METRICS = ["seat_gap", "decisions_mean", "split_share", "changes"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("seat_gap<0.03", ("seat_gap", -math.inf, 0.03, True, None, None)),
        ("seat_gap <= 0.03", ("seat_gap", -math.inf, 0.03, False, None, None)),
        ("decisions@4=60..75", ("decisions_mean", 60, 75, False, 4, None)),
        ("split>1e-3", ("split_share", 0.001, math.inf, True, None, None)),
        ("seat_gap@2@mc:rollouts=64>=-.5", ("seat_gap", -0.5, math.inf, False, 2, "mc:rollouts=64")),
        ("seat_gap@mc:rollouts=64=.1...2", ("seat_gap", 0.1, 0.2, False, None, "mc:rollouts=64")),
        ("changes<=2", ("changes", -math.inf, 2, False, None, None)),
    ],
)
def test_targets_are_read(text, parts):
    found = read(text, METRICS)
    assert (found.metric, found.low, found.high, found.strict, found.players, found.agent) == parts
    assert found.text == text.replace(" ", "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seat_gap", "expected METRIC<X"),
        ("seat_gap=3", "expected METRIC<X"),
        ("seat_gap<1..2", "expected METRIC<X"),
        ("seat_gap<x", "expected METRIC<X"),
        ("seat_gap=3..2", "3 is above 2"),
        ("seat_gaps<3", "the metrics are seat_gap, decisions_mean"),
    ],
)
def test_what_is_no_target_is_told(text, told):
    with pytest.raises(UserError, match=told):
        read(text, METRICS)


@pytest.mark.parametrize(
    ("text", "interval", "verdict"),
    [
        ("x=1..2", (1.5, 1.2, 1.8), MET),
        ("x=1..2", (1.5, 1.0, 2.0), MET),
        ("x=1..2", (1.5, 0.9, 1.8), UNDECIDED),
        ("x=1..2", (2.5, 2.1, 2.9), NOT_MET),
        ("x=1..2", (2.5, 1.9, 2.9), UNDECIDED),
        ("x=1..2", (0.5, 0.1, 0.9), NOT_MET),
        ("x=1..2", (0.5, 0.1, 3.0), UNDECIDED),
        ("x<1", (0.5, 0.4, 1.0), UNDECIDED),
        ("x<=1", (0.5, 0.4, 1.0), MET),
        ("x<1", (1.0, 1.0, 1.0), NOT_MET),
        ("x<=1", (1.0, 1.0, 1.0), MET),
        ("x<1", (0.5, math.nan, math.nan), UNDECIDED),
    ],
)
def test_a_target_is_met_where_the_whole_interval_lies_inside(text, interval, verdict):
    assert read(text).verdict(Interval(*interval)) == verdict


def test_distance_is_how_far_outside():
    assert [read("x=1..2").distance(value) for value in (0.5, 1, 1.7, 2, 4)] == [0.5, 0, 0, 0, 2]
    assert read("x<1").distance(3) == 2


def test_several_are_met_where_each_is():
    assert together([MET, MET]) == MET
    assert together([MET, UNDECIDED]) == UNDECIDED
    assert together([MET, UNDECIDED, NOT_MET]) == NOT_MET
    assert together([]) == UNDECIDED


def test_a_target_about_what_is_not_played_is_told():
    check([read("x@3@greedy<1"), read("x<1")], [3, 4], ["greedy"])
    with pytest.raises(UserError, match="5 players are not played, but 3, 4"):
        check([read("x@5<1")], [3, 4], ["greedy"])
    with pytest.raises(UserError, match="no level of this study: greedy"):
        check([read("x@mc<1")], [3, 4], ["greedy"])
