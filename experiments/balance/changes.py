"""What changed designs do, in sentences: only differences that hold after correction, with size and interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from experiments.balance.metrics import DECISIONS, SEAT_GAP
from experiments.balance.sentences import POINTS, Form, Number, Sentence, count, listed, sentence, separated, told
from experiments.balance.thresholds import DIFFERENT, FAIR, POWER, SURE, UNCLEAR, UNFAIR, freedom_of, visible
from experiments.balance.views import View, by_verdict, gap

MOST_DESIGNS = 12
"""So many changed designs are told one by one; of more the extremes."""
MOST_CHANGES = 4
"""Metrics told of a changed design; the table has all."""

ORDER = (SEAT_GAP, DECISIONS, "lone_share", "tied_share", "split_share", "unwon_share", "score_mean", "margin_mean")
"""Metrics that are told first, the weightiest first."""
UNSEEN = (SEAT_GAP, DECISIONS, "lone_share")
"""Metrics of which it is told how small a difference would have been seen."""
ALL_POINTS = 100
"""Percentage points: no difference of shares is larger."""


def form_of(view: View, metric: str) -> tuple[str, Form]:
    """Return a metric in words, and how differences of it are told."""
    words, _, unit = view.titles[metric].removesuffix(")").partition(" (")
    if metric.endswith("_share") or unit in ("share", "win share"):
        return words, POINTS
    return words, Form(1.0, f" {unit}" if unit.isalpha() else "")


def changes(view: View) -> Iterator[Sentence]:
    """Give what each changed design does; of many designs how many differ, and which most."""
    topic = "What does each design change?"
    tests = sum(not math.isnan(p_value) for p_value in view.tables["differences"]["p_value"])
    if not view.designs or not tests:
        return
    if len(view.designs) > MOST_DESIGNS:
        yield from _extremes(view, topic)
        return
    idle = []
    for design in view.designs:
        rows = [row for (cell, _), row in view.differences.items() if cell[0] == design]
        sure = [row for row in rows if _holds(view, row)]
        if sure:
            yield _effects(view, topic, design, sure)
        elif all(_nothing(view, row) for row in rows):
            template = (
                "{}: every number is the same on these deals; that it would be on others cannot be told from them."
            )
            yield sentence(topic, template, design)
        else:
            idle.append(design)
    if idle:
        yield _unseen(view, topic, idle, tests)


def _holds(view: View, row: int) -> bool:
    return bool(view.tables["differences"]["p_adjusted"][row] < SURE)


def _nothing(view: View, row: int) -> bool:
    """Tell whether a difference is 0 in every group of deals."""
    table = view.tables["differences"]
    return bool(table["difference"][row] == 0 and table["p_value"][row] == 1)


def _effects(view: View, topic: str, design: str, sure: Sequence[int]) -> Sentence:
    """Say what a design changes for sure, the weightiest metrics first, as the strongest agent plays it."""
    table = view.tables["differences"]
    by_metric: dict[str, list[int]] = {}
    for row in sure:
        by_metric.setdefault(table["metric"][row], []).append(row)
    ranked = sorted(by_metric, key=lambda metric: ORDER.index(metric) if metric in ORDER else len(ORDER))
    told_of: dict[str, list[Any]] = {}
    n = 0
    for metric in ranked[:MOST_CHANGES]:
        agents = [table["agent"][row] for row in by_metric[metric]]
        agent = view.strongest if view.strongest in agents else agents[-1]
        rows = [row for row in by_metric[metric] if table["agent"][row] == agent]
        words, form = form_of(view, metric)
        each = [[_less(view, row, form), f" with {table['players'][row]} players"] for row in rows]
        told_of.setdefault(agent, []).append([f"{words} ", *listed(each)])
        n += len(rows)
    parts = [[f"played by {agent}: ", *separated(phrases)] for agent, phrases in told_of.items()]
    more = [" In all, ", count(view.tables, "differences", sure), " differences hold."] if n < len(sure) else ""
    return sentence(topic, "{} compared with the base, {}.{}", design, separated(parts), more)


def _less(view: View, row: int, form: Form) -> Number:
    return told(view.tables, "differences", row, "difference", form, signed=True)


def _unseen(view: View, topic: str, designs: Sequence[str], tests: int) -> Sentence:
    """Say that designs change nothing that the games can show, and how small a difference they would have shown."""
    table, left_out = view.tables["differences"], False
    seen: list[Any] = []
    unseen: list[Any] = []
    for metric in UNSEEN:
        words, form = form_of(view, metric)
        rows = [row for (cell, name), row in view.differences.items() if cell[0] in designs and name == metric]
        known = [row for row in rows if table["difference_high"][row] > table["difference_low"][row]]
        left_out |= 0 < len(known) < len(rows)
        least = max((_visible(view, row, tests) for row in known), default=0.0) / form.scale
        if known and form == POINTS and least > ALL_POINTS:
            unseen.append(f"In {words} not even {ALL_POINTS} percentage points would have been.")
        elif known:
            text = f"{_two_digits(least)}{form.unit}"
            seen.append([Number(text, "differences", tuple(known), "difference", "visible"), f" in {words}"])
        elif rows:
            unseen.append(f"In {words} it cannot be told from so few games.")
    where = "at every number of players and level" + (" of which it can be told" if left_out else "")
    template = "{}: nothing that so many games can see. What would have been seen {} times in 100, {}: {}"
    found = [["a difference of ", *listed(seen, "or"), "."]] if seen else []
    spaced = [[" " if i else "", part] for i, part in enumerate([*found, *unseen])]
    return sentence(topic, template, listed(designs), f"{100 * POWER:g}", where, spaced)


def _visible(view: View, row: int, tests: int) -> float:
    """Return the difference in a row that would have been seen."""
    table = view.tables["differences"]
    half = (table["difference_high"][row] - table["difference_low"][row]) / 2
    return visible(half, freedom_of(table["n_deals"][row]), tests)


def _two_digits(value: float) -> str:
    """Return a number above 0 with two digits that count, or all before the point; never with a power of ten."""
    return f"{value:,.{max(0, 1 - math.floor(math.log10(value)))}f}"


def _extremes(view: View, topic: str) -> Iterator[Sentence]:
    """Say of many designs how many differ from the base, and which differ most."""
    for metric in filter(view.titles.__contains__, ORDER):
        words, form = form_of(view, metric)
        by_players: dict[int, list[int]] = {}
        for (cell, name), row in view.differences.items():
            if name == metric and cell[2] == view.strongest:
                by_players.setdefault(cell[1], []).append(row)
        parts = [
            [f"with {players} players ", *_range(view, rows, form)]
            for players, rows in by_players.items()
            if any(_holds(view, row) for row in rows)
        ]
        if parts:
            template = "How many designs surely differ from the base in {}, played by {}: {}."
            yield sentence(topic, template, words, view.strongest, separated(parts))


def _range(view: View, rows: Sequence[int], form: Form) -> list[Any]:
    """Return how many of some differences hold, and the least and greatest of these."""
    table = view.tables["differences"]
    sure = sorted((row for row in rows if _holds(view, row)), key=table["difference"].__getitem__)
    ends = [[_less(view, row, form), f" ({table['design'][row]})"] for row in dict.fromkeys([sure[0], sure[-1]])]
    counts = [count(view.tables, "differences", sure), " of ", count(view.tables, "differences", rows)]
    return [*counts, ", from " if len(ends) > 1 else ", ", *listed(ends, "to")]


def seats_of_designs(view: View) -> Iterator[Sentence]:
    """Give how many of the changed designs have fair seats."""
    found = by_verdict(view, None, view.strongest)
    cells = [cell for listed_cells in found.values() for cell in listed_cells]
    if not cells:
        return
    parts = [
        [f"{words} in ", count(view.tables, "metrics", [view.metrics[cell, SEAT_GAP] for cell in found[name]])]
        for name, words in (
            (FAIR, "fair"),
            (UNFAIR, "not fair"),
            (DIFFERENT, "different, though perhaps by little,"),
            (UNCLEAR, "not clear"),
        )
        if found[name]
    ]
    template = "Changed designs, each number of players counted apart, played by {}: seats are {} of {}.{}"
    total = count(view.tables, "metrics", [view.metrics[cell, SEAT_GAP] for cell in cells])
    unfair = found[UNFAIR]
    named = [[f"{cell[0]} with {cell[1]} players ", gap(view, cell)] for cell in unfair[:MOST_CHANGES]]
    more = f" and {len(unfair) - MOST_CHANGES:,} more" if len(unfair) > MOST_CHANGES else ""
    rest = [" Gaps of those that are not fair: ", *separated(named), more, "."] if named else ""
    yield sentence("Are seats fair?", template, view.strongest, listed(parts), total, rest)
