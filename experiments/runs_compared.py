"""Two run folders side by side: what was asked for, and every number of every table.

Tables of both are made anew from the raw rows, so that both are worked out in the same way.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from experiments import readable
from experiments.intervals import t_quantile
from experiments.result import Tournament, load
from experiments.tables import Table, columns
from gameapi.errors import UserError

FORMAT = "lab-compare-runs/1"

METHOD = (
    "z = (B - A) / sqrt(se(A)^2 + se(B)^2), a two-sample z test of independent runs, with standard errors from the "
    "widths of the 95 % intervals; p is two-sided and not corrected for the number of tests. Runs with the same seed, "
    "deck and rules share their deals and are not independent: the test then errs on the side of no difference "
    "wherever the same cards help both runs alike."
)


class Estimate(NamedTuple):
    """A number of a table, with the ends of its interval where it has one; None where there is no value."""

    value: Any
    low: float | None = None
    high: float | None = None


class Entry(NamedTuple):
    """A number in both runs.

    Attributes:
        key: what tells its row apart.
        column: its column.
        unit: its unit, or numerator / denominator.
        a, b: the number in each run, None where the run lacks the row.
        same: whether both runs have it, equal to the last bit with its interval.
        difference: b less a, None where there is none.
        overlap: whether the intervals overlap; None where they are not there.
        z, p: the test; None where there is none.
    """

    key: dict[str, Any]
    column: str
    unit: str
    a: Estimate | None
    b: Estimate | None
    same: bool
    difference: float | None
    overlap: bool | None
    z: float | None
    p: float | None


class Comparison(NamedTuple):
    """Two runs compared.

    Attributes:
        runs: both runs.
        settings: what was asked for or used and differs: what, in A, in B; None where a run has none.
        tables: for each table its entries, row by row.
        same_rows: whether the raw rows are the same, byte for byte.
    """

    runs: tuple[Tournament, Tournament]
    settings: list[tuple[str, Any, Any]]
    tables: dict[str, list[Entry]]
    same_rows: bool

    @property
    def same_numbers(self) -> bool:
        """Whether every number of every table is in both runs, and equal."""
        return all(entry.same for entries in self.tables.values() for entry in entries)

    def json(self) -> dict[str, Any]:
        """Return the comparison as a JSON document of format `lab-compare-runs/1`."""
        kept = ("identity", "state", "command")
        runs = [{"folder": str(run.folder), **{key: run.manifest[key] for key in kept}} for run in self.runs]
        return {
            "format": FORMAT,
            "game": self.runs[0].game.name,
            **dict(zip("ab", runs, strict=True)),
            "same_numbers": self.same_numbers,
            "same_rows": self.same_rows,
            "test": METHOD,
            "settings": [{"what": what, "a": a, "b": b} for what, a, b in self.settings],
            "tables": {name: [_entry_json(entry) for entry in entries] for name, entries in self.tables.items()},
        }


def _entry_json(entry: Entry) -> dict[str, Any]:
    ends = {side: found._asdict() if found else None for side, found in (("a", entry.a), ("b", entry.b))}
    return {**entry._asdict(), **ends}


def compare(a: str | Path, b: str | Path) -> Comparison:
    """Compare two run folders.

    Raises:
        UnreadableError: a folder is no run folder, or cannot be read.
        UserError: the runs are of different games.
    """
    one, other = load(a), load(b)
    if one.game.name != other.game.name:
        raise UserError(f"is a run of {other.game.name}; {a} is one of {one.game.name}", str(b))
    described = columns(one.game)
    tables = {name: list(_entries(one.tables[name], other.tables[name], described[name])) for name in one.tables}
    return Comparison((one, other), list(_settings(one.manifest, other.manifest)), tables, _same_rows(one, other))


# ---- numbers --------------------------------------------------------------------------------------------------------


def _entries(a: Table, b: Table, described: readable.Described) -> Iterator[Entry]:
    """Give every number of a table, in the order of A's rows, then those that only B has."""
    keys = max((readable.keys(table, described) for table in (a, b)), key=len)
    ends = {end for name in a for end in readable.interval_names(name, a) or ()}
    units = {name: unit for name, unit, _ in described if name not in keys and name not in ends}
    rows = [{key: at for at, key in enumerate(zip(*(table[name] for name in keys), strict=True))} for table in (a, b)]
    for key in dict.fromkeys([*rows[0], *rows[1]]):
        found = [(table, where.get(key)) for table, where in zip((a, b), rows, strict=True)]
        for name, unit in units.items():
            one, other = (None if at is None else _estimate(table, name, at) for table, at in found)
            errors = [None if at is None else _standard_error(table, name, at) for table, at in found]
            same = one is not None and one == other
            yield Entry(dict(zip(keys, key, strict=True)), name, unit, one, other, same, *_tested(one, other, errors))


