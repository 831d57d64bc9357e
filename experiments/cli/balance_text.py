"""Tables of a study of balance as aligned text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from experiments.balance.metrics import DECISIONS, SEAT_GAP, SKILL
from experiments.cli.printing import aligned, p_value
from experiments.readable import NOTHING, number, percent
from experiments.tables import Table, to_rows

SURE = 0.05
MOST_CLEAREST = 20
MOST_NAMED = 6  # candidates named in a line

Row = Mapping[str, Any]


def _estimate(row: Row, name: str, digits: int) -> str:
    """Return a value with its interval."""
    value, low, high = (row[f"{name}{end}"] for end in ("", "_low", "_high"))
    if value is None:
        return NOTHING
    interval = "" if low is None else f" [{low:,.{digits}f}, {high:,.{digits}f}]"
    return f"{value:,.{digits}f}{interval}"


def _share(row: Row, name: str) -> str:
    return percent(*(math.nan if row[f"{name}{end}"] is None else row[f"{name}{end}"] for end in ("", "_low", "_high")))


def key_numbers(tables: Mapping[str, Table]) -> str:
    """Return gap between seats, length and skill of every design, with a star where it surely differs from the base."""
    sure = {
        tuple(row[name] for name in ("design", "players", "agent", "metric"))
        for row in to_rows(tables["differences"])
        if row["p_adjusted"] is not None and row["p_adjusted"] < SURE
    }
    cells: dict[tuple[int, str, str], dict[str, Row]] = {}
    for row in to_rows(tables["metrics"]):
        cells.setdefault((row["players"], row["agent"], row["design"]), {})[row["metric"]] = row

    def text(cell: tuple[int, str, str], name: str) -> str:
        row, (players, agent, design) = cells[cell].get(name), cell
        if row is None:
            return NOTHING
        star = "*" if (design, players, agent, name) in sure else ""
        return (_estimate(row, "value", 2) if name == DECISIONS else _share(row, "value")) + star

    ordered = sorted(cells, key=lambda cell: cell[:2])
    return "Designs (*: surely other than the base; all numbers: tables/metrics.csv)\n" + aligned(
        [
            ("players", [str(players) for players, _, _ in ordered]),
            ("agent", [agent for _, agent, _ in ordered]),
            ("design", [design for _, _, design in ordered]),
            ("games", [f"{next(iter(cells[cell].values()))['n_games']:,}" for cell in ordered]),
            ("gap between seats", [text(cell, SEAT_GAP) for cell in ordered]),
            ("decisions", [text(cell, DECISIONS) for cell in ordered]),
            ("skill", [text(cell, SKILL) for cell in ordered]),
        ]
    )


def clearest(tables: Mapping[str, Table]) -> str:
    """Return the differences that are surest, and how many there are."""
    rows = [row for row in to_rows(tables["differences"]) if row["p_adjusted"] is not None]
    sure = [row for row in rows if row["p_adjusted"] < SURE]
    heading = f"{len(sure):,} of {len(rows):,} differences from the base are sure (adjusted p below {SURE:g})"
    if not sure:
        return heading
    shown = sorted(sure, key=lambda row: row["p_adjusted"])[:MOST_CLEAREST]
    more = f"; the {len(shown)} surest:" if len(shown) < len(sure) else ":"
    return (
        heading
        + more
        + "\n"
        + aligned(
            [
                ("players", [str(row["players"]) for row in shown]),
                ("agent", [row["agent"] for row in shown]),
                ("design", [row["design"] for row in shown]),
                ("metric", [row["metric"] for row in shown]),
                ("base", [number(row["base"], 3) for row in shown]),
                ("difference", [_estimate(row, "difference", 3) for row in shown]),
                ("p, adjusted", [p_value(row["p_adjusted"]) for row in shown]),
            ]
        )
    )


def obstacles(tables: Mapping[str, Table]) -> Iterator[str]:
    """Give a text that tells what cannot be played, where there is something."""
    rows = to_rows(tables["impossible"])
    if rows:
        yield "Cannot be played\n" + aligned(
            [
                ("players", [str(row["players"]) for row in rows]),
                ("design", [row["design"] for row in rows]),
                ("why", [row["why"] for row in rows]),
            ]
        )


def trims(tables: Mapping[str, Table]) -> str:
    """Return every way to trim with gap, length and skill, and how sure it is that no other is better in all."""
    rows = to_rows(tables["trims"])
    wished = any(row["off"] is not None for row in rows)
    return "Ways to trim (front: no other is better in every respect, and how sure that is)\n" + aligned(
        [
            ("players", [str(row["players"]) for row in rows]),
            ("agent", [row["agent"] for row in rows]),
            ("no.", [str(row["number"]) for row in rows]),
            ("design", [row["design"] for row in rows]),
            ("games", [f"{row['n_games']:,}" for row in rows]),
            ("gap between seats", [_share(row, "seat_gap") for row in rows]),
            ("length", [_estimate(row, "length", 1) for row in rows]),
            *([("off", [number(row["off"]) for row in rows])] if wished else []),
            ("skill", [_share(row, "skill") for row in rows]),
            ("front", [("yes" if row["pareto"] else "no") + _sure(row) for row in rows]),
        ]
    )


def _sure(row: Row) -> str:
    if row["p_pareto"] is None:
        return ""
    return f" ({100 * (row['p_pareto'] if row['pareto'] else 1 - row['p_pareto']):.0f} %)"


def answers(tables: Mapping[str, Table]) -> str:
    """Return which way is best in each respect, how sure that is, and which others may be."""
    rows = to_rows(tables["answers"])
    return "The best in one respect\n" + aligned(
        [
            ("players", [str(row["players"]) for row in rows]),
            ("agent", [row["agent"] for row in rows]),
            ("question", [row["question"] for row in rows]),
            ("best", [row["design"] for row in rows]),
            ("value", [_estimate(row, "value", 3) for row in rows]),
            ("base", [number(row["base"], 3) for row in rows]),
            ("sure", [NOTHING if row["p_best"] is None else f"{100 * row['p_best']:.0f} %" for row in rows]),
            ("may be best too", [_others(row) for row in rows]),
        ]
    )


def _others(row: Row) -> str:
    names = [name for name in row["candidates"].split("; ") if name and name != row["design"]]
    shown = "; ".join(names[:MOST_NAMED])
    return f"{shown} and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else shown or NOTHING


def verdicts(tables: Mapping[str, Table]) -> str:
    """Return what each reading changes, by how much, and what could have been missed where nothing is seen."""
    rows, numbers = to_rows(tables["verdicts"]), to_rows(tables["readings"])
    said = "Readings (changed: numbers that surely differ, of those compared)\n" + aligned(
        [
            ("reading", [row["design"] for row in rows]),
            ("ruling", [row["ruling"] for row in rows]),
            ("players", [str(row["players"]) for row in rows]),
            ("verdict", [row["verdict"] for row in rows]),
            ("changed", [f"{row['n_changed']} of {row['n_numbers']}" for row in rows]),
        ]
    )
    keys = [row for row in numbers if row["metric"] in (SEAT_GAP, DECISIONS, SKILL)]
    if not keys:
        return said
    return f"{said}\n\nWhat they change (missed: a difference larger than this would have been seen)\n" + aligned(
        [
            ("reading", [row["design"] for row in keys]),
            ("players", [str(row["players"]) for row in keys]),
            ("agent", [row["agent"] for row in keys]),
            ("metric", [row["metric"] for row in keys]),
            ("base", [number(row["base"], 4) for row in keys]),
            ("difference", [_estimate(row, "difference", 4) for row in keys]),
            ("missed", [NOTHING if row["visible"] is None else number(row["visible"], 4) for row in keys]),
            ("verdict", [row["verdict"] for row in keys]),
        ]
    )
