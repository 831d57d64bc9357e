"""Figures: a table goes in, axes come out.

Figures are drawn on plain canvases without pyplot, so that drawing has no state and opens no window. A figure is one
pair of axes laid out by hand in inches: panels and automatic layout take longer than most tournaments. Everything reads
in grey: what differs in colour differs in marker and line style too. The same tables give the same bytes.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from experiments.distribution import distributions
from gameapi.jsonl import write_whole

if TYPE_CHECKING:
    from experiments.tables import Table

SHADES = ("#1f3b57", "#4f7da6", "#8fb3d1", "#c9d9e8", "#f2f5f8")  # of ranks, best first; greys of their own
HATCHES = ("", "", "///", "", "...")
COLOURS = ("#1f5f95", "#d9822b", "#4f9a4f", "#a3485f", "#6b6b6b")
MARKERS = "osD^v"
LINES: Sequence[Any] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
EQUAL: dict[str, Any] = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 0.9}
STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "lab",
    "svg.fonttype": "none",
    "legend.frameon": False,
}
DPI = 110
FORMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "png": (FigureCanvasAgg, {"metadata": {"Software": None}, "pil_kwargs": {"compress_level": 3}}),
    "svg": (FigureCanvasSVG, {"metadata": {"Date": None, "Creator": None}}),
}
NAME_LENGTH = 46  # longer specs are cut in the middle; tables have them whole
LETTER, LINE = 0.068, 0.24  # inches: a letter's width, a row's height
MATRIX_CELLS = 900  # matrices with more cells go without numbers in them


class Rows(NamedTuple):
    """Where the rows of a table with one row for each (players, agent) are drawn, from the top down.

    Attributes:
        at: for each row of the table its place.
        groups: for each number of players the places of its heading, first and last row.
        end: the lower end.
    """

    at: list[float]
    groups: dict[int, tuple[float, float, float]]
    end: float


def labels(specs: Sequence[str]) -> dict[str, str]:
    """Return a label for each spec: cut in its middle where it is long, numbered where two would be the same."""
    head = NAME_LENGTH * 2 // 3
    names = [s if len(s) <= NAME_LENGTH else f"{s[:head]}…{s[head + 1 - NAME_LENGTH :]}" for s in specs]
    return {
        spec: name if names.count(name) == 1 else f"{name} ({names[: i + 1].count(name)})"
        for i, (spec, name) in enumerate(zip(specs, names, strict=True))
    }


def place(players: Sequence[int]) -> Rows:
    """Return where rows stand that are grouped by their number of players, with room for a heading each."""
    at, groups, next_row = [], {}, 0.0
    for i, n in enumerate(players):
        if n not in groups:
            groups[n] = (next_row, next_row + 1, next_row + 1)
            next_row += 1
        at.append(next_row)
        groups[n] = (*groups[n][:2], next_row)
        next_row += 1 if i + 1 == len(players) or players[i + 1] == n else 1.4
    return Rows(at, groups, next_row - 0.4)


def _unique(values: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def label_rows(rows: Rows, agents: Sequence[str], axes: Axes) -> None:
    """Write the name of each row at the left, and a heading above each number of players."""
    named = labels(_unique(agents))
    axes.set_yticks(rows.at, [named[agent] for agent in agents], fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(rows.end, -0.6)
    for n, (heading, _, _) in rows.groups.items():
        axes.text(0.01, heading, f"{n} players", transform=axes.get_yaxis_transform(), weight="bold", va="center")


def win_share(agents: Mapping[str, Any], axes: Axes) -> None:
    """Draw the win share of each agent and number of players, with intervals and the equal share.

    Args:
        agents: the table `agents`, as a dict of columns or a pandas frame.
        axes: where to draw.
    """
    rows = _intervals(agents, "win_share", axes)
    for n, (_, first, last) in rows.groups.items():
        axes.vlines(1 / n, first - 0.4, last + 0.4, **EQUAL)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel("wins for each seat occupied, with 95 % interval (dashed: equal share)")


def _intervals(table: Mapping[str, Any], column: str, axes: Axes) -> Rows:
    """Draw an estimate and its interval for each agent and number of players; return where they stand."""
    rows = place(list(table["players"]))
    axes.hlines(rows.at, list(table[f"{column}_low"]), list(table[f"{column}_high"]), color=COLOURS[0], linewidth=2)
    axes.plot(list(table[column]), rows.at, "o", color="black", markersize=4)
    label_rows(rows, list(table["agent"]), axes)
    return rows


def seat_advantage(seats: Mapping[str, Any], axes: Axes) -> None:
    """Draw how far the win share of each seat is from the equal share, with intervals.

    Args:
        seats: the table `seats`, as a dict of columns or a pandas frame.
        axes: where to draw.
    """
    table = {name: np.array(seats[name], dtype=np.float64) for name in seats}
    counts = _unique(list(seats["players"]))
    for i, n in enumerate(counts):
        here = table["players"] == n
        at = table["seat"][here] + (i - (len(counts) - 1) / 2) * 0.1
        points, low, high = (100 * (table[f"win_share{end}"][here] - 1 / n) for end in ("", "_low", "_high"))
        colour = COLOURS[i % len(COLOURS)]
        axes.vlines(at, low, high, color=colour, linewidth=1.2)
        style: dict[str, Any] = {
            "marker": MARKERS[i % len(MARKERS)],
            "linestyle": LINES[i % len(LINES)],
            "markersize": 4.5,
        }
        axes.plot(at, points, color=colour, linewidth=0.9, label=f"{n} players", **style)
    axes.axhline(0, **EQUAL)
    axes.set_xticks(range(max(counts)))
    axes.set_xlabel("seat (0 starts)")
    axes.set_ylabel("win share less equal share\n(percentage points, 95 % intervals)")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=len(counts), fontsize=8, borderaxespad=0.2)


def score_distribution(scores: Mapping[str, Any], axes: Axes) -> None:
    """Draw how each agent's final scores are distributed: outline as frequent as wide, quartiles, median.

    Args:
        scores: the table `scores`, as a dict of columns or a pandas frame.
        axes: where to draw.
    """
    found = distributions(scores)
    rows = place([each.players for each in found])
    for at, each in zip(rows.at, found, strict=True):
        outline = 0.42 * each.density
        axes.fill_between(
            each.scores, at - outline, at + outline, step="mid", facecolor="#c3d3e2", edgecolor="#53708c", linewidth=0.5
        )
    low, median, high = np.array([each.quartiles for each in found]).T
    axes.hlines(rows.at, low, high, color="black", linewidth=1.6)
    axes.plot(median, rows.at, "o", color="white", markeredgecolor="black", markersize=4)
    axes.set_xlabel("final score (points); line: middle half, circle: median, outline: how often")
    label_rows(rows, [each.agent for each in found], axes)


def ratings(table: Mapping[str, Any], axes: Axes) -> None:
    """Draw the rating of each agent and number of players, with intervals and the mean of all agents.

    Args:
        table: the table `ratings`, as a dict of columns or a pandas frame.
        axes: where to draw.
    """
    known = [rating for rating in table["rating"] if not math.isnan(rating)]
    axes.axvline(sum(known) / max(len(known), 1), **EQUAL)
    _intervals(table, "rating", axes)
    axes.set_xlabel("rating (Elo points), with 95 % interval (dashed: mean)")


def rank_distribution(ranks: Mapping[str, Any], axes: Axes) -> None:
    """Draw how often each agent ends with each rank, as bars from the best rank on.

    Args:
        ranks: the table `ranks`, as a dict of columns or a pandas frame.
        axes: where to draw.
    """
    found: dict[tuple[int, str], list[float]] = {}
    for n, agent, share in zip(*(ranks[name] for name in ("players", "agent", "share")), strict=True):
        found.setdefault((n, agent), []).append(share)
    rows = place([n for n, _ in found])
    for k in range(max(map(len, found.values()))):
        here = [(at, shares) for at, shares in zip(rows.at, found.values(), strict=True) if len(shares) > k]
        places, widths = [at for at, _ in here], [shares[k] for _, shares in here]
        axes.barh(
            places,
            widths,
            left=[sum(shares[:k]) for _, shares in here],
            height=0.7,
            color=SHADES[k],
            hatch=HATCHES[k],
            edgecolor="#404040",
            linewidth=0.5,
            label=f"rank {k + 1}",
        )
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel("seats of the agent that end with a rank, best first")
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=5, fontsize=8, borderaxespad=0.2, handlelength=1, columnspacing=1
    )
    label_rows(rows, [agent for _, agent in found], axes)


def head_to_head(table: Mapping[str, Any], axes: Axes) -> None:
    """Draw how often the row's agent ranks above the column's, a matrix for each number of players.

    Args:
        table: the table `head_to_head`, as a dict of columns or a pandas frame.
        axes: where to draw.
    """
    cells = zip(*(table[name] for name in ("players", "agent", "opponent", "beats")), strict=True)
    _matrix(list(cells), axes)
    axes.set_xlabel("% of pairs of seats in which the row's agent ranks above the column's (ties: a half)")


def payoff_matrix(payoffs: Mapping[str, Any], axes: Axes) -> None:
    """Draw the win share of the row's agent alone among copies of the column's, a matrix for each number of players.

    Args:
        payoffs: the table `payoffs`, as a dict of columns or a pandas frame.
        axes: where to draw.
    """
    _matrix(_lone(payoffs), axes)
    axes.set_xlabel("% wins of the row's agent, alone among copies of the column's")


def _lone(payoffs: Mapping[str, Any]) -> list[tuple[int, str, str, float]]:
    """Return (players, agent, opponent, win share) of line-ups of one agent alone among copies, mirrors included."""
    found: dict[tuple[int, str], list[tuple[str, int, float]]] = {}
    for n, lineup, *row in zip(
        *(payoffs[name] for name in ("players", "lineup", "agent", "n_copies", "win_share")), strict=True
    ):
        found.setdefault((n, lineup), []).append((row[0], row[1], row[2]))
    cells = []
    for (n, _), agents in found.items():
        if len(agents) == 1:
            cells.append((n, agents[0][0], agents[0][0], agents[0][2]))
        elif len(agents) == 2:
            for (agent, copies, share), (opponent, *_) in (agents, agents[::-1]):
                if copies == 1:
                    cells.append((n, agent, opponent, share))
    return cells


def _matrix(cells: Sequence[tuple[int, str, str, float]], axes: Axes) -> None:
    """Draw (players, row, column, share) as a matrix for each number of players, side by side."""
    specs = _unique([spec for _, *pair, _ in cells for spec in pair])
    counts = _unique([n for n, *_ in cells])
    number, step = {spec: i for i, spec in enumerate(specs)}, len(specs) + 1
    matrix = np.full((len(specs), step * len(counts) - 1), math.nan)
    for n, agent, opponent, share in cells:
        matrix[number[agent], counts.index(n) * step + number[opponent]] = share
    axes.imshow(matrix, cmap="Greys", vmin=0, vmax=1.3, aspect="auto", interpolation="nearest")
    if matrix.size <= MATRIX_CELLS:
        for i, j in zip(*np.nonzero(~np.isnan(matrix)), strict=True):
            colour = "white" if matrix[i, j] > 0.72 else "black"
            axes.text(j, i, f"{100 * matrix[i, j]:.0f}", ha="center", va="center", color=colour, fontsize=8)
    named = labels(specs)
    columns = [(k * step + i, str(i + 1)) for k in range(len(counts)) for i in range(len(specs))]
    axes.set_yticks(range(len(specs)), [f"{named[spec]}   {i + 1}" for i, spec in enumerate(specs)], fontsize=8)
    axes.set_xticks([at for at, _ in columns], [text for _, text in columns], fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    for k, n in enumerate(counts):
        axes.text(k * step - 0.5, -0.75, f"{n} players", weight="bold")


def likelihood(steps: Mapping[str, Any], bounds: tuple[float, float], axes: Axes) -> None:
    """Draw the log likelihood ratio of a sequential test on its way to a bound, a path for each number of players.

    Args:
        steps: the table `steps` of a comparison, as a dict of columns or a pandas frame.
        bounds: where the test ends.
        axes: where to draw.
    """
    table = {name: np.array(steps[name], dtype=np.float64) for name in ("players", "n_deals", "llr")}
    for bound in bounds:
        axes.axhline(bound, **EQUAL)
    for i, n in enumerate(_unique(list(steps["players"]))):
        here = table["players"] == n
        deals, ratio = (np.concatenate([[0.0], table[name][here]]) for name in ("n_deals", "llr"))
        style: dict[str, Any] = {"linestyle": LINES[i % len(LINES)], "color": COLOURS[i % len(COLOURS)]}
        axes.plot(deals, ratio, linewidth=1.2, label=f"{n} players", **style)
        axes.plot(deals[-1:], ratio[-1:], marker=MARKERS[i % len(MARKERS)], markersize=5, **style)
    axes.set_xlim(left=0)
    axes.set_xlabel("deals")
    axes.set_ylabel("log likelihood ratio\n(dashed: bounds; above, A is better)")
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=8, borderaxespad=0.2)


# ---- files ----------------------------------------------------------------------------------------------------------


def figures(tables: Mapping[str, Table]) -> dict[str, Figure]:
    """Return the figures of a tournament or a comparison by name, in the style that is set; none for no games."""
    if "compare" in tables:
        return _comparison(tables["compare"], tables["steps"])
    agents = tables["agents"]
    specs, counts = _unique(agents["agent"]), _unique(agents["players"])
    if not counts:
        return {}
    names = 0.3 + LETTER * max(len(label) for label in labels(specs).values())
    rows = LINE * (place(agents["players"]).end + 0.6)
    n_cells = (len(specs) + 1) * len(counts) - 1
    cells = min(0.34, 40 / n_cells) * n_cells
    drawn = {
        "win_share": laid_out(lambda axes: win_share(agents, axes), 5.0, rows, names),
        "seat_advantage": laid_out(lambda axes: seat_advantage(tables["seats"], axes), 5.6, 3.0, 0.95, top=0.3),
        "scores": laid_out(lambda axes: score_distribution(tables["scores"], axes), 5.0, rows, names),
        "ranks": laid_out(lambda axes: rank_distribution(tables["ranks"], axes), 5.0, rows, names, top=0.3),
    }
    if tables["head_to_head"]["agent"]:
        drawn["ratings"] = laid_out(lambda axes: ratings(tables["ratings"], axes), 5.0, rows, names)
        for name, draw in (("head_to_head", head_to_head), ("payoffs", payoff_matrix)):
            if name == "head_to_head" or any(row[1] != row[2] for row in _lone(tables["payoffs"])):
                drawn[name] = laid_out(partial(draw, tables[name]), cells, LINE * len(specs), names + 0.2, top=0.3)
    return drawn


def _comparison(compared: Mapping[str, Any], steps: Mapping[str, Any]) -> dict[str, Figure]:
    bounds = (compared["llr_lower"][0], compared["llr_upper"][0])
    return {"llr": laid_out(lambda axes: likelihood(steps, bounds, axes), 5.6, 3.0, 0.95, top=0.3)}


def laid_out(draw: Callable[[Axes], None], width: float, height: float, left: float, top: float = 0.1) -> Figure:
    """Return a figure whose axes are `width` by `height` inches, with room for labels at the left and below."""
    bottom, right = 0.5, max(0.2, 5.6 - left - width)
    full, tall = left + width + right, bottom + height + top
    figure = Figure(figsize=(full, tall))
    axes = figure.add_axes((left / full, bottom / tall, width / full, height / tall))
    draw(axes)
    # beneath the whole figure, so that a long label fits whatever the width of the axes
    axes.xaxis.set_label_coords((full / 2 - left) / width, -0.36 / height)
    return figure


def save_all(tables: Mapping[str, Table], folder: Path) -> list[Path]:
    """Draw all figures and write each as PNG and SVG; the same tables give the same bytes.

    Returns:
        The files.
    """
    with mpl.rc_context(STYLE):
        return save(figures(tables), folder)


def save(drawn: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Write figures, drawn in the style that is set, by name as PNG and SVG; return the files."""
    written = []
    for name, figure in drawn.items():
        for form in FORMS:
            written.append(folder / f"{name}.{form}")
            write_whole(written[-1], _rendered(figure, form))
    return written


def warm_up() -> None:
    """Draw something and throw it away: the first figure of a process loads fonts and takes as long as all others."""
    shares = {f"win_share{end}": [0.4, 0.6] for end in ("", "_low", "_high")}
    seats = {"players": [2, 2], "seat": [0, 1], **shares}
    with mpl.rc_context(STYLE):
        for form in FORMS:
            _rendered(laid_out(lambda axes: seat_advantage(seats, axes), 2.0, 1.0, 0.5), form)


def _rendered(figure: Figure, form: str) -> bytes:
    canvas, options = FORMS[form]
    out = io.BytesIO()
    canvas(figure).print_figure(out, format=form, dpi=DPI, **options)
    return out.getvalue()
