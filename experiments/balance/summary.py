"""The designer's summary: what a study found, in plain words made from its tables.

No sentence claims more than the intervals and tests that it rests on: what straddles a threshold is called not clear,
and differences are told only where they hold after correction for all tests of the study.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from experiments.balance import kinds
from experiments.balance.changes import changes, seats_of_designs
from experiments.balance.metrics import DECISIONS, SEAT_GAP
from experiments.balance.sentences import (
    PERCENT,
    PLAIN,
    Form,
    Number,
    Sentence,
    count,
    listed,
    sentence,
    separated,
    told,
)
from experiments.balance.study import Study
from experiments.balance.thresholds import DIFFERENT, FAIR, FAIR_GAP, SURE, UNCLEAR, UNFAIR, freedom_of, side
from experiments.balance.views import Cell, View, by_verdict, gap, view, where
from experiments.tables import Table

MOST_NAMED = 4
"""Of what cannot be played, so much is told; the table has all."""

COUNTED = ("metrics", "depth", "confirmation")
"""Tables whose numbers of games the summary tells."""

PAYS, FAILS, OPEN = (
    "Skill pays",
    "The stronger is not the stronger here, and wins less than an equal share",
    "Whether skill pays is not clear",
)


def sentences(study: Study) -> list[Sentence]:
    """Return the summary of a study: what its kind has to say, and what every study tells; see `kinds`."""
    own, kind = kinds.sentences(study), kinds.of(study)
    if "metrics" not in study.tables or not study.tables["metrics"]["metric"]:
        return own
    seen = view(study)
    of_base = [each for tell in (_seats, _length, _ties, _skill) for each in tell(seen)]
    compared = (changes, seats_of_designs) if kind.compares else ()
    rest = [each for tell in (*compared, _impossible, _sureness) for each in tell(seen)]
    if kind.about_base:
        return [*of_base, *own, *rest]
    label = f"{seen.base[:1].upper()}{seen.base[1:]}"
    return [*own, *(each._replace(text=f"{label}: {each.text}") for each in of_base), *rest]


# ---- seats ----------------------------------------------------------------------------------------------------------


def _widest(view: View, cells: Sequence[Cell]) -> Cell:
    """Return the cell whose gap may be the widest: the upper end of its interval is."""
    highs = view.tables["metrics"]["value_high"]
    return max(cells, key=lambda cell: -math.inf if math.isnan(high := highs[view.metrics[cell, SEAT_GAP]]) else high)


def _seats(view: View) -> Iterator[Sentence]:
    topic, limit = "Are seats fair?", f"{100 * FAIR_GAP:g} percentage points"
    found = by_verdict(view, view.base)
    if fair := found[FAIR]:
        template = (
            "Seats are fair {}: the seat that wins most is less than {} ahead of the one that wins least. The gap that "
            "could be widest is {} ({} players, {})."
        )
        cell = _widest(view, fair)
        yield sentence(topic, template, where(fair), limit, gap(view, cell), str(cell[1]), cell[2])
    for cell in found[UNFAIR]:
        template = "Seats are not fair {}: {}. The gap is {}."
        yield sentence(topic, template, where([cell]), _unequal(view, cell), gap(view, cell))
    for cell in found[DIFFERENT]:
        template = "Seats differ {}, though perhaps by less than {}: {}. The gap is {}."
        yield sentence(topic, template, where([cell]), limit, _unequal(view, cell), gap(view, cell))
    if unclear := found[UNCLEAR]:
        cell = _widest(view, unclear)
        template = (
            "Whether seats are fair is not clear {}: no difference between them is sure, but a gap of {} or more is "
            "not ruled out. The gap that could be widest is {} ({} players, {})."
        )
        yield sentence(topic, template, where(unclear), limit, gap(view, cell), str(cell[1]), cell[2])


def _unequal(view: View, cell: Cell) -> list[Any]:
    """Say which seats win too much or too little, as far as their intervals tell; else which win most and least."""
    table, rows = view.tables["seats"], view.seats[cell]
    shares = table["win_share"]
    equal = math.fsum(shares[row] for row in rows) / len(rows)
    most, least = max(rows, key=shares.__getitem__), min(rows, key=shares.__getitem__)
    much = "too much" if _side(table, most, "win_share", equal, len(rows)) > 0 else "most"
    little = "too little" if _side(table, least, "win_share", equal, len(rows)) < 0 else "least"
    average = Number(f"{100 * equal:.1f} %", "seats", tuple(rows), "win_share", "mean")
    parts = [
        [_seat(table["seat"][row]), f" wins {words} with ", told(view.tables, "seats", row, "win_share", PERCENT)]
        for row, words in ((most, much), (least, little))
    ]
    return [*listed(parts), ", an average seat with ", average]


def _side(table: Table, row: int, column: str, mark: float, family: int) -> int:
    """Return on which side of a mark an estimate surely lies, see `thresholds.side`."""
    value, low, high = (table[f"{column}{end}"][row] for end in ("", "_low", "_high"))
    return side(value, low, high, mark, freedom_of(table["n_deals"][row]), family)


def _seat(number: int) -> str:
    return "seat 0, which starts," if number == 0 else f"seat {number}"


# ---- length, ties, skill --------------------------------------------------------------------------------------------


def _base_cells(view: View, agent: str) -> list[Cell]:
    base = view.base
    return [cell for cell in view.seats if cell[0] == base and cell[2] == agent]


def _length(view: View) -> Iterator[Sentence]:
    parts = []
    for cell in _base_cells(view, view.strongest):
        part: list[Any] = [_metric(view, cell, DECISIONS), " decisions"]
        if (cell, "turns_mean") in view.metrics:
            part += [" (", _metric(view, cell, "turns_mean"), " turns)"]
        parts.append([*part, f" with {cell[1]} players"])
    yield sentence("How long is a game?", "A game of {} takes {}.", f"{view.strongest} against itself", listed(parts))


def _metric(view: View, cell: Cell, metric: str, form: Form = PLAIN) -> Number:
    return told(view.tables, "metrics", view.metrics[cell, metric], "value", form)


def _ties(view: View) -> Iterator[Sentence]:
    for cell in _base_cells(view, view.strongest):
        tied, broken, split = (
            _metric(view, cell, metric, PERCENT) for metric in ("tied_share", "tiebreak_share", "split_share")
        )
        unwon: list[Any] = []
        if view.tables["metrics"]["value"][view.metrics[cell, "unwon_share"]] > 0:
            unwon = [", and nobody wins in ", _metric(view, cell, "unwon_share", PERCENT)]
        template = (
            "With {} players ({}), {} of games are tied for the best score; the tie-break settles {}, the win is split "
            "in {}{}."
        )
        yield sentence("How often ties?", template, str(cell[1]), cell[2], tied, broken, split, unwon)


def _skill(view: View) -> Iterator[Sentence]:
    table = view.tables["metrics"]
    family = sum(cell[0] == view.base and metric == "lone_share" for cell, metric in view.metrics)
    for agent in view.agents:
        found: dict[str, list[Any]] = {}
        for cell in _base_cells(view, agent):
            if (cell, "lone_share") in view.metrics:
                row, equal = view.metrics[cell, "lone_share"], 1 / cell[1]
                sure = _side(table, row, "value", equal, family)
                share = told(view.tables, "metrics", row, "value", PERCENT)
                part = [share, f" with {cell[1]} players, where an equal share is {100 * equal:.1f} %"]
                found.setdefault({1: PAYS, -1: FAILS, 0: OPEN}[sure], []).append(part)
        for opening, parts in found.items():
            template = "{}: one {} among copies of {} wins {}."
            yield sentence("What is skill worth?", template, opening, agent, view.weaker[agent], separated(parts))


# ---- what cannot be played, how sure all is -------------------------------------------------------------------------


def _impossible(view: View) -> Iterator[Sentence]:
    table = view.tables["impossible"]
    rows = list(range(len(table["design"])))
    if rows:
        named = [f"{table['design'][row]} with {table['players'][row]} players ({table['why'][row]})" for row in rows]
        shown = separated(named[:MOST_NAMED])
        more = f"; and {len(rows) - MOST_NAMED:,} more, in the table" if len(rows) > MOST_NAMED else ""
        template = "{} cannot be played: {}{}."
        told_count = [count(view.tables, "impossible", rows), " combination" if len(rows) == 1 else " combinations"]
        yield sentence("What cannot be played?", template, [*told_count, " of design and players"], shown, more)


def _sureness(view: View) -> Iterator[Sentence]:
    sizes = [
        Number(f"{n:,}", name, (row,), "n_games")
        for name in COUNTED
        for row, n in enumerate(view.tables.get(name, {}).get("n_games", []))
    ]
    games = [end(sizes, key=lambda size: view.tables[size.table]["n_games"][size.rows[0]]) for end in (min, max)]
    each = games[:1] if games[0].text == games[1].text else listed(games, "to")
    template = "Each number rests on {} games; brackets hold its 95 % interval, deals being the unit.{}"
    differences = view.tables["differences"]
    rows = [row for row, p_value in enumerate(differences["p_value"]) if not math.isnan(p_value)]
    tested: Any = ""
    if rows:
        sure = [row for row in rows if differences["p_adjusted"][row] < SURE]
        tested = [
            " ",
            count(view.tables, "differences", rows),
            " differences from the base were tested; ",
            count(view.tables, "differences", sure),
            f" of them {'holds' if len(sure) == 1 else 'hold'} after correction, which leaves a chance of at most "
            f"{100 * SURE:g} % that even one is a false alarm.",
        ]
    yield sentence("How sure is this?", template, each, tested)
