"""What each kind of study answers: sentences from its tables, their numbers as these have them."""

import math
import re
from types import SimpleNamespace

import pytest

from experiments.balance import answers, kinds, sentences

WHERE = {"players": [3, 4], "agent": ["greedy", "heuristic"]}
TABLES = {
    "depth": {
        **WHERE,
        "question": ["budget", "odd"],
        "opponent": ["random", "greedy"],
        "n_games": [1200, 1200],
        "win_share": [0.4, 0.25],
        "win_share_low": [0.39, 0.24],
        "win_share_high": [0.41, 0.26],
    },
    "answers": {
        **WHERE,
        "question": ["fairest seats", "skill worth most"],
        "design": ["return_fraction=1/4", "base"],
        "metric": ["seat_gap", "skill"],
        "value": [0.0123, 0.512],
        "value_low": [0.0043, 0.490],
        "value_high": [0.0203, 0.534],
        "base": [0.0456, 0.512],
        "p_best": [0.625, 1.0],
        "candidates": ["base; return_fraction=1/4", "base"],
    },
    "verdicts": {
        "design": ["announce=true", "debt=false"],
        "ruling": ["HT17", "HT11"],
        "players": [3, 3],
        "verdict": ["changes", "never differed"],
        "n_changed": [2, 0],
        "n_numbers": [40, 40],
        "changed": ["decisions_mean (greedy); odd (greedy)", ""],
    },
    "definitions": {
        "metric": ["decisions_mean"],
        "title": ["length (decisions)"],
        "name": ["dominant"],
        "meaning": ["it brings many wins"],
    },
    "flags": {
        **WHERE,
        "card": ["1+3", "heli"],
        "flag": ["dominant", "dead"],
        "measure": ["exchange: wins", "play_share"],
        "value": [0.0512, 0.012],
        "value_low": [0.0412, 0.002],
        "value_high": [0.0612, 0.022],
    },
    "cards": {
        "players": [3, 3, 3],
        "agent": ["greedy", "greedy", "greedy"],
        "card": ["1+3", "heli", "2+2"],
        "exchange_effect": [0.05, -0.03, 0.01],
        "exchange_effect_low": [0.04, -0.05, -0.01],
        "exchange_effect_high": [0.06, -0.01, 0.03],
    },
    "conclusions": {
        **WHERE,
        "statement": ["seats differ", "greedy alone beats random"],
        "verdict": ["undecided", "holds for all"],
    },
    "smallest": {
        "place": [1],
        "trial": [7],
        "design": ["storms=3"],
        "changes": [1],
        "verdict": ["met"],
        "confirmed": ["undecided"],
    },
    "trials": {"trial": [0, 1, 2]},
    "confirmation": {
        "trial": [7, 7, 7, 8],
        "target": ["seat_gap<0.03", "seat_gap<0.03", "cards<60", "seat_gap<0.03"],
        "players": [3, 4, 0, 3],
        "agent": ["greedy", "greedy", "", "greedy"],
        "value": [0.02, 0.035, 54.0, 0.01],
        "value_low": [0.012, 0.025, math.nan, 0.0],
        "value_high": [0.028, 0.045, math.nan, 0.02],
        "verdict": ["met", "undecided", "met", "met"],
    },
}


def told(answer, **changed):
    return [each.text for each in answer(SimpleNamespace(tables={**TABLES, **changed}))]


def without_rows(name):
    return {name: {column: [] for column in TABLES[name]}}


def test_depth():
    assert told(answers.metrics) == [
        "Thinking twice as long, in duels of their own, 1,200 games each: one greedy among copies of random wins "
        "40.0 % [39.0, 41.0] with 3 players (equal share 33.3 %): surely more than its equal share.",
        "odd, in duels of their own, 1,200 games each: one heuristic among copies of greedy wins 25.0 % [24.0, 26.0] "
        "with 4 players (equal share 25.0 %): whether that is more than its equal share is not clear.",
    ]
    assert list(answers.metrics(SimpleNamespace(tables={}))) == []
    weak = {**TABLES["depth"], "win_share_high": [0.41, 0.249]}
    assert told(answers.metrics, depth=weak)[1].endswith(": surely less than its equal share.")


