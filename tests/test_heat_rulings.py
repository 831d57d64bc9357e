"""Each ruling of Heat, HT1 to HT17, on tables set by hand with values worked out by hand.

HT18 is about the time of a decision, of which an engine knows nothing. The 22 titles have a file of their own.
"""

import functools
import random
from collections import Counter
from typing import Any

import heat_engines
import pytest
from heat_engines import (
    Start,
    Watched,
    announce,
    cover,
    draft,
    drawn,
    gains,
    heat,
    left,
    money,
    record,
    reveal,
    stages,
    word,
)

from gameapi.errors import IllegalError, UserError
from heatsim import deck, reference, rules
from heatsim.actions import COVER, PASS, REVEAL, WORD, Action
from heatsim.cards import TITLES
from heatsim.rules import PLAYERS, Rules


@pytest.fixture(params=heat_engines.STARTS)
def start(request: pytest.FixtureRequest) -> Start:
    """Give a function that starts a game from hands, deck, number of heists and options, and drafts the hands."""
    return functools.partial(heat_engines.begin, request.param)


@pytest.fixture(params=heat_engines.STARTS)
def deal(request: pytest.FixtureRequest) -> Start:
    """Give a function that starts a game from a setup and options, before the draft."""

    def dealt(setup: reference.Setup, players: int, **options: Any) -> Watched:
        whole = Rules().replace(heists=len(setup.decks), **options)
        return heat_engines.watch(request.param, whole, players, setup)

    return dealt


def illegal(game: Watched, action: Action, because: str = "") -> None:
    """Make sure that an action is refused, is not listed, and changes nothing; the reference engine says why."""
    assert action not in game.legal()
    before = game.result(), [list(held) for held in game.hands], str(game.heists), game.actor, game.knowledge(0)
    with pytest.raises(IllegalError) as fault:
        game.step(action)
    assert before == (game.result(), game.hands, str(game.heists), game.actor, game.knowledge(0))
    if isinstance(game.engine, reference.Reference):
        assert because in str(fault.value)


# Draft


def test_ht01_seats_in_order_and_empty_pockets(deal: Start) -> None:
    game = deal(heat_engines.setup(["", "", ""]), 3)
    assert (money(game), heat(game)) == ([0, 0, 0], [0, 0, 0])
    actors = []
    for _ in range(4):
        actors.append(game.actor)
        game.step(game.legal()[0])
    assert actors == [0, 1, 2, 0]


def test_ht01_three_to_five_play() -> None:
    assert list(PLAYERS) == [3, 4, 5]
    for players in (0, 2, 6):
        with pytest.raises(UserError, match="expected 3 to 5"):
            rules.check(Rules(), deck.default(), players)


def test_ht02_all_cards_of_the_player_count_are_shuffled_for_each_heist() -> None:
    for players in PLAYERS:
        dealt = reference.deal(Rules(), deck.default(), players, random.Random(players))
        assert len(dealt.decks) == 3
        assert [Counter(cards) for cards in dealt.decks] == [Counter(deck.default().titles(players))] * 3
        assert len({tuple(cards) for cards in dealt.decks}) == 3


DRAFTED = (
    "Copycat Crime, Backup Plan, Frame Up, Informant, Lay Low, The Feds, "  # dealt, two each
    "Circle Back, Word on the Street, Bank Job, Break In, Cover Story, Heavy, The Lift, Specialist, Diversion"
)


def test_ht02_deal_two_and_three_times_pass_one_and_draw_one(deal: Start) -> None:
    game = deal(reference.Setup([heat_engines.titles(f"{DRAFTED}, Crackdown")]), 3)

    def hands() -> list[list[str]]:
        return [sorted(held) for held in game.hands]

    assert hands() == [["Backup Plan", "Copycat Crime"], ["Frame Up", "Informant"], ["Lay Low", "The Feds"]]
    for title in ("Copycat Crime", "Frame Up", "Lay Low"):
        game.step(Action(PASS, title))
    assert hands() == [
        ["Backup Plan", "Circle Back", "Lay Low"],
        ["Copycat Crime", "Informant", "Word on the Street"],
        ["Bank Job", "Frame Up", "The Feds"],
    ]
    for title in ("Lay Low", "Copycat Crime", "Bank Job"):  # two that were passed, and one that has just been drawn
        game.step(Action(PASS, title))
    illegal(game, Action(PASS, "Lay Low"), because="does not hold Lay Low")
    for title in ("Break In", "Informant", "The Feds"):
        game.step(Action(PASS, title))
    assert hands() == [
        ["Backup Plan", "Bank Job", "Circle Back", "The Feds", "The Lift"],
        ["Break In", "Cover Story", "Lay Low", "Specialist", "Word on the Street"],
        ["Copycat Crime", "Diversion", "Frame Up", "Heavy", "Informant"],
    ]
    assert game.phase == "reveal"
    assert left(game) == 1
    assert [entry["pass"] for entry in game.heists[0]["draft"]][2] == ["Break In", "Informant", "The Feds"]


