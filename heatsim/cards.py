"""The vocabulary of Heat: every title, its letters, and the order in which titles are listed.

A card is known by its title; copies of a title are interchangeable. Which player counts use a copy is a matter of the
deck.
"""

import difflib

from gameapi.errors import shown

COPYCAT_CRIME = "Copycat Crime"
BACKUP_PLAN = "Backup Plan"
FRAME_UP = "Frame Up"
INFORMANT = "Informant"
LAY_LOW = "Lay Low"
THE_FEDS = "The Feds"
CIRCLE_BACK = "Circle Back"
WORD_ON_THE_STREET = "Word on the Street"
BANK_JOB = "Bank Job"
BREAK_IN = "Break In"
COVER_STORY = "Cover Story"
HEAVY = "Heavy"
THE_LIFT = "The Lift"
SPECIALIST = "Specialist"
DIVERSION = "Diversion"
FENCE_THE_GOODS = "Fence the Goods"
KANSAS_CITY_SHUFFLE = "Kansas City Shuffle"
LEVERAGE = "Leverage"
UNDER_THE_RADAR = "Under the Radar"
CRACKDOWN = "Crackdown"
MASTERMIND = "Mastermind"
INTERROGATION = "Interrogation"

_LETTERS = {
    COPYCAT_CRIME: "A",
    BACKUP_PLAN: "A",
    FRAME_UP: "A",
    INFORMANT: "A",
    LAY_LOW: "A",
    THE_FEDS: "A",
    CIRCLE_BACK: "A",
    WORD_ON_THE_STREET: "A",
    BANK_JOB: "B",
    BREAK_IN: "B",
    COVER_STORY: "B",
    HEAVY: "B",
    THE_LIFT: "B",
    SPECIALIST: "B",
    DIVERSION: "C",
    FENCE_THE_GOODS: "C",
    KANSAS_CITY_SHUFFLE: "C",
    LEVERAGE: "C",
    UNDER_THE_RADAR: "C",
    CRACKDOWN: "C",
    MASTERMIND: "AC",
    INTERROGATION: "AC",
}

TITLES = tuple(_LETTERS)
"""Every title in canonical order; a title's number is its place here."""

SWITCHING = (BACKUP_PLAN, CIRCLE_BACK, WORD_ON_THE_STREET)
"""The titles that bring another card into play (HT6)."""

_NUMBERS = {title: number for number, title in enumerate(TITLES)}


def letters(title: str) -> str:
    """Give a title's letters: ``"A"``, ``"B"``, ``"C"`` or ``"AC"``."""
    return _LETTERS[title]


def number(title: str) -> int:
    """Give a title's number, its place in `TITLES`; as a sort key it gives the canonical order."""
    return _NUMBERS[title]


def parse(text: str) -> str:
    """Read a title.

    Args:
        text: For example ``Bank Job``.

    Returns:
        The title.

    Raises:
        ValueError: There is no such title; names the most similar one, or all.
    """
    if text in _NUMBERS:
        return text
    similar = {title.casefold(): title for title in TITLES}
    near = difflib.get_close_matches(text[:40].casefold(), similar, n=1)
    right = f"did you mean {shown(similar[near[0]])}?" if near else f"the titles are {', '.join(TITLES)}"
    raise ValueError(f"no title: {shown(text)}; {right}")


def format(title: str) -> str:
    """Write a title with its letters, for example ``Mastermind (A, C)``."""
    return f"{title} ({', '.join(letters(title))})"
