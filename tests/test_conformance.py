"""Every game keeps the contract, for all numbers of players, options and some odd decks."""

from collections.abc import Callable
from typing import Any

import pytest
from subjects import GAMES, MODULES, ODD_TABLES, TABLES, some_of, table

from gameapi import conformance
from gameapi.conformance import Subject

CHECKS = (
    conformance.check_legal,
    conformance.check_pure,
    conformance.check_determinize,
    conformance.check_foresee,
    conformance.check_returns,
)


@pytest.mark.parametrize("name", GAMES)
def test_contract_is_whole(name: str) -> None:
    conformance.check_contract(GAMES[name])


@pytest.mark.parametrize(("name", "players", "options", "cards_of"), ODD_TABLES)
def test_odd_tables_keep_the_contract(name: str, players: int, options: str, cards_of: str) -> None:
    subject, states = table(name, players, options, cards_of)
    conformance.check_playouts(subject, games=300)
    some = some_of(states, each=1)
    for check in CHECKS:
        check(subject, some)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_whole_games_keep_the_contract(name: str, players: int, check: Callable[[Subject, list[Any]], None]) -> None:
    subject, states = table(name, players)
    check(subject, some_of(states, each=8))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_copies(name: str, players: int) -> None:
    for options in list(MODULES[name].OPTIONS)[:4]:
        conformance.check_copies(MODULES[name].subject(players, options))
