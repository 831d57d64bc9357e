"""Plays the chunks of a run on a Dask cluster; the parts and tables are those of one machine, byte for byte.

A job is a few chunks of one section. It carries what identifies the run (`Recipe`, a few kilobytes) and the numbers of
its chunks; a worker builds the match once in a process, plays, and sends the parts' bytes and their sums back. This
machine alone writes, so that workers need no common file system. A job whose worker is lost is played again elsewhere.

Dask is driven directly, not through joblib: joblib's Dask backend hands out the next job as one is played, whether or
not its rows have been written, and waits for ever where a job is given up or the scheduler is gone.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import pickle
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from agents import own
from agents.catalog import Player, resolve
from agents.spec import parse
from experiments import games as game_table
from experiments import limits, runner, schedule, store
from experiments.match import Match
from experiments.runner import Backend, Done, Section, Task
from experiments.sums import Sums, total
from gameapi.errors import UserError

if TYPE_CHECKING:
    from distributed import Client, Future

    from experiments.tournament import Setup

CONNECT_SECONDS = 10.0
WAIT_SECONDS = 60.0  # for a first worker, and for a new one where all are lost
JOBS_A_THREAD = 8  # at least so many for each thread of the cluster, so that all end at about the same time
MOST_CHUNKS_A_JOB = 256  # a minute of play
MOST_ROWS_A_JOB = 12_000_000  # 60 MB
AHEAD = 2  # jobs for each thread that are handed out: one in play, one that waits
GATHERED_AT_ONCE = 8  # jobs whose rows this machine holds at a time
SECTIONS_KEPT = 8  # matches that a worker keeps
LOOK_SECONDS = 2.0  # how often the cluster's size is asked for
GO_ON = "what is finished is kept: go on with --resume"


# ---- what travels ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recipe:
    """All that decides the rows of one section.

    Attributes:
        run: identity of the run.
        game: name of the game.
        rules, deck: what is played.
        agents: spec and sha256 of its own file, None for built-in agents.
        sources: contents of the files of own agents, by path as it stands in the spec.
        seed: the seed.
        move_limit: as text.
        players: number of players.
        lineups: the plan's line-ups.
        keeps_rows: whether parts are wanted.
    """

    run: str
    game: str
    rules: Any
    deck: Any
    agents: tuple[tuple[str, str | None], ...]
    sources: Mapping[str, bytes]
    seed: int
    move_limit: str
    players: int
    lineups: tuple[schedule.Lineup, ...]
    keeps_rows: bool


class Job(NamedTuple):
    """Chunks of one section on their way to a worker: pickled it is a call of `play_job`.

    So the scheduler, which takes tasks apart, sees bytes and needs no lab.
    """

    versions: Mapping[str, str]
    recipe: bytes
    tasks: Sequence[Task]

    def __reduce__(self) -> tuple[Callable[..., Played], tuple[Any, ...]]:
        """Return the call."""
        return play_job, (dict(self.versions), self.recipe, pickle.dumps(self.tasks))


class Played(NamedTuple):
    """What a worker sends back: the bytes of each chunk's part, none where no rows are kept, and the sums of all."""

    parts: list[bytes]
    sums: Sums


def recipes(setup: Setup, keeps_rows: bool) -> list[Recipe]:
    """Return the recipes of a tournament, one for each number of players.

    Raises:
        UserError: an agent cannot travel to workers.
    """
    agents = tuple((player.spec, player.digest) for player in setup.roster)
    files = sources(setup.roster)
    return [
        Recipe(
            run=setup.manifest["identity"],
            game=setup.game.name,
            rules=setup.rules,
            deck=setup.deck,
            agents=agents,
            sources=files,
            seed=setup.seed,
            move_limit=setup.manifest["move_limit"],
            players=plan.players,
            lineups=plan.lineups,
            keeps_rows=keeps_rows,
        )
        for plan in setup.plans
    ]


def sources(roster: Sequence[Player]) -> dict[str, bytes]:
    """Return the contents of the files of own agents, by path.

    Raises:
        UserError: an agent is no text that a worker could read, or a file has changed since it was read.
    """
    found: dict[str, bytes] = {}
    for player in roster:
        if player.digest is None:
            if not player.trusted:
                raise UserError("cannot travel to workers; put it into a file, as in mine.py:name", player.text)
            continue
        path = parse(player.spec).path
        assert path is not None
        found[path] = own.read(path)
        if own.digest_of(found[path]) != player.digest:
            raise UserError("has changed since this run began; begin again", path)
    return found


