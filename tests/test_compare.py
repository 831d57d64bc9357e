"""Comparisons from the command line and from Python, with the real games; for luck to measure, with pretended ones."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import matplotlib  # noqa: F401  # figures are then drawn in this process, which is quicker for many runs
import numpy as np
import pandas as pd
import pytest
from lab import FakeMatch, part

from experiments import cli, schedule, tournament
from experiments.compare import Trial, compare, deal_scores, lineups, pairs_a_deal
from experiments.sequential import BETTER, NOT_BETTER, UNDECIDED, Terms, rating
from gameapi.errors import UserError

PLAIN = ["compare", "greedy", "random", "--players", "3", "--games", "3000"]
PROGRAM = "from experiments.cli import hotsim; hotsim()"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def hotsim(capsys):
    def run(*words):
        code = cli.run("hotsim", words)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def files(folder):
    """Return the bytes of all files that are the same for the same run."""
    kept = [path for path in sorted(Path(folder).rglob("*.*")) if path.name not in ("manifest.json", ".lock")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in kept if path.is_file()}


def pretend(monkeypatch, strengths, **fake):
    monkeypatch.setattr(tournament, "Match", lambda *_: FakeMatch(strengths, **fake))


# ---- deals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_deal_s_score_is_the_share_of_pairs_that_a_wins(players):
    plan = schedule.plan(2, players, 300, lineups(players))
    assert plan.n_seatings == (2 if players == 2 else 2 * players)
    rows = FakeMatch([1.0, 0.0]).play(0, plan.n_deals, plan.seatings)
    points = [0] * plan.n_deals
    for game in range(plan.n_games):
        here = slice(game * players, (game + 1) * players)
        agents, ranks = rows["agent"][here], rows["rank"][here]
        for i in range(players):
            for j in range(players):
                if agents[i] == 0 and agents[j] == 1:
                    points[game // plan.n_seatings] += 2 * (ranks[i] < ranks[j]) + (ranks[i] == ranks[j])
    most = 2 * pairs_a_deal(plan)
    assert deal_scores(rows, plan).tolist() == np.bincount(points, minlength=most + 1).tolist()


def test_equal_agents_have_mean_a_half_whatever_seats_are_worth():
    plan = schedule.plan(2, 4, 40_000, lineups(4))
    counts = deal_scores(FakeMatch([0.0, 0.0], seat_luck=30.0).play(0, plan.n_deals, plan.seatings), plan)
    values = np.linspace(0, 1, len(counts))
    mean = counts @ values / counts.sum()
    spread = math.sqrt(counts @ (values - mean) ** 2 / counts.sum())
    assert abs(mean - 0.5) < 4 * spread / math.sqrt(counts.sum())


def test_chunks_count_in_their_order_and_none_beyond_the_decision():
    plan = schedule.plan(2, 3, 6 * 640, lineups(3))
    test = Terms(0, 50)
    chunks = []
    for number in range(20):
        cut = schedule.plan(2, 3, 6 * 32, lineups(3))
        rows = FakeMatch([6.0, 0.0], seed=number).play(0, 32, plan.seatings)
        chunks.append((number, deal_scores(rows, plan), part(cut, FakeMatch([6.0, 0.0], seed=number)).sums))
    found = []
    for order in (chunks, chunks[::-1], chunks[1::2] + chunks[::2]):
        trial = Trial(plan, test, np.zeros(2 * pairs_a_deal(plan) + 1, dtype=np.int64))
        more = [trial.hear(*chunk) for chunk in order]
        assert not more[-1]
        found.append((trial.steps, trial.verdict, trial.counts.tolist(), trial.sums.deals))
    assert found[0] == found[1] == found[2]
    steps, verdict, _, deals = found[0]
    assert verdict == BETTER
    assert 1 <= len(steps) < 20
    assert steps[-1].n_deals == deals == 32 * len(steps)


# ---- what is found --------------------------------------------------------------------------------------------------


def test_numbers_agree_with_a_tournament_s():
    found = compare("hotsim", "greedy", "random", games=3000, players=[2, 4], out="run")
    played = tournament.load("run")
    for row in found.compare.itertuples():
        met = played.head_to_head.query("players == @row.players").iloc[0]
        assert (row.n_games, row.n_deals) == (met.n_games * (1 if row.players == 2 else 2), met.n_deals)
        assert (row.x, row.x_low, row.x_high) == (met.beats, met.beats_low, met.beats_high)
        assert (row.a_alone, row.a_alone_low) == (met.win_share, met.win_share_low)
        if row.players == 2:  # with more, ratings are of whole finishing orders
            ratings = played.ratings.query("players == @row.players").rating.tolist()
            assert row.elo_plain == pytest.approx(ratings[0] - ratings[1], abs=1e-4)
        last = found.steps.query("players == @row.players").iloc[-1]
        assert (last.n_deals, last.llr) == (row.n_deals, row.llr)
        assert last.x == pytest.approx(row.x)
        assert row.elo_low < row.elo < row.elo_high
    assert set(found.columns["table"]) > set(found.tables)
    assert isinstance(found.compare, pd.DataFrame)


def test_an_agent_that_always_wins_has_finite_numbers(monkeypatch):
    pretend(monkeypatch, [1000.0, 0.0], noise=0.1, seat_luck=0.1)
    found = compare("hotsim", "greedy", "random", players=[2, 5])
    assert found.better
    assert found.compare.x.tolist() == [1.0, 1.0]
    numbers = found.compare.select_dtypes("number")
    assert np.isfinite(numbers.to_numpy(dtype=float)).all()
    assert found.compare.a_alone.tolist() == [1.0, 1.0]
    json.dumps(found.json(), allow_nan=False)


def test_an_agent_that_always_loses_is_told_so(monkeypatch):
    pretend(monkeypatch, [0.0, 1000.0], noise=0.1, seat_luck=0.1)
    found = compare("hotsim", "greedy", "random", players=3)
    assert found.compare.verdict.tolist() == [NOT_BETTER]
    assert found.compare.x.tolist() == [0.0]
    assert found.compare.elo[0] == pytest.approx(rating(0.5 / (found.compare.n_deals[0] + 1)), rel=0.1)


def test_an_agent_is_not_better_than_itself(hotsim):
    code, out, err = hotsim("compare", "greedy", "greedy", "--players", "3", "--out", "run")
    assert code == 1
    assert NOT_BETTER in out
    assert "A and B are the same agent" in err
    found = pd.read_csv("run/tables/compare.csv").iloc[0]
    assert (found.agent_a, found.agent_b) == ("greedy", "greedy")
    assert found.elo_low < 0 < found.elo_high


class Drawn(FakeMatch):
    """Everybody shares the first rank."""

    def play(self, first_deal, n_deals, seatings):
        rows = super().play(first_deal, n_deals, seatings)
        return {**rows, "rank": np.ones_like(rows["rank"])}


def test_deals_that_never_differ_end_too(monkeypatch):
    monkeypatch.setattr(tournament, "Match", lambda *_: Drawn([0.0, 0.0]))
    found = compare("hotsim", "greedy", "random", players=4)
    assert found.compare.verdict.tolist() == [NOT_BETTER]
    assert found.compare.x.tolist() == [0.5]
    assert found.compare.elo_low[0] < 0 < found.compare.elo_high[0]


def test_a_test_that_ends_nowhere_is_undecided(hotsim):
    code, out, err = hotsim("compare", "greedy", "random", "--players", "2,5", "--games", "20", "--json")
    found = json.loads(out)
    assert code == 1
    assert not found["better"]
    assert [row["verdict"] for row in found["tables"]["compare"]] == [UNDECIDED, UNDECIDED]
    assert found["tables"]["compare"][0]["deals_needed"] > 10
    assert "nothing is decided before 32 deals" in err
    assert "each number of players is a test of its own" in err


def test_one_deal_has_no_plain_interval():
    found = compare("hotsim", "greedy", "random", games=1, players=3)
    row = found.json()["tables"]["compare"][0]
    assert (row["n_deals"], row["x_low"], row["elo_plain_high"]) == (1, None, None)
    assert row["elo_low"] < row["elo_high"]


# ---- the command ----------------------------------------------------------------------------------------------------


def test_the_command_prints_a_verdict_and_writes_a_run_folder(hotsim):
    code, out, err = hotsim(*PLAIN, "--out", "run")
    assert code == 0
    assert out.startswith("Hot Heads, seed 1, deck default (reconstruction, ")
    assert "A greedy, B random; H0: A +0 Elo or less (alpha 0.05), H1: +10 Elo or more (beta 0.05)" in out
    assert BETTER in out
    assert "3 players: seatings 6, at most 500 deals and 3,000 games" in err
    assert err.count("is a reconstruction") == 1
    assert "\r" not in err
    kept = files("run")
    assert {name for name in kept if not name.startswith("parts")} == {
        "tables/compare.csv",
        "tables/steps.csv",
        "tables/columns.csv",
        "figures/llr.png",
        "figures/llr.svg",
        "state.json",
    }
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert (manifest["state"], manifest["lineups"]) == ("done", "given")
    assert manifest["test"] == {"elo0": 0.0, "elo1": 10.0, "alpha": 0.05, "beta": 0.05}
    (state,) = json.loads(kept["state.json"])
    steps = pd.read_csv("run/tables/steps.csv")
    assert (state["look"], state["verdict"]) == (len(steps) - 1, BETTER)
    assert len([name for name in kept if name.startswith("parts")]) == len(steps)


def test_json_is_one_document_and_python_gives_the_same_numbers(hotsim):
    _, out, _ = hotsim(*PLAIN, "--json", "--elo1", "40", "--alpha", "0.01", "--set", "storms=3")
    found = json.loads(out)
    assert (found["format"], found["game"], found["seed"]) == ("lab-compare/1", "hotsim", 1)
    assert (found["a"], found["b"], found["better"]) == ("greedy", "random", True)
    assert found["rules"]["storms"] == 3
    assert set(found["deck"]) == {"name", "provenance", "digest"}
    assert found["test"] == {"elo0": 0.0, "elo1": 40.0, "alpha": 0.01, "beta": 0.05}
    test = Terms(elo1=40.0, alpha=0.01)
    made = compare("hotsim", "greedy", "random", test, games=3000, players=3, rules={"storms": 3})
    assert json.loads(json.dumps(made.json())) == found


def test_heat_is_compared_too(capsys):
    assert cli.run("heatsim", ["compare", "greedy", "random", "--players", "3", "--games", "3000"]) in (0, 1)
    captured = capsys.readouterr()
    assert captured.out.startswith("Heat, seed 1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--elo1", "0"], "elo1: found 0, expected more than elo0, which is 0"),
        (["--alpha", "0.7"], "alpha: found 0.7, expected a chance of error between 0 and 0.5"),
        (["--elo0", "x"], "'x' is not a valid float"),
        (["--games", "0"], "0 is not in the range x>=1"),
        (["--players", "6"], "expected a number from 2 to 5"),
        (["--out", "/proc/none"], "cannot be made"),
        (["greedy"], "unexpected extra argument"),
    ],
)
def test_what_was_typed_wrong_is_told_in_one_line(hotsim, words, message):
    code, out, err = hotsim(*PLAIN, *words)
    assert (code, out) == (2, "")
    told = [line for line in err.splitlines() if "reconstruction" not in line and "players: seatings" not in line]
    assert len(told) == 1
    assert message in told[0]


def test_unknown_and_missing_agents_are_told(hotsim):
    assert "'rnadom': unknown agent" in hotsim("compare", "rnadom", "greedy")[2]
    code, _, err = hotsim("compare", "greedy")
    assert code == 2
    assert "Missing argument 'B'" in err


def test_wrong_arguments_are_told():
    with pytest.raises(UserError, match="jobs: found 0"):
        compare("hotsim", "greedy", "random", jobs=0)
    with pytest.raises(UserError, match="beta: found 0, expected"):
        compare("hotsim", "greedy", "random", Terms(beta=0))


# ---- the same bytes -------------------------------------------------------------------------------------------------


def test_jobs_and_interruptions_change_no_byte(hotsim):
    words = ["compare", "greedy", "greedy", "--players", "2,4", "--quiet"]
    assert hotsim(*words, "--out", "a", "--jobs", "1")[0] == 1
    assert hotsim(*words, "--out", "b", "--jobs", "2")[0] == 1
    whole = files("a")
    assert files("b") == whole

    # as a killed process leaves it: parts missing, one begun, one beyond the decision
    parts = sorted(Path("b/parts").glob("p4-*"))
    for path in (parts[1], parts[-1], *Path("b/tables").glob("*"), Path("b/state.json")):
        path.unlink()
    Path("b/parts/.p4-00001.parquet.99-1.part").write_bytes(b"half")
    manifest = json.loads(Path("b/manifest.json").read_text())
    Path("b/manifest.json").write_text(json.dumps({**manifest, "state": "running"}))
    assert hotsim(*words, "--out", "b", "--resume", "--jobs", "2")[0] == 1
    assert files("b") == whole
    assert json.loads(Path("b/manifest.json").read_text())["state"] == "done"


def test_a_finished_comparison_is_read_not_played(hotsim, monkeypatch):
    first = hotsim(*PLAIN, "--out", "run")
    whole = files("run")
    monkeypatch.setattr(tournament, "Match", None)
    again = hotsim(*PLAIN, "--out", "run", "--resume")
    assert again[:2] == first[:2]
    assert files("run") == whole


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (["--elo1", "20"], "the test ("),
        (["--seed", "2"], "seed (1, now 2)"),
        (["--games", "6000"], "games, players or line-ups"),
    ],
)
def test_a_comparison_goes_on_as_it_began_or_not_at_all(hotsim, change, what):
    assert hotsim(*PLAIN, "--out", "run")[0] == 0
    code, _, err = hotsim(*PLAIN, *change, "--out", "run", "--resume")
    assert code == 2
    assert "holds another run: it differs in" in err
    assert what in err
    assert hotsim(*PLAIN, "--out", "run")[0] == 2


def test_ctrl_c_keeps_finished_work_and_going_on_gives_the_same_bytes(hotsim):
    words = ["compare", "greedy", "greedy", "--players", "4", "--games", "20000", "--elo1", "1", "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words, "--out", "run"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while len(list(Path("run/parts").glob("p4-*"))) < 3 and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert f"go on with:\n  hotsim {' '.join(words)} --out run --resume" in err
    assert json.loads(Path("run/manifest.json").read_text())["state"] == "interrupted"
    assert 3 <= len(list(Path("run/parts").glob("p4-*"))) < 78
    code = hotsim(*words, "--out", "run", "--resume")[0]
    assert hotsim(*words[:-2], "--jobs", "1", "--out", "whole")[0] == code
    assert files("run") == files("whole")
