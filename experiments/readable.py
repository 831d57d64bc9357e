"""Tables for people: an estimate and its interval in one column, numbers with as many digits as they deserve."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from experiments.tables import Table

NOTHING = "-"
Described = Sequence[tuple[str, str, str]]


class Shown(NamedTuple):
    """A column as people read it.

    Attributes:
        name: as in `tables.COLUMNS`; columns `_low` and `_high` are part of the one they belong to.
        unit: unit, or numerator / denominator.
        meaning: what the column says.
        heading: its name in words.
        texts: what is read, one entry a row.
        intervals: the interval of each row as text, empty where there is none.
        values: what rows are sorted by; None where there is no value.
        is_text: whether the values are text.
    """

    name: str
    unit: str
    meaning: str
    heading: str
    texts: list[str]
    intervals: list[str]
    values: list[Any]
    is_text: bool


def number(value: float, digits: int = 1) -> str:
    """Return a number, a dash for NaN."""
    return NOTHING if math.isnan(value) else f"{value:,.{digits}f}"


def percent(value: float, low: float = math.nan, high: float = math.nan) -> str:
    """Return a share in percent, with its interval where there is one."""
    if math.isnan(value):
        return NOTHING
    interval = "" if math.isnan(low) else f" [{100 * low:.1f}, {100 * high:.1f}]"
    return f"{100 * value:.1f} %{interval}"


def cards(deck: Mapping[str, Any]) -> dict[str, int]:
    """Return the cards of a manifest's deck in words, with how often each is there.

    Args:
        deck: its `cards` are counts by token, or a list of cards, each an object with a title first of all.
    """
    held = deck["cards"]
    if isinstance(held, Mapping):
        return dict(held)
    return dict(Counter(_card(*card.items()) for card in held))


def _card(title: tuple[str, Any], *rest: tuple[str, Any]) -> str:
    words = (f"{name} {'-'.join(map(str, value)) if isinstance(value, list) else value}" for name, value in rest)
    return ", ".join([str(title[1]), *words])


def is_share(name: str, unit: str) -> bool:
    """Tell whether a column is a share, which people read in percent."""
    return name.endswith("share") or bool(re.search(r" / n_\w+$", unit))


def interval_names(name: str, table: Table) -> tuple[str, str] | None:
    """Return the names of the columns with the interval of a column, None where it has none."""
    ends = f"{name}_low", f"{name}_high"
    return ends if ends[0] in table and ends[1] in table else None


def keys(table: Table, described: Described) -> list[str]:
    """Return the columns that tell rows apart: those without a unit, and further ones until no two rows agree."""
    found = [name for name, unit, _ in described if not unit]
    rest = [name for name, unit, _ in described if unit]
    n_rows = len(next(iter(table.values()), []))
    while rest and len(set(zip(*(table[name] for name in found), strict=True))) < n_rows:
        found.append(rest.pop(0))
    return found


def columns(table: Table, described: Described, by: str | None = None) -> list[Shown]:
    """Return the columns of a table for people: what tells rows apart, then estimates with intervals, then the rest.

    Args:
        table: the table.
        described: its columns with unit and meaning, as `tables.columns` gives them.
        by: a column; rows with the same value in it get as many digits as they deserve among themselves, where numbers
            of several kinds stand in one column.
    """
    ends = {end for name in table for end in interval_names(name, table) or ()}
    known = keys(table, described)
    groups = _groups(table[by]) if by is not None else []
    found = [_shown_apart(table, groups, *column) for column in described if column[0] not in ends]
    return sorted(found, key=lambda column: (column.name not in known, interval_names(column.name, table) is None))


def _groups(values: Sequence[Any]) -> list[list[int]]:
    """Return the rows of each value."""
    found: dict[Any, list[int]] = {}
    for row, value in enumerate(values):
        found.setdefault(value, []).append(row)
    return list(found.values())


def _shown_apart(table: Table, groups: Sequence[Sequence[int]], name: str, unit: str, meaning: str) -> Shown:
    """Return a column whose groups of rows are written each for itself."""
    whole = _shown(table, name, unit, meaning)
    for rows in groups:
        part = _shown({column: [values[row] for row in rows] for column, values in table.items()}, name, unit, meaning)
        for i, row in enumerate(rows):
            whole.texts[row], whole.intervals[row] = part.texts[i], part.intervals[i]
    return whole


def _shown(table: Table, name: str, unit: str, meaning: str) -> Shown:
    given, ends = table[name], interval_names(name, table)
    is_text = any(isinstance(value, str) for value in given)
    values = [None if isinstance(value, float) and math.isnan(value) else value for value in given]
    intervals = [""] * len(given)
    if ends:
        pairs = list(zip(table[ends[0]], table[ends[1]], strict=True))
        texts, intervals = _estimates(given, pairs, is_share(name, unit))
    elif is_text:
        texts = list(map(str, given))
    elif is_share(name, unit):
        texts = [percent(value) for value in given]
    elif any(isinstance(value, float) for value in given):
        texts = rounded(given, digits(given))
    else:
        texts = [f"{value:,}" for value in given]
    heading = name.removeprefix("n_").replace("_", " ")
    return Shown(name, unit, meaning, heading, texts, intervals, values, is_text)


def _estimates(
    values: Sequence[float], pairs: Sequence[tuple[float, float]], share: bool
) -> tuple[list[str], list[str]]:
    """Return estimates and their intervals as texts."""
    if share:
        texts = [percent(value) for value in values]
        whole = [percent(value, *pair) for value, pair in zip(values, pairs, strict=True)]
        return texts, [both.removeprefix(text).strip() for text, both in zip(texts, whole, strict=True)]
    places = digits(values, [high - low for low, high in pairs])
    signed = any(value < 0 for value in values)
    ends = [rounded(side, places, signed) for side in zip(*pairs, strict=True)] or [[], []]
    return rounded(values, places, signed), [
        "" if NOTHING in (low, high) else f"[{low}, {high}]" for low, high in zip(*ends, strict=True)
    ]


def digits(values: Sequence[float], widths: Sequence[float] = ()) -> int:
    """Return how many decimal places a column deserves: what its intervals leave, else three or four digits in all."""
    known = sorted(width for width in widths if width > 0)
    if known:
        return min(8, max(0, 1 - math.floor(math.log10(known[len(known) // 2] / 2))))
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if largest >= 1 or largest == 0:
        return 1 if largest >= 1000 else 2
    return min(8, 2 - math.floor(math.log10(largest)))


def rounded(values: Sequence[float], places: int, signed: bool = False) -> list[str]:
    """Return numbers with so many decimal places; what would be rounded to nothing is told by its power of ten."""
    return [_rounded(value, places, "+" if signed else "") for value in values]


def _rounded(value: float, places: int, sign: str) -> str:
    if math.isnan(value):
        return NOTHING
    tiny = 0 < abs(value) < 0.5 * 10.0**-places
    return f"{value:{sign}.1e}" if tiny and places > 1 else f"{value:{sign},.{places}f}"
