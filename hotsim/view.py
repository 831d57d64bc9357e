"""What one seat sees of a game, readable: what a plain Python agent decides on, and what people are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gameapi.view import SeatView
from hotsim import actions, cards
from hotsim.actions import Action
from hotsim.cards import Card
from hotsim.deck import Deck
from hotsim.game import GAME
from hotsim.layout import ALTITUDE_ZERO, PICK, TYPES

PHASES = {0: "play", 1: "pick", 2: "over"}


class Column(NamedTuple):
    """A column on the table: its cards from top to bottom, helicopters linked to it, and its altitude."""

    cards: tuple[Card, ...]
    helicopters: int
    altitude: int

    def as_dict(self) -> dict[str, Any]:
        """Return the column as traces write it."""
        return {"cards": _tokens(self.cards), "helicopters": self.helicopters}


def read_column(state: Any, column: int, faces: list[Card]) -> Column | None:
    """Return column number 4 * seat + type - 1 of a state record, None where none stands."""
    if not int(state.standing) >> column & 1:
        return None
    word = int(state.columns[column])
    top, bottom = word >> 8 & 255, word & 255
    held = tuple(faces[face] for face in state.sequence[column, top + 1 : bottom].tolist())
    return Column(held, word >> 32 & 255, (word >> 40) - ALTITUDE_ZERO)


def read_hand(state: Any, seat: int, faces: list[Card]) -> list[Card]:
    """Return a hand in canonical order."""
    counts = state.count[seat].tolist()
    return [card for card, n in zip(faces, counts, strict=False) for _ in range(n)]


def read_action(state: Any, deck: Deck, action: int) -> Action:
    """Return what an action id says; it is the same in every state."""
    return actions.decode(action, deck.faces)


class View(SeatView[Action]):
    """The information state of one seat, beside what every game shows; with 2 players the dummy, if any, is seat 2.

    Attributes:
        phase: "play", "pick" (a storm phase) or "over".
        hand: own cards in canonical order.
        picks: own picks of the storm phase so far.
        hand_sizes: cards in each player's hand.
        table: for each seat (the dummy last) four `Column`s, types 1 to 4, or None.
        discards: cards out of the game as far as they were seen, in canonical order.
        storms, n_storms: storms drawn so far, and in all.
        drawn: cards drawn from the pile so far; `draw_pile` is how many it held.
        turns: turns finished by all players.
    """

    game = GAME

    def __init__(self, state: Any, rules: Any, deck: Deck, seat: int, seed: int = 0) -> None:
        """Read a state record; nothing is kept of it."""
        super().__init__(state, rules, deck, seat, seed)
        faces = deck.faces
        self.phase = PHASES[int(state.phase)]
        self.hand = read_hand(state, seat, faces)
        self.picks = [faces[int(face)] for face in state.picks[seat, : int(state.n_picked[seat])]]
        self.hand_sizes = [int(state.count[s].sum()) for s in range(self.players)]
        seats = range(int(rules.seats))
        self.table = [[read_column(state, TYPES * s + t, faces) for t in range(TYPES)] for s in seats]
        self.discards = _discards(state, rules, deck, self.table)
        self.storms, self.n_storms = int(state.storms), int(rules.storms)
        self.drawn, self.draw_pile = int(state.drawn), int(rules.draw_size)
        self.turns = int(state.turns)

    def as_dict(self) -> dict[str, Any]:
        """Return the same facts as `Reference.knowledge`, in tokens."""
        return {
            "seat": self.seat,
            "hand": _tokens(self.hand),
            "picks": _tokens(self.picks),
            "table": [[column and column.as_dict() for column in row] for row in self.table],
            "discards": _tokens(self.discards),
            "hand_sizes": self.hand_sizes,
            "storms": self.storms,
            "drawn": self.drawn + self.storms,
            "turn": self.turns % self.players,
            "actor": self.actor,
            "phase": self.phase,
        }


def _tokens(group: Sequence[Card]) -> list[str]:
    return [cards.format(card) for card in group]


def _discards(state: Any, rules: Any, deck: Deck, table: list[list[Column | None]]) -> list[Card]:
    """Return what has been discarded in sight of all: the deck less hands, picks, table and unseen piles."""
    faces = deck.faces
    rest = Counter(deck.copies)
    for seat in range(int(rules.players)):
        rest.subtract(read_hand(state, seat, faces))
        rest.subtract(faces[int(face)] for face in state.picks[seat, : int(state.n_picked[seat])])
    for column in (column for row in table for column in row if column):
        rest.subtract(column.cards)
        rest[cards.HELI] -= column.helicopters
    rest.subtract(faces[int(face)] for face in unseen_faces(state, rules))
    return [card for card in faces for _ in range(rest[card])]


def unseen_faces(state: Any, rules: Any) -> np.ndarray[Any, Any]:
    """Return the faces of the dummy's piles to come, the rest of the draw pile and what was returned."""
    revealed = int(state.storms) - (int(state.phase) == PICK)
    piles = state.cards[min(4 * revealed, int(rules.dummy_cards)) : int(rules.dummy_cards)]
    rest = state.cards[int(rules.draw_start) + int(state.drawn) : int(rules.n_cards)]
    return np.concatenate([piles, rest])
