"""Traces of Hot Heads: games that are recorded replay, and every malformed trace is told apart."""

import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tracefiles
from anygame import finish
from tracefiles import NOT_INTEGERS, Trace, changed, written

from hotsim import deck, reference, trace
from hotsim.reference import Reference
from hotsim.rules import Rules

replayed = functools.partial(tracefiles.replayed, trace.TRACES)
verdict = functools.partial(tracefiles.verdict, trace.TRACES)


def test_random_games_are_recorded_and_replay(tmp_path: Path) -> None:
    mine = deck.from_tokens({"1+9": 40, "2-9": 30, "*+99": 10, "*-1": 10, "heli": 15, "sabotage": 15}, "mine")
    for seed in range(40):
        rng = random.Random(seed)
        players = 2 + seed % 4
        cards_used = mine if seed % 3 == 0 else deck.default()
        some = Rules(helicopter_is_top=seed % 2 == 0, storms=1 + seed % 4, combined_stacks=seed % 2)
        dealt = reference.deal(some, cards_used, players, rng)
        game = finish(Reference(some, players, dealt), rng)
        record = trace.record(game, cards_used, agents=["random"] * players, seed=seed)
        line = trace.to_line(record)
        assert trace.check_line(line, "line 1") == (record, [])


# What can be wrong with one


def play_out(players: int, seed: int = 0, **options: Any) -> Trace:
    """Record a game of random legal actions."""
    rng = random.Random(seed)
    some = Rules(**options)
    dealt = reference.deal(some, deck.default(), players, rng)
    game = finish(Reference(some, players, dealt), rng)
    return trace.record(game, deck.default(), agents=["random"] * players, seed=seed)


TWO, THREE = play_out(2), play_out(3, seed=6)


def first(game: Trace, wanted: Callable[[Trace], bool]) -> tuple[int, Trace]:
    """Give the number of the first such event, and the event."""
    return next((i, event) for i, event in enumerate(game["events"]) if wanted(event))


def is_typed(event: Trace) -> bool:
    return event["type"] == "play" and "column" not in event and event["card"] != "sabotage"


def is_wild(event: Trace) -> bool:
    return event["type"] == "play" and "column" in event and event["card"] != "sabotage"


def is_sabotage(event: Trace) -> bool:
    return "discarded" in event


def is_no_effect(event: Trace) -> bool:
    return (event["type"], event.get("card")) == ("play", "sabotage") and "to" not in event


def is_draw(event: Trace) -> bool:
    return bool(event["type"] == "draw" and event["card"] != "storm")


def is_storm(event: Trace) -> bool:
    return bool(event["type"] == "storm")


