"""`replay`: check traces."""

from __future__ import annotations

import sys

import click

from experiments import games as game_table
from experiments.cli import Call


@click.command(
    epilog="""\b
Examples:
  GAME replay games.jsonl
  GAME trace --agents random | GAME replay - --emit

Exit code 0: every game agrees. 1: a step is illegal or a value differs. 2: the file cannot be read as traces."""
)
@click.argument("file")
@click.option("--emit", is_flag=True, help="Write the traces to standard output, every optional field as computed.")
@click.pass_obj
def command(call: Call, file: str, emit: bool) -> int:
    """Rebuild each game of FILE (- for standard input) from its trace alone and check it.

    Faults are told on standard error with line, place and both values.
    """
    code: int = game_table.get(call.game).service("replay")(file, sys.stdout if emit else None, sys.stderr)
    return code
