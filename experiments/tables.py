"""From sums over deals to tidy tables.

A table is a dict of equally long columns, in the order of `COLUMNS`; `pandas.DataFrame(table)` makes a frame of it.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

import numpy as np

from experiments import comparisons
from experiments.columns import COLUMNS, Table, columns, dictionary
from experiments.comparisons import Anchor, Row
from experiments.intervals import Interval, Moments, interval_row, ratio, share, standard_deviation
from experiments.sums import WIN_UNIT, Part, Sums, features
from gameapi.game import Game, GameColumn

__all__ = ["COLUMNS", "Anchor", "Part", "Table", "build", "columns", "dictionary", "to_csv", "to_rows"]


def build(game: Game, agents: Sequence[str], parts: Sequence[Part], anchor: Anchor | None = None) -> dict[str, Table]:
    """Make all tables.

    Args:
        game: the game.
        agents: whole specs in roster order.
        parts: one for each number of players, ascending.
        anchor: an agent's number and the rating that it shall have; None for a mean of 0.

    Returns:
        Tables by name, in the order of `COLUMNS`.
    """
    compared = [comparisons.compare(game, part, anchor) for part in parts]
    rows: dict[str, Iterable[Row]] = {
        "agents": chain.from_iterable(_agents(game, agents, part) for part in parts),
        "seats": chain.from_iterable(_seats(game, part) for part in parts),
        "games": chain.from_iterable(_games(game, part) for part in parts),
        "ratings": chain.from_iterable(comparisons.ratings(agents, found) for found in compared),
        "ratings_all": comparisons.ratings_all(agents, compared, anchor),
        "head_to_head": chain.from_iterable(comparisons.head_to_head(agents, found) for found in compared),
        "payoffs": chain.from_iterable(comparisons.payoffs(agents, found) for found in compared),
        "scores": chain.from_iterable(_scores(agents, part) for part in parts),
        "ranks": chain.from_iterable(_ranks(game, agents, part) for part in parts),
        "tests": comparisons.tests(agents, compared),
        "cycles": chain.from_iterable(comparisons.cycles(agents, found) for found in compared),
    }
    described = columns(game)
    return {name: _table(described[name], list(rows[name])) for name in COLUMNS}


def _table(described: Sequence[tuple[str, str, str]], rows: Sequence[Row]) -> Table:
    return {name: [row[name] for row in rows] for name, _, _ in described}


def _wins(sums: Sums, feature: int, seats_a_deal: int, fixed: bool = False) -> Interval:
    counted = Moments.with_constant(int(sums.total[feature]), int(sums.squares[feature]), seats_a_deal, sums.deals)
    return share(counted, WIN_UNIT, fixed)


def _distribution(low: int, counts: Any) -> Row:
    """Return mean and standard deviation of scores from how often each occurs."""
    numbers = [(low + i, int(n)) for i, n in enumerate(counts) if n]
    n = sum(count for _, count in numbers)
    total = sum(score * count for score, count in numbers)
    squares = sum(score * score * count for score, count in numbers)
    return {"score_mean": ratio(total, n), "score_sd": standard_deviation(n, total, squares)}


def _agents(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    first = features(plan, game).agents.start
    ranks = _rank_counts(game, part)
    for number, agent in enumerate(agents):
        here = plan.seatings == number
        seats = int(here.sum())
        alone = bool((here.all(axis=1) | ~here.any(axis=1)).all())  # it meets nobody but itself
        yield {
            "players": plan.players,
            "agent": agent,
            "n_games": int(here.any(axis=1).sum()) * sums.deals,
            "n_deals": sums.deals,
            **interval_row("win_share", _wins(sums, first + number, seats, alone)),
            **_distribution(sums.score_low, sums.scores[number].sum(axis=0)),
            "rank_mean": ratio(sum(ranks[number, k] * (k + 1) for k in range(plan.players)), seats * sums.deals),
            "n_seats": seats * sums.deals,
            "forfeits": int(sums.forfeits[number]),
        }


def _seats(game: Game, part: Part) -> Iterator[Row]:
    plan, sums = part
    first = features(plan, game).seats.start
    for seat in range(plan.players):
        yield {
            "players": plan.players,
            "seat": seat,
            "n_games": plan.n_seatings * sums.deals,
            **interval_row("win_share", _wins(sums, first + seat, plan.n_seatings)),
            **_distribution(sums.score_low, sums.scores[:, seat].sum(axis=0)),
            "n_deals": sums.deals,
        }


def _games(game: Game, part: Part) -> Iterator[Row]:
    plan, sums = part
    place = features(plan, game)
    n_games = plan.n_seatings * sums.deals
    split = Moments.with_constant(
        int(sums.total[place.split]), int(sums.squares[place.split]), plan.n_seatings, sums.deals
    )
    row = {
        "players": plan.players,
        "n_games": n_games,
        "decisions_mean": ratio(int(sums.total[place.games.start]), n_games),
        **interval_row("split_share", share(split)),
        "score_spread_mean": ratio(int(sums.total[place.spread]), n_games),
        "n_deals": sums.deals,
    }
    numbers = {stat.name: 1 + i for i, stat in enumerate(game.stats)}
    for column in game.columns:
        row |= _game_column(column, numbers, sums, sums.total[place.games], n_games, plan.players)
    yield row


def _game_column(
    column: GameColumn, numbers: Mapping[str, int], sums: Sums, totals: Any, n_games: int, players: int
) -> Row:
    at = numbers[column.stat]
    total = int(totals[at])
    if column.how == "mean":
        return {column.name: ratio(total, n_games)}
    if column.how == "sd":
        return {column.name: standard_deviation(n_games, total, int(sums.games_squared[at]))}
    if column.how == "seat_mean":
        return {column.name: ratio(total, n_games * players)}
    if column.how == "game_share":
        each = n_games // sums.deals
        return interval_row(column.name, share(Moments.with_constant(total, int(sums.games[at, at]), each, sums.deals)))
    over = numbers[column.over]
    yy, ym, mm = (int(sums.games[i, j]) for i, j in ((at, at), (at, over), (over, over)))
    return interval_row(column.name, share(Moments(total, int(totals[over]), yy, ym, mm, sums.deals)))


def _scores(agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    for number, agent in enumerate(agents):
        counts = sums.scores[number].sum(axis=0)
        for i in np.flatnonzero(counts):
            yield {"players": plan.players, "agent": agent, "score": sums.score_low + int(i), "n": int(counts[i])}


def _rank_counts(game: Game, part: Part) -> dict[tuple[int, int], int]:
    """Return how many seats of an agent have a rank, by (agent, rank - 1)."""
    plan, sums = part
    counts = sums.total[features(plan, game).ranks].reshape(plan.n_agents, plan.players)
    return {(agent, k): int(counts[agent, k]) for agent, k in np.ndindex(*counts.shape)}


def _ranks(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    squares = sums.squares[features(plan, game).ranks].reshape(plan.n_agents, plan.players)
    for (number, k), count in _rank_counts(game, part).items():
        seats = int((plan.seatings == number).sum())
        found = share(Moments.with_constant(count, int(squares[number, k]), seats, sums.deals))
        yield {
            "players": plan.players,
            "agent": agents[number],
            "rank": k + 1,
            **interval_row("share", found),
            "n_seats": seats * sums.deals,
            "n_deals": sums.deals,
        }


# ---- tables to text -------------------------------------------------------------------------------------------------


def to_csv(table: Table) -> str:
    """Return a table as CSV; numbers are written so that they read back as they were, NaN is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    writer.writerows([_cell(value) for value in row] for row in zip(*table.values(), strict=True))
    return out.getvalue()


def read_csv(text: str) -> Table:
    """Return a table from CSV as `to_csv` writes it.

    A column is of integers, of truth values, of numbers (empty cells are NaN), or of text, whichever fits first.
    """
    names, *rows = csv.reader(io.StringIO(text))
    return {name: _typed([row[i] for row in rows]) for i, name in enumerate(names)}


def _typed(cells: Sequence[str]) -> list[Any]:
    truth = {"True": True, "False": False}
    readers: Sequence[Callable[[str], Any]] = (int, truth.__getitem__, lambda cell: float(cell) if cell else math.nan)
    for read in readers:
        with suppress(ValueError, KeyError):
            return [read(cell) for cell in cells]
    return list(cells)


def _cell(value: Any) -> Any:
    return "" if isinstance(value, float) and math.isnan(value) else value


def to_rows(table: Table) -> list[Row]:
    """Return a table as a list of rows for JSON; what is no finite number becomes None."""
    return [
        {
            name: None if isinstance(value, float) and not math.isfinite(value) else value
            for name, value in zip(table, row, strict=True)
        }
        for row in zip(*table.values(), strict=True)
    ]
