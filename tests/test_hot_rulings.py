"""Each ruling of Hot Heads, HH1 to HH16, on tables set by hand with values worked out by hand."""

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import engines
import pytest
from engines import PASS, Engine, column, hand, pick, play, run, sabotage, tokens

from gameapi.errors import IllegalError, UserError
from hotsim import cards, deck, reference, rules
from hotsim.actions import Action
from hotsim.rules import PLAYERS, Rules

Start = Callable[..., Engine]


@pytest.fixture(params=engines.STARTS)
def start(request: pytest.FixtureRequest) -> Start:
    """Give a function that starts a game from hands, draw pile, dummy piles and options."""

    def begin(hands: list[str], draw_pile: str, dummy: list[str] | None = None, **options: Any) -> Engine:
        dealt = engines.setup(hands, draw_pile, dummy)
        game: Engine = engines.STARTS[request.param](engines.rules_for(dealt, **options), len(hands), dealt)
        return game

    return begin


def illegal(game: Engine, action: Action, because: str = "") -> None:
    """Make sure that an action is refused, is not listed, and changes nothing; the reference engine says why."""
    assert action not in game.legal()
    before = game.result(), [list(cards_held) for cards_held in game.hands], list(game.events), game.actor
    with pytest.raises(IllegalError) as fault:
        game.step(action)
    assert before == (game.result(), game.hands, game.events, game.actor)
    if isinstance(game, reference.Reference):
        assert because in str(fault.value)


def left_for(game: Engine, token: str) -> list[Action]:
    """List the legal actions with one card."""
    return [action for action in game.legal() if action.card == cards.parse(token)]


# Setup


def test_hh01_seats_take_turns_clockwise_from_seat_0(start: Start) -> None:
    game = start(["1+1", "1+1", "1+1"], "2+1 2+1 2+1 2+1 storm")
    actors = []
    for _ in range(4):
        actors.append(game.actor)
        game.step(play("2+1", to=game.actor))
    assert actors == [0, 1, 2, 0]


def test_hh01_two_to_five_play() -> None:
    assert list(PLAYERS) == [2, 3, 4, 5]
    for players in (0, 1, 6):
        with pytest.raises(UserError):
            rules.check(Rules(), deck.default(), players)


@pytest.mark.parametrize(
    ("players", "expected"),
    [(2, (20, 16, 31, 32)), (3, (30, 0, 34, 35)), (4, (40, 0, 19, 40)), (5, (50, 0, 0, 49))],
)
def test_hh02_where_the_cards_go(players: int, expected: tuple[int, ...]) -> None:
    assert rules.counts(Rules(), deck.default(), players) == expected
    dealt = reference.deal(Rules(), deck.default(), players, random.Random(players))
    assert [len(held) for held in dealt.hands] == [10] * players
    assert dealt.dummy is None or [len(pile) for pile in dealt.dummy] == [4, 4, 4, 4]
    assert (dealt.dummy is None) == (players > 2)
    assert len(dealt.returned) == expected[2]
    assert len(dealt.draw_pile) == expected[3] + 4
    assert dealt.draw_pile.count(None) == 4
    everything = Counter(card for group in (*dealt.hands, *(dealt.dummy or []), dealt.returned) for card in group)
    everything.update(card for card in dealt.draw_pile if card)
    assert everything == Counter(deck.default().copies)


def test_hh02_fractions_are_exact_and_rounded_down() -> None:
    # 99 - 60 = 39 cards are left for 4 players with 15 cards each; 39 / 3 is 13 exactly, and 0.3333 of it is 12.99.
    fifteen = Rules(hand_size=15)
    assert rules.counts(fifteen, deck.default(), 4).returned == 13
    assert rules.counts(fifteen.replace(return_fraction="0.3333"), deck.default(), 4).returned == 12
    # With 3 players 69 cards are left: 34.5 is rounded down, and 0.29 * 100 is 29 and not 28.999...
    assert rules.counts(Rules(), deck.default(), 3).returned == 34
    hundred = deck.from_tokens({"1+1": 130}, "a hundred left")
    assert rules.counts(Rules().replace(return_fraction="0.29"), hundred, 3).returned == 29
    assert Rules().return_fraction[4] == Fraction(1, 3)


