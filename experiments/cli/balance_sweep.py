"""`balance sweep`: vary any numbers of the rules and the deck over a grid."""

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
  GAME balance sweep --vary helicopter_points=1..5 --games 20000       (hotsim)
  GAME balance sweep --vary storms=3,4,5 --vary deck.sabotage=0..8     (hotsim)
  GAME balance sweep --vary return_fraction=0..3/4..1/8 --players 2    (hotsim)
  GAME balance sweep --vary heists=2,3,4 --vary "deck.Bank Job=1..3"   (heatsim)
  GAME balance sweep --vary "board=1x1,2x2,3x3;1x2,2x4,3x6"            (heatsim)

Points of the grid that cannot be played by some number of players are listed."""
)
@click.option(
    "--vary",
    metavar="OPTION=VALUES",
    multiple=True,
    required=True,
    help="An option of the rules, or deck.CARD for its number of copies, and its values: a list such as 3,4,5 or a "
    "range such as 0..8 or 0..8..2; repeatable, the grid is the product. Semicolons separate values that have commas.",
)
@balance_play.study_options(20_000)
@click.pass_obj
def command(
    call: Call,
    /,
    vary: tuple[str, ...],
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
    """Vary any numbers of the rules and the deck over a grid.

    Every point is played on the same deals as the base (the rules and the deck as they are) and compared with it.
    """
    from experiments.balance import sweep

    found_deck, found_rules = options.load(game_table.get(call.game), deck, rules, settings)
    planned = sweep.plan(
        call.game,
        vary,
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

    return "\n\n".join(
        [
            balance_text.key_numbers(study.tables),
            balance_text.clearest(study.tables),
            *balance_text.obstacles(study.tables),
        ]
    )
