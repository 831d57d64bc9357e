"""The services of `gameapi`: bits, random numbers, clock, records, the compile cache, and the checks for any game."""

import dataclasses
import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bound
import hot_subjects
import numpy as np
import pytest
from numba import types
from scipy import stats

from gameapi import clock, conformance, jit, kernel, records, rng
from gameapi.conformance import Subject
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from hotsim import deck, kernels
from hotsim.game import GAME

ROOT = Path(__file__).parent.parent
U64 = np.uint64
WORDS = [0, 1, 2, 3, 5, 1 << 63, (1 << 64) - 1, 0xF0F0, 0x8000_0000_0000_0001, *(1 << k for k in range(0, 64, 7))]
WORDS += np.random.default_rng(1).integers(0, 2**64, 40, dtype=np.uint64).tolist()


def run(code: str, **environment: str) -> str:
    """Run a script in a process of its own, warnings being errors, and give what it prints."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# Bits


def test_bits_compiled_and_plain() -> None:
    bound.check_bits(WORDS)


def test_bits_without_the_deposit_instruction() -> None:
    code = f"import bound; assert not bound.bits._has_deposit(); bound.check_bits({WORDS}); print('ok')"
    assert run(code, NUMBA_CPU_NAME="generic") == "ok\n"


# Random numbers


def _draws(work: Any, numbers: Any, limits: Any, below: Any) -> None:
    for i in range(numbers.shape[0]):
        numbers[i] = rng.draw(work)
    for i in range(below.shape[0]):
        below[i] = rng.draw_below(work, limits[i])


@pytest.mark.parametrize("start", [0, 1, 2**64 - 1, 0x9E3779B97F4A7C15])
def test_kernel_and_plain_streams_are_one(start: int) -> None:
    dtype = np.dtype([("before", np.int8), ("stream", np.uint64)], align=True)
    arrays = types.uint64[::1]
    draws = compiled(types.void(jit.pointer(dtype), arrays, arrays, arrays), cache=False)(_draws)
    work = np.zeros(1, dtype).view(np.recarray)[0]
    work.stream = U64(start)
    limits = np.array([1, 2, 3, 7, 64, 1000, 2**20, 2**31, 2**32 - 1] * 30, np.uint64)
    numbers, below = np.zeros(50, np.uint64), np.zeros(len(limits), np.uint64)
    draws(work, numbers, limits, below)
    plain = rng.PlainStream(start)
    assert numbers.tolist() == [plain.draw() for _ in numbers]
    assert below.tolist() == [plain.below(int(n)) for n in limits]
    assert (below < limits).all()
    assert int(work.stream) == plain.state


def test_numbers_below_are_uniform() -> None:
    for n in (2, 3, 10, 41):
        source = rng.PlainStream(n)
        counts = np.bincount([source.below(n) for _ in range(300 * n)], minlength=n)
        assert stats.chisquare(counts).pvalue > 1e-6


def test_splitmix64_is_the_published_one() -> None:
    # The first three outputs for the seed 1234567, as published with the generator.
    source = rng.PlainStream(1234567)
    assert [source.draw() for _ in range(3)] == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_streams_of_games_and_purposes_do_not_overlap() -> None:
    starts, first = set(), set()
    key = rng.run_key(1, 4)
    for index in range(300):
        for purpose in range(6):
            start = int(rng.stream(key, U64(index), U64(purpose)))
            starts.add(start)
            source = rng.PlainStream(start)
            first.update(source.draw() for _ in range(20))
    assert len(starts) == 1800
    assert len(first) == 1800 * 20, "no stream runs through the numbers of another"


def test_keys_of_runs_differ() -> None:
    seeds = [0, 1, 2, 3, 2**32, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**100, -1, -2]
    keys = {int(rng.run_key(seed, players)) for seed in seeds for players in range(2, 6)}
    assert len(keys) == 4 * len(seeds)


# Clock and records


def _now() -> Any:
    return clock.nanoseconds()


def test_compiled_code_reads_the_monotonic_clock() -> None:
    now = compiled(types.int64(), cache=False)(_now)
    times = [time.monotonic_ns(), now(), clock.nanoseconds(), now(), time.monotonic_ns()]
    assert times == sorted(times)
    assert times[-1] - times[0] < 5e9


def _assign(target: Any, source: Any) -> None:
    records.assign(target, source)


def test_records_are_copied_whole() -> None:
    inner = np.dtype([("a", np.int16, (3,)), ("b", np.uint64)], align=True)
    dtype = np.dtype([("x", np.uint8), ("inner", inner), ("y", np.float64, (2, 2))], align=True)
    noise = np.random.default_rng(1).integers(0, 256, 2 * dtype.itemsize, dtype=np.uint8)
    whole = compiled(types.void(jit.pointer(dtype), jit.pointer(dtype)), cache=False)(_assign)
    for copy in (whole, records.assign):
        both = noise.copy().view(dtype).view(np.recarray)
        before = both[1].tobytes()
        copy(both[0], both[1])
        assert conformance.differing(both[0], both[1]) == []
        assert both[1].tobytes() == before


# The contract


def test_what_a_module_lacks_is_named() -> None:
    assert kernel.fulfils(kernels) == []
    part = ModuleType("part")
    part.deal = part.step = lambda: None  # type: ignore[attr-defined]
    assert kernel.fulfils(part) == [name for name in kernel.CONTRACT if name not in ("deal", "step")]
    for name in kernel.CONTRACT:
        function = getattr(kernel, name)
        with pytest.raises(NotImplementedError, match=rf"kernel\.{name}"):
            function(*[None] * function.__code__.co_argcount)
        assert kernel.signature(name, GAME.layout)


# The compile cache


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("gameapi/rng.py", "hotsim/turn.py", "agents/greedy.py", "experiments/match.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setattr(jit, "_ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["gameapi/rng.py", "hotsim/turn.py", "agents/greedy.py", "experiments/match.py"])
def test_an_edit_of_any_kernel_source_leaves_the_old_cache(name: str, tree: Path) -> None:
    before = jit._stamp()
    assert jit._stamp() == before
    (tree / name).write_text("x = 2\n", encoding="utf-8")
    after = jit._stamp()
    assert after != before
    (tree / name).write_text("x = 1\n", encoding="utf-8")
    assert jit._stamp() == before
    (tree / name).with_name("new.py").write_text("", encoding="utf-8")
    assert jit._stamp() != before or name.startswith("experiments")


def test_other_files_leave_the_cache_as_it_is(tree: Path) -> None:
    before = jit._stamp()
    (tree / "experiments" / "plots.py").write_text("x = 2\n", encoding="utf-8")
    (tree / "hotsim" / "notes.txt").write_text("x = 2\n", encoding="utf-8")
    assert jit._stamp() == before


def test_flags_that_change_the_code_change_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    stamps = {jit._stamp()}
    for flag in ("BOUNDSCHECK", "DEBUG", "CPU_NAME"):
        with monkeypatch.context() as context:
            context.setattr(jit.config, flag, "another")
            stamps.add(jit._stamp())
    assert len(stamps) == 4


def test_every_file_with_kernels_counts_for_the_cache() -> None:
    counted = {path for pattern in jit._SOURCES for path in ROOT.glob(pattern)}
    packages = ("gameapi", "hotsim", "agents", "experiments")
    uses = [
        path for package in packages for path in (ROOT / package).rglob("*.py") if "gameapi.jit" in path.read_text()
    ]
    compiling = [path for path in uses if "specialise" in path.read_text() or "kernel(" in path.read_text()]
    assert {path.name for path in compiling if path not in counted} == set()


def test_where_nothing_can_be_written_the_cache_is_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert jit._cache_folder() == tmp_path / "cache" / "hot-and-heat" / jit._stamp()
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked / "below"))
    found = jit._cache_folder()
    assert found.is_dir()
    assert tmp_path not in found.parents


def test_two_bindings_of_one_function_are_kept_apart(tmp_path: Path) -> None:
    expected = [13, 21, 19, 51]
    assert bound.both_bindings()[0] == expected
    code = "import json, bound; print(json.dumps(bound.both_bindings()))"
    runs = [json.loads(run(code, NUMBA_CACHE_DIR=str(tmp_path))) for _ in range(2)]
    assert [results for results, _ in runs] == [expected, expected]
    assert [hits for _, hits in runs] == [[0, 0], [1, 1]], "the second process finds both in the cache"


def test_specialise_leaves_the_original_alone() -> None:
    with pytest.raises(NotImplementedError):
        bound.with_part(3)


PLAY = """
import json
import numpy as np
from agents.catalog import resolve
from experiments.match import Match
from hotsim import deck
from hotsim.game import GAME
from hotsim.rules import Rules