def test_hh02_option_dummy_two_play_without_it(start: Start) -> None:
    without = Rules(dummy=False)
    assert rules.counts(without, deck.default(), 2) == (20, 0, 39, 40), "half of the 79 cards left, rounded down"
    assert reference.deal(without, deck.default(), 2, random.Random(1)).dummy is None
    game = start(["1+1 2+3", "1+2 2+1"], "3+1 3+4 storm")
    assert left_for(game, "3+1") == [play("3+1", to=0), play("3+1", to=1)]
    illegal(game, play("3+1", to=2), because="no seat 2")
    run(game, play("1+1", to=0), play("3+4", to=1), pick("2+3"), pick("2+1"))
    assert game.events[-1]["dummy"] is None
    result = game.result()
    assert result["altitudes"] == [[1, 3, None, None], [None, 1, 4, None]]
    assert result["flew_away"] == [[True, True, False, False], [False, False, True, False]]
    assert result["scores"] == [0, 1]
    assert result["winners"] == [1]


def test_hh02_option_return_rounded_up() -> None:
    up = Rules(return_rounded_up=True)
    # 63, 69, 59 and 49 cards are left: 31.5, 34.5, 19.67 and 0 of them go back
    assert [rules.counts(up, deck.default(), players)[2:] for players in PLAYERS] == [
        (32, 31),
        (35, 34),
        (20, 39),
        (0, 49),
    ]
    half = up.replace(hand_size=15)
    assert rules.counts(half, deck.default(), 4).returned == 13, "39 / 3 is whole"


def test_hh02_option_dummy_changes_nothing_for_more_than_two() -> None:
    without = Rules(dummy=False)
    for players in (3, 4, 5):
        assert rules.counts(without, deck.default(), players) == rules.counts(Rules(), deck.default(), players)
        assert rules.as_dict(without, players) == {}
    assert rules.as_dict(without, 2) == {"dummy": False}


def test_hh03_stacks_are_as_equal_as_can_be_and_the_longer_ones_on_top() -> None:
    assert rules.stack_sizes(Rules(), 32) == [8, 8, 8, 8]
    assert rules.stack_sizes(Rules(), 35) == [9, 9, 9, 8]
    assert rules.stack_sizes(Rules(), 49) == [13, 12, 12, 12]
    assert rules.stack_sizes(Rules(storms=3), 2) == [1, 1, 0]


def storm_places(changes: dict[str, Any], deals: int) -> list[list[int]]:
    """Deal to three players and give the places of the storms in each draw pile."""
    some = Rules().replace(**changes)
    dealt = (reference.deal(some, deck.default(), 3, random.Random(seed)).draw_pile for seed in range(deals))
    return [[place for place, card in enumerate(pile) if card is None] for pile in dealt]


def test_hh03_one_storm_in_each_upper_stack_and_the_rest_anywhere_below() -> None:
    # 35 cards: stacks of 9, 9, 9 and 8 with a storm each: places 0-9, 10-19, and 20-38 for the two that are combined.
    places = storm_places({}, 400)
    assert {first for first, *_ in places} == set(range(10))
    assert {second for _, second, *_ in places} == set(range(10, 20))
    assert {place for _, _, *lower in places for place in lower} == set(range(20, 39))
    assert any(fourth < 30 for *_, fourth in places), "the lower two stacks are shuffled together"


def test_hh03_combined_stacks() -> None:
    apart = storm_places({"combined_stacks": 0}, 100)
    assert all(20 <= third < 30 <= fourth for _, _, third, fourth in apart)
    together = storm_places({"combined_stacks": 4}, 100)
    assert any(second < 10 for _, second, _, _ in together)


