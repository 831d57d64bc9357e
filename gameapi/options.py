"""The options of a game's rules: a table of every field, by which values are read, changed, checked and listed."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from gameapi.datafile import DataFile, read_toml
from gameapi.errors import UserError, shown


@dataclass(frozen=True)
class Option:
    """One field of the rules, as it is listed, validated and documented.

    Integers and booleans are read here; a game reads its other kinds in a class of its own.

    Attributes:
        name: The field.
        kind: ``"integer"``, ``"boolean"``, or the name of a kind of the game's own.
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
            raise self.refusal(text)
        return self.in_range(value)

    def from_value(self, value: object) -> Any:
        """Read a value that is no text; ValueError says what would be right."""
        if type(value) is not (int if self.kind == "integer" else bool):
            raise self.refusal(value)
        return self.in_range(value)

    def from_trace(self, value: object) -> Any:
        """Read a value as a trace has it; ValueError says what would be right."""
        return self.from_value(value)

    def from_file(self, file: DataFile, value: object) -> Any:
        """Read a value as a rules file has it; UnreadableError names file, line and key."""
        if isinstance(value, dict):
            raise file.error(f"found a table, expected {self.allowed}", self.name)
        try:
            return self.from_value(value)
        except ValueError as fault:
            raise file.error(str(fault), self.name) from None

    def merged(self, old: Any, new: Any) -> Any:
        """Give the field's value where `new` has been read and `old` stood before."""
        return new

    def played(self, value: Any, players: int) -> Any:
        """Give the part of a field's value that counts in a game of so many players."""
        return value

    def as_json(self, value: Any) -> Any:
        """Give a field's value, or the part that is played, as JSON has it."""
        return value

    def in_range(self, value: Any) -> Any:
        """Give a value back that is between `low` and `high`; ValueError for any other."""
        too_low = self.low is not None and value < self.low
        too_high = self.high is not None and value > self.high
        if too_low or too_high:
            raise self.refusal(value)
        return value

    def refusal(self, value: object, hint: str = "") -> ValueError:
        """Word the error for a value that is none of the option's, for the caller to raise."""
        return ValueError(f"found {shown(value)}, expected {self.allowed}{hint}")


@dataclass(frozen=True)
class Choices:
    """The base of a game's rules: a frozen dataclass with a default for each field, described by `options`.

    Attributes:
        options: The table of all fields, in the order in which they are listed.
        example: How one is set on a command line, for messages.
    """

    options: ClassVar[tuple[Option, ...]] = ()
    example: ClassVar[str] = ""

    def replace(self, **changes: object) -> Self:
        """Give these rules with some fields changed.

        Args:
            changes: For each field a value, or the text of one (``storms="3"``).

        Returns:
            The changed rules; these stay as they are.

        Raises:
            UserError: There is no such field, or the value is none of its values.
        """
        new = self
        for name, value in changes.items():
            option = _named(new, name)
            with _telling(option):
                read = option.from_text(value) if isinstance(value, str) else option.from_value(value)
            new = _changed(new, option, read)
        return new

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a rules file: TOML with the fields that differ from the defaults.

        Args:
            path: The file.

        Returns:
            The rules.

        Raises:
            UnreadableError: The file cannot be read, or a field is unknown or out of range; names file, line and key.
        """
        file = read_toml(path)
        rules = cls()
        by_name = {option.name: option for option in rules.options}
        for name, value in file.data.items():
            if name not in by_name:
                raise file.error(_unknown(rules), name)
            rules = _changed(rules, by_name[name], by_name[name].from_file(file, value))
        return rules

    @classmethod
    def load(cls, path: str | Path | None = None, settings: Iterable[str] = ()) -> Self:
        """Give the rules of a file, default rules without one, changed by `set_options`."""
        return set_options(cls() if path is None else cls.from_file(path), settings)


Rules = TypeVar("Rules", bound=Choices)


def set_options(rules: Rules, settings: Iterable[str]) -> Rules:
    """Change rules as a command line asks for it.

    Args:
        rules: The rules to start from.
        settings: Texts such as ``storms=3``; a later one overrides an earlier one.

    Returns:
        The changed rules.

    Raises:
        UserError: Names the option, the value, and what would be right.
    """
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UserError(f"expected option=value, such as {rules.example}", setting)
        option = _named(rules, name.strip())
        with _telling(option):
            value = option.from_text(text.strip())
        rules = _changed(rules, option, value)
    return rules


def check_values(rules: Choices, players: int, seats: range) -> None:
    """Make sure that as many can play, and that every field holds one of its values.

    Rules that were built by hand have not been read by their options before.

    Args:
        rules: The rules.
        players: The number of players.
        seats: The numbers of players that the game allows.

    Raises:
        UserError: Its place is ``players`` or the field to change.
    """
    if players not in seats:
        raise UserError(f"found {shown(players)}, expected {seats[0]} to {seats[-1]}", "players")
    for option in rules.options:
        with _telling(option):
            option.from_value(option.played(getattr(rules, option.name), players))


def as_dict(rules: Choices, players: int) -> dict[str, Any]:
    """Give the fields that differ from the defaults for this number of players, in the form of a trace.

    Args:
        rules: The rules.
        players: The number of players.

    Returns:
        For each such field its value as JSON has it.
    """
    standard = type(rules)()
    differ: dict[str, Any] = {}
    for option in rules.options:
        value, usual = (option.played(getattr(some, option.name), players) for some in (rules, standard))
        if value != usual:
            differ[option.name] = option.as_json(value)
    return differ


def as_json(rules: Choices) -> dict[str, Any]:
    """Give every field as a JSON value."""
    return {option.name: option.as_json(getattr(rules, option.name)) for option in rules.options}


def rows(options: Iterable[Option]) -> list[dict[str, str]]:
    """Give a row of texts for each option: name, type, default, allowed values, meaning, ruling."""
    return [
        {
            "option": option.name,
            "type": option.kind,
            "default": option.default,
            "allowed": option.allowed,
            "meaning": option.meaning,
            "ruling": option.ruling,
        }
        for option in options
    ]


def _named(rules: Choices, name: str) -> Option:
    for option in rules.options:
        if option.name == name:
            return option
    raise UserError(_unknown(rules), name)


def _unknown(rules: Choices) -> str:
    return f"unknown option; the options are {', '.join(option.name for option in rules.options)}"


@contextmanager
def _telling(option: Option) -> Iterator[None]:
    """Tell a value that is refused as a fault of its option."""
    try:
        yield
    except ValueError as fault:
        raise UserError(str(fault), option.name) from None


def _changed(rules: Rules, option: Option, value: Any) -> Rules:
    return dataclasses.replace(rules, **{option.name: option.merged(getattr(rules, option.name), value)})


def _integer(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


_FROM_TEXT: dict[str, Callable[[str], Any]] = {"integer": _integer, "boolean": _boolean}