def test_the_games_that_are_changed_below_are_fine() -> None:
    assert verdict(TWO) == verdict(THREE) == (0, "")


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("format", ["heatsim-trace/1", "hotsim-trace/2", None, 1, ["hotsim-trace/1"], ...]),
        ("players", [*NOT_INTEGERS, 0, 1, 6, -3, 10**30, ...]),
        ("rules", [None, [], "x", {"gravity": 9}, {"": 1}]),
        ("rules", [{"storms": v} for v in (*NOT_INTEGERS, 0, -1, 5, 10**30)]),
        ("rules", [{"hand_size": v} for v in (*NOT_INTEGERS, 0, 9, 10**30)]),
        ("rules", [{"combined_stacks": v} for v in (*NOT_INTEGERS, -1, 5)]),
        ("rules", [{"helicopter_points": v} for v in NOT_INTEGERS]),
        ("rules", [{"helicopter_is_top": 0}, {"helicopter_is_top": 1}, {"helicopter_is_top": "true"}]),
        ("rules", [{"absent_column_is_zero": 0}, {"absent_column_is_zero": None}, {"absent_column_is_zero": []}]),
        ("rules", [{"return_fraction": v} for v in (0, 0.5, None, {"3": "1/2"}, "", "2", "1/0", "-1/2", "x", "1/2/3")]),
        ("rules", [{"return_fraction": v} for v in ("1e-3", "1e999999999", "nan", " 1/2", "1/2\n", "1_0/20")]),
        ("agents", [None, "x", [1], [None], {}]),
        ("seed", [True, 1.0, "1", None, []]),
        ("deck", [None, [], {}, {"1+3": 99}, {"5+1": 1}, "default"]),
        ("setup", [None, [], {}, ...]),
        ("setup.hands", [None, {}, [], [[], []], [[], [], [], []], ...]),
        ("setup.hands.0", [None, "1+3", ["1+3"] * 9, ["1+3"] * 11, ["storm"] * 10, [1] * 10, [None] * 10]),
        ("setup.hands.0.0", ["1+0", "1+03", "5+1", "storm", "", 3, None, ["1+1"], True]),
        ("setup.dummy", [[], {}, 0, [["1+1"] * 4] * 4, ...]),
        ("setup.returned", [None, [], {}, ["1+1"] * 34, ...]),
        ("setup.draw_pile", [None, [], ["storm"] * 39, ["1+1"] * 39, ["1+1"] * 35 + ["storm"] * 4, ...]),
        ("setup.colour", ["red"]),
        ("colour", ["red"]),
        ("events", [None, {}, "x", [None], [[]], ["draw"], [{}], [{"type": "jump"}], [{"type": ["draw"]}], ...]),
        ("result", [None, [], 0, {"colour": "red"}]),
        ("result.scores", [None, {}, [1, 2], [1, 2, 3, 4], [1, 2, True], [1, 2, 3.0], [1, 2, None]]),
        ("result.balloon_cards", [None, [1, 2], [1, 2, "3"]]),
        ("result.winners", [None, 1, [True], ["0"], [0.0]]),
        ("result.columns", [None, [], [[None] * 4] * 2, [[None] * 4] * 4, [[None] * 3] * 3, [None] * 3]),
        ("result.columns.0.0", [0, [], {"cards": None}, {"cards": ["9+9"]}, {"helicopters": True}, {"colour": 1}]),
        ("result.altitudes", [None, [[1] * 4] * 2, [[1] * 5] * 3, [[True] * 4] * 3, [[1.0] * 4] * 3, [["1"] * 4] * 3]),
        ("result.flew_away", [None, [[True] * 4] * 2, [[0] * 4] * 3, [[None] * 4] * 3, [["true"] * 4] * 3]),
    ],
)
def test_what_cannot_be_read(path: str, values: list[object]) -> None:
    for value in values:
        code, said = verdict(changed(THREE, path, value))
        assert code == 2, (path, value, said)
        assert path.split(".")[0] in said


@pytest.mark.parametrize("value", [None, [], {}, [["1+1"] * 4] * 3, [["1+1"] * 3] * 4, ...])
def test_a_dummy_that_cannot_be_read(value: object) -> None:
    code, said = verdict(changed(TWO, "setup.dummy", value))
    assert code == 2
    assert "line 1: setup.dummy" in said


