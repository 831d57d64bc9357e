"""The project's only way to compile: one decorator, one cache that cannot go stale.

numba stamps a cached function with its own source file only, so an edit of a callee in another file would go on playing
the old game. All compiled code is therefore kept in a folder named by a digest of every source that can reach a kernel,
of numba's version and of the flags that change what is compiled.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
from numba import types
from numba.core import config, event
from numba.core.errors import NumbaExperimentalFeatureWarning

_ROOT = Path(__file__).resolve().parent.parent
_SOURCES = (
    "gameapi/*.py",
    "hotsim/*.py",
    "heatsim/*.py",
    "agents/*.py",
    "experiments/match.py",
    "experiments/orders.py",
    "experiments/sums.py",
    "experiments/bench.py",
    "experiments/balance/card_loop.py",
    "experiments/flow.py",
    "experiments/watching.py",
)
_FLAGS = ("BOUNDSCHECK", "OPT", "DEBUG", "CPU_NAME", "CPU_FEATURES", "DISABLE_JIT")


def _stamp() -> str:
    """Return the digest of all that decides what the compiled code does."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:3]}".encode())
    for flag in _FLAGS:
        digest.update(f"{flag}={getattr(config, flag, None)};".encode())
    for pattern in _SOURCES:
        for path in sorted(_ROOT.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_folder() -> Path:
    """Return a writable folder for the compiled code: the user's cache, else a temporary one."""
    base = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
    roots = [Path(base) if base else Path.home() / ".cache", Path(tempfile.gettempdir())]
    for root in roots:
        folder = root / "hot-and-heat" / _stamp()
        if _writable(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix="hot-and-heat-"))


# Agents in a tuple are first-class functions, which numba calls experimental; the measured alternatives are worse.
warnings.filterwarnings("ignore", "First-class function type feature is experimental", NumbaExperimentalFeatureWarning)
if "NUMBA_OPT" not in os.environ:
    config.OPT = type(config.OPT)(1)  # a quarter less compiling, and the kernels run as fast

CACHE = _cache_folder()
config.CACHE_DIR = str(CACHE)  # before any decoration: numba reads it when a function is decorated


class _FirstCompilation(event.Listener):
    """Calls back once, when something is about to be compiled that the cache does not hold."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self.tell: Callable[[], None] | None = tell

    def on_start(self, event: event.Event) -> None:
        if self.tell:
            self.tell()
            self.tell = None

    def on_end(self, event: event.Event) -> None:
        pass


def when_compiling(tell: Callable[[], None]) -> None:
    """Call `tell` once, as soon as a kernel has to be compiled; never, where all are found in the cache."""
    event.register("numba:compile", _FirstCompilation(tell))


def kernel(signature: Any = None, *, cache: bool = True, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function without the interpreter lock.

    Args:
        signature: numba signature; with one the function is compiled (or loaded) at once and can be passed to other
            kernels as a value. Helpers that are only called go without and are compiled into their callers.
        cache: keep the machine code between processes.
        inline: copy the body into each caller (leaf helpers of the game loop).
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "cache": cache and signature is not None}
    if inline:
        options["inline"] = "always"
    if signature is None:
        return numba.njit(**options)
    return numba.njit(signature, **options)


@functools.cache
def for_python(function: Callable[..., Any], signature: Any) -> Callable[..., Any]:
    """Return a function that kernels call, compiled under a signature for calls from Python as well."""
    return kernel(signature)(getattr(function, "py_func", function))


def specialise(
    function: Callable[..., Any], name: str, parts: Sequence[Callable[..., Any]] = (), **bindings: Any
) -> Callable[..., Any]:
    """Return `function` with module-level names bound anew, ready for `kernel`.

    Agents are written once against the abstract contract `gameapi.kernel`; binding the name `kernel` to a game's module
    makes the agent of that game. Unlike a closure the result has no cells, which numba would hash by identity, so it
    is found in the cache by the next process.

    Args:
        function: plain Python function.
        name: suffix that keeps the cache entries of two bindings apart.
        parts: plain functions, of this or another module, that `function` or later parts call by name; they are bound
            and compiled as well.
        bindings: module-level names and what they shall mean.
    """
    assert isinstance(function, FunctionType)
    meanings = dict(bindings)
    for part in parts:
        assert isinstance(part, FunctionType)
        meanings[part.__name__] = kernel()(_rebound(part, name, {**part.__globals__, **meanings}))
    return _rebound(function, name, {**function.__globals__, **meanings})


def _rebound(function: FunctionType, name: str, names: dict[str, Any]) -> FunctionType:
    made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    made.__qualname__ = f"{function.__qualname__}@{name}"
    made.__module__ = function.__module__
    made.__doc__ = function.__doc__
    return made


def pointer(dtype: Any) -> types.Type:
    """Return the numba type of one record of a numpy structured dtype."""
    return numba.from_dtype(dtype)
