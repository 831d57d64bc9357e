"""The figures of any study, before they are drawn: a study goes in, rows of points with intervals come out.

What is drawn is worked out once here; `figures` draws it for pages, to be zoomed, and `plots` as PNG and SVG.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from experiments.balance.metrics import DECISIONS, SEAT_GAP, SKILL
from experiments.balance.study import Study
from experiments.balance.thresholds import SURE
from experiments.tables import Table, to_rows

MOST_ROWS = 32
"""Rows of a figure; the others, of differences those that are least sure, are left to the tables."""

DRAWN = (SEAT_GAP, DECISIONS, SKILL, "tied_share", "split_share", "score_mean", "margin_mean")
"""Metrics that have figures."""


class Point(NamedTuple):
    """An estimate in a row.

    Attributes:
        row: which.
        value, low, high: the estimate with its interval, NaN where it has none.
        filled: whether it is drawn filled.
        n: games it rests on.
    """

    row: int
    value: float
    low: float
    high: float
    filled: bool
    n: int


class Panel(NamedTuple):
    """A figure of rows, each a design with a number of players, and points of several series in them.

    Attributes:
        name: of the figure, unique in a study: small letters, digits and `_`.
        title: what it shows.
        axis: what is measured along it, with the unit.
        caption: how to read it.
        rows: number of players and label of each row; those with the same number stand together.
        series: points of each series by its name: a seat, a level.
        reference: where a dashed line stands, None for none.
        percent: whether the axis is labelled in percent.
    """

    name: str
    title: str
    axis: str
    caption: str
    rows: Sequence[tuple[int, str]] = ()
    series: Mapping[str, Sequence[Point]] = {}
    reference: float | None = None
    percent: bool = False


def panels(study: Study) -> list[Panel]:
    """Return the figures that every study has; none where nothing has been played."""
    tables = study.tables
    found: list[Panel] = []
    if "seats" in tables:
        found += _seats(tables["seats"])
    if "metrics" in tables:
        found += _metrics(tables)
    return found


def filled_in(panel: Panel, points: Sequence[tuple[int, str, str, Mapping[str, Any]]], column: str) -> Panel:
    """Return a figure with what is drawn in it.

    Args:
        panel: the figure without rows and series.
        points: number of players, label of the row, series, and the row of the table; `filled` there tells whether the
            point is filled.
        column: the estimate.
    """
    doubt: dict[tuple[int, str], float] = {}
    for players, label, _, row in points:
        chance = _number(row.get("p_value", 0.0))
        doubt[players, label] = min(doubt.get((players, label), 1.0), 1.0 if math.isnan(chance) else chance)
    rows = sorted(doubt, key=lambda row: row[0])
    surest = set(sorted(rows, key=lambda row: doubt[row])[:MOST_ROWS])
    rows_shown = [row for row in rows if row in surest]
    shown = {row: i for i, row in enumerate(rows_shown)}
    series: dict[str, list[Point]] = {}
    for players, label, which, row in points:
        ends = [_number(row.get(f"{column}{end}")) for end in ("", "_low", "_high")]
        if (players, label) in shown and not math.isnan(ends[0]):
            point = Point(shown[players, label], ends[0], ends[1], ends[2], row.get("filled", True), row["n_games"])
            series.setdefault(which, []).append(point)
    which = "surest" if any(doubt.values()) else "first"
    cut = f" The {which} {MOST_ROWS} of {len(rows)} rows; the tables have all." if len(rows) > MOST_ROWS else ""
    return panel._replace(caption=panel.caption + cut, rows=rows_shown, series=series)


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _seats(table: Table) -> Iterator[Panel]:
    """Give for each level how far the win share of each seat is from the mean of all seats."""
    rows = to_rows(table)
    totals: dict[tuple[Any, ...], float] = {}
    for row in rows:
        cell = row["design"], row["players"], row["agent"]
        totals[cell] = totals.get(cell, 0.0) + row["win_share"]
    for i, agent in enumerate(dict.fromkeys(table["agent"])):
        points = []
        for row in rows:
            if row["agent"] == agent:
                mean = totals[row["design"], row["players"], agent] / row["players"]
                less = {f"win_share{end}": _less(row[f"win_share{end}"], mean) for end in ("", "_low", "_high")}
                points.append((row["players"], row["design"], f"seat {row['seat']}", {**row, **less}))
        panel = Panel(
            f"seats_{i}",
            f"Seats by design, played by {agent}",
            "wins of the seat less those of an average seat (percentage points)",
            "Win share of each seat less that of an average seat of the design, with 95 % intervals; dashed: a seat "
            "like any other. Seat 0 starts.",
            reference=0.0,
        )
        yield filled_in(panel, points, "win_share")


def _less(value: float | None, mean: float) -> float | None:
    return None if value is None else 100 * (value - mean)


def _metrics(tables: Mapping[str, Table]) -> Iterator[Panel]:
    """Give differences from the base and values of each metric that has figures."""
    titles = dict(zip(tables["definitions"]["metric"], tables["definitions"]["title"], strict=True))
    values, differences = to_rows(tables["metrics"]), to_rows(tables["differences"])
    for metric in DRAWN:
        title = titles[metric]
        heading, percent = title.split(" (")[0], metric.endswith("_share") or "(win share)" in title
        less = [row for row in differences if row["metric"] == metric]
        if any(row["difference"] for row in less):
            panel = Panel(
                f"difference_{metric}",
                f"Difference from the base: {heading}",
                f"{title}, less that of the base",
                "Each design less the base on the same deals, with 95 % intervals; filled: the difference holds after "
                f"correction for all tests of the study (adjusted p below {SURE:g}); hollow: it may be chance.",
                reference=0.0,
                percent=percent,
            )
            yield filled_in(panel, [_point(row, _sure(row)) for row in less], "difference")
        here = [row for row in values if row["metric"] == metric]
        if any(row["value"] for row in here):
            caption = "Each design with its 95 % interval."
            panel = Panel(f"value_{metric}", f"By design: {heading}", title, caption, percent=percent)
            yield filled_in(panel, [_point(row) for row in here], "value")


def _point(row: Mapping[str, Any], filled: bool = True) -> tuple[int, str, str, Mapping[str, Any]]:
    return row["players"], row["design"], row["agent"], {**row, "filled": filled}


def _sure(row: Mapping[str, Any]) -> bool:
    return row["p_adjusted"] is not None and row["p_adjusted"] < SURE
