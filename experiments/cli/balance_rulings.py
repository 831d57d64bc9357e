"""`balance rulings`: flip every reading of the rules that leaves a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from experiments.cli import Call, balance_play

if TYPE_CHECKING:
    from experiments.balance.study import Study


@click.command(
    epilog="""\b
Examples:
  GAME balance rulings
  GAME balance rulings --games 20000 --players 3 --agents heuristic

Nothing seen means nothing that so many games can see: the tables say how small a difference they could have seen."""
)
@balance_play.study_verb(1_000_000)
def command(call: Call, rules: Any, deck: Any, asked: dict[str, Any], run: dict[str, Any]) -> None:
    """Flip every reading of the rules that leaves a choice, one at a time.

    Both readings are played on the same deals. Tells what changes, or that nothing does that so many games can see.
    """
    from experiments.balance import rulings

    planned = rulings.plan(call.game, rules, deck, **asked)
    balance_play.play_planned(call, planned, _show, **run)


def _show(study: Study) -> str:
    from experiments.cli import balance_text

    return "\n\n".join([balance_text.verdicts(study.tables), *balance_text.obstacles(study.tables)])
