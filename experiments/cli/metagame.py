"""`metagame`: which agents of a tournament a population would settle on."""

from __future__ import annotations

import json
from pathlib import Path

import click

from experiments.cli import Call, options


@click.command(
    epilog="""\b
Examples:
  GAME metagame results/mine
  GAME metagame results/mine --players 4 --method nash --json"""
)
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--players", metavar="P", type=int, help="A number of players of the run.  [default: its smallest]")
@click.option(
    "--method",
    type=click.Choice(["alpha-rank", "nash"]),
    default="alpha-rank",
    show_default=True,
    help="Alpha-rank of all line-ups, or Nash averaging of agents two by two.",
)
@options.as_json
@click.pass_obj
def command(call: Call, run: Path, players: int | None, method: str, as_json: bool) -> None:
    """Rank the agents of a run folder as strategies of a game among them.

    Needs OpenSpiel: pip install 'hot-and-heat[metagame]'.
    """
    from experiments import games as game_table
    from experiments import store
    from experiments.cli import printing
    from experiments.metagame import metagame
    from experiments.result import read_parts
    from experiments.tables import to_rows
    from gameapi.errors import UserError

    manifest = store.read_manifest(run)
    game = game_table.get(manifest["game"])
    parts = {part.plan.players: part for part in read_parts(game, manifest, run)}
    if players is not None and players not in parts:
        raise UserError(f"found {players}, expected one of {', '.join(map(str, parts))}", "players")
    if not parts:
        raise UserError("holds no games yet", str(run))
    table = metagame([entry["agent"] for entry in manifest["agents"]], parts[players or min(parts)], method)
    if as_json:
        head = {"format": "lab-metagame/1", "game": game.name, "version": manifest["version"]}
        print(json.dumps(head | {"rows": to_rows(table)}, allow_nan=False))
    else:
        print(printing.metagame(table))
