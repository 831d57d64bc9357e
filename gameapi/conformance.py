"""What every game must pass that says it fulfils `gameapi.kernel`; plain functions for the tests of any game.

A check raises AssertionError with a text that says what does not hold, at which table and in which state. What only
the game can tell comes in with a `Subject`: what a seat knows, and which cards a state holds. Everything is
repeatable: all random numbers come from streams with fixed starts, and statistical checks fail a sound game about
once in a million.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from gameapi import kernel
from gameapi.game import Game
from gameapi.jit import kernel as compiled
from gameapi.jit import specialise
from gameapi.rng import DEAL, run_key, stream

FAR = 5.0  # standard deviations; a normal number lies beyond once in 1.7 million
STREAMS = 2  # determinizations of each state and seat


@dataclass(frozen=True)
class Subject:
    """A game at a table, and what the checks must be told about it.

    Attributes:
        game, rules, deck, players: what is played.
        view: (state, rules record, seat) -> everything the seat knows, a value that can be compared and hashed.
        cards: (state, rules record) -> how often the state holds each card, wherever it lies.
        longest: bound of the decisions of one game; None for `game.longest`.
    """

    game: Game
    rules: Any
    deck: Any
    players: int
    view: Callable[[Any, Any, int], Hashable]
    cards: Callable[[Any, Any], Mapping[Any, int]]
    longest: int | None = None

    @functools.cached_property
    def record(self) -> Any:
        """The kernel's rules record."""
        return self.game.record(self.rules, self.deck, self.players)[0]

    @property
    def limit(self) -> int:
        """The bound of the decisions of one game that holds here."""
        return self.game.longest if self.longest is None else self.longest

    def __str__(self) -> str:
        """Name the table in a message."""
        return f"{self.game.name}, {self.players} players"

    def call(self, name: str, *args: Any) -> Any:
        """Call a function of the contract."""
        return self.game.call(name)(*args)

    def work(self, start: int, nonsense: int = 0) -> Any:
        """Return a work record with a stream of its own and nonsense, of one kind or another, in every other field."""
        work = _nonsense(self.game, nonsense).copy()[0]
        work.stream = stream(run_key(start, self.players), np.uint64(start), DEAL)
        return work

    def deal(self, number: int) -> Any:
        """Return the state at the start of a game."""
        state = np.zeros(1, self.game.layout.STATE).view(np.recarray)[0]
        self.call("deal", state, self.record, self.work(number))
        return state

    def copy(self, state: Any) -> Any:
        """Return a copy of a state, made by the contract's `copy`."""
        made = np.zeros(1, self.game.layout.STATE).view(np.recarray)[0]
        self.call("copy", made, state)
        return made

    def legal(self, state: Any) -> list[int]:
        """Return the actor's legal actions."""
        work = self.work(0)
        return [int(action) for action in work.legal[: self.call("legal", state, self.record, work)]]

    def determinized(self, state: Any, seat: int, start: int) -> Any:
        """Return a world that a seat cannot tell from a state."""
        made = self.copy(state)
        self.call("determinize", made, self.record, seat, self.work(start, nonsense=4))
        return made

    def returns(self, state: Any) -> tuple[list[int], list[int], list[float]]:
        """Return every player's score, tie-break and share of the win as if the game ended now."""
        work, n = self.work(0), self.players
        self.call("returns", state, self.record, work)
        return work.score[:n].tolist(), work.tiebreak[:n].tolist(), work.win[:n].tolist()


@functools.cache
def _nonsense(game: Game, kind: int) -> Any:
    """Return a work record, an array of shape (1,), of random bytes."""
    noise = np.random.default_rng(kind).integers(1, 256, game.layout.WORK.itemsize, dtype=np.uint8)
    return noise.view(game.layout.WORK).view(np.recarray)


def positions(subject: Subject, games: int, first: int = 0) -> list[Any]:
    """Return every state of some random games, the final ones included; the deals are first, first + 1, ..."""
    found = []
    for number in range(first, first + games):
        state, work = subject.deal(number), subject.work(number + 1_000_000)
        found.append(subject.copy(state))
        while state.actor >= 0:
            subject.call(
                "step", state, subject.record, subject.call("random_action", state, subject.record, work), work
            )
            found.append(subject.copy(state))
            assert len(found) <= games * (subject.limit + 1), f"{subject}: a game goes on and on"
    return found


