"""What the contract of a game asks of Heat in particular: its longest game, its random actions, its keys."""

import dataclasses
import itertools
import random
from collections import Counter
from typing import Any

import heat_engines
import heat_subjects
import pytest
import subjects
from heat_engines import STARTS, draft, shuffled, target
from heat_subjects import own

from gameapi import conformance
from heatsim import deck
from heatsim.actions import COVER, PASS, REVEAL, WORD, Action
from heatsim.game import GAME
from heatsim.reference import Reference, Setup
from heatsim.rules import HAND_SIZE, PLAYERS, ROUNDS, Rules

# The longest game

CHOSEN = ["Copycat Crime", "Circle Back"], ["Cover Story", "Word on the Street"]
"""What two neighbours play in the first two Stages of the longest heist; the second is the first's pass target."""

QUIET = ("Backup Plan", "Heavy", "Bank Job", "Frame Up", "The Feds")
"""Titles that stay in the deck of the longest game: switching cards, and those that bring most Heat."""


def most(players: int) -> int:
    """Work out the most decisions of a game with default rules and deck.

    In each of 3 heists every seat passes 3 cards and reveals one in each of 4 Stages. The rest are Words on the Street
    and Cover Stories, of which the deck has one each, W and V, and one Copycat Crime, K, to stand for them. K copies
    what another reveals in the same Stage, and any card is revealed once a heist at most. Each time that W, V or K
    becomes active brings one decision at most: Words by the mark of HT6, Cover Stories because phase B comes once.

    A card becomes active by coming to the end of a record, once a heist, or by a swap. Swaps come from the one Circle
    Back, C, and from K as its copy. C is used once: to become active again it would have to be swapped itself, by K as
    its copy in the same record, but then C has been revealed by another and lies there. K is C's copy in one Stage at
    most, that in which another reveals C.

    - W: a swap brings it back only if one card lies above it, C or K, which has swapped. In an earlier Stage W has put
      a card onto itself that stays; unless that was C or K itself, whose swap makes W active again in the same Stage,
      in which it is used up, and last; but then the next swap would need the other one of C and K, which has to be
      revealed in the Stage in which the first was. With an empty hand W puts nothing onto itself, but then its seat
      has no card for a later Stage. So W decides once.
    - V and K decide once, and once more by a swap. If K swaps, that was its one time. If C swaps K, it does not swap
      V. So all three decide 4 times at most: W, V and K, and V or K again.
    """
    return 3 * (ROUNDS * players + 4 * players + 4)


def longest_heist(players: int, heist: int) -> tuple[list[str], list[str]]:
    """Give hands and the rest of the default deck for a heist with all decisions that there can be."""
    pair = (0, 1) if heist % 2 else (1, 0)
    assert target(heist, pair[0], players) == pair[1]
    left = Counter(deck.default().titles(players)) - Counter(title for titles in CHOSEN for title in titles)
    others = sorted(left.elements(), key=lambda title: title in QUIET)
    hands = [list(CHOSEN[pair.index(seat)]) if seat in pair else [] for seat in range(players)]
    for held in hands:
        held += [others.pop(0) for _ in range(HAND_SIZE - len(held))]
    return [", ".join(held) for held in hands], others


def play_longest(engine: str, players: int) -> tuple[Any, Counter[str]]:
    """Play the longest game; return it with the number of its decisions of each kind."""
    heists = {heist: longest_heist(players, heist) for heist in (1, 2, 3)}
    decks = [
        shuffled([heat_engines.titles(held) for held in hands], rest, heist) for heist, (hands, rest) in heists.items()
    ]
    assert all(sorted(cards) == sorted(deck.default().titles(players)) for cards in decks)
    game: Any = STARTS[engine](Rules(), players, Setup(decks))
    found: Counter[str] = Counter()
    plans = [title for pair in zip(*CHOSEN, strict=True) for title in pair]
    for hands, _ in heists.values():
        draft(game, hands)
        found[PASS] += ROUNDS * players
        while game.actor >= 0 and game.phase != PASS:
            found[game.phase] += 1
            wanted = [a for a in game.legal() if a.title in plans] if game.phase == REVEAL else []
            wanted.sort(key=lambda action: plans.index(action.title))
            spare = [a for a in game.legal() if a.title not in plans]
            game.step((wanted or spare)[0] if game.phase != COVER else Action(COVER))
    return game, found


