"""Tournaments on a Dask cluster: a real scheduler and real workers, on this machine."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import runs
from runs import N_PARTS, PROGRAM, SLOW, WORDS, parts, results

from experiments import cli, cluster, store
from experiments.runner import Task
from experiments.tournament import prepare, tournament
from gameapi.errors import UserError

ENVIRONMENT = {**runs.ENVIRONMENT, "SLOW": "0.004"}


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs.like_the_program(monkeypatch)
    Path("slow.py").write_text(SLOW)


class Cluster:
    """A scheduler with workers, far from the folder in which a test runs: there is no common file to read."""

    def __init__(self, folder):
        self.folder, self.file, self.workers = folder, folder / "scheduler.json", []
        self.scheduler = self.start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        while not (self.file.exists() and self.file.read_text()):
            assert self.scheduler.poll() is None
            time.sleep(0.02)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, what, *words):
        command = [sys.executable, "-m", f"distributed.cli.{what}", "--scheduler-file", str(self.file)]
        with open(self.folder / "log", "a") as log:
            return subprocess.Popen(
                [*command, "--no-dashboard", *words], cwd=self.folder, env=ENVIRONMENT, stdout=log, stderr=log
            )

    def add_worker(self):
        words = ["--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--local-directory", str(self.folder)]
        self.workers.append(self.start("dask_worker", *words))

    def stop(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """A cluster of two workers; tests may kill one of them."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    made.add_worker()
    made.add_worker()
    yield made
    made.stop()


@pytest.fixture
def no_workers(tmp_path_factory):
    made = Cluster(tmp_path_factory.mktemp("no-workers"))
    yield made
    made.stop()


