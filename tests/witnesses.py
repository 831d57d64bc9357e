"""Games on the kernel whose events are counted by its witnesses, beside counts by anybody else."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from gameapi.table import GameTable, read_legal


class Witnessed:
    """A game on the kernel with the counts of its witnesses.

    Attributes:
        table: The game.
        work: The work record that the witness leaves behind.
        counts: What has been counted so far, by the event's name; without those that never came up.
    """

    def __init__(self, table: GameTable[Any, Any, Any]) -> None:
        self.table, self.game = table, table.game
        self.record = table._record
        self.work = np.zeros(1, self.game.layout.WORK).view(np.recarray)[0]
        self._counts = np.zeros(len(self.game.events), np.int32)

    def step(self, action: Any) -> None:
        """Let the witness look, and carry an action out; the witness changes nothing."""
        state, kept = self.table.state, self.table.state.tobytes()
        number = read_legal(self.game, state, self.record, self.table.deck)[action]
        self.game.call("witness")(state, self.record, number, self.work, self._counts)
        assert state.tobytes() == kept
        self.table.step(action)
        if self.table.actor < 0:
            self.game.call("witness_end")(self.table.state, self.record, self.work, self._counts)

    @property
    def counts(self) -> Counter[str]:
        names = [event.name for event in self.game.events]
        return +Counter(dict(zip(names, self._counts.tolist(), strict=True)))


def play(witnessed: Witnessed, plain: Any, rng: random.Random, choose: Callable[[Any, random.Random], Any]) -> None:
    """Play a game to its end on the kernel and on a plain engine."""
    while plain.actor >= 0:
        action = choose(plain, rng)
        witnessed.step(action)
        plain.step(action)
    assert witnessed.table.actor < 0
