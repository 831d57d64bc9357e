"""What a seat can do: the readable form of an action."""

from typing import NamedTuple

PASS = "pass"
ANNOUNCE = "announce"
REVEAL = "reveal"
WORD = "word"
COVER = "cover"

DUE = {
    PASS: "pass a card",
    ANNOUNCE: "announce a title or stay silent",
    REVEAL: "play a card",
    WORD: "add a card by Word on the Street",
    COVER: "discard a card for Cover Story, or none",
}
"""What a seat has to do that chooses an action of each kind."""


class Action(NamedTuple):
    """One decision of one seat.

    Attributes:
        kind: ``"pass"`` (a card of the draft), ``"announce"`` (talk before a Stage), ``"reveal"`` (the card of a
            Stage), ``"word"`` (the card that Word on the Street adds) or ``"cover"`` (what Cover Story discards).
        title: The title; None for silence instead of an announcement, and for a Cover Story that discards nothing.
    """

    kind: str
    title: str | None = None


_PHRASES = {
    PASS: "passes {}",
    ANNOUNCE: "announces {}",
    REVEAL: "plays {}",
    WORD: "adds {} by Word on the Street",
    COVER: "discards {} for its Cover Story",
}
_WITHOUT = {
    PASS: "passes no card",
    ANNOUNCE: "stays silent",
    REVEAL: "plays no card",
    WORD: "adds no card by Word on the Street",
    COVER: "discards nothing for its Cover Story",
}


def label(action: Action) -> str:
    """Say an action in words, for example ``passes Bank Job``; an illegal one too.

    Args:
        action: The action.

    Returns:
        A phrase without a subject.
    """
    if action.kind not in DUE:
        return f"makes an unknown choice {action.kind!r}"
    return _WITHOUT[action.kind] if action.title is None else _PHRASES[action.kind].format(action.title)
