"""The deck as the command line lists it."""

from __future__ import annotations

from typing import Any

from hotsim import cards
from hotsim.deck import Deck


def deck_json(deck: Deck) -> dict[str, Any]:
    """Return a deck with its counts and sums."""
    groups = [_group(deck, title, kind, types) for title, kind, types in _GROUPS]
    return {**deck.facts(), "groups": [group for group in groups if group["cards"]], "cards": deck.entries()}


_GROUPS = [
    *((f"{kind} of type {t}", kind, (t,)) for t in cards.TYPES for kind in ("balloon", "ballast")),
    ("wild balloon", "balloon", (0,)),
    ("wild ballast", "ballast", (0,)),
    ("news helicopter", "heli", (0,)),
    ("sabotage", "sabotage", (0,)),
]


def kinds(deck: Deck, players: int) -> list[tuple[str, str, int]]:
    """Return for each different card, in the order in which the kernels number them, its token, group and copies."""
    groups = {"balloon": "balloon", "ballast": "ballast", "heli": "helicopter", "sabotage": "sabotage"}
    return [
        (cards.format(card), ("wild " if cards.is_wild(card) else "") + groups[card.kind], copies)
        for card, copies in deck.copies.items()
    ]


def _group(deck: Deck, title: str, kind: str, types: tuple[int, ...]) -> dict[str, Any]:
    held = {card: n for card, n in deck.copies.items() if card.kind == kind and card.type in types}
    return {
        "group": title,
        "cards": sum(held.values()),
        "sum": sum(card.value * n for card, n in held.items()),
        "copies": " ".join(f"{cards.format(card)} x{n}" for card, n in held.items()),
    }


def deck_text(deck: Deck) -> str:
    """Return a deck as readable text: a line a group with counts and sums of values, then where it is from."""
    facts = deck_json(deck)
    lines = [f"deck {deck.name}: {deck.size} cards (storms come with the rules), digest {facts['digest'][:12]}"]
    lines += [f"  {g['group']:<18} {g['cards']:>3} cards  sum {g['sum']:>+4}   {g['copies']}" for g in facts["groups"]]
    values = [card.value * n for card, n in deck.copies.items()]
    lines.append(f"  {'all':<18} {deck.size:>3} cards  sum {sum(values):>+4}")
    return "\n".join([*lines, deck.origin])
