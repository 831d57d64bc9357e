"""Kernel and reference engine agree ply by ply: state, legal actions, what every seat knows."""

import random

import pytest
from anygame import play_side_by_side
from heat_subjects import DECKS, OPTIONS

from heatsim import trace
from heatsim.reference import Reference
from heatsim.rules import PLAYERS, Rules
from heatsim.table import Table


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("cards_of", DECKS)
@pytest.mark.parametrize("options", OPTIONS)
def test_kernel_and_reference_agree_ply_by_ply(players: int, cards_of: str, options: str) -> None:
    the_rules, the_deck = Rules().replace(**OPTIONS[options]), DECKS[cards_of]
    rng = random.Random(f"{players} {cards_of} {options}")
    for number in range(2):
        kernel = Table(players, the_rules, the_deck, seed=7, number=number)
        decks = [kernel.heists[0]["deck"]]
        setup = kernel.setup._replace(
            decks=decks + [rng.sample(decks[0], len(decks[0])) for _ in range(the_rules.heists - 1)]
        )
        kernel = Table(players, the_rules, the_deck, setup=setup)
        plain = Reference(the_rules, players, setup)
        play_side_by_side(kernel, plain, rng, lambda game, rng: rng.choice(game.legal()))
        checked = trace.check(trace.record(kernel, the_deck))
        assert checked.faults == []
        assert checked.trace is not None
        assert checked.trace["heists"] == plain.heists
