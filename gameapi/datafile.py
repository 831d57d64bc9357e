"""Reads a user's TOML file and tells every fault with file, line and key."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gameapi.errors import UnreadableError


@dataclass(frozen=True)
class DataFile:
    """A TOML file that has been read.

    Attributes:
        path: The file's name, as it was given.
        data: The parsed content.
        text: The file's text, in which `error` looks for line numbers.
    """

    path: str
    data: dict[str, Any]
    text: str

    def error(self, message: str, *keys: str | int) -> UnreadableError:
        """Word a fault of the value under `keys`, with its file, line and key as the place.

        Args:
            message: What is wrong, and what would be right.
            keys: The way to the value from the top of the file; an integer counts entries of a list from 0.

        Returns:
            The error, for the caller to raise.
        """
        if not keys:
            return UnreadableError(message, self.path)
        return UnreadableError(message, f"{self.path}:{_line_of(self.text, keys)}: {_key_text(keys)}")


def read_toml(path: str | Path) -> DataFile:
    """Read a TOML file.

    Args:
        path: The file to read.

    Returns:
        Its content together with what is needed to point at faults in it.

    Raises:
        UnreadableError: The file is missing, no file, not readable, not UTF-8 or not TOML; names file and line.
    """
    name = str(path)
    try:
        raw = Path(path).read_bytes()
    except FileNotFoundError:
        raise UnreadableError("there is no such file", name) from None
    except IsADirectoryError:
        raise UnreadableError("this is a folder; expected a TOML file", name) from None
    except (OSError, ValueError) as fault:
        raise UnreadableError(f"cannot be read: {getattr(fault, 'strerror', None) or fault}", name) from None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = raw.count(b"\n", 0, fault.start) + 1
        raise UnreadableError("not UTF-8 text; save the file as UTF-8", f"{name}:{line}") from None
    return DataFile(name, _parse(text, name), text)


def _parse(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        found = re.search(r"^(.*) \(at line (\d+), column (\d+)\)$", str(fault), re.DOTALL)
        if found:
            message, line, column = found.groups()
            raise UnreadableError(f"not TOML: {message} (column {column})", f"{name}:{line}") from None
        last = text.count("\n") + 1
        raise UnreadableError(f"not TOML: {fault}", f"{name}:{last}") from None
    except RecursionError:
        raise UnreadableError("not TOML: nested too deeply", name) from None
    except ValueError as fault:  # a date that does not exist, a number with too many digits
        raise UnreadableError(f"not TOML: {fault}", name) from None


def _line_of(text: str, keys: tuple[str | int, ...]) -> int:
    """Give the line where `keys` are found in the text, one after the other; as far as they can be found."""
    start = 0
    for depth, key in enumerate(keys):
        if isinstance(key, int):
            continue
        follows = keys[depth + 1] if depth + 1 < len(keys) else None
        skip = follows if isinstance(follows, int) else 0
        name = re.escape(key)
        # A key stands at a line's start or behind a dot, bracket, brace or comma, before '=', '.' or ']'.
        pattern = re.compile(rf"""(?:^[ \t]*|[\[.{{,][ \t]*)["']?{name}["']?[ \t]*(?=[=.\]])""", re.MULTILINE)
        places = [found.end() for found in pattern.finditer(text, start)]
        if places:
            start = places[min(skip, len(places) - 1)]
    return text.count("\n", 0, start) + 1


def _key_text(keys: tuple[str | int, ...]) -> str:
    text = ""
    for key in keys:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            name = key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else f'"{key}"'
            text += f".{name}" if text else name
    return text
