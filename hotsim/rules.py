"""Every number and option of the rules: default, range, meaning, ruling; and the sizes that follow from them."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from gameapi.datafile import DataFile, read_toml
from gameapi.errors import UserError, shown
from hotsim.deck import Deck

PLAYERS = range(2, 6)
"""The numbers of players (HH1)."""

DUMMY_PLAYERS = 2
"""With this many players there is a dummy pilot as well (HH2)."""

DUMMY_PILES = 4
DUMMY_PILE_SIZE = 4
"""The dummy's face-down piles and the cards in each (HH2)."""


def _default_fractions() -> dict[int, Fraction]:
    return {2: Fraction(1, 2), 3: Fraction(1, 2), 4: Fraction(1, 3), 5: Fraction(0)}


@dataclass(frozen=True)
class Rules:
    """The rules of one game; every field is described in `OPTIONS`.

    Attributes:
        hand_size: Cards dealt to each seat.
        storms: Storm cards, and stacks of the draw pile.
        combined_stacks: Stacks at the bottom that are put together and shuffled.
        return_fraction: For each number of players the part of the undealt cards that goes back to the box.
        helicopter_points: Points for a helicopter on a column that is left.
        helicopter_is_top: Whether sabotage at the top takes a helicopter first.
        absent_column_is_zero: Whether a missing column counts as altitude 0 when the highest is sought.
    """

    hand_size: int = 10
    storms: int = 4
    combined_stacks: int = 2
    return_fraction: Mapping[int, Fraction] = field(default_factory=_default_fractions, hash=False)
    helicopter_points: int = 3
    helicopter_is_top: bool = False
    absent_column_is_zero: bool = False

    def replace(self, **changes: object) -> "Rules":
        """Give these rules with some fields changed.

        Args:
            changes: For each field a value, or the text of one (``storms="3"``). `return_fraction` is one fraction
                for all numbers of players, or a mapping from numbers of players to fractions.

        Returns:
            The changed rules; these stay as they are.

        Raises:
            UserError: There is no such field, or the value is none of its values.
        """
        new = self
        for name, value in changes.items():
            option = _option(name)
            try:
                read = option.from_text(value) if isinstance(value, str) else option.from_value(value)
            except ValueError as fault:
                raise UserError(str(fault), name) from None
            new = _with(new, name, read)
        return new


@dataclass(frozen=True)
class Option:
    """One field of the rules, as it is listed, validated and documented.

    Attributes:
        name: The field.
        kind: ``"integer"``, ``"boolean"`` or ``"fraction"``.
        default: The default as text.
        allowed: The values it may have, in words.
        meaning: What it does.
        ruling: The ruling that it belongs to.
        low: The smallest value; None where there is no bound.
        high: The largest value; None where there is no bound.
    """

    name: str
    kind: str
    default: str
    allowed: str
    meaning: str
    ruling: str
    low: int | None = None
    high: int | None = None

    def from_text(self, text: str) -> Any:
        """Read a value from text as it is typed on a command line; ValueError says what would be right."""
        value = _FROM_TEXT[self.kind](text)
        if value is None:
            raise ValueError(f"found {shown(text)}, expected {self.allowed}")
        return self._in_range(value)

    def from_value(self, value: object) -> Any:
        """Read a value from a file or a trace; fractions are text there. ValueError says what would be right."""
        if self.kind == "fraction":
            return self._fractions(value)
        if type(value) is not (int if self.kind == "integer" else bool):
            raise ValueError(f"found {shown(value)}, expected {self.allowed}")
        return self._in_range(value)

    def _fractions(self, value: object) -> Any:
        if isinstance(value, Mapping):
            return {_player_count(key): self._fractions(entry) for key, entry in value.items()}
        if isinstance(value, str):
            return self.from_text(value)
        if isinstance(value, Fraction) or (type(value) is int and value in (0, 1)):
            return self._in_range(Fraction(value))
        hint = "; write it as text, so that it is exact" if isinstance(value, float) else ""
        raise ValueError(f"found {shown(value)}, expected {self.allowed}{hint}")

    def _in_range(self, value: Any) -> Any:
        too_low = self.low is not None and value < self.low
        too_high = self.high is not None and value > self.high
        if too_low or too_high:
            raise ValueError(f"found {shown(value)}, expected {self.allowed}")
        return value


