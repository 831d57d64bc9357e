"""Random numbers: one stream for each purpose of each game, from the run's seed alone.

The generator is splitmix64 (Steele, Lea, Flood 2014): the state is a counter, so a stream is one uint64. The counter of
a stream is mixed twice from its key, so that neighbouring games do not share shifted copies of one sequence.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from gameapi.jit import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_GAME = np.uint64(0xD1342543DE82EF95)
_PURPOSE = np.uint64(0xA3EC647659359ACD)
_ONE, _30, _27, _31, _32 = np.uint64(1), np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

DEAL = np.uint64(0)  # purpose: the cards; purposes 1 + seat are the seats' own


@kernel()
def mix(x: Any) -> Any:
    """Return splitmix64's output function of a uint64."""
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


@kernel()
def stream(key: Any, index: Any, purpose: Any) -> Any:
    """Return the start of a stream.

    Args:
        key: uint64 of the run and the number of players (`run_key`).
        index: uint64, the deal or the game.
        purpose: uint64, `DEAL` or 1 + seat.
    """
    return mix(mix(key + purpose * _PURPOSE) + index * _GAME)


@kernel()
def stir(key: Any, value: Any) -> Any:
    """Return a hash that depends on all values stirred in so far and their order."""
    return mix(key + np.uint64(value) * GAMMA + _ONE)


@kernel()
def draw(work: Any) -> Any:
    """Return the next 64 random bits of `work.stream`."""
    work.stream += GAMMA
    return mix(work.stream)


@kernel()
def below(counter: Any, n: Any) -> Any:
    """Return the number in 0..n-1 that a stream gives at a counter (bias below n / 2**32); all uint64.

    A loop that draws often keeps the counter in a local variable and adds `GAMMA` for each draw: the compiler cannot
    know that a store to a state leaves `work.stream` alone, and would go through memory for every draw.
    """
    return ((mix(counter) >> _32) * n) >> _32


@kernel()
def draw_below(work: Any, n: Any) -> Any:
    """Return a random number in 0..n-1; all uint64."""
    work.stream += GAMMA
    return below(work.stream, n)


@kernel()
def random_place(cards: Any, first: int, stop: int, size: int, card: int, same: bool, work: Any) -> int:
    """Return a random place, -1 where there is none, that holds a card, or one that holds another.

    Args:
        cards: what lies at each place.
        first: places first..stop-1 are looked at.
        stop: they are counted round: place `size` is place 0.
        size: places in all.
        card: the card.
        same: whether the place shall hold it.
        work: whose stream is drawn from.
    """
    found, n = -1, 0
    for i in range(first, stop):
        place = i if i < size else i - size
        if (cards[place] == card) == same:
            n += 1
            if draw_below(work, np.uint64(n)) == np.uint64(0):
                found = place
    return found


def run_key(seed: int, players: int) -> np.uint64:
    """Return the key of a run's streams for one number of players, from a seed of any size and sign."""
    digest = hashlib.sha256(f"{seed} {players}".encode()).digest()
    return np.uint64(int.from_bytes(digest[:8], "little"))


class PlainStream:
    """The same generator in plain integers, for whoever checks a kernel."""

    def __init__(self, start: int) -> None:
        """Start at a uint64."""
        self.state = int(start) & (2**64 - 1)

    def draw(self) -> int:
        """Return the next 64 bits."""
        mask = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        return x ^ (x >> 31)

    def below(self, n: int) -> int:
        """Return a number in 0..n-1, as `draw_below` does."""
        return ((self.draw() >> 32) * n) >> 32
