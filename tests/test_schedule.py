import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments import schedule
from gameapi.errors import UnreadableError, UserError


@given(st.lists(st.integers(0, 3), min_size=1, max_size=5).map(lambda seats: tuple(sorted(seats))))
def test_permutations_are_the_distinct_ones_in_order(lineup):
    found = list(schedule.permutations(lineup))
    assert found == sorted(set(itertools.permutations(lineup)))
    assert len(found) == schedule.n_permutations(lineup)


def test_all_plays_every_way_to_fill_the_seats_once():
    plan = schedule.plan(3, 4, 1000)
    assert sorted(map(tuple, plan.seatings.tolist())) == sorted(itertools.product(range(3), repeat=4))
    assert len(plan.lineups) == math.comb(3 + 3, 4)
    assert plan.n_deals == math.ceil(1000 / 81)
    assert plan.n_games == plan.n_deals * 81


def test_seatings_stand_line_up_by_line_up():
    plan = schedule.plan(3, 3, 1000)
    for lineup, seating in zip(plan.lineup_of, plan.seatings, strict=True):
        assert tuple(sorted(seating)) == plan.lineups[lineup]
    assert (np.diff(plan.lineup_of) >= 0).all()


@pytest.mark.parametrize("mode", schedule.MODES)
@pytest.mark.parametrize("players", range(2, 6))
def test_everyone_sits_in_every_seat_equally_often(mode, players):
    plan = schedule.plan(4, players, 1000, mode)
    for agent in range(4):
        assert len(set((plan.seatings == agent).sum(axis=0))) == 1


def test_focus_is_the_first_agent_alone_against_copies():
    plan = schedule.plan(3, 4, 100, "focus")
    assert plan.lineups == ((0, 1, 1, 1), (0, 2, 2, 2))
    assert plan.n_seatings == 8


def test_pairs_are_every_agent_alone_against_copies_both_ways():
    found = schedule.plan(3, 3, 100, "pairs").lineups
    assert found == ((0, 1, 1), (0, 2, 2), (0, 0, 1), (1, 2, 2), (0, 0, 2), (1, 1, 2))
    assert schedule.plan(3, 2, 100, "pairs").lineups == ((0, 1), (0, 2), (1, 2))


def test_mirror_is_every_agent_against_itself():
    assert schedule.plan(3, 3, 100, "mirror").seatings.tolist() == [[0, 0, 0], [1, 1, 1], [2, 2, 2]]


@pytest.mark.parametrize("mode", schedule.MODES)
def test_one_agent_alone_plays_itself(mode):
    plan = schedule.plan(1, 5, 7, mode)
    assert plan.seatings.tolist() == [[0] * 5]
    assert plan.n_games == 7


@pytest.mark.parametrize(("agents", "players"), [(7, 3), (10, 4), (6, 5), (64, 5), (5, 5), (2, 4), (3, 4), (11, 2)])
@pytest.mark.parametrize("games", [1000, 300_000])
def test_random_sample_is_balanced_and_different_line_ups(agents, players, games):
    plan = schedule.plan(agents, players, games, "random")
    occurs = Counter(agent for lineup in plan.lineups for agent in lineup)
    assert len(occurs) == agents
    assert len(set(occurs.values())) == 1
    assert len(set(plan.lineups)) == len(plan.lineups)
    if agents >= players:
        assert all(len(set(lineup)) == players for lineup in plan.lineups)


def test_random_sample_depends_on_the_seed_alone():
    first, again, other = (schedule.plan(9, 4, 100_000, "random", seed).lineups for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_more_games_sample_more_line_ups_but_leave_enough_deals():
    few, many = (schedule.plan(10, 4, games, "random") for games in (1000, 1_000_000))
    assert len(few.lineups) < len(many.lineups)
    assert many.n_deals >= schedule.RANDOM_MODE_DEALS


def test_too_many_seatings_are_refused_with_advice():
    with pytest.raises(UserError, match=r"59,049 seatings.*--lineups focus"):
        schedule.plan(9, 5, 1000)


def test_unknown_mode_is_refused():
    with pytest.raises(UserError, match="unknown mode 'some'; expected all, focus, pairs, mirror, random"):
        schedule.plan(2, 4, 1000, "some")


@given(st.integers(1, 3000), st.floats(1e-3, 1e7), st.integers(2, 5), st.integers(1, 3))
def test_chunks_cover_all_deals_once(games, cost, players, agents):
    plan = schedule.plan(agents, players, games)
    size = schedule.deals_per_chunk(plan, [cost] * agents)
    chunks = schedule.chunks(plan.n_deals, size)
    assert [deal for first, n in chunks for deal in range(first, first + n)] == list(range(plan.n_deals))
    assert size * plan.n_seatings <= max(schedule.CHUNK_GAMES, plan.n_seatings)


def test_costly_agents_have_small_chunks():
    plan = schedule.plan(2, 4, 10**6)
    cheap, dear = (schedule.deals_per_chunk(plan, [1.0, cost]) for cost in (1.0, 1e6))
    assert cheap * plan.n_seatings == schedule.CHUNK_GAMES
    assert dear == 1


def test_game_cost_is_the_mean_over_seats():
    assert schedule.game_cost(schedule.plan(2, 4, 10, "focus"), [1.0, 5.0]) == 4.0


def lineups_file(tmp_path, text):
    path = tmp_path / "lineups.csv"
    path.write_text(text)
    return path


def test_line_ups_from_a_file(tmp_path):
    path = lineups_file(tmp_path, "# who meets\na,b\n\nb, a, a\n  # more\nc,c,c\n")
    assert schedule.read_lineups(path, str) == {2: [("a", "b")], 3: [("a", "a", "b"), ("c", "c", "c")]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\na,,b\n", r"lineups.csv:2: an empty cell"),
        ("a,b\n\nb,a\n", r"lineups.csv:3: the same line-up as in line 1"),
        ("a,wrong\n", r"lineups.csv:1: wrong is no agent"),
        ("# nothing\n", "no line-ups"),
        ('a,"b\n', "no CSV file"),
    ],
)
def test_faults_of_a_file_are_told_with_their_line(tmp_path, text, message):
    def name_of(spec):
        if spec == "wrong":
            raise UserError("wrong is no agent")
        return spec

    with pytest.raises(UnreadableError, match=message):
        schedule.read_lineups(lineups_file(tmp_path, text), name_of)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UnreadableError, match=r"none\.csv: cannot be read: No such file"):
        schedule.read_lineups(tmp_path / "none.csv", str)
