"""What a tournament gave: its tables and its raw rows, fresh or read from a run folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments import anchor as anchors
from experiments import games as game_table
from experiments import runner, schedule, store
from experiments.intervals import METHOD
from experiments.runner import Section
from experiments.sums import WIN_UNIT
from experiments.tables import Part, Table, build, dictionary, to_rows
from gameapi.errors import UnreadableError, UserError
from gameapi.game import Game

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "lab-tournament/1"


@dataclass(frozen=True)
class Tournament:
    """A tournament's tables.

    Every table is a pandas frame: names and specs are text, counts (`n_...`, `players`, `seat`, `score`, `n`,
    `forfeits`) int64, everything else float64, NaN where there is no value. `columns` says what each column means.

    Attributes:
        game: the game.
        manifest: what was played, see `experiments.store`.
        tables: the tables as dicts of columns.
        folder: the run folder, None where nothing was kept.
    """

    game: Game
    manifest: Mapping[str, Any] = field(repr=False)
    tables: Mapping[str, Table] = field(repr=False)
    folder: Path | None

    @cached_property
    def agents(self) -> pd.DataFrame:
        """One row for each (players, agent): games, win share with interval, score, rank."""
        return self._frame("agents")

    @cached_property
    def seats(self) -> pd.DataFrame:
        """One row for each (players, seat): games, win share with interval, score."""
        return self._frame("seats")

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row for each number of players: length, split wins, spread of scores and what the game adds."""
        return self._frame("games")

    @cached_property
    def ratings(self) -> pd.DataFrame:
        """One row for each (players, agent): strength in Elo points with interval, the mean of all agents being 0."""
        return self._frame("ratings")

    @cached_property
    def ratings_all(self) -> pd.DataFrame:
        """One row for each agent: strength over all numbers of players together."""
        return self._frame("ratings_all")

    @cached_property
    def head_to_head(self) -> pd.DataFrame:
        """One row for each (players, agent, opponent): win share alone against copies, how often it ranks above."""
        return self._frame("head_to_head")

    @cached_property
    def payoffs(self) -> pd.DataFrame:
        """One row for each (players, line-up, agent): win share and score in the games of that line-up."""
        return self._frame("payoffs")

    @cached_property
    def scores(self) -> pd.DataFrame:
        """One row for each (players, agent, score): how often."""
        return self._frame("scores")

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """One row for each (players, agent, rank): share of the agent's seats, with interval."""
        return self._frame("ranks")

    @cached_property
    def tests(self) -> pd.DataFrame:
        """One row for each test of the run: F statistic, p-value, and that adjusted for its family."""
        return self._frame("tests")

    @cached_property
    def cycles(self) -> pd.DataFrame:
        """One row for each three agents of which each ranks above the next more often than not; often none."""
        return self._frame("cycles")

    @cached_property
    def columns(self) -> pd.DataFrame:
        """One row for each column of each table: unit or numerator / denominator, and meaning."""
        import pandas as pd

        return pd.DataFrame(dictionary(self.game))

    def _frame(self, name: str) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self.tables[name])

    def rows(self, players: int) -> pd.DataFrame:
        """Return the raw rows of one number of players, one a game and seat, ordered by deal, seating and seat.

        Args:
            players: a number of players that was played.

        Returns:
            Frame with `agent` and `lineup` categorical text, `win` float64 (1/n for each of n winners), integers else:
            deal, seating, seat, score, tiebreak, rank, decisions, forfeits and the game's statistics.

        Raises:
            UserError: nothing was kept (play with `out`), or not with so many players.
            UnreadableError: a part cannot be read.
        """
        import numpy as np
        import pandas as pd

        if self.folder is None:
            raise UserError("no rows were kept; give the tournament a folder: out=...", "rows")
        by_players = {s.plan.players: s for s in sections(self.game, self.manifest, self.folder)}
        if players not in by_players:
            raise UserError(f"found {players!r}, expected one of {', '.join(map(str, by_players))}", "players")
        section, names = by_players[players], list(store.row_columns(self.game))
        numbers = store.part_numbers(self.folder, players)
        parts = [
            store.read_part(store.part_path(self.folder, players, number), names, section.run) for number in numbers
        ]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in names}
        specs = [entry["agent"] for entry in self.manifest["agents"]]
        lineups = [",".join(specs[agent] for agent in lineup) for lineup in section.plan.lineups]
        lineup_of = section.plan.lineup_of[columns["seating"]]
        wins = columns.pop("win_60ths") / WIN_UNIT
        frame = pd.DataFrame(columns)
        frame["agent"] = pd.Categorical.from_codes(columns["agent"], dtype=pd.CategoricalDtype(specs))
        texts = pd.Series(pd.Categorical.from_codes(lineup_of, dtype=pd.CategoricalDtype(lineups)))
        frame.insert(2, "lineup", texts)
        frame.insert(frame.columns.tolist().index("rank") + 1, "win", wins)
        return frame

    def report(self, path: str | Path | None = None) -> Path:
        """Write the tables and figures as one page that needs nothing else.

        Args:
            path: the page; None for `report.html` in the run folder.

        Returns:
            The page's path.

        Raises:
            UserError: nothing was kept and no path is given, a package is missing, or the page cannot be written.
        """
        from experiments.report import write

        return write(self, path)

    def json(self) -> dict[str, Any]:
        """Return the result as a JSON document of format `lab-tournament/1`; NaN is null."""
        kept = self.manifest
        return {
            "format": FORMAT,
            **{key: kept[key] for key in ("game", "version", "seed", "rules")},
            "deck": {key: kept["deck"][key] for key in ("name", "provenance", "digest")},
            "intervals": METHOD,
            "tables": {name: to_rows(table) for name, table in self.tables.items()},
        }


def load(folder: str | Path, anchor: str | None = None) -> Tournament:
    """Read a run folder; all tables are made anew from the raw rows that are there.

    Args:
        folder: the run folder.
        anchor: as in `tournament`; None for the anchor that the run was played with, or none.

    Raises:
        UserError: an anchor that does not play.
        UnreadableError: no run folder, or a part that cannot be read; says which and what to do.
    """
    folder = Path(folder)
    manifest = store.read_manifest(folder)
    if "study" in manifest:
        raise UnreadableError("holds a study of balance; read it with experiments.balance.study.load", str(folder))
    game = game_table.get(manifest["game"])
    specs = [entry["agent"] for entry in manifest["agents"]]
    if anchor:
        manifest = manifest | {"anchor": anchors.read(anchor, specs)}
    tables = build(game, specs, read_parts(game, manifest, folder), anchors.place(manifest))
    return Tournament(game, manifest, tables, folder)


def read_parts(game: Game, manifest: Mapping[str, Any], folder: Path) -> list[Part]:
    """Return the plans and sums of a run folder, from the raw rows that are there."""
    found = sections(game, manifest, folder)
    sums = runner.run(found, 1, True)
    return [Part(section.plan, part) for section, part in zip(found, sums, strict=True) if part is not None]


def sections(game: Game, manifest: Mapping[str, Any], folder: Path | None) -> list[Section]:
    """Return the sections that a manifest describes, with nothing to play them."""
    found = []
    for entry in manifest["plans"]:
        plan = schedule.plan(len(manifest["agents"]), entry["players"], 1, entry["lineups"])
        plan = replace(plan, n_deals=entry["n_deals"])
        per_part = manifest["deals_per_part"][str(plan.players)]
        found.append(Section(game, plan, per_part, None, folder, manifest["identity"]))
    return found
