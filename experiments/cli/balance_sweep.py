"""`balance sweep`: vary any numbers of the rules and the deck over a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from experiments.cli import Call, balance_play

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
@balance_play.study_verb(20_000)
def command(
    call: Call, rules: Any, deck: Any, asked: dict[str, Any], run: dict[str, Any], vary: tuple[str, ...]
) -> None:
    """Vary any numbers of the rules and the deck over a grid.

    Every point is played on the same deals as the base (the rules and the deck as they are) and compared with it.
    """
    from experiments.balance import sweep

    planned = sweep.plan(call.game, vary, rules, deck, **asked)
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
