"""Trimming: which cards are used at each number of players, and what that does to seats, length and skill.

    from experiments.balance.trim import trim
    result = trim("hotsim", length=60)
    result.frame("answers")

Hot Heads returns a share of its cards to the box and has a dummy at two players; Heat's cards have icons. Each game
knows what ways there are (its service `trims`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from experiments import games as game_table
from experiments.balance import grid, pareto
from experiments.balance.cells import Key
from experiments.balance.designs import Design, base, where_they_differ
from experiments.balance.estimates import Estimate, Floats, Sums, estimate, interval
from experiments.balance.grid import Point
from experiments.balance.metrics import SEAT_GAP, SKILL, metrics, ratio
from experiments.balance.pareto import Aim
from experiments.balance.planned import Asked, Planned
from experiments.balance.results import Found, table, work_out
from experiments.balance.study import Columns, Study
from experiments.balance.study import prepare as prepare_study
from experiments.balance.totals import MIRROR
from experiments.intervals import Interval, interval_row
from experiments.sums import WIN_UNIT
from experiments.tables import Table
from experiments.tournament import player_counts
from gameapi.errors import UserError
from gameapi.game import Game

KIND = "trim"
UNIT = "decisions"
CANDIDATE = 0.05
"""A design that is the best in so many draws, or more, may be the best."""

_LOW, _HIGH = "lower end of its 95 % interval", "upper end of its 95 % interval"

COLUMNS: Columns = {
    "trims": [
        ("players", "", "seats at the table"),
        ("agent", "", "the level of skill: who plays"),
        ("number", "", "of the design, as figures have it"),
        ("design", "", "the way to trim: base, or what differs from it"),
        ("seat_gap", "win share", "win share of the seat that wins most less that of the seat that wins least"),
        ("seat_gap_low", "win share", _LOW),
        ("seat_gap_high", "win share", _HIGH),
        ("length", "see settings", "mean length of a game, in the unit of the wish"),
        ("length_low", "", _LOW),
        ("length_high", "", _HIGH),
        ("off", "", "distance of the length from the wished one; empty without a wish"),
        ("skill", "0 to 1", "see table definitions; empty where nobody weaker is met"),
        ("skill_low", "0 to 1", _LOW),
        ("skill_high", "0 to 1", _HIGH),
        ("pareto", "", "whether no other design is at least as good in gap, distance and skill, and better in one"),
        ("p_pareto", "probability", "that it is so, given what other deals could have brought"),
        ("n_games", "games", "games of equally strong seats"),
        ("n_deals", "deals", "deals of these games"),
    ],
    "answers": [
        ("players", "", "seats at the table"),
        ("agent", "", "the level of skill: who plays"),
        ("question", "", "what is asked"),
        ("design", "", "the design that is the best"),
        ("metric", "", "by which number"),
        ("value", "", "the number"),
        ("value_low", "", _LOW),
        ("value_high", "", _HIGH),
        ("base", "", "the base's"),
        ("p_best", "probability", "that it is the best, given what other deals could have brought"),
        ("n_designs", "designs", "designs compared, the base included"),
        ("candidates", "", f"all designs of which that is so with a probability of {CANDIDATE:g} or more"),
    ],
    **grid.COLUMNS,
}
"""The columns of the tables that a trim adds."""


def trim(
    game: str,
    shares: Sequence[str] = (),
    sets: str | Path | None = None,
    flips: bool = True,
    length: float | None = None,
    unit: str = UNIT,
    rules: Any = None,
    deck: Any = None,
    out: str | Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    quiet: bool = True,
    **asked: Unpack[Asked],
) -> Study:
    """Play every way to trim the deck.

    Args:
        game: its name, such as "hotsim".
        shares: Hot Heads: shares of the undealt cards that go back to the box, such as `["0", "1/4"]`; none for seven
            from 0 to 3/4.
        sets: Heat: a file of alternative sets of cards (`heatsim.trimming.read_sets`).
        flips: Heat: whether each icon of each copy is flipped, one at a time.
        length: the wished length of a game; None for no wish.
        unit: what the length is counted in: "decisions", or a statistic of the game's, such as "turns" of Hot Heads.
        rules: the base's; None for the default ones.
        deck: the base's; None for the default one.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`.
        jobs: chunks in play at a time, None for one a core; changes no number.
        quiet: whether to leave out the progress bar.
        **asked: agents, games, search_games, players and seed, as in `experiments.balance.study.study`.

    Returns:
        The study; its tables `trims` and `answers` are worked out for each number of players and agent.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    return plan(game, shares, sets, flips, length, unit, rules, deck, **asked).play(out, resume, jobs, quiet)


