"""The plain engine of Heat beyond the single rulings: copies, what a seat knows, reports, whole games."""

import random
from collections import Counter
from typing import Any

import heat_engines
import pytest
from anygame import finish
from heat_engines import cover, reveal, stages, word

from gameapi.errors import IllegalError
from heatsim import cards, deck, reference
from heatsim.actions import ANNOUNCE, COVER, PASS, REVEAL, WORD, Action, label
from heatsim.reference import Reference
from heatsim.rules import PLAYERS, Rules


def some_game(seed: int, players: int, **options: Any) -> tuple[Reference, random.Random]:
    """Deal a game, and give the random numbers to go on with."""
    rng = random.Random(seed)
    rules = Rules(**options)
    return Reference(rules, players, reference.deal(rules, deck.default(), players, rng)), rng


def somewhere(seed: int, players: int, phase: str, **options: Any) -> tuple[Reference, random.Random]:
    """Play at random to a choice of the given kind that another seat has made before in the same round."""
    for number in range(seed, seed + 400):
        game, rng = some_game(number, players, **options)
        while game.actor >= 0:
            if game.phase == phase and (game.choices or (phase == ANNOUNCE and game.actor)):
                return game, rng
            game.step(rng.choice(game.legal()))
    raise AssertionError(f"no such {phase} in 400 games")


def test_a_copy_goes_its_own_way() -> None:
    for phase in (PASS, ANNOUNCE, REVEAL, WORD):
        game, rng = somewhere(1, 4, phase, announce=True)
        before = game.result(), [game.knowledge(seat) for seat in range(4)], str(game.heists), str(game.reports)
        copy = game.copy()
        assert (copy.result(), [copy.knowledge(seat) for seat in range(4)], str(copy.heists)) == before[:3]
        while copy.actor >= 0:
            copy.step(rng.choice(copy.legal()))
        assert (game.result(), [game.knowledge(s) for s in range(4)], str(game.heists), str(game.reports)) == before
        assert copy.rules is game.rules


def test_the_setup_is_not_touched() -> None:
    game, rng = some_game(5, 3)
    again = reference.deal(game.rules, deck.default(), 3, random.Random(5))
    finish(game, rng)
    assert game.setup == again


@pytest.mark.parametrize("players", PLAYERS)
def test_no_card_is_lost_and_every_listed_action_is_legal(players: int) -> None:
    for seed in range(6):
        game, rng = some_game(seed, players, announce=seed % 2 == 1)
        everything = Counter(deck.default().titles(players))
        while game.actor >= 0:
            found = Counter(game.deck) + Counter(game.choices.values())
            found.update(title for hand in game.hands for title in hand)
            found.update(card.title for record in game.records for card in record)
            assert found == everything
            legal = game.legal()
            assert len(set(legal)) == len(legal) > 0
            for action in rng.sample(legal, min(3, len(legal))):
                game.copy().step(action)
            game.step(rng.choice(legal))
        assert 0 <= sum(game.heat) <= 15
        assert [len(heist["stages"]) for heist in game.heists] == [4] * 3 or game.arrested


def test_money_is_what_was_paid_less_what_shortages_cost() -> None:
    for seed in range(30):
        game, rng = some_game(seed, 5, board=Rules().replace(board="1x2,2x4,4x4").board)
        finish(game, rng)
        paid = sum(sum(of_phase) for report in game.reports for of_phase in report.paid.values())
        lost = paid - sum(game.money)
        assert lost % 3 == 0
        assert (lost > 0) == any(report.shortages for report in game.reports)
        moved = sum(sum(report.gained_heat) - sum(report.returned) for report in game.reports)
        assert sum(game.heat) == moved - lost // 3


