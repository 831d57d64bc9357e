"""Runs that are killed, stopped, out of space, disturbed or damaged: for real, in processes of their own."""

import contextlib
import json
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import runs
from runs import ENVIRONMENT, N_PARTS, PROGRAM, SLOW, parts, results

from experiments import cli, store

DECK = 'name = "mine"\n[cards]\n"1+1" = 40\n"2-1" = 40\n'
WORDS = [*runs.WORDS, "--deck", "mine.toml"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs.like_the_program(monkeypatch)
    write_inputs(tmp_path)


def write_inputs(folder):
    (folder / "slow.py").write_text(SLOW)
    (folder / "mine.toml").write_text(DECK)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of a run that nothing happened to."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_inputs(folder)
    with contextlib.chdir(folder), pytest.MonkeyPatch.context() as patch:
        runs.like_the_program(patch)
        assert cli.run("hotsim", [*WORDS, "--out", "run", "--quiet"]) == 0
    assert len(list((folder / "run/parts").iterdir())) == N_PARTS
    return folder / "run"


@pytest.fixture
def hotsim(capsys):
    def run(*words):
        code = cli.run("hotsim", [*WORDS, "--out", "run", *words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return run


def start(*words, out="run", slow="0.004", **more):
    """Start a run of two seconds in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *WORDS, "--out", str(out), "--jobs", "2", *words],
        env={**ENVIRONMENT, "SLOW": slow},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def wait_for_parts(process, n):
    while len(parts("run")) < n:
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.005)


def state(folder="run"):
    return json.loads(Path(folder, "manifest.json").read_text())["state"]


def goes_on_to_the_same_bytes(hotsim, undisturbed):
    code, _, err = hotsim("--resume")
    assert code == 0, err
    assert results("run") == results(undisturbed)
    assert state() == "done"


def test_a_run_that_was_killed_goes_on(hotsim, undisturbed):
    process = start()
    wait_for_parts(process, 3)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert state() == "running"
    kept = {name: Path("run/parts", name).read_bytes() for name in parts("run")}
    assert 3 <= len(kept) < N_PARTS
    assert all(results(undisturbed)[name] == data for name, data in kept.items())
    _, out, _ = hotsim("--resume", "--dry-run", "--json")
    there = sum(4 if name.startswith("p2") else 8 for name in kept)
    assert json.loads(out)["total"]["games_there"] == there
    goes_on_to_the_same_bytes(hotsim, undisturbed)


def test_a_run_that_was_stopped_goes_on(hotsim, undisturbed):
    process = start()
    wait_for_parts(process, 2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=200)
    assert process.returncode == 130
    assert "which are kept; go on with:" in err
    assert "Traceback" not in err
    assert state() == "interrupted"
    assert 2 <= len(parts("run")) < N_PARTS
    goes_on_to_the_same_bytes(hotsim, undisturbed)


def mounted(folder, size):
    folder.mkdir(exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def small_disk(tmp_path, undisturbed):
    """Give a folder with room for some parts, what a process does as it starts, and what makes space.

    A file system of its own, where that can be mounted; else a limit on the size of files between the parts of two and
    three players.
    """
    disk = tmp_path / "disk"
    if mounted(disk, "40k"):
        yield disk, None, lambda: subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        subprocess.run(["umount", str(disk)], check=True)
        return
    sizes = [
        max((undisturbed / "parts" / name).stat().st_size for name in parts(undisturbed) if kind in name)
        for kind in ("p2-", "p3-")
    ]
    yield disk, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (sum(sizes) // 2,) * 2), lambda: None


def test_a_run_that_ran_out_of_space_goes_on(hotsim, undisturbed, small_disk):
    disk, at_start, make_space = small_disk
    process = start(out=disk / "run", slow="0", preexec_fn=at_start)
    _, err = process.communicate(timeout=200)
    assert process.returncode == 2
    assert "cannot be written: " in err
    assert "No space left on device" in err or "File too large" in err
    assert "what is finished is kept: make space and go on with --resume" in err
    assert "Traceback" not in err
    assert 1 <= len(parts(disk / "run")) < N_PARTS
    make_space()
    code, _, err = hotsim("--out", str(disk / "run"), "--resume")
    assert code == 0, err
    assert results(disk / "run") == results(undisturbed)
    assert state(disk / "run") == "done"


def test_a_second_process_is_refused_and_the_first_goes_on(hotsim, undisturbed):
    process = start()
    wait_for_parts(process, 1)
    code, _, err = hotsim("--resume")
    assert process.poll() is None, "it ended before the second began"
    assert code == 2
    assert "run: another process is writing to this run; wait for it or give another --out" in err
    code, _, err = hotsim()
    assert (code, "holds a run already (running)" in err) == (2, True)
    _, err = process.communicate(timeout=200)
    assert process.returncode == 0, err
    assert results("run") == results(undisturbed)


@pytest.fixture
def half(undisturbed):
    """Make `run`, of which half the parts are there."""
    shutil.copytree(undisturbed, "run")
    for name in parts("run")[::2]:
        Path("run/parts", name).unlink()
    shutil.rmtree("run/tables")
    change_manifest(state="interrupted")


def change_manifest(**changes):
    path = Path("run/manifest.json")
    manifest = {**json.loads(path.read_text()), **changes}
    manifest["identity"] = store.identity(manifest)
    path.write_text(json.dumps(manifest))


def test_folders_that_are_missing_are_made(hotsim, undisturbed, half):
    goes_on_to_the_same_bytes(hotsim, undisturbed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": "0"}, 'it differs in the game\'s play version ("0", now "1")'),
        ({"format": "lab-run/2"}, "written by another version of the lab"),
        ({"versions": {**store.versions(), "lab": "0.0.1"}}, "was begun by another version of the lab: lab 0.0.1, now"),
        ({"versions": {**store.versions(), "sources": "ab"}, "revision": "c0ffee"}, "begun with (revision c0ffee)"),
    ],
)
def test_a_folder_of_another_version_is_refused(hotsim, half, change, message):
    change_manifest(**change)
    before = parts("run")
    code, out, err = hotsim("--resume")
    assert (code, out) == (2, "")
    assert message in err
    assert parts("run") == before


def test_other_libraries_are_told(hotsim, half):
    change_manifest(versions={**store.versions(), "pyarrow": "1.0"})
    code, _, err = hotsim("--resume")
    assert code == 0
    assert "note: this run began with other versions: pyarrow 1.0, now" in err


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("slow.py", SLOW.replace("[0]", "[-1]"), "it differs in the file of slow.py:slow; give another --out"),
        ("mine.toml", DECK.replace("40", "41"), 'it differs in the deck ("mine '),
    ],
)
def test_a_changed_file_is_refused(hotsim, half, file, content, message):
    Path(file).write_text(content)
    code, out, err = hotsim("--resume")
    assert (code, out) == (2, "")
    assert message in err


def spoil(data, place):
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


@pytest.mark.parametrize("damage", [lambda data: data[:-300], lambda data: b"", lambda data: spoil(data, 150)])
def test_a_damaged_part_is_told_and_played_again(hotsim, undisturbed, half, damage):
    part = Path("run/parts", parts("run")[3])
    part.write_bytes(damage(part.read_bytes()))
    code, out, err = hotsim("--resume")
    assert (code, out) == (2, "")
    assert f"{part}: damaged: " in err
    assert "delete this file and go on with --resume" in err
    part.unlink()
    goes_on_to_the_same_bytes(hotsim, undisturbed)


MEMORY = """
import resource, sys
from pathlib import Path
import numpy as np
from experiments import runner, schedule
from experiments.runner import Section
from lab import GAME

class Same:
    "Plays 40,000 games in no time."
    def play(self, first_deal, n_deals, seatings):
        n = n_deals * seatings.size
        names = ("score", "tiebreak", "decisions", "forfeits", "turns", "passes")
        columns = {name: np.zeros(n, np.int32) for name in names}
        return columns | {
            "deal": np.repeat(np.arange(first_deal, first_deal + n_deals), seatings.size),
            "seating": np.zeros(n, np.int32), "seat": np.zeros(n, np.int8), "agent": np.zeros(n, np.int16),
            "rank": np.ones(n, np.int8), "win": np.full(n, 0.25),
        }

def peak(chunks):
    plan = schedule.plan(1, 4, chunks * 40_000)
    folder = Path(sys.argv[1], str(chunks))
    (folder / "parts").mkdir(parents=True)
    (sums,) = runner.run([Section(GAME, plan, 40_000, Same(), folder, "run")], 2, True)
    assert sums.deals == plan.n_games
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

few = peak(8)
print((peak(80) - few) * 1024)
"""


def test_memory_does_not_grow_with_the_number_of_games(tmp_path):
    """Rows of the 72 chunks more would take half a gigabyte."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(tmp_path)], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 40e6
