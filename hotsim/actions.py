"""What a seat can do: the readable form of an action, and its integer id."""

from collections.abc import Sequence
from typing import NamedTuple

from hotsim import cards
from hotsim.cards import Card

PLAY = "play"
SABOTAGE = "sabotage"
PASS = "pass"
PICK = "pick"

TOP = "top"
BOTTOM = "bottom"


class Action(NamedTuple):
    """One decision of one seat.

    Attributes:
        kind: ``"play"`` (balloon, ballast, helicopter), ``"sabotage"``, ``"pass"`` or ``"pick"`` (one card of a
            storm phase).
        card: The card played or picked; None for a pass.
        to: The seat whose table it goes to or whose column is hit (the dummy is seat 2 of a game of two); None for
            a pass, a pick, and a sabotage without effect.
        column: The column's type, 1 to 4; for a typed card its own type. None where `to` is None.
        end: ``"top"`` or ``"bottom"`` for a sabotage with effect, else None.
    """

    kind: str
    card: Card | None = None
    to: int | None = None
    column: int | None = None
    end: str | None = None


def label(action: Action, dummy: int | None = None) -> str:
    """Say an action in words, for example ``plays 2+4 on seat 1``.

    Args:
        action: The action.
        dummy: The dummy's seat where there is one, to be called by its name.

    Returns:
        A phrase without a subject.
    """
    if action.kind == PASS:
        return "passes"
    if action.card is None:
        raise ValueError(f"a {action.kind} has a card")
    token = cards.format(action.card)
    if action.kind == PICK:
        return f"picks {token}"
    if action.to is None:
        return f"plays {token} for no effect"
    seat = "the dummy" if action.to == dummy else f"seat {action.to}"
    if action.kind == SABOTAGE:
        return f"sabotages the {action.end} of column {action.column} of {seat}"
    if cards.is_typed(action.card):
        return f"plays {token} on {seat}"
    return f"plays {token} on column {action.column} of {seat}"


# ---- action ids, as the kernels know them: 64 * target + face -------------------------------------------------------
# A face is a card's place among the deck's different cards in canonical order. Targets 0..19 are columns (4 * seat +
# type - 1; of sabotage: its top), 20..39 the bottoms of those columns, the rest as named here.

TARGET_BOTTOM, TARGET_NO_EFFECT, TARGET_PICK, TARGET_PASS = 20, 40, 41, 42
N_TARGETS = 43
_TYPES = 4
_FACES = 64


def encode(action: Action, faces: Sequence[Card]) -> int:
    """Return an action's id.

    Args:
        action: The action.
        faces: The deck's different cards in canonical order (`Deck.faces`).

    Raises:
        ValueError: The card is none of the deck's, or seat or column is out of range.
    """
    if action.kind == PASS:
        return _FACES * TARGET_PASS
    if action.card not in faces:
        raise ValueError(f"{action.card and cards.format(action.card)!r} is none of the deck's cards")
    face = faces.index(action.card)
    if action.kind == PICK:
        return _FACES * TARGET_PICK + face
    if action.to is None or action.column is None:
        return _FACES * TARGET_NO_EFFECT + face
    if not (0 <= action.to < TARGET_BOTTOM // _TYPES and 1 <= action.column <= _TYPES):
        raise ValueError(f"no column {action.column} of seat {action.to}")
    target = _TYPES * action.to + action.column - 1
    return _FACES * (target + (TARGET_BOTTOM if action.end == BOTTOM else 0)) + face


def decode(action: int, faces: Sequence[Card]) -> Action:
    """Return what an action id says, the inverse of `encode`; ValueError where it says nothing."""
    target, face = divmod(int(action), _FACES)
    if target == TARGET_PASS and face == 0:
        return Action(PASS)
    if not (0 <= target < TARGET_PASS and face < len(faces)):
        raise ValueError(f"{action} is no action")
    card = faces[face]
    if target == TARGET_PICK:
        return Action(PICK, card)
    kind = SABOTAGE if card == cards.SABOTAGE else PLAY
    if target == TARGET_NO_EFFECT:
        return Action(kind, card)
    end = None if kind == PLAY else BOTTOM if target >= TARGET_BOTTOM else TOP
    to, column = divmod(target % TARGET_BOTTOM, _TYPES)
    return Action(kind, card, to, column + 1, end)
