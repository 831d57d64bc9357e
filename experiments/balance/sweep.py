"""Sweeps: any numbers of the rules and the deck over a grid, each point compared with the base on the same deals.

from experiments.balance.sweep import sweep
result = sweep("hotsim", ["storms=3,4,5", "deck.sabotage=0..8"], games=20_000)
result.frame("differences")
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from experiments import games as game_table
from experiments.balance import designs, grid
from experiments.balance.planned import Asked, Planned
from experiments.balance.study import Study
from experiments.balance.study import prepare as prepare_study
from experiments.tournament import player_counts

KIND = "sweep"


def sweep(
    game: str,
    vary: str | Sequence[str],
    rules: Any = None,
    deck: Any = None,
    out: str | Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    quiet: bool = True,
    **asked: Unpack[Asked],
) -> Study:
    """Play every point of a grid.

    Args:
        game: its name, such as "hotsim".
        vary: what is varied, such as `["storms=3,4,5", "deck.sabotage=0..8"]`; see `grid.read_axes`. The grid is the
            product of all; points that cannot be played are listed in the table `impossible`.
        rules: the base's; None for the default ones.
        deck: the base's; None for the default one.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`.
        jobs: chunks in play at a time, None for one a core; changes no number.
        quiet: whether to leave out the progress bar.
        **asked: agents, games, search_games, players and seed, as in `experiments.balance.study.study`.

    Returns:
        The study; its table `points` says which design is played at each point.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    return plan(game, vary, rules, deck, **asked).play(out, resume, jobs, quiet)


def plan(game: str, vary: str | Sequence[str], rules: Any = None, deck: Any = None, **asked: Unpack[Asked]) -> Planned:
    """Resolve and check everything, and play nothing; arguments as in `sweep`."""
    the_game = game_table.get(game)
    start = designs.base(the_game, rules, deck)
    axes = grid.read_axes(the_game, start, [vary] if isinstance(vary, str) else vary)
    counts = player_counts(asked.get("players"), the_game, {})
    points = grid.points(the_game, start, axes, counts)
    settings = {"vary": [f"{axis.key}={'; '.join(axis.values)}" for axis in axes]}
    setup = prepare_study(the_game, grid.designs_of(start, points), KIND, settings=settings, **asked)
    return Planned(setup, lambda study: {"points": grid.table(points, counts)}, grid.COLUMNS, _draw)


def _draw(study: Study) -> None:
    """Draw a figure for each metric, where one or two things are varied; of more there are tables only."""
    from experiments.balance import sweep_figures

    assert study.folder is not None
    sweep_figures.save_all(study.tables, study.folder / "figures")
