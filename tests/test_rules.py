"""Rules: options with their ranges, files, command lines, and what cannot be played."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from optiontables import are_values, table_is_whole
from refusals import file_refused, option_refused, values_refused

from gameapi.errors import UserError
from hotsim import deck, rules
from hotsim.rules import PLAYERS, Rules


def test_every_field_is_an_option_and_has_its_default() -> None:
    table_is_whole(Rules(), "HH")


def test_defaults() -> None:
    standard = Rules()
    assert (standard.hand_size, standard.storms, standard.combined_stacks, standard.helicopter_points) == (10, 4, 2, 3)
    assert not standard.helicopter_is_top
    assert not standard.absent_column_is_zero
    assert standard.return_fraction == {2: Fraction(1, 2), 3: Fraction(1, 2), 4: Fraction(1, 3), 5: 0}
    for players in PLAYERS:
        rules.check(standard, deck.default(), players)
        assert rules.as_dict(standard, players) == {}


def test_rules_can_be_compared_hashed_and_sent_to_another_process() -> None:
    are_values(Rules().replace(storms=3, return_fraction="2/3"), Rules().replace(storms="4"))


def test_set_options() -> None:
    changed = rules.set_options(
        Rules(), ["storms=3", " hand_size = 8", "helicopter_is_top=TRUE", "return_fraction=0.5"]
    )
    assert (changed.storms, changed.hand_size, changed.helicopter_is_top) == (3, 8, True)
    assert changed.return_fraction == dict.fromkeys(PLAYERS, Fraction(1, 2))
    assert rules.as_dict(changed, 2) == {"hand_size": 8, "storms": 3, "helicopter_is_top": True}
    assert rules.as_dict(changed, 5) == rules.as_dict(changed, 2) | {"return_fraction": "1/2"}
    assert rules.set_options(changed, ["storms=2", "storms=1"]).storms == 1


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("storms", ["storms: expected option=value"]),
        ("gravity=9", ["gravity: unknown option", "combined_stacks"]),
        ("storms=0", ["storms: found 0", "at least 1"]),
        ("storms=two", ["storms:", "two", "at least 1"]),
        ("storms=1.0", ["storms:", "1.0"]),
        ("storms=", ["storms:", "at least 1"]),
        ("combined_stacks=-1", ["combined_stacks: found -1"]),
        ("helicopter_is_top=1", ["helicopter_is_top:", "true or false"]),
        ("helicopter_points=1001", ["helicopter_points: found 1001", "-1000 to 1000"]),
        ("return_fraction=3/2", ["return_fraction: found 3/2", "0 to 1"]),
        ("return_fraction=1/0", ["return_fraction:", "1/0"]),
        ("return_fraction=-1/2", ["return_fraction:", "-1/2"]),
        ("return_fraction=1e-999999999", ["return_fraction:"]),
        ("return_fraction=half", ["return_fraction:", "half"]),
    ],
)
def test_what_is_wrong_with_an_option(setting: str, parts: list[str]) -> None:
    option_refused(Rules(), setting, parts)


def test_replace_takes_values_and_text() -> None:
    assert Rules().replace(storms=3) == Rules().replace(storms="3")
    assert Rules().replace(return_fraction={2: "1/4"}).return_fraction[2] == Fraction(1, 4)
    assert Rules().replace(return_fraction={2: "1/4"}).return_fraction[3] == Fraction(1, 2)
    assert Rules().replace(return_fraction=Fraction(1, 5)).return_fraction[5] == Fraction(1, 5)
    values_refused(
        Rules(), ({"storms": True}, {"storms": 2.0}, {"helicopter_is_top": 1}, {"return_fraction": 0.5}, {"colour": 1})
    )


def test_from_file(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('storms = 3\nhelicopter_is_top = true\n[return_fraction]\n2 = "1/4"\n5 = 0\n')
    changed = rules.from_file(file)
    assert (changed.storms, changed.helicopter_is_top) == (3, True)
    assert changed.return_fraction == {2: Fraction(1, 4), 3: Fraction(1, 2), 4: Fraction(1, 3), 5: 0}
    file.write_text('return_fraction = "1/3"\n')
    assert rules.from_file(file).return_fraction == dict.fromkeys(PLAYERS, Fraction(1, 3))
    file.write_text("")
    assert rules.from_file(file) == Rules()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# my rules\nstorms = 0\n", ":2: storms"),
        ("storms = true\n", ":1: storms"),
        ("storms = 3.0\n", ":1: storms"),
        ('storms = "3x"\n', ":1: storms"),
        ("\n\ngravity = 1\n", ":3: gravity"),
        ("[storms]\na = 1\n", ":1: storms"),
        ("return_fraction = 0.5\n", ":1: return_fraction"),
        ('[return_fraction]\n3 = "1/2"\n6 = "1/2"\n', ":3: return_fraction.6"),
        ('[return_fraction]\n3 = "2"\n', ":2: return_fraction.3"),
        ('return_fraction.3 = "2"\n', ":1: return_fraction.3"),
    ],
)
def test_what_is_wrong_with_a_rules_file(tmp_path: Path, text: str, place: str) -> None:
    file_refused(rules.from_file, tmp_path, text, f"mine.toml{place}: ")


@pytest.mark.parametrize(
    ("changes", "players", "place", "message"),
    [
        ({}, 1, "players", "expected 2 to 5"),
        ({}, 6, "players", "expected 2 to 5"),
        ({"storms": 5}, 3, "hand_size", "at least 15"),
        ({"hand_size": 9}, 3, "hand_size", "at least 10"),
        ({"storms": 10**12}, 3, "hand_size", "expected at least"),
        ({"combined_stacks": 5}, 3, "combined_stacks", "only 4 stacks"),
        ({"hand_size": 34}, 3, "hand_size", "99 cards: 3 hands take 102"),
        ({"hand_size": 42}, 2, "hand_size", "and 16 for the dummy"),
        ({"hand_size": 10**15}, 5, "hand_size", "deck has 99 cards"),
    ],
)
def test_rules_that_cannot_be_played(changes: dict[str, Any], players: int, place: str, message: str) -> None:
    with pytest.raises(UserError) as fault:
        rules.check(Rules().replace(**changes), deck.default(), players)
    assert fault.value.place == place
    assert message in fault.value.message


def test_the_largest_hands_that_can_be_dealt() -> None:
    for players, hand_size in ((2, 41), (3, 33), (4, 24), (5, 19)):
        largest = Rules(hand_size=hand_size)
        rules.check(largest, deck.default(), players)
        with pytest.raises(UserError):
            rules.check(largest.replace(hand_size=hand_size + 1), deck.default(), players)


def test_rules_built_by_hand_are_checked_too() -> None:
    for wrong in (Rules(storms=0), Rules(combined_stacks=-1), Rules(helicopter_points=10**6)):
        with pytest.raises(UserError):
            rules.check(wrong, deck.default(), 3)
