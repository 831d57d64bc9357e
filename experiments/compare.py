"""Is agent A better than agent B? A sequential test from Python: plan, play until it is decided, and read the tables.

    from experiments.compare import compare
    result = compare("hotsim", "heuristic", "greedy", players=4)
    result.better, result.compare

One deal is one observation: it is played in all seatings of A alone among copies of B and of B alone among copies of
A, and its score x is the share of pairs of seats, one of A and one of B in the same game, in which A ranks above B,
equal ranks counting a half. Whatever seats and cards are worth, x has mean 1/2 where the agents are equally strong.
The statistics are in `experiments.sequential`.

The test looks at the deals chunk by chunk, in the order of their numbers, whichever was played first; chunks beyond
the one that decides are dropped. So the same call gives the same numbers, whatever `jobs` is and however often it was
interrupted.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments import result, runner, schedule, sequential, store
from experiments.columns import described
from experiments.drawing import Draw, draughtsman
from experiments.folders import open_run
from experiments.runner import Section, Task
from experiments.schedule import Lineup, Plan
from experiments.sequential import BETTER, UNDECIDED, Terms
from experiments.sums import Sums
from experiments.tables import Part, Table, build, to_rows
from experiments.tournament import Setup, check_jobs
from experiments.tournament import prepare as prepare_games
from gameapi.game import Game
from gameapi.jsonl import write_whole

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "lab-compare/1"
GAMES = 50_000  # by default: a test of 10 Elo points in the middle of its hypotheses hardly ever takes as many
LOOK, LOOKS = 32, 256  # deals between looks, and about how many looks there are at most
SECONDS_BETWEEN_STATES = 0.5
ALONE = {"a": 0, "b": 1}  # rows of the table `head_to_head`

METHOD = (
    "Intervals are 95 %. Of elo: median-unbiased with the stage-wise ordering of a sequential test's outcomes, which "
    "accounts for stopping early (Siegmund, Sequential Analysis, 1985). Of x, elo_plain, win shares: Wilson with the "
    "effective sample size of the deals, as if their number had been fixed. Elo points are cut at 1200 either way. "
    "Each number of players is a test of its own: its chances of error are not corrected for there being several."
)
METHODS = {"*_low, *_high": METHOD}
_LOW, _HIGH = "lower end of its interval", "upper end of its interval"
_PLAYERS = ("players", "", "seats at the table")

COLUMNS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "compare": [
        _PLAYERS,
        ("agent_a", "", "A's whole spec"),
        ("agent_b", "", "B's whole spec"),
        ("verdict", "", f"{BETTER}, {sequential.NOT_BETTER}, or {UNDECIDED}"),
        ("n_deals", "deals", "deals that were counted, each played in all seatings"),
        ("n_games", "games", "games of these deals"),
        ("x", "pairs / n_pairs", "pairs of seats in which A ranks above B, equal ranks counting a half"),
        ("x_low", "pairs / n_pairs", _LOW),
        ("x_high", "pairs / n_pairs", _HIGH),
        ("elo", "Elo points", "how much better A is; accounts for stopping early"),
        ("elo_low", "Elo points", _LOW),
        ("elo_high", "Elo points", _HIGH),
        ("elo_plain", "Elo points", "400 log10(x / (1 - x)), as if the number of deals had been fixed"),
        ("elo_plain_low", "Elo points", _LOW),
        ("elo_plain_high", "Elo points", _HIGH),
        ("llr", "", "log likelihood ratio of elo1 against elo0 at the end"),
        ("llr_lower", "", "at or below it A is not better by elo1"),
        ("llr_upper", "", "at or above it A is better"),
        ("deals_needed", "deals", "n_deals where it is decided, else what it would take to a bound at the pace so far"),
        ("deals_fixed", "deals", "what a test of fixed size with the same chances of error takes, by the spread seen"),
        ("a_alone", "wins / games", "win share of A alone among copies of B; the equal share is 1/players"),
        ("a_alone_low", "wins / games", _LOW),
        ("a_alone_high", "wins / games", _HIGH),
        ("b_alone", "wins / games", "win share of B alone among copies of A; the equal share is 1/players"),
        ("b_alone_low", "wins / games", _LOW),
        ("b_alone_high", "wins / games", _HIGH),
        ("a_forfeits", "decisions", "decisions that A forfeited"),
        ("b_forfeits", "decisions", "decisions that B forfeited"),
    ],
    "steps": [
        _PLAYERS,
        ("look", "", "0 is the first chunk of deals"),
        ("n_deals", "deals", "deals so far"),
        ("n_games", "games", "games so far"),
        ("x", "pairs / n_pairs", "pairs of seats in which A ranks above B so far, equal ranks counting a half"),
        ("llr", "", "log likelihood ratio of elo1 against elo0"),
    ],
}
"""For each table its columns, each with unit (or numerator / denominator) and meaning."""


class Step(NamedTuple):
    """What a look found; the fields are the columns of the table `steps`."""

    players: int
    look: int
    n_deals: int
    n_games: int
    x: float
    llr: float


@dataclass
class Trial:
    """The test of one number of players as it goes on.

    Attributes:
        plan: who sits where; its deals are the most that are played.
        test: the hypotheses.
        counts: how often each deal score was seen, in half pairs of seats.
        sums: sums over the deals that count, None before the first.
        steps: what each look found.
        verdict: what the last look says.
        waiting: chunks that were played before their turn, by number.
    """

    plan: Plan
    test: Terms
    counts: npt.NDArray[np.int64]
    sums: Sums | None = None
    steps: list[Step] = field(default_factory=list)
    verdict: str = UNDECIDED
    waiting: dict[int, tuple[npt.NDArray[np.int64], Sums]] = field(default_factory=dict)

    def hear(self, number: int, counts: npt.NDArray[np.int64], sums: Sums) -> bool:
        """Take in a chunk, and look at all whose turn has come; return whether more are wanted."""
        self.waiting[number] = counts, sums
        while self.verdict == UNDECIDED and len(self.steps) in self.waiting:
            counts, sums = self.waiting.pop(len(self.steps))
            self.counts += counts
            self.sums = sums if self.sums is None else self.sums + sums
            self._look()
        return self.verdict == UNDECIDED

    def _look(self) -> None:
        deals = int(self.counts.sum())
        ratio = float(sequential.log_likelihood_ratio(self.counts, self.test))
        points = int(self.counts @ np.arange(len(self.counts)))
        share = points / (deals * (len(self.counts) - 1))
        self.steps.append(
            Step(self.plan.players, len(self.steps), deals, deals * self.plan.n_seatings, share, ratio + 0.0)
        )
        self.verdict = sequential.verdict(ratio, deals, self.test)


Tell = Callable[[Trial], object]


def lineups(players: int) -> list[Lineup]:
    """Return the line-ups of a comparison: A (0) alone among copies of B (1), and B alone among copies of A."""
    return [(0, 1)] if players == 2 else [(0,) + (1,) * (players - 1), (0,) * (players - 1) + (1,)]


def pairs_a_deal(plan: Plan) -> int:
    """Return the pairs of seats, one of A and one of B in the same game, over all seatings of a deal."""
    return plan.n_seatings * (plan.players - 1)


def deal_scores(columns: store.Columns, plan: Plan) -> npt.NDArray[np.int64]:
    """Count the scores of whole deals.

    Args:
        columns: rows ordered by deal, seating and seat; of them `rank` is read.
        plan: who sat where.

    Returns:
        How many deals gave A 0, 1, ... half pairs of seats; the last entry is all pairs won.
    """
    is_a = plan.seatings == 0
    a_alone = is_a.sum(axis=1) == 1
    lone = np.where(a_alone, is_a.argmax(axis=1), is_a.argmin(axis=1))
    rank = columns["rank"].reshape(-1, *plan.seatings.shape).astype(np.int64)
    own = np.take_along_axis(rank, lone[None, :, None], axis=2)
    ahead = np.sign(rank - own).sum(axis=2) * np.where(a_alone, 1, -1)
    most = pairs_a_deal(plan)
    return np.bincount(ahead.sum(axis=1) + most, minlength=2 * most + 1)


@dataclass(frozen=True)
class Comparison:
    """What a comparison found.

    Attributes:
        game: the game.
        manifest: what was played, see `experiments.store`.
        tables: `compare`, one row for each number of players, and `steps`, one for each look; as dicts of columns.
        folder: the run folder, None where nothing was kept.
    """

    game: Game
    manifest: Mapping[str, Any] = field(repr=False)
    tables: Mapping[str, Table] = field(repr=False)
    folder: Path | None

    @property
    def better(self) -> bool:
        """Tell whether A is better at every number of players."""
        return all(verdict == BETTER for verdict in self.tables["compare"]["verdict"])

    @cached_property
    def compare(self) -> pd.DataFrame:
        """One row for each number of players: verdict, strength with intervals, deals, win shares."""
        return self._frame(self.tables["compare"])

    @cached_property
    def steps(self) -> pd.DataFrame:
        """One row for each look of each number of players."""
        return self._frame(self.tables["steps"])

    @cached_property
    def columns(self) -> pd.DataFrame:
        """One row for each column of each table: unit or numerator / denominator, and meaning."""
        return self._frame(described(COLUMNS, METHODS))

    def _frame(self, table: Table) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(table)

    def json(self) -> dict[str, Any]:
        """Return the result as a JSON document of format `lab-compare/1`; NaN is null."""
        kept = self.manifest
        return {
            "format": FORMAT,
            **{key: kept[key] for key in ("game", "version", "seed", "rules")},
            "deck": {key: kept["deck"][key] for key in ("name", "provenance", "digest")},
            **{name: entry["agent"] for name, entry in zip("ab", kept["agents"], strict=True)},
            "test": kept["test"],
            "better": self.better,
            "intervals": METHOD,
            "tables": {name: to_rows(table) for name, table in self.tables.items()},
        }


def compare(
    game: str | Game,
    a: str | Callable[..., Any],
    b: str | Callable[..., Any],
    test: Terms = Terms(),  # noqa: B008  # a tuple of numbers
    games: int = GAMES,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    deck: Any = None,
    rules: Any = None,
    out: str | Path | None = None,
    resume: bool = False,
    move_limit: str | None = None,
    tell: Tell | None = None,
) -> Comparison:
    """Test whether A is better than B; each number of players is a test of its own.

    Args:
        game: its name, such as "hotsim".
        a: A's spec, such as "mc:rollouts=64", or a callable of your own.
        b: B's; may be the same.
        test: the hypotheses and chances of error.
        games: games for each number of players at most, rounded up to whole deals.
        players: numbers of players, None for all that the game allows.
        seed: any integer; decides deals and choices.
        jobs: chunks in play at a time, None for one a core; changes no number.
        deck: a deck, or a deck file; None for the default deck.
        rules: rules, a rules file, or a dict of options that differ from the default.
        out: the run folder; None keeps no rows and writes nothing.
        resume: whether to go on with the run in `out`.
        move_limit: "5ms" or "200rollouts" a decision; one that takes more is forfeited.
        tell: is called with a `Trial` after each of its looks.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        AgentError: an agent raised or returned an illegal action.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    setup = prepare(game, a, b, test, games, players, seed, deck, rules, move_limit)
    return play(setup, out, resume, jobs, tell=tell)


