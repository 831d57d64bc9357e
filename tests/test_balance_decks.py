"""What holds for all plausible decks: the verdicts, and a small study of each game."""

import json

import numpy as np
import pytest

from experiments import games
from experiments.balance import decks as decks_module
from experiments.balance.cells import Key
from experiments.balance.claims import claims
from experiments.balance.decks import COLUMNS, DEPENDS, FAILS, FOR_ALL, FOR_NONE, HOLDS, UNDECIDED, conclusions, decks
from experiments.balance.plausible import sample
from experiments.balance.results import Found
from experiments.balance.targets import read
from experiments.balance.totals import GROUPS, MIRROR, Totals
from experiments.cli import run as command
from gameapi.errors import UserError

HOT = games.get("hotsim")
N_DEALS = 5 * GROUPS


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decks") / "run"
    claim = ["score_mean>0", "turns<10", "seat_gap@3@random<0.9"]
    return decks("hotsim", 4, claim, agents="random", games=400, players=[3, 4], jobs=1, out=folder)


def test_what_holds_for_all_and_for_none(found):
    told = found.frame("conclusions").set_index(["claim", "players"])
    assert told.loc[("score_mean>0", 3), "verdict"] == FOR_ALL
    assert told.loc[("turns<10", 4), "verdict"] == FOR_NONE
    assert ("seat_gap@3@random<0.9", 4) not in told.index
    length = told[told["statement"].str.startswith("games last")]
    assert set(length["verdict"]) == {FOR_ALL}  # as many cards in every deck, so as many turns
    assert set(length["share"]) == {1.0}
    assert (length["share_low"] < 0.6).all()  # four decks are few
    assert (told["holds"] + told["fails"] + told["undecided"] == told["n_decks"]).all()
    assert set(told["n_decks"]) == {4}


def test_every_column_is_explained_and_figures_are_drawn(found):
    for name, columns in COLUMNS.items():
        assert [column for column, _, _ in columns] == list(found.tables[name])
    drawn = {path.name for path in (found.folder / "figures").iterdir()}
    assert {"spread_score_mean.png", "spread_turns_mean.svg", "spread_seat_gap.svg"} <= drawn
    json.dumps(found.json(), allow_nan=False)


def test_the_decks_are_files_that_can_be_played(found):
    paths = sorted((found.folder / "designs").iterdir())
    assert [path.name for path in paths] == [f"plausible-{k:03d}.toml" for k in range(1, 5)]
    assert [HOT.load_deck(path) for path in paths] == [sample(HOT, 1, k) for k in range(1, 5)]


def test_more_decks_leave_those_before_as_they_are(found):
    more = decks("hotsim", 2, agents="random", games=400, players=[3], jobs=1)
    few, many = more.frame("metrics"), found.frame("metrics")
    many = many[(many["players"] == 3) & many["design"].isin(few["design"])].reset_index(drop=True)
    assert few.equals(many)


def test_interrupted_it_ends_with_the_same_bytes(found, monkeypatch, tmp_path):
    folder = tmp_path / "run"
    asked = {"agents": "random", "games": 400, "players": [3, 4], "jobs": 1, "out": folder}
    claim = ["score_mean>0", "turns<10", "seat_gap@3@random<0.9"]

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("experiments.balance.decks_figures.save_all", lambda *_: [])
    with monkeypatch.context() as patch:
        patch.setattr(decks_module, "conclusions", stop)
        with pytest.raises(KeyboardInterrupt):
            decks("hotsim", 4, claim, **asked)
    decks("hotsim", 4, claim, resume=True, **asked)
    for table in ("conclusions", "judgements", "metrics"):
        name = f"tables/{table}.csv"
        assert (folder / name).read_bytes() == (found.folder / name).read_bytes()


