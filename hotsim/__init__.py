"""Hot Heads: draw a card, play a card, fly high but never highest.

`Table` is one game, step by step; `batch` deals many at once; docs/python.md shows both.
"""

from typing import TYPE_CHECKING

from gameapi.doors import doors

if TYPE_CHECKING:
    from hotsim.actions import Action
    from hotsim.cards import Card
    from hotsim.deck import Deck
    from hotsim.game import GAME, batch
    from hotsim.reference import Reference, Setup
    from hotsim.rules import Rules
    from hotsim.table import Table
    from hotsim.view import View

__all__ = ["GAME", "Action", "Card", "Deck", "Reference", "Rules", "Setup", "Table", "View", "batch"]

__getattr__, __dir__ = doors(
    __name__,
    {
        "Action": "actions",
        "Card": "cards",
        "Deck": "deck",
        "GAME": "game",
        "Reference": "reference",
        "Rules": "rules",
        "Setup": "reference",
        "Table": "table",
        "View": "view",
        "batch": "game",
    },
)
