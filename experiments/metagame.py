"""Which agents a population would settle on: alpha-rank and Nash averaging of a run, through OpenSpiel.

Alpha-rank plays the tournament's payoff tensor as a game of agents: mass of an agent is the share of time that evolving
populations, one for each seat (with two players a single one), spend with it, selection being as strong as can be.
Nash averaging takes the agents two by two: its mass is the Nash equilibrium of highest entropy of the game in which an
agent gets its `beats` less 1/2, and its value what an agent gets on average against that mix.

Both jump as payoffs pass each other, so that neither linearisation nor the jackknife applies: intervals are those of
the percentile bootstrap over the groups of deals, where that is cheap.
Sources: Omidshafiei and others, alpha-rank: multi-agent evaluation by evolution (2019), with infinite alpha; Balduzzi
and others, Re-evaluating evaluation (2018); Lanctot and others, OpenSpiel (2019); Efron, Bootstrap methods (1979).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.ratings import stages
from experiments.schedule import n_permutations
from experiments.sums import WIN_UNIT, Part, payoff_cells
from gameapi.errors import UserError

METHODS = ("alpha-rank", "nash")
MOST_PROFILES = 300  # who plays in each seat, for more than two players; a transition matrix of 1024 takes a minute
CHEAP_PROFILES = 64
RESAMPLES = 100

Matrix = npt.NDArray[np.float64]


def metagame(agents: Sequence[str], part: Part, method: str) -> dict[str, list[Any]]:
    """Return a table with one row an agent: players, method, agent, mass with 95 % interval, value, n_deals.

    Args:
        agents: whole specs in roster order.
        part: the plan and sums of one number of players.
        method: one of `METHODS`.

    Raises:
        UserError: OpenSpiel is missing, line-ups are missing, or there are too many for alpha-rank.
    """
    solve = {"alpha-rank": _alpha_rank, "nash": _nash}[method]
    deals = part.sums.orders.sum(axis=1)
    groups = np.flatnonzero(deals)
    tensor = {"alpha-rank": _tensor, "nash": _beats}[method](agents, part)
    whole = np.ones(len(groups))
    found, value = solve(tensor(whole), part.plan.players)
    rows = len(agents) if part.plan.players == 2 or method == "nash" else len(agents) ** part.plan.players
    ends = np.full((2, len(agents)), math.nan)
    if len(groups) > 1 and rows <= CHEAP_PROFILES:
        rng = np.random.default_rng(RESAMPLES)
        drawn = rng.multinomial(len(groups), whole / len(groups), size=RESAMPLES)
        masses = [solve(tensor(weights.astype(np.float64)), part.plan.players)[0] for weights in drawn]
        ends = np.quantile(masses, [0.025, 0.975], axis=0)
    return {
        "players": [part.plan.players] * len(agents),
        "method": [method] * len(agents),
        "agent": list(agents),
        "mass": _rounded(found),
        "mass_low": _rounded(ends[0]),
        "mass_high": _rounded(ends[1]),
        "value": _rounded(value),
        "n_deals": [part.sums.deals] * len(agents),
    }


def _rounded(values: Matrix) -> list[float]:
    return [round(float(value), 6) + 0.0 for value in values]


def _tensor(agents: Sequence[str], part: Part) -> Any:
    """Return a function from weights of groups to payoffs, (agents,) * players: what the first agent gets."""
    plan, sums = part
    cells = payoff_cells(plan)
    numbers = {lineup: number for number, lineup in enumerate(plan.lineups)}
    profiles = list(itertools.product(range(plan.n_agents), repeat=plan.players))
    missing = [profile for profile in profiles if tuple(sorted(profile)) not in numbers]
    if missing:
        names = ",".join(agents[number] for number in missing[0])
        raise UserError(
            f"alpha-rank needs every line-up, and {names} was not played; play with --lineups all", "metagame"
        )
    if plan.players > 2 and len(profiles) > MOST_PROFILES:
        raise UserError(
            f"alpha-rank of {plan.n_agents} agents at {plan.players} seats has {len(profiles):,} profiles, more than "
            f"{MOST_PROFILES}; choose --method nash, or fewer --players",
            "metagame",
        )
    at = np.array([cells[numbers[tuple(sorted(profile))], profile[0]] for profile in profiles])
    seats = np.array([profile.count(profile[0]) * n_permutations(tuple(sorted(profile))) for profile in profiles])
    groups = sums.orders.any(axis=1)
    wins = sums.payoffs[groups][:, at] / WIN_UNIT
    deals = stages(plan, sums.orders).deals

    def tensor(weights: Matrix) -> Matrix:
        return np.asarray((weights @ wins / (seats * (weights @ deals))).reshape((plan.n_agents,) * plan.players))

    return tensor


def _beats(agents: Sequence[str], part: Part) -> Any:
    """Return a function from weights of groups to beats less 1/2, (agents, agents), antisymmetric to the last bit."""
    found = stages(part.plan, part.sums.orders)
    apart = np.argwhere(np.triu(found.met == 0, 1))
    if len(apart):
        a, b = (agents[number] for number in apart[0])
        raise UserError(f"Nash averaging needs every two agents to meet, and {a} and {b} never did", "metagame")

    def beats(weights: Matrix) -> Matrix:
        ahead = np.tensordot(weights, found.ahead, 1)
        both = ahead + ahead.T
        np.fill_diagonal(both, 1.0)
        return np.asarray((ahead - ahead.T) / (2 * both))

    return beats


def _alpha_rank(payoffs: Matrix, players: int) -> tuple[Matrix, Matrix]:
    """Return the mass of each agent, over all seats, and no values."""
    try:
        from open_spiel.python.egt import alpharank
    except ImportError as fault:
        raise _missing(fault) from None
    tables = [payoffs] if players == 2 else [np.moveaxis(payoffs, 0, seat) for seat in range(players)]
    mass = alpharank.compute(tables, use_inf_alpha=True)[2]
    n = len(payoffs)
    if players > 2:
        seated = mass.reshape((n,) * players)
        others = [tuple(seat for seat in range(players) if seat != own) for own in range(players)]
        mass = np.mean([seated.sum(axis=axes) for axes in others], axis=0)
    return np.asarray(mass), np.full(n, math.nan)


def _nash(beats: Matrix, players: int) -> tuple[Matrix, Matrix]:
    """Return the mass of each agent and what it gets against the mix."""
    try:
        import pyspiel
        from open_spiel.python.algorithms.nash_averaging import nash_averaging
    except ImportError as fault:
        raise _missing(fault) from None
    mass, value = nash_averaging(pyspiel.create_matrix_game(beats.tolist(), (-beats).tolist()))
    return np.clip(mass[:, 0], 0.0, 1.0), value[:, 0]


def _missing(fault: ImportError) -> UserError:
    return UserError(f"needs OpenSpiel ({fault}); install it with: pip install 'hot-and-heat[metagame]'", "metagame")
