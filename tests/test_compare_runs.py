"""Two run folders side by side."""

import json
import math
import shutil
from pathlib import Path

import pytest

from experiments import cli, store
from experiments.intervals import t_quantile
from experiments.runs_compared import compare
from experiments.tournament import tournament


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    home = tmp_path_factory.mktemp("runs")
    for name, changes in {"a": {}, "b": {"seed": 2}, "c": {"rules": {"storms": 3}}, "d": {"players": [3]}}.items():
        options = {"games": 80, "players": [2, 3], "seed": 1, **changes}
        tournament("hotsim", ["random", "greedy"], out=home / name, **options)
    tournament("heatsim", ["random"], games=3, players=3, out=home / "heat")
    return home


@pytest.fixture(autouse=True)
def here(runs, monkeypatch):
    monkeypatch.chdir(runs)


def both(capsys, *words):
    code = cli.run("hotsim", ["compare-runs", *words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_run_and_itself_are_the_same_byte_for_byte(capsys, tmp_path):
    shutil.copytree("a", tmp_path / "copy")
    code, out, _ = both(capsys, "a", str(tmp_path / "copy"))
    assert code == 0
    assert "No setting differs." in out
    assert "The same raw rows, byte for byte." in out
    assert " differ\n" not in out


def test_the_same_numbers_by_other_versions_are_the_same_numbers(capsys, tmp_path):
    shutil.copytree("a", tmp_path / "copy")
    manifest = store.read_manifest(tmp_path / "copy")
    store.write_manifest(tmp_path / "copy", {**manifest, "versions": {**manifest["versions"], "numpy": "1.0"}})
    code, out, _ = both(capsys, "a", str(tmp_path / "copy"))
    assert code == 0
    assert "version of numpy" in out


def test_runs_that_differ_say_in_what(capsys):
    code, out, _ = both(capsys, "a", "c")
    assert code == 1
    assert any(line.split() == ["rules,", "storms", "4", "3"] for line in out.splitlines())
    assert "The numbers differ." in out
    assert "z test of independent runs" in out
    assert "tests: where nothing differs" in out


def test_json_holds_every_number_of_both_runs(capsys):
    code, out, _ = both(capsys, "a", "b", "--json")
    found = json.loads(out)
    assert (code, found["format"], found["same_numbers"], found["same_rows"]) == (1, "lab-compare-runs/1", False, False)
    assert {"what": "seed", "a": 1, "b": 2} in found["settings"]
    wins = [entry for entry in found["tables"]["agents"] if entry["column"] == "win_share"]
    assert [entry["key"] for entry in wins] == [
        {"players": n, "agent": agent} for n in (2, 3) for agent in ("random", "greedy")
    ]
    a, b = (store.read_manifest(Path(name)) for name in "ab")
    assert (found["a"]["identity"], found["b"]["identity"]) == (a["identity"], b["identity"])


def test_differences_intervals_and_z_are_worked_out_from_both_sides():
    found = compare("a", "c")
    tested = [e for entries in found.tables.values() for e in entries if e.z is not None]
    assert tested
    for entry in tested:
        assert entry.difference == entry.b.value - entry.a.value
        assert entry.overlap == (max(entry.a.low, entry.b.low) <= min(entry.a.high, entry.b.high))
        assert math.copysign(1, entry.z) == math.copysign(1, entry.difference)
        assert entry.p == pytest.approx(math.erfc(abs(entry.z) / math.sqrt(2)))
    sample = next(e for e in tested if e.column == "rating")
    deals = {2: 20, 3: 10}[sample.key["players"]]
    errors = [(side.high - side.low) / 2 / t_quantile(deals - 1) for side in (sample.a, sample.b)]
    assert sample.z == pytest.approx(sample.difference / math.hypot(*errors))


def test_rows_of_one_run_alone_are_told(capsys):
    code, out, _ = both(capsys, "a", "d", "--json")
    lone = [entry for entry in json.loads(out)["tables"]["agents"] if entry["key"]["players"] == 2]
    assert code == 1
    assert lone
    assert all(entry["b"] is None and not entry["same"] for entry in lone)
    assert "no such row" in both(capsys, "a", "d")[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a", "none"), "none: there is no such folder"),
        (("a", "heat"), "heat: is a run of heatsim; use the command heatsim"),
        ((".", "a"), "holds no manifest.json"),
    ],
)
def test_what_is_no_run_is_refused_in_a_line(capsys, words, message):
    code, out, err = both(capsys, *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
