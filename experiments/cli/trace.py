"""`trace`: write games of agents as traces."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from experiments import games as game_table
from experiments.cli import Call, options


@click.command(
    epilog="""\b
Examples:
  GAME trace --agents greedy,random --players 3 --games 10 > games.jsonl
  GAME trace --agents random | GAME replay -
"""
)
@options.agents()
@options.games(1)
@options.players
@options.seed
@options.deck
@options.rules
@options.quiet
@click.pass_obj
def command(
    call: Call,
    agents: str,
    games: int,
    players: list[int] | None,
    seed: int,
    deck: Path | None,
    rules: Path | None,
    settings: tuple[str, ...],
    quiet: bool,
) -> None:
    """Write games of agents to standard output, one trace a line; N games for each number of players.

    In game i, seat s is taken by agent s + i of the list, going round.
    """
    game = game_table.get(call.game)
    found_deck, found_rules = options.load(game, deck, rules, settings)
    if not quiet:
        options.tell_of_compiling()
    from agents.catalog import parse_list, resolve
    from experiments.tracing import traces

    roster = [resolve(spec, game) for spec in parse_list(agents)]
    for count in players or game.seats:
        for trace in traces(game, found_rules, found_deck, count, roster, games, seed):
            sys.stdout.write(json.dumps(trace, separators=(",", ":")) + "\n")
