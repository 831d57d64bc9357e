import threading
import time

import numpy as np
import pytest
from lab import GAME, FakeMatch

from experiments import runner, schedule, store
from experiments.runner import InterruptedRun, Section
from gameapi.errors import AgentError, UnreadableError

PLAN = schedule.plan(2, 3, 400)
SIZE = 7
N_CHUNKS = len(schedule.chunks(PLAN.n_deals, SIZE))


def section(match, folder=None):
    if folder is not None:
        (folder / "parts").mkdir(exist_ok=True)
    return Section(GAME, PLAN, SIZE, match, folder, "a run")


def same(a, b):
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in vars(a))


def parts(folder):
    return {path.name: path.read_bytes() for path in sorted((folder / "parts").iterdir())}


class Failing(FakeMatch):
    """Plays `good` chunks, then does what `failure` does, once."""

    def __init__(self, good, failure):
        super().__init__([0.0, 3.0])
        self.good, self.failure = good, failure

    def play(self, first_deal, n_deals, seatings):
        if len(self.played) >= self.good and self.failure:
            failure, self.failure = self.failure, None
            failure()
        return super().play(first_deal, n_deals, seatings)


def raise_(fault):
    raise fault


def test_jobs_change_no_sum_and_no_byte(tmp_path):
    found = {}
    for jobs in (1, 2, 5):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        (sums,) = runner.run([section(FakeMatch([0.0, 3.0]), folder)], jobs, True)
        found[jobs] = sums, parts(folder)
    assert len(found[1][1]) == N_CHUNKS
    for jobs in (2, 5):
        assert same(found[jobs][0], found[1][0])
        assert found[jobs][1] == found[1][1]


def test_rows_kept_or_not_give_the_same_sums(tmp_path):
    (kept,) = runner.run([section(FakeMatch([0.0, 3.0]), tmp_path)], 2, True)
    (lost,) = runner.run([section(FakeMatch([0.0, 3.0]))], 2, True)
    (read,) = runner.run([section(None, tmp_path)], 1, True)
    assert same(kept, lost)
    assert same(kept, read)


def test_chunks_that_are_there_are_not_played_again(tmp_path):
    runner.run([section(FakeMatch([0.0, 3.0]), tmp_path)], 1, True)
    whole = parts(tmp_path)
    for number in (0, 3):
        store.part_path(tmp_path, 3, number).unlink()
    match = FakeMatch([0.0, 3.0])
    runner.run([section(match, tmp_path)], 1, True)
    assert match.played == [(0, SIZE), (3 * SIZE, SIZE)]
    assert parts(tmp_path) == whole


def test_only_what_is_there_is_read_without_a_match(tmp_path):
    runner.run([section(FakeMatch([0.0, 3.0]), tmp_path)], 1, True)
    for number in range(1, N_CHUNKS):
        store.part_path(tmp_path, 3, number).unlink()
    (sums,) = runner.run([section(None, tmp_path)], 1, True)
    assert sums.deals == SIZE
    store.part_path(tmp_path, 3, 0).unlink()
    assert runner.run([section(None, tmp_path)], 1, True) == [None]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_agent_stops_the_run_and_finished_chunks_stay(tmp_path, jobs):
    match = Failing(3, lambda: raise_(AgentError("raised ValueError", "mine.py:7")))
    with pytest.raises(AgentError, match="raised ValueError"):
        runner.run([section(match, tmp_path)], jobs, True)
    kept = [name for name in parts(tmp_path) if not name.startswith(".")]  # the other thread may be at its last one
    assert 3 <= len(kept) < N_CHUNKS
    (sums,) = runner.run([section(FakeMatch([0.0, 3.0]), tmp_path)], jobs, True)
    (whole,) = runner.run([section(FakeMatch([0.0, 3.0]))], jobs, True)
    assert same(sums, whole)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_is_answered_while_chunks_are_in_play(tmp_path, jobs):
    """Also with one job: a chunk that takes long does not hold the main thread."""
    import signal

    main = threading.main_thread().ident

    def stop():
        signal.pthread_kill(main, signal.SIGINT)
        time.sleep(1.5)

    start = time.perf_counter()
    with pytest.raises(InterruptedRun, match=r"of 400 games; kept in") as stopped:
        runner.run([section(Failing(4, stop), tmp_path)], jobs, True)
    assert time.perf_counter() - start < 1.4
    assert stopped.value.total == PLAN.n_games
    assert SIZE * PLAN.n_seatings <= stopped.value.done < PLAN.n_games
    assert isinstance(stopped.value, KeyboardInterrupt)


def test_a_damaged_part_is_told_not_played_over(tmp_path):
    runner.run([section(FakeMatch([0.0, 3.0]), tmp_path)], 1, True)
    path = store.part_path(tmp_path, 3, 2)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(UnreadableError, match=f"{path.name}: damaged"):
        runner.run([section(FakeMatch([0.0, 3.0]), tmp_path)], 2, True)


def test_several_numbers_of_players_are_played_side_by_side():
    plans = [schedule.plan(2, players, 100) for players in (2, 3)]
    sections = [Section(GAME, plan, SIZE, FakeMatch([0.0, 3.0]), None, "") for plan in plans]
    found = runner.run(sections, 2, True)
    assert [sums.deals for sums in found] == [plan.n_deals for plan in plans]
