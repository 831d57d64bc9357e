"""The deck as the command line lists it."""

from typing import Any

from heatsim import cards, rules
from heatsim.deck import Deck


def deck_json(deck: Deck) -> dict[str, Any]:
    """Return a deck with the number of cards for each player count, in all and of each title."""
    return {
        **deck.facts(),
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


def kinds(deck: Deck, players: int) -> list[tuple[str, str, int]]:
    """Return for each title, in the order in which the kernels number them, its letters and copies that are used."""
    used = deck.titles(players)
    return [(title, cards.letters(title), used.count(title)) for title in cards.TITLES]


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
    lines += [f"  {'all':<32} {_numbers(facts['used'])}", deck.origin]
    return "\n".join(lines)


def _numbers(used: dict[str, int]) -> str:
    return " ".join(f"{number:>4}" for number in used.values())
