"""Ways to trim the deck for a number of players: the share that goes back to the box, with and without the dummy."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from gameapi.decklist import Trim
from gameapi.errors import UserError
from hotsim.deck import Deck
from hotsim.rules import DUMMY_PLAYERS, PLAYERS, Rules

SHARES = ("0", "1/8", "1/4", "1/3", "1/2", "5/8", "3/4")
"""The shares that are tried where none are given (HH2)."""


def trims(
    rules: Rules, deck: Deck, shares: Sequence[str] = (), sets: str | Path | None = None, flips: bool = True
) -> list[Trim]:
    """Give every share for every number of players, and for two each of them with the dummy switched.

    Args:
        rules: The rules to start from.
        deck: The deck; it stays as it is.
        shares: Fractions from 0 to 1 as text; none for `SHARES`.
        sets: Must be None: Hot Heads has no icons.
        flips: Has no meaning here.

    Raises:
        UserError: A share is none, stands twice, or there is a file of sets.
    """
    if sets is not None:
        raise UserError("Hot Heads has no icons: its deck is trimmed by shares, such as --shares 0,1/4,1/2", "sets")
    return list(_trims(rules, deck, _distinct(rules, shares or SHARES)))


def _trims(rules: Rules, deck: Deck, shares: Sequence[str]) -> Iterator[Trim]:
    switched = str(not rules.dummy).lower()
    for share in shares:
        changes = {"return_fraction": share}
        yield _trim(rules, deck, changes, tuple(PLAYERS))
    yield _trim(rules, deck, {"dummy": switched}, (DUMMY_PLAYERS,))
    for share in shares:
        yield _trim(rules, deck, {"return_fraction": share, "dummy": switched}, (DUMMY_PLAYERS,))


def _trim(rules: Rules, deck: Deck, changes: dict[str, str], players: tuple[int, ...]) -> Trim:
    label = " ".join(f"{option}={value}" for option, value in changes.items())
    return Trim(label, changes, rules.replace(**changes), deck, players)


def _distinct(rules: Rules, shares: Sequence[str]) -> list[str]:
    """Give shares in lowest terms, each once."""
    found = [str(rules.replace(return_fraction=share).return_fraction[PLAYERS[0]]) for share in shares]
    return list(dict.fromkeys(found))