def test_hh04_a_hand_must_last_for_all_storms() -> None:
    for storms, needed in ((1, 1), (2, 3), (3, 6), (4, 10), (5, 15)):
        some = Rules(storms=storms, combined_stacks=0)
        rules.check(some.replace(hand_size=needed), deck.default(), 3)
        if needed > 1:
            with pytest.raises(UserError, match=f"at least {needed}"):
                rules.check(some.replace(hand_size=needed - 1), deck.default(), 3)


def test_hh04_option_extra_cards_go_to_the_last_seat() -> None:
    handicap = Rules(extra_cards=2)
    assert rules.counts(handicap, deck.default(), 3) == (32, 0, 33, 34)  # of the 67 left one half, rounded down
    dealt = reference.deal(handicap, deck.default(), 3, random.Random(1))
    assert [len(hand) for hand in dealt.hands] == [10, 10, 12]
    with pytest.raises(UserError, match="3 hands take 100"):
        rules.check(Rules(extra_cards=70), deck.default(), 3)


def test_hh04_cards_still_in_hand_count_for_nothing(start: Start) -> None:
    game = start(["1+1 2+5", "1+2 2+5", "1+3 2+5"], "3+4 storm")
    run(game, play("3+4", to=0), pick("1+2"), pick("1+3"), pick("1+1"))
    assert game.actor == -1
    assert [tokens(held) for held in game.hands] == ["2+5", "2+5", "2+5"]
    assert game.result()["scores"] == [1, 2, 0]  # 3+4 flies alone, and 1+3 is the highest of type 1


# Turns


def test_hh05_a_turn_is_a_draw_and_one_card(start: Start) -> None:
    game = start(["1+1 1+2", "1+3 1+4", "1+5 1+1"], "2+1 2+2 storm")
    assert game.actor == 0
    assert tokens(sorted(game.hands[0], key=cards.order)) == "1+1 1+2 2+1"
    game.step(play("1+1", to=0))
    assert game.actor == 1, "after one card it is the next seat's turn"
    assert len(game.hands[0]) == 2
    assert cards.parse("2+2") in game.hands[1]


def test_hh05_storms_are_resolved_before_the_turn_goes_on_with_the_next_draw(start: Start) -> None:
    game = start(["1+1 1+2 1+3", "2+1 2+2 2+3", "3+1 3+2 3+3"], "4+1 storm 4+2 storm")
    game.step(play("4+1", to=0))
    assert (game.actor, game.phase, game.storms) == (1, "pick", 1)
    run(game, pick("2+1"), pick("3+1"), pick("1+1"))
    assert (game.actor, game.phase) == (1, "play"), "who drew the storm draws again and plays"
    assert cards.parse("4+2") in game.hands[1]


def test_hh05_two_storms_in_a_row_and_the_end_at_once(start: Start) -> None:
    game = start(["1+1 1+2 1+3", "2+1 2+2 2+3", "3+1 3+2 3+3"], "storm storm")
    run(game, pick("1+1"), pick("2+1"), pick("3+1"))
    assert (game.actor, game.phase, game.storms) == (0, "pick", 2)
    run(game, pick("1+2"), pick("1+3"), pick("2+2"), pick("2+3"), pick("3+2"))
    assert game.actor == 2
    game.step(pick("3+3"))
    assert (game.actor, game.phase) == (-1, "over"), "nobody plays a card after the last storm"
    assert game.legal() == []
    with pytest.raises(IllegalError):
        game.step(PASS)


def test_hh06_typed_cards_go_to_their_column_of_any_seat(start: Start) -> None:
    game = start(["1+1 2-2", "1+1 3+1"], "4+1 4+1 storm", ["1+1 1+1 1+1 1+1"])
    assert left_for(game, "2-2") == [play("2-2", to=seat) for seat in (0, 1, 2)], "ballast starts a column too"
    illegal(game, Action("play", cards.parse("2-2"), 1, 3))
    game.step(play("2-2", to=2))
    assert column(game, 2, 2) == "2-2"
    assert [column(game, 2, other) for other in (1, 3, 4)] == [None] * 3


