"""`compare-runs`: what differs between two run folders."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from experiments.cli import Call, options

if TYPE_CHECKING:
    from experiments.runs_compared import Comparison, Entry, Estimate

MOST_LINES = 60  # of a table; --json has all
NOTHING = "-"


@click.command(
    epilog="""\b
Examples:
  GAME compare-runs results/before results/after
  GAME compare-runs results/mine results/yours --json

Exit code 0: the same numbers. 1: they differ. 2: a folder cannot be read as a run."""
)
@click.argument("a", type=click.Path(path_type=Path))
@click.argument("b", type=click.Path(path_type=Path))
@options.as_json
@click.pass_obj
def command(call: Call, a: Path, b: Path, as_json: bool) -> int:
    """Tell what differs between the run folders A and B: what was asked for, and every number of every table.

    The raw rows of both are read anew. Intervals are compared, and a z test for independent runs goes with each pair.
    """
    for folder in (a, b):
        options.check_run(call.game, folder)
    from experiments.runs_compared import compare

    found = compare(a, b)
    print(json.dumps(found.json(), allow_nan=False) if as_json else _text(found))
    return 0 if found.same_numbers else 1


def _text(found: Comparison) -> str:
    from experiments.cli.printing import aligned
    from experiments.runs_compared import METHOD

    parts = [aligned([("", ["A", "B"]), *_heads(found)])]
    if found.settings:
        rows = [[what, _value(a), _value(b)] for what, a, b in found.settings]
        parts.append("Settings that differ\n" + aligned(_turned(["what", "A", "B"], rows)))
    else:
        parts.append("No setting differs.")
    parts += [_table(name, entries) for name, entries in found.tables.items()]
    n_tests = sum(entry.z is not None and not entry.same for entries in found.tables.values() for entry in entries)
    if n_tests:
        alarms = f"{n_tests:,} tests: where nothing differs, about {0.05 * n_tests:,.0f} of them have p below 0.05."
        parts.append(f"{METHOD} {alarms}")
    parts.append(
        "The same raw rows, byte for byte."
        if found.same_rows
        else "The same numbers."
        if found.same_numbers
        else "The numbers differ."
    )
    return "\n\n".join(parts)


def _heads(found: Comparison) -> list[tuple[str, list[str]]]:
    return [
        ("run", [str(run.folder) for run in found.runs]),
        ("state", [str(run.manifest["state"]) for run in found.runs]),
        ("games", [f"{sum(run.tables['games']['n_games']):,}" for run in found.runs]),
        ("seed", [str(run.manifest["seed"]) for run in found.runs]),
    ]


def _turned(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[tuple[str, Sequence[str]]]:
    """Return rows as columns below their headings."""
    return list(zip(heads, map(list, zip(*rows, strict=True)), strict=True))


def _value(value: Any) -> str:
    return NOTHING if value is None else value if isinstance(value, str) else json.dumps(value)


def _table(name: str, entries: Sequence[Entry]) -> str:
    from experiments.cli.printing import aligned

    differ = [entry for entry in entries if not entry.same]
    title = name.replace("_", " ").capitalize()
    if not differ:
        return f"{title}: {len(entries):,} numbers, all the same"
    shown = differ[:MOST_LINES]
    texts = {column: _column([entry for entry in shown if entry.column == column]) for column in _columns(shown)}
    rows = [
        [
            *map(str, entry.key.values()),
            entry.column.removeprefix("n_").replace("_", " "),
            *next(texts[entry.column]),
            NOTHING if entry.overlap is None else "overlap" if entry.overlap else "apart",
            NOTHING if entry.z is None else f"{entry.z:+.2f}",
            NOTHING if entry.p is None else f"{entry.p:.3f}" if entry.p >= 0.001 else f"{entry.p:.0e}",
        ]
        for entry in shown
    ]
    heads = [*shown[0].key, "what", "A", "B", "B - A", "intervals", "z", "p"]
    more = f"\nand {len(differ) - len(shown):,} more; --json has all" if len(differ) > len(shown) else ""
    return f"{title}: {len(entries):,} numbers, {len(differ):,} differ\n{aligned(_turned(heads, rows))}{more}"


def _columns(entries: Sequence[Entry]) -> list[str]:
    return list(dict.fromkeys(entry.column for entry in entries))


def _column(entries: Sequence[Entry]) -> Any:
    """Give for each entry of one column A, B and the difference as texts with the same number of decimal places."""
    from experiments import readable

    sides = [side for entry in entries for side in (entry.a, entry.b) if side and side.value is not None]
    whole = all(isinstance(side.value, int) for side in sides)
    widths = [side.high - side.low for side in sides if side.low is not None and side.high is not None]
    share = readable.is_share(entries[0].column, entries[0].unit)
    places = 0 if whole else readable.digits([side.value for side in sides], widths)
    for entry in entries:
        gap = entry.difference
        if share:
            told = NOTHING if gap is None else f"{100 * gap:+.1f} points"
        else:
            told = NOTHING if gap is None else readable.rounded([gap], places, signed=True)[0]
        yield _side(entry.a, places, share), _side(entry.b, places, share), told


def _side(side: Estimate | None, places: int, share: bool) -> str:
    from experiments import readable

    if side is None:
        return "no such row"
    numbers = [math.nan if value is None else value for value in side]
    if share:
        return readable.percent(*numbers)
    value, low, high = readable.rounded(numbers, places)
    return value if side.low is None else f"{value} [{low}, {high}]"
