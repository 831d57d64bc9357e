"""Figures of a search: how near trials came to the targets, one after the other, and what nearness costs in changes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from experiments.balance.search_tables import CHANGES
from experiments.plots import COLOURS, EQUAL, STYLE, save
from experiments.tables import Table, to_rows

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 5.0, 3.0, 0.9, 0.5, 0.3  # inches
MOST_PAIRS = 15  # of objectives; more are tables only

Row = Mapping[str, Any]


def save_all(tables: Mapping[str, Table], folder: Path) -> list[Path]:
    """Draw all figures as PNG and SVG; the same tables give the same bytes."""
    with mpl.rc_context(STYLE):
        return save(dict(figures(tables)), folder)


def figures(tables: Mapping[str, Table]) -> Iterator[tuple[str, Figure]]:
    """Give the history of the search and the front by pairs of objectives, in the style that is set."""
    trials = to_rows(tables["trials"])
    yield "history", _drawn(lambda axes: _history(trials, axes))
    places = {row["trial"]: {CHANGES: row[CHANGES]} for row in trials if row["distance"] is not None}
    for row in to_rows(tables["values"]):
        at = places[row["trial"]]
        at[row["target"]] = max(row["distance"], at.get(row["target"], 0.0))
    names = list(dict.fromkeys([*tables["values"]["target"], CHANGES]))
    best = set(tables["pareto"]["trial"])
    for number, pair in enumerate(itertools.islice(itertools.combinations(names, 2), MOST_PAIRS), start=1):
        points = {trial: (at[pair[0]], at[pair[1]]) for trial, at in places.items()}
        yield f"front_{number}", _drawn(lambda axes, points=points, pair=pair: _front(points, best, pair, axes))


def _drawn(draw: Any) -> Figure:
    full, tall = LEFT + WIDTH + 0.2, BOTTOM + HEIGHT + TOP
    figure = Figure(figsize=(full, tall))
    draw(figure.add_axes((LEFT / full, BOTTOM / tall, WIDTH / full, HEIGHT / tall)))
    return figure


def _history(trials: Sequence[Row], axes: Axes) -> None:
    """Draw the distance of each trial and the least so far; those that meet all targets are filled."""
    played = [row for row in trials if row["distance"] is not None]
    for met, fill in ((False, "white"), (True, COLOURS[0])):
        here = [row for row in played if (row["verdict"] == "met") == met]
        at, values = [row["trial"] for row in here], [row["distance"] for row in here]
        axes.plot(at, values, "o", color=COLOURS[0], markersize=4, markerfacecolor=fill)
    least = list(itertools.accumulate((row["distance"] for row in played), min))
    axes.plot([row["trial"] for row in played], least, drawstyle="steps-post", color="black", linewidth=1)
    impossible = [row["trial"] for row in trials if row["distance"] is None]
    top = axes.get_xaxis_transform()
    axes.plot(impossible, [1.0] * len(impossible), "x", color=COLOURS[1], markersize=4, transform=top, clip_on=False)
    axes.set_xlabel("trial; line: nearest so far, filled: meets all targets, cross: cannot be played", fontsize=8)
    axes.set_ylabel("distance from all targets\n(each in units of its mean)", fontsize=8)


def _front(points: Mapping[int, tuple[float, float]], best: set[int], pair: tuple[str, str], axes: Axes) -> None:
    """Draw the trials by two objectives; those of the front are filled and have their numbers."""
    for chosen, fill in ((False, "white"), (True, COLOURS[0])):
        here = [at for trial, at in points.items() if (trial in best) == chosen]
        axes.plot([x for x, _ in here], [y for _, y in here], "o", color=COLOURS[0], markersize=4, markerfacecolor=fill)
    for trial, at in points.items():
        if trial in best and all(map(math.isfinite, at)):
            axes.annotate(str(trial), at, xytext=(3, 3), textcoords="offset points", fontsize=7)
    axes.axhline(0, **EQUAL)
    axes.axvline(0, **EQUAL)
    for set_label, name in ((axes.set_xlabel, pair[0]), (axes.set_ylabel, pair[1])):
        set_label(name if name == CHANGES else f"distance from {name}", fontsize=8)
    for axis, name in ((axes.xaxis, pair[0]), (axes.yaxis, pair[1])):
        if name == CHANGES:
            axis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title("filled, with the trial's number: on the front of all objectives", fontsize=8, loc="left")