def test_hh06_wilds_go_to_any_column_that_stands(start: Start) -> None:
    game = start(["1+1 *+1", "2+1 *-2", "3+1 *+3"], "4+1 4+2 4+3 4+1 storm")
    assert left_for(game, "*+1") == [], "there is no column yet"
    illegal(game, play("*+1", to=0, column=1), because="cannot start a column")
    run(game, play("1+1", to=0), play("2+1", to=2))
    assert left_for(game, "*+3") == [play("*+3", to=0, column=1), play("*+3", to=2, column=2)]
    illegal(game, play("*+3", to=2, column=1))
    game.step(play("*+3", to=0, column=1))
    assert column(game, 0, 1) == "*+3 1+1"


def test_hh07_balloons_on_top_and_ballast_at_the_bottom_whatever_lies_there(start: Start) -> None:
    game = start(["1-1 1-2 *-3", "1+1 1+2 *+3", "2+1 2+2 2+3"], "3+1 3+1 3+1 3+1 3+2 3+2 3+2 storm")
    run(game, play("1-1", to=0), play("1+1", to=0), play("2+1", to=2))
    run(game, play("1-2", to=0), play("1+2", to=0), play("2+2", to=2))
    run(game, play("*-3", to=0, column=1))
    assert column(game, 0, 1) == "1+2 1+1 1-1 1-2 *-3"
    assert game.result()["altitudes"][0][0] == 2 + 1 - 1 - 2 - 3


def test_hh08_a_helicopter_needs_a_column_and_several_may_fly_there(start: Start) -> None:
    game = start(["heli 1+1", "heli 1-4", "heli 2+1"], "3+1 3+2 3+3 3+4 3+5 3+1 storm")
    illegal(game, play("heli", to=0, column=1))
    run(game, play("1+1", to=0), play("heli", to=0, column=1), play("heli", to=0, column=1))
    assert column(game, 0, 1) == "1+1 + heli + heli"
    run(game, play("heli", to=0, column=1), play("1-4", to=0))
    assert column(game, 0, 1) == "1+1 1-4 + heli + heli + heli"
    assert game.result()["altitudes"][0][0] == -3


def test_hh08_later_balloons_go_beneath_and_sabotage_cannot_take_it(start: Start) -> None:
    game = start(["1+1 1+2", "heli 2+1", "sabotage 3+1"], "4+1 4+2 4+3 4+4 4+5 4+1 storm")
    run(game, play("1+1", to=0), play("heli", to=0, column=1), play("4+3", to=2), play("1+2", to=0), play("2+1", to=1))
    game.step(sabotage(0, 1, "top"))
    assert column(game, 0, 1) == "1+1 + heli"
    assert tokens(game.discards) == "sabotage 1+2"


def test_hh08_option_helicopter_is_top(start: Start) -> None:
    hands = ["1+1 sabotage 2+1", "heli sabotage 2+1", "heli sabotage 2+1"]
    pile = "4+1 4+2 4+3 4+4 4+5 4+1 3+1 3+2 storm"
    game = start(hands, pile, helicopter_is_top=True)
    run(game, play("1+1", to=0), play("heli", to=0, column=1), play("heli", to=0, column=1))
    game.step(sabotage(0, 1, "top"))
    assert column(game, 0, 1) == "1+1 + heli", "one helicopter goes, the column stays"
    game.step(sabotage(0, 1, "bottom"))
    assert column(game, 0, 1) is None, "at the bottom there is no helicopter in the way"
    assert tokens(game.discards) == "sabotage heli sabotage heli 1+1"


