"""Coupled deals: different decks, or other rules, get the same cards in the same order as far as they have them.

Every card of a deal has a key that depends on the deal's stream and on what the card is (its name and the number of
the copy), not on the deck around it, and the cards lie in the order of their keys. Each deck by itself is shuffled
uniformly; of two decks the cards that both have lie in the same order (common random numbers: Glasserman and Yao, Some
guidelines and guarantees for common random numbers, 1992).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from gameapi.jit import kernel
from gameapi.rng import mix


@kernel()
def order_by_key(cards: Any, names: Any, n: int, start: Any) -> None:
    """Write the numbers 0..n-1 to `cards` in the order of their keys.

    Args:
        cards: uint8 (at least n,).
        names: uint64 (at least n,), from `names_of`.
        n: cards.
        start: uint64, the deal's stream.
    """
    for i in range(n):
        key = mix(start + names[i])
        low, high = 0, i
        while low < high:
            middle = (low + high) >> 1
            if mix(start + names[np.int64(cards[middle])]) < key:
                low = middle + 1
            else:
                high = middle
        for place in range(i, low, -1):
            cards[place] = cards[place - 1]
        cards[low] = i


@kernel()
def turn(cards: Any, n: int, by: int) -> None:
    """Bring the last `by` of the first n cards to the front; all keep their order otherwise."""
    reverse(cards, 0, n)
    reverse(cards, 0, by)
    reverse(cards, by, n)


@kernel()
def reverse(cards: Any, start: int, end: int) -> None:
    """Put places start..end-1 in the opposite order."""
    for i in range((end - start) >> 1):
        low, high = start + i, end - 1 - i
        card = cards[low]
        cards[low] = cards[high]
        cards[high] = card


def names_of(cards: Iterable[str]) -> npt.NDArray[np.uint64]:
    """Return what stands for each card in `order_by_key`: 64 bits from its name and the number of the copy.

    Args:
        cards: the name of each card; the second of a name is its second copy.
    """
    seen: Counter[str] = Counter()
    found = []
    for card in cards:
        digest = hashlib.sha256(f"{card} {seen[card]}".encode()).digest()
        found.append(int.from_bytes(digest[:8], "little"))
        seen[card] += 1
    return np.array(found, dtype=np.uint64)
