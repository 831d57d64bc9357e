"""`balance rulings`: flip every reading of the rules that leaves a choice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments import games as game_table
from experiments.cli import Call, balance_play, options

if TYPE_CHECKING:
    from experiments.balance.study import Study


@click.command(
    epilog="""\b
Examples:
  GAME balance rulings
  GAME balance rulings --games 20000 --players 3 --agents heuristic

Nothing seen means nothing that so many games can see: the tables say how small a difference they could have seen."""
)
@balance_play.study_options(1_000_000)
@click.pass_obj
def command(
    call: Call,
    /,
    deck: Path | None,
    rules: Path | None,
    settings: tuple[str, ...],
    agents: str,
    games: int,
    search_games: int | None,
    players: list[int] | None,
    seed: int,
    **run: Any,
) -> None:
    """Flip every reading of the rules that leaves a choice, one at a time.

    Both readings are played on the same deals. Tells what changes, or that nothing does that so many games can see.
    """
    from experiments.balance import rulings

    found_deck, found_rules = options.load(game_table.get(call.game), deck, rules, settings)
    planned = rulings.plan(
        call.game,
        found_rules,
        found_deck,
        agents=agents,
        games=games,
        search_games=search_games,
        players=players,
        seed=seed,
    )
    balance_play.play_planned(call, planned, _show, **run)


def _show(study: Study) -> str:
    from experiments.cli import balance_text

    return "\n\n".join([balance_text.verdicts(study.tables), *balance_text.obstacles(study.tables)])
