"""The golden games are still played, told and replayed as they were reviewed."""

import importlib.util
from pathlib import Path

import pytest

from hotsim import trace

HERE = Path(__file__).parent / "golden"


def expected() -> dict[str, str]:
    specification = importlib.util.spec_from_file_location("regenerate", HERE / "regenerate.py")
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return dict(module.golden())


def test_golden_games_have_not_changed() -> None:
    made = expected()
    kept = {path.name: path.read_text(encoding="utf-8") for path in HERE.glob("hotheads-*")}
    assert sorted(kept) == sorted(made)
    for name in made:
        assert kept[name] == made[name], f"{name} differs; where that is meant: make golden, and review the change"


@pytest.mark.parametrize("path", sorted(HERE.glob("hotheads-*.jsonl")), ids=lambda path: path.name)
def test_golden_games_replay(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    assert trace.replay(path, None, sys.stderr) == 0
    assert capsys.readouterr().err == ""
