"""What a search found, as tables: trials, the front, the smallest change, and whether it held on fresh deals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiments.balance.designs import Design
from experiments.balance.grid import number_of
from experiments.balance.results import table
from experiments.balance.targets import MET, NOT_MET, UNDECIDED, Target, together
from experiments.balance.trials import Trial, sums
from experiments.intervals import Interval
from experiments.tables import Table, to_rows
from gameapi.errors import UserError

CHANGES = "changes"
"""What can be a target beside metrics: how many settings differ from the base."""

IMPOSSIBLE = "impossible"

_LOW, _HIGH = "lower end of its 95 % interval", "upper end of its 95 % interval"
_TRIAL = ("trial", "", "number of the trial, in the order in which designs were tried")
_DESIGN = ("design", "", "the design: base, or what differs from it")
_CHANGES = (CHANGES, "settings", "how many settings differ from the base")
_TARGET = (
    ("target", "", "what is asked for"),
    ("players", "", "seats at the table; 0 where the target is about all"),
    ("agent", "", "the level of skill; empty where the target is about all"),
)
_VALUE = (
    ("value", "see table definitions", "the metric"),
    ("value_low", "", _LOW),
    ("value_high", "", _HIGH),
)
_SIZE = (("n_games", "games", "games that it is worked out from"), ("n_deals", "deals", "deals of these games"))
_VERDICT = ("verdict", "", "met: the whole interval lies in the range; not met: no part of it does; else undecided")
_OVERALL = ("verdict", "", "met where every target is met everywhere; not met where one is not met somewhere")

COLUMNS = {
    "trials": [
        _TRIAL,
        _DESIGN,
        _CHANGES,
        (*_OVERALL[:2], f"{_OVERALL[2]}; impossible where it cannot be played"),
        ("distance", "", "sum over targets of the distance of the worst cell, each in units of its mean over trials"),
        ("front", "", "1 where no trial is at least as good in every target and in changes, and better in one"),
        ("why", "", "why it cannot be played"),
    ],
    "settings": [
        _TRIAL,
        ("key", "", "what may change"),
        ("value", "", "what it was, as text"),
        ("number", "", "the same as a number, empty where it is none"),
    ],
    "values": [
        _TRIAL,
        _DESIGN,
        *_TARGET,
        *_VALUE,
        ("distance", "see table definitions", "how far the value is from the range, 0 inside"),
        _VERDICT,
        *_SIZE,
    ],
    "pareto": [
        _TRIAL,
        _DESIGN,
        _CHANGES,
        ("target", "", "what is asked for"),
        ("distance", "see table definitions", "how far the worst value is from the range, 0 inside"),
        _VERDICT,
    ],
    "smallest": [
        ("place", "", "by the trials: the smallest change whose values meet the targets is 1, or else the nearest"),
        _TRIAL,
        _DESIGN,
        _CHANGES,
        (*_OVERALL[:2], f"by the trial: {_OVERALL[2]}"),
        ("confirmed", "", "the same by the games on fresh deals: this is to be believed"),
        ("files", "", "begin of the names of its deck and rules files in the run folder"),
    ],
    "confirmation": [
        _TRIAL,
        _DESIGN,
        _CHANGES,
        *_TARGET,
        ("trial_value", "see table definitions", "the metric in the trial, by which the design was chosen"),
        *_VALUE,
        _VERDICT,
        *_SIZE,
    ],
}
"""For each table that a search adds its columns, each with unit and meaning."""

Cell = Mapping[str, Any]


@dataclass(frozen=True)
class Judge:
    """Holds what was found of a design against the targets."""

    targets: Sequence[Target]

    def cells(self, metrics: Table, design: str) -> list[dict[str, Any]]:
        """Return the rows of a table `metrics` that the targets speak of, for one design."""
        names = [name for name, _, _ in (*_TARGET[1:], ("metric", "", ""), *_VALUE, *_SIZE)]
        return [
            {name: math.nan if row[name] is None else row[name] for name in names}
            for row in to_rows(metrics)
            if row["design"] == design
            and any(target.speaks_of(row["metric"], row["players"], row["agent"]) for target in self.targets)
        ]

    def require_values(self, metrics: Table) -> None:
        """Refuse a target of which there is nothing to see.

        Raises:
            UserError: names it.
        """
        rows = to_rows(metrics)
        for target in self.targets:
            seen = any(target.speaks_of(row["metric"], row["players"], row["agent"]) for row in rows)
            if target.metric != CHANGES and not seen:
                raise UserError(f"{target.text}: no level that is played has this metric", "target")

    def judged(self, cells: Sequence[Cell], changes: int) -> Iterator[dict[str, Any]]:
        """Give a row for each target and cell that it speaks of, with distance and verdict."""
        whole = {"players": 0, "agent": "", "metric": CHANGES, "n_games": 0, "n_deals": 0}
        settled: dict[str, Any] = {**whole, **dict.fromkeys(("value", "value_low", "value_high"), float(changes))}
        for target in self.targets:
            for cell in (settled, *cells):
                if target.speaks_of(cell["metric"], cell["players"], cell["agent"]):
                    value = cell["value"]
                    yield {
                        **cell,
                        "target": target.text,
                        "distance": math.inf if math.isnan(value) else target.distance(value),
                        "verdict": target.verdict(Interval(value, cell["value_low"], cell["value_high"])),
                    }

    def distances(self, cells: Sequence[Cell], changes: int) -> list[float]:
        """Return for each target how far the worst cell is from its range."""
        rows = list(self.judged(cells, changes))
        return [max(row["distance"] for row in rows if row["target"] == target.text) for target in self.targets]


def _rows(trial: Trial, judge: Judge) -> list[dict[str, Any]]:
    return [] if trial.worth.impossible else list(judge.judged(trial.worth.found["cells"], trial.worth.found[CHANGES]))


def _changes(trial: Trial) -> int:
    return int(trial.worth.found[CHANGES])


def _verdict(trial: Trial, judge: Judge) -> str:
    if trial.worth.impossible:
        return IMPOSSIBLE
    return together(row["verdict"] for row in _rows(trial, judge))


def _distances(tried: Sequence[Trial], judge: Judge) -> list[float]:
    """Return for each trial how far it is from all targets together."""
    return sums(tried, [1.0] * len(judge.targets) + [0.0])


def ranked(tried: Sequence[Trial], judge: Judge) -> list[Trial]:
    """Return the trials that can be played: those whose values meet the targets by the size of the change, then others.

    The others are ranked by their distance.
    """
    distances = _distances(tried, judge)

    def place(trial: Trial) -> tuple[Any, ...]:
        distance = distances[trial.number]
        return distance, trial.worth.objectives[-1], trial.number

    return sorted((trial for trial in tried if not trial.worth.impossible), key=place)


def finalists(tried: Sequence[Trial], judge: Judge, n: int) -> list[Trial]:
    """Return the trials to be played again, n at most: the best ranked, and one that surely meets the targets.

    A smaller change of which it is not sure goes before a larger one of which it is: more games will tell.
    """
    ranking = ranked(tried, judge)
    sure = [trial for trial in ranking if _verdict(trial, judge) == MET]
    chosen = ranking[:n]
    return chosen if not sure or sure[0] in chosen else [*chosen[:-1], sure[0]]


def front(tried: Sequence[Trial]) -> set[int]:
    """Return the numbers of the trials that no other is better than: at least as good in all, and better in one."""
    possible = [trial for trial in tried if not trial.worth.impossible]

    def beaten(mine: Sequence[float], other: Sequence[float]) -> bool:
        return list(mine) != list(other) and all(b <= a for a, b in zip(mine, other, strict=True))

    return {
        trial.number
        for trial in possible
        if not any(beaten(trial.worth.objectives, other.worth.objectives) for other in possible)
    }


def stem(trial: int) -> str:
    """Return where the files of a trial's design lie in the run folder, without their endings."""
    return f"designs/trial-{trial:04d}"


