"""Names to games, imported when they are asked for."""

from __future__ import annotations

import importlib

from gameapi.errors import UserError
from gameapi.game import Game

GAMES = {"hotsim": "hotsim.game", "heatsim": "heatsim.game"}


def get(game: str | Game) -> Game:
    """Return the game of a name; a game is returned as it is.

    Raises:
        UserError: there is no game of that name.
    """
    if isinstance(game, Game):
        return game
    if game not in GAMES:
        raise UserError(f"unknown game; the games are {', '.join(GAMES)}", repr(game))
    found = importlib.import_module(GAMES[game]).GAME
    assert isinstance(found, Game)
    return found
