"""`balance search`: find designs that meet targets with few changes."""

from __future__ import annotations

from pathlib import Path

import click

from experiments import games as game_table
from experiments.cli import Call, balance_play, options


@click.command(
    epilog="""\b
Examples:
  GAME balance search --target 'seat_gap<0.03' --target decisions=60..75 --vary storms=3..5 --vary deck.sabotage=0..8
  GAME balance search --target 'skill@heuristic>0.3' --target 'changes<=2' --vary VALUES --trials 300 --resume --out DIR

Hot Heads varies storms, return_fraction, deck.1+5; Heat heists, board, deck.Heavy: see `GAME rules` and `GAME deck`.
Needs Optuna: pip install 'hot-and-heat[search]'."""
)
@click.option(
    "--target",
    "targets",
    metavar="METRIC<X",
    multiple=True,
    required=True,
    help="What the design should be: METRIC<X, METRIC<=X, METRIC>X, METRIC>=X or METRIC=A..B, where wanted with @PLAYERS "
    "and @AGENT behind METRIC; repeatable. `changes` is how many settings differ from the base.",
)
@click.option(
    "--vary",
    metavar="KEY=VALUES",
    multiple=True,
    required=True,
    help="What may change: an option of the rules or deck.CARD, as 3,4,5 or 0..8; repeatable.",
)
@click.option(
    "--trials",
    metavar="N",
    type=click.IntRange(1, 10_000),
    default=100,
    show_default=True,
    help="Designs to try; all there are where these are fewer.",
)
@click.option(
    "--finalists", metavar="N", type=click.IntRange(1, 100), default=3, show_default=True, help="Designs to play again."
)
@click.option(
    "--confirm-games",
    metavar="N",
    type=click.IntRange(min=2),
    help="Games of each finalist, number of players and level, on fresh deals.  [default: 5 times --games]",
)
@balance_play.study_options(4000)
@click.pass_obj
def command(
    call: Call,
    targets: tuple[str, ...],
    vary: tuple[str, ...],
    trials: int,
    finalists: int,
    confirm_games: int | None,
    agents: str,
    games: int,
    search_games: int | None,
    players: list[int] | None,
    seed: int,
    jobs: int | None,
    deck: Path | None,
    rules: Path | None,
    settings: tuple[str, ...],
    out: Path | None,
    resume: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Find designs that meet targets with few changes from the base.

    Optuna proposes designs, each is played on the same deals, and the best are played again on fresh ones: of many
    designs the one that looks best looks better than it is.
    """
    game = game_table.get(call.game)
    found_deck, found_rules = options.load(game, deck, rules, settings)
    if not quiet:
        options.tell_of_compiling()
    from experiments.balance.search import plan
    from experiments.cli import printing

    made = plan(
        game.name,
        targets,
        vary,
        found_rules,
        found_deck,
        agents,
        games,
        search_games,
        players,
        seed,
        trials,
        finalists,
        confirm_games,
        jobs,
        quiet,
    )
    balance_play.play(
        call,
        made.setup,
        out,
        resume,
        jobs,
        quiet,
        as_json,
        lambda study: printing.found_designs(study.tables),
        made.more,
        made.finish,
        made.columns,
    )
