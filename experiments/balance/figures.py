"""The figures of a study's page, to be zoomed: a panel goes in, the description of a plotly figure comes out."""

from __future__ import annotations

import html
import math

import plotly.graph_objects as go

from experiments.balance.panels import Panel, Point
from experiments.balance.plots import offsets
from experiments.plots import COLOURS, place
from experiments.report_figures import (
    EQUAL,
    MARKERS,
    ReportFigure,
    finished,
    height_of,
    label_rows,
    with_gaps,
    with_room,
)


def figure(panel: Panel) -> ReportFigure:
    """Return a panel as a figure of a page."""
    rows = place([players for players, _ in panel.rows])
    drawn = go.Figure()
    for i, ((name, points), offset) in enumerate(zip(panel.series.items(), offsets(len(panel.series)), strict=True)):
        colour, symbol = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        at = [rows.at[point.row] + offset + 0.05 for point in points]
        ends = [(y, point) for y, point in zip(at, points, strict=True) if not math.isnan(point.low)]
        drawn.add_scatter(
            x=with_gaps((point.low, point.high) for _, point in ends),
            y=with_gaps((y, y) for y, _ in ends),
            mode="lines",
            line={"color": colour, "width": 2},
            hoverinfo="skip",
            showlegend=False,
            legendgroup=str(i),
        )
        drawn.add_scatter(
            x=[point.value for point in points],
            y=at,
            mode="markers",
            name=html.escape(name),
            legendgroup=str(i),
            marker={
                "symbol": symbol,
                "size": 9,
                "color": [colour if point.filled else "white" for point in points],
                "line": {"color": colour, "width": 2},
            },
            customdata=[[_told(panel, name, point)] for point in points],
            hovertemplate="%{customdata[0]}<extra></extra>",
        )
    if panel.reference is not None:
        drawn.add_shape(
            type="line", x0=panel.reference, x1=panel.reference, yref="paper", y0=0, y1=1, line=EQUAL, layer="between"
        )
    label_rows(drawn, rows, [label for _, label in panel.rows])
    drawn.update_xaxes(title=panel.axis, range=_range(panel), tickformat=".1%" if panel.percent else None)
    drawn.update_layout(
        showlegend=True, legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemsizing": "constant"}
    )
    return finished(panel.name.replace("_", "-"), panel.title, panel.caption, drawn, height_of(rows))


def _range(panel: Panel) -> tuple[float, float]:
    """Return the ends of the axis."""
    points = [point for points in panel.series.values() for point in points]
    known = [end for point in points for end in point[1:4] if not math.isnan(end)]
    known += [] if panel.reference is None else [panel.reference]
    return with_room(min(known), max(known)) if known else (0.0, 1.0)


def _told(panel: Panel, name: str, point: Point) -> str:
    players, label = panel.rows[point.row]
    scale, unit = (100, " %") if panel.percent else (1, "")
    ends = "" if math.isnan(point.low) else f" [{scale * point.low:.4g}, {scale * point.high:.4g}]"
    where = f"{html.escape(label)}<br>{players} players, {html.escape(name)}"
    return f"{where}: {scale * point.value:.4g}{unit}{ends}<br>{point.n:,} games"
