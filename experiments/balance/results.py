"""From the totals of a study's cells to tidy tables; every number comes from totals alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from experiments.balance import estimates
from experiments.balance.cells import Key
from experiments.balance.estimates import Estimate, Sums
from experiments.balance.metrics import Metric, metrics, ratio
from experiments.balance.totals import ALONE, MIRROR, Totals
from experiments.balance.watched import WATCHED, coverage, endings
from experiments.intervals import interval_row
from experiments.significance import holm, means_are_equal
from experiments.sums import WIN_UNIT
from experiments.tables import Table
from gameapi.game import Game

_LOW, _HIGH = "lower end of its 95 % interval", "upper end of its 95 % interval"
_CELL = (
    ("design", "", "the design: base, or what differs from it"),
    ("players", "", "seats at the table"),
    ("agent", "", "the level of skill: who plays"),
)
_N_GAMES = ("n_games", "games", "games that it is worked out from")
_N_DEALS = ("n_deals", "deals", "deals of these games; intervals are clustered by deal")

Rows = Callable[[Game, Sums], Iterator[dict[str, Any]]]

METHOD = (
    "Intervals are 95 %, clustered by deal: delete-a-group jackknife over up to 251 groups of deals, with Student's t; "
    "Wilson's for shares, with the effective size that this implies."
)
FAMILY = (
    "Holm's method over all differences of the study: where those below 0.05 are taken for differences, any false "
    "alarm in the whole study has a probability of at most 5 %."
)
METHODS = {"*_low, *_high": METHOD, "p_adjusted": FAMILY}

COLUMNS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "metrics": [
        *_CELL,
        ("metric", "", "which number"),
        ("value", "see table definitions", "the metric"),
        ("value_low", "", _LOW),
        ("value_high", "", _HIGH),
        _N_GAMES,
        _N_DEALS,
    ],
    "differences": [
        *_CELL,
        ("metric", "", "which number"),
        ("base", "", "the metric of the base"),
        ("value", "", "the metric of the design"),
        ("difference", "", "value - base, on the same deals"),
        ("difference_low", "", _LOW),
        ("difference_high", "", _HIGH),
        ("p_value", "probability", "of such a difference, or a larger one, if there were none (t test)"),
        ("p_adjusted", "probability", "p_value by Holm's method over all differences of the study"),
        ("variance_ratio", "", "how many times as many games designs on deals of their own would take"),
        _N_GAMES,
        _N_DEALS,
    ],
    "seats": [
        *_CELL,
        ("seat", "", "0 starts"),
        ("win_share", "wins / games", "wins of this seat, everybody being equally strong"),
        ("win_share_low", "wins / games", _LOW),
        ("win_share_high", "wins / games", _HIGH),
        ("score_mean", "points", "mean final score in this seat"),
        ("score_mean_low", "points", _LOW),
        ("score_mean_high", "points", _HIGH),
        _N_GAMES,
        _N_DEALS,
    ],
    "tests": [
        *_CELL,
        ("test", "", "seats: all seats win equally often"),
        ("statistic", "F", "chi-square of Wald's test over its degrees of freedom, clustered by groups of deals"),
        ("df", "", "degrees of freedom of the numerator"),
        ("df_error", "", "degrees of freedom of the denominator"),
        ("p_value", "probability", "of such a statistic, or a larger one, if there were no difference"),
        ("p_adjusted", "probability", "p_value by Holm's method over all tests of this table"),
        _N_GAMES,
        _N_DEALS,
    ],
    "events": [
        *_CELL,
        ("event", "", "what the rules brought about"),
        ("rulings", "", "the rulings that it shows at work"),
        ("per_game", "a game", "how often it came up; without an interval where it never did"),
        ("per_game_low", "a game", _LOW),
        ("per_game_high", "a game", _HIGH),
        ("share", "games / games", "watched games in which it came up"),
        ("share_low", "games / games", _LOW),
        ("share_high", "games / games", _HIGH),
        ("meaning", "", "what is counted"),
        ("n_games", "games", "games that were watched"),
        _N_DEALS,
    ],
    "endings": [
        *_CELL,
        ("ending", "", "how a game ended"),
        ("rulings", "", "the ruling behind it"),
        ("share", "games / games", "games that ended so"),
        ("share_low", "games / games", _LOW),
        ("share_high", "games / games", _HIGH),
        ("meaning", "", "what is counted"),
        _N_GAMES,
        _N_DEALS,
    ],
    "impossible": [
        ("design", "", "a design that cannot be played"),
        ("players", "", "by so many"),
        ("why", "", "what does not fit"),
    ],
    "definitions": [
        ("metric", "", "its name in the tables"),
        ("title", "", "what it is, with the unit"),
        ("lineup", "", "mirror: everybody is played by the agent; alone: the agent meets copies of the level before"),
        ("meaning", "", "how it is worked out"),
    ],
}
"""For each table its columns, each with unit and meaning."""


@dataclass(frozen=True)
class Found:
    """All that the tables of a study are made from.

    Attributes:
        game: the game.
        designs: labels, the base first.
        agents: specs of the levels.
        totals: of each cell that was played.
        impossible: rows of that table.
    """

    game: Game
    designs: Sequence[str]
    agents: Sequence[str]
    totals: Mapping[Key, Totals]
    impossible: Sequence[Mapping[str, Any]]


def tables(found: Found) -> dict[str, Table]:
    """Return all tables by name, in the order of `COLUMNS`."""
    known = metrics(found.game)
    worked_out = work_out(found)
    differences = list(_differences(found, worked_out))
    tests = list(_tests(found))
    adjust(differences)
    adjust(tests)
    rows: dict[str, Sequence[Mapping[str, Any]]] = {
        "metrics": list(_metrics(found, known, worked_out)),
        "differences": differences,
        "seats": list(_seats(found)),
        "tests": tests,
        "events": list(_watched(found, coverage, WATCHED)),
        "endings": list(_watched(found, endings, "games")),
        "impossible": found.impossible,
        "definitions": [
            {"metric": m.name, "title": m.title, "lineup": m.lineup, "meaning": m.meaning} for m in known.values()
        ],
    }
    return {name: table(name, rows[name]) for name in COLUMNS}


def work_out(found: Found) -> dict[tuple[Key, str], Estimate]:
    """Return every metric of every cell that has it."""
    known = metrics(found.game)
    return {
        (key, name): estimates.estimate(metric.of, Sums(totals, key.players), metric.size, metric.looks(key.players))
        for key, totals in found.totals.items()
        for name, metric in known.items()
        if metric.lineup == key.lineup and metric.size in totals.names
    }


def adjust(family: Sequence[dict[str, Any]]) -> None:
    """Give the rows of a family of tests, which have `p_value`, their `p_adjusted` by Holm's method."""
    for row, p_value in zip(family, holm([row["p_value"] for row in family]), strict=True):
        row["p_adjusted"] = p_value


