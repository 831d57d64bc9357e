import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from lab import GAME, FakeMatch

from experiments import schedule, store
from gameapi.errors import UnreadableError, UserError

PLAN = schedule.plan(2, 3, 40)
RUN = "some run"


def rows(deals=PLAN.n_deals):
    return store.compact(FakeMatch([0.0, 3.0]).play(0, deals, PLAN.seatings), GAME)


@pytest.fixture
def part(tmp_path):
    path = tmp_path / "p3-00000.parquet"
    store.write_part(path, store.as_part(rows(), RUN))
    return path


def test_rows_read_back_as_they_were(part):
    columns = rows()
    found = store.read_part(part, list(columns), RUN, len(columns["deal"]))
    for name, values in columns.items():
        assert found[name].dtype == values.dtype == store.row_columns(GAME)[name]
        assert (found[name] == values).all()


def test_wins_are_kept_exactly():
    played = FakeMatch([0.0, 0.0], noise=1.0, seat_luck=0.0).play(0, 400, PLAN.seatings)
    assert set(np.unique(np.round(played["win"], 3))) == {0.0, 0.333, 0.5, 1.0}
    assert np.allclose(store.compact(played, GAME)["win_60ths"] / 60, played["win"])


def test_the_same_rows_give_the_same_bytes(part, tmp_path):
    again = tmp_path / "again.parquet"
    store.write_part(again, store.as_part(rows(), RUN))
    assert again.read_bytes() == part.read_bytes()


def test_other_tools_read_parts(part):
    frame = pd.read_parquet(part)
    assert list(frame) == list(store.row_columns(GAME))
    assert len(frame) == PLAN.n_games * 3
    assert pq.read_schema(part).field("score").nullable is False


def test_a_part_that_was_cut_short_is_told(part):
    part.write_bytes(part.read_bytes()[:-100])
    with pytest.raises(
        UnreadableError, match=r"p3-00000\.parquet: damaged: .*delete this file and go on with --resume"
    ):
        store.read_part(part, ["score"], RUN)


def test_an_empty_part_is_told(part):
    part.write_bytes(b"")
    with pytest.raises(UnreadableError, match="damaged"):
        store.read_part(part, ["score"], RUN)


def test_a_part_of_another_run_is_told(part):
    with pytest.raises(UnreadableError, match="is a part of another run"):
        store.read_part(part, ["score"], "another run")


def test_a_part_with_too_few_rows_is_told(part):
    with pytest.raises(UnreadableError, match=r"not whole: \d+ rows, expected 7"):
        store.read_part(part, ["score"], RUN, 7)


def manifest(**changes):
    made = {
        "format": store.FORMAT,
        "game": "toy",
        "version": "1",
        "seed": 1,
        "agents": [{"agent": "random", "parameters": {}}],
        "rules": {"storms": 4},
        "deck": {"name": "default", "digest": "abc"},
        "plans": [{"players": 3, "n_deals": 5, "lineups": [[0, 0, 0]]}],
        "move_limit": "",
        "state": "done",
        **changes,
    }
    return {**made, "identity": store.identity(made)}


def test_a_manifest_reads_back(tmp_path):
    store.write_manifest(tmp_path, manifest())
    assert store.read_manifest(tmp_path) == manifest()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"format": "lab-run/1", "game"', "damaged"),
        ('{"format": "lab-run/2"}', "written by another version of the lab"),
        ('{"format": "music"}', "not from this lab"),
        ("[1, 2]", "not from this lab"),
        ('{"format": "lab-run/1"}', "game, version, seed.* missing"),
        (json.dumps({**manifest(), "seed": 2}), "changed after it was written"),
    ],
)
def test_a_folder_with_a_bad_manifest_is_told(tmp_path, content, message):
    (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(UnreadableError, match=f"manifest.json: .*{message}"):
        store.read_manifest(tmp_path)


def test_a_folder_without_a_manifest_is_told(tmp_path):
    with pytest.raises(UnreadableError, match=r"holds no manifest.json, so it is no run folder"):
        store.read_manifest(tmp_path)
    with pytest.raises(UnreadableError, match="there is no such folder"):
        store.read_manifest(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(UnreadableError, match="is a file"):
        store.read_manifest(tmp_path / "file")


def test_runs_that_differ_say_in_what():
    found = store.differences(manifest(), manifest(seed=2, rules={"storms": 3}, plans=[]))
    assert found[0] == "seed (1, now 2)"
    assert found[1] == 'rules ({"storms": 4}, now {"storms": 3})'
    assert found[2].startswith("games, players or line-ups")
    assert store.differences(manifest(), manifest()) == []


def test_a_deck_by_another_name_is_the_same_deck():
    renamed = manifest(deck={"name": "mine", "digest": "abc"})
    assert renamed["identity"] == manifest()["identity"]


def test_a_new_run_needs_a_folder_of_its_own(tmp_path):
    store.prepare(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "parts").is_dir()
    (tmp_path / "notes.txt").touch()
    with pytest.raises(UserError, match=r"holds other files \(a\); give a new or an empty folder"):
        store.prepare(tmp_path)
    with pytest.raises(UserError, match="cannot be made"):
        store.prepare(tmp_path / "notes.txt" / "x")


def test_a_folder_that_a_killed_process_had_just_made_is_taken(tmp_path):
    store.prepare(tmp_path)
    with store.lock(tmp_path):
        store.prepare(tmp_path)
    (tmp_path / "parts" / "p3-00000.parquet").touch()
    with pytest.raises(UserError, match=r"holds other files \(parts\)"):
        store.prepare(tmp_path)


def test_a_part_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(UserError, match=r"none/p3-00000\.parquet: cannot be written: No such file"):
        store.write_part(tmp_path / "none" / "p3-00000.parquet", b"rows")


LOCK = """
import sys
from pathlib import Path
from experiments import store
with store.lock(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_kept_out_until_the_first_ends_in_any_way(tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    first = subprocess.Popen(
        [sys.executable, "-c", LOCK, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    try:
        assert first.stdout.readline() == b"locked\n"
        with pytest.raises(UserError, match="another process is writing to this run"), store.lock(tmp_path):
            pass
    finally:
        first.kill()
        first.wait()
        first.stdin.close()
        first.stdout.close()
    with store.lock(tmp_path):
        pass


def test_what_a_killed_process_had_begun_is_cleared(tmp_path):
    store.prepare(tmp_path)
    left = tmp_path / "parts" / ".p3-00001.parquet.part"
    left.touch()
    store.tidy(tmp_path)
    assert not left.exists()


def test_writing_rows_is_quick(tmp_path):
    """Four million rows, a million games of four, take a sixth of a second."""
    import time

    plan = schedule.plan(2, 4, 50_000)
    rng, n = np.random.default_rng(1), plan.n_games * 4
    columns = {name: rng.integers(0, 9, n).astype(dtype) for name, dtype in store.row_columns(GAME).items()}
    times = []
    for _ in range(4):
        start = time.process_time()
        store.write_part(tmp_path / "p.parquet", store.as_part(columns, RUN))
        times.append(time.process_time() - start)
    assert min(times) * 20 < 1.5  # nine times what was measured, so that a busy machine passes
    assert (tmp_path / "p.parquet").stat().st_size < 16 * n