@pytest.mark.parametrize("engine", STARTS)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_of_the_greatest_length_can_be_played(players: int, engine: str) -> None:
    game, found = play_longest(engine, players)
    assert found == {PASS: 9 * players, REVEAL: 12 * players, WORD: 6, COVER: 6}
    assert found.total() == most(players)
    assert game.actor == -1


def test_the_longest_game_is_as_long_as_the_game_says() -> None:
    assert GAME.longest == max(most(players) for players in PLAYERS) == 117


@pytest.mark.parametrize("players", PLAYERS)
def test_no_random_game_is_longer(players: int) -> None:
    subject = dataclasses.replace(heat_subjects.subject(players), longest=most(players))
    assert conformance.check_playouts(subject) > 3 * ROUNDS * players + 12 * players


SPECIAL = [*itertools.chain(*CHOSEN), "Backup Plan"]


def stacked(players: int, rng: random.Random) -> Reference:
    """Draft a heist in which most special cards come to seats 0 and 1, every other time as in `CHOSEN`."""
    others = list((Counter(deck.default().titles(players)) - Counter(SPECIAL)).elements())
    rng.shuffle(others)
    hands: list[list[str]] = [[] for _ in range(players)]
    top, as_chosen = [], rng.random() < 0.5
    for title in SPECIAL:
        seat = rng.randrange(2) if not as_chosen or title not in CHOSEN[0] + CHOSEN[1] else int(title in CHOSEN[1])
        (top if rng.random() < 0.1 else hands[seat]).append(title)
    for held in hands:
        held += [others.pop() for _ in range(HAND_SIZE - len(held))]
        rng.shuffle(held)
    game = Reference(Rules(heists=1), players, Setup([shuffled(hands, top + others, 1)]))
    return draft(game, [", ".join(held) for held in hands])


@pytest.mark.parametrize("players", PLAYERS)
def test_no_stacked_heist_is_longer(players: int) -> None:
    """Special cards lie with neighbours and are mostly revealed first."""
    rng, longest = random.Random(players), 0
    for _ in range(400):
        game, count = stacked(players, rng), ROUNDS * players
        while game.actor >= 0:
            legal = game.legal()
            wanted = [action for action in legal if (action.title in SPECIAL) == (action.kind == REVEAL)]
            game.step(rng.choice(wanted if wanted and rng.random() < 0.8 else legal))
            count += 1
        longest = max(longest, count)
    assert longest == most(players) // 3


# Random actions


def kinds_of(state: Any) -> set[str]:
    """Name what makes a state worth a look: what is chosen, and whether a title is held twice."""
    phase = heat_subjects.kind(state)
    return {phase} | ({f"{phase}, copies"} if state.count[int(state.actor)].max() > 1 else set())


KINDS = {f"{phase}{copies}" for phase in (PASS, REVEAL, WORD, COVER) for copies in ("", ", copies")} | {"announce"}


@pytest.mark.parametrize("players", PLAYERS)
def test_random_actions_are_uniform_over_the_distinct_legal_ones(players: int) -> None:
    mixed = own(Word_on_the_Street=8, Cover_Story=8, Bank_Job=4, Heavy=3, Leverage=2)
    subject = heat_subjects.subject(players, "talk", mixed)
    missing = set(KINDS)
    for state in conformance.positions(subject, games=3):
        kinds = kinds_of(state) if state.actor >= 0 else set()
        if kinds & missing and len(subject.legal(state)) > 1:
            conformance.check_uniform(subject, state, draws=1500, where=str(sorted(kinds)))
            missing -= kinds
    assert not missing, "no state of this kind came up"


# Rollouts


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize(("options", "cards_of"), [("default", "default"), ("talk", "words"), ("hot", "covers")])
def test_rollouts_are_random_games(players: int, options: str, cards_of: str) -> None:
    subject, states = subjects.table(GAME.name, players, options, cards_of)
    for state in subjects.some_of(states, each=1):
        conformance.check_rollout(subject, state, playouts=2000, where=heat_subjects.kind(state))


# What a seat knows

SMALL = {
    "passes": own(Bank_Job=10, Heavy=10, Cover_Story=5),
    "covers": own(Cover_Story=22, The_Lift=3),
    "words": own(Word_on_the_Street=3, The_Lift=22),
    "circles": own(Circle_Back=13, The_Lift=12),
}


@pytest.mark.parametrize("cards_of", SMALL)
def test_keys_are_equal_exactly_where_the_view_is(cards_of: str) -> None:
    subject = heat_subjects.subject(3, cards_of=SMALL[cards_of])
    repeats = conformance.check_info_key(subject, walks=150, depth=8 if cards_of == "passes" else 25)
    assert repeats > 50
