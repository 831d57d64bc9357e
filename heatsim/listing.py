"""Deck and rules as the command line lists and loads them."""

import functools
from pathlib import Path
from typing import Any

from gameapi import options
from heatsim import cards, rules
from heatsim import deck as decks
from heatsim.deck import Deck
from heatsim.rules import OPTIONS, Rules


def load_deck(path: str | Path | None = None) -> Deck:
    """Return the deck of a file, or the default deck."""
    return decks.default() if path is None else decks.load(path)


load_rules = Rules.load

rules_json = options.as_json

rules_rows = functools.partial(options.rows, OPTIONS)


def deck_json(deck: Deck) -> dict[str, Any]:
    """Return a deck with the number of cards for each player count, in all and of each title."""
    return {
        "name": deck.name,
        "provenance": deck.provenance,
        "source": deck.source,
        "digest": deck.digest(),
        "size": deck.size,
        "used": {str(players): len(deck.titles(players)) for players in rules.PLAYERS},
        "titles": [
            {
                "title": title,
                "letters": cards.letters(title),
                "used": {str(players): deck.titles(players).count(title) for players in rules.PLAYERS},
                "copies": [list(card.players) for card in deck.cards if card.title == title],
            }
            for title in cards.TITLES
        ],
        "cards": deck.entries(),
    }


def deck_text(deck: Deck) -> str:
    """Return a deck as readable text: a line a title with its cards for each player count, then where it is from."""
    facts = deck_json(deck)
    lines = [
        f"deck {deck.name}: {deck.size} cards, digest {facts['digest'][:12]}",
        f"  {'cards used by so many players:':<32} {_numbers({str(p): p for p in rules.PLAYERS})}   icons of each copy",
    ]
    for row in facts["titles"]:
        icons = " ".join("".join(map(str, icons)) or "none" for icons in row["copies"]) or "no copy"
        lines.append(f"  {cards.format(row['title']):<32} {_numbers(row['used'])}   {icons}")
    lines.append(f"  {'all':<32} {_numbers(facts['used'])}")
    lines.append(f"provenance: {deck.provenance}. {deck.source}".rstrip())
    return "\n".join(lines)


def _numbers(used: dict[str, int]) -> str:
    return " ".join(f"{number:>4}" for number in used.values())
