"""What agents that look at hidden things share; the files of the games say what there is to look at.

Compiled with the name `kernel` bound to the game's module.
"""

from typing import Any

import numpy as np

from gameapi import kernel


def stir(seen: Any, value: Any) -> Any:
    return seen * np.uint64(31) + np.uint64(value)


def look_at_scratch(rules: Any, work: Any) -> Any:
    """Look at what the agents before left in the work record."""
    seen = np.uint64(0)
    for i in range(work.legal.shape[0]):
        seen = stir(stir(seen, np.int64(work.legal[i])), np.int64(work.candidate[i]))
    for seat in range(rules.players):
        seen = stir(seen, work.trial.hand[seat] ^ work.world.hand[seat] ^ work.playout.hand[seat])
    return seen


def choose_by(seen: Any, scratch: bool, state: Any, rules: Any, work: Any) -> int:
    """Choose an action by what has been seen, or by what lies in the work record."""
    if scratch:
        seen = look_at_scratch(rules, work)
    n = kernel.legal(state, rules, work)
    return np.int64(work.legal[np.int64((seen ^ (seen >> np.uint64(7))) % np.uint64(n))])
