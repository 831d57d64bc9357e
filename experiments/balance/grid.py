"""Grids of designs: what `--vary` says, and the designs that come of it."""

from __future__ import annotations

import difflib
import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from experiments.balance.designs import BASE, DECK, Design, changed, where_they_differ
from experiments.tables import Table
from gameapi.errors import UserError, shown
from gameapi.game import Game

MOST_POINTS = 10_000
FORM = "expected OPTION=VALUES, such as storms=3,4,5 or deck.sabotage=0..8 (for Heat: heists=2..4 or deck.Heavy=1,2)"
_NUMBER = r"[+-]?[0-9]{1,18}(?:/[0-9]{1,18}|\.[0-9]{1,18})?"


COLUMNS = {
    "points": [
        ("point", "", "number of the point of the grid"),
        ("players", "", "seats at the table"),
        ("design", "", "the design that is played there: base where the point is the same game"),
        ("key", "", "what is varied: an option of the rules, or deck.CARD for its number of copies"),
        ("value", "", "its value at this point, as text"),
        ("number", "", "the value as a number, empty where it is none"),
    ]
}
"""The columns of the table `points`, with unit and meaning."""


class Axis(NamedTuple):
    """What is varied, and its values as texts, each once."""

    key: str
    values: tuple[str, ...]


class Point(NamedTuple):
    """A point of the grid.

    Attributes:
        design: what is played there; the base itself where the point is the base.
        values: for each key that is varied its value there.
    """

    design: Design
    values: Mapping[str, str]


def read_axes(game: Game, start: Design, texts: Iterable[str], most: float = MOST_POINTS) -> list[Axis]:
    """Read what is varied.

    Args:
        game: the game.
        start: the base.
        texts: such as `storms=3,4,5`, `deck.sabotage=0..8` or `return_fraction=0..3/4..1/8`. Values that have commas of
            their own are separated by semicolons: `board=1x1,2x2;2x2,3x3`.
        most: points that the grid may have.

    Raises:
        UserError: there is no such option or card, a value is none of its values, or something is varied twice; says
            what would be right.
    """
    axes: list[Axis] = []
    for text in texts:
        key, equals, values = (part.strip() for part in text.partition("="))
        if not equals or not key:
            raise UserError(FORM, text)
        _require_known(start, key)
        if key in (axis.key for axis in axes):
            raise UserError("is varied twice; put all its values into one list", key)
        axes.append(Axis(key, _values(game, start, key, values)))
    if not axes:
        raise UserError(f"there is nothing to vary; {FORM}", "vary")
    n = math.prod(len(axis.values) for axis in axes)
    if n > most:
        raise UserError(f"the grid has {n:,} points, expected at most {most:,}", "vary")
    return axes


def _require_known(start: Design, key: str) -> None:
    """Refuse a key that is neither an option nor a card's; cards are known by their game."""
    names = [option.name for option in start.rules.options]
    if key in names or key.startswith(DECK):
        return
    near = difflib.get_close_matches(key, names, n=1)
    right = f"did you mean {near[0]}?" if near else f"the options are {', '.join(names)}"
    raise UserError(f"unknown option; {right} (a card's number of copies is {DECK}CARD)", key)


def _values(game: Game, start: Design, key: str, text: str) -> tuple[str, ...]:
    """Read the values of a key; each has been tried on the base."""
    separator = ";" if ";" in text or _has_commas(start, key) else ","
    found = [value for part in text.split(separator) for value in _expanded(part.strip(), key)]
    for value in found:
        changed(game, start, {key: value})
    return tuple(dict.fromkeys(found))


def _has_commas(start: Design, key: str) -> bool:
    """Say whether a value of an option has commas of its own, as a board has."""
    (default,) = [option.default for option in start.rules.options if option.name == key] or [""]
    try:
        return "," in default and bool(start.rules.replace(**{key: default}))
    except UserError:  # the default is told in words
        return False


def _expanded(part: str, key: str) -> list[str]:
    """Return the values of `a..b` or `a..b..step`, both ends included, or the value itself."""
    if ".." not in part:
        return [part]
    if not re.fullmatch(rf"{_NUMBER}\.\.{_NUMBER}(?:\.\.{_NUMBER})?", part):
        raise UserError(f"found {shown(part)}, expected a range such as 0..8 or 0..8..2", key)
    try:
        low, high, step = (Fraction(number) for number in [*part.split(".."), "1"][:3])
    except ZeroDivisionError:
        raise UserError(f"found {shown(part)}, expected numbers", key) from None
    if step <= 0:
        raise UserError(f"found {shown(part)}, expected a step above 0", key)
    if high < low:
        raise UserError(f"found {shown(part)}, expected a range from the lesser to the greater number", key)
    n = (high - low) // step + 1
    if n > MOST_POINTS:
        raise UserError(f"{shown(part)} has {n:,} values, expected at most {MOST_POINTS:,}", key)
    return [str(low + step * i) for i in range(n)]


def points(game: Game, start: Design, axes: Sequence[Axis], counts: Sequence[int]) -> list[Point]:
    """Return every point of the grid; where one is the base, or another point, that design stands for it.

    A design that is the same game as the base for some number of players is not played again there.

    Args:
        game: the game.
        start: the base.
        axes: what is varied.
        counts: the numbers of players of the study.
    """
    known = {_identity(game, start): start}
    grid = []
    for chosen in itertools.product(*(axis.values for axis in axes)):
        values = {axis.key: value for axis, value in zip(axes, chosen, strict=True)}
        made = changed(game, start, values)
        name = _identity(game, made)
        known.setdefault(name, made)
        grid.append((name, values))
    others = [name for name in known if known[name] is not start]
    known |= zip(others, where_they_differ(game, start, [known[name] for name in others], counts, True), strict=True)
    return [Point(known[name], values) for name, values in grid]


def _identity(game: Game, design: Design) -> str:
    """Return a text that two designs share exactly where they are the same rules and cards."""
    return json.dumps([game.rules_json(design.rules), design.deck.digest()], sort_keys=True)


def designs_of(start: Design, grid: Iterable[Point]) -> list[Design]:
    """Return the base and then every other design that is played, each once."""
    others = {point.design.label: point.design for point in grid if point.design.players != ()}
    return list({start.label: start, **others}.values())


def table(grid: Iterable[Point], counts: Sequence[int]) -> Table:
    """Return the table `points`: a row for each point, number of players and key."""
    rows = list(_rows(grid, counts))
    return {name: [row[i] for row in rows] for i, (name, _, _) in enumerate(COLUMNS["points"])}


def _rows(grid: Iterable[Point], counts: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    for n, point in enumerate(grid):
        design = point.design
        for players, (key, value) in itertools.product(counts, point.values.items()):
            played = design.players is None or players in design.players
            yield n, players, design.label if played else BASE, key, value, number_of(value)


def number_of(value: str) -> float:
    """Return the number that a value is, NaN where it is none."""
    return float(Fraction(value)) if re.fullmatch(_NUMBER, value) and not value.endswith("/0") else math.nan
