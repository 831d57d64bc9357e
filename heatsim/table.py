"""One game on the kernel, step by step: for notebooks and traces, and to hold against the reference engine."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types

from gameapi.errors import IllegalError
from gameapi.jit import kernel
from gameapi.rng import DEAL, run_key, stream
from heatsim import actions, endgame, layout, piles, show
from heatsim import deck as decks
from heatsim.actions import Action
from heatsim.cards import TITLES
from heatsim.deck import Deck
from heatsim.game import GAME
from heatsim.reference import Setup
from heatsim.rules import Rules
from heatsim.view import View, encode, read_hand, read_legal, read_phase


class Table:
    """A game of Heat in progress.

    Attributes:
        rules: what is played by.
        deck: what is played with.
        players: number of players.
        state: the kernel's state record, dtype `heatsim.layout.STATE`.
        heists: what has happened, as the `heists` of a trace without `after`.
    """

    def __init__(
        self,
        players: int = 4,
        rules: Rules | None = None,
        deck: Deck | None = None,
        seed: int = 1,
        number: int = 0,
        setup: Setup | None = None,
    ) -> None:
        """Deal a game.

        Args:
            players: 3 to 5.
            rules: default rules where None.
            deck: default deck where None.
            seed: of the run; deal `number` of a tournament with this seed has the same cards.
            number: of the deal.
            setup: decks to play with instead of shuffled ones; their cards must be the deck's.

        Raises:
            UserError: rules and deck cannot be played by so many.
        """
        self.rules, self.deck, self.players = rules or Rules(), deck or decks.default(), players
        self._record = layout.record(self.rules, self.deck, players)[0]
        self._work = np.zeros(1, layout.WORK).view(np.recarray)[0]
        self.state = np.zeros(1, layout.STATE).view(np.recarray)[0]
        if setup is None:
            self._work.stream = stream(run_key(seed, players), np.uint64(number), DEAL)
            GAME.call("deal")(self.state, self._record, self._work)
        else:
            for heist, order in enumerate(setup.decks):
                self._record.given[heist, : len(order)] = [TITLES.index(title) for title in order]
            self.state.given = 1
            _begin_game()(self.state, self._record)
        self.heists: list[dict[str, Any]] = []
        self._note_heist()

    def _note_heist(self) -> None:
        """Write the order of the new heist's deck down, by drawing a copy to its end."""
        copy = np.zeros(1, layout.STATE).view(np.recarray)[0]
        GAME.call("copy")(copy, self.state)
        while int(copy.drawn) < int(self._record.n_cards):
            _draw_top()(copy, self._record)
        order = [TITLES[number] for number in copy.deck[: int(self._record.n_cards)].tolist()]
        self.heists.append({"deck": order, "draft": [], "stages": []})

    @property
    def setup(self) -> Setup:
        """The decks of the heists begun so far."""
        return Setup([heist["deck"] for heist in self.heists])

    @property
    def actor(self) -> int:
        """The seat to act, -1 when the game is over."""
        return int(self.state.actor)

    @property
    def phase(self) -> str:
        """Either "pass", "announce", "reveal", "word", "cover" or "over"."""
        return read_phase(self.state)

    @property
    def hands(self) -> list[list[str]]:
        """Every player's hand, in canonical order."""
        return [read_hand(self.state, seat) for seat in range(self.players)]

    @property
    def money(self) -> list[int]:
        """Every player's dollars."""
        return self.state.money[: self.players].tolist()  # type: ignore[no-any-return]

    @property
    def heat(self) -> list[int]:
        """Every player's Heat tokens."""
        return self.state.heat[: self.players].tolist()  # type: ignore[no-any-return]

    @property
    def records(self) -> list[list[str]]:
        """Every player's record, oldest card first."""
        return self.view(0).records

    def legal(self) -> list[Action]:
        """Return the actor's legal actions; none when the game is over."""
        return [] if self.actor < 0 else read_legal(self.state, self._record)

    def view(self, seat: int | None = None) -> View:
        """Return what a seat sees, by default the actor, and seat 0 when the game is over."""
        return View(self.state, self._record, self.deck, max(self.actor, 0) if seat is None else seat)

    def step(self, action: Action) -> None:
        """Make a choice of the actor and go on to the next one.

        Raises:
            IllegalError: the rules do not allow it now; nothing has changed then.
        """
        if action not in self.legal():
            what = actions.label(action) if self.actor >= 0 else "cannot act, the game is over"
            raise IllegalError(f"seat {self.actor} {what}, which is not legal now")
        self._note(action)
        heist = int(self.state.heist)
        GAME.call("step")(self.state, self._record, encode(action), self._work)
        if int(self.state.heist) != heist:
            self._fill_stages(self.rules.stages)
            self._note_heist()
        elif self.actor < 0:
            self._fill_stages(int(self.state.stage) + 1)

    def _note(self, action: Action) -> None:
        """Write a choice down where a trace has it."""
        heist, seat = self.heists[-1], self.actor
        nobody: list[Any] = [None] * self.players
        if action.kind == actions.PASS:
            number = int(self.state.draft_round)
            if len(heist["draft"]) == number:
                heist["draft"].append({"pass": nobody})
            heist["draft"][number]["pass"][seat] = action.title
            return
        self._fill_stages(int(self.state.stage) + 1)
        stage = heist["stages"][-1]
        if action.kind == actions.WORD:
            stage.setdefault("add", [[] for _ in range(self.players)])[seat].append(action.title)
        elif action.kind != actions.COVER:
            stage[action.kind][seat] = action.title
        elif action.title is not None:
            stage.setdefault("cover", nobody)[seat] = action.title

    def _fill_stages(self, number: int) -> None:
        """Have an entry for so many stages of the heist; in some nobody may have held a card."""
        stages = self.heists[-1]["stages"]
        while len(stages) < number:
            talk = {"announce": [None] * self.players} if self.rules.announce else {}
            stages.append({**talk, "reveal": [None] * self.players})

    def returns(self) -> list[float]:
        """Return every player's share of the win as if the game ended now (HT15)."""
        GAME.call("returns")(self.state, self._record, self._work)
        return [float(share) for share in self._work.win[: self.players]]

    def result(self) -> dict[str, Any]:
        """Return the `result` of a trace, as if the game ended now (HT14, HT15)."""
        shares = self.returns()
        return {
            "money": self.money,
            "heat": self.heat,
            "heat_value": self.view(0).heat_value,
            "final": [int(score) for score in self._work.score[: self.players]],
            "winners": [seat for seat, share in enumerate(shares) if share],
            "arrested": bool(self.state.arrested),
        }

    def knowledge(self, seat: int) -> dict[str, Any]:
        """Return what a seat knows, as `Reference.knowledge` does."""
        return self.view(seat).as_dict()

    def __str__(self) -> str:
        """Return the table as the actor sees it."""
        return str(self.view())

    def _repr_html_(self) -> str:
        return show.state_html(self.view())


@functools.cache
def _begin_game() -> Callable[..., None]:
    """Return the compiled beginning of a game for a call from Python."""
    signature = types.void(layout.StateType, layout.RulesType)
    return kernel(signature)(getattr(endgame.begin_game, "py_func", endgame.begin_game))  # type: ignore[no-any-return]


@functools.cache
def _draw_top() -> Callable[..., int]:
    """Return the compiled draw for a call from Python."""
    signature = types.int64(layout.StateType, layout.RulesType)
    return kernel(signature)(getattr(piles.draw_top, "py_func", piles.draw_top))  # type: ignore[no-any-return]