@pytest.mark.parametrize("players", PLAYERS)
def test_ht02_left_in_heists_1_and_3_and_right_in_heist_2(deal: Start, players: int) -> None:
    cards = list(TITLES[: 2 * players]) + ["Bank Job"] * (3 * players)
    game = deal(reference.Setup([cards] * 3), players, stages=1)
    for heist, step in ((1, 1), (2, -1), (3, 1)):
        for seat in range(players):
            game.step(Action(PASS, cards[2 * seat]))
        for seat in range(players):
            assert cards[2 * seat] in game.hands[(seat + step) % players]
        while game.actor >= 0 and len(game.heists) == heist:
            game.step(game.legal()[0])
    assert game.actor == -1


def test_ht03_the_pass_target_changes_with_the_heist(start: Start) -> None:
    hands = ["Copycat Crime", "Break In", "The Lift"]
    game = start(hands, heists=2, stages=1)
    stages(game, "Copycat Crime, Break In, The Lift")
    assert (money(game), heat(game)) == ([3, 3, 2], [1, 1, 0]), "seat 0 copies seat 1"
    draft(game, hands)
    stages(game, "Copycat Crime, Break In, The Lift")
    assert (money(game), heat(game)) == ([5, 6, 4], [1, 2, 0]), "seat 0 copies seat 2"


# A Stage


def test_ht04_cards_are_revealed_together(start: Start) -> None:
    game = start(["Bank Job", "Heavy", "Specialist"])
    game.step(Action(REVEAL, "Bank Job"))
    seen = game.knowledge(1)
    assert (seen["revealed"], seen["records"], seen["hand_sizes"]) == ([None] * 3, [[], [], []], [5, 5, 5])
    illegal(game, Action(REVEAL, "Bank Job"), because="does not hold Bank Job")
    illegal(game, Action(PASS, "Heavy"), because="it has to play a card")
    illegal(game, Action(REVEAL), because="plays no card, but it has to play a card")
    game.step(Action(REVEAL, "Heavy"))
    assert game.actor == 2
    game.step(Action(REVEAL, "Specialist"))
    assert [record(game, seat) for seat in range(3)] == ["Bank Job", "Heavy", "Specialist"]
    assert (money(game), heat(game)) == ([5, 2, 1], [2, 1, 0])


def test_ht04_an_empty_hand_plays_nothing(start: Start) -> None:
    game = start(["Word on the Street", "", ""], stages=5)
    reveal(game, "Word on the Street", "The Lift", "The Lift").step(word("The Lift"))
    stages(game, *["The Lift, The Lift, The Lift"] * 3)
    assert [len(held) for held in game.hands] == [0, 1, 1]
    assert game.actor == 1
    reveal(game, None, "The Lift", "The Lift")
    assert money(game) == [8, 10, 10], "the last card of the record is not active"
    assert game.heists[0]["stages"][4]["reveal"] == [None, "The Lift", "The Lift"]


def test_ht04_stages_in_which_nobody_has_a_card_go_by(start: Start) -> None:
    game = start(["", "", ""], heists=2, stages=7)
    stages(game, *["The Lift, The Lift, The Lift"] * 5)
    assert [stage["reveal"] for stage in game.heists[0]["stages"][5:]] == [[None] * 3] * 2
    assert (game.phase, len(game.heists)) == ("pass", 2)
    stages(draft(game, ["", "", ""]), *["The Lift, The Lift, The Lift"] * 5)
    assert game.actor == -1
    assert money(game) == [20, 20, 20]


def test_ht05_an_exact_copy_while_it_is_active_and_an_a_card_afterwards(start: Start) -> None:
    game = start(["Copycat Crime, Specialist", "Heavy, Heavy", "Specialist, Crackdown"])
    stages(game, "Copycat Crime, Heavy, Specialist")
    # Two Heavies with one B each: $2 and 2 Heat for both; the Specialist has one B.
    assert (money(game), heat(game)) == ([2, 2, 1], [2, 2, 0])
    stages(game, "Specialist, Heavy, Crackdown")
    # A and B: $1. Two Bs: $4, and two Heavies in all records: 2 Heat. 6 Heat in all are worth $3.
    assert (gains(game), heat(game)) == ([1, 4, 3], [2, 4, 0])


def test_ht05_copycats_lead_on(start: Start) -> None:
    game = stages(start(["Copycat Crime", "Copycat Crime", "Bank Job"]), "Copycat Crime, Copycat Crime, Bank Job")
    assert (money(game), heat(game)) == ([0, 0, 0], [2, 2, 2]), "three Bank Jobs"


def test_ht05_round_in_a_circle_there_is_no_effect(start: Start) -> None:
    row = "Copycat Crime, Copycat Crime, Copycat Crime"
    game = stages(start(["Copycat Crime"] * 3), row, "The Lift, The Lift, The Lift")
    assert game.moneys == [[0, 0, 0], [2, 2, 2]]
    assert record(game, 0) == "Copycat Crime, The Lift"


