"""What a game promises: its jitted functions over three records.

A game's module of kernels defines the functions below over three numpy records: `state` (one game), `rules` (rules and
deck of the run, read only) and `work` (one a thread: random stream, legal actions, results, scratch). Agents are
written against this module and bound to a game with `gameapi.jit.specialise(function, name, kernel=game.kernels)`.

All chance of a game is fixed by `deal`; `step` draws nothing. Simultaneous choices are made seat after seat and stay
hidden until all are made. Every state record has the field `actor`: the seat to act, -1 when the game is over. Every
work record has the fields of `WORK_FIELDS`. The two witnesses are for games that are watched: they count what the rules
bring about, in the order of `Game.events`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any, NoReturn

import numpy as np
from numba import types

from gameapi.jit import pointer

MAX_SEATS = 5
MAX_STATISTICS = 8
MAX_PARAMETERS = 48
POLICY_PARAMETERS = 16  # where a rollout policy's parameters start; an agent's own come before

WORK_FIELDS: Mapping[str, str] = {
    "stream": "uint64, the random stream that deal, determinize, random_action, rollout and agents draw from",
    "n_legal": "int64, how many actions `legal` wrote",
    "legal": "int16 (MAX_LEGAL,), the actor's actions",
    "score": "int64 (5,), final scores, written by `returns`",
    "tiebreak": "int64 (5,), what decides between equal scores, more is better",
    "win": "float64 (5,), 1/n for each of n winners, else 0",
    "rollouts": "int64, rollouts of the decision, counted by search agents",
    "statistic": "int64 (8, 5), written by `statistics` in the order of Game.stats",
    "total": "float64 (MAX_LEGAL,), scratch of search agents",
    "candidate": "int16 (MAX_LEGAL,), scratch of search agents",
    "trial": "a state to try one ply on",
    "world": "a state that holds a determinization",
    "playout": "a state to play out",
}

MAX_COUNTS, MAX_TALLIED = 20, 64  # of a tally: what is counted, different cards
TALLY = np.dtype(
    [
        ("n", np.int16, (MAX_COUNTS, MAX_SEATS, MAX_TALLIED)),  # copies, in the order of Game.counts
        ("hand", np.uint8, (MAX_SEATS, MAX_TALLIED)),  # scratch of the game
    ],
    align=True,
)
"""What became of each card at each seat in one game; a card is known by its number in the game's records."""

PLAYER = np.dtype([("parameter", np.float64, (MAX_PARAMETERS,))], align=True)
PlayerType, TallyType = pointer(PLAYER), pointer(TALLY)


def _abstract(name: str) -> NoReturn:
    raise NotImplementedError(f"kernel.{name} stands for a game's function: bind it with gameapi.jit.specialise")


def deal(state: Any, rules: Any, work: Any) -> None:
    """Set up a new game from `work.stream`; all chance of the game is fixed here."""
    _abstract("deal")


def legal(state: Any, rules: Any, work: Any) -> int:
    """Write the actor's distinct legal actions to `work.legal` in a fixed order; return their number."""
    _abstract("legal")


def step(state: Any, rules: Any, action: int, work: Any) -> None:
    """Play a legal action of the actor and go on to the next decision."""
    _abstract("step")


def random_action(state: Any, rules: Any, work: Any) -> int:
    """Return a uniform draw from the actor's distinct legal actions."""
    _abstract("random_action")


def returns(state: Any, rules: Any, work: Any) -> None:
    """Write score, tie-break and share of the win of every player to `work`, as if the game ended now."""
    _abstract("returns")


def statistics(state: Any, rules: Any, work: Any) -> None:
    """Write the per-seat statistics of a game to `work.statistic`."""
    _abstract("statistics")


def rollout(state: Any, rules: Any, work: Any) -> None:
    """Play uniform random actions to the end and write the `returns`."""
    _abstract("rollout")


def determinize(state: Any, rules: Any, seat: int, work: Any) -> None:
    """Replace all that a seat does not know by a uniform draw from what its knowledge leaves open."""
    _abstract("determinize")


