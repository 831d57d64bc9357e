"""Figures of a sweep: a line plot for each metric where one thing is varied, a heat map where two are.

A figure has a panel for each number of players. Agents differ in marker and line style as well as in colour, so that it
reads in grey; points that surely differ from the base (adjusted p below 5 %) are filled, or marked with a star.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from experiments.balance.designs import BASE
from experiments.plots import COLOURS, EQUAL, LINES, MARKERS, STYLE, save
from experiments.tables import Table, to_rows

SURE = 0.05
MOST_LABELS = 12  # ticks of an axis whose values are no numbers
LEFT, BOTTOM, TOP, GAP = 0.75, 0.8, 0.75, 0.6  # inches around panels and between them
PANEL = 2.1
CELL = 0.5  # inches: a value of a heat map

Cell = Mapping[str, Any]


@dataclass(frozen=True)
class Axis:
    """What is varied: its name, its values as text, and where they stand."""

    key: str
    values: Sequence[str]
    at: Sequence[float]


@dataclass(frozen=True)
class Sweep:
    """The tables of a sweep by cell.

    Attributes:
        axes: what is varied.
        points: for each number of players and values of the axes the design that is played there.
        cells: rows of `metrics` by (design, players, agent, metric), with `sure`: whether it surely differs.
        agents, players: in the order of the table.
    """

    axes: Sequence[Axis]
    points: Mapping[tuple[int, tuple[str, ...]], str]
    cells: Mapping[tuple[str, int, str, str], Cell]
    agents: Sequence[str]
    players: Sequence[int]


def save_all(tables: Mapping[str, Table], folder: Path) -> list[Path]:
    """Draw all figures of a sweep as PNG and SVG; the same tables give the same bytes.

    Returns:
        The files; none where more than two things are varied.
    """
    with mpl.rc_context(STYLE):
        return save(dict(figures(tables)), folder)


def figures(tables: Mapping[str, Table]) -> Iterator[tuple[str, Figure]]:
    """Give the figures of a sweep by the metric's name, in the style that is set."""
    found = _read(tables)
    if len(found.axes) > 2:
        return
    for entry in to_rows(tables["definitions"]):
        agents = [
            agent
            for agent in found.agents
            if any((BASE, n, agent, entry["metric"]) in found.cells for n in found.players)
        ]
        if agents:
            draw = _lines if len(found.axes) == 1 else _map
            yield entry["metric"], draw(found, entry["metric"], entry["title"], agents)


def _read(tables: Mapping[str, Table]) -> Sweep:
    rows = to_rows(tables["points"])
    keys = list(dict.fromkeys(row["key"] for row in rows))
    axes = []
    for key in keys:
        numbers = {row["value"]: row["number"] for row in rows if row["key"] == key}
        known = all(number is not None for number in numbers.values())
        axes.append(Axis(key, list(numbers), list(numbers.values()) if known else list(range(len(numbers)))))
    values: dict[tuple[int, int], list[str]] = {}
    designs: dict[tuple[int, int], str] = {}
    for row in rows:
        values.setdefault((row["players"], row["point"]), []).append(row["value"])
        designs[row["players"], row["point"]] = row["design"]
    sure = {
        (row["design"], row["players"], row["agent"], row["metric"])
        for row in to_rows(tables["differences"])
        if row["p_adjusted"] is not None and row["p_adjusted"] < SURE
    }
    cells = {}
    for row in to_rows(tables["metrics"]):
        name = row["design"], row["players"], row["agent"], row["metric"]
        cells[name] = {**row, "sure": name in sure}
    return Sweep(
        axes,
        {(key[0], tuple(listed)): designs[key] for key, listed in values.items()},
        cells,
        list(dict.fromkeys(tables["metrics"]["agent"])),
        list(dict.fromkeys(tables["metrics"]["players"])),
    )


def _lines(found: Sweep, metric: str, title: str, agents: Sequence[str]) -> Figure:
    """Draw a metric over the one thing that is varied, a line with intervals for each agent."""
    (axis,) = found.axes
    figure, panels = _panels(1, len(found.players), PANEL, PANEL)
    for players, axes in zip(found.players, panels[0], strict=True):
        for i, agent in enumerate(agents):
            base = found.cells.get((BASE, players, agent, metric))
            if base is None or base["value"] is None:
                continue
            axes.axhline(base["value"], **{**EQUAL, "color": COLOURS[i % len(COLOURS)]})
            shown = [
                (at, found.cells[name])
                for value, at in zip(axis.values, axis.at, strict=True)
                if (name := (found.points[players, (value,)], players, agent, metric)) in found.cells
                and found.cells[name]["value"] is not None
            ]
            _line(axes, shown, i, agent)
        axes.set_title(f"{players} players", fontsize=9, weight="bold", loc="left")
        _ticks(axes, axis)
        axes.set_xlabel(axis.key, fontsize=8)
    panels[0][0].set_ylabel(title)
    _caption(figure, "bars: 95 % intervals, dashed: base, filled: surely other than the base", agents)
    return figure


