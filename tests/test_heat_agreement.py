"""Kernel and reference engine agree ply by ply: state, legal actions, what every seat knows."""

import random
from typing import Any

import pytest
from anygame import play_side_by_side

from heatsim import deck, trace
from heatsim.deck import Deck
from heatsim.reference import Reference
from heatsim.rules import PLAYERS, Row, Rules
from heatsim.table import Table

OPTIONS: dict[str, dict[str, Any]] = {
    "default": {},
    "talk": {"announce": True},
    "strict": {"feds_carry_over": False, "debt": False, "mastermind_tie": False},
    "long": {"heists": 5, "stages": 6},
    "hot": {"board": (Row(2, 1), Row(5, 3)), "debt": False},
    "short": {"heists": 1, "stages": 1},
}


def own(*copies: tuple[str, int]) -> Deck:
    return deck.from_copies([(title, PLAYERS) for title, n in copies for _ in range(n)], "odd")


DECKS: dict[str, Deck] = {
    "default": deck.default(),
    "copycats": own(("Copycat Crime", 30)),
    "copycats-and-switches": own(
        ("Copycat Crime", 10), ("Backup Plan", 6), ("Circle Back", 8), ("Word on the Street", 8), ("Heavy", 4)
    ),
    "backups": own(("Backup Plan", 14), ("Mastermind", 8), ("Informant", 5), ("Cover Story", 6), ("Specialist", 4)),
    "heat": own(("Heavy", 8), ("Bank Job", 8), ("Frame Up", 5), ("The Feds", 5), ("Leverage", 4), ("Lay Low", 4)),
    "few": own(("Break In", 5), ("Informant", 5), ("Interrogation", 5), ("Fence the Goods", 6), ("Diversion", 4)),
}


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
