"""Recorded games and tables as people read them."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import engines
import pytest
from engines import pick, play, run, sabotage
from markup import page_is_whole

from gameapi.errors import UserError
from hotsim import cards, show
from hotsim.reference import Reference

DATA = Path(__file__).parent / "data" / "hotheads"
FILES = sorted((DATA / "games").glob("*.jsonl"))


def game_of(path: Path) -> dict[str, Any]:
    """Read the first game of a file."""
    game: dict[str, Any] = json.loads(path.read_text().splitlines()[0])
    return game


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [60, 100])
def test_every_event_is_told_within_the_width(path: Path, width: int) -> None:
    game = game_of(path)
    text = show.as_text(game, width)
    assert max(len(line) for line in text.splitlines()) <= width
    turns = [event for event in game["events"] if event["type"] in ("play", "pass")]
    assert len(re.findall(r"^ +\d+  seat", text, re.MULTILINE)) == len(turns)
    for number in range(1, sum(event["type"] == "storm" for event in game["events"]) + 1):
        assert f"Storm {number} of " in text
    assert "\n\n\n" not in text


def scenario(number: str) -> str:
    """Tell a scenario."""
    return show.as_text(game_of(next((DATA / "scenarios").glob(f"{number}-*.jsonl"))))


def test_words() -> None:
    text = scenario("37")
    for line in (
        "Hot Heads, 2 players and a dummy pilot",
        "Rules: hand_size 3, storms 1, combined_stacks 1, return_fraction 71/77",
        "Deck: default, 99 cards, a reconstruction: the printed values are not public",
        "  the dummy's pile 1: 1-1 2-2 *-1 4+5",
        "  draw pile: 6 cards and 1 storm; 71 cards in the box",
        "   1  seat 0 draws 3+1, plays 1+4 on the dummy",
        "   3  seat 0 draws 3+3, plays *+2 on the dummy's column 1",
        "   4  seat 1 draws 3+4, plays 1+3 on itself",
        "   6  seat 1 draws 4+2, sabotages the top of the dummy's column 2: 2+1 discarded",
        "      seat 0 draws a storm",
        "      Storm 1 of 1: 1 card each; cards in brackets are lost",
        "        the dummy reveals 1-1 2-2 (*-1) 4+5",
        "The end: the highest column of each type flies away",
        "seat 1          3              1              2   wins",
    ):
        assert line in text.splitlines()
    assert "wins 1/3" in scenario("08")
    assert "for no effect" in scenario("08")
    assert "passes" in scenario("17")
    assert "the dummy has no pile left" in scenario("40")
    assert "Agents: seat 0" in scenario("43")
    assert "Seed: " in scenario("43")


def test_a_difference_is_told_and_an_illegal_step_refused() -> None:
    assert "result.winners: found [0, 1, 2], expected [0, 1]" in scenario("69")
    with pytest.raises(UserError, match=r"^events\[3\]"):
        scenario("47")


def test_table() -> None:
    dealt = engines.setup(["1+1 2-2 3+3", "1+4 heli *+2", "4+1 4+1 4+1"], "3+1 3+2 3+3 3+1 3+2 3+3 storm storm")
    game = Reference(engines.rules_for(dealt), 3, dealt)
    run(game, play("1+1", to=0), play("heli", to=0, column=1), play("4+1", to=2), play("2-2", to=0))
    run(game, play("*+2", to=0, column=1))
    assert show.table_text(game.columns, 3, 60).splitlines() == [
        "           type 1      type 2      type 3      type 4",
        "seat 0     3, 1 heli   -2          -           -",
        "           *+2 +1      -2",
        "seat 1     -           -           -           -",
        "seat 2     -           -           -           1",
        "                                               +1",
    ]
    away = [[True, False, False, False], [False] * 4, [False] * 4]
    assert "flies" in show.table_text(game.columns, 3, 60, away)


def view_of(game: Reference, seat: int) -> SimpleNamespace:
    """Make a view as the agents have it."""
    return SimpleNamespace(
        seat=seat,
        players=game.players,
        phase=game.phase,
        hand=sorted(game.hands[seat], key=cards.order),
        picks=game.picks[seat],
        hand_sizes=[len(held) for held in game.hands],
        table=game.columns,
        discards=game.discards,
        storms=game.storms,
        n_storms=game.rules.storms,
        drawn=game.drawn,
        draw_pile=len(game.draw_pile),
    )


def test_state() -> None:
    dealt = engines.setup(["1+1 sabotage 2+2", "1+2 1+2 1+2"], "3+1 3+2 3+3 storm storm", ["2+1 2+1 2+1 2+1"])
    game = Reference(engines.rules_for(dealt), 2, dealt)
    run(game, play("1+1", to=2), play("3+2", to=1), sabotage(2, 1, "top"), pick("1+2"))
    text = show.state_text(view_of(game, 1))
    assert text.startswith("Seat 1 of 2 players, storm 1: to pick cards. Storms: 1 of 2. Draw pile: 1 cards left.")
    assert text.endswith("Hand: 1+2 1+2\nPicked: 1+2\nCards in other hands: seat 0 3\nDiscarded: sabotage 1+1")
    assert "the dummy" in text


def test_html_is_whole_and_has_header_cells() -> None:
    dealt = engines.setup(["1+1 heli", "1+2 1+2"], "3+1 3+2 storm", ["2+1 2+1 2+1 2+1"])
    game = Reference(engines.rules_for(dealt), 2, dealt)
    game.step(play("1+1", to=2))
    page = show.state_html(view_of(game, 1))
    page_is_whole(page)
