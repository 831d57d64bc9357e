"""A trace of a game that agents played: the kernel's game, filled in and checked by the reference engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from heatsim import trace
from heatsim.deck import Deck
from heatsim.rules import Rules
from heatsim.table import Table
from heatsim.view import decode


def as_trace(
    rules: Rules, deck: Deck, players: int, seed: int, deal: int, chosen: Iterable[int], agents: list[str]
) -> dict[str, Any]:
    """Return the trace of a game.

    Args:
        rules: of the game.
        deck: of the game.
        players: number of players.
        seed: of the run.
        deal: number of the deal.
        chosen: action ids, in order, to the end of the game.
        agents: who sat where.
    """
    table = Table(players, rules, deck, seed, deal)
    for action in chosen:
        table.step(decode(table.state, action))
    checked = trace.check(trace.record(table, deck, agents, seed))
    assert checked.trace is not None, "the reference engine cannot replay the kernel's game"
    assert not checked.faults, checked.faults
    return checked.trace