def tables(
    tried: Sequence[Trial],
    chosen: Sequence[Trial],
    judge: Judge,
    design_of: Callable[[Mapping[str, str]], Design],
    confirmed: Table,
) -> dict[str, Table]:
    """Return all tables that a search adds.

    Args:
        tried: all trials.
        chosen: the finalists, best first.
        judge: the targets.
        design_of: gives the design of settings.
        confirmed: the finalists' `metrics` on fresh deals.
    """
    labels = {trial.number: design_of(trial.settings).label for trial in tried}
    best = front(tried)
    distances = _distances(tried, judge)
    again = {trial.number: judge.cells(confirmed, labels[trial.number]) for trial in chosen}
    rows: dict[str, list[dict[str, Any]]] = {
        "trials": [
            {
                **_head(trial, labels),
                "verdict": _verdict(trial, judge),
                "distance": math.nan if trial.worth.impossible else distances[trial.number],
                "front": int(trial.number in best),
                "why": trial.worth.impossible,
            }
            for trial in tried
        ],
        "settings": [
            {"trial": trial.number, "key": key, "value": value, "number": number_of(value)}
            for trial in tried
            for key, value in trial.settings.items()
        ],
        "values": [{**_head(trial, labels), **row} for trial in tried for row in _rows(trial, judge)],
        "pareto": [row for trial in tried if trial.number in best for row in _front_rows(trial, labels, judge)],
        "smallest": [
            {
                "place": place,
                **_head(trial, labels),
                "verdict": _verdict(trial, judge),
                "confirmed": together(row["verdict"] for row in judge.judged(again[trial.number], _changes(trial))),
                "files": stem(trial.number),
            }
            for place, trial in enumerate(chosen, start=1)
        ],
        "confirmation": [
            {**_head(trial, labels), **row, "trial_value": before["value"]}
            for trial in chosen
            for row, before in zip(judge.judged(again[trial.number], _changes(trial)), _rows(trial, judge), strict=True)
        ],
    }
    return {name: table(name, listed, COLUMNS) for name, listed in rows.items()}


def _head(trial: Trial, labels: Mapping[int, str]) -> dict[str, Any]:
    return {"trial": trial.number, "design": labels[trial.number], CHANGES: _changes(trial)}


def _front_rows(trial: Trial, labels: Mapping[int, str], judge: Judge) -> Iterator[dict[str, Any]]:
    """Give a row for each target: the distance of the worst cell, and the verdict over all."""
    found = _rows(trial, judge)
    for target, distance in zip(judge.targets, trial.worth.objectives, strict=False):
        verdict = together(row["verdict"] for row in found if row["target"] == target.text)
        yield {**_head(trial, labels), "target": target.text, "distance": distance, "verdict": verdict}


def answer(made: Mapping[str, Table]) -> str:
    """Return in a sentence what the search came to, by the confirmation."""
    rows = to_rows(made["smallest"])
    kept = [row for row in rows if row["confirmed"] == MET]
    if kept:
        best = min(kept, key=lambda row: (row[CHANGES], row["place"]))
        return f"Smallest change that meets all targets on fresh deals: {best['design']} ({best['files']})"
    if any(row["confirmed"] == UNDECIDED for row in rows):
        return "No finalist surely meets all targets on fresh deals, and not all surely miss them: play more games"
    if all(verdict in (NOT_MET, IMPOSSIBLE) for verdict in made["trials"]["verdict"]):
        return "No design that was tried meets all targets"
    return "No finalist meets all targets on fresh deals"
