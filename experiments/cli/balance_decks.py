"""`balance decks`: what holds for every deck that could be the printed one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from experiments.cli import Call, balance_play

if TYPE_CHECKING:
    from experiments.balance.study import Study


@click.command(
    epilog="""\b
Examples:
  GAME balance decks
  GAME balance decks --decks 100 --games 10000 --players 3,4
  GAME balance decks --claim 'seat_gap<0.03' --claim 'skill@4@heuristic>0.2'"""
)
@click.option(
    "--decks",
    metavar="N",
    type=click.IntRange(1, 999),
    default=24,
    show_default=True,
    help="Plausible decks. Deck k depends on --seed and k alone.",
)
@click.option(
    "--claim",
    "claims",
    metavar="METRIC<X",
    multiple=True,
    help="What else to judge: METRIC<X, METRIC>X or METRIC=A..B, where wanted with @PLAYERS and @AGENT behind METRIC; "
    "repeatable.",
)
@balance_play.study_verb(4000)
def command(
    call: Call, rules: Any, deck: Any, asked: dict[str, Any], run: dict[str, Any], decks: int, claims: tuple[str, ...]
) -> None:
    """Tell what holds for every deck that could be the printed one, and what depends on the guess.

    The printed values and icons are not public. Many decks are drawn that fit what the rulebook tells, each is played
    on the same deals, and what can be said of the game with the base's deck is held against all of them.
    """
    from experiments.balance.decks import plan

    planned = plan(call.game, decks, claims, rules, deck, **asked)
    balance_play.play_planned(call, planned, _show, **run)


def _show(study: Study) -> str:
    """Return every conclusion in a line: how many decks it holds for, and how far the metric spreads."""
    from experiments.cli.printing import aligned
    from experiments.readable import number, percent
    from experiments.tables import to_rows

    rows = to_rows(study.tables["conclusions"])
    n = rows[0]["n_decks"]
    return f"Conclusions, held against {n:,} plausible decks (all intervals hold at once; tables/conclusions.csv)\n" + (
        aligned(
            [
                ("players", [str(row["players"]) for row in rows]),
                ("agent", [row["agent"] for row in rows]),
                ("statement", [row["statement"] for row in rows]),
                ("verdict", [row["verdict"] for row in rows]),
                ("holds", [percent(*(row[f"share{end}"] for end in ("", "_low", "_high"))) for row in rows]),
                ("fails", [str(row["fails"]) for row in rows]),
                ("undecided", [str(row["undecided"]) for row in rows]),
                ("base", [number(row["base"], 3) for row in rows]),
                ("over decks", [f"{number(row['least'], 3)} to {number(row['most'], 3)}" for row in rows]),
            ]
        )
    )
