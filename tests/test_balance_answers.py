"""What each kind of study answers: sentences from its tables, their numbers as these have them."""

import re
from types import SimpleNamespace

import pytest

from experiments.balance import answers, kinds

WHERE = {"players": [3, 4], "agent": ["greedy", "heuristic"]}
TABLES = {
    "depth": {
        **WHERE,
        "question": ["budget", "odd"],
        "opponent": ["random", "greedy"],
        "win_share": [0.4, 0.5],
        "win_share_low": [0.39, 0.48],
        "win_share_high": [0.41, 0.52],
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
    "cards": {"players": [3, 3], "card": ["1+3", "heli"]},
    "conclusions": {
        **WHERE,
        "statement": ["seats differ", "greedy alone beats random"],
        "verdict": ["undecided", "holds for all"],
    },
    "smallest": {
        "place": [1],
        "design": ["storms=3"],
        "changes": [1],
        "verdict": ["met"],
        "confirmed": ["undecided"],
    },
    "trials": {"trial": [0, 1, 2]},
}


def told(answer, **changed):
    return [each.text for each in answer(SimpleNamespace(tables={**TABLES, **changed}))]


def without_rows(name):
    return {name: {column: [] for column in TABLES[name]}}


def test_depth():
    assert told(answers.metrics) == [
        "Thinking twice as long: one greedy among copies of random wins 40.0 % [39.0, 41.0] with 3 players.",
        "odd: one heuristic among copies of greedy wins 50.0 % [48.0, 52.0] with 4 players.",
    ]
    assert list(answers.metrics(SimpleNamespace(tables={}))) == []


def test_trims():
    first, second = told(answers.trim)
    assert first == (
        "Fairest seats with 3 players (greedy): it may be return_fraction=1/4 with 1.23 percentage points "
        "[0.43, 2.03], the base has 4.6 percentage points. It is the best in 62.5 % of draws of what other deals could "
        "bring; it may also be base."
    )
    assert second == (
        "Skill worth most with 4 players (heuristic): it is base with 0.512 [0.490, 0.534]. It is the best in 100.0 % "
        "of draws of what other deals could bring."
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
    ]
    (nothing,) = told(answers.cards, **without_rows("flags"))
    assert nothing == "No card stands out for sure, of 2, each number of players and level counted apart."


def test_plausible_decks():
    assert told(answers.decks) == [
        "Holds for all (1 of the conclusions): greedy alone beats random, with 4 players (heuristic).",
        "Undecided (1 of the conclusions): seats differ, with 3 players (greedy).",
    ]


def test_searches():
    assert told(answers.search) == [
        "storms=3 (place 1, 1 setting changed): targets met in the search, undecided on fresh deals."
    ]
    assert told(answers.search, **without_rows("smallest")) == ["None of 3 designs that were tried meets the targets."]


def test_long_lists_are_cut():
    many = {column: values * 10 for column, values in TABLES["conclusions"].items()}
    text = told(answers.decks, conclusions=many)[0]
    assert text.count("greedy alone beats random") == answers.MOST_NAMED
    assert text.endswith("; and 2 more, in the table.")


@pytest.mark.parametrize("kind", kinds.KINDS)
def test_what_a_kind_names_is_there(kind):
    found = kinds.KINDS[kind]
    assert kinds.columns(found)
    assert kinds.methods(found)
    for name in (found.sentences, found.panels, found.load):
        assert not name or callable(kinds.resolved(name))
    assert all(re.fullmatch(r"[a-z_*]+", name) for name in found.captions)
