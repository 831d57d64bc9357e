"""What is varied: values, ranges, mistakes, and the grid of designs."""

import math

import pytest

from experiments import games
from experiments.balance import grid
from experiments.balance.designs import BASE, base
from gameapi.errors import UserError

HOT, HEAT = games.get("hotsim"), games.get("heatsim")


def axes(game, *texts):
    return [(axis.key, *axis.values) for axis in grid.read_axes(game, base(game), texts)]


def test_values_ranges_and_boards():
    assert axes(HOT, "storms=3,4,5", "deck.sabotage=0..8") == [
        ("storms", "3", "4", "5"),
        ("deck.sabotage", *map(str, range(9))),
    ]
    assert axes(HOT, "helicopter_points=-2..4..3, 9") == [("helicopter_points", "-2", "1", "4", "9")]
    assert axes(HOT, "return_fraction=0..3/4..1/4,0.9") == [("return_fraction", "0", "1/4", "1/2", "3/4", "0.9")]
    assert axes(HOT, "helicopter_is_top=true,false") == [("helicopter_is_top", "true", "false")]
    assert axes(HOT, "deck.*+2=1,1,2") == [("deck.*+2", "1", "2")], "each once"
    assert axes(HEAT, "board=1x1,2x2;2x2,3x3") == [("board", "1x1,2x2", "2x2,3x3")]
    assert axes(HEAT, "board=1x1,2x2") == [("board", "1x1,2x2")], "one board, not two of one row"
    assert axes(HEAT, "deck.Bank Job = 1..2") == [("deck.Bank Job", "1", "2")]


@pytest.mark.parametrize(
    ("game", "texts", "parts"),
    [
        (HOT, ["storm=3,4"], ["storm:", "did you mean storms?"]),
        (HOT, ["gravity=3"], ["gravity:", "the options are hand_size, extra_cards", "deck.CARD"]),
        (HOT, ["sabotage=3"], ["sabotage:", "deck.CARD"]),
        (HOT, ["deck.sabotag=3"], ["deck.sabotag:", "no card"]),
        (HOT, ["deck.5+1=3"], ["deck.5+1:", "a card is a type 1 to 4"]),
        (HOT, ["deck.heli=few"], ["deck.heli:", "few", "number of copies"]),
        (HOT, ["deck.heli=-1"], ["deck.heli:", "-1"]),
        (HOT, ["storms=3,x"], ["storms:", "x", "an integer of at least 1"]),
        (HOT, ["storms=5..3"], ["storms:", "5..3", "from the lesser to the greater"]),
        (HOT, ["storms=1..5..0"], ["storms:", "1..5..0"]),
        (HOT, ["storms=1..1/0"], ["storms:", "1..1/0"]),
        (HOT, ["storms=1..x"], ["storms:", "1..x", "0..8"]),
        (HOT, ["storms=1..3..1/2"], ["storms:", "3/2"]),
        (HOT, ["storms=1..999999999"], ["storms:", "at most 10,000"]),
        (HOT, ["storms="], ["storms:", "an integer"]),
        (HOT, ["storms"], ["storms:", "storms=3,4,5"]),
        (HOT, [], ["vary:", "nothing to vary"]),
        (HOT, ["storms=3", "storms=4"], ["storms:", "twice"]),
        (HOT, ["hand_size=1..200", "helicopter_points=1..200"], ["vary:", "40,000 points"]),
        (HEAT, ["deck.Bank Jobb=2"], ["deck.Bank Jobb:", 'did you mean "Bank Job"?']),
        (HEAT, ["board=1x1,1x2"], ["board:"]),
    ],
)
def test_mistakes_are_told_with_what_would_be_right(game, texts, parts):
    with pytest.raises(UserError) as fault:
        grid.read_axes(game, base(game), texts)
    for part in parts:
        assert part in str(fault.value)


def points(game, *texts):
    start = base(game)
    return grid.points(game, start, grid.read_axes(game, start, texts), list(game.seats))


def test_the_grid_is_the_product_and_the_base_is_not_played_twice():
    found = points(HOT, "storms=3,4", "deck.sabotage=5,6")
    assert [point.design.label for point in found] == [
        "storms=3 deck.sabotage=5",
        "storms=3 deck.sabotage=6",
        BASE,
        "storms=4 deck.sabotage=6",
    ]
    played = grid.designs_of(base(HOT), found)
    assert [design.label for design in played] == [BASE, *(p.design.label for p in found if p.design.label != BASE)]
    assert played[1].rules.storms == 3
    assert played[2].deck.entries()["sabotage"] == 6


def test_two_texts_for_the_same_design_are_one():
    found = points(HOT, "return_fraction=1/2,0.5,2/4,1/3")
    assert len({point.design.label for point in found}) == 2
    assert len(grid.designs_of(base(HOT), found)) == 3


def test_the_table_of_points():
    table = grid.table(points(HOT, "return_fraction=1/4,1/2", "helicopter_is_top=true,false"), [2, 4])
    assert list(table) == ["point", "players", "design", "key", "value", "number"]
    assert table["point"] == [n for n in range(4) for _ in range(4)]
    assert table["players"] == [2, 2, 4, 4] * 4
    assert table["key"][:2] == ["return_fraction", "helicopter_is_top"]
    assert table["number"][0] == 0.25
    assert math.isnan(table["number"][1])


def test_a_design_is_not_played_where_it_is_the_same_game_as_the_base():
    found = points(HOT, "return_fraction=1/2", "dummy=true,false")
    assert [point.design.players for point in found] == [(4, 5), (2, 4, 5)]
    assert grid.table(found, [2, 3])["design"] == [BASE] * 4 + [found[1].design.label] * 2 + [BASE] * 2
    (never,) = points(HOT, "deck.4+99=0")
    assert never.design.label == BASE
    assert [d.label for d in grid.designs_of(base(HOT), points(HEAT, "deck.Bank Job=3"))] == [BASE, "deck.Bank Job=3"]
