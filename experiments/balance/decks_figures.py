"""Figures of a study of plausible decks: how far each metric spreads over them, and where the base stands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from experiments.balance.designs import BASE
from experiments.plots import COLOURS, LETTER, LINE, STYLE, labels, place, save
from experiments.tables import Table, to_rows

WIDTH, BOTTOM = 5.0, 0.5  # inches
GOLDEN = (math.sqrt(5) - 1) / 2  # multiples of it fill a strip evenly, without a random number

Values = dict[tuple[int, str], dict[str, float]]
"""By number of players and agent: the value of each design."""


def save_all(tables: Mapping[str, Table], folder: Path) -> list[Path]:
    """Draw all figures as PNG and SVG; the same tables give the same bytes."""
    with mpl.rc_context(STYLE):
        return save(dict(figures(tables)), folder)


def figures(tables: Mapping[str, Table]) -> Iterator[tuple[str, Figure]]:
    """Give a figure for each metric of which something is claimed, in the style that is set."""
    titles = dict(zip(tables["definitions"]["metric"], tables["definitions"]["title"], strict=True))
    found: dict[str, Values] = {}
    for row in to_rows(tables["metrics"]):
        if row["value"] is not None:
            cells = found.setdefault(row["metric"], {})
            cells.setdefault((row["players"], row["agent"]), {})[row["design"]] = row["value"]
    claimed = {claim.split("@")[0].rstrip("<>=.0123456789") for claim in tables["conclusions"]["claim"]}
    for metric, values in found.items():
        if metric in claimed:
            yield f"spread_{metric}", _spread(values, titles[metric])


def _spread(values: Values, title: str) -> Figure:
    """Draw a strip of points with the middle half for each number of players and agent."""
    cells = sorted(values)
    rows = place([players for players, _ in cells])
    named = labels(list(dict.fromkeys(agent for _, agent in cells)))
    left = 0.3 + LETTER * max(map(len, named.values()))
    height = LINE * (rows.end + 0.6)
    full, tall = left + WIDTH + 0.2, BOTTOM + height + 0.1
    figure = Figure(figsize=(full, tall))
    axes = figure.add_axes((left / full, BOTTOM / tall, WIDTH / full, height / tall))
    for at, cell in zip(rows.at, cells, strict=True):
        decks = [value for design, value in values[cell].items() if design != BASE]
        strip = [at + 0.5 * ((i * GOLDEN) % 1 - 0.5) for i in range(len(decks))]
        axes.plot(decks, strip, "o", color=COLOURS[0], alpha=0.5, markersize=3.5, markeredgewidth=0)
        low, middle, high = np.quantile(decks, [0.25, 0.5, 0.75])
        axes.hlines(at, low, high, color="black", linewidth=1.4)
        axes.plot(middle, at, "|", color="black", markersize=9)
        if BASE in values[cell]:
            axes.plot(values[cell][BASE], at, "D", color=COLOURS[1], markeredgecolor="black", markersize=5.5)
    axes.set_yticks(rows.at, [named[agent] for _, agent in cells], fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(rows.end, -0.6)
    for n, (heading, _, _) in rows.groups.items():
        axes.text(0.01, heading, f"{n} players", transform=axes.get_yaxis_transform(), weight="bold", va="center")
    axes.set_xlabel(f"{title}; diamond: base, points: plausible decks, line: their middle half", fontsize=8)
    return figure
