"""The golden games are still played, told and replayed as they were reviewed."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from experiments.games import GAMES, get

HERE = Path(__file__).parent / "golden"


def regenerate() -> ModuleType:
    specification = importlib.util.spec_from_file_location("regenerate", HERE / "regenerate.py")
    assert specification
    assert specification.loader
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


REGENERATE = regenerate()


def test_every_game_has_golden_games_at_every_number_of_players() -> None:
    expected = {(name, players) for name in GAMES for players in get(name).seats}
    assert {(name, players) for _, name, players, _ in REGENERATE.GOLDEN} == expected
    assert any("announce=true" in settings for *_, settings in REGENERATE.GOLDEN), "talk is a part of Heat"


def test_golden_games_have_not_changed() -> None:
    made = dict(REGENERATE.golden())
    kept = {path.name: path.read_text(encoding="utf-8") for path in HERE.glob("*-p*")}
    assert sorted(kept) == sorted(made)
    for name in made:
        assert kept[name] == made[name], f"{name} differs; where that is meant: make golden, and review the change"


@pytest.mark.parametrize(("stem", "game", "players"), [entry[:3] for entry in REGENERATE.GOLDEN])
def test_golden_games_replay(stem: str, game: str, players: int, capsys: pytest.CaptureFixture[str]) -> None:
    path = HERE / f"{stem}-p{players}.jsonl"
    assert get(game).service("replay")(path, None, sys.stderr) == 0
    assert capsys.readouterr().err == ""
