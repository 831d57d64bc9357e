"""The records that Hot Heads kernels work on: rules with deck, state, work.

All games of a run share one rules record; a game is one state record; a thread owns one work record. Counts are int16
or int64 and bit sets uint64, because numpy's narrow arithmetic wraps where the compiled code does not; uint8 fields are
only stored and loaded.

Faces are numbered in the deck's canonical order (`cards.order`): typed cards, then wild balloons, wild ballast, the
helicopter, sabotage. So the typed faces, the faces that need a standing column, and sabotage are each a range of bits.
A column is numbered 4 * seat + type - 1; with 2 players the dummy, if any, is seat 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gameapi.coupling import names_of
from gameapi.errors import UserError
from gameapi.jit import pointer
from gameapi.kernel import MAX_SEATS, MAX_STATISTICS
from hotsim import cards, rules
from hotsim.deck import Deck
from hotsim.rules import Rules

TYPES = 4
MAX_COLUMNS = MAX_SEATS * TYPES
MAX_FACES = 64  # a hand's distinct faces are the bits of one uint64
MAX_CARDS = 160
DUMMY_CARDS = rules.DUMMY_PILES * rules.DUMMY_PILE_SIZE
MAX_STORMS = 12  # 78 cards of a hand go into 12 storms
COLUMN_PLACES = 48  # what lies in a column at most, and one free place at each end
MAX_LEGAL = 1344  # 63 faces with 20 columns each, sabotage with 41 forms, rounded up

PLAY, PICK, OVER = 0, 1, 2  # phases

# A column as one word, so that laying a card is one addition:
# bits 0-7 where the next ballast goes, 8-15 where the next balloon goes, 16-23 typed cards, 24-31 balloon cards,
# 32-39 helicopters, 40-63 altitude + ALTITUDE_ZERO
BOTTOM = np.uint64(1)
TOP = np.uint64(1 << 8)
TYPED = np.uint64(1 << 16)
BALLOON = np.uint64(1 << 24)
HELICOPTER = np.uint64(1 << 32)
ALTITUDE = np.uint64(1 << 40)
ALTITUDE_ZERO = 1 << 20

RULES = np.dtype(
    [
        ("players", np.int64),  # 2..5
        ("seats", np.int64),  # players and the dummy, where there is one
        ("hand_size", np.int64),
        ("extra_cards", np.int64),  # of the last seat
        ("storms", np.int64),
        ("combined_stacks", np.int64),
        ("helicopter_points", np.int64),
        ("helicopter_is_top", np.int64),  # 0 or 1
        ("absent_column_is_zero", np.int64),  # 0 or 1
        ("n_cards", np.int64),  # without storms
        ("dummy_cards", np.int64),  # they lie first in `cards`
        ("draw_start", np.int64),  # where the draw pile starts in `cards`
        ("draw_size", np.int64),
        ("stack_start", np.int64, (MAX_STORMS,)),  # HH3, in cards of the draw pile
        ("stack_size", np.int64, (MAX_STORMS,)),
        ("empty_column", np.uint64, (TYPES,)),  # the word of a column without cards, by type
        ("typed", np.uint64),  # bit sets of faces
        ("needs_column", np.uint64),
        ("sabotage", np.uint64),
        ("balloons", np.uint64),
        ("lay", np.uint64, (MAX_FACES,)),  # what laying a face adds to a column's word
        ("lay_in_storm", np.uint64, (MAX_FACES,)),  # the same, 0 for what a storm discards
        ("lift", np.uint64, (MAX_FACES,)),  # what taking a face subtracts, apart from the end's place
        ("stands", np.uint64, (MAX_FACES,)),  # 1 for typed faces
        ("type", np.uint64, (MAX_FACES,)),  # 0..3, 0 for others
        ("value", np.int64, (MAX_FACES,)),
        ("copies", np.uint8, (MAX_FACES,)),  # in the deck
        ("n_faces", np.int64),
        ("cards", np.uint8, (MAX_CARDS,)),  # the deck, a face each
        ("coupled", np.int64),  # 1: deals are those of `gameapi.coupling`
        ("names", np.uint64, (MAX_CARDS,)),  # what stands for each card there
    ],
    align=True,
)

STATE = np.dtype(
    [
        ("columns", np.uint64, (MAX_COLUMNS,)),
        ("hand", np.uint64, (MAX_SEATS,)),  # distinct faces in hand
        ("standing", np.uint64),  # columns that stand
        ("actor", np.int16),  # seat to act, -1 when the game is over
        ("phase", np.int16),  # PLAY, PICK, OVER
        ("storms", np.int16),  # drawn so far
        ("picks_left", np.int16),  # of the actor, in a storm phase
        ("drawer", np.int16),  # who drew the storm
        ("drawn", np.int16),  # cards drawn from the pile, storms not counted
        ("turns", np.int16),
        ("passes", np.int16, (MAX_SEATS,)),
        ("storm_at", np.int16, (MAX_STORMS,)),  # cards drawn before each storm
        ("n_picked", np.int16, (MAX_SEATS,)),  # in this storm phase, hidden until the reveal
        ("picks", np.uint8, (MAX_SEATS, MAX_STORMS)),
        ("count", np.uint8, (MAX_SEATS, MAX_FACES)),  # copies of each face in hand
        ("seen", np.uint8, (MAX_FACES,)),  # copies of each face that were played or revealed
        ("sequence", np.uint8, (MAX_COLUMNS, COLUMN_PLACES)),  # faces, top to bottom
        ("cards", np.uint8, (MAX_CARDS,)),  # the dummy's piles, hands as dealt, draw pile, returned
    ],
    align=True,
)

WORK = np.dtype(
    [
        ("stream", np.uint64),  # random stream of whoever draws
        ("n_legal", np.int64),
        ("rollouts", np.int64),  # of this decision
        ("score", np.int64, (MAX_SEATS,)),
        ("tiebreak", np.int64, (MAX_SEATS,)),  # balloon cards left (HH16)
        ("win", np.float64, (MAX_SEATS,)),  # 1/n for each of n winners
        ("statistic", np.int64, (MAX_STATISTICS, MAX_SEATS)),  # in the order of Game.stats
        ("hand_size", np.int64, (MAX_SEATS,)),  # determinization's scratch
        ("dummy", np.uint8, (DUMMY_CARDS,)),  # likewise
        ("total", np.float64, (MAX_LEGAL,)),  # a search agent's figures
        ("legal", np.int16, (MAX_LEGAL,)),
        ("candidate", np.int16, (MAX_LEGAL,)),  # a search agent's actions
        ("trial", STATE),  # a copy to try one ply on
        ("world", STATE),  # a determinized state
        ("playout", STATE),  # a copy to play out
    ],
    align=True,
)

StateType, RulesType, WorkType = pointer(STATE), pointer(RULES), pointer(WORK)


def record(the_rules: Rules, deck: Deck, players: int) -> np.recarray[Any, Any]:
    """Return the kernel's record of rules and deck, an array of shape (1,) and dtype `RULES`.

    Raises:
        UserError: rules and deck cannot be played by so many (HH4), or are larger than the state record holds.
    """
    rules.check(the_rules, deck, players)
    faces = deck.faces
    _check_limits(the_rules, deck, faces)
    made = np.zeros(1, RULES).view(np.recarray)
    r = made[0]
    counts = rules.counts(the_rules, deck, players)
    r.players = players
    r.seats = players + rules.has_dummy(the_rules, players)
    for field in ("hand_size", "extra_cards", "storms", "combined_stacks", "helicopter_points"):
        r[field] = getattr(the_rules, field)
    r.helicopter_is_top = the_rules.helicopter_is_top
    r.absent_column_is_zero = the_rules.absent_column_is_zero
    r.n_cards = deck.size
    r.dummy_cards = counts.dummy
    r.draw_start = counts.dummy + counts.dealt
    r.draw_size = counts.draw_pile
    sizes = rules.stack_sizes(the_rules, counts.draw_pile)
    r.stack_size[: len(sizes)] = sizes
    r.stack_start[: len(sizes)] = np.cumsum([0, *sizes[:-1]])
    _describe_faces(r, deck, faces)
    return made


def _describe_faces(r: Any, deck: Deck, faces: list[cards.Card]) -> None:
    """Fill the tables by face: what laying and taking it changes in a column's word."""
    for t, (balloons, _) in enumerate(_column_bounds(deck)):
        r.empty_column[t] = (ALTITUDE_ZERO << 40) + (balloons << 8) + balloons + 1
    r.n_faces = len(faces)
    word = (1 << 64) - 1
    for face, card in enumerate(faces):
        bit = np.uint64(1 << face)
        typed, balloon = cards.is_typed(card), card.kind == "balloon"
        if typed:
            r.typed |= bit
            r.type[face] = card.type - 1
        elif card.kind == "sabotage":
            r.sabotage |= bit
        else:
            r.needs_column |= bit
        if balloon:
            r.balloons |= bit
        r.stands[face] = typed
        r.value[face] = card.value
        if card.kind in ("balloon", "ballast"):
            take = (card.value << 40) + (int(typed) << 16) + (int(balloon) << 24)
            r.lift[face] = take & word
            r.lay[face] = (take + (-(1 << 8) if balloon else 1)) & word
            r.lay_in_storm[face] = r.lay[face] if typed else 0
        elif card.kind == "heli":
            r.lay[face] = HELICOPTER
    r.copies[: len(faces)] = list(deck.copies.values())
    order = [face for face, card in enumerate(faces) for _ in range(deck.copies[card])]
    r.cards[: len(order)] = order
    r.names[: len(order)] = names_of(cards.format(card) for card in deck.cards())


def _column_bounds(deck: Deck) -> list[tuple[int, int]]:
    """Return for each type how many balloon and ballast cards, wilds included, can come into one column at most."""

    def most(kind: str, t: int) -> int:
        return sum(n for card, n in deck.copies.items() if card.kind == kind and card.type in (0, t))

    return [(most("balloon", t), most("ballast", t)) for t in cards.TYPES]


def _check_limits(the_rules: Rules, deck: Deck, faces: list[cards.Card]) -> None:
    """Refuse what the fixed-size records cannot hold."""
    highest = max(balloons + ballast for balloons, ballast in _column_bounds(deck))
    points = the_rules.helicopter_points
    for what, found, limit in (
        ("cards", deck.size, MAX_CARDS),
        ("different cards", len(faces), MAX_FACES),
        ("cards that could lie in one column", highest, COLUMN_PLACES - 2),
        ("storms", the_rules.storms, MAX_STORMS),
        ("points for a helicopter", abs(points), 1000),
    ):
        if found > limit:
            raise UserError(f"deck {deck.name!r}: {found} {what}; the simulator holds at most {limit}")
