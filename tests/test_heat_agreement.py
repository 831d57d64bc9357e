"""Kernel and reference engine agree ply by ply: state, legal actions, what every seat knows."""

import random

import pytest
from heat_engines import talk_ends_a_heist
from heat_subjects import DECKS, OPTIONS

from heatsim import trace
from heatsim.reference import Reference
from heatsim.rules import PLAYERS, Rules
from heatsim.table import Table


def compare(kernel: Table, plain: Reference, seats: list[int] | range) -> None:
    assert kernel.actor == plain.actor
    assert kernel.legal() == plain.legal()
    for seat in seats:
        assert kernel.knowledge(seat) == plain.knowledge(seat)


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
        while plain.actor >= 0:
            compare(kernel, plain, [rng.randrange(players)])
            action = rng.choice(plain.legal())
            kernel.step(action)
            plain.step(action)
        compare(kernel, plain, range(players))
        assert kernel.result() == plain.result()
        if talk_ends_a_heist(plain):
            continue
        checked = trace.check(trace.record(kernel, the_deck))
        assert checked.faults == []
        assert checked.trace is not None
        assert checked.trace["heists"] == plain.heists
