"""Agents by text: `name:key=value`, or `path/to/file.py:attribute:key=value` for a user's own."""

from __future__ import annotations

from typing import NamedTuple

from gameapi.errors import UserError


class Spec(NamedTuple):
    """A spec taken apart: a name of the catalogue, or a file and what stands in it, and settings."""

    name: str
    path: str | None
    settings: dict[str, str]


def parse(text: str) -> Spec:
    """Take one spec apart.

    Raises:
        UserError: no name, or a setting that is no key=value, or twice the same key.
    """
    place = f"agent {text!r}"
    head, *rest = text.strip().split(":")
    path = None
    if head.endswith(".py"):
        if not rest or "=" in rest[0] or not rest[0]:
            raise UserError("expected path/to/file.py:attribute", place)
        path, head = head, rest.pop(0)
    if not head:
        raise UserError("expected a name such as random or mc:rollouts=64", place)
    settings: dict[str, str] = {}
    for part in rest:
        key, equals, value = part.partition("=")
        if not (key and equals and value):
            raise UserError(f"{part!r} is no setting; expected key=value", place)
        if key in settings:
            raise UserError(f"{key} is set twice", place)
        settings[key] = value
    return Spec(head, path, settings)


def parse_list(text: str) -> list[str]:
    """Split a comma-separated list of specs.

    Raises:
        UserError: an empty list or entry.
    """
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise UserError("expected agents separated by commas, such as random,greedy", f"agents {text!r}")
    return parts
