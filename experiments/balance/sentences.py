"""Sentences about a study that are made from its numbers, and remember which: what summaries are written with.

A sentence is a template with gaps; each number that fills one knows the table, rows and column that it rests on, so
that every number in a summary can be held against the tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from experiments.readable import digits
from experiments.tables import Table


class Number(NamedTuple):
    """A number of a sentence.

    Attributes:
        text: as it is told, with its interval where it has one.
        table: the table it rests on.
        rows: its rows there, one where the number stands in the table as it is.
        column: its column; the ends of its interval stand in `{column}_low` and `{column}_high`.
        how: what was done with the rows: "value": nothing; else a word that the function which made it explains.
    """

    text: str
    table: str
    rows: tuple[int, ...]
    column: str
    how: str = "value"

    def __str__(self) -> str:
        return self.text


class Sentence(NamedTuple):
    """A sentence, or a few that belong together.

    Attributes:
        topic: the heading it stands under.
        text: plain text.
        numbers: those it rests on, in its order.
    """

    topic: str
    text: str
    numbers: tuple[Number, ...]


def sentence(topic: str, template: str, *parts: str | Number | Sequence[Any]) -> Sentence:
    """Fill the gaps of a template (`{}`) with texts, numbers and phrases (lists of texts and numbers)."""
    flat = [list(_flat(part)) for part in parts]
    text = template.format(*("".join(map(str, part)) for part in flat))
    numbers = tuple(piece for part in flat for piece in part if isinstance(piece, Number))
    return Sentence(topic, text, numbers)


def _flat(part: Any) -> Iterable[str | Number]:
    if isinstance(part, (str, Number)):
        yield part
    else:
        for piece in part:
            yield from _flat(piece)


def listed(parts: Sequence[Any], last: str = "and") -> list[Any]:
    """Return phrases as one: "a", "a and b", "a, b and c"."""
    found: list[Any] = []
    for i, part in enumerate(parts):
        found += [*([] if i == 0 else [f" {last} "] if i == len(parts) - 1 else [", "]), part]
    return found


def separated(parts: Sequence[Any]) -> list[Any]:
    """Return longer phrases as one: "a; b; c"."""
    return [piece for i, part in enumerate(parts) for piece in ([part] if i == 0 else ["; ", part])]


# ---- numbers --------------------------------------------------------------------------------------------------------


class Form(NamedTuple):
    """How a number is told: divided by `scale`, with `unit` behind it."""

    scale: float
    unit: str


PERCENT, POINTS, PLAIN = Form(0.01, " %"), Form(0.01, " percentage points"), Form(1.0, "")
NEARLY_ALL = 0.999
MOST_PLACES = 8


def told(
    tables: Mapping[str, Table], name: str, row: int, column: str, form: Form = PLAIN, signed: bool = False
) -> Number:
    """Return a number of a table with its interval where it has one: "31.2 % [30.1, 32.3]".

    A share without an interval that would be rounded to all is told as "more than 99.9 %": it is no certainty.
    """
    table = tables[name]
    value = table[column][row] / form.scale
    low, high = (_end(table, f"{column}_{end}", row) / form.scale for end in ("low", "high"))
    known = not (math.isnan(low) or math.isnan(high))
    if form == PERCENT and not known and value > 100 * NEARLY_ALL:
        return Number(f"more than {100 * NEARLY_ALL:g} %", name, (row,), column, "nearly all")
    places = digits([value], [high - low] if known else [])
    if form.scale != 1:
        places = min(max(places, 1), 2 if known else 1)
    while low < high and places < MOST_PLACES and f"{low:.{places}f}" == f"{high:.{places}f}":
        places += 1  # an interval that is not a point is not told as one
    sign = "+" if signed else ""
    ends = f" [{low:{sign}z,.{places}f}, {high:{sign}z,.{places}f}]" if known else ""
    return Number(f"{value:{sign}z,.{places}f}{form.unit}{ends}", name, (row,), column)


def _end(table: Table, column: str, row: int) -> float:
    return float(table[column][row]) if column in table else math.nan


def probability(tables: Mapping[str, Table], name: str, row: int, column: str = "p_adjusted") -> Number:
    """Return a probability of a table: "p = 0.012" or "p < 0.001"."""
    value = tables[name][column][row]
    return Number("p < 0.001" if value < 0.001 else f"p = {value:.3f}", name, (row,), column)


def count(tables: Mapping[str, Table], name: str, rows: Sequence[int]) -> Number:
    """Return how many rows there are ("count")."""
    return Number(f"{len(rows):,}", name, tuple(rows), next(iter(tables[name])), "count")
