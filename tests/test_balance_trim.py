"""Trims: the ways that are made, the files they come from, Pareto fronts and answers."""

import itertools
import json
import math

import numpy as np
import pytest

import heatsim.deck
import hotsim.deck
from experiments import cli
from experiments.balance import pareto, sweep_figures, trim_figures
from experiments.balance.estimates import Estimate
from experiments.balance.pareto import Aim
from experiments.balance.totals import GROUPS
from experiments.balance.trim import trim
from experiments.plots import STYLE, mpl
from gameapi.errors import UnreadableError, UserError
from heatsim import rules as heat_rules
from heatsim import trimming as heat_trimming
from hotsim import rules as hot_rules
from hotsim import trimming as hot_trimming

HOT_DECK, HEAT_DECK = hotsim.deck.default(), heatsim.deck.default()


# The ways


def test_shares_for_all_and_the_dummy_for_two():
    made = hot_trimming.trims(hot_rules.Rules(), HOT_DECK)
    shares = [way for way in made if way.players == (2, 3, 4, 5)]
    assert [way.changes for way in shares] == [{"return_fraction": share} for share in hot_trimming.SHARES]
    without = [way for way in made if way.players == (2,)]
    assert len(without) + len(shares) == len(made)
    assert [way.rules.dummy for way in without] == [False] * 8
    assert without[0].changes == {"dummy": "false"}
    assert without[1].changes == {"return_fraction": "0", "dummy": "false"}
    own = hot_trimming.trims(hot_rules.Rules(dummy=False), HOT_DECK, ["0.5", "1/2", "2/3"])
    assert [way.label for way in own] == [
        "return_fraction=1/2",
        "return_fraction=2/3",
        "dummy=true",
        "return_fraction=1/2 dummy=true",
        "return_fraction=2/3 dummy=true",
    ]


def test_every_icon_is_flipped_once():
    made = heat_trimming.trims(heat_rules.Rules(), HEAT_DECK)
    assert len({way.label for way in made}) == len(made) == 3 * len(set(HEAT_DECK.cards))
    flipped = set()
    for way in made:
        (players,) = way.players
        gone, come = (
            [card for card in set(some) if list(some).count(card) > list(others).count(card)]
            for some, others in ((HEAT_DECK.cards, way.deck.cards), (way.deck.cards, HEAT_DECK.cards))
        )
        assert gone[0].title == come[0].title
        assert set(gone[0].players) ^ set(come[0].players) == {players}
        for other in {3, 4, 5} - {players}:
            assert way.deck.titles(other) == HEAT_DECK.titles(other)
        assert abs(len(way.deck.titles(players)) - len(HEAT_DECK.titles(players))) == 1
        flipped.add((gone[0], players))
    assert flipped == set(itertools.product(HEAT_DECK.cards, (3, 4, 5)))
    labels = [way.label for way in made]
    assert "Bank Job 345 not at 4" in labels
    assert "Lay Low 5 also at 3" in labels


SETS = """
[[sets]]
name = "no banks"
[sets.icons]
"Bank Job" = []
"Heavy" = [[3, 4, 5], [5]]

[[sets]]
name = "whole"
cards = [
  {title = "Lay Low", players = [3, 4, 5]},
  {title = "The Feds", players = [5]},
]
"""


def sets_of(tmp_path, text):
    file = tmp_path / "sets.toml"
    file.write_text(text)
    return heat_trimming.read_sets(file, HEAT_DECK)


def test_a_file_of_sets(tmp_path):
    no_banks, whole = sets_of(tmp_path, SETS)
    assert no_banks.name == "no banks"
    assert "Bank Job" not in no_banks.titles(5)
    assert [card.players for card in no_banks.cards if card.title == "Heavy"] == [(3, 4, 5), (5,)]
    others = [card for card in HEAT_DECK.cards if card.title not in ("Bank Job", "Heavy")]
    assert [card for card in no_banks.cards if card.title != "Heavy"] == others
    assert whole.titles(5) == ["Lay Low", "The Feds"]
    ways = heat_trimming.trims(heat_rules.Rules(), HEAT_DECK, sets=tmp_path / "sets.toml", flips=False)
    assert [(way.label, way.players) for way in ways] == [("no banks", (3, 4, 5)), ("whole", (3, 4, 5))]


