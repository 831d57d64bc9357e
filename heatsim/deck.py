"""A deck list: which copies there are of each title, the player counts that use each, and where that is known from."""

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from gameapi.datafile import DataFile
from gameapi.decklist import CARDS, DeckList, read_head
from gameapi.errors import shown
from heatsim import cards

ICONS = range(3, 6)
"""The numbers of players that a card can be marked with."""

MAX_COPIES = 99
"""The most copies of one title that `with_copies` gives."""

DEFAULT_FILE = Path(__file__).parent / "decks" / "default.toml"

_ENTRY = ("title", "letters", "players")


class Card(NamedTuple):
    """One copy of a title.

    Attributes:
        title: The title.
        players: The numbers of players that use this copy, ascending; empty for a copy that stays in the box.
    """

    title: str
    players: tuple[int, ...]


class EntryError(ValueError):
    """An entry of a deck list is wrong; `key` names the part of it, or is empty where it is the whole entry."""

    def __init__(self, message: str, key: str = "") -> None:
        """Keep the message and the key apart."""
        super().__init__(message)
        self.key = key


@dataclass(frozen=True)
class Deck(DeckList):
    """A deck list.

    Attributes:
        cards: Every copy, by title and then by player counts.
    """

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        """Put the cards into canonical order."""
        ordered = sorted(self.cards, key=lambda card: (cards.number(card.title), card.players))
        object.__setattr__(self, "cards", tuple(ordered))

    @property
    def size(self) -> int:
        """The number of cards of all player counts together."""
        return len(self.cards)

    def titles(self, players: int) -> list[str]:
        """List the titles of the cards that so many players use, each as often as it has copies, in canonical order."""
        return [card.title for card in self.cards if players in card.players]

    def entries(self) -> list[dict[str, Any]]:
        """Give the deck list as traces have it, one entry a copy."""
        return [
            {"title": card.title, "letters": cards.letters(card.title), "players": list(card.players)}
            for card in self.cards
        ]

    def content(self) -> Iterator[str]:
        """Give a line for each copy: its title and its player counts."""
        for card in self.cards:
            yield f"{card.title} {''.join(map(str, card.players))}"


def read_entry(entry: Mapping[str, object]) -> Card:
    """Read one entry of a deck list.

    Args:
        entry: `title` and `players`, and perhaps `letters`, which belong to the title and must be its own.

    Returns:
        The card.

    Raises:
        EntryError: A key is unknown, missing or wrong; says what would be right.
    """
    for key in entry:
        if key not in _ENTRY:
            raise EntryError(f"unknown key; an entry has {', '.join(_ENTRY)}", key)
    for key in ("title", "players"):
        if key not in entry:
            raise EntryError(f"there is no {key}; {_FORM}")
    title = entry["title"]
    if not isinstance(title, str):
        raise EntryError(f"found {shown(title)}, expected a title", "title")
    try:
        title = cards.parse(title)
    except ValueError as fault:
        raise EntryError(str(fault), "title") from None
    printed = cards.letters(title)
    if entry.get("letters", printed) != printed:
        raise EntryError(f"found {shown(entry['letters'])}, but the letters of {title} are {shown(printed)}", "letters")
    return Card(title, _icons(entry["players"]))


def from_copies(copies: Iterable[tuple[str, Iterable[int]]], name: str) -> Deck:
    """Make a deck of one's own.

    Args:
        copies: Title and player counts of each copy, for example ``[("Bank Job", [3, 4, 5]), ("Heavy", [5])]``.
        name: What to call the deck.

    Returns:
        The deck, with provenance ``"own"``.

    Raises:
        ValueError: There is no such title, or a number of players is out of range.
    """
    listed = tuple(read_entry({"title": title, "players": list(players)}) for title, players in copies)
    return Deck(name, "own", "", listed)


def with_copies(deck: Deck, title: str, copies: int) -> Deck:
    """Give the deck with another number of copies of a title, all of which every number of players uses.

    Args:
        deck: The deck.
        title: The title.
        copies: 0 to `MAX_COPIES`.

    Raises:
        ValueError: There is no such title, or the number is none; says what would be right.
    """
    title = cards.parse(title)
    if type(copies) is not int or not 0 <= copies <= MAX_COPIES:
        raise ValueError(f"found {shown(copies)}, expected an integer number of copies from 0 to {MAX_COPIES}")
    others = tuple(card for card in deck.cards if card.title != title)
    made = (Card(title, tuple(ICONS)),) * copies
    return replace(deck, name=f"{deck.name} with {copies} {title}", provenance="own", cards=others + made)


def load(path: str | Path) -> Deck:
    """Read a deck file.

    The file is TOML: a table ``[[cards]]`` for each copy, with its ``title`` and the list ``players`` of the numbers of
    players that use it; and optionally ``name`` (else the file's name), ``provenance`` (else ``"own"``) and ``source``.

    Args:
        path: The file.

    Returns:
        The deck.

    Raises:
        UnreadableError: The file cannot be read, or is no deck; names file, line and key.
    """
    file, head = read_head(path)
    return Deck(**head, cards=tuple(_listed(file)))


@functools.cache
def default() -> Deck:
    """Give the default deck, a reconstruction: numbers of copies and player counts are not public."""
    return load(DEFAULT_FILE)


_FORM = 'an entry is such as title = "Bank Job" and players = [3, 4, 5]'


def _icons(value: object) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise EntryError(f"found {shown(value)}, expected a list of numbers of players, such as [3, 4, 5]", "players")
    for players in value:
        if type(players) is not int or players not in ICONS:
            raise EntryError(f"found {shown(players)}, expected numbers of players from 3 to 5", "players")
    if len(set(value)) != len(value):
        raise EntryError(f"found {shown(value)}, expected each number of players once", "players")
    return tuple(sorted(value))


def _listed(file: DataFile) -> Iterator[Card]:
    entries = file.data.get(CARDS)
    if entries is None:
        raise file.error("there are no [[cards]]; expected one for each copy, with title and players")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise file.error("expected a table [[cards]] for each copy, with title and players", CARDS)
    if not entries:
        raise file.error("the deck has no cards", CARDS)
    for index, entry in enumerate(entries):
        try:
            yield read_entry(entry)
        except EntryError as fault:
            raise file.error(str(fault), CARDS, index, *filter(None, [fault.key])) from None
