"""Recorded games of Heat and what a seat sees, as people read them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import heat_engines
import pytest
from heat_engines import cover, reveal, stages, word
from markup import page_is_whole

from gameapi.errors import UserError
from heatsim import deck, show, trace
from heatsim.actions import REVEAL, Action
from heatsim.reference import Reference
from heatsim.rules import Rules

DATA = Path(__file__).parent / "data" / "heat"
FILES = sorted((DATA / "games").glob("*.jsonl"))


def games_of(path: Path) -> Iterator[dict[str, Any]]:
    """Read the games of a file."""
    for line in path.read_text().splitlines():
        yield json.loads(line)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("width", [60, 100])
def test_every_stage_is_told_within_the_width(path: Path, width: int) -> None:
    for game in list(games_of(path))[:3]:
        text = show.as_text(game, width)
        assert max(len(line) for line in text.splitlines()) <= width
        played = [stage for heist in game["heists"] for stage in heist["stages"]]
        assert len(re.findall(r"^  Stage \d+ of \d+$", text, re.MULTILINE)) == len(played)
        revealed = [title for stage in played for title in stage["reveal"] if title]
        assert len(re.findall(r"^    seat \d plays ", text, re.MULTILINE)) == len(revealed)
        assert len(re.findall(r"^Heist \d+ of \d+: ", text, re.MULTILINE)) == len(game["heists"])
        assert ("nobody wins" in text) == game["result"]["arrested"]
        assert "What is recorded differs" not in text
        assert "\n\n\n" not in text


def told(hands: list[str], rest: str, *rows: str, **options: Any) -> tuple[Reference, list[str]]:
    """Play a heist of Stages without further choices; give the game and its lines."""
    some = Rules(heists=1, stages=len(rows)).replace(**options)
    setup = heat_engines.setup(hands, rest)
    game = heat_engines.draft(Reference(some, len(hands), setup), hands)
    stages(game, *rows)
    return game, lines_of(game)


def lines_of(game: Reference) -> list[str]:
    """Tell a game that has been played."""
    used = deck.from_copies(((title, [game.players]) for title in game.heists[0]["deck"]), "small")
    record = trace.record(game, used, [f"agent {seat}" for seat in range(game.players)], seed=3)
    return show.as_text(record).splitlines()


def test_words() -> None:
    _, lines = told(
        ["Backup Plan, Circle Back", "Copycat Crime, The Feds", "Break In, Bank Job"],
        "Circle Back, Heavy, Leverage",
        "Backup Plan, Copycat Crime, Break In",
        "Circle Back, The Feds, Bank Job",
    )
    for line in (
        "Heat, 3 players",
        "Rules: heists 1, stages 2",
        "Deck: as recorded, 18 of 18 cards for 3 players",
        "Agents: seat 0 agent 0, seat 1 agent 1, seat 2 agent 2",
        "Seed: 3",
        "Heist 1 of 1: cards are passed to the left",
        "  seat 1 passes Break In, Bank Job, The Lift to seat 2; holds Copycat Crime, The Feds, The Lift, The",
        "         Lift, The Lift",
        "  Stage 1 of 2",
        "    seat 0 plays Backup Plan, which brings Circle Back, which brings Backup Plan: draws 2",
        "    seat 1 plays Copycat Crime, as Break In: $3, 1 Heat",
        "    seat 2 plays Break In: $3, 1 Heat",
        "            money  Heat  cards   record",
        "    seat 0     $0     0      6   Circle Back, Backup Plan",
        "    Heat value $1, 0 cards left in the deck",
        "    seat 0 plays Circle Back, which brings Backup Plan, which does nothing: nothing",
        "    seat 1 plays The Feds: nothing",
        "    seat 2 plays Bank Job: $5, 3 Heat",
        "The end: each Heat token costs $2",
        "          money  Heat  final",
        "seat 0       $0     0     $0",
        "seat 1       $3     1     $1   wins",
        "seat 2       $8     4     $0",
    ):
        assert line in lines


def test_more_words() -> None:
    hands = ["Word on the Street, Cover Story, Bank Job", "Copycat Crime, Frame Up", "Lay Low, Bank Job"]
    some = Rules().replace(heists=1, stages=2, announce=True, board="1x2,2x2")
    game = heat_engines.draft(Reference(some, 3, heat_engines.setup(hands)), hands)
    for title in ("Bank Job", None, "Heavy"):
        game.step(heat_engines.announce(title))
    reveal(game, "Word on the Street", "Copycat Crime", "Bank Job").step(word("Cover Story"))
    game.step(cover("The Lift"))
    for _ in range(3):
        game.step(heat_engines.announce(None))
    reveal(game, "Bank Job", "Frame Up", "Lay Low")
    lines = lines_of(game)
    for line in (
        "Rules: announce true, board [[1, 2], [2, 2]], heists 1, stages 2",
        "    seat 0 announces Bank Job",
        "    seat 1 stays silent",
        "    seat 0 plays Word on the Street, which brings Cover Story: discards The Lift, $3",
        "    seat 1 plays Copycat Crime, as Bank Job: 2 Heat",
        "    seat 0     $3     0      2   The Lift, Word on the Street, Cover Story",
        "    seat 0 plays Bank Job: $5, 3 Heat",
        "    seat 2 plays Lay Low: returns 1 Heat",
        "    Out of Heat: once everybody with Heat returns 1 and loses $3",
        "    seat 1    -$3     0      3   Copycat Crime, Frame Up",
        "seat 0       $8     3     $5   wins",
        "seat 2      -$3     0    -$3",
    ):
        assert line in lines


def test_an_arrest() -> None:
    text = show.as_text(next(games_of(DATA / "scenarios" / "arrest-cover-story.jsonl")))
    assert "    More Heat than the board has tokens: everybody is arrested\n" in text
    assert text.endswith("All are arrested: nobody wins.")


def test_a_shortage_ignored_heat_and_a_split_win() -> None:
    game, lines = told(["The Feds, Bank Job", "Bank Job, Break In", "Bank Job, Break In"], "",
                       "The Feds, Bank Job, Bank Job", "Bank Job, Break In, Break In", board="1x1,2x5")  # fmt: skip
    assert game.reports[1].shortages == 1
    assert "    seat 0 plays Bank Job: $5, ignores Heat" in lines
    assert "    Out of Heat: once everybody with Heat returns 1 and loses $3" in lines
    _, lines = told(["", "", "Crackdown"], "", "The Lift, The Lift, Crackdown")
    assert "seat 1       $2     0     $2   wins 1/2" in lines
    assert lines[-1] == "Equal money: least Heat wins; equal again: the win is split."


def test_a_copycat_without_effect_and_a_seat_without_a_card() -> None:
    rows = ["The Lift, The Lift, The Lift"] * 4 + ["Copycat Crime, Copycat Crime, Copycat Crime"]
    _, lines = told(["Copycat Crime"] * 3, "", *rows, stages=6)
    assert "    seat 0 plays Copycat Crime, no effect: nothing" in lines
    assert "    seat 2 has no card to play" in lines


def test_a_difference_is_told_and_an_illegal_step_refused() -> None:
    wrong = next(games_of(DATA / "scenarios" / "illegal-winners.jsonl"))
    text = show.as_text(wrong)
    assert "What is recorded differs from what the rules give:" in text
    assert "result.winners: found" in text.splitlines()[-1]
    with pytest.raises(UserError, match=r"^heists\[0\]\.draft\[0\]"):
        show.as_text(next(games_of(DATA / "scenarios" / "illegal-pass-not-in-hand.jsonl")))


# What a seat sees


def view_of(game: Reference, seat: int) -> SimpleNamespace:
    """Make a view as the agents have it."""
    extent = {"players": game.players, "n_heists": game.rules.heists, "n_stages": game.rules.stages}
    return SimpleNamespace(**game.knowledge(seat), **extent)


def some_state() -> Reference:
    """Play to the middle of a Stage: seat 0 has chosen, seat 1 is to choose."""
    hands = ["The Feds, Bank Job", "Copycat Crime, Heavy", "Break In"]
    game = heat_engines.draft(Reference(Rules(announce=True), 3, heat_engines.setup(hands, "Heavy", 3)), hands)
    for title in ("Bank Job", None, "Heavy"):
        game.step(heat_engines.announce(title))
    reveal(game, "The Feds", "Copycat Crime", "Break In")
    for title in (None, "Crackdown", None):
        game.step(heat_engines.announce(title))
    game.step(Action(REVEAL, "Bank Job"))
    return game


def test_state() -> None:
    game = some_state()
    assert show.state_text(view_of(game, 0)).splitlines() == [
        "Seat 0 of 3 players, heist 1 of 3, Stage 2 of 4: to play a card. Heat value: $2. Deck: 1 card left.",
        "",
        "        money  Heat  cards   record",
        "seat 0     $0     0      4   The Feds",
        "seat 1     $3     2      4   Copycat Crime",
        "seat 2     $3     2      4   Break In",
        "",
        "Hand: The Lift, The Lift, The Lift",
        "Chosen, not yet seen by others: Bank Job",
        "Passed to seat 1: Copycat Crime, Heavy, The Lift",
        "Received from seat 2: The Feds, Bank Job, The Lift",
        "Announced: seat 1 Crackdown",
        "Ignoring Heat: seat 0",
    ]
    other = show.state_text(view_of(game, 1))
    assert "Hand: Heavy, The Lift, The Lift, The Lift" in other
    assert "Chosen" not in other
    for width in (60, 80):
        assert max(len(line) for line in show.state_text(view_of(game, 1), width).splitlines()) <= width


def test_an_active_copy_is_shown_as_what_it_is() -> None:
    hands = ["Cover Story", "Copycat Crime", "Break In"]
    game = heat_engines.draft(Reference(Rules(), 3, heat_engines.setup(hands, heists=3)), hands)
    reveal(game, "Cover Story", "Copycat Crime", "Break In")
    assert "seat 1     $0     0      4   Copycat Crime (as Break In)" in show.state_text(view_of(game, 0))


def test_html_is_whole_and_has_header_cells() -> None:
    page = show.state_html(view_of(some_state(), 2))
    page_is_whole(page)
    assert "<dt>Hand</dt><dd>The Lift, The Lift, The Lift, The Lift</dd>" in page
