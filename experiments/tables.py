"""From sums over deals to tidy tables, and what every column means.

A table is a dict of equally long columns, in the order of `COLUMNS`; `pandas.DataFrame(table)` makes a frame of it.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from experiments import ratings
from experiments.intervals import METHOD, Interval, Moments, share, standard_deviation
from experiments.schedule import Plan
from experiments.sums import WIN_UNIT, Sums, agent_pairs, features, lone_pairs
from gameapi.game import Game, GameColumn

Table = dict[str, list[Any]]
Row = dict[str, Any]

_LOW, _HIGH = "lower end of its 95 % interval", "upper end of its 95 % interval"
_PLAYERS, _AGENT = (("players", "", "seats at the table"), ("agent", "", "the agent's whole spec"))
_N_GAMES = ("n_games", "games", "games of this number of players")
_N_DEALS = ("n_deals", "deals", "deals, each played in all seatings; the unit that intervals are clustered by")

COLUMNS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "agents": [
        _PLAYERS,
        _AGENT,
        ("n_games", "games", "games in which the agent has a seat or more"),
        _N_DEALS,
        (
            "win_share",
            "wins / n_seats",
            "wins for each seat occupied, n winners having 1/n each; the equal share is 1/players",
        ),
        ("win_share_low", "wins / n_seats", _LOW),
        ("win_share_high", "wins / n_seats", _HIGH),
        ("score_mean", "points", "mean of the final score over seats occupied"),
        ("score_sd", "points", "standard deviation of the final score over seats occupied (divisor n_seats - 1)"),
        (
            "rank_mean",
            "rank",
            "mean over seats occupied, 1 being best; equal score and tie-break share the better rank",
        ),
        ("n_seats", "seats", "seats occupied, over all games: the denominator of this row"),
        ("forfeits", "decisions", "decisions that the agent forfeited"),
    ],
    "seats": [
        _PLAYERS,
        ("seat", "", "0 starts"),
        _N_GAMES,
        ("win_share", "wins / n_games", "wins of whoever has this seat; the equal share is 1/players"),
        ("win_share_low", "wins / n_games", _LOW),
        ("win_share_high", "wins / n_games", _HIGH),
        ("score_mean", "points", "mean of the final score in this seat"),
        ("score_sd", "points", "standard deviation of the final score in this seat (divisor n_games - 1)"),
        _N_DEALS,
    ],
    "games": [
        _PLAYERS,
        _N_GAMES,
        ("decisions_mean", "decisions / game", "decisions of all seats together"),
        ("split_share", "games / n_games", "games whose win is split among several winners"),
        ("score_spread_mean", "points", "best score less worst, mean over games"),
        ("split_share_low", "games / n_games", _LOW),
        ("split_share_high", "games / n_games", _HIGH),
        _N_DEALS,
    ],
    "ratings": [
        _PLAYERS,
        _AGENT,
        ("rating", "Elo points", "strength by pairs of seats within a game, the mean of all agents being 0"),
        ("rating_low", "Elo points", _LOW),
        ("rating_high", "Elo points", _HIGH),
        ("n_pairs", "pairs of seats", "comparisons with seats of other agents"),
        _N_DEALS,
    ],
    "head_to_head": [
        _PLAYERS,
        _AGENT,
        ("opponent", "", "the other agent's whole spec"),
        ("n_games", "games", "games of the agent alone against copies of the opponent"),
        ("n_deals", "deals", "deals of these games"),
        ("win_share", "wins / n_games", "the agent alone against copies of the opponent; the equal share is 1/players"),
        ("win_share_low", "wins / n_games", _LOW),
        ("win_share_high", "wins / n_games", _HIGH),
        (
            "n_pairs",
            "pairs of seats",
            "seats of the agent compared with seats of the opponent, over all games with both",
        ),
        ("beats", "pairs / n_pairs", "pairs in which the agent ranks above the opponent, equal ranks counting a half"),
        ("beats_low", "pairs / n_pairs", _LOW),
        ("beats_high", "pairs / n_pairs", _HIGH),
    ],
    "scores": [
        _PLAYERS,
        _AGENT,
        ("score", "points", "a final score"),
        ("n", "seats", "seats occupied by the agent that ended with this score"),
    ],
}
"""For each table its columns, each with unit (or numerator / denominator) and meaning."""


class Part(NamedTuple):
    """All that tables say of one number of players: who sat where, and the sums."""

    plan: Plan
    sums: Sums


def build(game: Game, agents: Sequence[str], parts: Sequence[Part]) -> dict[str, Table]:
    """Make all tables.

    Args:
        game: the game.
        agents: whole specs in roster order.
        parts: one for each number of players, ascending.

    Returns:
        Tables by name, in the order of `COLUMNS`.
    """
    makers: dict[str, Callable[[Game, Sequence[str], Part], Iterator[Row]]] = {
        "agents": _agents,
        "seats": _seats,
        "games": _games,
        "ratings": _ratings,
        "head_to_head": _head_to_head,
        "scores": _scores,
    }
    return {
        name: _table(columns(game)[name], [row for part in parts for row in makers[name](game, agents, part)])
        for name in COLUMNS
    }


def columns(game: Game) -> dict[str, list[tuple[str, str, str]]]:
    """Return `COLUMNS` with the columns that a game adds to `games`."""
    found = {name: list(rows) for name, rows in COLUMNS.items()}
    for column in game.columns:
        unit = _UNITS.get(column.how, "{stat}").format(stat=column.stat, over=column.over)
        found["games"].append((column.name, unit, column.meaning))
        if column.how in ("share", "game_share"):
            found["games"] += [(f"{column.name}_low", unit, _LOW), (f"{column.name}_high", unit, _HIGH)]
    return found


_UNITS = {
    "share": "{stat} / {over}",
    "mean": "{stat} / game",
    "game_share": "games with {stat} / games",
    "seat_mean": "{stat} / player and game",
}


def _table(described: Sequence[tuple[str, str, str]], rows: Sequence[Row]) -> Table:
    return {name: [row[name] for row in rows] for name, _, _ in described}


def _interval(name: str, found: Interval) -> Row:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def _ratio(numerator: int, denominator: int) -> float:
    return float(Fraction(numerator, denominator)) if denominator else math.nan


def _wins(sums: Sums, feature: int, seats_a_deal: int, fixed: bool = False) -> Interval:
    counted = Moments.with_constant(int(sums.total[feature]), int(sums.squares[feature]), seats_a_deal, sums.deals)
    return share(counted, WIN_UNIT, fixed)


def _distribution(low: int, counts: Any) -> Row:
    """Return mean and standard deviation of scores from how often each occurs."""
    numbers = [(low + i, int(n)) for i, n in enumerate(counts) if n]
    n = sum(count for _, count in numbers)
    total = sum(score * count for score, count in numbers)
    squares = sum(score * score * count for score, count in numbers)
    return {"score_mean": _ratio(total, n), "score_sd": standard_deviation(n, total, squares)}


def _agents(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    first = features(plan, game).agents.start
    for number, agent in enumerate(agents):
        here = plan.seatings == number
        seats = int(here.sum())
        alone = bool((here.all(axis=1) | ~here.any(axis=1)).all())  # it meets nobody but itself
        yield {
            "players": plan.players,
            "agent": agent,
            "n_games": int(here.any(axis=1).sum()) * sums.deals,
            "n_deals": sums.deals,
            **_interval("win_share", _wins(sums, first + number, seats, alone)),
            **_distribution(sums.score_low, sums.scores[number].sum(axis=0)),
            "rank_mean": _ratio(int(sums.ranks[number]), seats * sums.deals),
            "n_seats": seats * sums.deals,
            "forfeits": int(sums.forfeits[number]),
        }


def _seats(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    first = features(plan, game).seats.start
    for seat in range(plan.players):
        yield {
            "players": plan.players,
            "seat": seat,
            "n_games": plan.n_seatings * sums.deals,
            **_interval("win_share", _wins(sums, first + seat, plan.n_seatings)),
            **_distribution(sums.score_low, sums.scores[:, seat].sum(axis=0)),
            "n_deals": sums.deals,
        }


def _games(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    place = features(plan, game)
    n_games = plan.n_seatings * sums.deals
    split = Moments.with_constant(
        int(sums.total[place.split]), int(sums.squares[place.split]), plan.n_seatings, sums.deals
    )
    row = {
        "players": plan.players,
        "n_games": n_games,
        "decisions_mean": _ratio(int(sums.total[place.games.start]), n_games),
        **_interval("split_share", share(split)),
        "score_spread_mean": _ratio(int(sums.total[place.spread]), n_games),
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
        return {column.name: _ratio(total, n_games)}
    if column.how == "sd":
        return {column.name: standard_deviation(n_games, total, int(sums.games_squared[at]))}
    if column.how == "seat_mean":
        return {column.name: _ratio(total, n_games * players)}
    if column.how == "game_share":
        each = n_games // sums.deals
        return _interval(column.name, share(Moments.with_constant(total, int(sums.games[at, at]), each, sums.deals)))
    over = numbers[column.over]
    yy, ym, mm = (int(sums.games[i, j]) for i, j in ((at, at), (at, over), (over, over)))
    return _interval(column.name, share(Moments(total, int(totals[over]), yy, ym, mm, sums.deals)))


def _met(plan: Plan) -> Any:
    """Return (agents, agents), the pairs of seats that two different agents hold in a game, over all seatings."""
    held = np.stack([(plan.seatings == agent).sum(axis=1) for agent in range(plan.n_agents)], axis=1).astype(np.int64)
    met = held.T @ held
    np.fill_diagonal(met, 0)
    return met


def _net(plan: Plan, sums: Sums, game: Game, values: Any, sign: int) -> Any:
    """Spread a value for each pair of agents over a matrix; `sign` is that of the mirrored half."""
    matrix = np.zeros((plan.n_agents, plan.n_agents), dtype=np.int64)
    for (a, b), value in zip(agent_pairs(plan.n_agents), values[features(plan, game).pairs], strict=True):
        matrix[a, b], matrix[b, a] = value, sign * value
    return matrix


def _ratings(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    met = _met(plan)
    pairs = ratings.PairPoints(met, _net(plan, sums, game, sums.total, -1), sums.agents.tolist(), sums.deals)
    for number, rating in enumerate(ratings.elo(pairs)):
        yield {
            "players": plan.players,
            "agent": agents[number],
            **_interval("rating", rating),
            "n_pairs": int(met[number].sum()) * sums.deals,
            "n_deals": sums.deals,
        }


def _head_to_head(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    met, lone, first = _met(plan), lone_pairs(plan), features(plan, game).lone.start
    net, squares = (_net(plan, sums, game, sums.total, -1), _net(plan, sums, game, sums.squares, 1))
    place = {pair: first + k for k, pair in enumerate(lone)}
    for a, b in ((a, b) for a in range(plan.n_agents) for b in range(plan.n_agents) if met[a, b]):
        games = int((plan.lineup_of == lone[a, b]).sum()) if (a, b) in lone else 0
        wins = _wins(sums, place[a, b], games) if games else Interval(math.nan, math.nan, math.nan)
        yield {
            "players": plan.players,
            "agent": agents[a],
            "opponent": agents[b],
            "n_games": games * sums.deals,
            "n_deals": sums.deals if games else 0,
            **_interval("win_share", wins),
            "n_pairs": int(met[a, b]) * sums.deals,
            **_interval(
                "beats", share(_half_points(int(met[a, b]), int(net[a, b]), int(squares[a, b]), sums.deals), 2)
            ),
        }


def _half_points(met: int, net: int, squares: int, deals: int) -> Moments:
    """Return the moments of half points met + net_d of a deal, from those of net_d."""
    return Moments.with_constant(met * deals + net, deals * met * met + 2 * met * net + squares, met, deals)


def _scores(game: Game, agents: Sequence[str], part: Part) -> Iterator[Row]:
    plan, sums = part
    for number, agent in enumerate(agents):
        counts = sums.scores[number].sum(axis=0)
        for i in np.flatnonzero(counts):
            yield {"players": plan.players, "agent": agent, "score": sums.score_low + int(i), "n": int(counts[i])}


# ---- tables to text -------------------------------------------------------------------------------------------------


def to_csv(table: Table) -> str:
    """Return a table as CSV; numbers are written so that they read back as they were, NaN is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    writer.writerows([_cell(value) for value in row] for row in zip(*table.values(), strict=True))
    return out.getvalue()


def _cell(value: Any) -> Any:
    return "" if isinstance(value, float) and math.isnan(value) else value


def to_rows(table: Table) -> list[Row]:
    """Return a table as a list of rows for JSON; NaN becomes None."""
    return [
        {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in zip(table, row, strict=True)
        }
        for row in zip(*table.values(), strict=True)
    ]


def dictionary(game: Game) -> Table:
    """Return the column dictionary as a table: table, column, unit, meaning; the method of the intervals at its end."""
    return described(columns(game), METHOD)


def described(columns: Mapping[str, Sequence[tuple[str, str, str]]], method: str) -> Table:
    """Return what columns mean as a table."""
    rows = [(table, *column) for table, listed in columns.items() for column in listed]
    rows.append(("(all)", "*_low, *_high", "", method))
    return {
        name: list(values)
        for name, values in zip(("table", "column", "unit", "meaning"), zip(*rows, strict=True), strict=True)
    }