def totals(seat_0):
    """Return totals of mirror games of 3 in which seat 0 has this win share, in sixtieths a deal."""
    rng = np.random.default_rng(1)
    wins = rng.binomial(N_DEALS // GROUPS, seat_0, GROUPS) * 60
    others = N_DEALS // GROUPS * 60 - wins
    columns = {"deals": N_DEALS // GROUPS, "games": N_DEALS // GROUPS, "wins_0": wins, "wins_1": others // 2}
    columns["wins_2"] = others - columns["wins_1"]
    names = ["deals", "games", "wins_0", "wins_1", "wins_2"]
    zero = [f"score_{seat}" for seat in range(3)] + ["score_squares", "best", "spread", "margin", "tied", "broken"]
    zero += ["split", "unwon", "decisions", "decisions_squares", "turns", "turns_squares", "passes", "passes_squares"]
    table = np.zeros((GROUPS, len(names) + len(zero)), np.int64)
    for i, name in enumerate(names):
        table[:, i] = columns[name]
    return Totals((*names, *zero), table, N_DEALS)


def concluded(*shares):
    names = ["base", *(f"deck {i}" for i in range(1, len(shares)))]
    found = Found(HOT, names, ["x"], {Key(i, 3, 0, MIRROR): totals(share) for i, share in enumerate(shares)}, [])
    tables = conclusions(found, {"x": "random"}, [read("first_seat>0.05")])
    rows = {name: list(tables["conclusions"][name]) for name in tables["conclusions"]}
    return {name: values[0] for name, values in rows.items()}, tables["judgements"]["verdict"][: len(shares)]


def test_a_conclusion_depends_on_the_guess_where_it_holds_for_one_deck_and_fails_for_another():
    told, verdicts = concluded(0.6, 0.6, 0.2, 0.38)
    assert (told["verdict"], told["base_verdict"]) == (DEPENDS, HOLDS)
    assert verdicts == [HOLDS, HOLDS, FAILS, UNDECIDED]
    assert (told["holds"], told["fails"], told["undecided"]) == (1, 1, 1)
    assert told["least"] < told["median"] < told["most"]
    assert told["share_low"] < 1 / 3 < 2 / 3 < told["share_high"]


def test_a_conclusion_is_undecided_where_no_deck_speaks_against_it_but_not_all_for_it():
    told, _ = concluded(0.6, 0.6, 0.38)
    assert told["verdict"] == UNDECIDED
    assert concluded(0.6, 0.6, 0.7)[0]["verdict"] == FOR_ALL
    assert concluded(0.6, 0.2, 0.1)[0]["verdict"] == FOR_NONE


def test_decks_that_are_all_at_the_end_of_the_range_do_not_depend_on_the_guess():
    """All intervals hold at once, so chance does not make one deck hold and another fail."""
    told, verdicts = concluded(*([1 / 3 + 0.05] * 40))
    assert set(verdicts) == {UNDECIDED}
    assert told["verdict"] == UNDECIDED


def test_what_is_claimed_follows_from_the_base():
    base = {
        ("first_seat", 3, "greedy"): -0.1,
        ("skill", 3, "greedy"): 0.3,
        ("decisions_mean", 3, "greedy"): 60.0,
        ("split_share", 3, "greedy"): 0.001,
        ("score_mean", 4, "greedy"): float("nan"),
    }
    made = claims(base, {"greedy": "random"}, [read("first_seat<0.5"), read("skill@4>0")])
    assert [(claim.statement, claim.target.text) for claim in made] == [
        ("first_seat<0.5", "first_seat<0.5"),
        ("seat 0 wins less than its share", "first_seat<0"),
        ("greedy alone beats random", "skill>0"),
        ("games last 57 to 63 decisions", "decisions_mean=57..63"),
        ("less than 2 % of wins are split", "split_share<0.02"),
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"n": 0}, "expected an integer from 1 to 999"),
        ({"claim": "seats<1"}, "the metrics are seat_gap"),
        ({"claim": "seat_gap@5<1"}, "5 players are not played"),
    ],
)
def test_what_cannot_be_asked_is_told(asked, told):
    with pytest.raises(UserError, match=told):
        decks("hotsim", **{"agents": "random", "games": 100, "players": [3], **asked})


def test_the_command_prints_every_conclusion(tmp_path, capsys):
    words = ["balance", "decks", "--decks", "2", "--agents", "random", "--games", "60", "--players", "3", "--quiet"]
    assert command("heatsim", [*words, "--claim", "decisions<1000", "--jobs", "1", "--out", str(tmp_path / "run")]) == 0
    out = capsys.readouterr().out
    assert "Conclusions, held against 2 plausible decks" in out
    assert "decisions<1000" in out
    assert "holds for all" in out
