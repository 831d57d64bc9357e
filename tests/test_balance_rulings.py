"""Rulings: which readings are flipped, what they change, and what a run could have missed."""

import math

import pytest

from experiments import cli, games
from experiments.balance import rulings_figures
from experiments.balance.designs import base
from experiments.balance.rulings import CHANGED, NEVER, SAME, UNSEEN, readings, rulings
from experiments.intervals import t_quantile
from experiments.plots import STYLE, mpl

HOT, HEAT = games.get("hotsim"), games.get("heatsim")


def test_every_switch_is_flipped_both_ways():
    assert [reading.design.label for reading in readings(HOT, base(HOT), [2, 3])] == [
        "return_rounded_up=true",
        "helicopter_is_top=true",
        "absent_column_is_zero=true",
        "dummy=false",
    ]
    other = base(HEAT, HEAT.load_rules().replace(debt=False, announce=True))
    assert [reading.design.label for reading in readings(HEAT, other, [4])] == [
        "feds_carry_over=false",
        "debt=true",
        "mastermind_tie=false",
        "announce=false",
    ]


@pytest.fixture(scope="module")
def hot():
    return rulings("hotsim", agents="random", games=500, players=[2, 5], jobs=1)


def test_verdicts(hot):
    verdicts = hot.frame("verdicts").set_index(["design", "players"])
    assert verdicts.loc["return_rounded_up=true", 5].verdict == SAME, "with five nothing is returned"
    assert verdicts.loc["dummy=false", 5].verdict == SAME
    without = verdicts.loc["dummy=false", 2]
    assert without.verdict == CHANGED
    assert "decisions_mean (random)" in without.changed
    assert verdicts.loc["absent_column_is_zero=true"].n_numbers.gt(0).all()
    assert set(verdicts.ruling) == {"HH2", "HH8", "HH14"}


def test_intervals_hold_all_at_once_and_tell_what_could_be_seen(hot):
    table = hot.frame("readings")
    plain = hot.frame("differences")
    assert len(table) == len(plain)
    tested = plain.p_value.notna().sum()
    wider = t_quantile(250, int(tested)) / t_quantile(250)
    half = (plain.difference_high - plain.difference_low) / 2
    assert wider > 1.5
    varied = (plain.p_value < 1) & (plain.difference_high > plain.difference_low)
    assert table.visible[varied].to_numpy() == pytest.approx(half[varied].to_numpy() * wider)
    assert (table.visible[plain.p_value == 1] >= half[plain.p_value == 1]).all()
    changed = table.verdict == CHANGED
    assert ((table.p_adjusted < 0.05) == changed).all()
    bonferroni = table.difference.abs() > table.visible
    assert (changed | ~bonferroni).all(), "Holm's method finds at least what the intervals find"


def test_a_reading_that_never_matters():
    found = rulings("heatsim", agents="random", games=10, players=3, jobs=1, seed=5)
    verdicts = found.frame("verdicts").set_index("design").verdict
    assert verdicts["debt=false"] in (NEVER, UNSEEN)
    assert verdicts["debt=false"] == (
        NEVER if (found.frame("readings").query("design == 'debt=false'").difference == 0).all() else UNSEEN
    )


def test_the_quantile_of_a_family():
    assert t_quantile(250) == t_quantile(250, 1)
    assert t_quantile(10, 5) == pytest.approx(3.1693, abs=1e-4)  # tables of t: 0.5 % a side, 10 degrees of freedom
    assert math.isclose(t_quantile(10), 2.2281, abs_tol=1e-4)


def test_figures(hot):
    with mpl.rc_context(STYLE):
        drawn = dict(rulings_figures.figures(hot.tables))
    assert set(drawn) == {"readings_2_0", "readings_5_0"}
    told = [text.get_text() for text in drawn["readings_2_0"].axes[0].texts]
    assert any("*" in text for text in told)
    assert all("±" in text for text in told)


def test_the_command_line(tmp_path, capsys):
    words = ["balance", "rulings", "--agents", "random", "--players", "5", "--games", "40", "--quiet"]
    assert cli.run("hotsim", [*words, "--out", str(tmp_path / "run")]) == 0
    said = capsys.readouterr().out
    assert "helicopter_is_top=true" in said
    assert "the same game" in said
    assert (tmp_path / "run" / "figures" / "readings_5_0.svg").exists()
    assert "visible" in (tmp_path / "run" / "tables" / "columns.csv").read_text()
