"""What one seat sees of a game: the frame of every game's view, and the actions of a state in readable form."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from gameapi.game import Game

Action = TypeVar("Action")


def read_legal(game: Game, state: Any, rules: Any, deck: Any) -> dict[Any, int]:
    """Return the actor's legal actions in the kernel's order, each with its id."""
    work = np.zeros(1, game.layout.WORK).view(np.recarray)[0]
    n = game.call("legal")(state, rules, work)
    read = game.service("read_action")
    return {read(state, deck, action): action for action in work.legal[:n].tolist()}


class SeatView(ABC, Generic[Action]):
    """The base of a game's view: what every game shows a seat; the game adds its own attributes.

    Attributes:
        game: which game.
        seat: whose view it is, 0..players - 1.
        players: number of players.
        actor: the seat to act, -1 at the end.
        actions: legal actions, where the seat is to act.
        random: a repeatable source of random numbers of the seat's own.
    """

    game: ClassVar[Game]

    def __init__(self, state: Any, rules: Any, deck: Any, seat: int, seed: int = 0) -> None:
        """Read a state record; nothing is kept of it."""
        self.seat, self.players, self.actor = seat, int(rules.players), int(state.actor)
        self._ids = read_legal(self.game, state, rules, deck) if self.actor == seat else {}
        self.actions: list[Action] = list(self._ids)
        self.random = random.Random(seed)

    def action_id(self, choice: Any) -> int | None:
        """Return the id of a choice, an action or its place in `actions`; None where it is none of them."""
        if isinstance(choice, int | np.integer) and not isinstance(choice, bool) and 0 <= choice < len(self.actions):
            choice = self.actions[int(choice)]
        return self._ids[choice] if choice in self.actions else None

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """Return the same facts as the plain engine's `knowledge`."""

    def __str__(self) -> str:
        """Return the view as text."""
        return self.game.service("state_text")(self)  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        """Return the view as a notebook shows it."""
        return self.game.service("state_html")(self)  # type: ignore[no-any-return]
