"""Traces of Heat: games that are recorded replay, and every malformed trace is told apart."""

import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import heat_engines
import pytest
import tracefiles
from anygame import finish
from heat_engines import cover, reveal, stages, word
from tracefiles import NOT_INTEGERS, Trace, changed, written

from heatsim import cards, deck, reference, trace
from heatsim.deck import Deck
from heatsim.reference import Reference
from heatsim.rules import Rules

replayed = functools.partial(tracefiles.replayed, trace.TRACES)
verdict = functools.partial(tracefiles.verdict, trace.TRACES)


def play_out(players: int, seed: int = 0, mine: Deck | None = None, **options: Any) -> Trace:
    """Record a game of random legal actions."""
    rng = random.Random(seed)
    used, some = mine or deck.default(), Rules().replace(**options)
    game = finish(Reference(some, players, reference.deal(some, used, players, rng)), rng)
    return trace.record(game, used, agents=["random"] * players, seed=seed)


def test_random_games_are_recorded_and_replay() -> None:
    many = [("Copycat Crime", [3, 4, 5])] * 4 + [("Backup Plan", [3, 4, 5])] * 4 + [("Heavy", [3, 5])] * 5
    many += [(title, [3, 4, 5]) for title in cards.TITLES]
    options: list[dict[str, Any]] = [
        {},
        {"announce": True, "feds_carry_over": False, "debt": False, "mastermind_tie": False},
        {"board": "1x2,2x2", "stages": 7, "heists": 2},
        {"stages": 1, "heists": 5},
    ]
    for seed in range(40):
        mine = deck.from_copies(many, "mine") if seed % 3 == 0 else None
        record = play_out(3 + seed % 3, seed, mine, **options[seed % 4])
        assert trace.check_line(trace.to_line(record), "line 1") == (record, [])
        assert ("deck" in record) == (mine is not None)


# What can be wrong with one

GAME = play_out(3, seed=6)
TALK = play_out(3, seed=6, announce=True, heists=1)


def test_the_games_that_are_changed_below_are_fine() -> None:
    assert verdict(GAME) == verdict(TALK) == (0, "")


ROWS: list[object] = [None, {}, "x", 0, [], [[]], [[], []], [[], [], [], []], [None] * 3, ["Bank Job"] * 3]
"""What is no list of titles for each of three seats."""