def differing(one: Any, other: Any) -> list[str]:
    """Return the names of the fields in which two records of one dtype differ."""
    return [name for name in one.dtype.names if not np.array_equal(one[name], other[name])]


# ---- statistics -----------------------------------------------------------------------------------------------------


def excess(observed: npt.ArrayLike, expected: npt.ArrayLike, constraints: int = 1) -> float:
    """Return how many standard deviations a chi-square statistic lies above what chance brings.

    Wilson and Hilferty's cube root makes the statistic nearly normal.

    Args:
        observed: counts.
        expected: counts of the same shape, all above 0.
        constraints: sums that observed and expected share; the degrees of freedom are so many fewer.
    """
    found, meant = np.asarray(observed, float).ravel(), np.asarray(expected, float).ravel()
    freedom = found.size - constraints
    if freedom < 1:
        return 0.0
    statistic = float(((found - meant) ** 2 / meant).sum())
    spread = 2 / (9 * freedom)
    return ((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5  # type: ignore[no-any-return]


def same_distribution(one: npt.NDArray[Any], other: npt.NDArray[Any], rare: int = 40) -> float:
    """Return by how many standard deviations two samples differ more than two samples of one distribution would.

    Args:
        one: (n, k), n results of k whole numbers each; equal results are one case.
        other: (m, k), the results of the other sample.
        rare: cases that come up less often in both samples together are counted as one.
    """
    _, case = np.unique(np.concatenate([one, other]), axis=0, return_inverse=True)
    case = case.ravel()
    counts = np.stack(
        [
            np.bincount(case[: len(one)], minlength=case.max() + 1),
            np.bincount(case[len(one) :], minlength=case.max() + 1),
        ]
    )
    often = counts.sum(axis=0) >= rare
    pooled = counts[:, ~often].sum(axis=1, keepdims=True)
    counts = np.concatenate([counts[:, often], pooled] if pooled.sum() else [counts[:, often]], axis=1)
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0) / counts.sum()
    return excess(counts, expected, constraints=counts.shape[1] + 1)


# ---- compiled, with the name `kernel` bound to the game's module ----------------------------------------------------


def play_lengths(rules: Any, work: Any, key: Any, limit: int, lengths: Any) -> None:
    """Play random games, a stream each, and write how many decisions each took, limit + 1 where it does not end."""
    for i in range(lengths.shape[0]):
        work.stream = stream(key, np.uint64(i), DEAL)
        kernel.deal(work.playout, rules, work)
        n = 0
        while work.playout.actor >= 0 and n <= limit:
            kernel.step(work.playout, rules, kernel.random_action(work.playout, rules, work), work)
            n += 1
        lengths[i] = n


def play_scores(state: Any, rules: Any, work: Any, fused: bool, scores: Any) -> None:
    """Play a state out at random again and again, by `rollout` or step by step, and write the final scores."""
    for i in range(scores.shape[0]):
        kernel.copy(work.playout, state)
        if fused:
            kernel.rollout(work.playout, rules, work)
        else:
            while work.playout.actor >= 0:
                kernel.step(work.playout, rules, kernel.random_action(work.playout, rules, work), work)
            kernel.returns(work.playout, rules, work)
        for seat in range(rules.players):
            scores[i, seat] = work.score[seat]


@functools.cache
def _play_lengths(game: Game) -> Callable[..., None]:
    records = game.layout.RulesType, game.layout.WorkType
    signature = types.void(*records, types.uint64, types.int64, types.int64[::1])
    return compiled(signature)(specialise(play_lengths, game.name, kernel=game.kernels))  # type: ignore[no-any-return]


@functools.cache
def _play_scores(game: Game) -> Callable[..., None]:
    records = game.layout.StateType, game.layout.RulesType, game.layout.WorkType
    signature = types.void(*records, types.boolean, types.int64[:, ::1])
    return compiled(signature)(specialise(play_scores, game.name, kernel=game.kernels))  # type: ignore[no-any-return]


# ---- the checks -----------------------------------------------------------------------------------------------------


def check_contract(game: Game) -> None:
    """Hold that functions, records and description of a game are complete and within the limits of the contract."""
    missing = kernel.fulfils(game.kernels)
    assert not missing, f"{game.name}.kernels lacks {', '.join(missing)}"
    layout = game.layout
    assert "actor" in (layout.STATE.names or ()), f"{game.name}: the state record has no field 'actor'"
    for name, meaning in kernel.WORK_FIELDS.items():
        assert name in (layout.WORK.names or ()), f"{game.name}: the work record has no field {name!r}"
        field = layout.WORK[name]
        stated = meaning.split(",")[0].split()[0]
        expected = layout.STATE if stated == "a" else np.dtype(stated)
        assert field.base == expected, f"{game.name}: work.{name} is {field.base}, expected {expected}"
    assert layout.WORK["legal"].shape == layout.WORK["candidate"].shape == layout.WORK["total"].shape
    assert layout.WORK["statistic"].shape == (kernel.MAX_STATISTICS, kernel.MAX_SEATS)
    assert {layout.WORK[name].shape for name in ("score", "tiebreak", "win")} == {(kernel.MAX_SEATS,)}
    assert len(game.stats) <= kernel.MAX_STATISTICS, f"{game.name}: more than {kernel.MAX_STATISTICS} statistics"
    assert 1 <= game.seats[0] <= game.seats[-1] <= kernel.MAX_SEATS, f"{game.name}: {game.seats} players"
    assert 0 < game.n_actions <= np.iinfo(np.int16).max + 1, f"{game.name}: action ids do not fit int16"


def check_playouts(subject: Subject, games: int = 20_000) -> int:
    """Hold that random games end within the bound; return the most decisions of one game."""
    lengths = np.zeros(games, np.int64)
    key = run_key(1, subject.players)
    _play_lengths(subject.game)(subject.record, subject.work(0), key, subject.limit, lengths)
    worst = int(lengths.argmax())
    assert lengths[worst] <= subject.limit, f"{subject}: game {worst} takes more than {subject.limit} decisions"
    assert lengths.min() > 0, f"{subject}: game {int(lengths.argmin())} is over before it begins"
    return int(lengths[worst])


def check_legal(subject: Subject, states: Iterable[Any]) -> None:
    """Hold that whoever acts has legal actions, each listed once and in range, and random actions are among them."""
    for i, state in enumerate(states):
        if state.actor < 0:
            continue
        where = f"{subject}, state {i}"
        assert state.actor < subject.players, f"{where}: seat {state.actor} acts"
        work = subject.work(i, nonsense=3)
        n = subject.call("legal", state, subject.record, work)
        actions = work.legal[:n].tolist()
        assert n == work.n_legal > 0, f"{where}: {n} legal actions returned, {work.n_legal} noted"
        assert len(set(actions)) == n, f"{where}: a legal action is listed twice"
        assert min(actions) >= 0, f"{where}: action {min(actions)}"
        assert max(actions) < subject.game.n_actions, f"{where}: action {max(actions)}, the last should be one less"
        assert subject.legal(state) == actions, f"{where}: legal actions depend on the work record"
        drawn = subject.call("random_action", state, subject.record, work)
        assert drawn in actions, f"{where}: random_action gives {drawn}, which is not legal"


def check_uniform(subject: Subject, state: Any, draws: int = 3000, where: str = "") -> None:
    """Hold that random actions are uniform over the legal ones and independent from draw to draw."""
    actions = subject.legal(state)
    place, work = {action: i for i, action in enumerate(actions)}, subject.work(7)
    draw = subject.game.call("random_action")
    found = [int(draw(state, subject.record, work)) for _ in range(max(draws, 60 * len(actions)))]
    strange = set(found) - set(actions)
    assert not strange, f"{subject} {where}: random_action gives {sorted(strange)}, which are not legal"
    counts = np.bincount([place[action] for action in found], minlength=len(actions))
    far = excess(counts, np.full(len(actions), counts.mean()))
    assert far < FAR, (
        f"{subject} {where}: random actions are not uniform, {far:.1f} sd: {dict(zip(actions, counts, strict=True))}"
    )
    again = np.mean([one == other for one, other in itertools.pairwise(found)])
    share = 1 / len(actions)
    spread = (share * (1 - share) / (len(found) - 1)) ** 0.5
    assert abs(again - share) <= FAR * spread, (
        f"{subject} {where}: {again:.4f} of draws repeat the last, not {share:.4f}"
    )


def check_pure(subject: Subject, states: Iterable[Any]) -> None:
    """Hold that questions change no state, steps draw nothing, and neither looks at what is left in the work record."""
    for i, state in enumerate(states):
        where, record = f"{subject}, state {i}", subject.record
        kept = state.tobytes()
        work, other = subject.work(i, nonsense=1), subject.work(i + 1, nonsense=2)
        for name in ("returns", "statistics", *(("legal", "random_action") if state.actor >= 0 else ())):
            subject.call(name, state, record, work)
            assert state.tobytes() == kept, f"{where}: {name} changes the state"
        for seat in range(subject.players):
            subject.call("info_key", state, record, seat)
        assert state.tobytes() == kept, f"{where}: info_key changes the state"
        if state.actor < 0:
            continue
        for name in ("step", "foresee"):
            one, two, action = subject.copy(state), subject.copy(state), subject.legal(state)[-1]
            streams = int(work.stream), int(other.stream)
            subject.call(name, one, record, action, work)
            subject.call(name, two, record, action, other)
            assert not differing(one, two), f"{where}: {name} {action} twice gives different {differing(one, two)}"
            assert streams == (work.stream, other.stream), f"{where}: {name} draws random numbers"


def check_copies(subject: Subject, number: int = 0) -> None:
    """Hold that kept copies of earlier states never change, and that playing on a copy leaves the original."""
    state, work = subject.deal(number), subject.work(number)
    kept: list[tuple[Any, bytes]] = []
    while state.actor >= 0:
        kept.append((subject.copy(state), state.tobytes()))
        assert kept[-1][0].tobytes() == state.tobytes(), f"{subject}, ply {len(kept)}: a copy differs from its original"
        action = subject.call("random_action", state, subject.record, work)
        subject.call("step", state, subject.record, action, work)
    for ply, (copy, content) in enumerate(kept):
        assert copy.tobytes() == content, f"{subject}: the copy kept at ply {ply} has changed"
    start = subject.copy(kept[0][0])
    subject.call("rollout", start, subject.record, work)
    assert kept[0][0].tobytes() == kept[0][1], f"{subject}: playing a copy out changes the original"


def check_determinize(subject: Subject, states: Sequence[Any]) -> None:
    """Hold that a determinization keeps what the seat knows and every card, and can be played to the end.

    It must also be blind: what it leaves is a matter of the seat's knowledge and the stream alone, so that whoever gets
    the result has nothing to look at, and a search agent chooses the same whatever is hidden from it.
    """
    moved = False
    for i, state in enumerate(states):
        if state.actor < 0:
            continue
        cards, record = subject.cards(state, subject.record), subject.record
        for seat in range(subject.players):
            where = f"{subject}, state {i}, seat {seat}"
            view, key = subject.view(state, record, seat), subject.call("info_key", state, record, seat)
            worlds = [subject.determinized(state, seat, start) for start in range(STREAMS)]
            for world in worlds:
                assert subject.view(world, record, seat) == view, f"{where}: the seat sees a change"
                assert subject.call("info_key", world, record, seat) == key, f"{where}: info_key changes"
                after = subject.cards(world, record)
                assert after == cards, f"{where}: cards were {cards}, are {after}"
                moved = moved or bool(differing(world, worlds[0]))
            if seat == state.actor:
                assert subject.legal(state) == subject.legal(worlds[0]), f"{where}: other actions are legal"
            _check_blind(subject, [state, *worlds], seat, where)
            subject.call("rollout", worlds[0], record, subject.work(i))
            assert worlds[0].actor == -1, f"{where}: a determinized game does not end"
    assert moved, f"{subject}: determinize never changes anything"


def _check_blind(subject: Subject, states: Sequence[Any], seat: int, where: str) -> None:
    """Hold that states which a seat cannot tell apart are determinized alike, to the last byte of every field."""
    same = [subject.determinized(state, seat, STREAMS) for state in states]
    for made in same[1:]:
        if made.tobytes() != same[0].tobytes():
            told = ", ".join(differing(made, same[0])) or "the gaps between fields"
            raise AssertionError(f"{where}: determinize is not blind, what was hidden shows in {told}")


def check_foresee(subject: Subject, states: Iterable[Any]) -> None:
    """Hold that what an action is foreseen to bring does not depend on anything that is hidden from the actor."""
    for i, state in enumerate(states):
        if state.actor < 0:
            continue
        seat = int(state.actor)
        worlds = [state, *(subject.determinized(state, seat, start) for start in range(STREAMS))]
        for action in subject.legal(state):
            brings = []
            for world in worlds:
                trial = subject.copy(world)
                subject.call("foresee", trial, subject.record, action, subject.work(i))
                brings.append(subject.returns(trial))
            assert all(one == brings[0] for one in brings), f"{subject}, state {i}: foresee peeks at action {action}"


def check_returns(subject: Subject, states: Iterable[Any]) -> None:
    """Hold that the win is shared equally by those with the best score and tie-break, or that nobody has any of it."""
    for i, state in enumerate(states):
        scores, tiebreaks, wins = subject.returns(state)
        where = f"{subject}, state {i}: scores {scores}, tie-breaks {tiebreaks}, wins {wins}"
        winners = [seat for seat, win in enumerate(wins) if win]
        if not winners:
            continue
        assert all(wins[seat] == 1 / len(winners) for seat in winners), f"{where}: the win is not shared equally"
        ranks = list(zip(scores, tiebreaks, strict=True))
        assert winners == [seat for seat, rank in enumerate(ranks) if rank == max(ranks)], f"{where}: who is best?"


def check_rollout(subject: Subject, state: Any, playouts: int = 4000, where: str = "") -> None:
    """Hold that `rollout` brings final scores of the same distribution as random actions step by step."""
    fused, stepped = np.zeros((2, playouts, subject.players), np.int64)
    _play_scores(subject.game)(state, subject.record, subject.work(11), True, fused)
    _play_scores(subject.game)(state, subject.record, subject.work(12), False, stepped)
    spread = np.maximum(np.sqrt((fused.var(axis=0) + stepped.var(axis=0)) / playouts), 1e-9)
    far = float((np.abs(fused.mean(axis=0) - stepped.mean(axis=0)) / spread).max())
    assert far < FAR, f"{subject} {where}: rollouts score {fused.mean(axis=0)}, steps {stepped.mean(axis=0)} on average"
    joint = same_distribution(fused, stepped)
    assert joint < FAR, f"{subject} {where}: rollouts and steps score differently, by {joint:.1f} sd"


def check_info_key(subject: Subject, walks: int = 400, depth: int = 6, number: int = 0) -> int:
    """Hold that keys are equal exactly where what the seat knows is equal.

    All walks go a few random plies from one deal, so that many come to the same place on different ways, or to places
    that differ in little. A small deck helps.

    Returns:
        how many times a seat knew what it had known in another walk; 0 would mean that nothing was checked.
    """
    seen: dict[tuple[int, Hashable], int] = {}
    views: dict[tuple[int, int], Hashable] = {}
    repeats = 0
    for walk in range(walks):
        state, work = subject.deal(number), subject.work(walk)
        for _ in range(1 + walk % depth):
            if state.actor >= 0:
                action = subject.call("random_action", state, subject.record, work)
                subject.call("step", state, subject.record, action, work)
        for seat in range(subject.players):
            view = subject.view(state, subject.record, seat)
            key = int(subject.call("info_key", state, subject.record, seat))
            repeats += (seat, view) in seen
            known = views.setdefault((seat, key), view)
            assert known == view, f"{subject}, seat {seat}: one key for two views:\n{known}\n{view}"
            assert seen.setdefault((seat, view), key) == key, f"{subject}, seat {seat}: two keys for one view:\n{view}"
    return repeats
