"""Plays the chunks of a run on all cores, or reads those that are already there.

Chunks are played by threads, as the compiled games run without the interpreter lock, or by another backend, such as
`experiments.cluster`. Only sums come back, so memory stays flat; rows go straight to their part.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
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

    @cached_property
    def summer(self) -> Summer:
        """What sums its rows."""
        return Summer(self.plan, self.game)

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

    def take(self, task: Task) -> tuple[store.Columns, Sums]:
        """Return the rows of a chunk, from its part or played now, and their sums."""
        rows = _rows(self, task)
        return rows, self.summer.sums(rows)

    def is_whole(self) -> bool:
        """Tell whether every chunk has been played."""
        return all(self.is_there(number) for number in range(len(self.chunks())))


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


Done = Callable[[int, Sums], None]
"""Told the number of a section and the sums of chunks of it that are played, and whose parts are written."""

Backend = Callable[[Sequence[Section], Sequence[Task], Done], None]
"""Plays tasks in any order, writes their parts where rows are kept, and tells their sums."""

Watch = Callable[[Task, store.Columns, Sums], bool]
"""Is told of every chunk as it is done, one at a time but in any order: rows, sums. False ends the chunk's section."""


def run(
    sections: Sequence[Section],
    jobs: int,
    quiet: bool,
    backend: Backend | None = None,
    watch: Watch | None = None,
) -> list[Sums | None]:
    """Read every chunk that is there, then play the others.

    Args:
        sections: the parts of the run.
        jobs: chunks that threads of this process read or play at a time; changes no number.
        quiet: whether to leave out the progress bar, which also needs a terminal.
        backend: what plays; None for threads of this process, which leave out sections that have no match.
        watch: may end a section before its last chunk, where threads of this process play; a chunk that is in play by
            then is still finished, and in the sums.

    Returns:
        The sums of each section, None where no chunk is there.

    Raises:
        InterruptedRun: Ctrl-C.
        AgentError: an agent failed; the chunks finished before stay.
        UnreadableError: a part that is there cannot be read.
        DiskFullError: a part cannot be written; the chunks finished before stay.
    """
    tasks = [
        Task(i, number, first, n)
        for i, section in enumerate(sections)
        for number, (first, n) in enumerate(section.chunks())
    ]
    there = {task for task in tasks if sections[task.section].is_there(task.number)}
    able = {i for i, section in enumerate(sections) if backend is not None or section.match is not None}
    missing = [task for task in tasks if task not in there and task.section in able]
    found: list[Sums | None] = [None] * len(sections)
    planned, done = sum(section.plan.n_games for section in sections), 0
    joining = threading.Lock()
    here = threads(jobs, watch)

    def add(section: int, sums: Sums) -> None:
        nonlocal done
        games = sums.deals * sections[section].plan.n_seatings
        with joining:
            before = found[section]
            found[section] = sums if before is None else before + sums
            done += games
            advance(games)

    try:
        with _progress(planned, quiet) as advance:
            here(sections, sorted(there), add)
            if missing:
                (backend or here)(sections, missing, add)
    except KeyboardInterrupt:
        raise InterruptedRun(sections[0].folder, done, planned) from None
    return found


def threads(jobs: int, watch: Watch | None = None) -> Backend:
    """Return the backend that plays `jobs` chunks at a time in threads of this process."""
    watching: threading.Lock = threading.Lock()
    ended: set[int] = set()

    def play_all(sections: Sequence[Section], tasks: Sequence[Task], done: Done) -> None:
        # joblib does a single job in the caller's thread, where Ctrl-C would have to wait for the kernel to come back;
        # with a second thread that stands in line the caller's thread stays free.
        turn, stopped = threading.BoundedSemaphore(jobs), threading.Event()

        def work(task: Task) -> None:
            section = sections[task.section]
            with turn:
                if stopped.is_set() or task.section in ended:
                    return
                try:
                    rows, sums = section.take(task)
                except BaseException:
                    stopped.set()
                    raise
            done(task.section, sums)
            if watch is not None:
                with watching:
                    if not watch(task, rows, sums):
                        ended.add(task.section)

        try:
            Parallel(n_jobs=max(2, jobs), backend="threading", batch_size=1)(delayed(work)(task) for task in tasks)
        finally:
            stopped.set()  # whatever the reason: what is in play is finished, what waits is dropped

    return play_all


def _rows(section: Section, task: Task) -> store.Columns:
    """Return the rows of a chunk from its part, or play it and write the part."""
    path = section.path(task.number)
    if path is not None and section.is_there(task.number):
        names = [name for name in store.row_columns(section.game) if name not in ("seating", "seat", "tiebreak")]
        return store.read_part(path, names, section.run, task.n_deals * section.plan.seatings.size)
    columns = play(section, task)
    if path is not None:
        store.write_part(path, store.as_part(columns, section.run))
    return columns


def play(section: Section, task: Task) -> store.Columns:
    """Play a chunk and return its rows as they are stored."""
    assert section.match is not None
    return store.compact(section.match.play(task.first_deal, task.n_deals, section.plan.seatings), section.game)


@contextmanager
def _progress(total: int, quiet: bool) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on standard error, where that is a terminal; give what it is told games with."""
    if quiet or not sys.stderr.isatty():
        yield lambda games: None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=" games", unit_scale=True, leave=False, file=sys.stderr) as bar:
        yield bar.update