TITLES: list[object] = ["Gold", "bank job", "Bank Job ", "", 3, True, ["Bank Job"], {}]
"""What is no title."""


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("format", ["hotsim-trace/1", "heatsim-trace/2", None, 1, ["heatsim-trace/1"], ...]),
        ("players", [*NOT_INTEGERS, 0, 2, 6, -3, 10**30, ...]),
        ("rules", [None, [], "x", {"storms": 3}, {"": 1}]),
        ("rules", [{name: v} for name in ("heists", "stages") for v in (*NOT_INTEGERS, 0, -1, 10**30)]),
        ("rules", [{name: v} for name in ("feds_carry_over", "debt", "announce") for v in (0, 1, None, "true", [])]),
        ("rules", [{"mastermind_tie": v} for v in (0, 1, None, "false", [])]),
        ("rules", [{"board": v} for v in (None, {}, "1x1", 15, True, [], [[]], [1, 2], [[1]], [[1, 2, 3]])]),
        ("rules", [{"board": [[v, 1]]} for v in (*NOT_INTEGERS, 0, -1)]),
        ("rules", [{"board": [[1, v]]} for v in (*NOT_INTEGERS, 0, -1)]),
        ("rules", [{"board": [[1, 1], [1, 2]]}, {"board": [[2, 1], [1, 2]]}]),
        ("rules", [{"heists": 2}, {"stages": 3}]),  # more heists or Stages than the rules have
        ("agents", [None, "x", [1], [None], {}]),
        ("seed", [True, 1.0, None, [], {}]),
        ("deck", [None, {}, [], "default", [None], ["Bank Job"]]),
        ("heists", [None, {}, "x", [None], [[]], [{}], ...]),
        ("heists.0", [None, [], "x", {}]),
        ("heists.0.colour", ["red"]),
        ("heists.0.deck", [None, {}, "x", [], ["Bank Job"] * 25, ["Bank Job"] * 24, [None] * 25, ...]),
        ("heists.0.deck.3", [*TITLES, None]),
        ("heists.0.draft", [None, {}, [], [{"pass": ["Bank Job"] * 3}] * 2, [{"pass": ["Bank Job"] * 3}] * 4, ...]),
        ("heists.0.draft.1", [None, [], {}, {"pass": ["Bank Job"] * 3, "draw": []}]),
        ("heists.0.draft.1.pass", [None, {}, "x", [], ["Bank Job"] * 2, ["Bank Job"] * 4, [None] * 3, ...]),
        ("heists.0.draft.1.pass.2", [*TITLES, None]),
        ("heists.0.stages", [None, {}, "x", [None], [[]], [{}], ...]),
        ("heists.0.stages.0", [None, [], "x", {}]),
        ("heists.0.stages.0.colour", ["red"]),
        ("heists.0.stages.0.announce", [[None] * 3, [], None]),
        ("heists.0.stages.0.reveal", [None, {}, "x", [], ["Bank Job"] * 2, ["Bank Job"] * 4, ...]),
        ("heists.0.stages.0.reveal.1", TITLES),
        ("heists.0.stages.0.cover", [None, {}, "x", [], [None] * 2, [None] * 4]),
        ("heists.0.stages.0.cover", [[None, None, title] for title in TITLES]),
        ("heists.0.stages.0.add", [*ROWS, *([[], [], [title]] for title in TITLES), [[], [], [None]]]),
        ("heists.0.stages.0.after", [None, [], "x", {"colour": 1}, {"heat_value": 1}]),
        ("heists.0.stages.0.after.money", [None, {}, 3, [], [0, 0], [0] * 4, *([0, 0, v] for v in NOT_INTEGERS)]),
        ("heists.0.stages.0.after.heat", [None, {}, 3, [], [0, 0], [0] * 4, *([0, 0, v] for v in NOT_INTEGERS)]),
        ("heists.0.stages.0.after.hands", [row for row in ROWS if row]),
        ("heists.0.stages.0.after.records", [*ROWS, *([[], [], [title]] for title in TITLES), [[], [], [None]]]),
        ("heists.0.stages.0.after.deck", [*NOT_INTEGERS, []]),
        ("result", [None, [], 0, {"colour": "red"}]),
        ("result.money", [None, {}, [1, 2], [1, 2, 3, 4], [1, 2, True], [1, 2, 3.0], [1, 2, None]]),
        ("result.heat", [None, {}, [1, 2], [1, 2, 3, 4], [1, 2, True], [1, 2, "3"]]),
        ("result.final", [None, {}, [1, 2], [1, 2, 3, 4], [1, 2, 3.5]]),
        ("result.heat_value", NOT_INTEGERS),
        ("result.winners", [None, 1, [True], ["0"], [0.0]]),
        ("result.arrested", [None, 0, 1, "false", []]),
    ],
)
def test_what_cannot_be_read(path: str, values: list[object]) -> None:
    for value in values:
        code, said = verdict(changed(GAME, path, value))
        assert code == 2, (path, value, said)
        assert path.split(".")[0] in said or "heists" in said, "rules are told where they are not met"


def test_announcements_belong_to_the_option() -> None:
    assert verdict(changed(TALK, "heists.0.stages.0.announce", ["Copycat Crime", None, "Heavy"])) == (0, "")
    wrong: list[object] = [..., None, [], [None] * 2, [None] * 4, [None, None, "Gold"], [None, None, 3]]
    for value in wrong:
        code, said = verdict(changed(TALK, "heists.0.stages.0.announce", value))
        assert code == 2
        assert "heists[0].stages[0].announce" in said
    code, said = verdict(changed(TALK, "rules.announce", False))
    assert (code, "heists[0].stages[0].announce: unknown field" in said) == (2, True)
    assert verdict(changed(GAME, "rules", {"announce": True}))[0] == 2


# A game in which every choice is made once: seat 0 has a Word on the Street, seat 1 a Cover Story.


def small_game() -> Trace:
    """Record a game of one heist and two Stages."""
    hands = ["Word on the Street, Break In", "Cover Story, Heavy", "Crackdown"]
    setup = heat_engines.setup(hands, "Leverage, Diversion, Frame Up")
    some = Rules(heists=1, stages=2)
    game = heat_engines.draft(Reference(some, 3, setup), hands)
    reveal(game, "Word on the Street", "Cover Story", "Crackdown").step(word("Break In"))
    game.step(cover("Heavy"))
    stages(game, "The Lift, The Lift, The Lift")
    used = deck.from_copies(((title, [3]) for title in setup.decks[0]), "small")
    return trace.record(game, used)


