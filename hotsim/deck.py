"""A deck list: which cards there are, how many copies of each, and where that is known from."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from gameapi.datafile import DataFile
from gameapi.decklist import CARDS, DeckList, read_head
from gameapi.errors import shown
from hotsim import cards
from hotsim.cards import Card

MAX_COPIES = 999
"""The most copies of one card that a deck list may hold."""

DEFAULT_FILE = Path(__file__).parent / "decks" / "default.toml"


@dataclass(frozen=True)
class Deck(DeckList):
    """A deck list without storms; how many storms there are is a matter of the rules (HH4).

    Attributes:
        copies: The number of copies of each card, at least 1, in canonical order.
    """

    copies: Mapping[Card, int] = field(hash=False)

    def __post_init__(self) -> None:
        """Put the cards into canonical order and leave out those without a copy."""
        ordered = {card: self.copies[card] for card in sorted(self.copies, key=cards.order) if self.copies[card]}
        object.__setattr__(self, "copies", ordered)

    def cards(self) -> list[Card]:
        """List every card, each as often as there are copies, in canonical order."""
        return [card for card, copies in self.copies.items() for _ in range(copies)]

    @property
    def faces(self) -> list[Card]:
        """The different cards, in canonical order; the kernels know a card by its place here."""
        return list(self.copies)

    @property
    def size(self) -> int:
        """The number of cards, storms not counted."""
        return sum(self.copies.values())

    def entries(self) -> dict[str, int]:
        """Give the deck list as it stands in files and traces: the number of copies for each token."""
        return {cards.format(card): copies for card, copies in self.copies.items()}

    def content(self) -> Iterator[str]:
        """Give a line for each card: its token and its number of copies."""
        for token, copies in self.entries().items():
            yield f"{token} {copies}"


def read_entry(token: str, copies: object) -> tuple[Card, int]:
    """Read one entry of a deck list.

    Args:
        token: The card.
        copies: The number of copies, 0 to `MAX_COPIES`; a boolean or a fraction is no number of copies.

    Returns:
        The card and its number of copies.

    Raises:
        ValueError: The text is no card, or the number is none; says what would be right.
    """
    card = cards.parse(token)
    if type(copies) is not int:
        raise ValueError(f"found {shown(copies)}, expected an integer number of copies from 0 to {MAX_COPIES}")
    if not 0 <= copies <= MAX_COPIES:
        raise ValueError(f"found {shown(copies)} copies, expected 0 to {MAX_COPIES}")
    return card, copies


def from_tokens(mapping: Mapping[str, int], name: str) -> Deck:
    """Make a deck of one's own from tokens and numbers of copies.

    Args:
        mapping: For example ``{"1+3": 4, "heli": 4}``; storms are left out.
        name: What to call the deck.

    Returns:
        The deck, with provenance ``"own"``.

    Raises:
        ValueError: A token is no card, or a number of copies is out of range.
    """
    return Deck(name, "own", "", dict(read_entry(token, copies) for token, copies in mapping.items()))


def with_copies(deck: Deck, token: str, copies: int) -> Deck:
    """Give the deck with another number of copies of a card.

    Args:
        deck: The deck.
        token: The card.
        copies: 0 to `MAX_COPIES`.

    Raises:
        ValueError: The text is no card, or the number is none; says what would be right.
    """
    card, number = read_entry(token, copies)
    return replace(
        deck, name=f"{deck.name} with {number} {token}", provenance="own", copies={**deck.copies, card: number}
    )


def load(path: str | Path) -> Deck:
    """Read a deck file.

    The file is TOML: a table ``[cards]`` of tokens and numbers of copies, and optionally ``name`` (else the file's
    name), ``provenance`` (else ``"own"``) and ``source``.

    Args:
        path: The file.

    Returns:
        The deck.

    Raises:
        UnreadableError: The file cannot be read, or is no deck; names file, line and key.
    """
    file, head = read_head(path)
    return Deck(**head, copies=_copies(file))


@functools.cache
def default() -> Deck:
    """Give the default deck, a reconstruction: the printed values are not public."""
    return load(DEFAULT_FILE)


def _copies(file: DataFile) -> dict[Card, int]:
    table = file.data.get(CARDS)
    if table is None:
        raise file.error('there is no [cards] table; expected one line for each card, such as "1+3" = 4')
    if not isinstance(table, dict):
        raise file.error('expected a table with one line for each card, such as "1+3" = 4', CARDS)
    copies = {}
    for token, number in table.items():
        try:
            card, copies_of_it = read_entry(token, number)
        except ValueError as fault:
            raise file.error(str(fault), CARDS, token) from None
        copies[card] = copies_of_it
    if not any(copies.values()):
        raise file.error("the deck has no cards", CARDS)
    return copies
