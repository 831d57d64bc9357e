"""Figures of a study of cards, one pair for each number of players and agent.

`effects` is a forest plot: what each card brings in place of another card of an opening hand, with its interval, by
kind of card. `plays` sets how often a card is played beside that. Cards with a flag are filled and named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from experiments.plots import COLOURS, EQUAL, LETTER, STYLE, save
from experiments.tables import Table, to_rows

if TYPE_CHECKING:
    from experiments.balance.study import Study

LINE, HEIGHT, WIDTH, BELOW, ABOVE = 0.19, 3.4, 4.6, 0.5, 0.8  # inches
RIGHT = 0.9  # inches
MARKERS = "osD^vP"  # of kinds of cards; more than there are colours
SHIFT = "wins that it brings in place of another card of an opening hand (points, 95 %)"

Row = Mapping[str, Any]


def finish(study: Study) -> None:
    """Draw the figures of a study into its folder."""
    if study.folder is not None:
        save_all(study.tables, study.folder / "figures")


def save_all(tables: Mapping[str, Table], folder: Path) -> list[Path]:
    """Draw the figures as PNG and SVG; the same tables give the same bytes."""
    with mpl.rc_context(STYLE):
        return save(dict(figures(tables["cards"])), folder)


def figures(cards: Table) -> Iterator[tuple[str, Figure]]:
    """Give the figures by name, in the style that is set."""
    rows = to_rows(cards)
    agents = list(dict.fromkeys(row["agent"] for row in rows))
    for players, agent in dict.fromkeys((row["players"], row["agent"]) for row in rows):
        here = [row for row in rows if (row["players"], row["agent"]) == (players, agent)]
        heading, name = f"{players} players, {agent}", f"{players}_{agents.index(agent)}"
        yield f"effects_{name}", _effects(here, heading)
        yield f"plays_{name}", _plays(here, heading)


def _effects(rows: Sequence[Row], heading: str) -> Figure:
    groups = list(dict.fromkeys(row["group"] for row in rows))
    lines = [line for group in groups for line in (group, *(row for row in rows if row["group"] == group))]
    high = LINE * (len(lines) + 0.6)
    left = 0.25 + LETTER * max(len(row["card"]) for row in rows)
    axes = _axes(heading, left, high)
    axes.axvline(0, **EQUAL)
    for at, line in enumerate(lines):
        if isinstance(line, str):
            axes.text(0.01, at, line, transform=axes.get_yaxis_transform(), weight="bold", va="center", fontsize=8)
        else:
            _draw(axes, line, at, groups.index(line["group"]))
    named = [(at, line["card"]) for at, line in enumerate(lines) if not isinstance(line, str)]
    axes.set_yticks([at for at, _ in named], [card for _, card in named], fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_xlabel(SHIFT, fontsize=8)
    axes.xaxis.set_major_formatter(PercentFormatter(1, symbol="", decimals=None))
    return _figure_of(axes)


def _draw(axes: Axes, row: Row, at: float, group: int) -> None:
    """Draw a card of a forest plot: its effect with the interval, and its flags."""
    colour = COLOURS[group % len(COLOURS)]
    if row["exchange_effect_low"] is not None:
        axes.hlines(at, row["exchange_effect_low"], row["exchange_effect_high"], color=colour, linewidth=1.3)
    if row["exchange_effect"] is not None:
        face = colour if row["flags"] else "white"
        axes.plot(row["exchange_effect"], at, MARKERS[group % len(MARKERS)], color=colour, markerfacecolor=face, ms=4.5)
    if row["flags"]:
        axes.text(1.01, at, row["flags"], transform=axes.get_yaxis_transform(), va="center", fontsize=7)


def _plays(rows: Sequence[Row], heading: str) -> Figure:
    groups = list(dict.fromkeys(row["group"] for row in rows))
    axes = _axes(heading, 0.7, HEIGHT)
    axes.axhline(0, **EQUAL)
    for i, group in enumerate(groups):
        known = [
            row for row in rows if row["group"] == group and None not in (row["play_share"], row["exchange_effect"])
        ]
        colour, marker = COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]
        axes.plot([], [], marker, color=colour, label=group, markersize=4.5)
        for row in known:
            x, y = row["play_share"], row["exchange_effect"]
            axes.plot(x, y, marker, color=colour, markerfacecolor=colour if row["flags"] else "white", markersize=4.5)
            if row["flags"]:
                side: Any = {"xytext": (-4, 3), "ha": "right"} if x > 0.7 else {"xytext": (4, 3)}
                axes.annotate(row["card"], (x, y), textcoords="offset points", fontsize=7, **side)
    axes.set_xlim(-0.03, 1.03)
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1, symbol="", decimals=None))
    axes.set_xlabel("copies played, of those that were held and not passed on", fontsize=8)
    axes.set_ylabel("wins in place of another card (points)", fontsize=8)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=7, borderaxespad=0.2, handletextpad=0.2)
    return _figure_of(axes)


def _axes(heading: str, left: float, high: float) -> Axes:
    """Return axes of WIDTH by `high` inches, with room at the left, for flags at the right, and a heading above."""
    across, up = left + WIDTH + RIGHT, BELOW + high + ABOVE
    figure = Figure(figsize=(across, up))
    figure.text(0.1 / across, 1 - 0.25 / up, heading, fontsize=9, weight="bold")
    return figure.add_axes((left / across, BELOW / up, WIDTH / across, high / up))


def _figure_of(axes: Axes) -> Figure:
    figure = axes.figure
    assert isinstance(figure, Figure)
    return figure
