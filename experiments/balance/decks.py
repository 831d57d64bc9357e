"""What can be said of a game whose printed cards are not known: the same study with many plausible decks.

    from experiments.balance.decks import decks
    result = decks("hotsim", n=24, games=4000)
    result.frame("conclusions")

A conclusion that holds for every deck that could be the printed one does not depend on the guess.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, Unpack

from experiments import games as game_table
from experiments.balance import designs, estimates, files, targets
from experiments.balance.cells import Key
from experiments.balance.claims import Claim, claims
from experiments.balance.designs import Design
from experiments.balance.estimates import Estimate
from experiments.balance.metrics import metrics, unwatched
from experiments.balance.planned import Asked, Planned
from experiments.balance.plausible import sample
from experiments.balance.results import Found, table, work_out
from experiments.balance.study import Study
from experiments.balance.study import prepare as prepare_study
from experiments.intervals import Interval, interval_row, t_quantile, wilson
from experiments.tables import Table
from gameapi.errors import UserError

KIND = "decks"
DECKS, GAMES = 24, 4000
MOST_DECKS = 999

HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"
FOR_ALL, FOR_NONE, DEPENDS = "holds for all", "holds for none", "depends on the guess"
_SAID = {targets.MET: HOLDS, targets.NOT_MET: FAILS, targets.UNDECIDED: UNDECIDED}

_WHICH = (
    ("claim", "", "what is claimed, as a range of a metric"),
    ("players", "", "seats at the table"),
    ("agent", "", "the level of skill: who plays"),
)
_TOGETHER = "of intervals that hold all at once in 95 %: all decks, all claims"
COLUMNS = {
    "conclusions": [
        ("statement", "", "what is claimed, in words"),
        *_WHICH,
        (
            "verdict",
            "",
            f"{FOR_ALL}, {FOR_NONE}, {DEPENDS} (it holds for one deck and fails for another), or undecided",
        ),
        ("n_decks", "decks", "plausible decks that were played; the base is not among them"),
        ("holds", "decks", "decks for which it holds: the whole interval (table judgements) lies in the range"),
        ("fails", "decks", "decks for which it fails: no part of the interval does"),
        ("undecided", "decks", "decks whose interval straddles an end of the range"),
        ("share", "decks / n_decks", "plausible decks for which it holds"),
        (
            "share_low",
            "decks / n_decks",
            "lower end of Wilson's 95 % interval over decks, as if it failed where undecided",
        ),
        ("share_high", "decks / n_decks", "upper end, as if it held where undecided"),
        ("base", "see table definitions", "the metric with the base's deck"),
        ("base_verdict", "", "whether it holds for the base's deck"),
        ("least", "see table definitions", "the metric's smallest value over plausible decks"),
        ("median", "see table definitions", "its median"),
        ("most", "see table definitions", "its largest value"),
        ("n_games", "games", "games of each deck that it is worked out from"),
    ],
    "judgements": [
        *_WHICH,
        ("design", "", "the deck"),
        ("value", "see table definitions", "the metric"),
        ("value_low", "", f"lower end {_TOGETHER}"),
        ("value_high", "", f"upper end {_TOGETHER}"),
        ("verdict", "", "holds, fails, undecided"),
    ],
}


class Judged(NamedTuple):
    """A claim held against one deck."""

    claim: Claim
    design: int
    found: Interval
    verdict: str
    n_games: int


def decks(
    game: str,
    n: int = DECKS,
    claim: str | Sequence[str] = (),
    rules: Any = None,
    deck: Any = None,
    jobs: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = True,
    **asked: Unpack[Asked],
) -> Study:
    """Play many decks that the printed one could be, and tell what holds for all of them.

    Args:
        game: its name, such as "hotsim".
        n: how many plausible decks; deck k depends on `seed` and k alone (`plausible.sample`).
        claim: what else to judge, such as `seat_gap@4<0.03`; see `targets.read`.
        rules: the base's rules, which all decks are played by; None for the default ones.
        deck: the base's deck; None for the default one.
        jobs: chunks in play at a time, None for one a core; changes no number.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`.
        quiet: whether to leave out the progress bar.
        **asked: agents, games (4,000 where left out), search_games, players and seed, as in
            `experiments.balance.study.study`; the seed decides decks as well.

    Returns:
        The study; its tables `conclusions` and `judgements` say what holds.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    return plan(game, n, claim, rules, deck, **asked).play(out, resume, jobs, quiet)


def plan(
    game: str,
    n: int = DECKS,
    claim: str | Sequence[str] = (),
    rules: Any = None,
    deck: Any = None,
    **asked: Unpack[Asked],
) -> Planned:
    """Resolve and check everything, and play nothing; arguments as in `decks`."""
    the_game = game_table.get(game)
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= MOST_DECKS:
        raise UserError(f"found {n!r}, expected an integer from 1 to {MOST_DECKS}", "decks")
    texts = [claim] if isinstance(claim, str) else list(claim)
    claimed = [targets.read(text, unwatched(the_game), "claim") for text in texts]
    start = designs.base(the_game, rules, deck)
    with_games: Asked = {"games": GAMES, **asked}
    sampled = (sample(the_game, with_games.get("seed", 1), number) for number in range(1, n + 1))
    listed = [start, *(Design(found.name, {}, start.rules, found) for found in sampled)]
    settings = {"decks": n, "claims": [target.text for target in claimed]}
    setup = prepare_study(the_game, listed, KIND, settings=settings, **with_games)
    counts = {entry["players"] for entry in setup.manifest["plans"]}
    targets.check(claimed, sorted(counts), [level.agent.text for level in setup.levels])

    def more(study: Study) -> Mapping[str, Table]:
        weaker = {entry["agent"]: entry["weaker"] for entry in study.manifest["agents"]}
        return conclusions(study.found, weaker, claimed)

    def finish(study: Study) -> None:
        from experiments.balance import decks_figures

        assert study.folder is not None
        for design in listed[1:]:
            files.write(study.folder / "designs" / f"{design.label}.toml", files.deck_text(design.deck))
        decks_figures.save_all(study.tables, study.folder / "figures")

    return Planned(setup, more, COLUMNS, finish)


def conclusions(found: Found, weaker: Mapping[str, str], asked: Sequence[targets.Target] = ()) -> dict[str, Table]:
    """Return the tables `conclusions` and `judgements`.

    Args:
        found: a study whose first design is the base and the others are plausible decks.
        weaker: for each agent the one that it meets alone.
        asked: what else to judge.
    """
    worked_out = work_out(found)
    cells = {
        (name, key.players, found.agents[key.level]): estimate.value
        for (key, name), estimate in worked_out.items()
        if key.design == 0
    }
    judged = list(_judged(found, worked_out, claims(cells, weaker, asked)))
    by_claim: dict[Claim, list[Judged]] = {}
    for one in judged:
        by_claim.setdefault(one.claim, []).append(one)
    return {
        "conclusions": table("conclusions", [_concluded(claim, rows) for claim, rows in by_claim.items()], COLUMNS),
        "judgements": table("judgements", [_judgement(found, one) for one in judged], COLUMNS),
    }


def _judged(found: Found, worked_out: Mapping[tuple[Key, str], Estimate], listed: Sequence[Claim]) -> Iterator[Judged]:
    """Hold every claim against every deck; all intervals hold at once."""
    known = metrics(found.game)
    n_decks = len({key.design for key, _ in worked_out})
    cells = {(key.design, key.players, found.agents[key.level], name): one for (key, name), one in worked_out.items()}
    for claim in listed:
        for design in range(len(found.designs)):
            estimate = cells.get((design, claim.players, claim.agent, claim.target.metric))
            if estimate is None:
                continue
            family = n_decks * len(listed)
            interval = estimates.interval(estimate, known[claim.target.metric].is_share, family)
            yield Judged(claim, design, interval, _SAID[claim.target.verdict(interval)], estimate.n)


def _which(claim: Claim) -> dict[str, Any]:
    return {"claim": claim.target.text, "players": claim.players, "agent": claim.agent}


def _judgement(found: Found, one: Judged) -> dict[str, Any]:
    where = {"design": found.designs[one.design], "verdict": one.verdict}
    return {**_which(one.claim), **where, **interval_row("value", one.found)}


def _concluded(claim: Claim, rows: Sequence[Judged]) -> dict[str, Any]:
    """Return what all decks together say of a claim; the first row is the base's."""
    base, others = rows[0], rows[1:]
    said = Counter(one.verdict for one in others)
    n, values = len(others), [one.found.value for one in others]
    t = t_quantile(max(n - 1, 1))
    low, high = wilson(said[HOLDS] / n, n, t)[0], wilson((n - said[FAILS]) / n, n, t)[1]
    return {
        "statement": claim.statement,
        **_which(claim),
        "verdict": _verdict(said, n),
        "n_decks": n,
        **{name: said[name] for name in (HOLDS, FAILS, UNDECIDED)},
        **interval_row("share", Interval(said[HOLDS] / n, low, high)),
        "base": base.found.value,
        "base_verdict": base.verdict,
        "least": min(values),
        "median": median(values),
        "most": max(values),
        "n_games": base.n_games,
    }


def _verdict(said: Mapping[str, int], n: int) -> str:
    if said[HOLDS] == n:
        return FOR_ALL
    if said[FAILS] == n:
        return FOR_NONE
    return DEPENDS if said[HOLDS] and said[FAILS] else UNDECIDED
