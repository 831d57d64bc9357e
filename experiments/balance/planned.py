"""A study of some kind that is ready to be played: its setup, and the tables and figures that the kind adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from experiments.balance.study import Columns, Setup, Study
from experiments.tables import Table


class Asked(TypedDict, total=False):
    """What any kind of study may be asked for, as in `experiments.balance.study.study`."""

    agents: str | Sequence[str | Callable[..., Any]]
    games: int
    search_games: int | None
    players: int | Sequence[int] | None
    seed: int


class Planned(NamedTuple):
    """What a kind of study hands to whoever plays it.

    Attributes:
        setup: the designs and all that decides the numbers.
        more: gives the tables that the kind adds.
        columns: what their columns mean.
        finish: draws the figures of a study into its folder, None where the kind has none of its own.
    """

    setup: Setup
    more: Callable[[Study], Mapping[str, Table]]
    columns: Columns
    finish: Callable[[Study], None] | None = None

    def play(self, out: str | Path | None, resume: bool, jobs: int | None, quiet: bool) -> Study:
        """Play it, see `Setup.play`."""
        return self.setup.play(out, resume, jobs, quiet, more=self.more, finish=self.finish, columns=self.columns)
