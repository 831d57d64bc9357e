"""How deep a design is: what thinking longer, better, or with open cards wins, and whether strength is an order.

Four questions, each by one agent alone among copies of another, in all seatings of the same deals:

- budget: `mc` with twice the rollouts among `mc`. A game is deep where doubling keeps winning (a ladder of depth, as in
  Lantz, Isaksen, Jaffe, Nealen and Togelius, Depth in strategic games, 2017).
- order: each agent among the one before it in `ORDER`; a game of skill ranks them in that order.
- clairvoyance: `clairvoyant` among `mc` of the same rollouts: what a player who sees all cards would win.
- cycles: every agent of `ORDER` among every other, for three of which each ranks above the next.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from experiments.balance.designs import Design
from experiments.schedule import Lineup
from experiments.tables import Table
from experiments.tournament import Tournament, prepare
from gameapi.game import Game

BUDGET, STRENGTH, SIGHT = "budget", "order", "clairvoyance"
ORDER = ("random", "greedy", "heuristic")
"""Agents in the order of their skill; `mc` comes last."""

_WINS = (
    ("win_share", "wins / games", "wins of the agent alone among copies of the opponent; an equal share is 1/players"),
    ("win_share_low", "wins / games", "lower end of its 95 % interval, clustered by deal (Wilson)"),
    ("win_share_high", "wins / games", "upper end of it"),
    ("skill", "", "(win_share - 1/players) / (1 - 1/players): 0 where both are equally strong, 1 where it always wins"),
    ("skill_low", "", "lower end of its 95 % interval"),
    ("skill_high", "", "upper end of it"),
    ("n_games", "games", "games of the two"),
    ("n_deals", "deals", "deals of these games"),
)
COLUMNS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    "depth": [
        ("design", "", "the design"),
        ("players", "", "seats at the table"),
        ("question", "", "budget: twice the rollouts; order: the next stronger agent; clairvoyance: all cards open"),
        ("agent", "", "who sits alone"),
        ("opponent", "", "whose copies it meets"),
        *_WINS,
    ],
    "cycles": [
        ("design", "", "the design"),
        ("players", "", "seats at the table"),
        ("first", "", "an agent that ranks above the second more often than not"),
        ("second", "", "likewise above the third"),
        ("third", "", "likewise above the first"),
        ("agent", "", "of the weakest link"),
        ("opponent", "", "of the weakest link"),
        ("margin", "", "how far its share of pairs ranked above is over one half"),
        ("margin_low", "", "lower end of its 95 % interval"),
        ("margin_high", "", "upper end of it"),
        ("p_adjusted", "probability", "the largest of the three links' p-values, which are Holm's"),
        ("n_pairs", "pairs", "pairs of seats of the weakest link"),
        ("n_deals", "deals", "deals of these games"),
    ],
}
"""For each table its columns, each with unit and meaning."""


class Duel(NamedTuple):
    """One agent alone among copies of another, by their places in a list of agents, and what it is to tell."""

    question: str
    agent: int
    opponent: int


class Contest(NamedTuple):
    """Agents, and the duels among them."""

    agents: Sequence[str]
    duels: Sequence[Duel]

    def lineups(self, players: int) -> list[Lineup]:
        """Return the line-ups, each once: at a table of two both ways are one."""
        alone = [tuple(sorted([duel.agent] + [duel.opponent] * (players - 1))) for duel in self.duels]
        return list(dict.fromkeys(alone))


def searches(doublings: int) -> Contest:
    """Return the ladder of budgets from one rollout on, and the clairvoyant against its top."""
    rungs = [f"mc:rollouts={1 << rung}" for rung in range(doublings + 1)]
    climbs = [Duel(BUDGET, rung + 1, rung) for rung in range(doublings)]
    sight = Duel(SIGHT, doublings + 1, doublings)
    return Contest([*rungs, f"clairvoyant:rollouts={1 << doublings}"], [*climbs, sight])


def strengths(rollouts: int) -> Contest:
    """Return every agent of the order against every other."""
    agents = [*ORDER, f"mc:rollouts={rollouts}"]
    pairs = itertools.permutations(range(len(agents)), 2)
    return Contest(agents, [Duel(STRENGTH if a == b + 1 else "", a, b) for a, b in pairs])


def depth(
    game: Game,
    design: Design,
    games: int = 400,
    players: Sequence[int] | None = None,
    doublings: int = 3,
    seed: int = 1,
    jobs: int | None = None,
    quiet: bool = True,
) -> dict[str, Table]:
    """Play all duels of a design.

    Args:
        game: the game.
        design: rules and deck.
        games: games of each duel, or a few more.
        players: numbers of players, None for all.
        doublings: how often the rollouts of `mc` are doubled, from 1 on.
        seed: of deals and choices.
        jobs: chunks in play at a time, None for one a core; changes no number.
        quiet: whether to leave out the progress bar.

    Returns:
        The tables `depth` and `cycles`.
    """
    rows: list[dict[str, Any]] = []
    contests = (searches(doublings), strengths(1 << doublings))
    for contest in contests:
        setup = prepare(
            game,
            contest.agents,
            games * len(contest.duels),
            players,
            seed,
            contest.lineups,
            design.deck,
            design.rules,
        )
        found = setup.play(jobs=jobs, quiet=quiet)
        rows += ({"design": design.label, **row} for row in _rows(contest, found))
        cycles = found.tables["cycles"]  # of the last contest, in which all meet all
    order = [BUDGET, STRENGTH, SIGHT]
    rows.sort(key=lambda row: (row["players"], order.index(row["question"])))
    size = len(cycles["players"])
    return {
        "depth": {name: [row[name] for row in rows] for name, _, _ in COLUMNS["depth"]},
        "cycles": {
            name: [design.label] * size if name == "design" else list(cycles[name]) for name, _, _ in COLUMNS["cycles"]
        },
    }


def _rows(contest: Contest, found: Tournament) -> Iterator[dict[str, Any]]:
    """Give what came of each duel that has a question."""
    table = found.tables["head_to_head"]
    for values in zip(*table.values(), strict=True):
        row = dict(zip(table, values, strict=True))
        for duel in contest.duels:
            pair = contest.agents[duel.agent], contest.agents[duel.opponent]
            if duel.question and pair == (row["agent"], row["opponent"]):
                yield {"question": duel.question, **row, **_skill(row)}


def _skill(row: Mapping[str, Any]) -> dict[str, float]:
    equal = 1 / row["players"]
    return {f"skill{end}": (row[f"win_share{end}"] - equal) / (1 - equal) for end in ("", "_low", "_high")}
