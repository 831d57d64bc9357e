"""`show`: tell a trace turn by turn."""

from __future__ import annotations

import shutil
import sys

import click

from experiments import games as game_table
from experiments.cli import Call
from gameapi.errors import UserError
from gameapi.jsonl import parse_line, read_lines

MIN_WIDTH, MAX_WIDTH = 60, 120


@click.command(
    epilog="""\b
Examples:
  GAME show games.jsonl
  GAME show games.jsonl --game 3
"""
)
@click.argument("file")
@click.option(
    "--game",
    "number",
    metavar="K",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Which game of FILE.",
)
@click.pass_obj
def command(call: Call, file: str, number: int) -> None:
    """Tell a game of FILE (- for standard input) turn by turn."""
    as_text = game_table.get(call.game).service("as_text")
    width = min(MAX_WIDTH, max(MIN_WIDTH, shutil.get_terminal_size().columns))
    games = 0
    for line, text in read_lines(file):
        games += 1
        if games == number:
            place = f"{file}: line {line}"
            try:
                print(as_text(parse_line(text, place), width))
            except UserError as fault:
                inside = fault.place if fault.place.startswith(place) else f"{place}: {fault.place}".removesuffix(": ")
                raise type(fault)(fault.message, inside) from None
        elif games > number:
            print(f"note: {file} has more games; --game {games} shows the next one", file=sys.stderr)
            return
    if games < number:
        held = "no game" if not games else "one game" if games == 1 else f"{games} games"
        raise UserError(
            f"there are {held} in this file; --game {number} asks for more".replace("are one", "is one"), file
        )
