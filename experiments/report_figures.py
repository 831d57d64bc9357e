"""The figures of a report, to be zoomed: a table goes in, the description of a plotly figure comes out.

Names of agents stand above their rows inside the axes, so that a narrow screen has room for both. Everything reads in
grey: what differs in colour differs in marker and line style too. The same tables give the same description.
"""

from __future__ import annotations

import html
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from experiments.distribution import Distribution, distributions
from experiments.plots import COLOURS, MATRIX_CELLS, Rows, labels, place
from experiments.readable import percent
from experiments.tables import Table

MARKERS = ("circle", "square", "diamond", "triangle-up", "triangle-down")
DASHES = ("solid", "dash", "dashdot", "dot", "longdashdot")
INK, FRAME, FILL = "#1a1a1a", "#d5d5d5", "#c3d3e2"
ROW, CELL = 42, 34  # pixels
EQUAL = {"color": INK, "width": 1.5, "dash": "dash"}
WIDEST = 900  # pixels; what is wider is harder to compare


class ReportFigure(NamedTuple):
    """A figure of a report.

    Attributes:
        name: of the figure, unique in a page.
        title: what it shows.
        caption: how to read it.
        content: data and layout for plotly.js.
        height: pixels.
        width: the most pixels it should take.
        key: agents by number, where the figure numbers them.
    """

    name: str
    title: str
    caption: str
    content: dict[str, Any]
    height: int
    width: int
    key: Sequence[str] = ()


def figures(tables: Mapping[str, Table]) -> list[ReportFigure]:
    """Return the figures of a tournament; none where nothing has been played."""
    agents = tables["agents"]
    if not agents["agent"]:
        return []
    found = [win_share(agents), seat_advantage(tables["seats"]), score_distribution(tables["scores"])]
    if tables["head_to_head"]["agent"]:
        found += [head_to_head(tables["head_to_head"]), ratings(tables["ratings"])]
    return found


def win_share(agents: Table) -> ReportFigure:
    """Return the win share of each agent and number of players, with intervals and the equal share."""
    hover = [percent(*row) for row in zip(*(agents[f"win_share{end}"] for end in ("", "_low", "_high")), strict=True)]
    figure, rows = _interval_rows(agents, "win_share", hover)
    for n, (_, first, last) in rows.groups.items():
        figure.add_shape(type="line", x0=1 / n, x1=1 / n, y0=first - 0.5, y1=last + 0.4, line=EQUAL, layer="between")
    figure.update_xaxes(
        title="wins for each seat occupied", tickformat=".0%", range=[0, min(1.02, figure.layout.xaxis.range[1])]
    )
    caption = "Win share with its 95 % interval, n winners having 1/n each; dashed: the equal share, 1/players."
    return finished("win-share", "Win share by agent and number of players", caption, figure, height_of(rows))


def ratings(table: Table) -> ReportFigure:
    """Return the rating of each agent and number of players, with intervals."""
    hover = [
        f"{value:+.0f} [{low:+.0f}, {high:+.0f}]"
        for value, low, high in zip(*(table[f"rating{end}"] for end in ("", "_low", "_high")), strict=True)
    ]
    figure, rows = _interval_rows(table, "rating", hover)
    figure.add_shape(type="line", x0=0, x1=0, yref="paper", y0=0, y1=1, line=EQUAL, layer="between")
    figure.update_xaxes(title="rating (Elo points)")
    caption = "Strength by pairs of seats within a game, with its 95 % interval; dashed: 0, the mean of all agents."
    return finished("ratings", "Ratings by agent and number of players", caption, figure, height_of(rows))


def _interval_rows(table: Table, name: str, hover: Sequence[str]) -> tuple[go.Figure, Rows]:
    """Draw an estimate and its interval for each (players, agent), row by row."""
    rows = place(table["players"])
    low, high = ([None if math.isnan(end) else end for end in table[f"{name}_{side}"]] for side in ("low", "high"))
    figure = go.Figure()
    figure.add_scatter(
        x=with_gaps(zip(low, high, strict=True)),
        y=with_gaps((at, at) for at in rows.at),
        mode="lines",
        line={"color": COLOURS[0], "width": 4},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=table[name],
        y=rows.at,
        mode="markers",
        marker={"color": "white", "size": 9, "line": {"color": INK, "width": 2}},
        customdata=list(zip(table["players"], map(html.escape, table["agent"]), hover, strict=True)),
        hovertemplate="%{customdata[1]}<br>%{customdata[0]} players: %{customdata[2]}<extra></extra>",
    )
    label_rows(figure, rows, table["agent"])
    ends = [*table[name], *(end for end in (*low, *high) if end is not None)]
    figure.update_xaxes(range=with_room(min(ends), max(ends)))
    return figure, rows


