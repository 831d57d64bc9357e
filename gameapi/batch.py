"""Many games at once as one structured array: vectorised deal, legal, step, returns."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from gameapi import kernel
from gameapi.errors import IllegalError, UserError
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise
from gameapi.rng import DEAL, run_key, stream

NO_ACTION = -1

# ---- compiled, with the name `kernel` bound to the game's module ----------------------------------------------------


def deal_all(states: Any, rules: Any, work: Any, key: Any, first: int, streams: Any) -> None:
    """Deal game i the cards of deal first + i, and start its stream of random choices."""
    for i in range(states.shape[0]):
        work.stream = stream(key, np.uint64(first + i), DEAL)
        kernel.deal(states[i], rules, work)
        streams[i] = stream(key, np.uint64(first + i), np.uint64(1))


def legal_all(states: Any, rules: Any, work: Any, actions: Any, counts: Any) -> None:
    """Write every game's legal actions; none where it is over."""
    for i in range(states.shape[0]):
        counts[i] = 0
        if states[i].actor >= 0:
            counts[i] = kernel.legal(states[i], rules, work)
            for j in range(counts[i]):
                actions[i, j] = work.legal[j]


def first_illegal(states: Any, rules: Any, work: Any, actions: Any) -> int:
    """Return the first game whose action is not legal, -1 where all are."""
    for i in range(states.shape[0]):
        if states[i].actor < 0:
            if actions[i] != NO_ACTION:
                return i
            continue
        found = False
        for j in range(kernel.legal(states[i], rules, work)):
            found |= work.legal[j] == actions[i]
        if not found:
            return i
    return -1


def step_all(states: Any, rules: Any, work: Any, actions: Any) -> None:
    """Play an action in every game that is not over."""
    for i in range(states.shape[0]):
        if states[i].actor >= 0:
            kernel.step(states[i], rules, np.int64(actions[i]), work)


def choose_all(states: Any, rules: Any, work: Any, streams: Any, actions: Any) -> None:
    """Draw a uniform action in every game that is not over."""
    for i in range(states.shape[0]):
        actions[i] = NO_ACTION
        if states[i].actor >= 0:
            work.stream = streams[i]
            actions[i] = kernel.random_action(states[i], rules, work)
            streams[i] = work.stream


def returns_all(states: Any, rules: Any, work: Any, scores: Any, wins: Any) -> None:
    """Write every game's scores and shares of the win, as if it ended now."""
    for i in range(states.shape[0]):
        kernel.returns(states[i], rules, work)
        for seat in range(scores.shape[1]):
            scores[i, seat] = work.score[seat]
            wins[i, seat] = work.win[seat]


# ---- Python ---------------------------------------------------------------------------------------------------------


class Loops(NamedTuple):
    """The compiled loops of a game."""

    deal: Callable[..., None]
    legal: Callable[..., None]
    first_illegal: Callable[..., int]
    step: Callable[..., None]
    choose: Callable[..., None]
    returns: Callable[..., None]


@functools.cache
def compiled_loops(game: Game) -> Loops:
    """Return the compiled loops of a game."""
    layout = game.layout
    table = (types.Array(layout.StateType, 1, "C"), layout.RulesType, layout.WorkType)
    actions, streams = types.int16[::1], types.uint64[::1]

    def build(function: Callable[..., Any], result: Any, *rest: Any) -> Callable[..., Any]:
        return compiled(result(*table, *rest))(specialise(function, game.name, kernel=game.kernels))

    return Loops(
        build(deal_all, types.void, types.uint64, types.int64, streams),
        build(legal_all, types.void, types.int16[:, ::1], types.int64[::1]),
        build(first_illegal, types.int64, actions),
        build(step_all, types.void, actions),
        build(choose_all, types.void, streams, actions),
        build(returns_all, types.void, types.int64[:, ::1], types.float64[:, ::1]),
    )


