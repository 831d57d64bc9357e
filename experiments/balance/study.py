"""A study: designs of a game, played on the same deals by agents of several levels of skill, and compared.

    from experiments.balance.designs import base, changed
    from experiments.balance.study import study
    start = base(game)
    result = study(game, [start, changed(game, start, {"storms": "3"})], games=20_000)
    result.frame("differences")

The same call gives the same numbers, whatever `jobs` is and however often it was interrupted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.catalog import Player, parse_list, resolve
from experiments import games as game_table
from experiments import runner, store
from experiments.balance import cells as cell_table
from experiments.balance.cells import SEARCHES, Cell, Key, Level
from experiments.balance.designs import Design, obstacle
from experiments.balance.results import COLUMNS, METHODS, Found, tables
from experiments.balance.totals import Totals
from experiments.columns import described
from experiments.folders import free_folder, open_run
from experiments.tables import Table, to_rows
from experiments.tournament import MOST_GAMES, check_jobs, player_counts
from gameapi.errors import UnreadableError, UserError
from gameapi.game import Game

if TYPE_CHECKING:
    import pandas as pd

Columns = Mapping[str, Sequence[tuple[str, str, str]]]
FORMAT = "lab-balance/1"
AGENTS = ("greedy", "heuristic")
WEAKEST = "random"
"""Whom the first level meets."""


@dataclass(frozen=True)
class Study:
    """What a study found.

    Attributes:
        game: the game.
        manifest: what was played, see `experiments.store`; `study` holds kind, settings and designs.
        tables: the tables as dicts of columns, see `experiments.balance.results.COLUMNS`.
        folder: the run folder, None where nothing was kept.
        found: what the tables are made from.
    """

    game: Game
    manifest: Mapping[str, Any] = field(repr=False)
    tables: Mapping[str, Table] = field(repr=False)
    folder: Path | None
    found: Found = field(repr=False)

    def frame(self, name: str) -> pd.DataFrame:
        """Return a table as a pandas frame.

        Raises:
            UserError: there is no such table.
        """
        import pandas as pd

        if name not in self.tables:
            raise UserError(f"there is no table {name!r}; the tables are {', '.join(self.tables)}", "frame")
        return pd.DataFrame(self.tables[name])

    def report(self, path: str | Path | None = None) -> Path:
        """Write tables, figures and summary as one page, see `experiments.balance.page.write`."""
        from experiments.balance.page import write

        return write(self, path)

    def json(self) -> dict[str, Any]:
        """Return the study as a JSON document of format `lab-balance/1`; NaN is null."""
        kept = self.manifest
        return {
            "format": FORMAT,
            **{key: kept[key] for key in ("game", "version", "seed", "rules")},
            "deck": {key: kept["deck"][key] for key in ("name", "provenance", "digest")},
            "kind": kept["study"]["kind"],
            "settings": kept["study"]["settings"],
            "designs": [{key: entry[key] for key in ("label", "changes")} for entry in kept["study"]["designs"]],
            "intervals": METHODS,
            "tables": {name: to_rows(table) for name, table in self.tables.items()},
        }


@dataclass(frozen=True)
class Setup:
    """A study that is ready to be played.

    Attributes:
        game: the game.
        designs: the first is the base.
        levels: of skill.
        manifest: all that decides the numbers, and what is known before the start.
    """

    game: Game
    designs: Sequence[Design]
    levels: Sequence[Level]
    manifest: Mapping[str, Any] = field(repr=False)

    def default_folder(self, resume: bool) -> Path:
        """Return a folder in `results`, named by what decides the numbers; see `folders.free_folder`."""
        kind = re.sub(r"[^A-Za-z0-9]+", "-", self.manifest["study"]["kind"])
        seed, identity = self.manifest["seed"], self.manifest["identity"]
        return free_folder(f"{self.game.name}-balance-{kind}-s{seed}-{identity[:8]}", resume)

    def dictionary(self, more: Columns) -> Table:
        """Return what the columns of the tables mean, `more` being those of further tables."""
        return described({**COLUMNS, **more}, METHODS)

    def totals(self, folder: Path | None, manifest: Mapping[str, Any], jobs: int, quiet: bool) -> dict[Key, Totals]:
        """Play every cell that is not there; return the totals of all."""
        found = cell_table.seated(
            cell_table.cells(self.game, manifest, folder),
            self.designs,
            self.levels,
            manifest["seed"],
            manifest["study"]["watch"],
        )
        return _whole(found, runner.run(found, jobs, quiet))

    def play(
        self,
        out: str | Path | None = None,
        resume: bool = False,
        jobs: int | None = None,
        quiet: bool = True,
        command: str = "python",
        more: Callable[[Study], Mapping[str, Table]] | None = None,
        finish: Callable[[Study], None] | None = None,
        columns: Columns | None = None,
    ) -> Study:
        """Play all games, or those that are left, and work out the tables.

        Args:
            out: the run folder; None keeps nothing.
            resume: whether to go on with the run in `out`.
            jobs: chunks in play at a time, None for one a core; changes no number.
            quiet: whether to leave out the progress bar.
            command: what the manifest says was typed.
            more: gives further tables, which may replace those that are there.
            finish: is called with the whole study while the folder is held, to write figures and pages.
            columns: what the columns of further tables mean, as in `experiments.balance.results.COLUMNS`.

        Raises:
            UserError, UnreadableError: the folder cannot be used; says why and what to do.
            AgentError: an agent failed.
            DiskFullError: there is no space left; finished chunks are kept.
            InterruptedRun: Ctrl-C; with a folder, finished chunks are kept.
        """
        cores = check_jobs(jobs)
        if out is None:
            return _complete(self._study(self.totals(None, self.manifest, cores, quiet), self.manifest, None), more)
        folder = Path(out)
        with open_run(folder, resume, self.manifest, command) as manifest:
            made = _complete(self._study(self.totals(folder, manifest, cores, quiet), manifest, folder), more)
            store.write_tables(folder, {**made.tables, "columns": self.dictionary(columns or {})})
            if finish is not None:
                finish(made)
        return made

    def _study(self, totals: Mapping[Key, Totals], manifest: Mapping[str, Any], folder: Path | None) -> Study:
        found = _found(self.game, manifest, totals)
        return Study(self.game, manifest, tables(found), folder, found)


def _complete(made: Study, more: Callable[[Study], Mapping[str, Table]] | None) -> Study:
    """Return a study with the tables that its kind adds."""
    added = {} if more is None else more(made)
    return replace(made, tables={**made.tables, **added})


def _whole(found: Sequence[Cell], sums: Sequence[Any]) -> dict[Key, Totals]:
    return {cell.key: part for cell, part in zip(found, sums, strict=True) if part is not None}


def _found(game: Game, manifest: Mapping[str, Any], totals: Mapping[Key, Totals]) -> Found:
    study = manifest["study"]
    agents = [entry["agent"] for entry in manifest["agents"]]
    labels = [entry["label"] for entry in study["designs"]]
    return Found(game, labels, agents, totals, study["impossible"])


def study(
    game: str | Game,
    designs: Sequence[Design],
    kind: str = "study",
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = 20_000,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
    settings: Mapping[str, Any] | None = None,
    watch: int = 0,
) -> Study:
    """Play designs on the same deals and compare each with the first, the base.

    Args:
        game: its name, such as "hotsim".
        designs: the base and others, with different labels; one that cannot be played by some number of players is
            listed in the table `impossible`.
        kind: what the study is called in its manifest and folder.
        agents: levels of skill, ascending. Each plays against copies of itself, and alone against copies of the one
            before it; before the first comes `random`.
        games: games of each design, number of players and level, half of them in each of the two line-ups.
        search_games: the same for agents that search; None for a hundredth of `games`, 100 at least.
        players: numbers of players, None for all that the game allows.
        seed: any integer; decides deals and choices.
        jobs: chunks in play at a time, None for one a core; changes no number.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`.
        quiet: whether to leave out the progress bar.
        settings: what else the manifest shall say of the study, as JSON values.
        watch: games among equals of deals whose number is a multiple of it are watched, which adds the metrics of their
            flow and the table `events`; 0 for none.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        AgentError: an agent raised or returned an illegal action.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    setup = prepare(game, designs, kind, agents, games, search_games, players, seed, settings, watch)
    return setup.play(out, resume, jobs, quiet)


def prepare(
    game: str | Game,
    designs: Sequence[Design],
    kind: str = "study",
    agents: str | Sequence[str | Callable[..., Any]] = AGENTS,
    games: int = 20_000,
    search_games: int | None = None,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    watch: int = 0,
) -> Setup:
    """Resolve and check everything a study needs, and play nothing; arguments as in `study`."""
    the_game = game_table.get(game)
    few = max(100, games // 100) if search_games is None else search_games
    for name, value in (("games", games), ("search-games", few)):
        if isinstance(value, bool) or not isinstance(value, int) or not 2 <= value <= MOST_GAMES:
            raise UserError(f"found {value!r}, expected an integer from 2 to {MOST_GAMES:,}", name)
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise UserError(f"found {seed!r}, expected an integer", "seed")
    labels = [design.label for design in designs]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise UserError(f"two designs are called {twice!r}", "designs")
    levels = _levels(the_game, agents, games, few)
    counts = player_counts(players, the_game, {})
    reasons = {
        (i, n): obstacle(the_game, design, n)
        for n in counts
        for i, design in enumerate(designs)
        if design.players is None or n in design.players
    }
    for n in counts:
        if reasons[0, n] is not None:
            raise UserError(f"the base cannot be played by {n}: {reasons[0, n]}", "designs")
    impossible = [{"design": labels[i], "players": n, "why": why} for (i, n), why in reasons.items() if why is not None]
    playable = [key for key, why in reasons.items() if why is None]
    manifest = _manifest(the_game, designs, levels, seed, games) | {
        "plans": cell_table.entries(levels, playable),
        "study": {
            "kind": kind,
            "settings": dict(settings or {}),
            "search_games": few,
            "watch": watch,
            "designs": [_entry(the_game, design) for design in designs],
            "impossible": impossible,
        },
    }
    manifest["identity"] = store.identity(manifest)
    return Setup(the_game, designs, levels, manifest)


def _levels(game: Game, agents: str | Sequence[str | Callable[..., Any]], games: int, few: int) -> list[Level]:
    specs = parse_list(agents) if isinstance(agents, str) else list(agents)
    roster: list[Player] = [resolve(spec, game) for spec in specs]
    names = [player.text for player in roster]
    if not names or len(set(names)) < len(names):
        raise UserError(f"found {', '.join(names) or 'none'}; name one or more different agents", "agents")
    weaker = [resolve(WEAKEST, game), *roster[:-1]]
    return [
        Level(player, other, few if player.cost >= SEARCHES else games)
        for player, other in zip(roster, weaker, strict=True)
    ]


def _entry(game: Game, design: Design) -> dict[str, Any]:
    """Return what a manifest says of a design."""
    return {
        "label": design.label,
        "changes": dict(design.changes),
        "rules": game.rules_json(design.rules),
        "deck": {key: value for key, value in game.service("deck_json")(design.deck).items() if key != "groups"},
    }


def _manifest(game: Game, designs: Sequence[Design], levels: Sequence[Level], seed: int, games: int) -> dict[str, Any]:
    start = _entry(game, designs[0])
    return {
        "format": store.FORMAT,
        "identity": "",
        "game": game.name,
        "version": game.version,
        "seed": seed,
        "games": games,
        "lineups": "given",
        "agents": [level.agent.as_json() | {"weaker": level.weaker.text} for level in levels],
        "rules": start["rules"],
        "deck": start["deck"],
        "move_limit": "",
        "anchor": None,
    }


def load(folder: str | Path) -> Study:
    """Read the folder of a study; the tables are made anew from the totals that are there.

    Tables that the kind of the study adds are not among them; they stand in the folder as CSV files.

    Raises:
        UnreadableError: no study, or a part that cannot be read; says which and what to do.
    """
    folder = Path(folder)
    manifest = store.read_manifest(folder)
    if "study" not in manifest:
        raise UnreadableError("holds no study of balance, but a tournament or comparison", str(folder))
    game = game_table.get(manifest["game"])
    found = cell_table.cells(game, manifest, folder)
    whole = _found(game, manifest, _whole(found, runner.run(found, 1, True)))
    return Study(game, manifest, tables(whole), folder, whole)