def table(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    columns: Mapping[str, Sequence[tuple[str, str, str]]] = COLUMNS,
) -> Table:
    """Return rows as the table of that name, in the order of its columns."""
    return {column: [row[column] for row in rows] for column, _, _ in columns[name]}


def _cell(found: Found, key: Key) -> dict[str, Any]:
    return {"design": found.designs[key.design], "players": key.players, "agent": found.agents[key.level]}


def _size(found: Found, key: Key, estimate: Estimate) -> dict[str, int]:
    totals = found.totals[key]
    games = int(totals.column("games").sum())
    return {"n_games": estimate.n, "n_deals": estimate.n * totals.deals // games}


def _metrics(
    found: Found, known: Mapping[str, Metric], worked_out: Mapping[tuple[Key, str], Estimate]
) -> Iterator[dict[str, Any]]:
    for (key, name), estimate in worked_out.items():
        yield {
            **_cell(found, key),
            "metric": name,
            **interval_row("value", estimates.interval(estimate, known[name].is_share)),
            **_size(found, key, estimate),
        }


def _differences(found: Found, worked_out: Mapping[tuple[Key, str], Estimate]) -> Iterator[dict[str, Any]]:
    for (key, name), estimate in worked_out.items():
        if key.design == 0:
            continue
        base = worked_out[key._replace(design=0), name]
        less = estimates.difference(estimate, base)
        yield {
            **_cell(found, key),
            "metric": name,
            "base": base.value,
            "value": estimate.value,
            **interval_row("difference", less.interval),
            "p_value": less.p_value,
            "variance_ratio": less.gain,
            **_size(found, key, estimate),
        }


def _seats(found: Found) -> Iterator[dict[str, Any]]:
    for key, totals in found.totals.items():
        if key.lineup != MIRROR:
            continue
        sums = Sums(totals, key.players)
        for seat in range(key.players):
            won = estimates.estimate(ratio(f"wins_{seat}", unit=WIN_UNIT), sums, "games")
            score = estimates.estimate(ratio(f"score_{seat}"), sums, "games")
            yield {
                **_cell(found, key),
                "seat": seat,
                **interval_row("win_share", estimates.interval(won, True)),
                **interval_row("score_mean", estimates.interval(score, False)),
                **_size(found, key, won),
            }


def _watched(found: Found, rows: Rows, size: str) -> Iterator[dict[str, Any]]:
    """Give the rows of a table of the games among equals; none for cells without the feature `size`."""
    for key, totals in found.totals.items():
        if key.lineup == MIRROR and size in totals.names:
            games, counted = (int(totals.column(name).sum()) for name in ("games", size))
            deals = {"n_deals": counted * totals.deals // games}
            for row in rows(found.game, Sums(totals, key.players)):
                yield {**_cell(found, key), **row, **deals}


def _tests(found: Found) -> Iterator[dict[str, Any]]:
    for key, totals in found.totals.items():
        if key.lineup == ALONE:
            continue
        wins = np.stack([totals.column(f"wins_{seat}") for seat in range(key.players)], axis=1)
        wins = wins[totals.column("games") > 0]
        test = means_are_equal(wins.sum(axis=0).tolist(), wins.T @ wins, len(wins))
        yield {
            **_cell(found, key),
            "test": "seats",
            **test._asdict(),
            "n_games": int(totals.column("games").sum()),
            "n_deals": totals.deals,
        }
