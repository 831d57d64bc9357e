"""Searches for designs that meet targets: proposals by Optuna, the front, the smallest change, and a confirmation.

    from experiments.balance.search import search
    result = search("hotsim", ["seat_gap<0.03", "decisions=60..75"], vary=["storms=3..5", "deck.sabotage=0..8"])
    result.frame("smallest")

All trials are played on the same deals, so that chance does not choose between neighbours; but it does choose which of
many looks best. The finalists are therefore played again on fresh deals, and only that is to be believed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from experiments import games as game_table
from experiments import store
from experiments.balance import designs, files, grid, search_tables, targets
from experiments.balance.designs import Design
from experiments.balance.grid import Axis
from experiments.balance.metrics import unwatched
from experiments.balance.planned import Asked, Planned
from experiments.balance.search_tables import CHANGES, Judge
from experiments.balance.study import Study
from experiments.balance.study import prepare as prepare_study
from experiments.balance.targets import Target
from experiments.balance.trials import Trial, Worth
from experiments.runner import InterruptedRun
from experiments.tables import Table, to_rows
from experiments.tournament import check_jobs, player_counts
from gameapi.errors import UserError
from gameapi.game import Game

KIND, CONFIRMATION = "search", "confirmation"
JOURNAL = "journal.jsonl"
TRIALS, GAMES, FINALISTS = 100, 4000, 3
CONFIRM_TIMES = 5  # as many games for each finalist as for a trial, where nothing else is asked for
MOST_TRIALS, MOST_FINALISTS = 10_000, 100


class Search(NamedTuple):
    """What a search needs to know at every trial.

    Attributes:
        game: the game.
        start: the base.
        axes: what may change, and to what.
        judge: the targets.
        counts: numbers of players.
        usual: for each key the value that leaves the base as it is, None where none of its values does.
        asked: how each trial is played.
        jobs: chunks in play at a time.
        quiet: whether to leave out progress bars.
    """

    game: Game
    start: Design
    axes: Sequence[Axis]
    judge: Judge
    counts: Sequence[int]
    usual: Mapping[str, str | None]
    asked: Asked
    jobs: int
    quiet: bool

    def design(self, settings: Mapping[str, str]) -> Design:
        """Return the design of some settings: the base where nothing differs from it."""
        changes = self.changes(settings)
        return designs.changed(self.game, self.start, changes) if changes else self.start

    def changes(self, settings: Mapping[str, str]) -> dict[str, str]:
        """Return the settings that differ from the base."""
        return {key: value for key, value in settings.items() if value != self.usual[key]}


def search(
    game: str,
    target: str | Sequence[str],
    vary: str | Sequence[str],
    rules: Any = None,
    deck: Any = None,
    trials: int = TRIALS,
    finalists: int = FINALISTS,
    confirm_games: int | None = None,
    jobs: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
    **asked: Unpack[Asked],
) -> Study:
    """Look for designs that meet targets with few changes.

    Args:
        game: its name, such as "hotsim".
        target: what the design should be, such as `["seat_gap<0.03", "decisions=60..75"]`; see `targets.read`. Beside
            metrics there is `changes`: how many settings differ from the base.
        vary: what may change, such as `["storms=3..5", "deck.sabotage=0..8"]`; see `grid.read_axes`.
        rules: the base's rules; None for the default ones.
        deck: the base's deck; None for the default one.
        trials: designs to try; all there are where these are fewer.
        finalists: designs to play again, or all that were tried where these are fewer.
        confirm_games: their games, for each number of players and level; None for 5 times those of a trial.
        jobs: chunks in play at a time, None for one a core; changes no number.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`.
        quiet: whether to leave out the progress bar.
        **asked: of each trial: agents, games (4,000 where left out), search_games, players and seed, as in
            `experiments.balance.study.study`. The seed decides proposals as well; the finalists get deals of another.

    Returns:
        The base's study, with the tables `trials`, `values`, `pareto`, `smallest` and `confirmation`.

    Raises:
        UserError: what was asked for cannot be played, or Optuna is missing; says what would be right.
        UnreadableError: the journal of the run folder is damaged.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, whole trials are kept.
    """
    made = plan(game, target, vary, rules, deck, trials, finalists, confirm_games, jobs, quiet, **asked)
    return made.play(out, resume, jobs, quiet)


def plan(
    game: str,
    target: str | Sequence[str],
    vary: str | Sequence[str],
    rules: Any = None,
    deck: Any = None,
    trials: int = TRIALS,
    finalists: int = FINALISTS,
    confirm_games: int | None = None,
    jobs: int | None = None,
    quiet: bool = True,
    **asked: Unpack[Asked],
) -> Planned:
    """Resolve and check everything, and play nothing; arguments as in `search`."""
    _require_optuna()
    the_game = game_table.get(game)
    with_games: Asked = {"games": GAMES, **asked}
    games = with_games["games"]
    confirm = CONFIRM_TIMES * games if confirm_games is None else confirm_games
    for name, value, most in (("trials", trials, MOST_TRIALS), ("finalists", finalists, MOST_FINALISTS)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise UserError(f"found {value!r}, expected an integer from 1 to {most:,}", name)
    start = designs.base(the_game, rules, deck)
    axes = grid.read_axes(the_game, start, [vary] if isinstance(vary, str) else list(vary), math.inf)
    judge = Judge(_read_targets(the_game, target))

    settings = {
        "targets": [one.text for one in judge.targets],
        "vary": [f"{axis.key}={'; '.join(axis.values)}" for axis in axes],
        "trials": trials,
        "finalists": finalists,
        "confirm_games": confirm,
        "optuna": importlib.metadata.version("optuna"),  # of another version proposals differ
    }
    few = with_games.get("search_games")
    again: Asked = {
        **with_games,
        "games": confirm,
        "search_games": few and max(2, few * confirm // games),
        "seed": fresh(with_games.get("seed", 1)),
    }
    setup = prepare_study(the_game, [start], KIND, settings=settings, **with_games)
    counts = player_counts(with_games.get("players"), the_game, {})
    targets.check(judge.targets, counts, [level.agent.text for level in setup.levels])
    usual = {axis.key: _usual(the_game, start, axis, counts) for axis in axes}
    sought = Search(the_game, start, axes, judge, counts, usual, with_games, check_jobs(jobs), quiet)

    def more(base: Study) -> Mapping[str, Table]:
        judge.require_values(base.tables["metrics"])
        tried = _explore(sought, base, trials)
        chosen = search_tables.finalists(tried, judge, finalists)
        confirmed = _confirm(sought, [sought.design(trial.settings) for trial in chosen], again, base.folder)
        return search_tables.tables(tried, chosen, judge, sought.design, confirmed)

    return Planned(setup, more, search_tables.COLUMNS, lambda made: _finish(sought, made))


def _require_optuna() -> None:
    try:
        import optuna  # noqa: F401  whether it is there
    except ImportError as fault:
        raise UserError(f"needs Optuna ({fault}); install it with: pip install 'hot-and-heat[search]'", KIND) from None


def _read_targets(game: Game, texts: str | Sequence[str]) -> list[Target]:
    known = [*unwatched(game), CHANGES]
    found = [targets.read(text, known) for text in ([texts] if isinstance(texts, str) else texts)]
    if not found:
        raise UserError("none; name at least one, such as seat_gap<0.03", "target")
    return found


def _usual(game: Game, start: Design, axis: Axis, counts: Sequence[int]) -> str | None:
    """Return the value that leaves the base as it is, None where no value does."""
    for value in axis.values:
        made = designs.changed(game, start, {axis.key: value})
        if not designs.where_they_differ(game, start, [made], counts)[0].players:
            return value
    return None


# ---- trials ---------------------------------------------------------------------------------------------------------


def _explore(sought: Search, base: Study, trials: int) -> list[Trial]:
    """Try designs; the journal of the run folder keeps them."""
    from experiments.balance.explore import explore

    space = {axis.key: axis.values for axis in sought.axes}
    first = {key: value for key, value in sought.usual.items() if value is not None}
    journal = base.folder / JOURNAL if base.folder else None
    n_objectives, seed = len(sought.judge.targets) + 1, sought.asked.get("seed", 1)

    def worth_of(settings: Mapping[str, str]) -> Worth:
        return _worth(sought, base, settings)

    with _progress(base, trials, sought.quiet) as after:
        return explore(space, n_objectives, worth_of, trials, seed, journal, first, after)


@contextmanager
def _progress(base: Study, trials: int, quiet: bool) -> Iterator[Callable[[Trial], None]]:
    """Give what is told of every trial, for a bar and for Ctrl-C, which loses the games of the trial in play."""
    from tqdm import tqdm

    with tqdm(total=trials, unit=" trials", disable=quiet, leave=False, file=sys.stderr) as bar:
        done = 0

        def after(trial: Trial) -> None:
            nonlocal done
            done = trial.number + 1
            bar.update(done - bar.n)

        try:
            yield after
        except InterruptedRun:
            games = sum(entry["n_games"] for entry in base.manifest["plans"])
            raise InterruptedRun(base.folder, done * games, trials * games) from None


def _worth(sought: Search, base: Study, settings: Mapping[str, str]) -> Worth:
    """Play the design of some settings, and hold it against the targets."""
    design = sought.design(settings)
    changes = len(sought.changes(settings))
    for players in sought.counts:
        why = designs.obstacle(sought.game, design, players)
        if why is not None:
            return Worth([], {CHANGES: changes, "cells": []}, f"{players} players: {why}")
    study = base
    if design is not sought.start:
        study = prepare_study(sought.game, [design], KIND, **sought.asked).play(jobs=sought.jobs)
    cells = sought.judge.cells(study.tables["metrics"], design.label)
    found = {CHANGES: changes, "cells": cells}
    steps = sum(_steps(axis, sought.usual[axis.key], settings[axis.key]) for axis in sought.axes)
    most = sum(len(axis.values) for axis in sought.axes)
    distances = sought.judge.distances(cells, changes)
    for target, distance in zip(sought.judge.targets, distances, strict=True):
        if math.isinf(distance):
            return Worth([], found, f"{target.text}: the metric has no value")
    # how far is a matter only between designs with as many changes
    return Worth([*distances, changes + steps / (1 + most)], found)


def _steps(axis: Axis, usual: str | None, value: str) -> int:
    """Return how many places of its list a value is from the base's; 0 where the base's is not in it."""
    return 0 if usual is None else abs(axis.values.index(value) - axis.values.index(usual))


# ---- finalists ------------------------------------------------------------------------------------------------------


def fresh(seed: int) -> int:
    """Return the seed of the deals on which the finalists of a search are played."""
    return int.from_bytes(hashlib.sha256(f"{seed} {CONFIRMATION}".encode()).digest()[:6], "little")


def _confirm(sought: Search, chosen: Sequence[Design], again: Asked, folder: Path | None) -> Table:
    """Play the finalists beside the base on fresh deals; return their metrics."""
    listed = [sought.start, *(design for design in chosen if design is not sought.start)]
    setup = prepare_study(sought.game, listed, CONFIRMATION, **again)
    where = None if folder is None else folder / CONFIRMATION
    resume = where is not None and store.is_run(where)
    return setup.play(where, resume, sought.jobs, sought.quiet, f"part of {folder}").tables["metrics"]


def _finish(sought: Search, made: Study) -> None:
    """Write the designs of the front and the finalists as files, and draw the figures."""
    from experiments.balance import search_figures

    assert made.folder is not None
    tables = made.tables
    settings: dict[int, dict[str, str]] = {}
    for row in to_rows(tables["settings"]):
        settings.setdefault(row["trial"], {})[row["key"]] = row["value"]
    for trial in sorted({*tables["pareto"]["trial"], *tables["smallest"]["trial"]}):
        design = sought.design(settings[trial])
        for kind, text in (
            ("deck", files.deck_text(design.deck)),
            ("rules", files.rules_text(sought.game, design.rules)),
        ):
            files.write(made.folder / f"{search_tables.stem(trial)}.{kind}.toml", text)
    search_figures.save_all(tables, made.folder / "figures")
