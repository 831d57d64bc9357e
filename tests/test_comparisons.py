"""Pairs, payoffs, ranks, tests and cycles against raw rows counted one by one."""

import itertools
import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from lab import GAME, FakeMatch, sixtieths, tables
from scipy import stats

from experiments import schedule
from experiments.sums import Part, Summer
from experiments.tables import build, to_rows


class Fixed:
    """A match in which the better agent of a fixed list is always ahead, and copies tie."""

    def __init__(self, worth):
        self.fake, self.worth = FakeMatch(worth), np.asarray(worth)

    def play(self, first_deal, n_deals, seatings):
        rows = self.fake.play(first_deal, n_deals, seatings)
        key = self.worth[rows["agent"]].reshape(-1, seatings.shape[1])
        rank = 1 + (key[:, :, None] < key[:, None, :]).sum(axis=2)
        win = (rank == 1) / (rank == 1).sum(axis=1, keepdims=True)
        return rows | {"rank": rank.ravel(), "win": win.ravel()}


CASES = {
    "five agents at three seats": (["a", "b", "c", "d", "e"], 3, FakeMatch([0, 1, 2, 3, 9])),
    "one named twice": (["random", "random#2", "greedy"], 4, FakeMatch([0, 0, 6])),
    "one always loses": (["loser", "x", "y"], 3, Fixed([0, 5, 5])),
    "ties": (["a", "b", "c"], 4, FakeMatch([0, 1, 2], noise=0.5, seat_luck=0.0)),
}


@pytest.fixture(scope="module", params=CASES)
def played(request):
    specs, players, match = CASES[request.param]
    plan = schedule.plan(len(specs), players, 1500)
    rows = sixtieths(match.play(0, plan.n_deals, plan.seatings))
    games = [
        [
            {name: rows[name][i] for name in ("deal", "agent", "rank", "win_60ths", "score")}
            for i in range(at, at + players)
        ]
        for at in range(0, len(rows["deal"]), players)
    ]
    made = build(GAME, specs, [Part(plan, Summer(plan, GAME).sums(rows))])
    return specs, plan, games, {name: to_rows(table) for name, table in made.items()}


def test_denominators_are_what_counting_gives(played):
    specs, plan, games, made = played
    seats, with_agent, pairs, alone = Counter(), Counter(), Counter(), Counter()
    for game in games:
        agents = [int(row["agent"]) for row in game]
        seats.update(agents)
        with_agent.update(set(agents))
        pairs.update((a, b) for a, b in itertools.permutations(agents, 2) if a != b)
        for a in set(agents):
            others = set(agents) - {a}
            if agents.count(a) == 1 and len(others) == 1:
                alone[a, *others] += 1
    for row in made["agents"]:
        number = specs.index(row["agent"])
        assert (row["n_seats"], row["n_games"]) == (seats[number], with_agent[number])
    for row in made["ratings"] + made["ratings_all"]:
        number = specs.index(row["agent"])
        assert row["n_pairs"] == sum(n for (a, _), n in pairs.items() if a == number)
    for row in made["head_to_head"]:
        pair = specs.index(row["agent"]), specs.index(row["opponent"])
        assert (row["n_pairs"], row["n_games"]) == (pairs[pair], alone[pair])
    assert all(row["n_seats"] == seats[specs.index(row["agent"])] for row in made["ranks"])
    assert {row["n_deals"] for table in made.values() for row in table if "n_deals" in row} == {plan.n_deals}


def test_payoffs_are_what_counting_gives(played):
    specs, _, games, made = played
    wins, scores, seats = Counter(), Counter(), Counter()
    n_games = Counter()
    for game in games:
        lineup = ",".join(specs[number] for number in sorted(int(row["agent"]) for row in game))
        n_games[lineup] += 1
        for row in game:
            key = lineup, specs[row["agent"]]
            wins[key] += int(row["win_60ths"])
            scores[key] += int(row["score"])
            seats[key] += 1
    assert {(row["lineup"], row["agent"]) for row in made["payoffs"]} == set(seats)
    for row in made["payoffs"]:
        key = row["lineup"], row["agent"]
        assert (row["n_games"], row["n_seats"]) == (n_games[row["lineup"]], seats[key])
        assert row["n_copies"] * row["n_games"] == row["n_seats"]
        assert row["win_share"] == pytest.approx(wins[key] / 60 / seats[key])
        assert row["score_mean"] == pytest.approx(scores[key] / seats[key])
        assert row["win_share_low"] <= row["win_share"] <= row["win_share_high"]


def test_ranks_are_what_counting_gives(played):
    specs, plan, games, made = played
    found = Counter((int(row["agent"]), int(row["rank"])) for game in games for row in game)
    seats = Counter(int(row["agent"]) for game in games for row in game)
    assert len(made["ranks"]) == len(specs) * plan.players
    for row in made["ranks"]:
        number = specs.index(row["agent"])
        assert row["share"] == pytest.approx(found[number, row["rank"]] / seats[number])
        assert row["share_low"] <= row["share"] <= row["share_high"]
    for row in made["agents"]:
        of_agent = [r for r in made["ranks"] if r["agent"] == row["agent"]]
        assert row["rank_mean"] == pytest.approx(sum(r["rank"] * r["share"] for r in of_agent))