@pytest.mark.parametrize(
    ("text", "place", "right"),
    [
        ("", "sets.toml", "[[sets]]"),
        ("set = 1", ":1: set", "sets"),
        ("sets = 1", "sets.toml", "[[sets]]"),
        ('[[sets]]\nicons = {"Heavy" = []}', ":1: sets[0]", "name"),
        ('[[sets]]\nname = ""\nicons = {"Heavy" = []}', ":2: sets[0].name", "short text"),
        ('[[sets]]\nname = "a"', ":1: sets[0]", "either cards"),
        ('[[sets]]\nname = "a"\ncards = []', ":3: sets[0].cards", "Bank Job"),
        ('[[sets]]\nname = "a"\ncolour = 1', ":3: sets[0].colour", "name, cards, icons"),
        ('[[sets]]\nname = "a"\nicons = 3', ":3: sets[0].icons", "table of titles"),
        ('[[sets]]\nname = "a"\n[sets.icons]\n"Heavy" = [3]', ":4: sets[0].icons.Heavy", "icons of each copy"),
        ('[[sets]]\nname = "a"\n[sets.icons]\n"Heavi" = []', ":4: sets[0].icons.Heavi", 'did you mean "Heavy"?'),
        ('[[sets]]\nname = "a"\n[sets.icons]\n"Heavy" = [[6]]', ":4: sets[0].icons.Heavy", "from 3 to 5"),
        (
            '[[sets]]\nname = "a"\ncards = [{title = "Heavy", players = [9]}]',
            ":3: sets[0].cards[0].players",
            "from 3 to 5",
        ),
        (
            '[[sets]]\nname = "a"\nicons = {"Heavy" = []}\n[[sets]]\nname = "a"\nicons = {"Heavy" = []}',
            ":5: sets[1].name",
            "one of its own",
        ),
    ],
)
def test_what_is_wrong_with_a_file_of_sets(tmp_path, text, place, right):
    with pytest.raises(UnreadableError) as fault:
        sets_of(tmp_path, text)
    assert place in fault.value.place
    assert right in fault.value.message


def test_what_belongs_to_the_other_game():
    with pytest.raises(UserError, match="shares"):
        heat_trimming.trims(heat_rules.Rules(), HEAT_DECK, shares=["1/2"])
    with pytest.raises(UserError, match="sets"):
        hot_trimming.trims(hot_rules.Rules(), HOT_DECK, sets="mine.toml")
    with pytest.raises(UserError, match="decisions"):
        trim("heatsim", unit="turns")
    with pytest.raises(UserError, match="length"):
        trim("hotsim", length=-1)
    with pytest.raises(UserError, match="no way to trim"):
        trim("hotsim", ["0"], players=5, agents="random", games=10)


# Fronts


def test_the_front_has_what_nothing_beats():
    good = np.array([[1.0, 2, 3, 2, 3], [3, 2, 1, 1, 1]])[..., None]
    assert pareto.front(good)[:, 0].tolist() == [True, True, True, False, True], "equals do not beat each other"
    assert pareto.best(good[0]).tolist() == [0, 0, 0.5, 0, 0.5]


def test_aims_turn_values_so_that_more_is_better():
    values = np.array([50.0, 60, 75])
    assert Aim("m", "", 1).goodness(values).argmax() == 2
    assert Aim("m", "", -1).goodness(values).argmax() == 0
    assert Aim("m", "", 0, 64).goodness(values).tolist() == [-14, -4, -11]


def made_up(value, error, like=0.0, seed=0):
    """Make an estimate with a standard error, as like to that of seed 0 as `like` says."""
    first, own = (np.random.default_rng(s).standard_normal(GROUPS) for s in (0, seed + 1))
    apart = like * first + math.sqrt(1 - like**2) * own
    return Estimate(value, apart * error * math.sqrt(GROUPS / (apart @ apart)), GROUPS, 1000, 1000)


def test_what_could_have_been_has_the_spread_of_the_estimates_and_their_likeness():
    one, other = made_up(1.0, 0.1, 1.0), made_up(2.0, 0.3, 1.0)
    drawn = pareto.drawn([one, other, made_up(0.0, 0.2, seed=5)], seed=3)
    assert drawn.mean(axis=1) == pytest.approx([1, 2, 0], abs=0.03)
    assert drawn.std(axis=1) == pytest.approx([0.1, 0.3, 0.2], rel=0.06)
    assert np.corrcoef(drawn)[0, 1] == pytest.approx(1)
    assert abs(np.corrcoef(drawn)[0, 2]) < 0.2
    assert np.isnan(pareto.drawn([one._replace(groups=1)], seed=3)).all()


