"""What `balance metrics` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from experiments.cli.printing import aligned
from experiments.readable import NOTHING, number, percent
from experiments.tables import Table, to_rows

Row = Mapping[str, Any]


def overview(tables: Mapping[str, Table]) -> str:
    """Return the tables of an overview as text, one after the other."""
    parts = [_metrics(tables), _endings(tables["endings"]), _events(tables["events"])]
    if "depth" in tables:
        parts += [_depth(tables["depth"]), _cycles(tables["cycles"])]
    return "\n\n".join(parts)


def _estimate(row: Row, name: str, digits: int = 2) -> str:
    """Return an estimate with its interval."""
    value, low, high = (
        math.nan if row[f"{name}{end}"] is None else row[f"{name}{end}"] for end in ("", "_low", "_high")
    )
    interval = "" if math.isnan(low) else f" [{number(low, digits)}, {number(high, digits)}]"
    return f"{number(value, digits)}{interval}"


def _share(row: Row) -> str:
    return percent(*(math.nan if row[f"share{end}"] is None else row[f"share{end}"] for end in ("", "_low", "_high")))


def _levels(rows: Sequence[Row]) -> list[tuple[int, str]]:
    return list(dict.fromkeys((row["players"], row["agent"]) for row in rows))


def _metrics(tables: Mapping[str, Table]) -> str:
    """Return a row for each metric, and a column for each level, of each number of players."""
    titles = dict(zip(tables["definitions"]["metric"], tables["definitions"]["title"], strict=True))
    rows = to_rows(tables["metrics"])
    by_cell = {(row["players"], row["agent"], row["metric"]): row for row in rows}
    parts = []
    for players in dict.fromkeys(row["players"] for row in rows):
        agents = [agent for n, agent in _levels(rows) if n == players]
        names = [name for name in titles if any((players, agent, name) in by_cell for agent in agents)]
        columns: list[tuple[str, Sequence[str]]] = [("metric", [titles[name] for name in names])]
        for agent in agents:
            cells = [by_cell.get((players, agent, name)) for name in names]
            columns.append((agent, [NOTHING if row is None else _estimate(row, "value", 3) for row in cells]))
        parts.append(f"With {players} players\n{aligned(columns)}")
    return "\n\n".join(parts)


def _endings(table: Table) -> str:
    rows = to_rows(table)
    return "How games ended\n" + aligned(
        [
            ("players", [str(row["players"]) for row in rows]),
            ("agent", [row["agent"] for row in rows]),
            ("ending", [row["ending"] for row in rows]),
            ("rulings", [row["rulings"] for row in rows]),
            ("games", [_share(row) for row in rows]),
            ("of", [f"{row['n_games']:,}" for row in rows]),
        ]
    )


def _events(table: Table) -> str:
    """Return what came up, of the strongest level; one that never did with what share of games it may have."""
    rows = to_rows(table)
    last = {players: agent for players, agent in _levels(rows)}
    rows = [row for row in rows if last[row["players"]] == row["agent"]]
    told = ", ".join(f"{agent} at {players}" for players, agent in last.items())
    return f"What came up in watched games ({told} players; others: tables/events.csv)\n" + aligned(
        [
            ("players", [str(row["players"]) for row in rows]),
            ("event", [row["event"] for row in rows]),
            ("rulings", [row["rulings"] for row in rows]),
            ("a game", [_estimate(row, "per_game") for row in rows]),
            ("games", [_share(row) for row in rows]),
            ("of", [f"{row['n_games']:,}" for row in rows]),
        ]
    )


def _depth(table: Table) -> str:
    rows = to_rows(table)
    return "How deep it is (wins of the agent alone among copies of the opponent)\n" + aligned(
        [
            ("players", [str(row["players"]) for row in rows]),
            ("question", [row["question"] for row in rows]),
            ("agent", [row["agent"] for row in rows]),
            ("opponent", [row["opponent"] for row in rows]),
            ("wins", [percent(*(row[f"win_share{end}"] for end in ("", "_low", "_high"))) for row in rows]),
            ("skill", [_estimate(row, "skill") for row in rows]),
            ("games", [f"{row['n_games']:,}" for row in rows]),
        ]
    )


def _cycles(table: Table) -> str:
    rows = to_rows(table)
    if not rows:
        return "Cycles of agents each of which ranks above the next: none"
    return "Cycles of agents each of which ranks above the next\n" + aligned(
        [
            ("players", [str(row["players"]) for row in rows]),
            ("agents", [f"{row['first']} > {row['second']} > {row['third']}" for row in rows]),
            ("weakest link", [_estimate(row, "margin", 3) for row in rows]),
            ("p, adjusted", [number(row["p_adjusted"], 3) for row in rows]),
        ]
    )
