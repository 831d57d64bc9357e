"""`balance search`: find designs that meet targets with few changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from experiments.cli import Call, balance_play

if TYPE_CHECKING:
    from experiments.balance.study import Study


@click.command(
    epilog="""\b
Examples:
  GAME balance search --target 'seat_gap<0.05' --vary helicopter_points=1..5 --vary deck.sabotage=0..8   (hotsim)
  GAME balance search --target decisions@4=60..70 --target 'changes<=2' --vary storms=3..5 --trials 50   (hotsim)
  GAME balance search --target 'skill@heuristic>0.5' --vary heists=2..4 --vary deck.Heavy=1..4           (heatsim)

Needs Optuna: pip install 'hot-and-heat[search]'."""
)
@click.option(
    "--target",
    "targets",
    metavar="METRIC<X",
    multiple=True,
    required=True,
    help="What the design should be: METRIC<X, METRIC<=X, METRIC>X, METRIC>=X or METRIC=A..B, where wanted with "
    "@PLAYERS and @AGENT behind METRIC; repeatable. `changes` is how many settings differ from the base.",
)
@click.option(
    "--vary",
    metavar="OPTION=VALUES",
    multiple=True,
    required=True,
    help="What may change, as for `balance sweep`; repeatable.",
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
@balance_play.study_verb(4000)
def command(
    call: Call,
    rules: Any,
    deck: Any,
    asked: dict[str, Any],
    run: dict[str, Any],
    targets: tuple[str, ...],
    vary: tuple[str, ...],
    trials: int,
    finalists: int,
    confirm_games: int | None,
) -> None:
    """Find designs that meet targets with few changes from the base.

    Optuna proposes designs, each is played on the same deals, and the best are played again on fresh ones: of many
    designs the one that looks best looks better than it is.
    """
    from experiments.balance.search import plan

    planned = plan(
        call.game,
        targets,
        vary,
        rules,
        deck,
        **asked,
        trials=trials,
        finalists=finalists,
        confirm_games=confirm_games,
        jobs=run["jobs"],
        quiet=run["quiet"],
    )
    balance_play.play_planned(call, planned, _show, **run)


def _show(study: Study) -> str:
    """Return the finalists, how they did on fresh deals, and the answer in a sentence."""
    from experiments.balance.search_tables import answer
    from experiments.cli.printing import aligned
    from experiments.readable import number
    from experiments.tables import to_rows

    trials, finalists, again = (to_rows(study.tables[name]) for name in ("trials", "smallest", "confirmation"))
    impossible = sum(row["verdict"] == "impossible" for row in trials)
    front = sum(row["front"] for row in trials)
    return "\n\n".join(
        [
            f"Trials {len(trials):,}: {impossible:,} cannot be played, {front:,} on the front, "
            f"{sum(row['verdict'] == 'met' for row in trials):,} surely meet all targets",
            "Finalists, the smallest change first (confirmed: on fresh deals)\n"
            + aligned(
                [
                    (name, [str(row[name]) for row in finalists])
                    for name in ("place", "trial", "changes", "verdict", "confirmed", "design")
                ]
            ),
            "On fresh deals (trial: the value by which the design was chosen)\n"
            + aligned(
                [
                    ("trial no.", [str(row["trial"]) for row in again]),
                    ("target", [row["target"] for row in again]),
                    ("players", [str(row["players"] or "all") for row in again]),
                    ("agent", [row["agent"] or "all" for row in again]),
                    ("trial", [number(row["trial_value"], 3) for row in again]),
                    ("value", [_interval(row, number) for row in again]),
                    ("games", [f"{row['n_games']:,}" for row in again]),
                    ("verdict", [row["verdict"] for row in again]),
                ]
            ),
            answer(study.tables),
        ]
    )


def _interval(row: Mapping[str, Any], number: Callable[[float, int], str]) -> str:
    ends = "" if row["value_low"] is None else f" [{number(row['value_low'], 3)}, {number(row['value_high'], 3)}]"
    return number(row["value"], 3) + ends
