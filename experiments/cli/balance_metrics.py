"""`balance metrics`: one design in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from experiments.cli import Call, balance_play

if TYPE_CHECKING:
    from experiments.balance.study import Study


@click.command(
    epilog="""\b
Examples:
  GAME balance metrics
  GAME balance metrics --players 4 --agents greedy,heuristic --games 100000
  GAME balance metrics --deck mine.toml --duel-games 0
  GAME balance metrics --doublings 6 --duel-games 2000 --json

The same command gives the same numbers, whatever --jobs and interruptions."""
)
@balance_play.study_verb(20_000, "greedy,heuristic,mc:rollouts=8")
@click.option(
    "--watch",
    metavar="N",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    help="Watch the games of every N-th deal: their flow, and what the rules brought about.",
)
@click.option(
    "--duel-games",
    metavar="N",
    type=click.IntRange(min=0),
    default=400,
    show_default=True,
    help="Games of each duel that tells how deep the game is; 0 leaves them out.",
)
@click.option(
    "--doublings",
    metavar="N",
    type=click.IntRange(1, 10),
    default=3,
    show_default=True,
    help="How often the rollouts of mc are doubled in duels, from 1 on.",
)
def command(
    call: Call,
    rules: Any,
    deck: Any,
    asked: dict[str, Any],
    run: dict[str, Any],
    watch: int,
    duel_games: int,
    doublings: int,
) -> None:
    """Measure one design: all metrics, what came up in play, how games ended, how deep it is.

    Agents of several levels of skill play against copies of themselves, and alone against copies of the level before.
    """
    from experiments.balance import overview

    planned = overview.plan(
        call.game,
        rules,
        deck,
        **asked,
        watch=watch,
        duel_games=duel_games,
        doublings=doublings,
        jobs=run["jobs"],
        quiet=run["quiet"],
    )
    balance_play.play_planned(call, planned, _show, **run)


def _show(study: Study) -> str:
    from experiments.cli import balance_metrics_text

    return balance_metrics_text.overview(study.tables)