def info_key(state: Any, rules: Any, seat: int) -> int:
    """Return a 64-bit key of the seat's information state: equal where what the seat sees is equal."""
    _abstract("info_key")


def foresee(state: Any, rules: Any, action: int, work: Any) -> None:
    """Show what an action does by itself: leave the state as the actor's own action and own hidden choices make it.

    No card is drawn and nobody else's hidden choice is shown, so that a one-ply agent cannot peek. The state is good
    for `returns` only.
    """
    _abstract("foresee")


def copy(target: Any, source: Any) -> None:
    """Copy one state over another."""
    _abstract("copy")


def begin_tally(state: Any, rules: Any, tally: Any) -> None:
    """Count what the seats hold in a game that has just been dealt; the tally is empty."""
    _abstract("begin_tally")


def tally_step(state: Any, rules: Any, action: int, work: Any, tally: Any) -> None:
    """Do what `step` does, and count what it does to cards; after the last step the tally is whole."""
    _abstract("tally_step")


def hand_number(state: Any) -> int:
    """Return which of the hands that a game deals is in play, from 0."""
    _abstract("hand_number")


def n_hands(rules: Any) -> int:
    """Return how many hands a game deals to each seat, one after the other."""
    _abstract("n_hands")


def withhold(state: Any, rules: Any, card: int, ban: int) -> bool:
    """Hide from the actor what it would do against a ban on a card (in the order of Game.bans); tell whether it could.

    Nothing is hidden where no other action would be left. The actions of the state are then legal ones of the state
    as it was; what the seat knows stays true. The state is good for one choice by an agent that looks at most at the
    table after it: hands are too small to be played out.
    """
    _abstract("withhold")


def exchange(state: Any, rules: Any, seat: int, card: int, work: Any) -> bool:
    """Exchange a random other card of a hand that has just been dealt for a copy of a card; tell whether it could.

    The copy is a random one that no hand holds, else a random one of another hand. It could not where the hand holds
    nothing else, or all the copies.
    """
    _abstract("exchange")


def witness(state: Any, rules: Any, action: int, work: Any, counts: Any) -> None:
    """Add to `counts`, int32 (events,), what a legal action of the actor will bring about; the state stays as it is."""
    _abstract("witness")


def witness_end(state: Any, rules: Any, work: Any, counts: Any) -> None:
    """Add to `counts` what the end of a game brings about; the state stays as it is."""
    _abstract("witness_end")


_FUNCTIONS = (deal, legal, step, random_action, returns, statistics, rollout, determinize, info_key, foresee, copy)
_FUNCTIONS += (begin_tally, tally_step, hand_number, n_hands, withhold, exchange, witness, witness_end)
CONTRACT = tuple(function.__name__ for function in _FUNCTIONS)


def signature(name: str, layout: ModuleType) -> Any:
    """Return the numba signature of a function of the contract over a game's records."""
    state, rules, work = layout.StateType, layout.RulesType, layout.WorkType
    void, integer = types.void, types.int64
    return {
        "deal": void(state, rules, work),
        "legal": integer(state, rules, work),
        "step": void(state, rules, integer, work),
        "random_action": integer(state, rules, work),
        "returns": void(state, rules, work),
        "statistics": void(state, rules, work),
        "rollout": void(state, rules, work),
        "determinize": void(state, rules, integer, work),
        "info_key": types.uint64(state, rules, integer),
        "foresee": void(state, rules, integer, work),
        "copy": void(state, state),
        "begin_tally": void(state, rules, TallyType),
        "tally_step": void(state, rules, integer, work, TallyType),
        "hand_number": integer(state),
        "n_hands": integer(rules),
        "withhold": types.boolean(state, rules, integer, integer),
        "exchange": types.boolean(state, rules, integer, integer, work),
        "witness": void(state, rules, integer, work, types.int32[::1]),
        "witness_end": void(state, rules, work, types.int32[::1]),
    }[name]


def fulfils(module: ModuleType) -> list[str]:
    """Return what a module lacks of the contract: names of functions, empty where it is whole."""
    return [name for name in CONTRACT if not callable(getattr(module, name, None))]
