"""The designer's summary says what the tables say: every number is in them, and no sentence claims more."""

import math
import re
from dataclasses import replace

import pytest
from scipy.stats import nct, t
from toystudies import toy

from experiments.balance import kinds
from experiments.balance.sentences import sentence
from experiments.balance.summary import sentences
from experiments.balance.thresholds import DIFFERENT, FAIR, SURE, UNCLEAR, UNFAIR, side, verdict, visible

EQUAL = (0, 0, 0)
FAVOURED = (0, 3, 0)
OWN = "test_balance_summary:own"
MANY = 40_000
NOT_PLAYED = {"design": "storms={9}", "players": 3, "why": "too few cards"}


@pytest.fixture(scope="module")
def studies():
    """Studies that together make every sentence come up."""
    return {
        "fair": toy(MANY, {"base": (1, EQUAL, 0)}),
        "unfair": toy(MANY, {"base": (1, FAVOURED, 0), "{odd}": (2, EQUAL, 0)}, [NOT_PLAYED]),
        "few": toy(200, {"base": (1, EQUAL, 0), "chance": (3, EQUAL, 0), "same": (1, EQUAL, 0), "long": (4, EQUAL, 2)}),
        "many": toy(200, {"base": (1, EQUAL, 0), **{f"n={n}": (n, EQUAL, n - 9) for n in range(2, 18)}}),
        "crowd": toy(4000, {"base": (1, EQUAL, 0), **{f"n={n}": (n, FAVOURED, 0) for n in range(2, 4)}}),
    }


def said(study, *words):
    """Return the sentences that hold all these words."""
    return [each.text for each in sentences(study) if all(word in each.text for word in words)]


def test_a_fair_design_is_called_fair(studies):
    assert (
        len(said(studies["fair"], "Seats are fair with 3 players (plain, clever)", "less than 2 percentage points"))
        == 1
    )
    assert not said(studies["fair"], "not fair") + said(studies["fair"], "not clear with")


def test_an_unfair_design_names_the_seat_that_wins_too_much(studies):
    found = said(studies["unfair"], "Seats are not fair with 3 players", "seat 1 wins too much with ")
    assert len(found) == 2
    assert all("too little" in text for text in found)
    assert not said(studies["unfair"], "Seats are fair")


def test_few_games_leave_it_open(studies):
    assert said(studies["few"], "Whether seats are fair is not clear with 3 players (plain, clever)")


@pytest.mark.parametrize(
    ("low", "high", "p_value", "expected"),
    [
        (0.001, 0.019, 0.001, FAIR),
        (0.001, 0.021, 0.001, DIFFERENT),
        (0.021, 0.030, 0.001, UNFAIR),
        (0.021, 0.030, 0.060, UNCLEAR),
        (-0.01, 0.030, 0.500, UNCLEAR),
        (math.nan, math.nan, math.nan, UNCLEAR),
    ],
)
def test_a_verdict_needs_its_whole_interval(low, high, p_value, expected):
    assert verdict(low, high, p_value) == expected


def test_only_differences_that_hold_are_told(studies):
    (found,) = said(studies["few"], "long compared with the base, played by clever: length +6")
    assert "decisions" in found
    assert said(studies["few"], "same: every number is the same on these deals; that it would be on others")
    assert said(studies["few"], "chance: nothing that so many games can see", "in gap between seats")
    assert not said(studies["few"], "chance compared")


def test_many_designs_are_told_by_their_extremes(studies):
    assert not said(studies["many"], "compared with the base")
    (found,) = said(studies["many"], "How many designs surely differ from the base in length")
    assert re.search(r"with 3 players \d+ of 16, from -\d.* \(n=2\) to \+\d.* \(n=17\)", found)


def test_seats_of_changed_designs_are_judged(studies):
    assert said(studies["unfair"], "Changed designs", "played by clever: seats are fair in 1 of 1")
    assert said(studies["crowd"], "not fair in 2 of 2", "Gaps of those that are not fair: n=2 with 3 players ")


def test_what_cannot_be_played_is_said(studies):
    (found,) = said(studies["unfair"], "cannot be played")
    assert found == "1 combination of design and players cannot be played: storms={9} with 3 players (too few cards)."


def test_nothing_played_is_nothing_said():
    empty = toy(2, {"base": (1, EQUAL, 0)})
    blank = {name: {column: [] for column in table} for name, table in empty.tables.items()}
    assert sentences(replace(empty, tables=blank)) == []


def test_a_kind_speaks_first(studies, monkeypatch):
    monkeypatch.setitem(kinds.KINDS, "study", kinds.OTHER._replace(sentences=OWN))
    assert sentences(studies["fair"])[0].text == "The answer is {x}."


