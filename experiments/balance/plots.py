"""Figures of studies as PNG and SVG: a panel goes in, axes come out, in the style of all figures of the lab."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from experiments.balance.panels import Panel
from experiments.plots import COLOURS, EQUAL, LETTER, LINE, MARKERS, STYLE, label_rows, labels, laid_out, place, save

WIDTH = 5.0  # inches


def save_all(panels: Sequence[Panel], folder: Path) -> list[Path]:
    """Draw panels and write each as PNG and SVG; the same panels give the same bytes.

    Returns:
        The files.
    """
    with mpl.rc_context(STYLE):
        return save({panel.name: _figure(panel) for panel in panels}, folder)


def offsets(n: int) -> list[float]:
    """Return how far below the middle of its row each of n series stands, in rows."""
    step = min(0.2, 0.6 / n)
    return [(i - (n - 1) / 2) * step for i in range(n)]


def draw(panel: Panel, axes: Axes) -> None:
    """Draw a panel.

    Args:
        panel: what is drawn.
        axes: where to draw.
    """
    rows = place([players for players, _ in panel.rows])
    if panel.reference is not None:
        axes.axvline(panel.reference, **EQUAL)
    for i, ((name, points), offset) in enumerate(zip(panel.series.items(), offsets(len(panel.series)), strict=True)):
        at = [rows.at[point.row] + offset for point in points]
        colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        ends = [(y, point) for y, point in zip(at, points, strict=True) if not math.isnan(point.low)]
        axes.hlines(
            [y for y, _ in ends], [p.low for _, p in ends], [p.high for _, p in ends], color=colour, linewidth=1.3
        )
        style: Mapping[str, Any] = {"color": colour, "marker": marker, "linestyle": "", "markersize": 4.5}
        for filled, face in ((True, colour), (False, "white")):
            shown = [(y, p.value) for y, p in zip(at, points, strict=True) if p.filled == filled]
            axes.plot([x for _, x in shown], [y for y, _ in shown], markerfacecolor=face, **style)
        axes.plot([], [], label=name, **style)
    if panel.percent:
        axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel(panel.axis)
    label_rows(rows, [label for _, label in panel.rows], axes)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=5, fontsize=8, borderaxespad=0.2, handletextpad=0.2)


def _figure(panel: Panel) -> Figure:
    names = labels(list(dict.fromkeys(label for _, label in panel.rows)))
    left = 0.3 + LETTER * max(map(len, names.values()))
    height = LINE * 1.2 * (place([players for players, _ in panel.rows]).end + 0.6)
    return laid_out(lambda axes: draw(panel, axes), WIDTH, height, left, top=0.3)
