"""The agent whose rating is given, from text such as `greedy=1000`, and back from a manifest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gameapi.errors import UserError

MOST = 100_000  # Elo points, either way
EXPECTED = "expected an agent and its rating, such as greedy=1000"


def read(text: str | None, names: Sequence[str]) -> dict[str, Any] | None:
    """Return what a manifest keeps of an anchor: agent and rating; None where ratings have a mean of 0.

    Args:
        text: AGENT=RATING, the agent as tables name it.
        names: whole specs of the roster.

    Raises:
        UserError: no such text, or an agent that does not play.
    """
    if not text:
        return None
    name, _, number = text.rpartition("=")
    try:
        rating = float(number)
    except ValueError:
        rating = math.nan
    if not name or not abs(rating) <= MOST:
        raise UserError(f"found {text!r}, {EXPECTED}, from {-MOST:,} to {MOST:,}", "anchor")
    if name not in names:
        raise UserError(f"{name} does not play; {EXPECTED}, one of {', '.join(names)}", "anchor")
    return {"agent": name, "rating": rating}


def place(manifest: Mapping[str, Any]) -> tuple[int, float] | None:
    """Return the anchor of a run as tables take it: the agent's number in the roster, and its rating."""
    anchor = manifest.get("anchor")  # runs of former versions have none
    if not anchor:
        return None
    return [entry["agent"] for entry in manifest["agents"]].index(anchor["agent"]), anchor["rating"]