def start(dask):
    """Start a run on the cluster in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *WORDS, "--backend", "dask", "--scheduler", dask.address, "--out", "run"],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_parts(process):
    while len(parts("run")) < 3:
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.01)


def refused(capsys, *words):
    code = cli.run("hotsim", [*WORDS, "--backend", "dask", *words])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert "Traceback" not in captured.err
    return captured.err


def test_a_lost_worker_changes_no_byte(dask, capsys):
    assert cli.run("hotsim", [*WORDS, "--out", "whole", "--jobs", "1"]) == 0
    assert len(parts("whole")) == N_PARTS
    process = start(dask)
    wait_for_parts(process)
    lost = dask.workers.pop()
    lost.kill()
    lost.wait()
    assert len(parts("run")) < N_PARTS
    out, err = process.communicate(timeout=200)
    assert process.returncode == 0, err
    assert results("run") == results("whole")
    assert capsys.readouterr().out == out


def test_ctrl_c_keeps_what_is_finished(dask, capsys):
    process = start(dask)
    wait_for_parts(process)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=200)
    assert process.returncode == 130
    assert "which are kept; go on with:\n  hotsim tournament" in err
    assert "Traceback" not in err
    assert json.loads(Path("run/manifest.json").read_text())["state"] == "interrupted"
    assert 3 <= len(parts("run")) < N_PARTS
    assert cli.run("hotsim", [*WORDS, "--out", "run", "--resume"]) == 0
    assert len(parts("run")) == N_PARTS


def test_a_failing_agent_is_told_as_on_one_machine(dask):
    texts = []
    for scheduler in (None, dask.address):
        with pytest.raises(UserError) as fault:
            tournament("hotsim", "random,slow.py:bad", players=2, games=4, jobs=1, scheduler=scheduler)
        texts.append(str(fault.value))
    assert texts[0] == texts[1]
    assert texts[0].startswith("agent 'slow.py:bad', 2 players, game ")


def test_rows_need_not_be_kept(dask):
    alike = [tournament("hotsim", "random,greedy", players=3, games=40, scheduler=s) for s in (None, dask.address)]
    assert alike[0].tables == alike[1].tables


def test_the_scheduler_needs_no_lab(dask):
    from distributed import Client

    tournament("hotsim", "random", players=2, games=4, scheduler=dask.address)
    with Client(dask.address, set_as_default=False) as client:
        assert not client.run_on_scheduler(lambda: [name for name in sys.modules if name.startswith("experiments")])


def test_a_worker_with_another_lab_is_refused(dask, capsys, monkeypatch):
    here = store.versions()
    monkeypatch.setattr("experiments.store.versions", lambda: {**here, "lab": "0.0.1", "pyarrow": "1.0"})
    err = refused(capsys, "--scheduler", dask.address, "--out", "run")
    assert "worker tcp://127.0.0.1:" in err
    assert "another version of the lab: lab 0.0.1, now " in err
    assert "pyarrow 1.0, now " in err
    assert json.loads(Path("run/manifest.json").read_text())["state"] == "failed"


def test_no_scheduler_and_no_workers_are_told(no_workers, capsys, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    monkeypatch.setattr(cluster, "WAIT_SECONDS", 0.5)
    monkeypatch.setattr(cluster, "LOOK_SECONDS", 0.1)
    err = refused(capsys, "--scheduler", no_workers.address, "--out", "run")
    assert f"note: {no_workers.address} has no workers; waiting 0.5 seconds for one" in err
    assert f"start some with `dask worker {no_workers.address}`" in err
    no_workers.scheduler.kill()
    no_workers.scheduler.wait()
    err = refused(capsys, "--scheduler", no_workers.address, "--out", "run")
    assert f"{no_workers.address}: no Dask scheduler answers" in err
    assert not Path("run").exists()


def test_a_worker_that_comes_later_is_waited_for_and_a_scheduler_that_is_gone_is_told(no_workers):
    process = start(no_workers)
    time.sleep(1)
    assert not Path("run").exists()
    no_workers.add_worker()
    wait_for_parts(process)
    no_workers.scheduler.kill()
    _, err = process.communicate(timeout=200)
    assert process.returncode == 2
    assert f"{no_workers.address}: the scheduler is gone; what is finished is kept: go on with --resume" in err
    assert "Traceback" not in err
    assert len(parts("run")) < N_PARTS


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--backend", "dask"], "--backend dask needs --scheduler ADDRESS, such as tcp://10.0.0.1:8786"),
        (["--scheduler", "tcp://10.0.0.1:8786"], "--scheduler goes with --backend dask"),
        (["--backend", "dusk"], "'dusk' is not one of 'threads', 'dask'"),
    ],
)
def test_options_that_do_not_go_together(capsys, words, message):
    assert cli.run("hotsim", [*WORDS, *words]) == 2
    assert message in capsys.readouterr().err


def test_a_function_cannot_travel():
    def mine(view):
        return view.actions[0]

    setup = prepare("hotsim", ["random", mine], games=4, players=2)
    with pytest.raises(UserError, match="mine: cannot travel to workers; put it into a file"):
        cluster.recipes(setup, True)


def test_a_file_that_changed_is_refused_here_and_on_the_worker():
    setup = prepare("hotsim", "slow.py:slow", games=4, players=2)
    (recipe,) = cluster.recipes(setup, True)
    other = {"slow.py": SLOW.encode() + b"\n"}
    with pytest.raises(UserError, match="its file is not the one that the run began with"):
        cluster.section(cluster.Recipe(**{**vars(recipe), "sources": other}))
    Path("slow.py").write_bytes(other["slow.py"])
    with pytest.raises(UserError, match=r"slow\.py: has changed since this run began"):
        cluster.recipes(setup, True)


@pytest.mark.parametrize(("tasks", "threads"), [(0, 4), (1, 4), (7, 0), (100, 2), (5000, 4), (100_000, 8)])
def test_jobs_hold_every_task_once_and_end_together(tasks, threads):
    given = [Task(i % 2, i, i, 1) for i in range(tasks)]
    given.sort()
    jobs = list(cluster._jobs(given, threads, [3, cluster.MOST_ROWS_A_JOB // 2]))
    assert [task for job in jobs for task in job] == given
    assert all(len({task.section for task in job}) == 1 for job in jobs)
    assert all(len(job) <= (cluster.MOST_CHUNKS_A_JOB, 2)[job[0].section] for job in jobs)
    if threads and tasks > 100:
        assert len(jobs) >= cluster.JOBS_A_THREAD * threads