def test_what_is_about_the_base_says_so(studies, monkeypatch):
    assert said(studies["fair"], "Base: A game of clever against itself takes")
    monkeypatch.setitem(kinds.KINDS, "study", kinds.OTHER._replace(about_base=True, sentences=OWN))
    found = [each.text for each in sentences(studies["fair"])]
    assert not any(text.startswith("Base") for text in found)
    assert found[0].startswith("Seats are fair")
    assert found.index("The answer is {x}.") == len(found) - 2


def test_games_of_duels_are_counted(studies):
    study = studies["fair"]
    assert said(study, f"Each number rests on {MANY:,} to ")
    duels = {**study.tables, "depth": {"n_games": [19, 152]}}
    assert said(replace(study, tables=duels), "Each number rests on 19 to ")


def test_what_cannot_have_been_seen_is_not_told_as_a_number(studies):
    study = studies["few"]

    def widened(factor):
        table = dict(study.tables["differences"])
        for end in ("low", "high"):
            table[f"difference_{end}"] = [
                mean + factor * (value - mean)
                for mean, value in zip(table["difference"], table[f"difference_{end}"], strict=True)
            ]
        return said(replace(study, tables={**study.tables, "differences": table}), "chance: nothing that so many")[0]

    wide, unknown = widened(100), widened(0)
    assert "In gap between seats not even 100 percentage points would have been." in wide
    assert "In gap between seats it cannot be told from so few games." in unknown
    assert not re.search(r"\de[+-]?\d|a difference of 0", wide + unknown + widened(1))


def test_the_agent_is_said_once_and_rightly(studies):
    for text in said(studies["few"], "compared with the base"):
        assert text.count("played by clever") <= 1
        assert "(played by" not in text


def own(study):
    return [sentence("Which?", "The answer is {}.", "{x}")]


# Every number


def values(text):
    return [float(number.replace(",", "")) for number in re.findall(r"[+-]?\d[\d,]*\.?\d*(?:e-\d+)?", text)]


def rounding(text):
    """Return how far a number may be from what was rounded to it."""
    return 0.5001 * 10.0 ** -max((len(part) for part in re.findall(r"\.(\d+)", text)), default=0)


def as_it_stands(table, number):
    if number.text.startswith("p < "):
        assert table[number.column][number.rows[0]] < 0.001
        return [0.001]
    scale = 0.01 if "%" in number.text or "percentage points" in number.text else 1
    columns = [number.column, *(f"{number.column}_{end}" for end in ("low", "high"))]
    found = [table[column][row] / scale for row in number.rows for column in columns if column in table]
    return found[: len(values(number.text.replace("%", "").replace("95 ", "")))]


def worked_out(table, number, tests):
    """Return what the text of a number should say, from the rows that it names."""
    column = [table[number.column][row] for row in number.rows]
    if number.how == "count":
        return [len(set(number.rows))]
    if number.how == "mean":
        return [100 * sum(column) / len(column)]
    assert number.how == "visible"
    halves = [(table["difference_high"][row] - table["difference_low"][row]) / 2 for row in number.rows]
    freedom = [min(251, table["n_deals"][row]) - 1 for row in number.rows]
    least = max(visible(half, df, tests) for half, df in zip(halves, freedom, strict=True))
    return [least * (100 if "percentage" in number.text else 1)]


@pytest.mark.parametrize("name", ["fair", "unfair", "few", "many", "crowd"])
def test_every_number_is_in_the_tables(studies, name):
    study = studies[name]
    tests = len(study.tables["differences"]["p_value"]) - sum(map(math.isnan, study.tables["differences"]["p_value"]))
    for each in sentences(study):
        rest = each.text
        for number in each.numbers:
            assert number.text in rest
            rest = rest.replace(number.text, "", 1)
            table = study.tables[number.table]
            expected = as_it_stands(table, number) if number.how == "value" else worked_out(table, number, tests)
            tolerance = rounding(number.text) if number.how != "visible" else 0.06 * expected[0]
            assert values(number.text) == pytest.approx(expected, abs=tolerance), each.text
        rest = re.sub(r"storms=\{9\}|n=\d+", "", rest)
        assert set(values(rest)) <= {0, 1, 2, 3, 5, 33.3, 80, 95, 100}, each.text


def test_what_is_sure_of_one_statement_is_not_of_many():
    assert side(0.40, 0.35, 0.45, 0.34, 250, 1) == 1
    assert side(0.40, 0.35, 0.45, 0.34, 250, 10) == 0
    assert side(0.40, 0.35, 0.45, 0.50, 250, 10) == -1
    assert side(0.40, math.nan, math.nan, 0.1, 1, 1) == 0


@pytest.mark.parametrize(("freedom", "tests"), [(250, 1), (250, 400), (30, 10)])
def test_what_would_have_been_seen_is_seen_four_times_in_five(freedom, tests):
    error = 0.7
    half = error * t.ppf(0.975, freedom)
    found = visible(half, freedom, tests)
    power = nct.sf(t.ppf(1 - SURE / (2 * tests), freedom), freedom, found / error)
    assert power == pytest.approx(0.8, abs=0.02)
