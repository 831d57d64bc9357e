"""Sweeps: what is played, what cannot be, planted faults that are found and equal designs that are not flagged."""

import itertools
import json
import math

import pytest

from experiments import cli, games
from experiments.balance import sweep_figures
from experiments.balance.designs import BASE, Design, base, where_they_differ
from experiments.balance.study import study
from experiments.balance.sweep import sweep
from experiments.plots import STYLE, mpl
from hotsim import deck

HOT = games.get("hotsim")
SMALL = {"agents": ["random"], "games": 200, "jobs": 1}


@pytest.fixture(scope="module")
def storms():
    return sweep("hotsim", ["storms=3,4,5", "helicopter_points=3,40"], players=[2, 3], **SMALL)


def test_a_clearly_different_number_is_found_and_impossible_points_are_listed(storms):
    found = storms.frame("differences").set_index(["design", "players", "metric"])
    high = found.loc["storms=4 helicopter_points=40"]
    assert (high.xs("score_mean", level="metric").p_adjusted < 1e-6).all()
    assert (high.xs("score_mean", level="metric").difference > 5).all()
    assert (high.xs("decisions_mean", level="metric").difference == 0).all(), "the same deals end after as many cards"
    assert (high.xs("decisions_mean", level="metric").p_adjusted == 1).all()
    impossible = storms.frame("impossible")
    assert set(impossible.design) == {"storms=5 helicopter_points=3", "storms=5 helicopter_points=40"}
    assert list(impossible.players) == [2, 2, 3, 3]
    assert impossible.why.str.contains("expected at least 15").all()


def test_points_name_the_design_that_is_played(storms):
    points = storms.frame("points")
    assert len(points) == 6 * 2 * 2
    middle = points[(points.key == "storms") & (points.value == "4")]
    assert set(middle.design) == {BASE, "storms=4 helicopter_points=40"}


def figures(result):
    with mpl.rc_context(STYLE):
        return dict(sweep_figures.figures(result.tables))


def texts(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_two_things_make_heat_maps(storms):
    made = figures(storms)
    assert set(made) >= {"score_mean", "seat_gap", "decisions_mean"}
    assert "skill" not in made, "random meets nobody weaker"
    length = made["decisions_mean"]
    assert len(length.axes) == 2
    starred = [text for text in texts(length) if text.endswith("*")]
    assert len(starred) == 4, "three storms, with either number of points, for either number of players"
    crosses = [line for axes in length.axes for line in axes.lines if line.get_marker() == "x"]
    assert len(crosses) == 4


def test_one_thing_makes_lines_with_intervals_and_three_make_tables_only(tmp_path, monkeypatch):
    every = sweep_figures.figures
    monkeypatch.setattr(sweep_figures, "figures", lambda tables: itertools.islice(every(tables), 3))
    one = sweep("hotsim", "helicopter_points=3,40", players=2, out=tmp_path / "one", **SMALL)
    (axes,) = figures(one)["score_mean"].axes
    line = next(line for line in axes.lines if line.get_label() == "random")
    values = one.frame("metrics").set_index(["design", "metric"]).value
    assert list(line.get_xdata()) == [3, 40]
    assert list(line.get_ydata()) == [values[BASE, "score_mean"], values["helicopter_points=40", "score_mean"]]
    filled = axes.lines[-1]
    assert list(filled.get_xdata()) == [40], "what surely differs from the base is filled"
    written = {path.name for path in (tmp_path / "one" / "figures").iterdir()}
    assert {"score_mean.png", "score_mean.svg"} <= written
    columns = (tmp_path / "one" / "tables" / "columns.csv").read_text()
    assert "points,number" in columns
    three = sweep(
        "hotsim",
        ["helicopter_points=3,4", "helicopter_is_top=true", "absent_column_is_zero=true"],
        players=2,
        **{**SMALL, "games": 10},
    )
    assert figures(three) == {}


def test_equal_designs_are_not_flagged():
    """Two decks that differ in names alone: any false alarm among all differences has a probability of 5 %."""
    one = deck.with_copies(deck.default(), "1+5", 8)
    other = deck.with_copies(deck.default(), "2+5", 8)
    start = base(HOT, deck=one)
    alarms, trials = 0, 20
    for seed in range(trials):
        made = study(HOT, [start, Design("the other type", {}, start.rules, other)], seed=seed, players=3, **SMALL)
        alarms += bool((made.frame("differences").p_adjusted < 0.05).any())
    assert alarms <= 4, "binomial: more with a probability of 0.3 %"


def test_designs_are_played_where_they_are_other_games_than_those_before():
    start = base(HOT)
    without = Design("dummy=false", {}, start.rules.replace(dummy=False), start.deck)
    twin = Design("twin", {}, start.rules.replace(dummy=False), start.deck)
    many = Design("many", {}, start.rules.replace(hand_size=30), start.deck)
    found = where_they_differ(HOT, start, [without, twin, many], [2, 3, 4])
    assert [design.players for design in found] == [(2,), (), (2, 3, 4)], "what cannot be played stays, to be told"
    assert where_they_differ(HOT, start, [without, twin], [2, 3], only_base=True)[1].players == (2,)


WORDS = [
    "balance",
    "sweep",
    "--vary",
    "helicopter_points=3,40",
    "--agents",
    "random",
    "--players",
    "2",
    "--games",
    "60",
]


def test_the_command_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sweep_figures, "save_all", lambda tables, folder: None)
    out = ["--out", str(tmp_path / "run")]
    assert cli.run("hotsim", [*WORDS, *out, "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "helicopter_points=40" in said
    assert "surely other than the base" in said
    assert cli.run("hotsim", [*WORDS, *out, "--resume", "--quiet", "--jobs", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["kind"] == "sweep"
    assert document["settings"] == {"vary": ["helicopter_points=3; 40"]}
    assert {row["design"] for row in document["tables"]["points"]} == {BASE, "helicopter_points=40"}
    same = sweep("hotsim", ["helicopter_points=3,40"], players=2, agents="random", games=60)
    values = [row["value"] for row in document["tables"]["metrics"]]
    assert values == [None if math.isnan(value) else value for value in same.tables["metrics"]["value"]]


@pytest.mark.parametrize("words", [["--vary", "storm=3"], ["--vary", "deck.sabotag=1"], ["--vary", "storms=3,x"], []])
def test_mistakes_end_with_code_2_and_one_line(words, capsys):
    assert cli.run("hotsim", ["balance", "sweep", *words]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith("hotsim")
