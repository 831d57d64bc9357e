"""`bench`: measure games and decisions a second."""

from __future__ import annotations

import json
from pathlib import Path

import click

from experiments import games as game_table
from experiments.cli import Call, options

FORMAT = "lab-bench/1"


@click.command(
    epilog="""\b
Examples:
  GAME bench
  GAME bench --players 4 --json
"""
)
@options.players
@options.seed
@options.jobs
@options.deck
@options.rules
@options.as_json
@options.quiet
@click.pass_obj
def command(
    call: Call,
    players: list[int] | None,
    seed: int,
    jobs: int | None,
    deck: Path | None,
    rules: Path | None,
    settings: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Measure random play and the kernels' parts on one core, then on all cores (or as many as --jobs says).

    Rates are per second of wall time, the median of several repeats after a warm-up: `games` and `decisions` of the
    random agent in the tournament's loop, `steps` of a recorded game, `copies` of a state, `determinizations` for seat
    0 and `rollouts` from the state just after the deal.
    """
    game = game_table.get(call.game)
    found_deck, found_rules = options.load(game, deck, rules, settings)
    if not quiet:
        options.tell_of_compiling()
    from experiments.bench import available_cores, measure

    rows = []
    if not as_json:
        click.echo(f"{'players':>7}  {'what':<18} {'cores':>5} {'a second':>16} {'ns each':>12}")
    for count in players or game.seats:
        for rate in measure(game, count, found_rules, found_deck, jobs or available_cores(), seed):
            rows.append(rate._asdict())
            if not as_json:
                each = 1e9 * rate.cores / rate.per_second
                click.echo(
                    f"{rate.players:>7}  {rate.what:<18} {rate.cores:>5} {rate.per_second:>16,.0f} {each:>12,.1f}"
                )
    if as_json:
        click.echo(json.dumps({"format": FORMAT, "game": game.name, "version": game.version, "rows": rows}))