rows = []
with np.errstate(over="ignore"):  # numpy says where an unsigned integer wraps, which is meant
    for players, agents in ((2, ["random"]), (4, ["random"]), (3, ["greedy", "heuristic"])):
        roster = [resolve(agent, GAME) for agent in agents]
        seating = np.array([[seat % len(roster) for seat in range(players)]], np.int16)
        played = Match(GAME, Rules(), deck.default(), players, roster, 5).play(1, 1, seating)
        rows.append({name: values.tolist() for name, values in played.items()})
print(json.dumps(rows))
"""


def test_the_same_games_are_played_without_the_compiler() -> None:
    plain = json.loads(run(PLAY, NUMBA_DISABLE_JIT="1"))
    assert [len(rows["score"]) for rows in plain] == [2, 4, 3]
    assert plain == json.loads(run(PLAY))


# The checks for any game


class Broken(Game):
    """Hot Heads with one function of the contract replaced."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        super().__init__(**{key: getattr(GAME, key) for key in Game.__dataclass_fields__})
        object.__setattr__(self, "_replaced", (name, function))

    def call(self, name: str) -> Callable[..., Any]:
        replaced, function = self._replaced  # type: ignore[attr-defined]
        return function if name == replaced else super().call(name)  # type: ignore[no-any-return]


