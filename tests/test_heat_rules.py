"""Rules of Heat: options with their ranges, files, command lines, and what cannot be played."""

from pathlib import Path
from typing import Any

import pytest
from optiontables import are_values, table_is_whole
from refusals import file_refused, option_refused, values_refused

from gameapi.errors import UserError
from heatsim import deck, rules
from heatsim.game import GAME
from heatsim.rules import PLAYERS, Row, Rules


def test_every_field_is_an_option_and_has_its_default() -> None:
    table_is_whole(Rules(), "HT")


def test_defaults() -> None:
    standard = Rules()
    assert (standard.feds_carry_over, standard.debt, standard.mastermind_tie, standard.announce) == (True,) * 3 + (
        False,
    )
    assert (standard.heists, standard.stages, standard.tokens) == (3, 4, 15)
    assert standard.board == tuple(Row(value, value) for value in range(1, 6))
    for players in PLAYERS:
        rules.check(standard, deck.default(), players)
        assert rules.as_dict(standard, players) == {}


def test_rules_can_be_compared_hashed_and_sent_to_another_process() -> None:
    same = Rules().replace(stages="4", board=[[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]])
    are_values(Rules().replace(heists=2, board="1x2,3x4"), same)


def test_set_options() -> None:
    changed = rules.set_options(Rules(), ["heists=1", " stages = 6", "debt=FALSE", "board=2x3, 5x10"])
    assert (changed.heists, changed.stages, changed.debt, changed.board) == (1, 6, False, (Row(2, 3), Row(5, 10)))
    assert rules.as_dict(changed, 3) == {"debt": False, "board": [[2, 3], [5, 10]], "heists": 1, "stages": 6}
    assert rules.set_options(changed, ["heists=2", "heists=1"]).heists == 1


@pytest.mark.parametrize(
    ("setting", "parts"),
    [
        ("heists", ["heists: expected option=value", "heists=2"]),
        ("storms=3", ["storms: unknown option", "feds_carry_over, debt"]),
        ("heists=0", ["heists: found 0", "1 to 1000"]),
        ("heists=1001", ["heists: found 1001", "1 to 1000"]),
        ("stages=two", ["stages:", "two"]),
        ("stages=1.0", ["stages:", "1.0"]),
        ("debt=1", ["debt:", "true or false"]),
        ("announce=", ["announce:", "true or false"]),
        *((f"board={board}", ["board: found", "least bad first"]) for board in (
            "", "x", "1", "1x", "1x1x1", "1x1,", "1x1,1x1", "2x1,1x1", "0x1", "1x0", "-1x1", "1x1.0", "1X1", "1001x1",
            "1x1001", "1x600,2x600", "1x1;2x2", "\u00b9x1", "9999999999x1", "[[1, 1]]",
        )),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_option(setting: str, parts: list[str]) -> None:
    option_refused(Rules(), setting, parts)


def test_replace_takes_values_and_text() -> None:
    assert Rules().replace(heists=2) == Rules().replace(heists="2")
    assert Rules().replace(board=[[1, 3]]) == Rules().replace(board=(Row(1, 3),)) == Rules().replace(board="1x3")
    wrong_boards: list[object] = [
        [], [[]], [[1]], [[1, 2, 3]], [1, 2], {"1": 1}, None, 15, [[1, True]], [[1.0, 1]], [["1", 1]], [[1, 1], [1, 1]],
        [[0, 1]], [[-1, 1]], [[1, 0]], [[1, -1]], [[1, 10**30]], [[10**30, 1]], "1,1",
    ]  # fmt: skip
    for board in wrong_boards:
        with pytest.raises(UserError, match=r"^board: "):
            Rules().replace(board=board)
    values_refused(Rules(), ({"heists": True}, {"stages": 2.0}, {"debt": 1}, {"debt": None}, {"colour": 1}))


def test_from_file(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("heists = 2\nmastermind_tie = false\nboard = [[1, 5], [2, 5]]\n")
    changed = rules.from_file(file)
    assert (changed.heists, changed.mastermind_tie, changed.board) == (2, False, (Row(1, 5), Row(2, 5)))
    assert GAME.load_rules(file, ["heists=1"]) == changed.replace(heists=1)
    file.write_text("")
    assert rules.from_file(file) == Rules() == GAME.load_rules()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# my rules\nheists = 0\n", ":2: heists"),
        ("stages = true\n", ":1: stages"),
        ("stages = 3.0\n", ":1: stages"),
        ('debt = "true"\n', ":1: debt"),
        ("\n\nstorms = 4\n", ":3: storms"),
        ("[stages]\na = 1\n", ":1: stages"),
        ("debt = true\nboard = [[1, 2], [1, 3]]\n", ":2: board"),
        ('board = "1x1"\n', ":1: board"),
        ("[board]\n1 = 1\n", ":1: board"),
    ],
)
def test_what_is_wrong_with_a_rules_file(tmp_path: Path, text: str, place: str) -> None:
    file_refused(rules.from_file, tmp_path, text, f"mine.toml{place}: ")


def test_a_deck_must_hold_five_cards_a_player() -> None:
    copies = [("Heavy", [3, 4])] * 15 + [("Bank Job", [4, 5])] * 5
    mine = deck.from_copies(copies, "mine")
    rules.check(Rules(), mine, 3)
    rules.check(Rules(), mine, 4)
    for players, number, held in ((5, 25, 5), (3, 15, 14)):
        short = mine if players == 5 else deck.from_copies(copies[1:], "mine")
        with pytest.raises(
            UserError, match=f"has {held} cards for {players} players, expected at least {number}"
        ) as fault:
            rules.check(Rules(), short, players)
        assert fault.value.place == "deck"


@pytest.mark.parametrize("players", [0, 1, 2, 6])
def test_three_to_five_play(players: int) -> None:
    with pytest.raises(UserError, match=r"^players: found .* expected 3 to 5"):
        rules.check(Rules(), deck.default(), players)


def test_rules_built_by_hand_are_checked_too() -> None:
    boards: list[Any] = [(), (Row(2, 1), Row(1, 1))]
    wrong = [*({"board": board} for board in boards), {"heists": 0}, {"stages": -1}, {"debt": 1}]
    for fields in wrong:
        with pytest.raises(UserError):
            rules.check(Rules(**fields), deck.default(), 3)


def test_listing() -> None:
    rows = GAME.rules_rows()
    values = GAME.rules_json(Rules().replace(board="1x2"))
    assert [row["option"] for row in rows] == list(values)
    assert values["board"] == [[1, 2]]
    assert rows[0]["ruling"] == "HT7"
