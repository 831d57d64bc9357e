"""Searches for designs: a planted answer is found, what nothing meets is said, interruption changes no byte."""

import json
from pathlib import Path

import pytest

from experiments import games
from experiments.balance import search as search_module
from experiments.balance import search_tables
from experiments.balance.search import fresh, search
from experiments.balance.search_tables import Judge, answer, finalists, front, ranked
from experiments.balance.study import load
from experiments.balance.targets import MET, NOT_MET, UNDECIDED, read
from experiments.balance.trials import Trial, Worth
from experiments.cli import run as command
from experiments.runner import InterruptedRun
from gameapi.errors import UserError

HOT = games.get("hotsim")
VARY = ["storms=2..5", "helicopter_points=1..5"]
ASKED = {"vary": VARY, "agents": "random", "games": 200, "players": [3], "jobs": 1, "finalists": 2}
LENGTH = "decisions=40..52"
"""With three storms games take 45 decisions, with two or four 30 and 59; helicopters do not matter."""


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*.csv"))}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search") / "run"
    return search("hotsim", [LENGTH, "changes<=3"], trials=12, out=folder, **ASKED)


def test_a_planted_answer_is_found_as_the_smallest_change(found):
    best = found.frame("smallest").iloc[0]
    assert (best["design"], best["changes"]) == ("storms=3", 1)
    assert (best["verdict"], best["confirmed"]) == (MET, MET)
    assert answer(found.tables) == (
        f"Smallest change that meets all targets on fresh deals: storms=3 ({best['files']})"
    )


def test_the_base_comes_first_and_impossible_designs_are_listed(found):
    trials = found.frame("trials")
    assert trials["design"][0] == "base"
    impossible = trials[trials["verdict"] == "impossible"]
    assert len(impossible)
    assert all("storms=5" in design for design in impossible["design"])
    assert all("expected at least 15" in why for why in impossible["why"])
    assert impossible["distance"].isna().all()
    assert not impossible["front"].any()


def test_the_front_has_the_base_and_the_answer(found):
    assert set(found.frame("pareto")["design"]) == {"base", "storms=3"}


def test_finalists_are_played_on_fresh_deals_with_more_games(found):
    confirmation, values = found.frame("confirmation"), found.frame("values")
    assert set(confirmation["n_games"]) == {0, 1000}
    assert set(values["n_games"]) == {0, 200}
    again = load(found.folder / "confirmation")
    assert again.manifest["seed"] == fresh(1) != found.manifest["seed"]
    assert [entry["label"] for entry in again.manifest["study"]["designs"]][:2] == ["base", "storms=3"]
    row = confirmation.iloc[0]
    at_first = values[(values["design"] == "storms=3") & (values["target"] == LENGTH)]["value"].item()
    assert row["trial_value"] == at_first != row["value"]


def test_designs_are_files_that_can_be_played(found):
    stem = str(found.folder / found.frame("smallest")["files"][0])
    assert HOT.load_rules(f"{stem}.rules.toml").storms == 3
    assert HOT.load_deck(f"{stem}.deck.toml").digest() == HOT.load_deck().digest()


def test_every_column_is_explained_and_figures_are_drawn(found):
    for name, columns in search_tables.COLUMNS.items():
        assert [column for column, _, _ in columns] == list(found.tables[name])
    assert {"history.png", "front_1.svg", "front_2.svg", "front_3.png"} <= {
        path.name for path in (found.folder / "figures").iterdir()
    }
    json.dumps(found.json(), allow_nan=False)


def test_an_interrupted_search_ends_with_the_same_bytes(found, tmp_path, monkeypatch):
    monkeypatch.setattr("experiments.balance.search_figures.save_all", lambda *_: [])
    worth, folder = search_module._worth, tmp_path / "run"
    calls = []

    def stopping(*given):
        calls.append(given)
        if len(calls) == 5:
            raise InterruptedRun(None, 0, 0)
        return worth(*given)

    with monkeypatch.context() as patch:
        patch.setattr(search_module, "_worth", stopping)
        with pytest.raises(InterruptedRun) as stopped:
            search("hotsim", [LENGTH, "changes<=3"], trials=12, out=folder, **ASKED)
    assert (stopped.value.done, stopped.value.total) == (4 * 200, 12 * 200)
    assert json.loads((folder / "manifest.json").read_text())["state"] == "interrupted"
    search("hotsim", [LENGTH, "changes<=3"], trials=12, out=folder, resume=True, **{**ASKED, "jobs": 2})
    assert contents(folder) == contents(found.folder)
    before = contents(folder)
    search("hotsim", [LENGTH, "changes<=3"], trials=12, out=folder, resume=True, **ASKED)
    assert contents(folder) == before
    with pytest.raises(UserError, match="settings of the study"):
        search("hotsim", [LENGTH], trials=12, out=folder, resume=True, **ASKED)


