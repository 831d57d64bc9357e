"""One game on its kernel, step by step: for notebooks and traces, and to hold against the plain engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from gameapi.errors import IllegalError, UserError, shown
from gameapi.game import Game
from gameapi.replay import Traces
from gameapi.rng import DEAL, run_key, stream
from gameapi.view import read_legal

Action = TypeVar("Action")
Setup = TypeVar("Setup")
View = TypeVar("View")


class GameTable(ABC, Generic[Action, Setup, View]):
    """The base of a game's table; the game lays out setups, writes down what happens and tells the result.

    Attributes:
        game, traces, setup_type: which game, how its traces are written, and the class of its setups.
        rules, deck, players: what is played.
        setup: what the shuffles brought.
        state: the kernel's state record, dtype the game's `layout.STATE`.
    """

    game: ClassVar[Game]
    traces: ClassVar[Traces[Any, Any]]
    setup_type: ClassVar[type]
    rules: Any
    deck: Any

    def __init__(
        self,
        players: int = 4,
        rules: Any = None,
        deck: Any = None,
        seed: int = 1,
        number: int = 0,
        setup: Setup | None = None,
    ) -> None:
        """Deal a game and go on to its first decision.

        Args:
            players: as many as the game allows.
            rules: default rules where None.
            deck: default deck where None.
            seed: of the run; deal `number` of a tournament with this seed has the same cards.
            number: of the deal.
            setup: cards to play instead of a random deal; they must be the deck's, as many as the rules deal.

        Raises:
            UserError: rules and deck cannot be played by so many, or do not fit the setup.
        """
        self.rules = self.game.load_rules() if rules is None else rules
        self.deck = self.game.load_deck() if deck is None else deck
        self.players = players
        self._record = self.game.record(self.rules, self.deck, players)[0]
        self._work = self._blank("WORK")
        self.state = self._blank("STATE")
        if setup is None:
            self._work.stream = stream(run_key(seed, players), np.uint64(number), DEAL)
            self._deal()
        elif isinstance(setup, self.setup_type):
            self._lay_out(setup)
        else:
            raise UserError(f"found {shown(setup)}, expected a {self.game.name}.Setup", "setup")
        self.setup = self._read_setup()
        self._begin()

    def _blank(self, dtype: str) -> Any:
        """Return a record of one of the layout's dtypes, all zero."""
        return np.zeros(1, getattr(self.game.layout, dtype)).view(np.recarray)[0]

    def _deal(self) -> None:
        """Deal from `work.stream`."""
        self.game.call("deal")(self.state, self._record, self._work)

    @abstractmethod
    def _lay_out(self, setup: Setup) -> None:
        """Write a given setup into the state; UserError where it fits rules or deck not, its place inside `setup`."""

    @abstractmethod
    def _read_setup(self) -> Setup:
        """Return what the state was dealt from."""

    @abstractmethod
    def _begin(self) -> None:
        """Begin to write down what happens."""

    @abstractmethod
    def _play(self, action: Action, number: int) -> None:
        """Carry out a legal action, which has this id, and write it down."""

    @abstractmethod
    def result(self) -> dict[str, Any]:
        """Return the `result` of a trace, as if the game ended now."""

    @property
    def actor(self) -> int:
        """The seat to act, -1 when the game is over."""
        return int(self.state.actor)

    def _legal(self) -> dict[Action, int]:
        return {} if self.actor < 0 else read_legal(self.game, self.state, self._record, self.deck)

    def legal(self) -> list[Action]:
        """Return the actor's legal actions; none when the game is over."""
        return list(self._legal())

    def read_action(self, number: int) -> Action:
        """Return what an action id says now."""
        return self.game.service("read_action")(self.state, self.deck, number)  # type: ignore[no-any-return]

    def step(self, action: Action) -> None:
        """Carry out an action of the actor and go on to the next decision.

        Raises:
            IllegalError: the rules do not allow it now; nothing has changed then.
        """
        legal = self._legal()
        if not legal:
            raise IllegalError(f"the game is over; {action} comes too late")
        if action not in list(legal):
            raise IllegalError(f"seat {self.actor}: {action} is not legal now; legal() lists the {len(legal)} that are")
        self._play(action, legal[action])

    def _step(self, number: int) -> None:
        """Play an action id on the kernel."""
        self.game.call("step")(self.state, self._record, number, self._work)

    def returns(self) -> list[float]:
        """Return every player's share of the win as if the game ended now: 1/n for each of n winners."""
        self.game.call("returns")(self.state, self._record, self._work)
        return [float(share) for share in self._work.win[: self.players]]

    def _winners(self) -> list[int]:
        """Return the seats that win if the game ends now; scores and tie-breaks then stand in the work record."""
        return [seat for seat, share in enumerate(self.returns()) if share]

    def trace(self, agents: list[str] | None = None, seed: int | None = None) -> dict[str, Any]:
        """Return the trace of the game, which must be over; the plain engine has replayed and filled it in.

        Args:
            agents: who sat where, for information.
            seed: what the deal came from, for information.

        Raises:
            UserError: the game is not over.
        """
        if self.actor >= 0:
            raise UserError("the game is not over; expected a trace to be asked for at its end")
        checked = self.traces.check(self.traces.record(self, self.deck, agents, seed))
        assert not checked.faults, f"the plain engine disagrees with the kernel: {checked.faults[0]}"
        assert checked.trace is not None
        return checked.trace

    def view(self, seat: int | None = None) -> View:
        """Return what a seat sees, by default the actor, and seat 0 when the game is over."""
        whose = max(self.actor, 0) if seat is None else seat
        return self.game.service("view")(self.state, self._record, self.deck, whose)  # type: ignore[no-any-return]

    def knowledge(self, seat: int) -> dict[str, Any]:
        """Return what a seat knows, as the plain engine's `knowledge` does."""
        return self.view(seat).as_dict()  # type: ignore[attr-defined, no-any-return]

    def __str__(self) -> str:
        """Return the table as the actor sees it."""
        return str(self.view())

    def _repr_html_(self) -> str:
        """Return the table as a notebook shows it to the actor."""
        return self.view()._repr_html_()  # type: ignore[attr-defined, no-any-return]
