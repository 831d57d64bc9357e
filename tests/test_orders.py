"""Finishing orders against a plain count, ties and copies included."""

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from lab import GAME, FakeMatch, sixtieths

from experiments import schedule
from experiments.orders import GROUPS, ORDER_UNIT, lookup
from experiments.sums import Summer
from gameapi.errors import UnreadableError


def plain(plan, rows):
    """Count finishing orders by group of deals, as fractions."""
    found = Counter()
    deals, ranks, agents = (rows[name].reshape(-1, plan.players).tolist() for name in ("deal", "rank", "agent"))
    for deal, rank, agent in zip(deals, ranks, agents, strict=True):
        linear = [
            order
            for order in itertools.permutations(range(plan.players))
            if all(rank[a] <= rank[b] for a, b in itertools.pairwise(order))
        ]
        for order in linear:
            found[deal[0] % GROUPS, tuple(agent[seat] for seat in order)] += Fraction(1, len(linear))
    return found


@pytest.mark.parametrize(
    ("n", "players", "lineups"), [(3, 2, "all"), (3, 3, "all"), (2, 4, "all"), (5, 5, [(0, 1, 1, 3, 4)])]
)
@pytest.mark.parametrize("noise", [0.4, 10.0], ids=["many ties", "few ties"])
def test_orders_are_what_listing_them_gives(n, players, lineups, noise):
    plan = schedule.plan(n, players, 1500, lineups)
    rows = sixtieths(FakeMatch(np.zeros(n), noise=noise, seat_luck=0.0).play(0, plan.n_deals, plan.seatings))
    found = Summer(plan, GAME).sums(rows).orders
    expected = plain(plan, rows)
    assert found.sum() == ORDER_UNIT * plan.n_games
    for group in range(GROUPS):
        for seating, count in zip(plan.seatings.tolist(), found[group].tolist(), strict=True):
            assert count == ORDER_UNIT * expected[group, tuple(seating)]


def test_every_order_of_every_line_up_has_its_seating():
    plan = schedule.plan(6, 4, 1, [(0, 0, 0, 0), (0, 1, 1, 5), (2, 3, 4, 5)])
    found = lookup(plan)
    for i, seating in enumerate(plan.seatings):
        for places in itertools.permutations(range(4)):
            code = sum(found.weight[i, seat, place] for seat, place in enumerate(places))
            finish = plan.seatings[found.seating_of[code]]
            assert [seating[places.index(k)] for k in range(4)] == finish.tolist()


def test_groups_go_by_the_number_of_the_deal():
    plan = schedule.plan(2, 2, 400)
    match, summer = FakeMatch([0.0, 5.0]), Summer(plan, GAME)
    found = summer.sums(sixtieths(match.play(70, 3, plan.seatings)))
    assert np.flatnonzero(found.orders.any(axis=1)).tolist() == [70 % GROUPS, 71 % GROUPS, 72 % GROUPS]
    assert np.flatnonzero(found.payoffs.any(axis=1)).tolist() == [70 % GROUPS, 71 % GROUPS, 72 % GROUPS]
    assert found.payoffs.sum(axis=0).tolist() == found.total[summer.features.payoffs].tolist()


@pytest.mark.parametrize("rank", [0, 3])
def test_a_rank_of_no_seat_is_refused(rank):
    plan = schedule.plan(2, 2, 40)
    rows = sixtieths(FakeMatch([0.0, 5.0]).play(0, plan.n_deals, plan.seatings))
    rows["rank"][7] = rank
    with pytest.raises(UnreadableError, match="from 1 to 2"):
        Summer(plan, GAME).sums(rows)
