"""Replaying of trace files, for every game: recorded games and scenarios agree as their index says."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tracefiles
from tracefiles import Trace, changed, replayed, written

import heatsim.trace
import hotsim.trace
from gameapi.replay import Traces, to_line


class Recorded(NamedTuple):
    """What is recorded of a game.

    Attributes:
        traces: How it is replayed.
        module: Where that stands.
        format: The name of the format.
        folder: The folder of scenarios and games.
        steps: The field with a game's steps.
        optional: The fields of a step that need not be there.
    """

    traces: Traces[Any, Any]
    module: str
    format: str
    folder: Path
    steps: str
    optional: str


DATA = Path(__file__).parent / "data"
RECORDED = {
    "hotsim": Recorded(hotsim.trace.TRACES, "hotsim.trace", "hotsim-trace/1", DATA / "hotheads", "events", "discarded"),
    "heatsim": Recorded(heatsim.trace.TRACES, "heatsim.trace", "heatsim-trace/1", DATA / "heat", "heists", "after"),
}
SCENARIOS = [
    (name, entry)
    for name, recorded in RECORDED.items()
    for entry in json.loads((recorded.folder / "scenarios" / "index.json").read_text())
]
GAMES = [(name, path) for name, recorded in RECORDED.items() for path in sorted((recorded.folder / "games").iterdir())]
IDS = [f"{name}-{path.stem}" for name, path in GAMES]


@pytest.fixture(params=RECORDED)
def recorded(request: pytest.FixtureRequest) -> Recorded:
    """Give what is recorded of each game."""
    return RECORDED[request.param]


def some_game(recorded: Recorded) -> Trace:
    """Give one recorded game."""
    path = min((recorded.folder / "games").iterdir())
    game: Trace = json.loads(path.read_text().splitlines()[0])
    return game


def without(value: Any, key: str) -> Any:
    """Copy a parsed value without the entries of a key, however deep."""
    if isinstance(value, dict):
        return {name: without(entry, key) for name, entry in value.items() if name != key}
    return [without(entry, key) for entry in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("name", "entry"), SCENARIOS, ids=[f"{name}-{entry['file'].removesuffix('.jsonl')}" for name, entry in SCENARIOS]
)
def test_scenario(name: str, entry: dict[str, Any]) -> None:
    code, _, said = replayed(RECORDED[name].traces, RECORDED[name].folder / "scenarios" / entry["file"])
    assert code == entry["exit"], entry["tests"]
    if code and "line" in entry:
        assert f"line {entry['line']}: " in said
        place = entry.get("place", "$").removeprefix("$").removeprefix(".")
        assert place in said
        assert len(said.splitlines()) == 1


@pytest.mark.parametrize(("name", "path"), GAMES, ids=IDS)
def test_game_and_what_is_emitted(name: str, path: Path, tmp_path: Path) -> None:
    recorded = RECORDED[name]
    code, emitted, _ = replayed(recorded.traces, path)
    assert code == 0
    games = [json.loads(line) for line in path.read_text().splitlines()]
    assert [json.loads(line) for line in emitted.splitlines()] == games
    information = ("agents", "seed")
    bare = [{key: value for key, value in game.items() if key not in ("result", *information)} for game in games]
    lines = [json.dumps(game | {recorded.steps: without(game[recorded.steps], recorded.optional)}) for game in bare]
    code, filled_in, _ = replayed(recorded.traces, written(tmp_path, *lines))
    assert code == 0
    assert [json.loads(line) for line in filled_in.splitlines()] == [
        {key: value for key, value in game.items() if key not in information} for game in games
    ]


def test_emit_is_idempotent(recorded: Recorded, tmp_path: Path) -> None:
    _, once, _ = replayed(recorded.traces, min((recorded.folder / "games").iterdir()))
    path = tmp_path / "once.jsonl"
    path.write_text(once)
    assert replayed(recorded.traces, path) == (0, once, "")


def test_several_lines_and_the_worst_code(recorded: Recorded, tmp_path: Path) -> None:
    game = some_game(recorded)
    good, wrong = json.dumps(game), json.dumps(changed(game, "result.winners", [99]))
    code, emitted, said = replayed(recorded.traces, written(tmp_path, "", good, wrong, "prose", "  ", b"\xff", good))
    assert code == 2
    assert [line.split(": ")[1] for line in said.splitlines()] == ["line 3", "line 4", "line 6"]
    assert emitted.splitlines() == [to_line(game)] * 3, "the result is emitted as computed"
    assert replayed(recorded.traces, written(tmp_path, good, wrong, good))[0] == 1
    assert replayed(recorded.traces, written(tmp_path, good, "\t", good))[0] == 0


@pytest.mark.parametrize("number", range(12))
def test_files_that_are_no_traces(recorded: Recorded, number: int, tmp_path: Path) -> None:
    line = tracefiles.no_traces(recorded.format)[number]
    code, emitted, said = replayed(recorded.traces, written(tmp_path, line))
    assert (code, emitted) == (2, "")
    assert len(said.splitlines()) == 1
    assert len(said) < 500


def test_no_file(recorded: Recorded, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.jsonl", "a\0b"):
        code, _, said = replayed(recorded.traces, path)
        assert code == 2
        assert said.startswith(str(path).replace("\0", r"\x00"))


def test_from_standard_input(recorded: Recorded) -> None:
    program = f"import sys; from {recorded.module} import replay; sys.exit(replay('-', sys.stdout, sys.stderr))"
    game = some_game(recorded)
    run = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(game),
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout) == game