def test_hh09_sabotage_takes_top_or_bottom_of_any_column(start: Start) -> None:
    game = start(["1+1 1-1", "1+2 *+1", "sabotage sabotage"], "2+1 2+2 2+3 3+1 3+2 storm")
    run(game, play("1+1", to=0), play("1+2", to=0))
    assert left_for(game, "sabotage") == [sabotage(), sabotage(0, 1, "top"), sabotage(0, 1, "bottom")]
    illegal(game, sabotage(1, 1, "top"))
    illegal(game, sabotage(0, 1, None))
    illegal(game, Action("sabotage", cards.SABOTAGE, 0, 1, "middle"))
    illegal(game, Action("sabotage", cards.SABOTAGE, 0, None, "top"))
    game.step(sabotage(0, 1, "bottom"))
    assert column(game, 0, 1) == "1+2"
    assert tokens(game.discards) == "sabotage 1+1"
    assert game.events[-2]["discarded"] == ["1+1"]


def test_hh09_no_effect_is_always_legal(start: Start) -> None:
    game = start(["1+1", "sabotage", "1+1"], "sabotage 2+1 2+1 storm")
    assert left_for(game, "sabotage") == [sabotage()], "on an empty table too"
    game.step(sabotage())
    assert tokens(game.discards) == "sabotage"
    assert "discarded" not in game.events[1]
    game.step(play("2+1", to=1))
    assert game.actor == 2


def test_hh09_what_is_left_of_wilds_goes_with_its_helicopters(start: Start) -> None:
    game = start(["1+2 1+5 1+4", "*+1 *-2 3+1", "heli sabotage 3+1"], "2+1 2+2 2+3 2+1 2+2 2+3 2+1 storm")
    run(game, play("1+2", to=0), play("*+1", to=0, column=1), play("heli", to=0, column=1))
    run(game, play("2+1", to=0), play("*-2", to=0, column=1))
    assert column(game, 0, 1) == "*+1 1+2 *-2 + heli"
    game.step(sabotage(0, 1, "top"))
    assert column(game, 0, 1) == "1+2 *-2 + heli", "a typed card is left, the column stays"
    assert tokens(game.discards) == "sabotage *+1"


def test_hh09_a_column_of_wilds_alone_is_discarded_and_may_start_anew(start: Start) -> None:
    game = start(["1+2 1+5 1+4", "*-2 3+1 3+2", "heli sabotage 3+1"], "2+1 2+2 2+3 2+1 2+2 2+3 2+1 storm")
    run(game, play("1+2", to=0), play("*-2", to=0, column=1), play("heli", to=0, column=1))
    run(game, play("2+1", to=0), play("3+1", to=1), sabotage(0, 1, "top"))
    assert column(game, 0, 1) is None
    assert tokens(game.discards) == "sabotage heli 1+2 *-2", "from top to bottom, helicopters first"
    assert game.events[-2]["discarded"] == ["heli", "1+2", "*-2"]
    game.step(play("1+5", to=0))
    assert column(game, 0, 1) == "1+5"


def test_hh10_who_can_play_nothing_passes_and_keeps_the_hand(start: Start) -> None:
    game = start(["*+1 *-1", "heli *+2", "2+1 *+3"], "heli sabotage 3+1 storm")
    assert game.legal() == [PASS]
    illegal(game, play("heli", to=0, column=1))
    game.step(PASS)
    assert tokens(game.hands[0]) == "*+1 *-1 heli"
    illegal(game, PASS, because="can play sabotage")
    game.step(sabotage())
    illegal(game, PASS)
    assert game.events[1] == {"type": "pass", "seat": 0}


# Storm phase


def test_hh11_typed_cards_are_laid_in_the_order_picked(start: Start) -> None:
    game = start(["1+1 1+2 4+1", "1-1 1-2 4+1", "2+1 3-1 4+1"], "storm storm")
    run(game, pick("4+1"), pick("4+1"), pick("4+1"))
    run(game, pick("1+1"), pick("1+2"), pick("1-2"), pick("1-1"), pick("2+1"), pick("3-1"))
    assert column(game, 0, 1) == "1+2 1+1", "the later balloon lies on top"
    assert column(game, 1, 1) == "1-2 1-1", "the later ballast lies below"
    assert (column(game, 2, 2), column(game, 2, 3)) == ("2+1", "3-1"), "both start a column"
    assert game.events[-1]["chosen"] == [["1+1", "1+2"], ["1-2", "1-1"], ["2+1", "3-1"]]


