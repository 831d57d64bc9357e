"""The standard tables of a study, found by design, number of players, agent and metric, for summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from experiments.balance.metrics import SEAT_GAP
from experiments.balance.sentences import POINTS, Number, listed, told
from experiments.balance.study import Study
from experiments.balance.thresholds import DIFFERENT, FAIR, UNCLEAR, UNFAIR, verdict
from experiments.tables import Table

Cell = tuple[str, int, str]
"""Design, number of players, agent."""


class View(NamedTuple):
    """The standard tables of a study with their rows by what they are of.

    Attributes:
        tables: the tables.
        designs: the changed designs that were played.
        agents: the levels, the strongest last.
        weaker: whose copies each meets alone.
        metrics, differences: rows by cell and metric.
        seats: rows of the seats of a cell.
        tests: rows by cell.
        titles: of metrics.
    """

    tables: Mapping[str, Table]
    designs: Sequence[str]
    agents: Sequence[str]
    weaker: Mapping[str, str]
    metrics: Mapping[tuple[Cell, str], int]
    differences: Mapping[tuple[Cell, str], int]
    seats: Mapping[Cell, Sequence[int]]
    tests: Mapping[Cell, int]
    titles: Mapping[str, str]

    @property
    def base(self) -> str:
        """The label of the base."""
        return str(self.tables["metrics"]["design"][0])

    @property
    def strongest(self) -> str:
        """The agent whose games are told where one is enough."""
        return self.agents[-1]


def view(study: Study) -> View:
    """Return the standard tables of a study in which something has been played."""
    tables = study.tables
    seats: dict[Cell, list[int]] = {}
    for row, cell in enumerate(_cells(tables["seats"])):
        seats.setdefault(cell, []).append(row)
    changed = [entry["label"] for entry in study.manifest["study"]["designs"][1:]]
    there = set(tables["metrics"]["design"])
    return View(
        tables,
        [label for label in changed if label in there],
        [entry["agent"] for entry in study.manifest["agents"]],
        {entry["agent"]: entry["weaker"] for entry in study.manifest["agents"]},
        _by_metric(tables["metrics"]),
        _by_metric(tables["differences"]),
        seats,
        {cell: row for row, cell in enumerate(_cells(tables["tests"]))},
        dict(zip(tables["definitions"]["metric"], tables["definitions"]["title"], strict=True)),
    )


def _cells(table: Table) -> list[Cell]:
    return list(zip(table["design"], table["players"], table["agent"], strict=True))


def _by_metric(table: Table) -> dict[tuple[Cell, str], int]:
    return {key: row for row, key in enumerate(zip(_cells(table), table["metric"], strict=True))}


def where(cells: Sequence[Cell]) -> str:
    """Return cells in words: "with 2 and 3 players (greedy, heuristic)"."""
    agents: dict[int, list[str]] = {}
    for _, players, agent in cells:
        agents.setdefault(players, []).append(agent)
    players_of: dict[str, list[str]] = {}
    for players, names in agents.items():
        players_of.setdefault(", ".join(names), []).append(str(players))
    phrases = [f"with {''.join(listed(players))} players ({names})" for names, players in players_of.items()]
    return "".join(listed(phrases))


def seat_verdict(view: View, cell: Cell) -> str:
    """Return whether the seats of a cell are fair, see `thresholds.verdict`."""
    table, row = view.tables["metrics"], view.metrics[cell, SEAT_GAP]
    ends = table["value_low"][row], table["value_high"][row]
    return verdict(*ends, view.tables["tests"]["p_adjusted"][view.tests[cell]])


def gap(view: View, cell: Cell) -> Number:
    """Return the gap between the seats of a cell as it is told."""
    return told(view.tables, "metrics", view.metrics[cell, SEAT_GAP], "value", POINTS)


def by_verdict(view: View, design: str | None, agent: str | None = None) -> dict[str, list[Cell]]:
    """Return the cells of a design (None: of all changed ones) by their verdict."""
    found: dict[str, list[Cell]] = {name: [] for name in (FAIR, UNFAIR, DIFFERENT, UNCLEAR)}
    for cell in view.seats:
        wanted = cell[0] in view.designs if design is None else cell[0] == design
        if wanted and agent in (None, cell[2]):
            found[seat_verdict(view, cell)].append(cell)
    return found
