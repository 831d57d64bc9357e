"""`deck`: list the deck."""

from __future__ import annotations

import json
from pathlib import Path

import click

from experiments import games as game_table
from experiments.cli import Call, options


@click.command(
    epilog="""\b
Examples:
  GAME deck
  GAME deck --deck mine.toml --json
"""
)
@options.deck
@options.as_json
@click.pass_obj
def command(call: Call, deck: Path | None, as_json: bool) -> None:
    """List the deck: how many of each card, sums of values, and where that is known from."""
    game = game_table.get(call.game)
    found = game.load_deck(deck)
    options.announce(found)
    if as_json:
        print(json.dumps({"format": "lab-deck/1", "game": game.name, **game.service("deck_json")(found)}))
    else:
        print(game.service("deck_text")(found))