def _estimate(table: Table, name: str, at: int) -> Estimate:
    ends = readable.interval_names(name, table) or ()
    return Estimate(*(None if _is_nothing(value) else value for value in (table[n][at] for n in (name, *ends))))


def _is_nothing(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _standard_error(table: Table, name: str, at: int) -> float | None:
    """Return the standard error that an interval implies; it is t times the error to both sides, or nearly so."""
    _, low, high = _estimate(table, name, at)
    deals = table["n_deals"][at] if "n_deals" in table else 0
    if low is None or high is None or deals < 2:
        return None
    return (high - low) / 2 / t_quantile(deals - 1)


def _tested(
    a: Estimate | None, b: Estimate | None, errors: Sequence[float | None]
) -> tuple[float | None, bool | None, float | None, float | None]:
    """Return the difference, whether intervals overlap, z and p; None where there is none."""
    if not (a and b and isinstance(a.value, int | float) and isinstance(b.value, int | float)):
        return None, None, None, None
    difference = b.value - a.value
    overlap = None
    if a.low is not None and a.high is not None and b.low is not None and b.high is not None:
        overlap = a.low <= b.high and b.low <= a.high
    known = [error for error in errors if error is not None]
    error = math.hypot(*known) if len(known) == len(errors) else 0.0
    if error == 0:
        return difference, overlap, None, None
    z = difference / error
    return difference, overlap, z, math.erfc(abs(z) / math.sqrt(2))


def _same_rows(a: Tournament, b: Tournament) -> bool:
    """Tell whether two runs have the same parts with the same bytes."""
    return _digests(a) == _digests(b)


def _digests(run: Tournament) -> dict[str, str]:
    assert run.folder is not None
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(run.folder.glob("parts/p*.parquet"))
    }


# ---- settings -------------------------------------------------------------------------------------------------------


def _settings(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Give what differs between two manifests; commands, times and names of folders do not count."""
    one, other = _flat(a), _flat(b)
    for what in dict.fromkeys([*one, *other]):
        if one.get(what) != other.get(what):
            yield what, one.get(what), other.get(what)


def _flat(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that a run was asked for or used, by a name in words."""
    found = {key: manifest[key] for key in ("version", "seed", "games", "lineups", "move_limit", "state", "revision")}
    for entry in manifest["agents"]:
        agent = f"agent {entry['agent']}"
        found[agent] = "there"
        found |= {f"{agent}, {name}": value for name, value in entry["parameters"].items()}
        found[f"{agent}, file"] = entry["file_sha256"]
    found |= {f"rules, {name}": value for name, value in manifest["rules"].items()}
    deck = manifest["deck"]
    found |= {f"deck, {key}": deck[key] for key in ("name", "digest")}
    found |= {f"deck, cards {card}": n for card, n in readable.cards(deck).items()}
    for plan in manifest["plans"]:
        found |= {f"{plan['players']} players, {key[2:]}": plan[key] for key in ("n_games", "n_deals", "n_seatings")}
        found[f"{plan['players']} players, digest of line-ups"] = _digest(plan["lineups"])
    return found | {f"version of {name}": version for name, version in manifest["versions"].items()}


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:12]