def broken(name: str, function: Callable[..., Any]) -> tuple[Subject, list[Any]]:
    """Give a table at a broken game, and states of the sound one."""
    sound = hot_subjects.subject(3)
    states = conformance.positions(sound, games=1)
    return dataclasses.replace(sound, game=Broken(name, function)), states[::7]


def real(name: str) -> Callable[..., Any]:
    return GAME.call(name)


def _twice_listed(state: Any, rules: Any, work: Any) -> int:
    n = real("legal")(state, rules, work)
    work.legal[n] = work.legal[0]
    work.n_legal = n + 1
    return int(n) + 1


def _first_more_often(state: Any, rules: Any, work: Any) -> int:
    action = real("random_action")(state, rules, work)
    n = real("legal")(state, rules, work)
    return int(work.legal[0]) if action == work.legal[n - 1] else int(action)


def _never_the_same(state: Any, rules: Any, work: Any) -> int:
    n = real("legal")(state, rules, work)
    place = (int(work.total[0]) if 0 <= work.total[0] < n else 0) + 1
    work.total[0] = place
    return int(work.legal[place % n])


def _drawing_step(state: Any, rules: Any, action: int, work: Any) -> None:
    work.stream += U64(1)
    real("step")(state, rules, action, work)


def _noting_returns(state: Any, rules: Any, work: Any) -> None:
    state.turns += 1
    real("returns")(state, rules, work)


def _greedy_returns(state: Any, rules: Any, work: Any) -> None:
    real("returns")(state, rules, work)
    work.win[0] = 1.0


def _no_determinize(state: Any, rules: Any, seat: int, work: Any) -> None:
    pass


def _leaky_determinize(state: Any, rules: Any, seat: int, work: Any) -> None:
    next_card = int(state.cards[int(rules.draw_start) + int(state.drawn)])
    real("determinize")(state, rules, seat, work)
    state.cards[int(rules.draw_start) - 1] = next_card