def test_a_target_that_nothing_meets_is_said_so():
    made = search("hotsim", "decisions<10", trials=20, **{**ASKED, "vary": "storms=2..5", "confirm_games": 200})
    assert len(made.frame("trials")) == 4
    assert set(made.frame("smallest")["verdict"]) == {NOT_MET}
    assert answer(made.tables) == "No design that was tried meets all targets"


def trial(number, objectives, changes, value, low, high):
    cell = {"players": 3, "agent": "x", "metric": "m", "value": value, "value_low": low, "value_high": high}
    found = {"changes": changes, "cells": [{**cell, "n_games": 1, "n_deals": 1}]}
    return Trial(number, {"k": str(number)}, Worth(objectives, found))


def test_the_smallest_change_that_may_do_is_a_finalist_and_so_is_one_that_surely_does():
    judge = Judge([read("m<1")])
    tried = [
        trial(0, [0.5, 0.0], 0, 1.5, 1.2, 1.8),
        trial(1, [0.0, 1.0], 1, 0.9, 0.7, 1.1),
        trial(2, [0.0, 3.0], 3, 0.5, 0.4, 0.6),
        trial(3, [0.0, 2.0], 2, 0.5, 0.4, 0.6),
        trial(4, [0.1, 1.0], 1, 1.1, 0.9, 1.3),
        Trial(5, {"k": "5"}, Worth([], {"changes": 0, "cells": []}, "no")),
    ]
    assert [one.number for one in ranked(tried, judge)] == [1, 3, 2, 4, 0]
    assert [[one.number for one in finalists(tried, judge, n)] for n in (1, 2, 9)] == [[3], [1, 3], [1, 3, 2, 4, 0]]
    assert [one.number for one in finalists(tried[:2], judge, 1)] == [1]
    assert front(tried) == {0, 1}


def test_the_answer_says_how_sure_it_is():
    def made(*confirmed):
        rows = [
            {"confirmed": one, "changes": i, "place": i, "design": f"d{i}", "files": "f"}
            for i, one in enumerate(confirmed)
        ]
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        return {"smallest": columns, "trials": {"verdict": [UNDECIDED]}}

    assert "fresh deals: d1 (f)" in answer(made(NOT_MET, MET, MET))
    assert "play more games" in answer(made(NOT_MET, UNDECIDED))
    assert answer(made(NOT_MET, NOT_MET)) == "No finalist meets all targets on fresh deals"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"target": "seat_gap"}, "expected METRIC<X"),
        ({"target": []}, "name at least one"),
        ({"target": "skill>0.1", "agents": "random"}, "no level that is played has this metric"),
        ({"target": "seat_gap@5<1"}, "5 players are not played"),
        ({"vary": "storm=3"}, "did you mean storms"),
        ({"trials": 0}, "trials: found 0"),
        ({"finalists": 101}, "expected an integer from 1 to 100"),
    ],
)
def test_what_cannot_be_searched_is_told(asked, told):
    with pytest.raises(UserError, match=told):
        search("hotsim", **{**ASKED, "target": "seat_gap<1", "trials": 4, **asked})


def test_without_optuna_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "optuna", None)
    with pytest.raises(UserError, match=r"pip install 'hot-and-heat\[search\]'"):
        search("hotsim", "seat_gap<1", **ASKED)


def test_the_command_prints_finalists_and_the_answer(tmp_path, capsys):
    words = ["balance", "search", "--target", LENGTH, "--vary", "storms=3,4", "--agents", "random", "--games", "200"]
    more = ["--players", "3", "--trials", "2", "--finalists", "1", "--confirm-games", "400", "--quiet"]
    assert command("hotsim", [*words, *more, "--out", str(tmp_path / "run")]) == 0
    out = capsys.readouterr().out
    assert "Trials 2: 0 cannot be played, 2 on the front, 1 surely meet all targets" in out
    assert out.rstrip().endswith("on fresh deals: storms=3 (designs/trial-0001)")
    assert command("hotsim", [*words, *more, "--target", "seats<1"]) == 2
    assert 'no metric "seats"; the metrics are seat_gap' in capsys.readouterr().err
