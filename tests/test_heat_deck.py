"""Deck lists of Heat: the default one, files of one's own, and what is wrong with a file."""

import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from refusals import file_refused

from heatsim import cards, deck, listing, rules
from heatsim.deck import Card, EntryError

ICONS = {
    "Lay Low": "345 345 5",
    "Bank Job": "345 345 45",
    "Break In": "345 45 5",
    "Heavy": "345 345 5",
    "The Lift": "345 45",
    "Specialist": "345 45",
    "Mastermind": "345 5",
    "Interrogation": "345 45",
}
"""The copies of the titles that have more than one."""


def entry(title: str = "Bank Job", players: str = "[3, 4, 5]", more: str = "") -> str:
    """Write an entry of a deck file."""
    return f'[[cards]]\ntitle = "{title}"\nplayers = {players}\n{more}'


def test_default_deck() -> None:
    default = deck.default()
    assert default.size == 34
    assert [len(default.titles(players)) for players in (3, 4, 5)] == [25, 30, 34]
    for title in cards.TITLES:
        icons = ["".join(map(str, card.players)) for card in default.cards if card.title == title]
        assert " ".join(icons) == ICONS.get(title, "345")
    assert default.reconstructed
    assert "not public" in default.source


def test_titles_of_a_player_count_are_in_canonical_order() -> None:
    mine = deck.from_copies([("Heavy", [5]), ("Bank Job", [5, 3]), ("Copycat Crime", [4]), ("Bank Job", [3])], "mine")
    assert mine.titles(3) == ["Bank Job", "Bank Job"]
    assert mine.titles(4) == ["Copycat Crime"]
    assert mine.titles(5) == ["Bank Job", "Heavy"]
    assert mine.cards[1:3] == (Card("Bank Job", (3,)), Card("Bank Job", (3, 5)))
    assert mine.size == 4
    assert not mine.reconstructed


def test_digest_is_of_the_cards_alone() -> None:
    one = deck.from_copies([("Heavy", [3, 4]), ("Bank Job", [5])], "one")
    other = deck.from_copies([("Bank Job", [5]), ("Heavy", [4, 3])], "other")
    assert one.digest() == other.digest()
    assert len(one.digest()) == 64
    assert one.digest() != deck.from_copies([("Heavy", [3, 4]), ("Bank Job", [4])], "one").digest()
    assert deck.default().digest() != one.digest()


def test_a_deck_can_be_hashed_and_sent_to_another_process() -> None:
    default = deck.default()
    assert pickle.loads(pickle.dumps(default)) == default
    assert hash(default) == hash(deck.load(deck.DEFAULT_FILE))


def test_entries_are_those_of_traces() -> None:
    entries = deck.default().entries()
    assert entries[0] == {"title": "Copycat Crime", "letters": "A", "players": [3, 4, 5]}
    assert tuple(deck.read_entry(one) for one in entries) == deck.default().cards


def test_load(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'provenance = "printed"\nsource = "counted"\n'
        + entry("Mastermind", "[5, 3]", 'letters = "AC"\n')
        + entry("Heavy", "[]")
    )
    mine = deck.load(file)
    assert (mine.name, mine.provenance, mine.source) == ("mine", "printed", "counted")
    assert mine.cards == (Card("Heavy", ()), Card("Mastermind", (3, 5)))
    assert mine.titles(5) == ["Mastermind"], "a copy without icons stays in the box"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (entry() + entry("Bank Jop"), ":5: cards[1].title", 'did you mean "Bank Job"?'),
        (entry() + entry().replace('"Bank Job"', "3"), ":5: cards[1].title", "expected a title"),
        (entry() + entry(players="[3, 6]"), ":6: cards[1].players", "found 6, expected numbers of players from 3 to 5"),
        (entry(players="[2, 3]"), ":3: cards[0].players", "found 2"),
        (entry(players="[3, 3]"), ":3: cards[0].players", "each number of players once"),
        (entry(players="[true]"), ":3: cards[0].players", "found true"),
        (entry(players="[3.0]"), ":3: cards[0].players", "found 3.0"),
        (entry(players='"345"'), ":3: cards[0].players", "expected a list"),
        (entry(players="345"), ":3: cards[0].players", "expected a list"),
        (entry(more='letters = "A"\n'), ":4: cards[0].letters", 'the letters of Bank Job are "B"'),
        (entry(more="copies = 2\n"), ":4: cards[0].copies", "unknown key; an entry has title, letters, players"),
        (entry() + '[[cards]]\ntitle = "Heavy"\n', ":4: cards[1]", "there is no players"),
        ("[[cards]]\nplayers = [3]\n", ":1: cards[0]", "there is no title"),
        ("cards = []\n", ":1: cards", "no cards"),
        ('name = "x"\n', "", "no [[cards]]"),
        ('cards = ["Bank Job"]\n', ":1: cards", "expected a table [[cards]]"),
        ('[cards]\n"Bank Job" = 3\n', ":1: cards", "expected a table [[cards]]"),
        ("name = 3\n" + entry(), ":1: name", "expected text"),
        ('colour = "red"\n' + entry(), ":1: colour", "unknown key"),
        (entry() + 'title = "Heavy"\n', "", "not TOML"),
    ],
)
def test_what_is_wrong_with_a_deck_file(tmp_path: Path, text: str, place: str, message: str) -> None:
    file_refused(deck.load, tmp_path, text, place, message)


def test_from_copies_tells_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="no title"):
        deck.from_copies([("Gold", [3])], "mine")
    with pytest.raises(EntryError, match="from 3 to 5") as fault:
        deck.from_copies([("Heavy", [7])], "mine")
    assert fault.value.key == "players"


# As the command line lists it


def test_listing() -> None:
    default = deck.default()
    facts: dict[str, Any] = json.loads(json.dumps(listing.deck_json(default)))
    assert (facts["size"], facts["used"]) == (34, {"3": 25, "4": 30, "5": 34})
    assert facts["digest"] == default.digest()
    for players in rules.PLAYERS:
        used = {row["title"]: row["used"][str(players)] for row in facts["titles"]}
        assert used == Counter(default.titles(players))
    assert facts["cards"] == default.entries()
    text = listing.deck_text(default).splitlines()
    assert "  Break In (B)                        1    2    3   345 45 5" in text
    assert "  all                                25   30   34" in text
    assert text[-1].startswith("provenance: reconstruction. ")


def test_listing_of_a_deck_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(entry("Heavy", "[]") + entry("Bank Job", "[3]"))
    text = listing.deck_text(deck.load(file)).splitlines()
    assert "  Heavy (B)                           0    0    0   none" in text
    assert "  Copycat Crime (A)                   0    0    0   no copy" in text
    assert text[-1] == "provenance: own."