class Batch:
    """n games of one number of players, advanced together.

    Attributes:
        states: (n,) structured array, dtype the game's `layout.STATE`; one record a game.
        players: number of players.
    """

    def __init__(self, game: Game, n: int, players: int, rules: Any = None, deck: Any = None, seed: int = 1) -> None:
        """Deal n games: game i has the cards of deal i of a tournament with this seed.

        Args:
            game: which game.
            n: how many games, at least 1.
            players: number of players.
            rules: the game's default rules where None.
            deck: the game's default deck where None.
            seed: of the cards and of `random_actions`.

        Raises:
            UserError: n is below 1, or rules and deck cannot be played by so many.
        """
        if n < 1:
            raise UserError(f"{n} games; expected at least 1", "n")
        rules = game.load_rules() if rules is None else rules
        deck = game.load_deck() if deck is None else deck
        self.game, self.players = game, players
        self._record = game.record(rules, deck, players)[0]
        self._work = np.zeros(1, game.layout.WORK).view(np.recarray)[0]
        self._loops = compiled_loops(game)
        self._key = run_key(seed, players)
        self._streams = np.zeros(n, np.uint64)
        self.states: Any = np.zeros(n, game.layout.STATE).view(np.recarray)
        self.deal()

    def deal(self, first: int = 0) -> None:
        """Deal all games anew: game i has the cards of deal first + i."""
        self._loops.deal(self.states, self._record, self._work, self._key, first, self._streams)

    @property
    def actor(self) -> npt.NDArray[np.int16]:
        """(n,) int16: the seat to act, -1 where the game is over."""
        return np.array(self.states["actor"])

    def legal(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
        """Return the legal actions.

        Returns:
            (n, most) int16 action ids, -1 behind the last of a game, and (n,) int64 how many each game has.
        """
        n = len(self.states)
        actions = np.full((n, self.game.layout.MAX_LEGAL), NO_ACTION, np.int16)
        counts = np.zeros(n, np.int64)
        self._loops.legal(self.states, self._record, self._work, actions, counts)
        return np.ascontiguousarray(actions[:, : max(1, int(counts.max()))]), counts

    def mask(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions as a mask, (n, n_actions) bool."""
        actions, counts = self.legal()
        mask = np.zeros((len(self.states), self.game.n_actions), np.bool_)
        row, column = np.nonzero(np.arange(actions.shape[1]) < counts[:, None])
        mask[row, actions[row, column]] = True
        return mask

    def random_actions(self) -> npt.NDArray[np.int16]:
        """Return (n,) int16 uniform legal actions, -1 where the game is over."""
        actions = np.zeros(len(self.states), np.int16)
        self._loops.choose(self.states, self._record, self._work, self._streams, actions)
        return actions

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action in each game.

        Args:
            actions: (n,) integers; -1 where the game is over.

        Raises:
            UserError: the array has another shape or is not of integers.
            IllegalError: an action is not legal; says in which game. No game has been changed then.
        """
        given = np.asarray(actions)
        if given.shape != (len(self.states),) or not np.issubdtype(given.dtype, np.integer):
            expected = f"expected ({len(self.states)},) integers"
            raise UserError(f"found shape {given.shape} of {given.dtype}, {expected}", "actions")
        in_range = (given >= NO_ACTION) & (given < self.game.n_actions)
        ids = np.ascontiguousarray(np.where(in_range, given, self.game.n_actions), np.int16)
        wrong = self._loops.first_illegal(self.states, self._record, self._work, ids)
        if wrong >= 0:
            raise IllegalError(f"action {given[wrong]} is not legal", f"game {wrong}")
        self._loops.step(self.states, self._record, self._work, ids)

    def returns(self) -> npt.NDArray[np.float64]:
        """Return (n, players) float64: each player's share of the win if the game ended now, 1/n for n winners."""
        return self._results()[1]

    def scores(self) -> npt.NDArray[np.int64]:
        """Return (n, players) int64: each player's score if the game ended now."""
        return self._results()[0]

    def _results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        shape = (len(self.states), self.players)
        scores, wins = np.zeros(shape, np.int64), np.zeros(shape, np.float64)
        self._loops.returns(self.states, self._record, self._work, scores, wins)
        return scores, wins
