"""Plays the chunks of a run on all cores, or reads those that are already there.

Chunks are played by threads: the compiled games run without the interpreter lock. Only sums come back, so memory stays
flat; rows go straight to their part.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed

from experiments import store
from experiments.schedule import Plan, chunks
from experiments.sums import Summer, Sums
from gameapi.game import Game


class Play(Protocol):
    """What plays a chunk: `experiments.match.Match`, or a stand-in."""

    def play(self, first_deal: int, n_deals: int, seatings: npt.NDArray[np.int16]) -> Mapping[str, npt.NDArray[Any]]:
        """Return the rows of deals first_deal .. first_deal + n_deals - 1."""


@dataclass(frozen=True)
class Section:
    """The part of a run with one number of players.

    Attributes:
        game: the game.
        plan: who sits where.
        deals_per_part: deals of a chunk.
        match: what plays chunks; None to read only those that are there.
        folder: the run folder, None to keep no rows.
        run: identity of the run.
    """

    game: Game
    plan: Plan
    deals_per_part: int
    match: Play | None
    folder: Path | None
    run: str

    def chunks(self) -> list[tuple[int, int]]:
        """Return (first deal, number of deals) of every chunk; a chunk's place is its number."""
        return chunks(self.plan.n_deals, self.deals_per_part)

    def path(self, number: int) -> Path | None:
        """Return the part of a chunk, None where no rows are kept."""
        return store.part_path(self.folder, self.plan.players, number) if self.folder else None

    def is_there(self, number: int) -> bool:
        """Tell whether a chunk has been played."""
        path = self.path(number)
        return path is not None and path.exists()


class Task(NamedTuple):
    """A chunk: which section, and where in it."""

    section: int
    number: int
    first_deal: int
    n_deals: int


class InterruptedRun(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; whole chunks are kept.

    Attributes:
        folder: the run folder, None where nothing is kept.
        done, total: games played and games planned.
    """

    def __init__(self, folder: Path | None, done: int, total: int) -> None:
        """Say how far it came."""
        kept = f"kept in {folder}; go on with resume" if folder else "nothing is kept without a run folder"
        super().__init__(f"stopped after {done:,} of {total:,} games; {kept}")
        self.folder, self.done, self.total = folder, done, total


Watch = Callable[[Task, store.Columns, Sums], bool]
"""Is told of every chunk as it is done, one at a time but in any order: rows, sums. False ends the chunk's section."""


def run(sections: Sequence[Section], jobs: int, quiet: bool, watch: Watch | None = None) -> list[Sums | None]:
    """Play or read every chunk of every section.

    Args:
        sections: the parts of the run.
        jobs: chunks in play at a time; changes no number.
        quiet: whether to leave out the progress bar, which also needs a terminal.
        watch: may end a section before its last chunk; a chunk that is in play by then is still finished, and in the
            sums.

    Returns:
        The sums of each section, None where no chunk is there.

    Raises:
        InterruptedRun: Ctrl-C.
        AgentError: an agent failed; the chunks finished before stay.
        UnreadableError: a part that is there cannot be read.
    """
    summers = [Summer(section.plan, section.game) for section in sections]
    tasks = [
        Task(i, number, first, n)
        for i, section in enumerate(sections)
        for number, (first, n) in enumerate(section.chunks())
        if section.match is not None or section.is_there(number)
    ]
    found: list[Sums | None] = [None] * len(sections)
    planned, done = sum(section.plan.n_games for section in sections), 0
    # joblib does a single job in the caller's thread, where Ctrl-C would have to wait for the kernel to come back; with
    # a second thread that stands in line the caller's thread stays free.
    turn, joining, stopped = threading.BoundedSemaphore(jobs), threading.Lock(), threading.Event()
    ended: set[int] = set()

    def work(task: Task) -> None:
        nonlocal done
        section = sections[task.section]
        with turn:
            if stopped.is_set() or task.section in ended:
                return
            try:
                rows = _rows(section, task)
                sums = summers[task.section].sums(rows)
            except BaseException:
                stopped.set()
                raise
        with joining:
            before = found[task.section]
            found[task.section] = sums if before is None else before + sums
            done += task.n_deals * section.plan.n_seatings
            advance(task.n_deals * section.plan.n_seatings)
            if watch is not None and not watch(task, rows, sums):
                ended.add(task.section)

    try:
        with _progress(planned, quiet) as advance:
            Parallel(n_jobs=max(2, jobs), backend="threading", batch_size=1)(delayed(work)(task) for task in tasks)
    except KeyboardInterrupt:
        raise InterruptedRun(sections[0].folder, done, planned) from None
    finally:
        stopped.set()  # whatever the reason: what is in play is finished, what waits is dropped
    return found


def _rows(section: Section, task: Task) -> store.Columns:
    """Return the rows of a chunk from its part, or play it and write the part."""
    path, plan = section.path(task.number), section.plan
    if path is not None and section.is_there(task.number):
        names = [name for name in store.row_columns(section.game) if name not in ("seating", "seat", "tiebreak")]
        return store.read_part(path, names, section.run, task.n_deals * plan.seatings.size)
    assert section.match is not None
    columns = store.compact(section.match.play(task.first_deal, task.n_deals, plan.seatings), section.game)
    if path is not None:
        store.write_part(path, columns, section.run)
    return columns


@contextmanager
def _progress(total: int, quiet: bool) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on standard error, where that is a terminal; give what it is told games with."""
    if quiet or not sys.stderr.isatty():
        yield lambda games: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=" games", unit_scale=True, leave=False, file=sys.stderr) as bar:
        yield bar.update
