"""What the deck lists of all games share: a name, where they are known from, a digest, and the head of their files."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from gameapi.datafile import DataFile, read_toml

RECONSTRUCTION = "reconstruction"
"""The provenance of a deck that is not known as printed and was worked out from what is."""

CARDS = "cards"
"""The key under which a deck file lists its cards."""


class Trim(NamedTuple):
    """A way to trim a game for a number of players: which cards are used, and which stay in the box.

    Attributes:
        label: What tables call it.
        changes: What differs from the base, each with what it is now.
        rules: The rules.
        deck: The deck.
        players: The numbers of players at which it is another game than the base, or could be.
    """

    label: str
    changes: dict[str, str]
    rules: Any
    deck: Any
    players: tuple[int, ...]


@dataclass(frozen=True)
class DeckList(ABC):
    """The base of a game's deck; the game adds the cards.

    Attributes:
        name: What the deck is called.
        provenance: ``"reconstruction"``, ``"printed"``, ``"own"`` or another short word: how the cards are known.
        source: One or two sentences on where they are known from; may be empty.
    """

    name: str
    provenance: str
    source: str

    @property
    def reconstructed(self) -> bool:
        """Whether the deck is a reconstruction, of which a user has to be told."""
        return self.provenance == RECONSTRUCTION

    def digest(self) -> str:
        """Give the SHA-256 of the cards in hexadecimal; equal exactly for decks of equal cards."""
        return hashlib.sha256("".join(f"{line}\n" for line in self.content()).encode("ascii")).hexdigest()

    def facts(self) -> dict[str, Any]:
        """Give what there is to say of any deck, as JSON values: name, where it is known from, digest, size."""
        return {
            "name": self.name,
            "provenance": self.provenance,
            "source": self.source,
            "digest": self.digest(),
            "size": self.size,
        }

    @property
    def origin(self) -> str:
        """Where the cards are known from, as a line for people."""
        return f"provenance: {self.provenance}. {self.source}".rstrip()

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of cards."""

    @abstractmethod
    def entries(self) -> Any:
        """Give the deck list as it stands in traces, as JSON values."""

    @abstractmethod
    def content(self) -> Iterable[str]:
        """Give the cards as lines of ASCII text in canonical order."""


def read_head(path: str | Path) -> tuple[DataFile, dict[str, str]]:
    """Read a deck file, all but its cards.

    Args:
        path: A TOML file with ``cards``, and optionally ``name`` (else the file's name), ``provenance`` (else
            ``"own"``) and ``source``.

    Returns:
        The file, and name, provenance and source.

    Raises:
        UnreadableError: The file cannot be read, has another key, or one of the three is no text.
    """
    file = read_toml(path)
    head = {"name": Path(path).stem, "provenance": "own", "source": ""}
    for key in file.data:
        if key not in head and key != CARDS:
            raise file.error(f"unknown key; a deck file has {', '.join([*head, CARDS])}", key)
    return file, {key: _text(file, key, default) for key, default in head.items()}


def _text(file: DataFile, key: str, default: str) -> str:
    value: Any = file.data.get(key, default)
    if not isinstance(value, str):
        raise file.error(f'expected text, such as {key} = "..."', key)
    if not (value.replace("\n", "") if key == "source" else value).isprintable():
        raise file.error("found a control character, expected plain text", key)
    return value
