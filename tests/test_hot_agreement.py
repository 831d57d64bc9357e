"""Kernel and reference engine agree ply by ply: state, legal actions, what every seat knows."""

import random
from typing import Any

import pytest
from anygame import play_side_by_side
from hot_subjects import OPTIONS

from hotsim import cards, deck, rules
from hotsim.deck import Deck
from hotsim.reference import Reference
from hotsim.rules import PLAYERS, Rules
from hotsim.table import Table

DECKS: dict[str, Deck] = {
    "default": deck.default(),
    "wilds": deck.from_tokens({"1+1": 6, "*+2": 25, "*-9": 15, "heli": 40, "sabotage": 30}, "wilds"),
    "tall": deck.from_tokens(
        {"1+99": 30, "1-99": 15, "2+1": 14, "3-1": 30, "4+50": 20, "heli": 9, "sabotage": 20}, "tall"
    ),
}


def biased(game: Reference, rng: random.Random) -> Any:
    """Choose an action; sabotage, wilds and helicopters more often than their share, so that rare rules come up."""
    legal = game.legal()
    special = [action for action in legal if action.card and not cards.is_typed(action.card)]
    return rng.choice(special if special and rng.random() < 0.4 else legal)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("cards_of", DECKS)
@pytest.mark.parametrize("options", OPTIONS)
def test_kernel_and_reference_agree_ply_by_ply(players: int, cards_of: str, options: str) -> None:
    the_rules, the_deck = Rules().replace(**OPTIONS[options]), DECKS[cards_of]
    if options == "six-storms" and the_deck.size < 21 * players + 16:
        the_rules = the_rules.replace(
            hand_size=21 if players < 4 else the_deck.size // players, storms=5, combined_stacks=2
        )
    rules.check(the_rules, the_deck, players)
    rng = random.Random(f"{players} {cards_of} {options}")
    for number in range(2):
        kernel = Table(players, the_rules, the_deck, seed=7, number=number)
        plain = Reference(the_rules, players, kernel.setup)
        play_side_by_side(kernel, plain, rng, biased)
        assert kernel.events == plain.events
        assert kernel.discards == plain.discards
