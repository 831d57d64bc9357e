"""Sweeps: any numbers of the rules and the deck over a grid, each point compared with the base on the same deals.

    from experiments.balance.sweep import sweep
    result = sweep("hotsim", ["storms=3,4,5", "deck.sabotage=0..8"], games=20_000)
    result.frame("differences")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from experiments import games as game_table
from experiments.balance import designs, grid
from experiments.balance.planned import Planned
from experiments.balance.study import AGENTS, Study
from experiments.balance.study import prepare as prepare_study
from experiments.tournament import player_counts

KIND = "sweep"
GAMES = 20_000


def sweep(
    game: str,
    vary: str | Sequence[str],
    rules: Any = None,
    deck: Any = None,
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = GAMES,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
) -> Study:
    """Play every point of a grid.

    Args:
        game: its name, such as "hotsim".
        vary: what is varied, such as `["storms=3,4,5", "deck.sabotage=0..8"]`; see `grid.read_axes`. The grid is the
            product of all; points that cannot be played are listed in the table `impossible`.
        rules: the base's rules; None for the default ones.
        deck: the base's deck; None for the default one.
        agents, games, search_games, players, seed, jobs, out, resume, quiet: as in `study`.

    Returns:
        The study; its table `points` says which design is played at each point.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    made = plan(game, vary, rules, deck, agents, games, search_games, players, seed)
    return made.play(out, resume, jobs, quiet)


def plan(
    game: str,
    vary: str | Sequence[str],
    rules: Any = None,
    deck: Any = None,
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = GAMES,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
) -> Planned:
    """Resolve and check everything, and play nothing; arguments as in `sweep`."""
    the_game = game_table.get(game)
    start = designs.base(the_game, rules, deck)
    texts = [vary] if isinstance(vary, str) else list(vary)
    axes = grid.read_axes(the_game, start, texts)
    counts = player_counts(players, the_game, {})
    points = grid.points(the_game, start, axes, counts)
    setup = prepare_study(
        the_game,
        grid.designs_of(start, points),
        KIND,
        agents,
        games,
        search_games,
        players,
        seed,
        {"vary": [f"{axis.key}={'; '.join(axis.values)}" for axis in axes]},
    )
    return Planned(setup, lambda study: {"points": grid.table(points, counts)}, grid.COLUMNS, _draw)


def _draw(study: Study) -> None:
    """Draw a figure for each metric, where one or two things are varied; of more there are tables only."""
    from experiments.balance import sweep_figures

    assert study.folder is not None
    sweep_figures.save_all(study.tables, study.folder / "figures")
