"""Decks that the printed one could be: what the rulebook tells stays, the rest is drawn (docs/balance/decks.md).

Told: 69 balloons and 21 ballast in four types and wilds, 5 sabotage, 4 helicopters; balloons lift, ballast lowers, and
scores are whole, so values are whole and not 0. Assumed: the four types are equal, values run from 1 up without a hole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from hotsim import cards
from hotsim.cards import Card
from hotsim.deck import Deck

BALLOONS, BALLAST, SABOTAGE, HELICOPTERS = 69, 21, 5, 4
"""The cards that the rulebook counts, storms apart."""

WILD_BALLOONS, WILD_BALLAST = (1, 5, 9, 13), (1, 5, 9)
"""How many of them may be wild: there are wilds, and the four types share the others equally."""

TOP_BALLOON, TOP_BALLAST = range(3, 8), range(2, 6)
"""The largest value of a type, where it has as many cards."""

SLOPES = (0.125, 0.25, 0.5, 1.0, 2.0)
"""How often the largest value comes for each 1, geometrically between them."""

Below = Callable[[int], int]


def deck(below: Below, name: str, source: str) -> Deck:
    """Draw a deck.

    Args:
        below: gives a random integer in 0..n-1 for n.
        name: what to call the deck.
        source: what to say of its origin.
    """
    copies = Counter({cards.SABOTAGE: SABOTAGE, cards.HELI: HELICOPTERS})
    copies += _suit(below, "balloon", BALLOONS, WILD_BALLOONS, TOP_BALLOON)
    copies += _suit(below, "ballast", BALLAST, WILD_BALLAST, TOP_BALLAST)
    return Deck(name, "reconstruction", source, copies)


def _suit(below: Below, kind: str, held: int, wilds: Sequence[int], tops: Sequence[int]) -> Counter[Card]:
    """Draw all balloons or all ballast."""
    n_wild = wilds[below(len(wilds))]
    each = (held - n_wild) // len(cards.TYPES)
    possible = [top for top in tops if top <= each]
    top = possible[below(len(possible))]
    slope = SLOPES[below(len(SLOPES))]
    values = [*range(1, top + 1), *(_value(below, top, slope) for _ in range(each - top))]
    top_wild = 1 + below(top)
    wild_values = [_value(below, top_wild, slope) for _ in range(n_wild)]
    sign = 1 if kind == "balloon" else -1
    listed = [(t, value) for t in cards.TYPES for value in values] + [(0, value) for value in wild_values]
    return Counter(Card(kind, t, sign * value) for t, value in listed)


def _value(below: Below, top: int, slope: float) -> int:
    """Draw a value from 1 to `top`; weights are whole, so that no machine's rounding tells."""
    weights = [round(10_000 * slope ** (step / max(top - 1, 1))) for step in range(top)]
    place = below(sum(weights))
    value = 1
    while place >= weights[value - 1]:
        place -= weights[value - 1]
        value += 1
    return value
