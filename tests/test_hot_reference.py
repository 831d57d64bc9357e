"""The plain engine beyond the single rulings: order of actions, copies, what a seat knows, whole games."""

import random
from collections import Counter
from typing import Any

import engines
import pytest
from anygame import finish
from engines import PASS, pick, play, run, sabotage

from gameapi.errors import IllegalError
from hotsim import cards, deck, reference
from hotsim.actions import Action, label
from hotsim.cards import Card
from hotsim.reference import Reference, Setup
from hotsim.rules import PLAYERS, Rules


def some_game(seed: int, players: int, **options: Any) -> tuple[Reference, Setup, random.Random]:
    """Deal a game, and give its setup and the random numbers to go on with."""
    rng = random.Random(seed)
    rules = Rules(**options)
    dealt = reference.deal(rules, deck.default(), players, rng)
    return Reference(rules, players, dealt), dealt, rng


def seen_cards(game: Reference) -> Counter[Card]:
    """Count the cards on the table, in hands, among picks and discards."""
    table = [column for row in game.columns for column in row if column]
    seen = Counter(card for column in table for card in column.cards)
    seen[cards.HELI] += sum(column.helicopters for column in table)
    for group in (*game.hands, *game.picks, game.discards):
        seen.update(group)
    return +seen


def test_legal_actions_in_canonical_order() -> None:
    dealt = engines.setup(["sabotage heli 1+1", "1+2 1+1 *-1", "heli 2+1 1-1"], "1+3 *+1 1-2 1+4 storm")
    game = run(Reference(engines.rules_for(dealt, storms=1, combined_stacks=1), 3, dealt), play("1+1", to=2))
    assert game.legal() == [
        *(play("1+1", to=seat) for seat in range(3)),
        *(play("1+2", to=seat) for seat in range(3)),
        play("*+1", to=2, column=1),
        play("*-1", to=2, column=1),
    ]
    run(game, play("1+2", to=0), play("2+1", to=1))
    places = [(0, 1), (1, 2), (2, 1)]
    assert game.legal() == [
        *(play("1+3", to=seat) for seat in range(3)),
        *(play("1+4", to=seat) for seat in range(3)),
        *(play("heli", to=seat, column=column) for seat, column in places),
        sabotage(),
        *(sabotage(*place, end) for place in places for end in ("top", "bottom")),
    ]


def test_picks_are_distinct_faces_in_canonical_order() -> None:
    dealt = engines.setup(["sabotage 1+2 1+1 1+2 *-1", "1+1 1+1 1+1 1+1 1+1"], "storm", ["1+1 1+1 1+1 1+1"])
    game = Reference(engines.rules_for(dealt), 2, dealt)
    assert game.legal() == [pick("1+1"), pick("1+2"), pick("*-1"), pick("sabotage")]


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (pick("1+1"), "no storm phase"),
        (Action("play"), "names a card"),
        (Action("play", cards.SABOTAGE, 0, 1), "no card to lay down"),
        (Action("sabotage", cards.parse("1+1")), "no sabotage card"),
        (Action("play", cards.parse("1+1")), "there is no seat None"),
        (play("1+1", to=3), "there is no seat 3; expected 0 to 2"),
        (play("1+1", to=-1), "there is no seat -1"),
        (play("1+1", to=0, column=2), "goes to column 1"),
        (play("1+1", to=0, column=5), "there is no column 5"),
        (play("4+4", to=0), "does not hold 4+4"),
        (sabotage(0, 1, "top"), "has no column 1"),
        (sabotage(0), "there is no column None"),
        (PASS, "can play 1+1"),
        (Action("jump", cards.parse("1+1"), 0, 1), "no storm phase"),
    ],
)
def test_actions_that_make_no_sense(action: Action, said: str) -> None:
    dealt = engines.setup(["1+1 sabotage", "2+1 2+2"], "3+1 storm", ["1+1 1+1 1+1 1+1"])
    game = Reference(engines.rules_for(dealt), 2, dealt)
    with pytest.raises(IllegalError) as fault:
        game.step(action)
    assert said in str(fault.value)