@pytest.mark.parametrize(
    ("wanted", "key", "values", "expected"),
    [
        (is_draw, "seat", NOT_INTEGERS, 2),
        (is_draw, "seat", [-1, 3, 10**30], 1),
        (is_draw, "card", [1, None, "1+0", "x", ["1+1"], ...], 2),
        (is_draw, "card", ["storm", "4+99", "sabotage"], 1),
        (is_draw, "to", [0], 2),
        (is_draw, "number", [1], 2),
        (is_typed, "seat", [*NOT_INTEGERS, ...], 2),
        (is_typed, "seat", [-1, 3, 99], 1),
        (is_typed, "card", [None, 5, "storms", "1+00", ...], 2),
        (is_typed, "card", ["1+99", "storm"], 1),
        (is_typed, "to", [*NOT_INTEGERS, ...], 2),
        (is_typed, "to", [-1, 3, 10**30], 1),
        (is_typed, "column", [1, None], 2),
        (is_typed, "end", ["top"], 2),
        (is_typed, "discarded", [[]], 2),
        (is_typed, "type", ["Play", "plays", None, 1, ["play"], {}, ...], 2),
        (is_typed, "type", ["storm", "pass"], 2),
        (is_wild, "to", [*NOT_INTEGERS, ...], 2),
        (is_wild, "to", [-1, 3], 1),
        (is_wild, "column", [*NOT_INTEGERS, ...], 2),
        (is_wild, "column", [0, 5, -1, 10**30], 1),
        (is_wild, "end", ["top"], 2),
        (is_wild, "discarded", [[]], 2),
        (is_sabotage, "to", [*NOT_INTEGERS, ...], 2),
        (is_sabotage, "to", [-1, 3], 1),
        (is_sabotage, "column", [*NOT_INTEGERS, ...], 2),
        (is_sabotage, "column", [0, 5], 1),
        (is_sabotage, "end", ["middle", "", None, 1, True, ...], 2),
        (is_sabotage, "discarded", [None, "1+1", {}, [1], ["x"], [None]], 2),
        (is_sabotage, "discarded", [[], ["heli"], ["storm"], ["1+1", "1+1", "1+1"]], 1),
        (is_sabotage, "why", [1], 2),
        (is_no_effect, "discarded", [[]], 2),
        (is_no_effect, "to", [0], 2),
        (is_no_effect, "end", ["top"], 2),
        (is_no_effect, "column", [1], 2),
        (is_storm, "number", [*NOT_INTEGERS, ...], 2),
        (is_storm, "number", [0, 2, 10**30], 1),
        (is_storm, "chosen", [None, {}, [], [["1+1"]] * 2, [["1+1"]] * 4, ["1+1"] * 3, [None] * 3, [["5+1"]] * 3], 2),
        (is_storm, "chosen", [...], 2),
        (is_storm, "chosen", [[[]] * 3, [["1+1", "1+1"]] * 3, [["storm"]] * 3, [["4+99"]] * 3], 1),
        (is_storm, "dummy", [0, {}, "x", ["x"], [None], ...], 2),
        (is_storm, "dummy", [[], ["1+1"] * 4], 1),
        (is_storm, "seat", [0], 2),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_event(
    wanted: Callable[[Trace], bool], key: str, values: list[object], expected: int
) -> None:
    number, _ = first(THREE, wanted)
    for value in values:
        code, said = verdict(changed(THREE, f"events.{number}.{key}", value))
        assert code == expected, (value, said)
        assert f"events[{number}]" in said


def test_the_recorded_draw_is_not_the_top_of_the_pile() -> None:
    number, event = first(THREE, is_draw)
    other = "1+1" if event["card"] != "1+1" else "1+2"
    code, said = verdict(changed(THREE, f"events.{number}.card", other))
    assert (code, said) == (
        1, f'line 1: events[{number}].card: found "{other}", expected "{event["card"]}", the top of the draw pile',
    )  # fmt: skip


def test_a_pass_although_a_card_can_be_played() -> None:
    number, event = first(THREE, is_typed)
    code, said = verdict(changed(THREE, f"events.{number}", {"type": "pass", "seat": event["seat"]}))
    assert code == 1
    assert "can play" in said


def test_sabotage_of_no_column() -> None:
    number, event = first(THREE, is_sabotage)
    hits = [verdict(changed(THREE, f"events.{number}", event | {"to": to, "column": c}))
            for to in range(3) for c in range(1, 5)]  # fmt: skip
    assert any(code == 1 and "has no column" in said for code, said in hits)
    assert all(code in (0, 1) for code, _ in hits)


def test_a_dummys_pile_that_differs() -> None:
    number, event = first(TWO, is_storm)
    others: list[object] = [None, [], event["dummy"][:3], event["dummy"][::-1]]
    for value in others:
        assert verdict(changed(TWO, f"events.{number}.dummy", value))[0] == 1


def test_an_unfinished_game_and_one_that_goes_on() -> None:
    for length in range(len(THREE["events"])):
        code, said = verdict(THREE | {"events": THREE["events"][:length]})
        assert code == 1
        assert "not finished" in said
    for more in THREE["events"]:
        code, said = verdict(THREE | {"events": [*THREE["events"], more]})
        assert code == 1
        assert "the game is over" in said


def test_an_illegal_step_and_a_malformed_one_in_one_line() -> None:
    number, _ = first(THREE, is_draw)
    both = changed(THREE, f"events.{number}.card", "4+99")
    both = changed(both, f"events.{len(both['events']) - 1}.why", 1)
    assert verdict(both)[0] == 2


def test_every_field_of_the_result_is_compared_alone() -> None:
    for key, value in THREE["result"].items():
        assert verdict(THREE | {"result": {key: value}}) == (0, "")
    assert verdict(THREE | {"result": {}}) == (0, "")
    seat, card_type = next((s, t) for s in range(3) for t in range(4) if THREE["result"]["columns"][s][t])
    for path, wrong in (
        ("scores.1", 99),
        ("balloon_cards.2", -1),
        ("winners", []),
        ("winners", [7]),
        (f"altitudes.{seat}.{card_type}", None),
        (f"altitudes.{seat}.{card_type}", 99),
        (f"flew_away.{seat}.{card_type}", not THREE["result"]["flew_away"][seat][card_type]),
        (f"columns.{seat}.{card_type}", None),
        (f"columns.{seat}.{card_type}.helicopters", 5),
        (f"columns.{seat}.{card_type}.cards", ["1+1"] * 9),
    ):
        code, said = verdict(changed(THREE, f"result.{path}", wrong))
        assert code == 1, path
        assert "found" in said
        assert "expected" in said
        assert said.startswith(f"line 1: result.{path.split('.')[0]}")
    code, said = verdict(changed(changed(THREE, "result.scores.0", 99), "result.winners", []))
    assert said.count("found") == 2, "all that differs is told"
    assert verdict(changed(THREE, f"result.columns.{seat}.{card_type}.helicopters", ...)) == (0, "")


def test_rules_that_equal_their_defaults_are_accepted() -> None:
    given = {
        "hand_size": 10,
        "storms": 4,
        "combined_stacks": 2,
        "return_fraction": "2/4",
        "return_rounded_up": False,
        "helicopter_points": 3,
        "helicopter_is_top": False,
        "absent_column_is_zero": False,
        "dummy": True,
    }
    assert verdict(THREE | {"rules": given}) == (0, "")
    assert verdict({key: value for key, value in THREE.items() if key != "rules"}) == (0, "")
    # The combined stacks matter for the shuffling alone, and where the storms lie is not checked.
    assert verdict(THREE | {"rules": {"combined_stacks": 4}}) == (0, "")


def test_a_deck_list_of_ones_own() -> None:
    tokens = deck.default().entries()
    assert verdict(THREE | {"deck": tokens}) == (0, "")
    assert verdict(THREE | {"deck": tokens | {"4+99": 0}}) == (0, "")
    for token, number, place in (
        ("1+03", 1, 'deck["1+03"]'),
        ("1+0", 1, 'deck["1+0"]'),
        ("1+100", 1, 'deck["1+100"]'),
        ("storm", 4, "deck.storm"),
        ("", 1, 'deck[""]'),
        ("1+1", True, 'deck["1+1"]'),
        ("1+1", 4.0, 'deck["1+1"]'),
        ("1+1", -1, 'deck["1+1"]'),
        ("1+1", "4", 'deck["1+1"]'),
        ("1+1", 5, "setup"),
        ("4+99", 1, "setup"),
        ("4+99", 10**30, 'deck["4+99"]'),
    ):
        code, said = verdict(THREE | {"deck": tokens | {token: number}})
        assert code == 2
        assert said.startswith(f"line 1: {place}")


def test_a_key_twice_deep_inside(tmp_path: Path) -> None:
    twice = json.dumps(THREE).replace('"seat": 0,', '"seat": 0, "seat": 0,', 1)
    code, _, said = replayed(written(tmp_path, twice))
    assert code == 2
    assert "line 1: events[0].seat: " in said
