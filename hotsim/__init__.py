"""Hot Heads: draw a card, play a card, fly high but never highest.

import hotsim
table = hotsim.Table(players=3, seed=1)          # one game, step by step
table.step(table.legal()[0])
print(table)
games = hotsim.batch(1000, players=4)            # many games as one structured array
games.step(games.random_actions())
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gameapi.batch import Batch
    from hotsim.actions import Action
    from hotsim.cards import Card
    from hotsim.deck import Deck
    from hotsim.game import GAME
    from hotsim.reference import Reference
    from hotsim.rules import Rules
    from hotsim.table import Table
    from hotsim.view import View

_WHERE = {
    "Action": "actions",
    "Card": "cards",
    "Deck": "deck",
    "GAME": "game",
    "Reference": "reference",
    "Rules": "rules",
    "Table": "table",
    "View": "view",
}

__all__ = ["GAME", "Action", "Card", "Deck", "Reference", "Rules", "Table", "View", "batch"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for; the plain parts then never load the compiler."""
    if name not in _WHERE:
        raise AttributeError(f"module 'hotsim' has no attribute {name!r}")
    return getattr(importlib.import_module(f"hotsim.{_WHERE[name]}"), name)


def batch(n: int, players: int = 4, rules: Rules | None = None, deck: Deck | None = None, seed: int = 1) -> Batch:
    """Deal n games at once; see `gameapi.batch.Batch`."""
    from gameapi.batch import Batch
    from hotsim.game import GAME

    return Batch(GAME, n, players, rules, deck, seed)
