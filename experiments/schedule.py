"""Who sits where on which deal.

A plan holds for one number of players. It has line-ups (which agents meet, as a multiset) and plays every line-up in
all its distinct seatings on the same deals: differences between agents are then neither luck of the seat nor, on
average, luck of the cards. Game number `deal * n_seatings + seating` is fixed by the plan; how games are cut into
chunks depends on the plan and on nominal costs only, never on the machine.
"""

from __future__ import annotations

import csv
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gameapi.errors import UnreadableError, UserError

MODES = {
    "all": "every multiset of agents",
    "focus": "the first agent alone against copies of each other one",
    "pairs": "every agent alone against copies of every other one, both ways",
    "mirror": "every agent against itself",
    "random": "a balanced sample of line-ups, for many agents",
}

SEATINGS_LIMIT = 20_000  # a chunk is at least a whole deal, and its rows are held in memory
CHUNK_GAMES = 50_000  # 12 MB of rows with five players; every core holds a chunk or two
CHUNK_SECONDS = 0.25
RANDOM_GAMES_PER_SECOND = 500_000
RANDOM_MODE_DEALS = 100  # so many deals at least are left when a random sample of line-ups is drawn
RANDOM_MODE_TRIES = 200

Lineup = tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """The games of one number of players.

    Attributes:
        players: seats at the table.
        n_agents: size of the roster that line-ups and seatings index.
        lineups: sorted roster indices of each line-up, a multiset.
        seatings: int16 (n_seatings, players), the roster index in each seat; line-up by line-up, in lexical order.
        lineup_of: int32 (n_seatings,), the line-up that a seating belongs to.
        n_deals: deals, each played in all seatings.
    """

    players: int
    n_agents: int
    lineups: tuple[Lineup, ...]
    seatings: npt.NDArray[np.int16]
    lineup_of: npt.NDArray[np.int32]
    n_deals: int

    @property
    def n_seatings(self) -> int:
        """Seatings of all line-ups together."""
        return len(self.seatings)

    @property
    def n_games(self) -> int:
        """Games played in all: deals times seatings."""
        return self.n_deals * self.n_seatings


