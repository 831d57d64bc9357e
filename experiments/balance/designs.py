"""A design: the rules and the deck of a game as they might be printed, and what sets them apart from the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gameapi.errors import UserError
from gameapi.game import Game

BASE = "base"
DECK = "deck."
"""What the name of a card begins with, where a number of copies is changed."""


@dataclass(frozen=True)
class Design:
    """A design.

    Attributes:
        label: what tables call it: the changes, or `BASE`.
        changes: what differs from the base, as texts: an option of the rules or `deck.CARD`, and its value.
        rules: the game's rules.
        deck: the game's deck.
    """

    label: str
    changes: Mapping[str, str]
    rules: Any = field(repr=False)
    deck: Any = field(repr=False)


def base(game: Game, rules: Any = None, deck: Any = None) -> Design:
    """Return the base of a study: these rules and this deck, or the default ones."""
    return Design(BASE, {}, game.load_rules() if rules is None else rules, game.load_deck() if deck is None else deck)


def changed(game: Game, start: Design, changes: Mapping[str, str], label: str | None = None) -> Design:
    """Return a design that differs from another in some options and numbers of copies.

    Args:
        game: the game.
        start: the design to change.
        changes: such as `{"storms": "3", "deck.sabotage": "2"}`; so many copies of a card are in play at every number
            of players.
        label: what tables call it; None for the changes, separated by blanks.

    Raises:
        UserError: there is no such option or card, or the value is none of its values; says what would be right.
    """
    rules, deck = start.rules, start.deck
    for key, text in changes.items():
        if key.startswith(DECK):
            deck = _with_copies(game, deck, key, text)
        else:
            rules = rules.replace(**{key: text})
    name = label or " ".join(f"{key}={value}" for key, value in changes.items()) or start.label
    return Design(name, {**start.changes, **changes}, rules, deck)


def _with_copies(game: Game, deck: Any, key: str, text: str) -> Any:
    card = key.removeprefix(DECK)
    try:
        if not text.isascii() or not text.isdigit():
            raise ValueError(f"found {text!r}, expected a number of copies, such as 3")
        return game.service("with_copies")(deck, card, int(text))
    except ValueError as fault:
        raise UserError(str(fault), key) from None


def obstacle(game: Game, design: Design, players: int) -> str | None:
    """Say why a design cannot be played by so many, None where it can."""
    try:
        game.record(design.rules, design.deck, players)
    except UserError as fault:
        return str(fault)
    return None
