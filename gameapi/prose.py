"""Text for people, whatever the game: wrapped lines, the opening of a game that is told, and tables as HTML."""

import html
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gameapi.errors import UserError

WIDTH = 100
"""The number of characters that a line of text has at most."""


def wrapped(start: str, text: str, width: int) -> list[str]:
    """Wrap text behind its start; further lines are indented as far."""
    return textwrap.wrap(
        text, width, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False
    ) or [start.rstrip()]


def opening(title: str, rules: Mapping[str, Any], deck: str, trace: Mapping[str, Any], width: int) -> list[str]:
    """Say what is played, by which rules, with which deck, and what a trace tells for information.

    Args:
        title: The first line.
        rules: What differs from the defaults.
        deck: The deck in words.
        trace: The trace, for `agents` and `seed`.
        width: The number of characters a line may have.

    Returns:
        The lines.
    """
    differ = ", ".join(f"{name} {_value(value)}" for name, value in rules.items())
    lines = [title, *wrapped("Rules: ", differ or "as printed", width), *wrapped("Deck: ", deck, width)]
    agents = trace.get("agents", [])
    if agents:
        lines += wrapped("Agents: ", ", ".join(f"seat {seat} {agent}" for seat, agent in enumerate(agents)), width)
    if "seed" in trace:
        lines += wrapped("Seed: ", str(trace["seed"]), width)
    return lines


def differing(faults: Sequence[UserError]) -> list[str]:
    """Say at the end of a told game where its trace records something else; no lines where it does not."""
    if not faults:
        return []
    return ["", "What is recorded differs from what the rules give:", *(f"  {fault}" for fault in faults)]


def win(winners: Sequence[int]) -> str:
    """Say what each of the winners has won."""
    return "wins" if len(winners) == 1 else f"wins 1/{len(winners)}"


def sight(progress: str, table: Iterable[str], items: Iterable[tuple[str, str]], width: int) -> str:
    """Show what a seat sees as text: how far the game is, a table, and what is listed below it by name.

    Args:
        progress: How far the game is.
        table: The lines of the table.
        items: Pairs of name and text.
        width: The number of characters a line may have.

    Returns:
        Lines of plain text, without a line end after the last.
    """
    lines = [*wrapped("", progress, width), "", *table, ""]
    for name, text in items:
        lines += wrapped(f"{name}: ", text, width)
    return "\n".join(lines)


def page(
    caption: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]], items: Iterable[tuple[str, str]]
) -> str:
    """Give a table and a description list as an HTML fragment.

    Args:
        caption: What the table shows.
        columns: The heads of its columns, the first for the rows' heads.
        rows: For each row its head, and its cells as HTML.
        items: What is listed below, in pairs of name and text.

    Returns:
        A table with a caption and header cells that screen readers can follow, and a description list.
    """
    heads = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in columns)
    body = "".join(
        f'<tr><th scope="row">{html.escape(head)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for head, cells in rows
    )
    listed = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>" for name, text in items)
    return (
        f"<table><caption>{html.escape(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table><dl>{listed}</dl>"
    )


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