def _losing_determinize(state: Any, rules: Any, seat: int, work: Any) -> None:
    real("determinize")(state, rules, seat, work)
    state.cards[int(rules.n_cards) - 1] = 0


def _visible_determinize(state: Any, rules: Any, seat: int, work: Any) -> None:
    real("determinize")(state, rules, seat, work)
    state.count[seat, 0] += 1


def _peeking_foresee(state: Any, rules: Any, action: int, work: Any) -> None:
    real("step")(state, rules, action, work)
    real("rollout")(state, rules, work)


def _shallow_copy(target: Any, source: Any) -> None:
    real("copy")(target, source)
    target.turns = 0


@pytest.mark.parametrize(
    ("name", "function", "check", "says"),
    [
        ("legal", _twice_listed, conformance.check_legal, "listed twice"),
        ("random_action", _first_more_often, conformance.check_uniform, "not uniform"),
        ("random_action", _never_the_same, conformance.check_uniform, "repeat the last"),
        ("step", _drawing_step, conformance.check_pure, "draws random numbers"),
        ("returns", _noting_returns, conformance.check_pure, "returns changes the state"),
        ("returns", _greedy_returns, conformance.check_returns, "shared equally|who is best"),
        ("determinize", _no_determinize, conformance.check_determinize, "never changes anything"),
        ("determinize", _leaky_determinize, conformance.check_determinize, "not blind, .* shows in cards"),
        ("determinize", _losing_determinize, conformance.check_determinize, "sees a change|cards were"),
        ("determinize", _visible_determinize, conformance.check_determinize, "sees a change"),
        ("foresee", _peeking_foresee, conformance.check_foresee, "foresee peeks"),
        ("copy", _shallow_copy, conformance.check_copies, "copy differs"),
    ],
)
def test_the_checks_catch_a_broken_game(
    name: str, function: Callable[..., Any], check: Callable[..., None], says: str
) -> None:
    subject, states = broken(name, function)
    given = {conformance.check_copies: 0, conformance.check_uniform: states[2]}.get(check, states)
    with pytest.raises(AssertionError, match=says):
        check(subject, given)


@pytest.mark.parametrize(
    ("change", "says"), [(lambda key, n: 1, "one key for two"), (lambda key, n: key + n, "two keys")]
)
def test_the_check_of_keys_catches_too_few_and_too_many(change: Callable[..., Any], says: str) -> None:
    calls = itertools.count()
    keys = Broken("info_key", lambda *args: change(int(real("info_key")(*args)), next(calls)))
    few = deck.from_tokens({"1+1": 40, "sabotage": 40}, "few faces")
    subject = dataclasses.replace(hot_subjects.subject(3, cards_of=few), game=keys)
    with pytest.raises(AssertionError, match=says):
        conformance.check_info_key(subject, walks=60)


def test_excess_of_chi_square_is_about_normal() -> None:
    for freedom, p in ((1, 0.01), (5, 0.001), (50, 1e-6), (200, 0.5)):
        statistic = stats.chi2.isf(p, freedom)
        counts = np.full(freedom + 1, 1000.0)
        counts[0] += (statistic * 1000 * (freedom + 1) / (freedom + 1)) ** 0.5
        far = conformance.excess(counts, np.full(freedom + 1, 1000.0))
        assert far == pytest.approx(stats.norm.isf(p), abs=0.25)


def test_different_distributions_are_told_apart() -> None:
    random = np.random.default_rng(1)
    one, same, other = (random.integers(0, high, (4000, 2)) for high in (6, 6, 7))
    assert conformance.same_distribution(one, same) < 4
    assert conformance.same_distribution(one, other) > 10
    # Equal means and marginals, but not independent:
    joined = np.repeat(random.integers(0, 6, (4000, 1)), 2, axis=1)
    assert conformance.same_distribution(one, joined) > 10
