"""`balance trim`: vary which cards are used at each number of players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments.cli import Call, balance_play

if TYPE_CHECKING:
    from experiments.balance.study import Study


@click.command(
    epilog="""\b
Examples:
  GAME balance trim --length 60
  GAME balance trim --shares 0,1/4,1/2,3/4 --length 30 --unit turns --players 2,3   (hotsim)
  GAME balance trim --sets mine.toml --no-flips                                     (heatsim)

What is best in one respect is rarely best in all: look at the Pareto plots."""
)
@click.option(
    "--shares",
    metavar="F,F,...",
    help="Hot Heads: shares of the undealt cards that go back to the box.  [default: 0,1/8,1/4,1/3,1/2,5/8,3/4]",
)
@click.option(
    "--sets", metavar="FILE", type=click.Path(path_type=Path), help="Heat: a file of alternative sets of cards."
)
@click.option(
    "--flips/--no-flips",
    default=True,
    show_default=True,
    help="Heat: flip each icon of each copy, one at a time: whether a number of players uses it.",
)
@click.option("--length", metavar="N", type=float, help="The wished length of a game.  [default: no wish]")
@click.option(
    "--unit",
    type=click.Choice(["decisions", "turns"]),
    default="decisions",
    show_default=True,
    help="What the length is counted in: decisions of all seats, or turns of all seats (Hot Heads).",
)
@balance_play.study_verb(20_000)
def command(
    call: Call,
    rules: Any,
    deck: Any,
    asked: dict[str, Any],
    run: dict[str, Any],
    shares: str | None,
    sets: Path | None,
    flips: bool,
    length: float | None,
    unit: str,
) -> None:
    """Vary which cards are used at each number of players.

    Hot Heads: the share of the cards that goes back to the box, and for two the dummy on and off. Heat: the icons of
    the cards. Tells which way makes seats fairest, games closest to a wished length, and skill worth most.
    """
    from experiments.balance import trim

    planned = trim.plan(
        call.game,
        [share.strip() for share in shares.split(",")] if shares is not None else (),
        sets,
        flips,
        length,
        unit,
        rules,
        deck,
        **asked,
    )
    balance_play.play_planned(call, planned, _show, **run)


def _show(study: Study) -> str:
    from experiments.cli import balance_text

    return "\n\n".join(
        [balance_text.trims(study.tables), balance_text.answers(study.tables), *balance_text.obstacles(study.tables)]
    )
