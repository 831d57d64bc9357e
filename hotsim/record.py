"""A trace of a game that agents played: the kernel's game, written down for any engine to check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hotsim import actions, trace
from hotsim.deck import Deck
from hotsim.rules import Rules
from hotsim.table import Table


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
        table.step(actions.decode(action, deck.faces))
    return trace.record(table, table.setup, deck, agents, seed)  # type: ignore[arg-type]  # a table has what is read
