"""A user's own agent from a file or a notebook: compiled or plain Python.

A compiled agent is a function of four parameters named state, rules, work, me (see `gameapi.kernel`); it is compiled
with the game's signature and gets a determinized state, so that it cannot look at hidden cards. Any other callable is a
plain Python agent: it gets a readable view of what its seat knows and returns one of the view's actions. A class is
instantiated once a game.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from gameapi.errors import UnreadableError, UserError

COMPILED_PARAMETERS = ["state", "rules", "work", "me"]


def read(path: str) -> bytes:
    """Return the content of a file of agents.

    Raises:
        UnreadableError: it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise UnreadableError(f"cannot be read: {fault.strerror}", path) from None


def digest_of(source: bytes) -> str:
    """Return what tells one content of a file from another."""
    return hashlib.sha256(source).hexdigest()


def load(path: str, attribute: str, source: bytes | None = None) -> tuple[Any, str]:
    """Return what a file calls `attribute`, and the file's sha256.

    Args:
        path: the file.
        attribute: a name in it.
        source: its content, where it has been read already, perhaps on another machine.

    Raises:
        UnreadableError: the file cannot be read or run, or has no such attribute.
    """
    file = Path(path)
    if source is None:
        source = read(path)
    digest = digest_of(source)
    name = f"own_agent_{digest[:16]}"
    module = ModuleType(name)
    module.__file__ = str(file)
    sys.modules[name] = module
    try:  # not by the import system, whose cache overlooks an edit of one letter within a second
        exec(compile(source, str(file), "exec"), module.__dict__)
    except (Exception, SystemExit) as fault:  # a user's file may fail in any way; the message says where
        raise UnreadableError(f"{type(fault).__name__}: {fault}", _place(path, fault)) from None
    if not hasattr(module, attribute):
        raise UnreadableError(f"has no {attribute!r}", path)
    return getattr(module, attribute), digest


def _place(path: str, fault: BaseException) -> str:
    """Return the innermost line of the user's file that a fault came through."""
    if isinstance(fault, SyntaxError) and fault.lineno:
        return f"{path}:{fault.lineno}"
    line, trace = 0, fault.__traceback__
    while trace:
        if Path(trace.tb_frame.f_code.co_filename) == Path(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"{path}:{line}" if line else path


def is_compiled(agent: Any) -> bool:
    """Tell whether a callable takes (state, rules, work, me), and so is to be compiled."""
    plain = getattr(agent, "py_func", agent)
    return inspect.isfunction(plain) and list(inspect.signature(plain).parameters) == COMPILED_PARAMETERS


def python_agent(agent: Any, settings: dict[str, str], place: str) -> Callable[[], Callable[[Any], Any]]:
    """Return a maker of choosers (view -> action) from a function or class and its settings.

    Raises:
        UserError: it cannot be called, or does not take a setting.
    """
    values = {key: _number(value) for key, value in settings.items()}
    if inspect.isclass(agent):
        if not callable(getattr(agent, "choose", None)):
            raise UserError("is a class without a method choose(view)", place)
        make: Callable[..., Any] = agent
        _bind(make, values, place, first=())
        return lambda: make(**values).choose
    if not callable(agent):
        raise UserError("is no function or class", place)
    _bind(agent, values, place, first=(None,))
    return lambda: lambda view: agent(view, **values)


def _bind(agent: Any, values: dict[str, Any], place: str, first: tuple[Any, ...]) -> None:
    try:
        inspect.signature(agent).bind(*first, **values)
    except TypeError as fault:
        raise UserError(f"cannot be called with these settings: {fault}", place) from None


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