def test_ht05_a_target_without_a_card_gives_no_effect_and_it_stays_an_a_card(start: Start) -> None:
    game = start(["Copycat Crime", "Word on the Street", "Frame Up"], stages=5)
    reveal(game, "The Lift", "Word on the Street", "The Lift").step(word("The Lift"))
    stages(game, *["The Lift, The Lift, The Lift"] * 3)
    reveal(game, "Copycat Crime", None, "Frame Up")
    assert (gains(game), heat(game)) == ([0, 0, 0], [0, 0, 0]), "Frame Up finds no B card"


def test_ht05_the_copy_has_the_letters_too(start: Start) -> None:
    game = stages(start(["Copycat Crime", "The Lift", "Frame Up"]), "Copycat Crime, The Lift, Frame Up")
    assert (money(game), heat(game)) == ([2, 2, 0], [1, 1, 0])


def test_ht05_what_was_revealed_is_copied_not_what_came_of_it(start: Start) -> None:
    game = start(["Copycat Crime", "Word on the Street, Bank Job", "Crackdown"])
    reveal(game, "Copycat Crime", "Word on the Street", "Crackdown")
    assert game.actor == 0, "the Copycat is a Word on the Street"
    game.step(word("The Lift"))
    game.step(word("Bank Job"))
    assert (record(game, 0), record(game, 1)) == ("Copycat Crime, The Lift", "Word on the Street, Bank Job")
    assert (money(game), heat(game)) == ([2, 5, 1], [0, 2, 0])


def test_ht05_a_copycat_that_becomes_active_later(start: Start) -> None:
    game = start(["Word on the Street, Copycat Crime", "Bank Job", "Crackdown"])
    reveal(game, "Word on the Street", "Bank Job", "Crackdown").step(word("Copycat Crime"))
    assert (money(game), heat(game)) == ([0, 0, 2], [2, 2, 0]), "by Word on the Street: two Bank Jobs"
    game = start(["Backup Plan", "Break In", "Crackdown"], "Copycat Crime, Heavy, Leverage")
    stages(game, "Backup Plan, Break In, Crackdown")
    assert (money(game), heat(game)) == ([3, 3, 1], [1, 1, 0]), "by Backup Plan"
    game = start(["Copycat Crime, Circle Back", "The Lift, Break In", "Crackdown, Crackdown"])
    stages(game, "Copycat Crime, The Lift, Crackdown", "Circle Back, Break In, Crackdown")
    assert (gains(game), heat(game)) == ([3, 3, 1], [1, 1, 0]), "by Circle Back: what is revealed in this Stage"


def test_ht05_the_own_seat_counts_as_visited_whatever_it_revealed(start: Start) -> None:
    game = start(["Word on the Street, Copycat Crime", "Copycat Crime", "Copycat Crime"])
    reveal(game, "Word on the Street", "Copycat Crime", "Copycat Crime")
    for title in ("Copycat Crime", "The Lift", "The Lift"):  # the other two are Words on the Street
        game.step(word(title))
    assert game.phase == "reveal"
    assert (record(game, 0), record(game, 1)) == ("Word on the Street, Copycat Crime", "Copycat Crime, The Lift")
    assert money(game) == [0, 2, 2]


# Phase A


def test_ht06_switching_cards_are_used_in_seat_order(start: Start) -> None:
    rest = "Bank Job, Heavy, Break In, Diversion, Leverage, Crackdown"
    game = stages(start(["Backup Plan", "Backup Plan", "The Lift"], rest), "Backup Plan, Backup Plan, The Lift")
    assert [record(game, seat) for seat in (0, 1)] == ["Backup Plan, Bank Job", "Backup Plan, Diversion"]
    assert [drawn(game, seat) for seat in range(3)] == ["Break In, Heavy", "Crackdown, Leverage", ""]
    assert left(game) == 0
    assert (money(game), heat(game)) == ([5, 1, 2], [2, 0, 0])


def test_ht06_word_on_the_street_is_chosen_unseen_before_anything_is_used(start: Start) -> None:
    game = start(["Word on the Street, Bank Job", "Backup Plan", "Word on the Street, Heavy"], "Break In, Heavy, Heavy")
    reveal(game, "Word on the Street", "Backup Plan", "Word on the Street")
    assert (game.phase, game.actor, left(game)) == ("word", 0, 3)
    illegal(game, Action(WORD), because="adds no card")
    game.step(word("Bank Job"))
    seen = game.knowledge(2)
    assert (game.actor, seen["records"][0], seen["hand_sizes"][0]) == (2, ["Word on the Street"], 4)
    assert game.knowledge(0)["choice"] == "Bank Job"
    game.step(word("Heavy"))
    assert [record(game, seat).split(", ")[-1] for seat in range(3)] == ["Bank Job", "Break In", "Heavy"]
    assert (money(game), heat(game)) == ([5, 3, 2], [2, 1, 1])


def test_ht06_a_switching_card_reached_by_another_is_used_at_once(start: Start) -> None:
    game = start(["Word on the Street, Word on the Street, Bank Job", "Crackdown", "Crackdown"])
    reveal(game, "Word on the Street", "Crackdown", "Crackdown")
    game.step(word("Word on the Street"))
    assert game.phase == "word"
    game.step(word("Bank Job"))
    assert record(game, 0) == "Word on the Street, Word on the Street, Bank Job"
    assert game.heists[0]["stages"][0]["add"] == [["Word on the Street", "Bank Job"], [], []]
    assert money(game) == [5, 1, 1]