def plan(
    game: str,
    shares: Sequence[str] = (),
    sets: str | Path | None = None,
    flips: bool = True,
    length: float | None = None,
    unit: str = UNIT,
    rules: Any = None,
    deck: Any = None,
    **asked: Unpack[Asked],
) -> Planned:
    """Resolve and check everything, and play nothing; arguments as in `trim`."""
    the_game = game_table.get(game)
    aims = _aims(the_game, length, unit)
    start = base(the_game, rules, deck)
    counts = player_counts(asked.get("players"), the_game, {})
    ways = [
        Design(way.label, way.changes, way.rules, way.deck, way.players)
        for way in the_game.service("trims")(start.rules, start.deck, shares, sets, flips)
    ]
    designs = [start, *(d for d in where_they_differ(the_game, start, ways, counts) if d.players)]
    if len(designs) == 1:
        raise UserError("there is no way to trim that is another game than the base", "trim")
    setup = prepare_study(the_game, designs, KIND, settings={"length": length, "unit": unit}, **asked)
    points = _points(start, where_they_differ(the_game, start, ways, counts, only_base=True))

    def more(study: Study) -> Mapping[str, Table]:
        fields = list(_fields(study.found, [aim.metric for aim in aims]))
        seed = study.manifest["seed"]
        return {
            "trims": table("trims", [row for field in fields for row in _trims(field, aims, seed)], COLUMNS),
            "answers": table("answers", [row for field in fields for row in _answers(field, aims, seed)], COLUMNS),
            "points": grid.table(points, counts),
        }

    return Planned(setup, more, COLUMNS, _draw)


def _aims(game: Game, length: float | None, unit: str) -> list[Aim]:
    """Return what a design is wished to be; the length is looked at even without a wish."""
    known = metrics(game)
    if f"{unit}_mean" not in known:
        units = [name.removesuffix("_mean") for name in ("decisions_mean", "turns_mean") if name in known]
        raise UserError(f"found {unit!r}, expected {' or '.join(units)}", "unit")
    if length is not None and not (isinstance(length, int | float) and math.isfinite(length) and length > 0):
        raise UserError(f"found {length!r}, expected a number above 0", "length")
    asked = "" if length is None else f"length closest to {length:g} {unit}"
    return [
        Aim(SEAT_GAP, "fairest seats", -1),
        Aim(f"{unit}_mean", asked, 0, math.nan if length is None else length),
        Aim(SKILL, "skill worth most", 1),
    ]


def _points(start: Design, designs: Sequence[Design]) -> list[Point]:
    """Return the designs that change one option of the rules alone as points of a line."""
    options = {option.name for option in start.rules.options}
    alone = [design for design in designs if len(design.changes) == 1 and options.issuperset(design.changes)]
    shared = [design for design in alone if sum(other.changes.keys() == design.changes.keys() for other in alone) > 1]
    return [Point(design, design.changes) for design in shared]


class Field(NamedTuple):
    """Designs that are compared with each other: those of a number of players, played by an agent.

    Attributes:
        players, agent: which.
        designs: labels, the base first.
        deals: of each design, in games of equally strong seats.
        estimates: by metric those of all designs.
        seats: for each design the win shares of its seats.
    """

    players: int
    agent: str
    designs: Sequence[str]
    deals: Sequence[int]
    estimates: Mapping[str, Sequence[Estimate]]
    seats: Sequence[Sequence[Estimate]]


