"""The kinds of fault that are told to the person at the keyboard, each with its exit code."""

import json
from typing import Self

_SHOWN_LENGTH = 80  # characters of a value that a message shows


def _harmless(text: str) -> str:
    """Give a text with its control characters escaped, line breaks and tabs left."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in str(text))


class UserError(Exception):
    """A fault of the input, worded for a person.

    Args:
        message: What is wrong, and what would be right.
        place: Where: a file, a line, a field. Empty where there is nothing to point at.

    Attributes:
        exit_code: What a command ends with when it meets this fault: 2 (bad input), 1 (the answer is no).
    """

    exit_code: int = 2

    def __init__(self, message: str, place: str = "") -> None:
        """Keep the message and the place apart; `str` joins them. What would steer a terminal is told, not done."""
        message, place = _harmless(message), _harmless(place)
        super().__init__(message, place)
        self.message = message
        self.place = place

    def __str__(self) -> str:
        """Give the message behind its place."""
        return f"{self.place}: {self.message}" if self.place else self.message

    def within(self, place: str) -> Self:
        """Give the same fault with its place told from further out: `place`, then the place so far."""
        return type(self)(self.message, f"{place}: {self.place}" if self.place else place)


class UnreadableError(UserError):
    """Something cannot be read as what it should be (exit code 2)."""


class InconsistentError(UserError):
    """A recorded value differs from the computed one (exit code 1)."""

    exit_code = 1


class IllegalError(UserError):
    """An action that the rules do not allow (exit code 1)."""

    exit_code = 1


class DiskFullError(UserError):
    """A file cannot be written, for want of space (exit code 2)."""


class AgentError(UserError):
    """A user's agent raised an exception or returned an illegal action (exit code 2)."""


def shown(value: object) -> str:
    """Show a value in a message: as JSON, on one line, cut short where it is long."""
    if isinstance(value, int) and abs(value) >= 10**_SHOWN_LENGTH:
        return "a number of very many digits"
    try:
        text = json.dumps(value)
    except TypeError:  # no JSON value: a fraction, a date
        text = str(value)
    except (ValueError, RecursionError):  # a number of too many digits somewhere inside, or nested too deeply
        text = "a list" if isinstance(value, list) else "an object"
    return text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 3] + "..."