# ---- on a worker ----------------------------------------------------------------------------------------------------

_sections: dict[tuple[str, int, bool], Section] = {}
_building = threading.Lock()


def play_job(versions: Mapping[str, str], recipe: bytes, tasks: bytes) -> Played:
    """Play chunks of one section, on a worker.

    Args:
        versions: of the lab and the libraries where the rows go.
        recipe: a pickled `Recipe`, which is not looked at until the versions are known to agree.
        tasks: the chunks, pickled as well.

    Raises:
        UserError: this worker's lab is another one.
        AgentError: an agent failed.
    """
    other = store.changes(versions)
    if other:
        from distributed import get_worker

        raise UserError(
            f"another version of the lab: {'; '.join(other.values())}; install the same everywhere",
            f"worker {get_worker().address}",
        )
    wanted: Recipe = pickle.loads(recipe)
    key = wanted.run, wanted.players, wanted.keeps_rows
    with _building:
        if key not in _sections:
            for old in list(_sections)[: len(_sections) - SECTIONS_KEPT + 1]:
                del _sections[old]
            _sections[key] = section(wanted)
        mine = _sections[key]
    parts, sums = [], []
    for task in pickle.loads(tasks):
        columns = runner.play(mine, task)
        sums.append(mine.summer.sums(columns))
        if wanted.keeps_rows:
            parts.append(store.as_part(columns, wanted.run))
    whole = total(sums)
    assert whole is not None
    return Played(parts, whole)


def section(recipe: Recipe) -> Section:
    """Return the section of a recipe, with what plays it.

    Raises:
        UserError: an agent's file cannot be run here, or is not the one that the run began with.
    """
    game = game_table.get(recipe.game)
    roster = [resolve(spec, game, recipe.sources) for spec, _ in recipe.agents]
    for player, (_, digest) in zip(roster, recipe.agents, strict=True):
        if player.digest != digest:
            raise UserError("its file is not the one that the run began with", f"agent {player.text!r}")
    limit = limits.read(recipe.move_limit)
    match = Match(game, recipe.rules, recipe.deck, recipe.players, roster, recipe.seed, limit)
    plan = schedule.plan(len(roster), recipe.players, 1, recipe.lineups)
    return Section(game, plan, 1, match, None, recipe.run)