def _line(axes: Axes, shown: Sequence[tuple[float, Cell]], i: int, agent: str) -> None:
    colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
    at = [place for place, _ in shown]
    axes.plot(
        at,
        [cell["value"] for _, cell in shown],
        color=colour,
        marker=marker,
        linestyle=LINES[i % len(LINES)],
        linewidth=1,
        markersize=5,
        markerfacecolor="white",
        label=agent,
    )
    ends = [(place, cell) for place, cell in shown if cell["value_low"] is not None]
    axes.vlines(
        [place for place, _ in ends],
        [cell["value_low"] for _, cell in ends],
        [cell["value_high"] for _, cell in ends],
        color=colour,
        linewidth=1.2,
    )
    sure = [(place, cell["value"]) for place, cell in shown if cell["sure"]]
    axes.plot([p for p, _ in sure], [v for _, v in sure], color=colour, marker=marker, linestyle="", markersize=5)


def _ticks(axes: Axes, axis: Axis) -> None:
    """Label values: numbers have a scale of their own, unless they are few."""
    if len(axis.values) <= MOST_LABELS:
        axes.set_xticks(axis.at, axis.values, fontsize=8)
    axes.tick_params(labelsize=8)
    axes.margins(x=0.08)


def _map(found: Sweep, metric: str, title: str, agents: Sequence[str]) -> Figure:
    """Draw a metric over the two things that are varied, a map for each agent (down) and number of players."""
    across, down = found.axes
    figure, panels = _panels(len(agents), len(found.players), CELL * len(across.values), 0.25 * len(down.values))
    for agent, row in zip(agents, panels, strict=True):
        for players, axes in zip(found.players, row, strict=True):
            cells = [
                [found.cells.get((found.points[players, (x, y)], players, agent, metric)) for x in across.values]
                for y in down.values
            ]
            _shades(axes, cells)
            axes.set_xticks(range(len(across.values)), across.values, fontsize=8)
            axes.set_yticks(range(len(down.values)), down.values, fontsize=8)
            axes.set_title(f"{players} players, {agent}", fontsize=8, weight="bold", loc="left")
        row[0].set_ylabel(down.key, fontsize=8)
    for axes in panels[-1]:
        axes.set_xlabel(across.key, fontsize=8)
    figure.text(0.1 / figure.get_size_inches()[0], 1 - 0.22 / figure.get_size_inches()[1], title, fontsize=9)
    _caption(figure, "*: surely other than the base, crossed: cannot be played", [])
    return figure


def _shades(axes: Axes, cells: Sequence[Sequence[Cell | None]]) -> None:
    values = np.array([[math.nan if c is None or c["value"] is None else c["value"] for c in row] for row in cells])
    known = values[~np.isnan(values)]
    low, high = (known.min(), known.max()) if known.size else (0.0, 1.0)
    span = (high - low) or 1.0
    axes.imshow(values, cmap="Greys", vmin=low, vmax=high + 0.4 * span, aspect="auto", interpolation="nearest")
    for (i, j), value in np.ndenumerate(values):
        cell = cells[i][j]
        if cell is None or math.isnan(value):
            axes.plot(j, i, marker="x", color="black", markersize=6)
            continue
        colour = "white" if (value - low) / span > 0.8 else "black"
        text = f"{value:.3g}{'*' if cell['sure'] else ''}"
        axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _panels(rows: int, columns: int, width: float, height: float) -> tuple[Figure, list[list[Axes]]]:
    """Return a figure and its panels of `width` by `height` inches, by row and column."""
    full = LEFT + columns * width + (columns - 1) * GAP + 0.2
    tall = BOTTOM + rows * height + (rows - 1) * GAP + TOP
    figure = Figure(figsize=(max(full, 6.4), tall))
    across, up = figure.get_size_inches()
    return figure, [
        [
            figure.add_axes(
                (
                    (LEFT + j * (width + GAP)) / across,
                    (BOTTOM + (rows - 1 - i) * (height + GAP)) / up,
                    width / across,
                    height / up,
                )
            )
            for j in range(columns)
        ]
        for i in range(rows)
    ]


def _caption(figure: Figure, text: str, agents: Sequence[str]) -> None:
    """Write below the panels what they show, and above them which line is whose."""
    across, up = figure.get_size_inches()
    figure.text(0.1 / across, 0.1 / up, text, fontsize=8)
    if agents:
        handles, labels = next(h for h in (axes.get_legend_handles_labels() for axes in figure.axes) if h[0])
        figure.legend(handles, labels, loc="upper left", ncols=len(agents), fontsize=8, borderaxespad=0.2)
