"""Decks that the printed one could be: what the rulebook tells stays, the rest is drawn (docs/balance/decks.md).

Told: 34 cards, each of the 22 titles at least once, letters; some cards are for four and five players only; Bank Job,
Lay Low and Heavy speak of another card of their title. Assumed: a card that is used is used with more players too.
"""

from __future__ import annotations

from collections.abc import Callable

from heatsim import cards
from heatsim.deck import ICONS, Card, Deck
from heatsim.rules import HAND_SIZE

CARDS = 34
"""The cards of the box."""

PAIRED = (cards.LAY_LOW, cards.BANK_JOB, cards.HEAVY)
"""Titles whose text speaks of another of them: two or more, at every number of players."""

MOST_COPIES = 4
"""The most copies of a title; an assumption."""

SPARE = 3
"""What is left to draw after a draft at least: the cards of one Backup Plan. That they run out is told as rare."""

MOST_OF_THREE = 31
"""The most cards for three players, so that something is left for the others."""

Below = Callable[[int], int]


def deck(below: Below, name: str, source: str) -> Deck:
    """Draw a deck.

    Args:
        below: gives a random integer in 0..n-1 for n.
        name: what to call the deck.
        source: what to say of its origin.
    """
    copies = [*cards.TITLES, *PAIRED]
    while len(copies) < CARDS:
        open_titles = [title for title in cards.TITLES if copies.count(title) < MOST_COPIES]
        copies.append(open_titles[below(len(open_titles))])
    everywhere = [*PAIRED, *PAIRED] if below(2) else [*cards.TITLES, *PAIRED]
    rest = _shuffled(below, _without(copies, everywhere))
    three = _between(below, max(len(everywhere), HAND_SIZE * 3 + SPARE), MOST_OF_THREE)
    four = _between(below, max(three + 1, HAND_SIZE * 4 + SPARE), CARDS)
    icons = [ICONS] * three + [ICONS[1:]] * (four - three) + [ICONS[2:]] * (CARDS - four)
    listed = zip([*everywhere, *rest], icons, strict=True)
    return Deck(name, "reconstruction", source, tuple(Card(title, tuple(players)) for title, players in listed))


def _between(below: Below, least: int, most: int) -> int:
    return least + below(most - least + 1)


def _without(titles: list[str], taken: list[str]) -> list[str]:
    left = list(titles)
    for title in taken:
        left.remove(title)
    return left


def _shuffled(below: Below, titles: list[str]) -> list[str]:
    """Shuffle from the end (Durstenfeld 1964)."""
    mixed = list(titles)
    for last in range(len(mixed) - 1, 0, -1):
        place = below(last + 1)
        mixed[last], mixed[place] = mixed[place], mixed[last]
    return mixed