def test_ht06_a_card_is_used_once_a_stage_and_the_mark_moves_with_it(start: Start) -> None:
    game = start(
        ["Backup Plan, Circle Back", "Crackdown", "Crackdown"], "Circle Back, Heavy, Heavy, Bank Job, Heavy, Heavy"
    )
    stages(game, "Backup Plan, Crackdown, Crackdown")
    # The Circle Back brings the Backup Plan to the end again, which has been used.
    assert (record(game, 0), left(game), money(game)) == ("Circle Back, Backup Plan", 3, [0, 0, 0])
    stages(game, "Circle Back, The Lift, The Lift")
    # In the next Stage it can be used again, reached by another Circle Back.
    assert record(game, 0) == "Circle Back, Circle Back, Backup Plan, Bank Job"
    assert (gains(game), left(game)) == ([5, 2, 2], 0)


def test_ht06_circle_backs_on_circle_backs(start: Start) -> None:
    game = start(["The Lift, Circle Back, Circle Back, Circle Back", "Crackdown", "Crackdown"])
    stages(game, "Circle Back, Crackdown, Crackdown")
    assert (record(game, 0), money(game)) == ("Circle Back", [0, 0, 0]), "a single card changes place with none"
    stages(game, "Circle Back, The Lift, The Lift")
    # Swapped, and swapped back by the older one: the new one is last again, used, and has no other effect.
    assert (record(game, 0), gains(game)) == ("Circle Back, Circle Back", [0, 2, 2])
    stages(game, "The Lift, The Lift, The Lift", "Circle Back, The Lift, The Lift")
    assert (record(game, 0), gains(game)) == ("Circle Back, Circle Back, Circle Back, The Lift", [2, 2, 2])


def test_ht06_an_empty_hand_adds_nothing(start: Start) -> None:
    game = start(["Word on the Street", "Word on the Street", ""], stages=5)
    stages(game, *["The Lift, The Lift, The Lift"] * 3)
    reveal(game, "The Lift", "Word on the Street", "The Lift").step(word("The Lift"))
    reveal(game, "Word on the Street", None, "The Lift")
    assert game.actor == -1
    assert record(game, 0).endswith("Word on the Street")
    assert "add" not in game.heists[0]["stages"][4]
    assert gains(game) == [0, 0, 2]


def three_with_heat(start: Start, hands: list[str], deck: str = "", **options: Any) -> Watched:
    """Play a first Stage with a Bank Job each: nobody gains money, everybody has 2 Heat."""
    game = start([f"Bank Job, {cards}" for cards in hands], deck, **options)
    return stages(game, "Bank Job, Bank Job, Bank Job")


def test_ht07_lay_low_looks_for_another_that_is_active(start: Start) -> None:
    game = stages(three_with_heat(start, ["Lay Low", "", ""]), "Lay Low, The Lift, The Lift")
    assert heat(game) == [1, 2, 2]
    game = stages(three_with_heat(start, ["Lay Low", "Lay Low", ""]), "Lay Low, Lay Low, The Lift")
    assert heat(game) == [0, 0, 2], "1 and 2 more, at most what a seat has"
    game = stages(three_with_heat(start, ["Copycat Crime", "Lay Low", ""]), "Copycat Crime, Lay Low, The Lift")
    assert heat(game) == [0, 0, 2], "a copy counts"
    game = three_with_heat(start, ["Lay Low, Circle Back", "Lay Low", "Leverage"])
    stages(game, "Lay Low, The Lift, The Lift", "Circle Back, Lay Low, The Lift")
    assert heat(game) == [0, 0, 2], "a Lay Low of the Stage before, active again"


def test_ht07_informant_compares_money_at_the_start(start: Start) -> None:
    game = start(["Crackdown, Informant", "The Lift, Informant", "The Lift, Informant"], "Heavy, Heavy, Heavy")
    stages(game, "Crackdown, The Lift, The Lift", "Informant, Informant, Informant")
    assert gains(game) == [3, 0, 0]
    assert [len(held) for held in game.hands] == [3, 4, 4], "who is not strictly the poorest draws a card"
    game = stages(start(["Informant"] * 3, "Heavy, Break In, Leverage"), "Informant, Informant, Informant")
    assert money(game) == [0, 0, 0]
    assert [drawn(game, seat) for seat in range(3)] == ["Heavy", "Break In", "Leverage"], "in seat order"


def test_ht07_each_frame_up_and_each_feds_counts(start: Start) -> None:
    game = stages(start(["Frame Up", "Frame Up", "Break In"]), "Frame Up, Frame Up, Break In")
    assert heat(game) == [0, 0, 3]
    game = stages(start(["The Feds", "The Feds", "Break In"]), "The Feds, The Feds, Break In")
    assert heat(game) == [0, 0, 3]
    game = stages(start(["The Feds", "The Feds", "The Lift"]), "The Feds, The Feds, The Lift")
    assert heat(game) == [0, 0, 0], "The Feds add to a gain only"
    four = ["Frame Up", "The Feds", "The Lift", "Break In"]
    assert heat(stages(start(four), ", ".join(four))) == [0, 0, 2, 3]
    game = stages(start(["Frame Up", "Crackdown", "Mastermind"]), "Frame Up, Crackdown, Mastermind")
    assert heat(game) == [0, 0, 0], "B cards alone"


