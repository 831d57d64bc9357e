"""Ways to trim the deck for a number of players: other icons on the cards, one at a time or as whole sets."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gameapi.datafile import DataFile, read_toml
from gameapi.decklist import Trim
from gameapi.errors import UserError
from heatsim import cards
from heatsim.deck import ICONS, Card, Deck, EntryError, read_entry
from heatsim.rules import Rules

SETS = "sets"
_KEYS = ("name", "cards", "icons")


def trims(
    rules: Rules, deck: Deck, shares: Sequence[str] = (), sets: str | Path | None = None, flips: bool = True
) -> list[Trim]:
    """Give every deck with one icon of one copy flipped, and the sets of a file.

    Copies of a title with the same icons are interchangeable, so that an icon of one of them is flipped only.

    Args:
        rules: The rules; they stay as they are.
        deck: The deck to start from.
        shares: Must be empty: Heat returns no share of its cards.
        sets: A file of sets, see `read_sets`; None for none.
        flips: Whether icons are flipped.

    Raises:
        UserError: There are shares.
        UnreadableError: The file cannot be read; names file, line and key.
    """
    if shares:
        raise UserError("Heat returns no share of its cards: its deck is trimmed by icons (--sets FILE)", "shares")
    found = list(_flips(rules, deck)) if flips else []
    if sets is not None:
        found += [Trim(made.name, {"set": made.name}, rules, made, tuple(ICONS)) for made in read_sets(sets, deck)]
    return found


def _flips(rules: Rules, deck: Deck) -> Iterator[Trim]:
    for card in dict.fromkeys(deck.cards):
        for players in ICONS:
            used = players in card.players
            icons = set(card.players) ^ {players}
            name = f"{card.title} {text_of(card.players)}"
            label = f"{name} {'not' if used else 'also'} at {players}"
            others = list(deck.cards)
            others[others.index(card)] = Card(card.title, tuple(sorted(icons)))
            made = replace(deck, name=f"{deck.name}, {label}", provenance="own", cards=tuple(others))
            yield Trim(label, {name: text_of(sorted(icons))}, rules, made, (players,))


def text_of(icons: Sequence[int]) -> str:
    """Write icons as text: ``"345"``, or ``"box"`` for a copy that no number of players uses."""
    return "".join(map(str, icons)) or "box"


def read_sets(path: str | Path, deck: Deck) -> list[Deck]:
    """Read a file of alternative sets of cards.

    The file is TOML: a table ``[[sets]]`` for each set, with its ``name`` and either ``cards``, which is the whole set,
    one entry a copy as in a deck file; or ``icons``, a table of titles, each with the icons of its copies
    (``"Bank Job" = [[3, 4, 5], [5]]``): titles that it does not name have the copies of `deck`.

    Args:
        path: The file.
        deck: The deck to start from.

    Returns:
        A deck for each set, in the order of the file.

    Raises:
        UnreadableError: The file cannot be read, or is no such file; names file, line and key.
    """
    file = read_toml(path)
    for key in file.data:
        if key != SETS:
            raise file.error(f"unknown key; a file of sets has {SETS}", key)
    entries = file.data.get(SETS)
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise file.error("expected a table [[sets]] for each set, with name, and cards or icons")
    found: list[Deck] = []
    for index, entry in enumerate(entries):
        name = _name(file, index, entry, [made.name for made in found])
        read = _whole if "cards" in entry else _by_title
        found.append(Deck(name, "own", f"a set of {path}", read(file, index, entry, deck)))
    return found


def _name(file: DataFile, index: int, entry: dict[str, Any], taken: Sequence[str]) -> str:
    for key in entry:
        if key not in _KEYS:
            raise file.error(f"unknown key; a set has {', '.join(_KEYS)}", SETS, index, key)
    if "name" not in entry:
        raise file.error('there is no name; expected a short one, such as name = "no banks"', SETS, index)
    name = entry["name"]
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise file.error('expected a short text, such as name = "no banks"', SETS, index, "name")
    if name in taken:
        raise file.error("another set has this name; expected one of its own", SETS, index, "name")
    if ("cards" in entry) == ("icons" in entry):
        raise file.error("expected either cards, the whole set, or icons, what differs from the base", SETS, index)
    return name


def _whole(file: DataFile, index: int, entry: dict[str, Any], deck: Deck) -> tuple[Card, ...]:
    listed = entry["cards"]
    if not isinstance(listed, list) or not listed or not all(isinstance(card, dict) for card in listed):
        raise file.error('expected entries such as {title = "Bank Job", players = [3, 4, 5]}', SETS, index, "cards")
    found = []
    for number, card in enumerate(listed):
        try:
            found.append(read_entry(card))
        except EntryError as fault:
            key = filter(None, [fault.key])
            raise file.error(str(fault), SETS, index, "cards", number, *key) from None
    return tuple(found)


def _by_title(file: DataFile, index: int, entry: dict[str, Any], deck: Deck) -> tuple[Card, ...]:
    table = entry["icons"]
    if not isinstance(table, dict) or not table:
        raise file.error('expected a table of titles, such as "Bank Job" = [[3, 4, 5], [5]]', SETS, index, "icons")
    found: list[Card] = []
    titles = set()
    for title, copies in table.items():
        if not isinstance(copies, list) or not all(isinstance(icons, list) for icons in copies):
            message = "expected a list with the icons of each copy, such as [[3, 4, 5], [5]]"
            raise file.error(message, SETS, index, "icons", title)
        try:
            titles.add(cards.parse(title))
            found += [read_entry({"title": title, "players": icons}) for icons in copies]
        except ValueError as fault:
            raise file.error(str(fault), SETS, index, "icons", title) from None
    return (*(card for card in deck.cards if card.title not in titles), *found)
