"""What a decision may take, as text: `5ms` of time, or `200rollouts` of work."""

from __future__ import annotations

import re
from typing import NamedTuple

from gameapi.errors import UserError


class MoveLimit(NamedTuple):
    """What a decision may take at most; 0 is no limit.

    Attributes:
        milliseconds: of wall time; such a run is not repeatable.
        rollouts: of a search agent.
    """

    milliseconds: float = 0.0
    rollouts: int = 0

    def __str__(self) -> str:
        """Return the limit as text, empty for none."""
        return f"{self.rollouts}rollouts" if self.rollouts else f"{self.milliseconds:g}ms" if self.milliseconds else ""


NO_LIMIT = MoveLimit()


def read(text: str | None) -> MoveLimit:
    """Read a limit.

    Raises:
        UserError: it is none; says what one looks like.
    """
    if not text:
        return NO_LIMIT
    found = re.fullmatch(r"\s*(\d{1,9}(?:\.\d{1,6})?)\s*(ms|rollouts)\s*", text)
    number = float(found.group(1)) if found else 0.0
    if not found or not number or (found.group(2) == "rollouts" and number != int(number)):
        expected = "expected a time such as 5ms or an amount of work such as 200rollouts"
        raise UserError(f"found {text!r}, {expected}", "move limit")
    return MoveLimit(rollouts=int(number)) if found.group(2) == "rollouts" else MoveLimit(number)