def plan(
    n_agents: int, players: int, games: int, lineups: str | Sequence[Sequence[int]] = "all", seed: int = 1
) -> Plan:
    """Make the plan of one number of players.

    Args:
        n_agents: agents in the roster, at least 1.
        players: seats.
        games: games wanted, at least 1; rounded up to whole deals.
        lineups: a mode of `MODES`, or line-ups as lists of roster indices.
        seed: decides the sample of mode "random".

    Raises:
        UserError: unknown mode, nothing to play, or more seatings than `SEATINGS_LIMIT`.
    """
    if isinstance(lineups, str):
        chosen = _by_mode(lineups, n_agents, players, games, seed)
    else:
        chosen = tuple(tuple(sorted(lineup)) for lineup in lineups)
    n_seatings = sum(n_permutations(lineup) for lineup in chosen)
    _check_size(n_seatings, n_agents, players)
    seatings = [seating for lineup in chosen for seating in permutations(lineup)]
    lineup_of = np.repeat(np.arange(len(chosen), dtype=np.int32), [n_permutations(lineup) for lineup in chosen])
    return Plan(
        players,
        n_agents,
        chosen,
        np.array(seatings, dtype=np.int16).reshape(-1, players),
        lineup_of,
        -(-games // n_seatings),
    )


def _check_size(n_seatings: int, n_agents: int, players: int) -> None:
    if n_seatings > SEATINGS_LIMIT:
        raise UserError(
            f"{n_agents} agents at {players} seats make {n_seatings:,} seatings a deal, more than {SEATINGS_LIMIT:,}; "
            "choose --lineups focus, random or a CSV file of line-ups, or fewer agents",
            "lineups",
        )


def _by_mode(mode: str, n_agents: int, players: int, games: int, seed: int) -> tuple[Lineup, ...]:
    if mode not in MODES:
        raise UserError(f"unknown mode {mode!r}; expected {', '.join(MODES)} or a CSV file", "lineups")
    if n_agents == 1:
        return ((0,) * players,)
    if mode == "all":
        # every multiset in all its seatings is every way to fill the seats
        _check_size(n_agents**players, n_agents, players)
        return tuple(itertools.combinations_with_replacement(range(n_agents), players))
    if mode == "focus":
        return tuple((0,) + (other,) * (players - 1) for other in range(1, n_agents))
    if mode == "pairs":
        alone = (tuple(sorted((a,) + (b,) * (players - 1))) for a, b in itertools.permutations(range(n_agents), 2))
        return tuple(dict.fromkeys(alone))  # at two seats both ways are one
    if mode == "mirror":
        return tuple((agent,) * players for agent in range(n_agents))
    return _sample(n_agents, players, games, seed)


def _sample(n_agents: int, players: int, games: int, seed: int) -> tuple[Lineup, ...]:
    """Draw different line-ups in which all agents occur equally often, as many as leave enough deals."""
    rng = random.Random(f"lineups {seed} {n_agents} {players}")
    found: dict[Lineup, None] = {}
    n_seatings = 0
    for _ in range(RANDOM_MODE_TRIES):
        block = _balanced_block(n_agents, players, rng)
        if len(set(block)) < len(block) or any(lineup in found for lineup in block):
            continue
        n_seatings += sum(n_permutations(lineup) for lineup in block)
        if found and (n_seatings * RANDOM_MODE_DEALS > games or n_seatings > SEATINGS_LIMIT):
            break
        found.update(dict.fromkeys(block))
    if not found:  # a block holds nearly every line-up that there is: take them all
        every = itertools.combinations if n_agents >= players else itertools.combinations_with_replacement
        return tuple(every(range(n_agents), players))
    return tuple(found)


def _balanced_block(n_agents: int, players: int, rng: random.Random) -> list[Lineup]:
    """Lay shuffled rosters end to end, as many as cut evenly into line-ups, and cut them.

    Where the roster fills a table nobody meets a copy of itself: agents of a line-up that the last roster began are
    put off until it is full.
    """
    laid: list[int] = []
    for _ in range(players // math.gcd(n_agents, players)):
        roster = rng.sample(range(n_agents), n_agents)
        if n_agents >= players:
            begun = set(laid[len(laid) // players * players :])
            n_missing = players - len(begun)
            fresh = [agent for agent in roster if agent not in begun]
            rest = fresh[n_missing:] + list(begun)
            roster = fresh[:n_missing] + rng.sample(rest, len(rest))
        laid += roster
    return [tuple(sorted(laid[i : i + players])) for i in range(0, len(laid), players)]


def n_permutations(lineup: Lineup) -> int:
    """Return the number of distinct seatings of a line-up."""
    return math.factorial(len(lineup)) // math.prod(math.factorial(n) for n in Counter(lineup).values())


def permutations(lineup: Lineup) -> Iterator[Lineup]:
    """Yield the distinct seatings of a line-up in lexical order."""
    if not lineup:
        yield ()
        return
    for agent in sorted(set(lineup)):
        left = list(lineup)
        left.remove(agent)
        for rest in permutations(tuple(left)):
            yield (agent, *rest)


def game_cost(plan: Plan, costs: Sequence[float]) -> float:
    """Return the mean nominal cost of a game, in random games, from the cost of a game of each agent alone."""
    return float(np.mean(np.asarray(costs, dtype=np.float64)[plan.seatings]))


def deals_per_chunk(plan: Plan, costs: Sequence[float]) -> int:
    """Return the deals of a chunk: about `CHUNK_SECONDS` of play and at most `CHUNK_GAMES`, but one at least."""
    games = min(CHUNK_GAMES, CHUNK_SECONDS * RANDOM_GAMES_PER_SECOND / game_cost(plan, costs))
    return max(1, min(plan.n_deals, int(games / plan.n_seatings)))


def chunks(n_deals: int, per_chunk: int) -> list[tuple[int, int]]:
    """Cut deals into chunks (first deal, number of deals)."""
    return [(first, min(per_chunk, n_deals - first)) for first in range(0, n_deals, per_chunk)]


def read_lineups(path: str | Path, name_of: Callable[[str], str]) -> dict[int, list[tuple[str, ...]]]:
    """Read line-ups from a CSV file: agents separated by commas, one line-up a row, as many agents as players.

    Blank rows and rows that begin with # are skipped.

    Args:
        path: the file.
        name_of: gives the canonical name of a spec, and raises UserError where it is none.

    Returns:
        For each number of players the line-ups as canonical names, in the file's order.

    Raises:
        UnreadableError: the file cannot be read, or has a row that is no line-up or stands twice; names file and line.
    """
    found: dict[int, list[tuple[str, ...]]] = {}
    seen: dict[tuple[str, ...], int] = {}
    for line, cells in _rows(path):
        place = f"{path}:{line}"
        if not all(cells):
            raise UnreadableError("an empty cell; expected agents separated by commas", place)
        try:
            lineup = tuple(sorted(map(name_of, cells)))
        except UserError as fault:
            raise UnreadableError(str(fault), place) from None
        if lineup in seen:
            raise UnreadableError(f"the same line-up as in line {seen[lineup]}", place)
        seen[lineup] = line
        found.setdefault(len(lineup), []).append(lineup)
    if not found:
        raise UnreadableError("no line-ups; expected rows of agents separated by commas", str(path))
    return found


def _rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            for cells in reader:
                texts = [cell.strip() for cell in cells]
                if any(texts) and not texts[0].startswith("#"):
                    yield reader.line_num, texts
    except OSError as fault:
        raise UnreadableError(f"cannot be read: {fault.strerror}", str(path)) from None
    except (UnicodeDecodeError, csv.Error) as fault:
        raise UnreadableError(f"no CSV file: {fault}", str(path)) from None
