"""`agents`: list the agents."""

from __future__ import annotations

import itertools
import json

import click

from experiments import games as game_table
from experiments.cli import Call, options


@click.command(
    epilog="""\b
Examples:
  GAME agents
  GAME agents --json
"""
)
@options.as_json
@click.pass_obj
def command(call: Call, as_json: bool) -> None:
    """List the agents with what they do, their sources, and their parameters with defaults and ranges."""
    game = game_table.get(call.game)
    from agents.catalog import table

    rows = table(game)
    if as_json:
        print(json.dumps({"format": "lab-agents/1", "game": game.name, "agents": rows}))
        return
    for name, found in itertools.groupby(rows, key=lambda row: row["agent"]):
        parameters = list(found)
        print(f"{name}: {parameters[0]['title']} ({parameters[0]['source']})")
        if not parameters[0]["fair"]:
            print("    it CHEATS: it looks at hidden cards; for measuring, not for comparing players")
        for row in parameters:
            if "parameter" in row:
                print(f"    {row['parameter']}={row['default']}  {row['allowed']}; {row['meaning']}")
    print("path/to/file.py:attribute: an agent of your own; parameters may follow")