SMALL = small_game()
FIRST, SECOND = "heists.0.stages.0", "heists.0.stages.1"


def test_the_small_game() -> None:
    assert verdict(SMALL) == (0, "")
    stage = SMALL["heists"][0]["stages"][0]
    assert (stage["add"], stage["cover"]) == ([["Break In"], [], []], [None, "Heavy", None])
    assert stage["after"] == {
        "money": [3, 3, 1],
        "heat": [1, 0, 0],
        "hands": [["The Lift"] * 3, ["The Lift"] * 3, ["The Lift"] * 4],
        "records": [["Word on the Street", "Break In"], ["Heavy", "Cover Story"], ["Crackdown"]],
        "deck": 3,
    }


@pytest.mark.parametrize(
    ("path", "value", "place", "words"),
    [
        ("heists.0.draft.0.pass.1", "Leverage", "heists[0].draft[0].pass[1]", "seat 1 does not hold Leverage"),
        (f"{FIRST}.reveal.0", "Diversion", "reveal[0]", "seat 0 does not hold Diversion"),
        (f"{FIRST}.reveal.2", None, "reveal[2]", "seat 2 plays no card"),
        (f"{FIRST}.add", ..., "add[0]", "has to add a card"),
        (f"{FIRST}.add", [[], ["Break In"], []], "add[0]", "has to add a card"),
        (f"{FIRST}.add", [["Leverage"], [], []], "add[0][0]", "does not hold Leverage"),
        (f"{FIRST}.add", [["Break In", "The Lift"], [], []], "add[0][1]", "no Word on the Street to add The Lift"),
        (f"{FIRST}.add", [["Break In"], [], ["The Lift"]], "add[2][0]", "no Word on the Street"),
        (f"{SECOND}.add", [["The Lift"], [], []], "add[0][0]", "no Word on the Street"),
        (f"{FIRST}.cover", [None, "Leverage", None], "cover[1]", "does not hold Leverage"),
        (f"{FIRST}.cover", ["The Lift", "Heavy", None], "cover[0]", "no Cover Story to discard The Lift"),
        (f"{SECOND}.cover", [None, "The Lift", None], "cover[1]", "no Cover Story"),
    ],
)
def test_illegal_steps(path: str, value: object, place: str, words: str) -> None:
    code, said = verdict(changed(SMALL, path, value))
    assert code == 1
    assert f"{place}: " in said
    assert words in said


def test_choices_that_may_be_left_out() -> None:
    spelled_out = changed(changed(SMALL, f"{SECOND}.add", [[], [], []]), f"{SECOND}.cover", [None] * 3)
    assert verdict(spelled_out) == (0, "")
    declined = changed(SMALL, f"{FIRST}.cover", ...)
    code, said = verdict(declined)
    assert code == 1, "the hand is another then"
    assert f"{FIRST.replace('.0', '[0]')}.after.money[1]: found 3, expected 0" in said
    assert trace.check(spelled_out).trace == spelled_out
    bare = changed(changed(declined, "result", ...), f"{FIRST}.after", ...)
    assert verdict(changed(bare, f"{SECOND}.after", ...)) == (0, "")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (f"{FIRST}.after.money.2", 2),
        (f"{FIRST}.after.heat", [0, 1, 0]),
        (f"{FIRST}.after.hands.0", ["The Lift"] * 4),
        (f"{FIRST}.after.hands.0", []),
        (f"{FIRST}.after.records.1", ["Cover Story", "Heavy"]),
        (f"{FIRST}.after.records.1", ["Heavy"]),
        (f"{FIRST}.after.deck", 2),
        (f"{SECOND}.after.deck", 10**30),
        ("result.money.0", 10**30),
        ("result.heat", [1, 0, 1]),
        ("result.heat_value", 2),
        ("result.final", [4, 5, 4]),
        ("result.winners", []),
        ("result.winners", [0, 1]),
        ("result.winners", [7]),
        ("result.arrested", True),
    ],
)
def test_values_that_differ(path: str, value: object) -> None:
    code, said = verdict(changed(SMALL, path, value))
    assert code == 1
    place = path.replace(".0", "[0]").replace(".1", "[1]").replace(".2", "[2]")
    assert place.split("stages")[-1].split(".")[0] in said
    assert "found" in said
    assert "expected" in said


