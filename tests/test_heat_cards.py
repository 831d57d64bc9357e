"""The vocabulary of Heat: every title, its letters and its number."""

import pytest

from heatsim import cards
from heatsim.cards import TITLES


def test_titles_in_the_order_of_the_table() -> None:
    assert TITLES == (
        "Copycat Crime", "Backup Plan", "Frame Up", "Informant", "Lay Low", "The Feds", "Circle Back",
        "Word on the Street", "Bank Job", "Break In", "Cover Story", "Heavy", "The Lift", "Specialist", "Diversion",
        "Fence the Goods", "Kansas City Shuffle", "Leverage", "Under the Radar", "Crackdown", "Mastermind",
        "Interrogation",
    )  # fmt: skip


def test_round_trips_over_all_titles() -> None:
    assert [cards.parse(title) for title in TITLES] == list(TITLES)
    assert [TITLES[cards.number(title)] for title in TITLES] == list(TITLES)
    assert [cards.format(title).split(" (")[0] for title in TITLES] == list(TITLES)
    assert len({cards.format(title) for title in TITLES}) == 22


def test_every_title_has_a_constant() -> None:
    for title in TITLES:
        assert getattr(cards, title.upper().replace(" ", "_")) == title


def test_letters() -> None:
    by_letters = {
        letters: [title for title in TITLES if cards.letters(title) == letters] for letters in ("A", "B", "C")
    }
    assert by_letters["A"] == list(TITLES[:8])
    assert by_letters["B"] == list(TITLES[8:14])
    assert by_letters["C"] == list(TITLES[14:20])
    assert [cards.letters(title) for title in TITLES[20:]] == ["AC", "AC"]
    assert cards.format(cards.MASTERMIND) == "Mastermind (A, C)"
    assert all(cards.letters(title) == "A" for title in cards.SWITCHING)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("bank job", 'did you mean "Bank Job"?'),
        ("Bank Job ", 'did you mean "Bank Job"?'),
        ("BankJob", 'did you mean "Bank Job"?'),
        ("Lay low", 'did you mean "Lay Low"?'),
        ("Kansas", "the titles are Copycat Crime, Backup Plan"),
        ("", "the titles are"),
        ("Joker", "the titles are"),
    ],
)
def test_what_is_no_title(text: str, hint: str) -> None:
    with pytest.raises(ValueError, match="no title: ") as fault:
        cards.parse(text)
    assert hint in str(fault.value)


def test_a_long_text_is_cut_short_in_the_message() -> None:
    with pytest.raises(ValueError, match=r"no title: .*\.\.\.") as fault:
        cards.parse("x" * 10_000)
    assert len(str(fault.value)) < 500