def test_a_copy_goes_its_own_way() -> None:
    game, _, rng = some_game(3, 4)
    for _ in range(25):
        game.step(rng.choice(game.legal()))
    before = game.result(), game.knowledge(0), [list(held) for held in game.hands], len(game.events)
    copy = game.copy()
    assert (copy.result(), copy.knowledge(0)) == before[:2]
    while copy.actor >= 0:
        copy.step(rng.choice(copy.legal()))
    assert (game.result(), game.knowledge(0), game.hands, len(game.events)) == before
    assert copy.events[: len(game.events)] == game.events


def test_the_setup_is_not_touched() -> None:
    game, dealt, rng = some_game(5, 2)
    again = reference.deal(game.rules, deck.default(), 2, random.Random(5))
    finish(game, rng)
    assert dealt == again


@pytest.mark.parametrize("players", PLAYERS)
def test_no_card_is_lost_and_every_listed_action_is_legal(players: int) -> None:
    for seed in range(6):
        game, dealt, rng = some_game(seed, players, helicopter_is_top=seed % 2 == 1)
        hidden = Counter(dealt.returned)
        turns = 0
        while game.actor >= 0:
            revealed = game.storms - (game.phase == "pick")
            unseen = hidden + Counter(card for card in game.draw_pile[game.drawn :] if card)
            unseen.update(card for pile in (game.dummy or [])[revealed:] for card in pile)
            assert seen_cards(game) + unseen == Counter(deck.default().copies)
            legal = game.legal()
            assert len(set(legal)) == len(legal) > 0
            for action in rng.sample(legal, min(3, len(legal))):
                game.copy().step(action)
            turns += game.phase == "play"
            game.step(rng.choice(legal))
        assert game.storms == 4
        # A turn is one card drawn that is no storm, and one card played (HH5).
        assert turns == game.drawn - 4


def test_what_is_hidden_does_not_show_in_what_a_seat_knows() -> None:
    game, dealt, rng = some_game(8, 3)
    for _ in range(30):
        game.step(rng.choice(game.legal()))
    seat = 0
    known = game.knowledge(seat)
    other = game.copy()
    unseen = [card for held in other.hands[1:] for card in held]
    ahead = [place for place in range(other.drawn, len(other.draw_pile)) if other.draw_pile[place]]
    pool = [*unseen, *(other.draw_pile[place] for place in ahead), *dealt.returned]
    rng.shuffle(pool)
    for held in other.hands[1:]:
        held[:] = [card for card in (pool.pop() for _ in held) if card]
    other.draw_pile = list(other.draw_pile)
    for place in ahead:
        other.draw_pile[place] = pool.pop()
    assert other.hands[1:] != game.hands[1:]
    assert other.knowledge(seat) == known
    assert known["hand"] == sorted(known["hand"], key=lambda token: cards.order(cards.parse(token)))
    assert known["hand_sizes"] == [len(held) for held in game.hands]
    assert set(known) == {
        "seat", "hand", "picks", "table", "discards", "hand_sizes", "storms", "drawn", "turn", "actor", "phase",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (PASS, "passes"),
        (pick("*-1"), "picks *-1"),
        (play("2+4", to=1), "plays 2+4 on seat 1"),
        (play("2+4", to=2), "plays 2+4 on the dummy"),
        (play("heli", to=0, column=3), "plays heli on column 3 of seat 0"),
        (sabotage(), "plays sabotage for no effect"),
        (sabotage(2, 4, "top"), "sabotages the top of column 4 of the dummy"),
    ],
)
def test_actions_in_words(action: Action, said: str) -> None:
    assert label(action, dummy=2) == said


def test_an_action_without_its_card_has_no_words() -> None:
    with pytest.raises(ValueError, match="has a card"):
        label(Action("play"))
