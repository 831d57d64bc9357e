"""How fast the kernels are: rates of wall time, one core and all cores, the median of several repeats."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numba import types

from agents.catalog import resolve
from experiments.match import Match
from gameapi import kernel
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise
from gameapi.rng import run_key, stream

REPEATS = 5
SECONDS = 0.25  # aimed at for a repeat
MAX_PLIES = 4096
CHUNK = 4096  # games whose rows are held at a time
_ONE_SEATING = np.zeros((1, 5), np.int16)


class Rate(NamedTuple):
    """A row of `bench --json`: `per_second` is the median over repeats of `n` each."""

    players: int
    what: str
    cores: int
    per_second: float
    n: int


# ---- compiled, with the name `kernel` bound to the game's module ----------------------------------------------------


def copies(dealt: Any, rules: Any, work: Any, key: Any, n: int) -> None:
    """Copy a state n times; each copy is changed, so that none can be left out."""
    for _ in range(n):
        kernel.copy(work.playout, dealt)
        dealt.actor = work.playout.actor


def determinizations(dealt: Any, rules: Any, work: Any, key: Any, n: int) -> None:
    """Redistribute what seat 0 does not know, n times over, just after the deal."""
    for _ in range(n):
        kernel.determinize(dealt, rules, 0, work)


def rollouts(dealt: Any, rules: Any, work: Any, key: Any, n: int) -> None:
    """Copy the state just after the deal and play it out at random, n times, each with a stream of its own."""
    for i in range(n):
        work.stream = stream(key, np.uint64(i), np.uint64(1))
        kernel.copy(work.playout, dealt)
        kernel.rollout(work.playout, rules, work)


def record(dealt: Any, rules: Any, work: Any, line: Any) -> int:
    """Write one random game's actions down; return how many."""
    kernel.copy(work.playout, dealt)
    n = 0
    while work.playout.actor >= 0 and n < line.shape[0]:
        line[n] = kernel.random_action(work.playout, rules, work)
        kernel.step(work.playout, rules, line[n], work)
        n += 1
    return n


def repeat_line(dealt: Any, rules: Any, work: Any, line: Any, n_plies: int, n: int) -> None:
    """Step through a recorded game, n times over."""
    for _ in range(n):
        kernel.copy(work.playout, dealt)
        for ply in range(n_plies):
            kernel.step(work.playout, rules, line[ply], work)


# ---- Python ---------------------------------------------------------------------------------------------------------


def measure(game: Game, players: int, rules: Any, deck: Any, cores: int, seed: int = 1) -> Iterator[Rate]:
    """Yield the rates of one number of players on one core, then on all.

    Args:
        game: the game.
        players: number of players.
        rules: rules of the game.
        deck: deck of the game.
        cores: how many threads the second measurement takes; 1 leaves it out.
        seed: of the games played.
    """
    match = Match(game, rules, deck, players, [resolve("random", game)], seed)
    plies = float(np.sum(match.play(0, 2000, _ONE_SEATING[:, :players])["decisions"])) / 2000

    def games() -> Callable[[int], None]:
        def play(n: int) -> None:
            for first in range(0, n, CHUNK):
                match.play(first, min(CHUNK, n - first), _ONE_SEATING[:, :players])

        return play

    kinds = {"games": games, **_kernel_loops(game, match, seed)}
    for n_cores in sorted({1, cores}):
        for what, make in kinds.items():
            rate, n = _rate(make, n_cores)
            yield Rate(players, what, n_cores, rate, n)
            if what == "games":
                yield Rate(players, "decisions", n_cores, rate * plies, round(n * plies))


def _kernel_loops(game: Game, match: Match, seed: int) -> dict[str, Callable[[], Callable[[int], None]]]:
    """Return makers of loops over records of their own, by what they measure."""
    layout = game.layout
    records = (layout.StateType, layout.RulesType, layout.WorkType)
    signature = types.void(*records, types.uint64, types.int64)
    key = run_key(seed, match.players)

    def deal() -> tuple[Any, Any, Any]:
        state = np.zeros(1, layout.STATE).view(np.recarray)[0]
        work = np.zeros(1, layout.WORK).view(np.recarray)[0]
        work.stream = key
        game.call("deal")(state, match.record, work)
        return state, match.record, work

    def plain(loop: Callable[..., None]) -> Callable[[], Callable[[int], None]]:
        run = compiled(signature)(specialise(loop, game.name, kernel=game.kernels))

        def make() -> Callable[[int], None]:
            table = deal()
            return lambda n: run(*table, key, n)

        return make

    line_type = types.int64[::1]
    note = compiled(types.int64(*records, line_type))(specialise(record, game.name, kernel=game.kernels))
    follow = compiled(types.void(*records, line_type, types.int64, types.int64))(
        specialise(repeat_line, game.name, kernel=game.kernels)
    )

    def steps() -> Callable[[int], None]:
        table, line = deal(), np.zeros(MAX_PLIES, np.int64)
        plies = note(*table, line)
        return lambda n: follow(*table, line, plies, -(-n // plies))

    return {
        "steps": steps,
        "copies": plain(copies),
        "determinizations": plain(determinizations),
        "rollouts": plain(rollouts),
    }


def _rate(make: Callable[[], Callable[[int], None]], cores: int) -> tuple[float, int]:
    """Return the median rate over all cores together and how many things a repeat did."""
    loops = [make() for _ in range(cores)]
    n = 1000
    while True:  # a warm-up that finds how many fill a repeat
        start = time.perf_counter()
        loops[0](n)
        taken = time.perf_counter() - start
        if taken > SECONDS / 4:
            break
        n *= 2
    n = max(1, int(n * SECONDS / taken))
    with ThreadPoolExecutor(cores) as pool:
        rates = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            list(pool.map(lambda loop: loop(n), loops))
            rates.append(n * cores / (time.perf_counter() - start))
    return statistics.median(rates), n * cores


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
