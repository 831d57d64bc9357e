"""A cell: a design with some number of players, played by agents of one level in one line-up.

All designs of a study play the same deals, coupled where decks or rules differ (`gameapi.coupling`), with the same
random streams for the seats.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.catalog import Player
from experiments import schedule, store
from experiments.balance.designs import Design
from experiments.balance.totals import ALONE, GROUPS, MIRROR, Features, Totals, add_up, features
from experiments.balance.watched import note_features
from experiments.match import Match
from experiments.runner import Section, Task
from experiments.schedule import Plan
from experiments.watching import WatchedMatch
from gameapi.game import Game

CHUNKS_PER_PART = 8
SEARCHES = 100.0  # nominal cost of a game from which on an agent counts as one that searches


class Level(NamedTuple):
    """A level of skill.

    Attributes:
        agent: who plays.
        weaker: whose copies it meets alone.
        games: games a cell, half of them in each line-up.
    """

    agent: Player
    weaker: Player
    games: int

    @property
    def lineups(self) -> tuple[str, ...]:
        """The line-ups that tell something: nobody is stronger than a copy of itself."""
        return (MIRROR,) if self.agent.text == self.weaker.text else (MIRROR, ALONE)


class Key(NamedTuple):
    """Which cell: numbers of design and level, number of players, line-up."""

    design: int
    players: int
    level: int
    lineup: str


@dataclass(frozen=True)
class Cell(Section):
    """A cell as the runner plays it; its parts hold totals instead of rows.

    Attributes:
        key: which.
    """

    key: Key

    def path(self, number: int) -> Path | None:
        """Return the part of a chunk, None where nothing is kept."""
        if self.folder is None:
            return None
        design, players, level, lineup = self.key
        return self.folder / "parts" / f"d{design:03d}-p{players}-l{level}-{lineup}-{number:04d}.parquet"

    def take(self, task: Task) -> tuple[store.Columns, Totals]:  # type: ignore[override]
        """Return the totals of a chunk, from its part or played now; the rows are not kept."""
        path = self.path(task.number)
        if path is not None and path.exists():
            return {}, self._read(path, task)
        found = add_up(self._features(task), task.first_deal)
        if path is not None:
            columns = {name: np.ascontiguousarray(found.column(name)) for name in found.names}
            store.write_part(path, store.as_part(columns, self.run))
        return {}, found

    def _read(self, path: Path, task: Task) -> Totals:
        columns = store.read_part(path, None, self.run, GROUPS)
        return Totals(tuple(columns), np.stack(list(columns.values()), axis=1), task.n_deals)

    def _features(self, task: Task) -> Features:
        assert self.match is not None
        seatings, first, n_deals = self.plan.seatings, task.first_deal, task.n_deals
        if self.key.lineup == MIRROR and isinstance(self.match, WatchedMatch):
            columns, notes = self.match.play_watched(first, n_deals, seatings)
            found = note_features(self.game, notes, first, n_deals, len(seatings), self.match.every)
            return features(self.game, columns, seatings, self.key.lineup) | found
        return features(self.game, self.match.play(first, n_deals, seatings), seatings, self.key.lineup)


def plan(players: int, lineup: str, games: int) -> Plan:
    """Return who sits where: 0 is the level's agent, 1 the weaker one."""
    lineups = [(0,) * players] if lineup == MIRROR else [(0,) + (1,) * (players - 1)]
    return schedule.plan(2, players, games, lineups)


def entries(levels: Sequence[Level], playable: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """Return what a manifest says of every cell: its key, deals, seatings, games, and deals of a part.

    Args:
        levels: of skill.
        playable: (design, players) that can be played.
    """
    found = []
    for (design, players), (number, level) in itertools.product(playable, enumerate(levels)):
        for lineup in level.lineups:
            games = plan(players, lineup, -(-level.games // len(level.lineups)))
            by_cost = CHUNKS_PER_PART * schedule.deals_per_chunk(games, [level.agent.cost, level.weaker.cost])
            by_size = max(1, schedule.CHUNK_GAMES // games.n_seatings)
            found.append(
                {
                    **Key(design, players, number, lineup)._asdict(),
                    "n_deals": games.n_deals,
                    "n_seatings": games.n_seatings,
                    "n_games": games.n_games,
                    "deals_per_part": min(games.n_deals, by_cost, by_size),
                }
            )
    return found


def cells(game: Game, manifest: Mapping[str, Any], folder: Path | None) -> list[Cell]:
    """Return the cells that a manifest lists, with nothing to play them."""
    found = []
    for entry in manifest["plans"]:
        key = Key(*(entry[name] for name in Key._fields))
        games = plan(key.players, key.lineup, entry["n_games"])
        found.append(Cell(game, games, entry["deals_per_part"], None, folder, manifest["identity"], key))
    return found


def seated(
    found: Sequence[Cell], designs: Sequence[Design], levels: Sequence[Level], seed: int, watch: int
) -> list[Cell]:
    """Return cells with what plays those that are not whole.

    Args:
        found: cells.
        designs: by the number in a cell's key.
        levels: likewise.
        seed: of the deals.
        watch: games of deals whose number is a multiple of it are watched, 0 for none.
    """
    matches: dict[tuple[int, int, int], Match] = {}
    ready = []
    for cell in found:
        if not cell.is_whole():
            key = cell.key
            table = key.design, key.players, key.level
            if table not in matches:
                matches[table] = _match(cell.game, designs[key.design], key.players, levels[key.level], seed, watch)
            cell = replace(cell, match=matches[table])
        ready.append(cell)
    return ready


def _match(game: Game, design: Design, players: int, level: Level, seed: int, watch: int) -> Match:
    table = game, design.rules, design.deck, players, [level.agent, level.weaker], seed
    return WatchedMatch(*table, coupled=True, every=watch) if watch else Match(*table, coupled=True)
