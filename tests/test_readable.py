import math

import pytest

from experiments import readable

NAN = math.nan


def shown(table, described):
    return {column.name: column for column in readable.columns(table, described)}


def test_an_estimate_and_its_interval_are_one_column():
    table = {"players": [3, 4], "x": [1.25, NAN], "x_low": [1.0, NAN], "x_high": [1.5, NAN], "n": [12000, 7]}
    described = [(name, "" if name == "players" else "points", "") for name in table]
    found = shown(table, described)
    assert list(found) == ["players", "x", "n"]
    assert (found["x"].texts, found["x"].intervals) == (["1.25", "-"], ["[1.00, 1.50]", ""])
    assert found["x"].values == [1.25, None]
    assert found["n"].texts == ["12,000", "7"]


@pytest.mark.parametrize(
    ("values", "widths", "places"),
    [
        ([71.3], [16.0], 1),
        ([71.3], [40.0], 0),
        ([0.5], [0.02], 3),
        ([12.3, 4.5], [], 2),
        ([4000.0], [], 1),
        ([0.04], [], 4),
    ],
)
def test_a_column_has_the_digits_that_its_intervals_leave(values, widths, places):
    assert readable.digits(values, widths) == places


def test_a_tiny_number_is_not_told_as_nothing():
    assert readable.rounded([0.5, 1e-9, 0.0, -1.0, NAN], 3) == ["0.500", "1.0e-09", "0.000", "-1.000", "-"]
    assert readable.rounded([2.0, -1.0], 0, signed=True) == ["+2", "-1"]


def test_shares_are_told_by_unit_or_name():
    assert readable.is_share("beats", "pairs / n_pairs")
    assert readable.is_share("pass_share", "passes / turns")
    assert not readable.is_share("decisions_mean", "decisions / game")


def test_rows_are_told_apart_by_what_has_no_unit_and_more_where_that_is_not_enough():
    table = {"players": [3, 3], "score": [1, 2], "n": [5, 5]}
    described = [("players", "", ""), ("score", "points", ""), ("n", "seats", "")]
    assert readable.keys(table, described) == ["players", "score"]
    assert readable.keys({name: values[:1] for name, values in table.items()}, described) == ["players"]


def test_cards_of_either_game_are_told_in_words():
    assert readable.cards({"cards": {"1+3": 4}}) == {"1+3": 4}
    card = {"title": "Lay Low", "letters": "A", "players": [3, 4]}
    assert readable.cards({"cards": [card, card]}) == {"Lay Low, letters A, players 3-4": 2}