def test_hh11_wilds_helicopters_and_sabotage_are_discarded_without_effect(start: Start) -> None:
    game = start(["1+1 *+3 1+2", "1+1 heli sabotage", "1+1 *-3 2+2"], "storm storm")
    run(game, pick("1+1"), pick("1+1"), pick("1+1"))
    run(game, pick("*+3"), pick("1+2"), pick("heli"), pick("sabotage"), pick("*-3"), pick("2+2"))
    assert [column(game, seat, 1) for seat in (0, 1, 2)] == ["1+2 1+1", "1+1", "1+1"]
    assert Counter(game.discards) == Counter(hand("*+3 heli sabotage *-3"))


def test_hh11_everybody_picks_as_many_cards_as_there_were_storms(start: Start) -> None:
    game = start(["1+1 1+2 1+3", "2+1 2+2 2+3", "3+1 3+2 3+3"], "4+1 storm storm")
    game.step(play("4+1", to=2))
    run(game, pick("2+1"), pick("3+1"), pick("1+1"))
    assert [len(held) for held in game.hands] == [2, 2, 2]
    illegal(game, pick("2+1"), because="does not hold")
    illegal(game, play("2+2", to=1), because="storm phase")
    illegal(game, PASS, because="storm phase")
    run(game, pick("2+2"), pick("2+3"), pick("3+2"), pick("3+3"), pick("1+2"), pick("1+3"))
    assert [len(held) for held in game.hands] == [0, 0, 0]
    assert game.phase == "over"


def test_hh12_the_dummys_piles_are_resolved_in_order_and_it_takes_no_turn(start: Start) -> None:
    piles = ["1+1 1-2 *+1 1+3", "heli 1+2 sabotage 2-1"]
    game = start(["3+1 3+2 3+3", "4+1 4+2 4+3"], "4+4 3+4 storm 3+5 storm", piles)
    run(game, play("3+1", to=0), play("3+4", to=2))
    assert game.actor == 0, "the seat after the last player is seat 0"
    run(game, pick("3+2"), pick("4+1"))
    assert column(game, 2, 1) == "1+3 1+1 1-2"
    assert column(game, 2, 3) == "3+4"
    assert tokens(game.discards) == "*+1"
    assert game.events[-2]["dummy"] == ["1+1", "1-2", "*+1", "1+3"]
    run(game, play("3+5", to=2), pick("4+2"), pick("4+3"), pick("3+3"), pick("4+4"))
    assert column(game, 2, 1) == "1+2 1+3 1+1 1-2"
    assert column(game, 2, 2) == "2-1"
    assert tokens(game.discards) == "*+1 heli sabotage"


def test_hh12_more_storms_than_piles(start: Start) -> None:
    piles = ["1+1 1+1 1+1 1+1", "1+2 1+2 1+2 1+2", "heli heli heli heli", "1+3 1+3 1+3 1+3"]
    game = start([" ".join(["3+1"] * 15), " ".join(["4+1"] * 15)], "storm storm storm storm storm", piles)
    for number in range(1, 6):
        run(game, *[pick("3+1")] * number, *[pick("4+1")] * number)
    assert game.events[-1]["dummy"] == []
    assert column(game, 2, 1) == "1+3 1+3 1+3 1+3 1+2 1+2 1+2 1+2 1+1 1+1 1+1 1+1"


