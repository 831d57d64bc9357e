"""JSON Lines: read line by line and strictly, value by value, and write whole files or none.

The `as_...` functions hold a parsed value against the form that it should have. They take and tell its path inside
the line, such as ``events[12].card``; `UserError.within` puts file and line before it.
"""

import errno
import json
import os
import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from gameapi.errors import DiskFullError, UnreadableError, UserError, shown

STANDARD_INPUT = "-"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def parse_line(text: str, place: str) -> object:
    """Parse one line of JSON, more strictly than the standard library does.

    Args:
        text: The line, as `read_lines` gives it.
        place: Where the line stands, for example ``games.jsonl: line 3``.

    Returns:
        The parsed value: dict, list, str, int, float, bool or None.

    Raises:
        UnreadableError: Not UTF-8, not JSON, a key twice in one object, NaN or Infinity, nested too deeply, a
            number with too many digits. Its place is `place`, followed by the place in the JSON where it is known.
    """
    broken = re.search("[\udc80-\udcff]", text)
    if broken:
        byte = ord(broken.group()) - 0xDC00
        raise UnreadableError(f"not UTF-8: byte 0x{byte:02x} at character {broken.start() + 1}", place)
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except _TwiceError:
        raise _twice(text, place) from None
    except json.JSONDecodeError as fault:
        raise UnreadableError(f"not JSON: {fault.msg} at character {fault.pos + 1}", place) from None
    except RecursionError:
        raise UnreadableError("nested too deeply to be read", place) from None
    except ValueError as fault:  # NaN, Infinity, or more digits than an integer may have
        raise UnreadableError(f"not JSON: {fault}", place) from None


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Read a text file line by line; only one line is held in memory.

    Blank lines are skipped and counted. A byte that is not UTF-8 does not end the reading: `parse_line` tells it
    for its line.

    Args:
        path: The file, or ``-`` for standard input.

    Yields:
        The line's number, from 1, and its text without the line end.

    Raises:
        UnreadableError: There is no such file, it is a folder, or it cannot be read.
    """
    if str(path) == STANDARD_INPUT:
        yield from _lines(sys.stdin.buffer)
        return
    try:
        with open(path, "rb") as stream:
            yield from _lines(stream)
    except FileNotFoundError:
        raise UnreadableError("there is no such file", str(path)) from None
    except IsADirectoryError:
        raise UnreadableError("this is a folder; expected a file", str(path)) from None
    except (OSError, ValueError) as fault:
        raise UnreadableError(f"cannot be read: {getattr(fault, 'strerror', None) or fault}", str(path)) from None


def write_whole(path: str | Path, data: bytes | str, flush: bool = True) -> None:
    """Write a file so that readers see the old content or the new, never a part.

    The content is written aside in the same folder, flushed to the disk and renamed.

    Args:
        path: The file to write or replace.
        data: Its content; text is written as UTF-8.
        flush: Whether it has to outlast a power cut.

    Raises:
        DiskFullError: There is no space for it.
        UserError: The file cannot be written for another reason; names it.
    """
    target = Path(path)
    aside = target.with_name(f".{target.name}.{os.getpid()}.part")
    content = data.encode("utf-8") if isinstance(data, str) else data
    try:
        try:
            with open(aside, "wb") as stream:
                stream.write(content)
                if flush:
                    stream.flush()
                    os.fsync(stream.fileno())
            os.replace(aside, target)
        finally:
            aside.unlink(missing_ok=True)
    except (OSError, ValueError) as fault:
        kind = DiskFullError if getattr(fault, "errno", None) in _FULL else UserError
        raise kind(f"cannot be written: {getattr(fault, 'strerror', None) or fault}", str(path)) from None


def path_to(path: str, key: str | int) -> str:
    """Give the path of an entry inside the value at `path`; the whole line's path is empty."""
    if isinstance(key, int):
        return f"{path}[{key}]"
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
        return f"{path}[{shown(key)}]"
    return f"{path}.{key}" if path else key


def as_object(
    value: object, path: str, required: Collection[str] = (), optional: Collection[str] = ()
) -> dict[str, Any]:
    """Accept an object with all the required fields and none but the required and optional ones."""
    if not isinstance(value, dict):
        raise UnreadableError(f"found {shown(value)}, expected an object", path)
    for key in value:
        if key not in required and key not in optional:
            known = ", ".join(dict.fromkeys([*required, *optional])) or "no fields"
            raise UnreadableError(f"unknown field; expected {known}", path_to(path, key))
    for key in required:
        if key not in value:
            raise UnreadableError("this field is missing", path_to(path, key))
    return value


def as_list(value: object, path: str, length: int | None = None) -> list[Any]:
    """Accept a list, of exactly `length` entries where that is given."""
    if not isinstance(value, list):
        raise UnreadableError(f"found {shown(value)}, expected a list", path)
    if length is not None and len(value) != length:
        raise UnreadableError(f"found {len(value)} entries, expected {length}", path)
    return value


def as_integer(value: object, path: str) -> int:
    """Accept an integer; neither true nor 1.0 is one."""
    if type(value) is not int:
        raise UnreadableError(f"found {shown(value)}, expected an integer", path)
    return value


def as_boolean(value: object, path: str) -> bool:
    """Accept true or false; neither 1 nor 0 is one."""
    if type(value) is not bool:
        raise UnreadableError(f"found {shown(value)}, expected true or false", path)
    return value


def as_text(value: object, path: str) -> str:
    """Accept a string."""
    if not isinstance(value, str):
        raise UnreadableError(f"found {shown(value)}, expected a string", path)
    return value


class _TwiceError(Exception):
    """A key stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _TwiceError
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


class _Pairs(list[tuple[str, Any]]):
    """An object as the pairs it was written in."""


def _twice(text: str, place: str) -> UnreadableError:
    """Find where a key stands twice: read the line again, this time keeping the pairs of each object."""
    waiting: list[tuple[Any, str]] = [(json.loads(text, object_pairs_hook=_Pairs), "")]
    while waiting:
        value, where = waiting.pop()
        if isinstance(value, _Pairs):
            seen: set[str] = set()
            for key, entry in value:
                path = path_to(where, key)
                if key in seen:
                    return UnreadableError("this key stands twice in one object", f"{place}: {path}")
                seen.add(key)
                waiting.append((entry, path))
        elif isinstance(value, list):
            waiting.extend((entry, path_to(where, index)) for index, entry in enumerate(value))
    return UnreadableError("a key stands twice in one object", place)


def _lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    for number, raw in enumerate(stream, start=1):
        text = raw.rstrip(b"\r\n").decode("utf-8", errors="surrogateescape")
        if text.strip():
            yield number, text