def test_the_test_of_seats_is_what_deals_give(played):
    _, plan, games, made = played
    wins = defaultdict(lambda: np.zeros(plan.players))
    for game in games:
        wins[int(game[0]["deal"])] += [row["win_60ths"] for row in game]
    sums = np.array(list(wins.values()))
    apart = sums[:, 1:] - sums[:, :1]
    k, n = plan.players - 1, len(sums)
    (row,) = (row for row in made["tests"] if row["test"] == "seats")
    if np.linalg.matrix_rank(np.cov(apart.T)) < k:
        assert row["p_value"] is None
        return
    squared = n * apart.mean(axis=0) @ np.linalg.inv(np.cov(apart.T)) @ apart.mean(axis=0)
    assert row["statistic"] == pytest.approx((n - k) / (k * (n - 1)) * squared)
    assert row["p_value"] == pytest.approx(stats.f.sf(row["statistic"], k, n - k))
    assert (row["n_deals"], row["n_games"]) == (n, plan.n_games)


def test_pairs_are_tested_once_and_agree_with_their_intervals(played):
    specs, _, games, made = played
    both = Counter(
        pair for game in games for pair in itertools.combinations(sorted({int(r["agent"]) for r in game}), 2)
    )
    rows = [row for row in made["tests"] if row["test"] == "pair"]
    assert len(rows) == len(both) == len(made["head_to_head"]) / 2
    of_pair = {f"{row['agent']} : {row['opponent']}": row for row in made["head_to_head"]}
    for row, (pair, n_games) in zip(rows, sorted(both.items()), strict=True):
        assert row["what"] == f"{specs[pair[0]]} : {specs[pair[1]]}"
        assert row["n_games"] == n_games
        beats = of_pair[row["what"]]
        assert (beats["p_value"], beats["p_adjusted"]) == (row["p_value"], row["p_adjusted"])
        assert (row["p_value"] < 0.05) == (not beats["beats_low"] <= 0.5 <= beats["beats_high"])
        assert row["p_value"] <= row["p_adjusted"]


def test_everything_is_finite(played):
    _, _, _, made = played
    empty = {
        (name, column) for name, rows in made.items() for row in rows for column, value in row.items() if value is None
    }
    assert empty <= {("tests", name) for name in ("statistic", "p_value", "p_adjusted")}


class Circle(FakeMatch):
    """Agents 0, 1, 2: each is ahead of the next in most games of two."""

    def play(self, first_deal, n_deals, seatings):
        rows = super().play(first_deal, n_deals, seatings)
        first, second = rows["agent"].reshape(-1, 2).T
        rng = np.random.default_rng(first_deal)
        ahead = np.where((second - first) % 3 == 1, 0.65, np.where(first == second, 0.5, 0.35)) > rng.random(len(first))
        rank = np.stack([np.where(ahead, 1, 2), np.where(ahead, 2, 1)], axis=1).ravel()
        return rows | {"rank": rank, "win": (rank == 1).astype(float)}


def circle(games):
    plan = schedule.plan(3, 2, games)
    rows = sixtieths(Circle([0.0] * 3).play(0, plan.n_deals, plan.seatings))
    return build(GAME, ["a", "b", "c"], [Part(plan, Summer(plan, GAME).sums(rows))])


def test_a_circle_is_found_once_with_its_weakest_link():
    made = circle(6000)
    (row,) = to_rows(made["cycles"])
    assert [row[name] for name in ("first", "second", "third")] == ["a", "b", "c"]
    links = {(r["agent"], r["opponent"]): r for r in to_rows(made["head_to_head"])}
    weakest = min((("a", "b"), ("b", "c"), ("c", "a")), key=lambda pair: links[pair]["beats"])
    link = links[weakest]
    assert (row["agent"], row["opponent"]) == weakest
    assert [row["margin"], row["margin_low"], row["margin_high"]] == pytest.approx(
        [link[f"beats{end}"] - 0.5 for end in ("", "_low", "_high")]
    )
    assert row["p_adjusted"] == max(links[pair]["p_adjusted"] for pair in (("a", "b"), ("b", "c"), ("c", "a"))) < 0.05
    assert row["n_pairs"] == link["n_pairs"]


def test_agents_in_a_row_make_no_circle_and_the_table_has_its_columns():
    made = tables(["a", "b", "c", "d"], [2, 3], games=4000)
    assert set(map(len, made["cycles"].values())) == {0}
    assert list(made["cycles"])[:4] == ["players", "first", "second", "third"]


def test_families_of_tests_are_adjusted_apart():
    made = to_rows(tables(["a", "b", "c"], [2, 3, 4], games=300)["tests"])
    for players in (2, 3, 4):
        pairs = sorted((r["p_value"], r["p_adjusted"]) for r in made if r["players"] == players and r["test"] == "pair")
        assert pairs[0][1] == pytest.approx(min(1, 3 * pairs[0][0]))
    seats = sorted((r["p_value"], r["p_adjusted"]) for r in made if r["test"] == "seats")
    assert seats[0][1] == pytest.approx(min(1, 3 * seats[0][0]))


def test_a_single_deal_gives_no_p_values():
    rows = to_rows(tables(["a", "b"], [3], games=1)["tests"])
    assert all(row["p_value"] is row["p_adjusted"] is None for row in rows)
    assert len(rows) == 2
    assert not math.isnan(rows[0]["df"])