def test_hh13_picks_are_made_seat_after_seat_and_not_seen_before_the_reveal(start: Start) -> None:
    game = start(["1+1 1+2 1+3", "2+1 2+2 2+3", "3+1 3+2 3+3"], "4+1 storm storm")
    game.step(play("4+1", to=0))
    before = game.knowledge(2)
    order = [game.actor]
    game.step(pick("2+3"))
    order.append(game.actor)
    seen = game.knowledge(2)
    assert seen["table"] == before["table"]
    assert seen["picks"] == []
    assert "2+3" not in str(seen)
    assert game.knowledge(1)["picks"] == ["2+3"]
    game.step(pick("3+1"))
    order.append(game.actor)
    game.step(pick("1+1"))
    assert order == [1, 2, 0], "from the seat that drew the storm"
    assert [column(game, 1, 2), column(game, 2, 3), column(game, 0, 1)] == ["2+3", "3+1", "1+1"]
    run(game, pick("2+1"))
    assert game.actor == 1, "one card at a time, seat after seat"


# The end


def finished(start: Start, columns: list[str], **options: Any) -> dict[str, Any]:
    """Give the result of a game in which each seat lays the given typed cards, all in one storm phase of many.

    Every hand holds S(S+1)/2 typed cards, which the storms 1 to S bring onto the seat's own table.
    """
    storms = {1: 1, 3: 2, 6: 3}[len(columns[0].split())]
    game = start(columns, "storm " * storms, **options)
    while game.actor >= 0:
        game.step(game.legal()[0])
    return game.result()


def test_hh14_the_highest_of_each_type_flies_away(start: Start) -> None:
    result = finished(start, ["1+5 2+1 3-1", "1+4 2+3 3-2", "1+3 2+2 3-3"])
    assert result["altitudes"] == [[5, 1, -1, None], [4, 3, -2, None], [3, 2, -3, None]]
    assert result["flew_away"] == [[True, False, True, False], [False, True, False, False], [False] * 4]
    assert result["scores"] == [1, 4 - 2, 3 + 2 - 3]


def test_hh14_all_that_tie_fly_away_and_a_lone_column_too(start: Start) -> None:
    result = finished(start, ["1+5 2+1 2+2", "1+4 1+1 3-4", "1+3 2+3 4+1"])
    assert result["altitudes"] == [[5, 3, None, None], [5, None, -4, None], [3, 3, None, 1]]
    assert result["flew_away"] == [
        [True, True, False, False],
        [True, False, True, False],
        [False, True, False, True],
    ]
    assert result["scores"] == [0, 0, 3]


def test_hh14_the_dummys_columns_count(start: Start) -> None:
    game = start(["1+1", "1+2"], "storm", ["1+3 2-1 2+1 3+1"])
    run(game, pick("1+1"), pick("1+2"))
    result = game.result()
    assert result["flew_away"] == [[False] * 4, [False] * 4, [True, True, True, False]]
    assert result["scores"] == [1, 2]


def test_hh14_option_absent_column_is_zero(start: Start) -> None:
    hands = ["1-1 2+1 2-1", "1-2 3+2 3+1", "2-2 3+1 2+3"]
    plain = finished(start, hands)
    assert plain["altitudes"] == [[-1, 0, None, None], [-2, None, 3, None], [None, 1, 1, None]]
    assert plain["flew_away"] == [[True, False, False, False], [False, False, True, False], [False, True, False, False]]
    option = finished(start, hands, absent_column_is_zero=True)
    assert option["flew_away"] == [[False] * 4, [False, False, True, False], [False, True, False, False]]
    assert option["scores"] == [-1, -2, 1]


def test_hh14_option_absent_column_is_zero_in_a_tie_and_with_the_dummy(start: Start) -> None:
    tie = finished(start, ["1+1 1-1 4+1", "2+1 4+2 4-1", "2+2 4+2 4-2"], absent_column_is_zero=True)
    assert tie["flew_away"][0] == [True, False, False, True], "a column at 0 is as high as a missing one"
    piles = ["2+1 2+1 2+1 2+1"]
    game = run(start(["1-1", "1-2"], "storm", piles, absent_column_is_zero=True), pick("1-1"), pick("1-2"))
    assert game.result()["flew_away"][:2] == [[False] * 4, [False] * 4], "the dummy's missing column counts too"
    game = run(start(["1-1", "1-2"], "storm", piles), pick("1-1"), pick("1-2"))
    assert game.result()["flew_away"][0] == [True, False, False, False]
    alone = start(["1-1", "1-2"], "storm", absent_column_is_zero=True)
    run(alone, pick("1-1"), pick("1-2"))
    assert alone.result()["flew_away"][0] == [True, False, False, False], "no dummy, no missing column of its"


