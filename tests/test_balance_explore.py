"""The search over settings: it finds what was planted, tries nothing twice, and outlives a kill."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments.balance.explore import explore
from experiments.balance.search_tables import front
from experiments.balance.trials import Worth
from gameapi.errors import UnreadableError

SPACE = {
    "a": [str(i) for i in range(8)],
    "b": ["true", "false"],
    "c": ["1/4", "1/3", "1/2"],
    "d": [str(i) for i in range(9)],
}
FIRST = {"a": "2", "b": "true", "c": "1/2", "d": "8"}
ANSWER = {"a": "5", "b": "false", "c": "1/2", "d": "3"}
OBJECTIVES = 3


def worth_of(settings):
    """Know one answer among 432: two targets are met by it alone; a = 7 is impossible."""
    if settings["a"] == "7":
        return Worth([], None, "too many")
    one = abs(int(settings["a"]) - 5) + (settings["b"] == "true")
    two = abs(int(settings["d"]) - 3) + SPACE["c"][::-1].index(settings["c"])
    changes = sum(settings[key] != FIRST[key] for key in SPACE)
    return Worth([float(one), float(two), float(changes)], {"one": one})


def run(trials, journal=None, after=None, seed=1):
    return explore(SPACE, OBJECTIVES, worth_of, trials, seed, journal, FIRST, after)


@pytest.fixture(scope="module")
def undisturbed():
    return run(50)


def test_it_finds_what_was_planted(undisturbed):
    """At random, 50 trials of 432 would find it in 12 % of searches."""
    for tried in (undisturbed, run(50, seed=2)):
        (found,) = [trial for trial in tried if trial.worth.objectives[:2] == [0, 0]]
        assert found.settings == ANSWER
        assert found.number in front(tried)


def test_it_begins_with_the_base_and_tries_nothing_twice(undisturbed):
    assert undisturbed[0].settings == FIRST
    assert [trial.number for trial in undisturbed] == list(range(50))
    assert len({tuple(trial.settings.values()) for trial in undisturbed}) == 50


def test_it_learns_what_is_impossible(undisturbed):
    assert sum(bool(trial.worth.impossible) for trial in undisturbed[25:]) <= 25 / 8


def test_the_whole_space_is_enough():
    space = {"a": ["0", "1", "2"], "b": ["x", "y"]}
    tried = explore(space, 1, lambda settings: Worth([float(settings["a"])], None), 100, 1)
    assert {tuple(trial.settings.values()) for trial in tried} == {(a, b) for a in "012" for b in "xy"}


def test_an_interrupted_search_goes_on_as_if_nothing_had_happened(undisturbed, tmp_path):
    class StoppedError(Exception):
        pass

    def stop(trial):
        if trial.number in (3, 17, 18):
            raise StoppedError

    journal = tmp_path / "journal.jsonl"
    for number in (3, 17, 18):
        with pytest.raises(StoppedError):
            run(50, journal, stop)
        assert sum('"settings"' in line for line in journal.read_text().splitlines()) == number + 1
        with open(journal, "a") as file:
            file.write('{"op_code":4,"wor')  # what a killed process leaves of a line
    assert run(50, journal) == undisturbed
    assert run(30, journal) == undisturbed[:30]


def test_a_killed_search_goes_on_as_if_nothing_had_happened(undisturbed, tmp_path):
    journal = tmp_path / "journal.jsonl"
    code = (
        "import time; from pathlib import Path; from test_balance_explore import run; "
        "print('here', flush=True); run(50, Path('journal.jsonl'), lambda trial: time.sleep(0.05))"
    )
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE
    )
    assert process.stdout
    with process.stdout:
        assert process.stdout.readline() == b"here\n"
        deadline = time.monotonic() + 60
        while not journal.exists() or journal.read_bytes().count(b'"settings"') < 5:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    lock = Path(f"{journal}.lock")
    if not lock.is_symlink():
        lock.symlink_to(journal)  # as if it had died while it wrote, which happens
    kept = journal.read_bytes().count(b'"settings"')
    assert 5 <= kept < 50
    assert run(50, journal) == undisturbed


@pytest.mark.parametrize("content", ["no JSON\n", '{"op_code":0}\n', "[]\n", '{"op_code":77,"worker_id":"x"}\n'])
def test_a_damaged_journal_is_told(content, tmp_path):
    journal = tmp_path / "journal.jsonl"
    journal.write_text(content)
    with pytest.raises(UnreadableError, match=r"journal\.jsonl: damaged"):
        run(3, journal)


def test_the_journal_of_another_search_is_told(tmp_path):
    journal = tmp_path / "journal.jsonl"
    run(3, journal)
    with pytest.raises(UnreadableError, match="of another search"):
        explore({**SPACE, "d": ["7", "8"]}, OBJECTIVES, worth_of, 3, 1, journal, FIRST)
    with pytest.raises(UnreadableError, match="damaged"):
        explore(SPACE, 2, worth_of, 3, 1, journal, FIRST)
