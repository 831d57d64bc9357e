"""Every number and option of the rules: default, range, meaning, ruling; and the sizes that follow from them."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from gameapi import options
from gameapi.datafile import DataFile
from gameapi.errors import UserError, shown
from gameapi.options import Choices, Option
from gameapi.options import as_dict as as_dict
from gameapi.options import set_options as set_options
from hotsim.deck import Deck

PLAYERS = range(2, 6)
"""The numbers of players (HH1)."""

DUMMY_PLAYERS = 2
"""With this many players there is a dummy pilot as well, unless the rules do without (HH2)."""

DUMMY_PILES = 4
DUMMY_PILE_SIZE = 4
"""The dummy's face-down piles and the cards in each (HH2)."""


def _default_fractions() -> dict[int, Fraction]:
    return {2: Fraction(1, 2), 3: Fraction(1, 2), 4: Fraction(1, 3), 5: Fraction(0)}


class FractionOption(Option):
    """Fractions, one for each number of players; text everywhere, so that they are exact."""

    def from_text(self, text: str) -> Fraction:
        """Read the fraction for all numbers of players."""
        value = _fraction(text)
        if value is None:
            raise self.refusal(text)
        return Fraction(self.in_range(value))

    def from_value(self, value: object) -> Any:
        """Read a fraction, or a mapping from numbers of players to fractions."""
        if isinstance(value, Mapping):
            return {_player_count(key): self.from_value(entry) for key, entry in value.items()}
        if isinstance(value, str):
            return self.from_text(value)
        if isinstance(value, Fraction) or (type(value) is int and value in (0, 1)):
            return self.in_range(Fraction(value))
        raise self.refusal(value, "; write it as text, so that it is exact" if isinstance(value, float) else "")

    def from_trace(self, value: object) -> Fraction:
        """Read the fraction for the players of the game, as text."""
        if not isinstance(value, str):
            raise self.refusal(value)
        return self.from_text(value)

    def from_file(self, file: DataFile, value: object) -> Any:
        """Read a fraction, or a table with a fraction for each number of players."""
        if not isinstance(value, dict):
            return super().from_file(file, value)
        fractions = {}
        for key, entry in value.items():
            try:
                fractions[_player_count(key)] = self.from_value(entry)
            except ValueError as fault:
                raise file.error(str(fault), self.name, key) from None
        return fractions

    def merged(self, old: Mapping[int, Fraction], new: Any) -> dict[int, Fraction]:
        """Put the fractions that were given in the place of the old ones."""
        given = new if isinstance(new, Mapping) else dict.fromkeys(PLAYERS, new)
        return {players: given.get(players, usual) for players, usual in old.items()}

    def played(self, value: Mapping[int, Fraction], players: int) -> Fraction:
        """Give the fraction for so many players."""
        return value[players]

    def as_json(self, value: Any) -> Any:
        """Give fractions as text."""
        if isinstance(value, Mapping):
            return {str(players): str(fraction) for players, fraction in value.items()}
        return str(value)


class DummyOption(Option):
    """A switch that counts with `DUMMY_PLAYERS` players only."""

    def played(self, value: Any, players: int) -> Any:
        """Give the value where it counts, and the usual one for other numbers of players."""
        return value if players == DUMMY_PLAYERS else True


OPTIONS: tuple[Option, ...] = (
    Option(
        "hand_size",
        "integer",
        "10",
        "an integer of at least 1",
        "cards dealt to each seat; with S storms a hand needs S(S+1)/2 cards or more",
        "HH4",
        low=1,
    ),
    Option(
        "extra_cards",
        "integer",
        "0",
        "an integer of at least 0",
        "cards dealt to the last seat beyond hand_size, to make up for its going last",
        "HH4",
        low=0,
    ),
    Option(
        "storms",
        "integer",
        "4",
        "an integer of at least 1",
        "storm cards; the draw pile is cut into as many stacks, and the game ends after the last storm's phase",
        "HH4",
        low=1,
    ),
    Option(
        "combined_stacks",
        "integer",
        "2",
        "an integer from 0 to the number of storms",
        "stacks at the bottom of the draw pile that are put together and shuffled",
        "HH3",
        low=0,
    ),
    FractionOption(
        "return_fraction",
        "fraction",
        "1/2 with 2 or 3 players, 1/3 with 4, 0 with 5",
        'a fraction from 0 to 1, such as "1/3", "0" or "0.5"',
        "part of the undealt cards that goes back to the box unseen",
        "HH2",
        low=0,
        high=1,
    ),
    Option(
        "return_rounded_up",
        "boolean",
        "false",
        "true or false",
        "false: the part that goes back to the box is rounded down to whole cards; true: it is rounded up",
        "HH2",
    ),
    Option(
        "helicopter_points",
        "integer",
        "3",
        "an integer from -1000 to 1000",
        "points for each helicopter linked to a column that is left at the end",
        "HH15",
        low=-1000,
        high=1000,
    ),
    Option(
        "helicopter_is_top",
        "boolean",
        "false",
        "true or false",
        "true: a linked helicopter counts as its column's top card, so sabotage at the top takes it first",
        "HH8",
    ),
    Option(
        "absent_column_is_zero",
        "boolean",
        "false",
        "true or false",
        "true: a missing column counts as altitude 0 when the highest of its type is sought",
        "HH14",
    ),
    DummyOption(
        "dummy",
        "boolean",
        "true",
        "true or false",
        "true: with 2 players a dummy pilot has columns and piles of its own; false: two play without it",
        "HH2",
    ),
)
"""Every field of the rules, in the order in which they are listed."""