def test_hands_are_sorted() -> None:
    game = changed(SMALL, f"{FIRST}.after.hands.0", ["The Lift"] * 3)
    assert verdict(game) == (0, "")
    stage = GAME["heists"][0]["stages"][0]["after"]["hands"]
    assert stage == [sorted(held) for held in stage]
    seat = next(seat for seat in range(3) if stage[seat] != stage[seat][::-1])
    assert verdict(changed(GAME, f"heists.0.stages.0.after.hands.{seat}", stage[seat][::-1]))[0] == 1


def test_every_optional_field_is_compared_alone() -> None:
    for key, value in GAME["result"].items():
        assert verdict(GAME | {"result": {key: value}}) == (0, "")
    for key, value in GAME["heists"][1]["stages"][2]["after"].items():
        assert verdict(changed(GAME, "heists.1.stages.2.after", {key: value})) == (0, "")
    assert verdict(changed(GAME | {"result": {}}, "heists.1.stages.2.after", {})) == (0, "")
    twice = changed(changed(GAME, "result.final.0", 99), "heists.0.stages.1.after.deck", 99)
    assert verdict(twice)[1].count("found") == 2, "all that differs is told"


# The end


def test_an_unfinished_game() -> None:
    for heists in range(3):
        code, said = verdict(GAME | {"heists": GAME["heists"][:heists]})
        assert (code, f"heists: the game is not finished; expected heist {heists + 1} of 3" in said) == (1, True)
        for number in range(4):
            short = changed(GAME, f"heists.{heists}.stages", GAME["heists"][heists]["stages"][:number])
            code, said = verdict(short)
            assert code == 1
            assert f"heists[{heists}].stages: the heist is not finished; expected Stage {number + 1} of 4" in said


def test_stages_in_which_nobody_can_choose_are_recorded_too() -> None:
    lifts = deck.from_copies([("The Lift", [3])] * 15, "lifts")
    long = play_out(3, mine=lifts, stages=7, heists=2)
    assert verdict(long) == (0, "")
    assert [stage["reveal"] for stage in long["heists"][1]["stages"][5:]] == [[None] * 3] * 2
    for heist in (0, 1):
        code, said = verdict(changed(long, f"heists.{heist}.stages.6", ...))
        assert (code, "not finished; expected Stage 7 of 7" in said) == (1, True)
    code, said = verdict(changed(long, "heists.0.stages.6.reveal.1", "The Lift"))
    assert (code, "seat 1 has no card in hand" in said) == (1, True)
    assert verdict(changed(long, "heists.1.stages.6.add", [["Bank Job"], [], []]))[0] == 1
    assert verdict(changed(long, "heists.1.stages.6.cover", ["Bank Job", None, None]))[0] == 1
    assert verdict(changed(long, "heists.1.stages.6.after.deck", 99))[0] == 1


def arrested_game() -> Trace:
    """Record a game that ends by arrest in its second Stage."""
    hands = ["Heavy, Heavy"] * 3
    game = heat_engines.draft(Reference(Rules(), 3, heat_engines.setup(hands, heists=3)), hands)
    stages(game, "Heavy, Heavy, Heavy", "Heavy, Heavy, Heavy")
    return trace.record(game, deck.from_copies(((title, [3]) for title in game.heists[0]["deck"]), "hot"))


def test_after_an_arrest_nothing_may_follow() -> None:
    game = arrested_game()
    assert verdict(game) == (0, "")
    assert game["result"]["arrested"]
    assert game["heists"][0]["stages"][1]["after"]["heat"] == [3, 3, 3]
    stage = game["heists"][0]["stages"][1]
    code, said = verdict(changed(game, "heists.0.stages", [*game["heists"][0]["stages"], stage]))
    assert (code, "heists[0].stages[2]: the game is over by arrest" in said) == (1, True)
    code, said = verdict(game | {"heists": game["heists"] * 2})
    assert (code, "heists[1]: the game is over" in said) == (1, True)
    assert verdict(game | {"heists": game["heists"] * 4})[0] == 2, "more heists than the rules have"
    assert verdict(changed(game, "heists.0.stages", game["heists"][0]["stages"][:1]))[0] == 1
    assert verdict(changed(game, "result.winners", [0]))[0] == 1


