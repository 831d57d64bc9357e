"""Rulings: each reading of the rules that leaves a choice, the other way round, on the same deals.

    from experiments.balance.rulings import rulings
    result = rulings("hotsim", games=1_000_000)
    result.frame("verdicts")

A game's switches are its doubtful readings: a ruling that can be read in two ways is an option of its rules. A study
tells what flipping one changes, or that it changes nothing that so many games can see, and what they could have missed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from experiments import games as game_table
from experiments.balance import estimates
from experiments.balance.designs import Design, base, changed, where_they_differ
from experiments.balance.planned import Asked, Planned
from experiments.balance.results import table, work_out
from experiments.balance.study import Columns, Study
from experiments.balance.study import prepare as prepare_study
from experiments.tables import Table, to_rows
from experiments.tournament import player_counts
from gameapi.game import Game

KIND = "rulings"
GAMES = 1_000_000
SURE = 0.05
CHANGED, UNSEEN, NEVER = "changes", "nothing seen", "never differed"
SAME, IMPOSSIBLE = "the same game", "cannot be played"

COLUMNS: Columns = {
    "readings": [
        ("design", "", "the option, and the value that is another reading"),
        ("players", "", "seats at the table"),
        ("agent", "", "the level of skill: who plays"),
        ("metric", "", "which number"),
        ("base", "", "the number as the rules are"),
        ("value", "", "the number by the other reading"),
        ("difference", "", "value - base, on the same deals"),
        ("difference_low", "", "lower end of an interval; those of all rows of the table hold at once in 95 %"),
        ("difference_high", "", "upper end of it"),
        ("visible", "", "half its width: the smallest difference that the run could have seen"),
        ("p_adjusted", "probability", "of such a difference, or a larger one, if there were none (table differences)"),
        ("verdict", "", f"{CHANGED}: p_adjusted below {SURE:g}; else {UNSEEN}"),
        ("n_games", "games", "games that it is worked out from"),
        ("n_deals", "deals", "deals of these games"),
    ],
    "verdicts": [
        ("design", "", "the option, and the value that is another reading"),
        ("ruling", "", "the ruling that it belongs to"),
        ("meaning", "", "the option"),
        ("players", "", "seats at the table"),
        (
            "verdict",
            "",
            f"{CHANGED}: at least one number surely differs; {UNSEEN}: none does; {NEVER}: all numbers are equal to "
            f"the last digit; {SAME}: it has no bearing on a game of so many; {IMPOSSIBLE}: see table impossible",
        ),
        ("n_changed", "numbers", "numbers that surely differ, over all agents"),
        ("n_numbers", "numbers", "numbers that were compared"),
        ("changed", "", "which: metrics, with the agents"),
    ],
}
"""The columns of the tables that this adds."""


class Reading(NamedTuple):
    """Another reading: the option, its ruling and meaning, and the design."""

    ruling: str
    meaning: str
    design: Design


def rulings(
    game: str,
    rules: Any = None,
    deck: Any = None,
    out: str | Path | None = None,
    resume: bool = False,
    jobs: int | None = None,
    quiet: bool = True,
    **asked: Unpack[Asked],
) -> Study:
    """Flip every switch of the rules, one at a time.

    Args:
        game: its name, such as "hotsim".
        rules: the base's; None for the default ones.
        deck: the base's; None for the default one.
        out: the run folder; None keeps nothing and writes nothing.
        resume: whether to go on with the run in `out`.
        jobs: chunks in play at a time, None for one a core; changes no number.
        quiet: whether to leave out the progress bar.
        **asked: agents, games (1,000,000 where left out), search_games, players and seed, as in
            `experiments.balance.study.study`.

    Returns:
        The study; `verdicts` says what each reading changes, `readings` by how much, or what could have been seen.

    Raises:
        UserError: what was asked for cannot be played; says what is wrong and what would be right.
        InterruptedRun: Ctrl-C (a KeyboardInterrupt); with `out`, finished chunks are kept.
    """
    return plan(game, rules, deck, **asked).play(out, resume, jobs, quiet)


def plan(game: str, rules: Any = None, deck: Any = None, **asked: Unpack[Asked]) -> Planned:
    """Resolve and check everything, and play nothing; arguments as in `rulings`."""
    the_game = game_table.get(game)
    start = base(the_game, rules, deck)
    counts = player_counts(asked.get("players"), the_game, {})
    others = readings(the_game, start, counts)
    played = [other.design for other in others if other.design.players]
    with_games: Asked = {"games": GAMES, **asked}
    setup = prepare_study(the_game, [start, *played], KIND, **with_games)

    def more(study: Study) -> Mapping[str, Table]:
        rows = list(_readings(study))
        return {
            "readings": table("readings", rows, COLUMNS),
            "verdicts": table("verdicts", list(_verdicts(others, counts, rows)), COLUMNS),
        }

    return Planned(setup, more, COLUMNS, _draw)


def readings(game: Game, start: Design, counts: Sequence[int]) -> list[Reading]:
    """Return every switch flipped, each played where that is another game.

    Args:
        game: the game.
        start: the base.
        counts: the numbers of players of the study.
    """
    switches = [option for option in start.rules.options if option.kind == "boolean"]
    flipped = [
        changed(game, start, {option.name: str(not getattr(start.rules, option.name)).lower()}) for option in switches
    ]
    return [
        Reading(option.ruling, option.meaning, design)
        for option, design in zip(switches, where_they_differ(game, start, flipped, counts, True), strict=True)
    ]


def _readings(study: Study) -> Iterator[dict[str, Any]]:
    """Give the rows of `differences` with intervals that hold all at once, and what they could have seen."""
    rows = to_rows(study.tables["differences"])
    tested = sum(row["p_value"] is not None for row in rows)
    worked_out = work_out(study.found)
    found = study.found
    by_name = {
        (found.designs[key.design], key.players, found.agents[key.level], name): (key, name) for key, name in worked_out
    }
    for row in rows:
        key, name = by_name[row["design"], row["players"], row["agent"], row["metric"]]
        pair = worked_out[key, name], worked_out[key._replace(design=0), name]
        visible = math.nan if row["p_value"] is None else estimates.half_width(*pair, tested)
        difference = pair[0].value - pair[1].value
        p_adjusted = math.nan if row["p_adjusted"] is None else row["p_adjusted"]
        yield {
            **row,
            "base": pair[1].value,
            "value": pair[0].value,
            "difference": difference,
            "difference_low": difference - visible,
            "difference_high": difference + visible,
            "visible": visible,
            "p_adjusted": p_adjusted,
            "verdict": CHANGED if p_adjusted < SURE else UNSEEN,
            "differs": bool(difference) or not np.array_equal(pair[0].apart, pair[1].apart),
        }


def _verdicts(
    others: Sequence[Reading], counts: Sequence[int], rows: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    for other in others:
        for players in counts:
            here = [row for row in rows if (row["design"], row["players"]) == (other.design.label, players)]
            changes = [row for row in here if row["verdict"] == CHANGED]
            if not here:
                verdict = IMPOSSIBLE if players in (other.design.players or ()) else SAME
            else:
                unseen = UNSEEN if any(row["differs"] for row in here) else NEVER
                verdict = CHANGED if changes else unseen
            yield {
                "design": other.design.label,
                "ruling": other.ruling,
                "meaning": other.meaning,
                "players": players,
                "verdict": verdict,
                "n_changed": len(changes),
                "n_numbers": len(here),
                "changed": "; ".join(f"{row['metric']} ({row['agent']})" for row in changes),
            }


def _draw(study: Study) -> None:
    """Draw what the readings change, a figure for each number of players."""
    from experiments.balance import rulings_figures

    assert study.folder is not None
    rulings_figures.save_all(study.tables, study.folder / "figures")
