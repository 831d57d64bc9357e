import sys

import numpy as np
import pytest
from lab import GAME, FakeMatch, sixtieths

from experiments import schedule
from experiments.metagame import metagame
from experiments.sums import Part, Summer
from gameapi.errors import UserError


def played(strengths, players, games=3000, lineups="all", match=None):
    plan = schedule.plan(len(strengths), players, games, lineups)
    rows = sixtieths((match or FakeMatch(strengths)).play(0, plan.n_deals, plan.seatings))
    return Part(plan, Summer(plan, GAME).sums(rows))


def rows(part, method):
    pytest.importorskip("open_spiel", reason="the extra metagame is not installed")
    names = [f"agent {i}" for i in range(part.plan.n_agents)]
    table = metagame(names, part, method)
    assert table["agent"] == names
    assert sum(table["mass"]) == pytest.approx(1, abs=1e-4)
    return table


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the solvers' own
@pytest.mark.parametrize(("players", "method"), [(2, "alpha-rank"), (3, "alpha-rank"), (2, "nash"), (4, "nash")])
def test_the_strongest_agent_has_the_mass(players, method):
    found = rows(played([0.0, 5.0, 15.0], players), method)
    assert found["mass"][2] > 0.9
    assert all(
        low <= mass <= high
        for low, mass, high in zip(*(found[f"mass{end}"] for end in ("_low", "", "_high")), strict=True)
    )


class Circle(FakeMatch):
    """Rock, paper, scissors: agent i is ahead of agent i + 1 in three games of four."""

    def play(self, first_deal, n_deals, seatings):
        found = super().play(first_deal, n_deals, seatings)
        first, second = found["agent"].reshape(-1, 2).T
        chance = np.choose((second - first) % 3, [0.5, 0.75, 0.25])
        ahead = np.random.default_rng(3).random(len(first)) < chance
        rank = np.stack([2 - ahead, 1 + ahead], axis=1).ravel()
        return found | {"rank": rank, "win": (rank == 1).astype(float)}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("method", ["alpha-rank", "nash"])
def test_agents_in_a_circle_share_the_mass(method):
    found = rows(played([0.0] * 3, 2, 20_000, match=Circle([0.0] * 3)), method)
    assert found["mass"] == pytest.approx([1 / 3] * 3, abs=0.05)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_same_run_gives_the_same_numbers():
    part = played([0.0, 1.0, 2.0], 2, 300)
    assert rows(part, "nash") == {**rows(part, "nash"), "value": pytest.approx(rows(part, "nash")["value"])}


def test_a_line_up_that_was_not_played_is_named():
    with pytest.raises(UserError, match=r"b,b was not played; play with --lineups all"):
        metagame(["a", "b"], played([0, 1], 2, lineups=[(0, 0), (0, 1)]), "alpha-rank")
    with pytest.raises(UserError, match=r"a and c never did"):
        metagame(["a", "b", "c"], played([0, 1, 2], 2, lineups=[(0, 1), (1, 2)]), "nash")


def test_too_many_profiles_are_refused_with_advice():
    with pytest.raises(UserError, match=r"1,024 profiles, more than 300; choose --method nash"):
        metagame(list("abcd"), played([0, 1, 2, 3], 5, games=1), "alpha-rank")


@pytest.mark.parametrize(("method", "module"), [("alpha-rank", "open_spiel.python.egt"), ("nash", "pyspiel")])
def test_without_openspiel_the_message_says_what_to_install(monkeypatch, method, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UserError, match=r"hot-and-heat\[metagame\]"):
        metagame(["a", "b"], played([0, 1], 2), method)
