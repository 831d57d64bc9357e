"""The doors of both games' packages, and one game step by step: deals of one's own, refusals, traces."""

import importlib
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from anygame import finish

import heatsim
import hotsim
from experiments import games
from gameapi.errors import IllegalError, UserError
from gameapi.table import GameTable
from hotsim import cards

ROOT = Path(__file__).parent.parent


@pytest.fixture(params=games.GAMES)
def package(request: pytest.FixtureRequest) -> Any:
    """Give the package of each game."""
    return importlib.import_module(request.param)


# Doors


def test_every_public_name_is_there(package: Any) -> None:
    assert sorted(dir(package)) == sorted(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is getattr(package, name)
    assert issubclass(package.Table, GameTable)
    assert package.GAME is games.get(package.__name__)
    with pytest.raises(AttributeError, match=f"'{package.__name__}' has no attribute 'Tabel'"):
        _ = package.Tabel


@pytest.mark.parametrize("name", games.GAMES)
def test_the_doors_load_the_compiler_only_for_what_needs_it(name: str) -> None:
    code = f"import sys, {name}; {name}.Rules, {name}.Deck, {name}.Reference; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_batches_deal_what_tables_deal(package: Any) -> None:
    batch = package.batch(3, players=3, seed=8)
    for number in range(3):
        table = package.Table(3, seed=8, number=number)
        hand = package.GAME.service("view")(batch.states[number], table._record, table.deck, 1).hand
        assert hand == table.view(1).hand
    while (batch.actor >= 0).any():
        batch.step(batch.random_actions())
    assert batch.returns().shape == (3, 3)


# A game


def test_what_is_not_legal_is_refused(package: Any) -> None:
    table = package.Table(3)
    for action in (package.Action("jump"), "pass", ["pass"], None, 0):
        before = table.state.tobytes()
        with pytest.raises(IllegalError, match=r"^seat 0: .* is not legal now; legal\(\) lists the \d+ that are$"):
            table.step(action)
        assert table.state.tobytes() == before
    last = table.legal()[0]
    finish(table, random.Random(1))
    assert (table.actor, table.phase, table.legal()) == (-1, "over", [])
    with pytest.raises(IllegalError, match="the game is over"):
        table.step(last)


def test_actions_are_chosen_by_themselves_or_by_place(package: Any) -> None:
    table = package.Table(3)
    view = table.view()
    assert view.actions == table.legal()
    for place in (0, len(view.actions) - 1, np.int64(1)):
        number = view.action_id(place)
        assert view.action_id(view.actions[place]) == number
        assert table.read_action(number) == view.actions[place]
    for choice in (-1, len(view.actions), True, None, "pass", [], 0.0, package.Action("jump")):
        assert view.action_id(choice) is None
    assert table.view(1).actions == []


def test_a_game_is_shown_as_its_actor_sees_it(package: Any) -> None:
    table = package.Table(3)
    assert str(table) == str(table.view(0)) != str(table.view(1))
    assert table._repr_html_() == table.view(0)._repr_html_()
    assert table.knowledge(2) == table.view(2).as_dict()


def test_a_trace_is_given_at_the_end(package: Any) -> None:
    table = package.Table(4, seed=3)
    with pytest.raises(UserError, match="the game is not over"):
        table.trace()
    written = finish(table, random.Random(2)).trace(["a", "b", "c", "d"], seed=3)
    assert table.traces.check(written) == (written, [])
    assert (written["agents"], written["seed"], written["result"]) == (["a", "b", "c", "d"], 3, table.result())


def test_a_setup_brings_the_same_game(package: Any) -> None:
    table = package.Table(3, seed=5, number=2)
    again = package.Table(3, setup=table.setup)
    plain = package.Reference(table.rules, 3, table.setup)
    assert again.setup == plain.setup == table.setup
    rng = random.Random(4)
    while table.actor >= 0:
        action = rng.choice(table.legal())
        for engine in (table, again, plain):
            engine.step(action)
    assert again.result() == plain.result() == table.result()
    assert again.trace() == table.trace()


@pytest.mark.parametrize("setup", [[], {}, "default", 1, object()])
def test_what_is_no_setup_is_refused(package: Any, setup: object) -> None:
    with pytest.raises(UserError, match=rf"^setup: found .*, expected a {package.__name__}.Setup$"):
        package.Table(3, setup=setup)


HEAT_DEAL = heatsim.Table(3).setup.decks
HOT_DEAL = {players: hotsim.Table(players).setup for players in (2, 3)}
HANDS, DRAW, BOX = HOT_DEAL[3].hands, HOT_DEAL[3].draw_pile, HOT_DEAL[3].returned
PILES = HOT_DEAL[2].dummy or []
OTHER = cards.parse("4+99")
COPIES = hotsim.GAME.load_deck().copies[HANDS[0][0]]
ONE_LESS = f"setup: found {COPIES - 1} of {cards.format(HANDS[0][0])}, the deck has {COPIES}"


@pytest.mark.parametrize(
    ("players", "changes", "said"),
    [
        (3, {"hands": HANDS[:2]}, "setup.hands: found 2 entries, expected 3"),
        (3, {"hands": [HANDS[0], HANDS[1], HANDS[2][1:]]}, "setup.hands[2]: found 9 cards, expected 10"),
        (3, {"hands": [HANDS[0], HANDS[1], [*HANDS[2], HANDS[2][0]]]}, "setup.hands[2]: found 11 cards, expected 10"),
        (3, {"hands": [[OTHER, *HANDS[0][1:]], *HANDS[1:]]}, ONE_LESS),
        (3, {"hands": [[None, *HANDS[0][1:]], *HANDS[1:]]}, "setup.hands[0][0]: a storm cannot stand here"),
        (3, {"hands": [[7, *HANDS[0][1:]], *HANDS[1:]]}, "setup.hands[0][0]: found 7, expected a string"),
        (3, {"hands": None}, "setup.hands: found null, expected a list"),
        (3, {"returned": BOX[1:]}, "setup.returned: found 33 cards, expected 34"),
        (3, {"draw_pile": [card for card in DRAW if card]}, "setup.draw_pile: found 0 storms, expected 4"),
        (3, {"draw_pile": [None, *DRAW]}, "setup.draw_pile: found 5 storms, expected 4"),
        (3, {"draw_pile": [*DRAW, OTHER]}, "setup.draw_pile: found 36 cards that are no storms, expected 35"),
        (3, {"dummy": PILES}, "setup.dummy: found "),
        (2, {"dummy": None}, "setup.dummy: found null, expected a list"),
        (2, {"dummy": PILES[:3]}, "setup.dummy: found 3 entries, expected 4"),
        (2, {"dummy": [PILES[0][:3], *PILES[1:]]}, "setup.dummy[0]: found 3 entries, expected 4"),
    ],
)
def test_a_deal_of_hot_heads_that_does_not_fit_is_refused(players: int, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError) as fault:
        hotsim.Table(players, setup=HOT_DEAL[players]._replace(**changes))
    assert str(fault.value).startswith(said)
    assert fault.value.exit_code == 2


def test_cards_in_tuples_are_a_deal_too() -> None:
    deal = HOT_DEAL[3]._replace(hands=tuple(tuple(hand) for hand in HANDS), returned=tuple(BOX))
    assert hotsim.Table(3, setup=deal).setup == HOT_DEAL[3]


@pytest.mark.parametrize(
    ("decks", "said"),
    [
        (HEAT_DEAL[:2], "setup.decks: found 2 entries, expected 3"),
        ([*HEAT_DEAL, HEAT_DEAL[0]], "setup.decks: found 4 entries, expected 3"),
        (None, "setup.decks: found null, expected a list"),
        ([HEAT_DEAL[0], HEAT_DEAL[1][1:], HEAT_DEAL[2]], "setup.decks[1]: found "),
        ([HEAT_DEAL[0], HEAT_DEAL[1], [*HEAT_DEAL[2], "Heavy"]], "setup.decks[2]: found 3 of Heavy, the deck has 2"),
        ([["Bank Jop", *HEAT_DEAL[0][1:]], *HEAT_DEAL[1:]], 'setup.decks[0][0]: no title: "Bank Jop"; did you mean'),
        ([[None, *HEAT_DEAL[0][1:]], *HEAT_DEAL[1:]], "setup.decks[0][0]: found null, expected a string"),
        (["Heavy", *HEAT_DEAL[1:]], 'setup.decks[0]: found "Heavy", expected a list'),
    ],
)
def test_decks_of_heat_that_do_not_fit_are_refused(decks: Any, said: str) -> None:
    with pytest.raises(UserError) as fault:
        heatsim.Table(3, setup=heatsim.Setup(decks))
    assert str(fault.value).startswith(said)
    assert fault.value.exit_code == 2


def test_the_decks_of_all_heists_are_known_from_the_start() -> None:
    table = heatsim.Table(3, seed=9)
    dealt = table.setup
    assert all(sorted(order) == sorted(table.deck.titles(3)) for order in dealt.decks)
    assert len({tuple(order) for order in dealt.decks}) == 3
    finish(table, random.Random(3))
    assert [heist["deck"] for heist in table.heists] == dealt.decks