def with_room(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis with some room beyond the data."""
    room = 0.04 * (high - low) or 1.0
    return low - room, high + room


def with_gaps(shapes: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the coordinates of separate shapes as one trace takes them."""
    return [value for shape in shapes for value in (*shape, None)]


def label_rows(figure: go.Figure, rows: Rows, agents: Sequence[str]) -> None:
    """Write the name of each row above it, inside the axes, and a heading for each number of players."""
    named = _labels(agents)
    texts = [(at - 0.36, named[agent], 12) for at, agent in zip(rows.at, agents, strict=True)]
    texts += [(heading, _heading(n), 13) for n, (heading, _, _) in rows.groups.items()]
    figure.update_layout(
        annotations=[
            {
                "x": 0,
                "xref": "paper",
                "y": at,
                "text": text,
                "showarrow": False,
                "xanchor": "left",
                "yanchor": "middle",
                "font": {"size": size},
                "bgcolor": "rgba(255, 255, 255, 0.85)",
                "borderpad": 0,
            }
            for at, text, size in texts
        ]
    )
    figure.update_yaxes(range=[rows.end + 0.1, -0.6], fixedrange=True, showticklabels=False, showgrid=False)


def _heading(players: int) -> str:
    return f"<b>{players} players</b>"


def _labels(agents: Sequence[str]) -> dict[str, str]:
    """Return labels as plotly takes them: it reads a few tags in every text."""
    return {spec: html.escape(label) for spec, label in labels(list(dict.fromkeys(agents))).items()}


def height_of(rows: Rows) -> int:
    """Return the height in pixels of a figure with such rows."""
    return round(ROW * (rows.end + 0.7)) + 70


def seat_advantage(seats: Table) -> ReportFigure:
    """Return how far the win share of each seat is from the equal share, with intervals."""
    figure = go.Figure()
    counts = list(dict.fromkeys(seats["players"]))
    for i, n in enumerate(counts):
        here = [row for row, players in enumerate(seats["players"]) if players == n]
        points, low, high = (
            [100 * (seats[f"win_share{end}"][row] - 1 / n) for row in here] for end in ("", "_low", "_high")
        )
        figure.add_scatter(
            x=[seats["seat"][row] + (i - (len(counts) - 1) / 2) * 0.1 for row in here],
            y=points,
            error_y={
                "array": [_or_none(end - value) for value, end in zip(points, high, strict=True)],
                "arrayminus": [_or_none(value - end) for value, end in zip(points, low, strict=True)],
                "symmetric": False,
                "thickness": 1.4,
                "width": 3,
            },
            name=f"{n} players",
            mode="lines+markers",
            line={"color": COLOURS[i % len(COLOURS)], "dash": DASHES[i % len(DASHES)], "width": 1.4},
            marker={"symbol": MARKERS[i % len(MARKERS)], "size": 9},
            customdata=[
                [seats["seat"][row], percent(*(seats[f"win_share{end}"][row] for end in ("", "_low", "_high")))]
                for row in here
            ],
            hovertemplate=f"seat %{{customdata[0]}} of {n}: %{{y:+.1f}} points<br>"
            "wins %{customdata[1]}<extra></extra>",
        )
    figure.add_shape(type="line", xref="paper", x0=0, x1=1, y0=0, y1=0, line=EQUAL, layer="between")
    figure.update_xaxes(title="seat (0 starts)", tickvals=list(range(max(counts))), showgrid=False)
    figure.update_yaxes(title="win share less equal share<br>(percentage points)", title_standoff=8, automargin=True)
    figure.update_layout(showlegend=True, legend={"orientation": "h", "x": 0, "y": -0.2, "yanchor": "top"})
    caption = "Win share of whoever has the seat, less 1/players, with 95 % intervals; dashed: no advantage."
    return finished("seat-advantage", "Seat advantage", caption, figure, 420)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value


def score_distribution(scores: Table) -> ReportFigure:
    """Return how each agent's final scores are distributed: outline as frequent as wide, quartiles, median."""
    found = distributions(scores)
    rows = place([each.players for each in found])
    figure = go.Figure()
    middle = [at + 0.1 for at in rows.at]
    outlines = [_outline(each, at) for at, each in zip(middle, found, strict=True)]
    figure.add_scatter(
        x=with_gaps(x for x, _ in outlines),
        y=with_gaps(y for _, y in outlines),
        mode="lines",
        fill="toself",
        fillcolor=FILL,
        line={"color": "#53708c", "width": 0.7},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=with_gaps((each.quartiles[0], each.quartiles[2]) for each in found),
        y=with_gaps((at, at) for at in middle),
        mode="lines",
        line={"color": INK, "width": 2.5},
        hoverinfo="skip",
    )
    figure.add_scatter(
        x=[each.quartiles[1] for each in found],
        y=middle,
        mode="markers",
        marker={"color": "white", "size": 8, "line": {"color": INK, "width": 1.8}},
        customdata=[[each.players, html.escape(each.agent), *each.quartiles, each.n] for each in found],
        hovertemplate="%{customdata[1]}<br>%{customdata[0]} players: median %{customdata[3]}, middle half "
        "%{customdata[2]} to %{customdata[4]}<br>%{customdata[5]:,} seats<extra></extra>",
    )
    label_rows(figure, rows, [each.agent for each in found])
    lowest, highest = min(each.scores[0] for each in found), max(each.scores[-1] for each in found)
    figure.update_xaxes(title="final score (points)", range=with_room(float(lowest), float(highest)))
    caption = "Outline: how often each score occurs, the most frequent being widest; line: middle half; circle: median."
    return finished("scores", "Score distributions", caption, figure, round(1.25 * height_of(rows)))


def _outline(found: Distribution, middle: float) -> tuple[list[float], list[float]]:
    """Return the corners of a shape as wide as each score is frequent, out along one side and back along the other."""
    steps = np.repeat(found.scores, 2) + np.tile([-0.5, 0.5], len(found.scores))
    half = 0.3 * np.repeat(found.density, 2)
    x, y = np.concatenate([steps, steps[::-1]]), np.concatenate([middle - half, (middle + half)[::-1]])
    return x.tolist(), y.tolist()


def head_to_head(table: Table) -> ReportFigure:
    """Return how often the row's agent ranks above the column's, a matrix for each number of players."""
    specs = list(dict.fromkeys([*table["agent"], *table["opponent"]]))
    counts = list(dict.fromkeys(table["players"]))
    number, step = {spec: i for i, spec in enumerate(specs)}, len(specs) + 1
    n_rows = step * len(counts)
    cells: list[list[float | None]] = [[None] * len(specs) for _ in range(n_rows)]
    hover = [[""] * len(specs) for _ in range(n_rows)]
    columns = ("players", "agent", "opponent", "beats", "beats_low", "beats_high", "n_pairs")
    for n, agent, opponent, *interval, n_pairs in zip(*(table[name] for name in columns), strict=True):
        row = counts.index(n) * step + 1 + number[agent]
        cells[row][number[opponent]] = interval[0]
        told = f"{html.escape(agent)}<br>above {html.escape(opponent)}"
        hover[row][number[opponent]] = f"{told}<br>{n} players: {percent(*interval)}, {n_pairs:,} pairs"
    figure = go.Figure()
    figure.add_heatmap(
        z=cells,
        x=list(range(len(specs))),
        y=list(range(n_rows)),
        zmin=0,
        zmax=1,
        colorscale=[[0, "#ffffff"], [1, "#7d97ae"]],  # light enough for dark numbers
        textfont={"color": INK},
        showscale=False,
        xgap=1,
        ygap=1,
        hoverongaps=False,
        customdata=hover,
        hovertemplate="%{customdata}<extra></extra>",
        texttemplate="%{z:.0%}" if len(specs) * n_rows <= 2 * MATRIX_CELLS else None,
    )
    for k, n in enumerate(counts):
        figure.add_annotation(
            x=0,
            xref="paper",
            xanchor="left",
            y=k * step,
            text=_heading(n),
            showarrow=False,
            font={"size": 13},
        )
    rows = [(k * step + 1 + i, str(i + 1)) for k in range(len(counts)) for i in range(len(specs))]
    figure.update_xaxes(
        tickvals=list(range(len(specs))),
        ticktext=[str(i + 1) for i in range(len(specs))],
        title="opponent",
        showgrid=False,
    )
    figure.update_yaxes(
        tickvals=[at for at, _ in rows],
        ticktext=[text for _, text in rows],
        range=[n_rows - 0.5, -0.5],
        title="agent",
        showgrid=False,
    )
    caption = "Pairs of seats in which the row's agent ranks above the column's, equal ranks counting a half."
    width = min(WIDEST, 130 + max(360, 62 * len(specs)))
    return finished("head-to-head", "Head to head", caption, figure, CELL * n_rows + 80, width, specs)


def finished(
    name: str, title: str, caption: str, figure: go.Figure, height: int, width: int = WIDEST, key: Sequence[str] = ()
) -> ReportFigure:
    """Give a figure the style of all, and return it with what stands around it; see `ReportFigure`."""
    figure.update_layout(
        template="none",
        height=height,
        margin={"l": 12, "r": 12, "t": 36, "b": 50},
        font={"family": "system-ui, sans-serif", "size": 13, "color": INK},
        hoverlabel={"bgcolor": "white", "font": {"color": INK}, "align": "left"},
        hovermode="closest",
        plot_bgcolor="white",
    )
    if figure.layout.showlegend is None:
        figure.update_layout(showlegend=False)
    figure.update_xaxes(gridcolor=FRAME, zeroline=False, showline=True, linecolor=INK, automargin=True)
    figure.update_yaxes(gridcolor=FRAME, zeroline=False, automargin=True)
    content = json.loads(figure.to_json(engine="json"))
    return ReportFigure(name, title, caption, content, height, width, key)
