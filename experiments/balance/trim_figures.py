"""Pareto plots of a trim: seats, length and skill against each other, a figure for each number of players.

Each design has its number in the table `trims`. The surer it is that no other design beats it in every respect, the
darker is its mark; those of the front have their number beside them and are named below.
"""

from __future__ import annotations

import itertools
import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.plots import STYLE, save
from experiments.tables import Table, to_rows

LETTERS = 120  # of a line below the panels
LEFT, TOP, GAP, WIDTH, HEIGHT, LINE = 0.7, 0.45, 0.75, 2.4, 2.1, 0.17  # inches

Row = Mapping[str, Any]


def save_all(tables: Mapping[str, Table], settings: Mapping[str, Any], folder: Path) -> list[Path]:
    """Draw the figures as PNG and SVG; the same tables give the same bytes.

    Args:
        tables: of the study.
        settings: of the study.
        folder: where to write.
    """
    with mpl.rc_context(STYLE):
        return save(dict(figures(tables["trims"], settings)), folder)


def figures(trims: Table, settings: Mapping[str, Any]) -> Iterator[tuple[str, Figure]]:
    """Give the Pareto plots by name, in the style that is set; none where there is but one aim."""
    rows = to_rows(trims)
    unit, wish = settings["unit"], settings["length"]
    axes = {"seat_gap": "gap between seats (win share)", "skill": "skill (0 to 1)"}
    if wish is not None:
        axes["off"] = f"off {wish:g} {unit}"
    for players in dict.fromkeys(row["players"] for row in rows):
        here = [row for row in rows if row["players"] == players]
        known = [name for name in axes if any(row[name] is not None for row in here)]
        if len(known) > 1:
            yield f"pareto_{players}", _figure(here, list(itertools.combinations(known, 2)), axes)


def _figure(rows: Sequence[Row], pairs: Sequence[tuple[str, str]], titles: Mapping[str, str]) -> Figure:
    """Draw a row of panels for each agent, with the names of the front's designs below it."""
    agents = list(dict.fromkeys(row["agent"] for row in rows))
    names = [textwrap.wrap(_front(rows, agent), LETTERS * len(pairs) // 3 + 20) for agent in agents]
    heights = [TOP + HEIGHT + 0.55 + LINE * len(lines) for lines in names]
    across = max(LEFT + len(pairs) * (WIDTH + GAP) - GAP + 0.2, 6.4)
    up = sum(heights)
    figure = Figure(figsize=(across, up))
    top = up
    for agent, lines, height in zip(agents, names, heights, strict=True):
        shown = [row for row in rows if row["agent"] == agent]
        bottom = top - TOP - HEIGHT
        for i, (x, y) in enumerate(pairs):
            place = ((LEFT + i * (WIDTH + GAP)) / across, bottom / up, WIDTH / across, HEIGHT / up)
            panel = figure.add_axes(place)
            _scatter(panel, shown, x, y)
            panel.set_xlabel(titles[x], fontsize=8)
            panel.set_ylabel(titles[y], fontsize=8)
        figure.text(
            0.1 / across, (top - 0.2) / up, f"{shown[0]['players']} players, {agent}", fontsize=9, weight="bold"
        )
        for k, line in enumerate(lines):
            figure.text(0.1 / across, (bottom - 0.6 - LINE * k) / up, line, fontsize=7)
        top -= height
    return figure


def _front(rows: Sequence[Row], agent: str) -> str:
    """Name the designs of the front."""
    front = (row for row in rows if row["agent"] == agent and row["pareto"])
    return "no other is better in every respect (darker: surer): " + "; ".join(
        f"{row['number']} {row['design']}" for row in front
    )


def _scatter(axes: Axes, rows: Sequence[Row], x: str, y: str) -> None:
    known = [row for row in rows if row[x] is not None and row[y] is not None]
    for row in known:
        for name, lines, other in ((x, axes.hlines, y), (y, axes.vlines, x)):
            if row.get(f"{name}_low") is not None:
                lines(row[other], row[f"{name}_low"], row[f"{name}_high"], color="#c0c0c0", linewidth=0.7, zorder=1)
    for row in known:
        sure = 0.0 if row["p_pareto"] is None or math.isnan(row["p_pareto"]) else row["p_pareto"]
        marker = "s" if row["number"] == 0 else "o"
        axes.plot(row[x], row[y], marker, color=str(1 - sure), markeredgecolor="black", markersize=5, zorder=2)
        if row["pareto"]:
            axes.annotate(str(row["number"]), (row[x], row[y]), (4, 3), textcoords="offset points", fontsize=7)
    axes.tick_params(labelsize=8)
