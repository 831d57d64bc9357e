"""What the records of the Heat simulator hold, and what they refuse."""

import random
from typing import Any

import heat_engines
import pytest
from heat_subjects import own

from gameapi.errors import UserError
from heatsim import deck, layout
from heatsim.deck import Deck
from heatsim.reference import Reference, Setup, deal
from heatsim.rules import Row, Rules
from heatsim.table import Table

# Limits


@pytest.mark.parametrize(
    ("cards_of", "options", "message"),
    [
        (own(Heavy=65), {}, "65 cards; the simulator holds at most 64"),
        (own(Heavy=15), {"heists": 9}, "9 heists; the simulator holds at most 8"),
        (
            own(Heavy=15),
            {"board": tuple(Row(value, 1) for value in range(1, 14))},
            "13 rows of the Heat board; the simulator holds at most 12",
        ),
        (own(Heavy=15), {"board": (Row(1, 121),)}, "121 slots of the Heat board; the simulator holds at most 120"),
        (own(Heavy=14), {}, '"odd" has 14 cards for 3 players, expected at least 15: a draft takes 5 a player'),
    ],
)
def test_what_the_simulator_does_not_hold_is_refused(cards_of: Deck, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as fault:
        layout.record(Rules().replace(**options), cards_of, 3)
    assert str(fault.value).endswith(message)
    assert fault.value.exit_code == 2


def test_what_the_simulator_just_holds_is_not() -> None:
    board = tuple(Row(value, 10) for value in range(1, 13))
    made = layout.record(Rules().replace(heists=8, stages=1000, board=board), own(Heavy=64), 5)[0]
    assert (made.n_cards, made.heists, made.stages, made.tokens) == (64, 8, 1000, 120)
    assert made.heat_value[[0, 9, 10, 119, 120]].tolist() == [0, 0, 1, 11, 12]


def test_cards_that_others_use_do_not_count() -> None:
    mine = Deck("icons", "own", "", own(Heavy=60).cards + tuple(c._replace(players=(5,)) for c in own(Heavy=60).cards))
    assert layout.record(Rules(), mine, 3)[0].n_cards == 60
    with pytest.raises(UserError, match="120 cards"):
        layout.record(Rules(), mine, 5)


# Every number of the records at its largest


def test_a_thousand_stages_are_played_with_the_largest_deck() -> None:
    """Cards come into a record once a heist, so that records hold as many as there are; Stages without cards go by."""
    largest, rng = own(Backup_Plan=34, Specialist=13, Mastermind=10, The_Lift=7), random.Random(3)
    rules = Rules(heists=2, stages=1000)
    dealt = deal(rules, largest, 3, rng)
    kernel, plain = Table(3, rules, largest, setup=dealt), Reference(rules, 3, dealt)
    while plain.actor >= 0:
        assert kernel.legal() == plain.legal()
        action = rng.choice(plain.legal())
        kernel.step(action)
        plain.step(action)
        assert (kernel.actor, kernel.money, kernel.heat) == (plain.actor, plain.money, plain.heat)
    assert kernel.records == plain.knowledge(0)["records"]
    assert sum(map(len, kernel.records)) > 40
    assert [len(heist["stages"]) for heist in kernel.heists] == [1000, 1000]


ORDER = ["Word on the Street", "Backup Plan", "Bank Job", "The Lift"]
"""What is added to the record first."""


def chain(plans: int) -> Setup:
    """Order a deck so that seat 0's first Stage brings 3 * plans - 1 switching cards into its record, then a Bank Job.

    Each Backup Plan draws a Word on the Street as the new card, and another one and the next Backup Plan for the hand.
    """
    triple = ["Word on the Street", "Word on the Street", "Backup Plan"]
    rest = triple * (plans - 1) + ["Word on the Street", "Bank Job", "The Lift"]
    hands = [heat_engines.hand(held) for held in ("Backup Plan", "", "")]
    return Setup([heat_engines.shuffled(hands, rest, 1)])


@pytest.mark.parametrize("plans", [5, 16])
def test_every_card_of_a_long_record_has_a_mark_of_its_own(plans: int) -> None:
    """HT6: a card is used once a Stage, so that each of a long chain's cards is used, and the last one is active."""
    dealt = chain(plans)
    rules = Rules(heists=1, stages=1)
    used = deck.from_copies(((title, [3]) for title in dealt.decks[0]), "chain")
    kernel, plain = Table(3, rules, used, setup=dealt), Reference(rules, 3, dealt)
    for game in (plain, kernel):
        heat_engines.draft(game, ["Backup Plan", "", ""])
        heat_engines.reveal(game, "Backup Plan", heat_engines.FILLER, heat_engines.FILLER)
        while game.actor >= 0:
            game.step(min(game.legal(), key=lambda action: ORDER.index(str(action.title))))
    assert len(plain.knowledge(0)["records"][0]) == 3 * plans
    assert plain.money == [5, 2, 2]
    assert (kernel.records, kernel.money) == (plain.knowledge(0)["records"], plain.money)


@pytest.mark.parametrize("engine", ["reference", "kernel"])
def test_money_grows_as_large_as_the_rules_let_it(engine: str) -> None:
    """HT12, HT13: with a row of value 1000 a Crackdown in each of 7 x 5 Stages brings $35,000."""
    hands = [", ".join(["Crackdown"] * 5), "Break In", ""]
    game = heat_engines.begin(engine, hands, heists=7, stages=5, board="1000x1")
    for heist in range(7):
        if heist:
            heat_engines.draft(game, hands)
        heat_engines.stages(game, "Crackdown, Break In, The Lift", *["Crackdown, The Lift, The Lift"] * 4)
    assert heat_engines.heat(game) == [0, 1, 0]
    assert heat_engines.money(game)[0] == 35_000
