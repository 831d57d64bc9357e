"""Studies: designs on the same deals, told apart where they differ and only there, kept and resumed."""

import json
from pathlib import Path

import numpy as np
import pytest
from lab import GAME
from toystudies import LINEUPS, drawn

from experiments import games
from experiments.balance.cells import Key
from experiments.balance.designs import base, changed, obstacle
from experiments.balance.results import COLUMNS, Found, tables
from experiments.balance.study import load, prepare, study
from experiments.balance.summary import sentences
from experiments.balance.totals import add_up, features
from experiments.result import load as load_tournament
from gameapi.errors import UnreadableError, UserError

HOT, HEAT = games.get("hotsim"), games.get("heatsim")
START = base(HOT)
FEWER = changed(HOT, START, {"storms": "3", "deck.sabotage": "2"})
TOO_MANY = changed(HOT, START, {"hand_size": "25"})
DEALS = 300


def contents(folder):
    return {
        path.name: path.read_bytes() for kind in ("parts", "tables") for path in sorted(Path(folder, kind).iterdir())
    }


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study") / "run"
    designs = [START, FEWER, TOO_MANY]
    return study(HOT, designs, agents="random,greedy", games=600, players=[3, 4], out=folder, jobs=1)


def test_designs_say_what_they_change():
    assert FEWER.label == "storms=3 deck.sabotage=2"
    assert FEWER.rules.storms == 3
    assert (START.deck.size, FEWER.deck.size) == (99, 96)
    assert obstacle(HOT, START, 4) is None
    assert "hand_size" in obstacle(HOT, TOO_MANY, 4)
    heavier = changed(HEAT, base(HEAT), {"deck.Heavy": "4"})
    assert [heavier.deck.titles(n).count("Heavy") for n in (3, 4, 5)] == [4, 4, 4]


@pytest.mark.parametrize(
    ("changes", "place", "told"),
    [
        ({"storm": "3"}, "storm", "the options are hand_size,"),
        ({"storms": "many"}, "storms", "expected an integer of at least 1"),
        ({"deck.helo": "3"}, "deck.helo", "did you mean heli?"),
        ({"deck.heli": "x"}, "deck.heli", "expected a number of copies"),
        ({"deck.heli": "1000"}, "deck.heli", "0 to 999"),
    ],
)
def test_a_change_that_is_none_is_told(changes, place, told):
    with pytest.raises(UserError) as fault:
        changed(HOT, START, changes)
    assert place in str(fault.value)
    assert told in str(fault.value)


def test_an_unknown_title_is_told():
    with pytest.raises(UserError, match="Bank Job"):
        changed(HEAT, base(HEAT), {"deck.Bank Jobs": "3"})


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"designs": [START, START]}, "two designs are called 'base'"),
        ({"designs": [TOO_MANY, START]}, "the base cannot be played by 4"),
        ({"designs": [START], "agents": "greedy,greedy"}, "different agents"),
        ({"designs": [START], "games": 1}, "expected an integer from 2"),
        ({"designs": [START], "search_games": 0}, "search-games"),
    ],
)
def test_what_cannot_be_studied_is_told(asked, told):
    with pytest.raises(UserError, match=told):
        prepare(HOT, **asked)


def test_what_cannot_be_played_is_listed(kept):
    assert kept.tables["impossible"]["design"] == [TOO_MANY.label]
    assert kept.tables["impossible"]["players"] == [4]
    assert "hand_size" in kept.tables["impossible"]["why"][0]
    played = kept.frame("metrics")
    assert set(played.loc[played["design"] == TOO_MANY.label, "players"]) == {3}


def test_tables_have_the_columns_that_are_explained(kept):
    assert list(kept.tables) == list(COLUMNS)
    for name, columns in COLUMNS.items():
        assert list(kept.tables[name]) == [column for column, _, _ in columns]


def test_numbers_do_not_depend_on_jobs_or_interruptions(kept, tmp_path):
    designs = [START, FEWER, TOO_MANY]
    asked = {"agents": "random,greedy", "games": 600, "players": [3, 4]}
    again = study(HOT, designs, out=tmp_path / "run", jobs=2, **asked)
    assert contents(tmp_path / "run") == contents(kept.folder)
    for path in sorted((tmp_path / "run" / "parts").iterdir())[::2]:
        path.unlink()
    manifest = tmp_path / "run" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"state": "interrupted"}))
    resumed = study(HOT, designs, out=tmp_path / "run", resume=True, jobs=2, **asked)
    assert contents(tmp_path / "run") == contents(kept.folder)
    assert resumed.tables == again.tables


def test_a_folder_is_read_again(kept):
    again = load(kept.folder)
    for name in COLUMNS:
        assert again.frame(name).equals(kept.frame(name))
    with pytest.raises(UserError, match="there is no table 'oh'"):
        again.frame("oh")
    with pytest.raises(UnreadableError, match="study of balance"):
        load_tournament(kept.folder)


def test_another_study_does_not_go_on_there(kept):
    with pytest.raises(UserError, match="differs in"):
        study(HOT, [START], agents="random,greedy", games=600, players=[3, 4], out=kept.folder, resume=True)


def test_fewer_storms_are_found(kept):
    rows = kept.frame("differences").query("design == @FEWER.label and metric == 'decisions_mean'")
    assert (rows["difference_high"] < -10).all()
    assert (rows["p_adjusted"] < 0.001).all()


def simulated(seed, more=0):
    """Tables of two designs of a toy game, of which seat 1 of the second scores so much more."""
    totals = {}
    for design in range(2):
        for lineup, seatings in LINEUPS:
            rows = drawn(2 * seed + design, seatings, DEALS, (0, more * design, 0))
            totals[Key(design, 3, 0, lineup)] = add_up(features(GAME, rows, seatings, lineup), 0)
    return tables(Found(GAME, ["base", "other"], ["random"], totals, []))


def test_equal_designs_and_fair_seats_are_not_flagged_in_repeated_runs():
    repeats = 120
    found = [simulated(seed) for seed in range(repeats)]
    for table in ("differences", "tests"):
        alarms = sum(np.nanmin(tables_of[table]["p_adjusted"]) < 0.05 for tables_of in found)
        assert alarms / repeats <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / repeats)


def test_a_seat_that_scores_more_is_found():
    rows = simulated(1, more=15)["differences"]
    found = dict(zip(rows["metric"], rows["p_adjusted"], strict=True))
    assert found["score_mean"] < 0.001


def test_a_seat_given_an_extra_card_is_called_out_and_a_fair_table_is_not():
    unfair = base(HOT, HOT.load_rules().replace(extra_cards=1))
    found, fair = (study(HOT, [design], agents="greedy", games=2000, players=4) for design in (unfair, START))
    assert found.tables["tests"]["p_adjusted"][0] < 0.001
    assert fair.tables["tests"]["p_adjusted"][0] > 0.05
    told, other = (" ".join(sentence.text for sentence in sentences(of)) for of in (found, fair))
    assert "seat 3 wins too much" in told.lower()
    assert "too much" not in other