@pytest.mark.parametrize("phase", [PASS, ANNOUNCE, REVEAL, WORD, COVER])
def test_what_is_hidden_does_not_show_in_what_a_seat_knows(phase: str) -> None:
    rng = random.Random(phase)
    if phase == COVER:  # two Cover Stories at once are rare
        hands = ["Cover Story, Heavy", "Copycat Crime", "Cover Story"]
        first = heat_engines.draft(Reference(Rules(), 3, heat_engines.setup(hands, "Leverage, Diversion", 3)), hands)
        reveal(first, "Cover Story", "Copycat Crime", "Cover Story").step(cover("Heavy"))
        game = first
    else:
        game, _ = somewhere(1, 3, phase, announce=phase == ANNOUNCE)
    seat = game.actor
    known = game.knowledge(seat)
    other = game.copy()
    pool = [*other.deck, *(title for who, title in other.choices.items() if who != seat)]
    pool += [title for who, hand in enumerate(other.hands) if who != seat for title in hand]
    rng.shuffle(pool)
    other.deck = [pool.pop() for _ in other.deck]
    for who in other.choices:
        other.choices[who] = pool.pop()
    for who, hand in enumerate(other.hands):
        if who != seat:
            hand[:] = [pool.pop() for _ in hand]
    assert (other.hands, other.deck, other.choices) != (game.hands, game.deck, game.choices)
    assert other.knowledge(seat) == known
    assert known["hand"] == sorted(game.hands[seat], key=cards.number)
    assert known["choice"] is None
    assert set(known) == {
        "seat", "phase", "actor", "heist", "stage", "hand", "choice", "passed", "received", "target", "money", "heat",
        "heat_value", "records", "used", "announced", "revealed", "active", "ignoring", "hand_sizes", "deck",
    }  # fmt: skip


def test_a_cover_story_that_is_declined_looks_like_any_other() -> None:
    hands = ["Cover Story, Heavy", "Copycat Crime", "Cover Story"]
    game = heat_engines.draft(Reference(Rules(), 3, heat_engines.setup(hands, heists=3)), hands)
    reveal(game, "Cover Story", "Copycat Crime", "Cover Story")
    seen = []
    for choice in (cover(None), cover("Heavy")):
        copy = game.copy()
        copy.step(choice)
        seen.append(copy.knowledge(1))
    assert seen[0] == seen[1]


def test_a_report_tells_what_a_trace_does_not() -> None:
    hands = ["Backup Plan", "Copycat Crime", "Word on the Street, Bank Job"]
    game = heat_engines.draft(
        Reference(Rules(), 3, heat_engines.setup(hands, "Circle Back, Heavy, Leverage", 3)), hands
    )
    reveal(game, "Backup Plan", "Copycat Crime", "Word on the Street")
    for title in ("The Lift", "Bank Job"):
        game.step(word(title))
    (report,) = game.reports
    assert report.switched == [
        (0, "Backup Plan", "Circle Back"),
        (1, "Word on the Street", "The Lift"),
        (2, "Word on the Street", "Bank Job"),
        (0, "Circle Back", "Backup Plan"),
    ]
    assert report.active == ["Backup Plan", "The Lift", "Bank Job"]
    assert (report.drawn, report.gained_heat, report.shortages) == ([2, 0, 0], [0, 0, 2], 0)
    assert report.paid == {"A": [0, 0, 0], "B": [0, 2, 5], "C": [0, 0, 0]}


def test_a_game_that_is_over_can_be_asked_and_not_played() -> None:
    game = heat_engines.draft(Reference(Rules(heists=1, stages=1), 3, heat_engines.setup([""] * 3)), [""] * 3)
    stages(game, "The Lift, The Lift, The Lift")
    assert (game.actor, game.phase, game.legal()) == (-1, "over", [])
    assert game.knowledge(2)["phase"] == "over"
    with pytest.raises(IllegalError, match="the game is over"):
        game.step(Action(REVEAL, "The Lift"))


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Action(PASS, "Heavy"), "passes Heavy"),
        (Action(ANNOUNCE, "Heavy"), "announces Heavy"),
        (Action(ANNOUNCE), "stays silent"),
        (Action(REVEAL, "Heavy"), "plays Heavy"),
        (Action(WORD, "Heavy"), "adds Heavy by Word on the Street"),
        (Action(COVER, "Heavy"), "discards Heavy for its Cover Story"),
        (Action(COVER), "discards nothing for its Cover Story"),
        (Action(REVEAL), "plays no card"),
        (Action("jump"), "makes an unknown choice 'jump'"),
    ],
)
def test_actions_in_words(action: Action, said: str) -> None:
    assert label(action) == said