@dataclass(frozen=True)
class Rules(Choices):
    """The rules of one game; every field is described in `OPTIONS`.

    Attributes:
        hand_size: Cards dealt to each seat.
        extra_cards: Cards dealt to the last seat beyond that.
        storms: Storm cards, and stacks of the draw pile.
        combined_stacks: Stacks at the bottom that are put together and shuffled.
        return_fraction: For each number of players the part of the undealt cards that goes back to the box.
        return_rounded_up: Whether that part is rounded up to whole cards.
        helicopter_points: Points for a helicopter on a column that is left.
        helicopter_is_top: Whether sabotage at the top takes a helicopter first.
        absent_column_is_zero: Whether a missing column counts as altitude 0 when the highest is sought.
        dummy: Whether two play with a dummy pilot.
    """

    options: ClassVar[tuple[Option, ...]] = OPTIONS
    example: ClassVar[str] = "storms=3"

    hand_size: int = 10
    extra_cards: int = 0
    storms: int = 4
    combined_stacks: int = 2
    return_fraction: Mapping[int, Fraction] = field(default_factory=_default_fractions, hash=False)
    return_rounded_up: bool = False
    helicopter_points: int = 3
    helicopter_is_top: bool = False
    absent_column_is_zero: bool = False
    dummy: bool = True


class Counts(NamedTuple):
    """Where the cards of the deck go (HH2); storms are not counted."""

    dealt: int
    dummy: int
    returned: int
    draw_pile: int


from_file = Rules.from_file
"""Reads a rules file; `return_fraction` is text (for all numbers of players) or a table with keys 2 to 5."""


def check(rules: Rules, deck: Deck, players: int) -> None:
    """Make sure that a game can be played by these rules with this deck (HH1, HH4).

    Args:
        rules: The rules.
        deck: The deck list.
        players: The number of players.

    Raises:
        UserError: Says in numbers what does not fit; its place is the field to change.
    """
    options.check_values(rules, players, PLAYERS)
    storms, hand = rules.storms, rules.hand_size
    if rules.combined_stacks > storms:
        raise UserError(
            f"found {shown(rules.combined_stacks)}, but there are only {shown(storms)} stacks, one for each storm",
            "combined_stacks",
        )
    needed = storms * (storms + 1) // 2
    if hand < needed:
        raise UserError(
            f"found {hand}, expected at least {shown(needed)}: {shown(storms)} storm phases take 1 + ... + "
            f"{shown(storms)} cards of each hand",
            "hand_size",
        )
    dummy, dealt = _dummy_cards(rules, players), sum(hand_sizes(rules, players))
    if dealt + dummy > deck.size:
        piles = f" and {dummy} for the dummy" if dummy else ""
        raise UserError(
            f"found {shown(hand)}, but the deck has {deck.size} cards: {players} hands take {shown(dealt)}{piles}",
            "hand_size",
        )


def counts(rules: Rules, deck: Deck, players: int) -> Counts:
    """Say how many cards are dealt, returned to the box, and left to draw (HH2).

    Args:
        rules: Rules that `check` accepts.
        deck: The deck list.
        players: The number of players.

    Returns:
        The numbers of cards, storms not counted; together they are the deck.
    """
    dealt = sum(hand_sizes(rules, players))
    dummy = _dummy_cards(rules, players)
    left = deck.size - dealt - dummy
    part = left * rules.return_fraction[players]
    returned = math.ceil(part) if rules.return_rounded_up else math.floor(part)
    return Counts(dealt, dummy, returned, left - returned)


def hand_sizes(rules: Rules, players: int) -> list[int]:
    """Say how many cards each seat is dealt (HH2, HH4)."""
    return [rules.hand_size] * (players - 1) + [rules.hand_size + rules.extra_cards]


def stack_sizes(rules: Rules, draw_pile: int) -> list[int]:
    """Cut the draw pile into stacks, one for each storm, as equal as can be, the longer ones on top (HH3).

    Args:
        rules: The rules.
        draw_pile: The number of cards to cut, without storms.

    Returns:
        The number of cards of each stack, topmost first, without storms.
    """
    size, longer = divmod(draw_pile, rules.storms)
    return [size + (1 if stack < longer else 0) for stack in range(rules.storms)]


def has_dummy(rules: Rules, players: int) -> bool:
    """Tell whether there is a dummy pilot beside the players (HH2)."""
    return rules.dummy and players == DUMMY_PLAYERS


def _dummy_cards(rules: Rules, players: int) -> int:
    return DUMMY_PILES * DUMMY_PILE_SIZE if has_dummy(rules, players) else 0


def _player_count(key: object) -> int:
    for players in PLAYERS:
        if key in (players, str(players)):
            return players
    raise ValueError(f"found {shown(key)}, expected a number of players from {PLAYERS[0]} to {PLAYERS[-1]}")


def _fraction(text: str) -> Fraction | None:
    # A pattern first: Fraction itself would take "1e999999999" and fill the memory.
    if not re.fullmatch(r"[0-9]{1,400}(/[0-9]{1,400}|\.[0-9]{1,400})?", text):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None