def test_trims():
    first, second = told(answers.trim)
    assert first == (
        "Fairest seats with 3 players (greedy): it may be return_fraction=1/4 with 1.23 percentage points "
        "[0.43, 2.03], the base has 4.6 percentage points. It is the best in 62.5 % of draws of what other deals could "
        "bring; it may also be base."
    )
    assert second == (
        "Skill worth most with 4 players (heuristic): it is base with 0.512 [0.490, 0.534]. It is the best in more "
        "than 99.9 % of draws of what other deals could bring."
    )


def test_readings_of_the_rules():
    assert told(answers.rulings) == [
        "announce=true (HT17) with 3 players surely changes 2 of 40 numbers: length (greedy); odd (greedy).",
        "Never differed: debt=false (HT11) with 3 players.",
    ]


def test_cards():
    assert told(answers.cards) == [
        "Surely “dominant”, it brings many wins: 1+3 with 3 players (greedy), +5.12 percentage points [+4.12, +6.12].",
        "Surely “dead”, play_share: heli with 4 players (heuristic), 1.20 % [0.20, 2.20].",
        "Wins that a card brings in place of a random one of a hand, with 3 players (greedy): these bring most: 1+3 "
        "+5.0 percentage points [+4.0, +6.0]; these cost most: heli -3.0 percentage points [-5.0, -1.0]. Their 95 % "
        "intervals lie on one side of 0, but are not corrected for how many cards were looked at.",
    ]
    nothing, _ = told(answers.cards, **without_rows("flags"))
    assert nothing == "No card stands out for sure, of 3, each number of players and level counted apart."


def test_no_card_is_named_that_may_be_worth_nothing():
    blurred = {
        **TABLES["cards"],
        "exchange_effect_low": [-0.01, -0.05, -0.01],
        "exchange_effect_high": [0.11, 0.0, 0.03],
    }
    assert not any("bring" in text for text in told(answers.cards, cards=blurred, **without_rows("flags")))


def test_plausible_decks():
    assert told(answers.decks) == [
        "Holds for all (1 of the conclusions): greedy alone beats random, with 4 players (heuristic).",
        "Undecided (1 of the conclusions): seats differ, with 3 players (greedy).",
    ]


def test_searches():
    assert told(answers.search) == [
        "storms=3 (place 1, 1 setting changed): targets met in the search, undecided on fresh deals: seat_gap<0.03 "
        "surely met in 1 of 2, from 0.0200 [0.0120, 0.0280] (3 players, greedy) to 0.035 [0.025, 0.045] (4 players, "
        "greedy); cards<60 surely met in 1 of 1, 54."
    ]
    (untried,) = told(answers.search, **without_rows("confirmation"))
    assert untried.endswith("undecided on fresh deals.")
    assert told(answers.search, **without_rows("smallest")) == ["None of 3 designs that were tried meets the targets."]


def test_long_lists_are_cut():
    many = {column: values * 10 for column, values in TABLES["conclusions"].items()}
    text = told(answers.decks, conclusions=many)[0]
    assert text.count("greedy alone beats random") == answers.MOST_NAMED
    assert text.endswith("; and 2 more, in the table.")


@pytest.mark.parametrize("answer", [answers.metrics, answers.trim, answers.cards, answers.search])
def test_every_number_is_in_the_tables(answer):
    for each in answer(SimpleNamespace(tables=TABLES)):
        for number in each.numbers:
            column = [TABLES[number.table][number.column][row] for row in number.rows]
            scale = 100 if "%" in number.text or "percentage points" in number.text else 1
            first = float(re.search(r"[-+]?[\d,.]*\d", number.text)[0].replace(",", ""))
            if number.how == "count":
                assert first == len(column)
            elif number.how == "nearly all":
                assert number.text == "more than 99.9 %"
                assert column[0] > 0.999
            else:
                assert first == pytest.approx(scale * column[0], abs=0.0501)


def test_an_interval_is_not_told_as_a_point():
    table = {"t": {"value": [1.0], "value_low": [0.99996], "value_high": [1.0]}}
    assert sentences.told(table, "t", 0, "value", sentences.PERCENT).text == "100.000 % [99.996, 100.000]"


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_what_a_kind_names_is_there(kind):
    found = kinds.KINDS[kind]
    assert kinds.columns(found)
    assert kinds.methods(found)
    for name in (found.sentences, found.panels, found.load):
        assert not name or callable(kinds.resolved(name))
    assert all(re.fullmatch(r"[a-z_*]+", name) for name in found.captions)
