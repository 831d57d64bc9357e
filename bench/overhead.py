"""Print what the lab adds to play, in one run: the runner, with and without rows, and a Dask cluster of this machine.

Plain play is a match played in as many threads as there are cores. The parts of the comparison take turns, so that a
machine that slows down slows all of them; ratios are of one round each. CPU is the processor time of this process:
with Dask that of client and scheduler, not of workers.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from distributed import LocalCluster

from experiments import cluster, runner, store
from experiments.bench import available_cores
from experiments.match import Match
from experiments.result import sections
from experiments.runner import Backend, Section, Task
from experiments.tournament import Setup, prepare

ROUNDS = 5
CHUNKS_A_CORE = 4
WRITES = 50
JOBS, IN_FLIGHT = 500, 64  # of a single game each, to see what a job takes that is hardly any play


def plain(section: Section, cores: int) -> None:
    """Play all chunks, and do nothing with the rows."""
    match = section.match
    assert match is not None
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(lambda chunk: len(match.play(*chunk, section.plan.seatings)), section.chunks()))


def ran(section: Section, cores: int, keeps_rows: bool, backend: Backend | None = None) -> None:
    """Play all chunks by the runner; rows go to a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "parts").mkdir()
        runner.run([replace(section, folder=Path(folder) if keeps_rows else None)], cores, True, backend)


@contextmanager
def clustered(setup: Setup, cores: int) -> Iterator[tuple[Backend, Backend, Backend]]:
    """Give backends on a cluster of this machine, a worker a core: without rows, with them, and with many in flight."""
    with LocalCluster(n_workers=cores, threads_per_worker=1, dashboard_address=None) as local, ExitStack() as stack:
        sums, rows, many = (
            stack.enter_context(
                cluster.connected(local.scheduler_address, cluster.recipes(setup, keeps_rows), jobs, True)
            )
            for keeps_rows, jobs in ((False, None), (True, None), (False, IN_FLIGHT))
        )
        yield sums, rows, many


class Taken(NamedTuple):
    """What a round took: seconds of the clock, and of the processor in this process."""

    clock: float
    processor: float


def compare(ways: Mapping[str, Callable[[], None]]) -> dict[str, list[Taken]]:
    """Return what each way took, after a round to warm up; in every round all take their turn."""
    found: dict[str, list[Taken]] = {name: [] for name in ways}
    for number in range(1 + ROUNDS):
        for name, work in ways.items():
            start = Taken(time.perf_counter(), time.process_time())
            work()
            if number:
                found[name].append(Taken(time.perf_counter() - start.clock, time.process_time() - start.processor))
    return found


def processor(work: Callable[[], None]) -> float:
    """Return the least processor time that something takes of this process."""
    return min(taken.processor for taken in compare({"": work})[""])


def job_seconds(section: Section, backend: Backend) -> float:
    """Return the processor time that a job takes of this process, in which client and scheduler both live."""
    single = replace(section, plan=replace(section.plan, n_deals=JOBS), deals_per_part=1)
    most, cluster.MOST_CHUNKS_A_JOB = cluster.MOST_CHUNKS_A_JOB, 1
    try:
        return processor(lambda: ran(single, 1, False, backend)) / JOBS
    finally:
        cluster.MOST_CHUNKS_A_JOB = most


def write_seconds(section: Section) -> tuple[int, float]:
    """Return the bytes of a part and the processor time that writing it takes."""
    part = store.as_part(runner.play(section, Task(0, 0, 0, section.deals_per_part)), section.run)
    with tempfile.TemporaryDirectory() as folder:

        def write() -> None:
            for number in range(WRITES):
                store.write_part(Path(folder) / str(number), part)

        return len(part), processor(write) / WRITES


def main() -> int:
    """Measure, print, return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="hotsim")
    parser.add_argument("--agents", default="random", help="cheap ones make big parts, costly ones small parts")
    parser.add_argument("--players", type=int, default=4)
    options = parser.parse_args()
    cores = available_cores()
    setup = prepare(options.game, options.agents, 10**6, options.players)
    (section,) = sections(setup.game, setup.manifest, None)
    section = replace(
        section,
        plan=replace(section.plan, n_deals=CHUNKS_A_CORE * cores * section.deals_per_part),
        match=Match(setup.game, setup.rules, setup.deck, options.players, setup.roster, setup.seed),
    )
    games, play = section.plan.n_games, "plain play"
    with clustered(setup, cores) as (sums, rows, many):
        found = compare(
            {
                play: lambda: plain(section, cores),
                "runner": lambda: ran(section, cores, False),
                "runner, rows kept": lambda: ran(section, cores, True),
                "Dask": lambda: ran(section, cores, False, sums),
                "Dask, rows kept": lambda: ran(section, cores, True, rows),
            }
        )
        job = job_seconds(section, many)
    print(f"{options.game}, {options.agents}, {options.players} players, {games:,} games, {cores} cores")
    print(f"{'':<20} {'games/s':>12} {'of play':>8} {'CPU us a game':>14} {'of play':>8}")
    for name, rounds in found.items():
        clock = [taken.clock / least.clock for taken, least in zip(rounds, found[play], strict=True)]
        spent = [taken.processor / least.processor for taken, least in zip(rounds, found[play], strict=True)]
        rate = games / statistics.median(taken.clock for taken in rounds)
        each = 1e6 * statistics.median(taken.processor for taken in rounds) / games
        print(
            f"{name:<20} {rate:>12,.0f} {1 / statistics.median(clock):>8.3f} {each:>14,.3f} "
            f"{statistics.median(spent):>8.3f}"
        )
    size, seconds = write_seconds(section)
    print(f"a job through Dask takes client and scheduler {1e6 * job:,.0f} us of processor time")
    print(f"a part of {size:,} bytes is written in {1e6 * seconds:,.0f} us of it ({size / seconds / 1e6:,.0f} MB/s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
