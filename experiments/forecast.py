"""What a run will take: its size, and an estimate of its time from a short sample of play. Nothing is written."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.catalog import Player, resolve
from experiments import limits, runner, schedule, store
from experiments.match import Match
from experiments.result import sections
from experiments.runner import Section, Task

if TYPE_CHECKING:
    from pathlib import Path

    from experiments.tournament import Setup

FORMAT = "lab-plan/1"
SAMPLE_SECONDS = 2.0  # of play for each number of players; where a game of each line-up takes more, none is played
RANDOM_SECONDS = 0.05  # of random play for each number of players
MEASURED, NOMINAL = "measured", "nominal"


class RandomPlay(NamedTuple):
    """What a chunk takes that the random agent plays: seconds of play and of all else a game, bytes of its part."""

    seconds_a_game: float
    seconds_of_rows: float
    bytes_a_part: int


def forecast(setup: Setup, cores: int, folder: Path | None) -> dict[str, Any]:
    """Return the plan of a tournament with its size and an estimate of its time.

    Bytes are those of a chunk of random play with the same seatings. Seconds a game are measured for each line-up in
    its first seating (`basis` "measured"), or, where that would take longer than `SAMPLE_SECONDS`, are the agents'
    nominal costs times a random game's measured seconds ("nominal"). To these comes what rows take. Cores are taken to
    be equally fast.

    Args:
        setup: the tournament.
        cores: that will play.
        folder: of a run that goes on, to tell what is there already; None for a new one.

    Returns:
        A JSON document of format `lab-plan/1`.

    Raises:
        AgentError: an agent failed in the sample.
    """
    entries = [_entry(setup, section) for section in sections(setup.game, setup.manifest, folder)]
    total = {key: sum(entry[key] for entry in entries) for key in ("games", "games_there", "chunks", "rows", "bytes")}
    core_seconds = sum(entry["core_seconds"] for entry in entries)
    left = sum(entry["core_seconds"] * (1 - entry["games_there"] / entry["games"]) for entry in entries)
    return {
        "format": FORMAT,
        **{key: setup.manifest[key] for key in ("game", "version", "seed", "lineups", "move_limit")},
        "cores": cores,
        "agents": [{"agent": player.text, "nominal_cost": player.cost} for player in setup.roster],
        "plans": entries,
        "total": {**total, "core_seconds": core_seconds, "seconds_left": left / cores},
    }


def _entry(setup: Setup, section: Section) -> dict[str, Any]:
    """Return what the document says of one number of players."""
    plan, chunks = section.plan, section.chunks()
    random = _random_play(setup, section)
    costs = [player.cost for player in setup.roster]
    nominal = [float(np.mean([costs[agent] for agent in lineup])) for lineup in plan.lineups]
    basis, seconds = NOMINAL, [cost * random.seconds_a_game for cost in nominal]
    if sum(seconds) < SAMPLE_SECONDS:
        basis, seconds = MEASURED, _sample(setup, section)
    lineups: list[dict[str, Any]] = [
        {
            "lineup": [setup.roster[agent].text for agent in lineup],
            "seatings": schedule.n_permutations(lineup),
            "games": schedule.n_permutations(lineup) * plan.n_deals,
            "nominal_cost": cost,
            "seconds_a_game": each,
        }
        for lineup, cost, each in zip(plan.lineups, nominal, seconds, strict=True)
    ]
    rows = plan.n_games * plan.players
    rows_a_part = section.deals_per_part * plan.seatings.size
    return {
        "players": plan.players,
        "lineups": lineups,
        "seatings": plan.n_seatings,
        "deals": plan.n_deals,
        "games": plan.n_games,
        "games_there": sum(n for number, (_, n) in enumerate(chunks) if section.is_there(number)) * plan.n_seatings,
        "chunks": len(chunks),
        "games_a_chunk": section.deals_per_part * plan.n_seatings,
        "rows": rows,
        "bytes": round(rows * random.bytes_a_part / rows_a_part),
        "bytes_a_row": random.bytes_a_part / rows_a_part,
        "basis": basis,
        "core_seconds": sum(entry["games"] * entry["seconds_a_game"] for entry in lineups)
        + plan.n_games * random.seconds_of_rows,
    }


def _random_play(setup: Setup, section: Section) -> RandomPlay:
    """Have the random agent play a chunk in all the seats, and measure."""
    match = _match(setup, section, [resolve("random", setup.game)] * section.plan.n_agents)
    seconds = _seconds_a_game(match, section.plan.seatings, RANDOM_SECONDS)
    random = replace(section, match=match)
    columns = runner.play(random, Task(0, 0, 0, section.deals_per_part))
    section.summer.sums(columns)  # compiles, or loads
    start = time.perf_counter()
    part = store.as_part(columns, section.run)
    section.summer.sums(columns)
    taken = time.perf_counter() - start
    return RandomPlay(seconds, taken / (section.deals_per_part * section.plan.n_seatings), len(part))


def _sample(setup: Setup, section: Section) -> list[float]:
    """Return the seconds that a game of each line-up takes, in its first seating."""
    plan, match = section.plan, _match(setup, section, setup.roster)
    first = np.searchsorted(plan.lineup_of, np.arange(len(plan.lineups)))
    budget = SAMPLE_SECONDS / len(plan.lineups)
    return [_seconds_a_game(match, plan.seatings[i : i + 1], budget) for i in first]


def _match(setup: Setup, section: Section, roster: Sequence[Player]) -> Match:
    limit = limits.read(setup.manifest["move_limit"])
    return Match(setup.game, setup.rules, setup.deck, section.plan.players, roster, setup.seed, limit)


def _seconds_a_game(match: Match, seatings: npt.NDArray[np.int16], budget: float) -> float:
    """Return the seconds of a game, from a sample that takes about the budget.

    The sample grows until it takes a third of the budget for the second time: the first may be a pause of the machine.
    """
    deals, n_long = 1, 0
    while True:
        start = time.perf_counter()
        match.play(0, deals, seatings)
        taken, games = time.perf_counter() - start, deals * len(seatings)
        n_long += taken > budget / 3
        if n_long == 2 or games >= schedule.CHUNK_GAMES:
            return taken / games
        deals *= 2