def test_hh15_cards_and_helicopters_in_the_columns_left(start: Start) -> None:
    hands = ["1+1 heli", "1+4 2-2", "heli 3+1"]
    pile = "heli 2+3 *+1 *-3 4+2 storm"
    actions = [
        play("1+1", to=0),
        play("1+4", to=1),
        play("heli", to=0, column=1),
        play("heli", to=0, column=1),
        play("2+3", to=1),
    ]
    for points, expected in ((3, 1 + 3 + 3), (5, 11), (0, 1), (-2, -3)):
        game = run(start(hands, pile, helicopter_points=points), *actions)
        run(game, pick("3+1"), pick("heli"), pick("2-2"))
        result = game.result()
        assert result["columns"][0][0] == {"cards": ["1+1"], "helicopters": 2}
        assert result["scores"][0] == expected
        assert result["scores"][1:] == [0, 0], "1+4 and the lone columns fly away"


def test_hh15_helicopters_of_a_column_that_flies_away_are_lost(start: Start) -> None:
    game = start(["1+2 heli", "1+1 2+1", "3+1 3+2"], "4+1 4+2 4+3 4-4 storm")
    run(game, play("1+2", to=0), play("1+1", to=1), play("4+3", to=2), play("heli", to=0, column=1))
    run(game, pick("2+1"), pick("3+1"), pick("4+1"))
    assert game.result()["scores"] == [1, 1, 0]
    assert game.result()["flew_away"][0][0]


def test_hh16_the_highest_score_wins_negative_or_not(start: Start) -> None:
    result = finished(start, ["1+1 2-2 3+1", "1+2 2-1 3+2", "1+3 2+1 3+3"])
    assert result["scores"] == [0, 3, 0]
    assert result["winners"] == [1]
    result = finished(start, ["1-1 2-2 3-3", "1+2 2-1 3-4", "1+3 2+1 3+1"])
    assert result["scores"] == [-6, -3, 0]
    assert result["winners"] == [2]


def test_hh16_most_balloon_cards_break_a_tie_wilds_included(start: Start) -> None:
    game = start(["1+1 1+1", "1+3 3+1", "1+4 2+2"], "*+1 4+1 4+2 4+3 storm")
    run(game, play("1+1", to=0), play("1+3", to=1), play("1+4", to=2), play("*+1", to=0, column=1))
    run(game, pick("3+1"), pick("2+2"), pick("1+1"))
    result = game.result()
    assert result["altitudes"] == [[3, None, None, None], [3, None, 1, None], [4, 2, None, None]]
    assert result["scores"] == [3, 3, 0]
    assert result["balloon_cards"] == [3, 1, 0]
    assert result["winners"] == [0]
    result = finished(start, ["1+1 1+2 1+1", "1+4 2+1 2-1", "1+5 2+3 2+1"])
    assert result["scores"] == [4, 4, 0]
    assert result["balloon_cards"] == [3, 2, 0], "ballast is no balloon card"
    assert result["winners"] == [0]


def test_hh16_still_tied_the_win_is_split_and_the_dummy_never_wins(start: Start) -> None:
    result = finished(start, ["1+3", "1+3", "1+4"])
    assert result["scores"] == [3, 3, 0]
    assert result["winners"] == [0, 1]
    game = run(start(["2+1", "3+1"], "storm", ["1+1 1+1 2+5 3+5"]), pick("2+1"), pick("3+1"))
    assert game.result()["scores"] == [1, 1]
    assert game.result()["winners"] == [0, 1]
