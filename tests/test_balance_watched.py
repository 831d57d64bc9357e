"""What is worked out from watched games, luck, and depth: against plain arithmetic, and on known games."""

import itertools
import json
import math

import numpy as np
import pytest

from experiments import games
from experiments.balance import depth, overview
from experiments.balance.designs import base
from experiments.balance.estimates import Sums
from experiments.balance.metrics import FLOW, metrics
from experiments.balance.study import study
from experiments.balance.totals import ALONE, add_up, features
from experiments.balance.watched import WATCHED, note, note_features, seen
from experiments.cli import run
from experiments.flow import note_names
from gameapi.errors import UserError

HOT = games.get("hotsim")
WITH_SEATS = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]], np.int16)
ASKED = dict(games=40, players=3, seed=2, watch=2)


@pytest.fixture(scope="module")
def found():
    return study(HOT, [base(HOT)], agents="random,greedy", jobs=1, **ASKED)


def rows_of(table):
    return [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]


# Watched games


def test_notes_become_features_of_their_deals():
    names = note_names(HOT)
    notes = np.zeros((4, len(names)), np.int32)
    notes[:, names.index("storm")] = [4, 0, 3, 1]
    made = note_features(HOT, notes, first_deal=3, n_deals=5, n_seatings=2, every=3)
    assert list(made) == [WATCHED, *map(note, names), *map(seen, names)]
    assert made[WATCHED].tolist() == [2, 0, 0, 2, 0]
    assert made[note("storm")].tolist() == [4, 0, 0, 4, 0]
    assert made[seen("storm")].tolist() == [1, 0, 0, 2, 0]


def test_every_event_is_listed_with_its_ruling_and_a_bound(found):
    rows = [row for row in rows_of(found.tables["events"]) if row["agent"] == "greedy"]
    assert [(row["event"], row["rulings"]) for row in rows] == [(event.name, event.rulings) for event in HOT.events]
    by_name = {row["event"]: row for row in rows}
    storms, dummy = by_name["storm"], by_name["dummy_pile"]
    assert (storms["per_game"], storms["share"], storms["n_games"], storms["n_deals"]) == (4.0, 1.0, 10, 10)
    assert (dummy["per_game"], dummy["share"], dummy["share_low"]) == (0.0, 0.0, 0.0)
    assert math.isnan(dummy["per_game_high"])
    assert 0 < dummy["share_high"] < 0.5


def test_endings_of_all_games_add_up(found):
    for _, rows in itertools.groupby(rows_of(found.tables["endings"]), lambda row: row["agent"]):
        shares = {row["ending"]: row["share"] for row in rows}
        assert list(shares) == ["by_score", "by_tiebreak", "split", "nobody"]
        assert sum(shares.values()) == pytest.approx(1)


def test_flow_is_measured_in_watched_games_only(found):
    names = {metric.name for metric in FLOW}
    told = [row for row in rows_of(found.tables["metrics"]) if row["metric"] in names]
    assert {row["metric"] for row in told} == names
    assert {row["n_games"] for row in told if row["agent"] == "greedy"} == {10}
    plain = study(HOT, [base(HOT)], agents="random", jobs=1, **(ASKED | {"watch": 0}))
    assert not names & set(plain.tables["metrics"]["metric"])
    assert plain.tables["events"]["event"] == []


def test_watching_changes_no_other_number(found):
    plain = study(HOT, [base(HOT)], agents="random,greedy", jobs=1, **(ASKED | {"watch": 0}))
    watched = [row for row in rows_of(found.tables["metrics"]) if row["metric"] in plain.tables["metrics"]["metric"]]
    assert str(watched) == str(rows_of(plain.tables["metrics"]))


# Luck


def drawn(cells, effect=0.0, deals=400, seed=1):
    """Draw rows of three seats: a standard normal for each deal and seat times `cells`, an agent's `effect`, noise."""
    rng = np.random.default_rng(seed)
    luck_of_seat = cells * rng.normal(size=(deals, 1, 3))
    score = 100 * (luck_of_seat + effect * (WITH_SEATS == 0) + rng.normal(size=(deals, 3, 3)))
    score = np.rint(score).astype(np.int64)
    win = (score == score.max(axis=2, keepdims=True)).astype(float)
    zeros = np.zeros(score.size, np.int64)
    columns = {"score": score.ravel(), "win": win.ravel(), "tiebreak": zeros, "decisions": zeros}
    return columns | {stat.name: zeros for stat in HOT.stats}, score