def _fields(found: Found, names: Sequence[str]) -> Iterator[Field]:
    """Give every field with those of the metrics named that it has."""
    by_cell = {(key[:3], name): each for (key, name), each in work_out(found).items() if name in names}
    mirrors = [key for key in found.totals if key.lineup == MIRROR]
    for players, level in itertools.product(dict.fromkeys(key.players for key in mirrors), range(len(found.agents))):
        keys = [key for key in mirrors if (key.players, key.level) == (players, level)]
        here = {name: [by_cell[key[:3], name] for key in keys] for name in names if (keys[0][:3], name) in by_cell}
        labels = [found.designs[key.design] for key in keys]
        deals = [found.totals[key].deals for key in keys]
        yield Field(players, found.agents[level], labels, deals, here, [_seats(found, key) for key in keys])


def _seats(found: Found, key: Key) -> list[Estimate]:
    sums = Sums(found.totals[key], key.players)
    return [estimate(ratio(f"wins_{seat}", unit=WIN_UNIT), sums, "games") for seat in range(key.players)]


def _goodness(field: Field, aims: Sequence[Aim], seed: int) -> dict[Aim, Floats]:
    """Return for each aim that can be told how good the designs are: as estimated, and behind it what could have been.

    Returns:
        By aim (designs, 1 + draws), more being better; NaN where there is no error known.
    """
    found = {}
    for aim in aims:
        if aim.metric in field.estimates and (aim.sign or not math.isnan(aim.wish)):
            row = field.estimates[aim.metric]
            could_be = _gaps(field, seed) if aim.metric == SEAT_GAP else pareto.drawn(row, seed)
            values = np.concatenate([np.array([[each.value] for each in row]), could_be], axis=1)
            found[aim] = aim.goodness(values)
    return found


def _gaps(field: Field, seed: int) -> Floats:
    """Return what the gaps between seats could have been: those of the seats' shares, which are never below 0."""
    shares = [pareto.drawn(seats, seed) for seats in field.seats]
    return np.stack([drawn.max(axis=0) - drawn.min(axis=0) for drawn in shares])


def _trims(field: Field, aims: Sequence[Aim], seed: int) -> Iterator[dict[str, Any]]:
    """Give the rows of the table `trims`."""
    good = np.stack(list(_goodness(field, aims, seed).values()))
    on_front = pareto.front(good)
    known = not np.isnan(good).any()
    for i, label in enumerate(field.designs):
        row: dict[str, Any] = {"players": field.players, "agent": field.agent, "number": i, "design": label}
        for name, aim in zip(("seat_gap", "length", "skill"), aims, strict=True):
            there = field.estimates.get(aim.metric)
            row |= interval_row(name, interval(there[i], False) if there else Interval(*[math.nan] * 3))
        yield {
            **row,
            "off": abs(row["length"] - aims[1].wish),
            "pareto": bool(on_front[i, 0]),
            "p_pareto": float(on_front[i, 1:].mean()) if known else math.nan,
            "n_games": field.estimates[SEAT_GAP][i].n,
            "n_deals": field.deals[i],
        }


def _answers(field: Field, aims: Sequence[Aim], seed: int) -> Iterator[dict[str, Any]]:
    """Give the rows of the table `answers`."""
    for aim, good in _goodness(field, aims, seed).items():
        first = int(np.argmax(good[:, 0]))
        shares = pareto.best(good[:, 1:]) if not np.isnan(good).any() else np.full(len(good), math.nan)
        named = zip(field.designs, shares, strict=True)
        yield {
            "players": field.players,
            "agent": field.agent,
            "question": aim.question,
            "design": field.designs[first],
            "metric": aim.metric,
            **interval_row("value", interval(field.estimates[aim.metric][first], False)),
            "base": field.estimates[aim.metric][0].value,
            "p_best": float(shares[first]),
            "n_designs": len(good),
            "candidates": "; ".join(label for label, share in named if not share < CANDIDATE),
        }


def _draw(study: Study) -> None:
    """Draw the Pareto plots, and each metric over the shares where there are some."""
    from experiments.balance import sweep_figures, trim_figures

    assert study.folder is not None
    folder = study.folder / "figures"
    trim_figures.save_all(study.tables, study.manifest["study"]["settings"], folder)
    if study.tables["points"]["point"]:
        sweep_figures.save_all(study.tables, folder)
