"""Functions to be compiled, by the tests and by processes of their own; imports no more than that takes."""

from typing import Any

from numba import types

from gameapi import bits
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise

# Bits


def count(word: Any) -> Any:
    return bits.popcount(word)


def low(word: Any) -> Any:
    return bits.lowest(word)


def nth(word: Any, n: Any) -> Any:
    return bits.nth(word, n)


def check_bits(words: list[int]) -> None:
    """Hold the compiled operations and the plain ones against lists of the bits set."""
    one, two, word_type = types.uint64(types.uint64), types.uint64(types.uint64, types.uint64), bits.U64
    fast = compiled(one, cache=False)(count), compiled(one, cache=False)(low), compiled(two, cache=False)(nth)
    for plain_word in words:
        word, places = word_type(plain_word), [i for i in range(64) if plain_word >> i & 1]
        for count_, low_, nth_ in (fast, (bits.popcount, bits.lowest, bits.nth)):
            assert count_(word) == len(places)
            assert low_(word) == (places[0] if places else 64)
            for n in range(min(len(places) + 2, 64)):
                assert int(nth_(word, word_type(n))) == (1 << places[n] if n < len(places) else 0)


# One function, bound in two ways


def pick(x: int) -> int:
    """Stand for a function that `specialise` binds."""
    raise NotImplementedError


def twice(x: int) -> int:
    return 2 * pick(x)


def with_part(x: int) -> int:
    return twice(x) + 1


def double(x: int) -> int:
    return x * 2


def square(x: int) -> int:
    return x * x


def both_bindings() -> tuple[list[int], list[int]]:
    """Compile `with_part` bound in two ways; give results for 3 and 5 of each, and how often the cache held it."""
    results, hits = [], []
    for name, part in (("double", double), ("square", square)):
        bound = specialise(with_part, name, parts=(twice,), pick=compiled()(part))
        function: Any = compiled(types.int64(types.int64))(bound)
        results += [int(function(3)), int(function(5))]
        hits.append(sum(function.stats.cache_hits.values()))
    return results, hits
