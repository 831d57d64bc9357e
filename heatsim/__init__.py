"""Heat: draft a hand, rob the same bank as everybody else, and be gone before the police take it all back.

`Table` is one game, step by step; `batch` deals many at once; docs/python.md shows both.
"""

from typing import TYPE_CHECKING

from gameapi.doors import doors

if TYPE_CHECKING:
    from heatsim.actions import Action
    from heatsim.deck import Card, Deck
    from heatsim.game import GAME, batch
    from heatsim.reference import Reference, Setup
    from heatsim.rules import Row, Rules
    from heatsim.table import Table
    from heatsim.view import View

__all__ = ["GAME", "Action", "Card", "Deck", "Reference", "Row", "Rules", "Setup", "Table", "View", "batch"]

__getattr__, __dir__ = doors(
    __name__,
    {
        "Action": "actions",
        "Card": "deck",
        "Deck": "deck",
        "GAME": "game",
        "Reference": "reference",
        "Row": "rules",
        "Rules": "rules",
        "Setup": "reference",
        "Table": "table",
        "View": "view",
        "batch": "game",
    },
)
