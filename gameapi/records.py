"""Copy one record over another: the plain memory move that numba does not spell."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def assign(target: Any, source: Any) -> None:
    """Copy every field of a structured record into another of the same dtype."""
    for name in target.dtype.names:
        target[name] = source[name]


@intrinsic
def _move(typingctx: Any, target: Any, source: Any) -> Any:
    if target != source or not isinstance(target, types.Record):
        return None
    size = target.size

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), size), 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


@overload(assign, inline="always")
def _assign_compiled(target: Any, source: Any) -> Any:
    def compiled(target: Any, source: Any) -> None:
        _move(target, source)

    return compiled