# ---- on this machine ------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def connected(address: str, recipes: Sequence[Recipe], jobs: int | None, quiet: bool) -> Iterator[Backend]:
    """Give the backend that plays on the cluster of a scheduler.

    Args:
        address: of the scheduler, such as tcp://10.0.0.1:8786.
        recipes: of each section, in the order of the run's sections.
        jobs: jobs handed out at a time, None for `AHEAD` for each thread of the cluster.
        quiet: whether to say nothing of waiting for workers.

    Raises:
        UserError: Dask is not installed, no scheduler answers, or no worker comes.
    """
    client = _client(address)
    with _silent(), client:
        cluster = _Cluster(client, address)
        cluster.wait_for_workers(quiet)
        yield partial(_play, cluster, recipes, jobs)


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep Dask's logs quiet: what they would say of lost connections is told by the messages here."""
    names = [name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _client(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError:
        raise UserError("needs Dask: pip install 'hot-and-heat[dask]'", "backend dask") from None
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, direct_to_workers=True)
    except (OSError, ValueError) as fault:
        raise UserError(
            f"no Dask scheduler answers ({type(fault).__name__}); start one with `dask scheduler`, and give the "
            "address that it tells, such as tcp://10.0.0.1:8786",
            address,
        ) from None


class _Cluster:
    """How many threads the cluster has, asked for now and then."""

    def __init__(self, client: Client, address: str) -> None:
        self.client, self.address = client, address
        self.threads, self.asked, self.seen = 0, -LOOK_SECONDS, time.monotonic()

    def look(self) -> None:
        """Ask, where the last answer is old.

        Raises:
            UserError: the scheduler is gone, or there has been no worker for `WAIT_SECONDS`.
        """
        now = time.monotonic()
        if now < self.asked + LOOK_SECONDS:
            return
        self.asked = now
        try:
            self.threads = sum(self.client.nthreads().values())
        except (OSError, ValueError):
            self.threads = 0
        if self.client.status != "running":
            raise UserError("the scheduler is gone; " + GO_ON, self.address)
        if self.threads:
            self.seen = now
        elif now > self.seen + WAIT_SECONDS:
            advice = f"start some with `dask worker {self.address}`"
            raise UserError(f"no worker for {WAIT_SECONDS:g} seconds; {advice}", self.address)

    def wait_for_workers(self, quiet: bool) -> None:
        """Wait until there is a worker, and say so."""
        self.look()
        if not self.threads and not quiet:
            print(f"note: {self.address} has no workers; waiting {WAIT_SECONDS:g} seconds for one", file=sys.stderr)
        while not self.threads:
            time.sleep(LOOK_SECONDS / 10)
            self.look()


def _play(
    cluster: _Cluster,
    recipes: Sequence[Recipe],
    jobs: int | None,
    sections: Sequence[Section],
    tasks: Sequence[Task],
    done: Done,
) -> None:
    """Be the backend, see `runner.Backend`: hand out jobs, a few for each thread ahead, and take in what is played."""
    client, versions = cluster.client, store.versions()
    pickled = [pickle.dumps(recipe) for recipe in recipes]
    waiting = _jobs(tasks, cluster.threads, [section.plan.seatings.size for section in sections])
    playing: dict[Future[Any], Sequence[Task]] = {}
    arrived: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
    try:
        while True:
            ahead = jobs or AHEAD * max(1, cluster.threads)
            for job in itertools.islice(waiting, max(0, ahead - len(playing))):
                call = pickle.dumps(Job(versions, pickled[job[0].section], job))
                future = client.submit(pickle.loads, call, pure=False)
                playing[future] = job
                future.add_done_callback(arrived.put)
            if not playing:
                return
            for future, played in _taken_in(cluster, arrived):
                _keep(sections, playing.pop(future), played, done)
            cluster.look()
    finally:
        if playing and client.status == "running":
            client.cancel(list(playing), force=True)


def _jobs(tasks: Sequence[Task], threads: int, rows_a_deal: Sequence[int]) -> Iterator[Sequence[Task]]:
    """Yield jobs of several tasks of one section, so many that every thread has `JOBS_A_THREAD` or more, if it can."""
    fair = min(MOST_CHUNKS_A_JOB, len(tasks) // (JOBS_A_THREAD * max(1, threads)))
    for number, group in itertools.groupby(tasks, key=lambda task: task.section):
        mine = list(group)
        most = max(1, min(fair, MOST_ROWS_A_JOB // (mine[0].n_deals * rows_a_deal[number])))
        yield from (mine[i : i + most] for i in range(0, len(mine), most))


def _taken_in(cluster: _Cluster, arrived: queue.SimpleQueue[Future[Any]]) -> list[tuple[Future[Any], Played]]:
    """Return jobs that are played, a few at most, so that memory stays flat; none where nothing came for a moment."""
    futures: list[Future[Any]] = []
    with contextlib.suppress(queue.Empty):
        futures.append(arrived.get(timeout=LOOK_SECONDS))
        while len(futures) < GATHERED_AT_ONCE:
            futures.append(arrived.get_nowait())

    async def gather() -> list[Played]:
        found: list[Played] = await cluster.client.gather(futures, asynchronous=True)
        return found

    try:
        return list(zip(futures, cluster.client.sync(gather, callback_timeout=WAIT_SECONDS), strict=True))
    except TimeoutError:  # the worker that held one is lost, and it is not played again yet
        for future in futures:
            arrived.put(future)
        return []
    except UserError:
        raise
    except Exception as fault:  # whatever a worker may raise
        raise _told(fault, cluster) from None


def _told(fault: BaseException, cluster: _Cluster) -> UserError:
    """Word what went wrong on the cluster."""
    from distributed import KilledWorker

    if cluster.client.status != "running" or isinstance(fault, CancelledError):
        return UserError("the scheduler is gone; " + GO_ON, cluster.address)
    if isinstance(fault, KilledWorker):
        what = "the same chunks were lost with several workers; were they killed, or short of memory? See their logs"
    else:
        what = f"a worker failed: {type(fault).__name__}: {fault}; is the same lab installed there?"
    return UserError(f"{what}; {GO_ON}", cluster.address)


def _keep(sections: Sequence[Section], job: Sequence[Task], played: Played, done: Done) -> None:
    """Write the parts of a job and tell its sums."""
    section = sections[job[0].section]
    if section.folder is not None:
        for task, part in zip(job, played.parts, strict=True):
            store.write_part(store.part_path(section.folder, section.plan.players, task.number), part)
    done(job[0].section, played.sums)