def test_ht07_the_feds_ignore_heat_in_the_next_stage_and_no_longer(start: Start) -> None:
    game = start(["The Feds, Bank Job, Break In", "Frame Up, Crackdown, Crackdown", "Leverage, Leverage, Leverage"])
    stages(game, "The Feds, Crackdown, Leverage", "Bank Job, Frame Up, Leverage")
    assert (gains(game), heat(game)) == ([5, 0, 0], [0, 0, 0])
    stages(game, "Break In, Crackdown, Leverage")
    assert (gains(game), heat(game)) == ([3, 1, 1], [1, 0, 0])


@pytest.mark.parametrize(("carry", "expected"), [(True, [0, 0, 0]), (False, [2, 0, 0])])
def test_ht07_option_feds_carry_over(start: Start, carry: bool, expected: list[int]) -> None:
    hands = ["The Feds, Bank Job", "Leverage", "Crackdown"]
    game = stages(start(hands, heists=2, stages=1, feds_carry_over=carry), "The Feds, Leverage, Crackdown")
    stages(draft(game, hands), "Bank Job, Leverage, Crackdown")
    assert heat(game) == expected


def test_ht08_draws_of_a2_are_all_made_or_all_skipped(start: Start) -> None:
    hands, row = ["Mastermind", "Informant", "The Lift"], "Mastermind, Informant, The Lift"
    game = stages(start(hands, "Heavy, Break In"), row)
    assert [len(held) for held in game.hands] == [4, 4, 4], "three cards are needed, and two are left"
    assert money(game) == [2, 0, 2]
    game = stages(start(hands, "Heavy, Break In, Leverage"), row)
    assert [len(held) for held in game.hands] == [6, 5, 4]
    assert "Leverage" in game.hands[1]


def test_ht08_effects_without_draws_go_ahead(start: Start) -> None:
    game = start(["Crackdown, Informant", "The Lift, Mastermind", ""], "Heavy")
    stages(game, "Crackdown, The Lift, The Lift", "Informant, Mastermind, The Lift")
    # The Mastermind draws nothing; it shares the most cards in hand, 3 each.
    assert (gains(game), [len(held) for held in game.hands]) == ([3, 2, 2], [3, 3, 3])


def test_ht08_a_backup_plan_without_enough_cards_does_nothing_and_is_used(start: Start) -> None:
    game = stages(start(["Backup Plan", "", ""], "Bank Job, Heavy"), "Backup Plan, The Lift, The Lift")
    assert (record(game, 0), left(game), len(game.hands[0])) == ("Backup Plan", 2, 4)
    two, row = ["Backup Plan", "Backup Plan", ""], "Backup Plan, Backup Plan, The Lift"
    game = stages(start(two, "Bank Job, Heavy, Heavy, Heavy, Heavy"), row)
    assert (record(game, 0), record(game, 1), left(game)) == ("Backup Plan", "Backup Plan", 5)


def test_ht08_each_repetition_of_a1_and_a2_is_checked_on_its_own(start: Start) -> None:
    game = start(["Backup Plan", "Mastermind", ""], "Bank Job, Heavy, Heavy, Heavy")
    stages(game, "Backup Plan, Mastermind, The Lift")
    assert ([len(held) for held in game.hands], left(game)) == ([6, 4, 4], 1), "3 of 4, then 2 of 1"
    game = start(["Word on the Street, Backup Plan", "Backup Plan", ""], "Break In, Heavy, Heavy, Heavy, Heavy")
    reveal(game, "Word on the Street", "Backup Plan", "The Lift").step(word("Backup Plan"))
    assert [record(game, seat).split(", ")[-1] for seat in (0, 1)] == ["Backup Plan", "Break In"], (
        "first 3 of 5, then 3 of 2"
    )


def test_ht09_returned_heat_is_what_was_given_back(start: Start) -> None:
    game = start(["Crackdown, Interrogation", "Break In, Lay Low", "Crackdown, Frame Up"])
    stages(game, "Crackdown, Break In, Crackdown", "Interrogation, Lay Low, Frame Up")
    assert (heat(game), gains(game)) == ([0, 0, 0], [1, 0, 0]), "seat 1 returned Heat; the others had none"


# Phase B


def test_ht10_cover_story_discards_count_at_once(start: Start) -> None:
    game = start(["Cover Story, Heavy", "Heavy", "Cover Story, Copycat Crime"])
    reveal(game, "Cover Story", "Heavy", "Cover Story")
    held = [Action(COVER, title) for title in ("Heavy", "The Lift", None)]
    assert (game.phase, game.actor, game.legal()) == ("cover", 0, held)
    game.step(cover("Heavy"))
    seen = game.knowledge(2)
    assert (game.actor, seen["hand_sizes"], seen["records"][0]) == (2, [4, 4, 4], ["Cover Story"])
    game.step(cover(None))
    assert (record(game, 0), record(game, 2)) == ("Heavy, Cover Story", "Cover Story")
    assert (money(game), heat(game)) == ([3, 2, 0], [0, 2, 0]), "two Heavies in the records"
    assert game.heists[0]["stages"][0]["cover"] == ["Heavy", None, None]


