"""Tables of every game, for the tests that any game must pass.

The module of a game, such as `hot_subjects`, names odd rules and decks (`OPTIONS`, `DECKS`), sets a table (`subject`,
`fair_table`), bounds its games (`longest`), and knows what is hidden (`scramble`, `HIDDEN`) and what kinds of states
there are (`kind`, `FAIR`).
"""

import functools
import itertools
from typing import Any

import heat_subjects
import hot_subjects

from gameapi import conformance
from gameapi.conformance import Subject
from gameapi.game import Game

MODULES: dict[str, Any] = {"hotsim": hot_subjects, "heatsim": heat_subjects}
"""What is known of each game, by the game's name."""

GAMES: dict[str, Game] = {name: module.GAME for name, module in MODULES.items()}

TABLES = [(name, players) for name, game in GAMES.items() for players in game.seats]
"""Every game at every number of players."""


ODD_TABLES = [
    (name, players, options, cards_of)
    for name, players in TABLES
    for options, cards_of in itertools.product(MODULES[name].OPTIONS, MODULES[name].DECKS)
]
"""Every game at every number of players, with every set of options and every deck."""


@functools.cache
def table(name: str, players: int, options: str = "default", cards_of: str = "default") -> tuple[Subject, list[Any]]:
    """Give a table and all states of two games at it."""
    subject = MODULES[name].subject(players, options, cards_of)
    return subject, conformance.positions(subject, games=2)


def some_of(states: list[Any], each: int) -> list[Any]:
    """Give so many states of each phase, spread over all, and the last."""
    running = [state for state in states if state.actor >= 0]
    phases = [[s for s in running if s.phase == phase] for phase in sorted({int(s.phase) for s in running})]
    return [*(of_phase[i * len(of_phase) // each] for of_phase in phases for i in range(each)), states[-1]]
