"""Figures of rulings: what each reading changes, a figure for each number of players and agent.

Rows are numbers, columns readings. The darker, the farther is a difference from what the run could have missed; a star
says that it is sure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from experiments.balance.rulings import CHANGED
from experiments.plots import LETTER, STYLE, save
from experiments.tables import Table, to_rows

DARKEST = 3.0  # times the smallest visible difference
CELL, LINE, TOP, BOTTOM = 1.75, 0.22, 0.6, 0.4  # inches


def save_all(tables: Mapping[str, Table], folder: Path) -> list[Path]:
    """Draw the figures as PNG and SVG; the same tables give the same bytes."""
    with mpl.rc_context(STYLE):
        return save(dict(figures(tables)), folder)


def figures(tables: Mapping[str, Table]) -> Iterator[tuple[str, Figure]]:
    """Give the figures by name, in the style that is set."""
    rows = to_rows(tables["readings"])
    titles = dict(zip(tables["definitions"]["metric"], tables["definitions"]["title"], strict=True))
    agents = list(dict.fromkeys(row["agent"] for row in rows))
    for players in dict.fromkeys(row["players"] for row in rows):
        for level, agent in enumerate(agents):
            here = [row for row in rows if (row["players"], row["agent"]) == (players, agent)]
            if here:
                yield f"readings_{players}_{level}", _figure(here, f"{players} players, {agent}", titles)


def _figure(rows: Sequence[Mapping[str, Any]], heading: str, titles: Mapping[str, str]) -> Figure:
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    designs = list(dict.fromkeys(row["design"] for row in rows))
    shade = np.full((len(metrics), len(designs)), math.nan)
    left = 0.3 + LETTER * max(len(titles[metric]) for metric in metrics)
    across, up = left + CELL * len(designs) + 0.2, TOP + LINE * len(metrics) + BOTTOM
    figure = Figure(figsize=(across, up))
    wide, high = CELL * len(designs) / across, LINE * len(metrics) / up
    axes = figure.add_axes((left / across, BOTTOM / up, wide, high))
    for row in rows:
        i, j = metrics.index(row["metric"]), designs.index(row["design"])
        if row["visible"] is not None:
            shade[i, j] = abs(row["difference"]) / row["visible"] if row["visible"] else 0.0
            text = f"{row['difference']:+.3g}{'*' if row['verdict'] == CHANGED else ''} (± {row['visible']:.2g})"
            colour = "white" if shade[i, j] > 0.8 * DARKEST else "black"
            axes.text(j, i, text, ha="center", va="center", fontsize=7, color=colour)
    axes.imshow(shade, cmap="Greys", vmin=0, vmax=1.3 * DARKEST, aspect="auto", interpolation="nearest")
    axes.set_yticks(range(len(metrics)), [titles[metric] for metric in metrics], fontsize=8)
    axes.set_xticks(range(len(designs)), designs, fontsize=7)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.text(0.1 / across, 1 - 0.2 / up, heading, fontsize=9, weight="bold")
    figure.text(
        0.1 / across, 0.15 / up, "reading less base (± what could have been missed); *: surely different", fontsize=8
    )
    return figure