# Studies


@pytest.fixture(scope="module")
def hot(tmp_path_factory):
    out = tmp_path_factory.mktemp("trim") / "run"
    asked = {"agents": "random,greedy", "games": 300, "players": [2, 3]}
    with pytest.MonkeyPatch.context() as patch:  # drawn for sweeps in their tests
        patch.setattr(sweep_figures, "save_all", lambda tables, folder: (folder / "lines").touch())
        return trim("hotsim", ["0", "1/2", "3/4"], length=60, out=out, jobs=1, **asked)


def test_a_trim_tells_the_front_and_the_answers(hot):
    table = hot.frame("trims")
    two, three = (table.query(f"players == {n} and agent == 'greedy'").set_index("design") for n in (2, 3))
    assert list(three.index) == ["base", "return_fraction=0", "return_fraction=3/4"], "1/2 is the base"
    assert list(two.index)[3:] == ["dummy=false", "return_fraction=0 dummy=false", "return_fraction=3/4 dummy=false"]
    assert (table.off == (table.length - 60).abs()).all()
    for _, field in table.groupby(["players", "agent"]):
        good = [-field.seat_gap, -field.off] + ([field.skill] if field.skill.notna().all() else [])
        assert list(field.pareto) == pareto.front(np.array(good)[..., None])[:, 0].tolist()
        assert field.p_pareto.between(0, 1).all()
        assert field.p_pareto[field.off.idxmin()] > 0.9, "nothing beats what is surely closest to the wish"
    assert table.query("agent == 'random'").skill.isna().all()
    answers = hot.frame("answers").query("agent == 'greedy'").set_index(["players", "metric"])
    closest = answers.loc[(3, "decisions_mean")]
    assert (closest.design, closest.p_best, closest.candidates) == ("base", 1.0, "base")
    assert closest.question == "length closest to 60 decisions"
    assert answers.loc[(2, "skill")].design in answers.loc[(2, "skill")].candidates
    assert set(hot.frame("points").key) == {"return_fraction"}
    assert list(hot.frame("points").query("players == 3").design) == [
        "return_fraction=0",
        "base",
        "return_fraction=3/4",
    ]


def test_pareto_plots(hot):
    names = {path.name for path in (hot.folder / "figures").iterdir()}
    assert {"pareto_2.png", "pareto_3.svg", "lines"} <= names
    with mpl.rc_context(STYLE):
        drawn = dict(trim_figures.figures(hot.tables["trims"], {"unit": "decisions", "length": 60}))
    assert len(drawn["pareto_3"].axes) == 2 * 3
    front = hot.frame("trims").query("players == 3 and agent == 'greedy' and pareto")
    told = " ".join(text.get_text() for text in drawn["pareto_3"].texts)
    assert all(f"{row.number} {row.design}" in told for row in front.itertuples())


def test_without_a_wish_length_is_no_aim():
    found = trim("hotsim", ["0"], agents="greedy", games=20, players=4, jobs=1)
    assert set(found.tables["answers"]["metric"]) == {"seat_gap", "skill"}
    assert np.isnan(found.tables["trims"]["off"]).all()


def test_the_command_line_with_sets(tmp_path, capsys):
    file = tmp_path / "sets.toml"
    file.write_text(SETS)
    words = ["balance", "trim", "--sets", str(file), "--no-flips", "--players", "3", "--agents", "random"]
    out = ["--games", "20", "--out", str(tmp_path / "run"), "--quiet"]
    assert cli.run("heatsim", [*words, *out]) == 0
    said = capsys.readouterr().out
    assert "no banks" in said
    assert "Cannot be played" in said
    assert "has 1 cards for 3 players" in said
    assert cli.run("heatsim", [*words, *out, "--resume", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [row["design"] for row in document["tables"]["trims"]] == ["base", "no banks"]
    file.write_text("[[sets]]\nnam = 1\n")
    assert cli.run("heatsim", [*words, *out]) == 2
    assert "sets.toml:2: sets[0].nam: unknown key" in capsys.readouterr().err
