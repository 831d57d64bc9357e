"""Sums of what became of cards, with names: what a part holds and measures are worked out from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments import store
from experiments.balance.card_loop import Sums as LoopSums
from experiments.balance.totals import GROUPS, Totals

_OF_SEATS = ("seats", "wins", "score")
_OF_CHANGES = ("pairs", "held", "wins", "score")


@dataclass(frozen=True)
class CardSums:
    """Sums of features of each card over groups of deals; `a + b` joins two sets of deals.

    Attributes:
        names: of the features: counts, and "CONDITION:seats" and so on.
        values: int64 (GROUPS, cards, features).
        deals: how many deals.
    """

    names: tuple[str, ...]
    values: npt.NDArray[np.int64]
    deals: int

    def __add__(self, other: CardSums) -> CardSums:
        """Return the sums over the deals of both."""
        assert self.names == other.names
        return CardSums(self.names, self.values + other.values, self.deals + other.deals)

    def totals(self, card: int) -> Totals:
        """Return the totals of one card."""
        return Totals(self.names, self.values[:, card], self.deals)

    def beside(self, other: CardSums) -> CardSums:
        """Return the features of both, of the same cards."""
        values = np.concatenate([self.values, other.values], axis=2)
        return CardSums(self.names + other.names, values, self.deals)

    def columns(self) -> store.Columns:
        """Return the sums as a part holds them: a row for each group and card."""
        flat = self.values.reshape(-1, len(self.names))
        return {name: np.ascontiguousarray(flat[:, i]) for i, name in enumerate(self.names)}


def from_columns(columns: store.Columns, deals: int) -> CardSums:
    """Return the sums that a part holds."""
    flat = np.stack(list(columns.values()), axis=1)
    return CardSums(tuple(columns), flat.reshape(GROUPS, -1, len(columns)), deals)


def watched(sums: LoopSums, counts: Sequence[str], conditions: Sequence[str], deals: int) -> CardSums:
    """Return what was seen of games as they were dealt; sums over all seats stand with every card."""
    n_cards = sums.counts.shape[1]
    seats = np.broadcast_to(sums.seats[:, None, :], (GROUPS, n_cards, 3))
    met = sums.conditions.reshape(GROUPS, n_cards, -1)
    names = [*(f"all:{what}" for what in _OF_SEATS), *counts]
    names += [f"{condition}:{what}" for condition in conditions for what in _OF_SEATS]
    return CardSums(tuple(names), np.concatenate([seats, sums.counts, met], axis=2), deals)


def changed(sums: LoopSums, changes: Sequence[str], deals: int) -> CardSums:
    """Return what changes made of games."""
    values = sums.changes.reshape(GROUPS, sums.changes.shape[1], -1)
    return CardSums(tuple(f"{change}:{what}" for change in changes for what in _OF_CHANGES), values, deals)