def luck_of(columns):
    made = features(HOT, columns, WITH_SEATS, ALONE)
    sums = Sums(add_up(made, 0), 3)
    return {name: metrics(HOT)[name].of(sums)[0] for name in ("luck_of_scores", "luck_of_wins")}


def test_luck_is_what_analysis_of_variance_says():
    columns, score = drawn(cells=0.7, effect=0.5)
    lone = WITH_SEATS == 0
    left = score - np.where(lone, score[:, lone].mean(), score[:, ~lone].mean())
    between = 3 * (left.mean(axis=1) ** 2).sum() / (400 * 3 - 1)
    within = ((left - left.mean(axis=1, keepdims=True)) ** 2).sum() / (400 * 3 * 2 - 1)
    assert luck_of(columns)["luck_of_scores"] == pytest.approx((between - within) / (between + 2 * within))


@pytest.mark.parametrize("effect", [0.0, 2.0])
@pytest.mark.parametrize("cells", [0.0, 1.0, 3.0])
def test_luck_of_known_games_is_found(cells, effect):
    expected = cells**2 / (cells**2 + 1)
    assert luck_of(drawn(cells, effect)[0])["luck_of_scores"] == pytest.approx(expected, abs=0.06)


def test_where_the_deal_decides_luck_is_everything():
    columns, score = drawn(cells=1.0)
    columns["score"] = np.repeat(score[:, :1], 3, axis=1).ravel()
    assert luck_of(columns)["luck_of_scores"] == pytest.approx(1, abs=0.01)


# Depth


def test_duels_are_line_ups_of_one_alone():
    contest = depth.searches(2)
    rungs = ["mc:rollouts=1", "mc:rollouts=2", "mc:rollouts=4", "clairvoyant:rollouts=4"]
    assert contest.agents == rungs
    assert contest.lineups(3) == [(0, 0, 1), (1, 1, 2), (2, 2, 3)]
    all_pairs = depth.strengths(4)
    assert [(d.agent, d.opponent) for d in all_pairs.duels if d.question] == [(1, 0), (2, 1), (3, 2)]
    assert len(all_pairs.lineups(3)) == 12
    assert len(all_pairs.lineups(2)) == 6


def test_an_overview_tells_depth_as_well():
    made = overview.metrics(
        "hotsim", agents="random,greedy", games=60, players=2, watch=2, duel_games=40, doublings=1, jobs=1
    )
    rows = rows_of(made.tables["depth"])
    assert [row["question"] for row in rows] == ["budget", "order", "order", "order", "clairvoyance"]
    assert all(row["n_games"] >= 40 and row["design"] == "base" for row in rows)
    assert all(row["skill"] == pytest.approx(2 * row["win_share"] - 1) for row in rows)
    by_agent = {row["agent"]: row for row in rows}
    assert by_agent["clairvoyant:rollouts=2"]["win_share_low"] > 0.5
    assert list(made.tables["cycles"]) == [name for name, _, _ in depth.COLUMNS["cycles"]]


@pytest.mark.parametrize(
    ("asked", "place"), [({"watch": 0}, "watch"), ({"duel_games": -1}, "duel-games"), ({"doublings": 11}, "doublings")]
)
def test_what_cannot_be_measured_is_told(asked, place):
    with pytest.raises(UserError, match=f"^{place}: found"):
        overview.plan("hotsim", **asked)


def test_the_verb_prints_and_keeps(tmp_path, capsys):
    words = ["balance", "metrics", "--agents", "random,greedy", "--games", "40", "--players", "3", "--watch", "2"]
    words += ["--duel-games", "0", "--jobs", "1", "--quiet"]
    assert run("hotsim", [*words, "--out", str(tmp_path / "run")]) == 0
    text = capsys.readouterr().out
    for told in ("With 3 players", "lead changes a game", "How games ended", "by_tiebreak  HH16", "flew_away"):
        assert told in text
    assert (tmp_path / "run" / "tables" / "events.csv").exists()
    assert run("hotsim", [*words, "--json", "--out", str(tmp_path / "other")]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["kind"] == "metrics"
    assert document["tables"]["events"][0]["event"] == HOT.events[0].name
