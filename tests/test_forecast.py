"""`tournament --dry-run`: what it says is what the run then does, and it leaves nothing."""

import json
from pathlib import Path

import pytest

from experiments import cli, forecast
from experiments.cli import printing

WORDS = ["tournament", "--agents", "random,greedy", "--players", "3,4", "--games", "3000"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("experiments.schedule.CHUNK_GAMES", 1000)
    monkeypatch.setattr(forecast, "SAMPLE_SECONDS", 0.3)


@pytest.fixture
def document(capsys):
    def make(*words):
        assert cli.run("hotsim", [*WORDS, "--dry-run", "--json", *words]) == 0
        return json.loads(capsys.readouterr().out.splitlines()[-1])

    return make


def test_the_plan_is_the_one_that_is_played(document, capsys):
    found = document("--jobs", "3")
    assert (found["format"], found["cores"], found["seed"]) == ("lab-plan/1", 3, 1)
    assert list(Path.cwd().iterdir()) == []
    assert cli.run("hotsim", [*WORDS, "--out", "run"]) == 0
    told = capsys.readouterr().err
    for entry in found["plans"]:
        assert (
            f"{entry['players']} players: line-ups {len(entry['lineups'])}, seatings {entry['seatings']}, "
            f"deals {entry['deals']:,}, games {entry['games']:,}"
        ) in told
        assert sum(lineup["games"] for lineup in entry["lineups"]) == entry["games"]
        assert entry["chunks"] == len(list(Path("run/parts").glob(f"p{entry['players']}-*")))
        assert entry["rows"] == entry["games"] * entry["players"]
        written = sum(path.stat().st_size for path in Path("run/parts").glob(f"p{entry['players']}-*"))
        assert entry["bytes"] == pytest.approx(written, rel=0.25)  # random play in place of what will be played
        assert entry["basis"] == "measured"
        assert [lineup["nominal_cost"] for lineup in entry["lineups"]] == sorted(
            lineup["nominal_cost"] for lineup in entry["lineups"]
        )
    assert found["total"]["games"] == sum(entry["games"] for entry in found["plans"])
    assert found["total"]["seconds_left"] == pytest.approx(found["total"]["core_seconds"] / 3)


def test_what_is_there_is_not_counted_again(document):
    assert cli.run("hotsim", [*WORDS, "--out", "run"]) == 0
    Path("run/parts/p3-00001.parquet").unlink()
    total = document("--out", "run", "--resume")["total"]
    assert total["games"] - total["games_there"] == 1000
    assert 0 < total["seconds_left"] < total["core_seconds"]


def test_costly_agents_are_not_sampled(document, capsys):
    found = document("--agents", "random,mc:rollouts=5000")
    assert {entry["basis"] for entry in found["plans"]} == {"nominal"}
    plan = found["plans"][0]
    random, _, _, dear = plan["lineups"]
    ratio = found["agents"][1]["nominal_cost"] / found["agents"][0]["nominal_cost"]
    assert dear["seconds_a_game"] / random["seconds_a_game"] == pytest.approx(ratio)
    assert "from nominal costs and the measured rate of random play" in printing.plan(found)


def test_it_is_told_as_text(capsys):
    assert cli.run("hotsim", [*WORDS, "--dry-run", "--lineups", "pairs"]) == 0
    out = capsys.readouterr().out
    assert "random,random,greedy" in out
    assert "from a short sample of each line-up's play." in out
    assert cli.run("hotsim", [*WORDS, "--dry-run", "--agents", "random,greedy,heuristic,mc:rollouts=1"]) == 0
    assert "more; --json lists all" in capsys.readouterr().out
    assert list(Path.cwd().iterdir()) == []


@pytest.mark.parametrize(
    ("value", "text"), [(3e-6, "3 us"), (0.0123, "12.3 ms"), (90, "90 s"), (600, "10 min"), (1e7, "116 days")]
)
def test_times_are_brief(value, text):
    assert printing.duration(value) == text


@pytest.mark.parametrize(("value", "text"), [(12, "12 B"), (1234, "1.23 kB"), (5e8, "500 MB"), (4e15, "4,000 TB")])
def test_sizes_are_brief(value, text):
    assert printing.size(value) == text
