"""What tests of runs in processes of their own share: a slow agent, small chunks, and what a run leaves."""

import os
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from experiments import drawing, schedule
sys.modules["matplotlib"] = None  # no process for figures, and no figures
drawing._draw = lambda tables, folder: None
schedule.CHUNK_GAMES = 4
from experiments.cli import hotsim
hotsim()
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
SLOW = """import os, time
def slow(view):
    time.sleep(float(os.environ.get("SLOW", 0)))
    return view.actions[0]
def bad(view):
    raise ValueError("oh")
"""
WORDS = ["tournament", "--agents", "random,slow.py:slow", "--players", "2,3", "--games", "40"]
N_PARTS = 15  # 10 deals of 4 seatings, 5 of 8


def like_the_program(patch: pytest.MonkeyPatch) -> None:
    """Have this process do as `PROGRAM` does."""
    patch.setitem(sys.modules, "matplotlib", None)
    patch.setattr("experiments.drawing._draw", lambda tables, folder: None)
    patch.setattr("experiments.schedule.CHUNK_GAMES", 4)


def parts(folder: str | Path) -> list[str]:
    """Return the names of the parts that are whole."""
    return sorted(path.name for path in Path(folder, "parts").glob("p*.parquet"))


def results(folder: str | Path) -> dict[str, bytes]:
    """Return the bytes of parts and tables."""
    return {path.name: path.read_bytes() for kind in ("parts", "tables") for path in Path(folder, kind).iterdir()}
