"""Three bit operations that numba lacks: count, find the lowest, find the n-th.

Each is a plain function over `numpy.uint64` (what runs with the JIT off) with a compiled form of one or a few
machine instructions.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

U64 = np.uint64
_ONE = np.uint64(1)


def popcount(bits: Any) -> Any:
    """Return how many bits of a uint64 are set, as uint64."""
    return U64(int(bits).bit_count())


def lowest(bits: Any) -> Any:
    """Return the index of the lowest set bit of a uint64 (64 for none), as uint64."""
    value = int(bits)
    return U64((value & -value).bit_length() - 1 if value else 64)


def nth(bits: Any, n: Any) -> Any:
    """Return a uint64 with only the n-th lowest set bit of `bits` (n from 0), 0 where there is none."""
    value = int(bits)
    for _ in range(int(n)):
        value &= value - 1
    return U64(value & -value)


@intrinsic
def _popcount(typingctx: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), codegen


@intrinsic
def _lowest(typingctx: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), codegen


@intrinsic
def _deposit(typingctx: Any, source: Any, mask: Any) -> Any:
    """x86's parallel bit deposit: the n-th set bit of a mask is the deposit of 1 << n."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, (word, word)), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


@overload(popcount, inline="always")
def _popcount_compiled(bits: Any) -> Any:
    def compiled(bits: Any) -> Any:
        return _popcount(bits)

    return compiled


@overload(lowest, inline="always")
def _lowest_compiled(bits: Any) -> Any:
    def compiled(bits: Any) -> Any:
        return _lowest(bits)

    return compiled


def _has_deposit() -> bool:
    return bool(llvm.get_host_cpu_features().get("bmi2", False)) and not numba.core.config.CPU_NAME


@overload(nth, inline="always")
def _nth_compiled(bits: Any, n: Any) -> Any:
    if _has_deposit():

        def deposit(bits: Any, n: Any) -> Any:
            return _deposit(_ONE << n, bits)

        return deposit

    def walk(bits: Any, n: Any) -> Any:
        for _ in range(n):
            bits &= bits - _ONE
        return bits & (~bits + _ONE)

    return walk
