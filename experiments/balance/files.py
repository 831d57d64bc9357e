"""Decks and rules as the files that `--deck` and `--rules` take."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gameapi.decklist import CARDS, DeckList
from gameapi.game import Game
from gameapi.jsonl import write_whole


def deck_text(deck: DeckList) -> str:
    """Return a deck as a deck file."""
    head = [f"{key} = {_value(getattr(deck, key))}" for key in ("name", "provenance", "source")]
    entries = deck.entries()
    if isinstance(entries, Mapping):
        cards = [f"[{CARDS}]", *(f"{_value(card)} = {copies}" for card, copies in entries.items())]
    else:
        cards = [f"{CARDS} = [", *(f"  {_value(entry)}," for entry in entries), "]"]
    return "\n".join([*head, "", *cards, ""])


def rules_text(game: Game, rules: Any) -> str:
    """Return rules as a rules file: what differs from the default."""
    standard = game.rules_json(game.load_rules())
    changed = {name: value for name, value in game.rules_json(rules).items() if value != standard[name]}
    lines = ["# What is not named here is as printed."]
    lines += [f"{name} = {_value(value)}" for name, value in changed.items()]
    return "\n".join([*lines, ""])


def write(path: Path, text: str) -> None:
    """Write a file, and the folder that it lies in."""
    path.parent.mkdir(exist_ok=True)
    write_whole(path, text)


def _value(value: Any) -> str:
    """Return a value as TOML has it; text, numbers and lists are written as in JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
