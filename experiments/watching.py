"""Play games as a match does, and watch some of them from the inside: a row of notes a game.

A game's notes are its flow (`experiments.flow`) and how often each event of the game (`Game.events`) came up.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from agents.catalog import Player
from experiments import flow
from experiments.flow import FIRST, N_FLOW, PLIES, longer, note_choice, note_end, note_standing
from experiments.limits import NO_LIMIT, MoveLimit
from experiments.match import (
    BEFORE,
    DEALT,
    FINISHED,
    GAME,
    LAB,
    PARTS,
    SHOWN,
    TO_THE_END,
    Match,
    Table,
    go_on,
    loop_signature,
    set_up,
    start,
    write_rows,
)
from gameapi import kernel
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise

# ---- compiled, with the name `kernel` bound to the game's module ----------------------------------------------------


def go_on_watched(
    states: Any, rules: Any, works: Any, agents: Any, roster: Any, places: Any, standings: Any, notes: Any
) -> int:
    """Play a game to its end and take notes."""
    state, before, work, n = states[GAME], states[BEFORE], works[LAB], 0
    note_standing(state, rules, work, standings[0])
    while state.actor >= 0:
        kernel.copy(before, state)
        stopped = go_on(state, states[SHOWN], rules, works, agents, roster, places, 1)
        if stopped != FINISHED:
            return stopped
        note_choice(before, rules, places.action, work, notes)
        n += 1
        if n == standings.shape[0]:
            standings = longer(standings)
        note_standing(state, rules, work, standings[n])
    note_end(rules, work, standings, n, notes)
    kernel.witness_end(state, rules, work, notes[N_FLOW:])
    return FINISHED


def play_watched(
    states: Any,
    rules: Any,
    works: Any,
    agents: Any,
    roster: Any,
    kinds: Any,
    places: Any,
    seatings: Any,
    key: Any,
    first: int,
    n_deals: int,
    numbers: Any,
    wins: Any,
    every: int,
    notes: Any,
) -> int:
    """Play as `play_games` does, and watch the games of deals whose number is a multiple of `every` (0: none)."""
    state, n_seatings, watched = states[GAME], seatings.shape[0], 0
    standings = np.zeros((PLIES, FIRST + 1), np.int32)
    for deal in range(first, first + n_deals):
        set_up(states[DEALT], rules, works[LAB], key, deal)
        for i in range(n_seatings):
            start(state, states[DEALT], rules, seatings[i], kinds, key, deal * n_seatings + i, places)
            if every > 0 and deal % every == 0:
                stopped = go_on_watched(states, rules, works, agents, roster, places, standings, notes[watched])
                watched += 1
            else:
                stopped = go_on(state, states[SHOWN], rules, works, agents, roster, places, TO_THE_END)
            if stopped != FINISHED:
                return stopped
            write_rows(state, rules, works[LAB], places, numbers, wins)
    return FINISHED


# ---- Python ---------------------------------------------------------------------------------------------------------


class Noting(NamedTuple):
    """What takes notes of a game, compiled for calls from Python; see `experiments.flow` and `gameapi.kernel`."""

    choice: Callable[..., None]
    standing: Callable[..., None]
    end: Callable[..., None]
    witness_end: Callable[..., None]


@functools.cache
def watched_loop(game: Game, size: int) -> Callable[..., int]:
    """Return the compiled `play_watched` of a game for rosters padded to `size`."""
    parts = (*PARTS, *flow.PARTS, go_on_watched)
    bound = specialise(play_watched, f"{game.name}-{size}", parts=parts, kernel=game.kernels)
    loop: Callable[..., int] = compiled(loop_signature(game, size, types.int64, types.int32[:, ::1]))(bound)
    return loop


@functools.cache
def noting(game: Game) -> Noting:
    """Return what takes notes of a game ply by ply."""
    layout = game.layout
    state, rules, work, row = layout.StateType, layout.RulesType, layout.WorkType, types.int32[::1]

    def build(function: Callable[..., Any], *arguments: Any) -> Callable[..., None]:
        bound = specialise(function, game.name, parts=flow.PARTS, kernel=game.kernels)
        made: Callable[..., None] = compiled(types.void(*arguments))(bound)
        return made

    return Noting(
        build(note_choice, state, rules, types.int64, work, row),
        build(note_standing, state, rules, work, row),
        build(note_end, rules, work, types.int32[:, ::1], types.int64, row),
        game.call("witness_end"),
    )


class WatchedMatch(Match):
    """A match that watches the games of some deals, and plays the games that `Match` plays."""

    def __init__(
        self,
        game: Game,
        rules: Any,
        deck: Any,
        players: int,
        roster: Sequence[Player],
        seed: int,
        limit: MoveLimit = NO_LIMIT,
        coupled: bool = False,
        every: int = 0,
    ) -> None:
        """Prepare as `Match` does; `every`: watch the deals whose number is a multiple of it, 0 for none."""
        super().__init__(game, rules, deck, players, roster, seed, limit, coupled)
        self.every = every

    def _loop(self, size: int) -> Callable[..., int]:
        return watched_loop(self.game, size)

    def play(self, first_deal: int, n_deals: int, seatings: npt.NDArray[np.int16]) -> dict[str, npt.NDArray[Any]]:
        """Play as `Match` does, and watch nothing."""
        return self._play(first_deal, n_deals, seatings, 0)[0]

    def play_watched(
        self, first_deal: int, n_deals: int, seatings: npt.NDArray[np.int16]
    ) -> tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.int32]]:
        """Play every seating on deals first_deal .. first_deal + n_deals - 1.

        Args:
            first_deal: number of the first deal.
            n_deals: how many deals.
            seatings: (n_seatings, players), the roster index of each seat's agent.

        Returns:
            The columns of `Match.play`, and notes, int32 (watched games, `len(flow.note_names(game))`), ordered by
            deal and seating.

        Raises:
            AgentError: a user's agent raised or returned an illegal action.
        """
        return self._play(first_deal, n_deals, seatings, self.every)

    def _play(
        self, first: int, n_deals: int, seatings: npt.NDArray[np.int16], every: int
    ) -> tuple[dict[str, npt.NDArray[Any]], npt.NDArray[np.int32]]:
        seatings = np.ascontiguousarray(seatings, np.int16)
        table = Table(self.game, n_deals * len(seatings) * self.players, self.limit)
        watched = [deal for deal in range(first, first + n_deals) if every and deal % every == 0]
        notes = np.zeros((len(watched) * len(seatings), N_FLOW + len(self.game.events)), np.int32)
        if not self.stepwise:
            self._play_compiled(table, first, n_deals, seatings, every, notes)
        else:
            self._step_watched(table, range(first, first + n_deals), set(watched), seatings, notes)
        return self._columns(table, first, n_deals, seatings), notes

    def _step_watched(
        self,
        table: Table,
        deals: range,
        watched: Container[int],
        seatings: npt.NDArray[np.int16],
        notes: npt.NDArray[np.int32],
    ) -> None:
        """Play as the compiled loop does, one ply at a time."""
        rows = iter(notes)
        for deal in deals:
            if deal not in watched:
                self._play_stepwise(table, deal, 1, seatings)
                continue
            for number in range(len(seatings)):
                self._step_noted(table, deal, number, seatings, next(rows))

    def _step_noted(
        self, table: Table, deal: int, number: int, seatings: npt.NDArray[np.int16], notes: npt.NDArray[np.int32]
    ) -> None:
        """Play a game one ply at a time and take notes."""
        noted, state, work = noting(self.game), table.game, table.work
        standings, n = np.zeros((PLIES, FIRST + 1), np.int32), 0
        for action in self.plies(table, deal, number, seatings):
            noted.standing(state, self.record, work, standings[n])
            noted.choice(state, self.record, action, work, notes)
            n += 1
            if n == len(standings):
                standings = longer(standings)
        noted.standing(state, self.record, work, standings[n])
        noted.end(self.record, work, standings, n, notes)
        noted.witness_end(state, self.record, work, notes[N_FLOW:])
        self._write_rows(table)
