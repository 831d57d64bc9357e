"""Print what the lab adds to play, in one run: the runner, with and without rows, and a Dask cluster of this machine.

Plain play is a match played in as many threads as there are cores. The parts of the comparison take turns, so that a
machine that slows down slows all of them.
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

from distributed import LocalCluster

from experiments import cluster, runner, store
from experiments.bench import available_cores
from experiments.match import Match
from experiments.result import sections
from experiments.runner import Backend, Section, Task
from experiments.tournament import Setup, prepare

ROUNDS = 5
CHUNKS_A_CORE = 12
JOBS = 2000  # of a single game each, to see what a job takes that is hardly any play


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
def clustered(setup: Setup, cores: int) -> Iterator[tuple[Backend, Backend]]:
    """Give backends on a cluster of this machine, a worker a core: one that keeps no rows and one that keeps them."""
    with LocalCluster(n_workers=cores, threads_per_worker=1, dashboard_address=None) as local, ExitStack() as stack:
        sums, rows = (
            stack.enter_context(
                cluster.connected(local.scheduler_address, cluster.recipes(setup, keeps_rows), None, True)
            )
            for keeps_rows in (False, True)
        )
        yield sums, rows


def compare(ways: Mapping[str, Callable[[], None]]) -> dict[str, float]:
    """Return the median seconds of each way, after a round to warm up; in every round all take their turn."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(1 + ROUNDS):
        for name, work in ways.items():
            start = time.perf_counter()
            work()
            if number:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in times.items()}


def job_seconds(section: Section, backend: Backend) -> float:
    """Return what a job takes that is a single deal, with all others in flight."""
    single = replace(section, plan=replace(section.plan, n_deals=JOBS), deals_per_part=1)
    most, cluster.MOST_CHUNKS_A_JOB = cluster.MOST_CHUNKS_A_JOB, 1
    try:
        return compare({"": lambda: ran(single, 1, False, backend)})[""] / JOBS
    finally:
        cluster.MOST_CHUNKS_A_JOB = most


def write_seconds(section: Section) -> tuple[int, float]:
    """Return the bytes of a part and the seconds that writing it takes."""
    part = store.as_part(runner.play(section, Task(0, 0, 0, section.deals_per_part)), section.run)
    with tempfile.TemporaryDirectory() as folder:
        found = compare({"": lambda: [store.write_part(Path(folder) / f"{i}", part) for i in range(50)] and None})
    return len(part), found[""] / 50


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
    with clustered(setup, cores) as (sums, rows):
        found = compare(
            {
                play: lambda: plain(section, cores),
                "runner": lambda: ran(section, cores, False),
                "runner, rows kept": lambda: ran(section, cores, True),
                "Dask": lambda: ran(section, cores, False, sums),
                "Dask, rows kept": lambda: ran(section, cores, True, rows),
            }
        )
        job = job_seconds(section, sums)
    print(f"{options.game}, {options.agents}, {options.players} players, {games:,} games, {cores} cores")
    print(f"{'':<20} {'games/s':>12} {'us a game':>10} {'of play':>8}")
    for name, seconds in found.items():
        each = 1e6 * seconds * cores / games
        print(f"{name:<20} {games / seconds:>12,.0f} {each:>10,.3f} {found[play] / seconds:>8.3f}")
    size, seconds = write_seconds(section)
    print(f"a job through Dask   {1e6 * job:,.0f} us")
    print(f"a part of {size:,} bytes is written in {1e6 * seconds:,.0f} us ({size / seconds / 1e6:,.0f} MB/s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
