"""The report of a run as a file: what it says, and that it says it again byte for byte."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from markup import Tags
from markupsafe import escape

from experiments import cli, report, store
from experiments.report_notes import notes
from experiments.tournament import load, tournament
from gameapi.errors import UserError


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished run of three agents, one of them from a file, to be copied."""
    home = tmp_path_factory.mktemp("finished")
    (home / "mine.py").write_text("def first(view):\n    return view.actions[0]\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(home)
        patch.setattr("experiments.schedule.CHUNK_GAMES", 30)
        tournament("hotsim", ["random", "greedy", "mine.py:first"], 60, [2, 3], lineups="focus", out="run")
    return home


@pytest.fixture
def home(finished, tmp_path, monkeypatch):
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(**changes):
    """Change what of a manifest does not decide the numbers."""
    folder = Path("run")
    store.write_manifest(folder, {**store.read_manifest(folder), **changes})


def told(folder="run"):
    result = load(folder)
    return " ".join(notes(result, result.manifest))


def without_libraries(page):
    return re.sub(r"<(script|style)(?![^>]*data-plot).*?</\1>", "", page, flags=re.DOTALL)


def test_the_command_writes_a_page_and_says_where(home, capsys):
    assert cli.run("hotsim", ["report", "run"]) == 0
    assert capsys.readouterr().out == "run/report.html\n"
    assert cli.run("hotsim", ["report", "run", "--out", "mine.html"]) == 0
    page = (home / "run/report.html").read_bytes()
    assert (home / "mine.html").read_bytes() == page
    assert len(page) < 6_000_000


def test_from_python_the_same_page_comes_from_a_fresh_result(home):
    fresh = tournament("hotsim", ["random", "greedy"], 24, 3, out="other")
    assert fresh.report("a.html").read_bytes() == report.report("other", "b.html").read_bytes()
    unkept = tournament("hotsim", ["random", "greedy"], 24, 3)
    assert "Hot Heads: random, greedy" in unkept.report("c.html").read_text()
    with pytest.raises(UserError, match="give a path"):
        unkept.report()


def test_every_table_and_every_column_is_there(home):
    result = load("run")
    page = without_libraries(report.page(result))
    for name, table in result.tables.items():
        assert f'id="rows-{name}"' in page
        body = page.split(f'id="rows-{name}"')[1].split("</table>")[0]
        assert body.count("<tr>") == 1 + len(next(iter(table.values())))
    for meaning in result.columns["meaning"]:
        assert str(escape(meaning)) in page


def test_shares_are_read_in_percent_and_sorted_by_their_number(home):
    result = load("run")
    page = report.page(result)
    row = {name: values[0] for name, values in result.tables["agents"].items()}
    low, high = (100 * row[f"win_share_{end}"] for end in ("low", "high"))
    cell = f'<td data-order="{row["win_share"]}">{100 * row["win_share"]:.1f} % <span class="interval">'
    assert f"{cell}[{low:.1f}, {high:.1f}]" in page


def test_the_page_is_well_formed_and_loads_nothing(home):
    page = without_libraries(report.page(load("run")))
    page = re.sub(r"<!DOCTYPE html>|<meta[^>]*>", "", page)
    assert Tags(page.replace("<br>", "")).open == []
    assert not re.search(r'(src|href)="(?!#)', page)


def test_every_figure_has_axes_with_labels(home):
    page = report.page(load("run"))
    figures = re.findall(r'<script type="application/json" data-plot="plot-([a-z-]+)">(.*?)</script>', page)
    assert [name for name, _ in figures] == ["win-share", "seat-advantage", "scores", "head-to-head", "ratings"]
    for _, content in figures:
        assert json.loads(content)["layout"]["xaxis"]["title"]["text"]


def test_an_interrupted_run_gives_a_page_of_what_is_there(home, capsys):
    parts = sorted((home / "run/parts").glob("p3-*"))
    assert len(parts) > 1
    for part in parts[1:]:
        part.unlink()
    change(state="interrupted")
    assert cli.run("hotsim", ["report", "run"]) == 0
    page = (home / "run/report.html").read_text()
    found = re.search(r"The run was interrupted: (\d+) of (\d+) games are there \((\d+) of \3 with 2 players, ", page)
    assert int(found.group(1)) < int(found.group(2))
    for part in (home / "run/parts").iterdir():
        part.unlink()
    assert cli.run("hotsim", ["report", "run"]) == 0
    assert "No games are there yet" in (home / "run/report.html").read_text()


def test_what_is_odd_is_noted(home, monkeypatch):
    assert "reconstruction" in told()
    assert "Few deals" in told()
    assert "has changed" not in told()
    change(revision="abcdef+changes")
    assert "The lab's code differed from revision abcdef" in told()
    (home / "mine.py").write_text("def first(view):\n    return view.actions[-1]\n")
    assert "The file of mine.py:first has changed since" in told()


def test_limits_and_arrested_games_are_noted(home):
    result = load("run")
    agents = {**result.tables["agents"], "forfeits": [0, 7] + [0] * 4}
    games = {**result.tables["games"], "arrested_share": [0.0, 0.5]}
    manifest = {**result.manifest, "move_limit": "5ms"}
    result = type(result)(result.game, manifest, {**result.tables, "agents": agents, "games": games}, None)
    found = " ".join(notes(result, manifest))
    assert "cannot be repeated: the limit of 5ms a decision" in found
    assert "over the limit of 5ms were forfeited and taken at random: greedy 7" in found
    assert re.search(r"Nobody wins an arrested game, .* less than 1: \d+ of \d+ with 3 players", found)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["report", "none"], "there is no such folder"),
        (["report", "."], "holds no manifest.json"),
        (["report", "run", "--out", "none/page.html"], "cannot be written"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(home, capsys, words, message):
    assert cli.run("hotsim", words) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_a_run_of_the_other_game_is_refused(home, capsys):
    assert cli.run("heatsim", ["report", "run"]) == 2
    assert "run: is a run of hotsim; use the command hotsim" in capsys.readouterr().err


def test_a_missing_package_is_told_with_what_to_install(home, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "itables", None)
    assert cli.run("hotsim", ["report", "run"]) == 2
    assert "itables is not installed: pip install 'hot-and-heat[report]'" in capsys.readouterr().err