OPTIONS: tuple[Option, ...] = (
    Option(
        "hand_size",
        "integer",
        "10",
        "an integer of at least 1",
        "cards dealt to each seat; with S storms a hand needs S(S+1)/2 cards or more",
        "HH4",
        low=1,
    ),
    Option(
        "storms",
        "integer",
        "4",
        "an integer of at least 1",
        "storm cards; the draw pile is cut into as many stacks, and the game ends after the last storm's phase",
        "HH4",
        low=1,
    ),
    Option(
        "combined_stacks",
        "integer",
        "2",
        "an integer from 0 to the number of storms",
        "stacks at the bottom of the draw pile that are put together and shuffled",
        "HH3",
        low=0,
    ),
    Option(
        "return_fraction",
        "fraction",
        "1/2 with 2 or 3 players, 1/3 with 4, 0 with 5",
        'a fraction from 0 to 1, such as "1/3", "0" or "0.5"',
        "part of the undealt cards that goes back to the box unseen, rounded down",
        "HH2",
        low=0,
        high=1,
    ),
    Option(
        "helicopter_points",
        "integer",
        "3",
        "an integer from -1000 to 1000",
        "points for each helicopter linked to a column that is left at the end",
        "HH15",
        low=-1000,
        high=1000,
    ),
    Option(
        "helicopter_is_top",
        "boolean",
        "false",
        "true or false",
        "true: a linked helicopter counts as its column's top card, so sabotage at the top takes it first",
        "HH8",
    ),
    Option(
        "absent_column_is_zero",
        "boolean",
        "false",
        "true or false",
        "true: a missing column counts as altitude 0 when the highest of its type is sought",
        "HH14",
    ),
)
"""Every field of the rules, in the order in which they are listed."""


class Counts(NamedTuple):
    """Where the cards of the deck go (HH2); storms are not counted."""

    dealt: int
    dummy: int
    returned: int
    draw_pile: int


def from_file(path: str | Path) -> Rules:
    """Read a rules file: TOML with the fields that differ from the defaults.

    `return_fraction` is text (for all numbers of players) or a table ``[return_fraction]`` with keys 2 to 5.

    Args:
        path: The file.

    Returns:
        The rules.

    Raises:
        UnreadableError: The file cannot be read, or a field is unknown or out of range; names file, line and key.
    """
    file = read_toml(path)
    rules = Rules()
    for name, value in file.data.items():
        if name not in _BY_NAME:
            raise file.error(_unknown(name), name)
        if isinstance(value, dict):
            rules = _with(rules, name, _table(file, name, value))
            continue
        try:
            rules = _with(rules, name, _BY_NAME[name].from_value(value))
        except ValueError as fault:
            raise file.error(str(fault), name) from None
    return rules


def set_options(rules: Rules, settings: Iterable[str]) -> Rules:
    """Change rules as a command line asks for it.

    Args:
        rules: The rules to start from.
        settings: Texts such as ``storms=3`` or ``return_fraction=1/3``; a later one overrides an earlier one.

    Returns:
        The changed rules.

    Raises:
        UserError: Names the option, the value, and what would be right.
    """
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UserError("expected option=value, such as storms=3", setting)
        option = _option(name.strip())
        try:
            value = option.from_text(text.strip())
        except ValueError as fault:
            raise UserError(str(fault), option.name) from None
        rules = _with(rules, option.name, value)
    return rules


def check(rules: Rules, deck: Deck, players: int) -> None:
    """Make sure that a game can be played by these rules with this deck (HH1, HH4).

    Args:
        rules: The rules.
        deck: The deck list.
        players: The number of players.

    Raises:
        UserError: Says in numbers what does not fit; its place is the field to change.
    """
    if players not in PLAYERS:
        raise UserError(f"found {shown(players)}, expected {PLAYERS[0]} to {PLAYERS[-1]}", "players")
    for option in OPTIONS:
        value = getattr(rules, option.name)
        try:
            option.from_value(value[players] if option.kind == "fraction" else value)
        except ValueError as fault:
            raise UserError(str(fault), option.name) from None
    storms, hand = rules.storms, rules.hand_size
    if rules.combined_stacks > storms:
        raise UserError(
            f"found {shown(rules.combined_stacks)}, but there are only {shown(storms)} stacks, one for each storm",
            "combined_stacks",
        )
    needed = storms * (storms + 1) // 2
    if hand < needed:
        raise UserError(
            f"found {hand}, expected at least {shown(needed)}: {shown(storms)} storm phases take 1 + ... + "
            f"{shown(storms)} cards of each hand",
            "hand_size",
        )
    dummy = _dummy_cards(players)
    if players * hand + dummy > deck.size:
        piles = f" and {dummy} for the dummy" if dummy else ""
        raise UserError(
            f"found {shown(hand)}, but the deck has {deck.size} cards: {players} hands take "
            f"{shown(players * hand)}{piles}",
            "hand_size",
        )