def prepare(
    game: str | Game,
    a: str | Callable[..., Any],
    b: str | Callable[..., Any],
    test: Terms = Terms(),  # noqa: B008  # a tuple of numbers
    games: int = GAMES,
    players: int | Sequence[int] | None = None,
    seed: int = 1,
    deck: Any = None,
    rules: Any = None,
    move_limit: str | None = None,
) -> Setup:
    """Resolve and check everything a comparison needs, and play nothing; arguments as in `compare`."""
    sequential.check(test)
    setup = prepare_games(game, [a, b], games, players, seed, lineups, deck, rules, move_limit)
    costs = [player.cost for player in setup.roster]
    looks = {
        str(plan.players): min(schedule.deals_per_chunk(plan, costs), max(LOOK, plan.n_deals // LOOKS))
        for plan in setup.plans
    }
    manifest = {**setup.manifest, "test": test._asdict(), "deals_per_part": looks}
    return replace(setup, manifest={**manifest, "identity": store.identity(manifest)})


def play(
    setup: Setup,
    out: str | Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    command: str = "python",
    draw: Draw | None = None,
    tell: Tell | None = None,
) -> Comparison:
    """Play until it is decided, or go on with it; arguments as in `compare` and `Setup.play`."""
    jobs = check_jobs(jobs)
    if out is None:
        return _played(setup, setup.sections(None, setup.manifest), setup.manifest, None, jobs, tell)
    folder = Path(out)
    with open_run(folder, resume, setup.manifest, command) as manifest:
        finished = manifest["state"] == "done"  # then there is nothing to play, though not every chunk is there
        found = result.sections(setup.game, manifest, folder) if finished else setup.sections(folder, manifest)
        if draw is not None:
            return _kept(_played(setup, found, manifest, folder, jobs, tell), draw)
        with draughtsman() as draw:
            return _kept(_played(setup, found, manifest, folder, jobs, tell), draw)


def _kept(found: Comparison, draw: Draw) -> Comparison:
    """Write tables and figures, and what was found, to the run folder."""
    assert found.folder is not None
    store.write_tables(found.folder, {**found.tables, "columns": described(COLUMNS, METHODS)})
    draw(found.tables, found.folder / "figures")
    return found


def _played(
    setup: Setup,
    sections: Sequence[Section],
    manifest: Mapping[str, Any],
    folder: Path | None,
    jobs: int,
    tell: Tell | None,
) -> Comparison:
    test = Terms(**manifest["test"])
    trials = [Trial(s.plan, test, np.zeros(2 * pairs_a_deal(s.plan) + 1, dtype=np.int64)) for s in sections]
    last_state = 0.0

    def watch(task: Task, columns: store.Columns, sums: Sums) -> bool:
        nonlocal last_state
        trial = trials[task.section]
        n_looks = len(trial.steps)
        more = trial.hear(task.number, deal_scores(columns, trial.plan), sums)
        if len(trial.steps) > n_looks:
            if tell is not None:
                tell(trial)
            if folder is not None and time.monotonic() - last_state > SECONDS_BETWEEN_STATES:
                last_state = time.monotonic()
                _write_state(folder, trials)
        return more

    runner.run(sections, jobs, True, watch=watch)
    looks = [section.deals_per_part for section in sections]
    names = [player.text for player in setup.roster]
    tables = _tables(setup.game, names, trials, looks)
    if folder is not None:
        _drop_surplus(folder, trials)
        _write_state(folder, trials)
    return Comparison(setup.game, manifest, tables, folder)


def _drop_surplus(folder: Path, trials: Sequence[Trial]) -> None:
    """Remove parts of chunks that were played, or in play, when the test had been decided without them."""
    for trial in trials:
        for number in store.part_numbers(folder, trial.plan.players):
            if number >= len(trial.steps):
                store.part_path(folder, trial.plan.players, number).unlink()


def _write_state(folder: Path, trials: Sequence[Trial]) -> None:
    """Say how far the tests have come."""
    lines = [{**trial.steps[-1]._asdict(), "verdict": trial.verdict} for trial in trials if trial.steps]
    write_whole(folder / "state.json", json.dumps(lines, indent=1) + "\n")


# ---- tables ---------------------------------------------------------------------------------------------------------


def _tables(game: Game, names: Sequence[str], trials: Sequence[Trial], looks: Sequence[int]) -> dict[str, Table]:
    rows = [_row(game, names, trial, look) for trial, look in zip(trials, looks, strict=True)]
    steps = [step for trial in trials for step in trial.steps]
    return {
        "compare": {name: [row[name] for row in rows] for name, _, _ in COLUMNS["compare"]},
        "steps": {name: [getattr(step, name) for step in steps] for name, _, _ in COLUMNS["steps"]},
    }


def _row(game: Game, names: Sequence[str], trial: Trial, look: int) -> dict[str, Any]:
    """Return the row of a trial; shares and their intervals are those that a tournament's tables have."""
    assert trial.sums is not None
    step, test = trial.steps[-1], trial.test
    met = build(game, names, [Part(trial.plan, trial.sums)])["head_to_head"]
    elo = sequential.estimate(trial.counts, test, trial.verdict, look)
    row = {
        **step._asdict(),
        "agent_a": names[0],
        "agent_b": names[1],
        "verdict": trial.verdict,
        **{f"elo{end}": value for end, value in zip(("", "_low", "_high"), elo, strict=True)},
        **dict(zip(("llr_lower", "llr_upper"), test.bounds, strict=True)),
        "deals_needed": _needed(step, trial.verdict, test),
        "deals_fixed": sequential.fixed_deals(trial.counts, test),
        "a_forfeits": int(trial.sums.forfeits[0]),
        "b_forfeits": int(trial.sums.forfeits[1]),
    }
    for end in ("", "_low", "_high"):
        row[f"x{end}"] = met[f"beats{end}"][0]
        row[f"elo_plain{end}"] = round(sequential.rating(row[f"x{end}"]), sequential.DIGITS)
        for name, at in ALONE.items():
            row[f"{name}_alone{end}"] = met[f"win_share{end}"][at]
    return row


def _needed(step: Step, verdict: str, test: Terms) -> float:
    """Return the deals that the decision took, or would take at the pace so far."""
    if verdict != UNDECIDED:
        return float(step.n_deals)
    low, high = test.bounds
    return math.ceil(step.n_deals * (high if step.llr > 0 else low) / step.llr) if step.llr else math.nan
