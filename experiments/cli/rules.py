"""`rules`: list the options of the rules."""

from __future__ import annotations

import json
from pathlib import Path

import click

from experiments import games as game_table
from experiments.cli import Call, options


@click.command(
    epilog="""\b
Examples:
  GAME rules
  GAME rules --rules mine.toml --json
"""
)
@options.rules
@options.as_json
@click.pass_obj
def command(call: Call, rules: Path | None, settings: tuple[str, ...], as_json: bool) -> None:
    """List every option of the rules: default, other values, meaning, ruling; and the value that is set."""
    game = game_table.get(call.game)
    values = game.rules_json(game.load_rules(rules, settings))
    standard = game.rules_json(game.load_rules())
    rows = game.rules_rows()
    if as_json:
        document = [{**row, "value": values[row["option"]]} for row in rows]
        print(json.dumps({"format": "lab-rules/1", "game": game.name, "options": document}))
        return
    for row in rows:
        value = values[row["option"]]
        changed = "" if value == standard[row["option"]] else f"; set to {json.dumps(value)}"
        print(f"{row['option']}  ({row['type']}, default {row['default']}{changed}; {row['ruling']})")
        print(f"    {row['meaning']}")
        print(f"    values: {row['allowed']}")
