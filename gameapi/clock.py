"""A monotonic clock that compiled code can read, for agents with a time budget."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

_MONOTONIC = time.CLOCK_MONOTONIC


def nanoseconds() -> int:
    """Return the monotonic clock's reading in nanoseconds, int64."""
    return time.monotonic_ns()


@intrinsic
def _read(typingctx: Any) -> Any:
    """Call the C library's clock_gettime, which every process has loaded, so that the code can be cached."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        spec = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.IntType(32), (ir.IntType(32), spec.type)), "clock_gettime"
        )
        builder.call(function, (ir.Constant(ir.IntType(32), _MONOTONIC), spec))
        now = builder.load(spec)
        seconds, rest = builder.extract_value(now, 0), builder.extract_value(now, 1)
        return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

    return types.int64(), codegen


@overload(nanoseconds)
def _nanoseconds_compiled() -> Any:
    def compiled() -> int:
        return _read()

    return compiled
