"""What the contract of a game asks of Hot Heads in particular: its longest game, its random actions, its keys."""

from typing import Any

import engines
import hot_subjects
import pytest
import subjects
from engines import pick, play, run, sabotage
from hot_subjects import DECKS

from gameapi import conformance
from gameapi.conformance import Subject
from hotsim import deck
from hotsim.game import GAME
from hotsim.layout import PICK
from hotsim.rules import PLAYERS, Rules
from hotsim.table import Table


@pytest.mark.parametrize("players", PLAYERS)
def test_the_longest_game_is_as_long_as_the_game_says(players: int) -> None:
    subject = hot_subjects.subject(players)
    worst = conformance.check_playouts(subject)
    assert worst == subject.longest, "20000 games are enough to see a last storm beneath the last card"
    assert subject.longest <= GAME.longest


def test_the_bound_is_exact() -> None:
    assert GAME.longest == max(hot_subjects.longest(Rules(), deck.default(), players) for players in PLAYERS) == 99


# Random actions


def kinds_of(subject: Subject, state: Any) -> set[str]:
    """Name what makes a state worth a look: which kinds of card can be used, whether it is a storm phase."""
    record, hand = subject.record, int(state.hand[int(state.actor)])
    if state.phase == PICK:
        return {"pick", f"pick, storm {int(state.storms)}"}
    words = [int(word) for word in state.columns]
    standing = [word for column, word in enumerate(words) if int(state.standing) >> column & 1]
    places = [(word & 255) - (word >> 8 & 255) - 1 for word in standing]
    found = {"typed"} if hand & int(record.typed) else set()
    if hand & int(record.needs_column):
        found.add("wild or helicopter" if standing else "wild or helicopter, no column")
    if hand & int(record.sabotage):
        found.add("sabotage" if standing else "sabotage, no column")
        found |= {"sabotage, one-card column"} if 1 in places else set()
    return found


KINDS = {
    "typed",
    "wild or helicopter",
    "wild or helicopter, no column",
    "sabotage",
    "sabotage, no column",
    "sabotage, one-card column",
    "pick",
    *(f"pick, storm {k}" for k in (1, 2, 3, 4)),
}


@pytest.mark.parametrize("players", PLAYERS)
def test_random_actions_are_uniform_over_the_distinct_legal_ones(players: int) -> None:
    subject = hot_subjects.subject(players)
    missing = set(KINDS)
    for state in conformance.positions(subject, games=150)[:: 7 if players == 2 else 11]:
        kinds = kinds_of(subject, state) if state.actor >= 0 else set()
        if kinds & missing:
            conformance.check_uniform(subject, state, where=str(sorted(kinds)))
            missing -= kinds
    assert not missing, "no state of this kind came up"


def test_a_pass_and_a_lone_sabotage_are_drawn_too() -> None:
    for cards_of, only in (({"*+1": 40, "heli": 40, "1+1": 1}, 1), ({"sabotage": 80, "1+1": 1}, 1)):
        subject = hot_subjects.subject(3, cards_of=deck.from_tokens(cards_of, "odd"))
        state = next(
            s for s in conformance.positions(subject, games=3) if s.actor >= 0 and len(subject.legal(s)) == only
        )
        conformance.check_uniform(subject, state, draws=50)


# Rollouts


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("options", ["default", "helicopter-is-top", "six-storms"])
def test_rollouts_are_random_games(players: int, options: str) -> None:
    subject, states = subjects.table(GAME.name, players, options)
    conformance.check_rollout(subject, states[0], where="at the start")
    picks = [i for i, state in enumerate(states) if state.phase == PICK and state.actor >= 0]
    last = [i for i in picks if states[i].storms == subject.rules.storms]
    for i in (picks[0], picks[1], last[0], last[-players], last[-2]):
        conformance.check_rollout(subject, states[i], where=f"state {i}")


# What a seat knows

SMALL = deck.from_tokens({"1+1": 14, "1+2": 14, "2-1": 14, "*+1": 6, "heli": 6, "sabotage": 22}, "small")


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("cards_of", [SMALL, DECKS["default"]], ids=["small", "default"])
def test_keys_are_equal_exactly_where_the_view_is(players: int, cards_of: deck.Deck) -> None:
    subject = hot_subjects.subject(players, cards_of=cards_of)
    repeats = sum(conformance.check_info_key(subject, walks=150, number=number) for number in range(2))
    assert repeats > 10


def begin(hands: list[str], draw_pile: str, dummy: list[str] | None = None) -> Table:
    dealt = engines.setup(hands, draw_pile, dummy)
    return engines.on_kernel(engines.rules_for(dealt), len(hands), dealt)


def keys(game: Table) -> list[int]:
    record = GAME.record(game.rules, game.deck, game.players)[0]
    return [int(GAME.call("info_key")(game.state, record, seat)) for seat in range(game.players)]


def test_keys_tell_whose_column_it_is() -> None:
    hands, pile = ["1+1 2+1", "2+2 3+1", "3+2 4+1"], "4+1 4+2 storm"
    one, other = (run(begin(hands, pile), play("1+1", to=seat)) for seat in (1, 2))
    assert all(a != b for a, b in zip(keys(one), keys(other), strict=True))


def test_keys_tell_discards_apart() -> None:
    hands, pile = ["1+1 1+2 2+1", "sabotage 2+2 3+1", "3+2 4+1 4+3"], "4+1 4+2 4+4 storm"
    one, other = (run(begin(hands, pile), play(card, to=0), sabotage(0, 1, "top")) for card in ("1+1", "1+2"))
    assert one.columns == other.columns
    assert one.discards != other.discards
    assert all(a != b for a, b in zip(keys(one), keys(other), strict=True))


def test_keys_do_not_tell_how_a_column_came_about() -> None:
    hands, pile = ["1+1 2+1 2+1", "1+2 2+2 3+1", "sabotage 4+1 4+3"], "4+1 4+2 4+4 4+2 storm"
    one = run(begin(hands, pile), play("1+1", to=0), play("1+2", to=0), sabotage(0, 1, "bottom"))
    hands = ["1+2 2+1 2+1", "1+1 2+2 3+1", "sabotage 4+1 4+3"]
    other = run(begin(hands, pile), play("1+2", to=0), play("1+1", to=0), sabotage(0, 1, "top"))
    assert one.knowledge(2) == other.knowledge(2)
    assert keys(one)[2] == keys(other)[2]


def test_keys_do_not_tell_who_drew_a_storm_that_is_over() -> None:
    hands = ["1+1 2+1 2+2", "1+1 2+1 2+2"]
    piles = ["3+1 3+1 3+1 3+1"] * 4
    one = run(begin(hands, "storm 4+1 4+2 storm", piles), pick("1+1"), pick("1+1"), play("2+1", to=0))
    other = run(begin(hands, "4+1 storm 4+2 storm", piles), play("2+1", to=0), pick("1+1"), pick("1+1"))
    assert one.knowledge(0) == other.knowledge(0)
    assert keys(one) == keys(other)