def test_ht10_an_empty_hand_has_nothing_to_discard(start: Start) -> None:
    game = start(["Cover Story", "", ""], stages=5)
    stages(game, *["The Lift, The Lift, The Lift"] * 4, "Cover Story, The Lift, The Lift")
    assert game.actor == -1
    assert gains(game) == [0, 2, 2]


def test_ht10_money_and_heat_are_judged_together(start: Start) -> None:
    game = start(["Bank Job, Heavy", "The Lift, Bank Job", "Mastermind, Specialist"])
    stages(game, "Bank Job, The Lift, Mastermind")
    assert (money(game), heat(game)) == ([5, 2, 2], [2, 0, 0])
    stages(game, "Heavy, Bank Job, Specialist")
    # Two Bs: $4. A Bank Job alone: $5. Mastermind has A and C, the Specialist B: $1.
    assert (gains(game), heat(game)) == ([4, 5, 1], [3, 2, 0])


def test_ht11_more_heat_than_tokens_is_the_end(start: Start) -> None:
    game = start(["Heavy, Heavy", "Heavy, Heavy", "Heavy, Heavy"])
    stages(game, "Heavy, Heavy, Heavy", "Heavy, Heavy, Heavy")  # 3 x 3 = 9 Heat, then 3 x 6 = 18 of 15
    assert (game.actor, game.phase) == (-1, "over")
    assert game.legal() == []
    with pytest.raises(IllegalError):
        game.step(Action(REVEAL, "The Lift"))
    assert game.result() == {
        "money": [2, 2, 2],
        "heat": [3, 3, 3],
        "heat_value": 3,
        "final": [-7, -7, -7],
        "winners": [],
        "arrested": True,
    }
    assert record(game, 0) == "Heavy, Heavy"


def test_ht11_phase_a_and_the_discards_have_happened_before_an_arrest(start: Start) -> None:
    game = start(["Crackdown, Informant", "Cover Story", "Bank Job"], board="1x1")
    stages(game, "Crackdown, The Lift, The Lift")
    reveal(game, "Informant", "Cover Story", "Bank Job").step(cover("The Lift"))
    assert game.result()["arrested"], "2 Heat of 1 token"
    assert (money(game), heat(game)) == ([3, 2, 2], [0, 0, 0]), "the Informant's money is of phase A"
    assert record(game, 1) == "The Lift, The Lift, Cover Story"
    assert game.result()["final"] == [3, 2, 2]


@pytest.mark.parametrize(("debt", "expected"), [(True, [-6, -6, -6]), (False, [0, 0, 0])])
def test_ht11_a_shortage_costs_heat_and_money_until_there_is_enough(
    start: Start, debt: bool, expected: list[int]
) -> None:
    game = three_with_heat(start, ["Bank Job"] * 3, board="1x1,2x5", debt=debt)
    assert (money(game), heat(game)) == ([0, 0, 0], [2, 2, 2]), "6 Heat of 6 tokens: neither arrest nor shortage"
    stages(game, "Bank Job, Bank Job, Bank Job")
    assert (money(game), heat(game)) == (expected, [2, 2, 2]), "6 of none: twice 1 Heat and $3"


def test_ht11_the_loss_comes_before_the_pay_and_spares_those_without_heat(start: Start) -> None:
    hands = ["Bank Job, Bank Job", "Bank Job, Crackdown", "Crackdown, Interrogation"]
    for debt, expected in ((True, [2, -3 + 2, 0 + 2]), (False, [5, 2, 2])):
        game = stages(start(hands, board="1x2,2x2", debt=debt), "Bank Job, Bank Job, Crackdown")
        assert (money(game), heat(game)) == ([0, 0, 2], [2, 2, 0])
        stages(game, "Bank Job, Crackdown, Interrogation")
        # 2 Heat are wanted and none are there: two seats give back 1 each. Then there are 1 + 2, 1 and 0 taken: $2.
        assert heat(game) == [3, 1, 0]
        assert [money(game)[0], money(game)[1]] == expected[:2]
        assert gains(game)[2] == 0, "nobody has returned Heat by a card"


# Phase C


def test_ht12_diversion_must_have_more_heat_than_anyone_else(start: Start) -> None:
    game = start(["Break In, Diversion", "The Lift, Diversion", "The Lift, Crackdown"])
    stages(game, "Break In, The Lift, The Lift", "Diversion, Diversion, Crackdown")
    assert gains(game) == [4, 1, 1]
    game = stages(three_with_heat(start, ["Diversion", "", ""]), "Diversion, The Lift, The Lift")
    assert gains(game) == [1, 2, 2]


