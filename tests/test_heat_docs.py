"""The pages say what is so: Heat's examples run as they stand, and tables of lone agents are made from runs."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from agents.catalog import agents_of, resolve
from experiments.match import Match
from experiments.schedule import read_lineups
from experiments.tournament import tournament
from heatsim.game import GAME
from heatsim.rules import Row, Rules

DOCS = Path(__file__).parent.parent / "docs"


def blocks(page: str, language: str, section: str) -> list[str]:
    """Give the examples of a section of a page."""
    text = (DOCS / page).read_text(encoding="utf-8").split(f"## {section}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def tool() -> ModuleType:
    """Give the script that writes tables into pages."""
    spec = importlib.util.spec_from_file_location("lone_tables", DOCS / "lone_tables.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["cautious", "plain"])
def test_the_example_agents_play(name: str, tmp_path: Path) -> None:
    (example,) = blocks("agents.md", "python", "Your own, for Heat")
    path = tmp_path / "thief.py"
    path.write_text(example, encoding="utf-8")
    roster = [resolve(f"{path}:{name}", GAME), resolve("random", GAME)]
    match = Match(GAME, Rules().replace(announce=True), GAME.load_deck(), 3, roster, seed=1)
    rows = match.play(0, 2, np.array([[0, 1, 1], [1, 0, 1]], np.int16))
    assert rows["win"].sum() == pytest.approx(4)


def test_the_parameters_of_the_heuristic_are_told_as_they_are() -> None:
    text = (DOCS / "agents.md").read_text(encoding="utf-8").split("## The heuristic of Heat\n")[1].split("\n## ")[0]
    told = {}
    for names, defaults in re.findall(r"^\| (`.*?`) \| ([\d., ]+) \|", text, re.MULTILINE):
        told.update(zip(re.findall(r"`(\w+)`", names), map(float, defaults.split(", ")), strict=True))
    assert told == agents_of(GAME)["heuristic"].defaults()


def test_the_example_deck_and_rules_are_played(tmp_path: Path) -> None:
    (deck_text,) = blocks("decks.md", "toml", "A deck file of Heat")
    (rules_text,) = [block for block in blocks("decks.md", "toml", "Rules") if "board" in block]
    (tmp_path / "deck.toml").write_text(deck_text, encoding="utf-8")
    (tmp_path / "rules.toml").write_text(rules_text, encoding="utf-8")
    deck, rules = GAME.load_deck(tmp_path / "deck.toml"), GAME.load_rules(tmp_path / "rules.toml")
    assert (deck.name, len(deck.titles(3)), len(deck.titles(4))) == ("three banks", 18, 20)
    assert rules.board == (Row(1, 2), Row(3, 4), Row(5, 6))
    assert [rules.heat_value(taken) for taken in (1, 2, 6, 12)] == [0, 1, 3, 5]
    for players in (3, 4):
        rows = Match(GAME, rules, deck, players, [resolve("heuristic", GAME)], 1).play(
            0, 5, np.zeros((1, players), np.int16)
        )
        assert len(rows["win"]) == 5 * players


@pytest.mark.parametrize("name", ["ladder-heat.csv", "talk.csv"])
def test_line_ups_set_one_agent_against_copies_of_another(name: str) -> None:
    found = read_lineups(DOCS / name, lambda spec: resolve(spec, GAME).text)
    assert list(found) == [3, 4, 5]
    for players, lineups in found.items():
        assert all(sorted(map(lineup.count, set(lineup))) == [1, players - 1] for lineup in lineups)
    assert len({len(lineups) for lineups in found.values()}) == 1


def test_a_table_of_lone_agents_is_put_into_its_place(tmp_path: Path) -> None:
    (tmp_path / "lineups.csv").write_text("greedy,random,random\ngreedy,random,random,random\n", encoding="utf-8")
    out, page = tmp_path / "few", tmp_path / "page.md"
    run = tournament("heatsim", games=40, players=[3, 4], lineups=str(tmp_path / "lineups.csv"), out=out)
    page.write_text("Before\n<!-- lone: few -->\nold\n<!-- end -->\nAfter\n", encoding="utf-8")
    script = tool()
    assert script.main([str(out), str(page), "--figure", str(tmp_path / "few.png")]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("Before\n<!-- lone: few -->\n| one | against copies of | 3 players | 4 players |")
    assert text.endswith("|\n<!-- end -->\nAfter\n")
    assert "old" not in text
    row = next(line for line in text.splitlines() if line.startswith("| `greedy` | `random` |"))
    share = run.head_to_head.query("agent == 'greedy' and players == 3")["win_share"].item()
    assert f"| {100 * share:.1f} % [" in row
    assert row.endswith("| 42, 40 |")
    assert (tmp_path / "few.png").read_bytes().startswith(b"\x89PNG")


def test_a_page_without_the_place_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lineups.csv").write_text("greedy,random,random\n", encoding="utf-8")
    tournament("heatsim", games=6, players=[3], lineups=str(tmp_path / "lineups.csv"), out=tmp_path / "few")
    page = tmp_path / "page.md"
    page.write_text("nothing here\n", encoding="utf-8")
    assert tool().main([str(tmp_path / "few"), str(page)]) == 2
    assert "<!-- lone: few -->" in capsys.readouterr().err
    assert page.read_text(encoding="utf-8") == "nothing here\n"
    assert tool().main([str(tmp_path / "few"), str(tmp_path / "missing.md")]) == 2
