"""Deck lists: the default one, files of one's own, and what is wrong with a file."""

import pickle
from collections import Counter
from pathlib import Path

import pytest
from refusals import file_refused

from hotsim import cards, deck
from hotsim.cards import HELI, SABOTAGE


def test_default_deck_has_the_published_counts() -> None:
    kinds = Counter(card.kind for card in deck.default().cards())
    assert kinds == {"balloon": 69, "ballast": 21, "sabotage": 5, "heli": 4}
    assert deck.default().size == 99


def test_default_deck_is_the_reconstruction() -> None:
    default = deck.default()
    assert default.reconstructed
    assert default.provenance == "reconstruction"
    assert "not public" in default.source
    copies = default.entries()
    for t in "1234":
        assert [copies[f"{t}+{value}"] for value in range(1, 6)] == [4, 4, 4, 2, 2]
        assert [copies[f"{t}-{value}"] for value in range(1, 5)] == [1, 1, 1, 1]
    assert [copies[f"*+{value}"] for value in range(1, 4)] == [2, 2, 1]
    assert [copies[f"*-{value}"] for value in range(1, 4)] == [2, 2, 1]
    assert copies["heli"] == 4
    assert copies["sabotage"] == 5


def test_digest_is_of_the_cards_alone() -> None:
    one = deck.from_tokens({"1+1": 2, "heli": 1}, "one")
    other = deck.from_tokens({"heli": 1, "1+1": 2, "2+2": 0}, "other")
    assert one.digest() == other.digest()
    assert len(one.digest()) == 64
    assert one.digest() != deck.from_tokens({"1+1": 1, "heli": 2}, "one").digest()


def test_cards_are_in_canonical_order() -> None:
    mine = deck.from_tokens({"sabotage": 1, "*+1": 1, "1+2": 2, "heli": 1}, "mine")
    assert [cards.format(card) for card in mine.cards()] == ["1+2", "1+2", "*+1", "heli", "sabotage"]
    assert list(mine.copies) == [cards.parse("1+2"), cards.parse("*+1"), HELI, SABOTAGE]
    assert not mine.reconstructed


def test_a_deck_can_be_hashed_and_sent_to_another_process() -> None:
    default = deck.default()
    assert pickle.loads(pickle.dumps(default)) == default
    assert hash(default) == hash(deck.load(deck.DEFAULT_FILE))


def test_load(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('provenance = "printed"\nsource = "counted"\n[cards]\n"1+7" = 3\nheli = 1\n"2+1" = 0\n')
    mine = deck.load(file)
    assert (mine.name, mine.provenance, mine.source) == ("mine", "printed", "counted")
    assert mine.entries() == {"1+7": 3, "heli": 1}


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('[cards]\n"1+1" = 4\n"1+03" = 2\n', ':3: cards."1+03"', "leading zeros"),
        ('[cards]\n"1+1" = true\n', ':2: cards."1+1"', "expected an integer"),
        ('[cards]\n"1+1" = 2.0\n', ':2: cards."1+1"', "expected an integer"),
        ('[cards]\n"1+1" = -1\n', ':2: cards."1+1"', "found -1 copies, expected 0 to 999"),
        ('[cards]\n"1+1" = 1000\n', ':2: cards."1+1"', "expected 0 to 999"),
        ("[cards]\nstorm = 4\n", ":2: cards.storm", "the rules say how many storms"),
        ('[cards]\n"1+1" = {a = 1}\n', ':2: cards."1+1"', "expected an integer"),
        ("[cards]\n", ":1: cards", "no cards"),
        ('[cards]\n"1+1" = 0\n', ":1: cards", "no cards"),
        ('name = "x"\n', "", "no [cards] table"),
        ("cards = 3\n", ":1: cards", "expected a table"),
        ('name = 3\n[cards]\n"1+1" = 1\n', ":1: name", "expected text"),
        ('colour = "red"\n[cards]\n"1+1" = 1\n', ":1: colour", "unknown key"),
        ('[cards]\n"1+1" = 1\n"1+1" = 2\n', "", "not TOML"),
    ],
)
def test_what_is_wrong_with_a_deck_file(tmp_path: Path, text: str, place: str, message: str) -> None:
    file_refused(deck.load, tmp_path, text, place, message)


def test_from_tokens_tells_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="no card"):
        deck.from_tokens({"9+9": 1}, "mine")
    with pytest.raises(ValueError, match="copies"):
        deck.from_tokens({"1+1": -2}, "mine")
