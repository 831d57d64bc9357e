"""Every number and option of the rules: default, range, meaning, ruling; and what follows from the Heat board."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gameapi import options
from gameapi.errors import UserError, shown
from gameapi.options import Choices, Option
from gameapi.options import as_dict as as_dict
from gameapi.options import set_options as set_options
from heatsim.deck import Deck

PLAYERS = range(3, 6)
"""The numbers of players (HT1)."""

HAND_SIZE = 5
"""The cards that each seat takes out of a draft (HT14)."""

DEALT = 2
"""The cards that each seat is dealt at the start of a draft; the others are drawn, one in each round (HT2)."""

ROUNDS = HAND_SIZE - DEALT
"""The rounds of a draft: in each every seat passes a card and draws one (HT2)."""

MOST = 1000
"""The largest number in a field: heists, Stages, a row's value, slots of the whole board."""


class Row(NamedTuple):
    """A row of the Heat board (HT13).

    Attributes:
        value: What each Heat token costs when this is the worst row that is completely empty, in dollars.
        slots: The tokens it holds.
    """

    value: int
    slots: int


class BoardOption(Option):
    """The rows of the Heat board, least bad first: pairs of value and slots; typed as ``1x1,2x2,3x3``."""

    def from_text(self, text: str) -> tuple[Row, ...]:
        """Read rows as they are typed, value x slots, separated by commas."""
        rows = text.replace(" ", "").split(",")
        if not all(re.fullmatch(r"[0-9]{1,9}x[0-9]{1,9}", row) for row in rows):
            raise self.refusal(text)
        return self._board([[int(part) for part in row.split("x")] for row in rows], text)

    def from_value(self, value: object) -> tuple[Row, ...]:
        """Read a list of rows, each a list of value and slots."""
        rows = value if isinstance(value, list | tuple) else ()
        if not rows or not all(isinstance(row, list | tuple) and len(row) == 2 for row in rows):
            raise self.refusal(value)
        if not all(type(part) is int for row in rows for part in row):
            raise self.refusal(value)
        return self._board(rows, value)

    def as_json(self, value: Sequence[Row]) -> list[list[int]]:
        """Give the rows as lists."""
        return [list(row) for row in value]

    def _board(self, rows: Sequence[Sequence[int]], found: object) -> tuple[Row, ...]:
        board = tuple(Row(value, slots) for value, slots in rows)
        values = [0, *(row.value for row in board)]
        rising = all(less < more for less, more in itertools.pairwise(values))
        slots = sum(row.slots for row in board)
        if not rising or values[-1] > MOST or slots > MOST or any(row.slots < 1 for row in board):
            raise self.refusal(found)
        return board


OPTIONS: tuple[Option, ...] = (
    Option(
        "feds_carry_over",
        "boolean",
        "true",
        "true or false",
        "true: who plays The Feds in a heist's last Stage ignores Heat gain in the next heist's first; "
        "false: it lapses with the heist",
        "HT7",
    ),
    Option(
        "debt",
        "boolean",
        "true",
        "true or false",
        "true: money may fall below 0 when a shortage of Heat costs money; false: it stops at 0",
        "HT11",
    ),
    Option(
        "mastermind_tie",
        "boolean",
        "true",
        "true or false",
        "true: Mastermind also pays a seat that shares the most cards in hand; false: it must have more than any other",
        "HT12",
    ),
    Option(
        "announce",
        "boolean",
        "false",
        "true or false",
        "true: before each Stage's choice every seat in order announces a title or stays silent; it binds nobody",
        "HT17",
    ),
    BoardOption(
        "board",
        "board",
        "1x1,2x2,3x3,4x4,5x5",
        f"rows of [value, slots], least bad first, such as [[1, 1], [2, 2]] (1x1,2x2 on a command line): values rising "
        f"from 1 to {MOST} at most, each row with at least 1 slot, {MOST} slots at most in all",
        "rows of the Heat board: what a Heat token costs when the row is the worst empty one, and the tokens it holds",
        "HT13",
    ),
    Option(
        "heists",
        "integer",
        "3",
        f"an integer from 1 to {MOST}",
        "heists of a game; cards are passed to the left in those with an odd number, to the right in the others",
        "HT14",
        low=1,
        high=MOST,
    ),
    Option(
        "stages",
        "integer",
        "4",
        f"an integer from 1 to {MOST}",
        "Stages of a heist; a seat without a card in hand plays nothing in a Stage",
        "HT14",
        low=1,
        high=MOST,
    ),
)
"""Every field of the rules, in the order in which they are listed."""


@dataclass(frozen=True)
class Rules(Choices):
    """The rules of one game; every field is described in `OPTIONS`.

    Attributes:
        feds_carry_over: Whether The Feds reach from a heist's last Stage into the next heist.
        debt: Whether a shortage can take money below 0.
        mastermind_tie: Whether a tie for the most cards counts for Mastermind.
        announce: Whether there is a round of announcements before each Stage.
        board: The rows of the Heat board, least bad first.
        heists: Heists of a game.
        stages: Stages of a heist.
    """

    options: ClassVar[tuple[Option, ...]] = OPTIONS
    example: ClassVar[str] = "heists=2"

    feds_carry_over: bool = True
    debt: bool = True
    mastermind_tie: bool = True
    announce: bool = False
    board: tuple[Row, ...] = (Row(1, 1), Row(2, 2), Row(3, 3), Row(4, 4), Row(5, 5))
    heists: int = 3
    stages: int = 4

    @property
    def tokens(self) -> int:
        """The Heat tokens of the game: one for each slot of the board."""
        return sum(row.slots for row in self.board)

    def heat_value(self, taken: int) -> int:
        """Give what a Heat token costs when so many have been taken from the board, in dollars (HT13)."""
        value = empty = 0
        for row in self.board:
            empty += row.slots
            if taken < empty:
                break
            value = row.value
        return value


from_file = Rules.from_file
"""Reads a rules file."""


def check(rules: Rules, deck: Deck, players: int) -> None:
    """Make sure that a game can be played by these rules with this deck (HT1, HT2).

    Args:
        rules: The rules.
        deck: The deck list.
        players: The number of players.

    Raises:
        UserError: Says in numbers what does not fit; its place is the field to change, or ``deck``.
    """
    options.check_values(rules, players, PLAYERS)
    held, needed = len(deck.titles(players)), HAND_SIZE * players
    if held < needed:
        raise UserError(
            f"{shown(deck.name)} has {held} cards for {players} players, expected at least {needed}: "
            f"a draft takes {HAND_SIZE} a player",
            "deck",
        )
