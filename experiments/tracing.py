"""Games of agents as traces, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agents.catalog import Player
from experiments.match import Match, Table
from gameapi.game import Game


def traces(
    game: Game, rules: Any, deck: Any, players: int, roster: Sequence[Player], games: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Play games and yield their traces.

    In game i seat s is taken by agent (s + i) of the roster, going round. Deal i is that of a tournament with this
    seed.

    Args:
        game: the game.
        rules: rules of the game.
        deck: deck of the game.
        players: number of players.
        roster: the agents.
        games: how many games.
        seed: of the run.

    Raises:
        UserError: rules and deck cannot be played by so many, or a user's agent fails.
    """
    match = Match(game, rules, deck, players, roster, seed)
    table = Table(game, players)
    for deal in range(games):
        seating = np.array([[(seat + deal) % len(roster) for seat in range(players)]], np.int16)
        played = game.service("table")(players, rules, deck, seed, deal)
        for action in match.plies(table, deal, 0, seating):
            played.step(played.read_action(action))
        yield played.trace([roster[agent].text for agent in seating[0]], seed)
