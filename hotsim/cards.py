"""The vocabulary of Hot Heads: every card, its token in files, and the order in which cards are listed."""

import difflib
import re
from typing import NamedTuple

from gameapi.errors import shown

TYPES = range(1, 5)
"""The four types of balloon and ballast; a seat has at most one column of each."""

MAX_VALUE = 99
"""The largest number that a card may carry."""

STORM = "storm"
"""The token of a storm in draw piles and events. A storm is never held, so it is no `Card`."""


class Card(NamedTuple):
    """A card that can be held in a hand.

    Attributes:
        kind: ``"balloon"``, ``"ballast"``, ``"heli"`` or ``"sabotage"``.
        type: 1 to 4; 0 for wild cards, helicopters and sabotage.
        value: What the card adds to an altitude: 1..99 for a balloon, -99..-1 for ballast, else 0.
    """

    kind: str
    type: int
    value: int


HELI = Card("heli", 0, 0)
SABOTAGE = Card("sabotage", 0, 0)

_TOKEN = re.compile(r"([1-4*])([+-])([1-9][0-9]?)")
_PLACE_OF_KIND = {"balloon": 0, "ballast": 1, "heli": 2, "sabotage": 3}


def parse(token: str) -> Card:
    """Read a card's token.

    Args:
        token: For example ``1+3``, ``2-4``, ``*+2``, ``*-1``, ``heli``, ``sabotage``.

    Returns:
        The card.

    Raises:
        ValueError: The text is no card; says what a card looks like.
    """
    if token == "heli":
        return HELI
    if token == "sabotage":
        return SABOTAGE
    found = _TOKEN.fullmatch(token)
    if not found:
        raise ValueError(_no_card(token))
    kind = "balloon" if found[2] == "+" else "ballast"
    card_type = 0 if found[1] == "*" else int(found[1])
    return Card(kind, card_type, int(found[2] + found[3]))


def format(card: Card) -> str:
    """Write a card as its token, the inverse of `parse`."""
    if card.kind in ("heli", "sabotage"):
        return card.kind
    return f"{card.type or '*'}{card.value:+d}"


def is_typed(card: Card) -> bool:
    """Say whether the card is a balloon or ballast of one of the four types."""
    return card.type != 0


def is_wild(card: Card) -> bool:
    """Say whether the card is a wild balloon or wild ballast."""
    return card.type == 0 and card.value != 0


def order(card: Card) -> tuple[int, int, int, int]:
    """Give the sort key of the canonical order.

    Typed cards come first, by type, in each type the balloons by value and then the ballast by size; then wild
    balloons, wild ballast, helicopters, sabotage.
    """
    group = 0 if is_typed(card) else 1
    return group, card.type, _PLACE_OF_KIND[card.kind], abs(card.value)


def _no_card(token: str) -> str:
    if token == STORM:
        return "a storm cannot stand here; the rules say how many storms there are"
    near = difflib.get_close_matches(token, ("heli", "sabotage"), n=1)
    hint = f", did you mean {near[0]}?" if near else ""
    return (
        f"no card: {shown(token)}{hint}; a card is a type 1 to 4 or * (wild), a sign and a number from 1 to "
        f"{MAX_VALUE} without leading zeros (1+3, 2-4, *+2, *-1), or heli, or sabotage"
    )