def counts(rules: Rules, deck: Deck, players: int) -> Counts:
    """Say how many cards are dealt, returned to the box, and left to draw (HH2).

    Args:
        rules: Rules that `check` accepts.
        deck: The deck list.
        players: The number of players.

    Returns:
        The numbers of cards, storms not counted; together they are the deck.
    """
    dealt = players * rules.hand_size
    dummy = _dummy_cards(players)
    left = deck.size - dealt - dummy
    fraction = rules.return_fraction[players]
    returned = left * fraction.numerator // fraction.denominator
    return Counts(dealt, dummy, returned, left - returned)


def stack_sizes(rules: Rules, draw_pile: int) -> list[int]:
    """Cut the draw pile into stacks, one for each storm, as equal as can be, the longer ones on top (HH3).

    Args:
        rules: The rules.
        draw_pile: The number of cards to cut, without storms.

    Returns:
        The number of cards of each stack, topmost first, without storms.
    """
    size, longer = divmod(draw_pile, rules.storms)
    return [size + (1 if stack < longer else 0) for stack in range(rules.storms)]


def as_dict(rules: Rules, players: int) -> dict[str, Any]:
    """Give the fields that differ from the defaults for this number of players, in the form of a trace.

    Args:
        rules: The rules.
        players: The number of players, whose `return_fraction` is the one that counts.

    Returns:
        For each such field its value; the fraction as text.
    """
    standard = Rules()
    differ: dict[str, Any] = {}
    for option in OPTIONS:
        value, usual = getattr(rules, option.name), getattr(standard, option.name)
        if option.kind == "fraction":
            if value[players] != usual[players]:
                differ[option.name] = str(value[players])
        elif value != usual:
            differ[option.name] = value
    return differ


_BY_NAME = {option.name: option for option in OPTIONS}


def _dummy_cards(players: int) -> int:
    return DUMMY_PILES * DUMMY_PILE_SIZE if players == DUMMY_PLAYERS else 0


def _option(name: str) -> Option:
    if name not in _BY_NAME:
        raise UserError(_unknown(name), name)
    return _BY_NAME[name]


def _unknown(name: str) -> str:
    return f"unknown option; the options are {', '.join(_BY_NAME)}"


def _with(rules: Rules, name: str, value: Any) -> Rules:
    if name == "return_fraction":
        given = value if isinstance(value, Mapping) else dict.fromkeys(PLAYERS, value)
        value = {players: given.get(players, usual) for players, usual in rules.return_fraction.items()}
    return dataclasses.replace(rules, **{name: value})


def _table(file: DataFile, name: str, table: dict[str, object]) -> dict[int, Fraction]:
    if name != "return_fraction":
        raise file.error(f"found a table, expected {_BY_NAME[name].allowed}", name)
    fractions = {}
    for key, value in table.items():
        try:
            fractions[_player_count(key)] = _BY_NAME[name].from_value(value)
        except ValueError as fault:
            raise file.error(str(fault), name, key) from None
    return fractions


def _player_count(key: object) -> int:
    for players in PLAYERS:
        if key in (players, str(players)):
            return players
    raise ValueError(f"found {shown(key)}, expected a number of players from {PLAYERS[0]} to {PLAYERS[-1]}")


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def _fraction(text: str) -> Fraction | None:
    # A pattern first: Fraction itself would take "1e999999999" and fill the memory.
    if not re.fullmatch(r"[0-9]{1,400}(/[0-9]{1,400}|\.[0-9]{1,400})?", text):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None


_FROM_TEXT: dict[str, Callable[[str], Any]] = {"integer": _integer, "boolean": _boolean, "fraction": _fraction}