def test_ht12_leverage_counts_what_others_really_gained(start: Start) -> None:
    game = start(["The Feds, Bank Job, Leverage", "Crackdown, Leverage, Bank Job", "Crackdown, Break In, Break In"])
    stages(game, "The Feds, Crackdown, Crackdown", "Bank Job, Leverage, Break In")
    assert (gains(game), heat(game)) == ([5, 1, 3], [0, 0, 1]), "the Bank Job's Heat is ignored"
    stages(game, "Leverage, Bank Job, Break In")
    assert (gains(game), heat(game)) == ([3, 5, 3], [0, 2, 2])


def test_ht12_leverage_is_not_lessened_by_a_shortage(start: Start) -> None:
    game = start(["Break In, Leverage", "Break In, Bank Job", "Crackdown"], board="1x1,2x2")
    stages(game, "Break In, Break In, Crackdown", "Leverage, Bank Job, The Lift")
    # 2 are wanted and 1 is there: both give back 1, and lose $3; then seat 1 takes 2.
    assert (heat(game), money(game)) == ([0, 2, 0], [3 - 3 + 2, 3 - 3 + 5, 1 + 2])


def test_ht12_kansas_city_shuffle_under_the_radar_and_crackdown_see_what_b_brought(start: Start) -> None:
    hands = ["Kansas City Shuffle", "Under the Radar", "Crackdown", "Bank Job"]
    assert gains(stages(start(hands), ", ".join(hands))) == [1, 3, 1, 5]
    game = three_with_heat(start, ["Kansas City Shuffle", "Under the Radar", "Break In"])
    stages(game, "Kansas City Shuffle, Under the Radar, Break In")
    assert gains(game) == [3, 1, 3], "the own seat counts too"


def test_ht12_mastermind_and_option_mastermind_tie(start: Start) -> None:
    hands = ["Copycat Crime", "Mastermind", "The Lift"]
    for tie, expected in ((True, [2, 2, 2]), (False, [0, 0, 2])):
        game = stages(
            start(hands, "Heavy, Heavy, Heavy, Heavy", mastermind_tie=tie), "Copycat Crime, Mastermind, The Lift"
        )
        assert gains(game) == expected
    game = start(["Mastermind", "Mastermind, Crackdown", "Crackdown"], "Heavy, Heavy, Heavy", mastermind_tie=False)
    stages(game, "The Lift, Mastermind, Crackdown")
    assert gains(game) == [2, 2, 0], "6 cards and 4, 4"
    stages(game, "Mastermind, Crackdown, The Lift")
    assert gains(game) == [0, 0, 2], "one card is left: 3 cards and 5"


def test_ht12_a_tie_at_no_cards_counts(start: Start) -> None:
    for tie, expected in ((True, [2, 2, 2]), (False, [0, 2, 2])):
        game = start(["Mastermind", "", ""], stages=5, mastermind_tie=tie)
        stages(game, *["The Lift, The Lift, The Lift"] * 4, "Mastermind, The Lift, The Lift")
        assert gains(game) == expected


def test_ht12_interrogation_counts_the_own_seat_and_lay_low(start: Start) -> None:
    game = three_with_heat(start, ["Interrogation", "Lay Low", "Crackdown"])
    stages(game, "Interrogation, Lay Low, Crackdown")
    assert (heat(game), gains(game)) == ([1, 1, 2], [2, 0, 2])


def test_ht12_fence_the_goods_adds_up_what_another_gains(start: Start) -> None:
    game = stages(start(["Fence the Goods", "Bank Job", "The Lift"]), "Fence the Goods, Bank Job, The Lift")
    assert gains(game) == [4, 5, 2]
    game = stages(start(["Fence the Goods", "Break In", "The Lift"]), "Fence the Goods, Break In, The Lift")
    assert gains(game) == [1, 3, 2], "$3 and $2 of two seats are no $4"
    game = start(["Break In, Diversion", "The Lift, Fence the Goods", "The Lift, The Lift"])
    stages(game, "Break In, The Lift, The Lift", "Diversion, Fence the Goods, The Lift")
    assert gains(game) == [4, 4, 2], "what another is gaining in phase C counts"


def test_ht12_two_fences_never_raise_each_other(start: Start) -> None:
    hands = ["Fence the Goods", "Copycat Crime", "Fence the Goods", "Break In"]
    assert gains(stages(start(hands), ", ".join(hands))) == [1, 1, 1, 3]
    hands[3] = "Bank Job"
    assert gains(stages(start(hands), ", ".join(hands))) == [4, 4, 4, 5]


def test_ht12_a_loss_in_a_shortage_is_not_taken_off(start: Start) -> None:
    game = start(["Fence the Goods", "Bank Job, Heavy", "Bank Job"], board="1x2,2x2")
    stages(game, "The Lift, Bank Job, Bank Job", "Fence the Goods, Heavy, The Lift")
    # 1 Heat is wanted and none is there: seats 1 and 2 give back 1 and lose $3. Seat 1 has two Bs: $4.
    assert (heat(game), gains(game)) == ([0, 2, 1], [4, -3 + 4, -3 + 2])