def test_an_illegal_step_and_a_malformed_one_in_one_line() -> None:
    both = changed(changed(GAME, "heists.0.draft.0.pass.0", "Crackdown"), "heists.2.stages.3.why", 1)
    assert verdict(both)[0] == 2


# Rules and deck


def test_rules_that_equal_their_defaults_are_accepted() -> None:
    board = [[value, value] for value in range(1, 6)]
    given = {"feds_carry_over": True, "debt": True, "mastermind_tie": True, "announce": False, "board": board}
    assert verdict(GAME | {"rules": given | {"heists": 3, "stages": 4}}) == (0, "")
    assert verdict({key: value for key, value in GAME.items() if key != "rules"}) == (0, "")
    assert trace.check({key: value for key, value in GAME.items() if key != "rules"}).trace == GAME


def test_a_seed_may_be_an_integer_or_a_text() -> None:
    for seed in (0, -3, 10**30, "corpus/7", ""):
        assert verdict(GAME | {"seed": seed}) == (0, "")


def test_a_deck_list_of_ones_own() -> None:
    entries = deck.default().entries()
    assert verdict(GAME | {"deck": entries}) == (0, "")
    assert verdict(GAME | {"deck": entries[::-1]}) == (0, "")
    only_three = [entry | {"players": [3]} for entry in entries if 3 in entry["players"]]
    assert verdict(GAME | {"deck": only_three}) == (0, "")
    assert verdict(GAME | {"deck": [*entries, {"title": "Heavy", "letters": "B", "players": []}]}) == (0, "")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda entry: entry | {"title": "Gold"}, "deck[8].title"),
        (lambda entry: entry | {"title": 8}, "deck[8].title"),
        (lambda entry: entry | {"letters": "A"}, "deck[8].letters"),
        (lambda entry: entry | {"letters": "AB"}, "deck[8].letters"),
        (lambda entry: entry | {"letters": ["A"]}, "deck[8].letters"),
        (lambda entry: entry | {"letters": None}, "deck[8].letters"),
        (lambda entry: entry | {"players": [3, 4, 6]}, "deck[8].players"),
        (lambda entry: entry | {"players": [3, 3]}, "deck[8].players"),
        (lambda entry: entry | {"players": [True]}, "deck[8].players"),
        (lambda entry: entry | {"players": [3.0]}, "deck[8].players"),
        (lambda entry: entry | {"players": "345"}, "deck[8].players"),
        (lambda entry: entry | {"copies": 1}, "deck[8].copies"),
        (lambda entry: {"title": "Bank Job", "players": [3]}, "deck[8].letters"),
        (lambda entry: {"title": "Bank Job", "letters": "B"}, "deck[8].players"),
        (lambda entry: {"letters": "B", "players": [3]}, "deck[8].title"),
        (lambda entry: "Bank Job", "deck[8]"),
        (lambda entry: entry | {"players": [4]}, "heists[0].deck"),
    ],
)
def test_what_is_wrong_with_a_deck_list(change: Callable[[Trace], Any], place: str) -> None:
    entries: list[Any] = deck.default().entries()
    number = next(n for n, entry in enumerate(entries) if entry["title"] == "Bank Job")
    entries[number] = change(entries[number])
    code, said = verdict(GAME | {"deck": entries})
    assert code == 2
    assert f"line 1: {place.replace('[8]', f'[{number}]')}: " in said


def test_a_deck_list_that_is_too_small_for_the_players() -> None:
    entries = [entry for entry in deck.default().entries() if 3 in entry["players"]][:14]
    code, said = verdict(GAME | {"deck": entries})
    assert code == 2
    assert "line 1: deck: " in said
    assert "14 cards for 3 players, expected at least 15" in said


def test_a_key_twice_deep_inside(tmp_path: Path) -> None:
    twice = json.dumps(GAME).replace('"stages": [{', '"stages": [{"reveal": [], ', 1)
    code, _, said = replayed(written(tmp_path, twice))
    assert code == 2
    assert "line 1: heists[0].stages[0].reveal: " in said


def test_talk_without_cards_before_another_heist_replays() -> None:
    """HT4, HT17: in a heist's last Stage nobody has a card left; the last announcement begins the next heist."""
    lifts = deck.from_copies([("The Lift", [3])] * 15, "lifts")
    assert trace.check(play_out(3, mine=lifts, announce=True, heists=2, stages=6)).faults == []
