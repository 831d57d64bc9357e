"""The command line as scripts and people meet it, with the real game."""

import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import matplotlib  # noqa: F401  # figures are then drawn in this process, which is quicker for many runs
import numpy as np
import pandas as pd
import pytest

from experiments import cli, store
from experiments.games import GAMES, get
from experiments.tournament import load, tournament
from gameapi.errors import UserError

PLAIN = ["tournament", "--agents", "random,greedy", "--players", "3", "--games", "80"]
PROGRAM = "from experiments.cli import hotsim; hotsim()"
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def command(capsys):
    def run(game, *words):
        code = cli.run(game, words)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture
def hotsim(command):
    return functools.partial(command, "hotsim")


any_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a finished run, to be copied."""
    folder = tmp_path_factory.mktemp("finished") / "run"
    assert cli.run("hotsim", [*PLAIN, "--out", str(folder), "--quiet"]) == 0
    return folder


def files(folder, *patterns):
    return {p.name: p.read_bytes() for pattern in patterns for p in sorted(Path(folder).glob(pattern))}


def test_one_agent_named_twice_plays_as_two(hotsim):
    code, _, _ = hotsim(
        "tournament", "--agents", "random,random,greedy", "--players", "3", "--games", "300", "--out", "r"
    )
    assert code == 0
    agents = pd.read_csv("r/tables/agents.csv")
    assert agents["agent"].tolist() == ["random", "random#2", "greedy"]
    assert agents["n_seats"].nunique() == 1
    assert agents["win_share"].sum() == pytest.approx(1)
    for path in Path("r/tables").glob("*.csv"):
        assert path.stem in ("cycles", "columns") or not pd.read_csv(path).isna().any(axis=None), path


def test_an_anchor_is_kept_and_can_be_changed_when_tables_are_made_anew(hotsim):
    hotsim(*PLAIN, "--anchor", "greedy=1000", "--out", "run")
    parts = files("run", "parts/*")
    assert load("run").ratings["rating"].tolist()[1] == 1000
    assert load("run", anchor="random=-3").ratings["rating"].tolist()[0] == -3
    code, out, _ = hotsim(*PLAIN, "--anchor", "random=0", "--out", "run", "--resume")
    assert code == 0
    assert pd.read_csv("run/tables/ratings.csv")["rating"][0] == 0
    assert "+0 [+0, +0]" in out
    assert files("run", "parts/*") == parts
    hotsim(*PLAIN, "--out", "run", "--resume")
    assert load("run").ratings["rating"].tolist()[0] == 0


def test_seats_and_cycles_are_told_in_a_line_each(hotsim):
    _, out, _ = hotsim(*PLAIN, "--agents", "random,greedy,heuristic", "--out", "run")
    assert re.search(r"^Do all seats win equally often\? p, adjusted: \d\.\d{3} at 3 players$", out, re.MULTILINE)
    assert out.endswith("No cycle: no three agents of which each ranks above the next more often than not\n")


def test_metagame_reads_a_run_folder(hotsim, finished):
    pytest.importorskip("open_spiel", reason="the extra metagame is not installed")
    code, out, _ = hotsim("metagame", str(finished), "--method", "nash", "--json")
    document = json.loads(out)
    assert (code, document["format"]) == (0, "lab-metagame/1")
    assert [row["agent"] for row in document["rows"]] == ["random", "greedy"]
    assert hotsim("metagame", str(finished), "--players", "4")[0] == 2


def test_a_tournament_prints_tables_and_writes_a_run_folder(hotsim):
    code, out, err = hotsim(*PLAIN, "--out", "run")
    assert code == 0
    assert out.startswith("Hot Heads, seed 1, deck default (reconstruction, ")
    assert re.search(r"3 +greedy +\d+ +\d+\.\d % \[\d+\.\d, \d+\.\d\]", out)
    assert "3 players: line-ups 4, seatings 8, deals 10, games 80" in err
    assert err.count("is a reconstruction") == 1
    assert "rows, tables and figures: run" in err
    manifest = json.loads(Path("run/manifest.json").read_text())
    assert manifest["format"] == "lab-run/1"
    assert manifest["state"] == "done"
    assert manifest["command"] == "hotsim " + " ".join([*PLAIN, "--out", "run"])
    assert manifest["deck"]["provenance"] == "reconstruction"
    assert {"python", "numpy", "numba", "pandas", "pyarrow"} <= set(manifest["versions"])
    assert list(files("run", "parts/*")) == ["p3-00000.parquet"]
    tables = {"agents", "seats", "games", "ratings", "ratings_all", "head_to_head", "payoffs", "scores", "ranks"}
    tables |= {"tests", "cycles", "columns"}
    assert {Path(name).stem for name in files("run", "tables/*.csv")} == tables
    figures = files("run", "figures/*")
    drawn = {"win_share", "seat_advantage", "scores", "ranks", "ratings", "head_to_head", "payoffs"}
    assert {Path(name).stem for name in figures} == drawn
    assert len(figures) == 14


@pytest.mark.parametrize(
    ("game", "setting", "columns"),
    [
        ("hotsim", ("storms", 3), {"turns_mean", "turns_sd", "pass_share"}),
        ("heatsim", ("stages", 3), {"arrested_share", "shortage_share", "heat_value_mean", "heat_mean"}),
    ],
)
def test_json_is_one_document_of_the_promised_form(command, game, setting, columns):
    option, value = setting
    code, out, _ = command(game, *PLAIN, "--json", "--seed", "7", "--set", f"{option}={value}")
    found = json.loads(out)
    assert code == 0
    assert (found["format"], found["game"], found["seed"]) == ("lab-tournament/1", game, 7)
    assert found["rules"][option] == value
    assert set(found["deck"]) == {"name", "provenance", "digest"}
    tables = found["tables"]
    assert [row["agent"] for row in tables["agents"]] == ["random", "greedy"]
    assert [row["seat"] for row in tables["seats"]] == [0, 1, 2]
    assert set(tables["games"][0]) >= {"split_share", "score_spread_mean", *columns}
    assert sum(row["rating"] for row in tables["ratings"]) == pytest.approx(0, abs=1e-5)
    wins = sum(row["win_share"] * row["n_seats"] for row in tables["agents"])
    arrested = tables["games"][0].get("arrested_share", 0)
    assert wins == pytest.approx(tables["games"][0]["n_games"] * (1 - arrested)), "nobody wins an arrested game"


@any_game
def test_jobs_chunks_and_interruptions_change_no_byte(command, game, monkeypatch):
    run = functools.partial(command, game)
    monkeypatch.setattr("experiments.schedule.CHUNK_GAMES", 16)
    assert run(*PLAIN, "--out", "a", "--jobs", "1")[0] == 0
    assert run(*PLAIN, "--out", "b", "--jobs", "2")[0] == 0
    parts = files("a", "parts/*")
    assert len(parts) == 5
    assert files("b", "parts/*", "tables/*", "figures/*") == files("a", "parts/*", "tables/*", "figures/*")

    # as a killed process leaves it, and after the next version cuts chunks in another way
    whole = files("b", "tables/*", "figures/*")
    for path in ["b/parts/p3-00001.parquet", "b/parts/p3-00004.parquet", *Path("b").glob("tables/*")]:
        Path(path).unlink()
    Path("b/parts/.p3-00001.parquet.99-1.part").write_bytes(b"half")
    manifest = json.loads(Path("b/manifest.json").read_text())
    Path("b/manifest.json").write_text(json.dumps({**manifest, "state": "running"}))
    monkeypatch.setattr("experiments.schedule.CHUNK_GAMES", 1000)
    code, _, _ = run(*PLAIN, "--out", "b", "--resume")
    assert code == 0
    assert files("b", "parts/*") == parts
    assert files("b", "tables/*", "figures/*") == whole
    assert json.loads(Path("b/manifest.json").read_text())["state"] == "done"


def test_ctrl_c_keeps_finished_work_and_prints_how_to_go_on(hotsim):
    words = ["tournament", "--agents", "random", "--players", "4", "--games", "300000", "--out", "run", "--jobs", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(Path("run/parts").glob("p4-*")) and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    start = time.perf_counter()
    out, err = process.communicate(timeout=60)
    assert time.perf_counter() - start < 5
    assert process.returncode == 130
    assert "Traceback" not in err
    assert out == ""
    resume = f"hotsim {' '.join(words)} --resume"
    assert f"go on with:\n  {resume}" in err
    assert json.loads(Path("run/manifest.json").read_text())["state"] == "interrupted"
    n_kept = len(files("run", "parts/*"))
    assert 1 <= n_kept < 6
    assert load("run").tables["games"]["n_games"] == [50_000 * n_kept]

    assert hotsim(*resume.split()[1:])[0] == 0
    assert hotsim(*words[:-4], "--out", "whole", "--jobs", "1")[0] == 0
    assert files("run", "parts/*", "tables/*") == files("whole", "parts/*", "tables/*")


def test_tables_are_rebuilt_from_the_parts_alone(finished):
    shutil.copytree(finished, "run")
    rebuilt = load("run")
    written = files("run", "tables/*")
    store.write_tables(Path("run"), rebuilt.tables)
    assert files("run", "tables/*") == written


def test_the_same_command_again_takes_a_new_folder_and_gives_the_same_numbers(hotsim):
    first, again = hotsim(*PLAIN), hotsim(*PLAIN)
    assert first[1] == again[1]
    folders = sorted(path.name for path in Path("results").iterdir())
    assert len(folders) == 2
    assert folders[0].startswith("hotsim-random-greedy-s1-")
    assert folders[1] == folders[0] + "-2"
    assert hotsim(*PLAIN, "--resume")[0] == 0
    assert len(list(Path("results").iterdir())) == 2


def test_a_folder_that_holds_a_run_is_not_played_over(hotsim, finished):
    shutil.copytree(finished, "run")
    before = files("run", "parts/*", "manifest.json")
    code, out, err = hotsim(*PLAIN, "--out", "run")
    assert (code, out) == (2, "")
    assert "run: holds a run already (done); add --resume to see its tables, or give another --out" in err
    assert files("run", "parts/*", "manifest.json") == before


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (["--seed", "2"], "seed (1, now 2)"),
        (["--games", "800"], "games, players or line-ups"),
        (["--agents", "random"], 'agents (["random", "greedy"], now ["random"])'),
        (["--set", "storms=3"], "rules"),
        (["--deck", "mine.toml"], "the deck"),
    ],
)
def test_a_run_goes_on_as_it_began_or_not_at_all(hotsim, finished, change, what):
    Path("mine.toml").write_text('name = "mine"\n[cards]\n"1+1" = 60\n"2-1" = 40\n')
    shutil.copytree(finished, "run")
    code, _, err = hotsim(*PLAIN, *change, "--out", "run", "--resume")
    assert code == 2
    assert "holds another run: it differs in" in err
    assert what in err


def test_resuming_nothing_is_refused(hotsim):
    code, _, err = hotsim(*PLAIN, "--out", "none", "--resume")
    assert code == 2
    assert "none: holds no run to go on with" in err
    assert not Path("none").exists()


def test_a_failing_agent_ends_the_run_with_its_place(hotsim):
    Path("mine.py").write_text("def Bad(view):\n    raise ValueError('oh')\n")
    code, out, err = hotsim(
        "tournament", "--agents", "random,mine.py:Bad", "--players", "2", "--games", "8", "--out", "run"
    )
    assert (code, out) == (2, "")
    assert "mine.py:Bad" in err
    assert "Traceback" not in err
    assert json.loads(Path("run/manifest.json").read_text())["state"] == "failed"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "6"], "expected a number from 2 to 5, a list such as 2,5 or a range such as 2-5"),
        (["--players", "5-2"], "'5-2': expected a number"),
        (["--players", "two"], "'two': expected a number"),
        (["--games", "0"], "0 is not in the range x>=1"),
        (["--games", "many"], "'many' is not a valid integer"),
        (["--jobs", "0"], "0 is not in the range 1<=x<=1000"),
        (["--agents", "rnadom"], "'rnadom': unknown agent"),
        (["--agents", "random,,greedy"], "expected agents separated by commas"),
        (["--set", "storms=0"], "storms: found 0"),
        (["--set", "stroms=3"], "stroms: unknown option"),
        (["--deck", "none.toml"], "none.toml: there is no such file"),
        (["--lineups", "some"], "lineups: found 'some', expected all, focus, pairs, mirror, random or a CSV file"),
        (["--lineups", "none.csv"], "none.csv: cannot be read"),
        (["--out", "/proc/none"], "cannot be made"),
        (["--colour"], "No such option '--colour'"),
        (["--anchor", "greedy"], "anchor: found 'greedy', expected an agent and its rating, such as greedy=1000"),
        (["--anchor", "greedy=strong"], "anchor: found 'greedy=strong', expected"),
        (["--anchor", "heuristic=0"], "heuristic does not play; expected"),
    ],
)
def test_what_was_typed_wrong_is_told_in_one_line(hotsim, words, message):
    code, out, err = hotsim(*PLAIN, *words)
    assert code == 2
    assert out == ""
    told = [
        line for line in err.splitlines() if line and "reconstruction" not in line and "players: line-ups" not in line
    ]
    assert len(told) == 1
    assert message in told[0]
    assert "Traceback" not in err


def test_no_agents_and_no_verb_are_told(hotsim):
    assert hotsim("tournament")[0] == 2
    code, _, err = hotsim("turnament")
    assert code == 2
    assert "No such command 'turnament'" in err
    assert hotsim()[0] == 2


def test_line_ups_from_a_file_name_the_agents(hotsim):
    Path("meet.csv").write_text("greedy,random\nrandom,random,greedy\n")
    code, out, _ = hotsim("tournament", "--lineups", "meet.csv", "--games", "12", "--json", "--out", "run")
    assert code == 0
    found = json.loads(out)["tables"]["agents"]
    assert [(row["players"], row["agent"], row["n_games"], row["n_seats"]) for row in found] == [
        (2, "greedy", 12, 12),
        (2, "random", 12, 12),
        (3, "greedy", 12, 12),
        (3, "random", 12, 24),
    ]
    assert hotsim("tournament", "--lineups", "meet.csv", "--players", "4")[0] == 2


@any_game
def test_help_names_every_verb_and_examples(command, game):
    code, out, _ = command(game, "--help")
    assert code == 0
    for verb in cli.VERBS:
        assert verb in out
        code, text, _ = command(game, verb, "--help")
        assert code == 0
        assert f"{game} {verb}" in text
        assert "GAME" not in text
    assert f"_{game.upper()}_COMPLETE=bash_source" in out


@any_game
def test_version(command, game):
    code, out, _ = command(game, "--version")
    assert code == 0
    assert re.fullmatch(rf"{game} \S.*, play version {get(game).version}\n", out)


@pytest.mark.parametrize("words", [["--help"], ["deck"], ["rules"], ["tournament", "--help"], ["--version"]])
@any_game
def test_light_verbs_import_no_compiler_and_no_frames(game, words):
    code = (
        f"import sys; from experiments.cli import run; code = run({game!r}, sys.argv[1:]);"
        "heavy = {'numba', 'pandas', 'matplotlib', 'pyarrow', 'scipy'} & set(sys.modules);"
        "assert not heavy, heavy; sys.exit(code)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr.replace("note: deck", "")[:9]) in [(0, ""), (0, " 'default")]
    assert ran.stdout


@pytest.mark.parametrize(
    ("game", "setting", "line"),
    [
        ("hotsim", "storms=3", "storms  (integer, default 4; set to 3; HH4)"),
        ("heatsim", "stages=6", "stages  (integer, default 4; set to 6; HT14)"),
    ],
)
def test_deck_rules_and_agents_as_json(command, game, setting, line):
    for verb, form in (("deck", "lab-deck/1"), ("rules", "lab-rules/1"), ("agents", "lab-agents/1")):
        code, out, _ = command(game, verb, "--json")
        assert code == 0
        assert json.loads(out)["format"] == form
        assert command(game, verb)[1].strip()
    _, out, _ = command(game, "rules", "--set", setting)
    assert line in out


@any_game
def test_traces_replay_and_show(command, game):
    run = functools.partial(command, game)
    code, out, _ = run("trace", "--agents", "greedy,random", "--players", "3,4", "--games", "2")
    assert code == 0
    assert len(out.splitlines()) == 4
    Path("games.jsonl").write_text(out)
    assert run("replay", "games.jsonl") == (0, "", "")
    code, emitted, _ = run("replay", "games.jsonl", "--emit")
    assert code == 0
    assert len(emitted.splitlines()) == 4
    code, told, err = run("show", "games.jsonl")
    assert code == 0
    assert told.strip()
    assert "has more games; --game 2 shows the next one" in err
    assert run("show", "games.jsonl", "--game", "4")[0] == 0
    code, _, err = run("show", "games.jsonl", "--game", "5")
    assert code == 2
    assert "there are 4 games in this file; --game 5 asks for more" in err


@any_game
def test_a_broken_trace_is_told_with_its_line(command, game):
    Path("bad.jsonl").write_text(f'{{"format": "{game}-trace/1"}}\n')
    for words in (["replay", "bad.jsonl"], ["show", "bad.jsonl"]):
        code, _, err = command(game, *words)
        assert code == 2
        assert "bad.jsonl: line 1" in err


def test_a_reader_that_leaves_is_no_fault():
    command = [sys.executable, "-c", PROGRAM, "rules"]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        err = process.stderr.read()
    assert err == ""


# ---- the Python door ------------------------------------------------------------------------------------------------


@any_game
def test_python_gives_the_command_line_s_numbers(command, game):
    _, out, _ = command(game, *PLAIN, "--json")
    made = tournament(game, ["random", "greedy"], games=80, players=3)
    assert json.loads(json.dumps(made.json())) == json.loads(out)


def test_frames_have_the_documented_columns_and_types():
    made = tournament("hotsim", "random,greedy", games=80, players=[2, 3], out="run")
    assert made.agents.dtypes["n_games"] == np.int64
    assert made.agents.dtypes["win_share"] == np.float64
    assert set(made.columns["table"]) > set(made.tables)
    for name in made.tables:
        assert len(getattr(made, name)) or name == "cycles"
    rows = made.rows(3)
    assert len(rows) == 80 * 3
    assert rows.win.groupby([rows.deal, rows.seating]).sum().eq(1).all()
    assert isinstance(rows.agent.dtype, pd.CategoricalDtype)
    assert set(rows.lineup) == {
        "random,random,random",
        "random,random,greedy",
        "random,greedy,greedy",
        "greedy,greedy,greedy",
    }
    by_hand = rows.groupby("agent", observed=True).win.mean()
    assert by_hand["greedy"] == pytest.approx(made.agents.query("players == 3").set_index("agent").win_share["greedy"])
    with pytest.raises(UserError, match="players: found 4, expected one of 2, 3"):
        made.rows(4)


def test_rows_need_a_folder():
    with pytest.raises(UserError, match="no rows were kept"):
        tournament("hotsim", "random", games=10, players=2).rows(2)


def test_rules_and_decks_may_be_values():
    from hotsim import deck
    from hotsim.rules import Rules

    by_dict = tournament("hotsim", "random", games=50, players=3, rules={"storms": 2})
    by_value = tournament("hotsim", "random", games=50, players=3, rules=Rules(storms=2), deck=deck.default())
    assert by_dict.json() == by_value.json()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"games": 0}, "games: found 0"),
        ({"games": 10**14}, "games: found 100,000,000,000,000, expected at most 10,000,000,000"),
        ({"jobs": 0}, "jobs: found 0"),
        ({"players": 6}, "players: found 6; Hot Heads is played by 2 to 5"),
        ({"seed": "x"}, "seed: found 'x'"),
        ({"agents": None}, "agents: none"),
        ({"game": "chess"}, "'chess': unknown game"),
    ],
)
def test_wrong_arguments_are_told(arguments, message):
    with pytest.raises(UserError, match=re.escape(message)):
        tournament(**{"game": "hotsim", "agents": "random", "games": 10, **arguments})