def test_ht13_the_worst_row_that_is_completely_empty(start: Start) -> None:
    assert [Rules().heat_value(taken) for taken in range(16)] == [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5]
    other = Rules().replace(board="2x1,3x3,10x1")
    assert [other.heat_value(taken) for taken in range(6)] == [0, 2, 2, 2, 3, 10]
    assert (Rules().tokens, other.tokens) == (15, 5)
    game = start(["Bank Job, Crackdown", "Break In, The Lift", "The Lift, Crackdown"], board="2x1,3x2,10x2")
    stages(game, "Bank Job, Break In, The Lift", "Crackdown, The Lift, Crackdown")
    assert gains(game) == [3, 2, 3], "3 tokens are taken, and two rows are empty"
    assert game.result()["final"] == [5 + 3 - 6, 3 + 2 - 3, 2 + 3]


# The end


def test_ht14_heists_and_stages_are_numbers_of_the_rules(start: Start) -> None:
    hands = ["Break In", "Bank Job", ""]
    game = start(hands, heists=2, stages=2)
    stages(game, "Break In, The Lift, The Lift", "The Lift, Bank Job, The Lift")
    assert (game.phase, len(game.heists)) == ("pass", 2)
    assert [record(game, seat) for seat in range(3)] == ["", "", ""], "all cards are shuffled together"
    assert [len(held) for held in game.hands] == [2, 2, 2]
    stages(draft(game, hands), "The Lift, The Lift, The Lift", "Break In, The Lift, The Lift")
    assert game.actor == -1
    assert game.result()["money"] == [3 + 2 + 2 + 3, 2 + 5 + 2 + 2, 8]
    # Heat 2, 2 and 0: worth $2 each.
    assert (game.result()["heat"], game.result()["final"]) == ([2, 2, 0], [6, 7, 8])
    assert game.result()["winners"] == [2]


def test_ht15_the_highest_final_wins(start: Start) -> None:
    game = stages(start(["Bank Job", "Break In", "The Lift"], stages=1), "Bank Job, Break In, The Lift")
    # 3 Heat are worth $2 each: 5 - 4, 3 - 2, 2.
    assert game.result()["final"] == [1, 1, 2]
    assert game.result()["winners"] == [2]


def test_ht15_least_heat_breaks_a_tie_and_then_the_win_is_split(start: Start) -> None:
    game = stages(start(["Break In", "The Lift", "Crackdown"], stages=1), "Break In, The Lift, Crackdown")
    assert game.result()["final"] == [2, 2, 1]
    assert game.result()["winners"] == [1]
    game = stages(start(["", "", "Crackdown"], stages=1), "The Lift, The Lift, Crackdown")
    assert game.result()["winners"] == [0, 1]


def test_ht16_choices_are_made_seat_after_seat_and_seen_by_nobody(deal: Start) -> None:
    game = deal(reference.Setup([heat_engines.titles(DRAFTED)]), 3)
    for title in ("Copycat Crime", "Frame Up"):
        before = [game.knowledge(seat) for seat in range(3)]
        seat = game.actor
        game.step(Action(PASS, title))
        for other in range(3):
            if other != seat:
                assert {k: v for k, v in game.knowledge(other).items() if k != "actor"} == {
                    k: v for k, v in before[other].items() if k != "actor"
                }
        assert game.knowledge(seat)["choice"] == title
    game.step(Action(PASS, "Lay Low"))
    seen = game.knowledge(1)
    assert (seen["passed"], seen["received"], seen["target"]) == (["Frame Up"], ["Copycat Crime"], 2)
    assert "Lay Low" not in str(seen)


# Talk


def test_ht17_announcements_are_heard_in_order_and_bind_nobody(start: Start) -> None:
    game = start(["Bank Job", "", ""], stages=5, announce=True)
    assert (game.phase, game.actor) == ("announce", 0)
    assert game.legal() == [*(announce(title) for title in TITLES), announce(None)]
    illegal(game, Action(REVEAL, "Bank Job"), because="has to announce a title")
    illegal(game, announce("Gold"), because="no title")
    game.step(announce("Under the Radar"))
    assert game.knowledge(1)["announced"] == ["Under the Radar", None, None]
    game.step(announce(None))
    game.step(announce("Copycat Crime"))
    stages(game, "Bank Job, The Lift, The Lift")
    assert (money(game), heat(game)) == ([5, 2, 2], [2, 0, 0])
    assert game.heists[0]["stages"][0]["announce"] == ["Under the Radar", None, "Copycat Crime"]
    assert (game.phase, game.knowledge(0)["announced"]) == ("announce", [None] * 3)


def test_ht17_without_the_option_there_is_no_talk(start: Start) -> None:
    game = start(["", "", ""])
    assert game.phase == "reveal"
    illegal(game, announce(None))
    stages(game, "The Lift, The Lift, The Lift")
    assert "announce" not in game.heists[0]["stages"][0]


def test_ht17_who_has_no_card_may_still_talk(start: Start) -> None:
    game = start(["", "", ""], stages=6, announce=True)
    for _ in range(5):
        for _ in range(3):
            game.step(announce(None))
        stages(game, "The Lift, The Lift, The Lift")
    assert game.actor == 0
    for _ in range(3):
        game.step(announce("Bank Job"))
    assert game.actor == -1
