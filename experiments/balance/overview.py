"""One design in numbers: all metrics at every level of skill, what came up in play, how games ended, how deep it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from experiments import games as game_table
from experiments.balance.depth import COLUMNS, depth
from experiments.balance.designs import base
from experiments.balance.planned import Planned
from experiments.balance.study import Study, prepare
from experiments.tables import Table
from gameapi.errors import UserError
from gameapi.game import Game

AGENTS = ("greedy", "heuristic", "mc:rollouts=8")
WATCH = 8
DUEL_GAMES, DOUBLINGS = 400, 3
MOST_DOUBLINGS = 10


def plan(
    game: str | Game,
    rules: Any = None,
    deck: Any = None,
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = 20_000,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    watch: int = WATCH,
    duel_games: int = DUEL_GAMES,
    doublings: int = DOUBLINGS,
    jobs: int | None = None,
    quiet: bool = True,
) -> Planned:
    """Resolve and check an overview, and play nothing; arguments as in `metrics`."""
    for name, value, least, most in (
        ("watch", watch, 1, 1_000_000),
        ("duel-games", duel_games, 0, 10_000_000),
        ("doublings", doublings, 1, MOST_DOUBLINGS),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise UserError(f"found {value!r}, expected an integer from {least} to {most:,}", name)
    the_game = game_table.get(game)
    start = base(the_game, rules, deck)
    settings = {"duel_games": duel_games, "doublings": doublings}
    setup = prepare(the_game, [start], "metrics", agents, games, search_games, players, seed, settings, watch)
    counts = sorted({entry["players"] for entry in setup.manifest["plans"]})

    def more(found: Study) -> Mapping[str, Table]:
        return depth(the_game, start, duel_games, counts, doublings, seed, jobs, quiet) if duel_games else {}

    return Planned(setup, more, COLUMNS)


def metrics(
    game: str | Game,
    rules: Any = None,
    deck: Any = None,
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = 20_000,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    watch: int = WATCH,
    duel_games: int = DUEL_GAMES,
    doublings: int = DOUBLINGS,
    jobs: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
) -> Study:
    """Measure one design.

    Args:
        game: its name, such as "hotsim".
        rules: rules, None for the default.
        deck: a deck, None for the default.
        agents: levels of skill, ascending, as in `experiments.balance.study.study`.
        games: games of each number of players and level, half of them in each of the two line-ups.
        search_games: the same for agents that search; None for a hundredth of `games`, 100 at least.
        players: numbers of players, None for all that the game allows.
        seed: any integer; decides deals and choices.
        watch: games among equals of deals whose number is a multiple of it are watched.
        duel_games: games of each duel of `experiments.balance.depth`; 0 leaves them out.
        doublings: how often the rollouts of `mc` are doubled in these, from 1 on.
        jobs: chunks in play at a time, None for one a core; changes no number.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`; duels are played anew.
        quiet: whether to leave out the progress bar.

    Returns:
        The tables of a study, and `depth` and `cycles`.
    """
    asked = agents, games, search_games, players, seed, watch, duel_games, doublings
    return plan(game, rules, deck, *asked, jobs, quiet).play(out, resume, jobs, quiet)
