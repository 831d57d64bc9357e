"""Plausible decks: what the printed values and icons could be, drawn from a stated prior (docs/balance/decks.md)."""

from __future__ import annotations

import hashlib
from typing import Any

from gameapi.game import Game
from gameapi.rng import PlainStream


def sample(game: Game, seed: int, number: int) -> Any:
    """Draw a plausible deck; it depends on the seed and its number alone, however many are drawn.

    Args:
        game: the game.
        seed: any integer.
        number: which deck, from 1.

    Returns:
        A deck of the game, valid for all numbers of players.
    """
    digest = hashlib.sha256(f"{game.name} plausible deck {seed} {number}".encode()).digest()
    stream = PlainStream(int.from_bytes(digest[:8], "little"))
    source = (
        f"One of many decks that fit what the rulebook tells: number {number} of seed {seed}. The printed "
        "cards are not public; the rest is drawn from the prior of the balance laboratory."
    )
    return game.service("plausible_deck")(stream.below, f"plausible-{number:03d}", source)
